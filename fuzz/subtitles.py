"""Fuzz subtitles: SubRip, WebVTT, the JSON of Amara, and transcripts with stray timings."""

from __future__ import annotations

from harness import FindingError, fuzz, instrumented, mutate_text

with instrumented():
    from byline.corpus.readers.plain_text import decode_plain_text

SUFFIXES = (".srt", ".vtt", ".txt")
SRT = b"""1
00:00:01,000 --> 00:00:02,500
<i>The river</i> rose

2
00:00:02,500 --> 00:00:04,000 X1:10 X2:20
The river rose {\\an8}
in the night &amp; nobody

3
00:00:4x --> 00:00:07,000
heard it.
"""
WEBVTT = b"""WEBVTT - a head

STYLE
::cue { color: red }

NOTE a note

first
00:01.000 --> 00:02.500 align:start position:10%
<v Ann>The river <00:01.500>rose</v>

00:02.500 --> 00:04.000
in the night&#33; &lt;c.red>No</c>
"""
AMARA = rb"""{"title": "a", "subtitles": [
 {"start": 1, "end": 2, "text": "The river rose<br>in the night \u00e9 \ud83d\ude00"},
 {"start": 3, "end": 4, "text": "Nobody &amp; heard it.\nNo."}], "n": 2}"""
STRAY = b"12\n00:00:01,000 --> 00:00:02,000\nThe river rose.\n00:01.000 --> 00:02.000 and fell.\n"


def read(data: bytes) -> None:
    """Read subtitles with one of the suffixes."""
    suffix = SUFFIXES[data[0] % len(SUFFIXES)] if data else ".txt"
    text = decode_plain_text(data[1:], "speech" + suffix, suffix).lines
    text.encode()
    if "\0" in text:
        raise FindingError("the text contains NUL")


if __name__ == "__main__":
    fuzz(
        read, [b"\0" + SRT, b"\1" + WEBVTT, b"\2" + AMARA, b"\2" + STRAY, b"\2" + SRT], mutate_text
    )
