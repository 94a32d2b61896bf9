"""`tradewinds dataset`: decisions of agents for offline learning."""

from pathlib import Path
from typing import Annotated

import typer

from . import match_options as c
from .output import BadInputError, JsonOption, Output, check_writable


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("dataset")(dataset)


def dataset(
    game: Annotated[str, typer.Argument(metavar="GAME", help="The game to play.")],
    agent: Annotated[str, typer.Option(help="One agent for all seats, or one per seat with commas.")],
    games: Annotated[int, typer.Option(help="Games to play.")] = 100,
    to: Annotated[Path | None, typer.Option(metavar="FILE", help="A .npz or .parquet file with one row per decision.")] = None,
    minari: Annotated[str | None, typer.Option(metavar="ID", help="A Minari dataset, such as tradewinds/GAME/scripted-v0.")] = None,
    players: c.PlayersOption = None,
    seed: c.SeedOption = 0,
    option: c.GameOption = None,
    json_to: JsonOption = None,
) -> None:
    """Let agents play, and keep every decision: observation, mask, action, seat and return."""
    from tradewinds.agents.llm import LLMError
    from tradewinds.envs.core.api.optional import MissingExtraError, need
    from tradewinds.training.datasets import FORMATS, check_minari_id, collect

    if to is None and minari is None:
        raise BadInputError("name a file with --to or a Minari dataset with --minari")
    if to is not None and to.suffix not in FORMATS:
        raise BadInputError(f"--to {to}: the name must end in {' or '.join(FORMATS)}")
    options = c.game_options(game, option or [], players)
    try:  # before a long run, not after it
        if minari is not None:
            check_minari_id(minari)
        if to is not None and to.suffix == ".parquet":
            need("a parquet file", "data", "pyarrow")
    except (MissingExtraError, ValueError) as error:
        raise BadInputError(str(error)) from None
    check_writable("--to", to)
    output = Output(json_to)
    codes = [code.strip() for code in agent.split(",")]
    try:
        table = collect(game, codes[0] if len(codes) == 1 else codes, games, seed, **options)
        if to is not None:
            table.save(to)
        if minari is not None:
            table.to_minari(minari)
    except (ValueError, OSError, LLMError) as error:
        raise BadInputError(str(error)) from None
    where = " and ".join(str(target) for target in (to, minari) if target is not None)
    output.tables.print(f"{len(table):,} decisions of {games:,} games: {where}")
    output.give({**table.provenance, "file": None if to is None else str(to), "minari": minari})
