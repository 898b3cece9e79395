from __future__ import annotations

from byline.corpus import ReadingOptions
from byline.corpus.questioned import read_questioned

OWN = "I have read your letter about the river, and I cannot agree with it at all.\n" * 3
QUOTED = "".join(f"> The water rose in the year {n}, and nobody was warned.\n" for n in range(60))
HEADERS = "From: Ann Lee <ann@example.org>\nTo: Ben Roe\nSubject: The river\n\n"
LICENCE = (
    "*** END OF THE PROJECT GUTENBERG EBOOK THE RIVER ***\n\n"
    "Updated editions will replace the previous one.\nYou may copy it under the license.\n"
)


def test_a_quoted_reply_is_found_and_left_out() -> None:
    found = read_questioned(f"{HEADERS}{OWN}\n{QUOTED}".encode(), "letter.txt")
    assert found.text.split() == OWN.split()
    parts = {part.code: part.n_words for part in found.left_out}
    assert parts["quoted-lines"] == len(QUOTED.split())
    assert parts["email-headers"] == len(HEADERS.split())


def test_a_licence_of_project_gutenberg_is_left_out() -> None:
    found = read_questioned(f"{OWN}{OWN}\n{LICENCE}".encode(), "letter.txt")
    assert found.text.split() == (OWN + OWN).split()
    assert [part.code for part in found.left_out] == ["gutenberg"]


def test_what_is_kept_stays() -> None:
    data = f"{HEADERS}{OWN}\n{QUOTED}".encode()
    found = read_questioned(data, "letter.txt", ReadingOptions(keep=["quotations"]))
    assert found.left_out == ()
    assert "nobody was warned" in found.text


def test_a_clean_text_is_unchanged() -> None:
    found = read_questioned(OWN.encode(), "letter.txt")
    assert found.left_out == ()
    assert found.text.split() == OWN.split()
