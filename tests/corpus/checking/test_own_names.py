from __future__ import annotations

import pytest

from byline.corpus import Document
from byline.corpus.checking.edits import apply_edits
from byline.corpus.checking.needs_review import find_own_name_lines

BODY = "\n".join(
    f"The rope was long on day {day}, and nobody knew the end of it." for day in range(20)
)


def cleaned(text: str, author: str = "Ada Quill") -> str:
    return apply_edits(text, find_own_name_lines(Document(author, text, "a.txt")))


@pytest.mark.parametrize("line", ["Ada Quill", "ADA QUILL", "by Ada Quill.", "-- Quill, Harbour 7"])
def test_a_line_with_the_own_name_is_removed_at_either_end(line: str) -> None:
    assert cleaned(f"{line}\n{BODY}") == BODY
    assert cleaned(f"{BODY}\n{line}") == BODY


def test_by_is_removed_with_the_name_below_it() -> None:
    assert cleaned(f"THE ROPE\nBY\nADA QUILL.\n{BODY}") == f"THE ROPE\n{BODY}"
    assert cleaned(f"By\nAda Quill\n{BODY}") == BODY


@pytest.mark.parametrize(
    "line",
    [
        "The rope of Mrs. Quill was long, as everybody in the harbour had to admit at last.",
        "He called for Quill.",
    ],
)
def test_a_sentence_with_the_name_stays(line: str) -> None:
    text = f"{line}\n{BODY}"
    assert cleaned(text) == text


def test_a_name_in_the_middle_of_a_text_stays() -> None:
    text = f"{BODY}\nAda Quill\n{BODY}"
    assert cleaned(text) == text


def test_a_label_before_a_speakers_words_stays() -> None:
    text = f"[S4] Yes, and no\n{BODY}"
    assert cleaned(text, "S4") == text


@pytest.mark.parametrize(
    "line",
    ["Ada: it holds", "ADA QUILL: it holds", "01/03/2024, 08:18 - Ada Quill: it holds",
     "[01/03/2024, 08:18:22] Ada: it holds"],
)  # fmt: skip
def test_what_the_author_says_in_a_dialogue_stays(line: str) -> None:
    assert cleaned(f"{line}\n{BODY}\n{line}") == f"{line}\n{BODY}\n{line}"


def test_a_name_after_a_colon_is_removed() -> None:
    assert cleaned(f"Student: Ada Quill\n{BODY}") == BODY
