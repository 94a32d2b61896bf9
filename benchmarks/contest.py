"""What a contestant is, and one timed round of it."""

import time
from collections.abc import Callable
from typing import Any, NamedTuple, Protocol

import numpy as np

# What batches are measured with. 1 is what an agent needs that decides outside of compiled code; more hides the cost of the call.
STEPS_A_CALL = (1, 32)


class Contestant(Protocol):
    def burst(self) -> int:
        """Play on for a moment; how many moves that were, over all games."""
        ...


class Spec(NamedTuple):
    """How to build a contestant in a worker."""

    kind: str  # a key of worker.BUILDERS
    cores: int
    arguments: dict[str, Any]


class Round(NamedTuple):
    steps: int
    seconds: float
    cpu_seconds: float  # of all threads; less than `seconds` on one core where the machine had other work


def play(contestant: Contestant, seconds: float) -> Round:
    """One round: bursts until the time is over."""
    steps = 0
    cpu = time.process_time()
    began = now = time.perf_counter()
    while now - began < seconds:
        steps += contestant.burst()
        now = time.perf_counter()
    return Round(steps, now - began, time.process_time() - cpu)


class AecLoop:
    """PettingZoo's loop, for any AEC environment: `last()`, a choice, `step()`. A game that is over is reset at once.

    The choice is one of:

    - "mask": one of the mask's nonzero entries, the cheapest way there is, so that the environment is what takes the time;
    - "space": `action_space(agent).sample(mask)`, as PettingZoo's documentation has it; this alone costs some 40 microseconds.
    """

    MOVES = 16  # a burst

    def __init__(self, env: Any, choice: str) -> None:
        self.env = env
        self.random = np.random.default_rng(1).random
        self.choose: Callable[[np.ndarray], Any] = {"mask": self._from_mask, "space": self._from_space}[choice]
        env.reset(seed=1)

    def burst(self) -> int:
        env = self.env
        for _ in range(self.MOVES):
            observation, _, terminated, truncated, _ = env.last()
            if terminated or truncated:
                env.reset()
                observation, _, _, _, _ = env.last()
            env.step(self.choose(observation["action_mask"]))
        return self.MOVES

    def _from_mask(self, mask: np.ndarray) -> Any:
        legal = mask.nonzero()[0]
        return legal[int(self.random() * legal.size)]

    def _from_space(self, mask: np.ndarray) -> Any:
        return self.env.action_space(self.env.agent_selection).sample(mask)
