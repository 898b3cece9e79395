"""Look-up of the results that the errata cite, and the form of an erratum."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from byline.experiments.reproductions.ge_sun_2016.published import NETWORK, NGRAM, PublishedFigures
from byline.formatting import signed

Erratum = dict[str, Any]
Entry = Mapping[str, Any]
NO_FIGURES = "This run does not have the figures for this point."
# The rule of the authors' program, which applies to what the paper states about accuracy.
AUTHORS_RULE = "sum-of-perplexities"
TREATMENTS = {
    "score": "unknown words in sum and count",
    "skip": "unknown words in neither sum nor count, as in SRILM",
    "ge-sun-2016": "unknown words in the sum but not in the count, as in the authors' program",
}


class RunEvidence:
    """Results of a run, looked up by their role in the paper.

    Parameters
    ----------
    results : mapping
    published : PublishedFigures

    Attributes
    ----------
    split : str or None
        The paper's split, by sentence.
    whole : str or None
        A split that keeps documents whole.
    network, ngram : str or None
        The models that correspond to those the paper compares.
    """

    def __init__(self, results: Entry, published: PublishedFigures) -> None:
        self.results = results
        self.published = published
        units = {split["split"]: split["unit"] for split in results["splits"]}
        self.split = next((s for s, unit in units.items() if unit == "sentence"), None)
        self.whole = next((s for s, unit in units.items() if unit == "document"), None)
        self.network = self.model(NETWORK)
        self.ngram = self.model(NGRAM)

    def model(self, column: str) -> str | None:
        """Return the model that corresponds to a published column."""
        named = (m["model"] for m in self.results["models"] if m["published"] == column)
        return next(named, None)

    @property
    def kneser_neys(self) -> list[str]:
        """Models with Kneser-Ney smoothing."""
        return [
            model["model"]
            for model in self.results["models"]
            if "kneser-ney" in str(model["settings"].get("smoothing"))
        ]

    def label(self, model: str | None) -> str:
        """Return the label of a model."""
        return str(next(m["label"] for m in self.results["models"] if m["model"] == model))

    def find(self, table: str, **wanted: Any) -> list[Entry]:
        """Return the entries of a table whose keys have the wanted values."""
        return [
            entry
            for entry in self.results[table]
            if all(entry[key] == value for key, value in wanted.items())
        ]

    def column(self, model: str | None, split: str | None = None) -> Entry | None:
        """Return a model's column of perplexities, by default on the paper's split, if finite."""
        for table in self.find("perplexity", split=split or self.split):
            for column in table["columns"]:
                if column["model"] == model and column["average"]["mean"] is not None:
                    return dict(column)
        return None

    def counted(self, model: str | None, part: str, unknown: str) -> float | None:
        """Return the mean perplexity on the paper's split by part and treatment of unknowns."""
        found = self.find("counting", split=self.split, model=model, part=part, unknown=unknown)
        return found[0]["mean"] if found else None

    def compared(self, sentences: int, rule: str | None = None) -> Iterator[Entry]:
        """Yield comparisons of the network with its rivals on the paper's split."""
        for entry in self.find(
            "comparisons", split=self.split, model=self.network, sentences=sentences
        ):
            if rule is None or entry["rule"] == rule:
                yield entry


def make_erratum(
    title: str,
    statement: str,
    measured: Iterable[str],
    figures: Sequence[tuple[str, str]] = (),
) -> Erratum:
    """Combine what the paper states with sentences and figures on what was measured."""
    sentences = list(measured) or [NO_FIGURES]
    return {
        "title": title,
        "text": " ".join([statement, *sentences]),
        "figures": [{"what": what, "value": value} for what, value in figures],
    }


def points(entry: Entry, unit: float = 1.0) -> str:
    """Format a difference with its interval in points; ``unit`` converts it to points."""
    values = (entry["difference"], entry["low"], entry["high"])
    difference, low, high = (signed(unit * value) for value in values)
    return f"{difference} percentage points (95 % interval {low} to {high})"
