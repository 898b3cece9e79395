"""Figures of reports on questioned texts: cases, verifications and explanations."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from byline.formatting import isolated, percent
from byline.report.charts.calibration import reliability_chart, tippett_chart
from byline.report.figures.figure import Figure, named_for
from byline.report.figures.performance import (
    INTERVALS,
    LR_UNITS,
    candidates_figure,
    performance_figures,
)
from byline.report.propositions import NOBODY
from byline.report.rolling import rolling_of, rolling_part
from byline.report.sensitivity import sensitivity_chart

Summary = Mapping[str, Any]


def case_figures(summary: Summary) -> list[Figure]:
    """List the figures of a case report.

    Parameters
    ----------
    summary : mapping
        As `byline.report.case_summary` returns it.
    """
    questioned = summary["questioned"]
    found: list[Figure] = []
    for number, entry in enumerate(questioned, 1):
        of_text = [candidates_figure(entry)]
        if entry["rolling"] is not None:
            of_text.append(rolling_figure(rolling_of(entry)))
        if entry.get("sensitivity"):
            of_text.append(sensitivity_figure(entry["sensitivity"]))
        suffix, name = ("", "") if len(questioned) == 1 else (f"-{number}", _text_name(entry))
        found += named_for(of_text, suffix, name)
    size = questioned[0]["n_characters"] if len(questioned) == 1 else None
    for key, prefix in (("performance", ""), ("simulated", "simulated-")):
        found += performance_figures(summary[key], size, prefix).values()
    return found


def explanation_figures(summary: Summary) -> list[Figure]:
    """List the figures of an explanation.

    Parameters
    ----------
    summary : mapping
        As `byline.report.explanation.explanation_summary` returns it.
    """
    sides = summary["evidence"]["first"], summary["evidence"]["second"]
    return [rolling_figure(rolling_part(summary["rolling"], sides))]


def rolling_figure(part: Summary) -> Figure:
    """Return the log-odds of the authors along a text; see `byline.report.rolling.rolling_part`."""
    units = f"nats, by {'chapter' if part.get('chapters') else 'number of the sentence'}"
    return Figure("rolling", "Rolling attribution", part["caption"], part["chart"], units)


def sensitivity_figure(sensitivity: Summary, number: int = 1) -> Figure:
    """Return the probability of the first candidate in the variations of an answer."""
    first = isolated(sensitivity["first"])
    return Figure(
        f"sensitivity-{number}",
        f"Probability of {first}",
        "Each point is a variation with the same candidates and unmasked words. A circle means "
        f"that {first} is the first candidate, and a square that another candidate is. The scale "
        "does not begin at zero.",
        sensitivity_chart(sensitivity) if sensitivity["variations"] else None,
        "probability",
    )


def verification_figures(summary: Summary) -> list[Figure]:
    """List the figures of the report of a verification, for one author or jointly for several.

    Parameters
    ----------
    summary : mapping
        As `byline.report.verification_case.verification_case_summary` or
        `byline.report.joint_verification_case.joint_verification_case_summary` returns it.
    """
    questioned = summary["questioned"]
    found: list[Figure] = []
    for number, entry in enumerate(questioned, 1):
        of_text = [
            figure
            for prefix, labels, own in _verified(summary, entry)
            for figure in simulated_figures(own, *labels, prefix).values()
        ]
        suffix, name = ("", "") if len(questioned) == 1 else (f"-{number}", _text_name(entry))
        found += named_for(of_text, suffix, name)
    return found


def _verified(summary: Summary, entry: Summary) -> list[tuple[str, tuple[str, str], Summary]]:
    """Return a prefix for names, the labels of the propositions, and the answer for each author."""
    if "separate" not in entry:
        return [("", ("H1", "H2"), entry)]
    labels = summary["labels_of"]
    return [
        (f"{labels[author]}-".casefold(), (labels[author], NOBODY), own)
        for author, own in entry["separate"].items()
    ]


def simulated_figures(
    entry: Summary, first: str = "H1", second: str = "H2", prefix: str = ""
) -> dict[str, Figure]:
    """Return the Tippett plot and the reliability of the simulated cases of an answer.

    Parameters
    ----------
    entry : mapping
        See `byline.report.verification_case.verification_case_summary`.
    first, second : str
        The labels of the proposition that the author wrote the text, and of the other one.
    prefix : str
        The beginning of the names.
    """
    simulated = entry["simulated"]
    tippett = simulated["tippett"]
    sides = (("targets", f"{first} is true"), ("nontargets", f"{second} is true"))
    return {
        "tippett": Figure(
            f"{prefix}tippett",
            "Tippett plot",
            "Share of the simulated cases whose likelihood ratio is at or above a value. The "
            "farther apart the lines are, the better. Misleading evidence: "
            f"{percent(tippett['misleading_targets'])} of the ratios are below 1 although {first} "
            f"is true, and {percent(tippett['misleading_nontargets'])} are above 1 although "
            f"{second} is true.",
            tippett_chart(tippett, sides, entry["log10_lr"]),
            LR_UNITS,
        ),
        "reliability": Figure(
            f"{prefix}reliability",
            "Reliability",
            f"Share of the simulated cases in which {first} is true, by the stated probability "
            f"of {first}. {INTERVALS} Where the points are on the dashed line, the stated "
            "probabilities are correct.",
            reliability_chart(
                {"calibration problems": simulated["reliability"]},
                f"share in which {first} is true",
            ),
            f"share of simulated cases, by stated probability of {first}",
        ),
    }


def _text_name(entry: Summary) -> str:
    """Return the name of a questioned text."""
    return isolated(entry["path"]) if entry["path"] else "a text without a name"
