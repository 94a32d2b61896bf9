"""Variants to test, and random play."""

import importlib
import itertools
import re
from collections.abc import Callable, Iterator
from functools import cache
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import tradewinds.envs as tw
from tests.support import TOY, registered, toy_game
from tradewinds.envs.core.engine.kernel import BOUNDSCHECK, JIT
from tradewinds.envs.core.spec.game import Variant


def places_in(picture: str) -> list[str]:
    """The names of the places in a picture, in the order in which they are drawn."""
    return re.findall(r' data-place="([^"]*)"', picture)


@cache
def variants(name: str) -> list[dict[str, Any]]:
    """Every set of options that gives another game or another view of it; rewards, encodings and ranges are tested on their own."""
    options = tw.game(name).options
    axes = [
        [(option.name, choice) for choice in option.choices]
        for option in options
        if option.name == "players" or (option.name not in ("reward", "encoding") and not isinstance(option.choices, range))
    ]
    found = []
    for choice in itertools.product(*axes):
        try:
            found.append(tw.game(name).with_options(**dict(choice)).options)
        except ValueError:
            continue  # options that exclude each other
    return found


def richest(name: str, options: dict[str, Any]) -> dict[str, Any]:
    """These options with the encoding that shows the most. It begins with the parts of every other encoding."""
    return {**options, "encoding": tw.game(name).encodings[-1]}


@cache
def rule_sets(name: str) -> list[dict[str, Any]]:
    """The variants that differ in what may happen, not merely in what is shown of it."""
    return [options for options in variants(name) if options["visibility"] == "rules"]


def label(name: str, options: dict[str, Any]) -> str:
    """players=3 visibility=open, in the order of the options and without the defaults."""
    said = [f"{o.name}={options[o.name]}" for o in tw.game(name).options if o.name == "players" or options[o.name] != o.default]
    return "-".join([name, *said])


def every_game() -> pytest.MarkDecorator:
    """The games that come with Tradewinds."""
    return pytest.mark.parametrize("name", tw.games())


def every_variant() -> pytest.MarkDecorator:
    """All variants of the games that come with Tradewinds."""
    return _every(variants, tw.games())


def every_rule_set() -> pytest.MarkDecorator:
    """All sets of rules of the games that come with Tradewinds."""
    return _every(rule_sets, tw.games())


def any_game() -> pytest.MarkDecorator:
    """The games that come with Tradewinds, and one of an outside package."""
    return pytest.mark.parametrize("name", [*tw.games(), TOY])


def any_variant() -> pytest.MarkDecorator:
    """All variants of these games."""
    return _every(variants, [*tw.games(), TOY])


def any_rule_set() -> pytest.MarkDecorator:
    """All sets of rules of these games."""
    return _every(rule_sets, [*tw.games(), TOY])


def _every(listed: Callable[[str], list[dict[str, Any]]], games: list[str]) -> pytest.MarkDecorator:
    with registered(toy_game()):
        cases = [pytest.param(name, options, id=label(name, options)) for name in games for options in some(listed(name))]
    return pytest.mark.parametrize(("name", "options"), cases)


def some(cases: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """All, compiled; the smallest and the largest with bounds checks; the largest alone as plain Python, which is slow."""
    if JIT and not BOUNDSCHECK:
        return cases
    return cases[:: max(len(cases) - 1, 1)] if JIT else cases[-1:]


def box_of(name: str) -> ModuleType:
    """What a game's box holds: see tests/contract/__init__.py."""
    return importlib.import_module("tests.support.toy_market_box" if name == TOY else f"tests.{name}.box")


def amount(compiled: int, plain: int) -> int:
    """How much to play: plain Python is a thousand times slower."""
    return compiled if JIT else plain


def random_play(batch: tw.Batch, steps: int, seed: int = 1) -> Iterator[np.ndarray]:
    """Step a batch by uniformly random legal actions; yields the actions before they are played."""
    streams = (np.arange(batch.size, dtype=np.uint64) + np.uint64(seed << 32)).reshape(-1, 1)
    actions = np.zeros(batch.size, np.int64)
    for _ in range(steps):
        yield batch.sample(streams, actions)
        batch.step(actions)


def snapshot(batch: tw.Batch) -> tuple[bytes, ...]:
    """Everything that a batch shows."""
    arrays = (batch.states, batch.observations, batch.masks, batch.seats, batch.seeds, batch.rewards, batch.finished)
    return tuple(np.ascontiguousarray(array).tobytes() for array in arrays)


def new_batch(name: str, options: dict[str, Any], size: int, seed: int = 3, **more: Any) -> tw.Batch:
    return tw.make_batch(name, size, seed=seed, **options, **more)


def text_of(variant: Variant, state: np.ndarray, viewer: int) -> str:
    return variant.game.text(variant.masked_view(state, viewer), viewer)
