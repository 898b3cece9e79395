"""The forensic report of a joint verification: one of several authors, or none of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from scipy.special import softmax

from byline.attribution.verification import SOMEBODY_ELSE, AuthorVerification, JointVerification
from byline.report.case_details import LABELS
from byline.report.case_sentences import MIN_LOG10_LR
from byline.report.figures.cases import simulated_figures
from byline.report.html import render
from byline.report.propositions import (
    NOBODY,
    findings_sentence,
    joint_propositions,
    support,
    verbal_scale_table,
)
from byline.report.summary import Summary, json_values
from byline.report.verification_case import (
    VerificationOrigin,
    describe_origin,
    describe_verification,
)

_LN10 = float(np.log(10))


def joint_verification_case_summary(
    summary: Summary, found: Sequence[JointVerification], origin: VerificationOrigin
) -> Summary:
    """Add to a summary of joint answers what the report of a case contains.

    Parameters
    ----------
    summary : dict
        As `byline.report.joint_verification.joint_verification_summary` returns it.
    found : sequence of JointVerification
        The answers, with their verifiers.
    origin : VerificationOrigin
        The command and the texts.

    Returns
    -------
    dict
        JSON values: the keys of ``summary``; "propositions": "H1", "H2" and so on, one per author,
        and "H0"; "labels_of": the label of each author, and of "somebody else"; "case", "material"
        and "done" as in `verification_case_summary`. Each entry of "questioned" also has "n_words";
        "findings" (sentences) and "favoured" (the labels of the propositions under which the
        findings are most probable), both empty if declined; "posterior": see `posterior_table`;
        "verbal_scale": see `verbal_scale_table`, each step with the "comparisons" that are in it.
        Each of its "comparisons" also has "support", and each answer in "separate" also has
        "support" and what `describe_verification` returns.
    """
    authors = summary["authors"]
    reference = summary["reference"]
    propositions = joint_propositions(
        authors, reference["name"], has_others=reference["n_texts"] > 0
    )
    labels = dict(zip([*authors, SOMEBODY_ELSE], propositions, strict=True))
    added: Summary = {
        "propositions": propositions,
        "labels_of": labels,
        "questioned": [
            entry | _described(entry, answer, labels)
            for entry, answer in zip(summary["questioned"], found, strict=True)
        ],
    }
    added |= describe_origin(origin)
    return summary | {key: json_values(value) for key, value in added.items()}


def joint_verification_case_html(summary: Summary) -> str:
    """Return the forensic report of a joint verification as one HTML file.

    Parameters
    ----------
    summary : dict
        As `joint_verification_case_summary` returns it.
    """
    labels = summary["labels_of"]
    figures = [
        {
            author: simulated_figures(own, label, NOBODY, f"text-{number}-{label}-".casefold())
            for author, own in entry["separate"].items()
            for label in [labels[author]]
        }
        for number, entry in enumerate(summary["questioned"], 1)
    ]
    answers = [own for entry in summary["questioned"] for own in entry["separate"].values()]
    shown = {"labels": LABELS, "figures": figures, "answers": answers}
    return render("joint_verification.html.j2", summary | shown)


def posterior_table(log10_lrs: Mapping[str, float]) -> list[Summary]:
    """Compute the probabilities of the propositions for several assumptions about prior odds.

    Parameters
    ----------
    log10_lrs : mapping of str to float
        The decimal logarithm of the likelihood ratio of each author against "somebody else".

    Returns
    -------
    list of dict
        "assumption" in words, and "prior" and "posterior": the probabilities by author, and of
        "somebody else".

    Examples
    --------
    >>> equal, doubtful, closed = posterior_table({"Ada": 1.0, "Ben": 0.0})
    >>> [round(share, 3) for share in equal["posterior"].values()]  # 10 / 12, 1 / 12, 1 / 12
    [0.833, 0.083, 0.083]
    >>> list(doubtful["prior"].values())
    [0.25, 0.25, 0.5]
    >>> [round(share, 3) for share in closed["posterior"].values()]  # 10 / 11, 1 / 11
    [0.909, 0.091, 0.0]
    """
    n = len(log10_lrs)
    names = [*log10_lrs, SOMEBODY_ELSE]
    log_lrs = _LN10 * np.array([*log10_lrs.values(), 0.0])
    table = []
    for assumption, of_nobody in (
        ("all propositions are equally probable", 1 / (n + 1)),
        (f"{NOBODY} is as probable as all others together", 0.5),
        (f"{NOBODY} is impossible, and all others are equally probable", 0.0),
    ):
        prior = np.array([*[(1 - of_nobody) / n] * n, of_nobody])
        with np.errstate(divide="ignore"):  # the logarithm of 0
            posterior = softmax(np.log(prior) + log_lrs)
        table.append(
            {
                "assumption": assumption,
                "prior": dict(zip(names, prior.tolist(), strict=True)),
                "posterior": dict(zip(names, posterior.tolist(), strict=True)),
            }
        )
    return table


def _described(entry: Summary, answer: JointVerification, labels: Mapping[str, str]) -> Summary:
    separate = {
        each.author: entry["separate"][each.author]
        | describe_verification(each)
        | {"support": _support_alone(each, labels)}
        for each in answer.separate
    }
    comparisons = [
        each | {"support": support(each["log10_lr"], labels[each["first"]], labels[each["second"]])}
        for each in entry["comparisons"]
    ]
    ratios = {author: own["log10_lr"] for author, own in separate.items()}
    given = bool(comparisons)
    return {
        "n_words": next(iter(separate.values()))["n_words"],
        "separate": separate,
        "comparisons": comparisons,
        "findings": _findings(ratios, labels) if given else [],
        "favoured": _favoured(ratios, labels) if given else [],
        "posterior": posterior_table(ratios) if given else [],
        "verbal_scale": [
            step | {"comparisons": [each for each in comparisons if _is_in(each["log10_lr"], step)]}
            for step in verbal_scale_table()
        ],
    }


def _support_alone(answer: AuthorVerification, labels: Mapping[str, str]) -> str | None:
    ratio = answer.verification.log10_lr
    return None if ratio is None else support(ratio, labels[answer.author], NOBODY)


def _findings(log10_lrs: Mapping[str, float], labels: Mapping[str, str]) -> list[str]:
    """Compare the proposition under which the findings are most probable with each other one."""
    ratios = {**log10_lrs, SOMEBODY_ELSE: 0.0}
    best = max(ratios, key=lambda name: ratios[name])
    return [
        findings_sentence(ratios[best] - ratio, labels[best], labels[name])
        for name, ratio in ratios.items()
        if name != best
    ]


def _favoured(log10_lrs: Mapping[str, float], labels: Mapping[str, str]) -> list[str]:
    """Return the propositions that no other one is supported against."""
    ratios = {**log10_lrs, SOMEBODY_ELSE: 0.0}
    least = max(ratios.values()) - MIN_LOG10_LR
    return [labels[name] for name, ratio in ratios.items() if ratio > least]


def _is_in(log10_lr: float, step: Mapping[str, Any]) -> bool:
    return bool(step["low"] <= abs(log10_lr) < step["high"])
