"""The folder of a run: what made it, and what its jobs came to.

Every file is written whole or not at all. A job's record is written last: without it the job is not
done, whatever else there is.
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
from byline.experiments.runner.schemas import error_in_run_info, is_record, read_document
from byline.files import TEMPORARY, atomic_write, delete_stale_files

OF_THE_RUN = ("configuration", "quick", "authors", "corpora")
MEND = "make room, or mend that; the same command goes on from there"
Record = Mapping[str, Any]
Belongs = Callable[[Record], bool]


def anything(record: Record) -> bool:
    """Take any record to be the run's."""
    return True


class RunDirectory:
    """What a run leaves on disk.

    Parameters
    ----------
    path : path
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.jobs = path / "jobs"
        self._begun: dict[str, Any] | None = None

    def made_by(self) -> dict[str, Any] | None:
        """Read what made the run; None where it has not begun.

        Raises
        ------
        UsageError
            The folder is there, and is none of a run; or its `run.json` is damaged.
        """
        path = self.path / "run.json"
        try:
            found = read_document(path.read_bytes())
        except FileNotFoundError:
            if self.path.is_dir() and any(not p.match(TEMPORARY) for p in self.path.iterdir()):
                raise UsageError(
                    f"{self.path} holds something else than a run; name another folder"
                ) from None
            return None
        except (OSError, ValueError) as error:
            raise UsageError(f"{path} cannot be read ({error}); name another folder") from error
        fault = error_in_run_info(found)
        if fault:
            raise UsageError(
                f"{path} does not say what made the run ({fault}); name another folder"
            )
        made_by: dict[str, Any] = found
        return made_by

    def begin(self, made_by: Mapping[str, Any], *, anew: bool = False) -> None:
        """Make the folder, and say in it what makes the run.

        Parameters
        ----------
        made_by : mapping
        anew : bool
            Whether it takes the place of a run that is there, which else stays as it is.

        Raises
        ------
        OutputError
            It cannot be written there.
        """
        _make_folder(self.path)
        delete_stale_files(self.path.rglob(TEMPORARY))
        run = self.path / "run.json"
        if anew or not run.is_file():  # before all else: without it the folder is of no run
            self.write("run.json", (json.dumps(made_by, indent=1) + "\n").encode())
            made = [*self.path.glob("splits/*.safetensors"), self.path / "records.jsonl"]
            self._delete([*made, self.path / "profile.json"])
        for name in ("splits", "jobs"):
            _make_folder(self.path / name)
        self._begun = self._of_the_run()

    def _of_the_run(self) -> dict[str, Any] | None:
        """Read what makes the run this one and no other."""
        try:
            found = read_document((self.path / "run.json").read_bytes())
            return {key: found.get(key) for key in OF_THE_RUN}
        except (OSError, ValueError, AttributeError):
            return None

    def has_jobs(self) -> bool:
        """Whether any job is done or failed."""
        return any(self.jobs.glob("*.json"))

    def done(self, belongs: Belongs = anything) -> dict[str, dict[str, Any]]:
        """Read what is there of finished and failed jobs, by name.

        Those that are damaged, or do not belong to the run, are left out with a warning.
        """
        found = {}
        for path in sorted(self.jobs.glob("*.json")):
            record = self.job(path.stem)
            if record is None:
                _warn(f"{path} or its arrays are damaged: the job counts as not done")
            elif not belongs(record):
                _warn(f"{path} is of no job of this run; it is left out")
            else:
                found[path.stem] = record
        return found

    def job(self, name: str) -> dict[str, Any] | None:
        """Read what a job came to; None where there is no record, or no whole one."""
        path = self.jobs / f"{name}.json"
        try:
            record: dict[str, Any] = read_document(path.read_bytes())
        except (OSError, ValueError):
            return None
        whole = is_record(record) and record["job"] == name
        return record if whole and self._has_arrays(name, record["made"]) else None

    def _has_arrays(self, name: str, made: Mapping[str, Any]) -> bool:
        """Whether a job's arrays are those that were written, where there were any."""
        if made.get("arrays_bytes") is None:
            return True
        try:
            content = (self.jobs / f"{name}.safetensors").read_bytes()
        except OSError:
            return False
        digest = made.get("arrays_sha256")  # the first runs have sizes alone
        if digest is None:
            return bool(made["arrays_bytes"] == len(content))
        return bool(digest == hashlib.sha256(content).hexdigest())

    def save(
        self, record: Record, arrays: Mapping[str, NDArray[Any]], made: Mapping[str, Any]
    ) -> dict[str, Any]:
        """Write what a job came to; give it as `done` will read it.

        Raises
        ------
        OutputError
            It cannot be written; the job is not done.
        UsageError
            Meanwhile another experiment has begun in the folder.
        """
        if self._begun is not None and self._of_the_run() != self._begun:
            raise UsageError(
                f"{self.path} is of another experiment by now; name a folder for each of them"
            )
        name, made = record["job"], dict(made)
        if arrays:
            content = save(dict(arrays))
            made["arrays_bytes"] = len(content)
            made["arrays_sha256"] = hashlib.sha256(content).hexdigest()
            self.write(f"jobs/{name}.safetensors", content)
        line = _line({**record, "made": made})
        self.write(f"jobs/{name}.json", line.encode())
        stored: dict[str, Any] = json.loads(line)
        return stored

    def forget(self, names: Iterable[str]) -> None:
        """Delete what jobs came to, in the order given.

        Raises
        ------
        OutputError
            It cannot be deleted.
        """
        self._delete(self.jobs / f"{name}.json" for name in names)

    def _delete(self, paths: Iterable[Path]) -> None:
        for path in paths:
            try:
                path.unlink(missing_ok=True)
            except OSError as error:
                raise OutputError(f"cannot delete {path}: {error.strerror}; {MEND}") from error

    def write_records(self, belongs: Belongs = anything) -> None:
        """Write all jobs' records to one file, by name, without what differs from run to run.

        Others may be at work in the folder, with other shares of the jobs: whoever is last has seen
        all.

        Raises
        ------
        OutputError
            It cannot be written.
        """
        while True:
            seen = set(self.jobs.glob("*.json"))
            done = self.done(belongs)
            records = ({k: v for k, v in done[n].items() if k != "made"} for n in sorted(done))
            self.write("records.jsonl", "".join(map(_line, records)).encode())
            if set(self.jobs.glob("*.json")) == seen:
                return

    def restore(self, name: str, content: bytes) -> None:
        """Write a file that can be made at any time; a warning where there is another.

        Raises
        ------
        OutputError
            It cannot be written.
        """
        path = self.path / name
        try:
            found = path.read_bytes()
        except FileNotFoundError:
            self.write(name, content)
        except OSError as error:
            raise OutputError(f"cannot read {path}: {error.strerror}; {MEND}") from error
        else:
            if found != content:
                self.write(name, content)
                _warn(f"{path} was damaged; it is written again")

    def write(self, name: str, content: bytes) -> None:
        """Write a file, whole or not at all.

        Raises
        ------
        OutputError
            It cannot be written.
        """
        path = self.path / name
        try:
            with atomic_write(path) as file:
                file.write(content)
        except OutputError as error:
            cause = error.__cause__
            reason = (cause.strerror if isinstance(cause, OSError) else None) or cause
            raise OutputError(f"cannot write to {path}: {reason}; {MEND}") from cause


def _make_folder(path: Path) -> None:
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        reason = error.strerror or error
        raise OutputError(f"cannot make {path}: {reason}; name another folder") from error


def _warn(message: str) -> None:
    warnings.warn(message, BylineWarning, stacklevel=3)


def _line(content: Mapping[str, Any]) -> str:
    return json.dumps(content) + "\n"
