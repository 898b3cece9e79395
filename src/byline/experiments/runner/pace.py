"""How far a run has come, and how long the rest will take."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from byline.experiments.runner.jobs import Job

Kind = tuple[str, bool]  # the model, and whether it is a trial


@dataclass(frozen=True, slots=True, kw_only=True)
class RunProgress:
    """Where a run stands.

    Attributes
    ----------
    done, failed : int
        Jobs that came to an end, with those that failed among them, and these alone.
    running : int
        Jobs under way.
    total : int
        All jobs; fewer, where a search ends early.
    seconds_left : float or None
        None where no job of any kind that is left has been done yet.
    at_least : bool
        Whether there are also jobs of a kind of which none has been done yet.
    """

    done: int
    failed: int
    running: int
    total: int
    seconds_left: float | None
    at_least: bool


TellProgress = Callable[[RunProgress], None]


def kind_of(job: Job) -> Kind:
    """Tell what jobs a job takes about as long as."""
    return job.model, job.trial is not None


class Pace:
    """Mean seconds of jobs that are done, by kind: networks take a thousand times what n-grams do.

    Parameters
    ----------
    records : iterable of mapping
        As in the run's folder; those of failed jobs say nothing.
    """

    def __init__(self, records: Iterable[Mapping[str, Any]]) -> None:
        self._n: Counter[Kind] = Counter()
        self._seconds: Counter[Kind] = Counter()
        for record in records:
            self.add(record)

    def add(self, record: Mapping[str, Any]) -> None:
        """Take note of a job."""
        if "failed" not in record:
            kind = record["model"], record["trial"] is not None
            self._n[kind] += 1
            self._seconds[kind] += record["made"]["seconds"]

    def mean(self, kind: Kind) -> float | None:
        """Mean seconds of a job; None where none has been done."""
        return self._seconds[kind] / self._n[kind] if self._n[kind] else None

    def left(self, kinds: Iterable[Kind], n_later: int = 0) -> tuple[float | None, bool]:
        """Estimate the seconds that jobs would take one after the other.

        Parameters
        ----------
        kinds : iterable of Kind
            Those of the jobs that are left.
        n_later : int
            How many more there will be; they are taken to be trials.

        Returns
        -------
        seconds : float or None
            Of jobs of the kinds that have been done; None where there are no such jobs.
        at_least : bool
            Whether there are jobs of other kinds.
        """
        counts = Counter(kinds)
        counts[next((kind for kind in self._n if kind[1]), ("", True))] += n_later
        means = {kind: self.mean(kind) for kind, n in counts.items() if n}
        known = [counts[kind] * mean for kind, mean in means.items() if mean is not None]
        at_least = len(known) < len(means)
        return (None if at_least and not known else sum(known)), at_least
