"""One language model an author and draw, learnt as independent jobs."""

from __future__ import annotations

import warnings
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, replace
from itertools import repeat

import numpy as np
from joblib import Parallel, delayed
from sklearn.base import clone
from threadpoolctl import threadpool_limits

from byline.attribution.background import pool
from byline.attribution.balance import derive_seeds, draw_sample
from byline.attribution.known import KnownText
from byline.errors import LearningError
from byline.lm.adaptation import AdaptedNgramLM
from byline.lm.base import LanguageModel, Sentence
from byline.lm.members import background_for, background_of
from byline.lm.mixture import MixtureLM
from byline.progress import Progress

MAX_LISTED = 5
ALL_AUTHORS = "all authors together"


@dataclass(frozen=True, slots=True)
class Plan:
    """How models are learnt.

    Attributes
    ----------
    prototype : LanguageModel
        Cloned for every author and draw.
    budget : int or None
        Tokens in a sample; None where each author's whole text is learnt, once.
    n_draws : int
        Samples of an author who has more text than the budget.
    random_state : int
    n_jobs : int or None
        Processes; the result is the same for any number.
    background : LanguageModel, optional
        Fitted; handed to models that adapt one.
    """

    prototype: LanguageModel
    budget: int | None
    n_draws: int
    random_state: int
    n_jobs: int | None
    background: LanguageModel | None = None

    def draws(self, known: KnownText) -> int:
        """Models to learn from ``known``: one where a sample is the whole text."""
        whole = self.budget is None or known.n_tokens == self.budget
        return 1 if whole else self.n_draws


Learnt = tuple[str, int, LanguageModel, list[warnings.WarningMessage]]


def learn(
    plan: Plan, known: Mapping[str, KnownText], progress: Progress | None = None
) -> dict[str, list[LanguageModel]]:
    """Learn every author's models.

    Parameters
    ----------
    plan : Plan
    known : mapping of author to KnownText
    progress : Progress, optional
        Told of every model as it is finished, in whatever order that is.

    Returns
    -------
    dict of author to list of fitted LanguageModel, one a draw; the authors as in ``known``

    Raises
    ------
    LearningError
        A model could not be learnt (names the author), or a process died.

    Warns
    -----
    BylineWarning
        Once each thing that models were warned of, with the authors it concerns.
    """
    models = {author: [plan.prototype] * plan.draws(text) for author, text in known.items()}
    total = sum(map(len, models.values()))
    cautions: dict[tuple[type[Warning], str], set[str]] = defaultdict(set)
    for done, (author, draw, model, caught) in enumerate(_run(plan, known), start=1):
        models[author][draw] = _with_background(model, plan.background)
        for warning in caught:
            cautions[warning.category, str(warning.message)].add(author)
        if progress is not None:
            progress(done, total, author)
    for (category, message), authors in sorted(cautions.items(), key=lambda item: item[0][1]):
        warnings.warn(f"{message} ({name_some(sorted(authors))})", category, stacklevel=3)
    return models


def background_job(plan: Plan, known: Mapping[str, KnownText]) -> tuple[Plan, dict[str, KnownText]]:
    """Return what `learn` is to be told for the background that suits the prototype.

    It is learnt once, from all text of all authors, whatever the samples of each are.
    """
    alone = replace(plan, prototype=background_of(plan.prototype), budget=None)
    return alone, {ALL_AUTHORS: pool(known)}


def name_some(authors: Sequence[object]) -> str:
    """Name the first `MAX_LISTED` authors, and say how many more there are."""
    more = len(authors) - MAX_LISTED
    return ", ".join(map(str, authors[:MAX_LISTED])) + (f" and {more} more" if more > 0 else "")


def _run(plan: Plan, known: Mapping[str, KnownText]) -> Iterator[Learnt]:
    parallel = Parallel(n_jobs=plan.n_jobs, return_as="generator_unordered")
    try:
        yield from parallel(
            delayed(_learn_draw)(plan, author, draw, sample, known[author].vocabulary_size)
            for author, draw, sample in _samples(plan, known)
        )
    except BrokenProcessPool as error:
        raise LearningError(
            "a learning process was killed, most often because memory ran out; "
            f"use fewer processes than n_jobs={plan.n_jobs}"
        ) from error


def _samples(
    plan: Plan, known: Mapping[str, KnownText]
) -> Iterator[tuple[str, int, Sequence[Sentence]]]:
    """Draw the samples one by one, so that only those being learnt are in memory."""
    for author, text in known.items():
        for draw in range(plan.draws(text)):
            sample = text.sentences
            if plan.budget is not None and text.n_tokens > plan.budget:
                seed, _ = derive_seeds(plan.random_state, author, draw)
                sample = draw_sample(sample, plan.budget, np.random.default_rng(seed))
            yield author, draw, sample


def _learn_draw(
    plan: Plan, author: str, draw: int, sample: Sequence[Sentence], vocabulary_size: int
) -> Learnt:
    """Fit one model, with one thread so that its numbers are the same in any process."""
    model: LanguageModel = clone(plan.prototype)
    if "random_state" in model.get_params(deep=False):
        _, seed = derive_seeds(plan.random_state, author, draw)
        model.set_params(random_state=int(seed.generate_state(1)[0]))
    background = background_for(model, plan.background)
    with warnings.catch_warnings(record=True) as caught, threadpool_limits(1):
        warnings.simplefilter("always")
        try:
            model.fit(sample, vocabulary_size=vocabulary_size, **background)
        except LearningError as error:
            raise LearningError(
                f"cannot learn from the known texts of {author}: {error}"
            ) from error
    return author, draw, _with_background(model, None), caught


def _with_background(model: LanguageModel, background: LanguageModel | None) -> LanguageModel:
    """Take the background from a model that leaves its process, or give it the one of all."""
    if isinstance(model, AdaptedNgramLM):
        model.background_ = background  # type: ignore[assignment]
    if isinstance(model, MixtureLM):
        of_members = background.models_ if isinstance(background, MixtureLM) else repeat(None)
        for member, of_member in zip(model.models_, of_members, strict=False):
            _with_background(member, of_member)
    return model
