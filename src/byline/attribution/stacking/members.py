"""What Byline stacks where nothing else is asked for."""

from __future__ import annotations

from byline.attribution.attributor import AuthorshipAttributor
from byline.attribution.classifiers import InPieces, NgramBlock, NgramRidge, NgramSVM
from byline.attribution.stacking.member import Member

# Chosen on the training parts of CCAT50 (early texts against late ones) and of CMCC (a further
# topic or genre left out): one regression on all these is as good within a genre, but the third
# kind harms across genres, and must be weighed by itself.
CHARACTERS = (NgramBlock("char", (2, 6)),)
PHRASES = (
    NgramBlock("capitals-masked", (1, 4), weight=0.15),
    NgramBlock("masked", (1, 4), keep=2000, weight=0.1),
)
HABITS = (
    NgramBlock("masked", (1, 3), keep=50, value="root-count", weight=0.25),
    NgramBlock("masked", (2, 2), keep=200, value="root-count", weight=0.15),
    NgramBlock("char", (2, 2), value="root-count", weight=0.15),
)


def usual_members(
    language_models: AuthorshipAttributor | None = None, *, random_state: int = 0
) -> list[tuple[str, Member]]:
    """Make the members that held up on held-out known texts, each wrong on other texts.

    Language models of words say which text surprises whom. Three ridge regressions go by n-grams:
    which of characters are there at all, which of words where names or rare words are masked, and
    how often a few function words, marks and pairs of characters come. Words in lower case without
    marks tell authors apart where the genre changes, and with it the marks.

    Parameters
    ----------
    language_models : AuthorshipAttributor, optional
        The prototype of the language models.
    random_state : int
    """
    classifiers = {
        "characters": NgramRidge(CHARACTERS),
        "phrases": NgramRidge(PHRASES),
        "habits": NgramRidge(HABITS),
        "plain-words": NgramSVM("plain-word", (1, 2), random_state=random_state),
    }
    return [
        ("language-models", language_models or AuthorshipAttributor(random_state=random_state)),
        *(
            (name, InPieces(classifier, random_state=random_state))
            for name, classifier in classifiers.items()
        ),
    ]
