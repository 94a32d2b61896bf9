"""An agent can lose its own games, and nothing else."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tradewinds.envs as tw
from tests.training import hostile
from tests.training.hostile import HERE
from tests.training.players import HERE as PLAYERS
from tests.training.players import Last
from tradewinds.agents import build
from tradewinds.agents.table import Table
from tradewinds.envs.core.api.opponents import resolve
from tradewinds.envs.core.api.seat_batch import SeatBatch
from tradewinds.envs.core.engine.rng import mix
from tradewinds.training.datasets import collect
from tradewinds.training.evaluation.evaluate import Evaluation, Pairing, evaluate, tournament
from tradewinds.training.evaluation.schedule import agent_seeds
from tradewinds.training.opponents import ask_opponents

GAME = "santiago_de_cuba"
HONEST = f"{PLAYERS}:first_legal"
RAISING = {"Unprintable": "error", "StopsGenerator": "error", "Interrupts": "error", "Leaves": "error", "AnswersByCode": "answer"}
RAISING |= {"WrongShape": "answer", "WrongType": "answer", "Illegal": "illegal"}
DEADLY = {"ClosesFiles": "died", "Exits": "died", "NeverEnds": "slow", "Allocates": "error"}


@pytest.fixture(autouse=True)
def _replays_go_to_a_folder_of_the_test(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def against(agent: Any, games: int = 2, honest: str = HONEST, **more: Any) -> Evaluation:
    return evaluate(GAME, honest, agent, games=games, seed=4, players=2, **{"workers": 0, **more})


def check_lost(found: Evaluation, kind: str) -> None:
    assert found.win_rate == 1 and len(found.failures) == found.games
    assert {(failure["agent"], failure["kind"]) for failure in found.failures} == {(found.opponents[0], kind)}
    assert all(failure["reason"] for failure in found.failures)


@pytest.mark.parametrize(("agent", "kind"), RAISING.items())
def test_whatever_an_agent_raises_or_answers_it_loses_its_games_and_is_named(agent: str, kind: str) -> None:
    check_lost(against(f"{HERE}:{agent}"), kind)


@pytest.mark.slow
@pytest.mark.parametrize(("agent", "kind"), [*DEADLY.items(), ("Unprintable", "error"), ("WrongType", "answer"), ("Illegal", "illegal")])
def test_an_isolated_agent_loses_its_games_and_is_named_whatever_it_does_to_its_process(agent: str, kind: str) -> None:
    limit = 1.0 if agent == "NeverEnds" else None
    # An opponent of Tradewinds' own has no process.
    check_lost(against(f"{HERE}:{agent}", honest="random", isolate=True, time_limit=limit, memory_limit=8192), kind)


@pytest.mark.slow
def test_an_agent_that_closes_the_files_of_its_worker_is_named() -> None:
    check_lost(against(f"{HERE}:ClosesFiles", workers=1), "died")


@pytest.mark.slow
@pytest.mark.parametrize("isolate", [False, True])
def test_an_agent_that_forks_is_one_agent(isolate: bool) -> None:
    found, honest = against(f"{HERE}:Forks", isolate=isolate), against(Last())
    assert not found.failures and (found.win_rate, found.mean_margin) == (honest.win_rate, honest.mean_margin)


@pytest.mark.slow
def test_isolation_changes_no_result() -> None:
    found, honest = against(f"{PLAYERS}:Last", isolate=True), against(f"{PLAYERS}:Last")
    assert (found.win_rate, found.mean_score, found.decisions) == (honest.win_rate, honest.mean_score, honest.decisions)


@pytest.mark.slow
def test_what_an_agent_writes_reaches_no_game() -> None:
    found, honest = against(hostile.Writes(), games=4), against(Last(), games=4)
    assert not found.failures
    assert (found.win_rate, found.mean_score, found.decisions) == (honest.win_rate, honest.mean_score, honest.decisions)


@pytest.mark.slow
def test_no_secret_card_of_container_shows_to_an_agent_that_opens_all_screens() -> None:
    agent = hostile.Peeks()
    assert not evaluate("container", agent, Last(), games=3, seed=1, workers=0, players=3, max_turns=3).failures
    assert len(agent.seen) > 10 and not any(agent.seen)


def test_an_agent_that_takes_the_variant_gets_one_of_its_own() -> None:
    variant = tw.game("container").with_options()
    built: Any = build(f"{HERE}:TakesVariant", variant)
    assert built.variant.options == variant.options and built.variant is not variant
    for name in ("visibility_mask", "open_mask", "blank"):
        assert not np.shares_memory(getattr(built.variant, name), getattr(variant, name))


def in_batch(agent: Any) -> bytes:
    variant = tw.game(GAME).with_options(players=3)
    games = SeatBatch(variant, 4, resolve(agent, variant), seed=1)
    games.reset()
    for _ in range(20):
        games.step(games.batch.masks.argmax(axis=1))
    return games.batch.states.tobytes()


def in_seat(agent: Any) -> bytes:
    env = tw.make_seat(GAME, opponents=agent, players=3)
    env.reset(seed=1)
    for _ in range(20):
        if env.step(int(env.action_masks().argmax()))[2]:
            break
    return env.table._b.states.tobytes()


def in_text(agent: Any) -> bytes:
    pytest.importorskip("textarena")
    from tradewinds.envs.textarena import make

    env = make(GAME, players=3, opponents=agent)
    env.reset(1, 1)
    for _ in range(20):
        if env.step(env.table.describe(env.table.legal_actions()[0]))[0]:
            break
    return env.table._b.states.tobytes()


def in_training(agent: Any) -> bytes:
    batch = tw.make_batch(GAME, 4, seed=1, players=3)
    rows, actions = np.arange(4), np.zeros(4, np.int64)
    for step in range(20):
        ask_opponents([agent], batch, rows, np.zeros(4, np.int64), np.random.default_rng(step), actions)
        batch.step(actions)
    return batch.states.tobytes()


def in_dataset(agent: Any) -> bytes:
    code = f"{PLAYERS}:Last" if type(agent) is Last else f"{HERE}:Writes"
    return collect(GAME, code, 3, seed=1, players=3).observations.tobytes()


def at_table(agent: Any) -> bytes:
    table = Table.new(tw.game(GAME).with_options(players=3), 1, ["a"] * 3, [agent] * 3)
    for _ in range(20):
        table.let_agent_play()
    return table.env._b.states.tobytes()


@pytest.mark.slow
@pytest.mark.parametrize("play", [in_batch, in_seat, in_text, in_training, in_dataset, at_table])
def test_what_an_opponent_writes_reaches_no_game(play: Callable[[Any], bytes]) -> None:
    assert play(hostile.Writes()) == play(Last())


@pytest.mark.slow
def test_an_agent_cannot_compute_the_seeds_of_the_plan_from_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    seeds = agent_seeds(4, 4)
    assert hostile.unmix(int(mix(np.uint64(12345)))) == 12345
    monkeypatch.setattr(hostile, "PLANNED", {int(seed) for seed in seeds})
    assert not against(hostile.Predicts(), games=4).failures


def results_of_the_others(hostile_agents: list[str], **more: Any) -> tuple[list[Pairing], int]:
    """The pairings of two honest agents in a tournament with these, and how many games failed."""
    honest = ["random", f"{PLAYERS}:Last"]
    found = tournament(GAME, [*honest, *hostile_agents], games=2, seed=4, players=2, workers=0, **more)
    return [pairing for pairing in found.pairings if {pairing.agent, pairing.others} == set(honest)], len(found.failures)


@pytest.mark.slow
@pytest.mark.parametrize("agent", RAISING)
def test_results_of_the_others_are_the_same_with_and_without_a_hostile_agent(agent: str) -> None:
    (without, _), (beside, failures) = results_of_the_others([]), results_of_the_others([f"{HERE}:{agent}"])
    assert failures == 8 and beside == without and len(without) == 2


@pytest.mark.slow
@pytest.mark.parametrize("agent", ["Exits", "Allocates"])  # with a time limit the others would depend on the machine
def test_results_of_the_others_are_the_same_with_and_without_an_agent_that_ends_its_process(agent: str) -> None:
    without, _ = results_of_the_others([])
    beside, failures = results_of_the_others([f"{HERE}:{agent}"], isolate=True, memory_limit=8192)
    assert failures == 8 and beside == without and len(without) == 2


def test_a_users_interrupt_ends_the_evaluation(monkeypatch: pytest.MonkeyPatch) -> None:
    import os
    import signal

    def interrupted(observation: np.ndarray, action_mask: np.ndarray) -> int:
        os.kill(os.getpid(), signal.SIGINT)
        return 0

    with pytest.raises(KeyboardInterrupt):
        against(interrupted)
