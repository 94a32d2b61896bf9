"""States from outside are lawful or refused, with nothing changed."""

import json
import pickle
import threading
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tradewinds.envs as tw
from tests.contract.tools import amount, box_of, label, new_batch, random_play, rule_sets
from tests.support import sample
from tradewinds.envs.core.api import aec
from tradewinds.envs.core.api.errors import MOST_LETTERS
from tradewinds.envs.core.engine.kernel import JIT
from tradewinds.envs.core.engine.threads import Task
from tradewinds.envs.core.io.save import MAGIC
from tradewinds.envs.core.io.states import check_states
from tradewinds.envs.core.spec.fields import Status

GAME = "santiago_de_cuba"
CASES = [(name, options) for name in tw.games() for options in (rule_sets(name) if JIT else rule_sets(name)[-1:])]


def started(steps: int = 10) -> tw.TableEnv:
    env = tw.make(GAME, players=3)
    env.reset(seed=5)
    for _ in range(steps):
        env.step(env.legal_actions()[0])
    return env


def packed(line: bytes, rest: bytes) -> bytes:
    body = MAGIC + line + b"\n" + rest
    return body + zlib.crc32(body).to_bytes(4, "little")


def edited(save: bytes, change: Callable[[dict[str, Any]], Any]) -> bytes:
    """The save with its facts changed and its checksum put right."""
    line, _, rest = save[len(MAGIC) : -4].partition(b"\n")
    about = json.loads(line)
    change(about)
    return packed(json.dumps(about).encode(), rest)


def check_refused(env: tw.TableEnv, data: bytes) -> None:
    before = env.save()
    with pytest.raises(tw.FormatError):
        env.load(data)
    assert env.save() == before


# Saves


@pytest.mark.parametrize(
    "change",
    [
        lambda about: about["facts"]["moves"].clear(),
        lambda about: about["facts"]["moves"].pop(),
        lambda about: about["facts"].pop("moves"),
        lambda about: about["facts"]["moves"].append([0, 0, []]),
        lambda about: about["facts"]["moves"][3].__setitem__(1, 10**30),
        lambda about: about["facts"]["moves"][3].__setitem__(2, [2**40]),
        lambda about: about["facts"].__setitem__("opening", "text"),
        lambda about: about["facts"].__setitem__("agents", ["player_0"]),
        lambda about: about["facts"].__setitem__("agent_selection", "player_9"),
        lambda about: about["facts"].__setitem__("rewards", {"player_0": 1}),
        lambda about: about["facts"].__setitem__("redealt", 1),
        lambda about: about["facts"].__setitem__("options", None),
        lambda about: about.__setitem__("facts", []),
        lambda about: about["arrays"].__setitem__("state", ["object", [1]]),
        lambda about: about["arrays"].pop("seed"),
        lambda about: about.clear(),
    ],
)
def test_a_save_that_does_not_follow_from_its_moves_is_refused_and_changes_nothing(change: Callable[[dict[str, Any]], Any]) -> None:
    check_refused(started(), edited(started(12).save(), change))  # of another position, or a change could not be told


NONSENSE = {
    "an empty object": b"{}",
    "not UTF-8": b"\xff\xfe",
    "nested": b"[" * 200_000,
    "nested a little": b'{"a":' * 60 + b"1" + b"}" * 60,
    "a long number": b'{"facts": ' + b"9" * 5000 + b"}",
    "nothing": b"",
    "null": b"null",
}


@pytest.mark.parametrize("line", NONSENSE.values(), ids=NONSENSE)
def test_a_save_with_the_right_checksum_and_nonsense_in_it_is_refused(line: bytes) -> None:
    env = started()
    check_refused(env, packed(line, env.save()[-500:]))


@pytest.mark.parametrize("field", ["seat", "active", "phase", "pesos", "ship"])
@pytest.mark.parametrize("is_redealt", [False, True])
def test_a_save_whose_position_was_edited_is_refused(field: str, is_redealt: bool) -> None:
    env = started()
    other = env.redeal("player_0", 3) if is_redealt else env
    line, _, rest = other.save()[len(MAGIC) : -4].partition(b"\n")
    state = np.frombuffer(rest, env.game.fields.dtype, 1).copy()
    state[field] = 3 if field in ("seat", "active") else 7 if field == "phase" else -1 if field == "pesos" else 100
    check_refused(env, packed(line, state.tobytes() + rest[state.nbytes :]))


def test_a_save_says_nothing_of_an_earlier_game() -> None:
    env = started(0)
    while not env.terminations[env.agent_selection]:
        env.step(env.legal_actions()[-1])
    env.reset(seed=6)
    other = tw.make(GAME, players=3)
    other.load(env.save())
    assert other.save() == env.save()


# Batches


@pytest.mark.slow
@pytest.mark.parametrize(("name", "options"), [pytest.param(*case, id=label(*case)) for case in CASES])
def test_every_state_of_play_is_lawful(name: str, options: dict[str, Any]) -> None:
    batch = new_batch(name, options, amount(64, 2))
    for number, _ in enumerate(random_play(batch, amount(sample(700, 1500), 60))):
        if number % amount(10, 3) == 0:
            check_states(batch.variant, batch.states)


@pytest.mark.slow
@pytest.mark.parametrize("name", tw.games())
def test_a_state_whose_pieces_do_not_add_up_is_refused(name: str) -> None:
    """Whatever the box of the tests calls broken, which counts pieces by itself, a batch refuses."""
    options = rule_sets(name)[-1]
    batch = new_batch(name, options, 2)
    for _ in random_play(batch, amount(60, 10)):
        pass
    rng, fields, refused = np.random.default_rng(1), batch.variant.game.fields, 0
    for _ in range(amount(600, 100)):
        given = batch.state_dict()
        field = fields.all[int(rng.integers(4, len(fields.all)))]
        place = tuple(int(rng.integers(size)) for size in field.shape)
        given["states"][field.name][(0, *place)] = rng.integers(field.low, field.high + 1)
        if box_of(name).broken(given["states"]):
            refused += 1
            before = batch.states.tobytes()
            with pytest.raises(ValueError, match=r"cannot lead to this state|with another"):
                batch.load_state_dict(given)
            assert batch.states.tobytes() == before
    assert refused > 20


@pytest.mark.parametrize(
    ("game", "field", "value"),
    [
        (GAME, "seat", 100),
        (GAME, "seat", 3),
        (GAME, "active", 3),
        (GAME, "owner", 3),
        (GAME, "status", 2),
        ("puerto_rico", "governor", 4),
        ("puerto_rico", "role_owner", 4),
        ("container", "seller", 4),
    ],
)
def test_a_seat_that_this_variant_does_not_have_is_refused(game: str, field: str, value: int) -> None:
    batch = tw.make_batch(game, 2, seed=1, players=3 if game == GAME else 4)
    given, before = batch.state_dict(), batch.states.tobytes()
    given["states"][field] = value
    with pytest.raises(ValueError, match=r"cannot lead to this state|over but not finished"):
        batch.load_state_dict(given)
    assert batch.states.tobytes() == before


@pytest.mark.parametrize(("players", "picks"), [(3, 3), (4, 5), (5, 5), (2, 6)])
def test_a_round_of_puerto_rico_has_no_more_roles_than_its_players_take(players: int, picks: int) -> None:
    batch = tw.make_batch("puerto_rico", 1, seed=1, players=players)
    given = batch.state_dict()
    states = given["states"]
    states["picks"], states["seat"] = picks, (states["governor"] + picks) % players
    states["active"] = states["seat"]
    states["role_owner"][0, :picks] = np.arange(picks) % players
    with pytest.raises(tw.FormatError, match="more roles taken than a round has"):
        batch.load_state_dict(given)


def test_a_state_dict_of_something_else_is_refused() -> None:
    batch = tw.make_batch(GAME, 2, seed=1)
    given = batch.state_dict()
    wrong: list[Any] = [
        [],
        None,
        {},
        {name: array.tolist() for name, array in given.items()},
        {**given, "rewards": given["rewards"] * np.nan},
    ]
    wrong += [{**given, "finished": np.full(2, 7, np.uint8).view(np.bool_)}, {**given, "states": given["states"][:1]}]
    for arrays in wrong:
        with pytest.raises(ValueError, match="state"):
            batch.load_state_dict(arrays)


def test_the_first_game_that_is_impossible_is_named() -> None:
    batch = tw.make_batch(GAME, 9, seed=1, players=3)
    for field, value, reason in (("seat", 100, "seat: 100"), ("players", 4, "another players"), ("supply", 1, "goods that the box")):
        given = batch.state_dict()
        given["states"][field][[6, 3, 8]] = value
        with pytest.raises(tw.FormatError, match=f"this state: game 3: .*{reason}"):
            batch.load_state_dict(given)


def test_an_array_of_another_form_is_named_with_the_form_that_it_must_have() -> None:
    batch = tw.make_batch(GAME, 2, seed=1)
    given = batch.state_dict()
    expected = r"streams must be uint64 of shape \(2, 1\), got "
    forms: list[tuple[Any, str]] = [(None, "nothing"), ([], "list"), (np.zeros((3, 1), np.int32), r"int32 of shape \(3, 1\)")]
    for streams, found in forms:
        with pytest.raises(tw.FormatError, match=expected + found):
            batch.load_state_dict({**given, "streams": streams})
    with pytest.raises(tw.FormatError, match=r"states must be records .* of shape \(2,\), got records .* of shape \(1,\)"):
        batch.load_state_dict({**given, "states": given["states"][:1]})


def test_a_message_that_quotes_a_file_is_one_printable_line_of_bounded_length(tmp_path: Path) -> None:
    env = started()
    head = json.loads(next(iter(tw.Replay.of(env).lines())))
    changes = {"version": "1\n\x1b[2Jx", "tradewinds replay": "9\n" * 9000, "game": "x" * 100_000, "options": {"p\n\u202e": 2}}
    for name, value in changes.items():
        (tmp_path / "game.jsonl").write_text(json.dumps({**head, name: value}) + "\n")
        with pytest.raises(tw.FormatError) as refused:
            tw.load_replay(tmp_path / "game.jsonl")
        assert str(refused.value).isprintable() and len(str(refused.value)) <= MOST_LETTERS
    with pytest.raises(tw.FormatError, match=rf"xxx \.\.\. xxx.* not of {GAME}") as refused:
        env.load(edited(env.save(), lambda about: about.update(game="x" * 100_000)))
    assert len(str(refused.value)) == MOST_LETTERS


def test_an_edited_pickle_of_a_batch_is_refused() -> None:
    batch = tw.make_batch(GAME, 2, seed=1)
    make, arguments = batch.__reduce__()[:2]
    arguments[-1]["states"]["seat"] = 9
    with pytest.raises(ValueError, match="cannot lead to this state"):
        make(*arguments)
    assert pickle.loads(pickle.dumps(batch)).states.tobytes() == batch.states.tobytes()


@pytest.mark.parametrize("name", tw.games())
def test_each_number_that_is_out_of_its_bounds_is_named(name: str) -> None:
    """By the bounds alone: the laws of a game need not look at every field."""
    batch = tw.make_batch(name, 1, seed=1)
    options = {option.name for option in batch.variant.game.options}
    for field in batch.variant.game.fields.all:
        for value in (field.low - 1, field.high + 1):
            limits = np.iinfo(field.kind)
            if field.name not in options and limits.min <= value <= limits.max:
                states = batch.states.view(np.ndarray).copy()
                states[field.name].reshape(1, -1)[0, -1] = value
                with pytest.raises(tw.FormatError, match=rf"{field.name}: .*declared {field.low} to {field.high}"):
                    check_states(batch.variant, states)


@pytest.mark.parametrize("name", tw.games())
def test_a_state_of_another_variant_is_refused_by_its_options(name: str) -> None:
    states = tw.make_batch(name, 1, seed=1, players=3).states.view(np.ndarray).copy()
    with pytest.raises(tw.FormatError, match="it has another players"):
        check_states(tw.game(name).with_options(players=4), states)


def test_a_seat_that_is_not_taken_is_refused_in_a_game_that_states_no_laws(monkeypatch: pytest.MonkeyPatch) -> None:
    batch = tw.make_batch(GAME, 1, seed=1, players=3)
    states = batch.states.view(np.ndarray).copy()
    states["seat"] = 3
    monkeypatch.setitem(batch.variant.game.__dict__, "check_state", None)
    with pytest.raises(tw.FormatError, match="seat: 3, with 3 players"):
        check_states(batch.variant, states)


@pytest.mark.parametrize("count", [0, 1])
def test_a_game_without_a_decision_is_truncated(count: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Forced actions without an end, or no legal action: a state from outside may lead there."""
    if JIT:
        pytest.skip("a compiled kernel cannot be replaced")
    batch = tw.make_batch(GAME, 1, seed=1)
    loops = batch.variant.game.loops

    def legal(s: Any, mask: np.ndarray) -> int:
        mask[:] = False
        mask[0] = count == 1
        return count

    forced: list[Any] = []
    monkeypatch.setattr(loops, "legal", legal)
    monkeypatch.setattr(loops, "apply", lambda *given: forced.append(given[1]))
    monkeypatch.setattr(loops, "MOST_FORCED", 1000)
    batch._run(Task.REFRESH, np.zeros(1, np.int64))
    assert batch.states["status"][0] == Status.TRUNCATED and batch.counts[0] == 0
    assert forced == [0] * (1000 * count), "without a legal action none may be played"


# Threads


def test_a_second_thread_gets_an_error_and_the_games_go_on() -> None:
    batch = tw.make_batch(GAME, amount(2048, 4), seed=1)
    errors: list[Exception] = []

    def play() -> None:
        streams, actions = np.ones((batch.size, 1), np.uint64), np.zeros(batch.size, np.int64)
        for _ in range(amount(150, 3)):
            try:
                batch.step(batch.sample(streams, actions))
            except (RuntimeError, tw.IllegalActionError) as error:
                errors.append(error)

    with batch._owner, pytest.raises(RuntimeError, match="another thread"):
        batch.step(np.zeros(batch.size, np.int64))
    threads = [threading.Thread(target=play, daemon=True) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
        assert not thread.is_alive()
    check_states(batch.variant, batch.states)


def test_a_second_thread_cannot_play_between_the_check_of_an_action_and_its_play(monkeypatch: pytest.MonkeyPatch) -> None:
    env, errors = started(0), []
    script, first, last = aec.script, env.legal_actions()[0], env.legal_actions()[-1]

    def other() -> None:
        try:
            env.step(last)
        except RuntimeError as error:
            errors.append(str(error))

    def interrupted(*given: Any) -> None:
        monkeypatch.setattr(aec, "script", script)
        thread = threading.Thread(target=other)
        thread.start()
        thread.join(60)
        script(*given)

    monkeypatch.setattr(aec, "script", interrupted)
    env.step(first)
    assert [action for _, action, _ in env.moves] == [first] and len(errors) == 1 and "another thread" in errors[0]


# Small things


def test_numbers_that_do_not_fit_are_refused_by_name() -> None:
    batch = tw.make_batch(GAME, 2, seed=1)
    with pytest.raises(ValueError, match="steps must be"):
        batch.play_random(2**64, np.zeros((2, 1), np.uint64))
    for seeds in (np.zeros(3, np.uint64), np.zeros(2, np.int64), [1, 2]):
        with pytest.raises(ValueError, match="seeds must be uint64"):
            batch.decisions(seeds=seeds)  # type: ignore[arg-type]
    env = tw.make(GAME)
    with pytest.raises(tw.GameOverError):
        env.last()
