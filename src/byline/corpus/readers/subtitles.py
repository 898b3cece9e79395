"""SubRip (SRT) and WebVTT, read tolerantly: what was said, without when and where on screen."""

from __future__ import annotations

import html
import re
from itertools import pairwise

_TIME = r"(?:\d+:)?\d{1,2}:\d{2}[.,]\d{1,3}"
_SETTINGS = r"(?:[ \t]+(?:vertical|line|position|size|align|region|[XY][12]):\S+)*"
_TIMING = rf"[ \t]*{_TIME}[ \t]*-->[ \t]*{_TIME}"
_TIMING_LINE = re.compile(rf"{_TIMING}{_SETTINGS}[ \t]*(?P<rest>.*)")
_ANY_TIMING = re.compile(rf"^{_TIMING}", re.MULTILINE)
_CUE_NUMBER = re.compile(rf"^[ \t]*\d+[ \t]*\n(?={_TIMING})", re.MULTILINE)
# Only tags that the two formats know: "x < y" is speech.
_TAG = re.compile(
    rf"</?(?:[bius]|[cv]|ruby|rt|lang|font)(?:[.\s][^<>]*)?/?>|<{_TIME}>|\{{\\an?\d+\}}|\{{/?[bius]\}}",
    re.IGNORECASE,
)
_ENTITY = re.compile(r"&(?:amp|lt|gt|quot|nbsp|lrm|rlm|#\d+|#x[0-9a-f]+);", re.IGNORECASE)
_NUMBER_AT_END = re.compile(r"(?<![\d.])\d{1,5}[ \t]*$")
_DIGIT = re.compile(r"\d")
_HEAD_LINES = 3
# Two people may say the same in turn; captions that roll up repeat themselves all the time.
_MIN_ROLL_UP_SHARE = 0.5
_MOST_LINES_ON_SCREEN = 50

Cue = list[str]


def is_subtitles(text: str) -> bool:
    """Whether ``text`` begins as subtitles do, whatever its file is called."""
    if text.startswith("WEBVTT"):
        return _ANY_TIMING.search(text) is not None
    head = [line for line in text[:2000].splitlines() if line.strip()][:_HEAD_LINES]
    return any(map(_TIMING_LINE.match, head))


def has_timing(text: str) -> bool:
    """Whether a line of ``text`` begins with a cue's timing."""
    return _ANY_TIMING.search("\n".join(text.splitlines())) is not None


def find_broken_timing(text: str) -> int | None:
    """Return the number, from 1, of the first line that is meant as a timing and is none."""
    lines = enumerate(text.splitlines(), start=1)
    return next((number for number, line in lines if _is_broken_timing(line)), None)


def _is_broken_timing(line: str) -> bool:
    return _is_meant_as_timing(line) and not _TIMING_LINE.fullmatch(line)


def _is_meant_as_timing(line: str) -> bool:
    """Whether a word with a digit and a colon is on a side of the arrow: ``0:4x --> 0:07,000``.

    Not by an expression: one that seeks a colon and an arrow anywhere in a word takes a time that
    grows with the cube of its length.
    """
    before, arrow, after = line.partition("->")
    words = before.rstrip("-").split(maxsplit=1)
    if not arrow or len(words) > 1:
        return False
    return any(":" in word and _DIGIT.search(word) for word in words + after.split(maxsplit=1)[:1])


def read_subtitles(text: str) -> str:
    """Return what is said in SRT or WebVTT, a line of a cue a line; roll-up repeats once."""
    text = "\n".join(text.splitlines())
    is_webvtt = text.startswith("WEBVTT")
    if not is_webvtt and not _ANY_TIMING.search(text):
        return text
    cues = [cleaned for cue in _split_cues(text, is_webvtt) if (cleaned := _clean(cue))]
    return "\n".join(line for cue in _without_roll_up(cues) for line in cue)


def without_stray_timings(text: str) -> str:
    """Take leftover timings out of a transcript, with cue numbers and the gaps before them."""
    if "-->" not in text:
        return text
    kept: list[str] = []
    for line in text.splitlines():
        timing = _TIMING_LINE.match(line)
        if not timing:
            kept.append(line)
            continue
        _forget_cue_number(kept)
        if timing["rest"].strip():
            kept.append(timing["rest"])
    return "\n".join(kept)


def _forget_cue_number(lines: list[str]) -> None:
    """Take the number of a cue from the end of the lines above its timing: ``1, 58`` is ``1,``."""
    said = ""
    if lines and (number := _NUMBER_AT_END.search(lines[-1])):
        said = lines.pop()[: number.start()].rstrip()
    elif lines and lines[-1].strip():
        return
    while lines and not lines[-1].strip():
        lines.pop()
    if said:
        lines.append(said)


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
    """Return the block from its timing on: what has none is the head, a note, a style or region."""
    start = next((i for i, line in enumerate(block) if _TIMING_LINE.match(line)), len(block))
    return block[start:]


def _clean(cue: Cue) -> Cue:
    lines = _TAG.sub("", "\n".join(cue)).split("\n")
    shown = (_ENTITY.sub(lambda match: html.unescape(match[0]), line) for line in lines)
    return [stripped for line in shown if (stripped := line.strip())]


def _without_roll_up(cues: list[Cue]) -> list[Cue]:
    """Drop the lines a cue repeats from the one before, in captions that roll up."""
    repeats = [_overlap(before, cue) for before, cue in pairwise(cues)]
    if sum(map(bool, repeats)) < max(2, _MIN_ROLL_UP_SHARE * len(repeats)):
        return cues
    return cues[:1] + [cue[n:] for cue, n in zip(cues[1:], repeats, strict=True)]


def _overlap(before: Cue, cue: Cue) -> int:
    """Return the most lines that end ``before`` and begin ``cue``."""
    longest = min(len(before), len(cue), _MOST_LINES_ON_SCREEN)
    return next((n for n in range(longest, 0, -1) if before[-n:] == cue[:n]), 0)
