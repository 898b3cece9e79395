"""The findings about a corpus that readers, checks and reports exchange."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Severity = Literal["error", "warning"]


@dataclass(frozen=True, slots=True)
class Finding:
    """A problem that was found in a corpus.

    Attributes
    ----------
    severity : {"error", "warning"}
        A corpus with an error cannot be used. A warning tells users what may affect a result.
    code : str
        The kind of finding, such as ``"empty-text"``. Codes never change between versions.
    message : str
        What is wrong, where, and what to do.
    paths : tuple of str
        All documents or files concerned, including those that the message only counts.
    cleaning_step : str or None
        The step of ``byline corpus clean`` that fixes it, such as ``"boilerplate"``. None if it
        needs a person's decision.

    See Also
    --------
    check_corpus : Find problems in a corpus.

    Examples
    --------
    >>> from byline.corpus import Finding
    >>> finding = Finding("warning", "empty-text", "ada/1.txt is empty. Delete it.", ("ada/1.txt",))
    >>> finding.severity, finding.code
    ('warning', 'empty-text')
    """

    severity: Severity
    code: str
    message: str
    paths: tuple[str, ...] = ()
    cleaning_step: str | None = None
