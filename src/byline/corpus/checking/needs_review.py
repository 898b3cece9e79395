"""Lines that open or close many texts of one author: a greeting, a course's name, a label."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import regex

from byline.corpus.document import Document

_TAG = regex.compile(
    r"</?(?:p|br|i|b|em|strong|u|s|div|span|a|font|table|tr|td|th|ul|ol|li|h[1-6]|img|hr|sup|sub"
    r"|blockquote|body|html|head|script|style|pre|code)(?:\s[^<>\n]{0,100}=[^<>\n]{0,100})?\s?/?>",
    regex.IGNORECASE,
)
_FEWEST_TAGS = 3
_SPEAKER = regex.compile(r"(?<!>)>>(?!>)[ \t]*\p{Lu}")
_FEWEST_TURNS = 2


def find_tags(document: Document) -> list[int]:
    """Find where tags of HTML stand, if there are so many that they are no example of them."""
    if "<" not in document.text:
        return []
    found = [match.start() for match in _TAG.finditer(document.text)]
    return found if len(found) >= _FEWEST_TAGS else []


def count_speakers(document: Document) -> int:
    """Count the marks of a new speaker, ``>>``, that captions have; 0 where one is alone."""
    if ">>" not in document.text:
        return 0
    n_turns = len(_SPEAKER.findall(document.text))
    return n_turns if n_turns >= _FEWEST_TURNS else 0


_FEWEST_TEXTS = 3
_MIN_SHARE = 0.1  # of an author's texts
_FEWEST_WORDS = 4
_MOST_WORDS = 30
_DIGITS = regex.compile(r"\d+")


@dataclass(frozen=True, slots=True)
class CommonLine:
    """A line that opens or closes several texts of one author and none of the others'.

    Attributes
    ----------
    author : str
    line : str
        As the first of them has it.
    texts : tuple of int
        Places in the corpus.
    """

    author: str
    line: str
    texts: tuple[int, ...]


def find_common_lines(documents: Sequence[Document]) -> list[CommonLine]:
    """Find lines, alike but for numbers, that open or close a tenth of one author's texts."""
    places: dict[tuple[bool, str], list[int]] = defaultdict(list)
    for place, document in enumerate(documents):
        lines = document.text.strip().partition("\n")[0], document.text.strip().rpartition("\n")[2]
        for is_last, line in enumerate(lines):
            if _FEWEST_WORDS <= len(line.split()) <= _MOST_WORDS:
                places[bool(is_last), _key(line)].append(place)
    n_texts = Counter(document.author for document in documents)
    found = []
    for (is_last, _), texts in places.items():
        authors = {documents[place].author for place in texts}
        if len(authors) == 1 and len(texts) >= _FEWEST_TEXTS:
            (author,) = authors
            if len(texts) >= _MIN_SHARE * n_texts[author]:
                text = documents[texts[0]].text.strip()
                line = text.rpartition("\n")[2] if is_last else text.partition("\n")[0]
                found.append(CommonLine(author, line, tuple(texts)))
    return sorted(found, key=lambda each: (-len(each.texts), each.author, each.line))


def _key(line: str) -> str:
    return str(_DIGITS.sub("#", " ".join(line.casefold().split())))
