"""Known texts: grouped by author, counted, and turned into token ids."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone

from byline.attribution.inputs import check_authors, check_texts
from byline.attribution.result import CANNOT_TELL
from byline.errors import TrainingError, UsageError
from byline.lm.base import Sentence
from byline.text import TextEncoder

Documents = Mapping[str, Sequence[list[list[str]]]]  # author -> texts -> sentences -> tokens


@dataclass(frozen=True, slots=True)
class AuthorTokens:
    """One author's known text as token ids.

    Attributes
    ----------
    sentences : sequence of int32 arrays, each (n_tokens,)
    n_tokens : int
        In all sentences, end marks not counted.
    vocabulary_size : int
        Of the vocabulary that the ids come from.
    """

    sentences: Sequence[Sentence]
    n_tokens: int
    vocabulary_size: int


def group_by_author(
    X: Iterable[str], y: Iterable[str]
) -> tuple[NDArray[np.str_] | NDArray[np.int64], dict[str, list[str]]]:
    """Return the sorted authors, and each author's texts in that order by name.

    Parameters
    ----------
    X, y : sequences of str, one entry a document
        The texts and who wrote them. Authors may be whole numbers, as scikit-learn's
        ``cross_val_predict`` makes them; their names are then the digits.

    Raises
    ------
    UsageError
        Entries that are not strings, lengths that differ, or an author called ``CANNOT_TELL``.
    TrainingError
        Fewer than two authors.
    """
    texts, authors = check_texts(X), check_authors(y)
    if len(texts) != len(authors):
        raise UsageError(f"{len(texts)} texts need as many authors, but {len(authors)} came")
    if CANNOT_TELL in authors:
        raise UsageError(f"no author can be called {CANNOT_TELL!r}: a declined text gets that")
    classes = np.unique(authors)
    known: dict[str, list[str]] = {str(author): [] for author in classes}
    if len(known) < 2:
        raise TrainingError(
            f"known texts of at least two authors are needed, but there are those of "
            f"{authors[0] if authors else 'none'}; add another candidate's texts"
        )
    for text, author in zip(texts, authors, strict=True):
        known[str(author)].append(text)
    return classes, known


def count_tokens_by_author(documents: Documents) -> dict[str, int]:
    """Tokens of each author's known texts, end marks not counted.

    Raises
    ------
    TrainingError
        Authors without a token, by name.
    """
    amounts = {
        author: sum(len(sentence) for text in texts for sentence in text)
        for author, texts in documents.items()
    }
    empty = [author for author, amount in amounts.items() if amount == 0]
    if empty:
        raise TrainingError(
            f"there is no token in the known texts of {', '.join(empty)}; "
            "add text, or leave the author out"
        )
    return amounts


def fit_encoders(
    encoder: TextEncoder, documents: Documents, *, shared: bool
) -> dict[str, TextEncoder]:
    """Learn one vocabulary from all authors' texts, or one from each author's.

    Returns
    -------
    dict of author to TextEncoder; all of them ``encoder`` itself where ``shared``
    """
    if shared:
        encoder.fit_tokenized([text for texts in documents.values() for text in texts])
        return dict.fromkeys(documents, encoder)
    return {author: clone(encoder).fit_tokenized(texts) for author, texts in documents.items()}


def encode_training_texts(
    encoders: Mapping[str, TextEncoder], documents: Documents
) -> dict[str, AuthorTokens]:
    """Turn each author's texts into ids of the author's encoder."""
    amounts = count_tokens_by_author(documents)
    return {
        author: AuthorTokens(
            sentences=[ids for text in texts for ids in encoders[author].encode(text)],
            n_tokens=amounts[author],
            vocabulary_size=encoders[author].vocabulary_.size,
        )
        for author, texts in documents.items()
    }
