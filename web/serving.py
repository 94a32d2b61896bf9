"""Running the application, and ending it with open streams."""

import contextlib
import signal
import socket
from collections.abc import Iterator
from types import FrameType

import uvicorn
from starlette.applications import Starlette

from .server import Server


class Uvicorn(uvicorn.Server):
    """Ends streams on a signal, and does not raise it again: Ctrl-C is the regular way to stop."""

    def __init__(self, config: uvicorn.Config, server: Server) -> None:
        super().__init__(config)
        self.tables = server

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Handle Ctrl-C and SIGTERM."""
        earlier = {number: signal.signal(number, self.handle_exit) for number in (signal.SIGINT, signal.SIGTERM)}
        try:
            yield
        finally:
            for number, handler in earlier.items():
                signal.signal(number, handler)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Stop accepting requests, end all streams."""
        self.tables.end_streams()
        super().handle_exit(sig, frame)


def serve(app: Starlette, server: Server, listening: socket.socket) -> None:
    """Serve at this socket until a signal comes, then save all games."""
    # asyncio does it only for sockets made with IPPROTO_TCP; without it the end of an answer often waits 40 ms for the browser's
    # acknowledgement of its head. Connections inherit it.
    listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    config = uvicorn.Config(app, log_level="warning", access_log=False, server_header=False, timeout_graceful_shutdown=1, lifespan="on")
    try:
        Uvicorn(config, server).run(sockets=[listening])
    finally:
        server.stop()
