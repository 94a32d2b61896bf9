"""Networks for search: those that come with Tradewinds, one a variant in pretrained/, and any other that `tradewinds train` made.

They are trained under visibility="open", since a search looks at worlds in which nothing is unknown.
"""

from pathlib import Path

import numpy as np
from safetensors import SafetensorError
from safetensors.numpy import load

from tradewinds.envs.core.spec.game import Variant

from ..neural.checkpoint import NetError, is_net, other_tensors, read_facts, read_net
from .value_net import Weights

FOLDER = Path(__file__).parents[1] / "pretrained"
UNTOLD = ("players", "reward", "visibility")  # options that say nothing new about the rules
DEFAULT_HORIZON = 50  # of a network whose JSON names none


def name_of(variant: Variant) -> str:
    """The variant in short: container-4, container-4-investment_bank."""
    said = [o.name for o in variant.game.options if o.name not in UNTOLD and not o.limits_only and variant.options[o.name] != o.default]
    return "-".join([variant.game.name, str(variant.players), *said])


def names() -> str:
    """The variants that have a network."""
    return ", ".join(sorted(path.name for path in FOLDER.glob("*-*")))


def counting(variant: Variant) -> Variant:
    """The variant for which a network of search is trained."""
    return variant.game.with_options(**{**variant.options, "visibility": "open", "reward": "win"})


def network_of(variant: Variant) -> Path | None:
    """Where the network for a variant lies, if there is one."""
    path = FOLDER / name_of(variant)
    return path if is_net(path) else None


def horizon_of(path: Path) -> int:
    """How many decisions search plays out before it asks this network."""
    return int(read_facts(path).get("horizon", DEFAULT_HORIZON))


def read_weights(path: Path, variant: Variant) -> Weights:
    """A network as the kernels take it, or a NetError."""
    known = counting(variant)
    if path.parent == FOLDER:  # made for the default of what is untold
        untold = {o.name: o.default for o in variant.game.options if o.limits_only}
        known = variant.game.with_options(**{**known.options, **untold})
    data, facts = read_net(path, known)
    if facts.get("reward", "win") != "win":
        raise NetError(f"{path} was trained with reward={facts['reward']!r}; search needs one that expects wins")
    try:
        tensors = {name: array.astype(np.float32) for name, array in load(data).items()}
        weights = _arranged(tensors, facts["network"]["blocks"])
    except (SafetensorError, KeyError, TypeError, ValueError):
        raise other_tensors(path) from None
    if tuple(array.shape for array in weights) != _shapes(known, **facts["network"]):
        raise other_tensors(path)
    return weights


def _shapes(variant: Variant, width: int, blocks: int, **_: int) -> tuple[tuple[int, ...], ...]:
    """Compiled code reads what it is told is there, so this is checked before."""
    inputs, actions, players = variant.layout.size, len(variant.game.actions), variant.players
    layers = ((blocks, width, width), (blocks, width)) * 2
    norms = ((blocks + 1, width),) * 2
    return (inputs, width), (width,), *norms, *layers, (actions, width), (actions,), (2, players, width), (2, players)


def no_weights() -> Weights:
    """In the place of a network that is never asked."""
    return Weights(
        *(np.zeros((1,) * len(axes), np.float32) for axes in ("iw", "w", "bw", "bw", "bww", "bw", "bww", "bw", "aw", "a", "kpw", "kp"))
    )


def _arranged(tensors: dict[str, np.ndarray], blocks: int) -> Weights:
    def of_blocks(layer: str, kind: str) -> np.ndarray:
        arrays = [tensors[f"blocks.{block}.{layer}.{kind}"] for block in range(blocks)]
        width = tensors["norm.weight"].size
        matrices = layer != "norm" and kind == "weight"
        empty = np.zeros((0, width, width) if matrices else (0, width), np.float32)
        return np.concatenate([empty, *(array.T[None] for array in arrays)])

    players = tensors["value.bias"].size // 2
    arranged = Weights(
        enter=tensors["enter.weight"].T,
        enter_bias=tensors["enter.bias"],
        norm=np.concatenate([of_blocks("norm", "weight"), tensors["norm.weight"][None]]),
        norm_bias=np.concatenate([of_blocks("norm", "bias"), tensors["norm.bias"][None]]),
        widen=of_blocks("widen", "weight"),
        widen_bias=of_blocks("widen", "bias"),
        join=of_blocks("join", "weight"),
        join_bias=of_blocks("join", "bias"),
        policy=tensors["policy.weight"],
        policy_bias=tensors["policy.bias"],
        value=tensors["value.weight"].reshape(2, players, -1),
        value_bias=tensors["value.bias"].reshape(2, players),
    )
    return Weights(*map(np.ascontiguousarray, arranged))
