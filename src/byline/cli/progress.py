"""Progress on standard error: a bar on a terminal, lines in a log."""

from __future__ import annotations

import functools
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from byline.cli.output import print_message
from byline.formatting import duration
from byline.progress import Progress

if TYPE_CHECKING:
    from rich.progress import ProgressColumn

SECONDS_BETWEEN_LINES = 30.0
SECONDS_BETWEEN_EPOCHS = 1.0
SECONDS_FOR_SPEED = 600.0


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
    """Progress as lines, at most one every half minute, each with the remaining time."""

    seconds_between = SECONDS_BETWEEN_LINES
    last_what = ""
    done_before: int | None = None

    def __call__(self, done: int, total: int, what: str) -> None:
        """Write a line if one is due."""
        if self.done_before is None:
            self.begin(done, total)
        if self.is_news(what) and self.is_due(self.seconds_between):
            self.last_what = what
            self.write(self.title, self.line(done, total, what))

    def begin(self, done: int, total: int) -> None:
        """Note what was done before this run: more than 1 % in its first report.

        The speed of a run that resumes from a checkpoint is computed from its own steps.
        """
        self.done_before, self.started = 0, self.last_time
        if done > max(1, total / 100):
            self.done_before, self.started = done, self.clock()

    def is_news(self, what: str) -> bool:
        """Return whether there is more to report than in the last line."""
        return True

    def line(self, done: int, total: int, what: str) -> str:
        """Write what is done, and how long the rest will take."""
        return f"{done} of {total}{self.time_left(done, total)} ({what})"

    def time_left(self, done: int, total: int) -> str:
        """Return ``", about 5 min left"``, or nothing if that is unknown or nothing is left."""
        own = done - (self.done_before or 0)
        if own < 1 or done >= total:
            return ""
        return f", about {duration((self.last_time - self.started) / own * (total - done))} left"


class EpochLines(Lines):
    """Progress of training as lines, one per epoch and at most one per second."""

    seconds_between = SECONDS_BETWEEN_EPOCHS

    def is_news(self, what: str) -> bool:
        """Return whether there is more to report than in the last line."""
        return what != self.last_what

    def line(self, done: int, total: int, what: str) -> str:
        """Write the epoch, and how long the rest will take."""
        return f"{what}{self.time_left(done, total)}"


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
        Accepts ``completed``, ``total`` and ``what``.
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
        speed_estimate_period=SECONDS_FOR_SPEED,
    ) as bars:
        yield functools.partial(bars.update, bars.add_task(title, total=None, what=""))


@contextmanager
def _bar(title: str, epochs: bool) -> Iterator[Progress]:
    from rich.progress import MofNCompleteColumn, TaskProgressColumn, TimeRemainingColumn

    done = TaskProgressColumn() if epochs else MofNCompleteColumn()
    with show_bar(title, done, TimeRemainingColumn(), width=20 if epochs else 40) as show:

        def report(done: int, total: int, what: str) -> None:
            show(completed=done, total=total, what=what)

        yield report
