"""Progress on standard error: a bar on a terminal, lines in a log."""

from __future__ import annotations

import functools
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from byline.cli.output import print_message
from byline.cli.time_left import TimeLeft
from byline.processes.worker_count import describe_workers
from byline.progress import Progress, Stage

if TYPE_CHECKING:
    from rich.progress import ProgressColumn

SECONDS_BETWEEN_LINES = 30.0
SECONDS_BETWEEN_EPOCHS = 1.0


@contextmanager
def show_progress(title: str, *, epochs: bool = False) -> Iterator[Progress]:
    """Show progress on standard error: a bar on a terminal, otherwise a line from time to time.

    Parameters
    ----------
    title : str
        The name of the work.
    epochs : bool
        Whether the steps are parts of epochs, and ``what`` names the last epoch and its cost. Then
        there is one line per epoch, and percentages are shown instead of numbers of steps.
    """
    if sys.stderr.isatty():
        with _bar(title, epochs) as report:
            yield report
    else:
        yield (EpochLines if epochs else Lines)(title)


class Log:
    """Lines in a log, from time to time.

    Parameters
    ----------
    title : str
    clock : callable
        Returns seconds since an arbitrary start.
    write : callable
        Called with the title and the rest of a line.
    """

    def __init__(
        self,
        title: str,
        *,
        clock: Callable[[], float] = time.monotonic,
        write: Callable[[str, str], None] = print_message,
    ) -> None:
        self.title = title
        self.clock = clock
        self.write = write
        self.last_time = clock()

    def is_due(self, seconds: float) -> bool:
        """Return whether ``seconds`` have passed since the last line; then restart the clock."""
        now = self.clock()
        if now - self.last_time < seconds:
            return False
        self.last_time = now
        return True


class Lines(Log):
    """Progress as lines, at most one every half minute, each with the remaining time if known."""

    seconds_between = SECONDS_BETWEEN_LINES
    last_what = ""

    def __init__(self, title: str, **options: Any) -> None:
        super().__init__(title, **options)
        self.left = TimeLeft(self.clock)

    def __call__(self, done: int, total: int, what: str) -> None:
        """Write a line if one is due."""
        self.left.note(done, total)
        if self.is_news(what) and self.is_due(self.seconds_between):
            self.last_what = what
            self.write(self.title, self.line(done, total, what))

    def plan(self, stages: Sequence[Stage]) -> None:
        """Note the stages that the steps belong to."""
        self.left.plan(stages)

    def is_news(self, what: str) -> bool:
        """Return whether there is more to report than in the last line."""
        return True

    def line(self, done: int, total: int, what: str) -> str:
        """Write what is done, and how long the rest will take."""
        return f"{done:,} of {total:,}{self.left.describe()}{describe_workers()} ({what})"


class EpochLines(Lines):
    """Progress of training as lines, one per epoch and at most one per second."""

    seconds_between = SECONDS_BETWEEN_EPOCHS

    def is_news(self, what: str) -> bool:
        """Return whether there is more to report than in the last line."""
        return what != self.last_what

    def line(self, done: int, total: int, what: str) -> str:
        """Write the epoch, and how long the rest will take."""
        return f"{what}{self.left.describe()}"


@contextmanager
def show_bar(title: str, *columns: ProgressColumn, width: int) -> Iterator[Callable[..., None]]:
    """Show a bar on standard error, followed by columns and the name of the last step.

    Parameters
    ----------
    title : str
    *columns : rich.progress.ProgressColumn
    width : int
        Width of the bar in characters.

    Yields
    ------
    callable
        Accepts ``completed``, ``total``, ``what`` and ``left``.
    """
    from rich.console import Console
    from rich.progress import BarColumn, TextColumn
    from rich.progress import Progress as RichProgress

    with RichProgress(
        TextColumn(title, markup=False),
        BarColumn(bar_width=width),
        *columns,
        TextColumn("{task.fields[what]}", markup=False),
        console=Console(stderr=True),
        transient=True,
    ) as bars:
        yield functools.partial(bars.update, bars.add_task(title, total=None, what="", left=""))


class TerminalBar:
    """Progress as a bar with the remaining time if known.

    Parameters
    ----------
    show : callable
        As `show_bar` yields it.
    """

    def __init__(self, show: Callable[..., None]) -> None:
        self.show = show
        self.left = TimeLeft()

    def __call__(self, done: int, total: int, what: str) -> None:
        """Move the bar."""
        self.left.note(done, total)
        left = f"{self.left.describe()}{describe_workers()}".removeprefix(", ")
        self.show(completed=done, total=total, what=what, left=left)

    def plan(self, stages: Sequence[Stage]) -> None:
        """Note the stages that the steps belong to."""
        self.left.plan(stages)


@contextmanager
def _bar(title: str, epochs: bool) -> Iterator[Progress]:
    from rich.progress import MofNCompleteColumn, TaskProgressColumn, TextColumn

    done = TaskProgressColumn() if epochs else MofNCompleteColumn()
    left = TextColumn("{task.fields[left]}", markup=False)
    with show_bar(title, done, left, width=20 if epochs else 40) as show:
        yield TerminalBar(show)
