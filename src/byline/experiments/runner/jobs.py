"""One job of an experiment: an author's model on one split, and what comes of it."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote

from numpy.typing import NDArray

SEARCH = "search"
LONGEST_AUTHOR = 120  # characters in the name of a file, which may have 255


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """A model to learn, and to measure.

    Attributes
    ----------
    split : str
    seed : int
        Of the split.
    model, author : str
    trial : int or None
        Number of the search's trial that it is, from 0.
    settings : tuple of (parameter, value)
        Over the model's own settings.
    reference_costs : tuple of float
        Validation costs (nats), epoch by epoch, beside which a trial may be hopeless.
    depends_on_search : bool
        Whether the settings are the search's.
    """

    split: str
    seed: int
    model: str
    author: str
    trial: int | None = None
    settings: tuple[tuple[str, Any], ...] = ()
    reference_costs: tuple[float, ...] = ()
    depends_on_search: bool = False

    @property
    def name(self) -> str:
        """Unique, and safe as the name of a file."""
        author = _in_a_file_name(self.author)
        if self.trial is not None:
            return f"{SEARCH}.{self.model}.{author}.{self.trial:03}"
        return f"{self.split}.{self.seed}.{self.model}.{author}"

    @property
    def share(self) -> str:
        """What decides the share of a batch system it falls to: a search stays in one hand."""
        waits = self.trial is not None or self.depends_on_search
        return f"{SEARCH}.{self.author}" if waits else self.name

    def random_state(self, seed: int) -> int:
        """Derive the model's seed from the experiment's and from names alone.

        All trials of an author have the same, so that they differ by their settings only.
        """
        place = f"{self.split}.{self.seed}" if self.trial is None else SEARCH
        text = f"{seed}/{place}/{self.model}/{self.author}"
        return int.from_bytes(hashlib.sha256(text.encode()).digest()[:4])


@dataclass(frozen=True, slots=True, eq=False)
class JobResult:
    """What a job came to.

    Attributes
    ----------
    record : dict
        JSON values, no times among them.
    arrays : dict of array
        Scores of all test sentences of the split, where the model names authors.
    seconds, cpu_seconds : float
        Spent in the model.
    """

    record: Mapping[str, Any]
    arrays: Mapping[str, NDArray[Any]] = field(default_factory=dict)
    seconds: float = 0.0
    cpu_seconds: float = 0.0


def _in_a_file_name(author: str) -> str:
    """Spell an author's name so that it can be part of a file's; a long one ends in its digest."""
    spelt = quote(author, safe=" ").replace(".", "%2E")
    if len(spelt) <= LONGEST_AUTHOR:
        return spelt
    return f"{spelt[:LONGEST_AUTHOR]}~{hashlib.sha256(author.encode()).hexdigest()[:16]}"
