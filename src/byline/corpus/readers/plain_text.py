"""One file of text, or of subtitles, as a text with a paragraph a line."""

from __future__ import annotations

import re
from dataclasses import dataclass

from byline.corpus.decoding import decode
from byline.corpus.lines import unwrap
from byline.corpus.readers.amara import is_amara, read_amara
from byline.corpus.readers.subtitles import (
    find_broken_timing,
    has_timing,
    is_subtitles,
    read_subtitles,
    without_stray_timings,
)

SUBTITLE_SUFFIXES = frozenset({".srt", ".vtt"})
TEXT_SUFFIXES = frozenset({".txt", ".text", ".md"}) | SUBTITLE_SUFFIXES

_MARKUP = re.compile(r"\s*<(?:!doctype\s+html|html|\?xml|(?:\w{1,20}:)?TEI)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class PlainText:
    """One text, and what its reader should be told.

    Attributes
    ----------
    text : str
        A paragraph a line.
    guess : str or None
        The encoding where it had to be guessed.
    lacks_cues : bool
        Whether it is prose in a file that is called subtitles.
    broken_timing : int or None
        In subtitles, the first line that is meant as a timing and is none.
    is_markup : bool
        Whether it begins as HTML or XML does, whose tags are read as text.
    """

    text: str
    guessed_encoding: str | None = None
    lacks_cues: bool = False
    broken_timing: int | None = None
    is_markup: bool = False


def decode_plain(data: bytes, name: str, suffix: str = ".txt") -> PlainText:
    """Decode the content of one file.

    Raises
    ------
    CorpusError
        It cannot be decoded, or is no text; the message begins with ``name``.
    """
    decoded = decode(data, name)
    text = normalize_paragraphs(decoded.text, suffix)
    named_so = suffix.lower() in SUBTITLE_SUFFIXES and not is_amara(decoded.text)
    broken = find_broken_timing(decoded.text) if named_so or is_subtitles(decoded.text) else None
    lacks_cues = named_so and bool(text) and broken is None and not has_timing(decoded.text)
    return PlainText(text, decoded.guessed_encoding, lacks_cues, broken, is_markup(decoded.text))


def is_markup(text: str) -> bool:
    """Whether ``text`` begins as HTML, or as XML of the TEI, does."""
    return _MARKUP.match(text) is not None


def normalize_paragraphs(text: str, suffix: str = ".txt") -> str:
    """Return ``text`` with a paragraph a line, also where it is subtitles."""
    if is_amara(text):
        text = read_amara(text)
    elif suffix.lower() in SUBTITLE_SUFFIXES or is_subtitles(text):
        text = read_subtitles(text)
    else:
        text = without_stray_timings(text)
    return unwrap(text)
