"""Estimates of unfinished games for search: a linear function, fitted to how games between bots end.

    python -m tradewinds.training.values container players=4 investment_bank=true

plays games of the variant between its bots (with some moves by lot, so that odd positions occur), notes in some positions what every
seat would see if it counted along, and fits, by least squares, what the seat got in the end to what it saw then. An estimate is of the form
a·x + t b·x, where x is the observation and t how far the game is. It is written to agents/search/estimates/.
"""

import sys
from dataclasses import dataclass

import numpy as np

import tradewinds.envs as tw
from tradewinds.agents.bot import bot_of
from tradewinds.agents.chance import Random
from tradewinds.agents.scripted import Scripted
from tradewinds.agents.search.values import FOLDER, file_of
from tradewinds.envs.core.batch import Batch
from tradewinds.envs.core.game import Variant

ROWS = 512  # games played at once
MARGIN = 0.8  # the part of a game's worth that is its margin, as search has it
BY_LOT = 0.05  # of all moves
RIDGE = 1e-6  # keeps the weights of what is hardly ever seen small
TESTED = 10  # one game in so many is left out of the fit, to measure it


@dataclass(frozen=True)
class Fit:
    weights: np.ndarray  # float32 (2, D + 1)
    positions: int
    explained: float  # of the variance in games that were left out


def worths(scores: np.ndarray, ranks: np.ndarray, spread: float) -> np.ndarray:
    """What each seat got, from 0 to 1, as `weigh` in agents/search/tree.py has it: float64 (games, players)."""
    won = ranks == 1
    ordered = np.sort(scores.astype(np.float64), axis=1)
    best, second = ordered[:, -1:], ordered[:, -2:-1]
    ahead = np.where(scores == best, scores - second, scores - best)
    return (1 - MARGIN) * won / won.sum(axis=1, keepdims=True) + MARGIN * (0.5 + 0.5 * ahead / (np.abs(ahead) + spread))


def collect(variant: Variant, games: int, every: int, seed: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Positions of finished games: what each seat saw (n, players, D), what it got (n, players), and the number of the game (n,)."""
    batch = Batch(variant, ROWS, seed)
    chance = np.random.default_rng(seed)
    bot, by_lot = Scripted(variant), Random(variant)
    number = np.arange(ROWS)  # of the game in each row
    started, finished = ROWS, 0
    seen: list[np.ndarray] = []
    numbers: list[np.ndarray] = []
    got: dict[int, np.ndarray] = {}
    while finished < games:
        actions = bot.act(batch.decisions(seeds=chance.integers(0, 2**63, ROWS).astype(np.uint64)))
        odd = np.flatnonzero(chance.random(ROWS) < BY_LOT)
        actions[odd] = by_lot.act(batch.decisions(odd, chance.integers(0, 2**63, odd.size).astype(np.uint64)))
        rows = np.flatnonzero(chance.random(ROWS) < 1 / every)
        seen.append(batch.look(rows[:, None], np.arange(variant.players)))
        numbers.append(number[rows])
        batch.step(actions)
        over = np.flatnonzero(batch.finished)
        for row, worth in zip(over, worths(batch.scores[over], batch.ranks[over], bot_of(variant.game.name).spread), strict=True):
            got[int(number[row])] = worth
        number[over] = started + np.arange(over.size)
        started += over.size
        finished += over.size
    all_seen, all_numbers = np.concatenate(seen), np.concatenate(numbers)
    known = np.isin(all_numbers, np.fromiter(got, np.int64))
    return all_seen[known], np.stack([got[int(n)] for n in all_numbers[known]]), all_numbers[known]


def fit(variant: Variant, games: int = 3000, every: int = 25, seed: int = 0) -> Fit:
    """The estimate for a variant, from so many games, one position in `every`."""
    counting = variant.game.with_options(**{**variant.options, "visibility": "open"})
    seen, got, numbers = collect(counting, games, every, seed)
    size = seen.shape[2]
    x = seen.reshape(-1, size)
    t = x[:, [counting.layout.slices[bot_of(variant.game.name).clock].start]]
    features = np.concatenate([x, x * t, np.ones_like(t)], axis=1)
    target = got.reshape(-1)
    left_out = np.repeat(numbers % TESTED == 0, variant.players)
    known = features[~left_out]
    squares = (known.T @ known).astype(np.float64)
    squares += RIDGE * len(known) * np.eye(len(squares))
    solved = np.linalg.solve(squares, known.T.astype(np.float64) @ target[~left_out])
    missed = target[left_out] - features[left_out] @ solved
    weights = np.zeros((2, size + 1), np.float32)
    weights[0, :size], weights[1, :size], weights[0, size] = solved[:size], solved[size : 2 * size], solved[-1]
    return Fit(weights, len(x), float(1 - missed.var() / target[left_out].var()))


def main(words: list[str]) -> None:
    name, *given = words
    options = {}
    for word in given:
        option, _, value = word.partition("=")
        options[option] = int(value) if value.isdigit() else value == "true"
    variant = tw.game(name).with_options(**options)
    found = fit(variant)
    FOLDER.mkdir(exist_ok=True)
    np.save(file_of(variant), found.weights, allow_pickle=False)
    print(f"{file_of(variant).name}: {found.positions:,} positions, {found.explained:.0%} of the variance explained in games left out")


if __name__ == "__main__":
    main(sys.argv[1:])
