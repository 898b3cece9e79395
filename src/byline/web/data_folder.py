"""The server's own folder, which is the only place where it writes."""

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
    """A folder that only this user may read.

    Attributes
    ----------
    path : Path
    is_temporary : bool
        Whether it is deleted at the end.
    lock : int or None
        The file descriptor that locks a folder which a person named against a second server.
    """

    path: Path
    is_temporary: bool
    lock: int | None = None

    @classmethod
    def open(cls, path: Path | None = None) -> DataFolder:
        """Make the folder, or open one that a server made before.

        Parameters
        ----------
        path : Path, optional
            By default, a temporary folder is made.

        Raises
        ------
        OutputError
            It cannot be made or written to, holds other files, or is used by another server.
        """
        try:
            if path is None:
                folder = cls(Path(tempfile.mkdtemp(prefix="byline-page-")).resolve(), True)
            else:
                own = _make_private(path)
                folder = cls(own, False, _locked(own))
            for part in (KNOWN, MODELS, JOBS):
                (folder.path / part).mkdir(mode=PRIVATE, exist_ok=True)
            shutil.rmtree(folder.path / JOBS)  # left by a server that was killed
            (folder.path / JOBS).mkdir(mode=PRIVATE)
        except OSError as error:
            raise OutputError(f"{path}: {error.strerror}; name another folder") from error
        return folder

    @property
    def known(self) -> Path:
        """The folder of the known texts that were added."""
        return self.path / KNOWN

    @property
    def models(self) -> Path:
        """The folder of the models that were trained on the page."""
        return self.path / MODELS

    @property
    def opening_page(self) -> Path:
        """A file that leads a browser to the page; it is deleted at the end."""
        return self.path / JOBS / "open.html"

    def job(self, job: str) -> Path:
        """Return the folder for the files of a job, which exists until the job is over."""
        return self.path / JOBS / job

    def open_job(self, job: str) -> Path:
        """Make the folder of a job, which exists until the job is over."""
        path = self.job(job)
        path.mkdir(mode=PRIVATE)
        return path

    def close_job(self, job: str) -> None:
        """Delete the folder of a job with everything in it."""
        shutil.rmtree(self.job(job), ignore_errors=True)

    def close(self) -> None:
        """Delete everything that is not to be kept."""
        discard = self.path if self.is_temporary else self.path / JOBS
        shutil.rmtree(discard, ignore_errors=True)
        if self.lock is not None:
            os.close(self.lock)


def _make_private(path: Path) -> Path:
    """Make the folder that a person named, or check that a server made it before."""
    path.mkdir(mode=PRIVATE, parents=True, exist_ok=True)
    others = sorted({entry.name for entry in path.iterdir()} - {KNOWN, MODELS, JOBS})
    if others:
        raise OutputError(
            f"{path} holds other files ({others[0]}); name an empty folder, or one that "
            "`byline serve --folder` made"
        )
    if os.name == "posix":
        path.chmod(PRIVATE)
    return path.resolve()


def _locked(path: Path) -> int | None:
    """Lock a folder until the descriptor is closed or the process ends."""
    if sys.platform == "win32":  # it cannot lock folders
        return None
    import fcntl

    lock = os.open(path, os.O_RDONLY)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        os.close(lock)
        raise OutputError(
            f"{path} is used by another `byline serve`; stop that one, or name another folder"
        ) from error
    return lock
