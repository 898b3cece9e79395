"""What the server and its worker processes send each other: plain data, and nothing heavy."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from byline.corpus.extraction import Keep
from byline.errors import BylineError
from byline.web.jobs import ModelCard

GIVEN = "given"
READY = "ready"


@dataclass(frozen=True, slots=True)
class ModelFile:
    """A model that the server has.

    Attributes
    ----------
    id : str
        `GIVEN` for the model that `byline serve` was started with.
    name : str
        The name that people and messages use.
    path : Path
    texts : tuple of Path
        The known texts from the text store that it was trained on.
    with_known : bool
        Whether it was also trained on the known texts that `byline serve` was started with.
    sha256 : str or None
        Of the file, once it has been read.
    with_samples : bool
        Whether it was trained on the sample texts, and on nothing else.
    """

    id: str
    name: str
    path: Path
    texts: tuple[Path, ...] = ()
    with_known: bool = True
    sha256: str | None = None
    with_samples: bool = False


@dataclass(frozen=True, slots=True)
class Upload:
    """A file or a pasted text that a person sent.

    Attributes
    ----------
    path : Path
        Where its content is stored; the sender chose no part of this path.
    name : str
        The name that people and messages use.
    is_file : bool
        Whether it was a file; otherwise it was pasted.
    """

    path: Path
    name: str
    is_file: bool


class TrainingMode(StrEnum):
    """How a new model is trained."""

    RETRAIN = "retrain"
    ADD = "add"


@dataclass(frozen=True, slots=True)
class Describe:
    """The task to load a model and describe it."""

    model: ModelFile


@dataclass(frozen=True, slots=True)
class Ask:
    """The task to attribute texts; with ``open_set``, their authors may be outside the candidates.

    If ``speaker`` is not empty, only the words of this speaker are read from a dialogue.
    """

    model: ModelFile
    texts: tuple[Upload, ...]
    open_set: bool
    speaker: str = ""


@dataclass(frozen=True, slots=True)
class AskSamples:
    """The task to attribute sample texts, by their ids.

    If ``is_new``, the model is trained on the other sample texts first.
    """

    model: ModelFile
    samples: tuple[str, ...]
    is_new: bool


@dataclass(frozen=True, slots=True)
class Add:
    """The task to read known texts and store each one in ``folder``.

    An empty ``author`` means that the files themselves state the authors.
    """

    author: str
    files: tuple[Upload, ...]
    folder: Path


@dataclass(frozen=True, slots=True)
class Check:
    """The task to check the known texts: those given at the start, and ``texts``."""

    model: ModelFile
    texts: tuple[Path, ...]


@dataclass(frozen=True, slots=True)
class Train:
    """The task to train the model ``new`` from ``texts`` with the settings of ``model``."""

    model: ModelFile
    new: ModelFile
    texts: tuple[Path, ...]
    mode: TrainingMode


@dataclass(frozen=True, slots=True)
class Explore:
    """The task to compare the known texts, and ``questioned`` texts, with one another.

    The known texts are those given at the start and ``texts``, or the sample texts. ``distance`` is
    a key of `byline.report.exploration.DISTANCE_NAMES`, and ``mfw`` the number of words.
    """

    model: ModelFile
    texts: tuple[Path, ...]
    questioned: tuple[Upload, ...]
    with_samples: bool
    distance: str
    mfw: int


@dataclass(frozen=True, slots=True)
class Roll:
    """The task to follow the authors of a model along a text."""

    model: ModelFile
    text: Upload


@dataclass(frozen=True, slots=True)
class RollSample:
    """The task to follow the authors along a book that is made of the sample texts.

    If ``is_new``, the model is trained on the other sample texts first.
    """

    model: ModelFile
    is_new: bool


@dataclass(frozen=True, slots=True)
class Verify:
    """The task to verify whether an author wrote a text.

    The known texts are those given at the start and ``texts``, or the sample texts. Then ``text``
    is the id of one.
    """

    model: ModelFile
    texts: tuple[Path, ...]
    author: str
    text: Upload | str
    speaker: str = ""
    with_samples: bool = False


WorkerTask = (
    Describe | Ask | AskSamples | Add | Check | Train | Explore | Roll | RollSample | Verify
)


@dataclass(frozen=True, slots=True)
class WorkerSettings:
    """What a worker process needs to start.

    Attributes
    ----------
    given : ModelFile
    known : Path or None
        The known texts that `byline serve` was started with.
    discard : Path or None
        The folder to delete if the server ends without being able to delete it.
    keep : frozenset of Keep
        Parts of files that are not running text, but are read as text.
    memory_share : float
        The share of the machine's memory that this worker may use.
    debug : bool
        Whether it prints defects, and what libraries print; this may quote texts.
    """

    given: ModelFile
    known: Path | None
    discard: Path | None
    keep: frozenset[Keep] = frozenset()
    memory_share: float = 1.0
    debug: bool = False


@dataclass(frozen=True, slots=True)
class ModelDescription:
    """A model, and the author, name and number of words of each text that it was given with."""

    card: ModelCard
    known: tuple[tuple[str, str, int], ...]


@dataclass(frozen=True, slots=True)
class Step:
    """How far a task is, as `byline.progress.Progress` is told."""

    done: int
    total: int
    what: str


@dataclass(frozen=True, slots=True)
class Failure:
    """Why a task failed: an error of Byline's own, or the name of an unexpected one."""

    error: BylineError | None
    defect: str
