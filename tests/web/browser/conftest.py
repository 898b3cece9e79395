"""The page in headless Chromium: `byline serve` in a process of its own, and windows on it."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

playwright = pytest.importorskip("playwright.sync_api")
pytest.importorskip("uvicorn")

WORDS = {
    "ada": "the engine weaves numbers like any loom weaves leaves and then will compose",
    "ben": "our ship sails north when winds turn cold and every sailor counts his rope",
    "cara": "my garden grows slowly but all roses bloom after rain falls softly over them",
}
KNOWN = ("ada", "ben")
SECONDS = 60_000  # milliseconds to wait for a result, on a busy machine


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    folder = __file__.removesuffix("conftest.py")
    for item in items:
        if str(item.path).startswith(folder):
            item.add_marker("processes")


def _sentences(author: str, n: int, seed: int) -> str:
    """Make ``n`` sentences of an invented author's favourite words."""
    rng = np.random.default_rng([seed, ord(author[0])])
    chosen = [rng.choice(WORDS[author].split(), size=8) for _ in range(n)]
    return " ".join(" ".join(words).capitalize() + "." for words in chosen)


@pytest.fixture(scope="session")
def sentences() -> Callable[[str, int, int], str]:
    """Make so many sentences of an author's favourite words, from a seed."""
    return _sentences


@pytest.fixture(scope="session")
def known(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of two authors with twelve texts each, enough for calibrated probabilities."""
    folder = tmp_path_factory.mktemp("known")
    for author in KNOWN:
        (folder / author).mkdir()
        for number in range(12):
            text = _sentences(author, 40, number)
            (folder / author / f"{number}.txt").write_text(text, encoding="utf-8")
    return folder


@pytest.fixture(scope="session")
def model(programs: Path, known: Path) -> Path:
    """A stack of the two authors."""
    path = known.parent / f"{known.name}.byline"
    _byline(programs, "train", known, "-o", path)
    return path


def _byline(programs: Path, *arguments: str | Path) -> None:
    command = [str(programs / "python"), "-m", "byline", *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr


@pytest.fixture(scope="session")
def address(programs: Path, model: Path, known: Path) -> Iterator[str]:
    """Address of a page that is served while tests run: ``http://127.0.0.1:PORT/?token=...``."""
    python = str(programs / "python")
    command = [python, "-m", "byline", "serve", str(model), "--known", str(known)]
    served = subprocess.Popen([*command, "--port", "0"], stdout=subprocess.PIPE, text=True)
    try:
        yield _address(served)
    finally:
        served.terminate()
        served.wait(timeout=30)
        assert served.stdout is not None
        served.stdout.close()


def _address(served: subprocess.Popen[str]) -> str:
    assert served.stdout is not None
    said = ""
    for line in served.stdout:
        said += line
        if found := re.search(r"http://127\.0\.0\.1:\d+/\?token=\S+", line):
            return found[0]
    raise AssertionError(f"the server printed no address: {said}")


@dataclass
class Window:
    """A window in its own browser context, with its requests and its error messages."""

    page: Any
    address: str
    requests: list[str]
    messages: list[str]

    def note(self, said: Any) -> None:
        """Note a message of the browser, unless it is about a refused form."""
        refused = said.text.startswith("Failed to load resource: the server responded")
        if not refused or "/static/" in said.location["url"]:
            self.messages.append(said.text)

    def open(self, path: str = "/") -> None:
        """Go to a page."""
        self.page.goto(self.address.partition("/?")[0] + path)

    def ask(self, text: str) -> None:
        """Paste a text on the first page, and ask who wrote it."""
        self.page.get_by_label("The text", exact=True).fill(text)
        self.page.get_by_role("button", name="Ask who wrote it").click()

    def read(self, words: str) -> str:
        """Wait for a page with a heading, to its end, and return the text of the page."""
        heading = re.compile(f"{re.escape(words)}|This failed")
        self.page.get_by_role("heading", name=heading).first.wait_for(timeout=SECONDS)
        self.page.wait_for_load_state()  # what is below a heading comes later than the heading
        said = str(self.page.inner_text("main"))
        assert words in said
        return said

    def wait_for_focus(self, name: str) -> None:
        """Wait until the element with an id has the focus, which it gets after it is visible."""
        playwright.expect(self.page.locator(f"#{name}")).to_be_focused(timeout=SECONDS)


@pytest.fixture
def open_window(browser: Any, address: str) -> Iterator[Callable[..., Window]]:
    """Open independent windows, and check at the end that none has error messages."""
    windows: list[Window] = []

    def open_one(**options: Any) -> Window:
        page = browser.new_context(**options).new_page()
        window = Window(page, address, [], [])
        page.on("request", lambda request: window.requests.append(request.url))
        page.on("console", window.note)
        page.on("pageerror", lambda error: window.messages.append(str(error)))
        windows.append(window)
        page.goto(address)  # with the token, which becomes a cookie
        return window

    yield open_one
    for window in windows:
        window.page.context.close()
    assert [message for window in windows for message in window.messages] == []


@pytest.fixture
def window(open_window: Callable[..., Window]) -> Window:
    """One window, on the first page."""
    return open_window()
