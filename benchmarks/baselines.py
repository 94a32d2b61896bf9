"""The other libraries: what of each is measured, and what must be installed for it."""

import importlib.util
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from .contest import STEPS_A_CALL, Spec
from .machine import version

OPENSPIEL_GAMES = ("connect_four", "gin_rummy")  # the second is nearer to our games: hidden cards, 241 actions, 644 numbers a view


@dataclass(frozen=True)
class Baseline:
    name: str
    title: str
    modules: tuple[str, ...]
    distributions: tuple[str, ...]
    pip: str

    @property
    def installed(self) -> bool:
        return all(importlib.util.find_spec(module) is not None for module in self.modules)

    @property
    def versions(self) -> dict[str, str]:
        return {name: version(name) for name in self.distributions}

    def specs(self, sizes: Sequence[int], all_cores: int) -> Iterator[Spec]:
        """Its contestants; only Pgx uses more than one core."""
        if self.name == "pettingzoo":
            for wrapped, choice in ((False, "mask"), (True, "mask"), (False, "space")):
                yield Spec("pettingzoo", 1, {"wrapped": wrapped, "choice": choice})
        elif self.name == "openspiel":
            for game in OPENSPIEL_GAMES:
                yield Spec("openspiel", 1, {"name": game})
        else:
            for cores in sorted({1, all_cores}):
                for size in sizes:
                    for steps in STEPS_A_CALL:
                        yield Spec("pgx", cores, {"name": "connect_four", "size": size, "steps_a_call": steps})


BASELINES = {
    baseline.name: baseline
    for baseline in (
        Baseline("pettingzoo", "PettingZoo classic", ("pettingzoo", "pygame"), ("pettingzoo", "pygame"), "pip install pygame"),
        Baseline("openspiel", "OpenSpiel", ("pyspiel", "open_spiel"), ("open-spiel",), "pip install open-spiel"),
        Baseline("pgx", "Pgx", ("pgx", "jax"), ("pgx", "jax"), "pip install pgx jax"),
    )
}
