"""How sure an answer may be: probabilities and likelihood ratios that held-out texts bear out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from byline.attribution.calibration import (
    Bounds,
    elub_bounds,
    likelihood_ratios,
    own_and_others,
)
from byline.attribution.stacking.answers import HeldOutAnswers
from byline.attribution.stacking.temperatures import Temperatures

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Certainty:
    """What turns log-odds into probabilities and likelihood ratios.

    Attributes
    ----------
    temperatures : Temperatures
    bounds : Bounds
        Of natural log-likelihood ratios (Vergeer et al. 2016), over texts of all lengths.
    longest : int
        Characters of the longest text this was learnt from; a longer one is no surer than it.
    """

    temperatures: Temperatures
    bounds: Bounds
    longest: int

    @classmethod
    def learn(cls, answers: HeldOutAnswers) -> Self:
        """Learn from a stack's answers about texts held out of it.

        Raises
        ------
        LearningError
            There is no answer.
        """
        temperatures = Temperatures.learn(
            answers.log_odds, answers.sizes, answers.labels, answers.n_texts
        )
        log_probs = temperatures.log_probabilities(
            answers.log_odds.astype(np.float64), answers.sizes
        )
        bounds = elub_bounds(*own_and_others(likelihood_ratios(log_probs), answers.labels))
        return cls(temperatures, bounds, int(answers.sizes.max()))

    def log_probabilities(self, log_odds: Floats, n_characters: Ints) -> Floats:
        """Natural logarithms of probabilities, every author equally likely beforehand.

        Parameters
        ----------
        log_odds : (n, n_authors) float64
        n_characters : (n,) int64

        Returns
        -------
        (n, n_authors) float64
        """
        lengths = np.minimum(n_characters, self.longest)
        return self.temperatures.log_probabilities(log_odds, lengths)

    def log10_likelihood_ratios(self, log_probabilities: Floats) -> Floats:
        """Bounded log10 likelihood ratio of each author against the others together.

        Parameters
        ----------
        log_probabilities : (n, n_authors) float64

        Returns
        -------
        (n, n_authors) float64
        """
        bounded = self.bounds.apply(likelihood_ratios(log_probabilities))
        return bounded / float(np.log(10))
