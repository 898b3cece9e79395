"""Equal samples: no author may win by having more known text.

A model that saw more text is less surprised by everything. So every author's models learn from
equally many tokens, drawn several times, and an author's score is the mean over the draws.
"""

from __future__ import annotations

import hashlib
import warnings
from collections.abc import Mapping, Sequence
from statistics import median

import numpy as np

from byline.errors import BylineWarning, TrainingError
from byline.lm.base import Sentence

SCANT = 0.1  # a budget below this share of the median author's tokens is worth a warning


def check_sample_size(author: str, n_tokens: int, budget: int | None) -> None:
    """Refuse an author to be added who has less text than the others' samples hold.

    Raises
    ------
    TrainingError
        With both numbers.
    """
    if budget is not None and n_tokens < budget:
        raise TrainingError(
            f"{author} has {n_tokens:,} tokens of known text, but the other authors' samples hold "
            f"{budget:,}; add text, or train again with all authors, on smaller samples"
        )


def equal_sample_size(n_tokens: Mapping[str, int]) -> int:
    """Tokens of the author with the least: what every author's sample holds.

    Warns
    -----
    BylineWarning
        That is under a tenth of the median author's tokens, so most of the text goes unused.
    """
    author = min(n_tokens, key=n_tokens.__getitem__)
    budget, middle = n_tokens[author], median(n_tokens.values())
    if budget < SCANT * middle:
        warnings.warn(
            f"{author} has {budget:,} tokens of known text where the median author has "
            f"{middle:,.0f}; with equal samples every author is learnt from {budget:,} tokens. "
            f"Add text by {author}, or leave {author} out",
            BylineWarning,
            stacklevel=3,
        )
    return budget


def derive_seeds(
    random_state: int, author: str, draw: int
) -> tuple[np.random.SeedSequence, np.random.SeedSequence]:
    """Seeds of one author's draw: one for its sample, one for its model.

    They depend on nothing else, so neither the order nor the number of authors changes them.
    """
    digest = hashlib.sha256(author.encode("utf-8", "surrogatepass")).digest()
    name = int.from_bytes(digest[:16], "big")
    sample, model = np.random.SeedSequence([random_state, name, draw]).spawn(2)
    return sample, model


def draw_sample(
    sentences: Sequence[Sentence], budget: int, rng: np.random.Generator
) -> list[Sentence]:
    """Draw whole sentences without replacement until there are ``budget`` tokens.

    The last sentence is cut so that the sample has exactly ``budget`` tokens.

    Parameters
    ----------
    sentences : sequence of int32 arrays, each (n_tokens,)
        At least ``budget`` tokens in all.
    """
    order = rng.permutation(len(sentences))
    ends = np.cumsum([len(sentences[index]) for index in order])
    last = int(np.searchsorted(ends, budget))
    sample = [sentences[index] for index in order[: last + 1]]
    sample[-1] = sample[-1][: len(sample[-1]) - (int(ends[last]) - budget)]
    return sample
