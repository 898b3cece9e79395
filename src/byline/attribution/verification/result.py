"""The answer to a verification problem."""

from __future__ import annotations

from dataclasses import dataclass

#: The answer that the author of the known texts wrote the questioned text.
YES = "yes"
#: The answer that another author wrote it.
NO = "no"


@dataclass(frozen=True, slots=True)
class Verification:
    """The answer about one questioned text.

    Attributes
    ----------
    path : str or None
        Where the text came from.
    answer : {"yes", "no", "cannot tell"}
        Whether the author of the known texts wrote it.
    probability : float or None
        Probability that this author wrote it, if both answers are equally likely beforehand. None
        if declined.
    log10_lr : float or None
        Bounded decimal logarithm of the likelihood ratio of "this author wrote it" against
        "another author of the reference population wrote it". None if declined.
    declined : str or None
        Why there is no answer.

    Examples
    --------
    >>> Verification("note.txt", "yes", 0.95, 1.2, None).answer
    'yes'
    """

    path: str | None
    answer: str
    probability: float | None
    log10_lr: float | None
    declined: str | None
