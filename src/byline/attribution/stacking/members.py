"""What Byline stacks where nothing else is asked for."""

from __future__ import annotations

from byline.attribution.attributor import AuthorshipAttributor
from byline.attribution.classifiers import NgramRidge, NgramSVM
from byline.attribution.stacking.member import Member
from byline.text import TextEncoder


def usual_members(
    encoder: TextEncoder | None = None, *, random_state: int = 0, n_jobs: int | None = 1
) -> list[tuple[str, Member]]:
    """Make the members that held up on held-out known texts, each wrong on other texts.

    Language models of words say which text surprises whom; ridge regression on n-grams tells
    authors apart by their turns of phrase, across topics; words in lower case without punctuation
    do so across genres.

    Parameters
    ----------
    encoder : TextEncoder, optional
        Of the language models.
    random_state : int
    n_jobs : int or None
        Processes that learn the language models.
    """
    language_models = AuthorshipAttributor(
        encoder=encoder, random_state=random_state, n_jobs=n_jobs
    )
    return [
        ("language-models", language_models),
        ("ngrams", NgramRidge()),
        ("plain-words", NgramSVM("plain-word", (1, 2), random_state=random_state)),
    ]
