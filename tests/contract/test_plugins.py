"""A game of an outside package: it is found, refused if it is wrong, and works without a bot."""

import dataclasses
import importlib.metadata
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import gymnasium
import numpy as np
import pytest
from pettingzoo.env_registry import registration as pettingzoo_registry

import tradewinds as tw
from tests.contract.tools import any_game, random_play
from tests.support import TOY, TOY_PROJECT, registered, toy_game
from tradewinds.agents.scripted.bot import Bot, bot_of, rate_equal
from tradewinds.envs import registry
from tradewinds.envs.core.api.batch import Batch
from tradewinds.envs.core.engine.kernel import BOUNDSCHECK, JIT
from tradewinds.envs.core.spec.actions import ActionTable
from tradewinds.envs.core.spec.fields import Fields, field
from tradewinds.envs.core.spec.game import Game
from tradewinds.envs.core.spec.layout import Layout

ROOT = Path(__file__).parents[2]


class NoHeader(Fields):
    """A record of the game's own fields alone."""

    def __init__(self) -> None:
        super().__init__(4, [field("coins", 0, 9, "coins")])
        self.dtype = np.dtype([("coins", np.int64)])


def renamed(name: str) -> dict[str, Any]:
    """What a game of another name differs in."""
    actions = toy_game().actions
    return {"name": name, "actions": ActionTable(name, actions.kinds, [(actions.kinds(0), (), "wait"), *other_rows(actions)])}


def other_rows(actions: ActionTable) -> list[Any]:
    return [(actions.kinds(int(actions.kind[i])), tuple(actions.arguments[i]), actions.names[i]) for i in range(1, len(actions))]


def nameless(view: Any, seat: int | None) -> str:
    """A picture as games drew it before players had names."""
    return ""


def with_players(choices: Any) -> tuple[Any, ...]:
    players, *others = toy_game().options
    return players._replace(choices=choices), *others


FAULTS: list[tuple[Callable[[], dict[str, Any]], str]] = [
    (lambda: {}, "toy_market.*this name is taken"),
    (lambda: renamed("container"), "container.*this name is taken"),
    (lambda: renamed("toy market"), "'toy market'.*must be an identifier"),
    (lambda: renamed("class"), "'class'.*must be an identifier"),
    (lambda: {"name": "other"}, "'other'.*ActionTable is that of 'toy_market'"),
    (lambda: {**renamed("other"), "actions": ["wait"]}, "'other'.*must be an ActionTable"),
    (lambda: {**renamed("other"), "version": "1"}, "'other'.*version must be an integer"),
    (lambda: {**renamed("other"), "score_scale": 0}, "'other'.*score_scale must be a number above 0, not 0"),
    (lambda: {**renamed("other"), "score_scale": "10"}, "'other'.*score_scale must be a number above 0, not '10'"),
    (lambda: {**renamed("other"), "score_scale": float("nan")}, "'other'.*score_scale must be a number above 0, not nan"),
    (lambda: {**renamed("other"), "text": "board"}, r"'other'.*must be a function text\(view, seat\), not 'board'"),
    (lambda: {**renamed("other"), "svg": None}, "'other'.*must be a function svg.*, not None"),
    (
        lambda: {**renamed("other"), "svg": nameless},
        r"'other'.*must be a function svg\(view, seat, names=\(\)\), not nameless\(view: ",
    ),
    (lambda: {**renamed("other"), "fields": SimpleNamespace()}, "'other'.*must be Fields, not SimpleNamespace"),
    (lambda: {**renamed("other"), "fields": NoHeader()}, "'other'.*lacks the header's fields players, visibility, status, seat"),
    (lambda: {**renamed("other"), "fields": Fields(3, [])}, "'other'.*up to 4 players but fields for 3 seats"),
    (lambda: {**renamed("other"), "options": toy_game().options[:1]}, "'other'.*no option reward, visibility"),
    (lambda: {**renamed("other"), "options": ()}, "'other'.*no option players, reward, visibility"),
    (lambda: {**renamed("other"), "options": None}, "'other'.*must be a tuple of Option, not None"),
    (lambda: {**renamed("other"), "options": ("players",)}, "'other'.*must be a tuple of Option"),
    (lambda: {**renamed("other"), "options": with_players(range(5, 7))}, "'other'.*option players must have .* the default 4 among them"),
    (lambda: {**renamed("other"), "options": with_players(4)}, "'other'.*option players must have a tuple or range"),
    (lambda: {**renamed("other"), "options": with_players(range(5))}, "'other'.*players must be integers from 2, not"),
    (lambda: {**renamed("other"), "options": with_players((4, "5"))}, "'other'.*players must be integers from 2, not"),
    (
        lambda: {**renamed("other"), "parts": lambda options: options["size"]},
        r"'other'.*parts\(options\) raises KeyError: 'size' \(players=2,",
    ),
    (lambda: {**renamed("other"), "parts": lambda options: 12}, "'other'.*must give a Layout with parts, not 12"),
    (lambda: {**renamed("other"), "parts": lambda options: Layout([])}, "'other'.*must give a Layout with parts"),
]


@pytest.mark.parametrize(("changes", "message"), FAULTS, ids=[message for _, message in FAULTS])
def test_a_game_that_cannot_be_used_is_refused_by_name_and_changes_nothing(changes: Callable[[], dict[str, Any]], message: str) -> None:
    before = dict(registry._games)
    wrong = dataclasses.replace(toy_game(), **changes())
    with pytest.raises(ValueError, match=message):
        tw.register(wrong)
    assert registry._games == before


def with_size(part: str, size: int) -> Game:
    """Toy Market with another size for a part of its observation, when the layout is open for 3 players."""

    def parts(options: dict[str, Any]) -> Layout:
        found = toy_game().parts(options)
        if options["players"] != 3 or options["visibility"] != "open":
            return found
        return Layout([one._replace(size=size) if one.name == part else one for one in found.parts])

    return dataclasses.replace(toy_game(), parts=parts)


@pytest.mark.parametrize(("part", "size", "needed"), [("others_coins", 1, 19), ("to_move", 1, 18)])
def test_an_observation_longer_than_its_parts_is_refused_on_first_use(part: str, size: int, needed: int) -> None:
    message = f"toy_market: observe does not write the {needed} numbers .*players=3, visibility='open'"
    with pytest.raises(ValueError, match=message):
        Batch(with_size(part, size).with_options(), 2)


@pytest.mark.skipif(JIT, reason="would compile a game for it alone")
def test_an_observation_shorter_than_its_parts_is_refused_on_first_use() -> None:
    def observe(s: Any, me: int, out: np.ndarray) -> None:
        out[:-2] = 0

    wrong = dataclasses.replace(toy_game(), kernels={**toy_game().kernels, "observe": observe})
    with pytest.raises(ValueError, match=r"16 numbers .*players=2, visibility='rules'.* leaves column 14"):
        Batch(wrong.with_options(), 2)


def test_a_game_whose_options_do_not_go_together_is_checked_with_those_that_do() -> None:
    def check(options: Any) -> None:
        if options["players"] == 2:
            raise ValueError("not with two")

    assert Batch(dataclasses.replace(toy_game(), check=check).with_options(), 2).players == 4


def test_registering_a_game_twice_is_refused() -> None:
    with pytest.raises(ValueError, match="'toy_market' cannot be registered: it is registered already"):
        tw.register(toy_game())


def test_what_is_no_game_is_refused() -> None:
    with pytest.raises(TypeError, match="not 'toy_market'"):
        tw.register("toy_market")  # type: ignore[arg-type]


@pytest.mark.parametrize("kernels", [{"score": None}, {"think": print}])
def test_a_missing_or_unknown_kernel_is_named(kernels: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=rf"toy_market.*(lacks|does not know) {next(iter(kernels))}"):
        dataclasses.replace(toy_game(), kernels={**toy_game().kernels, **kernels})


def test_a_field_named_like_a_method_of_records_is_refused() -> None:
    with pytest.raises(ValueError, match="round cannot be a field"):
        Fields(2, [field("round", 0, 9, "rounds played")])


def test_a_game_registered_later_is_known_to_the_registries_of_others() -> None:
    with registered(dataclasses.replace(toy_game(), **renamed("latecomer"))):
        assert "latecomer" in tw.games()
        assert gymnasium.spec("tradewinds/latecomer-v0").kwargs == {"name": "latecomer"}
        assert pettingzoo_registry.spec("aec", "tradewinds/latecomer-v0").kwargs == {"name": "latecomer"}
    assert "latecomer" not in tw.games()


# Entry points


def installed(folder: Path, *points: str) -> dict[str, str]:
    """The environment of a process in which packages declare these entry points."""
    info = folder / "outside-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: outside\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("\n".join(["[tradewinds.games]", *points]) + "\n")
    return {**os.environ, "PYTHONPATH": os.pathsep.join([str(folder), str(TOY_PROJECT)]), "TRADEWINDS_JIT": "0"}


def test_a_replay_of_an_outside_game_is_shown_as_a_page() -> None:
    env = tw.make(TOY, players=2)
    env.reset(seed=1)
    for agent in env.agent_iter():
        env.step(None if env.terminations[agent] else int(env.observe(agent)["action_mask"].argmax()))
    assert "Toy Market" in tw.Replay.of(env).html()
    assert "player_0 · Ada" in toy_game().svg(env.record()[0], None, ("Ada", "Ben"))


def test_a_game_of_another_package_is_found_by_its_entry_point(tmp_path: Path) -> None:
    code = "import tradewinds as tw; env = tw.make('toy_market', players=2); print(env.game.title, tw.games()[-1])"
    environment = installed(tmp_path, "toy_market = toy_market:GAME")
    run = subprocess.run([sys.executable, "-W", "error", "-c", code], env=environment, capture_output=True, text=True, check=True)
    assert run.stdout == "Toy Market toy_market\n"


def test_an_entry_point_that_fails_is_named_in_a_warning_and_the_others_work(tmp_path: Path) -> None:
    (tmp_path / "leaves.py").write_text("raise SystemExit(3)")
    points = [
        "lost = no_such_module:GAME",
        "leaves = leaves:GAME",
        "container = toy_market:GAME",
        "wrong = toy_market:TABLE",
        "toy_market = toy_market:GAME",
    ]
    environment = installed(tmp_path, *points)
    code = "import tradewinds as tw; print(*tw.games())"
    run = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    assert run.stdout.split() == ["puerto_rico", "container", "santiago_de_cuba", "toy_market"]
    assert "RuntimeWarning: the game 'lost' of outside (no_such_module:GAME) is left out: ModuleNotFoundError" in run.stderr
    assert "the game 'leaves' of outside (leaves:GAME) is left out: SystemExit: 3" in run.stderr
    assert "the game 'wrong' of outside (toy_market:TABLE) is left out: TypeError" in run.stderr


def test_entry_points_are_read_only_when_they_are_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    monkeypatch.setattr(registry, "_entry_points_read", False)
    monkeypatch.setattr(importlib.metadata, "entry_points", lambda group: asked.append(group) or [])
    assert tw.game("container").name == "container"
    assert asked == []
    with pytest.raises(ValueError, match="no game 'contaner'"):
        tw.game("contaner")
    tw.games()
    assert asked == ["tradewinds.games"]


@pytest.mark.slow
def test_an_installed_package_is_found_by_the_command_line(tmp_path: Path) -> None:
    project, target = tmp_path / "project", tmp_path / "target"
    shutil.copytree(TOY_PROJECT, project, ignore=shutil.ignore_patterns("__pycache__"))
    pip = [sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--no-build-isolation", "--no-index", "--target", str(target)]
    subprocess.run([*pip, str(project)], check=True, capture_output=True)
    command = [sys.executable, "-m", "tradewinds", "games", TOY, "--json", "-"]
    environment = {**os.environ, "PYTHONPATH": str(target), "TRADEWINDS_JIT": "0"}
    run = subprocess.run(command, env=environment, cwd=tmp_path, capture_output=True, text=True, check=True)
    (game,) = json.loads(run.stdout)["games"]
    assert (game["name"], game["players"], game["has_bot"]) == (TOY, [2, 3, 4], False)


@pytest.mark.slow
def test_an_outside_game_is_trained_by_the_command_line_without_a_config(tmp_path: Path) -> None:
    pytest.importorskip("torch")
    environment = installed(tmp_path, "toy_market = toy_market:GAME")
    tiny = ["network.width=8", "ppo.total_timesteps=64", "ppo.num_envs=4", "ppo.num_steps=8", "ppo.minibatch_size=16"]
    tiny += ["evaluation.episodes=4", "evaluation.final_episodes=4"]
    settings = [part for setting in tiny for part in ("--set", setting)]
    command = [sys.executable, "-m", "tradewinds", "train", TOY, "--runs", str(tmp_path / "runs"), *settings]
    run = subprocess.run(command, env=environment, cwd=tmp_path, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    assert f"play it as net:{tmp_path / 'runs' / TOY}" in run.stdout


# A second process


AGAIN = """
from tests.support import registered, toy_game
import tradewinds as tw
with registered(toy_game()):
    tw.make_batch("toy_market", 2, seed=1)
    tw.make_agent("search:1", "toy_market")
"""


@pytest.mark.slow
@pytest.mark.skipif(not JIT or BOUNDSCHECK, reason="about compiled kernels")
def test_a_second_process_compiles_nothing_of_an_outside_game() -> None:
    environment = {**os.environ, "NUMBA_DEBUG_CACHE": "1"}
    for _ in range(2):
        run = subprocess.run([sys.executable, "-c", AGAIN], env=environment, cwd=ROOT, check=True, capture_output=True, text=True)
    assert "compiling" not in run.stderr
    assert "data loaded from" in run.stdout
    assert "data saved to" not in run.stdout


# Without a bot


def test_a_game_without_a_bot_says_so() -> None:
    assert bot_of(toy_game()) is None
    for code in ("scripted", "scripted:greedy", "search:10:rollout=scripted", "search:10:style=greedy"):
        with pytest.raises(tw.AgentError, match="toy_market has no scripted bot"):
            tw.make_agent(code, TOY)
    with pytest.raises(tw.AgentError, match=r"no agent 'nobody'.*toy_market has no scripted bot"):
        tw.make_agent("nobody", TOY)


def test_a_bot_of_an_outside_game_is_found_by_its_path(monkeypatch: pytest.MonkeyPatch) -> None:
    own = Bot(game=TOY, rate=rate_equal, styles={"calm": np.zeros(1)}, temperature=1.0)
    monkeypatch.setattr("toy_market.BOT", own, raising=False)
    assert bot_of(dataclasses.replace(toy_game(), bot="toy_market:BOT")) is own
    for path, message in (
        ("toy_market:BOB", "'toy_market:BOB', cannot be imported"),
        ("no_such_module:BOT", "No module named 'no_such_module'"),
        ("toy_market:GAME", "toy_market:GAME is not the bot of toy_market"),
        ("tradewinds.agents.scripted.container:BOT", "is not the bot of toy_market"),
    ):
        with pytest.raises(ValueError, match=message):
            bot_of(dataclasses.replace(toy_game(), bot=path))


def first_legal(observation: np.ndarray, mask: np.ndarray) -> int:
    return int(mask.argmax())


@pytest.mark.slow
def test_search_beats_random_play_without_a_bot() -> None:
    games = 40 if JIT else 2
    found = tw.evaluate(TOY, "search:50", "random", games=games, seed=1, workers=0, players=2)
    assert found.games == games
    assert found.win_rate > 0.7 or not JIT


@pytest.mark.slow
def test_an_outside_game_is_evaluated_in_worker_processes() -> None:
    found = tw.tournament(TOY, ["random", f"{__name__}:first_legal"], games=4, seed=1, workers=1, players=2)
    assert found.total_games == 8 and not found.failures and not found.lost_workers


@pytest.mark.slow
def test_a_network_learns_an_outside_game_and_plays_it(tmp_path: Path) -> None:
    pytest.importorskip("torch")
    from tests.training.tiny import tiny, whole_run

    run = whole_run(tmp_path / "run", tiny(game=TOY))
    assert len(run.rows()) > 2
    found = tw.evaluate(TOY, f"net:{run.folder}", "random", games=4, seed=1, workers=0, players=2)
    assert found.games == 4


# What a game states of itself


@pytest.mark.skipif(not JIT or BOUNDSCHECK, reason="plays many games")
@any_game()
def test_the_mean_length_that_a_game_states_is_that_of_random_play(name: str) -> None:
    game: Game = tw.game(name)
    for players, stated in game.mean_steps.items():
        batch = tw.make_batch(name, 256, seed=7, players=players)
        length = np.zeros(batch.size, np.int64)
        for steps, _ in enumerate(random_play(batch, 10**9)):
            length[batch.finished & (length == 0)] = steps
            if (length > 0).all():
                break
        assert length.mean() == pytest.approx(stated, rel=0.05)
