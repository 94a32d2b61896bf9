"""`tradewinds games`: what can be played."""

from typing import Annotated, Any

import typer
from rich.table import Table

from .output import JsonOption, Output, check_games


def register(app: typer.Typer) -> None:
    app.command("games")(games)


def games(
    names: Annotated[list[str] | None, typer.Argument(metavar="GAME", help="The games to show; all if none is named.")] = None,
    json_to: JsonOption = None,
) -> None:
    """List the games, with their players and options."""
    chosen = check_games(names or [])
    output = Output(json_to)
    facts = [_facts(name) for name in chosen]
    for game in facts:
        output.tables.print(_table(game))
    output.give({"games": facts})


def _facts(name: str) -> dict[str, Any]:
    import tradewinds.envs as tw

    game = tw.game(name)
    variant = game.with_options()
    options = {option.name: option for option in game.options}
    return {
        "name": name,
        "title": game.title,
        "version": game.version,
        "players": list(options["players"].choices),
        "default_players": options["players"].default,
        "actions": len(game.actions),
        "observation": variant.layout.size,
        "record_bytes": game.fields.dtype.itemsize,
        "options": [
            {"name": option.name, "default": option.default, "choices": list(option.choices), "text": option.text}
            for option in game.options
        ],
    }


def _table(game: dict[str, Any]) -> Table:
    players = game["players"]
    title = f"{game['name']}: {game['title']}, {players[0]} to {players[-1]} players"
    sizes = f"{game['actions']} actions, {game['observation']} numbers in an observation, {game['record_bytes']} bytes a game"
    table = Table(title=title, caption=f"{sizes} (default options)", title_justify="left", caption_justify="left")
    table.add_column("option")
    table.add_column("default")
    table.add_column("choices")
    table.add_column("meaning")
    for option in game["options"]:
        choices = ", ".join(map(str, option["choices"]))
        table.add_row(option["name"], str(option["default"]), choices, option["text"])
    return table
