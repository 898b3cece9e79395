"""Count sentences, words and vocabulary per author, as in Table 1 of Ge & Sun (2016)."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import chain
from typing import Any

from sklearn.base import clone

from byline.display import Displayable
from byline.errors import UsageError
from byline.named_settings import setting
from byline.text.ascii_rule import lost_shares, warn_of_lost_letters
from byline.text.encoder import TextEncoder
from byline.text.tokens import GE_SUN_2016, PorterStemmer
from byline.text.vocabulary import Vocabulary

COVERAGE_SIZES = (500, 1000, 2000)


@dataclass(frozen=True, slots=True)
class AuthorProfile:
    """The statistics of one author's texts: one row of Table 1 in Ge & Sun (2016).

    Attributes
    ----------
    author : str
    n_documents, n_sentences : int
    n_words : int
        The number of tokens plus one end-of-sentence token per sentence, as in the paper.
    words_per_sentence : float
        ``n_words`` divided by ``n_sentences``. NaN for an author without sentences.
    vocabulary_original : int
        The number of distinct tokens before stemming, without the end-of-sentence token.
    vocabulary_stemmed : int or None
        The number of distinct tokens after stemming. None if the encoder does not stem.
    vocabulary_pruned : int
        The number of distinct tokens after pruning, including ``<unk>``.
    coverage : mapping of int to float
        For each size k, the share of ``n_words`` that the k most frequent words cover after
        stemming and pruning. The end-of-sentence token counts as a word; ``<unk>`` does not.
    unknown_share : float
        The share of ``n_words`` that pruning replaces by ``<unk>``.

    See Also
    --------
    profile_texts : Compute these statistics.

    Examples
    --------
    >>> from byline.text import profile_texts
    >>> [row] = profile_texts({"Ada": ["The looms hum. The loom is new."]}).rows
    >>> row.author, row.words_per_sentence
    ('Ada', 5.5)
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
        """Convert to JSON values: sizes in ``coverage`` become strings, and NaN becomes None."""
        shares = {str(k): _finite(share) for k, share in self.coverage.items()}
        return {name: _finite(value) for name, value in asdict(self).items()} | {"coverage": shares}


@dataclass(frozen=True, slots=True)
class CorpusProfile(Displayable):
    """The statistics of a corpus: Table 1 in Ge & Sun (2016).

    Attributes
    ----------
    rows : tuple of AuthorProfile
        One row per author, in the order in which they were given.

    See Also
    --------
    profile_texts : Compute these statistics.

    Examples
    --------
    >>> from byline.text import profile_texts
    >>> profile = profile_texts({"Ada": ["The loom is new."], "Ben": ["The ship is old."]})
    >>> [row.author for row in profile.rows]
    ['Ada', 'Ben']
    """

    rows: tuple[AuthorProfile, ...]

    def figures(self) -> dict[str, Any]:
        """Convert to JSON values."""
        return {"rows": [row.to_dict() for row in self.rows]}


def profile_texts(
    texts_by_author: Mapping[str, Iterable[str]], encoder: TextEncoder | None = None
) -> CorpusProfile:
    """Count the sentences, words and vocabulary of each author's texts.

    Parameters
    ----------
    texts_by_author : mapping of str to iterable of str
        The texts of each author.
    encoder : TextEncoder, optional
        How to tokenize, stem and prune. By default, as in Ge & Sun (2016). It is not fitted.

    Returns
    -------
    CorpusProfile

    Raises
    ------
    UsageError
        A parameter of ``encoder`` has an invalid value, or the texts are not strings.

    Warns
    -----
    BylineWarning
        The word rule of Ge & Sun (2016) drops many letters of an author's texts.

    See Also
    --------
    byline.report.print_profile : Print the result as a table.

    Examples
    --------
    >>> from byline.text import profile_texts
    >>> profile = profile_texts({"Ada": ["The looms hum. The loom is new."]})
    >>> row = profile.rows[0]
    >>> row.n_sentences, row.n_words, row.vocabulary_original, row.vocabulary_stemmed
    (2, 11, 7, 6)
    """
    texts_of = {author: _checked(author, texts) for author, texts in texts_by_author.items()}
    encoder = TextEncoder.like_ge_sun_2016() if encoder is None else encoder
    if encoder.word_rule == GE_SUN_2016:
        advice = f"Use the general rules: {setting('own_rules', True)}, or encoder=TextEncoder()."
        warn_of_lost_letters(lost_shares(texts_of), advice)
    return CorpusProfile(
        tuple(_profile_author(author, texts, encoder) for author, texts in texts_of.items())
    )


def _checked(author: str, texts: Iterable[str]) -> list[str]:
    if isinstance(texts, str):
        raise UsageError(
            f"Expected a list of texts by {author}, but got one string. Put it in a list."
        )
    listed = list(texts)
    if not all(isinstance(text, str) for text in listed):
        raise UsageError(f"The texts by {author} are not all strings. Read them first.")
    return listed


def _profile_author(author: str, texts: Iterable[str], encoder: TextEncoder) -> AuthorProfile:
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
