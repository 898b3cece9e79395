"""Subtitles as the platform Amara exports them: one JSON object, some files ending early."""

from __future__ import annotations

import html
import json
import re

_HEAD = re.compile(r'\s*\{.{0,2000}?"subtitles"\s*:\s*\[', re.DOTALL)
_BREAK = re.compile(r"<br\s*/?>", re.IGNORECASE)
# Halves of surrogate pairs, and controls: JSON can spell them, and no text has them.
_UNSAID = re.compile(r"[\x00-\x08\x0e-\x1f\x7f\ud800-\udfff]")
_DECODER = json.JSONDecoder()


def is_amara(text: str) -> bool:
    """Whether ``text`` is a JSON object with a list of subtitles near its start."""
    return text.lstrip().startswith("{") and _HEAD.match(text) is not None


def read_amara(text: str) -> str:
    """Return what the subtitles say, a line each; of a file that ends early, all whole ones."""
    head = _HEAD.match(text)
    position = head.end() if head else len(text)
    lines: list[str] = []
    while (start := text.find("{", position)) >= 0:
        try:
            cue, position = _DECODER.raw_decode(text, start)
        except (ValueError, RecursionError):  # also of a number with thousands of digits
            break
        said = cue.get("text")
        if isinstance(said, str):
            text_of_cue = html.unescape(_BREAK.sub("\n", said))
            lines += _UNSAID.sub("\ufffd", text_of_cue).split("\n")
    return "\n".join(lines)
