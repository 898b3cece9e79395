"""Which jobs an experiment has, and which of them can be done now."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import Any

from byline.errors import UsageError
from byline.experiments.runner.config import ExperimentConfig
from byline.experiments.runner.jobs import Job
from byline.experiments.runner.searches import AuthorSearch

Done = Mapping[str, Mapping[str, Any]]


class Plan:
    """All jobs of an experiment.

    What can be done now hangs on the configuration and on the records alone, never on the order in
    which they came.

    Parameters
    ----------
    config : ExperimentConfig
    authors : sequence of str

    Attributes
    ----------
    fixed : dict of name to Job
        Those that wait for nothing, in their order.
    searches : tuple of AuthorSearch

    Raises
    ------
    UsageError
        The configuration names an author whom ``authors`` lacks, or a search that cannot be.
    """

    def __init__(self, config: ExperimentConfig, authors: Sequence[str]) -> None:
        self.config = config
        self.authors = tuple(authors)
        _check_authors(config, self.authors)
        searched = config.search.authors if config.search else ()
        self.searches = tuple(AuthorSearch(config, author) for author in searched)
        own = (name for name, model in config.models.items() if model.settings_from is None)
        fixed = sorted(self._jobs(own, self.authors), key=self._place)
        self.fixed = {job.name: job for job in fixed}
        self._places = {name: self._place(job) for name, job in self.fixed.items()}

    def ready(self, done: Done) -> list[Job]:
        """Give the jobs that can be done now, in the order they should.

        Parameters
        ----------
        done : mapping of job name to record
            Of failed jobs, to a mapping that has "failed".
        """
        waited = {job.name: job for job in chain(self._trials(done), self._with_settings(done))}
        places = self._places | {name: self._place(job) for name, job in waited.items()}
        left = {name: job for name, job in (self.fixed | waited).items() if name not in done}
        return [left[name] for name in sorted(left, key=places.__getitem__)]

    def n_total(self, done: Done) -> int:
        """Count all jobs; a search that may end early counts whole until it is over."""
        n_trials = sum(search.n_trials(done) for search in self.searches)
        searched = [search.author for search in self.searches if search.may_find(done)]
        return len(self.fixed) + n_trials + len(list(self._jobs(self._waiting_models, searched)))

    def later(self, done: Done) -> Counter[tuple[str, bool]]:
        """Count the jobs that wait for a search, by model and whether they are its trials."""
        counts: Counter[tuple[str, bool]] = Counter()
        for search in self.searches:
            counts[search.section.model, True] += search.n_later(done)
            if search.may_find(done) and search.found(done) is None:
                waiting = self._jobs(self._waiting_models, [search.author])
                counts.update((job.model, False) for job in waiting)
        return +counts

    @property
    def _waiting_models(self) -> list[str]:
        models = self.config.models.items()
        return [name for name, model in models if model.settings_from == "search"]

    def _jobs(self, models: Iterator[str] | Sequence[str], authors: Sequence[str]) -> Iterator[Job]:
        for model in models:
            for split in self.config.splits:
                for seed in self.config.seeds_of(model, split):
                    for author in authors:
                        yield Job(split=split, seed=seed, model=model, author=author)

    def _trials(self, done: Done) -> Iterator[Job]:
        for search in self.searches:
            yield from search.ready(done)

    def _with_settings(self, done: Done) -> Iterator[Job]:
        for search in self.searches:
            found = search.found(done)
            if found is not None:
                for job in self._jobs(self._waiting_models, [search.author]):
                    yield Job(
                        split=job.split,
                        seed=job.seed,
                        model=job.model,
                        author=job.author,
                        settings=found,
                        depends_on_search=True,
                    )

    def _place(self, job: Job) -> tuple[Any, ...]:
        """Order: quick models first; then trials, which wait for one another and end last.

        The rest is by seed, so that whole splits are finished one by one.
        """
        models = list(self.config.models)
        return (
            self.config.models[job.model].kind != "ngram",
            job.trial is None,
            job.seed,
            list(self.config.splits).index(job.split),
            models.index(job.model),
            self.authors.index(job.author),
            job.trial or 0,
        )


def _check_authors(config: ExperimentConfig, authors: Sequence[str]) -> None:
    evaluation = config.evaluation
    named = {
        "search.authors": config.search.authors if config.search else (),
        "evaluation.aside": evaluation.aside,
        "evaluation.alone": [] if evaluation.alone is None else [evaluation.alone],
        "evaluation.same_person": chain.from_iterable(evaluation.same_person),
    }
    for key, names in named.items():
        strangers = sorted(set(names) - set(authors))
        if strangers:
            raise UsageError(
                f"{key}: there is no author {', '.join(strangers)}; there are {', '.join(authors)}"
            )
