"""Evidence by a stack: what all of its members make of the words, in log-odds."""

from __future__ import annotations

import numpy as np

from byline.attribution.evidence.compared import compare_tokens
from byline.attribution.evidence.members import places_of, score_differences, spans_by
from byline.attribution.evidence.result import Evidence
from byline.attribution.evidence.spans import Spans
from byline.attribution.stacking import StackedAttributor
from byline.errors import UsageError


def explain_stack(stack: StackedAttributor, text: str, pair: tuple[str, str]) -> Evidence:
    """Explain the difference of two candidates' log-odds; see `explain`."""
    shown = stack.language_models_
    if shown is None:
        raise UsageError(
            f"no member ({', '.join(stack.members_)}) has language models, whose tokens evidence "
            "is told by; stack an AuthorshipAttributor too"
        )
    authors = list(map(str, stack.classes_))
    first, second = map(authors.index, pair)
    tokens = compare_tokens(shown, text, pair)
    places = places_of(shown, text, tokens)
    is_space = np.fromiter(map(str.isspace, text), dtype=bool, count=len(text))
    weights = stack.combination_.member_weights(int((~is_space).sum())).tolist()
    base = float(stack.combination_.biases[first] - stack.combination_.biases[second])
    values, parts = np.zeros(len(places)), []
    for (name, member), weight in zip(stack.members_.items(), weights, strict=True):
        if member is shown:
            own = weight * score_differences(shown, tokens)
            values += own
            parts.append((name, float(own.sum())))
            continue
        spans = _spans(name, member, first, second, text).scaled(weight)
        parts.append((name, spans.total))
        if len(places):
            values += spans.by_token(places, is_space)
        base += spans.base if len(places) else spans.total
    return Evidence(*pair, tokens.with_values(values), base, tuple(parts))


def _spans(name: str, member: object, first: int, second: int, text: str) -> Spans:
    try:
        spans_of = spans_by(member, first, second)
    except UsageError as error:
        raise UsageError(f"the member {name!r} cannot be explained: {error}") from None
    return spans_of(text)
