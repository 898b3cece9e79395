"""How often a classifier is right: in all, and by fold, author and length of text."""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from statistics import fmean
from typing import Any

import numpy as np
from scipy.stats import binomtest, bootstrap
from sklearn.metrics import f1_score

from byline.errors import UsageError
from byline.experiments.decisions import Decision
from byline.experiments.metrics import Interval, Share


@dataclass(frozen=True, slots=True)
class Part:
    """Right answers on some of the questioned texts: a fold's, an author's, those of a length."""

    name: str
    n: int
    n_right: int

    @property
    def accuracy(self) -> float:
        """Share of right answers."""
        return self.n_right / self.n

    def to_dict(self) -> dict[str, Any]:
        """All of it as JSON values."""
        return asdict(self) | {"accuracy": self.accuracy}


@dataclass(frozen=True, slots=True)
class Figures:
    """How one classifier fared on texts of one length.

    Attributes
    ----------
    method, title : str
    n : int
        Questioned texts.
    accuracy : float
        Share of texts whose best-scoring author is the right one.
    interval : (float, float)
        95 % Wilson interval; it takes the texts as independent.
    balanced_accuracy : float
        Mean accuracy over the authors who have questioned texts, however many.
    macro_f1 : float
        Mean F1 over the authors who have questioned texts.
    mean_reciprocal_rank : float
    by_fold, by_author, by_tokens : tuple of Part
        By what was held out, by true author, and by number of tokens; the last may be empty.
    """

    method: str
    title: str
    n: int
    accuracy: float
    interval: Interval
    balanced_accuracy: float
    macro_f1: float
    mean_reciprocal_rank: float
    by_fold: tuple[Part, ...]
    by_author: tuple[Part, ...]
    by_tokens: tuple[Part, ...]

    def to_dict(self) -> dict[str, Any]:
        """All of it as JSON values."""
        parts = {
            name: [part.to_dict() for part in getattr(self, name)]
            for name in ("by_fold", "by_author", "by_tokens")
        }
        return asdict(self) | parts


def figures_of(
    method: str,
    title: str,
    decisions: Sequence[Decision],
    folds: Sequence[str],
    n_tokens: Mapping[str, int],
) -> Figures:
    """Count one classifier's decisions on texts of one length.

    Parameters
    ----------
    method, title : str
    decisions : sequence of Decision
    folds : sequence of str
        Names of the folds.
    n_tokens : mapping of path to int
        Tokens of each text; empty where accuracy by length is not asked for.
    """
    share = Share.of(sum(map(is_right, decisions)), len(decisions))
    by_author = _parts([(d.author, d.author, is_right(d)) for d in decisions])
    return Figures(
        method=method,
        title=title,
        n=len(decisions),
        accuracy=share.accuracy,
        interval=share.accuracy_interval,
        balanced_accuracy=fmean(part.accuracy for part in by_author),
        macro_f1=_macro_f1(decisions),
        mean_reciprocal_rank=fmean(1 / d.rank for d in decisions),
        by_fold=_parts([(d.fold, folds[d.fold], is_right(d)) for d in decisions]),
        by_author=by_author,
        by_tokens=_parts([(*_length_class(n_tokens[d.path]), is_right(d)) for d in decisions])
        if n_tokens
        else (),
    )


def _macro_f1(decisions: Sequence[Decision]) -> float:
    authors = [decision.author for decision in decisions]
    named = [decision.named for decision in decisions]
    questioned = sorted(set(authors))
    return float(f1_score(authors, named, labels=questioned, average="macro", zero_division=0.0))


def is_right(decision: Decision) -> bool:
    """Whether the best-scoring author wrote the text."""
    return decision.author == decision.named


# Few sentences of lectures below the second tell their author, and nearly all from the last on.
LENGTHS_IN_TOKENS = (1, 4, 8, 15, 30)


def _length_class(n_tokens: int) -> tuple[int, str]:
    place = bisect_right(LENGTHS_IN_TOKENS, n_tokens) - 1
    low = LENGTHS_IN_TOKENS[place]
    if place + 1 == len(LENGTHS_IN_TOKENS):
        return low, f"{low} or more tokens"
    return low, f"{low} to {LENGTHS_IN_TOKENS[place + 1] - 1} tokens"


def _parts(answers: Sequence[tuple[Any, str, bool]]) -> tuple[Part, ...]:
    """Count answers by their key, in the keys' order; each comes with key and name."""
    counted: dict[tuple[Any, str], list[bool]] = defaultdict(list)
    for key, name, right in answers:
        counted[key, name].append(right)
    return tuple(
        Part(name, len(rights), sum(rights)) for (_, name), rights in sorted(counted.items())
    )


N_RESAMPLES = 9999
LEVEL = 0.95
# So many resamples at a time: 11,662 texts of 8 bytes make some 10 MB.
_BATCH = 100


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two classifiers on the same texts.

    Attributes
    ----------
    first, second : str
    n : int
        Texts.
    difference : float
        Accuracy of the first less that of the second.
    interval : (float, float)
        95 % of the difference: bootstrap over texts, percentiles of 9,999 resamples.
    n_only_first, n_only_second : int
        Texts that one alone got right.
    p_value : float
        McNemar's test, exact and two-sided, that both are right equally often.
    """

    first: str
    second: str
    n: int
    difference: float
    interval: Interval
    n_only_first: int
    n_only_second: int
    p_value: float


def compare(
    first: str,
    second: str,
    first_right: Sequence[bool],
    second_right: Sequence[bool],
    *,
    random_state: int = 0,
) -> Comparison:
    """Compare two classifiers text by text.

    Parameters
    ----------
    first, second : str
        Their names.
    first_right, second_right : sequence of bool, (n_texts,)
        Whether each was right, text by text in the same order.
    random_state : int
        Of the resamples.

    Raises
    ------
    UsageError
        The two are not of the same texts, or there is none.
    """
    if len(first_right) != len(second_right) or not first_right:
        raise UsageError(
            f"{first} answered {len(first_right)} texts and {second} {len(second_right)}; "
            "a comparison needs the same ones, and one at least"
        )
    differences = np.asarray(first_right, dtype=float) - np.asarray(second_right, dtype=float)
    only_first, only_second = int((differences > 0).sum()), int((differences < 0).sum())
    return Comparison(
        first=first,
        second=second,
        n=len(differences),
        difference=float(differences.mean()),
        interval=_interval(differences, random_state),
        n_only_first=only_first,
        n_only_second=only_second,
        p_value=mcnemar(only_first, only_second),
    )


def mcnemar(n_only_first: int, n_only_second: int) -> float:
    """Exact two-sided p-value of McNemar's test (1947), from the texts that one alone got right."""
    discordant = n_only_first + n_only_second
    return float(binomtest(n_only_first, discordant, 0.5).pvalue) if discordant else 1.0


def _interval(differences: np.ndarray, random_state: int) -> Interval:
    if len(differences) == 1 or np.ptp(differences) == 0:  # every resample is the same
        return float(differences.mean()), float(differences.mean())
    found = bootstrap(
        (differences,),
        np.mean,
        n_resamples=N_RESAMPLES,
        batch=_BATCH,
        confidence_level=LEVEL,
        method="percentile",
        rng=np.random.default_rng(random_state),
    ).confidence_interval
    return float(found.low), float(found.high)
