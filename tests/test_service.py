"""The example of a service answers many requests at once, as a direct call does."""

from __future__ import annotations

import asyncio
import http.client
import importlib.util
import json
import socket
import sys
import threading
import time
import warnings
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

pytest.importorskip("uvicorn")

import uvicorn
from starlette.requests import Request

import byline
from byline.answering import answer
from byline.attribution import save_attributor
from byline.errors import BylineWarning

pytestmark = pytest.mark.processes

FOLDER = Path(__file__).resolve().parents[1] / "examples" / "service"
WORDS = {
    "ada": "the engine weaves numbers like any loom weaves leaves and then will compose",
    "ben": "our ship sails north when winds turn cold and every sailor counts his rope",
}
SECONDS = 60.0


def _text(author: str, seed: int) -> str:
    rng = np.random.default_rng([seed, ord(author[0])])
    chosen = [rng.choice(WORDS[author].split(), size=8) for _ in range(40)]
    return " ".join(" ".join(each).capitalize() + "." for each in chosen)


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("model") / "letters.byline"
    texts = [_text(author, seed) for author in WORDS for seed in range(4)]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", BylineWarning)  # of so little text
        authors = [author for author in WORDS for _ in range(4)]
        trained = byline.train(texts, authors, method="delta")
    save_attributor(trained, path)
    return path


@pytest.fixture(scope="module")
def module() -> Iterator[ModuleType]:
    path = FOLDER / "byline_service.py"
    spec = importlib.util.spec_from_file_location("byline_service", path)
    assert spec is not None
    assert spec.loader is not None
    loaded = importlib.util.module_from_spec(spec)
    sys.modules["byline_service"] = loaded
    spec.loader.exec_module(loaded)
    yield loaded
    del sys.modules["byline_service"]


@pytest.fixture(scope="module")
def port(model: Path, module: ModuleType) -> Iterator[int]:
    """The service, on a free port of this machine."""
    with socket.socket() as listening, pytest.MonkeyPatch.context() as patch:
        patch.setenv("BYLINE_MODEL", str(model))
        listening.bind(("127.0.0.1", 0))
        server = uvicorn.Server(uvicorn.Config(module.app, log_level="error"))
        thread = threading.Thread(target=server.run, args=([listening],))
        thread.start()
        until = time.monotonic() + SECONDS
        while not server.started and thread.is_alive() and time.monotonic() < until:
            time.sleep(0.01)
        assert server.started
        yield listening.getsockname()[1]
        server.should_exit = True
        thread.join(SECONDS)


def _send(port: int, body: bytes, path: str = "/attribute") -> tuple[int, Any]:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=SECONDS)
    connection.request("POST" if body else "GET", path, body)
    response = connection.getresponse()
    content = json.loads(response.read())
    connection.close()
    return response.status, content


def _ask(port: int, **document: Any) -> tuple[int, Any]:
    return _send(port, json.dumps(document).encode())


def test_twenty_requests_at_once_are_answered_as_by_a_direct_call(port: int, model: Path) -> None:
    texts = [_text(author, seed) for author in WORDS for seed in range(90, 100)]
    with ThreadPoolExecutor(len(texts)) as clients:
        answered = list(clients.map(lambda text: _ask(port, texts=[text]), texts))
    assert [status for status, _ in answered] == [200] * len(texts)
    loaded = byline.load(model)
    # One by one: many texts at once are added up in another order, which the last bit can show.
    direct = [answer(loaded, [text])[0] for text in texts]
    expected = [json.loads(json.dumps(each.to_dict())) for each in direct]
    assert [content["answers"] for _, content in answered] == [[each] for each in expected]
    assert {each["ranking"][0]["author"] for each in expected} == set(WORDS)
    assert all("caveats" in each and "provenance" in each for each in expected)


def test_the_service_states_its_model(port: int, model: Path) -> None:
    status, content = _send(port, b"", "/health")
    assert status == 200
    assert content["authors"] == ["ada", "ben"]
    assert content["model"] == model.name  # clients need not know its folder
    assert len(content["sha256"]) == 64


def test_bad_requests_are_refused_with_a_reason(port: int, module: ModuleType) -> None:
    for body, status, reason in (
        (b"{", 400, "the request is not JSON"),
        (b"[" * 100_000, 400, "the request is not JSON"),
        (b"[]", 400, 'send {"texts": [...]} with 1 to 20 texts'),
        (b'{"texts": []}', 400, 'send {"texts": [...]} with 1 to 20 texts'),
        (b'{"texts": [1]}', 400, "text 0 is a int, not a str"),
        (b'{"texts": ["a"], "open_set": true}', 400, "was not trained for open-set attribution"),
        (b'{"texts": ["a"], "open_set": "no"}', 400, '"open_set" must be true or false'),
        (b" " * (module.MAX_BYTES + 1), 413, "a request has at most 2,000,000 bytes"),
    ):
        answered, content = _send(port, body)
        assert (answered, reason in content["error"]) == (status, True), content
    status, content = _ask(port, texts=[""])
    assert content["answers"][0]["declined"] == "the text is empty"


def test_half_of_a_surrogate_pair_does_not_break_the_answer(port: int) -> None:
    status, content = _send(port, json.dumps({"texts": [f"{_text('ada', 90)} \ud800"]}).encode())
    assert status == 200
    assert content["answers"][0]["ranking"][0]["author"] == "ada"


def test_a_client_that_disconnects_is_not_an_error_of_the_service(module: ModuleType) -> None:
    messages: Iterator[dict[str, object]] = iter(
        [
            {"type": "http.request", "body": b'{"texts": [', "more_body": True},
            {"type": "http.disconnect"},
        ]
    )

    async def receive() -> dict[str, object]:
        return next(messages)

    request = Request({"type": "http", "method": "POST", "headers": []}, receive)
    # Another thread, because a browser of earlier tests keeps an event loop running in this one.
    with (
        ThreadPoolExecutor(1) as thread,
        pytest.raises(module.Refused, match="the request was cut off"),
    ):
        thread.submit(lambda: asyncio.run(module.read_request(request))).result()
