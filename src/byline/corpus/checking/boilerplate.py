"""Find text that publishers, libraries and news agencies put before and after a text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import regex

from byline.corpus.checking.edits import Edit, remove_lines
from byline.corpus.document import Document
from byline.corpus.text_lines import TextLine, split_lines

# How many other lines the search passes at either end of a text. Credit lines stand nearer to it.
_END_LINES = 12
_OPENING_CREDITS, _CLOSING_CREDITS = 2, 3
# The maximum length of a line, in characters. A paragraph of prose that quotes a licence is longer.
_MAX_LICENCE = 300
_MAX_CREDIT = 120
_MAX_CREDIT_WORDS = 16

_MAY_BE_GUTENBERG = regex.compile(r"gutenberg|the small print!", regex.IGNORECASE)
_GUTENBERG_START = regex.compile(
    r"^[ \t]*+\*{1,3}+[ \t]*+(?:START OF (?:THE |THIS )?PROJECT GUTENBERG[^\n]*+"
    r"(?:(?<=\*{3}[ \t]*)|\n[^\n]*+(?<=\*{3}[ \t]*))|END\*?[ \t]*+THE SMALL PRINT![^\n]*+)$",
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
    r"|(?:©|^\W{0,3}\(c\)|\bcopyright(?: ©| \(c\))?) ?(?:by [^.]{0,40} )?[12]\d{3}\b",
    regex.IGNORECASE,
)
# At least seven digits in groups, but neither a range of years nor a row of a table.
_PHONE_NUMBER = (
    r"(?<![\d.,])(?!\s?\(?[12]\d{3}[-–/][12]\d{3}(?!\d))(?=(?:[^\d\n]{0,3}\d){7})"
    r"\+?\s?\(?\d{1,4}\)?(?:[ -]{1,2}\(?\d{1,8}\)?){1,7}(?![\d.,]\d)"
)
_PHONE = regex.compile(_PHONE_NUMBER)
_ENDS_WITH_PHONE = regex.compile(rf"{_PHONE_NUMBER}[\s).]*+$")
_SENTENCE_END = regex.compile(r"\p{Ll}[.?!][\"'”’)]*\s")
_CREDIT_START = regex.compile(r"[-–—*]{1,3}\s*\S|\(\(|\(--|\(c\)|©", regex.IGNORECASE)
_DESK = regex.compile(
    r"\b(?:news? ?ro+m|news ?desk|bureau|news agency|desk|redaction)\b",
    regex.IGNORECASE,
)
_ADDRESS = regex.compile(r"https?://\S+|www\.\S+|(?<![\w.+-])[\w.+-]++@[\w-]++\.[\w.]")
# A credit after the last sentence of a paragraph, possibly followed by an exchange rate.
_CREDIT_TAIL = regex.compile(
    r"(?<=[.!?”\"')])\s+(?:-{1,3}|—|\({1,2})(?:(?![.!?][”\")]?\s)[^\n]){0,80}?"
    rf"{_PHONE_NUMBER}[\s).]*(?:\([$c][^()\n]{{0,40}}\)[^()\n]{{0,25}})?$"
)
_MAX_CREDIT_TAIL = 160


def find_boilerplate(document: Document) -> list[Edit]:
    """Find text before and after a document that its author did not write.

    The codes are ``gutenberg`` (header and licence of Project Gutenberg), ``editors-line`` (who
    produced an electronic text), ``licence`` (rights and licences at either end) and
    ``credit-line`` (a news agency's desk or telephone number at either end).
    """
    text = document.text
    start, end = _between_gutenberg_markers(text)
    edits = []
    if start:
        edits.append(Edit(0, start, "", "gutenberg"))
    if end < len(text):
        edits.append(Edit(end, len(text), "", "gutenberg"))
    lines = [line for line in split_lines(text) if start <= line.start and line.end <= end]
    return edits + sorted(_lines_at_ends(text, lines))


def _between_gutenberg_markers(text: str) -> tuple[int, int]:
    """Return the start and end of the text between the start and end markers."""
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


def _lines_at_ends(text: str, lines: Sequence[TextLine]) -> set[Edit]:
    """Find the lines to remove at either end."""
    first = _from_an_end(text, lines, _OPENING_CREDITS)
    return {*first, *_from_an_end(text, lines[::-1], _CLOSING_CREDITS)}


def _from_an_end(text: str, lines: Iterable[TextLine], n_credits: int) -> Iterator[Edit]:
    """Yield the lines to remove from one end on, until enough other lines were passed."""
    n_kept = 0
    for line in lines:
        edit = _edit_of(text, line, may_be_credit=n_kept < n_credits)
        if edit is not None:
            yield edit
        if edit is None or edit.start > line.start:
            n_kept += 1
        if n_kept == _END_LINES:
            return


def _edit_of(text: str, line: TextLine, *, may_be_credit: bool) -> Edit | None:
    """Return the edit that removes a line or its last part, or None to keep the line."""
    is_short = len(line.text) <= _MAX_LICENCE
    if is_short and _EDITORS_LINE.match(line.text):
        return remove_lines(text, line.start, line.end, "editors-line")
    if is_short and _LICENCE.search(line.text):
        return remove_lines(text, line.start, line.end, "licence")
    if may_be_credit and _is_credit(line.text):
        return remove_lines(text, line.start, line.end, "credit-line")
    end = _end_before_credits(text, line) if may_be_credit else line.end
    return Edit(end, line.end, "", "credit-line") if end < line.end else None


def _end_before_credits(text: str, line: TextLine) -> int:
    """Return where a line ends without the credits after its last sentence."""
    end = line.end
    while tail := _CREDIT_TAIL.search(text, max(line.start, end - _MAX_CREDIT_TAIL), end):
        if not (_DESK.search(tail[0]) or _ADDRESS.search(tail[0]) or "((" in tail[0]):
            break
        end = tail.start()
    return end


def _is_credit(line: str) -> bool:
    """Return whether a line is a credit such as ``-- London newsroom +44 171 ...``."""
    if len(line) > _MAX_CREDIT or len(line.split()) > _MAX_CREDIT_WORDS:
        return False
    names_desk = _DESK.search(line) is not None
    if _CREDIT_START.match(line):
        return names_desk or bool(_PHONE.search(line) or _ADDRESS.search(line))
    ends_with_phone = _ENDS_WITH_PHONE.search(line) is not None
    return names_desk and ends_with_phone and not _SENTENCE_END.search(line)
