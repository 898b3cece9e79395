"""What Byline stacks where nothing else is asked for."""

from __future__ import annotations

from byline.attribution.attributor import AuthorshipAttributor
from byline.attribution.classifiers import InPieces, NgramRidge, NgramSVM
from byline.attribution.stacking.member import Member


def usual_members(
    language_models: AuthorshipAttributor | None = None, *, random_state: int = 0
) -> list[tuple[str, Member]]:
    """Make the members that held up on held-out known texts, each wrong on other texts.

    Language models of words say which text surprises whom; ridge regression on n-grams tells
    authors apart by their turns of phrase, across topics; words in lower case without punctuation
    do so across genres.

    Parameters
    ----------
    language_models : AuthorshipAttributor, optional
        The prototype of the language models.
    random_state : int
    """
    svm = NgramSVM("plain-word", (1, 2), random_state=random_state)
    return [
        ("language-models", language_models or AuthorshipAttributor(random_state=random_state)),
        ("ngrams", InPieces(NgramRidge(), random_state=random_state)),
        ("plain-words", InPieces(svm, random_state=random_state)),
    ]
