"""The commands and the code that pages show are run, and print what the pages show.

All of a page runs in the order of the page, in one new folder. Where a block fenced as ``text``
follows one fenced as ``python``, it is exactly what the code prints.

A block fenced as ``console`` is a terminal's: ``$ `` begins a command, ``> `` goes on with it, and
all else is what it prints, standard error among it. There a line ``[…]`` stands for any lines, and
an ``…`` in a line for anything in it; where nothing is shown below a command, anything may come. A
command fails where a line is shown that begins with ``error: ``, and only there. What stands
between the lines ``<!-- console`` and ``-->`` is run too, and no reader sees it.

With ``--update-pages``, what is not printed any more is replaced in the page. ``[…]`` keeps the
place that it had; an ``…`` in a line that has changed is lost. Read the differences, because no
sentence around the output is changed.
"""

from __future__ import annotations

import contextlib
import difflib
import io
import os
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from operator import itemgetter
from pathlib import Path
from typing import Any, NamedTuple

import pytest

ROOT = Path(__file__).resolve().parents[1]
ENVIRONMENT = Path(sys.executable).parent
DOCUMENTS = {
    path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8")
    for path in [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted(ROOT.glob("docs/**/*.md"))]
}
BLOCK = re.compile(
    r"^(?:```|<!-- (?=console\n))(\w+)\n(.*?)^(?:```|-->)$", re.MULTILINE | re.DOTALL
)
OUTPUT = re.compile(r"\s*^```text\n(.*?)^```$", re.MULTILINE | re.DOTALL)
GAP = "[…]\n"
ELLIPSES = {GAP: r"(?:.*\n)*?", "…": r".*?"}
END_OF_COMMAND = "\0"
MAX_SECONDS = 600  # that one command may take
# A slow machine prints lines of progress, one per half minute, that a fast one does not.
PROGRESS = re.compile(r"^\S.*: \d+ of \d+(?:, about .* left)? \(.*\)\n", re.MULTILINE)


class Block(NamedTuple):
    """What is run at one place of a page."""

    language: str
    content: str
    shown: str | None


@dataclass(frozen=True)
class Command:
    """A command of a terminal, and the lines shown below it."""

    line: str
    shown: str

    @property
    def fails(self) -> bool:
        return re.search(r"^error: ", self.shown, re.MULTILINE | re.IGNORECASE) is not None

    def prints(self, output: str) -> bool:
        parts = re.split(r"(^\[…\]\n|…)", _without_margin(self.shown), flags=re.MULTILINE)
        pattern = "".join(ELLIPSES.get(part) or re.escape(part) for part in parts)
        return not self.shown or re.fullmatch(pattern, _without_margin(output)) is not None


def _without_margin(lines: str) -> str:
    """Take away spaces at the ends of lines, which nobody sees."""
    return re.sub(r"[ \t]+$", "", lines, flags=re.MULTILINE)


def _blocks(text: str) -> list[Block]:
    return [
        Block(block[1], block[2], shown[1] if (shown := OUTPUT.match(text, block.end())) else None)
        for block in BLOCK.finditer(text)
        if block[1] in ("python", "console")
    ]


def _commands(content: str) -> Iterator[Command]:
    """Cut what a terminal shows into its commands."""
    assert content.startswith("$ "), f"a console begins with a command, not with {content[:40]!r}"
    for part in re.split(r"^\$ ", content, flags=re.MULTILINE)[1:]:
        first, *rest = part.splitlines(keepends=True)
        more = 0
        while more < len(rest) and rest[more].startswith("> "):
            more += 1
        line = "".join([first, *(continued[2:] for continued in rest[:more])])
        yield Command(line, "".join(rest[more:]))


class Terminal:
    """A shell in a folder, 100 columns wide, that finds ``byline`` and ``python`` of a folder."""

    def __init__(self, folder: Path, programs: Path) -> None:
        path = [str(programs), str(ENVIRONMENT), os.environ["PATH"]]
        settings = {
            "PATH": os.pathsep.join(path),
            "COLUMNS": "100",
            "NO_COLOR": "1",
            "TERM": "dumb",
        }
        settings |= {"LC_ALL": "C.UTF-8", "PYTHONUNBUFFERED": "1", "HOME": str(folder)}
        self._bash = subprocess.Popen(
            ["bash", "--noprofile", "--norc"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            cwd=folder,
            env=os.environ | settings,
            text=True,
            encoding="utf-8",
            start_new_session=True,
        )

    def __enter__(self) -> Terminal:
        return self

    def __exit__(self, *_: object) -> None:
        self._bash.communicate()

    def run(self, line: str) -> tuple[str, int]:
        """Run a command; return what it prints, without lines of progress, and its exit code."""
        assert self._bash.stdin and self._bash.stdout
        self._bash.stdin.write(f"{{ {line}\n}} </dev/null; printf '\\0%s\\n' $?\n")
        self._bash.stdin.flush()
        printed = ""
        limit = threading.Timer(MAX_SECONDS, os.killpg, (self._bash.pid, signal.SIGKILL))
        limit.start()
        try:
            for out in self._bash.stdout:
                before, end, code = out.rpartition(END_OF_COMMAND)
                printed += before if end else out
                if end:
                    return PROGRESS.sub("", printed), int(code)
        finally:
            limit.cancel()
        raise AssertionError(f"the shell ended, or was ended after {MAX_SECONDS} s, within: {line}")


def _similarity(shown: str, printed: str) -> float:
    """Compare two lines, whatever their numbers; 1 if one shows the other."""
    if Command("", shown).prints(printed):
        return 1.0
    old, new = (re.sub(r"\d[\d.,]*|\s+", "#", line) for line in (shown, printed))
    ratio = difflib.SequenceMatcher(None, old, new, autojunk=False).ratio()
    return 0.9 * ratio * ratio


def _updated(shown: str, printed: str) -> str:
    """Replace the lines of a terminal that are not printed any more.

    The lines are aligned at the least cost. A line that has changed costs as much as it is
    dissimilar, a new one costs less than one that is lost, and the lines that a ``[…]`` stands for
    cost little.
    """
    old, new = (_without_margin(text).splitlines(keepends=True) for text in (shown, printed))
    best: list[list[tuple[float, list[str]]]] = [[(0.0, [])]]
    for i in range(len(old) + 1):
        if i:
            best.append([])
        for j in range(len(new) + 1):
            options: list[tuple[float, list[str]]] = [(0.0, [])] if i == j == 0 else []
            if i and old[i - 1] == GAP:
                cost, kept = best[i - 1][j]
                options.append((cost, [*kept, GAP]))
                if j:
                    cost, kept = best[i][j - 1]
                    options.append((cost + 0.05, kept))
            else:
                if i and j:
                    cost, kept = best[i - 1][j - 1]
                    likeness = _similarity(old[i - 1], new[j - 1])
                    line = old[i - 1] if likeness == 1 else new[j - 1]
                    options.append((cost + 1 - likeness, [*kept, line]))
                if i:
                    cost, kept = best[i - 1][j]
                    options.append((cost + 1.1, kept))
                if j:
                    cost, kept = best[i][j - 1]
                    options.append((cost + 0.4, [*kept, new[j - 1]]))
            best[i][j:] = [min(options, key=itemgetter(0))]
    return "".join(best[-1][-1][1])


def _updated_console(content: str, terminal: Terminal) -> str:
    """Run the commands of a terminal, and return what it should show."""
    updated = ""
    for command in _commands(content):
        printed, code = terminal.run(command.line)
        assert (code != 0) == command.fails, f"$ {command.line}{printed}exit code {code}"
        shown = command.shown
        if not command.prints(printed):
            shown = _updated(shown, printed)
            assert Command("", shown).prints(printed), f"{shown}was not found in\n{printed}"
        updated += "$ " + command.line.replace("\n", "\n> ", command.line.count("\n") - 1) + shown
    return updated


def _printed_by(block: Block, document: str, namespace: dict[str, Any]) -> str:
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(compile(block.content, document, "exec"), namespace)  # noqa: S102
    return out.getvalue()


def _update_page(document: str, terminal: Terminal, namespace: dict[str, Any]) -> None:
    """Write a page again with what its commands and its code print now."""
    changes = []
    for block in _blocks(DOCUMENTS[document]):
        if block.language == "console":
            updated = _updated_console(block.content, terminal)
            changes.append((f"\n{block.content}", f"\n{updated}"))
        else:
            printed = _printed_by(block, document, namespace)
            if block.shown is not None:
                changes.append((f"\n```text\n{block.shown}```", f"\n```text\n{printed}```"))
    # The page is read again, because its sentences may have been changed meanwhile.
    page = ROOT / document
    before, after = "", page.read_text(encoding="utf-8")
    for old, new in changes:
        head, found, after = after.partition(old)
        assert found, f"{document} does not contain any more:{old}"
        before += head + new
    page.write_text(before + after, encoding="utf-8")


def _run_console(content: str, terminal: Terminal) -> None:
    for command in _commands(content):
        printed, code = terminal.run(command.line)
        assert (code != 0) == command.fails, f"$ {command.line}{printed}exit code {code}"
        assert command.prints(printed), f"$ {command.line}{printed}is not\n{command.shown}"


def _run_python(block: Block, document: str, namespace: dict[str, Any]) -> None:
    printed = _printed_by(block, document, namespace)
    assert block.shown is None or printed == block.shown, f"{block.content}prints\n{printed}"


def _pages_with_blocks() -> Iterator[Any]:
    for name, text in DOCUMENTS.items():
        if list(_blocks(text)):
            yield pytest.param(name, marks=pytest.mark.processes)


@pytest.mark.parametrize("document", list(_pages_with_blocks()))
def test_a_page_prints_what_it_shows(
    document: str,
    programs: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    pytestconfig: pytest.Config,
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "executable", str(programs / "python"))
    namespace: dict[str, Any] = {"__name__": "__main__"}
    with Terminal(tmp_path, programs) as terminal:
        if pytestconfig.getoption("--update-pages"):
            _update_page(document, terminal, namespace)
            return
        for block in _blocks(DOCUMENTS[document]):
            if block.language == "console":
                _run_console(block.content, terminal)
            else:
                _run_python(block, document, namespace)


def test_readme_shows_python_with_its_output() -> None:
    assert [b.shown for b in _blocks(DOCUMENTS["README.md"]) if b.language == "python" and b.shown]


PAGE = """\
<!-- console
$ mkdir known
-->

```console
$ cat > known/ann.txt <<'END'
> A line.
> END
$ cd known && cat ann.txt; echo "12.5 s"
A line.
… s
$ printf 'one\\n[]\\nthree\\n'
[…]
three
$ byline profile nowhere
error: nowhere does not exist. …
$ echo 'evaluating: 9 of 80, about 8 s left (fold 3 of 4: words)'; echo 'models: 9 of 9'
models: 9 of 9
```
"""


def _page(text: str, folder: Path) -> None:
    with Terminal(folder, ENVIRONMENT) as terminal:
        for block in _blocks(text):
            _run_console(block.content, terminal)


@pytest.mark.processes
def test_a_terminal_is_run_as_it_is_shown(tmp_path: Path) -> None:
    _page(PAGE, tmp_path)
    assert (tmp_path / "known" / "ann.txt").read_text() == "A line.\n"


@pytest.mark.parametrize(
    ("shown", "printed", "updated"),
    [
        ("one 1.5\n", "one 2\n", "one 2\n"),
        ("a\n[…]\nsum   8 %\n", "a\nb\nc\nsum   9 %\n", "a\n[…]\nsum   9 %\n"),
        ("[…]\nrank 1 Ada\n[…]\n", "x\ny\nrank 2 Ada\nz\n", "[…]\nrank 2 Ada\n[…]\n"),
        ("time … s\nall 3\n", "time 4 s\nall 5\n", "time … s\nall 5\n"),
        ("two words\n", "two words\nand more of them\n", "two words\nand more of them\n"),
        (
            "evidence for A: x +1, y +2\nevidence for B: p -1, q -2\n[…]\n",
            "by style +5, c -3\nevidence for A: z +1, y +3\nevidence for B: r -1, q -1\n\nend\n",
            "by style +5, c -3\nevidence for A: z +1, y +3\nevidence for B: r -1, q -1\n[…]\n",
        ),
    ],
)
def test_an_output_is_updated(shown: str, printed: str, updated: str) -> None:
    assert _updated(shown, printed) == updated


@pytest.mark.processes
def test_a_page_is_updated_where_its_output_has_changed(tmp_path: Path) -> None:
    content = "$ printf 'a\\nn: 4\\n'\n[…]\nn: 3\n$ cat <<'END'\n> one\n> END\ntwo\n$ true\n"
    with Terminal(tmp_path, ENVIRONMENT) as terminal:
        updated = _updated_console(content, terminal)
    assert updated == content.replace("n: 3", "n: 4").replace("\ntwo\n", "\none\n")


@pytest.mark.processes
@pytest.mark.parametrize(
    "wrong",
    [
        "$ echo one\ntwo\n",
        "$ echo one\n[…]\ntwo\n",
        "$ printf 'one\\ntwo\\n'\none\n",
        "$ false\n",
        "$ echo 'error: no'\nerror: no\n",
        "$ exit 3\n",
        "no command\n",
    ],
)
def test_what_a_terminal_does_not_print_is_found(wrong: str, tmp_path: Path) -> None:
    with pytest.raises(AssertionError):
        _page(f"```console\n{wrong}```\n", tmp_path)


def test_the_output_of_code_is_updated_in_its_place(
    tmp_path: Path, programs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = "# Title\n\n```python\nprint(1)\n```\n\n```text\n{}```\n"
    path = tmp_path / "page.md"
    path.write_text(page.format(""), encoding="utf-8")
    monkeypatch.setitem(globals(), "ROOT", tmp_path)
    monkeypatch.setitem(DOCUMENTS, "page.md", page.format(""))
    with Terminal(tmp_path, programs) as terminal:
        _update_page("page.md", terminal, {})
    assert path.read_text(encoding="utf-8") == page.format("1\n")
