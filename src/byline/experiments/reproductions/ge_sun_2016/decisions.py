"""All decisions of a run: who is named for its test sentences, alone and joined to random texts."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial

import numpy as np
from numpy.typing import NDArray

from byline.array_types import Floats, Integers
from byline.experiments.reproductions.ge_sun_2016.bootstrap import generator
from byline.experiments.reproductions.ge_sun_2016.finished_run import Run
from byline.experiments.reproductions.ge_sun_2016.scoring_rules import (
    RULES,
    SHARED,
    SentenceScores,
    count_tied_or_better,
    named,
)

TOO_FEW = -1


def draw_orders(n_sentences: int, n_trials: int, *names: str | int) -> NDArray[np.int64]:
    """Shuffle an author's test sentences once a trial; its first k are the trial of k sentences.

    Parameters
    ----------
    n_sentences, n_trials : int
    names : str or int
        What the draw hangs on, so that all models and rules see the same trials.

    Returns
    -------
    (n_trials, n_sentences) int64
    """
    sentences = np.tile(np.arange(n_sentences), (n_trials, 1))
    return generator(*names).permuted(sentences, axis=1)


def ranks_of_trials(
    costs: Floats, author: int, orders: NDArray[np.int64], lengths: Sequence[int]
) -> NDArray[np.int16]:
    """Count, trial by trial and length by length, the rivals that are as good as the true author.

    Parameters
    ----------
    costs : (n_authors, n_sentences) float64
        Of the author's own test sentences, under every candidate.
    author : int
    orders : (n_trials, n_sentences) int64
    lengths : sequence of int

    Returns
    -------
    (n_trials, n_lengths) int16
        `TOO_FEW` where the author has fewer sentences.
    """
    sums = np.cumsum(costs[:, orders[:, : max(lengths)]], axis=2)  # (n_authors, n_trials, longest)
    ranks = count_tied_or_better(sums, sums[author])
    found = np.full((len(orders), len(lengths)), TOO_FEW, dtype=np.int16)
    for place, length in enumerate(lengths):
        if length <= ranks.shape[1]:
            found[:, place] = ranks[:, length - 1]
    return found


Pair = tuple[int, int]


@dataclass(frozen=True, slots=True, eq=False)
class SeedDecisions:
    """Decisions on one seed of a split.

    Attributes
    ----------
    ranks : (n_authors, n_trials, n_lengths) int16
        Rivals as good as the true author; `TOO_FEW` of an author with too few sentences.
    given : (n_authors, n_authors) float64
        Single test sentences of a row's author given to a column's.
    sentences : tuple of (n,) int64
        Numbers of each author's test sentences in the whole corpus.
    given_to : mapping of (author, named) to (n,) float64
        Share of each of an author's sentences that is given to another; of the pairs looked at.
    n_by_highest : int
        Single sentences for which the true author's cost is the highest alone.
    """

    ranks: NDArray[np.int16]
    given: Floats
    sentences: tuple[Integers, ...]
    given_to: Mapping[Pair, Floats]
    n_by_highest: int


@dataclass(frozen=True, slots=True, eq=False)
class Decisions:
    """Decisions by one model and rule on all seeds of a split that are complete.

    Attributes
    ----------
    split, rule, model : str
    lengths : tuple of int
        Sentences of the random texts.
    by_seed : mapping of seed to SeedDecisions
    """

    split: str
    rule: str
    model: str
    lengths: tuple[int, ...]
    by_seed: Mapping[int, SeedDecisions]

    @property
    def seeds(self) -> list[int]:
        """Seeds with decisions, in their order."""
        return list(self.by_seed)

    def ranks(
        self, authors: Sequence[int], seeds: Sequence[int] | None = None
    ) -> NDArray[np.int16]:
        """Return ranks of trials: (n_seeds, n_authors, n_trials, n_lengths) int16."""
        chosen = self.seeds if seeds is None else seeds
        return np.stack([self.by_seed[seed].ranks[list(authors)] for seed in chosen])

    def possible(self, authors: Sequence[int], seeds: Sequence[int] | None = None) -> list[int]:
        """Find places of the lengths that all these authors' test parts have."""
        enough = (self.ranks(authors, seeds) != TOO_FEW).all(axis=(0, 1, 2))
        return np.flatnonzero(enough).tolist()


def decisions_of_run(run: Run) -> list[Decisions]:
    """Decide by every model that names authors, and every rule that suits it.

    A seed counts where every candidate's model is there; a model without such a seed is left out.
    """
    found: list[Decisions] = []
    for split in run.config.splits:
        draw = cache(partial(_draw, run, split))  # the same trials for all models and rules
        for model, section in run.config.models.items():
            if section.attributes and run.authors_of(model) == run.authors:
                found += _decide(run, split, model, draw)
    return found


def _draw(run: Run, split: str, seed: int) -> list[Integers]:
    """Draw every author's trials: (n_trials, longest length) int64 each."""
    evaluation, longest = run.config.evaluation, max(run.config.evaluation.sentences)
    return [
        draw_orders(len(part), evaluation.trials, run.config.seed, "trials", split, seed, author)[
            :, :longest
        ].copy()
        for author, part in zip(run.authors, run.test_parts(split, seed), strict=True)
    ]


def _decide(
    run: Run, split: str, model: str, draw: Callable[[int], list[Integers]]
) -> Iterator[Decisions]:
    evaluation = run.config.evaluation
    skips = run.config.models[model].unknown[0] == "skip"
    rules = [str(rule) for rule in evaluation.rules if not (skips and rule == SHARED)]
    found: dict[str, dict[int, SeedDecisions]] = {rule: {} for rule in rules}
    for seed in run.complete_seeds(split, model):
        scores = run.scores(split, seed, model)
        for rule in rules:
            found[rule][seed] = _decide_seed(run, scores, draw(seed), RULES[rule](scores))
    for rule, by_seed in found.items():
        if by_seed:
            yield Decisions(split, rule, model, evaluation.sentences, by_seed)


def _decide_seed(
    run: Run, scores: SentenceScores, orders: Sequence[Integers], costs: Floats
) -> SeedDecisions:
    names = named(costs, scores.author)
    own = costs[scores.author, np.arange(costs.shape[1])]
    parts = [np.flatnonzero(scores.author == author) for author in range(len(run.authors))]
    lengths = run.config.evaluation.sentences
    return SeedDecisions(
        ranks=np.stack(
            [ranks_of_trials(costs[:, at], a, orders[a], lengths) for a, at in enumerate(parts)]
        ),
        given=np.stack([names[:, at].sum(axis=1) for at in parts]),
        sentences=tuple(scores.sentence[at] for at in parts),
        given_to={(a, b): names[b, parts[a]] for a, b in pairs_of(run)},
        n_by_highest=int((count_tied_or_better(-costs, -own) == 0).sum()),
    )


def pairs_of(run: Run) -> list[Pair]:
    """List the candidates who are one and the same person, in both directions."""
    known = {author: number for number, author in enumerate(run.authors)}
    return [
        (known[a], known[b])
        for pair in run.config.evaluation.same_person
        for a, b in (pair, pair[::-1])
        if a in known and b in known
    ]
