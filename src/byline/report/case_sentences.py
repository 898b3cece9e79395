"""An answer in plain words: who, how sure, and against whom."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from byline.formatting import bounded_percent, isolated, times_as_much

STANDS_OUT = 0.5  # a likeliest candidate with less is more likely not to be the author
NOTABLE_LOG10 = 0.30103  # a likelihood ratio of 2, below which neither side is supported


def answer_sentence(entry: Mapping[str, Any]) -> str:
    """Say in one sentence who is named, and how sure that is.

    Parameters
    ----------
    entry : mapping
        A questioned text, as :func:`byline.report.attribution_summary` describes it.
    """
    if entry["open_set"] and not entry["open_set"]["accepted"]:
        return f"None of the candidates is named: {entry['open_set']['sentence']}."
    if entry["declined"]:
        return f"Nobody is named: {entry['declined']}."
    best, n_authors = entry["ranking"][0], len(entry["ranking"])
    author = isolated(best["author"])
    if best["probability"] is None:
        return (
            f"Of the {n_authors} candidates, {author} fits the text best; how sure that is "
            f"cannot be said, as {entry['calibration_unavailable_reason']}."
        )
    probability = bounded_percent(best["probability"])
    if best["probability"] < STANDS_OUT:
        return (
            f"No candidate stands out: {author} is the likeliest of the {n_authors}, with "
            f"a probability of {probability} only."
        )
    return (
        f"If one of the {n_authors} candidates wrote it, it was most likely {author}, with "
        f"a probability of {probability}."
    )


def ratio_sentence(
    entry: Mapping[str, Any], log10_bounds: Sequence[float] | None = None
) -> str | None:
    """Say what the first candidate's likelihood ratio means; None where there is none.

    Parameters
    ----------
    entry : mapping
        As in `answer_sentence`.
    log10_bounds : (lowest, highest), optional
        Within which ratios are stated.
    """
    if entry["declined"] or entry["ranking"][0]["log10_lr"] is None:
        return None
    best, n_authors = entry["ranking"][0], len(entry["ranking"])
    author, others = isolated(best["author"]), "one of the other candidates"
    if n_authors == 2:
        others = isolated(entry["ranking"][1]["author"])
    ratio = best["log10_lr"]
    if abs(ratio) < NOTABLE_LOG10:
        return (
            f"Such a text is about as probable if {author} wrote it as if {others} did: "
            "that supports neither side."
        )
    support = best["support"] + (f" for {author}" if ratio > 0 else "")
    limit = ", the highest that is stated" if log10_bounds and ratio >= log10_bounds[1] else ""
    return (
        f"Such a text is about {times_as_much(ratio)} as probable if {author} wrote it as if "
        f"{others} did (log10 likelihood ratio {ratio:.1f}{limit}): {support}."
    )
