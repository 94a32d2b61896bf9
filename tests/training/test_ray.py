"""Evaluations on a Ray cluster: the results of a local run, bit by bit, also when a node dies; what nodes are sent and refuse."""

import json
import pickle
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tradewinds.envs as tw
from tradewinds.agents.neural.checkpoint import save_net
from tradewinds.agents.neural.inputs import PLAIN
from tradewinds.envs.core.engine.kernel import JIT
from tradewinds.training import ray_pool
from tradewinds.training.benchmark import suites as benchmark
from tradewinds.training.evaluation.evaluate import evaluate, schedule_evaluation, tournament
from tradewinds.training.evaluation.workers import AgentRunner, Task, WorkerError
from tradewinds.training.teacher import GAMES, load_shard, play_lessons

ray = pytest.importorskip("ray", reason="the extra `ray` is not installed")
pytestmark = [pytest.mark.ray, pytest.mark.skipif(not JIT, reason="processes that play as plain Python are slow")]

GAME = "santiago_de_cuba"
OPTIONS: dict[str, Any] = {"players": 2}
SLOW_AGENT = """
import os, time
import numpy as np

class Slow:
    def act(self, decisions):
        time.sleep(0.005)
        return decisions.masks.argmax(axis=1)

class Mortal(Slow):
    def act(self, decisions):
        if decisions.seeds[0] % 1500 == 7:
            os._exit(1)
        return super().act(decisions)
"""


GATED_TEACHER = """
import os, time
from pathlib import Path
from tradewinds.agents.search import Search

HERE = Path({folder!r})

class Gated(Search):
    def __init__(self, variant):
        super().__init__(variant, simulations=4)
        self.decisions = 0

    def opinion(self, decisions):
        self.decisions += 1
        if self.decisions == 30 and not (HERE / "go").exists():
            (HERE / f"waiting-{{os.getpid()}}").touch()
            while not (HERE / "go").exists():
                time.sleep(0.01)
        return super().opinion(decisions)
"""


@pytest.fixture
def gated_teacher(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A search that stops in the middle of its first games, until there is a file `go`, and says with a file that it waits."""
    (tmp_path / "gated_teacher_of_mine.py").write_text(GATED_TEACHER.format(folder=str(tmp_path)))
    monkeypatch.syspath_prepend(tmp_path)
    yield "gated_teacher_of_mine:Gated"
    sys.modules.pop("gated_teacher_of_mine", None)


@pytest.fixture
def own_agent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A module of the user's own with an agent slow enough that nodes die while they ask it, and one that now and then ends its process."""
    (tmp_path / "slow_agent_of_mine.py").write_text(SLOW_AGENT)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.chdir(tmp_path)  # replays of failures
    yield "slow_agent_of_mine"
    sys.modules.pop("slow_agent_of_mine", None)


def figures(folder: Path) -> list[dict[str, Any]]:
    """The results of a folder by chunk, without what depends on time."""
    lines = [json.loads(line.partition(" ")[2]) for line in (folder / "results.jsonl").read_text().splitlines()]
    kept = ("chunk", "scores", "ranks", "lengths", "truncated", "failures")
    return sorted(({name: line[name] for name in kept} for line in lines), key=lambda line: line["chunk"])


@pytest.fixture
def cluster(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    from ray.cluster_utils import Cluster

    monkeypatch.setenv("RAY_worker_niceness", "0")
    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False})
    yield cluster
    ray.shutdown()
    cluster.shutdown()


@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::ResourceWarning", "ignore::pytest.PytestUnraisableExceptionWarning")
def test_a_cluster_of_two_nodes_of_which_one_dies_gives_the_results_of_a_local_run(cluster: Any, own_agent: str, tmp_path: Path) -> None:
    second = cluster.add_node(num_cpus=1)
    cluster.wait_for_nodes()
    looks: list[int] = []

    def kill_in_the_middle(games: int) -> None:
        looks.append(games)
        if games > 0 and looks.count(games) == 3 and len(cluster.worker_nodes) == 1:  # both nodes have work again
            cluster.remove_node(second, allow_graceful=False)

    settings: dict[str, Any] = {"games": 192, "seed": 3, "time_limit": 30.0, **OPTIONS}
    notes: list[str] = []
    mortal = f"{own_agent}:Mortal"
    far = evaluate(
        GAME,
        mortal,
        "random",
        ray=cluster.address,
        folder=tmp_path / "far",
        on_progress=kill_in_the_middle,
        on_note=notes.append,
        **settings,
    )
    here = evaluate(GAME, mortal, "random", workers=1, folder=tmp_path / "here", **settings)
    assert not cluster.worker_nodes, "no node was killed"
    assert any("Ray" in lost["reason"] and lost["agent"] is None for lost in far.lost_workers), far.lost_workers
    assert looks[-1] == 192 and len(set(looks)) > 3
    assert figures(tmp_path / "far") == figures(tmp_path / "here")
    assert far.failures and [{**f, "replay": 0} for f in far.failures] == [{**f, "replay": 0} for f in here.failures]
    assert (far.win_rate, far.ci95, far.mean_score) == (here.win_rate, here.ci95, here.mean_score)

    ray.init(cluster.address, log_to_driver=False)
    some, others = (
        tournament(GAME, ["random", "scripted"], games=6, seed=3, **where, **OPTIONS) for where in ({"ray": "auto"}, {"workers": 0})
    )
    assert (some.pairings, some.win_rate, some.ci95, some.decisions) == (others.pairings, others.win_rate, others.ci95, others.decisions)
    assert some.workers == 1 and others.workers == 0


@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::ResourceWarning", "ignore::pytest.PytestUnraisableExceptionWarning")
def test_lessons_from_a_cluster_of_which_one_node_dies_are_those_of_a_local_run(cluster: Any, gated_teacher: str, tmp_path: Path) -> None:
    second = cluster.add_node(num_cpus=1)
    cluster.wait_for_nodes()
    ray.init(cluster.address, log_to_driver=False)

    def kill_when_both_nodes_play() -> None:
        while len(list(tmp_path.glob("waiting-*"))) < 2 and not is_over.wait(0.05):
            pass
        cluster.remove_node(second, allow_graceful=False)
        (tmp_path / "go").touch()

    variant, is_over, notes = tw.game(GAME).with_options(**OPTIONS), threading.Event(), []
    settings: dict[str, Any] = {"spec": PLAIN, "games": 2 * GAMES + 2, "seed": 1, "sampled_moves": 4}
    killer = threading.Thread(target=kill_when_both_nodes_play)
    killer.start()
    try:
        far = play_lessons(tmp_path / "far", variant, gated_teacher, ray="auto", on_note=notes.append, **settings)
    finally:
        is_over.set()
        killer.join()
    assert any("Ray node died" in note for note in notes), notes
    here = play_lessons(tmp_path / "here", variant, gated_teacher, workers=0, **settings)
    for some, other in zip(far, here, strict=True):
        assert all(np.array_equal(a, b) for a, b in zip(load_shard(some), load_shard(other), strict=True))


@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::ResourceWarning", "ignore::pytest.PytestUnraisableExceptionWarning")
def test_a_benchmark_on_a_cluster_gives_the_result_of_a_local_run(cluster: Any, own_agent: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(benchmark, "OPPONENTS", ("random", "scripted"))
    monkeypatch.setattr(benchmark, "SEEDS", {"quick": (2, 1)})
    monkeypatch.setattr(benchmark, "set_ups", lambda game, suite: [game.with_options(**OPTIONS).options] if game.name == GAME else [])
    monkeypatch.setattr(benchmark, "_references", lambda suite: tuple({t.id: rate for t in benchmark.tasks(suite)} for rate in (0.5, 1.0)))
    sent, pack = [], ray_pool._pack
    monkeypatch.setattr(ray_pool, "_pack", lambda *given: sent.append(given) or pack(*given))
    far = benchmark.run(f"{own_agent}:Slow", ray=cluster.address)
    assert len(sent) == 2, "each of the two tasks is sent to the cluster"
    here = benchmark.run(f"{own_agent}:Slow", workers=1)
    differing = ("provenance", "checksum")  # seconds and the time of day
    assert {name: value for name, value in far.items() if name not in differing} == {
        name: value for name, value in here.items() if name not in differing
    }
    assert far["failures"] == 0 and [task["games"] for task in far["tasks"]] == [4, 2]


def test_an_address_that_does_not_answer_is_one_line_and_nothing_is_lost(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ray_pool, "CONNECT_LIMIT", 3.0)
    settings: dict[str, Any] = {"games": 8, "folder": tmp_path / "kept", **OPTIONS}
    with pytest.raises(WorkerError, match=r"^no Ray cluster answers at 127.0.0.1:1 within 3 s$"):
        evaluate(GAME, "random", "scripted", ray="127.0.0.1:1", **settings)
    with pytest.raises(WorkerError, match="no Ray cluster"):
        tournament(GAME, ["random", "scripted"], ray="127.0.0.1:1", games=2, **OPTIONS)
    evaluate(GAME, "random", "scripted", workers=0, **settings)
    evaluate(GAME, "random", "scripted", ray="127.0.0.1:1", **settings)  # all games are there: no cluster is needed


def test_arguments_that_do_not_fit_a_cluster_are_refused() -> None:
    with pytest.raises(ValueError, match="workers=0"):
        evaluate(GAME, "random", "scripted", games=2, workers=0, ray="auto", **OPTIONS)
    with pytest.raises(ValueError, match="codes"):
        evaluate(GAME, lambda observation, mask: int(mask.argmax()), "scripted", games=2, ray="auto", **OPTIONS)


def packed(*agents: str) -> tuple[bytes, Task, Any]:
    schedule = schedule_evaluation(GAME, agents[0], list(agents[1:]), 2, 0, None, OPTIONS)
    task = Task(0, 0, schedule.seat_assignments(0), schedule.seeds, schedule.agent_seeds)
    return ray_pool._pack(schedule.variant, schedule.agents, None), task, task.play(schedule.variant, AgentRunner(schedule.built))


def test_a_node_plays_modules_and_networks_that_it_does_not_have(own_agent: str, tmp_path: Path) -> None:
    torch = pytest.importorskip("torch")
    from tradewinds.agents.neural.network import Network, Shape

    variant = tw.game(GAME).with_options(**OPTIONS)
    torch.manual_seed(0)
    save_net(tmp_path / "net", Network(Shape.of(variant, 16, 1)), variant, {})
    setup, task, here = packed(f"{own_agent}:Slow", "net:net:sample")
    for path in ("slow_agent_of_mine.py", "net/net.json", "net/net.safetensors"):
        (tmp_path / path).unlink()
    try:
        word, there = ray_pool.play_on_node(setup, pickle.dumps(task))
    finally:
        for pool in ray_pool._pools.values():
            pool.close()
        ray_pool._pools.clear()
    assert word == "played", there
    assert np.array_equal(here.scores, there.scores) and np.array_equal(here.lengths, there.lengths)


@pytest.mark.parametrize(
    ("key", "value", "said"), [("source code", "other", "its sources of santiago_de_cuba"), ("version", "0.0.1", "not 0.0.1")]
)
def test_a_node_with_other_sources_refuses(key: str, value: str, said: str) -> None:
    setup, task, _ = packed("random", "scripted")
    word, reason = ray_pool.play_on_node(pickle.dumps({**pickle.loads(setup), key: value}), pickle.dumps(task))
    assert word == "refused" and said in reason and "\n" not in reason


def test_a_node_without_the_package_says_so() -> None:
    from ray import cloudpickle  # pyright: ignore[reportMissingImports]

    code = (
        "import sys; sys.modules['tradewinds'] = None; from ray import cloudpickle;"
        "print(cloudpickle.loads(sys.stdin.buffer.read())(b'', b''))"
    )
    sent: bytes = cloudpickle.dumps(ray_pool._remote_function())  # pyright: ignore[reportPrivateImportUsage]
    done = subprocess.run([sys.executable, "-c", code], input=sent, capture_output=True, check=True)
    assert b"'refused'" in done.stdout and b"cannot import tradewinds" in done.stdout
