"""The options of the games that come with Tradewinds, as types: an editor completes them and a type checker checks their values.

`game(name).options` has them with their defaults and meanings; a test compares the two.
"""

from typing import Literal, TypedDict

RenderMode = Literal["ansi", "rgb_array", "human"]


class CommonOptions(TypedDict, total=False):
    """What every game takes."""

    players: int
    reward: Literal["win", "rank", "score"]
    visibility: Literal["rules", "open"]
    encoding: Literal["compact", "rich"]


class PuertoRicoOptions(CommonOptions, total=False):
    """What Puerto Rico takes beside these."""

    new_buildings: bool
    nobles: bool
    draft: Literal["players", "random"]


class ContainerOptions(CommonOptions, total=False):
    """What Container takes beside these."""

    investment_bank: bool
    void_bids: bool
    max_turns: int
