"""How far a run of many jobs has come, on standard error: a bar on a terminal, lines in a log."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from byline.cli.progress import SECONDS_BETWEEN_LINES, Log, bar_shown, duration

SECONDS_WORTH_TELLING = 60.0

if TYPE_CHECKING:
    from byline.experiments.runner.pace import RunProgress, TellProgress


@contextmanager
def run_progress_shown(title: str) -> Iterator[TellProgress]:
    """Show where a run stands: in a bar on a terminal, else in a line every half a minute."""
    if sys.stderr.isatty():
        with _bar(title) as tell:
            yield tell
    else:
        yield RunLines(title)


class RunLines(Log):
    """Lines in a log, one in half a minute at most."""

    def __call__(self, progress: RunProgress) -> None:
        """Write a line, where one is due."""
        if self.is_due(SECONDS_BETWEEN_LINES):
            done = f"{progress.done} of {progress.total} jobs"
            self.write(self.title, f"{done}, {_state(progress)}")


def _state(progress: RunProgress) -> str:
    """Say what runs and what failed, and how long the rest will take."""
    parts = [f"{progress.running} running"]
    if progress.failed:
        parts.append(f"{progress.failed} failed")
    if progress.seconds_left is not None:
        # The dear jobs come last: before one is done, a few seconds say nothing.
        known = not progress.at_least or progress.seconds_left >= SECONDS_WORTH_TELLING
        more = "at least" if progress.at_least else "about"
        parts += [f"{more} {duration(progress.seconds_left)} left"] if known else []
    return ", ".join(parts)


@contextmanager
def _bar(title: str) -> Iterator[TellProgress]:
    from rich.progress import MofNCompleteColumn

    with bar_shown(title, MofNCompleteColumn(), width=30) as show:

        def tell(progress: RunProgress) -> None:
            show(completed=progress.done, total=progress.total, what=_state(progress))

        yield tell
