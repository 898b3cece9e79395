from __future__ import annotations

import pytest

from byline.typography.annotations import remove_transcript_annotations


@pytest.mark.parametrize(
    ("given_text", "expected"),
    [
        ("So [MUSIC] on", "So on"),
        ("So [inaudible] on", "So on"),
        ("So [BLANK_AUDIO] on", "So on"),
        ("So (Laughter) on", "So on"),
        (">> Good day.\n>> and you?", "Good day.\nand you?"),
        ("Right. >> Why?", "Right. Why?"),
        ("Right. >> [inaudible] fine", "Right. fine"),
        ("\u226b Hello", "Hello"),
    ],
)
def test_transcript_annotations_are_removed(given_text: str, expected: str) -> None:
    assert remove_transcript_annotations(given_text) == expected


@pytest.mark.parametrize(
    "prose",
    [
        "[sic]",
        "a[i] and b[J]",
        "[the king] rose",
        "see [EU]",
        "(a sound)",
        "cin >> x",
        "[x](y)",
    ],
)
def test_brackets_in_prose_stay(prose: str) -> None:
    assert remove_transcript_annotations(prose) == prose
