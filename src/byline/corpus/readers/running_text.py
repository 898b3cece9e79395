"""Collect running text from markup: white space, paragraphs, words broken at line ends."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import Enum, auto
from itertools import islice

import regex

from byline.corpus.extraction import ExclusionCounter, Heading, first_line
from byline.corpus.readers.markup import Element
from byline.typography.lines import join_lines

# Markers between fragments while they are collected; no text contains these characters.
_LINE, _BREAK, _BREAK_IN_WORD, _VERSE = "\x01", "\x02", "\x03", "\x04"
_MARKERS = regex.compile(r"[\x01-\x04]")
_NEEDS_JOINING = regex.compile(r"[\x01-\x04\u00ad∣]")
_WHITE_SPACE = regex.compile(r"[ \t\r\n\f]+")
_BREAKS = r" ?\x02[ \x02]*"
_WITHIN_WORD = regex.compile(r"[-¬⸗\u00ad]? ?\x03[ \x02\x03]*")
# "¬", "⸗" and the soft hyphen occur only as hyphens at line ends, and "∣" only in the editions of
# EEBO-TCP; "-" may also belong to the word.
_HYPHENATION = regex.compile(
    rf"(?<=\p{{L}})(?:[¬⸗\u00ad]{_BREAKS}|∣(?:{_BREAKS})?(?=\p{{L}})|-{_BREAKS}(?=\p{{Ll}}))"
)
_LINE_ENDS = regex.compile(r" ?[\x02\x04][ \x02\x04]*")
_KEPT_LINES = regex.compile(r" ?\x01 ?")


class Role(Enum):
    """The role of an element in the running text."""

    INLINE = auto()
    BLOCK = auto()  # a paragraph, or an element that contains some
    PREFORMATTED = auto()  # a paragraph that keeps its line breaks
    VERSE = auto()  # a line of a stanza or speech
    CELL = auto()  # separated by spaces
    ASIDE = auto()  # a note: its paragraphs follow the one that contains it
    LINE_BREAK = auto()  # made by the author
    BREAK = auto()  # a line or page end in print, between two words
    BREAK_IN_WORD = auto()  # a line or page end in print, within a word
    EXCLUDED = auto()  # not running text


# The role of an element, and the kind under which it is counted if it is excluded. An empty kind is
# not counted.
Treatment = tuple[Role, str]
INLINE: Treatment = (Role.INLINE, "")


def treatments_by_name(
    names_of_role: Mapping[Role, str], excluded_names: Mapping[str, str]
) -> dict[str, Treatment]:
    """Return the treatment of each element, by the name of the element.

    Parameters
    ----------
    names_of_role : mapping of Role to str
        The names of the elements with each role, separated by spaces.
    excluded_names : mapping of str to str
        The names of the elements that are excluded, by the kind under which they are counted.

    Examples
    --------
    >>> treatments = treatments_by_name({Role.BLOCK: "p head"}, {"notes": "note"})
    >>> treatments["head"][0].name, treatments["note"][1]
    ('BLOCK', 'notes')
    """
    treatments: dict[str, Treatment] = {}
    for role, names in names_of_role.items():
        treatments |= dict.fromkeys(names.split(), (role, ""))
    for kind, names in excluded_names.items():
        treatments |= dict.fromkeys(names.split(), (Role.EXCLUDED, kind))
    return treatments


class ParagraphBuilder:
    """Builds paragraphs from fragments of text.

    Attributes
    ----------
    paragraphs : list of str
        The paragraphs that have ended. Each is one line, or several if the author broke them.
    n_hyphens : int
        The number of words that were joined at a hyphen.
    parts : list of (int, int, str)
        The parts of the text: the number of paragraphs before each part, its level and its title.
    """

    def __init__(self) -> None:
        self.paragraphs: list[str] = []
        self.n_hyphens = 0
        self.parts: list[tuple[int, int, str]] = []
        self._fragments: list[str] = []
        self._interrupted: list[list[str]] = []
        self._notes: list[str] = []

    def add(self, text: str, *, preformatted: bool = False) -> None:
        """Add text to the current paragraph."""
        text = _MARKERS.sub(" ", text)
        self._fragments.append(text.replace("\n", _LINE) if preformatted else text)

    def add_break(self, role: Role) -> None:
        """End a line, a printed line, or a verse."""
        markers = {Role.LINE_BREAK: _LINE, Role.BREAK: _BREAK, Role.BREAK_IN_WORD: _BREAK_IN_WORD}
        self._fragments.append(markers.get(role, _VERSE))

    def end_paragraph(self) -> None:
        """End the current paragraph, if there is one; the notes in it follow it."""
        text = self._normalize("".join(self._fragments))
        self._fragments.clear()
        paragraphs = self._notes if self._interrupted else self.paragraphs
        if text:
            paragraphs.append(text)
        if not self._interrupted and self._notes:
            self.paragraphs += self._notes
            self._notes = []

    def begin_part(self, level: int, title: str) -> None:
        """End the current paragraph, and begin a part of the text such as a chapter."""
        self.end_paragraph()
        self.parts.append((len(self.paragraphs), level, title))

    def headings(self) -> tuple[Heading, ...]:
        """Return the parts that have paragraphs as headings."""
        return tuple(
            Heading(first_line(self.paragraphs[place]), level, title)
            for place, level, title in self.parts
            if place < len(self.paragraphs)
        )

    def begin_note(self) -> None:
        """Interrupt the current paragraph for a note."""
        self._interrupted.append(self._fragments)
        self._fragments = []

    def end_note(self) -> None:
        """Resume the paragraph that contains the note."""
        self.end_paragraph()
        self._fragments = self._interrupted.pop()

    def _normalize(self, text: str) -> str:
        text = str(_WHITE_SPACE.sub(" ", text))
        return (self._join(text) if _NEEDS_JOINING.search(text) else text).strip()

    def _join(self, text: str) -> str:
        """Join broken words, and lines that the author did not break."""
        text, n_hyphens = _HYPHENATION.subn("", _WITHIN_WORD.sub("", text))
        self.n_hyphens += n_hyphens
        text = join_lines(_LINE_ENDS.sub("\n", text.replace("\u00ad", "")).strip())
        return str(_KEPT_LINES.sub("\n", text))


def collect_text(
    root: Element,
    treat: Callable[[Element], Treatment],
    builder: ParagraphBuilder,
    excluded: ExclusionCounter,
) -> None:
    """Walk through a tree of elements and add its running text to a builder.

    Parameters
    ----------
    root : lxml element
    treat : callable
        Returns the role of an element, and the kind under which to count it if it is excluded.
    builder : ParagraphBuilder
        Receives the text.
    excluded : ExclusionCounter
        Counts what is excluded.
    """
    from lxml import etree

    steps = etree.iterwalk(root, events=("start", "end"))
    open_roles: list[Role] = []
    n_preformatted = 0
    for event, element in steps:
        if event == "start":
            role, kind = treat(element)
            open_roles.append(role)
            if role is Role.EXCLUDED:
                steps.skip_subtree()
                if kind:
                    excluded.add(kind, opening_text(element))
                continue
            _enter(role, builder)
            text = element.text
        else:
            role = open_roles.pop()
            _leave(role, builder)
            text = element.tail if open_roles else None
            n_preformatted -= role is Role.PREFORMATTED
        n_preformatted += event == "start" and role is Role.PREFORMATTED
        if text:
            builder.add(text, preformatted=n_preformatted > 0)
    builder.end_paragraph()


def opening_text(element: Element) -> str:
    """Return the first words of an element, long enough for an example in a message."""
    return " ".join(islice((text for text in element.itertext() if text.strip()), 40))[:500]


def _enter(role: Role, builder: ParagraphBuilder) -> None:
    if role in (Role.BLOCK, Role.PREFORMATTED):
        builder.end_paragraph()
    elif role is Role.CELL:
        builder.add(" ")
    elif role is Role.ASIDE:
        builder.begin_note()
    elif role is not Role.INLINE:
        builder.add_break(role)


def _leave(role: Role, builder: ParagraphBuilder) -> None:
    if role in (Role.BLOCK, Role.PREFORMATTED):
        builder.end_paragraph()
    elif role is Role.CELL:
        builder.add(" ")
    elif role is Role.ASIDE:
        builder.end_note()
    elif role is Role.VERSE:
        builder.add_break(role)
