"""How long work tells its caller how far it has come."""

from typing import Protocol


class Progress(Protocol):
    """A callable that is told of every finished step."""

    def __call__(self, done: int, total: int, what: str) -> None:
        """Take note that ``done`` of ``total`` steps are finished; ``what`` names the last one."""
