"""The typer app with all commands. Errors become one line on stderr and an exit code."""

import sys
import warnings
from collections.abc import Sequence
from typing import Annotated, Any

import typer

import tradewinds as tw

from . import bench, benchmark, compile, dataset, evaluate, games, play, tournament, train, watch, web
from .output import BadInputError, one_line

USAGE_ERROR: type[Exception] = typer.BadParameter.__mro__[1]  # click's UsageError, which typer carries under changing names
FAILED, BAD_INPUT, INTERRUPTED = 1, 2, 130

app = typer.Typer(
    name="tradewinds",
    help="Trading board games as reinforcement-learning environments.",
    add_completion=False,
    pretty_exceptions_enable=False,
)


@app.callback(invoke_without_command=True)
def tradewinds(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Print the version and stop.")] = False,
) -> None:
    """Print the version or the help."""
    if version:
        typer.echo(tw.__version__)
        raise typer.Exit
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


for group in (games, play, watch, web, train, evaluate, tournament, benchmark, dataset, bench, compile):
    group.register(app)


def run(argv: Sequence[str] | None = None) -> int:
    """Run the command line; typer's own error handling is off, so that every bad input gives one line."""
    warnings.showwarning = _show_warning
    try:
        code = app(args=argv, prog_name="tradewinds", standalone_mode=False)
    except BadInputError as error:
        return _refuse(str(error))
    except USAGE_ERROR as error:
        return _refuse(error.format_message())  # type: ignore[attr-defined]
    except OSError as error:
        return _refuse(f"{error.filename or 'a file'}: {error.strerror or error}", FAILED)
    except (typer.Abort, KeyboardInterrupt):
        print("tradewinds: interrupted", file=sys.stderr)
        return INTERRUPTED
    return code if isinstance(code, int) else 0


def _show_warning(message: Warning | str, *_: Any, **__: Any) -> None:
    print(f"tradewinds: note: {one_line(str(message))}", file=sys.stderr)


def _refuse(message: str, code: int = BAD_INPUT) -> int:
    print(f"tradewinds: error: {one_line(message)}", file=sys.stderr)
    return code
