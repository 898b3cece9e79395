"""How well a stack did on known texts that were held out of it, for readers."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import numpy as np

from byline.array_types import Booleans
from byline.attribution import StackedAttributor
from byline.attribution.calibration import CalibrationOutcomes
from byline.attribution.caveats import LengthBand, accuracy_by_length

Summary = dict[str, Any]
_LN10 = float(np.log(10))


def performance_summary(stack: StackedAttributor) -> Summary:
    """Summarise a stack's answers about known texts that it had not learnt from.

    Parameters
    ----------
    stack : StackedAttributor
        Fitted.

    Returns
    -------
    dict
        "n_whole"; "all", "whole" (None without whole texts) and "by_length", shortest first, each
        with "shortest" and "longest" (characters that are not white space), "n", "accuracy",
        "accuracy_interval", "ece", "log_loss" (nats), "brier_score", "cllr", "cllr_min" (bits);
        "reliability": "confidence", "accuracy" and "n" of answers as sure as each other;
        "tippett", see `byline.attribution.calibration.Tippett`; "log10_bounds", within which
        likelihood ratios are stated; "calibration_unavailable_reason": why they are not used, or
        None.
    """
    answers = stack.held_out_results_
    held_out = _HeldOut(stack)
    all_of_them = np.ones(len(answers.labels), dtype=bool)
    outcomes = held_out.outcomes(all_of_them)
    bands = accuracy_by_length(answers.sizes, held_out.right)
    bounds = stack.calibrator_.bounds
    return {
        "n_whole": answers.n_whole,
        "all": held_out.row(all_of_them),
        "whole": held_out.row(answers.is_whole) if answers.n_whole else None,
        "by_length": [held_out.row(held_out.within(band)) for band in bands],
        "reliability": [asdict(each) for each in outcomes.metrics().reliability],
        "tippett": asdict(outcomes.tippett()),
        "log10_bounds": [bounds.lower / _LN10, bounds.upper / _LN10],
        "calibration_unavailable_reason": answers.calibration_unavailable_reason(),
    }


class _HeldOut:
    """A stack's answers about held-out texts, with probabilities and likelihood ratios."""

    def __init__(self, stack: StackedAttributor) -> None:
        answers = stack.held_out_results_
        self._sizes, self._labels = answers.sizes, answers.labels
        log_odds = answers.log_odds.astype(np.float64)
        self._log_probs = stack.calibrator_.log_probabilities(log_odds, answers.sizes)
        self._log10_lrs = stack.calibrator_.log10_likelihood_ratios(self._log_probs)
        self.right: Booleans = log_odds.argmax(axis=1) == answers.labels

    def within(self, band: LengthBand) -> Booleans:
        """Which texts are of a length, (n_texts,)."""
        return (self._sizes >= band.shortest) & (self._sizes <= band.longest)

    def outcomes(self, chosen: Booleans) -> CalibrationOutcomes:
        """Compare the answers about some texts with the truth."""
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
            "cllr_min": max(0.0, judged.cllr_min),  # rounded, it may be just below
        }
