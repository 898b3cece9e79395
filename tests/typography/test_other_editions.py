"""A text in another edition becomes the same text, and rules leave nothing to do for a second time.

Each conversion imitates an edition, a transcription or a file format.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from byline.typography import RULES, Normalization

EDITION = Normalization.parse("edition")
STRICT = Normalization.parse("strict")
CORPUS = Path(__file__).parents[3] / "shared" / "corpora" / "british_fiction"
PROSE = """\
"I can't find the ferryman," said Ann Crane, "and it's late. 'Tis the third time--the third!--this
week." She looked at the boys' boots, at James's hat, and at the river...

"Ask 'em at th' mill," said the old man, who was goin' home; "they're honest folk. My father called
it 'the last honest mill' in a letter of '68."

"'No,' was all he said," Ann went on. "And then: 'You'll find the office in Finch's lane.' I didn't
believe him - why should I? - but the staff of that office told me the same."

Nobody answered. The crews' fires burnt till four o'clock, and a well-known first-class fiddler
played 'Rule the flood' in the barn, pages 3-5, from 1914-1918 or so.

"It is very deep here," he said; "very deep ... and cold. Who's there?"

"Only me," cried she--"only me, and the dog!"
"""


def _quotes(opening: str, closing: str) -> Callable[[str], str]:
    """Replace straight double quotation marks by a pair of marks."""

    def convert(text: str) -> str:
        marks = re.compile(r'(?:^|(?<=[\s(\u2014-]))"(?=\S)')
        return marks.sub(lambda _: opening, text).replace('"', closing)

    return convert


def _curly(text: str) -> str:
    text = re.sub(r"(?:^|(?<=[\s(\"\u2014-]))'(?=\w)", "\u2018", text).replace("'", "\u2019")
    return _quotes("\u201c", "\u201d")(text)


def _single(text: str) -> str:
    return text.replace('"', "'")


def _anywhere(sign: str, share: float) -> Callable[[str], str]:
    """Insert a sign into words, at the same places each time."""

    def convert(text: str) -> str:
        return re.sub(
            "(?<=[a-z])(?=[a-z])",
            lambda match: sign if match.start() * 37 % 100 < 100 * share else "",
            text,
        )

    return convert


def _full_width(text: str) -> str:
    return re.sub("[!-~]", lambda match: chr(ord(match[0]) + 0xFEE0), text)


CONVERSIONS: dict[str, Callable[[str], str]] = {
    "curly": _curly,
    "curly apostrophes": lambda text: text.replace("'", "\u2019"),
    "wrong curly apostrophes": lambda text: text.replace("'", "\u2018"),
    "accents for apostrophes": lambda text: re.sub(r"(?<=\w)'(?=\w)", "\u00b4", text),
    "modifier letters": lambda text: re.sub(r"(?<=\w)'(?=\w)", "\u02bc", text),
    "single": _single,
    "curly single": lambda text: _curly(_single(text)),
    "guillemets": _quotes("\u00ab", "\u00bb"),
    "French": _quotes("\u00ab\u00a0", "\u00a0\u00bb"),
    "French with narrow spaces": _quotes("\u00ab\u202f", "\u202f\u00bb"),
    "French with usual spaces": _quotes("\u00ab ", " \u00bb"),
    "German": _quotes("\u201e", "\u201c"),
    "German guillemets": _quotes("\u00bb", "\u00ab"),
    "TeX": _quotes("``", "''"),
    "em dashes": lambda text: text.replace("--", "\u2014"),
    "spaced em dashes": lambda text: text.replace("--", " \u2014 "),
    "spaced en dashes": lambda text: text.replace("--", " \u2013 "),
    "spaced hyphens": lambda text: text.replace("--", " - "),
    "en dashes in ranges": lambda text: re.sub(r"(?<=\d)-(?=\d)", "\u2013", text),
    "special hyphens": lambda text: re.sub(r"(?<=\w)-(?=\w)", "\u2010", text),
    "ellipsis characters": lambda text: text.replace(" ...", "...").replace("...", "\u2026"),
    "spaced ellipses": lambda text: text.replace("...", " . . ."),
    "four stops": lambda text: text.replace("...", "...."),
    "no-break spaces": lambda text: text.replace(" ", "\u00a0"),
    "some no-break spaces": lambda text: re.sub(r"\b([aI]|of) ", "\\1\u00a0", text),
    "thin spaces": lambda text: text.replace(" ", "\u2009"),
    "two spaces after sentences": lambda text: re.sub(r"(?<=[.!?]) ", "  ", text),
    "web spaces after sentences": lambda text: re.sub(r"(?<=[.!?]) ", "\u00a0 ", text),
    "tabs": lambda text: text.replace("\n\n", "\n\n\t"),
    "soft hyphens": _anywhere("\u00ad", 0.2),
    "zero-width spaces": _anywhere("\u200b", 0.2),
    "word joiners": _anywhere("\u2060", 0.1),
    "byte-order marks": lambda text: text.replace("\n\n", "\n\n\ufeff"),
    "joiners": _anywhere("\u200c", 0.1),
    "long s": lambda text: re.sub(r"s(?=[a-z])", "\u017f", text),
    "ligatures": lambda text: text.replace("ffi", "\ufb03").replace("fi", "\ufb01"),
    "full width": _full_width,
    "underscores": lambda text: re.sub(r"\b(very|third|office)\b", r"_\1_", text),
    "asterisks": lambda text: re.sub(r"\b(very|third|office)\b", r"*\1*", text),
    "carriage returns": lambda text: text.replace("\n", "\r\n"),
    "entities of spaces": lambda text: re.sub(r"(?<=[.!?]) ", "&nbsp; ", text),
    "escaped entities": lambda text: text.replace(" the ", "&amp;#160;the "),
    "entities of punctuation": lambda text: text.replace("'", "&#8217;").replace("--", "&mdash;"),
    "entities of soft hyphens": _anywhere("&shy;", 0.1),
    "variation selectors": _anywhere("\ufe00", 0.1),
    "ideographic variation selectors": _anywhere("\U000e0100", 0.1),
    "tags": _anywhere("\U000e0061", 0.1),
    "Mongolian separators": _anywhere("\u180e", 0.1),
    "Hangul fillers": _anywhere("\u115f", 0.1),
    "empty Braille cells": lambda text: text.replace(" ", "\u2800"),
    "figure dashes": lambda text: re.sub(r"(?<=\w)-(?=\w)", "\u2012", text),
    "centred ellipses": lambda text: text.replace(" ...", "...").replace("...", "\u22ef"),
    "bold letters of mathematics": lambda text: re.sub(
        "[a-z]", lambda match: chr(ord(match[0]) + 0x1D41A - ord("a")), text
    ),
    "numbers of notes": lambda text: re.sub(r"(?<=[.!?])(?= )", "[12]", text),
    "numbers of pages": lambda text: re.sub(r" (the|an?) ", r" \1 [Pg 12] ", text),
    "numbers of pages inside words": _anywhere("{123}", 0.05),
    "illustrations": lambda text: text.replace("\n\n", "\n\n[Illustration: A mill]\n\n", 1),
    "Greek lookalikes": lambda text: re.sub("(?<=[a-z])o", "\u03bf", text),
    "Cyrillic lookalikes": lambda text: re.sub("(?<=[a-z])e", "\u0435", text),
    "one sign between scenes": lambda text: text.replace("\n\n", "\n\n#\n\n", 1),
    "flowers between scenes": lambda text: text.replace("\n\n", "\n\n✻ ✻ ✻\n\n", 1),
    "headings": lambda text: f"CHAPTER IX\n\nTHE FERRY\n\n{text}\n\n* * *",
}


@pytest.fixture(scope="module")
def prose() -> str:
    """One paragraph per line, with a blank line between paragraphs."""
    return "\n\n".join(" ".join(part.split()) for part in PROSE.split("\n\n"))


@pytest.mark.parametrize("name", CONVERSIONS)
def test_another_edition_becomes_the_same_text(name: str, prose: str) -> None:
    converted = CONVERSIONS[name](prose)
    assert converted != prose
    assert EDITION.apply(converted) == EDITION.apply(prose)
    assert STRICT.apply(converted) == STRICT.apply(prose)


def test_what_the_edition_of_the_prose_looks_like(prose: str) -> None:
    lines = EDITION.apply(prose).split("\n\n")
    assert lines[0] == (
        "\"I can't find the ferryman,\" said Ann Crane, \"and it's late. 'Tis the third time"
        "\u2014the third!\u2014this week.\" She looked at the boys' boots, at James's hat, and at "
        "the river..."
    )
    assert lines[2].startswith('"No," was all he said," Ann went on. "And then: "You\'ll find')
    assert lines[4] == '"It is very deep here," he said; "very deep... and cold. Who\'s there?"'


def test_the_edition_leaves_case_paragraphs_and_letters_as_they_are(prose: str) -> None:
    normal = EDITION.apply(prose)
    assert re.findall(r"\w+", normal) == re.findall(r"\w+", prose)
    assert normal.count("\n\n") == prose.strip().count("\n\n")


@pytest.mark.parametrize(
    "text",
    [
        "\u05e6\u05d4\u05f4\u05dc, \u05d2\u05f3\u05d5\u05e8\u05d2\u05f3",
        "\u0645\u06cc\u200c\u0631\u0648\u0645",
        "Hawai\u02bbi, \u02bbokina",
        "col\u00b7lecci\u00f3, c\u0153ur, \u00e6ra",
        "\u6cb3\uff08\u6c34\uff09\uff0c\u5c71\u3002\u771f\u7684\uff1f\uff01",
        "\u0e41\u0e21\u0e48\u0e19\u0e49\u0e33",
        "OMG\nWHAT IS THIS\nXD",
        "\u0430 \u0441\u0432\u043e\u0439, \u03b1\u03b2\u03bf \u03b1x, \u0436\u03b1",
        "AT&T and R&D; a&b;c &unknown; &#65;",
        "\u1820\u180e\u1820, \U0001f3f4\U000e0067\U000e0062\U000e007f",
    ],
)
def test_what_is_spelling_or_the_author_s_choice_stays(text: str) -> None:
    assert EDITION.apply(text) == text


SIGNS = (
    " '\"`,.-\u2013\u2014\u2026*_\u00ab\u00bb\u2018\u2019\u201c\u201d\u201e \n\n"
    + "()[]>abSto1I\u00a0\u0301\u200d\u00ad?!;:#"
)
WORDS = [
    *("'tis", "boys'", "goin'", "Well", "the", "CHAPTER", "IV", "[MUSIC]", ">>", "* * *", "--"),
    *(" - ", "...", ". . .", "\n\n", "''", "``", "'", '"', "\u00ab", "\u00bb", " ", "\n", "a", "B"),
    *("\u017f", "\ufb01", "(laughter)", "12", "\u00e6", "e\u0301", "[", "]", "_x_", "*", "_", " ."),
    *(",", "OMG", "chapter one", "word " * 45),
    *("&nbsp;", "&amp;", "nbsp;", "&", "amp;", "#38;", "&shy;", "&#9;", "&lt;", ";", "\u180e"),
    *("\u0430", "\u03bf", "\u0436", "[12]", "{12}", "[Pg 1]", "{", "}"),
]
TEXTS = st.one_of(
    st.text(st.sampled_from(SIGNS), max_size=40),
    st.lists(st.sampled_from(WORDS), max_size=14).map("".join),
    st.lists(st.sampled_from(WORDS), max_size=14).map(" ".join),
    st.text(max_size=30),
)
CHOICES = [
    "edition",
    "strict",
    "edition,letter-case",
    "edition,paragraphs",
    "edition,letter-case,paragraphs,accents,punctuation",
    *(f"none,{name}" for name in RULES),
]


@pytest.mark.parametrize("choice", CHOICES)
@settings(deadline=None, max_examples=40)
@given(text=TEXTS)
@example(text="A\u040e")
@example(text="'  ")
@example(text="' a\"\n")
def test_a_second_application_changes_nothing(choice: str, text: str) -> None:
    normalization = Normalization.parse(choice)
    once = normalization.apply(text)
    assert normalization.apply(once) == once


FILLINGS = [
    *("'", '"', "-", "*", "_", " ", ".", "\u0301", "\n", "\u00ab", "` ", "' ", "a' ", "'a ", "*a "),
    *(
        "a* ",
        "- ",
        ". ",
        "[",
        ">",
        ">> ",
        "(",
        ",",
        "\u200c",
        "\u00ad",
        "\U0001f600",
        "\u6cb3",
        "I\n",
    ),
    *("CHAPTER I\n", "\u00a0\u00bb", "\u2026 ", "' \"", "[MUSIC"),
]


@pytest.mark.parametrize("filling", FILLINGS)
def test_the_time_is_linear(filling: str) -> None:
    """Twenty times as long a text takes less than sixty times as long."""

    def seconds(length: int) -> float:
        text = (filling * length)[:length]
        times = []
        for _ in range(3):
            start = time.process_time()
            EDITION.apply(text)
            times.append(time.process_time() - start)
        return min(times)

    seconds(1_000)
    assert seconds(40_000) < 60 * max(seconds(2_000), 0.001)


@pytest.mark.corpora
@pytest.mark.skipif(not CORPUS.exists(), reason="the corpus of novels is not here")
@pytest.mark.parametrize("novel", ["Austen/Pride", "Eliot/Middlemarch", "Trollope/Phineas"])
def test_single_and_double_marks_of_novels_agree(novel: str) -> None:
    text = (CORPUS / f"{novel}.txt").read_text(encoding="utf-8")[100_000:400_000]
    ends = re.compile(r"(?<=[.!?\"'])\n(?=[\"A-Z])")
    paragraphs = [" ".join(part.split()) for part in ends.split(text) if '"' in part]
    agree = [EDITION.apply(_single(part)) == EDITION.apply(part) for part in paragraphs]
    assert len(agree) > 300
    assert sum(agree) > 0.99 * len(agree)
