"""What is said of one questioned text whose author may be none of the candidates."""

from __future__ import annotations

from dataclasses import dataclass

from byline.formatting import isolated

_TELLS_LITTLE = 0.5  # of candidates' own texts turned down, above which that is no finding


@dataclass(frozen=True, slots=True)
class OpenSetDecision:
    """Whether a text is given to its first candidate at all, and what that costs.

    Attributes
    ----------
    rate : float
        The wished rate of false attributions: of texts by none of the candidates, the share that
        is given to somebody.
    threshold : float
        What the statistic must be above, for texts of about this length.
    statistic : float
        Log-odds of the first candidate above the mean of the others', in nats.
    accepted : bool
        False: none of the candidates.
    nearest : str
        The first candidate, whether accepted or not.
    likeness : float
        Of texts by authors left out, the share that look as much like a candidate's: a conformal
        p-value of "none of the candidates wrote it". At most ``rate`` where accepted.
    missed : float
        Of candidates' own held-out texts, the share that is not given to them at this rate:
        rejected, or given to another.
    wrong : float
        The part of ``missed`` that is given to another candidate.
    n_unknown_author_texts, n_known : int
        Texts, of about this length, that ``likeness`` and ``missed`` are shares of; of each author
        as much as of any other.
    n_authors : int
        Authors left out in turn.
    """

    rate: float
    threshold: float
    statistic: float
    accepted: bool
    nearest: str
    likeness: float
    missed: float
    wrong: float
    n_unknown_author_texts: int
    n_known: int
    n_authors: int

    @property
    def declined(self) -> str | None:
        """Why no author is named, in plain words; None where one is."""
        if self.accepted:
            return None
        if self.missed > _TELLS_LITTLE:
            return f"cannot tell whether it is by one of the candidates: {self.sentence}"
        return f"none of the candidates: {self.sentence}"

    @property
    def sentence(self) -> str:
        """What was decided and what such decisions cost, in plain words, without a full stop."""
        how = "stands out:" if self.accepted else "comes nearest, but"
        cost = "so strict a rule also misses" if self.missed > _TELLS_LITTLE else "this misses"
        return (
            f"{isolated(self.nearest)} {how} {self.likeness:.1%} of texts by authors left out look "
            f"as much like a candidate's, and at most {100 * self.rate:g}% of such may be given to "
            f"anybody; {cost} {self.missed:.0%} of candidates' own texts of about this length"
        )
