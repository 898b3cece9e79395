"""From an experiment's outcome to its charts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Any

from byline.formatting import short_percent
from byline.report.charts import (
    SHARES,
    BarChart,
    LineChart,
    LogHeatMap,
    MarkChart,
    Series,
    bar_chart,
    line_chart,
    log_heat_map,
    mark_chart,
)

STAGES_OF_VOCABULARY = {
    "vocabulary_original": "words as written",
    "vocabulary_stemmed": "stems",
    "vocabulary_pruned": "stems left after pruning",
}

Entry = Mapping[str, Any]
Outcome = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Group:
    """Entries of one split and scoring rule, one a model, with figures made of them."""

    split: str
    rule: str
    entries: tuple[Entry, ...]
    styles: Mapping[str, int]
    n_candidates: int

    @property
    def alone(self) -> LineChart | None:
        """Accuracy of one author over the number of sentences."""
        return self._over_sentences("alone")

    @property
    def mean(self) -> LineChart | None:
        """The same, averaged over authors."""
        return self._over_sentences("mean")

    @property
    def maps(self) -> list[tuple[Entry, LogHeatMap | None]]:
        """Confusion matrix of each model, all on one scale, pairs of one person outlined."""
        shares = [share for e in self.entries for row in e["shares"] for share in row if share]
        return [(entry, _map(entry, min(shares, default=None))) for entry in self.entries]

    @property
    def stages(self) -> list[tuple[str, MarkChart | None]]:
        """Accuracy author by author, at each stage."""
        return [(stage, self._stage(stage)) for stage in self.stage_names]

    @property
    def legend(self) -> list[Series]:
        """One series a model, for a legend that several figures share."""
        return [Series(entry["label"], self.styles[entry["model"]], ()) for entry in self.entries]

    @property
    def lengths(self) -> list[int]:
        """Numbers of sentences whose accuracy is known."""
        return sorted({n for entry in self.entries for n in entry["sentences"]})

    @property
    def key_lengths(self) -> list[int]:
        """Stages, and the longest text."""
        return sorted({*map(int, self.stage_names), *self.lengths[-1:]})

    def at(self, entry: Entry, sentences: int) -> float | None:
        """Mean accuracy of a model at a length; None where it is not known."""
        return dict(zip(entry["sentences"], entry["mean"]["mean"], strict=True)).get(sentences)

    @property
    def n_best_places(self) -> list[int]:
        """Every n of which it is known how often the author is among the n best."""
        found = (
            share["n"] for e in self.entries for best in e["n_best"] for share in best["shares"]
        )
        return sorted(set(found))

    @property
    def n_best_lengths(self) -> list[int]:
        """Numbers of sentences at which it is known how often the author is among the n best."""
        return sorted({best["sentences"] for entry in self.entries for best in entry["n_best"]})

    def n_best(self, entry: Entry, sentences: int) -> dict[int, float | None]:
        """Share of texts whose author is among the n best, by n."""
        found = (best for best in entry["n_best"] if best["sentences"] == sentences)
        return {share["n"]: share["share"] for best in found for share in best["shares"]}

    @property
    def stage_names(self) -> list[str]:
        """Numbers of sentences that are stages."""
        names = (name for e in self.entries for row in e["stages"] for name in row["accuracy"])
        return list(dict.fromkeys(names))

    @property
    def stage_authors(self) -> list[str]:
        """Authors whose accuracy is known at stages."""
        return list(dict.fromkeys(row["author"] for e in self.entries for row in e["stages"]))

    def stage(self, entry: Entry, author: str, stage: str) -> float | None:
        """Accuracy of a model at a stage; None where it is not known."""
        found = (row["accuracy"].get(stage) for row in entry["stages"] if row["author"] == author)
        return next(found, None)

    def _over_sentences(self, which: str) -> LineChart | None:
        sentences = self.lengths
        lines = [
            Series(
                entry["label"],
                self.styles[entry["model"]],
                _spaced(sentences, entry["sentences"], entry[which]["mean"]),
                _spaced(sentences, entry["sentences"], entry[which]["sd"]),
            )
            for entry in self.entries
            if entry[which] is not None
        ]
        known = any(value is not None for line in lines for value in line.values)
        return line_chart(
            sentences,
            [*lines, self._guessing(sentences)] if known else [],
            x_label="sentences in the questioned text",
            y_label="accuracy",
            form=short_percent,
            bounds=SHARES,
        )

    def _guessing(self, sentences: Sequence[int]) -> Series:
        share = 1 / self.n_candidates
        return Series("by guessing", 0, [share] * len(sentences), marked=False, faint=True)

    def _stage(self, stage: str) -> MarkChart | None:
        authors = self.stage_authors
        return mark_chart(
            authors,
            [
                Series(
                    entry["label"],
                    self.styles[entry["model"]],
                    [self.stage(entry, author, stage) for author in authors],
                )
                for entry in self.entries
            ],
        )


def styles(outcome: Outcome) -> dict[str, int]:
    """Give each model that names authors a number for its colour and mark, networks first."""
    naming = {entry["model"] for entry in outcome["accuracy"]}
    models = [model for model in outcome["models"] if model["model"] in naming]
    models.sort(key=lambda model: model["kind"] == "ngram")
    return {model["model"]: number for number, model in enumerate(models)}


def groups(outcome: Outcome, key: str) -> list[Group]:
    """Gather entries of "accuracy" or "confusion" by split and rule, in their order."""
    gathered: dict[tuple[str, str], list[Entry]] = {}
    for entry in outcome[key]:
        gathered.setdefault((entry["split"], entry["rule"]), []).append(entry)
    of_models = styles(outcome)
    return [
        Group(split, rule, tuple(entries), of_models, len(outcome["authors"]))
        for (split, rule), entries in gathered.items()
    ]


def mean_accuracy(
    of_accuracy: Iterable[Group], split: str, rule: str, model: str, sentences: int
) -> float | None:
    """Look up a model's mean accuracy; None where it does not name authors by that rule."""
    for group in of_accuracy:
        if (group.split, group.rule) == (split, rule):
            for entry in group.entries:
                if entry["model"] == model:
                    return group.at(entry, sentences)
    return None


def naming_models(of_accuracy: Iterable[Group], split: str) -> list[str]:
    """List models that name authors on a split, by any rule."""
    entries = (entry for group in of_accuracy if group.split == split for entry in group.entries)
    return list(dict.fromkeys(entry["model"] for entry in entries))


def vocabulary_chart(rows: Sequence[Entry]) -> BarChart | None:
    """Size of each author's vocabulary, in stages."""
    return bar_chart(
        [row["author"] for row in rows],
        [
            Series(label, number, [row[stage] for row in rows])
            for number, (stage, label) in enumerate(STAGES_OF_VOCABULARY.items())
        ],
        y_label="distinct words",
    )


def coverage_chart(rows: Sequence[Entry]) -> BarChart | None:
    """Share of each author's text that the most frequent words make up."""
    return bar_chart(
        [row["author"] for row in rows],
        [
            Series(f"{size} most frequent", number, [row["coverage"].get(size) for row in rows])
            for number, size in enumerate(coverage_sizes(rows))
        ],
        y_label="share of all words",
        form=short_percent,
    )


def coverage_sizes(rows: Iterable[Entry]) -> list[str]:
    """Numbers of most frequent words whose coverage is known, ascending."""
    return sorted({size for row in rows for size in row["coverage"]}, key=int)


def search_chart(search: Entry) -> LineChart | None:
    """Cost of each trial, and of the best one so far."""
    trials = search["trials"]
    costs = [trial["cost"] for trial in trials]
    return line_chart(
        [trial["trial"] for trial in trials],
        [
            Series("a trial", 1, costs, joined=False),
            Series("the best so far", 0, list(accumulate(costs, _lower)), marked=False),
        ],
        x_label="trial",
        y_label="validation cost (nats a word)",
    )


def _map(entry: Entry, smallest: float | None) -> LogHeatMap | None:
    pairs = [(pair["author"], pair["named"]) for pair in entry["pairs"]]
    return log_heat_map(entry["labels"], entry["shares"], pairs, smallest)


def _spaced(
    places: Sequence[int], own: Sequence[int], values: Sequence[float | None]
) -> list[float | None]:
    known = dict(zip(own, values, strict=True))
    return [known.get(place) for place in places]


def _lower(best: float | None, cost: float | None) -> float | None:
    return cost if best is None else best if cost is None else min(best, cost)
