"""A training run that takes seconds."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from tradewinds.agents import Decisions
from tradewinds.envs.core.io.atomic import write_file
from tradewinds.training.config import Config, check_config

if TYPE_CHECKING:  # tests of configs need no torch, and processes that play with `First` no pytest
    import pytest

    from tradewinds.training.ppo import Trainer
    from tradewinds.training.run_dir import Run

GAME = "santiago_de_cuba"
SETTINGS: dict[str, Any] = {
    "game": GAME,
    "options": {"players": 2},
    "seed": 3,
    "threads": 1,
    "save_every": 2,
    "network": {"width": 16, "blocks": 1},
    "bc": {"total_timesteps": 128, "teacher": "tests.training.tiny:First"},
    "ppo": {"total_timesteps": 700, "num_envs": 8, "num_steps": 16, "minibatch_size": 64, "ent_coef": 0.01},
    "opponent_pool": {"past_prob": 0.3, "past_every": 2, "past_keep": 2, "agents": {"random": 0.2}},
    "evaluation": {"every": 5, "episodes": 4, "eval_opponents": ["random"], "final_episodes": 4},
}


class First:
    """The first legal action, always."""

    def act(self, decisions: Decisions) -> np.ndarray:
        return decisions.masks.argmax(axis=1)


class StoppedError(Exception):
    """The process was killed."""


class Quiet:
    """Says nothing; stops a run after some iteration, as a kill would."""

    def __init__(self, stop_after: int | None = None) -> None:
        self.stop_after = stop_after
        self.notes: list[str] = []

    def begin(self, trainer: "Trainer") -> None:
        pass

    def row(self, trainer: "Trainer", row: dict[str, Any]) -> None:
        if row["iteration"] == self.stop_after:
            raise StoppedError

    def note(self, text: str) -> None:
        self.notes.append(text)


def tiny(**parts: Any) -> Config:
    """The tiny config, with some keys of some parts changed."""
    data = {
        **SETTINGS,
        **{name: {**SETTINGS.get(name, {}), **value} if isinstance(value, dict) else value for name, value in parts.items()},
    }
    return check_config(data, "tiny")


def no_pictures(monkeypatch: "pytest.MonkeyPatch") -> None:
    """Let runs write a few bytes in place of their learning curve, which takes longer to draw than they take to train."""
    monkeypatch.setattr("tradewinds.training.run_dir.draw_curve", lambda path, config, rows: write_file(path, b"curve"))


def whole_run(folder: Path, config: Config | None = None) -> "Run":
    from tradewinds.training.run_dir import Run
    from tradewinds.training.train import train

    run = Run.create(folder, config or tiny())
    train(run, Quiet())
    run.close()
    return run


def figures(run: "Run") -> list[dict[str, str]]:
    """All rows of the metrics, without the times."""
    return [{name: value for name, value in row.items() if "second" not in name and name != "charts/SPS"} for row in run.rows()]
