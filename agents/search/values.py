"""Estimates of unfinished games: files of weights, one a variant, that `python -m tradewinds.training.values` makes."""

from pathlib import Path

import numpy as np

from tradewinds.envs.core.game import Variant

FOLDER = Path(__file__).with_name("estimates")
UNTOLD = ("players", "reward", "visibility", "max_turns")  # options that say nothing new about the rules


def file_of(variant: Variant, folder: Path = FOLDER) -> Path:
    """Where the estimate of a variant lies, if there is one: container-4.npy, container-4-investment_bank.npy."""
    said = [o.name for o in variant.game.options if o.name not in UNTOLD and variant.options[o.name] != o.default]
    return folder / f"{'-'.join([variant.game.name, str(variant.players), *said])}.npy"


def weights_of(variant: Variant, folder: Path = FOLDER) -> np.ndarray | None:
    """float32 (2, D + 1): see `estimate` in tree.py; None if nobody has made one for this variant."""
    path = file_of(variant, folder)
    if not path.exists():
        return None
    weights = np.load(path, allow_pickle=False)
    if weights.shape != (2, variant.state_layout.size + 1):
        raise ValueError(f"{path.name} does not fit the game: make it anew with python -m tradewinds.training.values {variant.game.name}")
    return weights
