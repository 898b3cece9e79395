"""Measure the perplexity of word models, and of mixtures, on the courses of Ge & Sun (2016).

There is one model per course, with the split of the authors for seed 0. Models are trained on the
training part of a course. Background models are trained on the training parts of all 16 courses.
The validation part of a course has two uses: it determines the weights of mixtures by expectation
maximisation, and the early stopping of the feed-forward network. All settings were chosen on
validation parts. In the test part, every position is scored, including unknown words, and ``<s>``
is context.

Two sets of events are measured. "Own": the words that occur at least twice in the training part of
the course, with a frequency above 1e-5. All other words are the single event ``<unk>``, as in the
paper. "All": the words of the training parts of all courses, as is necessary for comparing authors.
All other words are ``<unk>``. Each is reported with ``</s>`` predicted and counted, and with
``</s>`` predicted but not counted.

    OMP_NUM_THREADS=1 python benchmarks/word_models.py CORPORA/lectures16/stemmed --cache FOLDER
    ... -j 2 --courses 3 7 12 --models kneser-ney adapted-ngram

The networks take some 40 minutes of CPU time. `--cache` keeps them for the next run, which then
reports the time for scoring only.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from joblib import Parallel, delayed
from numpy.typing import NDArray
from sklearn.base import clone
from threadpoolctl import threadpool_limits

from byline.array_types import Floats
from byline.attribution import load_language_model, save_language_model
from byline.experiments.runner.partitions import by_sentence
from byline.lm import AdaptedNgramLM, FeedForwardLM, LanguageModel, NgramLM, RecurrentLM
from byline.lm.mixtures.components import fit_weights
from byline.lm.networks.shortlist import Shortlist
from byline.text import PretokenizedEncoder

SEED = 1
Sentences = list[NDArray[np.int32]]
Scores = dict[
    str, tuple[Floats, Floats]
]  # by set of events: nats of all validation and test events

MODELS: dict[str, LanguageModel] = {
    "kneser-ney": NgramLM(order=4),
    "adapted-ngram": AdaptedNgramLM(order=5),
    "feed-forward": FeedForwardLM.for_adaptation().set_params(random_state=SEED),
    "gru": RecurrentLM.for_adaptation().set_params(
        random_state=SEED, training__validation_fraction=0.0
    ),
}
MIXTURES = (
    ("kneser-ney", "gru"),
    ("adapted-ngram", "gru"),
    ("adapted-ngram", "feed-forward"),
    ("adapted-ngram", "feed-forward", "gru"),
)


@dataclass(frozen=True)
class Course:
    """The parts of one course, as ids of the words of all courses."""

    number: int
    training: Sentences
    validation: Sentences
    test: Sentences


@dataclass(frozen=True)
class Row:
    """The results of one model of one course: perplexities, and total CPU seconds."""

    course: int
    model: str
    own: float
    own_without_end: float
    all: float
    all_without_end: float
    weights: tuple[float, ...]
    seconds: float


def read_courses(folder: Path) -> tuple[PretokenizedEncoder, list[Course]]:
    """Split all courses, and assign ids to the words of their training parts."""
    encoder, numbers, parts = PretokenizedEncoder(), [], []
    for path in sorted(folder.glob("course-*.txt")):
        sentences = encoder.tokenize(path.read_text(encoding="utf-8"))
        split = by_sentence(len(sentences), 0)
        numbers.append(int(path.stem.rpartition("-")[2]))
        parts.append([[sentences[i] for i in part] for part in split])
    encoder.fit_tokenized([training for training, _, _ in parts])
    encoded = [[encoder.encode(part) for part in course] for course in parts]
    return encoder, [Course(n, *course) for n, course in zip(numbers, encoded, strict=True)]


@dataclass(frozen=True)
class Cache:
    """Networks of earlier runs, stored in a folder; with None, nothing is stored."""

    folder: Path | None
    encoder: PretokenizedEncoder

    def get(self, name: str, train: Callable[[], LanguageModel]) -> LanguageModel:
        """Load the network called ``name``, or train and store it."""
        path = None if self.folder is None else self.folder / f"{name}.byline"
        if path is not None and path.exists():
            model: LanguageModel = load_language_model(path)[1]
            return model
        model = train()
        if path is not None:
            save_language_model(self.encoder, model, path)
        return model


def train_background(model: LanguageModel, courses: Sequence[Course], size: int) -> LanguageModel:
    """Train the background model of a network on the training parts of all courses."""
    begin = time.process_time()
    background: LanguageModel = model.background_model().set_params(
        training__validation_fraction=0.0
    )
    sentences = [sentence for course in courses for sentence in course.training]
    background.fit(sentences, vocabulary_size=size)
    print(f"background, {model.kind}: {time.process_time() - begin:.0f} CPU s", flush=True)
    return background


def is_network(model: LanguageModel) -> bool:
    """Return whether a model is a network, whose background takes long to train."""
    return isinstance(model, FeedForwardLM | RecurrentLM)


class CourseModels:
    """Fits and scores the models of one course.

    Parameters
    ----------
    course : Course
    courses : sequence of Course
        All courses, for the background models of n-gram models.
    backgrounds : mapping of model to network
    cache : Cache
        Contains the encoder of the words of all courses.
    """

    def __init__(
        self,
        course: Course,
        courses: Sequence[Course],
        backgrounds: Mapping[str, LanguageModel],
        cache: Cache,
    ) -> None:
        self.course, self.courses = course, courses
        self.size = cache.encoder.vocabulary_.size
        self.backgrounds, self.cache = backgrounds, cache
        self.shortlist = Shortlist.from_sentences(
            course.training, self.size, min_count=2, min_frequency=1e-5
        )

    def rows(self, names: Sequence[str]) -> Iterator[Row]:
        """Measure models, and the mixtures that consist of them."""
        found: dict[str, Scores] = {}
        for name in names:
            begin = time.process_time()
            found[name] = self.scores(name)
            yield self._row(name, found[name], (), time.process_time() - begin)
        for mixture in MIXTURES:
            if set(mixture) <= set(names):
                yield self._mixed([found[name] for name in mixture], " + ".join(mixture))

    def scores(self, name: str) -> Scores:
        """Compute the log-probabilities (nats) of validation and test events for both sets."""
        model = MODELS[name]
        if is_network(model):
            return self._network_scores(name)
        return {
            "own": self._ngram_scores(model, self.shortlist.class_of, self.shortlist.n_classes),
            "all": self._ngram_scores(model, np.arange(self.size, dtype=np.int32), self.size),
        }

    def _ngram_scores(
        self, prototype: LanguageModel, ids: NDArray[np.int32], size: int
    ) -> tuple[Floats, Floats]:
        def mapped(sentences: Sentences) -> Sentences:
            return [ids[sentence] for sentence in sentences]

        model, background = clone(prototype), {}
        if isinstance(model, AdaptedNgramLM):
            text = [s for course in self.courses for s in mapped(course.training)]
            background["background"] = model.background_model().fit(text, vocabulary_size=size)
        model.fit(mapped(self.course.training), vocabulary_size=size, **background)
        parts = (self.course.validation, self.course.test)
        validation, test = (model.batch_log_probs(mapped(part)) for part in parts)
        return validation, test

    def _network_scores(self, name: str) -> Scores:
        model: Any = self.cache.get(
            f"{MODELS[name].kind}-{self.course.number:02}", lambda: self._train_network(name)
        )
        if not np.array_equal(model.shortlist_.words, self.shortlist.words):
            raise ValueError(f"the network of course {self.course.number} has another shortlist")
        parts = (self.course.validation, self.course.test)
        all_words = [model.batch_log_probs(part) for part in parts]
        # "Own" has the probability of the class, without the share of the word in its class.
        shares = [model.shortlist_.log_shares(self._events(part)) for part in parts]
        validation, test = (a - share for a, share in zip(all_words, shares, strict=True))
        return {"own": (validation, test), "all": (all_words[0], all_words[1])}

    def _train_network(self, name: str) -> LanguageModel:
        model: Any = clone(MODELS[name])
        fitted: LanguageModel = model.fit(
            self.course.training,
            vocabulary_size=self.size,
            validation=self.course.validation if isinstance(model, FeedForwardLM) else None,
            background=self.backgrounds[name],
        )
        return fitted

    def _mixed(self, components: list[Scores], name: str) -> Row:
        begin, mixed, weights = time.process_time(), {}, {}
        for events in ("own", "all"):
            validation, test = (np.array([c[events][part] for c in components]) for part in (0, 1))
            weights[events] = fit_weights(validation)[0]
            mixed[events] = (validation[0], np.log(weights[events] @ np.exp(test)))
        return self._row(name, mixed, weights["own"].tolist(), time.process_time() - begin)

    def _row(self, name: str, scores: Scores, weights: Sequence[float], seconds: float) -> Row:
        is_word = self._events(self.course.test) != self.size
        own, every = scores["own"][1], scores["all"][1]
        return Row(
            course=self.course.number,
            model=name,
            own=_perplexity(own),
            own_without_end=_perplexity(own[is_word]),
            all=_perplexity(every),
            all_without_end=_perplexity(every[is_word]),
            weights=tuple(weights),
            seconds=seconds,
        )

    def _events(self, sentences: Sentences) -> NDArray[np.int32]:
        """Return all words and sentence ends, as ids of all courses."""
        end = np.array([self.size], dtype=np.int32)
        return np.concatenate([part for sentence in sentences for part in (sentence, end)])


def _perplexity(log_probs: Floats) -> float:
    return float(np.exp(-log_probs.mean()))


def measure(models: CourseModels, names: Sequence[str]) -> list[Row]:
    """Train and score with one thread."""
    with threadpool_limits(1):
        return list(models.rows(names))


def print_row(head: str, row: Row) -> None:
    """Print one line of the table."""
    figures = (row.own, row.own_without_end, row.all, row.all_without_end, row.seconds)
    weights = " ".join(f"{weight:.2f}" for weight in row.weights)
    print(f"{head:10}{row.model:38}" + "".join(f"{f:9.2f}" for f in figures), weights, flush=True)


def mean_of(rows: Sequence[Row]) -> Row:
    """Average the rows of one model over the courses."""
    names = ("own", "own_without_end", "all", "all_without_end", "seconds")
    means = {name: float(np.mean([getattr(row, name) for row in rows])) for name in names}
    weights = tuple(np.mean([row.weights for row in rows], axis=0).tolist())
    return Row(course=0, model=rows[0].model, weights=weights, **means)


def main() -> None:
    """Print a line per course and model, then the means."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("stemmed", type=Path, help="folder of course-NN.txt, one sentence per line")
    parser.add_argument("--courses", type=int, nargs="+", default=list(range(1, 17)))
    parser.add_argument("--models", nargs="+", choices=MODELS, default=list(MODELS))
    parser.add_argument("--cache", type=Path, help="folder in which networks are stored")
    parser.add_argument("--json", type=Path, help="file to which all rows are written")
    parser.add_argument("-j", "--jobs", type=int, default=1, help="number of courses in parallel")
    options = parser.parse_args()
    if options.cache is not None:
        options.cache.mkdir(parents=True, exist_ok=True)
    encoder, courses = read_courses(options.stemmed)
    cache, size = Cache(options.cache, encoder), encoder.vocabulary_.size
    with threadpool_limits(1):
        backgrounds = {
            name: cache.get(
                MODELS[name].kind, partial(train_background, MODELS[name], courses, size)
            )
            for name in options.models
            if is_network(MODELS[name])
        }
    print(f"{'test perplexity of':48}{'own':>9}{'no </s>':>9}{'all':>9}{'no </s>':>9}{'CPU s':>9}")
    chosen = [
        CourseModels(course, courses, backgrounds, cache)
        for course in courses
        if course.number in options.courses
    ]
    rows: list[Row] = []
    run = Parallel(n_jobs=options.jobs, return_as="generator")
    for of_course in run(delayed(measure)(models, options.models) for models in chosen):
        rows += of_course
        for row in of_course:
            print_row(f"course {row.course}", row)
    for model in dict.fromkeys(row.model for row in rows):
        print_row("mean", mean_of([row for row in rows if row.model == model]))
    if options.json is not None:
        options.json.write_text(json.dumps([asdict(row) for row in rows], indent=1))


if __name__ == "__main__":
    main()
