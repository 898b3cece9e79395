"""One colour and one shape per author, the same in every figure.

The colours were found by optimisation. For readers with any kind of colour blindness (Machado et
al. 2009), any two of them are at least 20 units of CIELAB apart, and the first four at least 28.
The first two are those of Okabe and Ito (2008). Colours repeat after eight authors. Pairs of a
colour and a shape repeat after 48 authors.

References
----------
M. Okabe and K. Ito. Color Universal Design. 2008.
G. Machado, M. Oliveira and L. Fernandes. A physiologically-based model for simulation of color
vision deficiency. IEEE Transactions on Visualization and Computer Graphics 15(6), 2009.
"""

from __future__ import annotations

from collections.abc import Iterable

from byline.report.charts.axes import MARKS

# The same values are in style.css, as --author-0 and so on, and those for dark pages; a test
# compares them.
PALETTE = (
    *("#0072b2", "#d55e00", "#8ca870", "#61275c"),
    *("#864100", "#39abdd", "#432079", "#284423"),
)
# The shapes of other charts, a triangle that points down, and a plus sign.
SHAPES = (*MARKS, "M0 1.2L1.1-.8H-1.1Z", "M-.4-1.2H.4V-.4H1.2V.4H.4V1.2H-.4V.4H-1.2V-.4H-.4Z")


def author_colours(names: Iterable[str]) -> dict[str, int]:
    """Give each author a number, which determines `author_class` and `author_shape`.

    Parameters
    ----------
    names : iterable of str
        May contain an author several times. The order has no effect.

    Examples
    --------
    >>> author_colours(["Ben", "Ada", "Ben"])
    {'Ada': 0, 'Ben': 1}
    """
    return {name: number for number, name in enumerate(sorted(set(names)))}


def author_class(number: int) -> str:
    """Return the CSS class that sets the colour of an author.

    Examples
    --------
    >>> author_class(0), author_class(9)
    ('author-0', 'author-1')
    """
    return f"author-{number % len(PALETTE)}"


def pair_classes(first: str, second: str, authors: Iterable[str] = ()) -> str:
    """Return the CSS classes that give the evidence for two authors their colours.

    Without classes, the evidence has the two colours of the style sheet.

    Parameters
    ----------
    first, second : str
    authors : iterable of str
        All candidates, among whom the colours are counted.

    Examples
    --------
    >>> pair_classes("Cy", "Ada", ["Ada", "Ben", "Cy"])
    'pair-colours first-2 second-0'
    """
    numbers = author_colours([first, second, *authors])
    colours = [numbers[name] % len(PALETTE) for name in (first, second)]
    if colours[0] == colours[1]:  # of more than eight candidates
        return ""
    return f"pair-colours first-{colours[0]} second-{colours[1]}"


def author_shape(number: int) -> str:
    """Return the outline of an author's points, as a path around (0, 0) of about one unit.

    Authors of the same colour have different shapes, and so do neighbours in the palette.

    Examples
    --------
    >>> shapes = {(author_class(n), author_shape(n)) for n in range(48)}
    >>> len(shapes)
    48
    """
    return SHAPES[(number % len(PALETTE) + number // len(PALETTE)) % len(SHAPES)]
