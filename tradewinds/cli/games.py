"""`tradewinds games`: the games, their options, observations and actions."""

from typing import Annotated, Any

import typer
from rich import box
from rich.table import Table

import tradewinds as tw
from tradewinds.envs.core.spec.options import Option

from .output import JsonOption, Output, check_games

OPTIONS_WIDTH = 18  # so that the overview fits 100 columns


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("games")(games)


def games(
    names: Annotated[list[str] | None, typer.Argument(metavar="GAME", help="Games to show in detail; without one, all are listed.")] = None,
    json_to: JsonOption = None,
) -> None:
    """List the games, or show the options, observations and actions of some."""
    chosen = check_games(names or [])
    output = Output(json_to)
    facts = [_facts(name) for name in chosen]
    tables = [table for game in facts for table in _details(game)] if names else [_overview(facts)]
    for table in tables:
        output.tables.print(table)
    output.give({"games": facts})


def _facts(name: str) -> dict[str, Any]:
    game = tw.game(name)
    variant = game.with_options()
    options = {option.name: option for option in game.options}
    actions = game.actions
    return {
        "name": name,
        "title": game.title,
        "version": game.version,
        "players": list(options["players"].choices),
        "default_players": options["players"].default,
        "actions": len(actions),
        "observation": variant.layout.size,
        "observation_sizes": {str(players): game.with_options(players=players).layout.size for players in options["players"].choices},
        "record_bytes": game.fields.dtype.itemsize,
        "mean_steps": {str(players): steps for players, steps in game.mean_steps.items()},
        "has_bot": game.bot is not None,
        "options": [
            {"name": option.name, "default": option.default, "choices": _choices(option), "text": option.text} for option in game.options
        ],
        "observation_parts": [
            {
                "name": part.name,
                "first": variant.layout.slices[part.name].start,
                "size": part.size,
                "low": part.low,
                "high": part.high,
                "text": part.text,
            }
            for part in variant.layout.parts
        ],
        "action_kinds": [
            {
                "name": kind.name.lower(),
                "first": int(actions.first[kind]),
                "count": int(actions.first[kind + 1] - actions.first[kind]),
                "example": actions.names[actions.first[kind]],
            }
            for kind in actions.kinds
        ],
    }


def _choices(option: Option) -> Any:
    """A list, or the bounds of a range of integers."""
    if isinstance(option.choices, range):
        return {"min": option.choices[0], "max": option.choices[-1]}
    return list(option.choices)


def _overview(facts: list[dict[str, Any]]) -> Table:
    caption = "Observation sizes and mean steps are by number of players. `tradewinds games GAME` shows the details of a game."
    table = Table(box=box.SIMPLE, padding=(0, 1, 0, 0), pad_edge=False, show_edge=False, caption=caption, caption_justify="left")
    for heading in ("game", "players", "actions", "observation", "mean steps"):
        table.add_column(heading)
    table.add_column("options", max_width=OPTIONS_WIDTH)
    for game in facts:
        table.add_row(
            game["name"],
            f"{game['players'][0]} to {game['players'][-1]}",
            str(game["actions"]),
            " / ".join(map(str, game["observation_sizes"].values())),
            " / ".join(map(str, game["mean_steps"].values())),
            ", ".join(option["name"] for option in game["options"]),
        )
    return table


def _details(game: dict[str, Any]) -> list[Table]:
    rows = [
        ("players", f"{game['players'][0]} to {game['players'][-1]}, by default {game['default_players']}"),
        ("actions", str(game["actions"])),
        ("observation", f"{game['observation']} float32"),
        ("record", f"{game['record_bytes']} bytes"),
        ("scripted bot", "yes" if game["has_bot"] else "no"),
    ]
    if game["mean_steps"]:
        steps = ", ".join(f"{steps} with {players} players" for players, steps in game["mean_steps"].items())
        rows.append(("mean steps", f"{steps} (random legal play)"))
    return [
        _table(f"{game['name']} v{game['version']}: {game['title']}", ("fact", "with default options"), rows),
        _table(
            "Options",
            ("option", "default", "choices", "meaning"),
            [(o["name"], str(o["default"]), _listed(o["choices"]), o["text"]) for o in game["options"]],
        ),
        _table(
            "Observation: of 8 means divided by 8; who, which and one of are one-hot",
            ("part", "columns", "size", "meaning"),
            [(p["name"], f"{p['first']}:{p['first'] + p['size']}", str(p["size"]), p["text"]) for p in game["observation_parts"]],
        ),
        _table(
            "Actions",
            ("kind", "ids", "count", "the first of them"),
            [(k["name"], f"{k['first']}:{k['first'] + k['count']}", str(k["count"]), k["example"]) for k in game["action_kinds"]],
        ),
    ]


def _listed(choices: Any) -> str:
    return f"{choices['min']} to {choices['max']}" if isinstance(choices, dict) else ", ".join(map(str, choices))


def _table(title: str, headings: tuple[str, ...], rows: list[tuple[str, ...]]) -> Table:
    table = Table(title=title, title_justify="left")
    for heading in headings:
        table.add_column(heading)
    for row in rows:
        table.add_row(*row)
    return table
