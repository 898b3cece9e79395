"""Points where the paper's figures were not reproduced, each with the figures of this run."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from byline.experiments.reproductions.ge_sun_2016.errata import accuracy, perplexity
from byline.experiments.reproductions.ge_sun_2016.errata import accuracy as confusion
from byline.experiments.reproductions.ge_sun_2016.errata import perplexity as profile
from byline.experiments.reproductions.ge_sun_2016.errata.evidence import Erratum, RunEvidence
from byline.experiments.reproductions.ge_sun_2016.published import PublishedFigures

ERRATA = (
    profile.row_order,
    profile.misprint,
    profile.statements,
    perplexity.smoothing,
    perplexity.factor,
    perplexity.unknown_words,
    perplexity.held_out_part,
    perplexity.average,
    perplexity.reduction,
    perplexity.settings,
    accuracy.arg_max,
    accuracy.rules,
    accuracy.vocabularies,
    accuracy.gain,
    accuracy.few_sentences,
    accuracy.exchanging,
    accuracy.nearly_perfect,
    confusion.one_instructor,
    confusion.one_field,
)


def errata(results: Mapping[str, Any], published: PublishedFigures | None) -> list[Erratum]:
    """Compare the results with the paper; an empty list if nothing was published.

    Parameters
    ----------
    results : mapping
        All other results of the run.
    published : PublishedFigures or None

    Returns
    -------
    list of dict
        "title", "text", and "figures": each "what" and "value", a string.
    """
    if published is None:
        return []
    evidence = RunEvidence(results, published)
    return [erratum(evidence) for erratum in ERRATA]
