"""Prepare known texts for training: group them by author, count tokens, and encode them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone

from byline.array_types import Integers
from byline.attribution.inputs import check_authors, check_texts
from byline.errors import TrainingError, UsageError
from byline.formatting import join_names
from byline.lm.base import Sentence
from byline.text import SubwordEncoder, TextEncoder
from byline.text.encoder import TokenizedDocument
from byline.text_memory import TextMemory

Documents = Mapping[str, Sequence[list[list[str]]]]  # author -> texts -> sentences -> tokens


@dataclass(frozen=True, slots=True)
class AuthorTokens:
    """One author's known texts as token ids.

    Attributes
    ----------
    sentences : sequence of int32 arrays, each (n_tokens,)
    n_tokens : int
        In all sentences, without end marks.
    vocabulary_size : int
        Size of the vocabulary that the ids refer to.
    """

    sentences: Sequence[Sentence]
    n_tokens: int
    vocabulary_size: int


def group_by_author(
    X: Iterable[str], y: Iterable[str]
) -> tuple[NDArray[np.str_] | Integers, dict[str, list[str]]]:
    """Return the sorted authors, and each author's texts by the author's name.

    Parameters
    ----------
    X, y : sequences of str, one entry per document
        The texts and their authors. Authors may be integers, which scikit-learn's
        ``cross_val_predict`` makes of them; their names are then the digits.

    Raises
    ------
    UsageError
        As in `check_authors`, or if entries are not strings, or the lengths differ.
    TrainingError
        If there are fewer than two authors.
    """
    texts, authors = check_texts(X), check_authors(y)
    if len(texts) != len(authors):
        raise UsageError(
            f"there are {len(texts)} texts but {len(authors)} authors; give one author per text"
        )
    classes = np.unique(authors)
    known: dict[str, list[str]] = {str(author): [] for author in classes}
    if len(known) < 2:
        there = f"there are only those of {authors[0]}" if authors else "there are none"
        raise TrainingError(
            f"known texts of at least two authors are needed, but {there}; "
            "add another candidate's texts"
        )
    for text, author in zip(texts, authors, strict=True):
        known[str(author)].append(text)
    return classes, known


def count_tokens_by_author(documents: Documents) -> dict[str, int]:
    """Count the tokens of each author's known texts, without end marks.

    Raises
    ------
    TrainingError
        If an author has no token; the message names all such authors.
    """
    amounts = {
        author: sum(len(sentence) for text in texts for sentence in text)
        for author, texts in documents.items()
    }
    empty = [author for author, amount in amounts.items() if amount == 0]
    if empty:
        raise TrainingError(
            f"the known texts of {join_names(empty, None)} contain no token; "
            "add text, or leave the author out"
        )
    return amounts


def tokenize_texts(encoder: TextEncoder, texts: Iterable[str]) -> list[TokenizedDocument]:
    """Tokenize texts; those that were tokenized lately, for another fold, are only looked up.

    The result must not be changed.
    """
    encoder.tokenize("")  # checks the parameters
    settings = tuple(sorted(encoder.get_params().items()))
    of_subwords = isinstance(encoder, SubwordEncoder)
    return [_tokenized(text, of_subwords, settings) for text in texts]


def _tokenize(
    text: str, of_subwords: bool, settings: tuple[tuple[str, Any], ...]
) -> TokenizedDocument:
    kind = SubwordEncoder if of_subwords else TextEncoder
    return kind(**dict(settings)).tokenize(text)


_tokenized = TextMemory(_tokenize)


def fit_encoders(
    encoder: TextEncoder, documents: Documents, *, shared: bool
) -> dict[str, TextEncoder]:
    """Build one vocabulary from all authors' texts, or one from each author's texts.

    Returns
    -------
    dict of author to TextEncoder
        If ``shared``, all values are ``encoder`` itself.
    """
    if shared:
        encoder.fit_tokenized([text for texts in documents.values() for text in texts])
        return dict.fromkeys(documents, encoder)
    return {author: clone(encoder).fit_tokenized(texts) for author, texts in documents.items()}


def encode_training_texts(
    encoders: Mapping[str, TextEncoder], documents: Documents
) -> dict[str, AuthorTokens]:
    """Encode each author's texts with the author's encoder."""
    amounts = count_tokens_by_author(documents)
    return {
        author: AuthorTokens(
            sentences=[ids for text in texts for ids in encoders[author].encode(text)],
            n_tokens=amounts[author],
            vocabulary_size=encoders[author].vocabulary_.size,
        )
        for author, texts in documents.items()
    }
