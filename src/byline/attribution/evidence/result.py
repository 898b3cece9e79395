"""What decided between two candidates: tokens and sentences, each with its part in nats."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from byline.text.tokens import is_character

#: The token that stands for the end of a sentence, which is scored as a word is.
END_MARK = "</s>"


@dataclass(frozen=True, slots=True)
class TokenEvidence:
    """One token's part in the log-LR.

    Attributes
    ----------
    token : str
        As the encoder cut it; ``"</s>"`` is the end of the sentence, where the models score it.
    unknown : bool
        It is not in the vocabulary of both candidates, so a model saw ``<unk>`` in its place.
    log_lr : float
        Log-probability under the first candidate minus that under the second, in nats, mean over
        the draws. Of a stack, that times the language models' weight, and a share of what every
        other member makes of the n-grams the token is a part of.
    """

    token: str
    unknown: bool
    log_lr: float


@dataclass(frozen=True, slots=True)
class SentenceEvidence:
    """One sentence's part in the log-LR.

    Attributes
    ----------
    number : int
        Its place in the text, from 0.
    tokens : tuple of TokenEvidence
    lengths : float
        What no word of it speaks for, but how long it and its paragraph are, in nats; of a
        paragraph of several sentences, by its characters. 0 of language models alone.
    """

    number: int
    tokens: tuple[TokenEvidence, ...]
    lengths: float = 0.0

    @property
    def log_lr(self) -> float:
        """``lengths`` and the sum of the tokens' log-LRs, in nats."""
        return math.fsum((self.lengths, *(token.log_lr for token in self.tokens)))

    @property
    def ngrams(self) -> tuple[NgramEvidence, ...]:
        """The sentence in n-grams of tokens that tell, and what lies between these."""
        return tuple(
            NgramEvidence(self.number, start, self.tokens[start:end])
            for start, end in pairwise(_turns([token.log_lr for token in self.tokens]))
        )


@dataclass(frozen=True, slots=True)
class NgramEvidence:
    """Consecutive tokens of a sentence that tell, all for one candidate: an n-gram of any order.

    A token tells where its log-LR is not less in size than the mean of the sentence's tokens. What
    lies between such n-grams makes n-grams of its own, so that all of them are the sentence.

    Attributes
    ----------
    sentence : int
        The sentence's number, from 0.
    start : int
        Place of the first token in the sentence, from 0.
    tokens : tuple of TokenEvidence
    """

    sentence: int
    start: int
    tokens: tuple[TokenEvidence, ...]

    @property
    def log_lr(self) -> float:
        """Sum of the tokens' log-LRs, in nats."""
        return math.fsum(token.log_lr for token in self.tokens)


@dataclass(frozen=True, slots=True)
class TypeEvidence:
    """All occurrences of one token together.

    Attributes
    ----------
    token : str
    unknown : bool
    count : int
        Occurrences in the text.
    log_lr : float
        Sum of their log-LRs, in nats.
    """

    token: str
    unknown: bool
    count: int
    log_lr: float


@dataclass(frozen=True, slots=True)
class NgramTypeEvidence:
    """All occurrences of one n-gram together, as `SentenceEvidence.ngrams` cuts sentences.

    Attributes
    ----------
    tokens : tuple of str
    count : int
        Occurrences in the text.
    log_lr : float
        Sum of their log-LRs, in nats.
    """

    tokens: tuple[str, ...]
    count: int
    log_lr: float


@dataclass(frozen=True, slots=True)
class Evidence:
    """What speaks for the first candidate (positive log-LR) and for the second (negative).

    Attributes
    ----------
    first, second : str
        The second is `ALL_OTHERS` where the first is set against the mean of all other candidates.
    sentences : tuple of SentenceEvidence
        The whole text; empty where it has no token.
    base : float
        What no word accounts for, in nats: of a stack, the difference of the candidates' biases,
        and of a member's intercepts where the text has none of its n-grams to share them out
        among. 0 for language models alone.
    parts : tuple of (str, float)
        Each stacked member by its name, and the difference of the candidates' scores by it times
        its weight, in nats, the member's intercepts included. These and the difference of the
        biases, which are the combination's and no member's, add up to ``log_lr``. Empty for
        language models alone.
    """

    first: str
    second: str
    sentences: tuple[SentenceEvidence, ...]
    base: float = 0.0
    parts: tuple[tuple[str, float], ...] = ()

    @property
    def log_lr(self) -> float:
        """The whole text's log-LR in nats: ``base``, and the log-LRs of all tokens and lengths.

        It is the difference of the candidates' log-likelihoods, or of their log-odds by a stack.
        """
        tokens = (token.log_lr for sentence in self.sentences for token in sentence.tokens)
        return math.fsum((self.base, self.lengths, *tokens))

    @property
    def lengths(self) -> float:
        """What lengths of sentences and paragraphs speak for, in nats."""
        return math.fsum(sentence.lengths for sentence in self.sentences)

    @property
    def of_characters(self) -> bool:
        """Whether all tokens but end marks are single characters."""
        tokens = (token for sentence in self.sentences for token in sentence.tokens)
        return all(token.token == END_MARK or is_character(token.token) for token in tokens)

    def top_tokens(
        self, n: int = 10, *, favours: Literal["first", "second"] | None = None
    ) -> list[TypeEvidence]:
        """Tokens by the size of their summed log-LR, largest first; ties by the token.

        Parameters
        ----------
        n : int
            How many at most.
        favours : {"first", "second"}, optional
            Only tokens that speak for this candidate.
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
        return [entry for entry in types if _speaks(entry.log_lr, favours)][:n]

    def top_ngrams(
        self,
        n: int = 10,
        *,
        favours: Literal["first", "second"] | None = None,
        at_least: int = 2,
    ) -> list[NgramTypeEvidence]:
        """N-grams, as `SentenceEvidence.ngrams` cuts them, by the size of their summed log-LR.

        Largest first; ties by the tokens. All n-grams together are the tokens.

        Parameters
        ----------
        n : int
            How many at most.
        favours : {"first", "second"}, optional
            Only n-grams that speak for this candidate.
        at_least : int
            Tokens that an n-gram has.
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
        return [entry for entry in types if _speaks(entry.log_lr, favours)][:n]

    def top_sentences(
        self, n: int = 5, *, favours: Literal["first", "second"] | None = None
    ) -> list[SentenceEvidence]:
        """Sentences by the size of their log-LR, largest first; ties in the order of the text."""
        sentences = sorted(self.sentences, key=lambda sentence: -abs(sentence.log_lr))
        return [sentence for sentence in sentences if _speaks(sentence.log_lr, favours)][:n]


def _turns(log_lrs: Sequence[float]) -> list[int]:
    """Where runs of tokens begin that tell more than the mean, for one candidate, or less; the end.

    Parameters
    ----------
    log_lrs : sequence of float
        Of a sentence's tokens.
    """
    if not log_lrs:
        return []
    mean = math.fsum(map(abs, log_lrs)) / len(log_lrs)
    sides = [math.copysign(abs(log_lr) >= mean > 0, log_lr) for log_lr in log_lrs]
    turns = (place for place, (one, other) in enumerate(pairwise(sides), 1) if one != other)
    return [0, *turns, len(log_lrs)]


def _speaks(log_lr: float, favours: str | None) -> bool:
    return favours is None or (log_lr > 0 if favours == "first" else log_lr < 0)
