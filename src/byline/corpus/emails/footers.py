"""Find the signature and the disclaimer at the end of a message."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from byline.corpus.emails.phrases import CONTACT, DEVICE, DISCLAIMER, MAX_LINE, RULE, SIGNATURE
from byline.corpus.text_lines import TextLine

SENTENCE_END = (".", "!", "?", ":", "…")
_MAX_SIGNATURE_LINES, _MAX_SIGNATURE_LINE = 10, 120
_MAX_CONTACT_LINES, _MAX_CONTACT_LINE = 8, 80
_MAX_FOOTER_LINES, _MAX_FOOTER, _LONG_LINE = 60, 8_000, 50

Lines = Sequence[TextLine]


def joined(lines: Lines, start: int, last: int) -> str:
    """Return the lines from ``start`` to ``last`` as one."""
    return " ".join(line.text for line in lines[start : last + 1])


def start_of_disclaimer(text: str, own: Lines) -> int:
    """Return the index of the line from which on a disclaimer fills the end of the message."""
    first = max(0, len(own) - _MAX_FOOTER_LINES)
    for start, end in _paragraphs(text, own, first):
        if own[-1].end - own[start].start > _MAX_FOOTER:
            continue
        paragraph = joined(own, start, end - 1)[:_MAX_FOOTER]
        if found := DISCLAIMER.search(paragraph):
            at = _line_at(own, start, found.start())
            while at > start and _runs_on(own[at - 1].text):
                at -= 1
            while at > 0 and RULE.fullmatch(own[at - 1].text):
                at -= 1
            return at if at else len(own)
    return len(own)


def _paragraphs(text: str, lines: Lines, first: int) -> Iterator[tuple[int, int]]:
    """Yield the start and the end of each group of lines without a blank line in it."""
    start = first
    for index in range(first, len(lines)):
        is_last = index + 1 == len(lines)
        if is_last or text.count("\n", lines[index].end, lines[index + 1].start) > 1:
            yield start, index + 1
            start = index + 1


def _line_at(lines: Lines, start: int, position: int) -> int:
    """Return the line that contains a position of the joined lines."""
    while position > len(lines[start].text):
        position -= len(lines[start].text) + 1
        start += 1
    return start


def _runs_on(line: str) -> bool:
    return len(line) >= _LONG_LINE and not line.endswith(SENTENCE_END)


def start_of_signature(text: str, own: Lines) -> int:
    """Return where the signature begins. If there are several, the first one counts."""
    end = len(own)
    while (start := _last_signature(own, end)) is not None:
        end = start
    return _start_of_contact_lines(text, own[:end]) if end == len(own) else end


def _last_signature(lines: Lines, end: int) -> int | None:
    """Return the line that begins a signature ending before ``end``, but never the first line."""
    for index in range(max(1, end - _MAX_SIGNATURE_LINES - 1), end):
        below = lines[index + 1 : end]
        # Below a dash between two scenes stand paragraphs.
        if SIGNATURE.fullmatch(lines[index].text) and not any(map(_is_paragraph, below)):
            return index
    if end > 1 and len(lines[end - 1].text) <= MAX_LINE and DEVICE.fullmatch(lines[end - 1].text):
        return end - 1
    return None


def _is_paragraph(line: TextLine) -> bool:
    return len(line.text) > _MAX_SIGNATURE_LINE


def _start_of_contact_lines(text: str, own: Lines) -> int:
    """Find a signature without a line of hyphens: short lines with an address or a number."""
    first = max(1, len(own) - _MAX_CONTACT_LINES)
    *_, (start, end) = [(0, 0), *_paragraphs(text, own, first)]
    block = own[start:end]
    if (
        start > 0
        and len(block) > 1
        and text.count("\n", own[start - 1].end, own[start].start) > 1
        and any(CONTACT.search(line.text) for line in block)
        and not any(_is_of_text(line.text) for line in block)
    ):
        closing = block[0].text.endswith(",")  # "Best regards," is the author's own choice
        return start + closing
    return len(own)


def _is_of_text(line: str) -> bool:
    """Return whether a line is too long for an address, or the end of a sentence."""
    if len(line) > _MAX_CONTACT_LINE:
        return True
    return line.endswith((".", "!", "?")) and not CONTACT.search(line)
