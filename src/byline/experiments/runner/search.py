"""The multi-resolution search of Ge & Sun (2016), section 4: coarse, then finer around the best.

The paper names the ranges it searched and calls its scheme "multi-resolutional"; how many settings
it tried, and how it went from one resolution to the next, it does not say. Here a trial is one
setting, learnt once, and its cost is the lowest validation cost of its epochs:

- Trial 0 is the production setting. It runs first, alone, as round 0 is measured against it.
- Round 0 spreads its trials over the whole ranges as a Latin hypercube, which tries n values of
  every parameter in n trials (McKay, Beckman & Conover 1979); a grid of five parameters tries two
  values of each in 32.
- Each later round does the same in a box around the best setting so far, whose sides are half as
  long as in the round before. The box ends where the ranges do, and may reach beyond the one
  before it: where the best lies at an edge, what is better may lie past it.

Nothing is trained or stored here: which trials there are follows from the search and from the
results so far, by their numbers, whatever order they came in.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, chain, repeat
from math import exp, expm1, log, log1p
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from byline.errors import UsageError

Places = NDArray[np.float64]
Scale = Literal["linear", "log", "complement-log"]

# Each with its inverse; all of them rise.
SCALES: Mapping[Scale, tuple[Callable[[float], float], Callable[[float], float]]] = {
    "linear": (float, float),
    "log": (log, exp),
    "complement-log": (lambda value: -log1p(-value), lambda at: -expm1(-at)),
}


@dataclass(frozen=True, slots=True)
class Range:
    """Values that a parameter may take, from the lowest to the highest.

    Places in it are shares of the way from ``low`` to ``high`` on its scale, from 0 to 1.

    Parameters
    ----------
    low, high : float
    scale : {"linear", "log", "complement-log"}
        On which steps are equal. "complement-log" is for what works by its distance from 1, as
        momentum does: from 0.8 to 0.9 is the same step as from 0.9 to 0.95.
    whole : bool
        Whether only whole numbers are meant.

    Raises
    ------
    UsageError
        There is nothing between the ends, or the scale does not reach one of them.
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
            raise UsageError(f"{what}: on scale 'log' it must lie above 0")
        if self.scale == "complement-log" and self.high >= 1:
            raise UsageError(f"{what}: on scale 'complement-log' it must lie below 1")
        if self.whole and (self.low % 1 or self.high % 1):
            raise UsageError(f"{what}: the ends must be whole numbers, as the parameter is one")

    def place(self, value: float) -> float:
        """Place of a value; of one outside the range, that of the nearer end."""
        along, _ = SCALES[self.scale]
        low, high = along(self.low), along(self.high)
        return (along(self._within(value)) - low) / (high - low)

    def value(self, place: float) -> float:
        """Value at a place: a whole number, or one of four significant digits.

        Rounding keeps records short, and is the same where logarithms differ in their last bit.
        """
        along, back = SCALES[self.scale]
        low, high = along(self.low), along(self.high)
        value = back(low + place * (high - low))
        return self._within(round(value) if self.whole else self._rounded(value))

    def _within(self, value: float) -> float:
        kind = int if self.whole else float
        return kind(min(max(value, self.low), self.high))

    def _rounded(self, value: float) -> float:
        """Round the value, or its distance from 1 where the scale is one of that."""
        if self.scale == "complement-log":
            return round(1 - float(f"{1 - value:.4g}"), 15)
        return float(f"{value:.4g}")


def box(centre: Places, number: int) -> tuple[Places, Places]:
    """Give the ends of a round's box: all places in round 0, then half as long sides each round.

    It ends where the ranges do, so it is shorter around a centre that is near an end.

    Parameters
    ----------
    centre : (n_parameters,) float64
    number : int
        Of the round, from 0.

    Returns
    -------
    lows, highs : (n_parameters,) float64
    """
    reach = 0.5 ** (number + 1) if number else 1.0
    return np.maximum(centre - reach, 0), np.minimum(centre + reach, 1)


def latin_hypercube(rng: np.random.Generator, n: int, n_dims: int) -> Places:
    """Draw n points in the unit cube: of n equal slices along each side, every one has a point.

    It is written out, so that a search can be repeated whatever the version of SciPy.

    Returns
    -------
    (n, n_dims) float64
    """
    slices = rng.permuted(np.tile(np.arange(n), (n_dims, 1)), axis=1).T
    return (slices + rng.random((n, n_dims))) / max(n, 1)


ROUND = 8  # trials a round, where minutes alone are the budget
REDRAWS = 50  # of a setting that was drawn already, before it is left out

Setting = dict[str, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Search:
    """What is searched for one author, and for how long.

    Parameters
    ----------
    ranges : mapping of parameter to Range
    start : mapping of parameter to value
        The production setting: a value for each of ``ranges``, not necessarily within it.
    seed : int
        Of all that is drawn; who searches for several authors derives one from each name.
    settings : int, optional
        At most so many trials, trial 0 among them, divided over the rounds; of what does not
        divide, the first rounds have one more.
    minutes : float, optional
        CPU minutes: a trial is begun only while those numbered below it have not used them up, as
        far as they are done. Trials that several processes had begun by then, and a lone one would
        not have, do not count. How many trials there are hangs on how fast they run, so such a
        search may end differently on another machine. Without ``settings``, rounds of eight
        trials follow each other until the minutes are used up.
    rounds : int
        Rounds that ``settings`` are divided over.

    Raises
    ------
    UsageError
        There is no budget, or an empty one; or ``start`` and ``ranges`` have other names.
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
                f"the search has ranges of {', '.join(sorted(self.ranges)) or 'nothing'}, but "
                f"starts from values of {', '.join(sorted(self.start)) or 'nothing'}; name the same"
            )
        if self.settings is None and self.minutes is None:
            raise UsageError("the search needs a budget: settings, or minutes, or both")
        if self.rounds < 1 or (self.settings is not None and self.settings < 1):
            raise UsageError(
                f"settings={self.settings}, rounds={self.rounds}: there must be one or more"
            )
        if self.minutes is not None and not self.minutes > 0:
            raise UsageError(f"minutes={self.minutes}: it must be a positive number")

    @property
    def names(self) -> list[str]:
        """Parameters, in the order of all draws, in which that of ``ranges`` plays no part."""
        return sorted(self.ranges)

    def round_sizes(self) -> Iterator[int]:
        """Trials of each round, trial 0 apart."""
        if self.settings is None:
            return repeat(ROUND)
        each, over = divmod(self.settings - 1, self.rounds)
        return (each + (number < over) for number in range(self.rounds))

    def places(self, setting: Mapping[str, float]) -> Places:
        """Give the places of a setting's values: (n_parameters,), in the order of ``names``."""
        return np.array([self.ranges[name].place(setting[name]) for name in self.names])

    def setting(self, places: Places) -> Setting:
        """Give the setting at such places."""
        at = zip(self.names, places.tolist(), strict=True)
        return {name: self.ranges[name].value(place) for name, place in at}


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
        Validation costs (nats), epoch by epoch, of the reference beside which it may be hopeless:
        in round 0 trial 0, later the best of all rounds before. Empty where there is none.
    """

    number: int
    round: int
    setting: Setting
    reference_costs: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a trial.

    Attributes
    ----------
    costs : tuple of float
        Validation costs (nats), epoch by epoch, also of a trial that was given up; empty where it
        failed.
    cpu_seconds : float
    """

    costs: tuple[float, ...]
    cpu_seconds: float = 0.0


Results = Mapping[int, Outcome]


def trials(search: Search, results: Results) -> list[Trial]:
    """Give all trials of the rounds that have begun, done or not, as far as the budget reaches.

    A round begins when all trials of the rounds before are done, whatever came of them. A search is
    over before its budget is used up where nothing is left to draw.

    Parameters
    ----------
    search : Search
    results : mapping of trial number to Outcome
        All that is known so far.
    """
    drawn = [Trial(0, 0, dict(search.start))]
    for number, size in enumerate(search.round_sizes()):
        if any(trial.number not in results for trial in drawn):
            break
        new = list(_draw_round(search, number, size, drawn, results))
        if not new:
            break
        drawn += new
    return _affordable(search, drawn, results)


def next_trials(search: Search, results: Results) -> list[Trial]:
    """Give the trials that may run now, in the order they should; none where the search is over.

    Those under way are still among them; a budget in minutes may end before they are done.

    Parameters
    ----------
    search : Search
    results : mapping of trial number to Outcome
        All that is known so far.
    """
    return [trial for trial in trials(search, results) if trial.number not in results]


def best(search: Search, results: Results) -> Trial | None:
    """Give the trial with the lowest cost, of equals the first; None where all failed.

    Parameters
    ----------
    search : Search
    results : mapping of trial number to Outcome
        All that is known so far.
    """
    return _best(trials(search, results), results)


def _best(tried: Sequence[Trial], results: Results) -> Trial | None:
    learnt = [t for t in tried if t.number in results and results[t.number].costs]
    return min(learnt, key=lambda trial: min(results[trial.number].costs), default=None)


def _affordable(search: Search, drawn: Sequence[Trial], results: Results) -> list[Trial]:
    """Leave out trials before which the minutes are used up; those not done have used none yet."""
    seconds = [results[t.number].cpu_seconds if t.number in results else 0.0 for t in drawn]
    used_before = accumulate(seconds[:-1], initial=0.0)
    limit = np.inf if search.minutes is None else 60 * search.minutes
    return [trial for trial, used in zip(drawn, used_before, strict=True) if used < limit]


def _draw_round(
    search: Search, number: int, size: int, drawn: Sequence[Trial], results: Results
) -> Iterator[Trial]:
    """Draw a round's trials, none with a setting that was drawn before.

    Whole numbers may collapse: such a point is drawn anew anywhere in the box, and left out where
    that does not help.
    """
    leader = _best(drawn, results)
    costs = () if leader is None else results[leader.number].costs
    lows, highs = box(search.places(leader.setting if leader else search.start), number)
    rng = np.random.default_rng([search.seed, number])
    known = [trial.setting for trial in drawn]
    for point in latin_hypercube(rng, size, len(lows)):
        redrawn = (rng.random(len(lows)) for _ in range(REDRAWS))
        settings = (search.setting(lows + at * (highs - lows)) for at in chain([point], redrawn))
        setting = next((setting for setting in settings if setting not in known), None)
        if setting is not None:
            yield Trial(len(known), number, setting, costs)
            known.append(setting)
