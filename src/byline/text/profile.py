"""What a corpus is made of: Table 1 of Ge & Sun 2016, and the coverage in their figure below it."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import chain
from typing import Any

from sklearn.base import clone

from byline.errors import UsageError
from byline.text.encoder import TextEncoder
from byline.text.tokens import PorterStemmer
from byline.text.vocabulary import Vocabulary

COVERAGE_SIZES = (500, 1000, 2000)


@dataclass(frozen=True, slots=True)
class AuthorProfile:
    """One row of Table 1.

    Attributes
    ----------
    author : str
    n_documents, n_sentences : int
    n_words : int
        Tokens and one end mark a sentence, as the paper counts.
    words_per_sentence : float
        NaN of an author without a sentence.
    vocabulary_original : int
        Distinct tokens, unstemmed; the end mark is not counted.
    vocabulary_stemmed : int or None
        The same after stemming; None where the encoder does not stem.
    vocabulary_pruned : int
        Distinct tokens left after pruning, ``<unk>`` included.
    coverage : mapping of int to float
        k -> share of ``n_words`` that are among the k most frequent words after stemming and
        pruning. The end mark is one of the words, ``<unk>`` is none.
    unknown_share : float
        Share of ``n_words`` that pruning maps to ``<unk>``.
    """

    author: str
    n_documents: int
    n_sentences: int
    n_words: int
    words_per_sentence: float
    vocabulary_original: int
    vocabulary_stemmed: int | None
    vocabulary_pruned: int
    coverage: Mapping[int, float]
    unknown_share: float

    def to_dict(self) -> dict[str, Any]:
        """JSON values: the sizes in ``coverage`` are strings, and None stands for NaN."""
        shares = {str(k): _finite(share) for k, share in self.coverage.items()}
        return {name: _finite(value) for name, value in asdict(self).items()} | {"coverage": shares}


@dataclass(frozen=True, slots=True)
class CorpusProfile:
    """Table 1 of a corpus.

    Attributes
    ----------
    rows : tuple of AuthorProfile
        One an author, in the order they were given.
    """

    rows: tuple[AuthorProfile, ...]

    def to_dict(self) -> dict[str, Any]:
        """JSON values."""
        return {"rows": [row.to_dict() for row in self.rows]}


def profile_texts(
    texts_by_author: Mapping[str, Iterable[str]], encoder: TextEncoder | None = None
) -> CorpusProfile:
    """Describe each author's texts.

    Parameters
    ----------
    texts_by_author : mapping of author to texts
    encoder : TextEncoder, optional
        How texts are cut, stemmed and pruned; by default as in the paper. It is not fitted.

    Raises
    ------
    UsageError
        A parameter of ``encoder`` has a value that cannot be used, or texts are not strings.
    """
    encoder = TextEncoder.like_ge_sun_2016() if encoder is None else encoder
    return CorpusProfile(
        tuple(_profile_author(author, texts, encoder) for author, texts in texts_by_author.items())
    )


def _profile_author(author: str, texts: Iterable[str], encoder: TextEncoder) -> AuthorProfile:
    if isinstance(texts, str):
        raise UsageError(f"expected several texts of {author}, got one string; put it in a list")
    documents = list(map(clone(encoder).set_params(stem=False).tokenize, texts))
    original = _count(documents)
    counts = _stemmed(original) if encoder.stem else original
    n_sentences = sum(map(len, documents))
    n_words = sum(counts.values()) + n_sentences
    vocabulary = Vocabulary.from_counts(
        counts,
        n_sentences=n_sentences,
        min_count=encoder.min_count,
        min_frequency=encoder.min_frequency,
    )
    return AuthorProfile(
        author=author,
        n_documents=len(documents),
        n_sentences=n_sentences,
        n_words=n_words,
        words_per_sentence=_share(n_words, n_sentences),
        vocabulary_original=len(original),
        vocabulary_stemmed=len(counts) if encoder.stem else None,
        vocabulary_pruned=vocabulary.size,
        coverage=_coverage([n_sentences, *vocabulary.counts[1:]], n_words),
        unknown_share=_share(vocabulary.counts[0], n_words),
    )


def _count(documents: Iterable[Sequence[Sequence[str]]]) -> Counter[str]:
    counts: Counter[str] = Counter()
    for document in documents:
        counts.update(chain.from_iterable(document))
    return counts


def _stemmed(counts: Mapping[str, int]) -> Counter[str]:
    stem = PorterStemmer()
    stemmed: Counter[str] = Counter()
    for word, count in counts.items():
        stemmed[stem(word)] += count
    return stemmed


def _coverage(counts: Iterable[int], n_words: int) -> dict[int, float]:
    ranked = sorted(counts, reverse=True)
    return {k: _share(sum(ranked[:k]), n_words) for k in COVERAGE_SIZES}


def _share(part: int, whole: int) -> float:
    return part / whole if whole else float("nan")


def _finite(value: Any) -> Any:
    return None if isinstance(value, float) and math.isnan(value) else value
