"""What a job does: learn an author's model on one split, measure it, score all test sentences."""

from __future__ import annotations

import time
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import threadpool_limits

from byline.attribution.language_models.sentence_scorer import segment_sums
from byline.errors import BylineWarning
from byline.experiments.runner.config import ExperimentConfig
from byline.experiments.runner.config_sections import ModelSection, SearchSection
from byline.experiments.runner.early_stopping import is_unpromising
from byline.experiments.runner.id_corpus import IdCorpus
from byline.experiments.runner.jobs import Job, JobResult
from byline.experiments.runner.models import language_model
from byline.experiments.runner.partitions import Partition, Words, author_vocabularies, partition
from byline.lm import EpochRecord, FeedForwardLM, LanguageModel, Scoring
from byline.lm.base import Sentence
from byline.lm.networks.network_lm import parameter_values


class Workload:
    """All that jobs work on; it keeps what jobs of one split share.

    Parameters
    ----------
    config : ExperimentConfig
    corpora : mapping of name to IdCorpus
    """

    def __init__(self, config: ExperimentConfig, corpora: Mapping[str, IdCorpus]) -> None:
        self.config = config
        self.corpora = corpora
        self._parts: dict[tuple[str, int], Partition] = {}
        self._words: dict[tuple[str, int, str], Words] = {}

    def __getstate__(self) -> dict[str, Any]:
        """Leave behind what is soon worked out again."""
        return {**vars(self), "_parts": {}, "_words": {}}

    def corpus(self, split: str) -> IdCorpus:
        """Return the corpus of a split."""
        return self.corpora[self.config.splits[split].corpus]

    def partition(self, split: str, seed: int) -> Partition:
        """Return the parts of one split; the last one asked for is kept."""
        key = (split, seed)
        if key not in self._parts:
            parts = partition(self.corpus(split), self.config.splits[split].unit, seed)
            self._parts = {key: parts}
        return self._parts[key]

    def words(self, split: str, seed: int, words: str) -> Words:
        """Return the authors' words on one split; those of the last split asked for are kept."""
        key = (split, seed, words)
        if key not in self._words:
            parts, prune = self.partition(split, seed), self.config.splits[split].prune
            found = author_vocabularies(self.corpus(split), parts, words=words, prune=prune)
            kept = {k: v for k, v in self._words.items() if k[:2] == key[:2]}
            self._words = {**kept, key: found}
        return self._words[key]


@dataclass(frozen=True, slots=True, eq=False)
class Material:
    """One author's text on one split, in the ids of the author's models.

    Attributes
    ----------
    parts : dict of "training", "validation" and "test" to list of (n_tokens,) int32
    tested : list of (n_tokens,) int32
        Test sentences of all authors.
    vocabulary_size, n_lacking : int
        See `Words`.
    """

    parts: dict[str, list[Sentence]]
    tested: list[Sentence]
    vocabulary_size: int
    n_lacking: int


def run_job(job: Job, work: Workload) -> JobResult:
    """Do a job, with one thread.

    Parameters
    ----------
    job : Job
    work : Workload

    Raises
    ------
    BylineError
        The model cannot be learnt: training diverged, or there is too little text.
    """
    section = work.config.models[job.model]
    material = _material(job, section, work)
    started, cpu_started = time.perf_counter(), time.process_time()
    with threadpool_limits(1), warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always", BylineWarning)
        model, stopped = _fit(job, section, material, work.config)
        measures = _measures(job, section, material, model, work.config)
        tests = job.trial is None and section.attributes
        arrays = _scores(model, material.tested, _scorings(section, work.config)) if tests else {}
    history = [asdict(epoch) for epoch in getattr(model, "history_", ())]
    record = {
        "job": job.name,
        "split": job.split,
        "seed": job.seed,
        "model": job.model,
        "author": job.author,
        "trial": job.trial,
        "settings": parameter_values(model),
        "n_training_sentences": len(material.parts["training"]),
        "n_training_tokens": sum(map(len, material.parts["training"])),
        "vocabulary_size": material.vocabulary_size,
        "n_lacking": material.n_lacking,
        "measures": measures,
        "history": history,
        "stopped": stopped,
        "warnings": sorted({str(w.message) for w in warned if w.category is BylineWarning}),
    }
    seconds, cpu_seconds = time.perf_counter() - started, time.process_time() - cpu_started
    return JobResult(record, arrays, seconds, cpu_seconds)


def _material(job: Job, section: ModelSection, work: Workload) -> Material:
    corpus = work.corpus(job.split)
    parts = work.partition(job.split, job.seed)
    words = work.words(job.split, job.seed, section.words)
    author = corpus.authors.index(job.author)
    ids = words.encode(author)
    return Material(
        parts={
            "training": corpus.cut(parts.training[author], ids),
            "validation": corpus.cut(parts.validation[author], ids),
            "test": corpus.cut(parts.test[author], ids),
        },
        tested=corpus.cut(parts.tested, ids),
        vocabulary_size=words.vocabulary_size(author),
        n_lacking=words.n_lacking(author),
    )


def _fit(
    job: Job, section: ModelSection, material: Material, config: ExperimentConfig
) -> tuple[LanguageModel, str | None]:
    """Learn the model; say whether it was given up as hopeless."""
    model = language_model(section.kind, section.preset, {**section.settings, **dict(job.settings)})
    training, validation = material.parts["training"], material.parts["validation"]
    if not isinstance(model, FeedForwardLM):
        model.fit(training, vocabulary_size=material.vocabulary_size)
        return model, None
    model.set_params(random_state=job.random_state(config.seed))
    give_up = GiveUp(job.reference_costs, config.search, model.training.epochs)
    model.fit(
        training,
        vocabulary_size=material.vocabulary_size,
        validation=validation,
        stop=give_up,
    )
    return model, "hopeless" if give_up.happened else None


class GiveUp:
    """Ends the training of a trial that is hopeless beside its reference.

    Parameters
    ----------
    reference : sequence of float
        Its validation costs (nats), by epoch; where there are none, nothing is hopeless.
    search : SearchSection or None
    epochs : int
        At most so many are run.
    """

    def __init__(
        self, reference: Sequence[float], search: SearchSection | None, epochs: int
    ) -> None:
        self.reference = reference
        self.search = search
        self.epochs = epochs
        self.costs: list[float] = []
        self.happened = False

    def __call__(self, epoch: EpochRecord) -> bool:
        """Take note of an epoch, and say whether to end."""
        if self.search is not None and epoch.validation_cost is not None:
            self.costs.append(epoch.validation_cost)
            self.happened = is_unpromising(
                self.costs,
                self.reference,
                epochs=self.epochs,
                grace=self.search.grace,
                margin=self.search.margin,
            )
        return self.happened


def _scorings(section: ModelSection, config: ExperimentConfig) -> list[Scoring]:
    """Give one scoring a treatment of unknown words, in the configuration's order."""
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
    material: Material,
    model: LanguageModel,
    config: ExperimentConfig,
) -> dict[str, Any]:
    """Measure the author's own held-out parts; of a trial only the one that it may look at."""
    names = ("validation", "test") if job.trial is None else ("validation",)
    return {
        name: {
            scoring.unknown: _finite(asdict(model.measure([material.parts[name]], scoring)))
            for scoring in _scorings(section, config)
        }
        for name in names
    }


def _finite(measured: dict[str, Any]) -> dict[str, Any]:
    """Put None for a log-probability of minus infinity, which JSON has not."""
    return measured | ({} if np.isfinite(measured["log_prob"]) else {"log_prob": None})


def _scores(
    model: LanguageModel, sentences: Sequence[Sentence], scorings: Sequence[Scoring]
) -> dict[str, NDArray[Any]]:
    """Score sentences one by one, by the first of the scorings.

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
