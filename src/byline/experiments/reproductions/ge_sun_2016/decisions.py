"""Attribution of all test sentences of a run, alone and joined to random texts."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial

import numpy as np
from numpy.typing import NDArray

from byline.array_types import Floats, Integers
from byline.experiments.reproductions.ge_sun_2016.bootstrap import generator
from byline.experiments.reproductions.ge_sun_2016.finished_run import ExperimentRun
from byline.experiments.reproductions.ge_sun_2016.scoring_rules import (
    RULES,
    SHARED,
    SentenceScores,
    count_tied_or_better,
    shares_attributed,
)

TOO_FEW = -1


def draw_orders(n_sentences: int, n_texts: int, *names: str | int) -> Integers:
    """Shuffle an author's test sentences once per random text (section 4 of the paper).

    The first k sentences of a row are the random text of k sentences.

    Parameters
    ----------
    n_sentences, n_texts : int
    names : str or int
        The random numbers depend on these names alone, so that all models and rules attribute the
        same texts.

    Returns
    -------
    (n_texts, n_sentences) int64
    """
    sentences = np.tile(np.arange(n_sentences), (n_texts, 1))
    return generator(*names).permuted(sentences, axis=1)


def ranks_of_texts(
    costs: Floats, author: int, orders: Integers, lengths: Sequence[int]
) -> NDArray[np.int16]:
    """Count, per random text and length, the rivals that are as good as the true author.

    Parameters
    ----------
    costs : (n_authors, n_sentences) float64
        Costs of the author's own test sentences, under every candidate.
    author : int
    orders : (n_texts, n_sentences) int64
    lengths : sequence of int

    Returns
    -------
    (n_texts, n_lengths) int16
        `TOO_FEW` if the author has fewer sentences.
    """
    sums = np.cumsum(costs[:, orders[:, : max(lengths)]], axis=2)  # (n_authors, n_texts, longest)
    ranks = count_tied_or_better(sums, sums[author])
    found = np.full((len(orders), len(lengths)), TOO_FEW, dtype=np.int16)
    for place, length in enumerate(lengths):
        if length <= ranks.shape[1]:
            found[:, place] = ranks[:, length - 1]
    return found


Pair = tuple[int, int]


@dataclass(frozen=True, slots=True, eq=False)
class SeedDecisions:
    """Attributions on one seed of a split.

    Attributes
    ----------
    ranks : (n_authors, n_texts, n_lengths) int16
        Number of rivals as good as the true author; `TOO_FEW` if there are too few sentences.
    attributed : (n_authors, n_authors) float64
        Number of single test sentences by the author of the row that were attributed to the author
        of the column; ties count in equal parts.
    sentences : tuple of (n,) int64
        Numbers of each author's test sentences in the whole corpus.
    attributed_to : mapping of (author, other) to (n,) float64
        For pairs who are the same person: the share of each sentence that was attributed to the
        other.
    n_by_highest : int
        Number of single sentences for which the true author alone has the highest cost.
    """

    ranks: NDArray[np.int16]
    attributed: Floats
    sentences: tuple[Integers, ...]
    attributed_to: Mapping[Pair, Floats]
    n_by_highest: int


@dataclass(frozen=True, slots=True, eq=False)
class Decisions:
    """Attributions by one model and rule on all complete seeds of a split.

    Attributes
    ----------
    split, rule, model : str
    lengths : tuple of int
        Lengths of the random texts in sentences.
    by_seed : mapping of seed to SeedDecisions
    """

    split: str
    rule: str
    model: str
    lengths: tuple[int, ...]
    by_seed: Mapping[int, SeedDecisions]

    @property
    def seeds(self) -> list[int]:
        """The complete seeds, in order."""
        return list(self.by_seed)

    def ranks(
        self, authors: Sequence[int], seeds: Sequence[int] | None = None
    ) -> NDArray[np.int16]:
        """Return the ranks of random texts, (n_seeds, n_authors, n_texts, n_lengths) int16."""
        chosen = self.seeds if seeds is None else seeds
        return np.stack([self.by_seed[seed].ranks[list(authors)] for seed in chosen])

    def possible(self, authors: Sequence[int], seeds: Sequence[int] | None = None) -> list[int]:
        """Return the positions of the lengths for which all these authors have enough sentences."""
        enough = (self.ranks(authors, seeds) != TOO_FEW).all(axis=(0, 1, 2))
        return np.flatnonzero(enough).tolist()


def decisions_of_run(run: ExperimentRun) -> list[Decisions]:
    """Attribute the test sentences by every model, and by every rule that the model supports.

    A seed is complete if every candidate has a model. Models without a complete seed are left out.
    """
    found: list[Decisions] = []
    for split in run.config.splits:
        draw = cache(partial(_draw, run, split))  # the same texts for all models and rules
        for model, section in run.config.models.items():
            if section.attribution and run.authors_of(model) == run.authors:
                found += _decide(run, split, model, draw)
    return found


def _draw(run: ExperimentRun, split: str, seed: int) -> list[Integers]:
    """Draw every author's random texts, each (n_texts, longest length) int64."""
    evaluation, longest = run.config.evaluation, max(run.config.evaluation.sentences)
    return [
        draw_orders(
            len(part), evaluation.random_texts, run.config.seed, "trials", split, seed, author
        )[:, :longest].copy()
        for author, part in zip(run.authors, run.test_parts(split, seed), strict=True)
    ]


def _decide(
    run: ExperimentRun, split: str, model: str, draw: Callable[[int], list[Integers]]
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
    run: ExperimentRun, scores: SentenceScores, orders: Sequence[Integers], costs: Floats
) -> SeedDecisions:
    attributed = shares_attributed(costs, scores.author)
    own = costs[scores.author, np.arange(costs.shape[1])]
    parts = [np.flatnonzero(scores.author == author) for author in range(len(run.authors))]
    lengths = run.config.evaluation.sentences
    return SeedDecisions(
        ranks=np.stack(
            [ranks_of_texts(costs[:, at], a, orders[a], lengths) for a, at in enumerate(parts)]
        ),
        attributed=np.stack([attributed[:, at].sum(axis=1) for at in parts]),
        sentences=tuple(scores.sentence[at] for at in parts),
        attributed_to={(a, b): attributed[b, parts[a]] for a, b in pairs_of(run)},
        n_by_highest=int((count_tied_or_better(-costs, -own) == 0).sum()),
    )


def pairs_of(run: ExperimentRun) -> list[Pair]:
    """List the pairs of candidates who are the same person, in both directions."""
    known = {author: number for number, author in enumerate(run.authors)}
    return [
        (known[a], known[b])
        for pair in run.config.evaluation.same_person
        for a, b in (pair, pair[::-1])
        if a in known and b in known
    ]
