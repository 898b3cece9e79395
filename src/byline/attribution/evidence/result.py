"""Evidence for and against candidates: contributions of tokens, n-grams and sentences."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from byline.text.tokens import is_character

#: The token for the end of a sentence, which is scored like a word.
END_MARK = "</s>"
CRITICAL = 1.96  # standard errors; random signs reach them in 5 % of sentences


@dataclass(frozen=True, slots=True)
class TokenEvidence:
    """The contribution of one token to the log-LR.

    Attributes
    ----------
    token : str
        As the encoder writes it; ``"</s>"`` is the end of a sentence, if the models score it.
    unknown : bool
        Whether it is missing from the vocabulary of a candidate, whose model scores ``<unk>``.
    log_lr : float
        Log-probability under the first candidate minus that under the second, in nats, mean over
        the samples. For a stack: that times the weight of the language models, plus the token's
        share of the contributions of all other base classifiers.

    Examples
    --------
    >>> TokenEvidence("upon", unknown=False, log_lr=1.25).log_lr
    1.25
    """

    token: str
    unknown: bool
    log_lr: float


@dataclass(frozen=True, slots=True)
class SentenceEvidence:
    """The contribution of one sentence to the log-LR.

    Attributes
    ----------
    number : int
        The number of the sentence, counted from 0.
    tokens : tuple of TokenEvidence
        The tokens of the sentence.
    length_log_lr : float
        The contribution of the length of the sentence and of its paragraph, in nats. The
        contribution of a paragraph is divided among its sentences by their characters. 0 for
        language models alone.

    Examples
    --------
    >>> tokens = (TokenEvidence("upon", False, 1.5), TokenEvidence("it", False, -0.25))
    >>> SentenceEvidence(0, tokens).log_lr
    1.25
    >>> five = tuple(TokenEvidence("it", False, 0.1) for _ in range(5))
    >>> SentenceEvidence(0, five).is_distinguished  # 0.5 is 2.2 times 0.224
    True
    >>> SentenceEvidence(0, tokens).is_distinguished  # 1.25 is 0.8 times 1.52
    False
    """

    number: int
    tokens: tuple[TokenEvidence, ...]
    length_log_lr: float = 0.0

    @property
    def log_lr(self) -> float:
        """The sum of ``length_log_lr`` and of the tokens' log-LRs, in nats."""
        return math.fsum((self.length_log_lr, *(token.log_lr for token in self.tokens)))

    @property
    def is_distinguished(self) -> bool:
        """Whether the words favour one candidate more than chance would.

        If the signs of the tokens' log-LRs were random, the standard deviation of their sum would
        be the root of the sum of their squares. The words of a sentence are not independent. This
        rule is therefore not a significance test; reports show a number if it holds.
        """
        values = [token.log_lr for token in self.tokens]
        return abs(math.fsum(values)) > CRITICAL * math.sqrt(math.fsum(v**2 for v in values))

    @property
    def ngrams(self) -> tuple[NgramEvidence, ...]:
        """The sentence, divided into n-grams of strong tokens and the tokens between these."""
        return tuple(
            NgramEvidence(self.number, start, self.tokens[start:end])
            for start, end in pairwise(_boundaries([token.log_lr for token in self.tokens]))
        )


@dataclass(frozen=True, slots=True)
class NgramEvidence:
    """Consecutive strong tokens of a sentence that favour the same candidate.

    A token is strong if the absolute value of its log-LR is at least the mean of the sentence. The
    tokens between such n-grams form n-grams of their own, so that all n-grams make up the sentence.

    Attributes
    ----------
    sentence : int
        The number of the sentence, counted from 0.
    start : int
        The position of the first token in the sentence, counted from 0.
    tokens : tuple of TokenEvidence
        The tokens of the n-gram.

    Examples
    --------
    >>> tokens = (TokenEvidence("upon", False, 1.5), TokenEvidence("it", False, 0.5))
    >>> NgramEvidence(0, 0, tokens).log_lr
    2.0
    """

    sentence: int
    start: int
    tokens: tuple[TokenEvidence, ...]

    @property
    def log_lr(self) -> float:
        """The sum of the tokens' log-LRs, in nats."""
        return math.fsum(token.log_lr for token in self.tokens)


@dataclass(frozen=True, slots=True)
class TypeEvidence:
    """All occurrences of one token.

    Attributes
    ----------
    token : str
        As the encoder writes it.
    unknown : bool
        Whether it is missing from the vocabulary of a candidate.
    count : int
        Number of occurrences in the text.
    log_lr : float
        The sum of their log-LRs, in nats.

    Examples
    --------
    >>> TypeEvidence("upon", unknown=False, count=3, log_lr=3.5).count
    3
    """

    token: str
    unknown: bool
    count: int
    log_lr: float


@dataclass(frozen=True, slots=True)
class NgramTypeEvidence:
    """All occurrences of one n-gram, as `SentenceEvidence.ngrams` divides sentences.

    Attributes
    ----------
    tokens : tuple of str
        The tokens of the n-gram.
    count : int
        Number of occurrences in the text.
    log_lr : float
        The sum of their log-LRs, in nats.

    Examples
    --------
    >>> NgramTypeEvidence(("upon", "the"), count=2, log_lr=3.0).tokens
    ('upon', 'the')
    """

    tokens: tuple[str, ...]
    count: int
    log_lr: float


@dataclass(frozen=True, slots=True)
class Evidence:
    """The evidence in a text for the first candidate (positive log-LR) and the second (negative).

    Attributes
    ----------
    first, second : str
        The compared candidates. The second is `ALL_OTHERS` if the first is compared with the mean
        of all other candidates.
    sentences : tuple of SentenceEvidence
        The whole text; empty if it has no token.
    constant : float
        The part of the log-LR that belongs to no token, in nats. For a stack: the difference of the
        author intercepts, and a base classifier's intercepts if the text has none of its n-grams.
        0 for language models alone.
    by_classifier : tuple of (str, float)
        The name of each base classifier, and its weighted contribution to the log-LR in nats,
        including its intercepts. These contributions and the difference of the author intercepts
        sum to ``log_lr``. Empty for language models alone.

    See Also
    --------
    explain : Compute the evidence.

    Examples
    --------
    >>> tokens = (TokenEvidence("upon", False, 1.5), TokenEvidence("it", False, -0.25))
    >>> evidence = Evidence("Ada", "Ben", (SentenceEvidence(0, tokens),))
    >>> evidence.log_lr, [entry.token for entry in evidence.top_tokens(1)]
    (1.25, ['upon'])
    """

    first: str
    second: str
    sentences: tuple[SentenceEvidence, ...]
    constant: float = 0.0
    by_classifier: tuple[tuple[str, float], ...] = ()

    @property
    def log_lr(self) -> float:
        """The log-LR of the whole text in nats: the constant, all tokens and all lengths.

        It is the difference of the candidates' log-likelihoods, or of their log-odds under a stack.
        """
        tokens = (token.log_lr for sentence in self.sentences for token in sentence.tokens)
        return math.fsum((self.constant, self.length_log_lr, *tokens))

    @property
    def length_log_lr(self) -> float:
        """The contribution of the lengths of sentences and paragraphs, in nats."""
        return math.fsum(sentence.length_log_lr for sentence in self.sentences)

    @property
    def of_characters(self) -> bool:
        """Whether all tokens except end marks are single characters."""
        tokens = (token for sentence in self.sentences for token in sentence.tokens)
        return all(token.token == END_MARK or is_character(token.token) for token in tokens)

    def top_tokens(
        self, n: int = 10, *, favours: Literal["first", "second"] | None = None
    ) -> list[TypeEvidence]:
        """Return the tokens with the largest absolute sums of log-LRs; ties are sorted by token.

        Parameters
        ----------
        n : int
            Largest number of tokens.
        favours : {"first", "second"}, optional
            Return only tokens that favour this candidate.
        """
        found: dict[tuple[str, bool], list[float]] = defaultdict(list)
        for sentence in self.sentences:
            for token in sentence.tokens:
                found[token.token, token.unknown].append(token.log_lr)
        types = [
            TypeEvidence(token, unknown, len(log_lrs), math.fsum(log_lrs))
            for (token, unknown), log_lrs in found.items()
        ]
        types.sort(key=lambda entry: (-abs(entry.log_lr), entry.token))
        return [entry for entry in types if _favours(entry.log_lr, favours)][:n]

    def top_ngrams(
        self,
        n: int = 10,
        *,
        favours: Literal["first", "second"] | None = None,
        at_least: int = 2,
    ) -> list[NgramTypeEvidence]:
        """Return the n-grams of `SentenceEvidence.ngrams` with the largest absolute log-LRs.

        Ties are sorted by tokens.

        Parameters
        ----------
        n : int
            Largest number of n-grams.
        favours : {"first", "second"}, optional
            Return only n-grams that favour this candidate.
        at_least : int
            Smallest number of tokens of an n-gram.
        """
        found: dict[tuple[str, ...], list[NgramEvidence]] = defaultdict(list)
        for sentence in self.sentences:
            for ngram in sentence.ngrams:
                if len(ngram.tokens) >= at_least:
                    found[tuple(token.token for token in ngram.tokens)].append(ngram)
        types = [
            NgramTypeEvidence(tokens, len(ngrams), math.fsum(ngram.log_lr for ngram in ngrams))
            for tokens, ngrams in found.items()
        ]
        types.sort(key=lambda entry: (-abs(entry.log_lr), entry.tokens))
        return [entry for entry in types if _favours(entry.log_lr, favours)][:n]

    def top_sentences(
        self, n: int = 5, *, favours: Literal["first", "second"] | None = None
    ) -> list[SentenceEvidence]:
        """Return the sentences with the largest absolute log-LRs; ties in the order of the text."""
        sentences = sorted(self.sentences, key=lambda sentence: -abs(sentence.log_lr))
        return [sentence for sentence in sentences if _favours(sentence.log_lr, favours)][:n]


def _boundaries(log_lrs: Sequence[float]) -> list[int]:
    """Return where runs of strong or weak tokens for the same candidate begin, and the end.

    Parameters
    ----------
    log_lrs : sequence of float
        The log-LRs of a sentence's tokens.
    """
    if not log_lrs:
        return []
    mean = math.fsum(map(abs, log_lrs)) / len(log_lrs)
    sides = [math.copysign(abs(log_lr) >= mean > 0, log_lr) for log_lr in log_lrs]
    changes = (place for place, (one, other) in enumerate(pairwise(sides), 1) if one != other)
    return [0, *changes, len(log_lrs)]


def _favours(log_lr: float, favours: str | None) -> bool:
    return favours is None or (log_lr > 0 if favours == "first" else log_lr < 0)
