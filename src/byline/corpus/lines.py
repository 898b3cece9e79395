"""Line breaks: which ones end a paragraph, and which only end a line.

Transcripts and old electronic editions break their lines anywhere; other texts have a
paragraph or a sentence a line. What follows this module sees one form only: a paragraph a line,
a blank line between paragraphs.
"""

from __future__ import annotations

import unicodedata

import regex

from byline.corpus.scripts import UNSPACED_SCRIPTS

# The marks end a sentence before white space; the East Asian ones need none. A run of marks is
# tried from its first one alone: from every one, it would take the square of its length.
_SENTENCE_END = regex.compile(r"(?<![.?!…؟۔।॥።፧։])[.?!…؟۔।॥።፧։]++[\"'”’»)\]]*+(?!\S)|[。！？｡။។៕]")
_ENDS_SENTENCE = regex.compile(r"[.?!…؟۔।॥።፧։。！？｡။។៕][\"'”’»)\]」』]*$")
_BREAK_WITHOUT_SPACE = regex.compile(
    r"(?<=\p{L}-)\n(?=\p{L})"  # over-\ncolouring
    rf"|(?<=[{UNSPACED_SCRIPTS}。、，])\n(?=[{UNSPACED_SCRIPTS}])"
)
_BREAK = regex.compile(r"(?<!\n)\n(?!\n)")
# No paragraph begins with a small letter after one that did not end: the break is an accident.
_BREAK_IN_SENTENCE = regex.compile(r"(?<![.?!…:\"'”’»)\]\n])\n++(?=\p{Ll})")
_BLANK_LINES = regex.compile(r"\n+")

# Of 6,700 texts in eight corpora, those broken anywhere end at most 0.6 of their lines with a
# sentence (verse the most), those with a paragraph or sentence a line at least 0.7 nearly all.
_MIN_SHARE_ENDING = 2 / 3
# Transcripts without punctuation are as good as unmarked with one sentence end in fifty lines.
_MIN_ENDS_PER_LINE = 1 / 50
# Characters from the start that tell how the lines of a text are broken.
_SAMPLE = 500_000


def unwrap(text: str) -> str:
    """Return ``text`` with a paragraph a line and a blank line between paragraphs.

    A break within a paragraph becomes a space where the lines are broken anywhere. Lines stay
    apart where most of them end with a sentence, and where hardly any sentence end is marked:
    then nothing else says where a sentence ends. Letters are composed with their accents (Unicode's
    NFC): how an editor stored them is nobody's style.
    """
    joined = "\n".join(map(str.strip, text.splitlines())).strip()
    sample = [line for line in joined[:_SAMPLE].split("\n") if line]
    if len(sample) > 1 and _marks_sentences(sample):
        if _are_broken_anywhere(sample):
            joined = join_lines(joined)
        joined = _BREAK_IN_SENTENCE.sub(" ", joined)
    return unicodedata.normalize("NFC", _BLANK_LINES.sub("\n\n", joined))


def join_lines(text: str) -> str:
    """Join the lines of each paragraph, with a space where the script has spaces."""
    return str(_BREAK.sub(" ", _BREAK_WITHOUT_SPACE.sub("", text)))


def _marks_sentences(lines: list[str]) -> bool:
    ends = sum(len(_SENTENCE_END.findall(line)) for line in lines)
    return ends >= max(1, _MIN_ENDS_PER_LINE * len(lines))


def _are_broken_anywhere(lines: list[str]) -> bool:
    ending = sum(_ENDS_SENTENCE.search(line, max(0, len(line) - 8)) is not None for line in lines)
    return ending < _MIN_SHARE_ENDING * len(lines)
