"""Find what captions contain besides speech: descriptions of sounds, music, and credits."""

from __future__ import annotations

import regex

from byline.corpus.extraction import ExclusionCounter

SOUNDS, MUSIC, CREDITS = "descriptions of sounds", "music", "credits of captions"
_LETTER = regex.compile(r"\p{L}")
_SQUARE = regex.compile(r"\[[^\[\]]{1,120}\]")
# Speech may contain parentheses, so these fill a line, or follow a name, a dash or a sentence.
_ROUND = regex.compile(
    r"(?:(?<=^)|(?<=\n)|(?<=[.!?…:\-–—] )|(?<=\n[-–—])|(?<=^[-–—]))"
    r"\((?=[^()]{0,119}\p{L})[^()]{1,120}\)"
    r"(?=[ \t]*(?:\n|$|[:,]|[-–—]? ?[\p{Lu}\"“]))"
)
_NOTES = "♪♫♩♬"
_MUSIC = regex.compile(rf"[-–— ]{{0,3}}(?:[{_NOTES}][^\n]*|\#[ ][^\n]*[ ]\#|[^\n]*[{_NOTES}])")
_CREDIT = regex.compile(
    r"(?:(?:Subtitle[sd]?|Subtitling|Caption(?:s|ed|ing)?|Closed captions|Transcri(?:pt|bed|ption)"
    r"|Translat(?:ed|ion)|Sync(?:ed|hronized)?(?: and| &)? ?(?:correct(?:ed|ions))?)"
    r"(?: made possible)? (?:by|from|provided by)\b"
    r"|(?:Transcriber|Translator|Reviewer|Subtitler) ?:"
    r"|Untertitel(?:ung)? ?(?:von|:|der|des|im Auftrag)"
    r"|Sous-titr(?:es|ages?|é) ?(?:par|de|:|réalisé)"
    r"|Subtítulos ?(?:por|de|:|realizados)|Traducción ?(?:por|de|:)|Traduction ?(?:par|de|:)"
    r"|(?:https?://|www\.)?(?:[\w-]{0,20}\.)?(?:opensubtitles|addic7ed|amara|subscene)\.)",
    regex.IGNORECASE,
)


def without_annotations(cue: list[str], excluded: ExclusionCounter) -> list[str]:
    """Return the lines of a cue without annotations, which are counted.

    Examples
    --------
    >>> from byline.corpus.extraction import ExclusionCounter
    >>> excluded = ExclusionCounter()
    >>> without_annotations(["[door slams] Who is it?", "(knocking)"], excluded)
    ['Who is it?']
    >>> [(part.kind, part.n) for part in excluded.parts()]
    [('descriptions of sounds', 2)]
    """
    text = "\n".join(cue)
    if _CREDIT.match(text.lstrip("- ")):
        excluded.add(CREDITS, text)
        return []

    def count(found: regex.Match[str]) -> str:
        if not _LETTER.search(found[0]):
            return str(found[0])
        excluded.add(SOUNDS, found[0])
        return ""

    if "[" in text:
        text = _SQUARE.sub(count, text)
    if "(" in text:
        text = _ROUND.sub(count, text)
    kept = []
    for line in text.split("\n"):
        if any(note in line for note in _NOTES + "#") and _MUSIC.fullmatch(line.strip()):
            excluded.add(MUSIC, line)
        elif stripped := " ".join(line.split()):
            kept.append(stripped)
    return [line for line in kept if line not in ("-", "–", "—")]
