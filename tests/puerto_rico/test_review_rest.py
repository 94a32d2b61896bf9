"""Between two roles nothing is left of what was decided within one, so that equal positions are equal bytes."""

from typing import Any

import numpy as np
import pytest

from tradewinds.envs.puerto_rico.state import Phase

from .test_review_referee import OPTION_SETS, Match

NONE = ("place", "guest_to", "good", "pending", "drawn")
ZERO = (
    "amount",
    "done",
    "tile_taken",
    "quarry_taken",
    "second",
    "privilege",
    "made",
    "sold",
    "land_used",
    "turns",
    "idle",
    "wharf_used",
    "small_wharf_used",
)


@pytest.mark.rule("PR-RND-1")
@pytest.mark.parametrize("options", OPTION_SETS)
def test_a_role_leaves_nothing_behind_but_what_it_did(options: dict[str, Any]) -> None:
    match = Match(5, True, players=3, **options)
    for _ in range(250):
        if match.is_over:
            break
        match.play(str(match.rng.choice(match.names())))
        if match.record["phase"] == Phase.ROLE:
            left = [name for name in NONE if np.any(match.record[name] != -1)] + [name for name in ZERO if np.any(match.record[name])]
            assert not left
