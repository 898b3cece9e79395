"""Where a difference of candidates' scores by a member of a stack comes from."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial, singledispatch
from itertools import accumulate

from byline.attribution.attributor import AuthorshipAttributor
from byline.attribution.classifiers import InPieces, NgramRidge, NgramSVM
from byline.attribution.classifiers.pieces import cut_evenly
from byline.attribution.evidence.compared import ComparedTokens, Floats, compare_tokens
from byline.attribution.evidence.ngram_spans import ridge_spans, svm_spans
from byline.attribution.evidence.spans import Spans
from byline.errors import UsageError
from byline.text.alignment import TokenPlaces, place_tokens


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
def piece_spans(member: InPieces, shares: Floats) -> Callable[[str], Spans]:
    """Put together what the classifier makes of each piece."""
    return partial(_mean_of_pieces, member.n_words, spans_by(member.classifier_, shares))


def _mean_of_pieces(n_words: int, spans_of: Callable[[str], Spans], text: str) -> Spans:
    pieces = cut_evenly(text, n_words)
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


def places_of(attributor: AuthorshipAttributor, text: str, tokens: ComparedTokens) -> TokenPlaces:
    """Find the tokens of a text in it."""
    return place_tokens(attributor.encoder_, text, tokens.sentences, end_marks=tokens.end_marks)


def score_differences(attributor: AuthorshipAttributor, tokens: ComparedTokens) -> Floats:
    """Each token's part in the difference of the candidates' scores, (n_scored,)."""
    return tokens.score_differences(attributor.get_params(deep=False)["score"])
