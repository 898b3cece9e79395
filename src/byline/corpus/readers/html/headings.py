"""Find the headings of an HTML page, or of a chapter of an e-book."""

from __future__ import annotations

from byline.corpus.extraction import ExclusionCounter, Heading, first_line
from byline.corpus.readers.html.paragraphs import read_chapter
from byline.corpus.readers.markup import Element

_LEVELS = {"h1": 1, "h2": 2, "h3": 3}


def page_headings(root: Element) -> list[Heading]:
    """Return the headings of the three highest levels, in the order of the page.

    Parameters
    ----------
    root : lxml element
        As `parse_html` returns it.
    """
    found = []
    for element in root.iter(*_LEVELS):
        paragraphs = read_chapter(element, (), ExclusionCounter())
        if paragraphs:
            title = " ".join(" ".join(paragraphs).split())
            found.append(Heading(first_line(paragraphs[0]), _LEVELS[element.tag], title))
    return found
