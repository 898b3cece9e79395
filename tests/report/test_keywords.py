"""Keywords on the terminal: rates, and contexts that are cut between words."""

from __future__ import annotations

import io
from dataclasses import replace

import pytest
from rich.console import Console

from byline.attribution.keyness import AuthorKeywords, Context, Keyword
from byline.report.keywords import _shorten, keywords_summary, print_keywords

CONTEXT = Context(
    "ada/1.txt",
    before="…as there is some evidence ",
    hit="with it",
    after=" in the judgment of the members…",
)
KEYWORD = Keyword(("with", "it"), 0.9, 3.1, 1071, 1332, 8, 1, CONTEXT)
FOUND = AuthorKeywords("Ada", ("Ben", "Cleo"), 100_000, 200_000, 8, (KEYWORD,))


def _printed(found: AuthorKeywords) -> list[str]:
    console = Console(file=io.StringIO(), width=120)
    print_keywords(console, keywords_summary([found]))
    return console.file.getvalue().splitlines()  # type: ignore[attr-defined,no-any-return]


def test_rates_can_be_compared_although_the_others_wrote_more() -> None:
    # 1,071 of 100,000 tokens are more than 1,332 of 200,000.
    _, headings, row, explanation = _printed(FOUND)
    assert headings.split() == ["author", "others", "in", "context"]
    assert row.split()[2:4] == ["107.1", "66.6"]
    assert explanation.strip() == (
        "Author, others: occurrences per 10,000 tokens of their known texts."
    )


def test_the_questioned_text_has_a_number_of_occurrences() -> None:
    own = replace(KEYWORD, questioned_count=3, questioned_context=CONTEXT)
    _, headings, row, *explanation = _printed(replace(FOUND, ngrams=(own,), questioned_tokens=900))
    assert headings.split()[:3] == ["author", "others", "questioned"]
    assert row.split()[2:5] == ["107.1", "66.6", "3"]
    assert " ".join(" ".join(explanation).split()).endswith(
        "Questioned: number of occurrences in the questioned text."
    )


def test_contexts_are_cut_between_words_with_an_ellipsis() -> None:
    row = _printed(FOUND)[2].rstrip()
    assert row.endswith("  …is some evidence [with it] in the judgment of…")


@pytest.mark.parametrize(
    ("text", "width", "cut"),
    [
        ("one two", 7, "one two"),
        ("one two three", 8, "one two…"),
        ("one two three", 7, "one…"),
        ("one two three", 9, "one two…"),
        ("extraordinarily", 6, "…"),
        ("春夏秋冬春夏秋冬", 9, "春夏秋冬…"),
    ],
)
def test_a_cut_keeps_whole_words(text: str, width: int, cut: str) -> None:
    assert _shorten(text, width) == cut
