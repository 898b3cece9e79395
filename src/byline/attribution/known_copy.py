"""`KnownCopy`: where a questioned text occurs in the known texts that a model was trained on."""

from __future__ import annotations

from dataclasses import dataclass

from byline.formatting import isolated, isolated_path, percent

#: The share of a questioned text's words, in passages that known texts contain word for word, from
#: which the text is not attributed and not verified. Decision 66 states how it was chosen.
MIN_COPIED = 0.8


@dataclass(frozen=True, slots=True)
class KnownCopy:
    """Where a questioned text occurs in the known texts that a model was trained on.

    Attributes
    ----------
    author : str
        The author of the known texts.
    share : float
        The share of the questioned text's words in passages that also occur there.
    work : str or None
        The work of the known text that is equal to the questioned text; None if none is equal. It
        is empty if the work is unknown.

    Examples
    --------
    >>> print(KnownCopy("Ada", 0.97).finding)
    97 % of the text is also in the known texts by Ada, word for word
    """

    author: str
    share: float
    work: str | None = None

    @property
    def finding(self) -> str:
        """Where the text occurs, without a full stop."""
        author = isolated(self.author)
        if self.work is None:
            share = percent(self.share, 0)
            return f"{share} of the text is also in the known texts by {author}, word for word"
        work = f" ({isolated_path(self.work)})" if self.work else ""
        return f"the text is one of the known texts by {author}{work}"

    @property
    def headline(self) -> str:
        """Where the text occurs, and what is withheld and why, in sentences."""
        return (
            f"{self.finding[0].upper()}{self.finding[1:]}. The model was trained on it, so neither "
            "an author nor a probability or an accuracy is stated. Ask about another text, or "
            "train the model without this one."
        )

    @property
    def reason(self) -> str:
        """Why no author is named, as a clause."""
        return (
            f"{self.finding}, so the model was trained on it, and neither a probability nor an "
            "accuracy would mean anything; ask about another text, or train the model without it"
        )
