"""The page's own folder: the only place where it writes."""

from __future__ import annotations

import os
import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path

from byline.errors import OutputError

PRIVATE = 0o700
KNOWN, MODELS, JOBS = "known", "models", "jobs"


@dataclass(frozen=True, slots=True)
class OwnFolder:
    """A folder that nobody else may read.

    Attributes
    ----------
    path : Path
    is_temporary : bool
        Whether it is deleted at the end.
    """

    path: Path
    is_temporary: bool

    @classmethod
    def open(cls, path: Path | None = None) -> OwnFolder:
        """Make the folder, or take up one that this page made before.

        Parameters
        ----------
        path : Path, optional
            By default a temporary one.

        Raises
        ------
        OutputError
            It cannot be made or written to, or is a folder of something else.
        """
        try:
            if path is None:
                folder = cls(Path(tempfile.mkdtemp(prefix="byline-page-")).resolve(), True)
            else:
                folder = cls(_taken(path), False)
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
