from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from byline.corpus import Corpus, Document
from byline.corpus.checking import CleaningStep, examine, survey
from byline.corpus.cleaning import Change, mend


def prose(about: str, n: int = 60) -> str:
    """Lines without eight words in a row that another subject's lines have."""
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


def test_what_is_mended_is_found_no_more() -> None:
    before = examine(BAD)
    assert set(before.cleaning_steps) == set(CleaningStep) - {CleaningStep.PAGE_HEADERS}
    after = examine(mend(BAD).corpus)
    assert after.cleaning_steps == ()
    assert after.findings == ()


def test_mending_twice_changes_nothing() -> None:
    once = mend(BAD)
    twice = mend(once.corpus)
    assert twice.corpus == once.corpus
    assert twice.changes == ()


@pytest.mark.parametrize("kind", CleaningStep)
def test_one_kind_is_mended_and_no_other(kind: CleaningStep) -> None:
    before, after = examine(BAD).cleaning_steps, examine(mend(BAD, [kind]).corpus).cleaning_steps
    assert kind not in after
    # an own name may stand in a line that goes for another reason
    assert set(before) - {kind} - {CleaningStep.OWN_NAMES, CleaningStep.DUPLICATES} <= set(after)


def test_texts_in_good_order_are_untouched() -> None:
    corpus = corpus_of(("Quill", prose("cat")), ("Sail", prose("dog")))
    mended = mend(corpus)
    assert mended.changes == ()
    assert all(one is other for one, other in zip(mended.corpus, corpus, strict=True))


def test_every_change_is_told_with_what_stood_there() -> None:
    corpus = corpus_of(("Quill", "Anna Quill\n" + prose("cat") + "\nRope &amp; Sail"))
    assert mend(corpus).changes == (
        Change("Quill/0.txt", "html-entity", 62, "&amp;", "&"),
        Change("Quill/0.txt", "own-name-line", 1, "Anna Quill\n", ""),
    )


def test_of_twins_the_longest_stays_and_the_others_name_it() -> None:
    corpus = corpus_of(
        ("Quill", prose("cat", 30)), ("Quill", prose("cat", 40)), ("Quill", prose("cat", 30))
    )
    mended = mend(corpus, [CleaningStep.DUPLICATES])
    assert mended.corpus.paths == ["Quill/1.txt"]
    assert mended.changes == (
        Change("Quill/2.txt", "duplicate-within-author", None, "", "Quill/0.txt"),
        Change("Quill/0.txt", "near-duplicate-within-author", None, "", "Quill/1.txt"),
    )


def test_twins_of_two_authors_both_stay() -> None:
    corpus = corpus_of(("Quill", prose("cat")), ("Sail", prose("cat")))
    assert mend(corpus).corpus == corpus


def test_a_text_of_nothing_but_boilerplate_is_left_out() -> None:
    corpus = corpus_of(
        ("Quill", prose("cat")), ("Quill", "-- Harbour Newsroom 000 111 2222"), ("Quill", " ")
    )
    mended = mend(corpus)
    assert mended.corpus.paths == ["Quill/0.txt"]
    assert [(change.path, change.code) for change in mended.changes] == [
        ("Quill/1.txt", "credit-line"),
        ("Quill/1.txt", "empty-text"),
        ("Quill/2.txt", "empty-text"),
    ]


def test_a_header_behind_a_header_goes_too() -> None:
    desks = "\n".join(f"-- Harbour Newsroom 000 111 222{n}" for n in range(9))
    corpus = corpus_of(("Quill", prose("cat") + "\n" + desks))
    assert mend(corpus).corpus.texts == [prose("cat")]


def test_every_text_is_told_of() -> None:
    told: list[tuple[int, int]] = []
    mend(BAD, progress=lambda done, total, what: told.append((done, total)))
    assert told == [(step, 8) for step in range(1, 9)]


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
def test_whatever_stands_in_texts_mending_leaves_nothing_to_mend(texts: list[list[str]]) -> None:
    corpus = corpus_of(*(("Anna Quill", "\n".join(lines)) for lines in texts))
    mended = mend(corpus).corpus
    assert examine(mended).cleaning_steps == ()
    assert mend(mended).corpus == mended


def test_real_texts_once_mended_have_nothing_to_mend(shared: Path) -> None:
    corpus, _ = survey(shared / "corpora" / "ccat50" / "train")
    some = corpus.select(
        i for i, name in enumerate(corpus.authors) if name < "B" or name == "NickLouth"
    )
    mended = mend(some)
    codes = {change.code for change in mended.changes}
    assert {"html-entity", "credit-line", "near-duplicate-within-author"} <= codes
    assert examine(mended.corpus).cleaning_steps == ()
