"""The quick mode: Cosine Delta alone, with calibrated probabilities."""

from __future__ import annotations

from byline.attribution.stacking.base_classifiers import COSINE_DELTA, cosine_delta
from byline.attribution.stacking.stacked import StackedAttributor

# One classifier has few weights to adjust. On the validation part of CCAT50, about 8,000 texts and
# passages can be held out. With 1,000 of them, training took 9 instead of 19 s of CPU time (6 of
# them for normalisation and the training record); 377 instead of 374 of 500 texts were correctly
# attributed, with a log loss of 0.904 instead of 0.899.
_MAX_HELD_OUT = 1000


def delta_attributor(
    language: str = "en", *, random_state: int = 0, normalization: str = "edition"
) -> StackedAttributor:
    """Return an unfitted stack whose only base classifier is Cosine Delta.

    It is trained and answers in a small part of the time that the default needs, because there is
    one classifier and because fewer texts are held out. It has no language models.

    Parameters
    ----------
    language : str
        ISO 639 code.
    random_state : int
    normalization : str
        As in `StackedAttributor`.

    See Also
    --------
    StackedAttributor : The default, in which Cosine Delta is one of several base classifiers.

    Examples
    --------
    >>> from byline.attribution import delta_attributor
    >>> known = ["the cat and the cow saw it", "the dog and the cat saw it", "a dog or a cow ran"]
    >>> attributor = delta_attributor().fit(known, ["Ann", "Ann", "Bob"])
    >>> attributor.predict(["the owl and the fox and the cat and the dog saw it"]).tolist()
    ['Ann']
    """
    return StackedAttributor(
        [(COSINE_DELTA, cosine_delta(language, random_state=random_state))],
        random_state=random_state,
        max_held_out=_MAX_HELD_OUT,
        normalization=normalization,
    )
