"""One file of text, or of subtitles, as a text with a paragraph a line."""

from __future__ import annotations

from pathlib import Path

from byline.corpus.decoding import Decoded, decode, read_bytes
from byline.corpus.lines import unwrap
from byline.corpus.readers.amara import is_amara, read_amara
from byline.corpus.readers.subtitles import is_subtitles, read_subtitles, without_stray_timings

SUBTITLE_SUFFIXES = frozenset({".srt", ".vtt"})
TEXT_SUFFIXES = frozenset({".txt", ".text", ".md"}) | SUBTITLE_SUFFIXES


def read_plain(path: Path, name: str) -> Decoded:
    """Read one text.

    Raises
    ------
    CorpusError
        The file cannot be read or decoded; the message begins with ``name``.
    """
    return decode_plain(read_bytes(path, name), name, path.suffix)


def decode_plain(data: bytes, name: str, suffix: str = ".txt") -> Decoded:
    """Decode the content of one file.

    Raises
    ------
    CorpusError
        It cannot be decoded, or is no text; the message begins with ``name``.
    """
    decoded = decode(data, name)
    return Decoded(normal_form(decoded.text, suffix), decoded.guess)


def normal_form(text: str, suffix: str = ".txt") -> str:
    """Return ``text`` with a paragraph a line, also where it is subtitles."""
    if is_amara(text):
        text = read_amara(text)
    elif suffix.lower() in SUBTITLE_SUFFIXES or is_subtitles(text):
        text = read_subtitles(text)
    else:
        text = without_stray_timings(text)
    return unwrap(text)
