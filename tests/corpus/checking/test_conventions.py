from __future__ import annotations

from collections.abc import Callable

import pytest

from byline.corpus import Document
from byline.corpus.checking.conventions import find_convention_differences
from byline.corpus.document import Finding

SENTENCES = [f'On day {n}, "Ada" wasn\'t there. Nobody -- not Ben... saw it.' for n in range(24)]
TEXT = "\n\n".join(" ".join(SENTENCES[n : n + 3]) for n in range(0, 24, 3))
Change = Callable[[str], str]


def found(change: Change) -> list[Finding]:
    documents = [
        Document(author, change(TEXT) if author == "cleo" else TEXT, f"{author}/{number}.txt")
        for author in ("ann", "bob", "cleo")
        for number in range(2)
    ]
    return list(find_convention_differences(documents))


@pytest.mark.parametrize(
    ("change", "stated"),
    [
        (str.lower, "Letter case: by ann and bob, the text has capital and small letters"),
        (str.upper, "by cleo, the text is in capital letters only (2 of 2 texts, such as cleo/0"),
        (lambda text: text.replace("\n\n", " "), "the text is not divided into paragraphs"),
        (
            lambda text: "".join(c for c in text if c.isalnum() or c.isspace()),
            "the text has no punctuation marks",
        ),
    ],
)
def test_differences_that_cannot_be_normalised_are_warnings(change: Change, stated: str) -> None:
    finding = found(change)[0]
    assert (finding.severity, finding.code) == ("warning", "different-conventions")
    assert stated in finding.message
    assert finding.paths == ("cleo/0.txt", "cleo/1.txt")


def test_old_spelling_is_a_difference() -> None:
    modern = "He would have thought upon us, and she gave them love. We never have it over. "
    old = "Hee would haue thought vpon vs, and shee gaue them loue. Wee neuer haue it ouer. "
    documents = [Document("ann", modern * 20, "ann/0.txt"), Document("bob", old * 20, "bob/0.txt")]
    [finding] = find_convention_differences(documents)
    assert (finding.code, finding.paths) == ("different-conventions", ("bob/0.txt",))
    assert "differ in spelling, as editions and file formats do" in finding.message


@pytest.mark.parametrize(
    ("before", "after", "stated"),
    [
        ('"Ada"', "\u201cAda\u201d", "Quotes: by ann and bob, the text has straight"),
        ('"Ada"', "\u00abAda\u00bb", "by cleo, the text has guillemets"),
        ("wasn't", "wasn\u2019t", "by cleo, the text has curly apostrophes"),
        (" -- ", "\u2014", "by cleo, the text has em dashes"),
        ("...", "\u2026", "by cleo, the text has the ellipsis character"),
        ("On day", "On\u00a0day", "by cleo, the text has no-break"),
        ("Nobody", "No\u00adbody", "by cleo, the text has invisible characters"),
        ("Nobody", "No\u200bbody", "by cleo, the text has invisible characters"),
        ("On", "\ufb01On", "by cleo, the text has typographic ligatures"),
        ("saw", "\u017faw", "by cleo, the text has the long s"),
    ],
)
def test_differences_that_are_normalised_are_notes(before: str, after: str, stated: str) -> None:
    [finding] = found(lambda text: text.replace(before, after))
    assert (finding.severity, finding.code) == ("note", "different-typography")
    assert stated in finding.message
    assert finding.paths == ("cleo/0.txt", "cleo/1.txt")


def test_texts_of_one_edition_have_no_finding() -> None:
    assert found(lambda text: text) == []
