"""The keywords of two groups of texts, with their rates, dispersion and concordance lines."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from byline.attribution.keyness.concordance import Context
from byline.display import Displayable


class Measure(StrEnum):
    """The measures of keyness.

    Examples
    --------
    >>> Measure("eder-zeta").name
    'EDER_ZETA'
    """

    ZETA = "zeta"
    EDER_ZETA = "eder-zeta"
    LOG_LIKELIHOOD = "log-likelihood"
    LOG_ODDS = "log-odds"


@dataclass(frozen=True, slots=True)
class WordUse:
    """How one group of texts uses a word.

    Attributes
    ----------
    count : int
    rate : float
        Occurrences per 10,000 words.
    n_texts : int
        Number of texts that contain the word.
    slice_share : float or None
        Share of the slices that contain the word; None if there are no slices.
    dp_norm, juilland_d : float or None
        Dispersion over parts of about the size of a slice, see `deviation_of_proportions` and
        `juilland_d`; None if the word does not occur or there is only one part.

    Examples
    --------
    >>> WordUse(30, 3.0, 2, 0.6, 0.2, 0.9).rate
    3.0
    """

    count: int
    rate: float
    n_texts: int
    slice_share: float | None
    dp_norm: float | None
    juilland_d: float | None


@dataclass(frozen=True, slots=True)
class GroupKeyword:
    """A word that one of two groups of texts prefers.

    Attributes
    ----------
    word : str
    score : float
        The score by the chosen measure; positive if the first group prefers the word.
    scores : dict of str to float or None
        The scores by all measures.
    log_ratio : float
        Binary logarithm of the ratio of the rates, see `log_ratios`.
    first, second : WordUse
    lines : tuple of Context
        Concordance lines from the group that prefers the word; empty if it occurs only in titles,
        tables of contents and headings, or if none were asked for.

    Examples
    --------
    >>> use = WordUse(30, 3.0, 2, 0.6, 0.2, 0.9)
    >>> GroupKeyword("sea", 0.4, {"zeta": 0.4}, 1.0, use, use, ()).word
    'sea'
    """

    word: str
    score: float
    scores: dict[str, float | None]
    log_ratio: float
    first: WordUse
    second: WordUse
    lines: tuple[Context, ...]


@dataclass(frozen=True, slots=True)
class GroupSize:
    """The size of a group of texts.

    Attributes
    ----------
    name : str
    n_texts, n_words : int
    n_slices : int
    n_short : int
        Number of texts shorter than a slice.

    Examples
    --------
    >>> GroupSize("Austen", 3, 405_435, 134, 0).n_slices
    134
    """

    name: str
    n_texts: int
    n_words: int
    n_slices: int
    n_short: int


@dataclass(frozen=True, slots=True)
class GroupKeywords(Displayable):
    """The keywords of two groups of texts.

    Attributes
    ----------
    measure : Measure
    slice_size : int
        Words per slice.
    first, second : GroupSize
    n_preferred, n_avoided : int
        Number of keywords that reach the smallest score, including those that are not listed.
    preferred, avoided : tuple of GroupKeyword
        The keywords that the first group and the second group prefer, in descending order of the
        absolute score.
    names_kept : bool
    n_names : int
        Number of keywords that were left out because they are names.
    of_characters : bool
        Whether the texts of the first group are in a script without spaces between words, so that
        the keywords are characters.

    See Also
    --------
    compare_groups : Compute the result.

    Examples
    --------
    >>> from byline.corpus import Corpus, Document
    >>> sea = Corpus([Document("Ada", "the sea was calm " * 400, "1")], "Ada")
    >>> land = Corpus([Document("Ben", "the field was green " * 400, "2")], "Ben")
    >>> from byline.attribution.keyness import compare_groups
    >>> found = compare_groups(sea, land)
    >>> [keyword.word for keyword in found.preferred], found.slice_size
    (['calm', 'sea'], 100)
    """

    measure: Measure
    slice_size: int
    first: GroupSize
    second: GroupSize
    n_preferred: int
    n_avoided: int
    preferred: tuple[GroupKeyword, ...]
    avoided: tuple[GroupKeyword, ...]
    names_kept: bool
    n_names: int
    of_characters: bool
