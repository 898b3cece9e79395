"""Distinguish line breaks that end a paragraph from those that only end a line.

Transcripts and old electronic editions break lines anywhere; other texts have one paragraph or
one sentence per line. After this module there is one form only: one paragraph per line, with a
blank line between paragraphs.
"""

from __future__ import annotations

import unicodedata

import regex

from byline.typography.scripts import UNSPACED_SCRIPTS

# Western punctuation ends a sentence before white space; East Asian punctuation needs none. A run
# of punctuation is tried from its first mark only; otherwise the time would grow with the square
# of its length.
_SENTENCE_END = regex.compile(r"(?<![.?!…؟۔।॥።፧։])[.?!…؟۔।॥።፧։]++[\"'”’»)\]]*+(?!\S)|[。！？｡။។៕]")
_ENDS_SENTENCE = regex.compile(r"[.?!…؟۔।॥።፧։。！？｡။។៕][\"'”’»)\]」』]*$")
_BREAK_WITHOUT_SPACE = regex.compile(
    r"(?<=\p{L}-)\n(?=\p{L})"  # over-\ncolouring
    rf"|(?<=[{UNSPACED_SCRIPTS}。、，])\n(?=[{UNSPACED_SCRIPTS}])"
)
_BREAK = regex.compile(r"(?<!\n)\n(?!\n)")
# A paragraph does not begin with a lower-case letter after one that did not end its sentence.
_BREAK_IN_SENTENCE = regex.compile(r"(?<![.?!…:\"'”’»)\]\n])\n++(?=\p{Ll})")
_BLANK_LINES = regex.compile(r"\n+")

# In 6,700 texts of eight corpora, a sentence ends at most 0.6 of the lines of texts whose lines are
# broken anywhere (most in verse), and at least 0.7 of nearly all texts with one paragraph or
# sentence per line.
_MIN_SHARE_ENDING = 2 / 3
# Transcripts with only one sentence end in fifty lines have no usable punctuation.
_MIN_ENDS_PER_LINE = 1 / 50
_SAMPLE = 500_000  # characters at the beginning that decide


def unwrap(text: str) -> str:
    r"""Return a text with one paragraph per line, and a blank line between paragraphs.

    If lines are broken anywhere, a break within a paragraph becomes a space. Lines stay separate
    if most of them end with a sentence, or if hardly any sentence end is marked, because then
    only the lines show where sentences end. Letters are composed with their accents (Unicode
    NFC), because their encoding is not part of anybody's style.

    Parameters
    ----------
    text : str

    Returns
    -------
    str

    Examples
    --------
    >>> unwrap("The river rose in the\nnight. Nobody heard\nit.")
    'The river rose in the night. Nobody heard it.'
    >>> unwrap("The river rose.\nNobody heard it.")
    'The river rose.\n\nNobody heard it.'
    """
    joined = "\n".join(map(str.strip, text.splitlines())).strip()
    sample = [line for line in joined[:_SAMPLE].split("\n") if line]
    if len(sample) > 1 and _marks_sentence_ends(sample):
        if _are_broken_anywhere(sample):
            joined = join_lines(joined)
        joined = _BREAK_IN_SENTENCE.sub(" ", joined)
    return unicodedata.normalize("NFC", _BLANK_LINES.sub("\n\n", joined))


def join_lines(text: str) -> str:
    """Join the lines of each paragraph, with a space if the script has spaces."""
    return str(_BREAK.sub(" ", _BREAK_WITHOUT_SPACE.sub("", text)))


def _marks_sentence_ends(lines: list[str]) -> bool:
    n_ends = sum(len(_SENTENCE_END.findall(line)) for line in lines)
    return n_ends >= max(1, _MIN_ENDS_PER_LINE * len(lines))


def _are_broken_anywhere(lines: list[str]) -> bool:
    n_ending = sum(_ENDS_SENTENCE.search(line, max(0, len(line) - 8)) is not None for line in lines)
    return n_ending < _MIN_SHARE_ENDING * len(lines)
