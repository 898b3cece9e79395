"""Extract the article from an HTML page, or the whole text from a document in HTML.

A page without menus, banners or boxes, as word processors, pandoc and e-book programs write it, is
read whole, without any guess. On every other page, trafilatura finds the article, and Byline reads
the paragraphs of the page that are part of it. Trafilatura's own output is not used, because it
contains a repeated paragraph only once: a refrain, or a "Yes." in a dialogue. If trafilatura finds
less text than it leaves, or mainly menus, the article cannot be identified. Byline then reads
everything except what is certainly boilerplate, and warns about it.
"""

from __future__ import annotations

import logging
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from byline.corpus.extraction import ExclusionCounter, ExtractedText, Keep, join_paragraphs
from byline.corpus.readers.html.elements import HEADERS
from byline.corpus.readers.html.headings import page_headings
from byline.corpus.readers.html.paragraphs import (
    PageParagraph,
    clear_non_text,
    read_page_paragraphs,
)
from byline.corpus.readers.markup import Element, parse_html
from byline.corpus.readers.running_text import (
    INLINE,
    ParagraphBuilder,
    Role,
    Treatment,
    collect_text,
)
from byline.errors import MissingExtraError

_NO_ARTICLE = (
    "the article cannot be identified, so that everything except menus and similar parts is read"
)
# The elements of trafilatura's output.
_TAGS_OF_ROLE = {
    Role.BLOCK: "body p head list item quote table row div",
    Role.PREFORMATTED: "code",
    Role.CELL: "cell",
    Role.LINE_BREAK: "lb",
    Role.EXCLUDED: "graphic",
}
_TREATMENTS: dict[str, Treatment] = {
    tag: (role, "") for role, tags in _TAGS_OF_ROLE.items() for tag in tags.split()
}
_AUTHOR_NAMES = ("author", "dc.creator", "dcterms.creator", "citation_author", "article:author")
_MAX_GAP = 300  # characters within an article that trafilatura may omit
_NOT_LETTERS = re.compile(r"[\W_]+")


def extract_html(data: bytes, name: str, keep: frozenset[Keep] = frozenset()) -> ExtractedText:
    """Return the article of a page, or the text of a document in HTML.

    Raises
    ------
    CorpusError
        The content cannot be parsed (see `parse_html`).
    MissingExtraError
        lxml or trafilatura is not installed.
    """
    parsed = parse_html(data, name)
    encoding = parsed.guessed_encoding
    warnings = [f"the encoding is guessed as {encoding}"] if encoding else []
    author, title = _author(parsed.root), _title(parsed.root)
    headings = tuple(page_headings(parsed.root))
    excluded = ExclusionCounter()
    paragraphs = read_page_paragraphs(parsed.root, keep, excluded)
    is_included = [not paragraph.is_certain for paragraph in paragraphs]
    if any(paragraph.boilerplate not in ("", HEADERS) for paragraph in paragraphs):
        in_article = _in_article(paragraphs, _find_article(parsed.root, keep, name))
        if _is_plausible(in_article, paragraphs):
            is_included = in_article
        else:
            warnings.append(_NO_ARTICLE)
    if not any(is_included):  # for example if the tag that ends a menu is missing
        is_included = [True] * len(paragraphs)
    text = join_paragraphs(_included_texts(paragraphs, is_included, excluded))
    return ExtractedText(text, author, title, excluded.parts(), tuple(warnings), headings=headings)


def _included_texts(
    paragraphs: Sequence[PageParagraph], is_included: Sequence[bool], excluded: ExclusionCounter
) -> Iterator[str]:
    for paragraph, included in zip(paragraphs, is_included, strict=True):
        if included:
            yield paragraph.text
        else:
            excluded.add(paragraph.boilerplate or "other text of the page", paragraph.text)


def _find_article(root: Element, keep: Iterable[Keep], name: str) -> list[str]:
    """Return the paragraphs of the article that trafilatura finds."""
    from lxml import etree

    clear_non_text(root, keep)
    found = _trafilatura(name).bare_extraction(
        etree.tostring(root, method="html", encoding="unicode"),
        include_comments=False,
        favor_recall=True,
        fast=True,  # otherwise jusText's time grows with the square of the number of paragraphs
    )
    if found is None or found.body is None:
        return []
    builder = ParagraphBuilder()
    collect_text(
        found.body,
        lambda element: _TREATMENTS.get(element.tag, INLINE),
        builder,
        ExclusionCounter(),
    )
    return builder.paragraphs


def _trafilatura(name: str) -> Any:
    try:
        import trafilatura
    except ImportError as error:
        raise MissingExtraError(
            f"Reading {name} requires trafilatura ({error}). Install it: "
            'python -m pip install "byline[formats]"'
        ) from error
    for library in ("trafilatura", "htmldate", "courlan"):
        # Byline's own warning says more than the log of these libraries.
        logging.getLogger(library).setLevel(logging.CRITICAL)
    return trafilatura


def _in_article(paragraphs: Sequence[PageParagraph], article: Iterable[str]) -> list[bool]:
    """Return for each paragraph of a page whether it is part of the article.

    Headings and short lines between paragraphs of the article are part of it; certain boilerplate
    is not.
    """
    matcher = _ArticleMatcher(article)
    included = [
        (each.is_note or matcher.contains(each.text)) and not each.is_certain for each in paragraphs
    ]
    gap: list[int] | None = None  # the paragraphs since the last one of the article
    for place in (place for place, each in enumerate(paragraphs) if not each.boilerplate):
        if included[place]:
            length = sum(len(paragraphs[each].text) for each in gap or [])
            for each in gap or [] if length <= _MAX_GAP else []:
                included[each] = True
            gap = []
        elif gap is not None:
            gap.append(place)
    return included


def _is_plausible(included: Sequence[bool], paragraphs: Sequence[PageParagraph]) -> bool:
    """Return whether more text is included than excluded, apart from boilerplate."""
    lengths = Counter[bool]()
    for is_included, paragraph in zip(included, paragraphs, strict=True):
        if is_included or not paragraph.boilerplate:
            lengths[is_included] += len(paragraph.text)
    return lengths[True] > lengths[False]


class _ArticleMatcher:
    """Finds the paragraphs of a page in its article, whose paragraphs may be divided differently.

    Parameters
    ----------
    article : iterable of str
        The paragraphs of the article, in the order of the page.
    """

    _NEAR = 20_000  # letters around the last match in which the next one is looked for
    _CHUNK = 30  # letters that do not occur twice by chance

    def __init__(self, article: Iterable[str]) -> None:
        lines = list(map(_letters, article))
        self._lines, self._text, self._position = set(lines), "".join(lines), 0

    def contains(self, paragraph: str) -> bool:
        """Return whether most of a paragraph is in the article."""
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
    return _NOT_LETTERS.sub("", text).casefold()


def _author(root: Element) -> str | None:
    stated = {
        (meta.get("name") or meta.get("property") or "").lower(): meta.get("content", "")
        for meta in root.iter("meta")
    }
    names = (" ".join(stated.get(each, "").split()) for each in _AUTHOR_NAMES)
    return next((name for name in names if name and "://" not in name), None)


def _title(root: Element) -> str | None:
    titles = ("".join(element.itertext()) for element in root.iter("title"))
    return next((" ".join(title.split()) for title in titles if title.strip()), None)
