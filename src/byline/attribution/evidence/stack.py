"""Evidence by a stack: what all of its members make of the words, in log-odds."""

from __future__ import annotations

from functools import singledispatch

import numpy as np

from byline.attribution.attributor import AuthorshipAttributor
from byline.attribution.classifiers import NgramRidge, NgramSVM
from byline.attribution.evidence.alignment import TokenPlaces, place_tokens
from byline.attribution.evidence.compared import ComparedTokens, Floats, compare_tokens
from byline.attribution.evidence.ngram_spans import ridge_spans, svm_spans
from byline.attribution.evidence.result import Evidence
from byline.attribution.evidence.spans import Spans
from byline.attribution.stacking import StackedAttributor
from byline.errors import UsageError


def explain_stack(stack: StackedAttributor, text: str, pair: tuple[str, str]) -> Evidence:
    """Explain the difference of two candidates' log-odds; see `explain`."""
    _check_members(stack)
    shown = next(m for m in stack.members_.values() if isinstance(m, AuthorshipAttributor))
    tokens = compare_tokens(shown, text, pair)
    places = _places(shown, text, tokens)
    authors = list(map(str, stack.classes_))
    first, second = map(authors.index, pair)
    is_space = np.fromiter(map(str.isspace, text), dtype=bool, count=len(text))
    weights = stack.combination_.weights @ [1, 1 / np.sqrt((~is_space).sum() + 1)]
    base = float(stack.combination_.biases[first] - stack.combination_.biases[second])
    values, parts = np.zeros(len(places)), []
    for (name, member), weight in zip(stack.members_.items(), weights.tolist(), strict=True):
        if member is shown:
            own = weight * _score_differences(shown, tokens)
            values += own
            parts.append((name, float(own.sum())))
            continue
        spans = spans_of(member, text, first, second)
        parts.append((name, weight * spans.total))
        if len(places):
            values += weight * spans.by_token(places, is_space)
        base += weight * (spans.base if len(places) else spans.total)
    return Evidence(*pair, tokens.with_values(values), base, tuple(parts))


@singledispatch
def spans_of(member: object, text: str, first: int, second: int) -> Spans:
    """Tell where the difference of two columns of a member's scores comes from.

    Parameters
    ----------
    member : fitted classifier
    text : str
    first, second : int
        Columns of its ``decision_function``.

    Returns
    -------
    Spans
        Its total is the first column less the second.
    """
    raise UsageError(f"the scores of {member!r} are no sums over what stands in a text")


spans_of.register(NgramRidge, ridge_spans)
spans_of.register(NgramSVM, svm_spans)


@spans_of.register
def language_model_spans(member: AuthorshipAttributor, text: str, first: int, second: int) -> Spans:
    """Tell what each token adds to the difference of two columns of the scores."""
    pair = str(member.classes_[first]), str(member.classes_[second])
    tokens = compare_tokens(member, text, pair)
    places = _places(member, text, tokens)
    return Spans(places.starts, places.ends, _score_differences(member, tokens))


def _check_members(stack: StackedAttributor) -> None:
    """Refuse a stack with a member that cannot be explained, or without tokens to show."""
    for name, member in stack.members_.items():
        if spans_of.dispatch(type(member)) is spans_of.dispatch(object):
            raise UsageError(
                f"the member {name!r} cannot be explained: the scores of a "
                f"{type(member).__name__} are no sums over what stands in a text; leave it out"
            )
    if not any(isinstance(member, AuthorshipAttributor) for member in stack.members_.values()):
        raise UsageError(
            f"no member ({', '.join(stack.members_)}) has language models, whose tokens evidence "
            "is told by; stack an AuthorshipAttributor too"
        )


def _places(attributor: AuthorshipAttributor, text: str, tokens: ComparedTokens) -> TokenPlaces:
    return place_tokens(attributor.encoder_, text, tokens.sentences, end_marks=tokens.end_marks)


def _score_differences(attributor: AuthorshipAttributor, tokens: ComparedTokens) -> Floats:
    return tokens.score_differences(attributor.get_params(deep=False)["score"])
