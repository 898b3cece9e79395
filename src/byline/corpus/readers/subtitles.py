"""Read subtitles (SubRip, WebVTT, and the JSON of Amara): the speech, without times and tags."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby, pairwise

from byline.corpus.dialogue.turns import Dialogue, Turn
from byline.corpus.extraction import ExcludedPart, ExclusionCounter
from byline.corpus.readers.caption_annotations import without_annotations
from byline.typography.lines import unwrap

_TIME = r"(?:\d+:)?\d{1,2}:\d{2}[.,]\d{1,3}"
_SETTINGS = r"(?:[ \t]+(?:vertical|line|position|size|align|region|[XY][12]):\S+)*"
_TIMING = rf"[ \t]*{_TIME}[ \t]*-->[ \t]*{_TIME}"
_TIMING_LINE = re.compile(rf"{_TIMING}{_SETTINGS}[ \t]*(?P<rest>.*)")
_ANY_TIMING = re.compile(rf"^{_TIMING}", re.MULTILINE)
_CUE_NUMBER = re.compile(rf"^[ \t]*\d+[ \t]*\n(?={_TIMING})", re.MULTILINE)
# Only the tags that the two formats define, because "x < y" is speech.
_TAG = re.compile(
    rf"</?(?:[bius]|[cv]|ruby|rt|lang|font)(?:[.\s][^<>]*)?/?>|<{_TIME}>|\{{\\an?\d+\}}|\{{/?[bius]\}}",
    re.IGNORECASE,
)
# The name in <v.loud Ann Crane>, which stands between markers until the cues are divided.
_VOICE = re.compile(r"<v(?:\.[\w.]{1,100})?[ \t]+([^<>\n]{1,200})>", re.IGNORECASE)
_VOICE_START, _VOICE_END = "\x02", "\x03"
_ENTITY = re.compile(r"&(?:amp|lt|gt|quot|nbsp|lrm|rlm|#\d+|#x[0-9a-f]+);", re.IGNORECASE)
_NUMBER_AT_END = re.compile(r"(?<![\d.])\d{1,5}[ \t]*$")
_DIGIT = re.compile(r"\d")
_HEAD_LINES = 3
# Two speakers may say the same in turn; in roll-up captions most cues repeat the one before.
_MIN_ROLL_UP_SHARE = 0.5
_MAX_LINES_ON_SCREEN = 50

_AMARA_HEAD = re.compile(r'\s*\{.{0,2000}?"subtitles"\s*:\s*\[', re.DOTALL)
_HTML_BREAK = re.compile(r"<br\s*/?>", re.IGNORECASE)
# Surrogates and control characters: JSON can write them, but no text contains them.
_NOT_TEXT = re.compile(r"[\x00-\x08\x0e-\x1f\x7f\ud800-\udfff]")
_DECODER = json.JSONDecoder()

Cue = list[str]


def is_subtitles(text: str) -> bool:
    """Return whether a text begins like SubRip or WebVTT, whatever its file is called."""
    if text.startswith("WEBVTT"):
        return _ANY_TIMING.search(text) is not None
    head = [line for line in text[:2000].splitlines() if line.strip()][:_HEAD_LINES]
    return any(map(_TIMING_LINE.match, head))


def has_timing(text: str) -> bool:
    """Return whether a line of a text begins with the timing of a cue."""
    return _ANY_TIMING.search("\n".join(text.splitlines())) is not None


def find_invalid_timing(text: str) -> int | None:
    """Return the number, from 1, of the first line that looks like a timing but is not valid."""
    lines = enumerate(text.splitlines(), start=1)
    return next((number for number, line in lines if _is_invalid_timing(line)), None)


def _is_invalid_timing(line: str) -> bool:
    return _looks_like_timing(line) and not _TIMING_LINE.fullmatch(line)


def _looks_like_timing(line: str) -> bool:
    """Return whether a word with a digit and a colon adjoins an arrow: ``0:4x --> 0:07,000``.

    A regular expression for a colon and an arrow anywhere in a word would take time that grows
    with the cube of the line's length.
    """
    before, arrow, after = line.partition("->")
    words = before.rstrip("-").split(maxsplit=1)
    if not arrow or len(words) > 1:
        return False
    return any(":" in word and _DIGIT.search(word) for word in words + after.split(maxsplit=1)[:1])


@dataclass(frozen=True, slots=True)
class Speech:
    """What is said in captions.

    Attributes
    ----------
    lines : tuple of str
    voices : tuple of str
        The voice that WebVTT states for each line; empty if it states none.
    excluded : tuple of ExcludedPart
        Descriptions of sounds, music, and credits.
    """

    lines: tuple[str, ...]
    voices: tuple[str, ...]
    excluded: tuple[ExcludedPart, ...] = ()

    def dialogue(self) -> Dialogue | None:
        """Return the turns of the voices; None if fewer than two voices are stated."""
        if len(set(filter(None, self.voices))) < 2:
            return None
        turns = [
            Turn(voice, unwrap("\n".join(self.lines[number] for number, _ in group)))
            for voice, group in groupby(enumerate(self.voices), key=lambda each: each[1])
        ]
        return Dialogue("captions with voices", tuple(turns), self.excluded)


def read_subtitles(text: str) -> str:
    """Return the speech in SubRip or WebVTT, with the lines of the cues.

    Roll-up captions, which repeat the lines of the cue before, are read once. Descriptions of
    sounds, music and credits are left out.
    """
    return "\n".join(read_speech(text).lines)


def read_speech(text: str) -> Speech:
    """Return what is said in SubRip or WebVTT, by whom, and what else the cues contain."""
    text = "\n".join(text.splitlines())
    is_webvtt = text.startswith("WEBVTT")
    if not is_webvtt and not _ANY_TIMING.search(text):
        lines = tuple(text.split("\n"))
        return Speech(lines, ("",) * len(lines))
    cues = [cleaned for cue in _split_cues(text, is_webvtt) if (cleaned := _clean(cue))]
    excluded = ExclusionCounter()
    lines_of_voices: list[tuple[str, str]] = []
    for cue in _without_roll_up(cues):
        lines_of_voices += _spoken(without_annotations(cue, excluded))
    return Speech(
        tuple(line for _, line in lines_of_voices),
        tuple(voice for voice, _ in lines_of_voices),
        excluded.parts(),
    )


def _spoken(cue: Cue) -> Iterator[tuple[str, str]]:
    """Yield the lines of a cue with their voices; one line may contain several voices."""
    voice = ""
    for line in cue:
        start, *spans = line.split(_VOICE_START)
        if start.strip():
            yield voice, start.strip()
        for span in spans:
            voice, _, said = span.partition(_VOICE_END)
            voice = " ".join(voice.split())
            if said.strip():
                yield voice, said.strip()


def remove_stray_timings(text: str) -> str:
    """Remove leftover timings from a transcript, with cue numbers and the gaps before them."""
    if "-->" not in text:
        return text
    kept: list[str] = []
    for line in text.splitlines():
        timing = _TIMING_LINE.match(line)
        if not timing:
            kept.append(line)
            continue
        _remove_cue_number(kept)
        if timing["rest"].strip():
            kept.append(timing["rest"])
    return "\n".join(kept)


def _remove_cue_number(lines: list[str]) -> None:
    """Remove the number of a cue from the end of the lines above its timing.

    A number that follows speech is removed alone: ``1, 58`` becomes ``1,``.
    """
    speech = ""
    if lines and (number := _NUMBER_AT_END.search(lines[-1])):
        speech = lines.pop()[: number.start()].rstrip()
    elif lines and lines[-1].strip():
        return
    while lines and not lines[-1].strip():
        lines.pop()
    if speech:
        lines.append(speech)


def _split_cues(text: str, is_webvtt: bool) -> list[Cue]:
    cues: list[Cue] = []
    for block in re.split(r"\n{2,}", _CUE_NUMBER.sub("", text)):
        lines = block.split("\n")
        if is_webvtt:
            lines = _webvtt_cue_lines(lines)
        for line in lines:
            if timing := _TIMING_LINE.fullmatch(line):
                cues.append([timing["rest"]])
            elif cues:
                cues[-1].append(line)
            else:
                cues.append([line])
    return cues


def _webvtt_cue_lines(block: list[str]) -> list[str]:
    """Return a block from its timing on; a block without one is a header, note or style."""
    start = next((i for i, line in enumerate(block) if _TIMING_LINE.match(line)), len(block))
    return block[start:]


def _clean(cue: Cue) -> Cue:
    marked = _VOICE.sub(rf"{_VOICE_START}\1{_VOICE_END}", "\n".join(cue))
    lines = _TAG.sub("", marked).split("\n")
    shown = (_ENTITY.sub(lambda match: html.unescape(match[0]), line) for line in lines)
    return [stripped for line in shown if (stripped := line.strip())]


def _without_roll_up(cues: list[Cue]) -> list[Cue]:
    """Remove from each cue the lines that it repeats, if the captions roll up."""
    repeats = [_overlap(before, cue) for before, cue in pairwise(cues)]
    if sum(map(bool, repeats)) < max(2, _MIN_ROLL_UP_SHARE * len(repeats)):
        return cues
    return cues[:1] + [cue[n:] for cue, n in zip(cues[1:], repeats, strict=True)]


def _overlap(before: Cue, cue: Cue) -> int:
    """Return the largest number of lines that end ``before`` and begin ``cue``."""
    longest = min(len(before), len(cue), _MAX_LINES_ON_SCREEN)
    return next((n for n in range(longest, 0, -1) if before[-n:] == cue[:n]), 0)


def is_amara(text: str) -> bool:
    """Return whether a text is an Amara export: a JSON object with a list of subtitles."""
    return text.lstrip().startswith("{") and _AMARA_HEAD.match(text) is not None


def read_amara(text: str) -> str:
    """Return the speech in an Amara export, one line per line on screen.

    Of a file that ends early, the complete subtitles are read.
    """
    head = _AMARA_HEAD.match(text)
    position = head.end() if head else len(text)
    lines: list[str] = []
    while (start := text.find("{", position)) >= 0:
        try:
            cue, position = _DECODER.raw_decode(text, start)
        except (ValueError, RecursionError):  # ValueError also for a number of too many digits
            break
        speech = cue.get("text")
        if isinstance(speech, str):
            shown = html.unescape(_HTML_BREAK.sub("\n", speech))
            lines += _NOT_TEXT.sub("\ufffd", shown).split("\n")
    return "\n".join(lines)
