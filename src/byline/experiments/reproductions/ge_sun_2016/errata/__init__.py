"""What did not come out as printed, each point with the figures of this run that show it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from byline.experiments.reproductions.ge_sun_2016.errata import accuracy as accuracies
from byline.experiments.reproductions.ge_sun_2016.errata import confusion as confusions
from byline.experiments.reproductions.ge_sun_2016.errata import perplexity
from byline.experiments.reproductions.ge_sun_2016.errata import perplexity as perplexities
from byline.experiments.reproductions.ge_sun_2016.errata import profile as profiles
from byline.experiments.reproductions.ge_sun_2016.errata.evidence import Erratum, Evidence
from byline.experiments.reproductions.ge_sun_2016.published import Published

ERRATA = (
    profiles.row_order,
    profiles.misprint,
    profiles.claims,
    perplexities.smoothing,
    perplexities.factor,
    perplexity.unknown_words,
    perplexity.held_out_part,
    perplexities.average,
    perplexity.reduction,
    perplexities.settings,
    accuracies.arg_max,
    accuracies.rules,
    accuracies.vocabularies,
    accuracies.gain,
    accuracies.few_sentences,
    accuracies.exchanging,
    accuracies.nearly_perfect,
    confusions.one_instructor,
    confusions.one_field,
)


def errata(outcome: Mapping[str, Any], published: Published | None) -> list[Erratum]:
    """Say what did not come out as printed; nothing where nothing was published.

    Parameters
    ----------
    outcome : mapping
        All else that the run has come to.
    published : Published or None

    Returns
    -------
    list of dict
        "title", "text", and "figures": each "what" and "value", a string.
    """
    if published is None:
        return []
    evidence = Evidence(outcome, published)
    return [erratum(evidence) for erratum in ERRATA]
