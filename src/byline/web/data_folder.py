"""The page's own folder: the only place where it writes."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from byline.errors import OutputError

PRIVATE = 0o700
KNOWN, MODELS, JOBS = "known", "models", "jobs"


@dataclass(frozen=True, slots=True)
class DataFolder:
    """A folder that nobody else may read.

    Attributes
    ----------
    path : Path
    is_temporary : bool
        Whether it is deleted at the end.
    hold : int or None
        What keeps a second page out of a folder that people named.
    """

    path: Path
    is_temporary: bool
    hold: int | None = None

    @classmethod
    def open(cls, path: Path | None = None) -> DataFolder:
        """Make the folder, or take up one that this page made before.

        Parameters
        ----------
        path : Path, optional
            By default a temporary one.

        Raises
        ------
        OutputError
            It cannot be made or written to, or is a folder of something else, or another page's.
        """
        try:
            if path is None:
                folder = cls(Path(tempfile.mkdtemp(prefix="byline-page-")).resolve(), True)
            else:
                taken = _taken(path)
                folder = cls(taken, False, _held(taken))
            for part in (KNOWN, MODELS, JOBS):
                (folder.path / part).mkdir(mode=PRIVATE, exist_ok=True)
            shutil.rmtree(folder.path / JOBS)  # of a page that was killed
            (folder.path / JOBS).mkdir(mode=PRIVATE)
        except OSError as error:
            raise OutputError(f"{path}: {error.strerror}; name another folder") from error
        return folder

    @property
    def known(self) -> Path:
        """Where known texts that were added are."""
        return self.path / KNOWN

    @property
    def models(self) -> Path:
        """Where models that were learnt on the page are."""
        return self.path / MODELS

    def job(self, job: str) -> Path:
        """Where the files of a job are, as long as it is under way."""
        return self.path / JOBS / job

    def open_job(self, job: str) -> Path:
        """Make the folder of a job, which is there as long as the job is under way."""
        path = self.job(job)
        path.mkdir(mode=PRIVATE)
        return path

    def close_job(self, job: str) -> None:
        """Delete the folder of a job with all that is in it."""
        shutil.rmtree(self.job(job), ignore_errors=True)

    def close(self) -> None:
        """Delete what is not to be kept."""
        discard = self.path if self.is_temporary else self.path / JOBS
        shutil.rmtree(discard, ignore_errors=True)
        if self.hold is not None:
            os.close(self.hold)


def _taken(path: Path) -> Path:
    """Make a folder that people named, or see that it is one of this page's."""
    path.mkdir(mode=PRIVATE, parents=True, exist_ok=True)
    strangers = sorted({entry.name for entry in path.iterdir()} - {KNOWN, MODELS, JOBS})
    if strangers:
        raise OutputError(
            f"{path} holds something else ({strangers[0]}); name an empty folder, or one that "
            "`byline serve --folder` made"
        )
    if os.name == "posix":
        path.chmod(PRIVATE)
    return path.resolve()


def _held(path: Path) -> int | None:
    """Keep a second page out of a folder until the hold is closed, or the process is no more."""
    if sys.platform == "win32":  # it cannot hold folders
        return None
    import fcntl

    hold = os.open(path, os.O_RDONLY)
    try:
        fcntl.flock(hold, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        os.close(hold)
        raise OutputError(
            f"{path} is in use by another `byline serve`; end that one, or name another folder"
        ) from error
    return hold
