"""Build paragraphs from the lines of a PDF's pages, and resolve hyphens at line ends."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import regex

from byline.corpus.readers.pdf.lines import (
    HYPHEN,
    PdfLine,
    PdfPage,
    is_below,
    is_right_of,
    same_size,
    usual_line_spacing,
    usual_size,
)
from byline.typography.lines import join_lines

# A larger distance between two lines, in usual line spacings, begins a paragraph.
_MIN_GAP = 1.3
_MIN_INDENT = 0.7  # in heights of a line
_SPARE_WIDTH = 1.2  # letters differ in width, and spaces stretch
_NEARBY_LINES = 5  # before and after a line; the longest of them shows where the column ends
_ENDS_SENTENCE = regex.compile(r"[.?!…:。！？؟۔।][\"'”’»)\]」』]*$")
_BULLET = regex.compile(r"[•▪◦‣●■□\p{Co}]\s+")
_BEGINS_LOWER_CASE = regex.compile(r"\W{0,2}\p{Ll}")
_DASH_AT_BREAK = regex.compile(r"(?<=\S(?:--|[—―]))\n(?=\S)")
_MIN_HYPHENATED_SHARE = 0.01  # of the lines, if a program hyphenated the text
_WORD = regex.compile(r"\p{L}+(?:[-‐]\p{L}+)*")
_HYPHENATED = regex.compile(rf"(?<!\p{{L}})(\p{{L}}*+){HYPHEN}\n?(\p{{L}}*+)")


@dataclass(frozen=True, slots=True)
class _PageStyle:
    """The usual line spacing of a page, in heights of a line, and the usual height."""

    line_spacing: float
    size: float


def build_paragraphs(pages: Sequence[PdfPage]) -> list[str]:
    """Return the paragraphs, each in one line, in the order of the file."""
    blocks = _blocks(pages)
    texts = [
        "\n".join(line.text + HYPHEN * line.is_hyphenated for line in block) for block in blocks
    ]
    resolver = HyphenResolver(texts)
    return [_in_one_line(resolver.resolve(text)) for text in texts]


def _in_one_line(text: str) -> str:
    """Join the lines of a paragraph, and remove the bullet of a list item."""
    if bullet := _BULLET.match(text):
        text = text[bullet.end() :]
    return join_lines(_DASH_AT_BREAK.sub("", text))


def _blocks(pages: Sequence[PdfPage]) -> Iterator[list[PdfLine]]:
    """Yield the lines of each paragraph; one may continue across columns and pages."""
    block: list[PdfLine] = []
    room = 0.0
    for page in pages:
        style = _PageStyle(usual_line_spacing(page.lines), usual_size(page.lines))
        rooms = _rooms(page.lines)
        for i, line in enumerate(page.lines):
            if block and not _continues_sentence(block[-1], line):
                had_room = room > len(line.text.split(maxsplit=1)[0]) + 1
                if _begins_paragraph(block[-1], page.lines, i, had_room=had_room, style=style):
                    yield block
                    block = []
            block.append(line)
            room = rooms[i]
    if block:
        yield block


def _continues_sentence(before: PdfLine, line: PdfLine) -> bool:
    """Return whether a line continues the sentence of the line before, wherever that is."""
    return before.is_hyphenated or bool(
        same_size(before.size, line.size)
        and not _ENDS_SENTENCE.search(before.text)
        and _BEGINS_LOWER_CASE.match(line.text)
    )


def _begins_paragraph(
    before: PdfLine, lines: Sequence[PdfLine], i: int, *, had_room: bool, style: _PageStyle
) -> bool:
    """Return whether a line begins a paragraph.

    Parameters
    ----------
    before : PdfLine
        The line before it in the file, perhaps on another page.
    lines : sequence of PdfLine
        The lines of its page.
    i : int
        Its index among them.
    had_room : bool
        Whether its first word would have fitted into the line before.
    style : _PageStyle
        What is usual on its page.
    """
    line = lines[i]
    if i and is_below(before, line):
        distance = (before.bottom - line.bottom) / before.size
        indent = (line.left - before.left) / line.size
        return (
            had_room
            or _BULLET.match(line.text) is not None
            or not same_size(before.size, line.size)
            or distance > _MIN_GAP * style.line_spacing
            or (indent > _MIN_INDENT and _ENDS_SENTENCE.search(before.text) is not None)
        )
    if i and is_right_of(before, line):
        return True  # a cell of a table
    if had_room and _ENDS_SENTENCE.search(before.text):
        return True
    return _is_indented(line, lines[i + 1 : i + 2]) or not same_size(line.size, style.size)


def _rooms(lines: Sequence[PdfLine]) -> list[float]:
    """Return how many more letters would fit into each line, by the longest line near it."""
    found = []
    for i, line in enumerate(lines):
        near = lines[max(0, i - _NEARBY_LINES) : i + _NEARBY_LINES + 1]
        edge = max(each.right for each in near if abs(each.left - line.left) < 4 * line.size)
        width = (line.right - line.left) / len(line.text)
        found.append((edge - line.right) / max(_SPARE_WIDTH * width, 0.1))
    return found


def _is_indented(line: PdfLine, following: Sequence[PdfLine]) -> bool:
    return any(
        is_below(line, after) and (line.left - after.left) / line.size > _MIN_INDENT
        for after in following
    )


class HyphenResolver:
    """Distinguishes hyphens that belong to a word from those that only divide it at a line end.

    The document's own spelling of a word elsewhere is better evidence than a dictionary. If the
    word does not occur elsewhere, the other hyphenated words of the document, and their number,
    decide.

    Parameters
    ----------
    texts : sequence of str
        All paragraphs of the document.
    """

    def __init__(self, texts: Sequence[str]) -> None:
        self._words: Counter[str] = Counter()
        hyphenated: list[tuple[str, str]] = []
        for text in texts:
            rest = text
            if HYPHEN in text:
                hyphenated += ((match[1], match[2]) for match in _HYPHENATED.finditer(text))
                rest = _HYPHENATED.sub(" ", text)
            self._words.update(word.casefold() for word in _WORD.findall(rest))
        n_lines = sum(text.count("\n") + 1 for text in texts)
        self._is_hyphenated_text = self._is_hyphenated(hyphenated, n_lines)

    def resolve(self, text: str) -> str:
        """Return a paragraph with its hyphenated words joined."""
        return _HYPHENATED.sub(self._join, text) if HYPHEN in text else text

    def _is_hyphenated(self, hyphenated: Sequence[tuple[str, str]], n_lines: int) -> bool:
        """Return whether the document divides words at line ends at all."""
        evidence = [self._is_written_as_one(head, tail) for head, tail in hyphenated]
        surplus = evidence.count(True) - evidence.count(False)
        is_frequent = len(hyphenated) > _MIN_HYPHENATED_SHARE * n_lines
        return surplus > 0 or (surplus == 0 and is_frequent)

    def _is_written_as_one(self, head: str, tail: str) -> bool | None:
        """Return whether the document writes a word without hyphen elsewhere.

        Returns
        -------
        bool or None
            None if the word does not occur elsewhere.
        """
        with_hyphen = self._words[f"{head}-{tail}".casefold()]
        without = self._words[(head + tail).casefold()]
        return without >= with_hyphen if with_hyphen or without else None

    def _join(self, match: regex.Match[str]) -> str:
        head, tail = match[1], match[2]
        return head + tail if self._is_one_word(head, tail) else f"{head}-{tail}"

    def _is_one_word(self, head: str, tail: str) -> bool:
        if not head or not tail or not tail[0].islower():
            return False
        is_one = self._is_written_as_one(head, tail)
        if is_one is not None:
            return is_one
        are_words = self._words[head.casefold()] and self._words[tail.casefold()]
        return self._is_hyphenated_text and not are_words
