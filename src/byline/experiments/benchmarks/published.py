"""Figures that others have published, for the benchmarks they were measured on."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from byline.errors import UsageError


@dataclass(frozen=True, slots=True)
class Published:
    """One published figure.

    Attributes
    ----------
    benchmark, task : str
    system : str
    accuracy : float or None
        As a share; None where the source gives words alone.
    said : str or None
        The source's words where it has no figure.
    sentences : int or None
        Length of the texts in sentences, where they were joined.
    source : str
        Authors and year.
    """

    benchmark: str
    task: str
    system: str
    source: str
    accuracy: float | None = None
    said: str | None = None
    sentences: int | None = None

    def __post_init__(self) -> None:
        if (self.accuracy is None) == (self.said is None):
            raise UsageError(f"{self.system}: a figure or words are needed, and not both")

    def to_dict(self) -> dict[str, Any]:
        """All of it as JSON values."""
        return asdict(self)


_TYO = "Tyo, Dhingra & Lipton 2022, arXiv:2209.06869"
_HUANG = "Huang, Murakami & Grieve 2024, arXiv:2401.12005"

PUBLISHED = (
    Published("ccat50", "test", "ensemble of n-gram models", _TYO, 0.767),
    Published("ccat50", "test", "GPT-2 tuned to each author", _HUANG, 0.749),
    Published("ccat50", "test", "compression (PPM)", _TYO, 0.694),
    Published("ccat50", "test", "BERT", _TYO, 0.657),
    Published(
        "federalist",
        "leave-one-out",
        "GPT-2 tuned to each author",
        "no publication found that states it",
        0.846,
    ),
    Published(
        "lectures16",
        "sentences",
        "neural 4-grams",
        "Ge & Sun 2016, 10 random sentences",
        said="nearly perfect",
        sentences=10,
    ),
)


def published_for(benchmark: str, task: str) -> tuple[Published, ...]:
    """Return what was published on one task of a benchmark, the best first."""
    return tuple(
        figure for figure in PUBLISHED if (figure.benchmark, figure.task) == (benchmark, task)
    )
