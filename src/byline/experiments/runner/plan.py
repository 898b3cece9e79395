"""The jobs of an experiment, and which of them can run now."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import Any
from urllib.parse import quote

from numpy.typing import NDArray

from byline.errors import UsageError
from byline.experiments.runner.config import ExperimentConfig
from byline.experiments.runner.config_sections import SEARCH
from byline.experiments.runner.models import language_model
from byline.experiments.runner.search import (
    Range,
    Search,
    Trial,
    TrialResult,
    best_trial,
    next_trials,
    trials,
)
from byline.lm.inputs import parameter_values

MAX_AUTHOR_LENGTH = 120  # characters in a file name, which may have 255
HIDDEN_SIZE = "hidden_dim"  # the size of one hidden layer, which the model calls `hidden_dims`
Settings = tuple[tuple[str, Any], ...]
Record = Mapping[str, Any]
Records = Mapping[str, Record]


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """One language model to train and to measure: one author's, on one split.

    Attributes
    ----------
    split : str
    seed : int
        Seed of the split.
    model, author : str
    trial : int or None
        Number of the trial, from 0, if the job belongs to the search for the best setting.
    settings : tuple of (parameter, value)
        Settings that replace those of the model in the configuration.
    reference_costs : tuple of float
        Validation costs (nats) by epoch of the reference that decides whether a trial is
        unpromising.
    depends_on_search : bool
        Whether the settings are the result of the search.
    """

    split: str
    seed: int
    model: str
    author: str
    trial: int | None = None
    settings: Settings = ()
    reference_costs: tuple[float, ...] = ()
    depends_on_search: bool = False

    @property
    def name(self) -> str:
        """Unique name, safe as the name of a file."""
        author = _file_name_part(self.author)
        if self.trial is not None:
            return f"{SEARCH}.{self.model}.{author}.{self.trial:03}"
        return f"{self.split}.{self.seed}.{self.model}.{author}"

    @property
    def share_key(self) -> str:
        """Key that decides which share of the jobs this job belongs to.

        All jobs of one author's search have the same key, so that one share has the whole search.
        """
        in_search = self.trial is not None or self.depends_on_search
        return f"{SEARCH}.{self.author}" if in_search else self.name

    def random_state(self, seed: int) -> int:
        """Derive the seed of the model from the seed of the experiment and from names alone.

        All trials of an author have the same seed, so that only their settings differ.
        """
        place = f"{self.split}.{self.seed}" if self.trial is None else SEARCH
        text = f"{seed}/{place}/{self.model}/{self.author}"
        return int.from_bytes(hashlib.sha256(text.encode()).digest()[:4])


@dataclass(frozen=True, slots=True, eq=False)
class JobResult:
    """Result of a job.

    Attributes
    ----------
    record : dict
        JSON values, without durations.
    arrays : dict of array
        Scores of all test sentences of the split, if the model is used for attribution.
    seconds, cpu_seconds : float
        Time spent on training and scoring.
    """

    record: Record
    arrays: Mapping[str, NDArray[Any]] = field(default_factory=dict)
    seconds: float = 0.0
    cpu_seconds: float = 0.0


def _file_name_part(author: str) -> str:
    """Encode an author's name as a part of a file name; a long name ends in its digest."""
    encoded = quote(author, safe=" ").replace(".", "%2E")
    if len(encoded) <= MAX_AUTHOR_LENGTH:
        return encoded
    return f"{encoded[:MAX_AUTHOR_LENGTH]}~{hashlib.sha256(author.encode()).hexdigest()[:16]}"


class AuthorSearch:
    """The search for one author's best setting, as jobs and their records.

    Parameters
    ----------
    config : ExperimentConfig
        A configuration with a search.
    author : str

    Raises
    ------
    UsageError
        A range names no parameter of the model, or the model's own setting cannot be the first
        trial.
    """

    def __init__(self, config: ExperimentConfig, author: str) -> None:
        assert config.search is not None  # noqa: S101
        self.section = config.search
        self.author = author
        text = f"{config.seed}/search/{self.section.model}/{author}"
        self.search = Search(
            ranges={
                name: Range(low=r.low, high=r.high, scale=r.scale, whole=r.whole)
                for name, r in self.section.ranges.items()
            },
            start=_first_setting(config),
            seed=int.from_bytes(hashlib.sha256(text.encode()).digest()[:4]),
            settings=self.section.settings,
            minutes=self.section.minutes,
            rounds=self.section.rounds,
        )

    def job(self, trial: Trial) -> Job:
        """Return the job of a trial."""
        return Job(
            split=self.section.split,
            seed=self.section.seed,
            model=self.section.model,
            author=self.author,
            trial=trial.number,
            settings=_parameters(trial),
            reference_costs=trial.reference_costs,
        )

    def results(self, records: Records) -> dict[int, TrialResult]:
        """Return the results of this author's trials, by number."""
        prefix = self.job(Trial(0, 0, {})).name.rpartition(".")[0] + "."
        found = {}
        for name in records:
            if name.startswith(prefix):
                costs = tuple(e["validation_cost"] for e in records[name].get("history", ()))
                seconds = records[name].get("execution", {}).get("cpu_seconds", 0.0)
                found[int(name.removeprefix(prefix))] = TrialResult(costs, seconds)
        return found

    def ready(self, records: Records) -> list[Job]:
        """Return the trials that can run now; none if the search is finished."""
        return [self.job(trial) for trial in next_trials(self.search, self.results(records))]

    def best_setting(self, records: Records) -> Settings | None:
        """Return the best setting; None if the search is not finished or all trials failed."""
        if self.ready(records):
            return None
        best = best_trial(self.search, self.results(records))
        return None if best is None else _parameters(best)

    def may_have_best_setting(self, records: Records) -> bool:
        """Whether there is a best setting, or may be one when the search is finished."""
        return bool(self.ready(records)) or self.best_setting(records) is not None

    def n_trials(self, records: Records) -> int:
        """Return the number of trials; for an unfinished search the largest number, if known."""
        if self.section.settings is not None and self.ready(records):
            return self.section.settings
        results = self.results(records)
        return len(results.keys() | {trial.number for trial in trials(self.search, results)})

    def n_waiting(self, records: Records) -> int:
        """Return the number of trials that wait for the results of others."""
        known = self.results(records).keys() | {job.trial for job in self.ready(records)}
        return max(0, self.n_trials(records) - len(known))


def _parameters(trial: Trial) -> Settings:
    """Return the setting of a trial as parameters of the model."""
    named = ((name, value) for name, value in sorted(trial.setting.items()))
    return tuple(("hidden_dims", (v,)) if name == HIDDEN_SIZE else (name, v) for name, v in named)


def _first_setting(config: ExperimentConfig) -> dict[str, float]:
    """Return the model's own values of the parameters that are searched."""
    assert config.search is not None  # noqa: S101
    name = config.search.model
    section = config.models[name]
    parameters = parameter_values(language_model(section.kind, section.preset, section.settings))
    layers = parameters.pop("hidden_dims", ())
    if len(layers) == 1:
        parameters[HIDDEN_SIZE] = layers[0]
    numbers = {k: v for k, v in parameters.items() if type(v) in (int, float)}
    unknown = sorted(set(config.search.ranges) - set(numbers))
    if unknown:
        raise UsageError(
            f"search.ranges: {', '.join(unknown)}: models.{name} has no such numeric parameter. "
            f"Use one of {', '.join(sorted(numbers))}"
        )
    for key, section_range in config.search.ranges.items():
        if type(numbers[key]) is int and not section_range.whole:
            raise UsageError(
                f"search.ranges.{key}: this parameter takes whole numbers only; add whole = true"
            )
    return {key: numbers[key] for key in config.search.ranges}


class JobPlan:
    """All jobs of an experiment.

    Which jobs can run now depends on the configuration and the records alone, never on the order
    in which the records were written.

    Parameters
    ----------
    config : ExperimentConfig
    authors : sequence of str

    Attributes
    ----------
    independent_jobs : dict of name to Job
        Jobs that wait for no other job, in the order in which they should run.
    searches : tuple of AuthorSearch

    Raises
    ------
    UsageError
        An author of the configuration is not in ``authors``, or the search is impossible.
    """

    def __init__(self, config: ExperimentConfig, authors: Sequence[str]) -> None:
        self.config = config
        self.authors = tuple(authors)
        _check_authors(config, self.authors)
        searched = config.search.authors if config.search else ()
        self.searches = tuple(AuthorSearch(config, author) for author in searched)
        models = [name for name, model in config.models.items() if model.settings_from is None]
        jobs = sorted(self._jobs(models, self.authors), key=self._order)
        self.independent_jobs = {job.name: job for job in jobs}
        self._order_of = {name: self._order(job) for name, job in self.independent_jobs.items()}

    def ready(self, records: Records) -> list[Job]:
        """Return the jobs that can run now, in the order in which they should run.

        Parameters
        ----------
        records : mapping of job name to record
            The record of a failed job has the key "failed".
        """
        dependent = {
            job.name: job for job in chain(self._trials(records), self._tuned_jobs(records))
        }
        order = self._order_of | {name: self._order(job) for name, job in dependent.items()}
        left = {
            n: job for n, job in (self.independent_jobs | dependent).items() if n not in records
        }
        return [left[name] for name in sorted(left, key=order.__getitem__)]

    def n_total(self, records: Records) -> int:
        """Return the number of all jobs; an unfinished search counts with its largest size."""
        n_trials = sum(search.n_trials(records) for search in self.searches)
        authors = [s.author for s in self.searches if s.may_have_best_setting(records)]
        n_tuned = len(list(self._jobs(self._tuned_models, authors)))
        return len(self.independent_jobs) + n_trials + n_tuned

    def waiting(self, records: Records) -> Counter[tuple[str, bool]]:
        """Count the jobs that wait for a search, by model and by whether they are its trials."""
        counts: Counter[tuple[str, bool]] = Counter()
        for search in self.searches:
            counts[search.section.model, True] += search.n_waiting(records)
            if search.ready(records):
                jobs = self._jobs(self._tuned_models, [search.author])
                counts.update((job.model, False) for job in jobs)
        return +counts

    def includes(self, record: Record) -> bool:
        """Whether a record is of a job that the plan has, or may have once a search is finished."""
        config, search = self.config, self.config.search
        is_known = (
            record["split"] in config.splits
            and record["model"] in config.models
            and record["author"] in self.authors
        )
        if not is_known:
            return False
        job = job_of_record(record, config)
        searched = search is not None and job.author in search.authors
        if job.trial is None:
            has_settings = searched or not job.depends_on_search
            belongs = has_settings and job.seed in config.seeds_of(job.model, job.split)
        else:
            place = (job.model, job.split, job.seed)
            belongs = (
                search is not None
                and searched
                and place == (search.model, search.split, search.seed)
            )
        return belongs and job.name == record["job"]

    @property
    def _tuned_models(self) -> list[str]:
        models = self.config.models.items()
        return [name for name, model in models if model.settings_from == "search"]

    def _jobs(self, models: Sequence[str], authors: Sequence[str]) -> Iterator[Job]:
        for model in models:
            for split in self.config.splits:
                for seed in self.config.seeds_of(model, split):
                    for author in authors:
                        yield Job(split=split, seed=seed, model=model, author=author)

    def _trials(self, records: Records) -> Iterator[Job]:
        for search in self.searches:
            yield from search.ready(records)

    def _tuned_jobs(self, records: Records) -> Iterator[Job]:
        """Yield the jobs of models with searched settings, where the search is finished."""
        for search in self.searches:
            settings = search.best_setting(records)
            if settings is not None:
                for job in self._jobs(self._tuned_models, [search.author]):
                    yield replace(job, settings=settings, depends_on_search=True)

    def _order(self, job: Job) -> tuple[Any, ...]:
        """Return the sort key of a job: fast models, then trials, then the rest by seed.

        Trials wait for one another and would otherwise finish last. Sorting by seed completes one
        split after the other.
        """
        return (
            self.config.models[job.model].kind != "ngram",
            job.trial is None,
            job.seed,
            list(self.config.splits).index(job.split),
            list(self.config.models).index(job.model),
            self.authors.index(job.author),
            job.trial or 0,
        )


def job_of_record(record: Record, config: ExperimentConfig) -> Job:
    """Return the job of a record, without its settings."""
    fields = ("split", "seed", "model", "author", "trial")
    searched = config.models[record["model"]].settings_from == "search"
    return Job(**{name: record[name] for name in fields}, depends_on_search=searched)


def _check_authors(config: ExperimentConfig, authors: Sequence[str]) -> None:
    evaluation = config.evaluation
    highlighted = evaluation.highlighted_author
    named = {
        "search.authors": config.search.authors if config.search else (),
        "evaluation.excluded_from_mean": evaluation.excluded_from_mean,
        "evaluation.highlighted_author": [] if highlighted is None else [highlighted],
        "evaluation.same_person": chain.from_iterable(evaluation.same_person),
    }
    for key, names in named.items():
        unknown = sorted(set(names) - set(authors))
        if unknown:
            raise UsageError(
                f"{key}: there is no author {', '.join(unknown)}. "
                f"The authors are {', '.join(authors)}"
            )
