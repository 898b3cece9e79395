"""Running text: without title pages, tables of contents and headings."""

from __future__ import annotations

import numpy as np
import pytest

from byline.attribution.keyness.prose import Prose

PARAGRAPH = "The river rose, and nobody heard it at night. " * 6


def prose_of(text: str) -> list[str]:
    prose, lines = Prose.of(text), text.split("\n")
    return [line for line, is_prose in zip(lines, prose.is_prose, strict=True) if is_prose]


@pytest.mark.parametrize(
    "front",
    [
        pytest.param("EMMA\n\nBY\n\nJANE AUSTEN", id="title page in capitals"),
        pytest.param("Emma: A Novel. By Jane Austen.", id="title page in title case"),
        pytest.param("I. The Ball\nII. The Letter\nIII. The Walk", id="table of contents"),
        pytest.param("The Ball, The Letter, The Walk, The Storm. " * 12, id="contents in one line"),
    ],
)
def test_nothing_before_the_first_paragraph_is_running_text(front: str) -> None:
    assert prose_of(f"{front}\n\n{PARAGRAPH}") == [PARAGRAPH]


def test_headings_between_paragraphs_are_not_running_text() -> None:
    text = f"{PARAGRAPH}\n\nCHAPTER II\n\nThe Walk To The Sea\n\n“Yes,” said she.\n\n{PARAGRAPH}"
    assert prose_of(text) == [PARAGRAPH, "“Yes,” said she.", PARAGRAPH]


def test_a_text_without_long_paragraphs_begins_at_once() -> None:
    assert prose_of("thanks!\n\nsee you there") == ["thanks!", "see you there"]


def test_the_running_text_around_a_place_ends_at_headings() -> None:
    text = f"{PARAGRAPH}\n\nCHAPTER II\n\nIt rained.\n\nIt snowed.\n\nCHAPTER III\n\n{PARAGRAPH}"
    first, last = Prose.of(text).around(text.index("snowed"))
    assert text[first:last].split() == ["It", "rained.", "It", "snowed."]


def test_the_running_text_of_a_whole_text_has_no_end() -> None:
    prose = Prose.of(PARAGRAPH)
    assert prose.around(5) == (0, None)
    assert prose.covers(np.array([0, 9])).all()
