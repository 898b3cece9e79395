"""Further authors for a model that is there."""

from __future__ import annotations

import os

from byline.attribution.language_models.attributor import AuthorshipAttributor
from byline.attribution.model_files.saving import Attributor
from byline.corpus import Corpus
from byline.errors import UsageError
from byline.progress import Progress


def check_can_add_authors(
    attributor: Attributor, model: str | os.PathLike[str]
) -> AuthorshipAttributor:
    """Return an attributor (named ``model``) to which authors can be added.

    Raises
    ------
    UsageError
        It tells its authors from each other.
    """
    if isinstance(attributor, AuthorshipAttributor):
        return attributor
    raise UsageError(
        f"{model} tells its authors from each other, so a new one changes all of it: train "
        "again with all authors, or train with --method language-models and without "
        "--calibrate, which can be added to"
    )


def add_authors(
    attributor: AuthorshipAttributor,
    corpus: Corpus,
    *,
    model: str | os.PathLike[str],
    known: str | os.PathLike[str],
    progress: Progress | None = None,
) -> AuthorshipAttributor:
    """Return a new attributor that knows the authors of ``corpus`` too.

    Parameters
    ----------
    attributor : AuthorshipAttributor
        Fitted; its own models stay as they are.
    corpus : Corpus
    model, known : str or path
        What messages call the attributor and the corpus.
    progress : Progress, optional
        Told of each author.

    Raises
    ------
    UsageError
        The attributor knows one of them.
    TrainingError
        An author has fewer tokens than the samples of the others.
    """
    present = set(corpus.candidates) & set(map(str, attributor.classes_))
    if present:
        raise UsageError(
            f"{known}: {', '.join(sorted(present))} already in {model}; "
            "leave these out, or train anew to learn from more of their text"
        )
    for done, author in enumerate(corpus.candidates, start=1):
        texts = [document.text for document in corpus if document.author == author]
        attributor = attributor.add_author(author, texts)
        if progress is not None:
            progress(done, len(corpus.candidates), author)
    return attributor
