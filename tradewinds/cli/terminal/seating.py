"""A game's options and the agents of its seats from command-line arguments."""

import difflib
from collections.abc import Sequence

import numpy as np

import tradewinds.envs as tw
from tradewinds.agents import Agent, build
from tradewinds.envs.core.api.batch import check_seed
from tradewinds.envs.core.spec.game import Variant

from ..match_options import game_options
from ..output import BadInputError

PERSON = "person"  # who sits there, in a replay


def variant_of(name: str, players: int | None, options: Sequence[str]) -> Variant:
    """The game with `--players` and each `--option name=value`."""
    checked = game_options(name, options, players)
    return tw.game(name).with_options(**checked)


def seed_of(given: int | None) -> int:
    """The given seed, or a random one of 32 bits, short enough to type.

    Raises:
        BadInputError: The seed is out of range.
    """
    if given is None:
        return int(np.random.SeedSequence().generate_state(1, np.uint32)[0])
    try:
        return check_seed(given)
    except ValueError as error:
        raise BadInputError(f"--{error}") from None


def codes_for(option: str, text: str, seats: int) -> list[str]:
    """Split a list of agent codes; a single code is repeated for all seats.

    Raises:
        BadInputError: The number of codes is neither 1 nor `seats`.
    """
    codes = [code.strip() for code in text.split(",")]
    if len(codes) == 1:
        return codes * seats
    if len(codes) != seats:
        raise BadInputError(f"{option} {text!r} names {len(codes)} agents; give one for each of the {seats} seats, or one for all")
    return codes


def agent_of(code: str, variant: Variant) -> Agent:
    """Make a new agent for one seat. Seats never share an agent, since it may have state.

    Raises:
        BadInputError: The code is invalid, or the agent's constructor failed.
    """
    try:
        return build(code, variant)
    except ValueError as error:
        raise BadInputError(str(error)) from None
    except Exception as error:  # an agent of the user's own may fail in any way
        raise BadInputError(f"agent {code!r} cannot be made: {type(error).__name__}: {error}") from None


def seat_of(given: int, players: int) -> int:
    """Check the value of `--seat`.

    Raises:
        BadInputError: There is no such seat.
    """
    if not 0 <= given < players:
        raise BadInputError(f"--seat must be from 0 to {players - 1}, got {given}")
    return given


def replay_of(path: str) -> tw.Replay:
    """Load a replay file.

    Raises:
        BadInputError: The file cannot be read, or is not a valid replay.
    """
    try:
        return tw.load_replay(path)
    except OSError as error:
        near = difflib.get_close_matches(path, tw.games(), n=1)
        hint = f"; did you mean the game {near[0]}?" if near else ""
        raise BadInputError(f"{path}: {error.strerror}{hint}") from None
    except tw.FormatError as error:
        raise BadInputError(f"{path}: {error}") from None
