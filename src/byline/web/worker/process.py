"""A worker process: it takes a task, reports progress, sends the result, and waits for the next."""

from __future__ import annotations

import contextlib
import os
import shutil
import sys
import time
import traceback
from collections.abc import Callable, Mapping
from multiprocessing.connection import Connection
from typing import Any

from byline.errors import BylineError, OutputError
from byline.named_settings import settings_as_options
from byline.processes.child import at_parent_end
from byline.shortages import (
    DISK_ADVICE,
    SHORT_MEMORY_ADVICE,
    is_disk_shortage,
    is_memory_shortage,
)
from byline.web.messages import (
    READY,
    Add,
    Ask,
    AskSamples,
    Check,
    Describe,
    Explore,
    Failure,
    Roll,
    RollSample,
    Step,
    Train,
    Verify,
    WorkerSettings,
    WorkerTask,
)

SECONDS_BETWEEN_REPORTS = 0.1
MAX_REPORTED_STEPS = 20  # if there are more steps, not every one is reported

DoTask = Callable[[WorkerTask, "ProgressSender"], Any]


def serve_tasks(pipe: Connection, settings: WorkerSettings) -> None:
    """Do tasks in a child process until the pipe is closed."""
    if settings.discard is not None:
        folder = settings.discard
        at_parent_end(lambda: shutil.rmtree(folder, ignore_errors=True))
    _limit_memory(settings.memory_share)
    do_task = _prepare(settings)
    pipe.send(READY)
    with contextlib.suppress(Exception):  # the first request for the model reports the reason
        do_task(Describe(settings.given), ProgressSender(pipe))
    while True:
        task: WorkerTask = pipe.recv()
        pipe.send(_attempt(do_task, task, ProgressSender(pipe), debug=settings.debug))


class ProgressSender:
    """Send the server the progress of a task, but not too often if it has many steps.

    Parameters
    ----------
    pipe : Connection
    """

    def __init__(self, pipe: Connection) -> None:
        self._pipe = pipe
        self._last = 0.0

    def __call__(self, done: int, total: int, what: str) -> None:
        """Send one step, or leave it out."""
        now = time.monotonic()
        is_due = now - self._last >= SECONDS_BETWEEN_REPORTS
        if total <= MAX_REPORTED_STEPS or done >= total or is_due:
            self._last = now
            self._pipe.send(Step(done, total, what))


def _limit_memory(share: float) -> None:
    """Let a task that needs too much memory fail, before the system kills some other process."""
    if sys.platform == "linux":
        import resource

        whole = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
        _, highest = resource.getrlimit(resource.RLIMIT_DATA)
        wanted = int(share * whole)
        limit = wanted if highest == resource.RLIM_INFINITY else min(wanted, highest)
        resource.setrlimit(resource.RLIMIT_DATA, (limit, highest))


def _prepare(settings: WorkerSettings) -> DoTask:
    """Import what tasks need, which takes some time, and return a function that does them."""
    from byline.web.worker.attribution import ask, ask_samples
    from byline.web.worker.exploration import explore_known_texts
    from byline.web.worker.loaded_models import LoadedModels
    from byline.web.worker.rolling import follow_sample, follow_text
    from byline.web.worker.text_import import add
    from byline.web.worker.training import check, train_model
    from byline.web.worker.verification import verify_text

    models = LoadedModels(settings.given, settings.known, settings.keep)

    functions: Mapping[type, Callable[[Any, LoadedModels, ProgressSender], Any]] = {
        Ask: ask,
        AskSamples: ask_samples,
        Add: add,
        Check: check,
        Train: train_model,
        Explore: explore_known_texts,
        Roll: follow_text,
        RollSample: follow_sample,
        Verify: verify_text,
    }

    def do_task(task: WorkerTask, progress: ProgressSender) -> Any:
        if isinstance(task, Describe):
            return models.describe(task.model)
        return functions[type(task)](task, models, progress)

    return do_task


def _attempt(do_task: DoTask, task: WorkerTask, progress: ProgressSender, *, debug: bool) -> Any:
    try:
        with settings_as_options():  # because a command started the page
            return do_task(task, progress)
    except BylineError as error:
        return Failure(error, "")
    except ConnectionError:  # the server has ended
        raise
    except Exception as error:
        if is_memory_shortage(error):
            return Failure(BylineError(SHORT_MEMORY_ADVICE), "")
        if is_disk_shortage(error):
            return Failure(OutputError(DISK_ADVICE), "")
        if debug:
            traceback.print_exc()
        # Its message may quote a text, so only its name is sent.
        return Failure(None, type(error).__name__)
