"""Find what a person must review: HTML tags, speaker changes, and lines common to many texts."""

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
_MIN_TAGS = 3
_SPEAKER_CHANGE = regex.compile(r"(?<!>)>>(?!>)[ \t]*\p{Lu}")
_MIN_TURNS = 2
_MIN_TEXTS = 3
_MIN_SHARE = 0.1  # of an author's texts
_MIN_WORDS = 4
_MAX_WORDS = 30
_DIGITS = regex.compile(r"\d+")


def find_tags(document: Document) -> list[int]:
    """Find the positions of HTML tags. A text with very few tags may be about HTML and has none."""
    if "<" not in document.text:
        return []
    found = [match.start() for match in _TAG.finditer(document.text)]
    return found if len(found) >= _MIN_TAGS else []


def count_speaker_turns(document: Document) -> int:
    """Count the speaker changes (``>>``) in captions. A single one does not count."""
    if ">>" not in document.text:
        return 0
    n_turns = len(_SPEAKER_CHANGE.findall(document.text))
    return n_turns if n_turns >= _MIN_TURNS else 0


@dataclass(frozen=True, slots=True)
class CommonLine:
    """A line that opens or closes several texts of one author and no text by anyone else.

    Attributes
    ----------
    author : str
    line : str
        The line in the first of these texts.
    texts : tuple of int
        The indices of the texts in the corpus.
    """

    author: str
    line: str
    texts: tuple[int, ...]


def find_common_lines(documents: Sequence[Document]) -> list[CommonLine]:
    """Find lines that open or close at least a tenth of one author's texts.

    Lines that differ only in numbers count as the same line.
    """
    indices: dict[tuple[bool, str], list[int]] = defaultdict(list)
    for index, document in enumerate(documents):
        lines = document.text.strip().partition("\n")[0], document.text.strip().rpartition("\n")[2]
        for is_last, line in enumerate(lines):
            if _MIN_WORDS <= len(line.split()) <= _MAX_WORDS:
                indices[bool(is_last), _key(line)].append(index)
    n_texts = Counter(document.author for document in documents)
    found = []
    for (is_last, _), texts in indices.items():
        authors = {documents[index].author for index in texts}
        if len(authors) == 1 and len(texts) >= _MIN_TEXTS:
            (author,) = authors
            if len(texts) >= _MIN_SHARE * n_texts[author]:
                text = documents[texts[0]].text.strip()
                line = text.rpartition("\n")[2] if is_last else text.partition("\n")[0]
                found.append(CommonLine(author, line, tuple(texts)))
    return sorted(found, key=lambda each: (-len(each.texts), each.author, each.line))


def _key(line: str) -> str:
    return str(_DIGITS.sub("#", " ".join(line.casefold().split())))
