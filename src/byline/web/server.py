"""The page's server: binds, answers, and ends cleanly when it is told to."""

from __future__ import annotations

import contextlib
import errno
import logging
import secrets
import signal
import socket
from collections.abc import Callable, Iterator
from types import FrameType
from typing import Any

import uvicorn
from starlette.types import ASGIApp
from uvicorn.protocols.http.h11_impl import H11Protocol

from byline.errors import UsageError
from byline.web.access_policy import LOCAL, AccessPolicy

BACKLOG = 128
MOST_CONNECTIONS = 200
MOST_HEADER_BYTES = 32 * 2**10
SECONDS_OF_HEADERS = 10.0
SECONDS_KEPT_ALIVE = 15
SECONDS_TO_END = 2


def bind(host: str, port: int) -> tuple[socket.socket, AccessPolicy]:
    """Take a port; where other machines can reach it, a token is needed there.

    Parameters
    ----------
    host : str
    port : int
        0 is any that is free.

    Raises
    ------
    UsageError
        The port is taken, or the address is none of this machine's.
    """
    try:
        [(family, kind, protocol, _, address), *_] = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )
        listening = socket.socket(family, kind, protocol)
    except OSError as error:
        raise UsageError(f"--host {host}: {error.strerror}; 127.0.0.1 is usual") from error
    try:
        if hasattr(socket, "SO_EXCLUSIVEADDRUSE"):  # Windows, where the other would share the port
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_EXCLUSIVEADDRUSE, 1)
        else:
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind(address)
        listening.listen(BACKLOG)
    except OSError as error:
        listening.close()
        raise UsageError(_unbound(host, port, error)) from error
    token = None if host in LOCAL else secrets.token_urlsafe(24)
    return listening, AccessPolicy(host, listening.getsockname()[1], token)


def _unbound(host: str, port: int, error: OSError) -> str:
    if error.errno == errno.EADDRINUSE:
        return (
            f"the port {port} is taken, maybe by another `byline serve`; name another with --port, "
            "or --port 0 for any that is free"
        )
    if error.errno == errno.EACCES:
        return f"the port {port} may not be used; name one from 1024 on with --port"
    return f"--host {host} --port {port}: {error.strerror}; 127.0.0.1 is usual"


def serve(app: ASGIApp, listening: socket.socket, on_begun: Callable[[], None]) -> None:
    """Answer until the process is told to end (SIGINT, SIGTERM, SIGHUP).

    Parameters
    ----------
    app : ASGIApp
    listening : socket
        As `bind` returned it.
    on_begun : callable
        Called once the page answers.
    """
    for name in ("asyncio", "python_multipart", "uvicorn"):  # what these say may quote a request
        logging.getLogger(name).addHandler(logging.NullHandler())
        logging.getLogger(name).propagate = False
    config = uvicorn.Config(
        app,
        http=_Protocol,
        ws="none",
        lifespan="off",
        log_config=None,
        access_log=False,
        proxy_headers=False,
        server_header=False,
        limit_concurrency=MOST_CONNECTIONS,
        h11_max_incomplete_event_size=MOST_HEADER_BYTES,
        timeout_keep_alive=SECONDS_KEPT_ALIVE,
        timeout_graceful_shutdown=SECONDS_TO_END,
    )
    _Server(config, on_begun).run(sockets=[listening])


class _Server(uvicorn.Server):
    """A server for which a signal is the usual end: none is raised again afterwards."""

    def __init__(self, config: uvicorn.Config, on_begun: Callable[[], None]) -> None:
        super().__init__(config)
        self._on_begun = on_begun

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self._on_begun()

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Take signals as the wish to end, as long as the server runs."""
        names = ("SIGINT", "SIGTERM", "SIGHUP")
        signals = [getattr(signal, name) for name in names if hasattr(signal, name)]
        before = {each: signal.signal(each, self._on_signal) for each in signals}
        try:
            yield
        finally:
            for each, handler in before.items():
                signal.signal(each, handler)

    def _on_signal(self, number: int, frame: FrameType | None) -> None:
        self.force_exit = self.should_exit
        self.should_exit = True


class _Protocol(H11Protocol):
    """HTTP that does not wait for ever for the headers of a request."""

    _was_silent = False
    _look: Any = None

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self._look = self.loop.call_later(SECONDS_OF_HEADERS, self._close_if_silent)

    def connection_lost(self, exc: Exception | None) -> None:
        self._look.cancel()
        super().connection_lost(exc)

    def _close_if_silent(self) -> None:
        """Close a connection whose headers were begun, or awaited, a whole turn ago."""
        is_first = self.cycle is None
        begun = bool(self.conn.trailing_data[0])
        is_silent = is_first or (self.cycle.response_complete and begun)
        if is_silent and (is_first or self._was_silent):
            self.transport.close()
            return
        self._was_silent = is_silent
        self._look = self.loop.call_later(SECONDS_OF_HEADERS, self._close_if_silent)
