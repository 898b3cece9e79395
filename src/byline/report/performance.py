"""How well a stack answers: about held-out known texts, and about simulated cases."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

import numpy as np

from byline.array_types import Booleans, Floats
from byline.attribution import ReferenceValidation, StackedAttributor
from byline.attribution.calibration import CalibrationOutcomes, verbal_scale
from byline.attribution.caveats import LengthBand, accuracy_by_length, nearest_band
from byline.attribution.stacking.calibrator import (
    Calibrator,
    HeldOutResults,
    log10_likelihood_ratios,
)
from byline.formatting import isolated, number, percent, percent_range, quantity
from byline.report.summary import Summary

_LN10 = float(np.log(10))
_OF_REFERENCE = (
    *("name", "n_authors", "n_texts", "sha256", "n_cases"),
    *("n_candidates", "n_wanted", "factor"),
)


def performance_summary(stack: StackedAttributor) -> Summary | None:
    """Summarise a stack's answers about held-out known texts.

    Parameters
    ----------
    stack : StackedAttributor
        A fitted stack.

    Returns
    -------
    dict or None
        "n_whole"; "all", "whole" (whole known texts) and "by_length" in ascending order of
        length, each with "shortest" and "longest" (characters without white space), "n",
        "accuracy", "accuracy_interval", "ece", "log_loss" (nats), "brier_score", "cllr",
        "cllr_min" (bits); "reliability": "confidence", "accuracy" and "n" of answers of similar
        confidence; "tippett" (see `TippettCurve`). None without held-out texts.
    """
    results = stack.held_out_results_
    return _summarise(results, stack.calibrator_) if results.n_texts else None


def alike_summary(stack: StackedAttributor, log10_lr: float) -> Summary | None:
    """Count the held-out whole texts whose first candidate has a similar likelihood ratio.

    Parameters
    ----------
    stack : StackedAttributor
        A fitted stack.
    log10_lr : float
        Of the first candidate of a questioned text.

    Returns
    -------
    dict or None
        "n_whole"; "n", the number of these texts with the same verbal equivalent; and "n_right",
        how many of those are by their first candidate. None without held-out texts.
    """
    results = stack.held_out_results_
    if not results.n_whole:
        return None
    judged = _Judged(results, stack.calibrator_)
    wanted = verbal_scale(log10_lr)
    terms = list(map(verbal_scale, judged.first_log10_lrs.tolist()))
    alike = results.is_whole & np.array([term == wanted for term in terms])
    return {
        "n_whole": results.n_whole,
        "n": int(alike.sum()),
        "n_right": int((alike & judged.right).sum()),
    }


def simulated_summary(validation: ReferenceValidation | None) -> Summary | None:
    """Summarise the answers about simulated cases like the user's.

    Parameters
    ----------
    validation : ReferenceValidation or None

    Returns
    -------
    dict or None
        The keys of `performance_summary`, and "reference": "name", "n_authors", "n_texts" and
        "sha256" of the reference population, "n_cases", "n_candidates" (of each case), "n_wanted"
        (candidates of the user's case) and "factor" (the words of known texts, as a share of those
        of the user's case); and "guessing", the log loss of guessing (nats). None without a
        reference population.
    """
    if validation is None:
        return None
    described = {name: getattr(validation, name) for name in _OF_REFERENCE}
    guessing = float(np.log(validation.n_candidates))
    summary = _summarise(validation.results, validation.calibrator)
    return summary | {"reference": described, "guessing": guessing}


def cases_like_summary(simulated: Summary | None, size: int) -> Summary | None:
    """Summarise the answers about simulated texts that are about as long as a questioned text.

    Parameters
    ----------
    simulated : dict or None
        As `simulated_summary` returned it.
    size : int
        Characters of the questioned text without white space.

    Returns
    -------
    dict or None
        The row of the texts of similar length, the keys of "reference", and "sentence".
    """
    if simulated is None:
        return None
    rows = simulated["by_length"]
    row: Summary = rows[row_of_length(rows, size)]
    reference: Summary = simulated["reference"]
    return row | reference | {"sentence": _cases_like_sentence(row, reference)}


def row_of_length(rows: Sequence[Mapping[str, Any]], size: int) -> int:
    """Return the place of the row for texts of about that length; there is at least one row."""
    bands = [LengthBand(row["shortest"], row["longest"], row["n"], 0) for row in rows]
    return bands.index(nearest_band(bands, size))


def _cases_like_sentence(row: Summary, reference: Summary) -> str:
    cases = quantity(reference["n_cases"], "simulated case")
    who = quantity(reference["n_authors"], "author")
    return (
        f"Cases like this one: {cases} with {number(reference['n_candidates'], 0)} candidates "
        f"each, from the reference corpus {isolated(reference['name'])} ({who}, "
        f"{quantity(reference['n_texts'], 'text')}). Of {quantity(row['n'], 'questioned text')} of "
        f"{number(row['shortest'], 0)} to {number(row['longest'], 0)} characters, "
        f"{percent(row['accuracy'])} were correctly attributed (95 % interval "
        f"{percent_range(*row['accuracy_interval'])}); Cllr {number(row['cllr'])}."
    )


def _summarise(results: HeldOutResults, calibrator: Calibrator) -> Summary:
    judged = _Judged(results, calibrator)
    all_of_them = np.ones(len(results.labels), dtype=bool)
    outcomes = judged.outcomes(all_of_them)
    bands = accuracy_by_length(results.sizes, judged.right)
    return {
        "n_whole": results.n_whole,
        "all": judged.row(all_of_them),
        "whole": judged.row(results.is_whole) if results.n_whole else None,
        "by_length": [judged.row(judged.within(band)) for band in bands],
        "reliability": [asdict(each) for each in outcomes.metrics().reliability],
        "tippett": asdict(outcomes.tippett()),
    }


class _Judged:
    """Answers about texts of known authorship, with probabilities and likelihood ratios."""

    def __init__(self, results: HeldOutResults, calibrator: Calibrator) -> None:
        self._sizes, self._labels = results.sizes, results.labels
        log_odds = results.log_odds.astype(np.float64)
        self._log_probs = calibrator.log_probabilities(log_odds)
        self._log10_lrs = log10_likelihood_ratios(self._log_probs)
        self.right: Booleans = log_odds.argmax(axis=1) == results.labels

    @property
    def first_log10_lrs(self) -> Floats:
        """The log10 likelihood ratio of each text's first candidate, (n_texts,)."""
        ratios: Floats = self._log10_lrs.max(axis=1)
        return ratios

    def within(self, band: LengthBand) -> Booleans:
        """Find the texts of a band of length, (n_texts,)."""
        return (self._sizes >= band.shortest) & (self._sizes <= band.longest)

    def outcomes(self, chosen: Booleans) -> CalibrationOutcomes:
        """Compare the answers about some texts with their true authors."""
        return CalibrationOutcomes.of(
            self._log_probs[chosen], self._labels[chosen], self._log10_lrs[chosen] * _LN10
        )

    def row(self, chosen: Booleans) -> Summary:
        """Summarise the answers about some texts."""
        sizes, right = self._sizes[chosen], self.right[chosen]
        band = LengthBand(int(sizes.min()), int(sizes.max()), len(right), int(right.sum()))
        judged = self.outcomes(chosen).metrics()
        return {
            "shortest": band.shortest,
            "longest": band.longest,
            "n": band.n,
            "accuracy": band.accuracy,
            "accuracy_interval": list(band.interval),
            "ece": judged.ece,
            "log_loss": judged.log_loss,
            "brier_score": judged.brier_score,
            "cllr": judged.cllr,
            "cllr_min": judged.cllr_min,
        }
