"""Explain a stack: the contributions of all base classifiers to the log-odds, by token."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial, singledispatch
from itertools import accumulate

import numpy as np

from byline.array_types import Booleans, Floats
from byline.attribution.classifiers import (
    BurrowsDelta,
    ChunkedClassifier,
    NgramProfiles,
    NgramRidge,
    NgramSVM,
    TextClassifier,
)
from byline.attribution.classifiers.chunked import split_into_chunks
from byline.attribution.evidence.comparison import ComparedTokens, Contrast, compare_tokens
from byline.attribution.evidence.delta_spans import delta_spans
from byline.attribution.evidence.ngram_spans import profile_spans, ridge_spans, svm_spans
from byline.attribution.evidence.result import Evidence
from byline.attribution.evidence.spans import Spans
from byline.attribution.language_models.attributor import AuthorshipAttributor
from byline.attribution.language_models.sentence_scorer import segment_sums
from byline.attribution.stacking import StackedAttributor
from byline.errors import UsageError
from byline.text.alignment import TokenPositions, align_tokens


@singledispatch
def spans_by(classifier: object, coefficients: Floats) -> Callable[[str], Spans]:
    """Create a function that divides a difference of scores among the spans of a text.

    Parameters
    ----------
    classifier : fitted classifier
        A base classifier.
    coefficients : (n_authors,) float64
        What each column of its ``score_authors`` is multiplied by; they sum to 0.

    Returns
    -------
    callable
        From a text to `Spans`, whose total is the sum of these products.

    Raises
    ------
    UsageError
        Classifiers of this class cannot be explained.
    """
    raise UsageError(
        f"the scores of a {type(classifier).__name__} are not sums over the words of a text"
    )


spans_by.register(NgramRidge, ridge_spans)
spans_by.register(NgramSVM, svm_spans)
spans_by.register(NgramProfiles, profile_spans)
spans_by.register(BurrowsDelta, delta_spans)


@spans_by.register
def undivided_spans(classifier: TextClassifier, coefficients: Floats) -> Callable[[str], Spans]:
    """Create a function that attributes the difference to no span, but to the text as a whole.

    The scores of other classifiers, such as those of numeric features, are no sums over words.
    """

    def of_text(text: str) -> Spans:
        difference = float(classifier.score_authors([text])[0] @ coefficients)
        return replace(Spans.none(), constant=difference)

    return of_text


@spans_by.register
def chunk_spans(classifier: ChunkedClassifier, coefficients: Floats) -> Callable[[str], Spans]:
    """Create a function that averages the spans of the chunks of a text."""
    return partial(
        _mean_of_chunks, classifier.chunk_words_, spans_by(classifier.classifier_, coefficients)
    )


def _mean_of_chunks(n_words: int, spans_of: Callable[[str], Spans], text: str) -> Spans:
    chunks = split_into_chunks(text, n_words)
    starts = accumulate(map(len, chunks[:-1]), initial=0)
    parts = [
        spans_of(chunk).condensed(chunk).moved(start)
        for chunk, start in zip(chunks, starts, strict=True)
    ]
    return Spans.joined(parts).scaled(1 / len(chunks))


@spans_by.register
def token_spans(classifier: AuthorshipAttributor, coefficients: Floats) -> Callable[[str], Spans]:
    """Create a function that makes each token a span."""
    return partial(_spans_of_tokens, classifier, coefficients)


def _spans_of_tokens(attributor: AuthorshipAttributor, coefficients: Floats, text: str) -> Spans:
    tokens = compare_tokens(attributor, text, coefficients)
    places = token_positions(attributor, text, tokens)
    return Spans.of_words(places.starts, places.ends, score_differences(attributor, tokens))


def token_positions(
    attributor: AuthorshipAttributor | StackedAttributor, text: str, tokens: ComparedTokens
) -> TokenPositions:
    """Find the positions of the compared tokens in the text."""
    encoder = attributor.encoder_.word_encoder()
    return align_tokens(encoder, text, tokens.sentences, end_tokens=tokens.end_tokens)


def score_differences(attributor: AuthorshipAttributor, tokens: ComparedTokens) -> Floats:
    """Divide the difference of the candidates' scores among the tokens, (n_scored,)."""
    return tokens.score_differences(attributor.score_rule)


def explain_stack(stack: StackedAttributor, text: str, contrast: Contrast) -> Evidence:
    """Explain a difference of the candidates' log-odds under a stack; see `explain`."""
    shown = stack.language_models_
    if shown is None:
        tokens = ComparedTokens.without_models(stack.encoder_.tokenize(text))
    else:
        tokens = compare_tokens(shown, text, contrast.coefficients)
    places = token_positions(stack, text, tokens)
    is_space = np.fromiter(map(str.isspace, text), dtype=bool, count=len(text))
    scores = stack.score_texts([text])
    factors, corrections = scores.factors(0), scores.corrections(0)
    constant = float(scores.choices[0].rule.combination.biases @ contrast.coefficients)
    values, length_values = np.zeros(len(places)), np.zeros(len(tokens.sentences))
    by_classifier, unused = [], np.zeros(len(contrast.coefficients))
    for name, classifier in stack.base_classifiers_.items():
        factor = factors.get(name, 0.0)
        correction = float(corrections.get(name, unused) @ contrast.coefficients)
        constant += correction
        if shown is not None and classifier is shown:
            own = factor * score_differences(shown, tokens)
            values += own
            by_classifier.append((name, float(own.sum()) + correction))
            continue
        spans = _spans(name, classifier, contrast.coefficients, text).scaled(factor)
        by_classifier.append((name, spans.total + correction))
        if not len(places):
            constant += spans.total
            continue
        words, lengths = spans.divided()
        values += words.by_token(places, is_space)
        length_values += _by_sentence(lengths, tokens, places, is_space)
        constant += spans.constant
    sentences = tokens.with_values(values, length_values)
    return Evidence(contrast.first, contrast.second, sentences, constant, tuple(by_classifier))


def _by_sentence(
    spans: Spans, tokens: ComparedTokens, places: TokenPositions, is_space: Booleans
) -> Floats:
    """Sum the values by sentence, (n_sentences,)."""
    return segment_sums(spans.by_token(places, is_space), tokens.lengths)


def _spans(name: str, classifier: object, coefficients: Floats, text: str) -> Spans:
    try:
        spans_of = spans_by(classifier, coefficients)
    except UsageError as error:
        raise UsageError(f"the base classifier {name!r} cannot be explained: {error}") from None
    return spans_of(text)
