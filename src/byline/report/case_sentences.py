"""The sentences of a case report that state the answer and the strength of the evidence."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from byline.formatting import (
    WIDE_INTERVAL,
    bounded_percent,
    isolated,
    number,
    percent,
    percent_range,
    quantity,
    signed,
    times_as_much,
)

MIN_PROBABILITY = 0.5  # below, the most likely candidate is more likely not to be the author
MIN_LOG10_LR = 0.30103  # a likelihood ratio of 2; smaller ones support neither side
NO_INTERVAL = (
    "No interval of the likelihood ratio is stated: the weights of the base classifiers were "
    "fitted to scores of held-out texts that the model does not keep, so that they cannot be "
    "fitted to other samples of texts."
)


def answer_sentence(entry: Mapping[str, Any]) -> str:
    """State the most likely author of a text and the probability, or why no author is named.

    Parameters
    ----------
    entry : mapping
        The entry of a questioned text, see `byline.report.attribution_summary`.

    See Also
    --------
    likelihood_ratio_sentence : The strength of the evidence.

    Examples
    --------
    >>> entry = {
    ...     "open_set": None,
    ...     "declined": None,
    ...     "ranking": [
    ...         {"author": "Ada", "probability": 0.95},
    ...         {"author": "Ben", "probability": 0.05},
    ...     ],
    ... }
    >>> answer_sentence(entry)
    'If one of the 2 candidates wrote the text, it was most likely Ada (probability 95.0 %).'
    """
    if entry["open_set"] and not entry["open_set"]["accepted"]:
        return str(entry["open_set"]["verdict"])
    if entry.get("known_copy"):
        return str(entry["known_copy"]["sentence"])
    if entry["declined"]:
        return f"No author is named: {entry['declined']}."
    best, n_authors = entry["ranking"][0], len(entry["ranking"])
    author = isolated(best["author"])
    if best["probability"] is None:
        return (
            f"Of the {n_authors} candidates, {author} fits the text best. No probability can be "
            f"stated: {entry['calibration_unavailable_reason']}."
        )
    probability = bounded_percent(best["probability"])
    if best["probability"] < MIN_PROBABILITY:
        return (
            f"No candidate is clearly favoured. The most likely of the {n_authors} candidates is "
            f"{author}, with a probability of only {probability}."
        )
    return (
        f"If one of the {n_authors} candidates wrote the text, it was most likely {author} "
        f"(probability {probability})."
    )


def likelihood_ratio_sentence(entry: Mapping[str, Any]) -> str | None:
    """State the likelihood ratio of the first candidate and its verbal equivalent.

    Parameters
    ----------
    entry : mapping
        The entry of a questioned text, see `byline.report.attribution_summary`.

    Returns
    -------
    str or None
        None if the text was declined or the model is not calibrated.

    Examples
    --------
    >>> entry = {
    ...     "declined": None,
    ...     "ranking": [
    ...         {"author": "Ada", "log10_lr": 1.25, "support": "moderate support"},
    ...         {"author": "Ben", "log10_lr": -1.25, "support": "moderate support for the others"},
    ...     ],
    ... }
    >>> print(likelihood_ratio_sentence(entry))  # doctest: +NORMALIZE_WHITESPACE
    The text is about 18 times as probable if Ada wrote it as if Ben wrote it (log10
    likelihood ratio 1.25). This is moderate support for Ada.
    """
    if entry["declined"] or entry["ranking"][0]["log10_lr"] is None:
        return None
    best, n_authors = entry["ranking"][0], len(entry["ranking"])
    author, others = isolated(best["author"]), "one of the other candidates"
    if n_authors == 2:
        others = isolated(entry["ranking"][1]["author"])
    ratio = best["log10_lr"]
    if abs(ratio) < MIN_LOG10_LR:
        return (
            f"The text is about equally probable if {author} wrote it and if {others} wrote it. "
            "The evidence supports neither side."
        )
    first, second = (author, others) if ratio > 0 else (others, author)
    support = best["support"] + (f" for {author}" if ratio > 0 else "")
    return (
        f"The text is about {times_as_much(abs(ratio))} as probable if {first} wrote it as if "
        f"{second} wrote it (log10 likelihood ratio {number(ratio)}). This is {support}."
    )


def uncertainty_sentence(
    entry: Mapping[str, Any], alike: Mapping[str, Any] | None = None
) -> str | None:
    """State what is known about the uncertainty of the first candidate's likelihood ratio.

    Parameters
    ----------
    entry : mapping
        The entry of a questioned text, see `byline.report.attribution_summary`; with "sensitivity"
        if variations were computed.
    alike : mapping, optional
        See `byline.report.performance.alike_summary`.

    Returns
    -------
    str or None
        None if there is no likelihood ratio.

    Examples
    --------
    >>> entry = {"declined": None, "ranking": [{"log10_lr": 1.25, "support": "moderate support"}]}
    >>> stated = uncertainty_sentence(entry, {"n_whole": 24, "n": 9, "n_right": 8})
    >>> print(stated)  # doctest: +NORMALIZE_WHITESPACE +ELLIPSIS
    Of 24 held-out known texts, 9 had a first candidate with a likelihood ratio in the same step of
    the verbal scale, and 8 of these are by that candidate. No interval of the likelihood ratio is
    stated: ...
    """
    if entry["declined"] or entry["ranking"][0]["log10_lr"] is None:
        return None
    known = "" if alike is None else f"{_alike(alike)} "
    return f"{known}{NO_INTERVAL} {_range_of_variations(entry.get('sensitivity'))}"


def _alike(alike: Mapping[str, Any]) -> str:
    of_all = f"Of {quantity(alike['n_whole'], 'held-out known text')}"
    step = "a first candidate with a likelihood ratio in the same step of the verbal scale"
    if not alike["n"]:
        return f"{of_all}, none had {step}."
    which = "this one" if alike["n"] == 1 else "these"
    return (
        f"{of_all}, {number(alike['n'], 0)} had {step}, and {number(alike['n_right'], 0)} of "
        f"{which} are by that candidate."
    )


def _range_of_variations(sensitivity: Mapping[str, Any] | None) -> str:
    rows = () if sensitivity is None else sensitivity["variations"]
    ratios = [row["log10_lr"] for row in rows if row["comparable"] and row["log10_lr"] is not None]
    if not ratios:
        return (
            "A sensitivity analysis trains the model again without each known text, and shows how "
            "far the ratio changes."
        )
    return (
        f"In {quantity(len(ratios), 'variation')} for which the model was trained again, the log10 "
        f"likelihood ratio is {signed(min(ratios))} to {signed(max(ratios))} (see “Sensitivity”)."
    )


def accuracy_sentence(
    row: Mapping[str, Any] | None, size: int, *, reference: str | None = None
) -> str:
    """State the accuracy that was measured on texts about as long as a questioned text.

    Parameters
    ----------
    row : mapping or None
        A row of "by_length", see `byline.report.performance.performance_summary`; None if nothing
        was measured.
    size : int
        Number of characters of the questioned text without white space.
    reference : str, optional
        The name of the reference population of simulated cases. Without it, the texts are held-out
        known texts.

    Examples
    --------
    >>> row = {"n": 40, "accuracy": 0.9, "accuracy_interval": [0.769, 0.96]}
    >>> row |= {"shortest": 5000, "longest": 16000}
    >>> accuracy_sentence(row, 9000)  # doctest: +NORMALIZE_WHITESPACE
    'Of 40 held-out texts and passages by these candidates (5,000 to 16,000 characters), 90.0 %
    were correctly attributed (95 % interval 76.9 to 96.0 %).'
    >>> accuracy_sentence(row, 90000).endswith("The questioned text is longer than all of these.")
    True
    """
    if row is None:
        return (
            "The accuracy in such cases is unknown, because no known text was held out. Use "
            "`byline evaluate` to measure it."
        )
    texts = (
        f"{quantity(row['n'], 'held-out text')} and passages by these candidates"
        if reference is None
        else f"{quantity(row['n'], 'questioned text')} of simulated cases like this one, from the "
        f"reference corpus {isolated(reference)}"
    )
    measured = (
        f"Of {texts} ({number(row['shortest'], 0)} to {number(row['longest'], 0)} characters), "
        f"{percent(row['accuracy'])} were correctly attributed (95 % interval "
        f"{percent_range(*row['accuracy_interval'])})."
    )
    low, high = row["accuracy_interval"]
    if high - low > WIDE_INTERVAL:
        measured += f" The accuracy is known only to within {percent_range(low, high, 0)}."
    if row["shortest"] <= size <= row["longest"]:
        return measured
    differs = "shorter" if size < row["shortest"] else "longer"
    return f"{measured} The questioned text is {differs} than all of these."


def contributions_sentence(entry: Mapping[str, Any]) -> str | None:
    """State which base classifiers decided between the two best candidates, the largest first.

    Parameters
    ----------
    entry : mapping
        The entry of a questioned text, see `byline.report.attribution_summary`.

    Returns
    -------
    str or None
        None if the text was declined or answered by language models alone, or if the entry
        contains only the first candidate.

    Examples
    --------
    >>> entry = {
    ...     "ranking": [{"author": "Ada"}, {"author": "Ben"}],
    ...     "contributions": {"language-models": 0.5, "style": -2.25},
    ... }
    >>> contributions_sentence(entry)
    'Log-odds of Ada against Ben by base classifier, before calibration (nats): style -2.25, \
language-models +0.50.'
    """
    found = entry["contributions"]
    if not found or len(entry["ranking"]) == 1:
        return None
    first, second = (isolated(place["author"]) for place in entry["ranking"][:2])
    order = sorted(found, key=lambda name: -abs(found[name]))
    parts = ", ".join(f"{name} {signed(found[name])}" for name in order)
    return (
        f"Log-odds of {first} against {second} by base classifier, before calibration (nats): "
        f"{parts}."
    )
