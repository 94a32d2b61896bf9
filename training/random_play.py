"""A tournament of random play: what every seat wins, scores and how long games last, when nobody thinks.

It shows what a learner has to beat, and whether a seat is better than another by itself.
"""

import os
import time
from pathlib import Path

import numpy as np

import tradewinds.envs as tw

GAME = "santiago_de_cuba"
GAMES = 20_000
PICTURE = Path("runs") / "random_play.png"


def play(name: str, games: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The first `games` games of a batch: ranks and scores (games, players), lengths (games,)."""
    from rich.progress import track

    size = min(games, 2048)
    batch = tw.make_batch(name, size, seed=seed, threads=os.cpu_count() or 1)
    streams = np.arange(size, dtype=np.uint64).reshape(-1, 1)
    actions = np.zeros(size, np.int64)
    age = np.zeros(size, np.int64)
    # Every row plays the same number of games: stopping at the first ones finished would count short games too often.
    left = np.full(size, games // size)
    left[: games % size] += 1
    ranks, scores, lengths = [], [], []
    for _ in track(iter(lambda: bool(left.any()), False), description=f"{name}: random play", total=None):
        batch.step(batch.sample(streams, actions))
        age += 1
        counted = batch.finished & (left > 0)
        if counted.any():
            ranks.append(batch.ranks[counted].copy())
            scores.append(batch.scores[counted].copy())
            lengths.append(age[counted].copy())
            left[counted] -= 1
        age[batch.finished] = 0
    batch.close()
    return np.concatenate(ranks), np.concatenate(scores), np.concatenate(lengths)


def win_shares(ranks: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Each seat's share of wins, a shared win counted in parts, and half the width of its 95% interval."""
    won = ranks == 1
    shares = won / won.sum(axis=1, keepdims=True)
    return shares.mean(axis=0), 1.96 * shares.std(axis=0, ddof=1) / np.sqrt(len(ranks))


def draw(name: str, scores: np.ndarray, path: Path) -> None:
    """How scores are spread, seat by seat."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(7, 4))
    for seat in range(scores.shape[1]):
        values, counts = np.unique(scores[:, seat], return_counts=True)
        axes.plot(values, counts / counts.sum(), label=f"player_{seat}")
    axes.set(title=f"{tw.game(name).title}: scores of random play", xlabel="final score", ylabel="share of games")
    axes.legend()
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=120, bbox_inches="tight")
    pyplot.close(figure)


def main() -> None:
    from rich.console import Console
    from rich.table import Table

    tw.game(GAME).loops  # noqa: B018 (compiles, so that it is not part of the time)
    began = time.perf_counter()
    ranks, scores, lengths = play(GAME, GAMES)
    seconds = time.perf_counter() - began
    shares, margins = win_shares(ranks)
    table = Table(title=f"{tw.game(GAME).title}: {GAMES:,} games of random play in {seconds:.1f} s")
    for heading in ("seat", "win share", "95% interval", "mean score"):
        table.add_column(heading, justify="right")
    for seat in range(scores.shape[1]):
        low, high = shares[seat] - margins[seat], shares[seat] + margins[seat]
        table.add_row(f"player_{seat}", f"{shares[seat]:.1%}", f"{low:.1%} to {high:.1%}", f"{scores[:, seat].mean():.1f}")
    console = Console()
    console.print(table)
    console.print(f"decisions a game: {lengths.mean():.0f} on average, {lengths.max()} at most")
    draw(GAME, scores, PICTURE)
    console.print(f"picture: {PICTURE.resolve()}")


if __name__ == "__main__":
    main()
