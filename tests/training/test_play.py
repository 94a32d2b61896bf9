"""`tradewinds play`: a person's game from the first line to the replay."""

import itertools
import json
import re
from pathlib import Path

import numpy as np
import pytest

import tradewinds.envs as tw
from tradewinds.envs.core.render.words import logged

from .terminal_tools import Terminal, typed

HERE = "tests.training.terminal_players"
SANTIAGO = ("play", "santiago_de_cuba", "--players", "2", "--opponents", f"{HERE}:First", "--seed", "4")
KEPT = ("--replay", "game.jsonl")


def replayed(path: str = "game.jsonl") -> tw.TableEnv:
    """The game at the end of a replay."""
    *_, env = tw.load_replay(path).positions()
    return env


def own_moves(path: str = "game.jsonl", seat: int = 0) -> list[str]:
    return [move.action for move in tw.load_replay(path).moves if move.seat == seat]


@pytest.mark.slow
@pytest.mark.parametrize("game", tw.games())
def test_a_game_played_by_numbers_ends_with_scores_ranks_and_a_replay(game: str, terminal: Terminal) -> None:
    players = str(tw.game(game).options[0].choices[0])
    said = terminal.run(
        "play", game, "--players", players, "--opponents", "random", "--seed", "2", "--seat", "1", lines=itertools.repeat("2")
    )
    assert said.code == 0, said.err
    path = re.search(r"the replay is (runs/\S+\.jsonl)\n$", said.out)
    assert path is not None
    replay = tw.load_replay(path[1])
    assert replay.result is not None
    assert replay.players == ["random", "person", *["random"] * (int(players) - 2)]
    for seat, (score, rank) in enumerate(zip(replay.result["scores"], replay.result["ranks"], strict=True)):
        assert f"\n{rank}. {'you' if seat == 1 else f'player_{seat} (random)'}: {score}\n" in said.out


def test_a_choice_is_made_by_name_by_part_in_any_case_and_without_accents(terminal: Terminal) -> None:
    lines = ["car: drive 1 stop for 0 pesos", "CAFE"]
    said = terminal.run(*SANTIAGO, *KEPT, lines=lines)
    assert said.code == 0
    assert own_moves() == ["car: drive 1 stop for 0 pesos", "Alonso: claim the café"]
    assert "you: Alonso: claim the café" in said.out


def test_the_words_of_a_name_are_enough_in_any_order(terminal: Terminal) -> None:
    terminal.run(*SANTIAGO, *KEPT, lines=["peso 1 stops"])
    assert own_moves() == ["car: drive 2 stops for 1 peso"]


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("car", "'car' may mean 4 choices: 1  car: drive 1 stop to Alonso (claim or use), free; 2  car"),
        ("0", "there is no choice 0; the choices are 1 to 4"),
        ("5", "there is no choice 5; the choices are 1 to 4"),
        ("♥", "no choice has '♥' in its name"),
        ("dance", "no choice has 'dance' in its name; Enter lists the choices, ? the commands"),
        ("port: pass", "'port: pass' is not possible now"),
        ("u", "this is your first decision"),
        ("save", "save needs the name of a file"),
        ("s missing/game.jsonl", "missing/game.jsonl cannot be written: No such file"),
        ("", "1  car: drive 1 stop"),
        ("?", "Choose by number"),
        ("HELP", "Choose by number"),
        ("b", "STREET"),
        ("rules", "Goal: the most victory points"),
        ("info SAW", "Sawmill: Turn 1 wood into 1 point and 1 peso."),
        ("i", "info needs a name: Pedro, Miguel"),
        ("info palace", "nothing is called 'palace'; there is: Pedro"),
    ],
)
def test_an_input_that_is_no_choice_is_explained_and_changes_nothing(line: str, answer: str, terminal: Terminal) -> None:
    terminal.run(*SANTIAGO, *KEPT)
    said = terminal.run(*SANTIAGO, "--replay", "other.jsonl", lines=[line])
    assert answer in said.out.partition(f"> {line}\n")[2]
    assert Path("other.jsonl").read_text() == Path("game.jsonl").read_text()


def test_many_choices_are_grouped_by_what_they_begin_with_and_numbered_through(terminal: Terminal) -> None:
    said = terminal.run(*SANTIAGO, *KEPT, lines=["1", "11"])
    assert re.search(r"\n  Alonso\n +1  claim the bank \(2 pesos\) +2  claim the church", said.out)
    listed = [name for name in tw.game("santiago_de_cuba").actions.names if name.startswith("Alonso: claim")]
    assert own_moves()[1] == listed[10]


def test_undo_gives_the_same_position_and_choices_again_and_again(terminal: Terminal) -> None:
    terminal.run(*SANTIAGO, *KEPT, lines=["2"] * 6)
    straight = replayed()
    terminal.run(*SANTIAGO, "--replay", "undone.jsonl", lines=[*["2"] * 6, "1", "1", "1", "u", "undo", "u"])
    back = replayed("undone.jsonl")
    assert back.record().tobytes() == straight.record().tobytes()
    assert back.legal_actions() == straight.legal_actions()
    assert Path("undone.jsonl").read_text() == Path("game.jsonl").read_text()
    said = terminal.run(*SANTIAGO, "--replay", "all.jsonl", lines=[*["2"] * 6, *["u"] * 9, *["2"] * 6])
    assert said.out.count("taken back") == 6 and said.out.count("nothing to take back") == 3
    assert Path("all.jsonl").read_text() == Path("game.jsonl").read_text()


def test_the_board_is_the_own_seat_s(terminal: Terminal) -> None:
    said = terminal.run(*SANTIAGO, *KEPT, "--seat", "1", lines=["2"] * 4)
    assert "seen by player_1" in said.out and "seen by player_0" not in said.out


@pytest.mark.parametrize("code", [f"{HERE}:Rater", f"{HERE}:Searcher"])
def test_a_hint_names_a_legal_action_and_rates_the_best(code: str, terminal: Terminal) -> None:
    said = terminal.run(*SANTIAGO, *KEPT, "--hint", code, lines=["h"])
    assert re.search(rf"{code} would play 4  car: drive 4 stops to .*, pay 3 pesos\n", said.out)
    best, second, *_ = said.out.partition("would play")[2].partition("choice>")[0].splitlines()[1:]
    assert re.fullmatch(r" +(best|\d+% of visits)  4  car: drive 4 stops to .*, pay 3 pesos", best)
    expected = r" less  3  car: drive 3 stops to .*, pay 2 pesos" if "Rater" in code else r" of visits  1  car: drive 1 stop to .*, free"
    assert re.search(expected, second)
    assert "Why: " in said.out
    assert own_moves() == []


def test_the_default_hint_is_the_scripted_bot_s(terminal: Terminal) -> None:
    said = terminal.run(*SANTIAGO, *KEPT, lines=["hint"])
    found = re.search(r"scripted would play (\d)  (car: .*)\n", said.out)
    assert found is not None and re.search(rf"  {found[1]}  {re.escape(found[2])}\n", said.out)


@pytest.mark.parametrize("code", [f"{HERE}:Broken", f"{HERE}:Cheat", f"{HERE}:Unmakeable", "nobody"])
def test_a_hint_that_fails_is_said_and_the_game_goes_on(code: str, terminal: Terminal) -> None:
    said = terminal.run(*SANTIAGO, *KEPT, "--hint", code, lines=["h", "1"])
    assert said.code == 0 and code in said.out
    assert len(own_moves()) == 1


def in_logs(name: str) -> str:
    """An action of Santiago de Cuba as logs have it."""
    game = tw.game("santiago_de_cuba")
    return logged(game, game.actions.parse(name))


def test_the_log_tells_the_whole_game(terminal: Terminal) -> None:
    said = terminal.run(*SANTIAGO, *KEPT, lines=[*["2"] * 8, "l"])
    log = said.out.rpartition("> l\n")[2]
    for move in tw.load_replay("game.jsonl").moves:
        assert in_logs(move.action).partition(": ")[2] in log


def at_an_auction(path: Path, bids: list[str]) -> None:
    """A game of Container in which player_0 has bid in secret, and player_1, a person, is asked."""
    from .terminal_players import Merchant

    env = tw.make("container", players=3)
    env.reset(seed=1)
    merchant = Merchant(env.variant)
    while not env.describe(env.legal_actions()[-1]).startswith("bid:"):
        env.step(int(merchant.act(env.decision())[0]))
    assert env.agent_selection == "player_0"
    for bid in bids:
        env.step(env.parse(bid))
    assert env.agent_selection == "player_1"
    tw.Replay.of(env, [f"{HERE}:Merchant", "person", f"{HERE}:Merchant"]).save(path)


def test_secret_bids_are_not_told_before_all_are_in(terminal: Terminal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    worlds = {"poor": ["bid: 0 x $10", "bid: 0 x $1"], "rich": ["loan: take $10", "bid: 2 x $10", "bid: 7 x $1"]}
    heard = []
    for world, bids in worlds.items():
        (tmp_path / world).mkdir()
        monkeypatch.chdir(tmp_path / world)
        at_an_auction(Path("game.jsonl"), bids)
        said = terminal.run(
            "play", "--resume", "game.jsonl", "--opponents", f"{HERE}:Merchant", lines=["l", "b", "h", "bid: 0 x $10", "l", "b"]
        )
        assert said.code == 0, said.err
        heard.append(re.sub(r"after \d+ decisions", "", said.out))
    assert heard[0] == heard[1]
    assert "you: bid: 0 x $10" in heard[0] and "bids are shown" not in heard[0]
    said = terminal.run("play", "--resume", "game.jsonl", "--opponents", f"{HERE}:Merchant", lines=["bid: 5 x $1"])
    assert "* bids are shown: player_0 $27 with 1 new loan, player_1 $5\n" in said.out
    assert not re.search(r"player_\d: .*x \$1", said.out)


@pytest.mark.parametrize(("end", "code"), [(None, 0), ("q", 0), ("quit", 0), (KeyboardInterrupt, 130)])
def test_a_game_that_is_broken_off_is_kept_and_can_be_resumed(end: str | None, code: int, terminal: Terminal) -> None:
    said = terminal.run(*SANTIAGO, *KEPT, lines=["1", "2", "1"] + ([end] if end else []))
    assert said.code == code and "Traceback" not in said.err
    assert said.out.endswith(f"Continue with: tradewinds play --resume game.jsonl --opponents {HERE}:First\n")
    assert tw.load_replay("game.jsonl").result is None
    assert own_moves()[0] == "car: drive 1 stop for 0 pesos" and len(own_moves()) == 3


def test_an_interrupt_while_an_opponent_thinks_keeps_the_game(terminal: Terminal) -> None:
    arguments = ("play", "santiago_de_cuba", "--players", "2", "--opponents", f"{HERE}:Interrupting", "--seed", "4", *KEPT)
    assert terminal.run(*arguments, lines=itertools.repeat("2")).code == 130
    assert tw.load_replay("game.jsonl").result is None


@pytest.mark.slow
def test_a_resumed_game_goes_on_as_if_it_had_never_stopped_and_undo_reaches_back(terminal: Terminal) -> None:
    terminal.run(*SANTIAGO, "--replay", "whole.jsonl", lines=itertools.repeat("2"))
    terminal.run(*SANTIAGO, *KEPT, lines=["2"] * 5)
    said = terminal.run("play", "--resume", "game.jsonl", "--opponents", f"{HERE}:First", lines=["u", "u", *["2"] * 2, "l", "q"])
    assert "seed 4" in said.out and f"player_1: {HERE}:First" in said.out and said.out.count("taken back") == 2
    assert len(own_moves()) == 5
    said = terminal.run("play", "--resume", "game.jsonl", "--opponents", f"{HERE}:First", lines=itertools.repeat("2"))
    assert said.code == 0
    assert Path("game.jsonl").read_text() == Path("whole.jsonl").read_text()
    assert "this game is over" in terminal.run("play", "--resume", "game.jsonl").one_line()


def test_a_replay_of_agents_can_be_taken_over(terminal: Terminal) -> None:
    env = tw.make("santiago_de_cuba", players=2)
    env.reset(seed=1)
    env.step(env.legal_actions()[0])
    tw.Replay.of(env).save("game.jsonl")
    said = terminal.run("play", "--resume", "game.jsonl", "--seat", "1", "--opponents", "random", "--replay", "mine.jsonl", lines=["2"])
    assert said.code == 0 and tw.load_replay("mine.jsonl").players == ["random", "person"]
    assert tw.load_replay("game.jsonl").players is None


def test_save_writes_the_replay_so_far(terminal: Terminal) -> None:
    terminal.run(*SANTIAGO, *KEPT, lines=["2", "s so far.jsonl", "2"])
    assert len(own_moves("so far.jsonl")) == 1 and len(own_moves()) == 2


@pytest.mark.parametrize(
    ("agent", "reason"),
    [
        ("Broken", "RuntimeError: out of ideas"),
        ("Cheat", "IllegalActionError: action"),
        ("Chatty", "TypeError: act() must return one integer per decision"),
    ],
)
def test_an_opponent_that_fails_is_named_and_the_game_is_kept(agent: str, reason: str, terminal: Terminal) -> None:
    arguments = ("play", "santiago_de_cuba", "--players", "3", "--opponents", f"random,{HERE}:{agent}", "--seed", "4", *KEPT)
    said = terminal.run(*arguments, lines=itertools.repeat("2"))
    assert said.code == 1 and "Traceback" not in said.err
    assert f"player_2 ({HERE}:{agent}) failed at decision" in said.out and reason in said.out
    env = replayed()
    assert env.agent_selection == "player_2"
    assert f"decision {len(env.moves) + 1} of the game" in said.out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "which game?"),
        (["monopoly"], "there is no game 'monopoly'"),
        (["container", "--players", "9"], "players must be an integer from 3 to 5, got 9"),
        (["container", "--seat", "4"], "--seat must be from 0 to 3, got 4"),
        (["container", "--seat", "-1"], "--seat must be from 0 to 3, got -1"),
        (["container", "--seed", "-1"], "--seed must be an integer from 0 to 2**64 - 1, got -1"),
        (["container", "--option", "void_bids"], "must be NAME=VALUE"),
        (["container", "--option", "void_bids=maybe"], "void_bids must be False or True, got 'maybe'"),
        (["container", "--option", "max_turns=few"], "got 'few'"),
        (["container", "--option", "colour=red"], "no option 'colour'"),
        (["container", "--players", "3", "--option", "players=4"], "players is given twice"),
        (["container", "--opponents", "random,random"], "names 2 agents; give one for each of the 3 seats"),
        (["container", "--opponents", "nobody"], "there is no agent 'nobody'"),
        (["container", "--opponents", f"{HERE}:Unmakeable"], "OSError: no weights"),
        (["container", "--opponents", "random", "--replay", "missing/game.jsonl"], "--replay missing/game.jsonl: No such file"),
        (["container", "--opponents", "random", "--replay", "."], "exists already"),
        (["container", "--resume", "game.jsonl"], "--resume takes the game"),
        (["--resume", "game.jsonl"], "game.jsonl: No such file"),
    ],
)
def test_bad_input_gives_one_line_and_exit_code_2(arguments: list[str], message: str, terminal: Terminal) -> None:
    assert message in terminal.run("play", *arguments).one_line()
    assert not list(Path().iterdir()), "nothing is left behind"


def test_an_existing_replay_is_not_overwritten(terminal: Terminal) -> None:
    terminal.run(*SANTIAGO, *KEPT)
    before = Path("game.jsonl").read_text()
    assert "exists already" in terminal.run(*SANTIAGO, *KEPT).one_line()
    assert Path("game.jsonl").read_text() == before


def test_without_a_seed_every_game_is_another_and_says_which(terminal: Terminal) -> None:
    seeds = {re.search(r"seed (\d+)", terminal.run(*SANTIAGO[:-2]).out)[1] for _ in range(3)}  # type: ignore[index]
    assert len(seeds) == 3
    assert {str(tw.load_replay(path).seed) for path in Path("runs").iterdir()} == seeds


def test_options_are_those_of_the_game(terminal: Terminal) -> None:
    terminal.run("play", "container", "--opponents", "random", "--option", "void_bids=yes", "--option", "max_turns=9", *KEPT)
    options = tw.load_replay("game.jsonl").options
    assert (options["void_bids"], options["max_turns"], options["investment_bank"]) == (True, 9, False)


def test_opponents_are_asked_with_their_own_views(terminal: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    from . import terminal_players as players

    seen: list[np.ndarray] = []

    def spy(self: players.First, decisions: players.Decisions) -> np.ndarray:
        assert decisions.seats[0] == 1
        seen.append(decisions.views["pesos"][0].copy())
        return decisions.masks.argmax(axis=1)

    monkeypatch.setattr(players.First, "act", spy)
    terminal.run(*SANTIAGO, *KEPT, lines=["2"] * 8)
    assert seen and all(pesos[0] == -1 and pesos[1] >= 0 for pesos in seen)


def test_in_a_terminal_tab_completes_names_and_ctrl_d_ends_the_game(tmp_path: Path) -> None:
    dialogue = [
        ("choice> ", b"car: drive 4\t\n"),
        ("4 stops for 3 pesos", b""),
        ("choice> ", b"u\n"),
        ("taken back", b""),
        ("choice> ", b"\x04"),
    ]
    code, output = typed(["play", "santiago_de_cuba", "--opponents", "random", "--seed", "4", "--replay", "game.jsonl"], dialogue, tmp_path)
    assert code == 0 and "stopped after" in output
    assert "\x1b[36myou: car: drive 4 stops for 3 pesos" in output, "in colour"
    rows = [json.loads(line) for line in (tmp_path / "game.jsonl").read_text().splitlines()]
    assert not any(row.get("seat") == 0 for row in rows[1:])
