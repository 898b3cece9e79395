"""An experiment's searches, an author each: from records to the trials that can run now."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any

from byline.errors import UsageError
from byline.experiments.runner.config import ExperimentConfig
from byline.experiments.runner.jobs import Job
from byline.experiments.runner.models import language_model
from byline.experiments.runner.search import (
    Outcome,
    Range,
    Search,
    Trial,
    best,
    next_trials,
    trials,
)
from byline.lm.networks.network_lm import parameter_values

HIDDEN = "hidden_dim"  # one hidden layer, which the model knows as `hidden_dims`
Settings = tuple[tuple[str, Any], ...]
Done = Mapping[str, Mapping[str, Any]]


class AuthorSearch:
    """The search for one author's best setting.

    Parameters
    ----------
    config : ExperimentConfig
        It has a search.
    author : str

    Raises
    ------
    UsageError
        A range is of no parameter of the model, or the model's own setting is no start.
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
            start=_start(config),
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
            settings=settings_of(trial),
            reference_costs=trial.reference_costs,
        )

    def results(self, done: Done) -> dict[int, Outcome]:
        """Find the results of this author's trials among all records."""
        prefix = self.job(Trial(0, 0, {})).name.rpartition(".")[0] + "."
        found = {}
        for name in done:
            if name.startswith(prefix):
                costs = tuple(e["validation_cost"] for e in done[name].get("history", ()))
                seconds = done[name].get("made", {}).get("cpu_seconds", 0.0)
                found[int(name.removeprefix(prefix))] = Outcome(costs, seconds)
        return found

    def ready(self, done: Done) -> list[Job]:
        """Give the trials that can run now."""
        return [self.job(trial) for trial in next_trials(self.search, self.results(done))]

    def is_over(self, done: Done) -> bool:
        """Whether no trial is left."""
        return not self.ready(done)

    def found(self, done: Done) -> Settings | None:
        """Give the best setting, where the search is over and has found one."""
        leader = best(self.search, self.results(done)) if self.is_over(done) else None
        return None if leader is None else settings_of(leader)

    def may_find(self, done: Done) -> bool:
        """Whether there is a best setting, or still may be."""
        return not self.is_over(done) or self.found(done) is not None

    def n_trials(self, done: Done) -> int:
        """Count the trials: of a search that is not over, as many as it may have, where known."""
        if self.section.settings is not None and not self.is_over(done):
            return self.section.settings
        results = self.results(done)
        return len(results.keys() | {trial.number for trial in trials(self.search, results)})

    def n_later(self, done: Done) -> int:
        """Count the trials that wait for others."""
        known = self.results(done).keys() | {job.trial for job in self.ready(done)}
        return max(0, self.n_trials(done) - len(known))


def settings_of(trial: Trial) -> Settings:
    """Give a trial's setting as parameters of the model."""
    named = ((name, value) for name, value in sorted(trial.setting.items()))
    return tuple(("hidden_dims", (v,)) if name == HIDDEN else (name, v) for name, v in named)


def _start(config: ExperimentConfig) -> dict[str, float]:
    """Take the start from the model's own settings."""
    assert config.search is not None  # noqa: S101
    name = config.search.model
    section = config.models[name]
    model = language_model(section.kind, section.preset, section.settings)
    parameters = parameter_values(model)
    layers = parameters.pop("hidden_dims", ())
    if len(layers) == 1:
        parameters[HIDDEN] = layers[0]
    numbers = {k: v for k, v in parameters.items() if type(v) in (int, float)}
    strange = sorted(set(config.search.ranges) - set(numbers))
    if strange:
        raise UsageError(
            f"search.ranges: {', '.join(strange)}: models.{name} has no such number; "
            f"it has {', '.join(sorted(numbers))}"
        )
    for key, place in config.search.ranges.items():
        if type(numbers[key]) is int and not place.whole:
            raise UsageError(f"search.ranges.{key}: only whole numbers will do; add whole = true")
    return {key: numbers[key] for key in config.search.ranges}
