"""Charts of the results of an experiment."""

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
Results = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Group:
    """Results of all models with one split and scoring rule, and charts of them."""

    split: str
    rule: str
    entries: tuple[Entry, ...]
    styles: Mapping[str, int]
    n_candidates: int

    @property
    def highlighted(self) -> LineChart | None:
        """Accuracy of the highlighted author by number of sentences."""
        return self._over_sentences("highlighted")

    @property
    def mean(self) -> LineChart | None:
        """Accuracy by number of sentences, averaged over authors."""
        return self._over_sentences("mean")

    @property
    def maps(self) -> list[tuple[Entry, LogHeatMap | None]]:
        """Confusion matrix of each model on one scale; pairs of one person are outlined."""
        shares = [share for e in self.entries for row in e["shares"] for share in row if share]
        return [(entry, _map(entry, min(shares, default=None))) for entry in self.entries]

    @property
    def stages(self) -> list[tuple[str, MarkChart | None]]:
        """Accuracy per author, at each stage."""
        return [(stage, self._stage(stage)) for stage in self.stage_names]

    @property
    def legend(self) -> list[Series]:
        """One series per model, for a legend that several charts share."""
        return [Series(entry["label"], self.styles[entry["model"]], ()) for entry in self.entries]

    @property
    def lengths(self) -> list[int]:
        """Numbers of sentences for which the accuracy is known."""
        return sorted({n for entry in self.entries for n in entry["sentences"]})

    @property
    def key_lengths(self) -> list[int]:
        """The stages, and the longest texts."""
        return sorted({*map(int, self.stage_names), *self.lengths[-1:]})

    def at(self, entry: Entry, sentences: int) -> float | None:
        """Return the mean accuracy of a model at a length; None if unknown."""
        return dict(zip(entry["sentences"], entry["mean"]["mean"], strict=True)).get(sentences)

    @property
    def n_best_places(self) -> list[int]:
        """All n for which the accuracy among the first n candidates is known."""
        found = (
            share["n"] for e in self.entries for best in e["n_best"] for share in best["shares"]
        )
        return sorted(set(found))

    @property
    def n_best_lengths(self) -> list[int]:
        """Numbers of sentences for which the accuracy among the first n is known."""
        return sorted({best["sentences"] for entry in self.entries for best in entry["n_best"]})

    def n_best(self, entry: Entry, sentences: int) -> dict[int, float | None]:
        """Return the share of texts whose author is among the first n candidates, by n."""
        found = (best for best in entry["n_best"] if best["sentences"] == sentences)
        return {share["n"]: share["share"] for best in found for share in best["shares"]}

    @property
    def stage_names(self) -> list[str]:
        """Numbers of sentences that are stages."""
        names = (name for e in self.entries for row in e["stages"] for name in row["accuracy"])
        return list(dict.fromkeys(names))

    @property
    def stage_authors(self) -> list[str]:
        """Authors whose accuracy is known at the stages."""
        return list(dict.fromkeys(row["author"] for e in self.entries for row in e["stages"]))

    def stage(self, entry: Entry, author: str, stage: str) -> float | None:
        """Return the accuracy of a model at a stage; None if unknown."""
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
        return Series("chance", 0, [share] * len(sentences), marked=False, faint=True)

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


def styles(results: Results) -> dict[str, int]:
    """Return a number per model that attributes texts, for its colour; networks first."""
    attributing = {entry["model"] for entry in results["accuracy"]}
    models = [model for model in results["models"] if model["model"] in attributing]
    models.sort(key=lambda model: model["kind"] == "ngram")
    return {model["model"]: number for number, model in enumerate(models)}


def groups(results: Results, key: str) -> list[Group]:
    """Group the entries of "accuracy" or "confusion" by split and rule."""
    gathered: dict[tuple[str, str], list[Entry]] = {}
    for entry in results[key]:
        gathered.setdefault((entry["split"], entry["rule"]), []).append(entry)
    of_models = styles(results)
    return [
        Group(split, rule, tuple(entries), of_models, len(results["authors"]))
        for (split, rule), entries in gathered.items()
    ]


def mean_accuracy(
    of_accuracy: Iterable[Group], split: str, rule: str, model: str, sentences: int
) -> float | None:
    """Return a model's mean accuracy; None if the model does not support the rule."""
    for group in of_accuracy:
        if (group.split, group.rule) == (split, rule):
            for entry in group.entries:
                if entry["model"] == model:
                    return group.at(entry, sentences)
    return None


def attributing_models(of_accuracy: Iterable[Group], split: str) -> list[str]:
    """List the models that attribute texts on a split, by any rule."""
    entries = (entry for group in of_accuracy if group.split == split for entry in group.entries)
    return list(dict.fromkeys(entry["model"] for entry in entries))


def vocabulary_chart(rows: Sequence[Entry]) -> BarChart | None:
    """Chart the size of each author's vocabulary after each step."""
    return bar_chart(
        [row["author"] for row in rows],
        [
            Series(label, number, [row[stage] for row in rows])
            for number, (stage, label) in enumerate(STAGES_OF_VOCABULARY.items())
        ],
        y_label="distinct words",
    )


def coverage_chart(rows: Sequence[Entry]) -> BarChart | None:
    """Chart the share of each author's text that the most frequent words cover."""
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
    """Return the numbers of most frequent words for which coverage is known, ascending."""
    return sorted({size for row in rows for size in row["coverage"]}, key=int)


def search_chart(search: Entry) -> LineChart | None:
    """Chart the cost of each trial, and of the best one so far."""
    trials = search["trials"]
    costs = [trial["cost"] for trial in trials]
    return line_chart(
        [trial["trial"] for trial in trials],
        [
            Series("trial", 1, costs, joined=False),
            Series("best so far", 0, list(accumulate(costs, _lower)), marked=False),
        ],
        x_label="trial",
        y_label="validation cost (nats per word)",
    )


def _map(entry: Entry, smallest: float | None) -> LogHeatMap | None:
    pairs = [(pair["author"], pair["predicted"]) for pair in entry["pairs"]]
    return log_heat_map(entry["labels"], entry["shares"], pairs, smallest)


def _spaced(
    places: Sequence[int], own: Sequence[int], values: Sequence[float | None]
) -> list[float | None]:
    known = dict(zip(own, values, strict=True))
    return [known.get(place) for place in places]


def _lower(best: float | None, cost: float | None) -> float | None:
    return cost if best is None else best if cost is None else min(best, cost)
