"""Fuzz PDF: PDFium in its child process, and the building of paragraphs."""

from __future__ import annotations

import random
import re
from pathlib import Path

import atheris
from harness import FindingError, fuzz, instrumented

with instrumented():
    from byline.corpus import Keep, ReadingOptions, extract_text
    from byline.corpus.readers.pdf import document, lines, paragraphs  # noqa: F401

FILES = Path(__file__).parents[1] / "tests" / "corpus" / "files"
SEEDS = [path.read_bytes() for path in sorted(FILES.glob("*.pdf"))]
NUMBER = re.compile(rb"\b\d+(?:\.\d+)?\b")
NUMBERS = (b"0", b"-1", b"1", b"2147483647", b"1e30", b"0.00001", b"99999999999")


def mutate(data: bytes, longest: int, seed: int) -> bytes:
    """Change a number in an object, or bytes."""
    chance = random.Random(seed)  # noqa: S311
    numbers = list(NUMBER.finditer(data))
    if not numbers or chance.random() < 0.5:
        return bytes(atheris.Mutate(data, longest))
    place = chance.choice(numbers)
    return (data[: place.start()] + chance.choice(NUMBERS) + data[place.end() :])[:longest]


def read(data: bytes) -> None:
    """Read a PDF with or without its notes."""
    keep = tuple(Keep) if len(data) % 2 else ()
    extracted = extract_text(data, "text.pdf", ReadingOptions(keep=keep))
    for text in (extracted.text, extracted.author or "", extracted.title or ""):
        text.encode()
        if "\0" in text:
            raise FindingError("the text contains NUL")


if __name__ == "__main__":
    fuzz(read, SEEDS, mutate)
