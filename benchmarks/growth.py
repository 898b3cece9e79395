"""Measure how the time of every reader and every step grows with the length of hostile texts.

Each step runs on texts of 10,000 to 10 million characters of one kind: one line, no spaces, only
line ends, only combining marks and so on. The growth exponent between two sizes is the logarithm
of the ratio of the times over that of the ratio of the sizes: 1 for time in proportion to the
length, 2 for time that grows with its square. A cell that takes longer than a limit is ended and
reported, and larger sizes of it are not tried. Results are added to a file of JSON lines; a second
run continues there.
"""

from __future__ import annotations

import argparse
import csv
import html
import io
import json
import math
import multiprocessing
import os
import random
import sys
import tempfile
import time
import warnings
import zipfile
from collections.abc import Callable, Iterator, Sequence
from functools import cache, partial
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from byline.attribution import NgramRidge, StackedAttributor, explain_answer
from byline.corpus import Corpus, Document, decode_text, extract_text, read_corpus
from byline.corpus.checking import examine
from byline.corpus.checking.near_duplicates import find_overlaps
from byline.corpus.cleaning import clean_corpus
from byline.errors import BylineError
from byline.text import TextEncoder, split_sentences
from byline.typography import Normalization

SIZES = (10_000, 100_000, 1_000_000, 10_000_000)
GOAL = 1.2
SHORTEST = 0.02  # seconds; shorter times say nothing about growth
WORDS = (
    *("the", "river", "rose", "in", "night", "and", "nobody", "heard", "it", "for", "dog", "slept"),
    *("by", "stove", "when", "harbour", "letters", "came", "again", "she", "remembered", "what"),
    *("captain", "had", "said", "of", "winter", "window", "market", "letter"),
)


def _repeated(run: str) -> Callable[[int], str]:
    return lambda length: (run * (length // len(run) + 1))[:length]


def _prose(length: int, *, separators: Sequence[str] = (" ",) * 9 + (".\n", ". ", ".\n\n")) -> str:
    rng = np.random.default_rng(0)
    n_words = length // 3
    words = np.array(WORDS, dtype=object)[rng.integers(len(WORDS), size=n_words)]
    between = np.array(separators, dtype=object)[rng.integers(len(separators), size=n_words)]
    return "".join((words + between).tolist())[:length]


def _any_characters(length: int) -> str:
    chance = random.Random(0)  # noqa: S311
    points = (chance.randrange(0x20, 0x2FFFF) for _ in range(length))
    return "".join(chr(each) if not 0xD800 <= each < 0xE000 else "x" for each in points)


FILLINGS: dict[str, Callable[[int], str]] = {
    "prose": _prose,
    "one line": partial(_prose, separators=(" ",) * 9 + (". ",)),
    "no spaces": partial(_prose, separators=("",)),
    "line ends": _repeated("\n"),
    "spaces": _repeated(" "),
    "punctuation": _repeated(".,;-!?('*_"),
    "digits": _repeated("1234567890"),
    "quotes": _repeated("\"'“‘”’"),
    "combining marks": _repeated("\u0301"),
    "emoji": _repeated("\U0001f469\u200d\U0001f467\U0001f44d\U0001f3fd"),
    "flags": _repeated("\U0001f1e9\U0001f1ea\U0001f1eb\U0001f1f7"),
    "Chinese": _repeated("夜里河水涨了没有人听见"),
    "nested markup": _repeated("<b>"),
    "comments": _repeated("<!-- -"),
    "ampersands": _repeated("&"),
    "any characters": _any_characters,
}


class Step(NamedTuple):
    """Something that Byline does with a text.

    Attributes
    ----------
    prepare : function of a text
        Makes the input, which is not measured.
    run : function of the input
    """

    prepare: Callable[[str], Any]
    run: Callable[[Any], object]


def _file(suffix: str, wrap: Callable[[str], bytes]) -> Step:
    return Step(wrap, lambda data: extract_text(data, f"text{suffix}"))


def _archive(members: dict[str, str]) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for name, content in members.items():
            archive.writestr(name, content.encode("utf-8", "replace"))
    return file.getvalue()


def _xml_characters(text: str) -> str:
    return "".join(each for each in text if each.isprintable() or each in "\n\t")


def _encoded(before: str, after: str, *, escaped: bool = False) -> Callable[[str], bytes]:
    def wrap(text: str) -> bytes:
        inner = html.escape(_xml_characters(text)) if escaped else text
        return f"{before}{inner}{after}".encode("utf-8", "replace")

    return wrap


def _word(text: str) -> bytes:
    namespace = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
    lines = html.escape(_xml_characters(text)).split("\n")
    body = "".join(f"<w:p><w:r><w:t>{line}</w:t></w:r></w:p>" for line in lines)
    content = f'<w:document xmlns:w="{namespace}"><w:body>{body}</w:body></w:document>'
    relation = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument"
    package = "http://schemas.openxmlformats.org/package/2006"
    return _archive(
        {
            "[Content_Types].xml": f'<Types xmlns="{package}/content-types"/>',
            "_rels/.rels": f'<Relationships xmlns="{package}/relationships"><Relationship Id="a" '
            f'Type="{relation}" Target="word/document.xml"/></Relationships>',
            "word/document.xml": content,
        }
    )


def _epub(text: str) -> bytes:
    container = "urn:oasis:names:tc:opendocument:xmlns:container"
    return _archive(
        {
            "mimetype": "application/epub+zip",
            "META-INF/container.xml": f'<container xmlns="{container}"><rootfiles><rootfile '
            'full-path="a.opf" media-type="application/oebps-package+xml"/></rootfiles>'
            "</container>",
            "a.opf": '<package xmlns="http://www.idpf.org/2007/opf"><metadata/><manifest><item '
            'id="a" href="a.xhtml" media-type="application/xhtml+xml"/></manifest><spine>'
            '<itemref idref="a"/></spine></package>',
            "a.xhtml": "<html xmlns='http://www.w3.org/1999/xhtml'><body><p>"
            f"{html.escape(_xml_characters(text))}</p></body></html>",
        }
    )


def _open_document(text: str) -> bytes:
    names = "urn:oasis:names:tc:opendocument:xmlns"
    lines = html.escape(_xml_characters(text)).split("\n")
    body = "".join(f"<text:p>{line}</text:p>" for line in lines)
    return _archive(
        {
            "mimetype": "application/vnd.oasis.opendocument.text",
            "content.xml": f'<office:document-content xmlns:office="{names}:office:1.0" '
            f'xmlns:text="{names}:text:1.0"><office:body><office:text>{body}</office:text>'
            "</office:body></office:document-content>",
        }
    )


def _pdf(text: str) -> bytes:
    """Return pages of 50 lines of 80 characters, in one of the fonts that need not be embedded."""
    lines = [line[n : n + 80] for line in text.split("\n") for n in range(0, len(line) + 1, 80)]
    pages = [lines[n : n + 50] for n in range(0, len(lines), 50)]
    numbers = " ".join(f"{4 + 2 * n} 0 R" for n in range(len(pages)))
    font = "<< /Type /Font /Subtype /Type1 /BaseFont /Courier >>"
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Kids [{numbers}] /Count {len(pages)} >>".encode(),
        font.encode(),
    ]
    for n, page in enumerate(pages):
        escaped = (
            line.replace("\\", "\\\\").replace("(", "\\(").replace(")", "\\)") for line in page
        )
        shown = " T* ".join(f"({line}) Tj" for line in escaped).encode("latin-1", "replace")
        stream = b"BT /F1 10 Tf 14 TL 50 750 Td " + shown + b" ET"
        objects.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents {5 + 2 * n} 0 R "
            "/Resources << /Font << /F1 3 0 R >> >> >>".encode()
        )
        objects.append(b"<< /Length %d >> stream\n%s\nendstream" % (len(stream), stream))
    file, offsets = bytearray(b"%PDF-1.4\n"), []
    for number, content in enumerate(objects, start=1):
        offsets.append(len(file))
        file += b"%d 0 obj\n%s\nendobj\n" % (number, content)
    table = "".join(f"{offset:010} 00000 n \n" for offset in offsets)
    size = len(objects) + 1
    return (
        bytes(file)
        + (
            f"xref\n0 {size}\n0000000000 65535 f \n{table}trailer << /Size {size} /Root 1 0 R >>\n"
            f"startxref\n{len(file)}\n%%EOF\n"
        ).encode()
    )


def _chat(text: str) -> bytes:
    return "".join(
        f"01/03/2024, {8 + n % 12:02}:{n % 60:02} - {'Ann' if n % 2 else 'Ben'}: {line}\n"
        for n, line in enumerate(text.split("\n"))
    ).encode("utf-8", "replace")


def _read_chat(data: bytes) -> None:
    path = Path(tempfile.mkdtemp()) / "chat.txt"
    path.write_bytes(data)
    read_corpus(path, min_authors=1)


_MAIL_HEADERS = "From: Ann <ann@example.org>\nTo: Ben <ben@example.org>\nSubject: The river\n"


def _rtf(text: str) -> bytes:
    escaped = "".join(
        each if each.isascii() and each not in "\\{}" else f"\\u{ord(each) % 65536 - 32768}?"
        for each in text
    )
    return b"{\\rtf1\\ansi " + escaped.replace("\n", "\\par\n").encode("ascii") + b"}"


def _table(suffix: str) -> Step:
    def prepare(text: str) -> Path:
        path = Path(tempfile.mkdtemp()) / f"known{suffix}"
        rows = [("author", "text"), ("alder", text), ("brook", _prose(200))]
        file = io.StringIO()
        if suffix == ".csv":
            csv.writer(file).writerows(rows)
        else:
            file.writelines(json.dumps({"author": a, "text": b}) + "\n" for a, b in rows[1:])
        path.write_bytes(file.getvalue().encode("utf-8", "replace"))
        return path

    return Step(prepare, lambda path: read_corpus(path, min_authors=1))


def _corpus(text: str) -> Corpus:
    """Return a corpus of two authors in which a third of the characters is the text."""
    third = len(text) // 3
    documents = [
        Document("alder", text[:third] or "x", "alder/1.txt"),
        Document("alder", _prose(third + 500), "alder/2.txt"),
        Document("brook", _prose(third + 500)[::-1], "brook/1.txt"),
        Document("brook", _prose(third + 900).upper(), "brook/2.txt"),
    ]
    return Corpus(documents, "known")


@cache
def _trained() -> StackedAttributor:
    rng = np.random.default_rng(1)
    texts, authors = [], []
    for author, n in (("alder", 10), ("brook", 4)):
        for _ in range(6):
            chosen = np.array(WORDS)[rng.integers(n, len(WORDS) - 9 + n // 2, size=600)].tolist()
            sentences = (" ".join(chosen[i : i + 12]) for i in range(0, 600, 12))
            texts.append(". ".join(sentences) + ".")
            authors.append(author)
    return StackedAttributor().fit(texts, authors)


def _fit(corpus: Corpus) -> None:
    StackedAttributor().fit(corpus.texts, corpus.authors)


def _explain(pair: tuple[StackedAttributor, str]) -> None:
    attributor, text = pair
    [answer] = attributor.attribute([text])
    explain_answer(attributor, answer, text)


def _same(text: str) -> str:
    return text


STEPS: dict[str, Step] = {
    "read .txt": Step(str.encode, lambda data: decode_text(data, "text.txt")),
    "read .srt": _file(".srt", _encoded("1\n00:00:01,000 --> 00:00:02,000\n", "\n")),
    "read .html": _file(".html", _encoded("<html><body><p>", "</p></body></html>")),
    "read .html with a menu": _file(".html", _encoded("<html><nav>a</nav><p>", "</p></html>")),
    "read .xml (TEI)": _file(".xml", _encoded("<TEI><text><p>", "</p></text></TEI>", escaped=True)),
    "read .docx": _file(".docx", _word),
    "read .epub": _file(".epub", _epub),
    "read .csv": _table(".csv"),
    "read .jsonl": _table(".jsonl"),
    "read .md": _file(".md", _encoded("# A title\n\n", "\n")),
    "read .rtf": _file(".rtf", _rtf),
    "read .eml": _file(
        ".eml", _encoded(f"{_MAIL_HEADERS}\n", "\n\nOn 4 Mar 2024 Ann wrote:\n> a\n")
    ),
    "read .mbox": _file(
        ".mbox", _encoded(f"From ann@example.org Mon Mar 4 10:12:00 2024\n{_MAIL_HEADERS}\n", "\n")
    ),
    "read .odt": _file(".odt", _open_document),
    "read .pdf": _file(".pdf", _pdf),
    "read .tex": _file(".tex", _encoded("\\begin{document}\n", "\n\\end{document}\n")),
    "read .rst": _file(".rst", _encoded("Title\n=====\n\n", "\n")),
    "read a chat": Step(_chat, _read_chat),
    "normalise": Step(_same, Normalization.parse("edition").apply),
    "normalise strictly": Step(_same, Normalization.parse("strict").apply),
    "divide into sentences": Step(
        Normalization.parse("edition").apply, lambda text: list(split_sentences(text))
    ),
    "divide into words": Step(_same, TextEncoder().tokenize),
    "divide into characters": Step(_same, TextEncoder(unit="char").tokenize),
    "n-gram features": Step(_corpus, lambda corpus: NgramRidge().fit(corpus.texts, corpus.authors)),
    "near-duplicates": Step(lambda text: list(_corpus(text)), find_overlaps),
    "train": Step(_corpus, _fit),
    "attribute": Step(lambda text: (_trained(), text), lambda pair: pair[0].attribute([pair[1]])),
    "attribute and explain": Step(lambda text: (_trained(), text), _explain),
    "corpus check": Step(_corpus, examine),
    "corpus clean": Step(_corpus, clean_corpus),
}


class Cell(NamedTuple):
    """One measurement; ``seconds`` is None beyond the limit."""

    step: str
    filling: str
    size: int
    seconds: float | None
    refused: str = ""


def measure(step: str, filling: str, sizes: Sequence[int], sender: Connection) -> None:
    """Run a step on one text per size, and send the processor time of each."""
    warnings.simplefilter("ignore")
    for size in sizes:
        prepared = STEPS[step].prepare(FILLINGS[filling](size))
        sender.send("begin")
        start, refused = _cpu_seconds(), ""
        try:
            STEPS[step].run(prepared)
        except BylineError as error:
            refused = str(error)[:80]
        sender.send((size, _cpu_seconds() - start, refused))
    sender.send(None)


def _cpu_seconds() -> float:
    """Return the processor time of this process and of those that it waited for."""
    times = os.times()
    return time.process_time() + times.children_user + times.children_system


def cells(step: str, filling: str, sizes: Sequence[int], limit: float) -> Iterator[Cell]:
    """Measure the sizes in a process that is ended at the limit."""
    receiver, sender = multiprocessing.Pipe(duplex=False)
    process = multiprocessing.get_context("fork").Process(
        target=measure, args=(step, filling, sizes, sender), daemon=True
    )
    process.start()
    sender.close()
    waiting = list(sizes)
    try:
        while waiting:
            # What is prepared may take long; what is measured may take as long as the limit.
            message = receiver.recv()
            if message == "begin":
                if not receiver.poll(limit):
                    yield Cell(step, filling, waiting[0], None)
                    return
                message = receiver.recv()
            size, seconds, refused = message
            waiting.remove(size)
            yield Cell(step, filling, size, seconds, refused)
            if seconds > limit / 12:  # the next size would be beyond the limit, even if linear
                return
    except EOFError:
        yield Cell(step, filling, waiting[0], None, "the process ended")
    finally:
        process.kill()
        process.join()


def read_cells(path: Path) -> list[Cell]:
    """Return the cells that earlier runs have measured."""
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    return [Cell(*json.loads(line)) for line in lines]


def exponent(cells_of_pair: Sequence[Cell]) -> tuple[float, int] | None:
    """Return the largest exponent between sizes that differ by a factor of ten, and where."""
    by_size = {each.size: each.seconds for each in cells_of_pair if not each.refused}
    found = []
    for size, seconds in by_size.items():
        larger = by_size.get(10 * size)
        if seconds is not None and larger is not None and seconds >= SHORTEST:
            found.append((math.log10(larger / seconds), 10 * size))
    return max(found, default=None)


def print_table(measured: Sequence[Cell]) -> None:
    """Print the exponents, and what was beyond the limit."""
    steps = list(dict.fromkeys(each.step for each in measured))
    fillings = list(dict.fromkeys(each.filling for each in measured))
    print("| | " + " | ".join(fillings) + " |")
    print("|---|" + "---:|" * len(fillings))
    above = []
    for step in steps:
        row = []
        for filling in fillings:
            pair = [each for each in measured if each[:2] == (step, filling)]
            found = exponent(pair)
            row.append("" if found is None else f"{found[0]:.2f}")
            if found is not None and found[0] > GOAL:
                above.append(f"{step}, {filling}: {found[0]:.2f} up to {found[1]:,} characters")
            above += [
                f"{step}, {filling}: {each.size:,} characters beyond the limit"
                for each in pair
                if each.seconds is None
            ]
        print(f"| {step} | " + " | ".join(row) + " |")
    print(f"\n{len(measured)} cells. Above {GOAL}, or beyond the limit:\n")
    print("\n".join(f"- {line}" for line in above) or "none")


def main() -> None:
    """Measure what is missing, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("results", type=Path, help="file of JSON lines; it is continued")
    parser.add_argument("--limit", type=float, default=60.0, help="seconds per cell")
    parser.add_argument("--largest", type=int, default=SIZES[-1], help="characters")
    parser.add_argument("--steps", nargs="*", choices=STEPS, default=list(STEPS))
    parser.add_argument("--fillings", nargs="*", choices=FILLINGS, default=list(FILLINGS))
    parser.add_argument("--table", action="store_true", help="measure nothing")
    options = parser.parse_args()
    sizes = [size for size in SIZES if size <= options.largest]
    done = {each[:2] for each in read_cells(options.results)}
    for step in [] if options.table else options.steps:
        # What is imported and loaded once is no part of the times.
        STEPS[step].run(STEPS[step].prepare(_prose(2_000)))
        for filling in options.fillings:
            if (step, filling) in done:
                continue
            for cell in cells(step, filling, sizes, options.limit):
                print(*cell, file=sys.stderr)
                with options.results.open("a", encoding="utf-8") as file:
                    print(json.dumps(cell), file=file)
    print_table(read_cells(options.results))


if __name__ == "__main__":
    main()
