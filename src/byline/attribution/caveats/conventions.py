"""Caveats about what an edition decides: letter case, punctuation, paragraphs and so on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from byline.attribution.caveats.accuracy_by_length import Caveat
from byline.attribution.stacking.fallbacks import MAX_PROBABILITY, RuleChoice
from byline.formatting import isolated, join_names, percent
from byline.typography.comparison import FormDeviation, FormDifference
from byline.typography.conventions import CONVENTIONS, REMOVABLE

_LIMIT = f"Probabilities are stated as at most {percent(MAX_PROBABILITY, 0)}."


def known_convention_caveats(differences: Sequence[FormDifference]) -> Iterator[Caveat]:
    """Report the conventions in which the authors differ, and which were removed if possible."""
    for each in differences:
        convention = CONVENTIONS[each.convention]
        which = "; ".join(
            f"most known text by {_names(authors)} {convention.forms[form]}"
            for form, authors in each.authors.items()
        )
        yield Caveat(
            "convention-removed" if convention.rule else "convention-remains",
            f"The known texts of the candidates differ in {_name(each.convention)}: {which}. "
            "Editions and file formats differ in this way, too, so it does not show the author. "
            f"{convention.removal or 'Byline cannot remove the difference.'} {_LIMIT}",
            {
                "convention": each.convention,
                "rule": convention.rule,
                "authors": {form: list(authors) for form, authors in each.authors.items()},
            },
        )


def deviating_convention_caveats(choice: RuleChoice) -> Iterator[Caveat]:
    """Report the conventions in which a questioned text differs from the known texts."""
    for each in choice.deviations:
        yield Caveat(
            "different-convention",
            f"The text {CONVENTIONS[each.convention].forms[each.form]}, but {_known(each)}. "
            "Editions and file formats differ in this way, too, so it does not show the author. "
            f"{_consequence(each, choice)} {_LIMIT}",
            {
                "convention": each.convention,
                "form": each.form,
                "authors": list(each.authors),
                "unused_base_classifiers": list(choice.unused),
                "n_held_out": choice.rule.n_held_out,
                "n_correct": choice.rule.n_correct,
            },
        )


def _known(deviation: FormDeviation) -> str:
    if not deviation.authors:
        return "no known text is like that"
    return f"only known texts by {_names(deviation.authors)} are like that"


def _consequence(deviation: FormDeviation, choice: RuleChoice) -> str:
    if deviation.convention not in REMOVABLE:
        return "Byline cannot remove the difference."
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
