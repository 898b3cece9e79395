"""Shares of the jobs, for machines that know nothing of each other."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass

from byline.errors import UsageError
from byline.experiments.runner.jobs import Job


@dataclass(frozen=True, slots=True)
class Share:
    """One of several shares that all jobs are divided into by their names.

    Attributes
    ----------
    number, of : int
        Which, from 1, and of how many.
    """

    number: int = 1
    of: int = 1

    @classmethod
    def parse(cls, text: str) -> Share:
        """Read ``"2/8"``.

        Raises
        ------
        UsageError
            It is no such thing.
        """
        match = re.fullmatch(r"([1-9]\d{0,5})/([1-9]\d{0,5})", text)
        share = cls(*map(int, match.groups())) if match else None
        if share is None or share.number > share.of:
            raise UsageError(f"{text!r} is no share; write 1/8, 2/8 and so on to 8/8")
        return share

    def takes(self, job: Job) -> bool:
        """Whether a job falls to this share; what hangs on one search falls to one share."""
        place = int.from_bytes(hashlib.sha256(job.share.encode()).digest()[:8])
        return place % self.of == self.number - 1


WHOLE = Share()
