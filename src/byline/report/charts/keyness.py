"""Bars of the keywords of authors, and of those of two groups of texts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from byline.attribution.keyness import Measure
from byline.formatting import number, quantity, signed
from byline.report.charts.axes import label_width
from byline.report.charts.colours import author_class, author_colours

WIDTH, ROW = 700.0, 17.0  # of the whole figure, and of a word
VALUE = 60.0  # width of a score and of the gap between the columns
#: Decimals of a score.
DECIMALS = {
    Measure.ZETA: 2,
    Measure.EDER_ZETA: 2,
    Measure.LOG_LIKELIHOOD: 1,
    Measure.LOG_ODDS: 1,
}


@dataclass(frozen=True, slots=True)
class KeywordBar:
    """A keyword and the length of its bar, as a share of the longest bar of both columns.

    Attributes
    ----------
    word : str
    share : float
    title : str
        The score and the rates, for a reader who points at the bar.
    value : str
        The score.

    Examples
    --------
    >>> KeywordBar("sea", 0.5, "sea: +0.20; 12.0 and 3.0 per 10,000 words", "0.20").share
    0.5
    """

    word: str
    share: float
    title: str
    value: str


@dataclass(frozen=True, slots=True)
class KeywordColumn:
    """The keywords of one group; the bars of all columns have the same scale.

    Examples
    --------
    >>> KeywordColumn("Ada", "author-0", ()).colour
    'author-0'
    """

    name: str
    colour: str
    bars: tuple[KeywordBar, ...]


@dataclass(frozen=True, slots=True)
class KeywordChart:
    """Two columns of bars: the keywords of the first group, and those of the second group.

    See Also
    --------
    keyword_chart : Lay out the bars.

    Examples
    --------
    >>> keyword_chart(("Ada", "Ben"), [], []).first.bars
    ()
    """

    first: KeywordColumn
    second: KeywordColumn
    width: float = WIDTH

    @property
    def height(self) -> float:
        """The height with a line above the bars."""
        return ROW * (1 + max(len(column.bars) for column in (self.first, self.second))) + 6

    @property
    def margin(self) -> float:
        """The width of the words."""
        words = [bar.word for column in (self.first, self.second) for bar in column.bars]
        return label_width(words) + 12 if words else 0.0

    @property
    def longest(self) -> float:
        """The length of the longest bar."""
        return self.width / 2 - self.margin - VALUE


def keyword_chart(
    names: tuple[str, str],
    preferred: Sequence[Mapping[str, Any]],
    avoided: Sequence[Mapping[str, Any]],
    decimals: int = 2,
) -> KeywordChart:
    """Lay out the keywords of two groups as bars whose lengths are the absolute scores.

    Parameters
    ----------
    names : tuple of str
        The names of the groups.
    preferred, avoided : sequence of dict
        Keywords as in `group_keywords_summary`.
    decimals : int
        Number of decimals of the scores.

    Examples
    --------
    >>> sea = {"word": "sea", "score": 0.4, "first": {"rate": 9.0}, "second": {"rate": 1.0}}
    >>> chart = keyword_chart(("Ada", "Ben"), [sea], [{**sea, "word": "field", "score": -0.2}])
    >>> [bar.share for column in (chart.first, chart.second) for bar in column.bars]
    [1.0, 0.5]
    """
    largest = _largest(abs(each["score"]) for each in (*preferred, *avoided))
    colours = author_colours(names)
    first, second = (
        KeywordColumn(
            name,
            author_class(colours[name]),
            tuple(_bar(each, largest, decimals) for each in words),
        )
        for name, words in zip(names, (preferred, avoided), strict=True)
    )
    return KeywordChart(first, second)


def ngram_columns(
    entries: Sequence[Mapping[str, Any]], colours: Sequence[str] | None = None
) -> tuple[KeywordColumn, ...]:
    """Lay out the keywords of authors as bars whose lengths are the z-scores.

    Parameters
    ----------
    entries : sequence of dict
        As `keywords_summary` returns it.
    colours : sequence of str, optional
        One CSS class per entry; by default those of the authors.

    Examples
    --------
    >>> sea = {"ngram": "the sea", "z": 8.0, "count": 9, "other_count": 1}
    >>> sea |= {"rate": 9.0, "other_rate": 1.0, "questioned_count": None}
    >>> wind = {**sea, "ngram": "wind", "z": 2.0}
    >>> [column] = ngram_columns([{"author": "Ada", "others": [], "ngrams": [sea, wind]}])
    >>> column.colour, [bar.share for bar in column.bars]
    ('author-0', [1.0, 0.25])
    """
    largest = _largest(each["z"] for entry in entries for each in entry["ngrams"])
    numbers = author_colours(
        name for entry in entries for name in (entry["author"], *entry["others"])
    )
    if colours is None:
        colours = [author_class(numbers[entry["author"]]) for entry in entries]
    return tuple(
        KeywordColumn(
            entry["author"], colour, tuple(_ngram_bar(each, largest) for each in entry["ngrams"])
        )
        for entry, colour in zip(entries, colours, strict=True)
    )


def _largest(sizes: Iterable[float]) -> float:
    return max(sizes, default=1.0)


def _bar(keyword: Mapping[str, Any], largest: float, decimals: int) -> KeywordBar:
    first, second = (number(keyword[group]["rate"], 1) for group in ("first", "second"))
    title = (
        f"{keyword['word']}: {signed(keyword['score'], 2)}; {first} and {second} per 10,000 words"
    )
    value = number(keyword["score"], decimals)
    return KeywordBar(keyword["word"], abs(keyword["score"]) / largest, title, value)


def _ngram_bar(ngram: Mapping[str, Any], largest: float) -> KeywordBar:
    """Return the bar of an n-gram; its tooltip has the counts, because the row has the rates."""
    title = (
        f"{ngram['ngram']}: {quantity(ngram['count'], 'occurrence')}, by others "
        f"{quantity(ngram['other_count'], 'occurrence')}"
    )
    if ngram["questioned_count"] is not None:
        title += f", in the questioned text {quantity(ngram['questioned_count'], 'occurrence')}"
    return KeywordBar(ngram["ngram"], ngram["z"] / largest, title, number(ngram["z"], 1))


def group_keywords_chart(summary: Mapping[str, Any]) -> KeywordChart:
    """Lay out the bars of the keywords of both groups.

    Parameters
    ----------
    summary : mapping
        As `byline.report.group_keywords.group_keywords_summary` returns it.
    """
    first, second = (group["name"] for group in summary["groups"])
    decimals = DECIMALS[summary["measure"]]
    return keyword_chart((first, second), summary["preferred"], summary["avoided"], decimals)
