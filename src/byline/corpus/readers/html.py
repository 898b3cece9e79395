"""HTML: the article, not the menu.

A page without any menu, banner or box beside its text, as word processors, pandoc and makers of
e-books write it, is text throughout, and nothing is guessed. On any other page, trafilatura tells
the article from the rest, and those paragraphs of the page are read that are in it: trafilatura
itself says a thing once where a page has it twice, a refrain or a "Yes." of a dialogue. Where it
takes less than it leaves, or menus for the most part, no article can be told: all is read but for
what is plainly a menu, a footer and the like, and that is said.
"""

from __future__ import annotations

import logging
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from byline.corpus.extraction import ExclusionCounter, ExtractedText, Keep, join_paragraphs
from byline.corpus.readers.flow import INLINE, Flow, Role, Treatment, gather
from byline.corpus.readers.markup import Element, parse_page
from byline.corpus.readers.page import Piece, empty_notes, read_pieces
from byline.corpus.readers.page_elements import HEADERS
from byline.errors import MissingExtraError

_NO_ARTICLE = "no article can be told from the rest of the page: all is read but for menus and such"
_ARTICLE_ROLES = {
    Role.BLOCK: "body p head list item quote table row div",
    Role.PREFORMATTED: "code",
    Role.CELL: "cell",
    Role.LINE_BREAK: "lb",
    Role.OUT: "graphic",
}
_ARTICLE: dict[str, Treatment] = {
    name: (role, "") for role, names in _ARTICLE_ROLES.items() for name in names.split()
}
_AUTHOR = ("author", "dc.creator", "dcterms.creator", "citation_author", "article:author")
_LONGEST_GAP = 300  # characters that trafilatura may pass over within an article
_NO_LETTER = re.compile(r"[\W_]+")


def extract(data: bytes, name: str, keep: frozenset[Keep] = frozenset()) -> ExtractedText:
    """Return the article of a page, or the text of a document that is HTML.

    Raises
    ------
    CorpusError
        It cannot be parsed (see `parse_page`).
    MissingExtraError
        lxml or trafilatura is not installed.
    """
    parsed = parse_page(data, name)
    notes = (
        [f"the encoding is guessed as {parsed.guessed_encoding}"] if parsed.guessed_encoding else []
    )
    author, title = _author(parsed.root), _title(parsed.root)
    tally = ExclusionCounter()
    pieces = read_pieces(parsed.root, keep, tally)
    are_taken = [not piece.is_certain for piece in pieces]
    if any(piece.furniture not in ("", HEADERS) for piece in pieces):
        in_article = _in_article(pieces, _find_article(parsed.root, keep, name))
        if _is_told(in_article, pieces):
            are_taken = in_article
        else:
            notes.append(_NO_ARTICLE)
    if not any(are_taken):  # as where the tag that ends a menu is missing
        are_taken = [True] * len(pieces)
    text = join_paragraphs(_taken(pieces, are_taken, tally))
    return ExtractedText(text, author, title, tally.found(), tuple(notes))


def _taken(
    pieces: Sequence[Piece], are_taken: Sequence[bool], tally: ExclusionCounter
) -> Iterator[str]:
    for piece, is_taken in zip(pieces, are_taken, strict=True):
        if is_taken:
            yield piece.text
        else:
            tally.add(piece.furniture or "other text of the page", piece.text)


def _find_article(root: Element, keep: Iterable[Keep], name: str) -> list[str]:
    """Return the paragraphs of what trafilatura takes for the article."""
    from lxml import etree

    empty_notes(root, keep)
    found = _trafilatura(name).bare_extraction(
        etree.tostring(root, method="html", encoding="unicode"),
        include_comments=False,
        favor_recall=True,
        fast=True,  # else jusText takes the square of the number of paragraphs
    )
    if found is None or found.body is None:
        return []
    flow = Flow()
    gather(found.body, lambda element: _ARTICLE.get(element.tag, INLINE), flow, ExclusionCounter())
    return flow.paragraphs


def _trafilatura(name: str) -> Any:
    try:
        import trafilatura
    except ImportError as error:
        raise MissingExtraError(
            f"reading {name} needs trafilatura ({error}); type: python -m pip install "
            '"byline[formats]"'
        ) from error
    for library in ("trafilatura", "htmldate", "courlan"):
        logging.getLogger(library).setLevel(logging.CRITICAL)  # what they say is said better here
    return trafilatura


def _in_article(pieces: Sequence[Piece], paragraphs: Iterable[str]) -> list[bool]:
    """Say which pieces are in an article, the headings and short lines in it too, and no menu."""
    article = _Article(paragraphs)
    taken = [(each.is_note or article.has(each.text)) and not each.is_certain for each in pieces]
    gap: list[int] | None = None
    for place in (place for place, piece in enumerate(pieces) if not piece.furniture):
        if taken[place]:
            length = sum(len(pieces[each].text) for each in gap or [])
            for each in gap or [] if length <= _LONGEST_GAP else []:
                taken[each] = True
            gap = []
        elif gap is not None:
            gap.append(place)
    return taken


def _is_told(taken: Sequence[bool], pieces: Sequence[Piece]) -> bool:
    """Whether more text is taken than is left, apart from furniture."""
    lengths = Counter[bool]()
    for is_taken, piece in zip(taken, pieces, strict=True):
        lengths[is_taken] += len(piece.text) if is_taken or not piece.furniture else 0
    return lengths[True] > lengths[False]


class _Article:
    """Tells which paragraphs of a page are in its article, whose paragraphs may be cut otherwise.

    Parameters
    ----------
    paragraphs : iterable of str
        Of the article, in the page's order.
    """

    _NEAR = 20_000  # letters from the last paragraph found in which the next one is looked for
    _CHUNK = 30  # letters that do not come together twice by chance

    def __init__(self, paragraphs: Iterable[str]) -> None:
        lines = list(map(_letters, paragraphs))
        self._lines, self._text, self._position = set(lines), "".join(lines), 0

    def has(self, paragraph: str) -> bool:
        """Whether most of a paragraph is in the article."""
        letters = _letters(paragraph)
        if letters in self._lines:
            self._find(letters)
            return True
        chunks = [letters[i : i + self._CHUNK] for i in range(0, len(letters), self._CHUNK)]
        whole = [chunk for chunk in chunks if len(chunk) == self._CHUNK]
        return bool(whole) and 2 * sum(map(self._find, whole)) > len(whole)

    def _find(self, letters: str) -> bool:
        end = self._position + self._NEAR + len(letters)
        found = self._text.find(letters, max(0, self._position - self._NEAR), end)
        if found >= 0:
            self._position = found + len(letters)
        return found >= 0


def _letters(text: str) -> str:
    return _NO_LETTER.sub("", text).casefold()


def _author(root: Element) -> str | None:
    named = {
        (meta.get("name") or meta.get("property") or "").lower(): meta.get("content", "")
        for meta in root.iter("meta")
    }
    names = (" ".join(named.get(each, "").split()) for each in _AUTHOR)
    return next((name for name in names if name and "://" not in name), None)


def _title(root: Element) -> str | None:
    titles = ("".join(element.itertext()) for element in root.iter("title"))
    return next((" ".join(title.split()) for title in titles if title.strip()), None)
