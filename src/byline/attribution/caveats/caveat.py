"""`Caveat`: a reason to rely less on an answer, how serious it is, and what to do about it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

Severity = Literal["warning", "note"]

#: By code: how serious a caveat is, and what its reader can do.
GUIDANCE: Mapping[str, tuple[Severity, str]] = {
    "text-left-out": (
        "note",
        "Check them. If the author wrote them, use `--keep quotations` or `--keep boilerplate`.",
    ),
    "damaged-characters": ("warning", "Correct the text."),
    "other-language": ("warning", "Compare it with known texts in its language."),
    "uncalibrated": (
        "note",
        "Train without `--method language-models`, or with `--calibrate`.",
    ),
    "short-text": (
        "warning",
        "Question a longer text, or report the accuracy at this length with the answer.",
    ),
    "no-better-than-guessing": (
        "warning",
        "Add known texts, or do not rely on the answer.",
    ),
    "longer-than-measured": (
        "note",
        "Usually nothing: longer texts are easier to attribute.",
    ),
    "shorter-than-measured": ("warning", "Do not rely on the answer."),
    "no-features": (
        "warning",
        "Give the option `--features` with a table that has a row for the text.",
    ),
    "unknown-words": (
        "warning",
        "Check whether it has another language, genre or subject. Add known texts of its kind.",
    ),
    "unusual-word-frequencies": (
        "warning",
        "Compare it with known texts of its genre and period.",
    ),
    "unlike-known-texts": (
        "warning",
        "Compare it with known texts of its genre and period. The author may also be none of the "
        "candidates: use `--open-set`.",
    ),
    "repetitive-text": ("warning", "Remove the repetitions, and repeat the attribution."),
    "convention-removed": (
        "note",
        "If it is the author's own style in your texts, train with "
        "`--normalize edition,-conventions`.",
    ),
    "convention-remains": (
        "warning",
        "Use editions of the same kind for all authors. If it is the author's own style in your "
        "texts, train with `--normalize edition,-conventions`.",
    ),
    "different-convention": (
        "warning",
        "Use the same edition, or the same form, for all texts if you can.",
    ),
    "shared-passages": (
        "warning",
        "Remove quoted or copied passages, and repeat the attribution.",
    ),
    "also-known-text": (
        "warning",
        "Remove it from the known and reference texts, and repeat the verification.",
    ),
    "names-a-candidate": ("warning", "Remove the name, and repeat the attribution."),
    "few-known-words": ("warning", "Add text by that author."),
    "single-work": ("warning", "Add a second work."),
    "few-reference-authors": (
        "warning",
        "Add texts by other people to the reference corpus.",
    ),
    "short-reference-texts": (
        "note",
        "Add longer texts to the reference corpus. If your known texts have more than 200,000 "
        "words, nothing needs to be done.",
    ),
    "not-explained": (
        "note",
        "Question parts of the text, or use `byline explain`.",
    ),
}


@dataclass(frozen=True, slots=True)
class Caveat:
    """A reason to rely less on an answer.

    Attributes
    ----------
    code : str
        The kind of caveat, such as ``"short-text"``; stable between versions.
    sentence : str
        The message in plain English.
    figures : mapping of str to JSON value
        The numbers that the caveat is based on.

    See Also
    --------
    caveats_for : Find all caveats that apply to an answer.

    Examples
    --------
    >>> caveat = Caveat("single-work", "Only one work by Ada is known.", {"authors": ["Ada"]})
    >>> caveat.severity, caveat.advice
    ('warning', 'Add a second work.')
    """

    code: str
    sentence: str
    figures: Mapping[str, Any] = field(default_factory=dict, hash=False)

    @property
    def severity(self) -> Severity:
        """A ``"warning"`` means that the answer is less reliable; a ``"note"`` explains it."""
        return GUIDANCE[self.code][0]

    @property
    def advice(self) -> str:
        """What the reader can do about it, in plain English."""
        return GUIDANCE[self.code][1]

    def to_dict(self) -> dict[str, Any]:
        """Return the attributes as JSON values."""
        return {
            "code": self.code,
            "severity": self.severity,
            "sentence": self.sentence,
            "advice": self.advice,
            "figures": dict(self.figures),
        }
