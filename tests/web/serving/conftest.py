from __future__ import annotations

import contextlib
import http.client
import json
import os
import re
import secrets
import signal
import subprocess
import sys
import time
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("uvicorn")

from byline.attribution import AuthorshipAttributor, StackedAttributor, save_attributor
from byline.attribution.stacking import default_base_classifiers
from byline.lm import NgramLM


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    folder = __file__.removesuffix("conftest.py")
    for item in items:
        if str(item.path).startswith(folder):
            item.add_marker("processes")


ADA = "the engine weaves numbers like any loom weaves leaves and then will compose"
BEN = "our ship sails north when winds turn cold and every sailor counts his rope"
WORDS = {"ada": ADA.split(), "ben": BEN.split()}
WORDS["cay"] = WORDS["ada"][::2] + WORDS["ben"][::2]  # which models of the others know
SECONDS = 60.0

File = tuple[str, str, bytes]  # field, file name, content


def write_sentences(author: str, n: int, seed: int) -> str:
    """Make ``n`` sentences of an invented author's favourite words."""
    rng = np.random.default_rng([seed, ord(author[0])])
    chosen = [rng.choice(WORDS[author], size=8) for _ in range(n)]
    return " ".join(" ".join(words).capitalize() + "." for words in chosen)


@dataclass(frozen=True)
class Answer:
    """A response of the server."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def text(self) -> str:
        return self.body.decode()

    @property
    def job(self) -> str:
        """The job that was started."""
        assert self.status == 303, self.text
        return self.headers["location"].removeprefix("/jobs/")


@dataclass
class Page:
    """A server in its own process, and a client for it."""

    process: subprocess.Popen[str]
    port: int
    query: str
    host: str = "127.0.0.1"
    cookie: str = ""
    lines: list[str] = field(default_factory=list)

    @property
    def pid(self) -> int:
        """The number of the server's process, which may be a copy (see `programs`)."""
        of_copy = Path(str(self.process.args[0])).with_name(str(self.process.pid))  # type: ignore[index]
        return int(of_copy.read_text()) if of_copy.exists() else self.process.pid

    @property
    def token(self) -> str:
        """The token in the address that was printed."""
        return self.query.removeprefix("?token=")

    @property
    def origin(self) -> str:
        return f"http://{self.host}:{self.port}"

    def ask(
        self,
        method: str,
        path: str,
        body: bytes | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> Answer:
        """Ask with exactly these headers, and what HTTP itself needs."""
        connection = http.client.HTTPConnection(self.host, self.port, timeout=SECONDS)
        connection.request(method, path, body, dict(headers or {}))
        response = connection.getresponse()
        names = {name.lower(): value for name, value in response.getheaders()}
        answer = Answer(response.status, names, response.read())
        connection.close()
        return answer

    def get(self, path: str, **headers: str) -> Answer:
        return self.ask("GET", path, headers=self._own(headers))

    def post(self, path: str, fields: Mapping[str, str] | None = None, **headers: str) -> Answer:
        from urllib.parse import urlencode

        body = urlencode(fields or {}).encode()
        kind = {"Content-Type": "application/x-www-form-urlencoded"}
        return self.ask("POST", path, body, self._own({"Origin": self.origin} | kind | headers))

    def send(
        self, path: str, fields: Mapping[str, str] | None = None, files: Sequence[File] = ()
    ) -> Answer:
        """Send a form with files, as a browser does."""
        body, kind = multipart(fields or {}, files)
        return self.ask(
            "POST", path, body, self._own({"Origin": self.origin, "Content-Type": kind})
        )

    def state(self, job: str) -> dict[str, Any]:
        """How far a job is."""
        state: dict[str, Any] = json.loads(self.get(f"/jobs/{job}/state").body)
        return state

    def wait(self, job: str, *states: str) -> dict[str, Any]:
        """Wait until a job is in one of these states, or over."""
        until = time.monotonic() + SECONDS
        while time.monotonic() < until:
            state = self.state(job)
            if state["state"] in (states or ("done", "failed", "stopped")):
                return state
            time.sleep(0.05)
        raise AssertionError(f"{job} is {state} after {SECONDS} s")

    def done(self, answer: Answer) -> Answer:
        """Wait until the job that was begun is done; return its page."""
        assert self.wait(answer.job)["state"] == "done", self.get(f"/jobs/{answer.job}").text
        shown = self.get(f"/jobs/{answer.job}")
        return self.get(shown.headers["location"]) if shown.status == 303 else shown

    def end(self, number: int = signal.SIGINT) -> tuple[int, str]:
        """End the page by a signal; return its exit code, and what it printed in the end."""
        self.process.send_signal(number)
        out, err = self.process.communicate(timeout=SECONDS)
        return self.process.returncode, out + err

    def kill(self) -> None:
        """Kill the server."""
        os.kill(self.pid, signal.SIGKILL)
        self.process.wait()

    def children(self) -> list[int]:
        """Processes that the page has started."""
        command = ["ps", "-o", "pid=", "--ppid", str(self.pid)]
        listed = subprocess.run(command, capture_output=True, text=True, check=False)
        return list(map(int, listed.stdout.split()))

    def _own(self, headers: Mapping[str, str]) -> dict[str, str]:
        cookie = {"Cookie": self.cookie} if self.cookie else {}
        return cookie | {name.replace("_", "-"): value for name, value in headers.items()}


def multipart(fields: Mapping[str, str], files: Sequence[File] = ()) -> tuple[bytes, str]:
    """Write a form as a browser does; return it with its content type."""
    boundary = secrets.token_hex(16)
    parts = [
        f'--{boundary}\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'.encode()
        for name, value in fields.items()
    ]
    for name, file_name, content in files:
        disposition = f'form-data; name="{name}"; filename="{file_name}"'
        head = f"--{boundary}\r\nContent-Disposition: {disposition}\r\n"
        parts.append(f"{head}Content-Type: text/plain\r\n\r\n".encode() + content + b"\r\n")
    parts.append(f"--{boundary}--\r\n".encode())
    return b"".join(parts), f"multipart/form-data; boundary={boundary}"


def start(
    *arguments: str | Path, python: Path, cwd: Path, env: Mapping[str, str] | None = None
) -> Page:
    """Start a page on any free port, and wait until it answers."""
    command = [str(python), "-m", "byline", "serve", *map(str, arguments), "--port", "0"]
    process = subprocess.Popen(
        command,
        cwd=cwd,
        env={**os.environ, **(env or {})},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    line = process.stdout.readline()
    found = re.search(r"http://[^/]+:(\d+)/(\S*)", line)
    assert found, line + "".join(process.communicate())
    page = Page(process, int(found[1]), found[2], lines=[line])
    page.cookie = f"byline-{page.port}={page.token}"
    return page


Start = Callable[..., Page]


@pytest.fixture(scope="session")
def known(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of two authors with twelve texts each."""
    folder = tmp_path_factory.mktemp("texts") / "letters"
    for author in ("ada", "ben"):
        (folder / author).mkdir(parents=True)
        for number in range(12):
            text = write_sentences(author, 12, number)
            (folder / author / f"{number}.txt").write_text(text, encoding="utf-8")
    return folder


@pytest.fixture(scope="session")
def texts() -> tuple[list[str], list[str], list[str]]:
    """The same texts, their authors and works, as `byline.corpus.read_corpus` returns them."""
    authors = [author for author in ("ada", "ben") for _ in range(12)]
    numbers = [number for _ in range(2) for number in sorted(range(12), key=str)]
    pairs = list(zip(authors, numbers, strict=True))
    return (
        [write_sentences(author, 12, number) for author, number in pairs],
        authors,
        [f"{author}/{number}.txt" for author, number in pairs],
    )


@pytest.fixture(scope="session")
def stack(
    tmp_path_factory: pytest.TempPathFactory, texts: tuple[list[str], list[str], list[str]]
) -> Path:
    """A stacked model of them."""
    path = tmp_path_factory.mktemp("stack") / "stack.byline"
    members = default_base_classifiers(AuthorshipAttributor(NgramLM(order=2)), random_state=0)
    with warnings.catch_warnings(action="ignore"):  # so little text is there
        fitted = StackedAttributor(members).fit(texts[0], texts[1], groups=texts[2])
    save_attributor(fitted, path)
    return path


@pytest.fixture(scope="session")
def language_models(
    tmp_path_factory: pytest.TempPathFactory, texts: tuple[list[str], list[str], list[str]]
) -> Path:
    """Language models of them, to which authors can be added."""
    path = tmp_path_factory.mktemp("models") / "models.byline"
    with warnings.catch_warnings(action="ignore"):
        fitted = AuthorshipAttributor(NgramLM(order=2)).fit(texts[0], texts[1])
    save_attributor(fitted, path)
    return path


@contextlib.contextmanager
def _starting(python: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Start]:
    """Start pages by this program, and end them all."""
    pages: list[Page] = []

    def begin(*arguments: str | Path, **named: Any) -> Page:
        cwd = tmp_path_factory.mktemp("cwd")
        pages.append(start(*arguments, **({"python": python, "cwd": cwd} | named)))
        return pages[-1]

    yield begin
    for page in pages:
        page.process.send_signal(signal.SIGINT)
    for page in pages:
        page.process.communicate(timeout=SECONDS)


@pytest.fixture(scope="module")
def serve(programs: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Start]:
    """Start pages that end with the module, in copies of a process that has imported all."""
    with _starting(programs / "python", tmp_path_factory) as begin:
        yield begin


@pytest.fixture(scope="module")
def serve_afresh(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Start]:
    """Start pages that end with the module, for tests of the processes themselves."""
    with _starting(Path(sys.executable), tmp_path_factory) as begin:
        yield begin


@pytest.fixture(scope="module")
def page(serve: Start, stack: Path, known: Path) -> Page:
    """A page of the stack and its known texts."""
    return serve(stack, "--known", known)


@pytest.fixture
def lm_page(serve: Start, language_models: Path) -> Page:
    """A new page of language models alone."""
    return serve(language_models)


@pytest.fixture(scope="session")
def sentences() -> Callable[[str, int, int], str]:
    """Make so many sentences of an author's favourite words, from a seed."""
    return write_sentences
