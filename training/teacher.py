"""Games of a search that teach a network: played by worker processes or on a Ray cluster, and kept in shards on disk."""

import io
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from tradewinds.agents import build
from tradewinds.agents.neural.inputs import ILLEGAL, InputReader, Inputs, PolicySpec, uniforms_of
from tradewinds.agents.search import Search
from tradewinds.envs.core.api.batch import Batch
from tradewinds.envs.core.api.processes import available_cores
from tradewinds.envs.core.engine.rng import next_numbers, spread_seeds
from tradewinds.envs.core.io.atomic import write_file
from tradewinds.envs.core.spec.game import Variant

from .evaluation.arena import AgentRunner, one_way
from .evaluation.schedule import agent_seeds
from .evaluation.stats import squashed_margins
from .evaluation.workers import LostTask, WorkerError, WorkerPool
from .npz import read_npz
from .ray_pool import RayPool

GAMES = 8  # per shard: as many as a search keeps trees of
MAX_RETRIES = 2  # of games whose worker died
_TEACHER_SEEDS = np.uint64(0xD1B54A32D192ED03)  # keeps the deals that a teacher plays apart from those that evaluations play
ARRAYS = ("observations", "actions", "logits", "policies", "values")


class Lessons(NamedTuple):
    """Decisions of a teacher: what the network reads, and what it is to learn."""

    observations: np.ndarray  # float32 (n, D)
    actions: np.ndarray  # int64 (n, K): the legal actions; padding is 0
    logits: np.ndarray  # float32 (n, K): of the base policy; padding is ILLEGAL
    policies: np.ndarray  # float32 (n, K): the share of the teacher's visits
    values: np.ndarray  # float32 (n, 2, players): reward and margin to predict, the seat to move first

    @property
    def size(self) -> int:
        """How many decisions."""
        return len(self.observations)


class TeacherTask(NamedTuple):
    """Some games of a teacher, with the interface of `Task`."""

    chunk: int
    first: int
    seeds: np.ndarray
    agent_seeds: np.ndarray
    spec: PolicySpec
    sampled_moves: int
    random_move_prob: float
    search_value_coef: float

    def play(self, variant: Variant, runner: AgentRunner) -> Lessons:
        """Play the games with the teacher in all seats, and record every decision."""
        (teacher,) = runner.agents
        assert isinstance(teacher, Search)
        teacher.new_games()
        reader, size = InputReader(variant, self.spec), len(self.seeds)
        batch = Batch(variant, size, self.seeds.astype(np.uint64))
        draws = self.agent_seeds.reshape(-1, 1).copy()
        running, games, seats, step = np.ones(size, bool), [], [], 0
        asked: list[tuple[Inputs, np.ndarray, np.ndarray]] = []
        results = np.zeros((2, size, variant.players), np.float32)
        while running.any():
            rows, actions = np.flatnonzero(running), batch.masks.argmax(axis=1)
            numbers = np.zeros(len(rows), np.uint64)
            next_numbers(draws, rows, numbers)
            inputs = reader.read(batch.decisions(rows, numbers))
            policies = np.zeros(inputs.actions.shape, np.float32)
            outcomes = np.zeros((len(rows), 2, variant.players))
            uniforms = [uniforms_of(one_way(numbers ^ np.uint64(salt))) for salt in range(2)]
            for i, row in enumerate(rows):
                opinion = teacher.opinion(batch.decisions(rows[i : i + 1], numbers[i : i + 1]))
                policies[i] = opinion.policy[inputs.actions[i]] * (inputs.logits[i] > ILLEGAL / 2)
                outcomes[i] = opinion.outcome
                actions[row] = opinion.action
                if uniforms[1][i] < self.random_move_prob:
                    actions[row] = _pick(batch.masks[row], uniforms[0][i])
                elif step < self.sampled_moves:
                    actions[row] = _pick(opinion.policy, uniforms[0][i])
            asked.append((inputs, policies / policies.sum(axis=1, keepdims=True), outcomes))
            games.append(rows)
            seats.append(batch.seats[rows].astype(np.int64))
            batch.step(actions)
            ended = np.flatnonzero(running & batch.finished)
            results[0, ended], results[1, ended] = batch.rewards[ended], squashed_margins(batch.scores[ended], variant.game.score_scale)
            running[ended] = False
            step += 1
        found = np.concatenate([outcomes for *_, outcomes in asked])
        found[:, 0] -= 1 / variant.players  # the reward of a win is 1 - 1/players
        values = results[:, np.concatenate(games)].swapaxes(0, 1)
        values = np.where(np.isnan(found), values, values + self.search_value_coef * (found - values))
        order = (np.arange(variant.players) + np.concatenate(seats)[:, None]) % variant.players
        values = np.take_along_axis(values, order[:, None], axis=2).astype(np.float32)
        parts = [Lessons(*inputs, policies, outcomes) for inputs, policies, outcomes in asked]
        return join(parts)._replace(values=values)


def _pick(weights: np.ndarray, uniform: float) -> int:
    """An action drawn with probabilities proportional to weights, by a number from 0 to 1."""
    heights = weights.cumsum()
    return min(int(np.searchsorted(heights, uniform * heights[-1], "right")), int(weights.nonzero()[0][-1]))


def join(parts: Iterable[Lessons]) -> Lessons:
    """All lessons, their legal actions padded to the same number."""
    parts = list(parts)
    most = max(part.actions.shape[1] for part in parts)

    def padded(name: str, fill: float) -> np.ndarray:
        arrays = [getattr(part, name) for part in parts]
        return np.concatenate([np.pad(array, ((0, 0), (0, most - array.shape[1])), constant_values=fill) for array in arrays])

    observations, values = (np.concatenate([getattr(part, name) for part in parts]) for name in ("observations", "values"))
    return Lessons(observations, padded("actions", 0), padded("logits", ILLEGAL), padded("policies", 0), values)


def save_shard(path: Path, lessons: Lessons) -> None:
    """Write lessons to a file, atomically."""
    file = io.BytesIO()
    np.savez_compressed(file, **{**lessons._asdict(), "actions": lessons.actions.astype(np.int16)})
    write_file(path, file.getvalue())


def load_shard(path: Path) -> Lessons:
    """Read the lessons of a file.

    Raises:
        ValueError: The file is damaged.
    """
    try:
        arrays = read_npz(path)
        lessons = Lessons(*(arrays[name] for name in ARRAYS))
        count, width = lessons.actions.shape
        shapes = {"logits": (count, width), "policies": (count, width)}
        if any(getattr(lessons, name).shape != shape for name, shape in shapes.items()) or lessons.actions.dtype != np.int16:
            raise ValueError("arrays that do not fit together")
        if {len(array) for array in lessons} != {count} or (lessons.actions < 0).any():
            raise ValueError("arrays that do not fit together")
    except (OSError, ValueError, KeyError) as error:
        raise ValueError(f"{path} is damaged ({type(error).__name__}): delete it, and --resume plays its games again") from None
    return lessons._replace(actions=lessons.actions.astype(np.int64))


class _Here:
    """Plays tasks in this process, with the interface of `WorkerPool`."""

    def __init__(self, variant: Variant, teacher: str) -> None:
        self.variant = variant
        self.runner = AgentRunner([build(teacher, variant)], strict=True)

    def run_tasks(self, queue: deque[Any]) -> Iterator[tuple[Any, Any]]:
        while queue:
            task = queue.popleft()
            yield task, task.play(self.variant, self.runner)

    def close(self) -> None:
        pass


def _pool(variant: Variant, teacher: str, tasks: int, workers: int | None, ray: str | None) -> Any:
    if ray is not None:
        return RayPool(ray, workers or None, variant, [teacher], None)
    if workers == 0:
        return _Here(variant, teacher)
    return WorkerPool(min(workers or len(available_cores()), tasks), variant, [teacher], None)


def play_lessons(
    folder: Path,
    variant: Variant,
    teacher: str,
    spec: PolicySpec,
    games: int,
    seed: int,
    sampled_moves: int,
    random_move_prob: float = 0.0,
    search_value_coef: float = 0.0,
    workers: int | None = None,
    ray: str | None = None,
    on_progress: Callable[[int], None] = lambda games: None,
    on_note: Callable[[str], None] = lambda text: None,
) -> list[Path]:
    """Play a teacher's games into shards of a folder; shards that are there already are kept. They do not depend on the workers.

    Args:
        folder: Created if needed.
        variant: The game.
        teacher: The code of a search.
        spec: What the network that is taught reads.
        games: How many.
        seed: Of all games.
        sampled_moves: First env steps of each game whose actions are drawn from the teacher's visits; the rest is its choice.
        random_move_prob: How often a random action is played in place of the teacher's.
        search_value_coef: The part of the targets of values that is the mean outcome of the search; the rest is the game's result.
        workers: Worker processes, by default one per core; 0 plays in this process. On a cluster the number of tasks, by default all CPUs.
        ray: The address of a Ray cluster.
        on_progress: Called with the number of games played.
        on_note: Called with messages for the user.

    Returns:
        The files, in order.

    Raises:
        WorkerError: Workers cannot start or die again and again, or the cluster cannot be used.
    """
    folder.mkdir(parents=True, exist_ok=True)
    seeds = np.zeros(games, np.uint64)
    salted = np.uint64(seed) ^ _TEACHER_SEEDS
    spread_seeds(salted, seeds)
    own = agent_seeds(games, int(salted))
    paths = [folder / f"{number:05d}.npz" for number in range(-(-games // GAMES))]
    spans = [slice(number * GAMES, (number + 1) * GAMES) for number in range(len(paths))]
    queue: deque[Any] = deque(
        TeacherTask(number, span.start, seeds[span], own[span], spec, sampled_moves, random_move_prob, search_value_coef)
        for number, span in enumerate(spans)
        if not paths[number].exists()
    )
    played = games - sum(len(task.seeds) for task in queue)
    on_progress(played)
    if not queue:
        return paths
    retries: Counter[int] = Counter()
    with closing(_pool(variant, teacher, len(queue), workers, ray)) as pool:
        for event in pool.run_tasks(queue):
            if event is None:
                continue
            if isinstance(event, LostTask):
                retries[event.task.chunk] += 1
                if retries[event.task.chunk] > MAX_RETRIES:
                    raise WorkerError(f"games of the teacher end their process whenever they are played: {event.reason}")
                on_note(f"a worker of the teacher's games was lost: {event.reason}; its games are played again")
                queue.append(event.task)
                continue
            task, lessons = event
            save_shard(paths[task.chunk], lessons)
            played += len(task.seeds)
            on_progress(played)
    return paths
