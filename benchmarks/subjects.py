"""What is measured: our batches and AEC environments, and those of PettingZoo, OpenSpiel and Pgx.

Every subject plays uniformly random legal actions, gets the mask and the observation of each state, and pays for its own sampling of
the action. Other libraries are imported by name, since none needs to be installed.
"""

import functools
import importlib
import importlib.util
import json
import os
import random
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

import numpy as np

import tradewinds.envs as tw

from .machine import version

# Env steps in one call. An agent outside of compiled code needs 1; more hides the cost of the call.
STEPS_PER_CALL = (1, 32)
SEED = 1
POOL = 1024  # games played to find the mean length, and to take states from
WARM_UP = 128  # steps before timing, so that games that began together drift apart
OPENSPIEL_GAMES = ("connect_four", "gin_rummy")  # the second is nearer to our games: hidden cards, 241 actions, 644 numbers per observation


class Subject(Protocol):
    """Anything that can be measured."""

    def burst(self) -> int:
        """Play for a moment and return the number of env steps, summed over all games."""
        ...


class Spec(NamedTuple):
    """How a worker process builds a subject."""

    kind: str  # a key of BUILDERS
    cores: int
    arguments: dict[str, Any]


class Round(NamedTuple):
    """What one timed round of a subject took."""

    steps: int
    seconds: float
    cpu_seconds: float  # of all threads; less than `seconds` on one core where the machine had other work


def time_round(subject: Subject, seconds: float) -> Round:
    """Time one round: bursts until `seconds` are over."""
    steps = 0
    cpu = time.process_time()
    began = now = time.perf_counter()
    while now - began < seconds:
        steps += subject.burst()
        now = time.perf_counter()
    return Round(steps, now - began, time.process_time() - cpu)


class RandomBatch:
    """`batch.sample` draws the actions and `batch.step` plays them, both compiled; several steps per call are `batch.play_random`."""

    SMALL = 64  # games; smaller batches make several steps per burst, so that reading the clock costs nothing

    def __init__(self, game: str, options: dict[str, Any], size: int, threads: int, steps_per_call: int = 1) -> None:
        draw = np.random.default_rng(SEED)
        self.batch = tw.make_batch(game, size, seed=SEED, threads=threads, **options)
        self.streams = draw.integers(0, 2**64, (size, 1), np.uint64)
        self.actions = np.zeros(size, np.int64)
        self.steps_per_call = steps_per_call
        self.repeats = -(-self.SMALL // (size * steps_per_call))
        states, _ = midgame(game, json.dumps(options))
        chosen = draw.permutation(np.arange(size) % POOL)
        arrays = {name: array[chosen] for name, array in states.items()}
        arrays["streams"] = draw.integers(0, 2**64, arrays["streams"].shape, np.uint64)
        self.batch.load_state_dict(arrays)

    def burst(self) -> int:
        """Play at least `SMALL` env steps."""
        batch, streams, actions = self.batch, self.streams, self.actions
        for _ in range(self.repeats):
            if self.steps_per_call == 1:
                batch.step(batch.sample(streams, actions))
            else:
                batch.play_random(self.steps_per_call, streams)
        return self.repeats * self.steps_per_call * batch.size


@functools.cache
def midgame(game: str, options: str) -> tuple[dict[str, np.ndarray], float]:
    """Return states spread evenly over the length of a game, and the mean length of a random game.

    Games that all began together stay synchronised for a long time: short rounds would measure only openings, and no game's end.
    """
    draw = np.random.default_rng(SEED)
    batch = tw.make_batch(game, POOL, seed=SEED, **json.loads(options))
    streams, actions = draw.integers(0, 2**64, (POOL, 1), np.uint64), np.zeros(POOL, np.int64)
    lengths, steps = np.zeros(POOL, np.int64), 0
    while (lengths == 0).any():
        steps += 1
        _, finished = batch.step(batch.sample(streams, actions))
        lengths[(lengths == 0) & finished] = steps
    mean = float(lengths.mean())
    states = batch.state_dict()
    taken_at = draw.integers(0, int(mean), POOL)
    for step in range(int(mean)):
        rows = taken_at == step
        for name, array in batch.state_dict().items():
            states[name][rows] = array[rows]
        batch.step(batch.sample(streams, actions))
    return states, mean


def mean_length(game: str, options: dict[str, Any]) -> float:
    """Return the mean number of env steps of a random game, forced moves not counted."""
    return midgame(game, json.dumps(options))[1]


class AecLoop:
    """PettingZoo's loop, for any AEC environment: `last()`, an action, `step()`. A finished game is reset immediately.

    Args:
        env: The AEC environment.
        choice: "mask" picks one of the mask's nonzero entries, the cheapest way, so that the time is the environment's own;
            "space" calls `action_space(agent).sample(mask)` as PettingZoo's documentation does, which alone costs some 40 microseconds.
    """

    STEPS = 16  # in a burst

    def __init__(self, env: Any, choice: str) -> None:
        self.env = env
        self.random = np.random.default_rng(SEED).random
        self.choose: Callable[[np.ndarray], Any] = {"mask": self._from_mask, "space": self._from_space}[choice]
        env.reset(seed=SEED)

    def burst(self) -> int:
        """Play `STEPS` env steps."""
        env = self.env
        for _ in range(self.STEPS):
            observation, _, terminated, truncated, _ = env.last()
            if terminated or truncated:
                env.reset()
                observation, _, _, _, _ = env.last()
            env.step(self.choose(observation["action_mask"]))
        return self.STEPS

    def _from_mask(self, mask: np.ndarray) -> Any:
        legal = mask.nonzero()[0]
        return legal[int(self.random() * legal.size)]

    def _from_space(self, mask: np.ndarray) -> Any:
        return self.env.action_space(self.env.agent_selection).sample(mask)


class OpenSpiel:
    """A game of OpenSpiel through its Python bindings.

    Each state is asked for `legal_actions_mask` and, through the observer that writes into one numpy array (the faster of the two ways
    to get it), for the observation; the action is `random.choice(state.legal_actions())`. Chance moves are played and not counted.
    """

    def __init__(self, name: str) -> None:
        pyspiel: Any = importlib.import_module("pyspiel")
        observation: Any = importlib.import_module("open_spiel.python.observation")
        self.game = pyspiel.load_game(name)
        self.observer = observation.make_observation(self.game)

    def burst(self) -> int:
        """Play one game."""
        state, observe, steps = self.game.new_initial_state(), self.observer.set_from, 0
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes, chances = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(random.choices(outcomes, chances)[0])
                continue
            state.legal_actions_mask()
            observe(state, state.current_player())
            state.apply_action(random.choice(state.legal_actions()))
            steps += 1
        return steps


class Pgx:
    """A game of Pgx: `jit(vmap(auto_reset(step)))`, the action drawn on the device with `categorical` over the mask, in the same `jit`.

    `steps_per_call` steps are made in one compiled call, after which Python waits for the result.
    """

    def __init__(self, name: str, size: int, steps_per_call: int) -> None:
        os.environ.setdefault("JAX_PLATFORMS", "cpu")
        jax: Any = importlib.import_module("jax")
        pgx: Any = importlib.import_module("pgx")
        auto_reset: Any = importlib.import_module("pgx.experimental").auto_reset
        env = pgx.make(name)
        step = jax.vmap(auto_reset(env.step, env.init))

        def one(_: Any, carry: Any) -> Any:
            state, key = carry
            key, choice, chance = jax.random.split(key, 3)
            logits = jax.numpy.log(state.legal_action_mask.astype(jax.numpy.float32))
            action = jax.random.categorical(choice, logits, axis=-1)
            return step(state, action, jax.random.split(chance, size)), key

        def several(carry: Any) -> Any:
            return jax.lax.fori_loop(0, steps_per_call, one, carry)

        self.call = jax.jit(several if steps_per_call > 1 else lambda carry: one(0, carry))
        self.wait = jax.block_until_ready
        self.steps = size * steps_per_call
        self.carry = jax.jit(jax.vmap(env.init))(jax.random.split(jax.random.key(1), size)), jax.random.key(2)
        for _ in range(max(1, WARM_UP // steps_per_call)):
            self.burst()

    def burst(self) -> int:
        """Make one compiled call."""
        self.carry = self.wait(self.call(self.carry))
        return self.steps


def build_aec(game: str, options: dict[str, Any], choice: str) -> AecLoop:
    """Build the loop over one of our AEC environments."""
    return AecLoop(tw.make(game, **options), choice)


def build_pettingzoo(wrapped: bool, choice: str) -> AecLoop:
    """Build the loop over PettingZoo's connect_four, as `raw_env` or in the wrappers of `env`."""
    os.environ["PYGAME_HIDE_SUPPORT_PROMPT"] = "1"
    connect_four: Any = importlib.import_module("pettingzoo.classic.connect_four_v3")
    return AecLoop(connect_four.env() if wrapped else connect_four.raw_env(), choice)


@dataclass(frozen=True)
class Baseline:
    """Another library: what of it is measured, and what must be installed for it."""

    name: str
    title: str
    modules: tuple[str, ...]
    distributions: tuple[str, ...]
    pip: str

    @property
    def installed(self) -> bool:
        """Whether all its modules can be imported."""
        return all(importlib.util.find_spec(module) is not None for module in self.modules)

    @property
    def versions(self) -> dict[str, str]:
        """The versions of its distributions."""
        return {name: version(name) for name in self.distributions}

    def specs(self, sizes: Sequence[int], all_cores: int) -> Iterator[Spec]:
        """Yield its subjects; only Pgx uses more than one core."""
        if self.name == "pettingzoo":
            for wrapped, choice in ((False, "mask"), (True, "mask"), (False, "space")):
                yield Spec("pettingzoo", 1, {"wrapped": wrapped, "choice": choice})
        elif self.name == "openspiel":
            for game in OPENSPIEL_GAMES:
                yield Spec("openspiel", 1, {"name": game})
        else:
            for cores in sorted({1, all_cores}):
                for size in sizes:
                    for steps in STEPS_PER_CALL:
                        yield Spec("pgx", cores, {"name": "connect_four", "size": size, "steps_per_call": steps})


BASELINES = {
    baseline.name: baseline
    for baseline in (
        Baseline("pettingzoo", "PettingZoo classic", ("pettingzoo", "pygame"), ("pettingzoo", "pygame"), "pip install pygame"),
        Baseline("openspiel", "OpenSpiel", ("pyspiel", "open_spiel"), ("open-spiel",), "pip install open-spiel"),
        Baseline("pgx", "Pgx", ("pgx", "jax"), ("pgx", "jax"), "pip install pgx jax"),
    )
}
BUILDERS: dict[str, Callable[..., Subject]] = {
    "batch": RandomBatch,
    "aec": build_aec,
    "pettingzoo": build_pettingzoo,
    "openspiel": OpenSpiel,
    "pgx": Pgx,
}
