"""What Byline stacks where nothing else is asked for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from byline.attribution.attributor import AuthorshipAttributor
from byline.attribution.classifiers import InPieces, NgramBlock, NgramRidge, NgramSVM
from byline.attribution.classifiers.ridge import DEFAULT_BLOCKS
from byline.attribution.stacking.member import Member
from byline.text import TextEncoder

LANGUAGE_MODELS = "language-models"
# Alone, since the other n-grams, which the whole style is made of, change with the genre.
CHARACTERS = (NgramBlock("char", (2, 6)),)


def usual_members(
    language_models: AuthorshipAttributor | None = None, *, random_state: int = 0
) -> list[tuple[str, Member]]:
    """Make the members that held up on held-out known texts, each wrong on other texts.

    Language models of words say which text surprises whom. One ridge regression goes by the n-grams
    of characters that are there at all; another by these and all else that `NgramRidge` looks for
    unless told otherwise: words with names or rare words masked, how often a few function words,
    marks and pairs of characters come, how long sentences and paragraphs are. Words in lower case
    without marks tell authors apart where the genre changes, and with it the marks.

    Parameters
    ----------
    language_models : AuthorshipAttributor, optional
        The prototype of the language models; the others' language is that of its encoder.
    random_state : int
    """
    models = language_models or AuthorshipAttributor(random_state=random_state)
    language = language_of([(LANGUAGE_MODELS, models)])
    blocks = tuple(replace(block, language=language) for block in DEFAULT_BLOCKS)
    classifiers = {
        "characters": NgramRidge(CHARACTERS),
        "style": NgramRidge(blocks),
        "plain-words": NgramSVM("plain-word", (1, 2), language=language, random_state=random_state),
    }
    return [
        (LANGUAGE_MODELS, models),
        *(
            (name, InPieces(classifier, random_state=random_state))
            for name, classifier in classifiers.items()
        ),
    ]


def language_of(members: Sequence[tuple[str, Member]]) -> str:
    """Return the language of the first member that has an encoder of texts; else English."""
    encoders = (getattr(member, "encoder", None) for _, member in members)
    return next((each.language for each in encoders if isinstance(each, TextEncoder)), "en")
