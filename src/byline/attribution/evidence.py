"""Why one candidate rather than another: the tokens and sentences that decided, in nats.

Evidence is about log-likelihoods under either score rule: perplexities do not add up over tokens.
"""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import dataclass
from typing import Literal

import numpy as np
from sklearn.utils.validation import check_is_fitted

from byline.attribution.attributor import AuthorshipAttributor
from byline.attribution.inputs import check_texts
from byline.attribution.sentence_scorer import token_log_probs
from byline.errors import UsageError
from byline.lm.base import UNK

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
        the draws.
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
    """

    number: int
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
class Evidence:
    """What speaks for the first candidate (positive log-LR) and for the second (negative).

    Attributes
    ----------
    first, second : str
    sentences : tuple of SentenceEvidence
        The whole text; empty where it has no token.
    """

    first: str
    second: str
    sentences: tuple[SentenceEvidence, ...]

    @property
    def log_lr(self) -> float:
        """The whole text's log-LR in nats: the difference of the candidates' log-likelihoods."""
        return math.fsum(token.log_lr for sentence in self.sentences for token in sentence.tokens)

    def most_telling_tokens(
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

    def most_telling_sentences(
        self, n: int = 5, *, favours: Literal["first", "second"] | None = None
    ) -> list[SentenceEvidence]:
        """Sentences by the size of their log-LR, largest first; ties in the order of the text."""
        sentences = sorted(self.sentences, key=lambda sentence: -abs(sentence.log_lr))
        return [sentence for sentence in sentences if _speaks(sentence.log_lr, favours)][:n]


def _speaks(log_lr: float, favours: str | None) -> bool:
    return favours is None or (log_lr > 0 if favours == "first" else log_lr < 0)


def explain(
    attributor: AuthorshipAttributor,
    text: str,
    *,
    first: str | None = None,
    second: str | None = None,
) -> Evidence:
    """Which tokens and sentences speak for one candidate and against another.

    Parameters
    ----------
    attributor : AuthorshipAttributor
        Fitted.
    text : str
        The questioned text; it is explained even where an answer about it is declined.
    first, second : str, optional
        The candidates; the best scored and the runner-up where not told.

    Returns
    -------
    Evidence
        Its ``log_lr`` is the difference of the candidates' log-likelihoods.

    Raises
    ------
    UsageError
        An unknown candidate, or twice the same.
    """
    check_is_fitted(attributor)
    [text] = check_texts([text])
    pair = _contestants(attributor, text, first, second)
    sentences = attributor.encoder_.tokenize(text)
    views = [attributor.encoders_[author].encode(sentences) for author in pair]
    log_probs = [
        token_log_probs(attributor.models_[author], view).mean(axis=0)
        for author, view in zip(pair, views, strict=True)
    ]  # twice (n_scored,)
    log_lrs = iter((log_probs[0] - log_probs[1]).tolist())
    marks = [END_MARK] if attributor.models_[pair[0]][0].sentence_end else []
    entries = []
    for number, (tokens, *ids) in enumerate(zip(sentences, *views, strict=True)):
        unknown = [*np.logical_or.reduce([view == UNK for view in ids]).tolist(), False]
        row = zip(tokens + marks, unknown, log_lrs, strict=False)
        entries.append(SentenceEvidence(number, tuple(TokenEvidence(*entry) for entry in row)))
    return Evidence(*pair, tuple(entries))


def _contestants(
    attributor: AuthorshipAttributor, text: str, first: str | None, second: str | None
) -> tuple[str, str]:
    """Return the candidates asked for, what is left open filled in by rank."""
    scores = attributor.decision_function([text])[0]
    authors = list(attributor.models_)
    ranked = [authors[index] for index in np.argsort(-scores, kind="stable")]
    for author in (first, second):
        if author is not None and author not in ranked:
            raise UsageError(f"{author!r} is no candidate; there are {', '.join(authors)}")
    if first is not None and first == second:
        raise UsageError(f"{first!r} is named twice; evidence is between two candidates")
    first = first or next(author for author in ranked if author != second)
    return first, second or next(author for author in ranked if author != first)
