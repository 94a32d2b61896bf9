"""`tradewinds compile`: compile games and agents ahead of time."""

import multiprocessing
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from contextlib import contextmanager
from typing import Annotated, Any, NamedTuple

import typer
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from tradewinds.envs.core.api.processes import available_cores, end_with_parent, sigint_blocked

from .output import Output, check_games

FAILED = 1


class Job(NamedTuple):
    """One part of one game, compiled by one process."""

    game: str
    part: str  # a key of PARTS

    def __str__(self) -> str:
        return f"{self.game} ({self.part})"


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("compile")(compile_games)


def compile_games(
    names: Annotated[list[str] | None, typer.Argument(metavar="GAME", help="The games to compile; all if none is named.")] = None,
    processes: Annotated[int | None, typer.Option(min=1, metavar="N", help="Worker processes; by default one per core.")] = None,
) -> int:
    """Compile games, their bots and search ahead of time, on all cores. Parts that are compiled already are skipped."""
    from tradewinds.envs.core.engine.kernel import JIT

    notes = Output(None).notes
    chosen = check_games(names or [])
    if not JIT:
        notes.print("nothing to compile: with TRADEWINDS_JIT=0 everything runs as plain Python")
        return 0
    began = time.perf_counter()
    columns = (TextColumn("compiling"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), TextColumn("{task.description}"))
    with Progress(*columns, console=notes, transient=True) as progress:
        line = progress.add_task("", total=len(chosen) * len(PARTS))

        def show(done: int, running: list[Job]) -> None:
            progress.update(line, completed=done, description=", ".join(map(str, running)))
            if not notes.is_terminal and running:
                notes.print(f"compiling, {time.perf_counter() - began:.0f} s: {', '.join(map(str, running))}")

        compiled, failures = run_jobs(chosen, processes or len(available_cores()), show)
    for failure in failures:
        print(f"tradewinds: error: {failure}", file=sys.stderr)
    if failures:
        return FAILED
    notes.print(f"compiled {', '.join(chosen)} in {time.perf_counter() - began:.0f} s" if compiled else "everything is compiled")
    return 0


def run_jobs(games: list[str], processes: int, show: Callable[[int, list[Job]], None]) -> tuple[bool, list[str]]:
    """Compile all parts of some games, each as soon as the parts that it needs are compiled.

    Args:
        games: Names of games.
        processes: The number of worker processes.
        show: Called with the number of finished jobs and those that may be running, whenever that changes.

    Returns:
        Whether anything had to be compiled, and a line for each job that failed.
    """
    waiting = [Job(game, part) for part in PARTS for game in games]
    running: dict[Future[bool], Job] = {}
    done: set[Job] = set()
    failures: list[str] = []
    compiled = False
    # On the way out the pool waits for its processes, so they are ended before it if this one is interrupted.
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(processes, context, initializer=end_with_parent) as pool, _ended_on_error(pool):
        while waiting or running:
            ready = [job for job in waiting if all(Job(job.game, needed) in done for needed in PARTS[job.part].needs)]
            for job in ready[: processes - len(running)]:
                waiting.remove(job)
                with sigint_blocked():
                    running[pool.submit(compile_part, job.game, job.part)] = job
            if not running:
                break  # the remaining parts need one that failed
            show(len(done), list(running.values()))
            finished, _ = wait(running, return_when=FIRST_COMPLETED)
            for future in finished:
                job = running.pop(future)
                try:
                    compiled |= future.result()
                    done.add(job)
                except Exception as error:  # reported at the end; the other jobs continue
                    failures.append(f"{job} was not compiled: {type(error).__name__}: {error}")
    return compiled, failures


@contextmanager
def _ended_on_error(pool: ProcessPoolExecutor) -> Iterator[None]:
    try:
        yield
    except BaseException:
        pool.shutdown(wait=False, cancel_futures=True)
        for child in multiprocessing.active_children():
            child.kill()
        raise


def compile_part(game: str, part: str) -> bool:
    """Compile one part in this process. Returns False if it was compiled already."""
    import tradewinds.envs as tw
    from tradewinds.envs.core.engine import cache

    cache.QUIET.set()
    before = len(cache.COMPILED_HERE)
    is_new = PARTS[part].compile(tw.game(game))
    return bool(is_new) or len(cache.COMPILED_HERE) > before


def _compile_actions(game: Any) -> bool:
    b = _buffers(game)
    return _compiled(game.kernels["apply"], b.states[0], 0, b.streams[0]) | _compiled(game.kernels["legal"], b.states[0], b.masks[0])


def _compile_observation(game: Any) -> bool:
    b = _buffers(game)
    return _compiled(game.kernels["observe"], b.views[0, 0], 0, b.observations[0])


def _compile_ratings(game: Any) -> bool:
    """The bot's rating kernel, which needs none of the game's loops."""
    import numpy as np

    from tradewinds.agents.scripted.bot import SCRATCH_SIZE, bot_of

    bot, b = bot_of(game), _buffers(game)
    if bot is None:
        return False
    return _compiled(bot.rate, b.states[0], 0, b.masks[0], bot.styles[bot.default], np.zeros(SCRATCH_SIZE), np.zeros(len(game.actions)))


def _buffers(game: Any) -> Any:
    import numpy as np

    from tradewinds.envs.core.engine.buffers import new_buffers

    return new_buffers(game.with_options(), np.zeros((1, 1), np.uint64))


def _compiled(kernel: Any, *arguments: Any) -> bool:
    from tradewinds.envs.core.engine.kernel import compile_for

    return compile_for(kernel, arguments)


def _compile_rules(game: Any) -> None:
    _ = game.loops


def _compile_bot(game: Any) -> None:
    from tradewinds.agents.scripted import loops_of

    loops_of(game)


def _compile_search(game: Any) -> None:
    from tradewinds.agents.search.agent import compile_kernels

    compile_kernels(game)


def _compile_networks(game: Any) -> None:
    """The kernel of the agent `policy`, which is one for all games: no job but the first finds anything to do."""
    from tradewinds.agents.neural.policy import evaluator

    evaluator()


class Part(NamedTuple):
    """A separately compiled module of a game: how to compile it, and the parts that must be compiled before it."""

    compile: Callable[[Any], bool | None]
    needs: tuple[str, ...]


# The rules' kernels first, in parallel; then the search, which takes longest of what uses them, beside the loops and the networks' kernel.
PARTS = {
    "actions": Part(_compile_actions, ()),
    "ratings": Part(_compile_ratings, ()),
    "observation": Part(_compile_observation, ()),
    "search": Part(_compile_search, ("actions", "ratings", "observation")),
    "rules": Part(_compile_rules, ("actions", "observation")),
    "bot": Part(_compile_bot, ("rules", "ratings")),
    "networks": Part(_compile_networks, ()),
}
