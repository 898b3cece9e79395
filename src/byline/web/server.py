"""The HTTP server: it binds a port, answers, and ends cleanly on a signal."""

from __future__ import annotations

import contextlib
import errno
import logging
import signal
import socket
from collections.abc import Callable, Iterator
from types import FrameType
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp
from uvicorn.protocols.http.h11_impl import H11Protocol

from byline.errors import BylineError, UsageError
from byline.web.access_policy import AccessMiddleware, AccessPolicy
from byline.web.app_state import AppState
from byline.web.routes.exploration import ExplorationRoutes
from byline.web.routes.jobs import JobRoutes
from byline.web.routes.known_texts import KnownTextRoutes
from byline.web.routes.models import ModelRoutes
from byline.web.routes.questions import QuestionRoutes
from byline.web.routes.rolling import RollingRoutes
from byline.web.routes.verification import VerificationRoutes


def make_app(state: AppState, policy: AccessPolicy) -> ASGIApp:
    """Make the application.

    Parameters
    ----------
    state : AppState
    policy : AccessPolicy
    """
    questions, jobs = QuestionRoutes(state, policy), JobRoutes(state, policy)
    verification = VerificationRoutes(state, policy)
    exploration, rolling = ExplorationRoutes(state, policy), RollingRoutes(state, policy)
    known, models = KnownTextRoutes(state, policy), ModelRoutes(state, policy)
    get, post = ["GET"], ["POST"]
    routes = [
        Route("/", questions.show_form, methods=get),
        Route("/ask", questions.ask, methods=post),
        Route("/ask/samples", questions.ask_samples, methods=post),
        Route("/verify", verification.show_form, methods=get),
        Route("/verify", verification.verify, methods=post),
        Route("/verify/samples", verification.verify_samples, methods=post),
        Route("/explore", exploration.show_form, methods=get),
        Route("/explore", exploration.explore, methods=post),
        Route("/rolling", rolling.show_form, methods=get),
        Route("/rolling", rolling.roll, methods=post),
        Route("/rolling/sample", rolling.roll_sample, methods=post),
        Route("/jobs/{job}", jobs.show, methods=get),
        Route("/jobs/{job}/state", jobs.progress, methods=get),
        Route("/jobs/{job}/stop", jobs.stop, methods=post),
        Route("/jobs/{job}/report.html", jobs.report, methods=get),
        Route("/known", known.show_texts, methods=get),
        Route("/known/add", known.add, methods=post),
        Route("/known/remove", known.remove, methods=post),
        Route("/known/check", known.check, methods=post),
        Route("/known/train", known.train, methods=post),
        Route("/model", models.show_models, methods=get),
        Route("/model", models.choose, methods=post),
        Route("/model/remove", models.remove, methods=post),
        Route("/model/download", models.download, methods=get),
        Route("/evaluation", models.evaluation, methods=get),
        Route("/static/{name}", questions.static, methods=get),
    ]

    async def on_http_error(request: Request, error: Exception) -> Response:
        status = error.status_code if isinstance(error, HTTPException) else 500
        return await questions.problem(request, status)

    async def on_error(request: Request, error: Exception) -> Response:
        return await questions.failed(request, error)

    async def on_departure(request: Request, error: Exception) -> Response:
        return Response(status_code=400)  # the browser has gone, so nobody receives it

    app = Starlette(
        routes=routes,
        exception_handlers={
            HTTPException: on_http_error,
            ClientDisconnect: on_departure,
            BylineError: on_error,
            OSError: on_error,
            MemoryError: on_error,
            Exception: on_error,
        },
    )
    app.router.redirect_slashes = False
    return AccessMiddleware(app, policy, state.on_defect)


BACKLOG = 128
MAX_CONNECTIONS = 200
MAX_HEADER_BYTES = 32 * 2**10
SECONDS_FOR_HEADERS = 10.0
SECONDS_KEPT_ALIVE = 15
SECONDS_TO_END = 2


def bind(host: str, port: int) -> tuple[socket.socket, AccessPolicy]:
    """Bind a port, and make the policy with a new token.

    Parameters
    ----------
    host : str
    port : int
        0 means any free port.

    Raises
    ------
    UsageError
        The port is in use, or the address does not belong to this machine.
    """
    try:
        [(family, kind, protocol, _, address), *_] = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )
        listening = socket.socket(family, kind, protocol)
    except OSError as error:
        raise UsageError(f"--host {host}: {error.strerror}; the default is 127.0.0.1") from error
    try:
        if hasattr(
            socket, "SO_EXCLUSIVEADDRUSE"
        ):  # Windows, where another program could share the port
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_EXCLUSIVEADDRUSE, 1)
        else:
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind(address)
        listening.listen(BACKLOG)
    except OSError as error:
        listening.close()
        raise UsageError(_bind_message(host, port, error)) from error
    return listening, AccessPolicy(host, listening.getsockname()[1])


def _bind_message(host: str, port: int, error: OSError) -> str:
    if error.errno == errno.EADDRINUSE:
        return (
            f"port {port} is in use, perhaps by another `byline serve`; choose another with "
            "--port, or --port 0 for any free port"
        )
    if error.errno == errno.EACCES:
        return f"port {port} may not be used; choose one from 1024 with --port"
    return f"--host {host} --port {port}: {error.strerror}; the default host is 127.0.0.1"


def run_server(app: ASGIApp, listening: socket.socket, on_start: Callable[[], None]) -> None:
    """Answer requests until a signal ends the process (SIGINT, SIGTERM or SIGHUP).

    Parameters
    ----------
    app : ASGIApp
    listening : socket
        As `bind` returned it.
    on_start : callable
        Called as soon as the server answers.
    """
    for name in ("asyncio", "python_multipart", "uvicorn"):  # their messages may quote a request
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
        limit_concurrency=MAX_CONNECTIONS,
        h11_max_incomplete_event_size=MAX_HEADER_BYTES,
        timeout_keep_alive=SECONDS_KEPT_ALIVE,
        timeout_graceful_shutdown=SECONDS_TO_END,
    )
    _Server(config, on_start).run(sockets=[listening])


class _Server(uvicorn.Server):
    """A server that ends normally on a signal, which is not raised again afterwards."""

    def __init__(self, config: uvicorn.Config, on_start: Callable[[], None]) -> None:
        super().__init__(config)
        self._on_start = on_start

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self._on_start()

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Treat signals as requests to end while the server runs."""
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
    """HTTP that does not wait for the headers of a request without a limit."""

    _was_silent = False
    _check: Any = None

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self._check = self.loop.call_later(SECONDS_FOR_HEADERS, self._close_if_silent)

    def connection_lost(self, exc: Exception | None) -> None:
        self._check.cancel()
        super().connection_lost(exc)

    def _close_if_silent(self) -> None:
        """Close a connection that has sent no complete headers since the last check."""
        is_first = self.cycle is None
        has_begun = bool(self.conn.trailing_data[0])
        is_silent = is_first or (self.cycle.response_complete and has_begun)
        if is_silent and (is_first or self._was_silent):
            self.transport.close()
            return
        self._was_silent = is_silent
        self._check = self.loop.call_later(SECONDS_FOR_HEADERS, self._close_if_silent)
