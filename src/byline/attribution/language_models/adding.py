"""Add authors to a trained attributor."""

from __future__ import annotations

import os

from byline.attribution.language_models.attributor import AuthorshipAttributor
from byline.corpus import Corpus
from byline.errors import UsageError
from byline.formatting import join_names
from byline.named_settings import setting
from byline.progress import Progress


def check_can_add_authors(
    attributor: object, model: str | os.PathLike[str]
) -> AuthorshipAttributor:
    """Return the attributor of the file ``model`` if authors can be added to it.

    Raises
    ------
    UsageError
        If it is trained to discriminate between its authors.
    """
    if isinstance(attributor, AuthorshipAttributor):
        return attributor
    raise UsageError(
        f"{model} was trained to discriminate between its authors, so it would change as a whole "
        "with a new author: train again with all authors, or train a model that can be extended, "
        f"with {setting('method', 'language-models')} and without {setting('calibrate')}"
    )


def add_authors(
    attributor: AuthorshipAttributor,
    corpus: Corpus,
    *,
    model: str | os.PathLike[str],
    known: str | os.PathLike[str],
    progress: Progress | None = None,
) -> AuthorshipAttributor:
    """Return a new attributor with the authors of ``corpus`` added.

    Parameters
    ----------
    attributor : AuthorshipAttributor
        A fitted attributor. Its own models do not change.
    corpus : Corpus
    model, known : str or path
        What messages call the attributor and the corpus.
    progress : Progress, optional
        Called after each author.

    Raises
    ------
    UsageError
        If the attributor has one of the authors already.
    TrainingError
        If an author has fewer tokens than the other authors' samples.
    """
    present = set(corpus.candidates) & set(map(str, attributor.classes_))
    if present:
        names = join_names(sorted(present), None)
        raise UsageError(
            f"{known}: {model} already has the {'author' if len(present) == 1 else 'authors'} "
            f"{names}; leave these texts out, or train a new model on all texts"
        )
    for done, author in enumerate(corpus.candidates, start=1):
        texts = [document.text for document in corpus if document.author == author]
        attributor = attributor.add_author(author, texts)
        if progress is not None:
            progress(done, len(corpus.candidates), author)
    return attributor
