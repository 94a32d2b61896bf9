"""Games to show, and a browser to show them in."""

import json
import shutil
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import tradewinds.envs as tw
from tests.container.lively import choose
from tradewinds.web.frames import document


def played(name: str, seed: int, moves: int = 10_000, names: bool = False, **options: Any) -> tw.Replay:
    """A game of random moves, or its beginning; Container's are such that there are auctions."""
    env = tw.make(name, **options)
    env.reset(seed=seed)
    random = np.random.default_rng(seed)
    for _ in range(moves):
        if any(env.terminations.values()) or any(env.truncations.values()):
            break
        if name == "container":
            env.step(choose(env.observe(env.agent_selection)["action_mask"], random))
        else:
            env.step(int(random.choice(env.legal_actions())))
    return tw.Replay.of(env, [f"agent {seat}" for seat in range(env.variant.players)] if names else None)


class Made(dict[str, Any]):
    """What a function makes of each game, once it is asked for: most tests need one game."""

    def __init__(self, make: Callable[[str], Any]) -> None:
        super().__init__()
        self._make = make

    def __missing__(self, name: str) -> Any:
        self[name] = self._make(name)
        return self[name]


@pytest.fixture(scope="session")
def games() -> dict[str, tw.Replay]:
    """A whole game of each kind, the shortest there are."""

    def game(name: str) -> tw.Replay:
        fewest = min(next(o for o in tw.game(name).options if o.name == "players").choices)
        return played(name, 4, names=True, players=fewest, **({"max_turns": 30} if name == "container" else {}))

    return Made(game)


@pytest.fixture(scope="session")
def documents(games: dict[str, tw.Replay]) -> dict[str, Any]:
    """They as the page gets them, with every view."""
    return Made(lambda name: json.loads(json.dumps(document(games[name], everyone(games[name])))))


def everyone(replay: tw.Replay) -> list[str]:
    return ["all", *(f"player_{seat}" for seat in range(replay.game.with_options(**replay.options).players))]


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    chromium = shutil.which("chromium")
    playwright = pytest.importorskip("playwright.sync_api")
    if chromium is None:
        pytest.skip("there is no Chromium here")
    with playwright.sync_playwright() as driver:
        started = driver.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--headless", "--disable-gpu"])
        yield started
        started.close()
