from __future__ import annotations

import pytest

from byline.corpus import Document
from byline.corpus.checking.boilerplate import find_boilerplate
from byline.corpus.checking.edits import apply_edits

BODY = "\n\n".join(
    f"The rope was long on day {day}, and the sailors counted every knot of it twice."
    for day in range(30)
)
HEADER = """The Project Gutenberg EBook of The Rope, by Ada Quill

This eBook is for the use of anyone anywhere at no cost.

Title: The Rope

*** START OF THIS PROJECT GUTENBERG EBOOK THE ROPE ***

"""
LICENCE = """

End of Project Gutenberg's The Rope, by Ada Quill

*** END OF THIS PROJECT GUTENBERG EBOOK THE ROPE ***

Section 1. General Terms of Use and Redistributing
"""


def found(text: str) -> tuple[str, list[str]]:
    """Return the cleaned text and the codes of the edits."""
    edits = find_boilerplate(Document("ada", text, "a.txt"))
    return apply_edits(text, edits), [edit.code for edit in edits]


def test_prose_has_no_boilerplate() -> None:
    assert found(BODY) == (BODY, [])


def test_text_outside_the_markers_of_project_gutenberg_is_removed() -> None:
    assert found(HEADER + BODY + LICENCE) == (BODY, ["gutenberg", "gutenberg"])


@pytest.mark.parametrize(
    "marker",
    [
        "*** START OF THE PROJECT GUTENBERG EBOOK THE ROPE ***",
        "***START OF THE PROJECT GUTENBERG EBOOK THE ROPE***",
        "*** START OF THIS PROJECT GUTENBERG EBOOK A VERY LONG TITLE\nOF TWO LINES ***",
        "*END*THE SMALL PRINT! FOR PUBLIC DOMAIN ETEXTS*Ver.04.29.93*END*",
        "*** Start of the Project Gutenberg eBook, The Rope ***",
    ],
)
def test_every_form_of_the_start_marker_is_known(marker: str) -> None:
    assert found(f"All this is header.\n\n{marker}\n\n{BODY}") == (BODY, ["gutenberg"])


@pytest.mark.parametrize(
    "marker",
    [
        "*** END OF THE PROJECT GUTENBERG EBOOK THE ROPE ***",
        "End of the Project Gutenberg EBook of The Rope, by Ada Quill",
        "End of Project Gutenberg Etext of The Rope",
    ],
)
def test_every_form_of_the_end_marker_is_known(marker: str) -> None:
    assert found(f"{BODY}\n\n{marker}\nAnd a licence.\n") == (BODY, ["gutenberg"])


def test_prose_about_project_gutenberg_stays() -> None:
    text = f"{BODY}\n\nAt the end of the day I read a book from Project Gutenberg.\n\n{BODY}"
    assert found(text) == (text, [])


def test_an_end_marker_in_the_first_half_is_ignored() -> None:
    text = f"Short.\nEnd of Project Gutenberg, said the heading of her letter.\n{BODY}"
    assert found(text) == (text, [])


@pytest.mark.parametrize(
    "line",
    [
        "Produced by Ada Quill and the Online Distributed Proofreading Team at www.pgdp.net",
        "E-text prepared by Ben Sail, digital librarian",
        "[Transcriber's Note: the spelling is as it was.]",
    ],
)
def test_lines_about_the_producer_are_removed_at_either_end(line: str) -> None:
    assert found(f"{line}\n\n{BODY}") == ("\n" + BODY, ["editors-line"])
    assert found(f"{BODY}\n\n{line}")[1] == ["editors-line"]


def test_a_sentence_that_begins_like_such_a_line_stays() -> None:
    text = f"Prepared by the cook, the dinner stood on the table.\n\n{BODY}"
    assert found(text) == (text, [])


@pytest.mark.parametrize(
    "line",
    [
        "Copyright © 2003 by Ada Quill. All rights reserved.",
        "(c) 1996 The Rope Press",
        "Tous droits réservés.",
        "This work is licensed under a Creative Commons Attribution licence.",
        "No part of this book may be reproduced without permission.",
    ],
)
def test_licences_are_removed_at_either_end(line: str) -> None:
    assert found(f"{line}\n\n{BODY}")[1] == ["licence"]
    assert found(f"{BODY}\n\n{line}")[0] == BODY + "\n"


@pytest.mark.parametrize(
    "line",
    [
        "They wanted (a) 100 ropes, (b) 1500 knots, and (c) 2000 sails.",
        "The rope, she said, was hers by right, and nobody had reserved it. " * 5,
    ],
)
def test_prose_at_either_end_is_not_a_licence(line: str) -> None:
    text = f"{line}\n\n{BODY}"
    assert found(text) == (text, [])


def test_a_licence_in_the_middle_stays() -> None:
    text = f"{BODY}\n\nAll rights reserved, she said, are rights refused.\n\n{BODY}"
    assert found(text) == (text, [])


@pytest.mark.parametrize(
    "line",
    [
        "-- Harbour Newsroom +00 111 222 3333",
        "((Harbour newsdesk (000) 111-2222))",
        "--ada.quill@example.org, Harbour bureau",
        "Harbour Newsdesk - 000-111-2222",
        "-- 000-111-2222",
    ],
)
def test_a_credit_line_is_removed(line: str) -> None:
    assert found(f"{BODY}\n{line}\n") == (BODY + "\n", ["credit-line"])


@pytest.mark.parametrize(
    "tail",
    [
        "-- Harbour Newsroom 000 111 2222",
        "((-- Harbour Newsrom 000 111 2222))",
        "- Harbour Newsroom Tel+00 111 222 3333 Fax +00 111 222 3334",
        "(ada.quill@example.org, Harbour Bureau 000 111 2222)",
        "--Harbour newsroom +000 11 22 33 ($1=.5956 Pound)",
        "-- Harbour Newsroom 00-1 2222-3333 (c) Ropes Limited 1996",
    ],
)
def test_every_form_of_credit_is_removed(tail: str) -> None:
    text = f"{BODY} It cost A$2.33. {tail}"
    assert found(text) == (f"{BODY} It cost A$2.33.", ["credit-line"])


def test_a_credit_after_the_last_sentence_is_removed() -> None:
    text = f'{BODY} "It held," she said. -- Ada Quill, Harbour Newsroom 000 111 2222.'
    assert found(text) == (f'{BODY} "It held," she said.', ["credit-line"])


@pytest.mark.parametrize(
    "line",
    [
        "-- and so they sailed, all of them, and counted the rope.",
        "Call the harbour on 000-111-2222 if the rope is lost.",
        "The newsroom was dark when she came in and nobody answered.",
        "((He laughed))",
        "it held. -- Harbour Newsroom 000 111 2222 A ship came in",
        "The newsroom can be reached. Call it: 000 111 2222",
        "The war of the ropes was long (1821-1828).",
        "-4.31   -0.47    1,589.18     910.74",
        "- 1821-1828",
        "They lost half of it. -- In 1996/97, the rope cost 100 million",
        "It was cold at 2.35. (0335 GMT), and the rope was down at 12 33 1 5 0 3 2 1 knots",
    ],
)
def test_a_last_line_of_prose_stays(line: str) -> None:
    text = f"{BODY}\n{line}"
    assert found(text) == (text, [])
