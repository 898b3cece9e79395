"""The evidence for and against the same author: contributions of n-grams, words and passages.

A log-likelihood ratio is a weighted sum of similarities, and a similarity is a sum over n-grams.
The contributions of the n-grams are therefore exact. What the ratio would be without these sums is
divided among the n-grams in proportion to their squared values in the questioned text, which sum
to one. So the contribution of an n-gram is measured relative to the usual one: an n-gram that is
only frequent in the questioned text is evidence for another author.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from byline.array_types import Floats, Integers
from byline.attribution.classifiers.blocks import FittedBlock, split_units, unit_spans
from byline.attribution.evidence.comparison import ComparedTokens
from byline.attribution.evidence.result import Evidence
from byline.attribution.evidence.spans import Spans
from byline.attribution.verification.problems import ProblemPlaces, VerificationProblem
from byline.attribution.verification.similarity import BANDS, N_BANDS, TextSpace
from byline.attribution.verification.verifier import AuthorshipVerifier
from byline.processes.threads import limits_threads
from byline.text import TextEncoder
from byline.text.alignment import align_tokens
from byline.typography import Normalization
from byline.typography.scripts import join_words

ANOTHER_AUTHOR = "another author"
# Signs for the shapes of masked words. Readers would take the shape "a" for the article. This shape
# and the article itself are one feature, so that the sign also represents the article.
MASKS: Mapping[str, str] = {"a": "□", "Aa": "■", "A": "▣"}
N_NGRAMS = 10  # of each kind, for and against
N_ABSENT = 5  # of each kind, for and against, that the text does not contain


@dataclass(frozen=True, slots=True)
class SimilarityEvidence:
    """What the n-grams of one kind and frequency contribute to a log-likelihood ratio.

    Attributes
    ----------
    unit : str
        The unit of the n-grams, see `NgramBlock`.
    orders : (int, int)
        Their lowest and highest order.
    shares : (float, float)
        The n-grams occur in at least the first and less than the second share of the passages.
    similarity : float
        Of the known texts and the questioned text; see `TextSpace.similarities`.
    same, different : float
        The mean similarity in calibration problems of either kind.
    weight : float
        The contribution in nats of a similarity of 1; not negative.
    log_lr : float
        The contribution in nats, compared with that of the mean similarity in all problems.

    Examples
    --------
    >>> SimilarityEvidence("char", (3, 3), (0, 0.04), 2.1, same=1.9, different=0.2,
    ...     weight=0.5, log_lr=0.9).unit
    'char'
    """

    unit: str
    orders: tuple[int, int]
    shares: tuple[float, float]
    similarity: float
    same: float
    different: float
    weight: float
    log_lr: float


@dataclass(frozen=True, slots=True)
class NgramContribution:
    """What an n-gram contributes to a log-likelihood ratio.

    Attributes
    ----------
    unit : str
        The unit of the n-gram, see `NgramBlock`.
    ngram : str
        As it is written. If the unit is masked, a sign of `MASKS` replaces each rare word, and
        zeros replace a number.
    count : int
        How often it occurs in the questioned text.
    questioned, known, reference : float
        Occurrences per 1,000 units in the questioned text, in the known texts and in the texts by
        other authors.
    log_lr : float
        In nats; positive if known and questioned texts deviate more similarly from the other
        authors' texts than they do in texts with a likelihood ratio of 1.

    Examples
    --------
    >>> NgramContribution("masked", "upon the", 3, 2.1, 1.9, 0.4, log_lr=0.12).count
    3
    """

    unit: str
    ngram: str
    count: int
    questioned: float
    known: float
    reference: float
    log_lr: float


@dataclass(frozen=True, slots=True)
class VerificationEvidence:
    """The evidence of one questioned text.

    Attributes
    ----------
    similarities : tuple of SimilarityEvidence
        One per kind of n-grams.
    intercept : float
        The log-likelihood ratio in nats if all similarities have their mean. Together with the
        contributions of the similarities, it gives ``log_lr``.
    log_lr : float
        The calibrated natural log-likelihood ratio, not bounded.
    for_same, for_different : tuple of NgramContribution
        The n-grams with the largest contributions, also those that the text does not contain.
    text : str
        The questioned text as it was compared.
    words : Evidence
        The contributions of words and sentences of that text. Its constant is the sum of the
        n-grams that the text does not contain.

    See Also
    --------
    explain_verification : Compute the evidence.

    Examples
    --------
    >>> evidence = VerificationEvidence((), 0.5, 0.5, (), (), "", Evidence("Ada", "Ben", (), 0.5))
    >>> evidence.words.log_lr == evidence.log_lr
    True
    """

    similarities: tuple[SimilarityEvidence, ...]
    intercept: float
    log_lr: float
    for_same: tuple[NgramContribution, ...]
    for_different: tuple[NgramContribution, ...]
    text: str
    words: Evidence


@limits_threads
def explain_verification(
    verifier: AuthorshipVerifier, problem: VerificationProblem, author: str
) -> VerificationEvidence:
    """Explain which n-grams and passages of a text favour the same author or another one.

    Parameters
    ----------
    verifier : AuthorshipVerifier
        A fitted verifier.
    problem : VerificationProblem
        The problem.
    author : str
        The name of the author of the known texts.

    Examples
    --------
    >>> import numpy as np
    >>> from byline.attribution.verification import AuthorshipVerifier, VerificationProblem
    >>> words = {"Ada": "the sea and wind", "Ben": "a ship or a sail", "Cleo": "one bird in two"}
    >>> texts = [(who, f"{own} {n}. {own} now.") for who, own in words.items() for n in range(4)]
    >>> pairs = [(one, other) for one in texts for other in texts if one != other]
    >>> problems = [VerificationProblem((one[1],), other[1]) for one, other in pairs]
    >>> authors = [(one[0], other[0]) for one, other in pairs]
    >>> verifier = AuthorshipVerifier(min_words=1)
    >>> verifier = verifier.fit(problems, [one == other for one, other in authors], authors=authors)
    >>> evidence = explain_verification(verifier, problems[0], "Ada")
    >>> bool(np.isclose(evidence.log_lr, verifier.decision_function(problems[:1])[0]))
    True
    >>> bool(np.isclose(evidence.words.log_lr, evidence.log_lr))
    True
    """
    calibrator = verifier.calibrator_
    weights = (calibrator.weights / calibrator.deviations).reshape(-1, N_BANDS)
    means = calibrator.means.reshape(-1, N_BANDS)
    text = Normalization.parse(verifier.normalization).apply(problem.questioned)
    intercept = calibrator.intercept
    blocks = [
        _ExplainedBlock.of(space, places, own, intercept / len(weights) - float(own @ mean), text)
        for (space, [places]), own, mean in zip(
            verifier.compare([problem]), weights, means, strict=True
        )
    ]
    similarities = tuple(_similarities(verifier, blocks))
    ngrams = [each for block in blocks for each in block.strongest()]
    return VerificationEvidence(
        similarities=similarities,
        intercept=intercept,
        log_lr=intercept + sum(each.log_lr for each in similarities),
        for_same=tuple(each for each in ngrams if each.log_lr > 0),
        for_different=tuple(each for each in ngrams if each.log_lr < 0),
        text=text,
        words=_by_word(text, verifier.language, author, [each.spans for each in blocks]),
    )


def word_encoder(language: str) -> TextEncoder:
    """Return the encoder that divides a questioned text into the words of the evidence.

    Examples
    --------
    >>> word_encoder("en").tokenize("The sea.")
    [['the', 'sea', '.']]
    """
    return TextEncoder(language=language, normalization="none")


@dataclass(frozen=True, slots=True)
class _ExplainedBlock:
    """One kind of n-grams: the contribution and the frequencies of each."""

    fitted: FittedBlock
    similarities: Floats
    contributions: Floats
    counts: Integers
    rates: Floats
    spans: Spans

    @classmethod
    def of(
        cls, space: TextSpace, places: ProblemPlaces, weights: Floats, constant: float, text: str
    ) -> _ExplainedBlock:
        found = space.compare(*places)
        contributions = (weights * found.scales)[found.bands] * found.products
        rest = constant + float(weights @ found.similarities - contributions.sum())
        total = float(found.questioned @ found.questioned)
        if total > 0:
            contributions += rest / total * found.questioned**2
        fitted = space.fitted
        units = split_units(text, fitted.block, fitted.unmasked)
        columns, starts, ends = fitted.ngrams.occurrences(units)
        bounds = unit_spans(text, fitted.block)
        spans = Spans.of_features(
            np.arange(len(contributions)),
            contributions,
            *(columns, bounds[starts, 0], bounds[ends - 1, 1]),
        )
        own = {places.questioned, *places.known, *places.excluded}
        others = [place for place in range(space.owners[-1] + 1) if place not in own]
        texts = [places.questioned], places.known, others
        if total == 0:
            spans = Spans.joined([spans], rest)
        return cls(
            fitted,
            found.similarities,
            contributions,
            np.bincount(columns, minlength=len(contributions)),
            1000 * np.array(list(map(space.frequencies, texts))),
            spans,
        )

    def strongest(self) -> Iterator[NgramContribution]:
        """Yield the n-grams with the largest contributions, for and then against."""
        order = np.argsort(-np.abs(self.contributions), kind="stable")
        for sign in (1, -1):
            own = order[sign * self.contributions[order] > 0]
            present = self.counts[own] > 0
            for chosen in (own[present][:N_NGRAMS], own[~present][:N_ABSENT]):
                yield from map(self._ngram, chosen.tolist())

    def _ngram(self, column: int) -> NgramContribution:
        unit, units = self.fitted.block.unit, self.fitted.ngrams.ngram(column)
        questioned, known, reference = self.rates[:, column].tolist()
        return NgramContribution(
            unit=unit,
            ngram="".join(units) if unit == "char" else join_words(_shown(unit, units)),
            count=int(self.counts[column]),
            questioned=questioned,
            known=known,
            reference=reference,
            log_lr=float(self.contributions[column]),
        )


def _shown(unit: str, units: Sequence[str]) -> Iterable[str]:
    """Return words and punctuation marks, with signs for the shapes of masked words."""
    return (MASKS.get(each, each) for each in units) if unit == "masked" else units


def _similarities(
    verifier: AuthorshipVerifier, blocks: Sequence[_ExplainedBlock]
) -> Iterator[SimilarityEvidence]:
    calibrator, held_out = verifier.calibrator_, verifier.held_out_
    shares = list(pairwise((0.0, *BANDS, 1.0)))
    bands = [(block, band) for block in blocks for band in range(N_BANDS)]
    for column, (explained, band) in enumerate(bands):
        values = held_out.features[:, column]
        weight = float(calibrator.weights[column] / calibrator.deviations[column])
        similarity = float(explained.similarities[band])
        yield SimilarityEvidence(
            unit=explained.fitted.block.unit,
            orders=explained.fitted.block.ngrams,
            shares=shares[band],
            similarity=similarity,
            same=float(values[held_out.same].mean()),
            different=float(values[~held_out.same].mean()),
            weight=weight,
            log_lr=weight * (similarity - float(calibrator.means[column])),
        )


def _by_word(text: str, language: str, author: str, spans: Sequence[Spans]) -> Evidence:
    """Divide the contributions of n-grams among the words that they belong to."""
    encoder = word_encoder(language)
    tokens = ComparedTokens.without_models(encoder.tokenize(text))
    places = align_tokens(encoder, text, tokens.sentences, end_tokens=False)
    is_space = np.fromiter(map(str.isspace, text), dtype=bool, count=len(text))
    joined = Spans.joined(spans)
    sentences = tokens.with_values(joined.by_token(places, is_space))
    return Evidence(author, ANOTHER_AUTHOR, sentences, joined.constant)
