"""Read plain text and subtitles."""

from __future__ import annotations

import re
from dataclasses import dataclass

from byline.corpus.decoding import decode
from byline.corpus.dialogue.labels import find_labelled_dialogue
from byline.corpus.dialogue.turns import Dialogue
from byline.corpus.extraction import ExcludedPart
from byline.corpus.readers.formats import SUBTITLE_SUFFIXES
from byline.corpus.readers.subtitles import (
    find_invalid_timing,
    has_timing,
    is_amara,
    is_subtitles,
    read_amara,
    read_speech,
    read_subtitles,
    remove_stray_timings,
)

_MARKUP = re.compile(r"\s*<(?:!doctype\s+html|html|\?xml|(?:\w{1,20}:)?TEI)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class PlainText:
    """A plain text, with what a reader should know about it.

    Attributes
    ----------
    lines : str
        The text with the line breaks of its file.
    guessed_encoding : str or None
        The encoding, if Byline had to guess it.
    lacks_cues : bool
        Whether the file has the suffix of subtitles but contains no cue.
    invalid_timing : int or None
        In subtitles, the number of the first line that looks like a timing but is not valid.
    is_markup : bool
        Whether the text begins like HTML or XML, so that its tags are read as text.
    dialogue : Dialogue or None
        The turns of the text, if it has several speakers.
    excluded : tuple of ExcludedPart
        What captions contain besides speech.
    """

    lines: str
    guessed_encoding: str | None = None
    lacks_cues: bool = False
    invalid_timing: int | None = None
    is_markup: bool = False
    dialogue: Dialogue | None = None
    excluded: tuple[ExcludedPart, ...] = ()


def decode_plain_text(data: bytes, name: str, suffix: str = ".txt") -> PlainText:
    """Decode the content of a plain text or of subtitles.

    Raises
    ------
    CorpusError
        The content cannot be decoded, or is not text; the message begins with ``name``.
    """
    decoded = decode(data, name)
    has_suffix = suffix.lower() in SUBTITLE_SUFFIXES and not is_amara(decoded.text)
    are_subtitles = has_suffix or is_subtitles(decoded.text)
    invalid = find_invalid_timing(decoded.text) if are_subtitles else None
    lines, dialogue, excluded = _read_speakers(decoded.text, are_subtitles=are_subtitles)
    lacks_cues = (
        has_suffix and bool(lines.strip()) and invalid is None and not has_timing(decoded.text)
    )
    is_markup = _MARKUP.match(decoded.text) is not None
    return PlainText(
        lines, decoded.guessed_encoding, lacks_cues, invalid, is_markup, dialogue, excluded
    )


def _read_speakers(
    text: str, *, are_subtitles: bool
) -> tuple[str, Dialogue | None, tuple[ExcludedPart, ...]]:
    """Return the lines of a text, its turns if it has several speakers, and what was left out."""
    if not are_subtitles:
        return read_lines(text), find_labelled_dialogue(text), ()
    speech = read_speech(text)
    dialogue = speech.dialogue() or find_labelled_dialogue("\n".join(speech.lines))
    return "\n".join(speech.lines), dialogue, speech.excluded


def read_lines(text: str, suffix: str = ".txt") -> str:
    """Return a plain text, or the speech in subtitles, with its line breaks as line feeds."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    if is_amara(text):
        return read_amara(text)
    if suffix.lower() in SUBTITLE_SUFFIXES or is_subtitles(text):
        return read_subtitles(text)
    return remove_stray_timings(text)
