"""Simulate cases like the user's with texts of a reference population."""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from byline.attribution.stacking.base_classifiers import BaseClassifier
from byline.attribution.stacking.jobs import in_one_process
from byline.attribution.stacking.reference.mirroring import (
    CaseShape,
    DrawnCase,
    draw_mirrored_case,
    fit_shape,
)
from byline.attribution.stacking.reference.population import (
    ReferencePopulation,
    SelectedTexts,
    select_texts,
)
from byline.attribution.stacking.simulated_cases import SimulatedCase, simulate_case
from byline.attribution.stacking.training_splits import TrainingSplits
from byline.errors import TrainingError
from byline.formatting import quantity
from byline.processes.parallel import run_parallel
from byline.progress import Progress
from byline.typography import Normalization

# Training the base classifiers of a case takes most of the time. With few candidates, more cases
# are needed for as many questioned texts of each length.
N_TEXTS = 200  # of the most frequent length
FEWEST_CASES, MOST_CASES = 5, 30
_MOST_WORDS = 2_000_000  # of known text in all cases, if there are more than the fewest cases


@dataclass(frozen=True, slots=True)
class Simulation:
    """The cases that are to be simulated.

    Attributes
    ----------
    selected : SelectedTexts
    shape : CaseShape
        Of each case.
    n_candidates : int
        Of the user's case; the shape may have fewer.
    cases : tuple of DrawnCase
    """

    selected: SelectedTexts
    shape: CaseShape
    n_candidates: int
    cases: tuple[DrawnCase, ...]


def plan_simulation(
    population: ReferencePopulation | None,
    texts: Sequence[str],
    authors: Sequence[Any],
    works: Sequence[str],
    *,
    normalization: Normalization,
    lengths: Sequence[int],
    random_state: int,
) -> Simulation | None:
    """Select the texts of a population, and draw cases from them.

    Parameters
    ----------
    population : ReferencePopulation or None
        None to simulate nothing.
    texts, authors, works : sequences, (n_known,)
        The known texts of the user's case, normalised.
    normalization : Normalization
        Of the known texts.
    lengths : sequence of int
        Words of the questioned passages.
    random_state : int

    Raises
    ------
    UsageError, TrainingError
        See `select_texts`; or the population has too little text for any case.

    Warns
    -----
    BylineWarning
        If texts of the population were left out.
    """
    if population is None:
        return None
    selected = select_texts(population, texts, authors, normalization)
    wanted = CaseShape.of(texts, authors, works)
    shape = fit_shape(selected, wanted)
    cases = [] if shape is None else _draw_cases(selected, shape, lengths, random_state)
    if shape is None or not cases:
        least = min(sum(map(sum, own)) for own in wanted.candidates)
        raise TrainingError(
            f"no case can be simulated from {population.name}: too few of its "
            f"{quantity(len(selected.authors), 'author')} have two works and a tenth of the "
            f"{quantity(least, 'word')} of your candidate with the least known text. Add longer "
            "texts, or texts by other people; if texts belong to one work only because they are "
            "named so, name their works"
        )
    return Simulation(selected, shape, len(wanted.candidates), tuple(cases))


def _draw_cases(
    selected: SelectedTexts, shape: CaseShape, lengths: Sequence[int], random_state: int
) -> list[DrawnCase]:
    cases: list[DrawnCase] = []
    n_texts: Counter[int] = Counter()
    while len(cases) < limit_cases(shape.n_words):
        if len(cases) >= FEWEST_CASES and max(n_texts.values()) >= N_TEXTS:
            break
        case = draw_mirrored_case(
            selected, shape, lengths, np.random.default_rng([random_state, len(cases)])
        )
        if case is None:
            break
        cases.append(case)
        n_texts.update(case.questioned.lengths)
    return cases


def limit_cases(n_words: int) -> int:
    """Return the largest number of cases with so many words of known text.

    Examples
    --------
    >>> limit_cases(3000), limit_cases(200_000), limit_cases(1_000_000)
    (30, 10, 5)
    """
    return max(FEWEST_CASES, min(MOST_CASES, _MOST_WORDS // max(n_words, 1)))


def simulate_cases(
    simulation: Simulation,
    base_classifiers: Sequence[tuple[str, BaseClassifier]],
    *,
    n_jobs: int | None,
    progress: Progress | None,
) -> list[SimulatedCase]:
    """Train base classifiers on each case, and score its questioned texts.

    Parameters
    ----------
    simulation : Simulation
    base_classifiers : sequence of (name, prototype)
    n_jobs : int or None
        Number of processes, with one thread each; it does not change the results.
    progress : Progress, optional
        Called after each case.

    Raises
    ------
    TrainingError
        If a base classifier cannot be trained, or a process died.
    """
    prototypes = [(name, in_one_process(each)) for name, each in base_classifiers]
    simulated: list[Any] = [None] * len(simulation.cases)
    name = simulation.selected.name
    calls = ((place, name, prototypes, case) for place, case in enumerate(simulation.cases))
    for done, (place, case) in enumerate(run_parallel(_simulate, calls, n_jobs), start=1):
        simulated[place] = case
        if progress is not None:
            progress(done, len(simulated), f"simulated case {done} of {len(simulated)}")
    return simulated


def _simulate(
    place: int, name: str, base_classifiers: Sequence[tuple[str, BaseClassifier]], case: DrawnCase
) -> tuple[int, SimulatedCase]:
    pairs = sorted(zip(case.authors, case.texts, strict=True))
    known = TrainingSplits([text for _, text in pairs], [author for author, _ in pairs], [], [])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about the simulated texts, which the user cannot change
        return place, simulate_case(name, base_classifiers, known, case.questioned)
