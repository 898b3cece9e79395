"""Names, paths and texts that are HTML stay text in every report, and nothing is fetched or run."""

from __future__ import annotations

import json
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from byline.report.html import SCRIPT_ELEMENT

Run = Callable[..., Any]
Sentences = Callable[[str, int, int], str]
TAG = "<x-pwned pwned=1>"
HOSTILE = {
    "ada": f"Ada\"'></style></title></svg>{TAG}<script>alert(1)</script>",
    "ben": f'[red]red[/red] Ben" onload="alert(2)" {{{{ 11111*11111 }}}} &lt;x-pwned&gt; {TAG}',
}
WORDS = ' "><x-pwned pwned=1> &amp; <script>alert(3)</script> {{ 11111*11111 }} </span>.'
FILE = f"letter\" onload='alert(4)' {TAG}.txt"
# Void elements need no end; all others must have one, in the right order.
VOID = {"meta", "br", "hr", "col", "wbr", "input"}
FORBIDDEN = {"script", "img", "iframe", "object", "embed", "link", "base", "form", "x-pwned"}
FETCHING = {"src", "srcset", "data", "action", "formaction", "background", "poster", "xlink:href"}


class Reader(HTMLParser):
    """Reads a report as a browser would, and notes what it must not have."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.faults: list[str] = []
        self.text: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in FORBIDDEN:
            self.faults.append(f"<{tag}>")
        for name, value in attrs:
            if name.startswith("on") or name == "pwned" or name in FETCHING:
                self.faults.append(f"{name} of <{tag}>")
            if name == "href" and not (value or "").startswith("#"):
                self.faults.append(f"a link to {value}")
            if name == "style" and ("url(" in (value or "") or "pwned" in (value or "")):
                self.faults.append(f"the style {value}")
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        if not self.open or self.open.pop() != tag:
            self.faults.append(f"a </{tag}> too many")

    def handle_data(self, data: str) -> None:
        self.text.append(data)


def check_report(path: Path) -> None:
    html = path.read_text(encoding="utf-8").replace(SCRIPT_ELEMENT, "")
    reader = Reader()
    reader.feed(html)
    reader.close()
    assert reader.faults == []
    assert reader.open == []
    shown = "".join(reader.text)
    assert TAG in shown  # it is said, as text
    assert "123454321" not in shown  # no template of a file's is filled in
    assert "@import" not in html


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory, sentences: Sentences) -> Path:
    """A table of two authors whose names, works and texts are HTML."""
    path = tmp_path_factory.mktemp("hostile") / "known.jsonl"
    rows = [
        {
            "author": name,
            "work": f"{TAG} {number}",
            "topic": TAG,
            "text": sentences(author, 40, number) + WORDS,
        }
        for author, name in HOSTILE.items()
        for number in range(4)
    ]
    path.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def letter(tmp_path_factory: pytest.TempPathFactory, sentences: Sentences) -> Path:
    path = tmp_path_factory.mktemp("questioned") / FILE
    path.write_text(sentences("ada", 12, 99) + WORDS, encoding="utf-8")
    return path


@pytest.fixture
def hostile_model(run: Run, hostile: Path, tmp_path: Path) -> Path:
    path = tmp_path / "hostile.byline"
    ended = run("train", hostile, "-o", path, "--order", "2")
    assert ended.code == 0, ended.err
    return path


def test_reports_on_a_questioned_text(
    run: Run, hostile_model: Path, letter: Path, tmp_path: Path
) -> None:
    for command in ("attribute", "explain"):
        report = tmp_path / f"{command}.html"
        ended = run(command, hostile_model, letter, "--report", report)
        assert ended.code == 0, ended.err
        check_report(report)
        assert TAG in ended.out.replace("\n", "")  # on a terminal it is text, and so is markup
        assert "[red]red[/red]" in ended.out.replace("\n", "")


@pytest.mark.parametrize(
    "command",
    [
        ("evaluate", "--order", "2", "--folds", "2", "--sentences", "5"),
        ("compare", "--order", "2", "--folds", "2"),
        ("explore", "--mfw", "20"),
    ],
    ids=lambda command: command[0],
)
def test_reports_on_known_texts(
    run: Run, command: tuple[str, ...], hostile: Path, tmp_path: Path
) -> None:
    name, *options = command
    ended = run(name, hostile, *options, "--report", tmp_path / "report.html")
    assert ended.code == 0, ended.err
    check_report(tmp_path / "report.html")
