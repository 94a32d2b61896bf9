"""Toy Market is registered while contract tests run."""

from collections.abc import Iterator

import pytest

from tests.support import registered, toy_game


@pytest.fixture(autouse=True)
def toy_is_registered() -> Iterator[None]:
    with registered(toy_game()):
        yield
