"""`tradewinds web`: play, watch and analyse in the browser."""

import contextlib
import importlib.util
import os
import socket
import sys
import webbrowser
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

from tradewinds.envs.core.api.optional import how_to_install

from .output import BadInputError, Output, check_games, find_own_agents

if TYPE_CHECKING:
    from tradewinds.web.server import Server

PORT = 8000
TRIED_PORTS = 50
LOCAL = ("127.0.0.1", "localhost", "::1")


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("web")(web)


def web(
    what: Annotated[str | None, typer.Argument(metavar="[GAME | FILE]", help="Open a new game of this name, or this replay.")] = None,
    port: Annotated[int, typer.Option(min=1, max=65535, help="The port; if it is taken, the next free one.")] = PORT,
    host: Annotated[str, typer.Option(help="The address to listen on; the default can be reached from this computer only.")] = LOCAL[0],
    allow_host: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="A name under which browsers may address the server; may be repeated.")
    ] = None,
    agent: Annotated[
        list[str] | None, typer.Option(metavar="CODE", help="An agent that may be chosen on the page, besides the usual; may be repeated.")
    ] = None,
    runs: Annotated[Path, typer.Option(metavar="FOLDER", help="Where replays, runs and tournaments are.")] = Path("runs"),
    games: Annotated[int, typer.Option(min=1, max=1000, help="How many games may run at the same time.")] = 16,
    hint: Annotated[str, typer.Option(metavar="AGENT", help="The agent whose advice the button gives.")] = "scripted",
    no_browser: Annotated[bool, typer.Option("--no-browser", help="Only print the address.")] = False,
) -> int:
    """Play, watch and analyse in the browser. Prints one address; Ctrl-C saves all games and ends."""
    for name in ("starlette", "uvicorn"):
        if importlib.util.find_spec(name) is None:
            raise BadInputError(f"the web pages need {name}: {how_to_install('web')}")
    import tradewinds.envs as tw
    from tradewinds.web.app import create_app
    from tradewinds.web.preload import preload
    from tradewinds.web.server import Server, Settings
    from tradewinds.web.serving import serve

    if host not in LOCAL and not allow_host:
        raise BadInputError(
            f"--host {host} opens the server to other computers: also give --allow-host NAME, the name they will use for it"
        )
    find_own_agents(*(agent or []), hint)
    names = (*Settings.hosts, *(allow_host or []))
    agents, hint = [_usable("--agent", code) for code in agent or []], _usable("--hint", hint)
    server = Server(Settings(runs=runs, agents=agents, hosts=names, max_games=games, hint=hint))
    app, to = create_app(server), _opened(what, server)  # what takes time, before the address is printed
    listening = _listen(host, port)
    shown = f"[{host}]" if ":" in host else host
    address = f"http://{allow_host[0] if allow_host else shown}:{listening.getsockname()[1]}/?token={server.token}{to}"
    notes = Output(None).notes
    if listening.getsockname()[1] != port:
        notes.print(f"tradewinds: port {port} is taken", soft_wrap=True)
    if host not in LOCAL:
        notes.print(f"tradewinds: warning: the server listens at {host}, without encryption; whoever has this address can use it")
    print(f"Open {address}", flush=True)
    print("Ctrl-C saves all games and ends.", flush=True)
    preload(server, [what] if what in tw.games() else [])
    if not no_browser:
        webbrowser.open(address)
    with contextlib.suppress(KeyboardInterrupt):  # before the server handles the signal itself
        serve(app, server, listening)
    _end()


def _usable(option: str, code: str) -> str:
    """An agent's code that is known, as it can be kept with a game."""
    from tradewinds.agents.registry import AgentError, check_code, with_absolute_paths

    try:
        check_code(code)
    except AgentError as error:
        raise BadInputError(f"{option}: {error}") from None
    return with_absolute_paths(code)


def _opened(what: str | None, server: "Server") -> str:
    """The end of the address that opens a game or a replay."""
    from tradewinds.web.server import replay_id

    if what is None:
        return ""
    if what.endswith(".jsonl") or Path(what).is_file():
        path = Path(what)
        if not path.is_file():
            raise BadInputError(f"{what}: there is no such file")
        server.extra_replays.append(path)
        return f"&to=/replay/{replay_id(path)}"
    check_games([what])
    return f"&to=/?game={what}"


def _listen(host: str, port: int) -> socket.socket:
    """A socket at this port or, if it is taken, at the next free one."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    for number in range(port, min(port + TRIED_PORTS, 65536)):
        found = socket.socket(family, socket.SOCK_STREAM)
        if sys.platform != "win32":  # there it would let two servers share a port
            found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            found.bind((host, number))
            found.listen(128)  # bound but not listening, a port could still be taken by another server
        except OSError as error:
            found.close()
            if isinstance(error, socket.gaierror) or error.errno not in (98, 48, 10048, 13):
                raise BadInputError(f"--host {host}: {error.strerror}") from None
        else:
            return found
    raise BadInputError(f"--port {port}: no port from {port} to {number} is free")


def _end() -> NoReturn:
    """End the process after Ctrl-C or SIGTERM."""
    sys.stdout.flush()
    sys.stderr.flush()
    # All games are saved, and processes of agents end with this one. A search or a compilation in a thread would keep it alive, and the
    # regular end of an interpreter with compiled kernels in it takes seconds on a busy computer.
    os._exit(0)
