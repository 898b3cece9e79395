"""Find the parts of a message that its sender did not write as running text.

The same rules serve files in e-mail formats and messages that somebody saved as plain text. In
plain text, a rule needs more evidence, because a novel may also contain "On the 4th of March he
wrote:", and nothing is removed that may be the author's own.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

import regex

from byline.corpus.emails.footers import (
    SENTENCE_END,
    Lines,
    joined,
    start_of_disclaimer,
    start_of_signature,
)
from byline.corpus.emails.phrases import (
    ANY_DATE,
    ATTRIBUTION,
    ATTRIBUTION_START,
    BANNER,
    DAY_AND_DATE,
    FIELD,
    FORWARD,
    MACHINE_DATE,
    MAX_ATTRIBUTION_LINES,
    MAX_LINE,
    NAME_FIRST_ATTRIBUTION,
    QUOTED,
    RECENT_DATE,
    RULE,
    SPEAKER_CHANGE,
)
from byline.corpus.text_lines import TextLine, split_lines

_MAX_LINES_BEFORE_HEADERS = 2
_MAX_TITLE = 80  # characters of a line above the headers of a text
_MIN_HEADERS = 2  # at the start of a text; a block inside it needs more
_MIN_FIELDS = 3
# In plain text, what looks like a quoted message later than this is part of a longer work.
_MAX_OWN_WORDS = 20_000  # characters
_MAX_SALUTATION = 30
_ADDRESS = regex.compile(r"[\w.+-]{1,60}+@[\w.-]{1,60}+")


class EmailPart(NamedTuple):
    """Whole lines that the sender did not write as running text.

    Attributes
    ----------
    start, end : int
        The position in the text, from the start of the first line to the end of the last one.
    code : str
        ``"email-headers"``, ``"quoted-lines"``, ``"email-signature"`` or ``"email-disclaimer"``.
    """

    start: int
    end: int
    code: str


class _FieldBlock(NamedTuple):
    """Consecutive lines such as ``From: Ann``; ``end`` is the index after the last one."""

    start: int
    end: int
    n_fields: int
    sender: str
    is_message: bool


def email_parts(text: str, *, is_email: bool = False) -> list[EmailPart]:
    r"""Find quoted messages, headers, signatures and disclaimers.

    Parameters
    ----------
    text : str
        With the lines of its file.
    is_email : bool
        Whether the text is certainly the body of one message, so that less evidence is enough.

    Returns
    -------
    list of EmailPart
        In the order of the text, and without overlaps.

    Examples
    --------
    >>> from byline.corpus.emails.parts import email_parts
    >>> text = "I agree.\n\nOn 4 Mar 2024, at 10:12, Ben Sail wrote:\nIs the rope long?\n"
    >>> [(part.code, text[: part.start]) for part in email_parts(text)]
    [('quoted-lines', 'I agree.\n\n')]
    """
    lines = split_lines(text)
    found = [
        part
        for start, end in _messages(lines, is_email=is_email)
        for part in _parts_of_message(text, lines[start:end], is_email=is_email)
    ]
    return list(_without_overlaps(sorted(found)))


def _without_overlaps(parts: Sequence[EmailPart]) -> Iterator[EmailPart]:
    """Yield the parts that do not begin inside the one before: a quotation after a signature."""
    end = -1
    for part in parts:
        if part.start > end:
            yield part
            end = part.end


def _messages(lines: Lines, *, is_email: bool) -> Iterator[tuple[int, int]]:
    """Divide a text that consists of several messages by one sender, each with its headers."""
    starts = [0]
    if not is_email and (top := _top_block(lines)) is not None and top.sender:
        starts += [
            block.start
            for block in _blocks(lines, top.end)
            if block.is_message and _is_same_sender(block.sender, top.sender)
        ]
    yield from zip(starts, [*starts[1:], len(lines)], strict=True)


def _is_same_sender(one: str, other: str) -> bool:
    addresses = _ADDRESS.findall(one), _ADDRESS.findall(other)
    if all(addresses):
        return str(addresses[0][-1]).casefold() == str(addresses[1][-1]).casefold()
    names = [name.partition("<")[0].strip(" \"'*").casefold() for name in (one, other)]
    return names[0] == names[1]


def _parts_of_message(text: str, lines: Lines, *, is_email: bool) -> Iterator[EmailPart]:
    top = None if is_email else _top_block(lines)
    first = 0 if top is None else top.end
    cut = _start_of_quoted_message(lines, first, is_email=is_email)
    if cut is not None and (cut or is_email):
        yield _part(lines, cut, len(lines), "quoted-lines")
    else:
        cut = len(lines)
    if top is not None and top.start < cut:
        yield _part(lines, top.start, min(top.end, cut), "email-headers")
    quoted = _quoted(lines[:cut])
    yield from (_part(lines, index, index + 1, "quoted-lines") for index in quoted)
    own = [line for index, line in enumerate(lines[first:cut], first) if index not in quoted]
    if len(own) > 1 and BANNER.fullmatch(own[0].text[: 2 * MAX_LINE]):
        yield _part(own, 0, 1, "email-disclaimer")
        own = own[1:]
    end = start_of_disclaimer(text, own)
    if end < len(own):
        yield _part(own, end, len(own), "email-disclaimer")
    own = own[:end]
    if (start := start_of_signature(text, own)) < len(own):
        yield _part(own, start, len(own), "email-signature")


def _part(lines: Lines, start: int, end: int, code: str) -> EmailPart:
    return EmailPart(lines[start].start, lines[end - 1].end, code)


def _field(line: TextLine) -> regex.Match[str] | None:
    return FIELD.fullmatch(line.text) if ":" in line.text[:60] else None


def _top_block(lines: Lines) -> _FieldBlock | None:
    """Return the headers at the start of a text."""
    for start in range(min(len(lines), _MAX_LINES_BEFORE_HEADERS + 1)):
        if RULE.fullmatch(lines[start].text):
            return None  # what follows is a quoted message
        if _field(lines[start]):
            block = _block(lines, start)
            return block if block.n_fields >= _MIN_HEADERS else None
        if _is_prose(lines[start].text):
            return None  # the writer's own words above the headers of a quoted message
    return None


def _is_prose(line: str) -> bool:
    is_sentence = len(line) > _MAX_TITLE or line.endswith((*SENTENCE_END, ","))
    return is_sentence and not BANNER.fullmatch(line[: 2 * MAX_LINE])


def _block(lines: Lines, start: int) -> _FieldBlock:
    """Return the block of fields that begins with a line that is one."""
    end, n_fields, sender = start, 0, ""
    kinds: set[str] = set()
    while end < len(lines) and (field := _field(lines[end])) is not None:
        n_fields += 1
        kinds |= {kind for kind in ("sender", "subject", "date") if field[kind]}
        if field["sender"]:
            sender = sender or field["value"] or ""
        end += 1
        while end < len(lines) and _continues(lines, end):
            end += 1
    is_message = n_fields >= _MIN_FIELDS and "sender" in kinds and len(kinds) > 1
    return _FieldBlock(start, end, n_fields, sender, is_message)


def _continues(lines: Lines, index: int) -> bool:
    """Return whether a line continues the field above it: it is indented, or a list goes on."""
    line, above = lines[index], lines[index - 1]
    is_indented = line.end - line.start > len(line.text) and above.end + 1 == line.start
    in_list = above.text.endswith((";", ",")) and "@" in line.text
    return (is_indented or in_list) and not _field(line)


def _blocks(lines: Lines, first: int) -> Iterator[_FieldBlock]:
    index = first
    while index < len(lines):
        if _field(lines[index]) is None:
            index += 1
            continue
        block = _block(lines, index)
        yield block
        index = block.end


def _start_of_quoted_message(lines: Lines, first: int, *, is_email: bool) -> int | None:
    """Return the index of the line from which on all words are those of an earlier message."""
    starts = [_first_forward(lines), _first_block(lines, first, is_email=is_email)]
    starts.append(_first_unmarked_quotation(lines, first, is_email=is_email))
    return min((start for start in starts if start is not None), default=None)


def _first_forward(lines: Lines) -> int | None:
    return next(
        (
            index
            for index, line in enumerate(lines)
            if len(line.text) <= MAX_LINE and FORWARD.fullmatch(line.text)
        ),
        None,
    )


def _within(lines: Lines, index: int, *, is_email: bool) -> bool:
    return is_email or lines[index].start - lines[0].start <= _MAX_OWN_WORDS


def _first_block(lines: Lines, first: int, *, is_email: bool) -> int | None:
    for block in _blocks(lines, first):
        start = block.start
        if not _within(lines, start, is_email=is_email):
            return None
        has_rule = start > first and RULE.fullmatch(lines[start - 1].text) is not None
        if block.is_message and (block.end < len(lines) or has_rule):
            return start - has_rule
    return None


def _first_unmarked_quotation(lines: Lines, first: int, *, is_email: bool) -> int | None:
    """Find "On ... wrote:" without ">" in the lines below."""
    evidence = ANY_DATE if is_email else MACHINE_DATE
    for last in range(first, len(lines) - 1):
        if not _within(lines, last, is_email=is_email):
            return None
        if QUOTED.match(lines[last].text) or QUOTED.match(lines[last + 1].text):
            continue
        start = _attribution(lines, last)
        if start is None or (start == first and not is_email):
            continue
        line = joined(lines, start, last)
        if (
            evidence.search(line)
            or DAY_AND_DATE.match(line)
            or (RECENT_DATE.search(line) and _has_salutation(lines[:start]))
        ):
            return start
    return None


def _has_salutation(lines: Lines) -> bool:
    """Return whether headers, or a short line such as "Dear Ann," or "Thanks,", are found."""
    return _top_block(lines) is not None or any(
        line.text.endswith((",", ":", "!")) and len(line.text) <= _MAX_SALUTATION for line in lines
    )


def _attribution(lines: Lines, last: int) -> int | None:
    """Return the first line of "On ... wrote:" if it ends with line ``last``."""
    if not lines[last].text.endswith((":", "--")):
        return None
    for start in range(last, max(-1, last - MAX_ATTRIBUTION_LINES), -1):
        line = lines[start].text
        if len(line) > MAX_LINE or (start < last and line.endswith(SENTENCE_END)):
            break
        if ATTRIBUTION_START.match(line) and ATTRIBUTION.fullmatch(joined(lines, start, last)):
            return start
    line = lines[last].text
    is_name_first = len(line) <= MAX_LINE and NAME_FIRST_ATTRIBUTION.fullmatch(line)
    return last if is_name_first else None


def _quoted(lines: Lines) -> set[int]:
    """Return the lines that begin with ">", and those above them that name the other writer."""
    quoted = [index for index, line in enumerate(lines) if QUOTED.match(line.text)]
    marked = set(quoted)
    named = {
        each
        for index in quoted
        if index and index - 1 not in marked
        if (start := _attribution(lines, index - 1)) is not None
        for each in range(start, index)
    }
    in_a_row = any(
        after == before + 1 and not SPEAKER_CHANGE.match(lines[before].text)
        for before, after in pairwise(quoted)
    )
    # The author may use a single ">" for another purpose.
    return marked | named if named or in_a_row else set()
