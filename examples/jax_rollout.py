"""JAX: the batch inside `lax.scan`, by `io_callback`. Games are stepped on the CPU; the policy is compiled by JAX.

python examples/jax_rollout.py --steps 200
"""

import argparse
import time

import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import io_callback

import tradewinds.envs as tw


def main() -> None:
    """Play a linear policy with random weights in many games at once."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--game", default="santiago_de_cuba")
    parser.add_argument("--size", type=int, default=256)
    parser.add_argument("--steps", type=int, default=200)
    args = parser.parse_args()
    batch = tw.make_batch(args.game, args.size, seed=1)
    inputs, actions = batch.observations.shape[1], len(batch.action_names)
    shapes = (
        jax.ShapeDtypeStruct((args.size, inputs), jnp.float32),
        jax.ShapeDtypeStruct((args.size, actions), jnp.bool_),
        jax.ShapeDtypeStruct((args.size,), jnp.bool_),
    )

    def step(chosen: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        batch.step(np.asarray(chosen))
        return batch.observations.copy(), batch.masks.copy(), batch.finished.copy()

    def decide(carry: tuple, _: None) -> tuple:
        key, observations, masks = carry
        key, now = jax.random.split(key)
        logits = jnp.where(masks, observations @ weights, -1e9)
        chosen = jax.random.categorical(now, logits)
        observations, masks, finished = io_callback(step, shapes, chosen, ordered=True)
        return (key, observations, masks), finished.sum()

    weights = jax.random.normal(jax.random.key(0), (inputs, actions)) * 0.1
    rollout = jax.jit(lambda carry: jax.lax.scan(decide, carry, None, args.steps))
    began = time.perf_counter()
    _, ended = rollout((jax.random.key(1), jnp.array(batch.observations), jnp.array(batch.masks)))
    games = int(ended.sum())
    print(f"{games} games, {args.size * args.steps / (time.perf_counter() - began):,.0f} env steps per second with compilation")


if __name__ == "__main__":
    main()
