"""The door to numba."""

import os
import re
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pytest
from filelock import FileLock
from numba.core.errors import TypingError

import tradewinds.envs as tw
from tradewinds.agents.scripted import loops_of
from tradewinds.envs.core.engine import cache
from tradewinds.envs.core.engine.kernel import JIT, kernel

ALL = "import tradewinds.envs as tw; [tw.make_batch(name, 2, seed=1) for name in tw.games()]"
ONE = "import tradewinds.envs as tw; tw.make_batch({!r}, 2, seed=1)"


@kernel
def double(x):
    return x + x


def test_a_kernel_is_compiled_exactly_when_the_jit_is_on() -> None:
    assert double(21) == 42
    assert hasattr(double, "signatures") == JIT


@pytest.mark.skipif(not JIT, reason="about compiled kernels")
def test_a_kernel_that_allocates_is_refused() -> None:
    @kernel
    def wasteful(n):
        return np.zeros(n).sum()

    with pytest.raises(TypingError, match=r"zeros"):
        wasteful(3)


@pytest.mark.slow
def test_the_switches_are_read_from_the_environment() -> None:
    code = "from tradewinds.envs.core.engine.kernel import JIT, BOUNDSCHECK; print(JIT, BOUNDSCHECK)"
    for setting, expected in (
        ({"TRADEWINDS_JIT": "0"}, "False False"),
        ({"NUMBA_DISABLE_JIT": "1"}, "False False"),
        ({"TRADEWINDS_BOUNDSCHECK": "1"}, "True True"),
    ):
        clean = {k: v for k, v in os.environ.items() if not k.startswith(("TRADEWINDS_", "NUMBA_"))}
        run = subprocess.run([sys.executable, "-c", code], env={**clean, **setting}, capture_output=True, text=True, check=True)
        assert run.stdout.strip() == expected


@pytest.fixture(scope="module")
def first_process() -> None:
    subprocess.run([sys.executable, "-c", ALL], check=True, capture_output=True)


@pytest.mark.skipif(not JIT, reason="about compiled kernels")
@pytest.mark.usefixtures("first_process")
@pytest.mark.parametrize("name", tw.games())
def test_a_second_process_compiles_nothing_and_says_nothing(name: str) -> None:
    """Also when the first used all games, whose loops share one source file."""
    environment = {**os.environ, "NUMBA_DEBUG_CACHE": "1"}
    run = subprocess.run([sys.executable, "-c", ONE.format(name)], env=environment, check=True, capture_output=True, text=True)
    assert "compiling" not in run.stderr
    assert "data loaded from" in run.stdout
    assert "data saved to" not in run.stdout


def test_kernels_share_a_cache_with_those_that_depend_on_the_same_sources() -> None:
    labels = {
        "tradewinds.envs.core.engine.rng": "core",
        "tradewinds.envs.container.rules.turn": "container",
        "tradewinds.envs.container.observation": "container",
        "tradewinds.agents.scripted.container.rate": "container-bot",
        "tradewinds.agents.search.value_net": "agents-search-value_net",
        "numpy.linalg": "numpy",
    }
    assert {module: cache.layer_of(module).label for module in labels} == labels


def test_a_layer_is_keyed_by_all_that_its_kernels_may_call_and_by_nothing_else() -> None:
    def roots(module: str) -> set[str]:
        return {path.relative_to(cache.SOURCES).as_posix() for path in cache.layer_of(module).roots}

    game = tw.game("container")
    assert roots("tradewinds.envs.core.engine.rng") == {"envs/core"}
    assert roots("tradewinds.envs.container.rules.turn") == {"envs/core", "envs/container"}
    bot = {"envs/core", "envs/container", "agents/scripted/container"}
    assert roots("tradewinds.agents.scripted.container.rate") == bot
    assert roots(game.loops.__name__) == {"envs/core", "envs/core/engine/loops_template.py", "envs/container"}
    assert roots(loops_of(game).__name__) == {*bot, "envs/core/engine/loops_template.py", "agents/scripted/loops_template.py"}


def test_an_edit_of_a_rule_changes_the_key_and_an_edit_of_a_renderer_does_not(tmp_path: Path) -> None:
    for name in ("rules.py", "render/text.py"):
        (tmp_path / "game" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "game" / name).write_text("before")

    def key() -> str:
        return cache.fingerprint.__wrapped__(cache.Layer("game", frozenset({tmp_path / "game"})))

    first = key()
    (tmp_path / "game" / "render" / "text.py").write_text("after")
    assert key() == first
    (tmp_path / "game" / "rules.py").write_text("after")
    assert key() != first


@pytest.mark.skipif(not JIT, reason="about compiled kernels")
def test_processes_that_start_at_once_compile_one_after_the_other(tmp_path: Path) -> None:
    code = (
        "import time; from tradewinds.envs.core.engine.kernel import compiling\n"
        "with compiling('tradewinds.envs.core.any', 'any'): time.sleep(0.5)"
    )
    environment = {**os.environ, "TRADEWINDS_CACHE": str(tmp_path)}
    runs = [subprocess.Popen([sys.executable, "-c", code], env=environment, stderr=subprocess.PIPE, text=True) for _ in range(2)]
    said = [run.communicate()[1] for run in runs]
    assert [run.returncode for run in runs] == [0, 0]
    assert sorted("compiled any" in text for text in said) == [False, True]


@pytest.mark.skipif(not JIT, reason="about compiled kernels")
def test_two_processes_do_not_write_the_index_of_one_kernel_at_once() -> None:
    @kernel
    def triple(x):
        return 3 * x

    files = triple._cache._cache_file
    saving = threading.Thread(target=files.save, args=("key", "machine code"))
    with FileLock(Path(files._cache_path) / "saving.lock"):
        saving.start()
        saving.join(0.2)
        assert saving.is_alive()
        assert files.load("key") != "machine code"
    saving.join(10)
    assert files.load("key") == "machine code"
    files.flush()


def test_a_long_compilation_says_how_long_it_takes_already(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(cache, "NOTICE_SECONDS", 0.01)
    with cache._Notice("chess"):
        time.sleep(0.2)
    lines = re.sub(r"\d+ s$", "0 s", capsys.readouterr().err, flags=re.MULTILINE).splitlines()  # a busy machine takes longer
    assert "compiling chess: once, 15 to 120 seconds; `tradewinds compile`" in lines[0]
    assert lines[1] == "tradewinds: still compiling chess, 0 s"
    assert lines[-1] == "tradewinds: compiled chess in 0 s"
    with pytest.raises(ZeroDivisionError), cache._Notice("chess"):
        raise ZeroDivisionError
    assert "compiled chess" not in capsys.readouterr().err


@pytest.mark.skipif(not JIT, reason="about compiled kernels")
def test_old_caches_are_removed_and_the_newest_kept(tmp_path: Path) -> None:
    for age in range(12):
        folder = tmp_path / f"kernels-{age:02}"
        folder.mkdir()
        os.utime(folder, (1_000_000 - age, 1_000_000 - age))
    cache._remove_old(tmp_path / "kernels-11")
    assert sorted(folder.name for folder in tmp_path.iterdir()) == [*(f"kernels-{age:02}" for age in range(cache.KEPT - 1)), "kernels-11"]
