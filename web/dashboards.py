"""Dashboards: training runs and their curves, evaluations and tournaments. The browser names folders by id, never by a path."""

import csv
import hashlib
import io
import json
import math
import os
import secrets
import time
from collections.abc import Iterator
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

import tradewinds.envs as tw
from tradewinds.agents.neural.checkpoint import FACTS, TENSORS, NetError, find_net, read_facts
from tradewinds.agents.neural.checkpoint import read as read_net_file
from tradewinds.envs.core.api.optional import how_to_install
from tradewinds.envs.core.io.atomic import write_file, write_folder
from tradewinds.envs.core.io.parse import is_integer, parse_json, read_bytes
from tradewinds.envs.core.spec.game import Variant

from .frames import described
from .offers import new_seed
from .replays import reason, stamp
from .requests import grant
from .seats import Seat
from .server import RequestError, Server, replay_id
from .session import Session

if TYPE_CHECKING:
    from tradewinds.training.evaluation.schedule import Schedule

MOST_SETTINGS = 1 << 20  # bytes of a file of settings
MOST_STEPS = 2**53
DEPTH = 4  # folders below `runs` that are looked through
MOST = 200  # runs or results folders of a list, the newest
MOST_POINTS = 600  # of a curve
LIVE = 120.0  # seconds since the last line of a run that counts as running
NETS = "nets"  # networks of runs that are played against, below the folder of the page
INSIDE = ("checkpoints", "best", "tensorboard", "failures", "final", "__pycache__")  # folders of runs, in which there are no others
WIN_RATE = "charts/win_rate_"
LOSSES = {
    "losses/policy_loss": "Policy loss",
    "losses/value_loss": "Value loss",
    "losses/entropy": "Entropy (nats)",
    "losses/approx_kl": "Approximate KL",
    "losses/clipfrac": "Clipped fraction",
    "losses/explained_variance": "Explained variance",
    "losses/bc_accuracy": "Cloning accuracy",
}
SPEED = "charts/SPS"


# Folders


def folders(top: Path, file: str) -> Iterator[Path]:
    """The folders below `top` that have a file of this name."""
    for place, names, files in os.walk(top):
        if file in files and (Path(place) / file).is_file():  # a pipe would be waited for
            yield Path(place)
        deep = len(Path(place).relative_to(top).parts) >= DEPTH
        names[:] = [] if deep else sorted(name for name in names if name not in INSIDE and not name.startswith("."))


def newest(top: Path, file: str) -> dict[str, Path]:
    """The newest such folders by the id that the browser names."""
    found = sorted(folders(top, file), key=lambda folder: stamp(folder / file), reverse=True)
    return {folder_id(folder): folder for folder in found[:MOST]}


def folder_id(folder: Path) -> str:
    """What the browser calls a folder."""
    return hashlib.sha256(str(folder.resolve()).encode()).hexdigest()[:16]


# Training


class Metrics:
    """metrics.csv, as far as it is whole."""

    def __init__(self, path: Path) -> None:
        text = read_bytes(path, "metrics.csv").decode("utf-8", "replace")
        whole = text[: text.rfind("\n") + 1]  # a line is being written
        self.rows: list[dict[str, float]] = []
        self.phases: list[str] = []
        self.damaged = 0
        reader = csv.reader(io.StringIO(whole, newline=""), strict=True)
        try:
            self.columns = next(reader, [])
            if not {"iteration", "global_step"} <= set(self.columns):
                raise ValueError("metrics.csv lacks the columns iteration and global_step")
            for cells in reader:
                self._add(cells)
        except csv.Error as error:
            raise ValueError(f"metrics.csv is damaged: {error}") from None

    def _add(self, cells: list[str]) -> None:
        row = dict(zip(self.columns, cells, strict=False))
        try:
            if len(cells) != len(self.columns):
                raise ValueError
            numbers = {name: float(cell) for name, cell in row.items() if cell and name != "phase"}
            if not all(map(math.isfinite, numbers.values())) or "global_step" not in numbers:
                raise ValueError
        except ValueError:
            self.damaged += 1
            return
        self.rows.append(numbers)
        self.phases.append(row.get("phase", ""))

    def points(self, *names: str) -> list[list[float]]:
        """[step, values ...] of the rows that have all these columns, evenly thinned out."""
        found = [[row["global_step"], *(row[name] for name in names)] for row in self.rows if all(name in row for name in names)]
        if len(found) <= MOST_POINTS:
            return found
        return [found[at] for at in np.linspace(0, len(found) - 1, MOST_POINTS).astype(int)]

    @property
    def opponents(self) -> list[str]:
        """The agents of the ladder, the weakest first, as the run names them."""
        bounded = [name.removeprefix(f"{WIN_RATE}low_") for name in self.columns if name.startswith(f"{WIN_RATE}low_")]
        return [code for code in bounded if f"{WIN_RATE}{code}" in self.columns and f"{WIN_RATE}high_{code}" in self.columns]

    def ladder(self) -> list[dict[str, Any]]:
        """For each opponent [step, win rate, low, high] of every evaluation."""
        names = (WIN_RATE, f"{WIN_RATE}low_", f"{WIN_RATE}high_")
        return [{"opponent": code, "points": self.points(*(name + code for name in names))} for code in self.opponents]


def variant_of_run(folder: Path) -> tuple[Variant | None, dict[str, Any]]:
    """The variant that a run trains and its settings, as far as they can be read."""
    config: dict[str, Any] = {}
    with suppress(Exception):  # of the extra `train`; without it the network says the variant
        from tradewinds.training.yaml_file import load_yaml

        found = load_yaml(folder / "config.yaml")
        config = found if isinstance(found, dict) else {}
    game, options = config.get("game"), config.get("options") or {}
    if game is None:
        with suppress(NetError, OSError):
            facts = read_facts(find_net(folder))
            game, options = facts["game"], {**facts["options"], **({"reward": facts["reward"]} if "reward" in facts else {})}
    if game is None:
        with suppress(OSError, ValueError, TypeError, AttributeError, KeyError, StopIteration):
            game = next(iter(parse_json(read_bytes(folder / "versions.json", "versions.json", MOST_SETTINGS), "versions.json")["game"]))
            return None, {**config, "title": tw.game(game).title}
    try:
        return tw.game(str(game)).with_options(**options), config
    except (ValueError, TypeError):
        return None, config


def total_steps(config: dict[str, Any]) -> int | None:
    """How many steps a run is to take."""
    parts = [part for name in ("bc", "ppo") if isinstance(part := config.get(name), dict)]
    steps = [step for part in parts if is_integer(step := part.get("total_timesteps"), 0, MOST_STEPS)]
    return sum(steps) if steps and len(steps) == len(parts) else None


def run_summary(server: Server, number: str, folder: Path) -> dict[str, Any]:
    """A run in a line of the list, with its newest figures; or what is wrong with it."""
    when = stamp(folder / "metrics.csv")
    line: dict[str, Any] = {"id": number, "name": server.shown_name(folder), "when": when[0] / 1e9, "stamp": list(map(str, when))}
    try:
        metrics = Metrics(folder / "metrics.csv")
    except (OSError, ValueError) as error:
        return {**line, "error": reason(error)}
    variant, config = variant_of_run(folder)
    last = metrics.rows[-1] if metrics.rows else {}
    net = newest_net(folder)
    return {
        **line,
        "title": variant.game.title if variant is not None else config.get("title", ""),
        "variant": described(variant) if variant is not None else "",
        "players": variant.players if variant is not None else None,
        "step": last.get("global_step", 0),
        "total": total_steps(config),
        "phase": metrics.phases[-1] if metrics.phases else "",
        "seconds": last.get("seconds"),
        "sps": last.get(SPEED),
        "ladder": [{"opponent": rung["opponent"], "last": rung["points"][-1] if rung["points"] else None} for rung in metrics.ladder()],
        "is_live": time.time() - when[0] / 1e9 < LIVE,
        "damaged": metrics.damaged,
        "net": net.name if net is not None and variant is not None else None,
    }


def newest_net(folder: Path) -> Path | None:
    """The newest network of a run."""
    try:
        return find_net(folder)
    except (NetError, OSError):
        return None


def run_curves(server: Server, number: str, folder: Path) -> dict[str, Any]:
    """A run with all its curves."""
    found = run_summary(server, number, folder)
    if "error" in found:
        return found
    metrics = Metrics(folder / "metrics.csv")
    losses = [{"name": name, "title": title, "points": metrics.points(name)} for name, title in LOSSES.items() if name in metrics.columns]
    return {
        **found,
        "curves": {
            "ladder": metrics.ladder(),
            "speed": metrics.points(SPEED) if SPEED in metrics.columns else [],
            "losses": [loss for loss in losses if loss["points"]],
        },
    }


# Results folders


class ResultsFolders:
    """The results folders of a server. What was computed of a folder is kept until its files change."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self._known: dict[str, tuple[Any, dict[str, Any]]] = {}

    def all(self) -> dict[str, Path]:
        """The folders by id."""
        return newest(self.server.settings.runs, "settings.json")

    def listed(self) -> dict[str, Any]:
        """All folders in a line each."""
        from .reading import read_schedule

        lines = []
        for number, folder in self.all().items():
            when = max(stamp(folder / "results.jsonl"), stamp(folder / "settings.json"))
            line: dict[str, Any] = {"id": number, "name": self.server.shown_name(folder), "when": when[0] / 1e9}
            try:
                schedule = read_schedule(folder)
            except (OSError, ValueError) as error:
                lines.append({**line, "error": reason(error)})
                continue
            lines.append({**line, **self._about(schedule), "games": schedule.total_games})
        return {"folders": lines}

    def figures(self, number: str) -> dict[str, Any]:
        """The figures of a folder.

        Raises:
            RequestError: There is none, or it cannot be read.
        """
        from .reading import read_folder

        folder = self.all().get(number)
        if folder is None:
            raise RequestError(404, "there is no such folder of results; the list may be out of date")
        now = (stamp(folder / "settings.json"), stamp(folder / "results.jsonl"))
        known = self._known.get(number)
        if known is not None and known[0] == now:
            return known[1]
        try:
            content = read_folder(folder)
        except (OSError, ValueError) as error:
            raise RequestError(422, f"{self.server.shown_name(folder)}: {reason(error)}") from None
        schedule, summary = content.schedule, content.summary
        found: dict[str, Any] = {
            "id": number,
            "name": self.server.shown_name(folder),
            **self._about(schedule),
            "players": schedule.variant.players,
            "games": content.games * len(schedule.matches),
            "total": schedule.total_games,
            "notes": content.notes,
            "figures": None if summary is None else self._sent(summary.figures()),
        }
        self._known[number] = (now, found)
        return found

    @staticmethod
    def _about(schedule: "Schedule") -> dict[str, Any]:
        return {
            "kind": "evaluation" if len(schedule.matches) == 1 else "tournament",
            "title": schedule.variant.game.title,
            "variant": described(schedule.variant),
            "agents": list(schedule.names),
        }

    def _sent(self, figures: dict[str, Any]) -> dict[str, Any]:
        """Figures for the page: replays by id instead of by path."""
        known = self.server.replay_files()
        failures = []
        for failure in figures["failures"]:
            number = None if failure["replay"] is None else replay_id(Path(failure["replay"]))
            failures.append({**failure, "seed": str(failure["seed"]), "replay": number if number in known else None})
        return {**json.loads(json.dumps({**figures, "failures": []})), "failures": failures}


# Routes


def routes(server: Server) -> list[Route]:
    """The pages Training and Compare, and their figures."""
    results = ResultsFolders(server)
    runs_folder = server.settings.runs

    def runs() -> dict[str, Path]:
        return newest(runs_folder, "metrics.csv")

    def all_runs() -> list[dict[str, Any]]:
        return [run_summary(server, number, folder) for number, folder in runs().items()]

    def folder_of(request: Request) -> Path:
        folder = runs().get(request.path_params["id"])
        if folder is None:
            raise RequestError(404, "there is no such run; the list may be out of date")
        return folder

    async def training_page(request: Request) -> Response:
        return server.page(request, "Training", "training.js", ("analysis.css", "pages.css"))

    async def compare_page(request: Request) -> Response:
        return server.page(request, "Compare", "compare.js", ("analysis.css", "pages.css"))

    async def list_runs(request: Request) -> Response:
        return JSONResponse({"runs": await server.run(all_runs)})

    async def show_run(request: Request) -> Response:
        folder = await server.run(folder_of, request)
        if request.query_params.get("stamp") == "-".join(map(str, stamp(folder / "metrics.csv"))):
            return JSONResponse({"unchanged": True})
        return JSONResponse(await server.run(run_curves, server, request.path_params["id"], folder))

    async def play(request: Request) -> Response:
        folder = await server.run(folder_of, request)
        session = await server.run(new_game, server, folder)
        answer = JSONResponse({"path": f"/table/{session.id}"}, 201)
        grant(answer, session.id, [seat.token for seat in session.seats if seat.is_person])
        return answer

    async def list_results(request: Request) -> Response:
        return JSONResponse(await server.run(results.listed))

    async def show_results(request: Request) -> Response:
        return JSONResponse(await server.run(results.figures, request.path_params["id"]))

    return [
        Route("/training", training_page),
        Route("/compare", compare_page),
        Route("/api/runs", list_runs),
        Route("/api/runs/{id}", show_run),
        Route("/api/runs/{id}/play", play, methods=["POST"]),
        Route("/api/tournaments", list_results),
        Route("/api/tournaments/{id}", show_results),
    ]


def new_game(server: Server, folder: Path) -> Session:
    """A game of the person at the owner's browser against the newest network of a run, in a random seat.

    Raises:
        RequestError: The run has no network yet, it cannot play, or too many games are running.
    """
    variant, _ = variant_of_run(folder)
    net = newest_net(folder)
    if variant is None or net is None:
        raise RequestError(409, "this run has no network yet: it comes with the first checkpoint")
    with server.lock:
        server.running()
    if find_spec("torch") is None:
        raise RequestError(422, f"networks need torch: {how_to_install('train')}")
    # A run removes old checkpoints, so the network is copied: the game must go on when the server is started again.
    kept = server.folder / NETS / f"{folder_id(folder)}-{net.name}"
    try:
        if not kept.exists():
            write_folder(kept, lambda unfinished: _copy_net(net, unfinished))
    except (OSError, NetError) as error:
        raise RequestError(409, f"the network cannot be copied: {reason(error)}") from None
    code, name = f"net:{kept}", f"{server.shown_name(folder)} at {net.name.lstrip('0') or '0'}"
    own = secrets.randbelow(variant.players)
    seats = [Seat(name, code, secrets.token_urlsafe(24)) for _ in range(variant.players)]
    seats[own] = Seat("You", None, secrets.token_urlsafe(24), here=True)
    session = Session.new(server, variant, seats, new_seed())
    with server.lock:
        server.sessions[session.id] = session
    return session


def _copy_net(net: Path, folder: Path) -> None:
    for name in (FACTS, TENSORS):  # not shutil.copy, which would copy a link to a device without an end
        write_file(folder / name, read_net_file(net / name))
