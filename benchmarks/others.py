"""The contestants of other libraries. Each is imported by name, since none needs to be installed."""

import importlib
import os
import random
from typing import Any

from .contest import AecLoop

WARM_UP = 128  # steps before the clock, so that games that began together drift apart


def build_pettingzoo(wrapped: bool, choice: str) -> AecLoop:
    """PettingZoo's connect_four, as `raw_env` or in the wrappers of `env`."""
    os.environ["PYGAME_HIDE_SUPPORT_PROMPT"] = "1"
    connect_four: Any = importlib.import_module("pettingzoo.classic.connect_four_v3")
    return AecLoop(connect_four.env() if wrapped else connect_four.raw_env(), choice)


class OpenSpiel:
    """A game of OpenSpiel through its Python bindings.

    Each position is asked for `legal_actions_mask` and, through the observer that writes into one numpy array (the faster of the two ways
    to get it), for the observation; the choice is `random.choice(state.legal_actions())`. Chance moves are played and not counted.
    """

    def __init__(self, name: str) -> None:
        pyspiel: Any = importlib.import_module("pyspiel")
        observation: Any = importlib.import_module("open_spiel.python.observation")
        self.game = pyspiel.load_game(name)
        self.observer = observation.make_observation(self.game)

    def burst(self) -> int:
        """One game."""
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
    """A game of Pgx: `jit(vmap(auto_reset(step)))`, the choice drawn on the device with `categorical` over the mask, in the same `jit`.

    `steps_a_call` steps are made in one compiled call, after which Python waits for the result.
    """

    def __init__(self, name: str, size: int, steps_a_call: int) -> None:
        os.environ.setdefault("JAX_PLATFORMS", "cpu")
        jax: Any = importlib.import_module("jax")
        pgx: Any = importlib.import_module("pgx")
        auto_reset: Any = importlib.import_module("pgx.experimental").auto_reset
        env = pgx.make(name)
        step = jax.vmap(auto_reset(env.step, env.init))

        def play(_: Any, carry: Any) -> Any:
            state, key = carry
            key, choice, chance = jax.random.split(key, 3)
            logits = jax.numpy.log(state.legal_action_mask.astype(jax.numpy.float32))
            action = jax.random.categorical(choice, logits, axis=-1)
            return step(state, action, jax.random.split(chance, size)), key

        def several(carry: Any) -> Any:
            return jax.lax.fori_loop(0, steps_a_call, play, carry)

        self.call = jax.jit(several if steps_a_call > 1 else lambda carry: play(0, carry))
        self.wait = jax.block_until_ready
        self.moves = size * steps_a_call
        self.carry = jax.jit(jax.vmap(env.init))(jax.random.split(jax.random.key(1), size)), jax.random.key(2)
        for _ in range(max(1, WARM_UP // steps_a_call)):
            self.burst()

    def burst(self) -> int:
        self.carry = self.wait(self.call(self.carry))
        return self.moves


def build_openspiel(name: str) -> OpenSpiel:
    return OpenSpiel(name)


def build_pgx(name: str, size: int, steps_a_call: int) -> Pgx:
    return Pgx(name, size, steps_a_call)
