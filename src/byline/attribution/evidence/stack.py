"""Evidence by a stack: what all of its members make of the words, in log-odds."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from byline.attribution.evidence.compared import ComparedTokens, Floats, compare_tokens
from byline.attribution.evidence.contrast import Contrast
from byline.attribution.evidence.members import places_of, score_differences, spans_by
from byline.attribution.evidence.result import Evidence
from byline.attribution.evidence.spans import Spans
from byline.attribution.sentence_scorer import segment_sums
from byline.attribution.stacking import StackedAttributor
from byline.errors import UsageError
from byline.text.alignment import TokenPlaces


def explain_stack(stack: StackedAttributor, text: str, contrast: Contrast) -> Evidence:
    """Explain a difference of candidates' log-odds; see `explain`."""
    shown = stack.language_models_
    if shown is None:
        raise UsageError(
            f"no member ({', '.join(stack.members_)}) has language models, whose tokens evidence "
            "is told by; stack an AuthorshipAttributor too"
        )
    tokens = compare_tokens(shown, text, contrast.shares)
    places = places_of(shown, text, tokens)
    is_space = np.fromiter(map(str.isspace, text), dtype=bool, count=len(text))
    weights = stack.combination_.member_weights(int((~is_space).sum())).tolist()
    base = float(stack.combination_.biases @ contrast.shares)
    values, of_lengths = np.zeros(len(places)), np.zeros(len(tokens.sentences))
    parts = []
    for (name, member), weight in zip(stack.members_.items(), weights, strict=True):
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
    spans: Spans, tokens: ComparedTokens, places: TokenPlaces, is_space: NDArray[np.bool_]
) -> Floats:
    """Sum values by the sentences that their characters count to, (n_sentences,)."""
    return segment_sums(spans.by_token(places, is_space), tokens.lengths)


def _spans(name: str, member: object, shares: Floats, text: str) -> Spans:
    try:
        spans_of = spans_by(member, shares)
    except UsageError as error:
        raise UsageError(f"the member {name!r} cannot be explained: {error}") from None
    return spans_of(text)
