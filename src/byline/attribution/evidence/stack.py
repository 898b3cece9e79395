"""Evidence by a stack: what all of its members make of the words, in log-odds."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial, singledispatch
from itertools import accumulate

import numpy as np
from numpy.typing import NDArray

from byline.array_types import Floats
from byline.attribution.classifiers import ChunkedClassifier, NgramRidge, NgramSVM
from byline.attribution.classifiers.chunked import split_into_chunks
from byline.attribution.evidence.comparison import ComparedTokens, Contrast, compare_tokens
from byline.attribution.evidence.ngram_spans import ridge_spans, svm_spans
from byline.attribution.evidence.result import Evidence
from byline.attribution.evidence.spans import Spans
from byline.attribution.language_models.attributor import AuthorshipAttributor
from byline.attribution.language_models.sentence_scorer import segment_sums
from byline.attribution.stacking import StackedAttributor
from byline.errors import UsageError
from byline.text.alignment import TokenPositions, align_tokens


@singledispatch
def spans_by(member: object, shares: Floats) -> Callable[[str], Spans]:
    """Make a function that tells where a difference of columns comes from in a text.

    Parameters
    ----------
    member : fitted classifier
    shares : (n_authors,) float64
        What each column of its ``decision_function`` is multiplied by; their sum is 0.

    Returns
    -------
    callable
        From a text to `Spans`, whose total is the sum of these.

    Raises
    ------
    UsageError
        It is none of the classifiers that can be explained.
    """
    raise UsageError(
        f"the scores of a {type(member).__name__} are no sums over what stands in a text"
    )


spans_by.register(NgramRidge, ridge_spans)
spans_by.register(NgramSVM, svm_spans)


@spans_by.register
def piece_spans(member: ChunkedClassifier, shares: Floats) -> Callable[[str], Spans]:
    """Put together what the classifier makes of each piece."""
    return partial(_mean_of_pieces, member.n_words, spans_by(member.classifier_, shares))


def _mean_of_pieces(n_words: int, spans_of: Callable[[str], Spans], text: str) -> Spans:
    pieces = split_into_chunks(text, n_words)
    starts = accumulate(map(len, pieces[:-1]), initial=0)
    parts = [
        spans_of(piece).condensed(piece).moved(start)
        for piece, start in zip(pieces, starts, strict=True)
    ]
    return Spans.joined(parts).scaled(1 / len(pieces))


@spans_by.register
def token_spans(member: AuthorshipAttributor, shares: Floats) -> Callable[[str], Spans]:
    """Take each token for a span."""
    return partial(_spans_of_tokens, member, shares)


def _spans_of_tokens(attributor: AuthorshipAttributor, shares: Floats, text: str) -> Spans:
    tokens = compare_tokens(attributor, text, shares)
    places = places_of(attributor, text, tokens)
    return Spans.of_words(places.starts, places.ends, score_differences(attributor, tokens))


def places_of(
    attributor: AuthorshipAttributor, text: str, tokens: ComparedTokens
) -> TokenPositions:
    """Find the tokens of a text in it."""
    return align_tokens(attributor.encoder_, text, tokens.sentences, end_tokens=tokens.end_tokens)


def score_differences(attributor: AuthorshipAttributor, tokens: ComparedTokens) -> Floats:
    """Each token's part in the difference of the candidates' scores, (n_scored,)."""
    return tokens.score_differences(attributor.score_rule)


def explain_stack(stack: StackedAttributor, text: str, contrast: Contrast) -> Evidence:
    """Explain a difference of candidates' log-odds; see `explain`."""
    shown = stack.language_models_
    if shown is None:
        raise UsageError(
            f"no member ({', '.join(stack.base_classifiers_)}) has language models, whose "
            "tokens evidence "
            "is told by; stack an AuthorshipAttributor too"
        )
    tokens = compare_tokens(shown, text, contrast.shares)
    places = places_of(shown, text, tokens)
    is_space = np.fromiter(map(str.isspace, text), dtype=bool, count=len(text))
    weights = stack.combination_.base_classifier_weights(int((~is_space).sum())).tolist()
    base = float(stack.combination_.biases @ contrast.shares)
    values, of_lengths = np.zeros(len(places)), np.zeros(len(tokens.sentences))
    parts = []
    for (name, member), weight in zip(stack.base_classifiers_.items(), weights, strict=True):
        if member is shown:
            own = weight * score_differences(shown, tokens)
            values += own
            parts.append((name, float(own.sum())))
            continue
        spans = _spans(name, member, contrast.shares, text).scaled(weight)
        parts.append((name, spans.total))
        if not len(places):
            base += spans.total
            continue
        words, lengths = spans.parted()
        values += words.by_token(places, is_space)
        of_lengths += _by_sentence(lengths, tokens, places, is_space)
        base += spans.base
    sentences = tokens.with_values(values, of_lengths)
    return Evidence(contrast.first, contrast.second, sentences, base, tuple(parts))


def _by_sentence(
    spans: Spans, tokens: ComparedTokens, places: TokenPositions, is_space: NDArray[np.bool_]
) -> Floats:
    """Sum values by the sentences that their characters count to, (n_sentences,)."""
    return segment_sums(spans.by_token(places, is_space), tokens.lengths)


def _spans(name: str, member: object, shares: Floats, text: str) -> Spans:
    try:
        spans_of = spans_by(member, shares)
    except UsageError as error:
        raise UsageError(f"the member {name!r} cannot be explained: {error}") from None
    return spans_of(text)
