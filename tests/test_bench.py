"""The benchmark: that it measures what it says, of one game. How fast anything is, no test asks."""

import io
import itertools
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from rich.console import Console

import tradewinds.envs as tw
from tests.support import TOY, registered, toy_game
from tradewinds.benchmarks import bench as benchmark
from tradewinds.benchmarks import machine, processes, report, subjects
from tradewinds.cli.main import main

pytestmark = pytest.mark.integration
compiled = pytest.mark.compiled
GAME = "santiago_de_cuba"
SIZES = [1, 64]
AVAILABLE = machine.available_cores()  # before any test has started a worker


class Silent:
    def stage(self, text: str, total: int) -> None:
        pass

    def tick(self) -> None:
        pass


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> subprocess.CompletedProcess[str]:
    """One short run of the benchmark, from the command line."""
    arguments = f"bench {GAME} --seconds 0.05 --rounds 2 --sizes 64,1 --baselines pettingzoo,openspiel --json -".split()
    command = [sys.executable, "-m", "tradewinds", *arguments]
    # PYTHONPATH may hold the folder of the sources by a relative name.
    paths = [str(Path(path).resolve()) for path in os.environ.get("PYTHONPATH", "").split(os.pathsep) if path]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}
    return subprocess.run(command, cwd=tmp_path_factory.mktemp("bench"), env=environment, capture_output=True, text=True, check=False)


@pytest.fixture(scope="module")
def result(bench: subprocess.CompletedProcess[str]) -> dict[str, Any]:
    assert bench.returncode == 0, bench.stderr
    return json.loads(bench.stdout)


@compiled
def test_stdout_holds_one_json_object_and_stderr_the_progress_and_the_tables(bench: subprocess.CompletedProcess[str]) -> None:
    assert bench.returncode == 0, bench.stderr
    assert isinstance(json.loads(bench.stdout), dict)
    for words in ("getting ready", "playing", "Random legal play in batches", "Aims", "ours / theirs"):
        assert words in bench.stderr


@compiled
def test_a_game_is_measured_at_every_size_on_one_core_and_on_all(result: dict[str, Any]) -> None:
    assert [(game["game"], game["options"]) for game in result["games"]] == [
        (row.game, dict(row.options)) for row in benchmark.rows([GAME])
    ]
    counts = sorted({1, min(2, result["machine"]["cores"]), result["machine"]["cores"]})
    for game in result["games"]:
        ways = [(one["cores"], one["steps_per_call"], one["size"]) for one in game["batch"]]
        assert ways == list(itertools.product(counts, subjects.STEPS_PER_CALL, SIZES))
        for one in game["batch"]:
            assert one["threads"] == one["cores"]
            assert one["steps_per_second"] > 0 and one["games_per_second"] > 0 and one["steps_per_cpu_second"] > 0
            assert len(one["rounds"]) == 2 and min(one["rounds"]) <= one["steps_per_second"] <= max(one["rounds"])
        assert [one["choice"] for one in game["aec"]] == ["mask", "space"]
        assert all(one["steps_per_second"] > 0 for one in game["aec"])
        assert game["mean_length"] > 1 and game["warm_seconds"] > 0 and game["warm_cpu_seconds"] > 0 and game["cold_seconds"] is None


@compiled
def test_the_memory_of_a_batch_is_told_by_its_arrays_and_by_the_process(result: dict[str, Any]) -> None:
    for game in result["games"]:
        batch = tw.make_batch(game["game"], 1, seed=1, **game["options"])
        assert game["record_bytes"] == batch.states.dtype.itemsize
        least = (batch.states.nbytes + batch.observations.nbytes + batch.masks.nbytes) * benchmark.MEMORY_SIZE / 1e6
        assert game["array_mb"] >= least
        assert game["resident_mb"] is None or game["resident_mb"] >= least


@compiled
def test_every_baseline_is_measured_or_named_as_not_installed(result: dict[str, Any]) -> None:
    assert [baseline["name"] for baseline in result["baselines"]] == ["pettingzoo", "openspiel"]
    for baseline in result["baselines"]:
        installed = subjects.BASELINES[baseline["name"]].installed
        assert baseline["status"] == ("measured" if installed else "not installed")
        assert bool(baseline["results"]) == installed
        assert all(one["steps_per_second"] > 0 for one in baseline["results"])


@compiled
def test_ratios_and_aims_are_those_of_the_figures(result: dict[str, Any]) -> None:
    two = [line for line in result["ratios"] if line["ratio"] == "batch, two cores / one core"]
    assert bool(two) == (result["machine"]["cores"] > 1)
    for line in result["ratios"]:
        assert line["value"] > 0 and line["ours"] > 0 and line["theirs"] > 0
        assert line["met"] == (None if line["aim"] is None else line["value"] >= line["aim"])
    for line in result["aims"]:
        if line["aim"] is not None:
            assert line["met"] == (line["value"] >= line["aim"] if line["at_least"] else line["value"] < line["aim"])
    assert {line["label"] for line in result["aims"]} == {game["label"] for game in result["games"]}


@compiled
@pytest.mark.parametrize("name", tw.games())
def test_the_games_of_a_measured_batch_are_spread_over_all_their_parts(name: str) -> None:
    size = 512
    subject = subjects.RandomBatch(name, {}, size, 1)
    quarter = round(subjects.mean_length(name, {}) / 4)
    ended = np.zeros(size, bool)
    for _ in range(quarter):
        assert subject.burst() == size
        ended |= subject.batch.finished
    assert 0.15 < ended.mean() < 0.4  # games begun together would end together, in none of the quarters or all in one


@compiled
def test_a_measured_batch_plays_the_same_games_with_one_step_a_call_and_with_more() -> None:
    one, many = (subjects.RandomBatch(tw.games()[0], {}, 128, 1, steps) for steps in (1, 32))
    assert sum(one.burst() for _ in range(64)) == many.burst() + many.burst()
    assert one.batch.observations.tobytes() == many.batch.observations.tobytes()


@compiled
def test_a_measured_batch_plays_different_games_from_equal_positions() -> None:
    subject = subjects.RandomBatch(tw.games()[0], {}, 2 * subjects.POOL, 1)
    for _ in range(50):
        subject.burst()
    assert len({state.tobytes() for state in subject.batch.states}) > 1.9 * subjects.POOL


def test_a_baseline_that_is_not_installed_is_listed_with_its_pip_command(monkeypatch: pytest.MonkeyPatch) -> None:
    absent = replace(subjects.BASELINES["pgx"], modules=("a_module_that_nobody_has",))
    monkeypatch.setitem(subjects.BASELINES, "pgx", absent)
    result = benchmark.run(_settings("pgx"), Silent())
    assert [(one["status"], one["results"], one["versions"]) for one in result["baselines"]] == [("not installed", [], {})]
    assert result["failures"] == []
    assert "Pgx: not installed (pip install pgx jax)" in _shown(result)


def test_a_baseline_that_fails_is_named_with_its_error(monkeypatch: pytest.MonkeyPatch) -> None:
    present = replace(subjects.BASELINES["openspiel"], modules=())
    monkeypatch.setitem(subjects.BASELINES, "openspiel", present)
    monkeypatch.setattr(subjects, "OPENSPIEL_GAMES", ("a_game_that_nobody_knows",))
    result = benchmark.run(_settings("openspiel"), Silent())
    assert [one["status"] for one in result["baselines"]] == ["failed"]
    assert len(result["failures"]) == 1 and "a_game_that_nobody_knows" in result["failures"][0]["subject"]
    assert result["failures"][0]["error"] in _shown(result)


def _settings(*names: str) -> benchmark.Settings:
    return benchmark.Settings(rows=(), seconds=0.01, rounds=1, sizes=(1,), baselines=names, cold=False)


def _shown(result: dict[str, Any]) -> str:
    file = io.StringIO()
    report.show(result, Console(file=file, width=400))
    return file.getvalue()


@compiled
def test_without_names_every_game_is_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[benchmark.Settings] = []

    def run(settings: benchmark.Settings, watch: benchmark.Watch) -> None:
        asked.append(settings)
        raise processes.ProcessError("that will do")

    monkeypatch.setattr(benchmark, "run", run)
    assert main(["bench"]) == 1
    assert {row.game for row in asked[0].rows if not row.options} == set(tw.games())


@compiled
def test_the_command_fails_if_our_own_games_do_not_play(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def broken(settings: benchmark.Settings, watch: benchmark.Watch) -> None:
        raise processes.ProcessError("no game plays")

    monkeypatch.setattr(benchmark, "run", broken)
    assert main(["bench", "--json", "-"]) == 1
    captured = capsys.readouterr()
    assert captured.out == "" and "no game plays" in captured.err


@pytest.fixture
def worker() -> Iterator[processes.Worker]:
    process = processes.Worker(machine.available_cores()[-1:])
    yield process
    process.close()
    assert not process.process.is_alive()


def test_a_worker_answers_every_request_even_a_bad_one(worker: processes.Worker) -> None:
    for request, arguments, said in (
        ("build", {"kind": "chess", "arguments": {}}, "no subject 'chess'"),
        ("measure", {"number": 3, "seconds": 1}, "IndexError"),
        ("nothing", {}, "AttributeError"),
        ("measure", {"minutes": 1}, "TypeError"),
    ):
        with pytest.raises(processes.ProcessError, match=said):
            worker.ask(request, **arguments)


def test_a_worker_that_is_gone_is_an_error_and_not_a_wait(worker: processes.Worker) -> None:
    worker.process.kill()
    with pytest.raises(processes.ProcessError, match="exit code -9"):
        worker.ask("measure", number=0, seconds=1)


@pytest.mark.skipif(not machine.facts()["pinned"], reason="this system cannot pin")
def test_a_worker_stays_on_its_cores_and_the_process_that_started_it_does_not(worker: processes.Worker) -> None:
    assert worker.process.pid is not None
    assert os.sched_getaffinity(worker.process.pid) == set(machine.available_cores()[-1:])
    assert machine.available_cores() == AVAILABLE


def test_the_quietest_cores_come_first(monkeypatch: pytest.MonkeyPatch) -> None:
    counts = iter([{0: 5, 1: 5, 2: 5}, {0: 9, 1: 5, 2: 7}])
    monkeypatch.setattr(machine, "available_cores", lambda: [0, 1, 2])
    monkeypatch.setattr(machine, "_busy_ticks", lambda: next(counts))
    assert machine.quiet_cores(0) == [1, 2, 0]


def test_memory_that_two_arrays_share_is_counted_once() -> None:
    class Batch:
        def __init__(self) -> None:
            whole = np.zeros(100, np.uint8)
            self.views = (whole[:50], whole.view(np.int8), [np.zeros(3, np.int64)])
            self.whole = whole
            self.size = 7

    assert processes.array_bytes(Batch()) == 124


def test_a_ratio_is_the_median_of_the_rounds_at_the_best_size() -> None:
    def figures(cores: int, size: int, *rounds: float, steps: int = 1) -> dict[str, Any]:
        median = sorted(rounds)[1]
        speeds = {"steps_per_second": median, "steps_per_cpu_second": median}
        return {"cores": cores, "size": size, "steps_per_call": steps, "rounds": rounds, "cpu_rounds": rounds, **speeds}

    game: dict[str, Any] = {"label": "g", "game": "g", "options": {}, "aec": []}
    game["batch"] = [figures(1, 1, 9, 1, 1), figures(1, 2, 2, 4, 8), figures(2, 2, 4, 4, 40)]
    (line,) = benchmark.ratios([game], [])
    assert (line["ratio"], line["ours"], line["theirs"], line["value"], line["cpu_value"]) == ("batch, two cores / one core", 4, 4, 2, None)
    pgx = {"name": "pgx", "results": [figures(1, 1, 1, 1, 1), figures(2, 1, 100, 100, 100)]}
    game["batch"][0]["steps_per_cpu_second"] = 5  # a busy machine may hide which size is best
    one_core = benchmark.ratios([game], [pgx])[1]
    assert (one_core["value"], one_core["cpu_value"], one_core["aim"], one_core["met"]) == (4, 1, None, None)


def test_a_batch_is_held_against_pgx_with_as_many_steps_per_call() -> None:
    def figures(steps: int, speed: float) -> dict[str, Any]:
        speeds = {"steps_per_second": speed, "rounds": [speed], "steps_per_cpu_second": speed, "cpu_rounds": [speed]}
        return {"cores": 1, "size": 1, "steps_per_call": steps, **speeds}

    game = {"label": "santiago_de_cuba", "options": {}, "aec": [], "batch": [figures(1, 6), figures(32, 8)]}
    pgx = {"name": "pgx", "results": [figures(1, 2), figures(32, 10)]}
    found = {line["ratio"]: (line["value"], line["met"]) for line in benchmark.ratios([game], [pgx])}
    assert found == {
        "batch / Pgx connect_four, one core, 1 step per call each": (3, True),
        "batch / Pgx connect_four, one core, 32 steps per call each": (0.8, False),
        "batch, 1 step per call / Pgx connect_four, 32 steps per call, one core": (0.6, None),
        "batch, best / Pgx connect_four, best": (0.8, None),
    }


@pytest.mark.parametrize("name", tw.games())
def test_a_game_is_measured_with_its_default_options_first_and_then_with_options_that_it_has(name: str) -> None:
    first, *others = benchmark.rows([name])
    assert first == benchmark.Row(name, {}, first.aims) and first.aims is not None and first.aims.steps_per_second
    assert others
    for row in others:
        assert tw.game(name).with_options(**row.options) and row.options


def test_a_game_that_states_nothing_is_measured_with_its_default_options() -> None:
    with registered(toy_game()):
        assert benchmark.rows([TOY]) == [benchmark.Row(TOY)]
