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
    """Lines of 60 characters, broken anywhere."""
    rng = np.random.default_rng(seed)
    sentences = [
        " ".join(rng.choice(WORDS, size=rng.integers(5, 25))).capitalize() + "."
        for _ in range(n_sentences)
    ]
    return textwrap.wrap(" ".join(sentences), 60)


def paged(lines: list[str], header: Callable[[int], Iterable[str]], size: int = 30) -> str:
    """Put a header between pages of ``size`` lines."""
    pages = [lines[start : start + size] for start in range(0, len(lines), size)]
    parts = [*pages[0]]
    for number, page in enumerate(pages[1:], start=12):
        parts += [*header(number), *page]
    return "\n".join(parts)


def mended(text: str) -> str:
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
def test_headers_go_and_the_sentences_they_parted_are_whole(
    header: Callable[[int], Iterable[str]],
) -> None:
    lines = prose(1, 300)
    assert mended(paged(lines, header)).split() == " ".join(lines).split()


@settings(deadline=None, max_examples=20)
@given(st.integers(0, 10_000))
def test_prose_without_pages_is_untouched(seed: int) -> None:
    text = "\n".join(prose(seed))
    assert mended(text) == text


def test_names_of_speakers_stay() -> None:
    lines = []
    for turn in range(40):
        lines += [f"{('ADA', 'BEN')[turn % 2]}.", "The rope is long,", "And so is every day."]
    text = "\n".join(lines)
    assert mended(text) == text


def test_titles_of_chapters_stay() -> None:
    text = "\n\n".join("\n".join([f"CHAPTER {n}", "", *prose(n, 30)]) for n in range(1, 12))
    assert mended(text) == text


def test_a_refrain_stays() -> None:
    verse = [
        "the wind is cold",
        "and we are old",
        "and home is far",
        "O Sailor and O Rope",
        "sing on",
    ]
    text = "\n".join(verse * 20)
    assert mended(text) == text


def test_what_a_transcriber_notes_stays() -> None:
    text = paged(prose(3, 300), lambda n: ["[MUSIC]"])
    assert mended(text) == text


def test_numbers_that_do_not_rise_are_no_pages() -> None:
    text = paged(prose(4, 300), lambda n: [str(n * 7 % 5)])
    assert mended(text) == text
