"""Fit attributors to the known texts of a corpus, with a reference population or without."""

from __future__ import annotations

from sklearn.base import clone

from byline.attribution import AuthorshipAttributor, ReferencePopulation, StackedAttributor
from byline.attribution.stacking.reference.population import exclude_known_texts
from byline.corpus import Corpus
from byline.errors import UsageError
from byline.progress import Progress
from byline.typography import Normalization


def fit_clone(
    attributor: AuthorshipAttributor | StackedAttributor,
    known: Corpus,
    progress: Progress | None = None,
    *,
    reference: ReferencePopulation | None = None,
) -> AuthorshipAttributor | StackedAttributor:
    """Fit a clone of an attributor to known texts; a stack holds their works out one by one."""
    return fit_corpus(clone(attributor), known, reference=reference, progress=progress)


def fit_corpus(
    attributor: AuthorshipAttributor | StackedAttributor,
    known: Corpus,
    *,
    reference: ReferencePopulation | None = None,
    progress: Progress | None = None,
) -> AuthorshipAttributor | StackedAttributor:
    """Fit an attributor to known texts, a stack also to simulated cases; return it.

    Raises
    ------
    UsageError
        Language models alone were given a reference population.
    """
    if isinstance(attributor, StackedAttributor):
        return train_stack(attributor, known, reference=reference, progress=progress)
    if reference is not None:
        raise UsageError("a reference population needs a StackedAttributor, which it calibrates")
    return attributor.fit(known.texts, known.authors, groups=known.works, progress=progress)


def train_stack(
    stack: StackedAttributor,
    known: Corpus,
    *,
    reference: ReferencePopulation | None = None,
    progress: Progress | None = None,
) -> StackedAttributor:
    """Fit a stack to known texts and to simulated cases, if any; return it."""
    return stack.fit(
        known.texts, known.authors, groups=known.works, reference=reference, progress=progress
    )


def without_known_texts(
    reference: ReferencePopulation | None,
    attributor: AuthorshipAttributor | StackedAttributor,
    *corpora: Corpus | None,
) -> ReferencePopulation | None:
    """Leave out what is known or questioned in any fold, and state it once."""
    if reference is None or not isinstance(attributor, StackedAttributor):
        return reference
    own = [document for corpus in corpora if corpus is not None for document in corpus]
    return exclude_known_texts(
        reference,
        [each.text for each in own],
        [each.author for each in own],
        Normalization.parse(attributor.normalization),
    )
