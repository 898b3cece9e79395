"""Execution of a job: train an author's model on a split, measure it, score all test sentences."""

from __future__ import annotations

import time
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from byline.attribution.language_models.sentence_scorer import segment_sums
from byline.errors import BylineWarning
from byline.experiments.runner.config import ExperimentConfig
from byline.experiments.runner.config_sections import ModelSection, SearchSection
from byline.experiments.runner.id_corpus import IdCorpus
from byline.experiments.runner.models import language_model
from byline.experiments.runner.partitions import (
    AuthorVocabularies,
    Partition,
    author_vocabularies,
    partition,
)
from byline.experiments.runner.plan import Job, JobResult
from byline.experiments.runner.search import is_unpromising
from byline.lm import EpochRecord, FeedForwardLM, LanguageModel, Scoring
from byline.lm.base import Sentence
from byline.lm.inputs import parameter_values
from byline.processes.threads import limited_threads


class Workload:
    """The configuration and corpora of an experiment, with a cache of what jobs of a split share.

    Parameters
    ----------
    config : ExperimentConfig
    corpora : mapping of name to IdCorpus
    """

    def __init__(self, config: ExperimentConfig, corpora: Mapping[str, IdCorpus]) -> None:
        self.config = config
        self.corpora = corpora
        self._parts: dict[tuple[str, int], Partition] = {}
        self._vocabularies: dict[tuple[str, int, str], AuthorVocabularies] = {}

    def __getstate__(self) -> dict[str, Any]:
        """Leave out the cache, which is quick to compute again."""
        return {**vars(self), "_parts": {}, "_vocabularies": {}}

    def corpus(self, split: str) -> IdCorpus:
        """Return the corpus of a split."""
        return self.corpora[self.config.splits[split].corpus]

    def partition(self, split: str, seed: int) -> Partition:
        """Return the parts of one split; the last ones are cached."""
        key = (split, seed)
        if key not in self._parts:
            parts = partition(self.corpus(split), self.config.splits[split].unit, seed)
            self._parts = {key: parts}
        return self._parts[key]

    def vocabularies(self, split: str, seed: int, words: str) -> AuthorVocabularies:
        """Return the authors' vocabularies on one split; those of the last split are cached."""
        key = (split, seed, words)
        if key not in self._vocabularies:
            parts, prune = self.partition(split, seed), self.config.splits[split].prune
            found = author_vocabularies(self.corpus(split), parts, words=words, prune=prune)
            kept = {k: v for k, v in self._vocabularies.items() if k[:2] == key[:2]}
            self._vocabularies = {**kept, key: found}
        return self._vocabularies[key]


@dataclass(frozen=True, slots=True, eq=False)
class AuthorData:
    """One author's text on one split, as ids of the author's vocabulary.

    Attributes
    ----------
    parts : dict of "training", "validation" and "test" to list of (n_tokens,) int32
    tested : list of (n_tokens,) int32
        Test sentences of all authors.
    vocabulary_size, n_unk_types : int
        See `AuthorVocabularies`.
    """

    parts: dict[str, list[Sentence]]
    tested: list[Sentence]
    vocabulary_size: int
    n_unk_types: int


def run_job(job: Job, work: Workload) -> JobResult:
    """Run a job with one thread.

    Parameters
    ----------
    job : Job
    work : Workload

    Raises
    ------
    BylineError
        The model cannot be trained: training diverged, or there is too little text.
    """
    section = work.config.models[job.model]
    data = _author_data(job, section, work)
    started, cpu_started = time.perf_counter(), time.process_time()
    with limited_threads(), warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always", BylineWarning)
        model, stopped = _fit(job, section, data, work.config)
        measures = _measures(job, section, data, model, work.config)
        tests = job.trial is None and section.attribution
        arrays = _scores(model, data.tested, _scorings(section, work.config)) if tests else {}
    history = [asdict(epoch) for epoch in getattr(model, "history_", ())]
    record = {
        "job": job.name,
        "split": job.split,
        "seed": job.seed,
        "model": job.model,
        "author": job.author,
        "trial": job.trial,
        "settings": parameter_values(model),
        "n_training_sentences": len(data.parts["training"]),
        "n_training_tokens": sum(map(len, data.parts["training"])),
        "vocabulary_size": data.vocabulary_size,
        "n_unk_types": data.n_unk_types,
        "measures": measures,
        "history": history,
        "stopped": stopped,
        "warnings": sorted({str(w.message) for w in warned if w.category is BylineWarning}),
    }
    seconds, cpu_seconds = time.perf_counter() - started, time.process_time() - cpu_started
    return JobResult(record, arrays, seconds, cpu_seconds)


def _author_data(job: Job, section: ModelSection, work: Workload) -> AuthorData:
    corpus = work.corpus(job.split)
    parts = work.partition(job.split, job.seed)
    vocabularies = work.vocabularies(job.split, job.seed, section.words)
    author = corpus.authors.index(job.author)
    ids = vocabularies.encode(author)
    return AuthorData(
        parts={
            "training": corpus.sentences(parts.training[author], ids),
            "validation": corpus.sentences(parts.validation[author], ids),
            "test": corpus.sentences(parts.test[author], ids),
        },
        tested=corpus.sentences(parts.tested, ids),
        vocabulary_size=vocabularies.vocabulary_size(author),
        n_unk_types=vocabularies.n_unk_types(author),
    )


def _fit(
    job: Job, section: ModelSection, data: AuthorData, config: ExperimentConfig
) -> tuple[LanguageModel, str | None]:
    """Train the model; also return "unpromising" if training was stopped early."""
    model = language_model(section.kind, section.preset, {**section.settings, **dict(job.settings)})
    training, validation = data.parts["training"], data.parts["validation"]
    if not isinstance(model, FeedForwardLM):
        model.fit(training, vocabulary_size=data.vocabulary_size)
        return model, None
    model.set_params(random_state=job.random_state(config.seed))
    stop = StopUnpromising(job.reference_costs, config.search, model.training.epochs)
    model.fit(
        training,
        vocabulary_size=data.vocabulary_size,
        validation=validation,
        stop=stop,
    )
    return model, "unpromising" if stop.stopped else None


class StopUnpromising:
    """Callback that stops the training of a trial that is unpromising; see `is_unpromising`.

    Parameters
    ----------
    reference : sequence of float
        Validation costs (nats) of the reference, by epoch. If empty, training is never stopped.
    search : SearchSection or None
    epochs : int
        Largest number of epochs.
    """

    def __init__(
        self, reference: Sequence[float], search: SearchSection | None, epochs: int
    ) -> None:
        self.reference = reference
        self.search = search
        self.epochs = epochs
        self.costs: list[float] = []
        self.stopped = False

    def __call__(self, epoch: EpochRecord) -> bool:
        """Add an epoch and return whether to stop."""
        if self.search is not None and epoch.validation_cost is not None:
            self.costs.append(epoch.validation_cost)
            self.stopped = is_unpromising(
                self.costs,
                self.reference,
                epochs=self.epochs,
                grace=self.search.grace,
                margin=self.search.margin,
            )
        return self.stopped


def _scorings(section: ModelSection, config: ExperimentConfig) -> list[Scoring]:
    """Return one scoring per treatment of unknown words, in the order of the configuration."""
    marks = config.scoring
    return [
        Scoring(
            sentence_start=marks.sentence_start, sentence_end=marks.sentence_end, unknown=unknown
        )
        for unknown in section.unknown
    ]


def _measures(
    job: Job,
    section: ModelSection,
    data: AuthorData,
    model: LanguageModel,
    config: ExperimentConfig,
) -> dict[str, Any]:
    """Measure the author's held-out parts; for a trial only the validation part."""
    names = ("validation", "test") if job.trial is None else ("validation",)
    return {
        name: {
            scoring.unknown: _finite(asdict(model.measure([data.parts[name]], scoring)))
            for scoring in _scorings(section, config)
        }
        for name in names
    }


def _finite(measured: dict[str, Any]) -> dict[str, Any]:
    """Replace a log-probability of minus infinity, which JSON does not have, by None."""
    return measured | ({} if np.isfinite(measured["log_prob"]) else {"log_prob": None})


def _scores(
    model: LanguageModel, sentences: Sequence[Sentence], scorings: Sequence[Scoring]
) -> dict[str, NDArray[Any]]:
    """Score each sentence with the first of the scorings.

    Returns
    -------
    dict
        "log_prob" (n_sentences,) float64 in nats, "n_counted" and "n_unknown" (n_sentences,) int32.
    """
    scoring = scorings[0]
    log_probs = model.event_log_probs(sentences, scoring)
    chosen = model.select_events(sentences, scoring)
    lengths = np.array([len(s) + int(scoring.sentence_end) for s in sentences], dtype=np.int64)
    return {
        "log_prob": segment_sums(np.where(chosen.in_sum, log_probs, 0.0), lengths),
        "n_counted": segment_sums(chosen.in_count.astype(np.int64), lengths).astype(np.int32),
        "n_unknown": segment_sums(chosen.is_oov.astype(np.int64), lengths).astype(np.int32),
    }
