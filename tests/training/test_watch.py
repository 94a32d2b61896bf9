"""`tradewinds watch`: replays and games between agents, position by position."""

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

import tradewinds.envs as tw
from tradewinds.agents.random import Random

from .terminal_players import First
from .terminal_tools import Terminal, typed
from .test_play import HERE, at_an_auction, in_logs

LIVE = ("watch", "santiago_de_cuba", "--players", "2", "--agents", f"{HERE}:First,random", "--seed", "6")


@pytest.fixture(scope="module")
def played() -> tw.Replay:
    """The whole game of LIVE."""
    env = tw.make("santiago_de_cuba", players=2)
    env.reset(seed=6)
    agents = [First(), Random(env.variant)]
    while not any(env.terminations.values()):
        env.step(int(agents[env.agents.index(env.agent_selection)].act(env.decision())[0]))
    return tw.Replay.of(env, [f"{HERE}:First", "random"])


@pytest.fixture
def replay(played: tw.Replay, terminal: Terminal) -> tw.Replay:
    """It lies in game.jsonl."""
    played.save("game.jsonl")
    return played


def test_a_live_game_is_played_to_its_end_and_kept(terminal: Terminal, played: tw.Replay) -> None:
    said = terminal.run(*LIVE, "--moves", "--replay", "game.jsonl")
    assert said.code == 0
    replay = tw.load_replay("game.jsonl")
    assert list(replay.lines()) == list(played.lines())
    assert replay.players is not None and replay.result is not None
    for seat, name in enumerate(replay.players):
        assert f"{replay.result['ranks'][seat]}. player_{seat} ({name}): {replay.result['scores'][seat]}\n" in said.out


@pytest.mark.slow
def test_the_same_seed_shows_the_same_game_and_a_replay_shows_it_again(terminal: Terminal, replay: tw.Replay) -> None:
    live, again = terminal.run(*LIVE), terminal.run("watch", "game.jsonl")
    assert re.sub(r"(position \d+) of \d+", r"\1", again.out) == re.sub(r"(position \d+) of \d+", r"\1", live.out)


@pytest.mark.slow
def test_in_a_pipe_every_position_is_printed(terminal: Terminal, replay: tw.Replay) -> None:
    said = terminal.run("watch", "game.jsonl")
    last = len(replay.moves)
    assert re.findall(r"^--- position (\d+)", said.out, re.MULTILINE) == [str(at) for at in range(last + 1)]
    *_, end = replay.positions()
    assert said.out.count(end.game.text(end.record()[0], None)) == 1
    assert "(you)" not in said.out and "seen by" not in said.out


def test_moves_are_printed_one_a_line_with_what_they_forced(terminal: Terminal, replay: tw.Replay) -> None:
    said = terminal.run("watch", "game.jsonl", "--moves")
    lines = said.out.splitlines()
    for number, move in enumerate(replay.moves, 1):
        found = [line for line in lines if line.startswith(f"{number:>5}  ")]
        assert found[0].startswith(f"{number:>5}  player_{move.seat}: {in_logs(move.action)}")
    assert "SANTIAGO" not in said.out


@pytest.mark.slow
def test_a_seat_sees_its_own_side_only_and_all_sees_everything(terminal: Terminal, replay: tw.Replay) -> None:
    own, everything = (terminal.run("watch", "game.jsonl", "--seat", seat).out for seat in ("1", "all"))
    assert "seen by player_1" in own and "seen by player_0" not in own and "seen by" not in everything
    # Of the other seat only question marks for six goods, pesos and points, until the end shows all.
    boards, hidden, numbers = len(re.findall(r"^SANTIAGO DE CUBA", own, re.MULTILINE)), r"( +\?){8} +\d$", r"( +\d+){9}$"
    other, mine = (re.findall(rf"^P{seat}\b.*$", own, re.MULTILINE) for seat in (0, 1))
    assert len(other) == len(mine) == boards > 1
    assert all(re.search(hidden, row) for row in other[:-1]) and re.search(numbers, other[-1])
    assert all(re.search(numbers, row) for row in mine)
    rows = re.findall(r"^P\d\b.*$", everything, re.MULTILINE)
    assert len(rows) == 2 * (len(replay.moves) + 1) and all(re.search(numbers, row) for row in rows)


def test_a_seat_is_not_shown_the_secret_bids_of_another(terminal: Terminal) -> None:
    at_an_auction(Path("game.jsonl"), ["bid: 1 x $10", "bid: 7 x $1"])
    moves = tw.load_replay("game.jsonl").moves
    said = terminal.run("watch", "game.jsonl", "--seat", "2")
    assert "x $1" not in said.out
    assert f"position {len(moves) - 2} of" in said.out and f"position {len(moves) - 1} of" not in said.out
    assert "player_0: bid: 7 x $1" in terminal.run("watch", "game.jsonl", "--seat", "0").out
    assert "player_0: bid: 7 x $1" in terminal.run("watch", "game.jsonl", "--seat", "all", "--moves").out


def test_a_person_s_unfinished_game_is_shown_as_the_person_saw_it(terminal: Terminal) -> None:
    at_an_auction(Path("game.jsonl"), ["bid: 1 x $10", "bid: 7 x $1"])
    said = terminal.run("watch", "game.jsonl")
    assert "seen by player_1" in said.out and "seen by player_0" not in said.out and "x $1" not in said.out
    assert "the replay ends here" in said.out


def test_with_a_delay_it_goes_on_by_itself(terminal: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    from tradewinds.cli.terminal import viewer

    pauses: list[float] = []
    monkeypatch.setattr(viewer.time, "sleep", pauses.append)
    assert terminal.run(*LIVE, "--delay", "0.5", "--replay", "game.jsonl").code == 0
    assert pauses == [0.5] * len(tw.load_replay("game.jsonl").moves)


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lambda lines: [], "its first line lacks the key"),
        (lambda lines: ["\x00\x01"], "not a replay"),
        (lambda lines: [*lines[:5], lines[5][:9]], "its line 6 is damaged"),
        (lambda lines: [lines[0].replace('"version": 0', '"version": 9'), *lines[1:]], "version 9"),
        (lambda lines: [lines[0].replace("santiago_de_cuba", "go"), *lines[1:]], "'go', a game that is not here"),
        (lambda lines: [lines[0].replace('"seed": 6', '"seed": "six"'), *lines[1:]], "line 1 of this replay"),
        (lambda lines: [lines[0].replace('"options": {', '"options": {"x": 1, '), *lines[1:]], "line 1 of this replay"),
        (lambda lines: [re.sub(r'"players": \[.*?\]', '"players": [1]', lines[0]), *lines[1:]], "players are a list of names"),
        (lambda lines: [lines[0], lines[1].replace('"seat": ', '"seat": 1'), *lines[2:]], "line 2 of this replay: seat 1"),
        (lambda lines: [lines[0], *lines[2:]], "line 2 of this replay"),
        (lambda lines: [lines[0], json.dumps({**json.loads(lines[1]), "chance": [2**70]}), *lines[2:]], "line 2 of this replay: chance"),
        (lambda lines: [*lines[:-1], lines[-2]], "the game is over before"),
        (lambda lines: [*lines[:-1], lines[-1].replace('"scores": [', '"scores": [1')], "this replay ends with"),
    ],
)
def test_a_replay_that_cannot_be_read_gives_one_line(
    damage: Callable[[list[str]], list[str]], message: str, terminal: Terminal, replay: tw.Replay
) -> None:
    Path("game.jsonl").write_text("\n".join(damage(Path("game.jsonl").read_text().splitlines())))
    said = terminal.run("watch", "game.jsonl").one_line()
    assert message in said and "game.jsonl: " in said


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["missing.jsonl"], "missing.jsonl: No such file"),
        (["."], "Is a directory"),
        (["contaner"], "did you mean the game container?"),
        (["game.jsonl", "--seed", "1"], "it is read as a replay"),
        (["game.jsonl", "--replay", "other.jsonl"], "it is read as a replay"),
        (["game.jsonl", "--seat", "2"], "--seat must be from 0 to 1, got 2"),
        (["game.jsonl", "--seat", "two"], "--seat must be the number of a seat or all"),
        (["game.jsonl", "--delay", "-1"], "--delay must be from 0 to 3600 seconds, got -1"),
        (["game.jsonl", "--delay", "nan"], "got nan"),
        (["container", "--agents", "random,random"], "give one for each of the 4 seats"),
        (["container", "--agents", "random", "--replay", "missing/game.jsonl"], "No such file"),
        (["container", "--agents", "random", "--replay", "game.jsonl"], "exists already"),
        (["container", "--agents", "nobody", "--replay", "new.jsonl"], "there is no agent 'nobody'"),
        ([], "Missing argument"),
    ],
)
def test_bad_input_gives_one_line_and_exit_code_2(arguments: list[str], message: str, terminal: Terminal, replay: tw.Replay) -> None:
    assert message in terminal.run("watch", *arguments).one_line()
    assert [path.name for path in Path().iterdir()] == ["game.jsonl"], "nothing is left behind"


@pytest.mark.parametrize("kept", [True, False])
def test_an_agent_that_fails_is_named_and_the_game_so_far_is_kept(kept: bool, terminal: Terminal) -> None:
    arguments = ["--agents", f"{HERE}:First,{HERE}:Broken", *(["--replay", "game.jsonl"] if kept else [])]
    said = terminal.run("watch", "santiago_de_cuba", "--players", "2", *arguments)
    assert said.code == 1 and said.err.count("\n") == 1
    found = re.search(rf"player_1 \({HERE}:Broken\) failed .*: RuntimeError: out of ideas \(.*\); the game so far is (\S+)\n", said.err)
    assert found is not None and (found[1] == "game.jsonl") == kept
    *_, env = tw.load_replay(found[1]).positions()
    assert env.agent_selection == "player_1"


def test_in_a_terminal_keys_go_forward_and_back_and_jump(terminal: Terminal, replay: tw.Replay, tmp_path: Path) -> None:
    ask = "keys > "
    last = len(replay.moves)
    keys = [b"\n", b"n\n", b"p\n", b"7\n", b"t\n", b"x\n", b"9999\n", b"0\n", b"p\n", b"?\n", b"e\n", b"\n", b"q\n"]
    code, output = typed(["watch", "game.jsonl"], [(ask, key) for key in keys], tmp_path)
    assert code == 0
    shown = [int(at) for at in re.findall(r"--- position (\d+)", output)]
    turn = next(at for at in range(8, last + 1) if at == last or replay.moves[at].seat != replay.moves[7].seat)
    assert shown == [0, 1, 2, 1, 7, turn, 0, last]
    for said in ("'x' is not a key", f"the last position is {last}", "this is the first position", "the previous position", "\n1. player_"):
        assert said in re.sub(r"\x1b\[[0-9;]*m", "", output.replace("\r", ""))


@pytest.mark.parametrize("command", ["play", "watch"])
def test_the_commands_have_help(command: str, terminal: Terminal) -> None:
    said = terminal.run(command, "--help")
    assert said.code == 0 and "--seat" in said.out and "--option" in said.out
