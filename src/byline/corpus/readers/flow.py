"""Running text out of marked-up text: white space, paragraphs, words broken at line ends."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum, auto
from itertools import islice

import regex

from byline.corpus.extraction import ExclusionCounter
from byline.corpus.lines import join_lines
from byline.corpus.readers.markup import Element

# What stands between pieces of text while they are gathered; no text has such characters.
_LINE, _BREAK, _BREAK_IN_WORD, _VERSE = "\x01", "\x02", "\x03", "\x04"
_MARKS = regex.compile(r"[\x01-\x04]")
_MARKED = regex.compile(r"[\x01-\x04\u00ad∣]")
_WHITE_SPACE = regex.compile(r"[ \t\r\n\f]+")
_BREAKS = r" ?\x02[ \x02]*"
_WITHIN_WORD = regex.compile(r"[-¬⸗\u00ad]? ?\x03[ \x02\x03]*")
# The signs are hyphens at a line's end alone, "∣" in the editions of EEBO-TCP; "-" may be another.
_HYPHENATION = regex.compile(
    rf"(?<=\p{{L}})(?:[¬⸗\u00ad]{_BREAKS}|∣(?:{_BREAKS})?(?=\p{{L}})|-{_BREAKS}(?=\p{{Ll}}))"
)
_LINE_ENDS = regex.compile(r" ?[\x02\x04][ \x02\x04]*")
_KEPT_LINES = regex.compile(r" ?\x01 ?")


class Role(Enum):
    """What an element is to the running text."""

    INLINE = auto()
    BLOCK = auto()  # a paragraph, or what holds some
    PREFORMATTED = auto()  # a paragraph whose lines are lines
    VERSE = auto()  # a line of a stanza or speech
    CELL = auto()  # what spaces set apart
    ASIDE = auto()  # a note: paragraphs that follow the one it stands in
    LINE_BREAK = auto()  # an author's
    BREAK = auto()  # a printer's, between two words or within one
    BREAK_IN_WORD = auto()
    OUT = auto()  # no running text


# What an element is, and what it is called where it is left out; "" is not worth a word.
Treatment = tuple[Role, str]
INLINE: Treatment = (Role.INLINE, "")


class Flow:
    """Paragraphs that grow piece by piece.

    Attributes
    ----------
    paragraphs : list of str
        Those that have ended: one line each, or several where the author broke them.
    """

    def __init__(self) -> None:
        self.paragraphs: list[str] = []
        self.n_hyphens = 0
        self._pieces: list[str] = []
        self._interrupted: list[list[str]] = []
        self._notes: list[str] = []

    def add(self, text: str, *, preformatted: bool = False) -> None:
        """Add text to the paragraph."""
        text = _MARKS.sub(" ", text)
        self._pieces.append(text.replace("\n", _LINE) if preformatted else text)

    def add_break(self, role: Role) -> None:
        """End a line, or a line in print, or a verse."""
        marks = {Role.LINE_BREAK: _LINE, Role.BREAK: _BREAK, Role.BREAK_IN_WORD: _BREAK_IN_WORD}
        self._pieces.append(marks.get(role, _VERSE))

    def end_paragraph(self) -> None:
        """End the paragraph, if there is one; the notes in it follow it."""
        text = self._as_line("".join(self._pieces))
        self._pieces.clear()
        paragraphs = self._notes if self._interrupted else self.paragraphs
        if text:
            paragraphs.append(text)
        if not self._interrupted and self._notes:
            self.paragraphs += self._notes
            self._notes = []

    def begin_note(self) -> None:
        """Leave the paragraph for a note."""
        self._interrupted.append(self._pieces)
        self._pieces = []

    def end_note(self) -> None:
        """Go on with the paragraph that the note stands in."""
        self.end_paragraph()
        self._pieces = self._interrupted.pop()

    def _as_line(self, text: str) -> str:
        text = str(_WHITE_SPACE.sub(" ", text))
        return (self._joined(text) if _MARKED.search(text) else text).strip()

    def _joined(self, text: str) -> str:
        """Put words together that are broken, and lines that are no author's."""
        text, n_hyphens = _HYPHENATION.subn("", _WITHIN_WORD.sub("", text))
        self.n_hyphens += n_hyphens
        text = join_lines(_LINE_ENDS.sub("\n", text.replace("\u00ad", "")).strip())
        return str(_KEPT_LINES.sub("\n", text))


def gather(
    root: Element, treat: Callable[[Element], Treatment], flow: Flow, tally: ExclusionCounter
) -> None:
    """Walk through a tree, and add its text to ``flow`` and what is left out to ``tally``."""
    from lxml import etree

    steps = etree.iterwalk(root, events=("start", "end"))
    open_roles: list[Role] = []
    n_preformatted = 0
    for event, element in steps:
        if event == "start":
            role, what = treat(element)
            open_roles.append(role)
            if role is Role.OUT:
                steps.skip_subtree()
                if what:
                    tally.add(what, beginning(element))
                continue
            _enter(role, flow)
            text = element.text
        else:
            role = open_roles.pop()
            _leave(role, flow)
            text = element.tail if open_roles else None
            n_preformatted -= role is Role.PREFORMATTED
        n_preformatted += event == "start" and role is Role.PREFORMATTED
        if text:
            flow.add(text, preformatted=n_preformatted > 0)
    flow.end_paragraph()


def beginning(element: Element) -> str:
    """Return the first words of an element, or the most of them that are told."""
    return " ".join(islice((text for text in element.itertext() if text.strip()), 40))[:500]


def _enter(role: Role, flow: Flow) -> None:
    if role in (Role.BLOCK, Role.PREFORMATTED):
        flow.end_paragraph()
    elif role is Role.CELL:
        flow.add(" ")
    elif role is Role.ASIDE:
        flow.begin_note()
    elif role is not Role.INLINE:
        flow.add_break(role)


def _leave(role: Role, flow: Flow) -> None:
    if role in (Role.BLOCK, Role.PREFORMATTED):
        flow.end_paragraph()
    elif role is Role.CELL:
        flow.add(" ")
    elif role is Role.ASIDE:
        flow.end_note()
    elif role is Role.VERSE:
        flow.add_break(role)
