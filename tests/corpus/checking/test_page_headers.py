from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from byline.corpus import Document
from byline.corpus.checking.edits import apply_edits
from byline.corpus.checking.page_headers import find_page_headers

WORDS = [
    *("the", "rope", "sailor", "wind", "counts", "every", "knot", "before", "our", "ship"),
    *("comes", "home", "again", "and", "sleeps"),
]


def prose(seed: int, n_sentences: int = 120) -> list[str]:
    """Return lines of 60 characters with breaks at any word."""
    rng = np.random.default_rng(seed)
    sentences = [
        " ".join(rng.choice(WORDS, size=rng.integers(5, 25))).capitalize() + "."
        for _ in range(n_sentences)
    ]
    return textwrap.wrap(" ".join(sentences), 60)


def paged(lines: list[str], header: Callable[[int], Iterable[str]], size: int = 30) -> str:
    """Return the lines as pages of ``size`` lines with a header between them."""
    pages = [lines[start : start + size] for start in range(0, len(lines), size)]
    parts = [*pages[0]]
    for number, page in enumerate(pages[1:], start=12):
        parts += [*header(number), *page]
    return "\n".join(parts)


def cleaned(text: str) -> str:
    return apply_edits(text, find_page_headers(Document("ada", text, "a.txt")))


@pytest.mark.parametrize(
    "header",
    [
        lambda n: [str(n)],
        lambda n: [f"- {n} -"],
        lambda n: [f"Page {n} of 300"],
        lambda n: ["", f"THE LONG ROPE    {n}", ""],
        lambda n: ["The Long Rope"],
        lambda n: [str(n), "", "THE LONG ROPE"],
        lambda n: [f"\f{n}  The Rope"],
    ],
)
def test_headers_are_removed_and_interrupted_sentences_are_joined(
    header: Callable[[int], Iterable[str]],
) -> None:
    lines = prose(1, 300)
    assert cleaned(paged(lines, header)).split() == " ".join(lines).split()


@settings(deadline=None, max_examples=20)
@given(st.integers(0, 10_000))
def test_prose_without_pages_is_unchanged(seed: int) -> None:
    text = "\n".join(prose(seed))
    assert cleaned(text) == text


def test_names_of_speakers_stay() -> None:
    lines = []
    for turn in range(40):
        lines += [f"{('ADA', 'BEN')[turn % 2]}.", "The rope is long,", "And so is every day."]
    text = "\n".join(lines)
    assert cleaned(text) == text


def test_titles_of_chapters_stay() -> None:
    text = "\n\n".join("\n".join([f"CHAPTER {n}", "", *prose(n, 30)]) for n in range(1, 12))
    assert cleaned(text) == text


def test_a_refrain_stays() -> None:
    verse = [
        "the wind is cold",
        "and we are old",
        "and home is far",
        "O Sailor and O Rope",
        "sing on",
    ]
    text = "\n".join(verse * 20)
    assert cleaned(text) == text


def test_transcript_annotations_stay() -> None:
    text = paged(prose(3, 300), lambda n: ["[MUSIC]"])
    assert cleaned(text) == text


def test_numbers_that_do_not_increase_are_not_page_numbers() -> None:
    text = paged(prose(4, 300), lambda n: [str(n * 7 % 5)])
    assert cleaned(text) == text


def test_the_messages_of_a_chat_are_no_page_headers() -> None:
    text = paged(prose(5), lambda n: [f"{n:02d}/03/2024, 08:{n} - Ann: ok"])
    assert cleaned(text) == text
