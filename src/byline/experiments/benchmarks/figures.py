"""How often a classifier is right: in all, and by fold, author and length of text."""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from statistics import fmean
from typing import Any

from sklearn.metrics import f1_score

from byline.experiments.metrics import Interval, Share
from byline.experiments.records import Decision


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
