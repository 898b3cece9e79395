"""Caveats about what an edition decides: letter case, punctuation, paragraphs and so on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from byline.attribution.caveats.caveat import Caveat
from byline.attribution.stacking.fallbacks import MAX_PROBABILITY, RuleChoice
from byline.attribution.verification import AuthorVerification
from byline.formatting import isolated, join_names, percent
from byline.typography.comparison import FormDeviation, FormDifference
from byline.typography.conventions import CONVENTIONS, REMOVABLE

_CANNOT_REMOVE = "Byline cannot remove the difference."
_LIMIT = f"Any probability is stated as at most {percent(MAX_PROBABILITY, 0)}."


def known_convention_caveats(differences: Sequence[FormDifference]) -> Iterator[Caveat]:
    """Report the conventions in which the authors differ, and which were removed if possible."""
    for each in differences:
        convention = CONVENTIONS[each.convention]
        which = "; ".join(
            f"most of the known text by {_names(authors)} {convention.forms[form]}"
            for form, authors in each.authors.items()
        )
        yield Caveat(
            "convention-removed" if convention.rule else "convention-remains",
            f"The known texts of different authors differ in {_name(each.convention)}: {which}. "
            "Editions and file formats differ in this way, too, so it does not show the author. "
            f"{convention.removal or _CANNOT_REMOVE} {_LIMIT}",
            {
                "convention": each.convention,
                "rule": convention.rule,
                "authors": {form: list(authors) for form, authors in each.authors.items()},
            },
        )


def deviating_convention_caveats(choice: RuleChoice) -> Iterator[Caveat]:
    """Report the conventions in which a questioned text differs from the known texts."""
    for each in choice.deviations:
        yield _deviating(
            each,
            _consequence(each, choice),
            {
                "unused_base_classifiers": list(choice.unused),
                "n_held_out": choice.rule.n_held_out,
                "n_correct": choice.rule.n_correct,
            },
        )


def verification_convention_caveats(found: AuthorVerification) -> Iterator[Caveat]:
    """Report the conventions in which the texts of a verification differ.

    Examples
    --------
    >>> from byline.attribution.verification import Verification, VerificationPerformance
    >>> answer = Verification("note.txt", "yes", 0.9, 0.95, None)
    >>> performance = VerificationPerformance(20, 20, 5, auc=0.97, c_at_1=0.92, n_withheld=2)
    >>> deviation = FormDeviation("letter-case", "small", ())
    >>> found = AuthorVerification(
    ...     "Ada", answer, 4, 3, 12, 100, performance, deviations=(deviation,)
    ... )
    >>> [caveat.code for caveat in verification_convention_caveats(found)]
    ['different-convention']
    """
    yield from known_convention_caveats(found.differences)
    for each in found.deviations:
        yield _deviating(each, CONVENTIONS[each.convention].removal or _CANNOT_REMOVE, {})


def _deviating(deviation: FormDeviation, consequence: str, details: dict[str, Any]) -> Caveat:
    return Caveat(
        "different-convention",
        f"The text {CONVENTIONS[deviation.convention].forms[deviation.form]}, but "
        f"{_known(deviation)}. Editions and file formats differ in this way, too, so it does not "
        f"show the author. {consequence} {_LIMIT}",
        {
            "convention": deviation.convention,
            "form": deviation.form,
            "authors": list(deviation.authors),
            **details,
        },
    )


def _known(deviation: FormDeviation) -> str:
    if not deviation.authors:
        return "no known text is like that"
    return f"only known texts by {_names(deviation.authors)} are like that"


def _consequence(deviation: FormDeviation, choice: RuleChoice) -> str:
    if deviation.convention not in REMOVABLE:
        return _CANNOT_REMOVE
    return _unused(choice) if choice.unused else "No base classifier depends on it."


def _unused(choice: RuleChoice) -> str:
    without = f"The answer does not use {join_names(choice.unused)}, which depend on it"
    if not choice.rule.n_held_out:
        return f"{without}."
    share = choice.rule.n_correct / choice.rule.n_held_out
    left = join_names(choice.rule.base_classifiers)
    return (
        f"{without}. {left} alone correctly attributed {percent(share)} of the "
        f"{choice.rule.n_held_out:,} whole known texts that were held out."
    )


def _names(authors: Sequence[str]) -> str:
    return join_names(list(map(isolated, authors)))


def _name(convention: str) -> str:
    return convention.replace("-", " ")
