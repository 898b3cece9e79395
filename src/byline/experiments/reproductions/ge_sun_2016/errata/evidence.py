"""Where errata find their figures, and how they write them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from byline.experiments.reproductions.ge_sun_2016.published import NETWORK, NGRAM, Published

Erratum = dict[str, Any]
Entry = Mapping[str, Any]
LACKING = "This run lacks the figures for it."
# The rule of the authors' program, by which what they say of accuracy is judged.
THEIR_RULE = "sum-of-perplexities"
TREATMENTS = {
    "score": "unknown words in sum and count",
    "skip": "unknown words in neither, as SRILM counts",
    "ge-sun-2016": "unknown words in the sum and not in the count, as the authors' program counts",
}


class Evidence:
    """What a run has come to, looked up by the part that it plays in the paper.

    Parameters
    ----------
    outcome : mapping
    published : Published

    Attributes
    ----------
    split : str or None
        The paper's: by sentence.
    whole : str or None
        One that keeps documents whole.
    network, ngram : str or None
        Models that stand for those the paper compares.
    """

    def __init__(self, outcome: Entry, published: Published) -> None:
        self.outcome = outcome
        self.published = published
        units = {split["split"]: split["unit"] for split in outcome["splits"]}
        self.split = next((s for s, unit in units.items() if unit == "sentence"), None)
        self.whole = next((s for s, unit in units.items() if unit == "document"), None)
        self.network = self.model(NETWORK)
        self.ngram = self.model(NGRAM)

    def model(self, column: str) -> str | None:
        """Find the model that stands for a published column."""
        named = (m["model"] for m in self.outcome["models"] if m["published"] == column)
        return next(named, None)

    @property
    def kneser_neys(self) -> list[str]:
        """Models of Kneser-Ney smoothing."""
        return [
            model["model"]
            for model in self.outcome["models"]
            if "kneser-ney" in str(model["settings"].get("smoothing"))
        ]

    def label(self, model: str | None) -> str:
        """Give the name of a model that readers know."""
        return str(next(m["label"] for m in self.outcome["models"] if m["model"] == model))

    def find(self, table: str, **wanted: Any) -> list[Entry]:
        """Find entries of a list by the values of their keys."""
        return [
            entry
            for entry in self.outcome[table]
            if all(entry[key] == value for key, value in wanted.items())
        ]

    def column(self, model: str | None, split: str | None = None) -> Entry | None:
        """Find a model's column of finite perplexities, by default on the paper's split."""
        for table in self.find("perplexity", split=split or self.split):
            for column in table["columns"]:
                if column["model"] == model and column["average"]["mean"] is not None:
                    return dict(column)
        return None

    def counted(self, model: str | None, part: str, unknown: str) -> float | None:
        """Mean perplexity on the paper's split, of a part and with unknown words counted so."""
        found = self.find("counting", split=self.split, model=model, part=part, unknown=unknown)
        return found[0]["mean"] if found else None

    def compared(self, sentences: int, rule: str | None = None) -> Iterator[Entry]:
        """Find comparisons of the network on the paper's split, by rule and rival."""
        for entry in self.find(
            "comparisons", split=self.split, model=self.network, sentences=sentences
        ):
            if rule is None or entry["rule"] == rule:
                yield entry


def write(
    title: str,
    says: str,
    measured: Iterable[str],
    figures: Sequence[tuple[str, str]] = (),
) -> Erratum:
    """Put an erratum together: what the paper has, and sentences on what was measured instead."""
    sentences = list(measured) or [LACKING]
    return {
        "title": title,
        "text": " ".join([says, *sentences]),
        "figures": [{"what": what, "value": value} for what, value in figures],
    }


def signed(value: float, digits: int = 1) -> str:
    """Write a number with its sign."""
    return f"{round(value, digits) + 0.0:+.{digits}f}".replace("-", "\u2212")  # no -0.0


def percent(share: float, digits: int = 1) -> str:
    """Write a share."""
    return f"{100 * share:.{digits}f} %"


def points(entry: Entry, unit: float = 1.0) -> str:
    """Write a difference in percentage points, with its interval; ``unit`` is theirs in points."""
    values = (entry["difference"], entry["low"], entry["high"])
    difference, low, high = (signed(unit * value, 2) for value in values)
    return f"{difference} points ({low} to {high})"


def listed(names: Sequence[Any]) -> str:
    """Join names with commas, and the last one with an and."""
    *first, last = map(str, names)
    return f"{', '.join(first)} and {last}" if first else last


def count(n: int, what: str) -> str:
    """Write so many of something."""
    return f"{n} {what}" if n == 1 else f"{n} {what}s"
