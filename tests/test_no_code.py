"""No file that is opened runs code."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import tradewinds.envs as tw
from tradewinds.agents.registry import AgentError, check_named_in_file
from tradewinds.cli.main import main
from tradewinds.envs.core.engine import cache
from tradewinds.envs.core.io import parse

PLANTED = """
import pathlib
pathlib.Path("PLANTED").touch()

class A:
    def act(self, decisions):
        return decisions.masks.argmax(axis=1)
"""
posix = pytest.mark.skipif(os.name == "nt", reason="owners and modes are those of POSIX")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    return tmp_path


def strangers_replay(folder: Path, agent: str) -> Path:
    env = tw.make("santiago_de_cuba", players=2)
    env.reset(seed=1)
    tw.Replay.of(env, ["person", agent]).save(folder / "game.jsonl")
    return folder / "game.jsonl"


def test_an_agent_that_a_replay_names_is_not_imported(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "stranger_mod.py").write_text(PLANTED)
    replay = strangers_replay(folder, "stranger_mod:A")
    assert main(["play", "--resume", str(replay)]) == 2
    assert not (folder / "PLANTED").exists()
    said = capsys.readouterr().err
    assert "stranger_mod:A" in said and "--opponents" in said


@pytest.mark.parametrize(
    "code", ["os:system", "llm:model", "net:/etc", "net:../elsewhere", "search:10:net=/etc", "net:/etc:sample", 5, None]
)
def test_a_file_names_only_agents_of_tradewinds_and_networks_beside_it(folder: Path, code: object) -> None:
    with pytest.raises(AgentError, match="yourself"):
        check_named_in_file(code, folder / "game.jsonl")


@pytest.mark.parametrize("code", ["random", "scripted", "scripted:greedy", "search:100", "net:run", "net:run:sample", "pretrained"])
def test_a_file_may_name_what_comes_with_tradewinds(folder: Path, code: str) -> None:
    check_named_in_file(code, folder / "game.jsonl")


def test_a_file_beside_a_replay_is_not_imported_in_place_of_a_library(folder: Path) -> None:
    for name in ("rich", "typer", "numba", "filelock"):
        (folder / f"{name}.py").write_text(PLANTED)
    replay = strangers_replay(folder, "random")
    command = [sys.executable, "-m", "tradewinds", "watch", str(replay), "--moves"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, env={**os.environ, "TRADEWINDS_JIT": "0"})
    assert done.returncode == 0, done.stderr
    assert not (folder / "PLANTED").exists()


@pytest.mark.parametrize(
    "command",
    [
        *(["-m", f"tradewinds.{module}"] for module in ("cli.main", "leaderboard", "training.cards", "benchmarks.doors")),
        ["-mtradewinds"],
        ["-Bm", "tradewinds.leaderboard"],
    ],
    ids=" ".join,
)
def test_no_module_that_is_started_searches_the_working_folder_first(folder: Path, command: list[str]) -> None:
    for name in ("rich", "typer", "numba", "numpy", "filelock", "torch", "yaml"):
        (folder / f"{name}.py").write_text(PLANTED)
    done = subprocess.run([sys.executable, *command, "--help"], capture_output=True, timeout=300, env={**os.environ, "TRADEWINDS_JIT": "0"})
    assert not (folder / "PLANTED").exists() and b"ModuleNotFoundError" not in done.stderr


def test_the_working_folder_is_searched_last_and_only_for_an_agent_that_the_user_names(folder: Path) -> None:
    before = [*sys.path]
    assert main(["games"]) == 0 and sys.path == before
    (folder / "own_agent.py").write_text(PLANTED)
    command = ["evaluate", "santiago_de_cuba", "--agent", "own_agent:A", "--opponents", "own_agent:A"]
    assert main([*command, "--games", "2", "--players", "2", "--workers", "0"]) == 0
    assert sys.path == [*before, str(folder)] and (folder / "PLANTED").exists()


# The compile cache, whose files numba unpickles


@posix
@pytest.mark.parametrize("mode", [0o777, 0o770, 0o702])
def test_a_cache_that_others_can_write_to_is_not_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, mode: int) -> None:
    planted, private = tmp_path / "planted", tmp_path / "tmp"
    planted.mkdir()
    planted.chmod(mode)
    private.mkdir()
    monkeypatch.setenv("TRADEWINDS_CACHE", str(planted))
    monkeypatch.setattr(cache.tempfile, "gettempdir", lambda: str(private))
    folder = cache.cache_folder.__wrapped__(cache.Layer("core", frozenset({cache.CORE})))
    assert folder.is_relative_to(private / f"tradewinds-{os.getuid()}")
    assert (private / f"tradewinds-{os.getuid()}").stat().st_mode & 0o077 == 0
    with pytest.raises(PermissionError, match="chmod go-w"):
        cache.check_private(planted)


@posix
def test_a_cache_of_somebody_else_is_not_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache.os, "getuid", lambda: os.stat(tmp_path).st_uid + 1)
    with pytest.raises(PermissionError, match="another user"):
        cache.check_private(tmp_path)


@posix
def test_a_link_in_the_shared_temporary_folder_is_not_followed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache.tempfile, "gettempdir", lambda: str(tmp_path))
    (tmp_path / "elsewhere").mkdir(mode=0o700)
    (tmp_path / "link").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(PermissionError, match="not a folder"):
        cache.check_private(tmp_path / "link")


# Parsers


@pytest.mark.parametrize("line", ["[" * 200_000, "9" * 5000, "{" * 100 + "}" * 100, "[" * 40 + "]" * 40, "\ud800"])
def test_a_replay_that_is_nested_or_huge_is_refused(folder: Path, line: str) -> None:
    replay = strangers_replay(folder, "random")
    replay.write_bytes(replay.read_bytes() + line.encode("utf-8", "surrogatepass") + b"\n")
    with pytest.raises(tw.FormatError, match=r"line 2"):
        tw.load_replay(replay)


@pytest.mark.parametrize("text", ["[" * 40 + "]" * 40, '{"a":' * 40 + "1" + "}" * 40, "[" * 200_000, "9" * 5000, b"\xff"])
def test_json_that_is_nested_or_not_json_is_refused(text: "str | bytes") -> None:
    with pytest.raises(tw.FormatError, match="this text"):
        parse.parse_json(text, "this text")
    assert parse.parse_json("[" * 20 + "]" * 20, "this text")


def test_a_file_that_is_too_large_is_refused_before_it_is_read(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "lines").write_bytes(b"{}\n" * 50)
    assert len(parse.read_bytes(folder / "lines", "this file")) == 150
    monkeypatch.setattr(parse, "MOST_BYTES", 100)
    with pytest.raises(tw.FormatError, match="this file is too large"):
        parse.read_bytes(folder / "lines", "this file")
    with pytest.raises(tw.FormatError, match="too large"):
        tw.load_replay(strangers_replay(folder, "random"))


@posix
def test_a_pipe_or_a_device_is_not_waited_for(folder: Path) -> None:
    os.mkfifo(folder / "pipe")
    (folder / "zero").symlink_to("/dev/zero")
    for name in ("pipe", "zero", "."):
        with pytest.raises(OSError, match=r"not a regular file|Is a directory"):
            tw.load_replay(folder / name)
        assert main(["watch", str(folder / name)]) == 2


def test_a_replay_with_a_very_long_name_is_refused_at_once(folder: Path) -> None:
    """The search for close names takes minutes for a name of 20 million letters."""
    replay = strangers_replay(folder, "random")
    for line in ('{"seat": 0, "action": "%s"}' % ("corn " * 4_000_000), '{"tradewinds replay": 1, "game": "%s"}' % ("p" * 20_000_000)):
        replay.write_text(line + "\n")
        with pytest.raises(tw.FormatError, match="line 1 of this replay is too long"):
            tw.load_replay(replay)


def test_what_a_stranger_wrote_does_not_move_the_cursor(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    replay = strangers_replay(folder, "\x1b[2J\ud800scripted")
    assert tw.load_replay(replay).players == ["person", "?[2J?scripted"]
    replay.write_text(json.dumps({"tradewinds replay": 1, "game": "\x1b]0;title\x07", "version": 1}) + "\n")
    assert main(["watch", str(replay)]) == 2
    said = capsys.readouterr()
    assert said.err.count("\n") == 1 and said.err.rstrip("\n").isprintable()


def test_a_config_of_a_strangers_run_builds_no_agents_when_it_is_resumed(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("torch")
    (folder / "stranger_mod.py").write_text(PLANTED)
    for part in ("opponent_pool: {agents: {'stranger_mod:A': 0.2}}", "bc: {teacher: 'stranger_mod:A', total_timesteps: 10}"):
        (folder / "run").mkdir(exist_ok=True)
        (folder / "run" / "config.yaml").write_text(f"game: santiago_de_cuba\n{part}\n")
        assert main(["train", "santiago_de_cuba", "--runs", str(folder), "--name", "run", "--resume"]) == 2
        assert "--own-agents" in capsys.readouterr().err and not (folder / "PLANTED").exists()


def test_yaml_with_aliases_or_nesting_is_refused(folder: Path) -> None:
    pytest.importorskip("torch")
    import yaml

    from tradewinds.training.config import ConfigError, load_config
    from tradewinds.training.yaml_file import load_yaml

    for text in ("a: &a [1]\nb: *a", "a: " + "[" * 40 + "]" * 40):
        (folder / "config.yaml").write_text(text)
        with pytest.raises(yaml.YAMLError, match=r"aliases|nested more than"):
            load_yaml(folder / "config.yaml")
    laughs = "\n".join(["a0: &a0 [x, x]", *(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 30))])
    for text in (laughs, "a: " + "[" * 5000, "a: " + "9" * 5000, "? [1, 2]\n: 3", "a: 2024-99-99", "x" * (2 << 20)):
        (folder / "config.yaml").write_text(text)
        with pytest.raises(ConfigError):
            load_config(folder / "config.yaml")


def test_a_network_that_claims_a_billion_blocks_is_refused_at_once(folder: Path) -> None:
    import shutil

    from tradewinds.agents.neural.checkpoint import PRETRAINED, NetError, read_for_search

    shutil.copytree(PRETRAINED / "santiago_de_cuba-4", folder / "net")
    facts = json.loads((folder / "net" / "net.json").read_text())
    variant = tw.game("santiago_de_cuba").with_options(players=4)
    for change in ({"blocks": 10**9}, {"width": 2**40}, {"width": "x"}, {"blocks": -1}, {"blocks": None}):
        (folder / "net" / "net.json").write_text(json.dumps({**facts, "network": {**facts["network"], **change}}))
        with pytest.raises(NetError):
            read_for_search(folder / "net", variant)
