from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
import pytest

from byline.attribution.verification import VerificationProblem

SHARED = [*"abcdefghijklmnopqrst"]  # what all authors use, each in own proportions
Write = Callable[[int, int, int], str]
Problems = tuple[list[VerificationProblem], list[bool], list[tuple[str, str]]]


@pytest.fixture(scope="session")
def write() -> Write:
    """Make a text of so many words of an author by number: common words, in own proportions."""

    def text(author: int, seed: int, n_words: int = 120) -> str:
        own = np.random.default_rng(author).dirichlet(np.ones(len(SHARED)))
        rng = np.random.default_rng([author, seed])
        words = [str(word) for word in rng.choice(SHARED, size=n_words, p=own)]
        return " ".join(" ".join(words[n : n + 8]) + "." for n in range(0, n_words, 8))

    return text


@pytest.fixture(scope="session")
def problems(write: Write) -> Problems:
    """Twelve problems of each kind about six authors."""
    asked, same, authors = [], [], []
    for number in range(24):
        known_by, asked_by = number % 6, (number + (0 if number < 12 else 1 + number % 5)) % 6
        known = tuple(write(known_by, seed, 120) for seed in (2 * number, 2 * number + 1))
        asked.append(VerificationProblem(known, write(asked_by, 100 + number, 120)))
        same.append(known_by == asked_by)
        authors.append((str(known_by), str(asked_by)))
    return asked, same, authors


@pytest.fixture(scope="module", autouse=True)
def few_resamples() -> Iterator[None]:
    """Fit 20 calibrations instead of 1,000 to estimate an interval."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("byline.attribution.verification.author_verification.N_RESAMPLES", 20)
        yield
