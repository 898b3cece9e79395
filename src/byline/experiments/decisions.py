"""What an evaluation leaves behind: one JSON line a decision."""

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
    """One questioned text, and what became of it.

    Attributes
    ----------
    path : str
        Where the text came from.
    fold : int
        Number of the fold, from 0.
    sentences : int or None
        Length of the text in sentences; None of a text as it was held out.
    author : str
        Who wrote it.
    named : str
        The author whose score is highest, even where the attributor declines.
    rank : int
        Place of the true author among the candidates, from 1.
    declined : bool
        Whether the attributor would name nobody.
    probability : float or None
        Of the named author; None of a declined text, and where there are no probabilities, as in
        files of older versions.
    """

    path: str
    fold: int
    sentences: int | None
    author: str
    named: str
    rank: int
    declined: bool
    probability: float | None = None


_KINDS = tuple(get_type_hints(Decision).items())


def write_decisions(path: str | os.PathLike[str], decisions: Iterable[Decision]) -> None:
    """Write decisions as JSON lines: the whole file, or nothing.

    Raises
    ------
    OutputError
        The file cannot be written.
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
        raise OutputError(f"{target}: cannot write ({reason}); name another file") from error


def read_decisions(path: str | os.PathLike[str]) -> list[Decision]:
    """Read what :func:`write_decisions` wrote.

    Raises
    ------
    UsageError
        The file cannot be read, or a line is not a decision.
    """
    try:
        lines = Path(path).read_text(encoding="utf-8").splitlines()
    except (OSError, ValueError) as error:  # also of bytes that are no UTF-8
        raise UsageError(f"{path}: cannot be read ({error}); name another file") from error
    return [_decision(line, f"{path}, line {number}") for number, line in enumerate(lines, start=1)]


def _decision(line: str, where: str) -> Decision:
    try:
        decision = Decision(**json.loads(line))
        wrong = [name for name, kind in _KINDS if not isinstance(getattr(decision, name), kind)]
        if wrong:
            raise TypeError(f"{wrong[0]} is of another kind")
    except (RecursionError, TypeError, ValueError) as error:
        raise UsageError(
            f"{where}: not a decision of an evaluation; write the file anew"
        ) from error
    return decision
