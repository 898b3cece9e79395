"""The folder of a run: what made it, and what its jobs came to.

Every file is written whole or not at all. A job's record is written last: without it the job is not
done, whatever else there is.
"""

from __future__ import annotations

import json
import time
import warnings
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from numpy.typing import NDArray
from safetensors.numpy import save

from byline.errors import BylineWarning, OutputError, UsageError
from byline.files import replacing

LEFT_BEHIND = ".byline-*.tmp"
SECONDS_IN_USE = 3600.0
Record = Mapping[str, Any]


class RunDirectory:
    """What a run leaves on disk.

    Parameters
    ----------
    path : path
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.jobs = path / "jobs"

    def made_by(self) -> dict[str, Any] | None:
        """Read what made the run; None where it has not begun.

        Raises
        ------
        UsageError
            The folder is there, and is none of a run.
        """
        path = self.path / "run.json"
        try:
            found = json.loads(path.read_text(encoding="utf-8"))
        except FileNotFoundError:
            if self.path.is_dir() and any(not p.match(LEFT_BEHIND) for p in self.path.iterdir()):
                raise UsageError(
                    f"{self.path} holds something else than a run; name another folder"
                ) from None
            return None
        except (OSError, ValueError) as error:
            raise UsageError(f"{path} cannot be read ({error}); name another folder") from error
        if not isinstance(found, dict) or "configuration" not in found:
            raise UsageError(f"{path} does not say what made the run; name another folder")
        return found

    def begin(self, made_by: Mapping[str, Any]) -> None:
        """Make the folder, and say in it what makes the run; a run that is there stays as it is.

        Raises
        ------
        OutputError
            It cannot be written there.
        """
        _make_folder(self.path)
        self._delete_left_behind()
        if not self.has("run.json"):  # before all else: without it the folder is of no run
            self.write("run.json", (json.dumps(made_by, indent=1) + "\n").encode())
        for name in ("corpora", "splits", "jobs"):
            _make_folder(self.path / name)

    def done(self) -> dict[str, dict[str, Any]]:
        """Read what is there of finished and failed jobs, by name."""
        found = ((path.stem, self._read(path)) for path in sorted(self.jobs.glob("*.json")))
        return {name: record for name, record in found if record is not None}

    def _read(self, path: Path) -> dict[str, Any] | None:
        """Read a job's record; None, and a warning, where a whole one is not there any more."""
        try:
            record: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
            n_bytes = record["made"].get("arrays_bytes")
            whole = record["job"] == path.stem and (
                n_bytes is None or n_bytes == path.with_suffix(".safetensors").stat().st_size
            )
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            whole = False
        if not whole:
            message = f"{path} or its arrays are damaged: the job counts as not done"
            warnings.warn(message, BylineWarning, stacklevel=2)
            return None
        return record

    def save(
        self, record: Record, arrays: Mapping[str, NDArray[Any]], made: Mapping[str, Any]
    ) -> dict[str, Any]:
        """Write what a job came to; give it as `done` will read it.

        Raises
        ------
        OutputError
            It cannot be written; the job is not done.
        """
        name, made = record["job"], dict(made)
        if arrays:
            content = save(dict(arrays))
            made["arrays_bytes"] = len(content)
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
        for name in names:
            path = self.jobs / f"{name}.json"
            try:
                path.unlink(missing_ok=True)
            except OSError as error:
                raise OutputError(f"cannot delete {path}: {error.strerror}") from error

    def write_records(self) -> None:
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
            done = self.done()
            records = ({k: v for k, v in done[n].items() if k != "made"} for n in sorted(done))
            self.write("records.jsonl", "".join(map(_line, records)).encode())
            if set(self.jobs.glob("*.json")) == seen:
                return

    def has(self, name: str) -> bool:
        """Whether there is such a file."""
        return (self.path / name).is_file()

    def write_json(self, name: str, content: Mapping[str, Any]) -> None:
        """Write a JSON document, whole or not at all; errors as in `write`."""
        self.write(name, _line(content).encode())

    def write(self, name: str, content: bytes) -> None:
        """Write a file, whole or not at all.

        Raises
        ------
        OutputError
            It cannot be written.
        """
        with replacing(self.path / name) as file:
            file.write(content)

    def _delete_left_behind(self) -> None:
        """Delete what a killed run was writing; what is young may be being written now."""
        for path in self.path.rglob(LEFT_BEHIND):
            try:
                if time.time() - path.stat().st_mtime > SECONDS_IN_USE:
                    path.unlink()
            except OSError:  # someone else did, or it does no harm
                continue


def _make_folder(path: Path) -> None:
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        reason = error.strerror or error
        raise OutputError(f"cannot make {path}: {reason}; name another folder") from error


def _line(content: Mapping[str, Any]) -> str:
    return json.dumps(content) + "\n"
