"""Concordance lines are spread over the running text."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from byline.attribution.keyness.concordance import Concordance, spread
from byline.attribution.keyness.counts import NgramCounts
from byline.attribution.keyness.places import NgramPlaces, WordPlaces
from byline.attribution.keyness.word_table import WordTable
from byline.corpus import Corpus, Document

FRONT = "THE SEA\n\nBy Ann Sea\n\nContents\n\nI. The Sea\nII. The Sea Again\n\n"
BODY = "The river rose in the night, and nobody heard it until the morning came at last. " * 9
TEXT = f"{FRONT}{BODY}\n\nThe sea was calm. {BODY}\n\nCHAPTER II\n\nThe Sea Again\n\n{BODY} A sea."


def concordance(*texts: str) -> tuple[Concordance, list[str]]:
    documents = [Document("Ann", text, f"{number}.txt") for number, text in enumerate(texts)]
    other = Corpus([Document("Ben", "a field", "ben")], "Ben")
    table = WordTable.of(Corpus(documents, "Ann"), other)
    return Concordance(WordPlaces(table.first)), table.words


def test_titles_contents_and_headings_give_no_lines() -> None:
    found, words = concordance(TEXT)
    lines = found.lines(words.index("sea"), 9)
    assert [(line.before + line.hit)[-5:] for line in lines] == ["e sea", "A sea"]
    assert "CHAPTER" not in lines[0].after
    assert found.lines(words.index("contents"), 9) == ()


def test_lines_come_from_all_texts() -> None:
    found, words = concordance(TEXT, BODY, TEXT)
    lines = found.lines(words.index("river"), 3)
    assert [line.path for line in lines] == ["0.txt", "1.txt", "2.txt"]


def test_ngrams_have_lines_by_the_same_rules() -> None:
    documents = [Document("Ann", text, f"{number}.txt") for number, text in enumerate([TEXT, BODY])]
    counts = NgramCounts.of(Corpus([*documents, Document("Ben", TEXT, "ben")], "known"))
    places = NgramPlaces(counts.encoder, counts.ngrams, counts.corpus, counts.table)
    columns = {counts.ngrams.ngram(column): column for column in range(len(counts.ngrams))}
    found = Concordance(places).lines(columns["the", "sea"], 9)
    assert [(line.path, line.hit, line.after[:9]) for line in found] == [
        ("0.txt", "The sea", " was calm"),
        ("ben", "The sea", " was calm"),
    ]


def test_a_text_whose_only_hits_are_headings_is_replaced_by_another() -> None:
    heading = f"{BODY}\n\nCHAPTER I\n\nThe Ball\n\n{BODY}"
    found, words = concordance(heading, heading, f"{BODY} A ball. {BODY}", heading)
    [line] = found.lines(words.index("ball"), 1)
    assert line.path == "2.txt"


def test_of_many_texts_those_far_apart_are_chosen() -> None:
    found, words = concordance(*[BODY] * 9)
    assert [line.path for line in found.lines(words.index("river"), 3)] == [
        "1.txt",
        "4.txt",
        "7.txt",
    ]


def test_the_keyword_is_as_written() -> None:
    found, words = concordance(TEXT.replace("The river", "THE RIVER"))
    assert found.lines(words.index("river"), 1)[0].hit == "RIVER"


@given(st.sets(st.integers(0, 999), max_size=30), st.integers(1, 8))
def test_spread_chooses_different_places_in_order(places: set[int], at_most: int) -> None:
    chosen = spread(np.array(sorted(places), dtype=np.int64), 1000, at_most).tolist()
    assert chosen == sorted(set(chosen))
    assert set(chosen) <= places
    assert len(chosen) == min(at_most, len(places))
