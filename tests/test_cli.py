"""The command line: what it prints where, and its exit codes."""

import importlib.util
import io
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import tradewinds
import tradewinds.envs as tw
from tradewinds.cli.main import main
from tradewinds.envs.core.engine.kernel import BOUNDSCHECK, JIT

COMMANDS = ("games", "bench")
ALL_COMMANDS = (*COMMANDS, "evaluate", "tournament")


def one_line(captured: Any) -> str:
    """What a refused command says: nothing on stdout and one line on stderr."""
    assert captured.out == ""
    assert captured.err.count("\n") == 1 and captured.err.startswith("tradewinds: error: ")
    return captured.err


def test_games_lists_every_game_with_players_and_options_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["games", "--json", "-"]) == 0
    games = json.loads(capsys.readouterr().out)["games"]
    assert [game["name"] for game in games] == tw.games()
    for game in games:
        options = {option.name: option for option in tw.game(game["name"]).options}
        assert game["players"] == list(options["players"].choices)
        assert game["default_players"] in game["players"]
        assert [option["name"] for option in game["options"]] == list(options)
        for option in game["options"]:
            choices = option["choices"]
            is_range = isinstance(options[option["name"]].choices, range)
            assert choices["min"] <= option["default"] <= choices["max"] if is_range else option["default"] in choices
            assert option["text"]
        batch = tw.make_batch(game["name"], 1, seed=1)
        assert (game["observation"], game["actions"]) == (batch.observations.shape[1], batch.masks.shape[1])


def test_games_prints_a_short_table_that_names_every_game_and_option(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["games"]) == 0
    captured = capsys.readouterr()
    assert captured.out.count("\n") <= 60
    assert max(map(len, captured.out.splitlines())) <= 100
    for name in tw.games():
        assert name in captured.out and all(option.name in captured.out for option in tw.game(name).options)
    assert captured.err == ""


def test_games_gives_a_range_of_integers_by_its_ends(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["games", "container", "--json", "-"]) == 0
    captured = capsys.readouterr()
    (game,) = json.loads(captured.out)["games"]
    assert {"name": "max_turns", "choices": {"min": 1, "max": 10000}}.items() <= game["options"][-1].items()
    assert "1 to 10000" in captured.err


@pytest.mark.parametrize("name", tw.games())
def test_games_shows_all_parts_and_kinds_of_a_named_game(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["games", name]) == 0
    shown = capsys.readouterr().out
    game = tw.game(name)
    layout = game.with_options().layout
    for part in layout.parts:
        at = layout.slices[part.name]
        assert re.search(rf"{part.name} +│ {at.start}:{at.stop} +│ {part.size} ", shown), part
    for kind in game.actions.kinds:
        count = int((game.actions.kind == kind).sum())
        assert re.search(rf"{kind.name.lower()} +│ \d+:\d+ +│ {count} ", shown), kind
    for fact in (game.title, f"{len(game.actions)} ", f"{layout.size} float32", f"{game.fields.dtype.itemsize} bytes"):
        assert fact in shown
    assert all(f"{steps} with {players} players" in shown for players, steps in game.mean_steps.items())
    assert len(game.mean_steps) == len(game.options[0].choices)


def test_games_shows_only_the_games_that_are_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["games", tw.games()[-1], tw.games()[-1], "--json", "-"]) == 0
    assert [game["name"] for game in json.loads(capsys.readouterr().out)["games"]] == tw.games()[-1:]


def test_json_goes_to_a_file_and_the_table_to_stdout(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["games", "--json", str(tmp_path / "games.json")]) == 0
    assert [game["name"] for game in json.loads((tmp_path / "games.json").read_text())["games"]] == tw.games()
    assert tw.games()[0] in capsys.readouterr().out


@pytest.mark.parametrize("command", COMMANDS)
def test_a_file_that_cannot_be_written_is_refused_before_the_work(command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    missing = tmp_path / "missing" / "figures.json"
    if command == "bench" and (not JIT or BOUNDSCHECK):
        pytest.skip("bench is refused before it looks at the file")
    assert main([command, "--json", str(missing)]) == 2
    assert one_line(capsys.readouterr())


@pytest.mark.parametrize("command", COMMANDS)
def test_an_unknown_game_is_refused_with_the_names_of_the_games(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([command, "monopoly"]) == 2
    message = one_line(capsys.readouterr())
    assert "monopoly" in message and all(name in message for name in tw.games())


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["bench", "--sizes", "1,many"], "many"),
        (["bench", "--sizes", "0"], "--sizes"),
        (["bench", "--sizes", ""], "--sizes"),
        (["bench", "--sizes", "1000000000"], "1048576"),
        (["bench", "--seconds", "0"], "--seconds"),
        (["bench", "--seconds", "nan"], "--seconds"),
        (["bench", "--seconds", "soon"], "--seconds"),
        (["bench", "--rounds", "0"], "--rounds"),
        (["bench", "--baselines", "gym"], "pettingzoo,openspiel,pgx"),
        (["games", "--jason", "-"], "--jason"),
        (["dance"], "dance"),
    ],
)
def test_bad_input_gives_one_line_and_exit_code_2(arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(arguments) == 2
    assert said in one_line(capsys.readouterr())


@pytest.mark.parametrize("command", [[], *([command] for command in ALL_COMMANDS)], ids=["", *ALL_COMMANDS])
def test_every_command_has_help(command: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*command, "--help"]) == 0
    text = re.sub(r"\x1b\[[0-9;]*m", "", capsys.readouterr().out)
    assert "Usage: tradewinds" in text
    assert all(name in text for name in (["--json"] if command else ALL_COMMANDS))


def test_without_a_command_the_help_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 0
    assert "Usage: tradewinds" in re.sub(r"\x1b\[[0-9;]*m", "", capsys.readouterr().out)


def test_an_interrupt_ends_without_a_traceback(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def interrupted(name: str) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(tradewinds, "game", interrupted)
    assert main(["games"]) == 130
    assert "Traceback" not in capsys.readouterr().err


@pytest.mark.parametrize("missing", ["typer", "rich"])
def test_without_typer_or_rich_the_command_says_what_to_install(
    missing: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    found = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == missing else found(name))
    assert main(["games"]) == 1
    message = capsys.readouterr().err
    assert missing in message and "pip install '.[cli]' in a clone" in message


@pytest.mark.parametrize(("variable", "value"), [("TRADEWINDS_JIT", "0"), ("TRADEWINDS_BOUNDSCHECK", "1")])
def test_bench_refuses_to_measure_kernels_made_for_debugging(variable: str, value: str) -> None:
    command = [sys.executable, "-m", "tradewinds", "bench", "--json", "-"]
    done = subprocess.run(command, env={**os.environ, variable: value}, capture_output=True, text=True, check=False)
    assert done.returncode == 2 and done.stdout == ""
    assert done.stderr.count("\n") == 1 and variable in done.stderr


@pytest.mark.slow
def test_agents_of_ones_own_are_found_in_the_folder_where_the_command_is_run(tmp_path: Path) -> None:
    """Also by the processes that play: the command is run as installed, where Python itself does not look in that folder."""
    (tmp_path / "mine_alone.py").write_text("def first(observation, action_mask):\n    return int(action_mask.argmax())\n")
    run = "import sys; sys.path[:] = [p for p in sys.path if p]; from tradewinds.cli.main import main; sys.exit(main(sys.argv[1:]))"
    words = "evaluate santiago_de_cuba --agent mine_alone:first --opponents random --players 2 --games 4 --workers 1 --json -"
    found = subprocess.run([sys.executable, "-P", "-c", run, *words.split()], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert json.loads(found.stdout)["games"] == 4


def test_the_code_of_an_agent_is_printed_as_it_is() -> None:
    from tradewinds.cli.output import _console

    file = io.StringIO()
    _console(file).print("search:100: failed")
    assert file.getvalue() == "search:100: failed\n"
