"""Estimate the remaining time of jobs of several kinds from the durations of finished ones."""

from __future__ import annotations

import time
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable, Sequence
from itertools import accumulate

from byline.formatting import duration
from byline.progress import Stage

_MIN_SHARE = 0.02  # of equal steps; the first ones may be unlike the others


class TimeLeft:
    """The remaining time, which is unknown until it can be estimated.

    With stages, the time per step of a kind of stage is known when the first stage of that kind is
    finished. As long as the time of a later stage is unknown, only that of the current kind is
    estimated. Without stages, all steps are taken to be equal.

    Parameters
    ----------
    clock : callable
        Returns seconds since an arbitrary start.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self.clock = clock
        self.started = self.now = clock()
        self.done = self.total = 0
        self.done_before: int | None = None
        self._kinds: list[str] = []
        self._bounds: list[int] = [0]
        self._ends: list[float] = []  # times at which stages were finished

    def plan(self, stages: Sequence[Stage]) -> None:
        """Note the stages of the computation, which begins now."""
        self._kinds = [stage.kind for stage in stages]
        self._bounds = [0, *accumulate(stage.n_steps for stage in stages)]
        self._ends = []
        self.started = self.clock()

    def note(self, done: int, total: int) -> None:
        """Note that ``done`` of ``total`` steps are finished.

        More than 1 % in the first report were done before this run, which resumes from them.
        """
        self.now = self.clock()
        if self.done_before is None:
            self.done_before = 0
            if not self._kinds and done > max(1, total / 100):
                self.done_before, self.started = done, self.now
        self.done, self.total = done, total
        n_finished = min(bisect_right(self._bounds, done) - 1, len(self._kinds))
        self._ends += [self.now] * (n_finished - len(self._ends))

    def describe(self) -> str:
        """Return ``", about 5 min left"``, or nothing if that is unknown or nothing is left."""
        if self.done >= self.total:
            return ""
        if self._bounds[-1] == self.total:
            return self._describe_stages()
        before = self.done_before or 0
        own = self.done - before
        if own < 1 or own < _MIN_SHARE * (self.total - before):
            return ""
        seconds = (self.now - self.started) / own * (self.total - self.done)
        return f", about {duration(seconds)} left"

    def _describe_stages(self) -> str:
        of_kind = self._seconds_per_step()
        current = len(self._ends)
        if self._kinds[current] not in of_kind:
            return ""
        left = self._seconds_of_current(of_kind[self._kinds[current]])
        later = range(current + 1, len(self._kinds))
        is_known = all(self._kinds[stage] in of_kind for stage in later)
        for stage in later:
            if not is_known and self._kinds[stage] != self._kinds[current]:
                break
            left += of_kind[self._kinds[stage]] * self._n_steps(stage)
        what = "" if is_known else f" for {self._kinds[current]}"
        return f", about {duration(left)} left{what}"

    def _seconds_of_current(self, per_step: float) -> float:
        """Return how much longer the current stage takes than it has taken, if it is as usual."""
        current = len(self._ends)
        elapsed = self.now - (self._ends[-1] if self._ends else self.started)
        expected = per_step * self._n_steps(current)
        return max(expected - elapsed, per_step * (self._bounds[current + 1] - self.done))

    def _seconds_per_step(self) -> dict[str, float]:
        seconds: dict[str, float] = defaultdict(float)
        steps: dict[str, int] = defaultdict(int)
        start = self.started
        for stage, end in enumerate(self._ends):
            seconds[self._kinds[stage]] += end - start
            steps[self._kinds[stage]] += self._n_steps(stage)
            start = end
        return {kind: seconds[kind] / n for kind, n in steps.items() if n}

    def _n_steps(self, stage: int) -> int:
        return self._bounds[stage + 1] - self._bounds[stage]
