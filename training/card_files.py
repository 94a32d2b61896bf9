"""What cards are made of: files of results and the notes of networks, checked before anything of them goes into a page."""

import re
from pathlib import Path
from typing import Any, TypeGuard

import tradewinds.envs as tw
from tradewinds.agents.neural.checkpoint import FACTS, read_facts
from tradewinds.envs.core.api.errors import FormatError
from tradewinds.envs.core.io.parse import is_integer, parse_json, read_bytes
from tradewinds.envs.core.spec.game import Variant

RESULTS, CONFIG = "results.json", "config.yaml"
START_CONFIG, START_RUN = "start.yaml", "runs/start"  # of the run that a run started from
SEED = 3  # games that no training run and no choice of settings has played
NOTES = ("seconds", "ppo_steps", "bc_steps", "episodes")  # of net.json, which a card shows
EXPERT_NOTES = ("generation", "games")  # the same of a student of expert iteration
MOST_NUMBER = 1e15
CODE = re.compile(r"[\w.:=/+-]{1,200}", re.ASCII)  # of an agent in a table


class CardError(ValueError):
    """Something cannot be installed, measured or written; the message is one line."""


def read_json(file: Path) -> Any:
    """The content of a file; None if there is no such file.

    Raises:
        CardError: It is damaged.
    """
    try:
        return parse_json(read_bytes(file, str(file)), str(file)) if file.is_file() else None
    except FormatError as error:
        raise CardError(str(error)) from None


def notes_of(folder: Path) -> dict[str, Any]:
    """What a network's net.json says of its training.

    Raises:
        CardError: It does not say what a card shows.
    """
    notes = read_facts(folder).get("notes")
    wanted = EXPERT_NOTES if isinstance(notes, dict) and "generation" in notes else NOTES
    if (
        not isinstance(notes, dict)
        or not all(_is_number(notes.get(name, 0)) for name in (*wanted, "start_steps"))
        or not notes.keys() >= {*wanted}
    ):
        raise CardError(f"{folder / FACTS} lacks what a card says of the training: {', '.join(wanted)}")
    return notes


def variant_of(folder: Path) -> Variant:
    """The variant that a network was trained in."""
    facts = read_facts(folder)
    return tw.game(facts["game"]).with_options(**facts["options"])


def read_results(folder: Path) -> list[dict[str, Any]]:
    """The results of a network; none if they are of another network than the one that is there now.

    Raises:
        CardError: They are damaged.
    """
    data = read_json(folder / RESULTS) or {}
    if not isinstance(data, dict):
        raise CardError(f"{folder / RESULTS} is damaged")
    return checked_results(data.get("results"), folder / RESULTS) if data.get("network") == read_facts(folder)["sha256"] else []


def checked_results(results: Any, file: Path) -> list[dict[str, Any]]:
    """Results of matches, with nothing in them that changes the page they are shown in.

    Raises:
        CardError: They are none.
    """
    if not isinstance(results, list) or not all(map(_is_result, results)):
        raise CardError(f"{file} is damaged: it does not hold results of matches")
    return results


def _is_result(result: Any) -> bool:
    if not isinstance(result, dict) or not isinstance(result.get("ci95"), list) or len(result["ci95"]) != 2:
        return False
    codes, counts = ([result.get(name) for name in names] for names in (("agent", "opponent"), ("players", "games")))
    margin = result.get("mean_margin")
    return (
        all(isinstance(code, str) and CODE.fullmatch(code) for code in codes)
        and all(is_integer(count, 0, 2**53) for count in counts)
        and all(_is_number(share) and share <= 1 for share in (result.get("win_rate"), *result["ci95"]))
        and (margin is None or _is_number(margin, -MOST_NUMBER))
    )


def _is_number(value: Any, low: float = 0) -> TypeGuard[float]:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and low <= value <= MOST_NUMBER
