"""What is asked of the page's workers, and what comes back: data alone, sent between processes."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

Summary = dict[str, Any]


class JobKind(StrEnum):
    """What a job is about; a model is opened by the page itself, without anyone asking."""

    OPEN = "open"
    ASK = "ask"
    ADD = "add"
    CHECK = "check"
    LEARN = "learn"


class JobState(StrEnum):
    """How far a job is."""

    WAITING = "waiting"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    STOPPED = "stopped"

    @property
    def is_over(self) -> bool:
        """Whether nothing will become of the job any more."""
        return self not in (JobState.WAITING, JobState.RUNNING)


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelCard:
    """What the page tells of a model.

    Attributes
    ----------
    id : str
        ``"given"`` of the model that `byline serve` was started with.
    name : str
        As it was named on the command line, or as the page named it.
    learnt : bool
        Whether it was learnt on the page.
    authors : tuple of str
        Sorted.
    candidates : tuple of dict
        "author", "n_texts", "n_works" and "n_words" (the last three None where not recorded).
    can_grow : bool
        Whether authors can be added without learning all anew.
    open_set : str or None
        How it learnt to name nobody, in a sentence; None where it did not.
    performance : dict or None
        As `byline.report.case_performance.performance_summary` has it; None of language models
        alone.
    unit : str
        ``"word"`` or ``"char"``.
    n_bytes : int
    sha256 : str
    """

    id: str
    name: str
    learnt: bool
    authors: tuple[str, ...]
    candidates: tuple[Summary, ...]
    can_grow: bool
    open_set: str | None
    performance: Summary | None
    unit: str
    n_bytes: int
    sha256: str


@dataclass(frozen=True, slots=True)
class ListedText:
    """A known text as the page lists it; ``id`` is None where it cannot be removed here."""

    id: str | None
    name: str
    n_words: int


@dataclass(frozen=True, slots=True)
class ListedAuthor:
    """An author of known texts, as the page lists one.

    Attributes
    ----------
    name : str
    texts : tuple of ListedText
    is_new : bool
        Whether the model that answers does not know this author.
    """

    name: str
    texts: tuple[ListedText, ...]
    is_new: bool

    @property
    def n_texts(self) -> int:
        """Texts of this author."""
        return len(self.texts)

    @property
    def n_words(self) -> int:
        """Words of all of them."""
        return sum(text.n_words for text in self.texts)


@dataclass(frozen=True, slots=True)
class AskResult:
    """The answer about a text.

    Attributes
    ----------
    case : dict
        As `byline.report.case_summary` makes it, of one text: "questioned" has one entry.
    notes : tuple of str
        What the reader should know: of the file, what was left out of it, warnings.
    model : ModelCard
        The model that answered.
    """

    case: Summary
    notes: tuple[str, ...]
    model: ModelCard


@dataclass(frozen=True, slots=True)
class AddResult:
    """Known texts that were added.

    Attributes
    ----------
    added : tuple of (author, text's name, number of words)
    notes : tuple of str
        What the reader should know of the files.
    """

    added: tuple[tuple[str, str, int], ...]
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CheckResult:
    """What a careful reader would want mended in the known texts.

    Attributes
    ----------
    summary : dict
        As `byline.report.corpus.examination_summary` makes it.
    """

    summary: Summary


@dataclass(frozen=True, slots=True)
class TrainResult:
    """A model that was learnt on the page.

    Attributes
    ----------
    model : ModelCard
        The new one; it answers from now on.
    notes : tuple of str
        Warnings about the known texts.
    seconds : float
    """

    model: ModelCard
    notes: tuple[str, ...]
    seconds: float


Result = AskResult | AddResult | CheckResult | TrainResult


@dataclass(frozen=True, slots=True, kw_only=True)
class JobStatus:
    """A job as it stands at one moment.

    Attributes
    ----------
    id : str
        Cannot be guessed.
    kind : Kind
    state : State
    title : str
        What it is about: the name of the text, the author.
    done, total : int
        Steps; ``total`` is 0 where it is not known yet.
    what : str
        The step that is under way, or was finished last.
    ahead : int
        Jobs that come first; 0 once it is running.
    seconds : float
        Since it was asked for; of a job that is over, how long it took.
    error : str or None
        Why it failed: our error's message, or that there is a defect in Byline.
    result : AskResult, AddResult, CheckResult, TrainResult or None
        None unless done.
    """

    id: str
    kind: JobKind
    state: JobState
    title: str
    done: int = 0
    total: int = 0
    what: str = ""
    ahead: int = 0
    seconds: float = 0.0
    error: str | None = None
    result: Result | None = None
