"""What publishers, libraries and agencies put before and after a text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import regex

from byline.corpus.checking.edits import Edit, Line, leave_out, split_lines
from byline.corpus.document import Document

# Lines at either end of a text where a licence or an agency's line may stand.
_END_LINES = 12
_LONGEST_LICENCE = 600  # characters of a line; a paragraph of prose that quotes a licence is longer
_LONGEST_CREDIT = 120
_CREDIT_WORDS = 12

_MAY_BE_GUTENBERG = regex.compile(r"gutenberg|the small print!", regex.IGNORECASE)
_GUTENBERG_START = regex.compile(
    r"^[ \t]*\*{1,3}[ \t]*(?:START OF (?:THE |THIS )?PROJECT GUTENBERG[^\n]*(?:\n[^\n]*\S[^\n]*)??"
    r"\*{3}|END\*?[ \t]*THE SMALL PRINT![^\n]*)[ \t]*$",
    regex.MULTILINE | regex.IGNORECASE,
)
_GUTENBERG_END = regex.compile(
    r"^[ \t]*(?:\*{1,3}[ \t]*END OF (?:THE |THIS )?PROJECT GUTENBERG|"
    r"End of (?:the |this )?Project Gutenberg(?:['’]s)?\b)[^\n]*$",
    regex.MULTILINE | regex.IGNORECASE,
)
_EDITORS_LINE = regex.compile(
    r"(?:e-?text |this e-?(?:text|book) (?:was |is )?|html version )?"
    r"(?:produced|prepared|scanned|transcribed|digiti[sz]ed|proofread|typed|created) "
    r"(?:and \w+ )?(?:by|for|from)\b(?=.*(?:proofread|gutenberg|pgdp|e-?text|internet archive|"
    r"e-?book|google|@|https?:|www\.|digital))"
    r"|\[?transcriber['’]?s['’]? notes?\b|this (?:e-?text|e-?book) (?:was|is) (?:produced|prepared)"
    r"|this is a digital copy of a book that was preserved for generations"
    r"|.{0,40}\bonline distributed proofread",
    regex.IGNORECASE,
)
_LICENCE = regex.compile(
    r"\ball rights reserved\b|\btous droits réservés\b|\balle rechte vorbehalten\b"
    r"|\btodos los derechos reservados\b|\btutti i diritti riservati\b"
    r"|\bcreativecommons\.org/|\blicen[cs]ed under (?:a |the )?creative commons\b"
    r"|\bno part of this (?:book|publication|work|text) may be (?:reproduced|copied)\b"
    r"|(?:©|\(c\)|\bcopyright(?: ©| \(c\))?) ?(?:by [^.]{0,40} )?[12]\d{3}\b",
    regex.IGNORECASE,
)
_PHONE = regex.compile(r"\+?\(?\d[\d ()./–-]{5,}\d")
_CREDIT_START = regex.compile(r"[-–—*]{1,3}\s*\S|\(\(|\(--|\(c\)|©", regex.IGNORECASE)
_DESK = regex.compile(
    r"\b(?:news ?room|news ?desk|newsdesk|bureau|news agency|(?:\w+ )?desk|redaction)\b",
    regex.IGNORECASE,
)
_ADDRESS = regex.compile(r"https?://\S+|www\.\S+|[\w.+-]+@[\w-]+\.[\w.]+")
# The same at the end of the last paragraph.
_CREDIT_TAIL = regex.compile(
    r"(?<=[.!?”\"')])\s+(?:--|—|\(\()[^.!?\n]{0,80}?\+?\(?\d[\d ()./–-]{5,}\d[\s)]*$"
)


def find_boilerplate(document: Document) -> list[Edit]:
    """Find what stands before and after a text and is not its author's.

    Codes are ``gutenberg`` (header and licence of Project Gutenberg), ``editors-line`` (who
    prepared an electronic text), ``licence`` (rights and licences at either end) and
    ``credit-line`` (an agency's desk or telephone at either end).
    """
    text = document.text
    start, end = _between_marks(text)
    edits = []
    if start:
        edits.append(Edit(0, start, "", "gutenberg"))
    if end < len(text):
        edits.append(Edit(end, len(text), "", "gutenberg"))
    lines = [line for line in split_lines(text) if start <= line.start and line.end <= end]
    return edits + list(_lines_at_ends(text, lines))


def _between_marks(text: str) -> tuple[int, int]:
    """Return where the text between the marks of Project Gutenberg begins and ends."""
    if not _MAY_BE_GUTENBERG.search(text):
        return 0, len(text)
    half = len(text) // 2
    starts = [match.end() for match in _GUTENBERG_START.finditer(text) if match.start() <= half]
    start = starts[-1] if starts else 0
    found = _GUTENBERG_END.search(text, max(start, half))
    end = found.start() if found else len(text)
    while start < end and text[start].isspace():
        start += 1
    while found and end > start and text[end - 1].isspace():
        end -= 1
    return start, end


def _lines_at_ends(text: str, lines: Sequence[Line]) -> Iterator[Edit]:
    """Find lines to leave out among the first and the last ones."""
    for place in sorted({*range(len(lines))[:_END_LINES], *range(len(lines))[-_END_LINES:]}):
        line = lines[place]
        last = place >= len(lines) - _END_LINES // 4
        if len(line.text) <= _LONGEST_LICENCE and _EDITORS_LINE.match(line.text):
            yield leave_out(text, line.start, line.end, "editors-line")
        elif len(line.text) <= _LONGEST_LICENCE and _LICENCE.search(line.text):
            yield leave_out(text, line.start, line.end, "licence")
        elif (last or place < 2) and _is_credit(line.text):
            yield leave_out(text, line.start, line.end, "credit-line")
        elif last and (tail := _CREDIT_TAIL.search(text, line.start, line.end)):
            yield Edit(tail.start(), line.end, "", "credit-line")


def _is_credit(line: str) -> bool:
    """Whether a line names a desk or how to reach it: ``-- London newsroom +44 171 ...``."""
    if len(line) > _LONGEST_CREDIT or len(line.split()) > _CREDIT_WORDS:
        return False
    if _DESK.search(line) and (_PHONE.search(line) or _CREDIT_START.match(line)):
        return True
    reached = _PHONE.search(line) or _ADDRESS.search(line)
    return bool(reached and _CREDIT_START.match(line))
