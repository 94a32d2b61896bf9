"""Decisions of agents as a dataset, for offline learning and behaviour cloning.

>>> from tradewinds.training.datasets import collect
>>> table = collect("santiago_de_cuba", "scripted", games=100, seed=1, players=3)
>>> table.save("decisions.npz")                       # or .parquet
>>> table.to_minari("tradewinds/santiago_de_cuba/scripted-v0")
"""

import io
import json
from collections.abc import Sequence
from dataclasses import dataclass, fields
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

import tradewinds.envs as tw
from tradewinds.agents import Agent, build
from tradewinds.envs.core.api.batch import Batch
from tradewinds.envs.core.api.decisions import given_to
from tradewinds.envs.core.api.optional import need
from tradewinds.envs.core.io.atomic import write_file
from tradewinds.envs.core.io.parse import parse_json
from tradewinds.envs.core.spec.game import Variant

from .evaluation.schedule import agent_seeds
from .npz import read_npz

AT_ONCE = 256  # games that are played together
FORMATS = (".npz", ".parquet")


@dataclass(frozen=True)
class DecisionTable:
    """Decisions, game by game in the order in which they were made, and the ends of the games."""

    observations: np.ndarray  # float32 (n, D): what the seat to move saw
    masks: np.ndarray  # bool (n, A): its legal actions
    actions: np.ndarray  # int16 (n,)
    seats: np.ndarray  # int8 (n,)
    games: np.ndarray  # int32 (n,): which game it was
    returns: np.ndarray  # float32 (n,): rewards-to-go of the seat; the only reward comes at the end of a game
    seeds: np.ndarray  # uint64 (games,): `env.reset(seed=...)` gives each game
    scores: np.ndarray  # int32 (games, players)
    ranks: np.ndarray  # int32 (games, players)
    truncated: np.ndarray  # bool (games,): cut off by the length limit
    final_observations: np.ndarray  # float32 (games, players, D)
    provenance: dict[str, Any]  # what made it

    def __len__(self) -> int:
        return len(self.actions)

    def arrays(self) -> dict[str, np.ndarray]:
        """All arrays by name."""
        return {field.name: getattr(self, field.name) for field in fields(self) if field.name != "provenance"}

    def save(self, path: "str | Path") -> None:
        """Write a file, whole or not at all.

        Args:
            path: A name that ends in .npz, with all arrays and `provenance` as JSON, or in .parquet, with one row per decision and the
                provenance in the metadata of its schema.

        Raises:
            ValueError: The name ends in something else.
            MissingExtraError: Parquet needs pyarrow.
        """
        target = Path(path)
        if target.suffix not in FORMATS:
            raise ValueError(f"a dataset's file must end in {' or '.join(FORMATS)}, got {target.name!r}")
        file = io.BytesIO()
        if target.suffix == ".parquet":
            self._write_parquet(file)
        else:
            np.savez_compressed(file, provenance=np.array(json.dumps(self.provenance)), **self.arrays())  # type: ignore[arg-type]
        write_file(target, file.getvalue())

    def _write_parquet(self, file: io.BytesIO) -> None:
        need("a parquet file", "data", "pyarrow")
        import pyarrow as pa
        import pyarrow.parquet as pq

        def rows(array: np.ndarray) -> Any:
            return pa.FixedSizeListArray.from_arrays(pa.array(array.reshape(-1)), array.shape[1])

        plain = {"game": self.games, "seed": self.seeds[self.games], "seat": self.seats, "action": self.actions, "return": self.returns}
        columns = {name: pa.array(array) for name, array in plain.items()}
        columns |= {"observation": rows(self.observations), "action_mask": rows(self.masks)}
        table = pa.table(columns).replace_schema_metadata({"tradewinds": json.dumps(self.provenance)})
        pq.write_table(table, file)

    def to_minari(self, dataset_id: str) -> Any:
        """Write a Minari dataset: one episode per game and seat, with the mask in the observation, and `seat` and `return` in `infos`.

        Args:
            dataset_id: Minari's name for it, such as "tradewinds/container/scripted-v0".

        Returns:
            The `minari.MinariDataset`.

        Raises:
            MissingExtraError: Minari is not installed.
            ValueError: Minari refuses the name, or has it already.
        """
        check_minari_id(dataset_id)
        import gymnasium
        import minari

        made = self.provenance
        env = gymnasium.make(f"tradewinds/{made['game']}-v{made['version']}", mask="observation", **made["options"])
        codes = made["agents"]
        episodes = [self._episode(game, seat) for game in range(len(self.seeds)) for seat in range(len(codes))]
        return minari.create_dataset_from_buffers(
            dataset_id,
            [episode for episode in episodes if episode.rewards],  # a seat may never have been asked
            env=env,
            algorithm_name=", ".join(dict.fromkeys(codes)),
            description=json.dumps(made),
        )

    def _episode(self, game: int, seat: int) -> Any:
        from minari.data_collector import EpisodeBuffer

        rows = np.flatnonzero((self.games == game) & (self.seats == seat))
        last = self.final_observations[game, seat]
        ended = np.arange(len(rows)) == len(rows) - 1
        is_cut = bool(self.truncated[game])
        masks = np.concatenate([self.masks[rows].astype(np.int8), np.ones((1, self.masks.shape[1]), np.int8)])
        return EpisodeBuffer(
            id=None,
            seed=int(self.seeds[game]),
            observations={"observation": np.concatenate([self.observations[rows], last[None]]), "action_mask": masks},
            actions=self.actions[rows].astype(np.int64),  # type: ignore[arg-type]
            rewards=np.where(ended, self.returns[rows], 0).tolist(),
            terminations=(ended & (not is_cut)).tolist(),
            truncations=(ended & is_cut).tolist(),
            infos={"seat": np.full(len(rows) + 1, seat), "return": np.append(self.returns[rows], np.float32(0))},  # as many as observations
        )


def check_minari_id(dataset_id: str) -> None:
    """Check that a Minari dataset of this name can be written.

    Args:
        dataset_id: Such as tradewinds/container/scripted-v0.

    Raises:
        MissingExtraError: Minari is not installed.
        ValueError: It is no name of a dataset, or there is such a dataset.
    """
    need("a Minari dataset", "data", "minari", "h5py")
    from minari.dataset.minari_dataset import parse_dataset_id
    from minari.storage.local import get_dataset_path

    parse_dataset_id(dataset_id)
    if get_dataset_path(dataset_id).exists():
        raise ValueError(
            f"there is a Minari dataset {dataset_id} already: choose another name, or delete it with minari delete {dataset_id}"
        )


def load(path: "str | Path") -> DecisionTable:
    """Read what `DecisionTable.save` wrote as .npz.

    Args:
        path: The file.

    Raises:
        ValueError: The file is no such table.
    """
    try:
        arrays = read_npz(path)
        found = DecisionTable(provenance=parse_json(str(arrays.pop("provenance")), "its provenance"), **arrays)
        lengths = [len(array) for array in found.arrays().values()]
        decisions, games = len(found.actions), len(found.seeds)
        if lengths != [decisions] * 6 + [games] * 5 or not isinstance(found.provenance, dict):
            raise ValueError("its arrays do not fit together")
    except (KeyError, TypeError, ValueError) as error:
        raise ValueError(f"{path} is no dataset of decisions: {error}") from None
    return found


def collect(game: str, agents: "str | Sequence[str]", games: int, seed: int = 0, **options: Any) -> DecisionTable:
    """Let agents play, and keep every decision.

    Args:
        game: The game.
        agents: One code for all seats, or one per seat.
        games: How many games.
        seed: What gives the games and the agents' randomness.
        **options: The game's options.

    Raises:
        ValueError: There is no such game, option or agent, or not one agent per seat.
    """
    variant = tw.game(game).with_options(**options)
    if games < 1:
        raise ValueError(f"games must be a positive integer, got {games}")
    codes = [agents] * variant.players if isinstance(agents, str) else list(agents)
    if len(codes) != variant.players:
        raise ValueError(f"name one agent for all seats or {variant.players}, one per seat; got {len(codes)}")
    made = {code: build(code, variant) for code in dict.fromkeys(codes)}
    seeds = np.random.SeedSequence(seed).generate_state(games, np.uint64)
    draws = agent_seeds(games, seed)
    parts = [
        _play(variant, codes, made, seeds[first : first + AT_ONCE], draws[first : first + AT_ONCE], first)
        for first in range(0, games, AT_ONCE)
    ]
    joined = {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
    provenance = {
        "tradewinds": version("tradewinds"),
        "game": game,
        "version": variant.game.version,
        "options": variant.options,
        "agents": codes,
        "games": games,
        "seed": seed,
        "decisions": len(joined["actions"]),
        "actions": variant.game.actions.names,
        "observation": {name: [part.start, part.stop] for name, part in variant.layout.slices.items()},
    }
    return DecisionTable(provenance=provenance, **joined)


def _play(
    variant: Variant, codes: Sequence[str], made: dict[str, Agent], seeds: np.ndarray, draws: np.ndarray, first: int
) -> dict[str, np.ndarray]:
    """Some games at the same time; the arrays of a DecisionTable, game by game."""
    batch = Batch(variant, len(seeds), seeds)
    random = np.random.default_rng(draws.reshape(-1).tolist())
    for agent in made.values():
        getattr(agent, "new_games", lambda: None)()
    steps: list[tuple[np.ndarray, ...]] = []
    who = np.array([list(made).index(code) for code in codes])
    while (rows := np.flatnonzero(batch.counts > 0)).size:
        actions, numbers = np.zeros(rows.size, np.int64), random.integers(0, 2**64, rows.size, np.uint64)
        for index, agent in enumerate(made.values()):
            asked = np.flatnonzero(who[batch.seats[rows]] == index)
            if asked.size:
                actions[asked] = agent.act(given_to(agent, batch.decisions(rows[asked], numbers[asked])))
        steps.append((batch.observations[rows], batch.masks[rows], actions.astype(np.int16), batch.seats[rows], rows.astype(np.int32)))
        batch.step(actions, rows, autoreset=False)
    observations, masks, actions, seats, played = (np.concatenate(part) for part in zip(*steps, strict=True))
    order = np.argsort(played, kind="stable")
    everyone = np.arange(variant.players)
    return {
        "observations": observations[order],
        "masks": masks[order],
        "actions": actions[order],
        "seats": seats[order],
        "games": played[order] + first,
        "returns": batch.rewards[played[order], seats[order]],
        "seeds": seeds,
        "scores": batch.scores.copy(),
        "ranks": batch.ranks.copy(),
        "truncated": batch.truncated.copy(),
        "final_observations": batch.look(np.arange(batch.size)[:, None], everyone),
    }
