"""The protocol by which long computations report their progress."""

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
