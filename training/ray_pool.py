"""Tasks on a Ray cluster.

Each Ray task plays the games of one `Task` in a worker process of its own on some node, just as `WorkerPool` does here, so failures of
agents are found in the same way and results are those of a local run. A task whose node dies is given to another node.
"""

# pyright: reportMissingImports=false
# Ray is an optional extra.

import contextlib
import hashlib
import pickle
import subprocess
import sys
import tempfile
import time
from collections import deque
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

import tradewinds
import tradewinds.envs as tw
from tradewinds.agents.neural.checkpoint import find_net
from tradewinds.agents.registry import is_built_in, networks_named
from tradewinds.envs.core.api.optional import need
from tradewinds.envs.core.spec.game import Variant

from .evaluation.schedule import files_digest, source_code, source_of
from .evaluation.workers import LostTask, Task, WorkerError, WorkerPool
from .isolation import IsolatedAgent

CONNECT_LIMIT = 60.0  # seconds until a cluster has to answer
NODE_LIMIT = 120.0  # seconds without a node until the run is given up
POLL = 0.2  # seconds between two checks of the tasks
CHECK = 2.0  # seconds between two looks at the cluster
INSTALLED = {"site-packages", "dist-packages"}


class RayPool:
    """Plays tasks on a Ray cluster, with the interface of `WorkerPool`. Nodes may come and go.

    Args:
        address: Of the cluster, as for `ray.init`: `auto`, `HOST:PORT`, `ray://HOST:PORT`, or `local` for a new one on this machine. A
            connection that this process already has is used instead.
        workers: Tasks at the same time; by default as many as the cluster has CPUs.
        variant: The game.
        agents: Codes. Networks and modules of the user's own are sent along, if they are not installed as packages.
        time_limit: Seconds per decision, or None.
        processor_time: Whether the time limit is one of processor time.

    Raises:
        ValueError: An agent is not a code.
        WorkerError: The cluster does not answer.
    """

    def __init__(
        self,
        address: str,
        workers: int | None,
        variant: Variant,
        agents: Sequence[Any],
        time_limit: float | None,
        processor_time: bool = False,
    ) -> None:
        need("a Ray cluster", "ray", "ray")
        setup = _pack(variant, agents, time_limit, processor_time)
        import ray

        self.address = address
        self._ray: Any = ray
        self._own = not ray.is_initialized()
        if self._own:
            _connect(address)
        self._limit = workers
        self._tasks: dict[Any, Task] = {}
        self._setup = ray.put(setup)
        self._play = ray.remote(num_cpus=1, max_retries=0)(_remote_function())

    @property
    def workers(self) -> int:
        """Tasks that are played at the same time."""
        return self._limit or max(1, int(self._ray.cluster_resources().get("CPU", 0)))

    def run_tasks(self, queue: deque[Task]) -> Iterator[tuple[Task, Any] | LostTask | None]:
        """Play the tasks of the queue until it is empty and all are back. The caller may add tasks at any time.

        Yields:
            A task with its results, a lost task, or None after each check of the tasks.

        Raises:
            WorkerError: A node cannot play the tasks, or there is none left.
        """
        workers, checked, seen = self.workers, time.monotonic(), time.monotonic()
        while queue or self._tasks:
            while queue and len(self._tasks) < workers:
                task = queue.popleft()
                self._tasks[self._play.remote(self._setup, pickle.dumps(task))] = task
            try:
                finished, _ = self._ray.wait(list(self._tasks), timeout=POLL)
                now = time.monotonic()
                is_checked = now - checked > CHECK
                has_node = not is_checked or self._ray.cluster_resources().get("CPU", 0) >= 1
            except (self._ray.exceptions.RayError, ConnectionError) as error:
                raise WorkerError(f"the connection to the Ray cluster at {self.address} was lost ({type(error).__name__})") from None
            for done in finished:
                yield self._result(done, self._tasks.pop(done))
            if is_checked:
                checked = now
                if has_node:
                    workers, seen = self.workers, now
                elif now - seen > NODE_LIMIT:
                    raise WorkerError(f"the Ray cluster at {self.address} has had no node to play on for {NODE_LIMIT:g} s")
            yield None

    def _result(self, done: Any, task: Task) -> tuple[Task, Any] | LostTask:
        try:
            word, content = self._ray.get(done)
        except self._ray.exceptions.RayTaskError as error:
            raise WorkerError(f"a Ray task failed: {' '.join(str(error.cause).split())[:500]}") from None
        except self._ray.exceptions.RayError as error:
            return LostTask(task, None, "died", _why(error), np.zeros(0, np.int16))
        if word == "refused":
            raise WorkerError(content)
        return LostTask(task, *content) if word == "lost" else (task, content)

    def games_in_progress(self) -> int:
        """Nodes report whole tasks, so none."""
        return 0

    def close(self) -> None:
        """Cancel all tasks, and disconnect if this pool made the connection."""
        for task in self._tasks:
            with contextlib.suppress(Exception):  # the cluster may be gone
                self._ray.cancel(task, force=True)
        self._tasks = {}
        if self._own:
            self._ray.shutdown()


def _why(error: Exception) -> str:
    kind = type(error).__name__
    known = {
        "NodeDiedError": "its Ray node died",
        "WorkerCrashedError": "its Ray worker died",
        "OutOfMemoryError": "its node ran out of memory",
    }
    return known.get(kind, f"Ray reports {kind}")


def _connect(address: str) -> None:
    """Connect this process. Ray itself waits for minutes or ends the process if nothing answers, so another process tries first."""
    import ray

    settings = {"address": address, "log_to_driver": False, "configure_logging": False, "logging_level": "critical"}
    if address != "local":
        code = f"import ray; ray.init(**{settings!r}); ray.shutdown()"
        try:
            tried = subprocess.run(
                [sys.executable, "-P", "-W", "ignore", "-c", code], capture_output=True, timeout=CONNECT_LIMIT, text=True
            )
        except subprocess.TimeoutExpired:
            raise WorkerError(f"no Ray cluster answers at {address} within {CONNECT_LIMIT:g} s") from None
        if tried.returncode:
            raise WorkerError(f"no Ray cluster can be used at {address}: {_last_line(tried.stderr)}")
    try:
        ray.init(**settings)
    except Exception as error:
        raise WorkerError(f"no Ray cluster can be used at {address}: {_last_line(str(error))}") from None


def _last_line(text: str) -> str:
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return lines[-1][:500] if lines else "no reason was given"


# What nodes are sent


def _pack(variant: Variant, agents: Sequence[Any], time_limit: float | None, processor_time: bool = False) -> bytes:
    """Everything that a node needs, pickled. What must fit is outside the inner pickle, which another version might not be able to read."""
    codes = [agent.agent if isinstance(agent, IsolatedAgent) else agent for agent in agents]
    if not all(isinstance(code, str) for code in codes):
        raise ValueError("a Ray cluster needs agents given as codes, such as package.module:Class")
    networks = {path: _contents(find_net(Path(path))) for code in codes for path in networks_named(code)}
    modules: dict[str, bytes] = {}
    for code in codes:
        if not is_built_in(code):
            modules |= _own_module(code.partition(":")[0].partition(".")[0])
    return pickle.dumps(
        {
            "version": tradewinds.__version__,
            "game": variant.game.name,
            "source code": source_code(variant.game),
            "agents' files": {code: files_digest(code) for code in codes if not is_built_in(code)},
            "networks": networks,
            "modules": modules,
            "rest": pickle.dumps((variant, list(agents), time_limit, processor_time)),
        }
    )


def _contents(folder: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in sorted(folder.iterdir()) if file.is_file()}


def _own_module(name: str) -> dict[str, bytes]:
    """The sources of a module, or of a package and what is in it, by path; none if it is installed as a package."""
    source = source_of(name)
    if source is None or not INSTALLED.isdisjoint(source.parts):
        return {}
    if source.name != "__init__.py":
        return {source.name: source.read_bytes()}
    package = source.parent
    return {str(file.relative_to(package.parent)): file.read_bytes() for file in sorted(package.rglob("*.py"))}


def _remote_function() -> Any:
    """The function that nodes call. It is sent by value, so that a node without the package can say so."""

    def play(setup: bytes, task: bytes) -> tuple[str, Any]:
        import platform

        try:
            from tradewinds.training import ray_pool
        except ImportError as error:
            return "refused", f"Ray node {platform.node()} cannot import tradewinds: {error}"
        return ray_pool.play_on_node(setup, task)

    return play


# On a node

_pools: dict[str, WorkerPool] = {}  # of this process, which plays one task at a time: the pool of the last setup


def play_on_node(setup: bytes, task: bytes) -> tuple[str, Any]:
    """Play a task in a worker process of this node.

    Returns:
        "played" with the results, "lost" with the fields of a LostTask, or "refused" with the reason why this node cannot play.
    """
    key = hashlib.sha256(setup).hexdigest()
    try:
        if key not in _pools:
            for old in list(_pools):
                _pools.pop(old).close()
            _pools[key] = _open_pool(pickle.loads(setup), key)
    except Exception as error:
        import platform

        return "refused", f"Ray node {platform.node()}: {error}"
    for event in _pools[key].run_tasks(deque([pickle.loads(task)])):
        if isinstance(event, LostTask):
            return "lost", (event.agent, event.kind, event.reason, event.actions)
        if event is not None:
            return "played", event[1]
    raise AssertionError("a pool returns every task")


def _open_pool(setup: dict[str, Any], key: str) -> WorkerPool:
    if setup["version"] != tradewinds.__version__:
        raise ValueError(f"it has tradewinds {tradewinds.__version__}, not {setup['version']}")
    if setup["source code"] != source_code(tw.game(setup["game"])):
        raise ValueError(f"its sources of {setup['game']} or the agents are not those of this machine: install the same on every node")
    folder = Path(tempfile.mkdtemp(prefix=f"tradewinds-{key[:8]}-"))
    for name, content in setup["modules"].items():
        _write(folder / "modules" / name, content)
    if setup["modules"]:
        sys.path.insert(0, str(folder / "modules"))
    for code, digest in setup["agents' files"].items():
        if files_digest(code) != digest:
            raise ValueError(f"its sources of agent {code} are not those of this machine: install the same on every node")
    places = {}
    for number, (path, files) in enumerate(setup["networks"].items()):
        places[path] = folder / f"net{number}"
        for name, content in files.items():
            _write(places[path] / name, content)
    variant, agents, time_limit, processor_time = pickle.loads(setup["rest"])
    return WorkerPool(1, variant, [_relocate(agent, places) for agent in agents], time_limit, processor_time)


def _write(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)


def _relocate(agent: Any, places: dict[str, Path]) -> Any:
    """The agent with its networks where they are on this node."""
    if isinstance(agent, IsolatedAgent):
        agent.agent = _relocate(agent.agent, places)
        return agent
    for path in networks_named(agent):
        for before in ("net:", "net="):
            agent = agent.replace(before + path, before + str(places[path]))
    return agent
