"""The propositions of a case, and the strength of the evidence in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from byline.attribution.calibration import verbal_scale, verbal_scale_steps
from byline.formatting import bounded_percent, isolated, number, times_as_much
from byline.report.case_sentences import MIN_LOG10_LR

Summary = dict[str, Any]

#: The label of the proposition that none of several authors wrote a text.
NOBODY = "H0"

# ENFSI (2015), table of verbal equivalents: how probable the findings are, step by step.
_WORDINGS = (
    "about equally probable",
    "slightly more probable",
    "more probable",
    "appreciably more probable",
    "much more probable",
    "far more probable",
    "exceedingly more probable",
)


def verification_propositions(author: str, population: str) -> dict[str, str]:
    """State the two propositions of a verification.

    Parameters
    ----------
    author : str
        The author in question.
    population : str
        The name of the reference population.

    Examples
    --------
    >>> verification_propositions("Ada", "letters")["H1"]
    'Ada, the author of the known texts, wrote the questioned text.'
    """
    return {
        "H1": f"{isolated(author)}, the author of the known texts, wrote the questioned text.",
        "H2": "Another author, who belongs to the same population as the authors of the reference "
        f"texts (corpus {isolated(population)}), wrote the questioned text.",
    }


def attribution_propositions(entry: Mapping[str, Any]) -> dict[str, str] | None:
    """State the two propositions that the likelihood ratio of the first candidate compares.

    Parameters
    ----------
    entry : mapping
        The entry of a questioned text, see `byline.report.attribution_summary`.

    Returns
    -------
    dict or None
        None if there is no likelihood ratio.

    Examples
    --------
    >>> ranking = [{"author": "Ada", "log10_lr": 1.2}, {"author": "Ben", "log10_lr": -1.2}]
    >>> attribution_propositions({"declined": None, "ranking": ranking})["H2"]
    'Ben wrote the questioned text.'
    """
    if entry["declined"] or entry["ranking"][0]["log10_lr"] is None:
        return None
    first, *others = (isolated(place["author"]) for place in entry["ranking"])
    who = others[0] if len(others) == 1 else "One of the other candidates, each equally likely,"
    return {"H1": f"{first} wrote the questioned text.", "H2": f"{who} wrote the questioned text."}


def joint_propositions(
    authors: Sequence[str], population: str, *, has_others: bool = True
) -> dict[str, str]:
    """State the propositions of a verification of several authors, by label.

    Parameters
    ----------
    authors : sequence of str
        The authors in question, in the order of their labels.
    population : str
        The name of the reference population.
    has_others : bool
        Whether it has texts by authors who are not in question.

    Examples
    --------
    >>> stated = joint_propositions(["Ada", "Ben"], "letters")
    >>> list(stated), stated["H2"]
    (['H1', 'H2', 'H0'], 'Ben wrote the questioned text.')
    """
    stated = {
        f"H{number}": f"{isolated(author)} wrote the questioned text."
        for number, author in enumerate(authors, 1)
    }
    whose = f"authors of the reference texts (corpus {isolated(population)})"
    return stated | {
        NOBODY: "None of them, but another author, who belongs to the same population as "
        f"{f'the {whose}' if has_others else 'they'}, wrote the questioned text."
    }


def support(log10_lr: float, first: str = "H1", second: str = "H2") -> str:
    """Return the verbal equivalent of a likelihood ratio of two propositions.

    Examples
    --------
    >>> support(1.2), support(-3.5), support(0.1)
    ('moderate support for H1', 'strong support for H2', 'no support for either proposition')
    """
    if abs(log10_lr) < MIN_LOG10_LR:
        return "no support for either proposition"
    return f"{verbal_scale(abs(log10_lr))} for {first if log10_lr > 0 else second}"


def findings_sentence(log10_lr: float, first: str = "H1", second: str = "H2") -> str:
    """State how many times as probable the findings are under one proposition as under the other.

    Examples
    --------
    >>> findings_sentence(1.25)
    'The findings are about 18 times as probable if H1 is true as if H2 is true.'
    """
    if abs(log10_lr) < MIN_LOG10_LR:
        return (
            f"The findings are about equally probable if {first} is true and if {second} is true."
        )
    if log10_lr < 0:
        first, second = second, first
    return (
        f"The findings are about {times_as_much(abs(log10_lr))} as probable if {first} is true as "
        f"if {second} is true."
    )


def interval_sentence(interval: Mapping[str, Any]) -> str:
    """State the interval of a likelihood ratio, in numbers and in words.

    Parameters
    ----------
    interval : mapping
        The attributes of `LikelihoodRatioInterval`.

    Examples
    --------
    >>> print(interval_sentence({"low": -0.5, "high": 0.1, "level": 0.95, "n_resamples": 1000,
    ...                          "n_authors": 12}))  # doctest: +NORMALIZE_WHITESPACE
    95 % interval of the log10 likelihood ratio: -0.50 to 0.10, which means from weak support for H2
    to no support for either proposition (1,000 resamples of the 12 authors of the calibration).
    """
    low, high = support(interval["low"]), support(interval["high"])
    words = low if low == high else f"from {low} to {high}"
    return (
        f"{number(100 * interval['level'], 0)} % interval of the log10 likelihood ratio: "
        f"{number(interval['low'])} to {number(interval['high'])}, which means {words} "
        f"({number(interval['n_resamples'], 0)} resamples of the {interval['n_authors']} authors "
        "of the calibration)."
    )


def probability_sentence(log10_lr: float) -> str:
    """State the probability of H1 for one assumption about the prior odds.

    Examples
    --------
    >>> print(probability_sentence(1.0))  # doctest: +NORMALIZE_WHITESPACE
    Only if H1 and H2 were equally probable before the texts were compared (prior odds of 1 to 1),
    the probability of H1 would be 90.9 %.
    """
    probability = 1 / (1 + 10**-log10_lr)
    return (
        "Only if H1 and H2 were equally probable before the texts were compared (prior odds of 1 "
        f"to 1), the probability of H1 would be {bounded_percent(probability)}."
    )


def verbal_scale_table(
    log10_lr: float | None = None, interval: Mapping[str, Any] | None = None
) -> list[Summary]:
    """Return the verbal scale in full, with the steps of a likelihood ratio marked.

    Parameters
    ----------
    log10_lr : float or None
        The likelihood ratio of H1 against H2; None: nothing is marked.
    interval : mapping, optional
        Its interval, with "low" and "high".

    Returns
    -------
    list of dict
        "low" and "high": the range of the likelihood ratio, as powers of ten ("high" of the last
        step is infinite); "term"; "wording"; "favours": "H1", "H2" or None for the step of the
        ratio, missing if it is another one; "in_interval": which propositions the interval
        supports in this step.

    Examples
    --------
    >>> steps = verbal_scale_table(-0.4, {"low": -1.2, "high": 0.1})
    >>> [step["term"] for step in steps if step["is_here"]], steps[1]["favours"]
    (['weak support'], 'H2')
    >>> [step["in_interval"] for step in steps[:4]]
    [['H1', 'H2'], ['H2'], ['H2'], []]
    """
    return [
        {
            "low": low,
            "high": high,
            "term": term,
            "wording": wording,
            "is_here": log10_lr is not None and low <= abs(log10_lr) < high,
            "favours": None if log10_lr is None else "H1" if log10_lr > 0 else "H2",
            "in_interval": [] if interval is None else list(_sides(interval, low, high)),
        }
        for (low, high, term), wording in zip(verbal_scale_steps(), _WORDINGS, strict=True)
    ]


def _sides(interval: Mapping[str, Any], low: float, high: float) -> list[str]:
    """Return the propositions that the part of an interval within a step supports."""
    found = []
    for name, start, end in (
        ("H1", interval["low"], interval["high"]),
        ("H2", -interval["high"], -interval["low"]),
    ):
        if end >= low and start < high and end > 0:
            found.append(name)
    return found
