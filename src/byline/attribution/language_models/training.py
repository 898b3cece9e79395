"""Train one language model per author and sample, as independent jobs, and their background."""

from __future__ import annotations

import hashlib
import warnings
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import median

import numpy as np
from sklearn.base import clone

from byline.attribution.language_models.scoring import LIKELIHOOD_RATIO
from byline.attribution.training_data import AuthorTokens
from byline.errors import BylineWarning, TrainingError, UsageError
from byline.formatting import join_names, percent
from byline.lm import NgramLM
from byline.lm.base import LanguageModel, Sentence
from byline.lm.mixtures.components import background_argument
from byline.lm.ngrams.adapted import AdaptedNgramLM
from byline.plugins import LANGUAGE_MODELS, naming_package
from byline.processes.parallel import run_parallel
from byline.processes.threads import limited_threads
from byline.progress import Progress

# An author with a smaller share of the median author's tokens has a smaller sample than the others,
# because a sample of that size would waste most of their text.
SMALL_SHARE = 0.25


def check_sample_size(author: str, n_tokens: int, sample_size: int | None) -> None:
    """Check that a new author has enough text for a sample as large as the other authors'.

    Raises
    ------
    TrainingError
        If not; the message contains both numbers.
    """
    if sample_size is not None and n_tokens < sample_size:
        raise TrainingError(
            f"{author} has {n_tokens:,} tokens of known text, but the other authors' samples have "
            f"{sample_size:,}; add text, or train again with all authors, on smaller samples"
        )


def equal_sample_size(n_tokens: Mapping[str, int]) -> int:
    """Return the size of all samples: the tokens of the author with the least text.

    Authors with less than a quarter of the median author's tokens do not count; their samples are
    all their text.

    Warns
    -----
    BylineWarning
        If there are such authors.
    """
    middle = median(n_tokens.values())
    size = min(n for n in n_tokens.values() if n >= SMALL_SHARE * middle)
    few = sorted(author for author, n in n_tokens.items() if n < size)
    if few:
        # Shares are the same for words and for characters, so that a stack warns once.
        shares = [f"{author} ({percent(n_tokens[author] / middle, 0)})" for author in few]
        warnings.warn(
            "some authors have far less known text than the median author: "
            f"{join_names(shares)}. The models of the other authors are trained on larger samples "
            "than theirs; add text by them",
            BylineWarning,
            stacklevel=3,
        )
    return size


def derive_seeds(
    random_state: int, author: str, sample: int
) -> tuple[np.random.SeedSequence, np.random.SeedSequence]:
    """Return the seeds of one author's random sample and of the model that is trained on it.

    They depend on nothing else, so neither the order nor the number of authors changes them.
    """
    digest = hashlib.sha256(author.encode("utf-8", "surrogatepass")).digest()
    name = int.from_bytes(digest[:16], "big")
    of_sample, of_model = np.random.SeedSequence([random_state, name, sample]).spawn(2)
    return of_sample, of_model


def draw_sample(
    sentences: Sequence[Sentence], n_tokens: int, rng: np.random.Generator
) -> list[Sentence]:
    """Draw whole sentences at random, without replacement, until there are ``n_tokens`` tokens.

    The last sentence is truncated so that the sample has exactly ``n_tokens`` tokens.

    Parameters
    ----------
    sentences : sequence of int32 arrays, each (n_tokens_of_sentence,)
        With at least ``n_tokens`` tokens in total.
    n_tokens : int
    rng : numpy Generator
    """
    order = rng.permutation(len(sentences))
    ends = np.cumsum([len(sentences[index]) for index in order])
    last = int(np.searchsorted(ends, n_tokens))
    sample = [sentences[index] for index in order[: last + 1]]
    sample[-1] = sample[-1][: len(sample[-1]) - (int(ends[last]) - n_tokens)]
    return sample


BACKGROUNDS = ("none", "pooled")
ALL_AUTHORS = "all authors together"

TrainedModel = tuple[str, int, LanguageModel, list[warnings.WarningMessage]]


@dataclass(frozen=True, slots=True)
class TrainingPlan:
    """How the authors' models are trained.

    Attributes
    ----------
    prototype : LanguageModel
        Cloned for every author and sample.
    sample_size : int or None
        Number of tokens per sample; None to train once on each author's whole text.
    n_samples : int
        Number of samples per author who has more text than the sample size.
    random_state : int
    n_jobs : int or None
        Number of processes; it does not change the result.
    background : LanguageModel, optional
        A fitted model, which adaptive models are fitted on top of.
    """

    prototype: LanguageModel
    sample_size: int | None
    n_samples: int
    random_state: int
    n_jobs: int | None
    background: LanguageModel | None = None

    def n_models(self, known: AuthorTokens) -> int:
        """Return how many models to train for an author: one if a sample is the whole text."""
        is_whole = self.sample_size is None or known.n_tokens <= self.sample_size
        return 1 if is_whole else self.n_samples


def check_background(
    background: str, prototype: LanguageModel | None, score_rule: str, vocabulary: str
) -> None:
    """Check that a background is used if there is one, and exists if it is needed.

    Raises
    ------
    UsageError
        If parameters contradict each other; the message names them.
    """
    if background == "none":
        if prototype is not None and prototype.background_use == "required":
            raise UsageError(
                f"{type(prototype).__name__} models adapt a background; set background='pooled'"
            )
        if score_rule == LIKELIHOOD_RATIO:
            raise UsageError(
                f"score_rule={score_rule!r} needs a background; set background='pooled'"
            )
        return
    if vocabulary != "shared":
        raise UsageError(
            f"background={background!r} pools the texts of all authors, so they must have one "
            "vocabulary; set vocabulary='shared'"
        )
    if (
        prototype is not None
        and prototype.background_use == "none"
        and score_rule != LIKELIHOOD_RATIO
    ):
        raise UsageError(
            f"background={background!r}: {type(prototype).__name__} models cannot adapt a "
            f"background; choose an AdaptedNgramLM, or score_rule={LIKELIHOOD_RATIO!r}"
        )


def prototype_for(model: LanguageModel | None, background: str) -> LanguageModel:
    """Return the prototype of the authors' models: ``model``, or the default one if it is None."""
    if model is not None:
        return model
    return NgramLM() if background == "none" else AdaptedNgramLM()


def train_language_models(
    plan: TrainingPlan, known: Mapping[str, AuthorTokens], progress: Progress | None = None
) -> dict[str, list[LanguageModel]]:
    """Train every author's models.

    Parameters
    ----------
    plan : TrainingPlan
    known : mapping of author to AuthorTokens
    progress : Progress, optional
        Called after each model, in the order in which they are finished.

    Returns
    -------
    dict of author to list of fitted LanguageModel
        One model per sample; the authors in the order of ``known``.

    Raises
    ------
    TrainingError
        If a model cannot be trained (the message names the author), or a process died.

    Warns
    -----
    BylineWarning
        Each distinct warning of the models once, with the authors it concerns.
    """
    models = {author: [plan.prototype] * plan.n_models(text) for author, text in known.items()}
    total = sum(map(len, models.values()))
    warned: dict[tuple[type[Warning], str], set[str]] = defaultdict(set)
    for done, (author, sample, model, caught) in enumerate(_run(plan, known), start=1):
        model.set_background(plan.background)
        models[author][sample] = model
        for warning in caught:
            warned[warning.category, str(warning.message)].add(author)
        if progress is not None:
            progress(done, total, author)
    for (category, message), authors in sorted(warned.items(), key=lambda item: item[0][1]):
        warnings.warn(f"{message} ({join_names(sorted(authors))})", category, stacklevel=3)
    return models


def background_training(
    plan: TrainingPlan, known: Mapping[str, AuthorTokens]
) -> tuple[TrainingPlan, dict[str, AuthorTokens]]:
    """Return the arguments with which `train_language_models` trains the background.

    The background suits the plan's prototype. It is trained once, on all text of all authors,
    whatever the size of their samples is.
    """
    alone = replace(plan, prototype=plan.prototype.background_model(), sample_size=None)
    return alone, {ALL_AUTHORS: pool(known)}


def pool(known: Mapping[str, AuthorTokens]) -> AuthorTokens:
    """Join all authors' known texts as if one author had written them."""
    texts = list(known.values())
    return AuthorTokens(
        sentences=[sentence for text in texts for sentence in text.sentences],
        n_tokens=sum(text.n_tokens for text in texts),
        vocabulary_size=texts[0].vocabulary_size,
    )


def _run(plan: TrainingPlan, known: Mapping[str, AuthorTokens]) -> Iterator[TrainedModel]:
    calls = (
        (plan, author, sample, sentences, known[author].vocabulary_size)
        for author, sample, sentences in _samples(plan, known)
    )
    return run_parallel(_train_model, calls, plan.n_jobs)


def _samples(
    plan: TrainingPlan, known: Mapping[str, AuthorTokens]
) -> Iterator[tuple[str, int, Sequence[Sentence]]]:
    """Draw the samples one by one, so that only those in use are in memory."""
    for author, text in known.items():
        for sample in range(plan.n_models(text)):
            sentences = text.sentences
            if plan.sample_size is not None and text.n_tokens > plan.sample_size:
                seed, _ = derive_seeds(plan.random_state, author, sample)
                rng = np.random.default_rng(seed)
                sentences = draw_sample(sentences, plan.sample_size, rng)
            yield author, sample, sentences


def _train_model(
    plan: TrainingPlan,
    author: str,
    sample: int,
    sentences: Sequence[Sentence],
    vocabulary_size: int,
) -> TrainedModel:
    """Fit one model, with one thread, so that its numbers are the same in any process."""
    model: LanguageModel = clone(plan.prototype)
    if "random_state" in model.get_params(deep=False):
        _, seed = derive_seeds(plan.random_state, author, sample)
        model.set_params(random_state=int(seed.generate_state(1)[0]))
    background = background_argument(model, plan.background)
    with warnings.catch_warnings(record=True) as caught, limited_threads():
        warnings.simplefilter("always")
        try:
            with naming_package(LANGUAGE_MODELS, model):
                model.fit(sentences, vocabulary_size=vocabulary_size, **background)
        except TrainingError as error:
            raise TrainingError(
                f"cannot train a model on the known texts of {author}: {error}"
            ) from error
    model.set_background(None)  # one background is sent to each process, and none back
    return author, sample, model, caught
