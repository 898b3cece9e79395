"""What a worker is sent: tasks, with the files they are about."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

GIVEN = "given"


@dataclass(frozen=True, slots=True)
class ModelFile:
    """A model of the page's.

    Attributes
    ----------
    id : str
        `GIVEN` of the one that `byline serve` was started with.
    name : str
        What people and messages call it.
    path : Path
    texts : tuple of Path
        Known texts, as `byline.web.text_store` stores them, that it learnt from.
    with_known : bool
        Whether it also learnt from the known texts that `byline serve` was started with.
    sha256 : str or None
        Of the file, once it was read.
    """

    id: str
    name: str
    path: Path
    texts: tuple[Path, ...] = ()
    with_known: bool = True
    sha256: str | None = None


@dataclass(frozen=True, slots=True)
class Upload:
    """Something that was sent in.

    Attributes
    ----------
    path : Path
        Where its content is; nothing in it is of the sender's choice.
    name : str
        What people and messages call it.
    is_file : bool
        Whether it was a file, not pasted.
    """

    path: Path
    name: str
    is_file: bool


class How(StrEnum):
    """How a new model is learnt."""

    ANEW = "anew"
    ADD = "add"


@dataclass(frozen=True, slots=True)
class Describe:
    """Load a model, and say what it is."""

    model: ModelFile


@dataclass(frozen=True, slots=True)
class Ask:
    """Ask who wrote a text; ``open_set`` where it may be none of the candidates."""

    model: ModelFile
    text: Upload
    open_set: bool


@dataclass(frozen=True, slots=True)
class Add:
    """Read known texts, and store each in ``folder``; by ``author``, or as the files say."""

    author: str
    files: tuple[Upload, ...]
    folder: Path


@dataclass(frozen=True, slots=True)
class Check:
    """Check the known texts: those given and ``texts``."""

    model: ModelFile
    texts: tuple[Path, ...]


@dataclass(frozen=True, slots=True)
class Learn:
    """Learn ``new``, which is to be written, as ``model`` was learnt, from ``texts``."""

    model: ModelFile
    new: ModelFile
    texts: tuple[Path, ...]
    how: How


WorkerTask = Describe | Ask | Add | Check | Learn
