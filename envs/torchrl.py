"""TorchRL on the batch itself: thousands of games as one batched `EnvBase`.

>>> from tradewinds.envs.torchrl import TableBatchEnv
>>> env = TableBatchEnv("santiago_de_cuba", size=1024, players=3)
>>> rollout = env.rollout(100)

Every step is one decision of the seat to move in every game, so one policy plays all seats in turn. `seat` says whose observation it is and
`rewards` holds what all seats got: a learner credits a decision with the reward of the seat that made it (`reward` is that of this seat).
"""

from typing import Any

import numpy as np

from .core.api.batch import Batch
from .core.api.optional import need
from .registry import game

need("the TorchRL environment", "torchrl", "torch", "torchrl", "tensordict")

import torch
from tensordict import TensorDict, TensorDictBase
from torchrl.data import Binary, Bounded, Categorical, Composite, Unbounded
from torchrl.envs import EnvBase


class TableBatchEnv(EnvBase):
    """`size` games of a batch as one TorchRL environment.

    | key | holds |
    |---|---|
    | `observation` | float32 (size, D): what the seat to move sees |
    | `action_mask` | bool (size, A): its legal actions; all true once the game is over |
    | `seat` | int64 (size, 1): the seat to move |
    | `reward` | float32 (size, 1): of the seat that has just moved |
    | `rewards` | float32 (size, players): of all seats, when a game ends |
    | `done`, `terminated`, `truncated` | bool (size, 1) |

    Args:
        name: The game.
        size: The number of games.
        seed: What all randomness comes from.
        threads: How many threads step the batch.
        device: Where tensors go; games are always stepped on the CPU.
        **options: The game's options, such as `players=3`.

    Raises:
        ValueError: There is no such game or option.
    """

    def __init__(
        self, name: str, size: int, seed: int | None = None, threads: int = 1, device: "torch.device | str" = "cpu", **options: Any
    ) -> None:
        self.games = Batch(game(name).with_options(**options), size, seed, threads)
        super().__init__(device=torch.device(device), batch_size=torch.Size([size]))
        variant = self.games.variant
        actions, players = len(variant.game.actions), variant.players
        low, high = (torch.from_numpy(bound).expand(size, -1) for bound in (variant.vector_space.low, variant.vector_space.high))
        flag, rows = torch.Size([size, 1]), torch.Size([size])
        self.observation_spec = Composite(
            observation=Bounded(low, high, torch.Size([size, variant.layout.size]), dtype=torch.float32),
            action_mask=Binary(actions, torch.Size([size, actions]), dtype=torch.bool),
            seat=Categorical(players, flag, dtype=torch.int64),
            rewards=Unbounded(torch.Size([size, players]), dtype=torch.float32),
            shape=rows,
            device=self.device,
        )
        self.action_spec = Categorical(actions, rows, dtype=torch.int64, device=self.device, mask=self._masks())
        self.reward_spec = Unbounded(flag, dtype=torch.float32, device=self.device)
        done = Categorical(2, flag, dtype=torch.bool, device=self.device)
        self.done_spec = Composite(done=done, terminated=done.clone(), truncated=done.clone(), shape=rows, device=self.device)
        self._set_seed(seed)

    def __repr__(self) -> str:
        return f"TableBatchEnv({self.games.variant.describe()}, size={self.games.size})"

    def _reset(self, tensordict: TensorDictBase | None = None, **_: Any) -> TensorDictBase:
        chosen = None if tensordict is None else tensordict.get("_reset", None)
        if chosen is None:
            self.games.reset(int(self._seed_source.integers(2**63)))
        else:
            self.games.reset_rows(np.flatnonzero(chosen.reshape(-1).cpu().numpy()))
        zeros = np.zeros((self.games.size, self.games.players), np.float32)
        over = np.zeros(self.games.size, bool)
        return self._told(zeros, over, over)

    def _step(self, tensordict: TensorDictBase) -> TensorDictBase:
        games = self.games
        actions = tensordict["action"].reshape(-1).cpu().numpy()
        movers = games.seats.astype(np.int64)
        chosen = tensordict.get("_step", None)  # a rollout up to the end of all games skips those that are over
        stepped = np.ones(games.size, bool) if chosen is None else chosen.reshape(-1).cpu().numpy()
        rows = np.flatnonzero(stepped)
        games.step(actions[rows], rows, autoreset=False)
        told = self._told(games.rewards * stepped[:, None], games.finished & ~games.truncated, games.truncated & games.finished)
        told["reward"] = told["rewards"].gather(1, torch.from_numpy(movers).to(self.device)[:, None])
        return told

    def _set_seed(self, seed: int | None) -> None:
        self._seed_source = np.random.default_rng(seed)

    def _masks(self) -> torch.Tensor:
        masks = self.games.masks.copy()
        masks[self.games.counts == 0] = True
        return torch.from_numpy(masks).to(self.device)

    def _told(self, rewards: np.ndarray, terminated: np.ndarray, truncated: np.ndarray) -> TensorDictBase:
        games, masks = self.games, self._masks()
        self.action_spec.update_mask(masks)  # type: ignore[attr-defined]  so that `rand_action` draws legal ones

        def flag(values: np.ndarray) -> torch.Tensor:
            return torch.from_numpy(values.copy())[:, None].to(self.device)

        return TensorDict(
            {
                "observation": torch.from_numpy(games.observations.copy()).to(self.device),
                "action_mask": masks,
                "seat": flag(games.seats.astype(np.int64)),
                "rewards": torch.from_numpy(rewards).to(self.device),
                "done": flag(terminated | truncated),
                "terminated": flag(terminated),
                "truncated": flag(truncated),
            },
            batch_size=self.batch_size,
            device=self.device,
        )
