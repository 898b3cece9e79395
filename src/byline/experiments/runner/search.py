"""The multi-resolution search of Ge & Sun (2016), section 4: coarse, then finer around the best.

The paper names the ranges that it searched and calls its scheme "multi-resolutional". It does not
state how many settings it tried, nor how it went from one resolution to the next. Here a trial
trains one setting once, and its cost is the lowest validation cost of its epochs:

- Trial 0 is the production setting. It runs first and alone, because round 0 is compared with it.
- Round 0 spreads its trials over the whole ranges as a Latin hypercube: n trials try n values of
  every parameter (McKay, Beckman & Conover 1979). A grid of 32 trials over five parameters tries
  only two values of each.
- Each later round does the same in a box around the best setting so far. The sides of the box are
  half as long as in the round before. The box is clipped to the ranges, but it may extend beyond
  the previous box: if the best setting lies on an edge, a better one may lie outside.

This module neither trains nor stores anything. The trials follow from the search and from the
results so far, by the numbers of the trials, in whatever order the results arrived.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, chain, repeat
from math import exp, expm1, log, log1p
from typing import Literal

import numpy as np

from byline.array_types import Floats
from byline.errors import UsageError

GRACE = 3
MARGIN = 0.1


def is_unpromising(
    costs: Sequence[float],
    reference: Sequence[float],
    *,
    epochs: int,
    grace: int = GRACE,
    margin: float = MARGIN,
) -> bool:
    """Whether a trial should be stopped after its last epoch so far.

    Parameters
    ----------
    costs : sequence of float
        Validation costs (nats) of the trial's epochs so far.
    reference : sequence of float
        Validation costs of all epochs of the reference, which may have ended early. If there are
        none, no trial is unpromising.
    epochs : int
        Largest number of epochs.
    grace : int
        No trial is unpromising before this epoch, nor before epoch 2.
    margin : float
        In nats of validation cost; 0.1 is a perplexity 10 % higher.
    """
    done = len(costs)
    if not reference or done < max(grace, 2):
        return False
    goal = min(reference) + margin
    fall_of_reference = min(reference[:done]) - min(reference)
    fall_at_last_rate = max(0.0, costs[-2] - costs[-1]) * (epochs - done)
    return min(costs) - max(fall_of_reference, fall_at_last_rate) > goal


Scale = Literal["linear", "log", "complement-log"]

# Each scale with its inverse. All of them increase.
SCALES: Mapping[Scale, tuple[Callable[[float], float], Callable[[float], float]]] = {
    "linear": (float, float),
    "log": (log, exp),
    "complement-log": (lambda value: -log1p(-value), lambda at: -expm1(-at)),
}
DEFAULT_ROUND_SIZE = 8  # trials per round, if minutes are the only budget
MAX_REDRAWS = 50  # of a setting that was drawn before, until it is left out

TrialSetting = dict[str, float]


@dataclass(frozen=True, slots=True)
class Range:
    """The values that a parameter may take.

    Positions in a range are fractions of the way from ``low`` to ``high`` on its scale, 0 to 1.

    Parameters
    ----------
    low, high : float
    scale : {"linear", "log", "complement-log"}
        The scale on which steps are equal. "complement-log" is the logarithm of 1 minus the value,
        for parameters such as momentum: from 0.8 to 0.9 is the same step as from 0.9 to 0.95.
    whole : bool
        Whether the parameter takes whole numbers only.

    Raises
    ------
    UsageError
        The range is empty, or an end lies outside the domain of the scale.
    """

    low: float
    high: float
    scale: Scale = "linear"
    whole: bool = False

    def __post_init__(self) -> None:
        what = f"the range from {self.low:g} to {self.high:g}"
        if not self.low < self.high:
            raise UsageError(f"{what}: the low end must be below the high end")
        if self.scale == "log" and self.low <= 0:
            raise UsageError(f"{what}: on scale 'log' the low end must be above 0")
        if self.scale == "complement-log" and self.high >= 1:
            raise UsageError(f"{what}: on scale 'complement-log' the high end must be below 1")
        if self.whole and (self.low % 1 or self.high % 1):
            raise UsageError(f"{what}: the parameter takes whole numbers, so both ends must be")

    def position(self, value: float) -> float:
        """Return the position of a value; values outside the range are moved to the nearer end."""
        transform, _ = SCALES[self.scale]
        low, high = transform(self.low), transform(self.high)
        return (transform(self._clip(value)) - low) / (high - low)

    def value(self, position: float) -> float:
        """Return the value at a position, as a whole number or with four significant digits.

        Rounding keeps records short. It also gives the same value on machines whose logarithms
        differ in the last bit.
        """
        transform, inverse = SCALES[self.scale]
        low, high = transform(self.low), transform(self.high)
        value = inverse(low + position * (high - low))
        return self._clip(round(value) if self.whole else self._round(value))

    def _clip(self, value: float) -> float:
        number = int if self.whole else float
        return number(min(max(value, self.low), self.high))

    def _round(self, value: float) -> float:
        """Round the value or, on scale "complement-log", its distance from 1."""
        if self.scale == "complement-log":
            return round(1 - float(f"{1 - value:.4g}"), 15)
        return float(f"{value:.4g}")


def search_box(centre: Floats, number: int) -> tuple[Floats, Floats]:
    """Return the ends of a round's box: the whole ranges, then half the side with each round.

    The box is clipped to the ranges, so that it is smaller around a centre near an end.

    Parameters
    ----------
    centre : (n_parameters,) float64
    number : int
        Number of the round, from 0.

    Returns
    -------
    lows, highs : (n_parameters,) float64
    """
    reach = 0.5 ** (number + 1) if number else 1.0
    return np.maximum(centre - reach, 0), np.minimum(centre + reach, 1)


def latin_hypercube(rng: np.random.Generator, n: int, n_dims: int) -> Floats:
    """Sample n points in the unit cube, one in each of n equal slices along every side.

    SciPy has the same design. It is written out here so that a search can be repeated with any
    version of SciPy.

    Returns
    -------
    (n, n_dims) float64
    """
    slices = rng.permuted(np.tile(np.arange(n), (n_dims, 1)), axis=1).T
    return (slices + rng.random((n, n_dims))) / max(n, 1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Search:
    """What is searched for one author, and with which budget.

    Parameters
    ----------
    ranges : mapping of parameter to Range
    start : mapping of parameter to value
        The production setting: a value for each of ``ranges``, not necessarily inside the range.
    seed : int
        Seed of all random choices. Searches for several authors need a seed per author.
    settings : int, optional
        Largest number of trials, trial 0 included. The rounds divide them equally; if that is
        impossible, the first rounds have one trial more.
    minutes : float, optional
        Budget in CPU minutes. A trial starts only while the finished trials with lower numbers have
        not used up the budget. Trials that other processes had started by then do not count. The
        number of trials depends on the speed of the machine, so such a search is not reproducible
        elsewhere. Without ``settings``, rounds of eight trials follow until the budget is used up.
    rounds : int
        Number of rounds that ``settings`` are divided into.

    Raises
    ------
    UsageError
        There is no budget, or an empty one; or ``start`` and ``ranges`` have different names.
    """

    ranges: Mapping[str, Range]
    start: Mapping[str, float]
    seed: int
    settings: int | None = None
    minutes: float | None = None
    rounds: int = 3

    def __post_init__(self) -> None:
        if not self.ranges or self.ranges.keys() != self.start.keys():
            raise UsageError(
                f"the search has ranges for {', '.join(sorted(self.ranges)) or 'no parameter'}, "
                f"but start values for {', '.join(sorted(self.start)) or 'no parameter'}. "
                "Both must name the same parameters"
            )
        if self.settings is None and self.minutes is None:
            raise UsageError("the search has no budget; give settings, or minutes, or both")
        if self.rounds < 1 or (self.settings is not None and self.settings < 1):
            raise UsageError(
                f"settings={self.settings}, rounds={self.rounds}: both must be 1 or more"
            )
        if self.minutes is not None and not self.minutes > 0:
            raise UsageError(f"minutes={self.minutes}: the budget must be a positive number")

    @property
    def names(self) -> list[str]:
        """Names of the parameters, sorted, so that the order of ``ranges`` does not matter."""
        return sorted(self.ranges)

    def round_sizes(self) -> Iterator[int]:
        """Yield the number of trials of each round, without trial 0."""
        if self.settings is None:
            return repeat(DEFAULT_ROUND_SIZE)
        each, over = divmod(self.settings - 1, self.rounds)
        return (each + (number < over) for number in range(self.rounds))

    def positions(self, setting: Mapping[str, float]) -> Floats:
        """Return the positions of a setting's values in the ranges, (n_parameters,)."""
        return np.array([self.ranges[name].position(setting[name]) for name in self.names])

    def setting(self, positions: Floats) -> TrialSetting:
        """Return the setting at given positions."""
        pairs = zip(self.names, positions.tolist(), strict=True)
        return {name: self.ranges[name].value(position) for name, position in pairs}


@dataclass(frozen=True, slots=True)
class Trial:
    """A setting to try.

    Attributes
    ----------
    number : int
        From 0, over all rounds.
    round : int
    setting : dict of parameter to value
    reference_costs : tuple of float
        Validation costs (nats) by epoch of the trial that this one is compared with to decide
        whether it is unpromising: trial 0 in round 0, then the best of all rounds before. Empty if
        there is none.
    """

    number: int
    round: int
    setting: TrialSetting
    reference_costs: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class TrialResult:
    """Result of a trial.

    Attributes
    ----------
    costs : tuple of float
        Validation costs (nats) by epoch, also of a trial that was stopped early; empty if the trial
        failed.
    cpu_seconds : float
    """

    costs: tuple[float, ...]
    cpu_seconds: float = 0.0


TrialResults = Mapping[int, TrialResult]


def trials(search: Search, results: TrialResults) -> list[Trial]:
    """Return the trials of all rounds that have started, finished or not, within the budget.

    A round starts when all trials of the rounds before are finished or have failed. A search ends
    before its budget is used up if no new setting is left.

    Parameters
    ----------
    search : Search
    results : mapping of trial number to TrialResult
        All results so far.
    """
    drawn = [Trial(0, 0, dict(search.start))]
    for number, size in enumerate(search.round_sizes()):
        if any(trial.number not in results for trial in drawn):
            break
        new = list(_draw_round(search, number, size, drawn, results))
        if not new:
            break
        drawn += new
    return _within_budget(search, drawn, results)


def next_trials(search: Search, results: TrialResults) -> list[Trial]:
    """Return the trials that can run now, in order; none if the search is finished.

    Trials that are running are included. A budget in minutes may be used up before they finish.

    Parameters
    ----------
    search : Search
    results : mapping of trial number to TrialResult
        All results so far.
    """
    return [trial for trial in trials(search, results) if trial.number not in results]


def best_trial(search: Search, results: TrialResults) -> Trial | None:
    """Return the trial with the lowest cost, the first of equals; None if all trials failed.

    Parameters
    ----------
    search : Search
    results : mapping of trial number to TrialResult
        All results so far.
    """
    return _best(trials(search, results), results)


def _best(tried: Sequence[Trial], results: TrialResults) -> Trial | None:
    with_cost = [t for t in tried if t.number in results and results[t.number].costs]
    return min(with_cost, key=lambda trial: min(results[trial.number].costs), default=None)


def _within_budget(search: Search, drawn: Sequence[Trial], results: TrialResults) -> list[Trial]:
    """Leave out trials that come after the end of the minutes; unfinished ones have used none."""
    seconds = [results[t.number].cpu_seconds if t.number in results else 0.0 for t in drawn]
    used_before = accumulate(seconds[:-1], initial=0.0)
    limit = np.inf if search.minutes is None else 60 * search.minutes
    return [trial for trial, used in zip(drawn, used_before, strict=True) if used < limit]


def _draw_round(
    search: Search, number: int, size: int, drawn: Sequence[Trial], results: TrialResults
) -> Iterator[Trial]:
    """Draw the trials of a round; none has a setting that was drawn before.

    Rounding to whole numbers may repeat a setting. Such a point is replaced by a random point of
    the box, and left out if that fails too.
    """
    leader = _best(drawn, results)
    costs = () if leader is None else results[leader.number].costs
    lows, highs = search_box(search.positions(leader.setting if leader else search.start), number)
    rng = np.random.default_rng([search.seed, number])
    known = [trial.setting for trial in drawn]
    for point in latin_hypercube(rng, size, len(lows)):
        redrawn = (rng.random(len(lows)) for _ in range(MAX_REDRAWS))
        settings = (search.setting(lows + at * (highs - lows)) for at in chain([point], redrawn))
        setting = next((setting for setting in settings if setting not in known), None)
        if setting is not None:
            yield Trial(len(known), number, setting, costs)
            known.append(setting)
