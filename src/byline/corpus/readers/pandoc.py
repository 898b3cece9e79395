r"""Extract the text of LaTeX and reStructuredText with pandoc, which runs as a program of its own.

Pandoc converts a file to HTML, which is read like a chapter of an e-book. It runs without access to
other files or the network, and with limits on its memory and time: a few lines of LaTeX can define
a text of any length.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import regex

from byline.corpus.decoding import decode
from byline.corpus.extraction import (
    ExclusionCounter,
    ExtractedText,
    Keep,
    clean_name,
    join_paragraphs,
)
from byline.corpus.readers.html.paragraphs import read_chapter
from byline.corpus.readers.markup import parse_html
from byline.corpus.readers.running_text import opening_text
from byline.errors import CorpusError, MissingExtraError
from byline.formatting import printable, quantity

MAX_SECONDS = 300
_MAX_MEMORY = "2g"
_HEAP_EXHAUSTED = 251  # the exit code of Haskell's run-time system
_MAX_REASON = 200  # characters
_PROGRAM = "pandoc.exe" if sys.platform == "win32" else "pandoc"
# What pandoc writes for things that are not running text, and the kind under which it is counted.
_EXCLUDED = {
    "//header[@id='title-block-header']/*[not(@class='abstract')]": "",
    "//div[@class='abstract-title' or @class='title']": "",
    "//div[@class='toctree' or @class='contents']": "tables of contents",
    "//div[@class='thebibliography']": "references",
    "//table": "tables",
    "//math": "formulas",
    "//span[contains(@class, 'citation')]": "citations",
    "//a[@data-reference]": "cross-references",
}
_SKIPPED = "INFO] Skipped '"
_OTHER_FILE = "WARNING] Could not load include file"
_HAS_WORDS = regex.compile(r"\{[^{}]*?(?<!\p{L})\p{L}++\s++\p{L}")


def extract_with_pandoc(
    data: bytes, name: str, keep: frozenset[Keep], source: str
) -> ExtractedText:
    """Return the text of a document without commands, markup, comments, code and formulas.

    Parameters
    ----------
    data : bytes
    name : str
        What messages call the document.
    keep : frozenset of Keep
        What to keep that is not running text.
    source : {"latex", "rst"}
        The name of its format in pandoc.

    Raises
    ------
    CorpusError
        Pandoc cannot read the content, or needs too much time or memory.
    MissingExtraError
        Pandoc or lxml is not installed.
    """
    decoded = decode(data, name)
    page, messages = _convert(decoded.text, name, source)
    root = parse_html(page, name).root
    authors = [name.strip() for name in root.xpath("//meta[@name='author']/@content")]
    title = "".join(root.xpath("string(//h1[@class='title'])"))
    excluded = ExclusionCounter()
    for path, kind in _EXCLUDED.items():
        for element in root.xpath(path):
            if kind and (text := opening_text(element)):
                excluded.add(kind, text)
            element.clear(keep_tail=True)
            element.tag = "span"
    for command in _skipped_commands(messages, decoded.text):
        excluded.add("unknown commands", command)
    return ExtractedText(
        join_paragraphs(read_chapter(root, keep, excluded)),
        clean_name(" and ".join(authors)),
        clean_name(title),
        excluded.parts(),
        tuple(_warnings(messages, decoded.guessed_encoding)),
    )


def _skipped_commands(messages: list[str], text: str) -> Iterator[str]:
    """Yield the commands that pandoc does not know, if they contain words, after the preamble."""
    preamble, begin, _ = text.partition(r"\begin{document}")
    first_line = preamble.count("\n") + 1 if begin else 0
    for message in messages:
        command, _, place = message.removeprefix(_SKIPPED).rpartition("' at line ")
        is_command = message.startswith(_SKIPPED) and _HAS_WORDS.search(command)
        if is_command and int(place.split()[0]) > first_line:
            yield command


def _warnings(messages: list[str], guessed_encoding: str | None) -> Iterator[str]:
    if guessed_encoding:
        yield f"the encoding is guessed as {guessed_encoding}"
    n_elsewhere = sum(message.startswith(_OTHER_FILE) for message in messages)
    if n_elsewhere:
        yield f"{quantity(n_elsewhere, 'part is', 'parts are')} in other files and not read"


def _convert(text: str, name: str, source: str) -> tuple[bytes, list[str]]:
    """Return a text as HTML, and the messages of pandoc."""
    options = ["--sandbox", "--verbose", "--standalone", "--mathml", "--wrap=none"]
    formats = [f"--from={source}", "--to=html"]
    limits = ["+RTS", f"-M{_MAX_MEMORY}", "-RTS"]
    try:
        done = subprocess.run(  # noqa: S603
            [_pandoc(name), *options, *formats, *limits],
            input=text.encode(),
            capture_output=True,
            timeout=MAX_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise _too_much(name) from error
    messages = f"\n{done.stderr.decode(errors='replace')}".split("\n[")
    if done.returncode == _HEAP_EXHAUSTED or done.returncode < 0:
        raise _too_much(name)
    if done.returncode:
        reason = printable(" ".join(messages[-1].split())[:_MAX_REASON])
        raise CorpusError(
            f"{name} cannot be read by pandoc ({reason}). Correct it, or save its text as plain "
            "text."
        )
    return done.stdout, messages


def _too_much(name: str) -> CorpusError:
    return CorpusError(
        f"{name} cannot be read: it takes more time or memory than a text needs. Save its text as "
        "plain text."
    )


def _pandoc(name: str) -> str:
    """Return the path of the program in the package, whatever else is installed."""
    package = find_spec("pypandoc")
    program = Path(package.origin or "").parent / "files" / _PROGRAM if package else None
    if program is None or not program.is_file():
        raise MissingExtraError(
            f'Reading {name} requires pandoc. Install it: python -m pip install "byline[formats]"'
        )
    return str(program)
