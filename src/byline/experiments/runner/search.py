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

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, chain, repeat

import numpy as np

from byline.errors import UsageError
from byline.experiments.runner.ranges import Places, Range, box, latin_hypercube

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
    costs_to_beat : tuple of float
        Validation costs (nats), epoch by epoch, of the reference beside which it may be hopeless:
        in round 0 trial 0, later the best of all rounds before. Empty where there is none.
    """

    number: int
    round: int
    setting: Setting
    costs_to_beat: tuple[float, ...] = ()


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
