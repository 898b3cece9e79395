"""Normalise a stack's known texts, and remove what they do not share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from byline.typography import Normalization
from byline.typography.comparison import FormDifference, KnownForms
from byline.typography.conventions import CONVENTIONS, REMOVABLE

COMPARED = "conventions"  # the rule without which conventions are not compared


@dataclass(frozen=True, slots=True)
class NormalizedTexts:
    """Normalised known texts.

    Attributes
    ----------
    texts : list of str, (n_known,)
    requested : Normalization
    normalization : Normalization
        The requested rules, and those that remove the differences.
    differences : tuple of FormDifference
        Conventions in which the authors differ.
    forms : KnownForms or None
        Of the normalised texts; None if conventions are not compared.
    """

    texts: list[str]
    requested: Normalization
    normalization: Normalization
    differences: tuple[FormDifference, ...]
    forms: KnownForms | None


def normalize_known_texts(
    texts: Sequence[str], authors: Sequence[Any], normalization: Normalization
) -> NormalizedTexts:
    """Normalise known texts, and remove the conventions in which their authors differ.

    Parameters
    ----------
    texts : sequence of str, (n_known,)
    authors : sequence of str, or of int, (n_known,)
    normalization : Normalization
        Only with the rule "conventions" are conventions compared.
    """
    requested, plain = normalization, list(map(normalization.apply, texts))
    if COMPARED not in normalization.rules:
        return NormalizedTexts(plain, requested, normalization, (), None)
    forms = KnownForms.of(plain, authors)
    differences = forms.differences()
    removed = [each.convention for each in differences if each.convention in REMOVABLE]
    if removed:
        rules = [CONVENTIONS[name].rule for name in removed]
        normalization = normalization.with_rules(rules)
        plain = list(map(normalization.apply, texts))
        forms = KnownForms.of(plain, authors)
    return NormalizedTexts(plain, requested, normalization, differences, forms)
