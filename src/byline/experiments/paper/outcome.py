"""All that a run has come to, as one plain dict: what reports are made of."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from byline.experiments.paper.accuracy import accuracies, comparisons, too_short
from byline.experiments.paper.confusion import confusions, pair_claims
from byline.experiments.paper.costs import costs, search_costs
from byline.experiments.paper.decisions import decide
from byline.experiments.paper.errata import errata
from byline.experiments.paper.exchanging import exchanges
from byline.experiments.paper.perplexity import counting, perplexity_tables
from byline.experiments.paper.profile import profile
from byline.experiments.paper.results import Run
from byline.experiments.paper.searches import searches
from byline.experiments.runner.models import language_model
from byline.experiments.runner.plan import Plan
from byline.lm.parameters import plain

SCHEMA = 1
Outcome = dict[str, Any]


def outcome(path: str | Path) -> Outcome:
    """Work out every table and figure from a run directory, finished or not.

    Whatever a run lacks is left out, and each table says which seeds it is made from.

    Parameters
    ----------
    path : path
        The run directory.

    Returns
    -------
    dict
        JSON values: perplexities; accuracies and confusions as shares (0 to 1), with differences
        in accuracy alone in percentage points; intervals of 95 %; hours of CPU.

    Raises
    ------
    UsageError
        The folder holds no run.
    """
    run = Run(path)
    decided = decide(run)
    found: Outcome = {
        "schema": SCHEMA,
        **_origin(run),
        "jobs": _jobs(run),
        "profile": profile(run),
        "perplexity": perplexity_tables(run),
        "counting": counting(run),
        "accuracy": accuracies(run, decided),
        "too_short": too_short(run, decided),
        "comparisons": comparisons(run, decided),
        "exchanges": exchanges(run, decided),
        "confusion": confusions(run, decided),
        "pair_claim": pair_claims(run, decided),
        "search": searches(run),
        "costs": costs(run),
        "search_costs": search_costs(run),
    }
    return {**found, "errata": errata(found, run.published)}


def _origin(run: Run) -> dict[str, Any]:
    made_by, config = run.made_by, run.config
    return {
        "title": config.title,
        **{key: made_by[key] for key in ("quick", "corpora", "versions", "machine")},
        "authors": list(run.authors),
        "seed": config.seed,
        "splits": [
            {"split": name, **split.model_dump(mode="json")}
            for name, split in config.splits.items()
        ],
        "config": made_by["configuration"],
        "models": [_model(run, name) for name in config.models],
    }


def _model(run: Run, name: str) -> dict[str, Any]:
    section = run.config.models[name]
    parameters: Mapping[str, Any] = language_model(
        section.kind, section.preset, section.settings
    ).get_params()
    return {
        "model": name,
        "label": section.label,
        "kind": section.kind,
        "words": section.words,
        "published": section.published,
        "settings": {key: plain(value) for key, value in parameters.items()},
    }


def _jobs(run: Run) -> dict[str, Any]:
    failures = {name: record["failed"] for name, record in run.done.items() if "failed" in record}
    return {
        "total": Plan(run.config, run.authors).n_total(run.done),
        "done": len(run.records),
        "failed": len(failures),
        "failures": [{"job": name, "error": error} for name, error in sorted(failures.items())],
    }
