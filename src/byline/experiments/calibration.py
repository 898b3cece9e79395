"""How far an attributor's probabilities can be trusted, over the texts of all folds."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Self

from byline.attribution.calibration import CrossEntropyCurve, Judgement, Outcomes, Tippett


@dataclass(frozen=True, slots=True)
class Certainties:
    """How sure an attributor was of the answered texts of a fold, all of one length.

    Attributes
    ----------
    uncalibrated : str or None
        Why it tells no probabilities, in plain words; None where it does.
    raw : Outcomes or None
        By its language models alone, as if tokens were independent; None where it has none, or
        where one of them rules a text out.
    calibrated : Outcomes or None
        By the probabilities that it tells; None where it tells none.
    """

    uncalibrated: str | None
    raw: Outcomes | None
    calibrated: Outcomes | None


@dataclass(frozen=True, slots=True)
class Calibration:
    """Measures of probabilities and likelihood ratios of answered texts of one length.

    Attributes
    ----------
    uncalibrated : str or None
        Why no probabilities are told, or none in some folds; in plain words.
    before : Judgement or None
        Of the language models' own posteriors, where there are any: softmax of log-likelihoods.
    after : Judgement or None
        Of the probabilities that are told. None where no text was answered with any.
    tippett : Tippett or None
        Of the likelihood ratios that are told.
    cross_entropy : CrossEntropyCurve or None
        The same.
    """

    uncalibrated: str | None
    before: Judgement | None
    after: Judgement | None
    tippett: Tippett | None
    cross_entropy: CrossEntropyCurve | None

    @classmethod
    def of(cls, folds: Sequence[Certainties]) -> Self:
        """Judge the texts of all folds together."""
        raw = _joined(fold.raw for fold in folds)
        calibrated = _joined(fold.calibrated for fold in folds)
        reasons = (fold.uncalibrated for fold in folds)
        return cls(
            uncalibrated=next(filter(None, reasons), None),
            before=None if raw is None else raw.judge(),
            after=None if calibrated is None else calibrated.judge(),
            tippett=None if calibrated is None else calibrated.tippett(),
            cross_entropy=None if calibrated is None else calibrated.ece_curve(),
        )


def _joined(folds: Iterable[Outcomes | None]) -> Outcomes | None:
    answered = [fold for fold in folds if fold]  # it has a length: that of no text is 0
    return Outcomes.join(answered) if answered else None
