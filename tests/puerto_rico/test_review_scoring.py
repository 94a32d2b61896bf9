"""The final score where numbers get large."""

import pytest

from .board import board, player, result


@pytest.mark.rule("PR-END-2")
def test_a_tie_is_broken_by_any_number_of_doubloons_and_goods() -> None:
    s = board(player(doubloons=150, goods={"corn": 3}), player(doubloons=126, goods={"indigo": 2}), player(doubloons=127))
    assert result(s) == ([0, 0, 0], [1, 2, 3])
