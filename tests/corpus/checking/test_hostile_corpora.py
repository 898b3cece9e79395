"""Texts that could make checking or cleaning slow, or make it fail."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from byline.corpus import Corpus, Document
from byline.corpus.checking import examine
from byline.corpus.cleaning import clean_corpus

# In CPU seconds. A linear algorithm takes tenths of a second; a quadratic one takes minutes.
LIMIT = 2.4
N = 8_000
LONG = {
    "dashes and digits": ". --1 " * N,
    "digits of a telephone": "x. --" + "1 " * N,
    "open tags": "<p =" * N,
    "a tag of spaces": "<p" + " " * N,
    "entities": "&amp" * N + ";",
    "controls": "a\x85 " * N,
    "replacement characters": "a\N{REPLACEMENT CHARACTER}" * N,
    "wrongly decoded": "Ã©" * N,
    "wrongly decoded lines": "Ã© x\n" * (N // 10),
    "quoted lines": "> x\n" * N,
    "headers": "To: x\n" * N,
    "numbers": "".join(f"{n}\nthe rope\n" for n in range(N // 2)),
    "equal lines": "The Rope\nand so\nx\n" * (N // 4),
    "one word": "rope " * N,
    "speaker changes": ">> A" * N,
    "project gutenberg": "Project Gutenberg\n***" * (N // 10),
    "openings of project gutenberg in a line": "*** START OF PROJECT GUTENBERG " * (N // 10),
    "stars after an opening": "*** START OF PROJECT GUTENBERG" + " *** x" * N,
    "openings of project gutenberg": "*** START OF THE PROJECT GUTENBERG EBOOK\nx\n" * (N // 10),
    "brackets": "[" * N + "\n" + "(" * N,
    "no space at all": "語" * N,
    "credit lines": "-- Newsroom 000 111 2222\n" * N,
    "own names": "Anna Quill\n" * N,
    "signatures": "x\n--\n" * N,
    "telephones": "Sent from my telephone\n" * N,
    "transcriber's notes": "[Transcriber's Note: " * (N // 10),
}


def corpus_of(*texts: str) -> Corpus:
    return Corpus(
        (Document("Sail" if n % 2 else "Quill", text, f"{n}.txt") for n, text in enumerate(texts)),
        "c",
    )


@pytest.mark.parametrize("what", LONG)
def test_long_texts_are_checked_and_cleaned_in_linear_time(what: str) -> None:
    corpus = corpus_of(LONG[what], "The rope is long.")
    start = time.process_time()
    examine(corpus)
    cleaned = clean_corpus(corpus)
    assert time.process_time() - start < LIMIT
    assert clean_corpus(cleaned.corpus).corpus == cleaned.corpus


def test_many_near_duplicates_are_found_in_linear_time() -> None:
    text = " ".join(f"w{n}" for n in range(300))
    corpus = Corpus((Document("Quill", f"{text} {n}", f"{n}.txt") for n in range(1_000)), "c")
    start = time.process_time()
    cleaned = clean_corpus(corpus)
    assert time.process_time() - start < 6.0
    assert len(cleaned.corpus) == 1


@settings(deadline=None, max_examples=60)
@given(st.lists(st.text(max_size=300), max_size=6))
def test_any_text_can_be_checked_and_cleaned(texts: list[str]) -> None:
    corpus = corpus_of(*texts)
    examination = examine(corpus)
    assert all(finding.message and finding.code for finding in examination.findings)
    cleaned = clean_corpus(corpus).corpus
    assert examine(cleaned).cleaning_steps == ()
    assert clean_corpus(cleaned).corpus == cleaned
