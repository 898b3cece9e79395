"""Read the table of contents of an e-book: the navigation page of EPUB 3, or the NCX of EPUB 2."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable
from urllib.parse import unquote

from byline.corpus.extraction import Heading, first_line
from byline.corpus.readers.html.headings import page_headings
from byline.corpus.readers.markup import Element, local_name


def contents_of(root: Element, path: str) -> dict[str, str]:
    """Return the first title that a table of contents gives each page, by the path of the page.

    Parameters
    ----------
    root : lxml element
        The root of the navigation page, or of the NCX file.
    path : str
        The path of this file in the archive.
    """
    titles: dict[str, str] = {}
    for element in root.iter("*"):
        name = local_name(element)
        if name == "a" and element.get("href"):
            target, title = element.get("href"), "".join(element.itertext())
        elif name == "navPoint":
            content = next(element.iterchildren("{*}content"), None)
            label = next(element.iterchildren("{*}navLabel"), None)
            if content is None or label is None:
                continue
            target, title = content.get("src", ""), "".join(label.itertext())
        else:
            continue
        page = posixpath.join(posixpath.dirname(path), unquote(target.partition("#")[0]))
        if title := " ".join(title.split()):
            titles.setdefault(posixpath.normpath(page), title)
    return titles


def headings_of_page(page: Element, paragraphs: Iterable[str], title: str | None) -> list[Heading]:
    """Return the headings of a page; if it has none, the title in the table of contents.

    Parameters
    ----------
    page : lxml element
        As `parse_html` returns it.
    paragraphs : iterable of str
        The text of the page.
    title : str or None
    """
    headings = page_headings(page)
    first = next(iter(paragraphs), None)
    if headings or title is None or first is None:
        return headings
    return [Heading(first_line(first), 2, title)]
