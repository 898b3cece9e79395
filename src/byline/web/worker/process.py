"""A worker: takes a task, tells how far it is, gives what came of it, and waits for the next."""

from __future__ import annotations

import contextlib
import os
import shutil
import sys
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from byline.corpus.extraction import Keep
from byline.errors import BylineError
from byline.processes.child import set_up_child
from byline.web.jobs import ModelCard
from byline.web.messages import Add, Ask, Check, Describe, Learn, ModelFile, WorkerTask

SECONDS_BETWEEN = 0.1
FEW = 20  # steps, each of which is told
READY = "ready"
NO_MEMORY = "there is not enough memory for it; try a shorter text, or fewer"


@dataclass(frozen=True, slots=True)
class Setup:
    """What a worker begins with.

    Attributes
    ----------
    given : ModelFile
    known : Path or None
    discard : Path or None
        The folder to delete where the page ends without being able to.
    keep : frozenset of Keep
        What is no running text, and is read as text all the same.
    share : float
        Of the machine's memory, what this worker may take.
    debug : bool
        Whether defects are printed, with what the system and libraries print: it may quote texts.
    """

    given: ModelFile
    known: Path | None
    discard: Path | None
    keep: frozenset[Keep] = frozenset()
    share: float = 1.0
    debug: bool = False


@dataclass(frozen=True, slots=True)
class Described:
    """A model, and the author, name and number of words of each text it was given with."""

    card: ModelCard
    known: tuple[tuple[str, str, int], ...]


@dataclass(frozen=True, slots=True)
class Step:
    """How far a task is, as `byline.progress.Progress` is told."""

    done: int
    total: int
    what: str


@dataclass(frozen=True, slots=True)
class Failure:
    """Why a task came to nothing: our error, or the name of another one."""

    error: BylineError | None
    defect: str


def serve_tasks(pipe: Connection, setup: Setup) -> None:
    """Do tasks, in a process of its own, until the other end of the pipe is closed."""
    watch = set_up_child(None if setup.discard is None else lambda: _discard(setup.discard))
    _bound_memory(setup.share)
    if not setup.debug:
        _be_silent()
    with contextlib.suppress(EOFError, OSError):
        do = _work(setup)
        pipe.send(READY)
        with contextlib.suppress(Exception):  # whoever asks for the model is told why
            do(Describe(setup.given), _Telling(pipe))
        while True:
            task: WorkerTask = pipe.recv()
            pipe.send(_attempt(do, task, _Telling(pipe), debug=setup.debug))
    watch.join()  # the page is no more, and its folder goes first


def _bound_memory(share: float) -> None:
    """Let what takes too much memory fail by itself, before the system ends something else."""
    if sys.platform == "linux":
        import resource

        whole = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
        _, highest = resource.getrlimit(resource.RLIMIT_DATA)
        wished = int(share * whole)
        most = wished if highest == resource.RLIM_INFINITY else min(wished, highest)
        resource.setrlimit(resource.RLIMIT_DATA, (most, highest))


def _be_silent() -> None:
    """Let nothing that a library prints, and that may quote a text, get into a log."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (1, 2):
        os.dup2(nowhere, stream)


def _work(setup: Setup) -> Callable[[WorkerTask, _Telling], Any]:
    """Import what tasks need, which takes a while, and return what does them."""
    from byline.web.worker.attribution import ask
    from byline.web.worker.loaded_models import LoadedModels
    from byline.web.worker.text_import import add
    from byline.web.worker.training import check, learn

    models = LoadedModels(setup.given, setup.known, setup.keep)

    def do(task: WorkerTask, progress: _Telling) -> Any:
        match task:
            case Describe():
                return models.describe(task.model)
            case Ask():
                return ask(task, models, progress)
            case Add():
                return add(task, models, progress)
            case Check():
                return check(task, models, progress)
            case Learn():
                return learn(task, models, progress)

    return do


def _attempt(
    do: Callable[[WorkerTask, _Telling], Any], task: WorkerTask, progress: _Telling, *, debug: bool
) -> Any:
    try:
        return do(task, progress)
    except BylineError as error:
        return Failure(error, "")
    except MemoryError:
        return Failure(BylineError(NO_MEMORY), "")
    except Exception as error:
        if debug:
            traceback.print_exc()
        # Its message may quote a text: the kind alone is told.
        return Failure(None, type(error).__name__)


class _Telling:
    """Tells the page how far a task is; of many steps not too often."""

    def __init__(self, pipe: Connection) -> None:
        self._pipe = pipe
        self._last = 0.0

    def __call__(self, done: int, total: int, what: str) -> None:
        now = time.monotonic()
        if total <= FEW or done >= total or now - self._last >= SECONDS_BETWEEN:
            self._last = now
            self._pipe.send(Step(done, total, what))


def _discard(folder: Path | None) -> None:
    if folder is not None:
        shutil.rmtree(folder, ignore_errors=True)
