"""The folder of a run: what it was started with, and the results of its jobs.

Every file is written completely or not at all. The record of a job is written last: a job without
a record is not finished, whatever other files it has.
"""

from __future__ import annotations

import hashlib
import json
import warnings
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from numpy.typing import NDArray
from safetensors.numpy import save

from byline.errors import BylineWarning, OutputError, UsageError
from byline.experiments.runner.plan import Record
from byline.experiments.runner.schemas import error_in_run_info, is_record, read_document
from byline.files import TEMPORARY, atomic_write, delete_stale_files

IDENTITY = ("configuration", "quick", "authors", "corpora")  # keys that make two runs the same
RESUME = "correct this or make room on the disk, then run the same command again to resume"

Belongs = Callable[[Record], bool]


def accept_all(record: Record) -> bool:
    """Accept any record as one of the run."""
    return True


class RunDirectory:
    """The files of a run.

    Parameters
    ----------
    path : path
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.jobs = path / "jobs"
        self._started_with: dict[str, Any] | None = None

    def run_info(self) -> dict[str, Any] | None:
        """Read what the run was started with; None if there is no run yet.

        Raises
        ------
        UsageError
            The folder holds other files, or its `run.json` is damaged.
        """
        path = self.path / "run.json"
        try:
            found = read_document(path.read_bytes())
        except FileNotFoundError:
            if self.path.is_dir() and any(not p.match(TEMPORARY) for p in self.path.iterdir()):
                raise UsageError(
                    f"{self.path} holds files that are not of a run; name another folder"
                ) from None
            return None
        except (OSError, ValueError) as error:
            raise UsageError(f"{path} cannot be read ({error}); name another folder") from error
        problem = error_in_run_info(found)
        if problem:
            raise UsageError(f"{path} is damaged ({problem}); name another folder")
        run_info: dict[str, Any] = found
        return run_info

    def start(self, run_info: Mapping[str, Any], *, replace: bool = False) -> None:
        """Create the folder and record what the run is started with.

        Parameters
        ----------
        run_info : mapping
        replace : bool
            Whether to replace a run that is already there. Otherwise it stays as it is.

        Raises
        ------
        OutputError
            The folder cannot be written to.
        """
        _make_folder(self.path)
        delete_stale_files(self.path.rglob(TEMPORARY))
        run = self.path / "run.json"
        if replace or not run.is_file():  # first of all: without it the folder belongs to no run
            self.write("run.json", (json.dumps(run_info, indent=1) + "\n").encode())
            outdated = [*self.path.glob("splits/*.safetensors"), self.path / "records.jsonl"]
            self._delete([*outdated, self.path / "profile.json"])
        for name in ("splits", "jobs"):
            _make_folder(self.path / name)
        self._started_with = self._identity()

    def _identity(self) -> dict[str, Any] | None:
        """Read what distinguishes the run from others."""
        try:
            found = read_document((self.path / "run.json").read_bytes())
            return {key: found.get(key) for key in IDENTITY}
        except (OSError, ValueError, AttributeError):
            return None

    def has_jobs(self) -> bool:
        """Whether any job is finished or has failed."""
        return any(self.jobs.glob("*.json"))

    def read_records(self, belongs: Belongs = accept_all) -> dict[str, dict[str, Any]]:
        """Read the records of finished and failed jobs, by name.

        Records that are damaged, or do not belong to the run, are left out with a warning.
        """
        found = {}
        for path in sorted(self.jobs.glob("*.json")):
            record = self.read_record(path.stem)
            if record is None:
                _warn(
                    f"{path} or its arrays are damaged, so that the job counts as not finished; "
                    "run the experiment again to repeat it"
                )
            elif not belongs(record):
                _warn(f"{path} belongs to no job of this run and is ignored; delete it")
            else:
                found[path.stem] = record
        return found

    def read_record(self, name: str) -> dict[str, Any] | None:
        """Read the record of a job; None if there is none, or if it is damaged."""
        path = self.jobs / f"{name}.json"
        try:
            record: dict[str, Any] = read_document(path.read_bytes())
        except (OSError, ValueError):
            return None
        is_valid = is_record(record) and record["job"] == name
        return record if is_valid and self._has_arrays(name, record["execution"]) else None

    def _has_arrays(self, name: str, execution: Mapping[str, Any]) -> bool:
        """Whether the arrays of a job, if it has any, are those that were written."""
        if execution.get("arrays_bytes") is None:
            return True
        try:
            content = (self.jobs / f"{name}.safetensors").read_bytes()
        except OSError:
            return False
        return bool(execution.get("arrays_sha256") == hashlib.sha256(content).hexdigest())

    def save(
        self, record: Record, arrays: Mapping[str, NDArray[Any]], execution: Mapping[str, Any]
    ) -> dict[str, Any]:
        """Write the result of a job and return the record as `read_records` will read it.

        Parameters
        ----------
        record : mapping
        arrays : mapping of name to array
        execution : mapping
            Durations, versions and machine: what may differ between runs of the same job.

        Raises
        ------
        OutputError
            A file cannot be written; the job is not finished.
        UsageError
            Another experiment has been started in the folder in the meantime.
        """
        if self._started_with is not None and self._identity() != self._started_with:
            raise UsageError(
                f"{self.path} has been taken over by another experiment; "
                "use a separate folder for each experiment"
            )
        name, execution = record["job"], dict(execution)
        if arrays:
            content = save(dict(arrays))
            execution["arrays_bytes"] = len(content)
            execution["arrays_sha256"] = hashlib.sha256(content).hexdigest()
            self.write(f"jobs/{name}.safetensors", content)
        line = _line({**record, "execution": execution})
        self.write(f"jobs/{name}.json", line.encode())
        stored: dict[str, Any] = json.loads(line)
        return stored

    def discard(self, names: Iterable[str]) -> None:
        """Delete the records of jobs, in the order given.

        Raises
        ------
        OutputError
            A record cannot be deleted.
        """
        self._delete(self.jobs / f"{name}.json" for name in names)

    def _delete(self, paths: Iterable[Path]) -> None:
        for path in paths:
            try:
                path.unlink(missing_ok=True)
            except OSError as error:
                raise OutputError(f"cannot delete {path}: {error.strerror}; {RESUME}") from error

    def write_records(self, belongs: Belongs = accept_all) -> None:
        """Write the records of all jobs to one file, sorted, without what differs between runs.

        Other processes may work in the same folder on other shares of the jobs. The process that
        writes last has seen all records.

        Raises
        ------
        OutputError
            The file cannot be written.
        """
        while True:
            seen = set(self.jobs.glob("*.json"))
            found = self.read_records(belongs)
            records = (
                {k: v for k, v in found[n].items() if k != "execution"} for n in sorted(found)
            )
            self.write("records.jsonl", "".join(map(_line, records)).encode())
            if set(self.jobs.glob("*.json")) == seen:
                return

    def write_reproducible(self, name: str, content: bytes) -> None:
        """Write a file that can be computed again; warn if a different one is replaced.

        Raises
        ------
        OutputError
            The file cannot be written.
        """
        path = self.path / name
        try:
            found = path.read_bytes()
        except FileNotFoundError:
            self.write(name, content)
        except OSError as error:
            raise OutputError(f"cannot read {path}: {error.strerror}; {RESUME}") from error
        else:
            if found != content:
                self.write(name, content)
                _warn(f"{path} was damaged and has been written again; check the disk")

    def write(self, name: str, content: bytes) -> None:
        """Write a file, completely or not at all.

        Raises
        ------
        OutputError
            The file cannot be written.
        """
        path = self.path / name
        try:
            with atomic_write(path) as file:
                file.write(content)
        except OutputError as error:
            cause = error.__cause__
            reason = (cause.strerror if isinstance(cause, OSError) else None) or cause
            raise OutputError(f"cannot write {path}: {reason}; {RESUME}") from cause


def _make_folder(path: Path) -> None:
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        reason = error.strerror or error
        raise OutputError(f"cannot create {path}: {reason}; name another folder") from error


def _warn(message: str) -> None:
    warnings.warn(message, BylineWarning, stacklevel=3)


def _line(content: Mapping[str, Any]) -> str:
    return json.dumps(content) + "\n"
