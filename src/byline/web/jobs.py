"""Jobs of the web page, their states and their results: plain data, sent between processes."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

Summary = dict[str, Any]


class JobKind(StrEnum):
    """What a job is for; the server opens models by itself, all else is requested by a person."""

    OPEN = "open"
    ASK = "ask"
    ADD = "add"
    CHECK = "check"
    TRAIN = "train"
    EXPLORE = "explore"
    ROLL = "roll"
    VERIFY = "verify"


class JobState(StrEnum):
    """How far a job is."""

    WAITING = "waiting"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    STOPPED = "stopped"

    @property
    def is_over(self) -> bool:
        """Whether the job has ended, in whatever way."""
        return self not in (JobState.WAITING, JobState.RUNNING)


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelCard:
    """What the page shows about a model.

    Attributes
    ----------
    id : str
        ``"given"`` for the model that `byline serve` was started with.
    name : str
        The name given on the command line, or by the page.
    trained_here : bool
        Whether it was trained on the page.
    of_samples : bool
        Whether it was trained on the sample texts.
    authors : tuple of str
        Sorted.
    candidates : tuple of dict
        "author", "n_texts", "n_works" and "n_words" (the last three None if not recorded).
    can_grow : bool
        Whether authors can be added without training all models again.
    open_set : str or None
        A sentence on how it recognises unknown authors; None if it does not.
    performance : dict or None
        As `byline.report.performance.performance_summary` returns it; None for language models
        without a stack, and for a stack without held-out texts.
    unit : str
        ``"word"`` or ``"char"``.
    n_bytes : int
        The size of the file.
    sha256 : str
        The hash of the file.
    """

    id: str
    name: str
    trained_here: bool
    authors: tuple[str, ...]
    candidates: tuple[Summary, ...]
    can_grow: bool
    open_set: str | None
    performance: Summary | None
    unit: str
    n_bytes: int
    sha256: str
    of_samples: bool = False


@dataclass(frozen=True, slots=True)
class ListedText:
    """A known text as the page lists it.

    Attributes
    ----------
    id : str or None
        None for a text that `byline serve` was started with, which cannot be removed here.
    name : str
    n_words : int
    """

    id: str | None
    name: str
    n_words: int


@dataclass(frozen=True, slots=True)
class ListedAuthor:
    """An author of known texts as the page lists one.

    Attributes
    ----------
    name : str
    texts : tuple of ListedText
    is_new : bool
        Whether the current model does not include this author.
    """

    name: str
    texts: tuple[ListedText, ...]
    is_new: bool

    @property
    def n_texts(self) -> int:
        """Number of texts by this author."""
        return len(self.texts)

    @property
    def n_words(self) -> int:
        """Number of words in all of them."""
        return sum(text.n_words for text in self.texts)


@dataclass(frozen=True, slots=True)
class AskResult:
    """The answers about questioned texts.

    Attributes
    ----------
    case : dict
        As `byline.report.case_summary` returns it: "questioned" has one entry per text.
    notes : tuple of tuple of str
        What the reader should know about each file, such as parts that were excluded, and warnings.
    model : ModelCard
        The model that was used.
    unread : tuple of (str, str)
        The name of each file that could not be read, and the reason.
    """

    case: Summary
    notes: tuple[tuple[str, ...], ...]
    model: ModelCard
    unread: tuple[tuple[str, str], ...] = ()

    @property
    def is_single(self) -> bool:
        """Whether one text was asked about."""
        return len(self.case["questioned"]) == 1 and not self.unread


@dataclass(frozen=True, slots=True)
class AddResult:
    """Known texts that were added.

    Attributes
    ----------
    added : tuple of (author, text's name, number of words)
    notes : tuple of str
        What the reader should know about the files.
    """

    added: tuple[tuple[str, str, int], ...]
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CheckResult:
    """The findings in the known texts.

    Attributes
    ----------
    summary : dict
        As `byline.report.corpus.examination_summary` returns it.
    """

    summary: Summary


@dataclass(frozen=True, slots=True)
class TrainResult:
    """A model that was trained on the page.

    Attributes
    ----------
    model : ModelCard
        The new model, which is used from now on.
    notes : tuple of str
        Warnings about the known texts.
    seconds : float
        How long the training took.
    """

    model: ModelCard
    notes: tuple[str, ...]
    seconds: float


@dataclass(frozen=True, slots=True)
class ExploreResult:
    """Which texts are similar.

    Attributes
    ----------
    summary : dict
        As `byline.report.exploration.exploration_summary` returns it.
    notes : tuple of str
        What the reader should know about the texts.
    """

    summary: Summary
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RollResult:
    """The authors along a text.

    Attributes
    ----------
    summary : dict
        As `byline.report.rolling.rolling_summary` returns it.
    notes : tuple of str
        What the reader should know about the file.
    model : ModelCard
        The model that was used.
    """

    summary: Summary
    notes: tuple[str, ...]
    model: ModelCard


@dataclass(frozen=True, slots=True)
class VerifyResult:
    """Whether an author wrote a text.

    Attributes
    ----------
    case : dict
        As `byline.report.verification_answers.verification_answers_case` returns it for one text.
    notes : tuple of str
        What the reader should know about the texts.
    """

    case: Summary
    notes: tuple[str, ...]


Result = (
    AskResult | AddResult | CheckResult | TrainResult | ExploreResult | RollResult | VerifyResult
)


@dataclass(frozen=True, slots=True, kw_only=True)
class JobStatus:
    """A job as it is at one moment.

    Attributes
    ----------
    id : str
        Cannot be guessed.
    kind : JobKind
    state : JobState
    title : str
        The name of the text, or the author.
    done, total : int
        Steps; ``total`` is 0 until it is known.
    what : str
        The current step, or the last one that was finished.
    ahead : int
        Number of jobs that come first; 0 once the job is running.
    seconds : float
        Since it was requested; for a job that is over, how long it took.
    error : str or None
        Why it failed: the message of an error, or that there is a defect in Byline.
    result : Result or None
        None unless the job is done.
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
