"""The record of a training run, epoch by epoch."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass
from math import exp
from typing import TYPE_CHECKING, Any, Self, TypeAlias

from byline.errors import MissingExtraError

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, slots=True)
class EpochRecord:
    """The record of one epoch; costs are means over predicted words, in nats.

    Attributes
    ----------
    epoch : int
        From 1.
    learning_rate, momentum : float
        The learning rate is the highest of the epoch.
    training_cost : float
        Mean over the epoch; the cost of each batch is taken before its update.
    validation_cost : float or None
        After the epoch; None without held-out sentences.
    kept : bool
        Whether no earlier epoch had a lower validation cost. The result of a run is the weights of
        the last epoch with True.

    Examples
    --------
    >>> record = EpochRecord(1, 0.5, 0.9, training_cost=5.0, validation_cost=4.5, kept=True)
    >>> print(record)
    validation perplexity 90.0
    """

    epoch: int
    learning_rate: float
    momentum: float
    training_cost: float
    validation_cost: float | None
    kept: bool

    def __str__(self) -> str:
        kind, cost = "validation", self.validation_cost
        if cost is None:
            kind, cost = "training", self.training_cost
        return f"{kind} perplexity {exp(cost):.1f}"


class TrainingHistory(tuple[EpochRecord, ...]):
    """The records of all epochs of a training run, in their order.

    Parameters
    ----------
    iterable : iterable of EpochRecord

    See Also
    --------
    FeedForwardLM, RecurrentLM : Have it as ``history_``.
    TrainingCallback : Receives it after each epoch.

    Examples
    --------
    >>> record = EpochRecord(1, 0.5, 0.9, training_cost=5.0, validation_cost=4.5, kept=True)
    >>> history = TrainingHistory([record])
    >>> history.to_records()[0]["validation_cost"]
    4.5
    >>> history.to_pandas().shape
    (1, 6)
    """

    __slots__ = ()

    @classmethod
    def from_records(cls, records: Iterable[Mapping[str, Any]]) -> Self:
        """Rebuild the history from what `to_records` returned."""
        return cls(EpochRecord(**record) for record in records)

    def to_records(self) -> list[dict[str, Any]]:
        """Return one dictionary of JSON values per epoch."""
        return [asdict(record) for record in self]

    def to_pandas(self) -> pd.DataFrame:
        """Return a table with one row per epoch, for example to plot the costs.

        Raises
        ------
        MissingExtraError
            pandas is not installed.
        """
        try:
            import pandas as pd
        except ImportError as error:
            raise MissingExtraError(
                'A table requires pandas. Install it: python -m pip install "byline[pandas]"'
            ) from error
        names = list(EpochRecord.__dataclass_fields__)
        return pd.DataFrame(self.to_records(), columns=names)


StopRule: TypeAlias = Callable[[EpochRecord], bool]
"""Decides after an epoch whether training ends."""
