"""Compare the words of two groups of texts: which words each group prefers, and where."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice, zip_longest

import numpy as np

from byline.array_types import Booleans, Floats, Integers
from byline.attribution.inputs import check_choice, check_number
from byline.attribution.keyness.concordance import Concordance
from byline.attribution.keyness.counts import log_odds_ratios
from byline.attribution.keyness.dispersion import (
    count_in_parts,
    deviation_of_proportions,
    juilland_d,
)
from byline.attribution.keyness.group_result import (
    GroupKeyword,
    GroupKeywords,
    GroupSize,
    Measure,
    WordUse,
)
from byline.attribution.keyness.keywords import MIN_Z, PRIOR_SHARE
from byline.attribution.keyness.log_likelihood import log_likelihood_ratios, log_ratios
from byline.attribution.keyness.names import name_words
from byline.attribution.keyness.places import WordPlaces
from byline.attribution.keyness.result import rate
from byline.attribution.keyness.word_table import WordGroup, WordTable
from byline.attribution.keyness.zeta import (
    choose_slice_size,
    count_slices,
    craig_zeta,
    eder_zeta,
    slice_shares,
)
from byline.corpus import Corpus
from byline.errors import UsageError
from byline.typography.scripts import default_unit

MIN_COUNT = 3  # in both groups together; this equals stylo's rare.occurrences.threshold of 2
N_LINES = 5  # concordance lines per keyword
N_KEYWORDS = 20  # per group


#: The smallest absolute score of a keyword. Those of Zeta are stylo's; 15.13 is the critical value
#: of G2 for p = 0.0001 that Rayson, Berridge & Francis (2004) recommend.
MIN_SCORES = {
    Measure.ZETA: 0.1,
    Measure.EDER_ZETA: 0.1,
    Measure.LOG_LIKELIHOOD: 15.13,
    Measure.LOG_ODDS: MIN_Z,
}


def compare_groups(
    first: Corpus,
    second: Corpus,
    *,
    measure: Measure | str = Measure.ZETA,
    slice_size: int | None = None,
    at_most: int | None = N_KEYWORDS,
    keep_names: bool = False,
    n_lines: int = N_LINES,
    lines_for: int = N_KEYWORDS,
    language: str = "en",
) -> GroupKeywords:
    """Find the words that two groups of texts use with different frequency.

    Parameters
    ----------
    first, second : Corpus
        The texts of each group. The name of a corpus is the name of the group.
    measure : Measure or str
        ``"zeta"``, ``"eder-zeta"``, ``"log-likelihood"`` or ``"log-odds"``.
    slice_size : int, optional
        Words per slice for both kinds of Zeta, and approximately per part for dispersion. By
        default, see `choose_slice_size`.
    at_most : int or None
        Largest number of keywords per group; None for all.
    keep_names : bool
        Whether names can be keywords, see `name_words`.
    n_lines : int
        Number of concordance lines per keyword.
    lines_for : int
        Number of keywords per group that have concordance lines: those with the highest scores.
    language : str
        ISO 639 code, which lower-casing depends on.

    Returns
    -------
    GroupKeywords

    Raises
    ------
    UsageError
        There is no such measure; a parameter is below 1; a group has no words; or for Zeta, no
        text of a group has as many words as a slice.

    See Also
    --------
    craig_zeta, eder_zeta, log_likelihood_ratios, log_odds_ratios : The measures.
    keywords_of_authors : Keywords and n-grams of each author of a corpus.

    Examples
    --------
    >>> from byline.corpus import Corpus, Document
    >>> sea = Corpus([Document("Ada", "the sea was calm " * 400, "1")], "Ada")
    >>> land = Corpus([Document("Ben", "the field was green " * 400, "2")], "Ben")
    >>> found = compare_groups(sea, land, measure="log-likelihood", at_most=1)
    >>> word = found.preferred[0]
    >>> word.word, round(word.score, 1), word.first.rate
    ('calm', 611.9, 2500.0)
    """
    check_choice("measure", measure, list(map(str, Measure)))
    for name, value in (("slice_size", slice_size), ("at_most", at_most)):
        if value is not None:
            check_number(name, value, 1)
    measure = Measure(measure)
    comparison = _Comparison(WordTable.of(first, second, language), measure, slice_size)
    found = comparison.keywords()
    is_name = np.zeros(len(found), dtype=bool)
    if not keep_names:
        is_name = _are_names(comparison.table, found, language)
    kept = found[~is_name]
    scores = comparison.scores[measure][kept]
    preferred, avoided = kept[scores > 0], kept[scores < 0]
    lines = [n_lines] * lines_for
    return GroupKeywords(
        measure=measure,
        slice_size=comparison.size,
        first=comparison.size_of(comparison.table.first),
        second=comparison.size_of(comparison.table.second),
        n_preferred=len(preferred),
        n_avoided=len(avoided),
        preferred=comparison.described(preferred[:at_most], comparison.table.first, lines),
        avoided=comparison.described(avoided[:at_most], comparison.table.second, lines),
        names_kept=keep_names,
        n_names=int(is_name.sum()),
        of_characters=default_unit(first.texts) == "char",
    )


def _are_names(table: WordTable, words: Integers, language: str) -> Booleans:
    """Return which of some words are names in the texts of both groups."""
    names = name_words([*table.first.corpus.texts, *table.second.corpus.texts], language)
    return np.array([table.words[word] in names for word in words.tolist()], dtype=bool)


class _Comparison:
    """All scores of all words of two groups."""

    def __init__(self, table: WordTable, measure: Measure, size: int | None) -> None:
        self.table, self.measure = table, measure
        first, second = table.first, table.second
        self.size = size or choose_slice_size(first.lengths, second.lengths)
        if measure in (Measure.ZETA, Measure.EDER_ZETA):
            self._check_slices(first)
            self._check_slices(second)
        self._shares = {id(group): self._shares_of(group) for group in (first, second)}
        self.scores = self._scores()
        self._dispersions = {id(group): self._dispersions_of(group) for group in (first, second)}

    def _check_slices(self, group: WordGroup) -> None:
        if not count_slices(group.lengths, self.size):
            raise UsageError(
                f"The longest text of {group.corpus.name} has {max(group.lengths):,} words, fewer "
                f"than a slice of {self.size:,}. Choose shorter slices or another measure: "
                "log-likelihood or log-odds."
            )

    def _shares_of(self, group: WordGroup) -> Floats:
        return slice_shares(group.texts, group.n_words, self.size)

    def _scores(self) -> dict[Measure, Floats]:
        first, second = self.table.first, self.table.second
        shares, other_shares = self._shares[id(first)], self._shares[id(second)]
        totals = np.full(2, (first.n_tokens, second.n_tokens), dtype=np.float64)
        prior, prior_total = (
            PRIOR_SHARE * (first.counts + second.counts),
            PRIOR_SHARE * totals.sum(),
        )
        _, z = log_odds_ratios(
            first.counts, totals[:1], second.counts, totals[1:], prior, np.array([prior_total])
        )
        return {
            Measure.ZETA: craig_zeta(shares, other_shares),
            Measure.EDER_ZETA: eder_zeta(shares, other_shares),
            Measure.LOG_LIKELIHOOD: log_likelihood_ratios(
                first.counts, first.n_tokens, second.counts, second.n_tokens
            ),
            Measure.LOG_ODDS: z,
        }

    def _dispersions_of(self, group: WordGroup) -> tuple[Floats, Floats]:
        counts, sizes = count_in_parts(group.texts, group.n_words, self.size)
        return deviation_of_proportions(counts, sizes), juilland_d(counts, sizes)

    def keywords(self) -> Integers:
        """Return the words with a large score in descending order; ties are alphabetical."""
        size = np.abs(self.scores[self.measure])
        frequent = self.table.first.counts + self.table.second.counts >= MIN_COUNT
        found = frequent & (size > MIN_SCORES[self.measure])
        if self.measure is Measure.EDER_ZETA:
            found &= size < 1
        words = np.flatnonzero(found)
        return words[np.argsort(-size[words], kind="stable")]

    def size_of(self, group: WordGroup) -> GroupSize:
        return GroupSize(
            name=group.corpus.name,
            n_texts=len(group.texts),
            n_words=group.n_tokens,
            n_slices=count_slices(group.lengths, self.size),
            n_short=sum(length < self.size for length in group.lengths),
        )

    def described(
        self, words: Integers, group: WordGroup, n_lines: Sequence[int]
    ) -> tuple[GroupKeyword, ...]:
        """Describe words, the first of them with concordance lines from a group."""
        concordance = Concordance(WordPlaces(group))
        ratios = self._log_ratios(words)
        return tuple(
            GroupKeyword(
                word=self.table.words[word],
                score=float(self.scores[self.measure][word]),
                scores={str(name): _known(each[word]) for name, each in self.scores.items()},
                log_ratio=float(log_ratio),
                first=self._use(self.table.first, word),
                second=self._use(self.table.second, word),
                lines=concordance.lines(word, wanted or 0),
            )
            for word, log_ratio, wanted in islice(
                zip_longest(words.tolist(), ratios, n_lines), len(words)
            )
        )

    def _log_ratios(self, words: Integers) -> Floats:
        first, second = self.table.first, self.table.second
        return log_ratios(
            first.counts[words], first.n_tokens, second.counts[words], second.n_tokens
        )

    def _use(self, group: WordGroup, word: int) -> WordUse:
        deviation, evenness = self._dispersions[id(group)]
        return WordUse(
            count=int(group.counts[word]),
            rate=rate(float(group.counts[word]), group.n_tokens),
            n_texts=int(group.document_frequencies[word]),
            slice_share=_known(self._shares[id(group)][word]),
            dp_norm=_known(deviation[word]),
            juilland_d=_known(evenness[word]),
        )


def _known(value: float) -> float | None:
    return None if np.isnan(value) else float(value)
