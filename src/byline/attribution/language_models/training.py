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
from sklearn.utils.validation import has_fit_parameter
from threadpoolctl import threadpool_limits

from byline.attribution.language_models.samples import derive_seeds, draw_sample
from byline.attribution.language_models.scoring import LIKELIHOOD_RATIO
from byline.attribution.training_data import AuthorTokens
from byline.errors import TrainingError, UsageError
from byline.formatting import join_names
from byline.lm import NgramLM
from byline.lm.base import LanguageModel, Sentence
from byline.lm.mixtures.components import background_argument, make_background
from byline.lm.mixtures.model import MixtureLM
from byline.lm.ngrams.adapted import AdaptedNgramLM
from byline.progress import Progress

BACKGROUNDS = ("none", "pooled")


def check_background(
    background: str, prototype: LanguageModel | None, score: str, vocabulary: str
) -> None:
    """Refuse a background that nothing uses, and what uses one where there is none.

    Raises
    ------
    UsageError
        Says which parameters do not go together.
    """
    if background == "none":
        if isinstance(prototype, AdaptedNgramLM):
            raise UsageError("an AdaptedNgramLM adapts a background; set background='pooled'")
        if score == LIKELIHOOD_RATIO:
            raise UsageError(f"score={score!r} needs a background; set background='pooled'")
        return
    if vocabulary != "shared":
        raise UsageError(
            f"background={background!r}: it is of all authors, so all need one vocabulary; set "
            "vocabulary='shared'"
        )
    if prototype is not None and not adapts(prototype) and score != LIKELIHOOD_RATIO:
        raise UsageError(
            f"background={background!r}: a {type(prototype).__name__} does not adapt one; choose "
            f"an AdaptedNgramLM, or score={LIKELIHOOD_RATIO!r}"
        )


def prototype_for(model: LanguageModel | None, background: str) -> LanguageModel:
    """Return the prototype of the authors' models; the default one where there is none."""
    if model is not None:
        return model
    return NgramLM() if background == "none" else AdaptedNgramLM()


def adapts(model: LanguageModel) -> bool:
    """Whether a model can be fitted on top of a background."""
    return bool(has_fit_parameter(model, "background"))


def pool(known: Mapping[str, AuthorTokens]) -> AuthorTokens:
    """Return all authors' known texts as if one author had written them."""
    texts = list(known.values())
    return AuthorTokens(
        sentences=[sentence for text in texts for sentence in text.sentences],
        n_tokens=sum(text.n_tokens for text in texts),
        vocabulary_size=texts[0].vocabulary_size,
    )


ALL_AUTHORS = "all authors together"


@dataclass(frozen=True, slots=True)
class TrainingPlan:
    """How models are learnt.

    Attributes
    ----------
    prototype : LanguageModel
        Cloned for every author and draw.
    budget : int or None
        Tokens in a sample; None where each author's whole text is learnt, once.
    n_samples : int
        Samples of an author who has more text than the budget.
    random_state : int
    n_jobs : int or None
        Processes; the result is the same for any number.
    background : LanguageModel, optional
        Fitted; handed to models that adapt one.
    """

    prototype: LanguageModel
    budget: int | None
    n_samples: int
    random_state: int
    n_jobs: int | None
    background: LanguageModel | None = None

    def draws(self, known: AuthorTokens) -> int:
        """Models to learn from ``known``: one where a sample is the whole text."""
        whole = self.budget is None or known.n_tokens == self.budget
        return 1 if whole else self.n_samples


Learnt = tuple[str, int, LanguageModel, list[warnings.WarningMessage]]


def train_language_models(
    plan: TrainingPlan, known: Mapping[str, AuthorTokens], progress: Progress | None = None
) -> dict[str, list[LanguageModel]]:
    """Learn every author's models.

    Parameters
    ----------
    plan : Plan
    known : mapping of author to AuthorTokens
    progress : Progress, optional
        Told of every model as it is finished, in whatever order that is.

    Returns
    -------
    dict of author to list of fitted LanguageModel, one a draw; the authors as in ``known``

    Raises
    ------
    TrainingError
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
        warnings.warn(f"{message} ({join_names(sorted(authors))})", category, stacklevel=3)
    return models


def background_training(
    plan: TrainingPlan, known: Mapping[str, AuthorTokens]
) -> tuple[TrainingPlan, dict[str, AuthorTokens]]:
    """Return what `learn` is to be told for the background that suits the prototype.

    It is learnt once, from all text of all authors, whatever the samples of each are.
    """
    alone = replace(plan, prototype=make_background(plan.prototype), budget=None)
    return alone, {ALL_AUTHORS: pool(known)}


def _run(plan: TrainingPlan, known: Mapping[str, AuthorTokens]) -> Iterator[Learnt]:
    parallel = Parallel(n_jobs=plan.n_jobs, return_as="generator_unordered")
    try:
        yield from parallel(
            delayed(_learn_draw)(plan, author, draw, sample, known[author].vocabulary_size)
            for author, draw, sample in _samples(plan, known)
        )
    except BrokenProcessPool as error:
        raise TrainingError(
            "a learning process was killed, most often because memory ran out; "
            f"use fewer processes than n_jobs={plan.n_jobs}"
        ) from error


def _samples(
    plan: TrainingPlan, known: Mapping[str, AuthorTokens]
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
    plan: TrainingPlan, author: str, draw: int, sample: Sequence[Sentence], vocabulary_size: int
) -> Learnt:
    """Fit one model, with one thread so that its numbers are the same in any process."""
    model: LanguageModel = clone(plan.prototype)
    if "random_state" in model.get_params(deep=False):
        _, seed = derive_seeds(plan.random_state, author, draw)
        model.set_params(random_state=int(seed.generate_state(1)[0]))
    background = background_argument(model, plan.background)
    with warnings.catch_warnings(record=True) as caught, threadpool_limits(1):
        warnings.simplefilter("always")
        try:
            model.fit(sample, vocabulary_size=vocabulary_size, **background)
        except TrainingError as error:
            raise TrainingError(
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
