"""Scores of open-set attribution: c@1, F0.5u, macro-F1, AUC, and intervals over authors."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from sklearn.metrics import f1_score, roc_auc_score

from byline.attribution.calibration import clustered_interval
from byline.errors import UsageError
from byline.experiments.metrics import Interval


def c_at_1_of_counts(n_correct: int, n_withheld: int, n: int) -> float:
    """Compute c@1: accuracy in which a withheld answer counts as the mean of all answers.

    Parameters
    ----------
    n_correct, n_withheld : int
        Numbers of correct and of withheld answers.
    n : int
        Number of all texts, one or more.

    References
    ----------
    Peñas & Rodrigo (2011), A simple measure to assess non-response.

    See Also
    --------
    byline.attribution.verification.c_at_1 : The same for verification problems.

    Examples
    --------
    Two of four answers are correct and one is withheld: (2 + 1 x 2 / 4) / 4.

    >>> c_at_1_of_counts(2, 1, 4)
    0.625
    """
    return (n_correct + n_withheld * n_correct / n) / n


def f_05_u(
    n_true_positives: int, n_false_positives: int, n_false_negatives: int, n_withheld: int
) -> float:
    """Compute F0.5u: an F-measure that favours precision; withheld answers are false negatives.

    ``1.25 TP / (1.25 TP + 0.25 (FN + U) + FP)``, with U withheld answers.

    Parameters
    ----------
    n_true_positives, n_false_positives, n_false_negatives : int
        Numbers of answers; withheld ones are in none of them.
    n_withheld : int
        Number of withheld answers, whatever is true.

    Returns
    -------
    float
        0 if there is no true positive.

    References
    ----------
    Bevendorff, Stein, Hagen & Potthast (2019), Generalizing unmasking for short texts.

    Examples
    --------
    1.25 x 4 / (1.25 x 4 + 0.25 x (2 + 2) + 1) = 5 / 7.

    >>> round(f_05_u(4, 1, 2, 2), 4)
    0.7143
    """
    if not n_true_positives:
        return 0.0
    weighted = 1.25 * n_true_positives
    return weighted / (weighted + 0.25 * (n_false_negatives + n_withheld) + n_false_positives)


def open_set_macro_f1(authors: Sequence[str | None], attributed: Sequence[str | None]) -> float:
    """Compute the macro-F1 of the cross-domain attribution task of PAN 2019.

    The mean of F1 over the candidates who wrote at least one of the texts. Unknown authors are not
    in the mean, but their texts are false positives of a candidate whom they are attributed to.

    Parameters
    ----------
    authors : sequence of str or None, (n_texts,)
        The true authors; None for unknown authors. At least one author is known.
    attributed : sequence of str or None, (n_texts,)
        The candidate that each text was attributed to; None if it was attributed to nobody.

    Raises
    ------
    UsageError
        No text is by a candidate, or there are not as many answers as texts.

    References
    ----------
    Kestemont et al. (2019), Overview of the cross-domain authorship attribution task at PAN 2019.

    Examples
    --------
    Ann has precision 1/2, recall 1 and F1 2/3; Bob has precision 1, recall 1/2 and F1 2/3.

    >>> round(open_set_macro_f1(["Ann", "Bob", "Bob", None], ["Ann", "Bob", None, "Ann"]), 4)
    0.6667
    """
    if len(authors) != len(attributed):
        raise UsageError(
            f"there are {len(authors)} authors and {len(attributed)} answers; give one per text"
        )
    names = sorted({author for author in authors if author is not None})
    if not names:
        raise UsageError("no text is by a candidate; add texts by candidates")
    places = {name: place for place, name in enumerate(names)}
    truth = [-1 if author is None else places[author] for author in authors]
    # Candidates without texts are not in the mean.
    given = [-1 if name is None else places.get(name, -1) for name in attributed]
    labels = list(range(len(names)))
    return float(f1_score(truth, given, labels=labels, average="macro", zero_division=0.0))


def interval_over_authors(marks: Sequence[bool], authors: Sequence[str]) -> Interval:
    """Compute the 95 % interval of a share of texts, which depend on each other within an author.

    Parameters
    ----------
    marks : sequence of bool, (n_texts,)
        One or more.
    authors : sequence of str, (n_texts,)

    See Also
    --------
    byline.attribution.calibration.clustered_interval : How it is computed.

    Examples
    --------
    >>> low, high = interval_over_authors([False] * 4, ["Ann", "Ann", "Bob", "Cyd"])
    >>> round(low, 3), round(high, 3)
    (0.0, 0.708)
    """
    of_text = np.unique(np.asarray(authors), return_inverse=True)[1]
    n_texts = np.bincount(of_text)
    n_marked = np.bincount(of_text, weights=np.asarray(marks, dtype=float))
    return clustered_interval(n_marked / n_texts, n_texts)


def known_unknown_auc(is_known: Sequence[bool], statistics: Sequence[float | None]) -> float:
    """Compute the area under the ROC curve of texts by candidates against other texts.

    Parameters
    ----------
    is_known : sequence of bool, (n_texts,)
        Both values occur.
    statistics : sequence of float or None, (n_texts,)
        Texts without a value count as lower than all others.

    Examples
    --------
    >>> known_unknown_auc([True, True, False, False], [3.0, 1.0, 2.0, None])
    0.75
    """
    values = np.array([np.nan if value is None else value for value in statistics])
    lowest = np.nanmin(values) if np.isfinite(values).any() else 0.0
    return float(roc_auc_score(is_known, np.nan_to_num(values, nan=float(lowest) - 1)))
