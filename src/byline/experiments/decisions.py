"""Records of attributions by an evaluation: one JSON line per decision."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import get_type_hints

from byline.errors import OutputError, UsageError


@dataclass(frozen=True, slots=True)
class Decision:
    """The attribution of one questioned text.

    Attributes
    ----------
    path : str
        Source of the text.
    fold : int
        Number of the fold, from 0.
    sentences : int or None
        Length of the text in sentences; None for a text as it was held out.
    author : str
        The true author.
    predicted : str
        The author with the highest score, also if the attributor declined.
    rank : int
        Rank of the true author among the candidates, from 1.
    declined : bool
        Whether the attributor declined to attribute the text.
    probability : float or None
        Calibrated probability of the predicted author. None if the attributor declined or is not
        calibrated.

    See Also
    --------
    write_decisions, read_decisions : Store decisions.
    metrics_of : Metrics of decisions.

    Examples
    --------
    >>> Decision("ann/1.txt", 0, None, "Ann", "Bob", 2, False).predicted
    'Bob'
    """

    path: str
    fold: int
    sentences: int | None
    author: str
    predicted: str
    rank: int
    declined: bool
    probability: float | None = None


_TYPES = tuple(get_type_hints(Decision).items())


def write_decisions(path: str | os.PathLike[str], decisions: Iterable[Decision]) -> None:
    """Write decisions as JSON lines, completely or not at all.

    Parameters
    ----------
    path : path
    decisions : iterable of Decision

    Raises
    ------
    OutputError
        The file cannot be written.

    See Also
    --------
    read_decisions : Read them.

    Examples
    --------
    >>> import tempfile
    >>> decision = Decision("ann/1.txt", 0, None, "Ann", "Bob", 2, False)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_decisions(f"{folder}/decisions.jsonl", [decision])
    ...     read_decisions(f"{folder}/decisions.jsonl") == [decision]
    True
    """
    target = Path(path)
    draft = target.with_name(f".{target.name}.{os.getpid()}.part")
    try:
        with draft.open("w", encoding="utf-8") as file:
            file.writelines(json.dumps(asdict(decision)) + "\n" for decision in decisions)
        draft.replace(target)
    except OSError as error:
        draft.unlink(missing_ok=True)
        reason = error.strerror or type(error).__name__
        raise OutputError(f"{target} cannot be written ({reason}); name another file") from error


def read_decisions(path: str | os.PathLike[str]) -> list[Decision]:
    """Read the decisions that :func:`write_decisions` wrote.

    Parameters
    ----------
    path : path

    Raises
    ------
    UsageError
        The file cannot be read, or a line is not a decision.

    See Also
    --------
    write_decisions : Write them.

    Examples
    --------
    >>> import tempfile
    >>> decisions = [
    ...     Decision("ann/1.txt", 0, None, "Ann", "Bob", 2, False),
    ...     Decision("bob/1.txt", 0, None, "Bob", "Bob", 1, False),
    ... ]
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_decisions(f"{folder}/decisions.jsonl", decisions)
    ...     read = read_decisions(f"{folder}/decisions.jsonl")
    >>> [decision.author == decision.predicted for decision in read]
    [False, True]
    """
    try:
        lines = Path(path).read_text(encoding="utf-8").splitlines()
    except (OSError, ValueError) as error:  # ValueError: bytes that are not UTF-8
        raise UsageError(f"{path} cannot be read ({error}); name another file") from error
    return [_decision(line, f"{path}, line {number}") for number, line in enumerate(lines, start=1)]


def _decision(line: str, where: str) -> Decision:
    try:
        decision = Decision(**json.loads(line))
        wrong = [name for name, kind in _TYPES if not isinstance(getattr(decision, name), kind)]
        if wrong:
            raise TypeError(f"{wrong[0]} has the wrong type")
    except (RecursionError, TypeError, ValueError) as error:
        raise UsageError(
            f"{where}: this is not a decision of an evaluation; repeat the evaluation"
        ) from error
    return decision
