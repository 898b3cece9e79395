"""A text as it was written, coloured by what its words speak for, and what tells most in it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any, Literal

import numpy as np

from byline.attribution import END_MARK, Evidence, SentenceEvidence
from byline.corpus.scripts import join_words
from byline.report.graphics import shade
from byline.text import TextEncoder
from byline.text.alignment import align_tokens

MOST_TOKENS = 3000  # of a text that is shown whole
N_TELLING = 12
N_SENTENCES = 3
STRONG_SHARE = 0.99  # of the shown words, which stay below a strong one's log-LR
LEAST_STRONG = 0.05  # nats: below that, no word is strong

Part = dict[str, Any]
Side = Literal["first", "second"]


def evidence_part(
    evidence: Evidence, text: str, encoder: TextEncoder, *, at_most: int | None = MOST_TOKENS
) -> Part:
    """Lay evidence out for a reader: the text with values, and what tells most in it.

    Parameters
    ----------
    evidence : Evidence
    text : str
        What was explained.
    encoder : TextEncoder
        The attributor's, which cut the text.
    at_most : int or None
        Tokens of the text to show, or a few more; None for all.

    Returns
    -------
    dict
        Of JSON's values. "first", "second"; "language" of the text; "log_lr" and "base" (nats);
        "lengths": what lengths of sentences and paragraphs speak for; "members": pairs of "member"
        and "log_lr"; "bias";
        "strong": from which log-LR a word is shown as strongly as can be; "n_sentences",
        "n_tokens"; "from" and "to": numbers, from 1, of the sentences in "shown", which are all of
        them in a text of not much more than ``at_most``, else the consecutive ones that tell most;
        "shown": see `show_sentences`; "for_first", "for_second": "tokens", "ngrams" (both
        with "text", "count", "log_lr") and "sentences" ("number", "log_lr", "text").
    """
    starts = _starts(evidence, text, encoder)
    first, behind = _most_telling_stretch(evidence.sentences, at_most)
    strong = strong_log_lr(evidence)
    return {
        "first": evidence.first,
        "second": evidence.second,
        "language": encoder.language,
        "log_lr": evidence.log_lr,
        "base": evidence.base,
        "lengths": evidence.lengths,
        "members": [{"member": name, "log_lr": log_lr} for name, log_lr in evidence.parts],
        "bias": evidence.log_lr - sum(log_lr for _, log_lr in evidence.parts),
        "strong": strong,
        "n_sentences": len(evidence.sentences),
        "n_tokens": sum(len(sentence.tokens) for sentence in evidence.sentences),
        "from": first + 1,
        "to": behind,
        "shown": show_sentences(evidence.sentences[first:behind], text, starts, strong),
        "for_first": _telling(evidence, "first", text, starts),
        "for_second": _telling(evidence, "second", text, starts),
    }


def strong_log_lr(evidence: Evidence) -> float:
    """Return the log-LR, in nats, that one word in a hundred exceeds."""
    sizes = [abs(token.log_lr) for sentence in evidence.sentences for token in sentence.tokens]
    return max(LEAST_STRONG, float(np.quantile(sizes, STRONG_SHARE))) if sizes else LEAST_STRONG


def show_sentences(
    sentences: Sequence[SentenceEvidence], text: str, starts: Sequence[Sequence[int]], strong: float
) -> list[Part]:
    """Give each sentence's tokens as they were written.

    Parameters
    ----------
    sentences : sequence of SentenceEvidence
    text : str
    starts : sequence of sequences of int
        Of all of the text's sentences, where each token begins, and the last one ends.
    strong : float
        From which log-LR a word is shown as strongly as can be.

    Returns
    -------
    list of dict
        "number" (from 1), "log_lr", "lengths", "new_paragraph"; "ngrams": "n" (how many of the
        tokens in a row) and "log_lr", one behind the other; and "tokens": "text", "space"
        (whether white space follows), "log_lr", "unknown", "shade" (``f`` for the first candidate
        or ``s`` for the second with a strength of 1 to 3; or empty), "is_end" (an end mark).
    """
    return [_shown(sentence, text, starts, strong) for sentence in sentences]


def _shown(
    sentence: SentenceEvidence, text: str, starts: Sequence[Sequence[int]], strong: float
) -> Part:
    own = starts[sentence.number]
    before = starts[sentence.number - 1][-1] if sentence.number else 0
    return {
        "number": sentence.number + 1,
        "log_lr": sentence.log_lr,
        "lengths": sentence.lengths,
        "new_paragraph": sentence.number > 0 and "\n" in text[before - 1 : own[0]],
        "ngrams": [{"n": len(ngram.tokens), "log_lr": ngram.log_lr} for ngram in sentence.ngrams],
        "tokens": [
            {
                "text": " ".join(written.split()),
                "space": written[-1:].isspace(),
                "log_lr": token.log_lr,
                "unknown": token.unknown,
                "shade": shade(token.log_lr, strong),
                "is_end": token.token == END_MARK and not written.strip(),
            }
            for token, written in zip(
                sentence.tokens, (text[start:end] for start, end in pairwise(own)), strict=True
            )
        ],
    }


def _starts(evidence: Evidence, text: str, encoder: TextEncoder) -> list[list[int]]:
    """Where each token of each sentence begins; behind the last one, where the next does."""
    if not evidence.sentences:
        return []
    with_marks = [[token.token for token in sentence.tokens] for sentence in evidence.sentences]
    end_tokens = len(with_marks[0]) > len(encoder.tokenize(text)[0])
    sentences = [tokens[:-1] if end_tokens else tokens for tokens in with_marks]
    places = align_tokens(encoder, text, sentences, end_tokens=end_tokens)
    bounds = iter(places.starts.tolist())
    starts = [[next(bounds) for _ in tokens] for tokens in with_marks]
    starts[0][0] = 0
    following = [*(own[0] for own in starts[1:]), len(text)]
    return [[*own, end] for own, end in zip(starts, following, strict=True)]


def _most_telling_stretch(
    sentences: Sequence[SentenceEvidence], at_most: int | None
) -> tuple[int, int]:
    """Choose consecutive sentences with the largest sum of sizes of log-LRs, and few enough tokens.

    Returns
    -------
    first, behind : int
    """
    counts = [len(sentence.tokens) for sentence in sentences]
    if at_most is None or sum(counts) <= 1.1 * at_most:
        return 0, len(sentences)
    tells = [abs(sentence.log_lr) for sentence in sentences]
    sums = np.cumsum([0.0, *tells])
    return max(_stretches(counts, at_most), key=lambda stretch: sums[stretch[1]] - sums[stretch[0]])


def _stretches(counts: Sequence[int], at_most: int) -> Iterator[tuple[int, int]]:
    """For each first sentence, as many as have no more tokens than that, at least one."""
    ends = np.cumsum(counts)
    last = np.searchsorted(ends, ends - counts + at_most, side="right")
    for first, behind in enumerate(last.tolist()):
        yield first, max(behind, first + 1)


def _telling(evidence: Evidence, side: Side, text: str, starts: Sequence[Sequence[int]]) -> Part:
    return {
        "tokens": [
            {"text": readable(entry.token), "count": entry.count, "log_lr": entry.log_lr}
            for entry in evidence.top_tokens(N_TELLING, favours=side)
        ],
        "ngrams": [
            {
                "text": join_tokens(entry.tokens, evidence),
                "count": entry.count,
                "log_lr": entry.log_lr,
            }
            for entry in evidence.top_ngrams(N_TELLING, favours=side)
        ],
        "sentences": [
            {
                "number": sentence.number + 1,
                "log_lr": sentence.log_lr,
                "text": _written(text, starts[sentence.number]),
            }
            for sentence in evidence.top_sentences(N_SENTENCES, favours=side)
        ],
    }


def _written(text: str, starts: Sequence[int]) -> str:
    return " ".join(text[starts[0] : starts[-1]].split())


def join_tokens(tokens: Sequence[str], evidence: Evidence) -> str:
    """Write tokens one behind the other, as they stand in a text."""
    written = map(readable, tokens)
    return "".join(written) if evidence.of_characters else join_words(written)


def readable(token: str) -> str:
    """Write a token so that it can be seen."""
    return {END_MARK: "⏎", " ": "␣"}.get(token, token)
