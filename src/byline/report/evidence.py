"""The evidence in a text, prepared for templates: coloured words and the strongest evidence."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import pairwise
from math import floor, log10
from typing import Any, Literal

import numpy as np

from byline.attribution import END_MARK, Evidence, SentenceEvidence
from byline.formatting import rounds_to_zero
from byline.report.graphics import shade
from byline.text import TextEncoder
from byline.text.alignment import align_tokens
from byline.typography.scripts import join_words

MAX_TOKENS = 3000  # of a text that is shown whole
N_TOP = 12
N_SENTENCES = 3
STRONG_QUANTILE = 0.99  # of the tokens' absolute log-LRs
MIN_STRONG = 0.05  # nats
SENTENCE_DECIMALS = 1  # in reports; words have two
MOST_DECIMALS = 6
SENTENCE_QUANTILES = (0.5, 0.8, 0.95)  # of a text's sentences, at which the shade gets darker

Part = dict[str, Any]
Side = Literal["first", "second"]


def evidence_part(
    evidence: Evidence,
    text: str,
    encoder: TextEncoder,
    *,
    at_most: int | None = MAX_TOKENS,
    frequent: Collection[str] = (),
) -> Part:
    """Prepare evidence for a template: the text with values, and the strongest evidence.

    Parameters
    ----------
    evidence : Evidence
        The explanation of the text.
    text : str
        The explained text.
    encoder : TextEncoder
        The attributor's encoder, which split the text.
    at_most : int or None
        Approximate largest number of tokens to show; None for all.
    frequent : collection of str
        The most frequent words of the known texts, in lower case, see
        `byline.report.case_evidence.frequent_words`. Other words
        are marked, because they may come from the subject. Without them, no word is marked.

    Returns
    -------
    dict
        JSON values: "is_long" (whether only a part of the text is shown; then its sentences are
        shaded, and its words are shaded relative to each other); "decimals" of the values of
        sentences; "first",
        "second"; "language" of the text; "log_lr", "constant",
        "length_log_lr" and "author_intercepts" in nats (see `Evidence`); "base_classifiers": a list
        of "name" and "log_lr"; "strong": the log-LR from which a word has the darkest colour;
        "n_sentences", "n_tokens"; "from" and "to": numbers, counted from 1, of the sentences in
        "shown". These are all sentences of a short text, else the consecutive ones with the
        strongest evidence. "shown": for each of them "number" (from 1), "log_lr", "length_log_lr",
        "is_distinguished" (see `SentenceEvidence`; False if the value is shown as zero), "shade"
        (as for a token, but relative to the sentences), "new_paragraph"; "ngrams": "n" (number of
        tokens) and "log_lr", in the order of the text; and "tokens": "text", "space" (whether
        white space follows), "log_lr",
        "unknown", "shade" (``f`` for the first candidate or ``s`` for the second, and a strength of
        1 to 3; or empty), "is_end" (an end mark); "for_first", "for_second": "tokens",
        "ngrams" (both with "text", "count", "log_lr", and "is_rare", whether it contains a word
        that is not frequent) and "sentences" ("number", "log_lr", "text"), without those whose
        log-LR is shown as zero; "n_frequent": the number of frequent words.
    """
    text = encoder.normalize(text)
    starts = _starts(evidence, text, encoder)
    first, end = _strongest_range(evidence.sentences, at_most)
    is_long = end - first < len(evidence.sentences)
    strong = strong_log_lr(evidence, least=0.0 if is_long else MIN_STRONG)
    shades = _sentence_shades(evidence.sentences)
    decimals = _decimals(evidence.sentences) if is_long else SENTENCE_DECIMALS
    return {
        "is_long": is_long,
        "decimals": decimals,
        "first": evidence.first,
        "second": evidence.second,
        "language": encoder.language,
        "log_lr": evidence.log_lr,
        "constant": evidence.constant,
        "length_log_lr": evidence.length_log_lr,
        "base_classifiers": [
            {"name": name, "log_lr": log_lr} for name, log_lr in evidence.by_classifier
        ],
        "author_intercepts": evidence.log_lr - sum(log_lr for _, log_lr in evidence.by_classifier),
        "strong": strong,
        "n_sentences": len(evidence.sentences),
        "n_tokens": sum(len(sentence.tokens) for sentence in evidence.sentences),
        "from": first + 1,
        "to": end,
        "shown": [
            _shown(sentence, text, starts, strong)
            | {
                "shade": shades[sentence.number],
                "is_distinguished": sentence.is_distinguished
                and not rounds_to_zero(sentence.log_lr, decimals),
            }
            for sentence in evidence.sentences[first:end]
        ],
        "for_first": _top(evidence, "first", text, starts, frequent),
        "for_second": _top(evidence, "second", text, starts, frequent),
        "n_frequent": len(frequent),
    }


def subject_sentence(part: Part) -> str:
    """State that words may come from the subject, and what the mark ° means.

    Parameters
    ----------
    part : dict
        As `evidence_part` returns it.

    Examples
    --------
    >>> subject_sentence({"n_frequent": 0})
    'Words about the subject of the text may be evidence of the subject, not of the author.'
    """
    general = (
        "Words about the subject of the text may be evidence of the subject, not of the author."
    )
    if not part["n_frequent"]:
        return general
    return (
        f"{general} A word with the mark ° is not among the {part['n_frequent']} most frequent "
        "words of the known texts, so look at its passages before you rely on it."
    )


def sentences_as_written(evidence: Evidence, text: str, encoder: TextEncoder) -> list[str]:
    """Return each sentence of an explained text as it is written; arguments as `evidence_part`."""
    text = encoder.normalize(text)
    return [_written(text, own) for own in _starts(evidence, text, encoder)]


def strong_log_lr(evidence: Evidence, *, least: float = MIN_STRONG) -> float:
    """Return the absolute log-LR, in nats, that 1 % of the words exceed; it is at least ``least``.

    The values of a long text's words are small, because the score of the text is divided among all
    of them. They can still be compared with each other, so a long text needs no fixed limit.
    """
    sizes = [abs(token.log_lr) for sentence in evidence.sentences for token in sentence.tokens]
    return max(least, float(np.quantile(sizes, STRONG_QUANTILE))) if sizes else MIN_STRONG


def _sentence_shades(sentences: Sequence[SentenceEvidence]) -> list[str]:
    """Return the CSS class of each sentence, by the quantiles of all of them."""
    values = np.array([sentence.log_lr for sentence in sentences])
    if not values.any():
        return ["" for _ in sentences]
    limits = np.quantile(np.abs(values), SENTENCE_QUANTILES)
    strengths = (np.abs(values)[:, np.newaxis] >= limits).sum(axis=1) * (values != 0)
    return [
        f"{'f' if value > 0 else 's'}{strength}" if strength else ""
        for value, strength in zip(values.tolist(), strengths.tolist(), strict=True)
    ]


def _decimals(sentences: Sequence[SentenceEvidence]) -> int:
    """Return how many decimals show a strong sentence with two significant digits."""
    strong = float(np.quantile([abs(each.log_lr) for each in sentences], SENTENCE_QUANTILES[-1]))
    return min(MOST_DECIMALS, max(SENTENCE_DECIMALS, 1 - floor(log10(strong)))) if strong else 1


def _shown(
    sentence: SentenceEvidence, text: str, starts: Sequence[Sequence[int]], strong: float
) -> Part:
    own = starts[sentence.number]
    before = starts[sentence.number - 1][-1] if sentence.number else 0
    return {
        "number": sentence.number + 1,
        "log_lr": sentence.log_lr,
        "length_log_lr": sentence.length_log_lr,
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
    """Return where each token of each sentence begins, and where the next sentence does."""
    if not evidence.sentences:
        return []
    encoder = encoder.word_encoder()
    with_marks = [[token.token for token in sentence.tokens] for sentence in evidence.sentences]
    end_tokens = len(with_marks[0]) > len(encoder.tokenize(text)[0])
    sentences = [tokens[:-1] if end_tokens else tokens for tokens in with_marks]
    places = align_tokens(encoder, text, sentences, end_tokens=end_tokens)
    bounds = iter(places.starts.tolist())
    starts = [[next(bounds) for _ in tokens] for tokens in with_marks]
    starts[0][0] = 0
    following = [*(own[0] for own in starts[1:]), len(text)]
    return [[*own, end] for own, end in zip(starts, following, strict=True)]


def _strongest_range(sentences: Sequence[SentenceEvidence], at_most: int | None) -> tuple[int, int]:
    """Choose consecutive sentences with the largest sum of absolute log-LRs and few enough tokens.

    Returns
    -------
    first, end : int
    """
    counts = [len(sentence.tokens) for sentence in sentences]
    if at_most is None or sum(counts) <= 1.1 * at_most:
        return 0, len(sentences)
    strengths = [abs(sentence.log_lr) for sentence in sentences]
    sums = np.cumsum([0.0, *strengths])
    return max(_ranges(counts, at_most), key=lambda each: sums[each[1]] - sums[each[0]])


def _ranges(counts: Sequence[int], at_most: int) -> Iterator[tuple[int, int]]:
    """Yield for each first sentence the longest range with few enough tokens, at least one."""
    ends = np.cumsum(counts)
    last = np.searchsorted(ends, ends - counts + at_most, side="right")
    for first, end in enumerate(last.tolist()):
        yield first, max(end, first + 1)


def _top(
    evidence: Evidence,
    side: Side,
    text: str,
    starts: Sequence[Sequence[int]],
    frequent: Collection[str],
) -> Part:
    return {
        "tokens": [
            {
                "text": readable(entry.token),
                "count": entry.count,
                "log_lr": entry.log_lr,
                "is_rare": _is_rare([entry.token], frequent),
            }
            for entry in evidence.top_tokens(N_TOP, favours=side)
            if not rounds_to_zero(entry.log_lr)
        ],
        "ngrams": [
            {
                "text": join_tokens(entry.tokens, evidence),
                "count": entry.count,
                "log_lr": entry.log_lr,
                "is_rare": _is_rare(entry.tokens, frequent),
            }
            for entry in evidence.top_ngrams(N_TOP, favours=side)
            if not rounds_to_zero(entry.log_lr)
        ],
        "sentences": [
            {
                "number": sentence.number + 1,
                "log_lr": sentence.log_lr,
                "text": _written(text, starts[sentence.number]),
            }
            for sentence in evidence.top_sentences(N_SENTENCES, favours=side)
            if not rounds_to_zero(sentence.log_lr, SENTENCE_DECIMALS)
        ],
    }


def _is_rare(tokens: Sequence[str], frequent: Collection[str]) -> bool:
    """Return whether a word is not among the frequent ones; False if these are unknown."""
    words = [token.lower() for token in tokens if any(map(str.isalpha, token))]
    return bool(frequent) and any(word not in frequent for word in words)


def _written(text: str, starts: Sequence[int]) -> str:
    return " ".join(text[starts[0] : starts[-1]].split())


def join_tokens(tokens: Sequence[str], evidence: Evidence) -> str:
    """Join tokens as they are written in a text."""
    written = map(readable, tokens)
    return "".join(written) if evidence.of_characters else join_words(written)


def readable(token: str) -> str:
    """Return a token with a visible sign for an end mark or a space."""
    return {END_MARK: "⏎", " ": "␣"}.get(token, token)
