"""The protocol by which long computations report their progress, and what they consist of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol


class Progress(Protocol):
    """A callable that receives every finished step.

    Examples
    --------
    >>> def print_progress(done: int, total: int, what: str) -> None:
    ...     print(f"{done} of {total}: {what}")
    >>> report: Progress = print_progress
    >>> report(1, 2, "Ann")
    1 of 2: Ann
    """

    def __call__(self, done: int, total: int, what: str) -> None:
        """Note that ``done`` of ``total`` steps are finished; ``what`` names the last one."""


@dataclass(frozen=True, slots=True)
class Stage:
    """Some consecutive steps of a computation: one job.

    Attributes
    ----------
    kind : str
        Jobs of one kind take about the same time per step; jobs of different kinds do not.
    n_steps : int

    See Also
    --------
    announce : Tell a display which stages there are.

    Examples
    --------
    >>> Stage("language-models", 100).kind
    'language-models'
    """

    kind: str
    n_steps: int


def announce(progress: Progress | None, stages: Sequence[Stage]) -> None:
    """Tell a display that estimates the remaining time which stages the steps belong to.

    Parameters
    ----------
    progress : Progress, optional
        If it has a method ``plan``, it is called with the stages; other functions need not know.
    stages : sequence of Stage
        In the order in which they are done, from the first step to the last.

    Examples
    --------
    >>> class Display:
    ...     def __call__(self, done: int, total: int, what: str) -> None: ...
    ...     def plan(self, stages: list[Stage]) -> None:
    ...         print([stage.kind for stage in stages])
    >>> announce(Display(), [Stage("reading", 5), Stage("training", 3)])
    ['reading', 'training']
    """
    plan = getattr(progress, "plan", None)
    if plan is not None:
        plan(stages)


@dataclass(frozen=True, slots=True)
class PartialProgress:
    """Reports a part of a computation as steps of the whole.

    Attributes
    ----------
    progress : Progress
    before : int
        Number of steps before the part.
    total : int
        Number of steps of the whole.

    Examples
    --------
    >>> def print_progress(done: int, total: int, what: str) -> None:
    ...     print(f"{done} of {total}: {what}")
    >>> PartialProgress(print_progress, 10, 40)(1, 5, "Ann")
    11 of 40: Ann
    """

    progress: Progress
    before: int
    total: int

    def __call__(self, done: int, total: int, what: str) -> None:
        """Report a step of the part."""
        self.progress(self.before + done, self.total, what)


@dataclass(frozen=True, slots=True)
class RepeatedProgress:
    """Reports one of several equal parts of a computation, such as a fold.

    Attributes
    ----------
    progress : Progress
    part : int
        From 0.
    n_parts : int

    Examples
    --------
    >>> def print_progress(done: int, total: int, what: str) -> None:
    ...     print(f"{done} of {total}: {what}")
    >>> RepeatedProgress(print_progress, 1, 3)(4, 10, "Ann")
    14 of 30: Ann
    """

    progress: Progress
    part: int
    n_parts: int

    def __call__(self, done: int, total: int, what: str) -> None:
        """Report a step of the part."""
        self.progress(self.part * total + done, self.n_parts * total, what)

    def plan(self, stages: Sequence[Stage]) -> None:
        """Announce that all parts have the stages of the first one."""
        if self.part == 0:
            announce(self.progress, [*stages] * self.n_parts)
