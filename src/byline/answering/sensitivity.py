"""Repeat answers with other known texts, samples, words and candidates, and see what changes."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from sklearn.base import clone

from byline.answering.masking import mask_words, words_by_frequency
from byline.answering.variations import Variation, VariationPlan
from byline.answering.varied_answers import Sensitivity, VariedAnswer
from byline.attribution import Attribution
from byline.attribution.model_files.saving import Attributor
from byline.attribution.training_record.record import TrainingRecord
from byline.corpus import Corpus
from byline.errors import BylineError, UsageError
from byline.processes.parallel import run_parallel
from byline.processes.threads import limited_threads
from byline.progress import Progress

_STEPS = 100  # of a variation, in the progress


@dataclass(frozen=True, slots=True)
class SensitivityPlan:
    """What `run_variations` does.

    Attributes
    ----------
    attributor : AuthorshipAttributor or StackedAttributor
        The model whose answers are repeated.
    corpus : Corpus
        The known texts.
    texts : tuple of str
        The questioned texts.
    answers : tuple of Attribution
    words : tuple of str
        Of the known texts, the most frequent ones first.
    variations : tuple of Variation
        For each of them, a model is trained.
    notes : tuple of str

    See Also
    --------
    plan_sensitivity : Makes it.

    Examples
    --------
    >>> from byline.attribution import AuthorshipAttributor
    >>> from byline.corpus import Corpus, Document
    >>> from byline.lm import NgramLM
    >>> texts = ["The sea rose. The wind fell.", "A ship came in. A sail was torn."]
    >>> documents = [Document("Ada", texts[0], "1.txt"), Document("Ben", texts[1], "2.txt")]
    >>> corpus = Corpus(documents, "letters")
    >>> model = AuthorshipAttributor(NgramLM(order=1), n_samples=1, min_tokens=1)
    >>> model = model.fit(corpus.texts, corpus.authors)
    >>> plan = plan_sensitivity(model, corpus, ["The wind rose."], ["note.txt"], n_seeds=2)
    >>> [variation.name for variation in plan.variations[1:]]
    ['with other random samples (seed +1)', 'with other random samples (seed +2)']
    >>> plan.notes[-1]
    'The candidates were not varied, because there are only two.'
    """

    attributor: Attributor
    corpus: Corpus
    texts: tuple[str, ...]
    answers: tuple[Attribution, ...]
    words: tuple[str, ...]
    variations: tuple[Variation, ...]
    notes: tuple[str, ...]


def check_trained_on(corpus: Corpus, attributor: Attributor, model: str | os.PathLike[str]) -> None:
    """Check that a model can be trained again on known texts: that it was trained on the same ones.

    A model without a record of its training texts passes.

    Parameters
    ----------
    corpus : Corpus
        The known texts.
    attributor : AuthorshipAttributor or StackedAttributor
        A fitted model.
    model : str or path
        The name of the model in messages.

    Raises
    ------
    UsageError
        They are other texts, or there was a reference population.

    Examples
    --------
    >>> from byline.attribution import NgramRidge, StackedAttributor
    >>> from byline.corpus import Corpus, Document
    >>> documents = [
    ...     Document(author, f"{word} {word} sat on day {n}.", f"{author}/{n}.txt")
    ...     for author, word in [("Ann", "the cat"), ("Bob", "a dog")]
    ...     for n in range(2)
    ... ]
    >>> corpus = Corpus(documents, "letters")
    >>> stack = StackedAttributor([("ridge", NgramRidge())], folds=2, passage_lengths=(1,))
    >>> _ = stack.fit(corpus.texts, corpus.authors, groups=corpus.works)
    >>> check_trained_on(corpus, stack, "m.byline")
    """
    if getattr(attributor, "reference_validation_", None) is not None:
        raise UsageError(
            f"{model} was trained with a reference population, and a sensitivity analysis does not "
            "repeat the simulation of cases; train a model without reference texts for it"
        )
    record: TrainingRecord | None = getattr(attributor, "training_record_", None)
    if record is None:
        return
    texts = list(map(attributor.normalization_.apply, corpus.texts))
    differences = record.differences(TrainingRecord.of(texts, corpus.authors, corpus.works))
    if differences.missing or differences.added:
        raise UsageError(
            f"the texts in {corpus.name} are not those that {model} was trained on "
            f"({len(differences.missing):,} missing, {len(differences.added):,} added), so that a "
            "change of the answer could not be explained; give the texts the model was trained on"
        )


def plan_sensitivity(
    attributor: Attributor,
    corpus: Corpus,
    texts: Sequence[str],
    paths: Sequence[str],
    *,
    n_known_texts: int = 20,
    n_seeds: int = 5,
    random_state: int = 0,
) -> SensitivityPlan:
    """Plan with which other known texts, samples, words and candidates answers are repeated.

    Parameters
    ----------
    attributor : AuthorshipAttributor or StackedAttributor
        A fitted model. All variations have its parameters.
    corpus : Corpus
        The known texts that it was trained on.
    texts : sequence of str, (n_texts,)
        The questioned texts.
    paths : sequence of str, (n_texts,)
        Where they came from.
    n_known_texts : int
        Number of known texts to leave out in turn, at most. Texts of one work are left out
        together.
    n_seeds : int
        Number of repetitions with other random samples.
    random_state : int
        Seed of the choice of known texts.

    See Also
    --------
    check_trained_on : Checks the known texts before.
    run_variations : Trains the models and repeats the answers.

    Examples
    --------
    >>> from byline.attribution import AuthorshipAttributor
    >>> from byline.corpus import Corpus, Document
    >>> from byline.lm import NgramLM
    >>> documents = [
    ...     Document("Ada", "The sea rose. The wind fell.", "ada/1.txt"),
    ...     Document("Ada", "The sea fell. The rain rose.", "ada/2.txt"),
    ...     Document("Ben", "A ship came in. A sail was torn.", "ben/1.txt"),
    ...     Document("Ben", "A sail came in. A mast was torn.", "ben/2.txt"),
    ... ]
    >>> corpus = Corpus(documents, "letters")
    >>> model = AuthorshipAttributor(NgramLM(order=1), n_samples=1, min_tokens=1)
    >>> model = model.fit(corpus.texts, corpus.authors)
    >>> plan = plan_sensitivity(model, corpus, ["The wind rose."], ["note.txt"])
    >>> len(plan.variations), plan.variations[1].name
    (10, 'without the text ada/1.txt')
    >>> [found] = run_variations(plan)
    >>> found.verdict
    'The first candidate is Ada in all 10 variations.'
    """
    known = list(map(attributor.normalization_.apply, corpus.texts))
    answers = attributor.attribute(texts, paths=list(paths))
    language = attributor.encoder_.language
    words = words_by_frequency(known, corpus.authors, language)
    plan = VariationPlan(corpus, answers)
    if getattr(attributor, "training_record_", None) is None:
        plan.train_again()
    plan.leave_out_known_texts(n_known_texts, random_state)
    plan.change_seeds(n_seeds)
    plan.mask_words(len(words))
    plan.change_candidates()
    return SensitivityPlan(
        attributor,
        corpus,
        tuple(texts),
        tuple(answers),
        tuple(words),
        tuple(plan.variations),
        tuple(plan.notes),
    )


def run_variations(
    plan: SensitivityPlan, *, n_jobs: int | None = 1, progress: Progress | None = None
) -> list[Sensitivity]:
    """Train a model for each variation, and repeat the answers.

    An interruption (`KeyboardInterrupt`) after the first variation ends the work early; the result
    then has the variations that were finished.

    Parameters
    ----------
    plan : SensitivityPlan
    n_jobs : int or None
        Number of processes, each of which trains a model at a time; -1 uses all cores. It does not
        change the results.
    progress : Progress, optional

    Returns
    -------
    list of Sensitivity, (n_texts,)

    See Also
    --------
    plan_sensitivity : Makes the plan.

    Examples
    --------
    >>> from byline.attribution import AuthorshipAttributor
    >>> from byline.corpus import Corpus, Document
    >>> from byline.lm import NgramLM
    >>> texts = ["The sea rose. The wind fell.", "A ship came in. A sail was torn."]
    >>> documents = [Document("Ada", texts[0], "1.txt"), Document("Ben", texts[1], "2.txt")]
    >>> corpus = Corpus(documents, "letters")
    >>> model = AuthorshipAttributor(NgramLM(order=1), n_samples=1, min_tokens=1)
    >>> model = model.fit(corpus.texts, corpus.authors)
    >>> plan = plan_sensitivity(model, corpus, ["The wind rose."], ["note.txt"], n_seeds=2)
    >>> [found] = run_variations(plan)
    >>> found.verdict
    'The first candidate is Ada in all 3 variations.'
    """
    found: dict[int, list[Attribution] | str] = {}
    total = _STEPS * len(plan.variations)
    try:
        for place, answers in _run(plan, n_jobs, progress):
            found[place] = answers
            if progress is not None:
                progress(_STEPS * len(found), total, plan.variations[place].name)
    except KeyboardInterrupt:
        if not found:
            raise
    return [_sensitivity(plan, text, found) for text in range(len(plan.texts))]


@dataclass(frozen=True, slots=True)
class _Training:
    """What a process needs to train a model and to answer with it."""

    place: int
    prototype: Attributor
    known: list[str]
    authors: list[str]
    works: list[str]
    texts: list[str]


@dataclass(frozen=True, slots=True)
class _Part:
    """The progress of one variation as a share of all."""

    progress: Progress
    place: int
    n_variations: int
    name: str

    def __call__(self, done: int, total: int, what: str) -> None:
        steps = _STEPS * self.place + (_STEPS - 1) * done // max(total, 1)
        self.progress(steps, _STEPS * self.n_variations, self.name)


def _run(
    plan: SensitivityPlan, n_jobs: int | None, progress: Progress | None
) -> Iterator[tuple[int, list[Attribution] | str]]:
    trainings = (_training(plan, place) for place in range(len(plan.variations)))
    if n_jobs not in (None, 1):
        yield from run_parallel(_answer, ((each,) for each in trainings), n_jobs)
        return
    for each in trainings:
        name = plan.variations[each.place].name
        part = progress and _Part(progress, each.place, len(plan.variations), name)
        yield _answer(each, part)


def _training(plan: SensitivityPlan, place: int) -> _Training:
    attributor, variation = plan.attributor, plan.variations[place]
    known = plan.corpus.select(variation.documents)
    texts, known_texts = [plan.texts[n] for n in variation.texts], known.texts
    if variation.n_kept_words is not None:
        kept = frozenset(plan.words[: variation.n_kept_words])
        normalize, language = attributor.normalization_.apply, attributor.encoder_.language
        texts, known_texts = (
            [mask_words(normalize(text), kept, language) for text in each]
            for each in (texts, known_texts)
        )
    prototype = _vary_parameters(attributor, variation.seed_offset)
    return _Training(place, prototype, known_texts, known.authors, known.works, texts)


def _vary_parameters(attributor: Attributor, seed_offset: int) -> Attributor:
    """Return an unfitted model with other seeds, in one process, for a closed set."""
    varied: Attributor = clone(attributor)
    params = varied.get_params(deep=True)
    changed: dict[str, Any] = {}
    for name, value in params.items():
        match name.split("__")[-1]:
            case "random_state" if value is not None:
                changed[name] = value + seed_offset
            case "n_jobs":
                changed[name] = 1
            case "open_set":
                changed[name] = False
    return varied.set_params(**changed)


def _answer(
    training: _Training, progress: Progress | None = None
) -> tuple[int, list[Attribution] | str]:
    """Train a model and attribute texts with it, or return why that is not possible."""
    known, authors, works = training.known, training.authors, training.works
    with warnings.catch_warnings(), limited_threads():
        warnings.simplefilter("ignore")
        try:
            fitted = training.prototype.fit(known, authors, groups=works, progress=progress)
            return training.place, fitted.attribute(training.texts)
        except BylineError as error:
            return training.place, str(error)


def _sensitivity(
    plan: SensitivityPlan, text: int, found: dict[int, list[Attribution] | str]
) -> Sensitivity:
    own = [place for place, each in enumerate(plan.variations) if text in each.texts]
    varied = []
    for place in own:
        if place in found:
            variation, answers = plan.variations[place], found[place]
            answer = answers if isinstance(answers, str) else answers[variation.texts.index(text)]
            varied.append(_varied(variation, plan.answers[text], answer))
    return Sensitivity(plan.answers[text], tuple(varied), len(own), plan.notes)


def _varied(variation: Variation, own: Attribution, answer: Attribution | str) -> VariedAnswer:
    if isinstance(answer, str) or not answer.ranking:
        reason = answer if isinstance(answer, str) else answer.declined
        return VariedAnswer(variation, None, None, None, None, reason)
    first = answer.ranking[0]
    [same] = [place for place in answer.ranking if place.author == own.ranking[0].author]
    return VariedAnswer(
        variation, first.author, first.probability, same.probability, same.log10_lr, None
    )
