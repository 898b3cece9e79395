from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from byline.corpus import Corpus, Document
from byline.corpus.checking import CleaningStep, examine, read_for_checking
from byline.corpus.cleaning import Change, clean_corpus


def prose(about: str, n: int = 60) -> str:
    """Return lines that share no eight consecutive words with lines about another subject."""
    return "\n".join(
        f"The {about} came home with the {about} on day {day} and slept." for day in range(n)
    )


def corpus_of(*rows: tuple[str, str]) -> Corpus:
    return Corpus(
        (Document(author, text, f"{author}/{i}.txt") for i, (author, text) in enumerate(rows)), "c"
    )


BAD = corpus_of(
    ("Quill", "THE ROPE\nby Anna Quill\n" + prose("rope")),
    ("Quill", prose("ship") + "\n\n-- Quill, Harbour Newsroom 000 111 2222\n"),
    ("Quill", prose("cat", 100) + "\nAT&amp;amp;T and the cafÃ©\x1a"),
    ("Quill", prose("cat", 99)),
    ("Quill", prose("cat", 100) + "\nAT&T and the café"),
    ("Sail", "From: Ben Sail\nTo: Ada\n\n" + prose("crew") + "\n> Is it?\n> It is.\n-- \nBen"),
    ("Sail", "*** START OF THE PROJECT GUTENBERG EBOOK X ***\n" + prose("dog")),
    ("Sail", prose("moon")),
)


def test_a_cleaned_corpus_has_no_fixable_findings() -> None:
    before = examine(BAD)
    assert set(before.cleaning_steps) == set(CleaningStep) - {CleaningStep.PAGE_HEADERS}
    after = examine(clean_corpus(BAD).corpus)
    assert after.cleaning_steps == ()
    assert after.findings == ()


def test_cleaning_twice_changes_nothing() -> None:
    once = clean_corpus(BAD)
    twice = clean_corpus(once.corpus)
    assert twice.corpus == once.corpus
    assert twice.changes == ()


@pytest.mark.parametrize("step", CleaningStep)
def test_a_single_step_fixes_only_its_own_findings(step: CleaningStep) -> None:
    before, after = (
        examine(BAD).cleaning_steps,
        examine(clean_corpus(BAD, [step]).corpus).cleaning_steps,
    )
    assert step not in after
    # An own name may be in a line that another step removes.
    assert set(before) - {step} - {CleaningStep.OWN_NAMES, CleaningStep.DUPLICATES} <= set(after)


def test_clean_texts_are_unchanged() -> None:
    corpus = corpus_of(("Quill", prose("cat")), ("Sail", prose("dog")))
    cleaned = clean_corpus(corpus)
    assert cleaned.changes == ()
    assert all(one is other for one, other in zip(cleaned.corpus, corpus, strict=True))


def test_every_change_records_the_text_before_it() -> None:
    corpus = corpus_of(("Quill", "Anna Quill\n" + prose("cat") + "\nRope &amp; Sail"))
    assert clean_corpus(corpus).changes == (
        Change("Quill/0.txt", "html-entity", 62, "&amp;", "&"),
        Change("Quill/0.txt", "own-name-line", 1, "Anna Quill\n", ""),
    )


def test_the_longest_near_duplicate_stays_and_the_changes_name_it() -> None:
    corpus = corpus_of(
        ("Quill", prose("cat", 30)), ("Quill", prose("cat", 40)), ("Quill", prose("cat", 30))
    )
    cleaned = clean_corpus(corpus, [CleaningStep.DUPLICATES])
    assert cleaned.corpus.paths == ["Quill/1.txt"]
    assert cleaned.changes == (
        Change("Quill/2.txt", "duplicate-within-author", None, "", "Quill/0.txt"),
        Change("Quill/0.txt", "near-duplicate-within-author", None, "", "Quill/1.txt"),
    )


def test_duplicates_by_two_authors_are_both_removed() -> None:
    corpus = corpus_of(
        ("Quill", prose("cat")), ("Sail", prose("cat")), ("Quill", prose("dog")), ("Sail", "A cat.")
    )
    cleaned = clean_corpus(corpus)
    assert cleaned.corpus.texts == corpus.texts[2:]
    assert cleaned.changes == (
        Change("Quill/0.txt", "duplicate-across-authors", None, "", "Sail/1.txt"),
        Change("Sail/1.txt", "duplicate-across-authors", None, "", "Quill/0.txt"),
    )


def test_a_text_that_is_only_boilerplate_is_removed() -> None:
    corpus = corpus_of(
        ("Quill", prose("cat")), ("Quill", "-- Harbour Newsroom 000 111 2222"), ("Quill", " ")
    )
    cleaned = clean_corpus(corpus)
    assert cleaned.corpus.paths == ["Quill/0.txt"]
    assert [(change.path, change.code) for change in cleaned.changes] == [
        ("Quill/1.txt", "credit-line"),
        ("Quill/1.txt", "empty-text"),
        ("Quill/2.txt", "empty-text"),
    ]


def test_a_header_after_a_header_is_removed_too() -> None:
    desks = "\n".join(f"-- Harbour Newsroom 000 111 222{n}" for n in range(9))
    corpus = corpus_of(("Quill", prose("cat") + "\n" + desks))
    [text] = clean_corpus(corpus).corpus.texts
    assert text.rstrip() == prose("cat")


def test_progress_is_reported_after_each_text() -> None:
    reported: list[tuple[int, int]] = []
    clean_corpus(BAD, progress=lambda done, total, what: reported.append((done, total)))
    assert reported == [(step, 8) for step in range(1, 9)]


LINES = st.sampled_from(
    [
        "", "Anna Quill", "BY", "by Anna Quill", "-- Newsroom 000 111 2222", "&amp;amp;", "> yes",
        "> no", "-- ", "From: a", "To: b", "All rights reserved.", "12", "13", "14", "THE ROPE 15",
        "cafÃ©", "and so the rope was long", "It ended.", "\x1a", "On Monday Ben wrote:",
        "*** START OF THE PROJECT GUTENBERG EBOOK X ***", "End of Project Gutenberg's X", "x\x93",
    ]
)  # fmt: skip


@settings(deadline=None, max_examples=150)
@given(st.lists(st.lists(LINES, max_size=30), min_size=1, max_size=4))
def test_cleaning_leaves_nothing_to_clean_in_any_text(texts: list[list[str]]) -> None:
    corpus = corpus_of(*(("Anna Quill", "\n".join(lines)) for lines in texts))
    cleaned = clean_corpus(corpus).corpus
    assert examine(cleaned).cleaning_steps == ()
    assert clean_corpus(cleaned).corpus == cleaned


def test_cleaning_leaves_nothing_to_clean_in_real_texts(some_authors: Callable[..., Path]) -> None:
    names = ("AaronPressman", "AlanCrosby", "AlexanderSmith", "NickLouth")
    corpus, _ = read_for_checking(some_authors("ccat50/train", *names))
    cleaned = clean_corpus(corpus)
    codes = {change.code for change in cleaned.changes}
    assert {"html-entity", "credit-line", "near-duplicate-within-author"} <= codes
    assert examine(cleaned.corpus).cleaning_steps == ()
