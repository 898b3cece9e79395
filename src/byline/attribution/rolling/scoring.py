"""Score ranges of sentences of one text: all passages, windows and chapters together."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from scipy.special import log_softmax

from byline.array_types import Floats
from byline.attribution.language_models.attributor import AuthorshipAttributor
from byline.attribution.result import Attribution
from byline.attribution.stacking import StackedAttributor
from byline.attribution.stacking.fallbacks import RuleChoice, limit_probabilities
from byline.attribution.stacking.scores import StackScores
from byline.processes.parallel import run_parallel

Attributor = AuthorshipAttributor | StackedAttributor

TEMPERATURE = 20.0  # divisor of the log-likelihoods of language models alone
# Blocks are scored one after the other or by several processes. They do not depend on the number
# of processes. Therefore the results do not depend on it either.
_CHARACTERS_PER_BLOCK = 1_500_000

Ranges = Sequence[tuple[int, int]]


class Scorer:
    """Scores ranges of sentences of one text.

    Parameters
    ----------
    attributor : AuthorshipAttributor or StackedAttributor
    sentences : sequence of str
        The normalised text.
    n_jobs : int
        Number of processes for a text of more than a million characters.
    """

    def __init__(self, attributor: Attributor, sentences: Sequence[str], n_jobs: int = 1) -> None:
        self._attributor = attributor
        self._sentences = sentences
        self._n_jobs = n_jobs
        self._starts = np.cumsum([0, *map(len, sentences)])
        # One choice for the whole text, because a passage may be too short to show its conventions.
        self.choice = (
            attributor.choose_rule("".join(sentences))
            if isinstance(attributor, StackedAttributor)
            else None
        )
        self.is_calibrated = isinstance(attributor, StackedAttributor)

    def __len__(self) -> int:
        """Return the number of sentences of the text."""
        return len(self._sentences)

    @property
    def n_characters(self) -> int:
        """Number of characters of the text."""
        return int(self._starts[-1])

    def text(self, start: int, end: int) -> str:
        """Return the text of a range."""
        return "".join(self._sentences[start:end])

    def log_probs(self, bounds: Ranges) -> Floats:
        """Return log-probabilities of all authors, (n_ranges, n_authors)."""
        if isinstance(self._attributor, StackedAttributor):
            return self._score(self._attributor, bounds).log_probabilities(limit=False)
        texts = [self.text(*each) for each in bounds]
        log_likelihoods = self._attributor.score_texts(texts).log_likelihoods
        return np.asarray(log_softmax(log_likelihoods / TEMPERATURE, axis=1))

    def stated(self, log_probs: Floats) -> Floats:
        """Return the probabilities that are stated, which may be limited."""
        is_limited = self.choice is not None and self.choice.is_limited
        return np.exp(limit_probabilities(log_probs) if is_limited else log_probs)

    def attribute(self, bounds: Ranges) -> list[Attribution]:
        """Rank the candidates for each range."""
        if not isinstance(self._attributor, StackedAttributor):
            return self._attributor.attribute([self.text(*each) for each in bounds])
        if not bounds:
            return []
        return self._attributor.attribute_scored(self._score(self._attributor, bounds))

    def _score(self, attributor: StackedAttributor, bounds: Ranges) -> StackScores:
        texts = [self.text(*each) for each in bounds]
        blocks = _blocks(list(map(len, texts)))
        calls = [
            (place, attributor, texts[start:end], self.choice) for place, (start, end) in blocks
        ]
        n_jobs = min(self._n_jobs, len(calls))
        found = dict(run_parallel(_score_block, calls, n_jobs))
        return StackScores.join([found[place] for place in range(len(calls))])


def _blocks(lengths: Sequence[int]) -> list[tuple[int, tuple[int, int]]]:
    """Divide texts into numbered blocks, (start, end), of about equal length."""
    sums = np.cumsum([0, *lengths])
    n_blocks = max(1, -(-int(sums[-1]) // _CHARACTERS_PER_BLOCK))
    inner = np.searchsorted(sums, [sums[-1] * k / n_blocks for k in range(1, n_blocks)])
    cuts = sorted({0, *inner.tolist(), len(lengths)})
    return list(enumerate(pairwise(cuts))) or [(0, (0, 0))]


def _score_block(
    place: int, attributor: StackedAttributor, texts: list[str], choice: RuleChoice | None
) -> tuple[int, StackScores]:
    return place, attributor.score_texts(texts, choice=choice)
