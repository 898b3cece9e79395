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
KEYWORD = Keyword(("with", "it"), 0.9, 3.1, 1071, 1332, 8, 1, (CONTEXT,))
FOUND = AuthorKeywords("Ada", ("Ben", "Cleo"), 100_000, 200_000, 8, (KEYWORD,))


def _printed(found: AuthorKeywords) -> list[str]:
    console = Console(file=io.StringIO(), width=120)
    print_keywords(console, keywords_summary([found]))
    return console.file.getvalue().splitlines()  # type: ignore[attr-defined,no-any-return]


def test_rates_can_be_compared_although_the_others_wrote_more() -> None:
    # 1,071 in 100,000 words are more than 1,332 in 200,000.
    _, headings, row, explanation = _printed(FOUND)
    assert headings.split() == ["author", "others", "in", "context"]
    assert row.split()[2:4] == ["107.1", "66.6"]
    assert explanation == (
        "Occurrences per 10,000 words: in the author's known texts, in those of the others."
    )


def test_the_questioned_text_has_a_rate_too() -> None:
    own = replace(KEYWORD, questioned_count=3, questioned_lines=(CONTEXT,))
    _, headings, row, explanation = _printed(replace(FOUND, ngrams=(own,), questioned_words=900))
    assert headings.split()[:3] == ["author", "others", "questioned"]
    assert row.split()[2:5] == ["107.1", "66.6", "33.3"]  # 3 in 900 words
    assert explanation.endswith("in those of the others, and in the questioned text.")


def test_a_keyword_that_occurs_only_in_headings_is_marked() -> None:
    row = _printed(replace(FOUND, ngrams=(replace(KEYWORD, lines=()),)))[2]
    assert row.rstrip().endswith("(only in titles, contents or headings)")


def test_names_that_are_left_out_are_counted() -> None:
    assert _printed(replace(FOUND, n_names=12))[3] == (
        "  12 more keywords with names are not listed (keep_names=True lists them)."
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
