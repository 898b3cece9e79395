"""Equal-sized random samples, so that no author wins by having more known text.

A model that was trained on more text is less surprised by everything. Therefore all authors' models
are trained on equally many tokens, in several random samples, and an author's score is the mean
over the samples.
"""

from __future__ import annotations

import hashlib
import warnings
from collections.abc import Mapping, Sequence
from statistics import median

import numpy as np

from byline.errors import BylineWarning, TrainingError
from byline.lm.base import Sentence

SMALL_SHARE = 0.1  # warn if the sample size is a smaller share of the median author's tokens


def check_sample_size(author: str, n_tokens: int, sample_size: int | None) -> None:
    """Check that a new author has enough text for a sample as large as the other authors'.

    Raises
    ------
    TrainingError
        If not; the message contains both numbers.
    """
    if sample_size is not None and n_tokens < sample_size:
        raise TrainingError(
            f"{author} has {n_tokens:,} tokens of known text, but the other authors' samples have "
            f"{sample_size:,}; add text, or train again with all authors, on smaller samples"
        )


def equal_sample_size(n_tokens: Mapping[str, int]) -> int:
    """Return the number of tokens of the author with the least text, as the size of all samples.

    Warns
    -----
    BylineWarning
        If it is under a tenth of the median author's tokens, so that most text is not used.
    """
    author = min(n_tokens, key=n_tokens.__getitem__)
    size, middle = n_tokens[author], median(n_tokens.values())
    if size < SMALL_SHARE * middle:
        warnings.warn(
            f"{author} has {size:,} tokens of known text, but the median author has {middle:,.0f}; "
            f"with equal samples, every author's models are trained on {size:,} tokens. "
            f"Add text by {author}, or leave {author} out",
            BylineWarning,
            stacklevel=3,
        )
    return size


def derive_seeds(
    random_state: int, author: str, sample: int
) -> tuple[np.random.SeedSequence, np.random.SeedSequence]:
    """Return the seeds of one author's random sample and of the model that is trained on it.

    They depend on nothing else, so neither the order nor the number of authors changes them.
    """
    digest = hashlib.sha256(author.encode("utf-8", "surrogatepass")).digest()
    name = int.from_bytes(digest[:16], "big")
    of_sample, of_model = np.random.SeedSequence([random_state, name, sample]).spawn(2)
    return of_sample, of_model


def draw_sample(
    sentences: Sequence[Sentence], n_tokens: int, rng: np.random.Generator
) -> list[Sentence]:
    """Draw whole sentences at random, without replacement, until there are ``n_tokens`` tokens.

    The last sentence is truncated so that the sample has exactly ``n_tokens`` tokens.

    Parameters
    ----------
    sentences : sequence of int32 arrays, each (n_tokens_of_sentence,)
        With at least ``n_tokens`` tokens in total.
    n_tokens : int
    rng : numpy Generator
    """
    order = rng.permutation(len(sentences))
    ends = np.cumsum([len(sentences[index]) for index in order])
    last = int(np.searchsorted(ends, n_tokens))
    sample = [sentences[index] for index in order[: last + 1]]
    sample[-1] = sample[-1][: len(sample[-1]) - (int(ends[last]) - n_tokens)]
    return sample
