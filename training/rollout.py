"""The rollout buffer: the steps of one iteration, in preallocated arrays."""

import numpy as np
import torch
from torch import Tensor

from tradewinds.agents.neural.inputs import ILLEGAL, Inputs
from tradewinds.agents.neural.network import EXPECTED, Choices


class RolloutBuffer:
    """`num_steps` steps in `num_envs` envs, with the network's inputs of the steps that are learned from.

    | array | shape | holds |
    |---|---|---|
    | `seats` | (T, N) | the seat that moved |
    | `learner_mask` | (T, N) | the step is learned from |
    | `values` | (2, T, N) | the learner's predictions for the seat that moved: reward, margin |
    | `results` | (2, T, N, P) | reward and margin of every seat after the step |
    | `finished` | (T, N) | the step ended the game |

    Inputs are stored in the order of `learner_mask`, step by step and row by row: (size, ...).
    """

    def __init__(self, num_steps: int, num_envs: int, players: int, observed: int) -> None:
        self.seats = np.zeros((num_steps, num_envs), np.int64)
        self.learner_mask = np.zeros((num_steps, num_envs), np.bool_)
        self.values = np.zeros((len(EXPECTED), num_steps, num_envs), np.float32)
        self.results = np.zeros((len(EXPECTED), num_steps, num_envs, players), np.float32)
        self.finished = np.zeros((num_steps, num_envs), np.bool_)
        self.size = 0
        capacity = num_steps * num_envs
        self._observations = np.zeros((capacity, observed), np.float32)
        self._actions = np.zeros((capacity, 1), np.int64)
        self._logits = np.zeros((capacity, 1), np.float32)
        self._chosen = np.zeros(capacity, np.int64)
        self._log_probs = np.zeros(capacity, np.float32)

    def clear(self) -> None:
        """Empty the buffer for the next iteration; its memory is kept."""
        self.size = 0
        self.learner_mask[:] = False

    def add(self, t: int, rows: np.ndarray, inputs: Inputs, chosen: np.ndarray, log_probs: "np.ndarray | float" = 0.0) -> None:
        """Store step `t` of these rows: the network's inputs, and which of the legal actions was chosen with which log-probability."""
        here = slice(self.size, self.size + len(rows))
        missing = inputs.actions.shape[1] - self._actions.shape[1]
        if missing > 0:
            self._actions = np.pad(self._actions, ((0, 0), (0, missing)))
            self._logits = np.pad(self._logits, ((0, 0), (0, missing)), constant_values=ILLEGAL)
        width = inputs.actions.shape[1]
        self.learner_mask[t, rows] = True
        self._observations[here] = inputs.observations
        self._actions[here, :width], self._actions[here, width:] = inputs.actions, 0
        self._logits[here, :width], self._logits[here, width:] = inputs.logits, ILLEGAL
        self._chosen[here] = chosen
        self._log_probs[here] = log_probs
        self.size += len(rows)

    @property
    def observations(self) -> Tensor:
        """The network's observations: float32 (size, D)."""
        return torch.from_numpy(self._observations[: self.size])

    @property
    def choices(self) -> Choices:
        """The legal actions and base logits of each stored step, padded to (size, K)."""
        return Choices(torch.from_numpy(self._actions[: self.size]), torch.from_numpy(self._logits[: self.size]))

    @property
    def chosen(self) -> Tensor:
        """The index of the chosen action among the legal ones: int64 (size,)."""
        return torch.from_numpy(self._chosen[: self.size])

    @property
    def log_probs(self) -> Tensor:
        """The log-probability of the chosen action when it was chosen: float32 (size,)."""
        return torch.from_numpy(self._log_probs[: self.size])
