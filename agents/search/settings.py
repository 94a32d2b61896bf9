"""The settings of search: what they may be, and how they are written in agent codes."""

import inspect
from collections.abc import Callable
from typing import Any

PRIORS = ("uniform", "scripted", "policy")  # in the order of the template's Policy
ROLLOUTS = ("random", "scripted", "policy", "none")
ROOTS = ("puct", "gumbel")
RENAMED = {"explore": "exploration", "counting": "perfect_recall", "guided": "prior=policy", "iterations": "simulations"}
MAX_SIMULATIONS = 10_000_000  # per decision: a tree of 1.3 GB
MAX_SECONDS = 86_400
MAX_THREADS = 256


def parse(code: str) -> dict[str, Any]:
    """The settings in a code: `1000`, `0.5s`, `1000:rollout=random:exploration=2`."""
    budget, *rest = code.split(":")
    settings: dict[str, Any] = {}
    try:
        if budget.endswith("s"):
            settings["seconds"] = float(budget[:-1])
        else:
            settings["simulations"] = int(budget)
    except ValueError:
        raise ValueError(f"{budget!r} is not a budget: give simulations, as in 1000, or seconds, as in 0.5s") from None
    for part in rest:
        name, _, value = part.partition("=")
        if name in RENAMED:
            raise ValueError(f"the setting {name} of search is now {RENAMED[name]}")
        if name not in SETTINGS:
            raise ValueError(f"search has no setting {name!r}; its settings are {', '.join(SETTINGS)}, as in search:1000:rollout=random")
        try:
            settings[name] = SETTINGS[name](value)
        except ValueError:
            raise ValueError(f"invalid value {value!r} of the setting {name}") from None
    return settings


def check_settings(given: dict[str, Any], rollout: str, prior: str) -> None:
    """Raise a ValueError for a setting that is invalid for every variant."""
    simulations, seconds = given["simulations"], given["seconds"]
    if (simulations is None) == (seconds is None):
        raise ValueError("search needs a budget: simulations, as in search:1000, or seconds, as in search:0.5s")
    if simulations is not None and not 1 <= simulations <= MAX_SIMULATIONS:
        raise ValueError(f"simulations must be from 1 to {MAX_SIMULATIONS:,}, got {simulations}")
    if seconds is not None and not 0 < seconds <= MAX_SECONDS:
        raise ValueError(f"seconds must be more than 0 and at most {MAX_SECONDS:,}, got {seconds}")
    for name, value, possible in (("rollout", rollout, ROLLOUTS), ("prior", prior, PRIORS), ("root", given["root"], ROOTS)):
        if value not in possible:
            raise ValueError(f"{name} must be one of {', '.join(possible)}, got {value!r}")
    for name, high in (("noise", 1), ("margin", 1), ("exploration", 100)):
        if not 0 <= given[name] <= high:
            raise ValueError(f"{name} must be from 0 to {high}, got {given[name]}")
    if given["temperature"] is not None and not 0 < given["temperature"] < float("inf"):
        raise ValueError(f"temperature must be more than 0, got {given['temperature']}")
    if given["horizon"] is not None and not 0 <= given["horizon"] <= MAX_SIMULATIONS:
        raise ValueError(f"horizon must be from 0, which plays to the end of the game, to {MAX_SIMULATIONS:,}, got {given['horizon']}")
    if not 1 <= given["threads"] <= MAX_THREADS:
        raise ValueError(f"threads must be from 1 to {MAX_THREADS}, got {given['threads']}")
    if given["root"] == "gumbel" and (simulations is None or given["threads"] > 1):
        raise ValueError("root=gumbel needs a number of simulations and one thread")


def code_of(given: dict[str, Any], signature: inspect.Signature) -> str:
    """The code of a search with these settings: those that are not the signature's default are named."""
    budget = f"{given['seconds']}s" if given["simulations"] is None else str(given["simulations"])
    named = [(name, given[name]) for name in SETTINGS if given[name] != signature.parameters[name].default]
    return ":".join(["search", budget, *(f"{name}={_yes_no(value) if isinstance(value, bool) else value}" for name, value in named)])


def _yes_no(value: bool) -> str:
    return "yes" if value else "no"


def _parse_yes_no(text: str) -> bool:
    if text not in ("yes", "no"):
        raise ValueError
    return text == "yes"


SETTINGS: dict[str, Callable[[str], Any]] = {
    "rollout": str,
    "prior": str,
    "root": str,
    "noise": float,
    "exploration": float,
    "temperature": float,
    "margin": float,
    "horizon": int,
    "reuse": _parse_yes_no,
    "perfect_recall": _parse_yes_no,
    "net": str,
    "style": str,
    "threads": int,
}
