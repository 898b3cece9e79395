"""Weights of base classifiers that simulated cases suggest, before any known text is held out.

A few known texts cannot show how reliable each base classifier is at each length of a text. Cases
with the same numbers of candidates and of known words, simulated from corpora of known authorship,
can: there, the weights follow a simple rule. The rule is the prior of the weights. Held-out known
texts then adjust them (`Adjustment.fit`).
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from typing import Any, Self

import numpy as np

from byline.array_types import Booleans, Floats, Integers
from byline.attribution.similar_cases import SimilarCases, of_amounts

# The units in which lengths and amounts enter the rule, about the middle of the simulated cases.
_CHARACTERS, _KNOWN_CHARACTERS, _KNOWN_TEXTS, _CANDIDATES = 1500.0, 7500.0, 3.0, 4.0
# The longest questioned text, and the amounts of known text, to which the rule is applied: those
# of the simulated cases. Other values count as the nearest of these.
LONGEST = 45_000
_MOST_CHARACTERS, _MOST_TEXTS, _MOST_CANDIDATES = 300_000.0, 10.0, 21.0
# Shares of the median author's known text. They were chosen on development texts: corrections of
# every author below the median, or only of those below a quarter, were worse (see decision 0055).
_SHORTAGE, _NO_SHORTAGE = 0.5, 0.75
_MANY_WORKS = 100  # more than in any case that the variances were chosen on


@dataclass(frozen=True, slots=True)
class KnownAmounts:
    """How much known text there is.

    Attributes
    ----------
    characters : (n_authors,) float64
        By author, without white space.
    n_texts : float
        Mean number of known texts per author.
    """

    characters: Floats
    n_texts: float

    @classmethod
    def of(cls, sizes: Integers, labels: Integers, n_authors: int) -> Self:
        """Add up the sizes of known texts.

        Parameters
        ----------
        sizes : (n_texts,) int64
            In characters without white space.
        labels : (n_texts,) int
            Column of each text's author.
        n_authors : int
        """
        characters = np.bincount(labels, weights=sizes, minlength=n_authors)
        return cls(np.maximum(characters, 1.0), len(sizes) / n_authors)

    @property
    def typical(self) -> float:
        """Geometric mean of the authors' characters."""
        return float(np.exp(np.log(self.characters).mean()))

    @property
    def shortages(self) -> Floats:
        """How far the amounts of some authors are below the median author's, (n_authors,).

        The logarithm of the ratio for authors with at most half of the median, 0 for those with
        three quarters or more, and in between a share of the logarithm that is linear in the
        ratio, so that a few words more never change an answer suddenly.
        """
        ratios = np.minimum(self.characters / np.median(self.characters), _NO_SHORTAGE)
        shares = np.minimum((_NO_SHORTAGE - ratios) / (_NO_SHORTAGE - _SHORTAGE), 1.0)
        return np.asarray(shares * np.log(ratios))


@dataclass(frozen=True, slots=True)
class PriorTerms:
    """What the prior says about some texts.

    Attributes
    ----------
    log_weights : (n_base_classifiers, n_texts) float64
        Natural logarithms of the weights.
    corrections : (n_base_classifiers, n_texts) float64
        What is added to each score per unit of the author's shortage of known text.
    shortages : (n_texts, n_authors) float64
        See `KnownAmounts.shortages`.
    """

    log_weights: Floats
    corrections: Floats
    shortages: Floats

    @classmethod
    def join(cls, terms: Sequence[Self]) -> Self:
        """Concatenate the terms of several groups of texts."""
        return cls(
            np.concatenate([each.log_weights for each in terms], axis=1),
            np.concatenate([each.corrections for each in terms], axis=1),
            np.concatenate([each.shortages for each in terms]),
        )

    def select(self, chosen: Booleans) -> PriorTerms:
        """Return the terms of some of the texts."""
        return PriorTerms(
            self.log_weights[:, chosen], self.corrections[:, chosen], self.shortages[chosen]
        )

    def correct(self, scores: Floats) -> Floats:
        """Return scores as they would be without shortages of known text.

        Parameters
        ----------
        scores : (n_base_classifiers, n_texts, n_authors) float64
        """
        corrected = self.corrections[:, :, np.newaxis] * self.shortages
        corrected += scores
        return np.asarray(corrected)


@dataclass(frozen=True, slots=True)
class Variances:
    """How far held-out texts may move the weights, as squared scales of their logarithms.

    Attributes
    ----------
    common : float
        Of a factor of all weights.
    by_classifier : float
        Of a factor of each base classifier's weights.
    by_length : float
        Of a factor of each weight, independently at each reference length.
    biases : float
        Of an author's intercept.
    """

    common: float
    by_classifier: float
    by_length: float
    biases: float

    def for_works(self, n_works: int) -> Variances:
        """Return the variances for texts of so many held-out works.

        The variances were chosen on cases of at most 100 works. With more works, the held-out texts
        show the weights better than the prior does, and it must not hold them back. On development
        texts of CCAT50 that are later than the known texts (25 candidates, 550 works, five draws of
        the candidates), 80.1 % were correctly attributed without this, and 81.9 to 82.3 % with 100
        to 400 times these variances.

        Examples
        --------
        >>> Variances(0.1, 0.05, 0.02, 0.05).for_works(200)
        Variances(common=0.8, by_classifier=0.4, by_length=0.16, biases=0.05)
        """
        factor = max(1.0, n_works / _MANY_WORKS) ** 3
        return replace(
            self,
            common=factor * self.common,
            by_classifier=factor * self.by_classifier,
            by_length=factor * self.by_length,
        )


@dataclass(frozen=True, slots=True)
class WeightPrior:
    """A prior of the weights of some base classifiers.

    Attributes
    ----------
    coefficients : (n_base_classifiers, 5) float64
        Of 1 and of the logarithms of the text's length, of the known characters per author, of the
        known texts per author and of the number of candidates, each divided by its unit.
    of_amounts : (n_base_classifiers, 3) float64
        What is added to an author's score per unit of the author's shortage of known text: alone,
        times the logarithm of the text's length, and times the length.
    variances : Variances
    uniform : float
        The share of texts that show nothing of their author (see `Calibrator`).
    n_uniform : float
        The number of held-out texts that this share counts as.
    n_cases : int
        Number of simulated cases; 0 without any.
    """

    coefficients: Floats
    of_amounts: Floats
    variances: Variances
    uniform: float
    n_uniform: float
    n_cases: int

    @classmethod
    def flat(cls, scores: Floats) -> Self:
        """Return the prior for base classifiers that were not simulated: equal influence.

        Parameters
        ----------
        scores : (n_base_classifiers, n_texts, n_authors) float64
            Of held-out texts, as `combination.comparable` returns them. Texts whose scores are all
            equal, such as passages without numeric features, do not count.
        """
        squares = (scores**2).mean(axis=2)
        scale = np.sqrt(squares.sum(axis=1) / np.maximum(1, (squares > 0).sum(axis=1)))
        scale[scale == 0] = 1
        coefficients = np.zeros((len(scores), 5))
        coefficients[:, 0] = -np.log(scale * len(scores))
        of_amounts = np.zeros((len(scores), 3))
        return cls(coefficients, of_amounts, Variances(4.0, 4.0, 1.0, 0.25), 0.05, 10.0, 0)

    def terms(self, sizes: Integers, known: KnownAmounts) -> PriorTerms:
        """Return the prior's weights and corrections of scores for texts of some sizes.

        Parameters
        ----------
        sizes : (n_texts,) int64
            In characters without white space.
        known : KnownAmounts
        """
        of_length = length_features(sizes)
        of_case = (
            np.log(np.clip(known.typical, 1.0, _MOST_CHARACTERS) / _KNOWN_CHARACTERS),
            np.log(min(known.n_texts, _MOST_TEXTS) / _KNOWN_TEXTS),
            np.log(min(len(known.characters), _MOST_CANDIDATES) / _CANDIDATES),
        )
        n_texts = of_length.shape[1]
        features = np.stack([*of_length[:2], *(np.full(n_texts, value) for value in of_case)])
        return PriorTerms(
            self.coefficients @ features,
            self.of_amounts @ of_length,
            np.tile(known.shortages, (n_texts, 1)),
        )


def length_features(sizes: Integers) -> Floats:
    """Return 1, the logarithm of a text's length, and the length, each in its unit, (3, n_texts).

    Parameters
    ----------
    sizes : (n_texts,) int64
        In characters without white space.
    """
    lengths = np.clip(np.asarray(sizes, dtype=np.float64), 1.0, LONGEST) / _CHARACTERS
    return np.stack([np.ones(len(lengths)), np.log(lengths), lengths])


@cache
def _table() -> Mapping[str, Any]:
    text = files("byline.attribution.stacking").joinpath("prior.json").read_text("utf-8")
    table: Mapping[str, Any] = json.loads(text)
    return table


def find_similar_cases(
    base_classifiers: Sequence[str], known: KnownAmounts
) -> tuple[SimilarCases, ...]:
    """Return the simulated cases of similar numbers of candidates and amounts of known text.

    They are in the order of the lengths of their texts.

    Parameters
    ----------
    base_classifiers : sequence of str
        The names of those that answer, in any order.
    known : KnownAmounts

    Returns
    -------
    tuple of SimilarCases
        Empty if the answers of these base classifiers were not counted.
    """
    for each in _table()["outcomes"]:
        if sorted(each["base_classifiers"]) == sorted(base_classifiers):
            rows = [SimilarCases.from_dict(row) for row in each["cases"]]
            return of_amounts(rows, len(known.characters), known.typical)
    return ()


def find_prior(base_classifiers: Sequence[str]) -> WeightPrior | None:
    """Return the prior for base classifiers with these names, in their order, if there is one.

    Parameters
    ----------
    base_classifiers : sequence of str
        In any order.
    """
    table = _table()
    for each in table["priors"]:
        own = each["base_classifiers"]
        if sorted(own) == sorted(base_classifiers):
            rows = [own.index(name) for name in base_classifiers]
            return WeightPrior(
                np.array(each["coefficients"])[rows],
                np.array(each["of_amounts"])[rows],
                Variances(**table["variances"]),
                table["uniform"],
                table["n_uniform"],
                table["n_cases"],
            )
    return None
