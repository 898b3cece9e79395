"""A web service that answers who wrote texts: one model in memory, answers as JSON.

Run it with ``BYLINE_MODEL=authors.byline uvicorn byline_service:app``.
"""

from __future__ import annotations

import json
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any

from anyio import CapacityLimiter
from anyio.to_thread import run_sync
from starlette.applications import Starlette
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

import byline
from byline.answering import Answer, answer
from byline.errors import BylineError, UsageError

MAX_BYTES = 2_000_000  # of one request
MAX_TEXTS = 20
AT_ONCE = 2  # answers that are computed at the same time; other requests wait


class Refused(Exception):  # noqa: N818  # it is not an error of the service
    """A request that is not answered, with the status that says why."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status


async def attribute(request: Request) -> Response:
    """Answer ``{"texts": [...]}`` with one answer per text, as ``Answer.to_dict`` returns it."""
    given = await read_request(request)
    # `to_dict` has the caveats. A service that leaves them out ships a careless answer.
    answers = await in_thread(request, partial(answer_as_dicts, request.app.state.model, given))
    return JSONResponse({"answers": answers})


async def health(request: Request) -> Response:
    """State which model is loaded."""
    source = request.app.state.model.source_file_
    authors = request.app.state.model.classes_.tolist()
    return JSONResponse(
        {"model": Path(source.name).name, "sha256": source.sha256, "authors": authors}
    )


def answer_as_dicts(model: Any, given: dict[str, Any]) -> list[dict[str, Any]]:
    """Answer, and convert the answers in the same thread: both take time."""
    found: list[Answer] = answer(model, given["texts"], open_set=given["open_set"])
    return [each.to_dict() for each in found]


async def in_thread(request: Request, work: Any) -> Any:
    """Run work in a thread, at most `AT_ONCE` at a time, so that the server can still reply."""
    return await run_sync(work, limiter=request.app.state.limiter)


async def read_request(request: Request) -> dict[str, Any]:
    """Read and check a request; do not trust its stated length."""
    body = bytearray()
    try:
        async for part in request.stream():
            body += part
            if len(body) > MAX_BYTES:
                raise Refused(413, f"a request has at most {MAX_BYTES:,} bytes; send fewer texts")
    except ClientDisconnect as error:  # no client reads the reply
        raise Refused(400, "the request was cut off") from error
    try:
        given = json.loads(body)
    except (ValueError, RecursionError) as error:  # the latter for thousands of brackets
        raise Refused(400, f"the request is not JSON: {error}") from error
    texts = given.get("texts") if isinstance(given, dict) else None
    if not isinstance(texts, list) or not 0 < len(texts) <= MAX_TEXTS:
        raise Refused(400, f'send {{"texts": [...]}} with 1 to {MAX_TEXTS} texts')
    open_set = given.get("open_set", False)
    if not isinstance(open_set, bool):
        raise Refused(400, '"open_set" must be true or false')
    return {"texts": texts, "open_set": open_set}


async def refuse(request: Request, error: Exception) -> Response:
    """State why a request is not answered."""
    status = error.status if isinstance(error, Refused) else 400
    return JSONResponse({"error": str(error)}, status)


@asynccontextmanager
async def lifespan(app: Starlette) -> AsyncIterator[None]:
    """Load the model once, before the first request."""
    path = os.environ.get("BYLINE_MODEL")
    if not path:
        raise UsageError("set BYLINE_MODEL to the path of a model that `byline train` wrote")
    app.state.model = byline.load(path)
    app.state.limiter = CapacityLimiter(AT_ONCE)
    yield


app = Starlette(
    routes=[Route("/attribute", attribute, methods=["POST"]), Route("/health", health)],
    exception_handlers={Refused: refuse, BylineError: refuse},
    lifespan=lifespan,
)
