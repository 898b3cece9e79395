"""The same tasks on the machines of a Dask cluster.

The work goes to the scheduler once, which sends it to every worker there is and to every one that
joins later: what a worker held is lost with it, and nothing else is. Tasks are futures; those of a
worker that died are done by another, and one whose workers die time and again is given up by the
scheduler, along with those that happened to be there. A worker does one task at a time, as tasks
may change what belongs to the whole process: how warnings are shown, how many threads there are.
"""

from __future__ import annotations

import contextlib
import logging
import pickle
import queue
import secrets
import socket
import threading
import time
import warnings
from typing import Any, Self
from urllib.parse import urlsplit

from byline import __version__
from byline.errors import BylineWarning, ExperimentError, MissingExtraError, UsageError
from byline.processes.task import NamedTask, TaskOutcome, Work, execution_environment, run_task

PROTOCOLS = ("tcp", "tls")
MOST_BYTES = 2**20  # of a scheduler's greeting, which has some hundred


def check_address(address: str) -> tuple[str, str, int]:
    """Take the address of a scheduler apart: protocol, host and port.

    Raises
    ------
    UsageError
        It is no such address.
    """
    try:
        parts = urlsplit(address)
        host, port = parts.hostname, parts.port
    except ValueError:  # a port that is no number, say
        host, port = None, None
    if not host or not port or parts.scheme not in PROTOCOLS or parts.path:
        raise UsageError(
            f"--cluster: {address!r} is no address of a Dask scheduler; write tcp://HOST:PORT, "
            "or tls://HOST:PORT"
        )
    return parts.scheme, host, port


def check_reachable(address: str, seconds: float) -> None:
    """See whether a scheduler answers: Dask itself waits long for one that does not.

    Raises
    ------
    OSError
        Nothing is there, or it does not greet as schedulers do.
    """
    protocol, host, port = check_address(address)
    with socket.create_connection((host, port), timeout=seconds) as connection:
        if protocol == "tcp":
            with connection.makefile("rb") as stream:
                greeting = stream.read(8)  # the length of what follows
            if not greeting or int.from_bytes(greeting, "little") > MOST_BYTES:
                raise OSError("something else answers there")


SECONDS_TO_CONNECT = 10.0
SECONDS_FOR_WORKERS = 60.0
SECONDS_TO_GATHER = 30.0
SECONDS_BETWEEN_COUNTS = 5.0
SECONDS_TO_CLOSE = 5.0
TASKS_A_WORKER = 2  # so that none waits for the network; the scheduler moves those that wait long

# In a worker: what it was sent, and its turn.
_works: dict[str, Work] = {}
_turn = threading.Lock()


class DaskPool:
    """Workers of a Dask cluster.

    Parameters
    ----------
    work : callable
        Takes a task; it is sent to each worker once, with all that it holds.
    address : str
        Of the scheduler, such as ``tcp://10.0.0.1:8786``.

    Raises
    ------
    MissingExtraError
        Dask is not installed.
    UsageError
        It is no such address.
    """

    def __init__(self, work: Work, address: str) -> None:
        check_address(address)
        try:
            import distributed
        except ImportError as error:
            raise MissingExtraError(
                'a cluster needs Dask, which is not installed: pip install "byline[dask]"'
            ) from error
        # Its tracebacks tell of what is told here in a line.
        logging.getLogger("distributed.client").setLevel(logging.CRITICAL)
        self.address = address
        self._distributed: Any = distributed
        self._payload = pickle.dumps(work, protocol=pickle.HIGHEST_PROTOCOL)
        self._key = f"byline-{secrets.token_hex(8)}"
        self._client: Any = None
        self._tasks: dict[str, tuple[Any, Any]] = {}  # by key: future and task
        self._ended: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self._n_submitted = 0
        self._n_workers, self._counted = 0, float("-inf")

    def __enter__(self) -> Self:
        try:
            check_reachable(self.address, SECONDS_TO_CONNECT)
            self._client = self._distributed.Client(
                self.address, timeout=SECONDS_TO_CONNECT, set_as_default=False
            )
        except (OSError, ValueError) as error:
            raise ExperimentError(
                f"no Dask scheduler answers at {self.address} ({error}); start one with "
                "`dask scheduler`, and give --cluster the address that it says"
            ) from error
        try:
            self._prepare_workers()
        except BaseException:
            self.__exit__()
            raise
        return self

    def _prepare_workers(self) -> None:
        try:
            self._client.wait_for_workers(1, timeout=SECONDS_FOR_WORKERS)
        except TimeoutError as error:
            raise ExperimentError(
                f"the cluster at {self.address} has no worker; start some with "
                f"`dask worker {self.address} --nthreads 1`"
            ) from error
        found = self._client.get_versions(packages=["byline"])["workers"]
        for worker, has in found.items():
            _check_version(has["packages"].get("byline"), worker, __version__)
        if max(self._client.nthreads().values(), default=1) > 1:
            warnings.warn(
                "workers of the cluster have several threads, and one is used; start them with "
                f"`dask worker {self.address} --nthreads 1 --nworkers N`, N for the cores",
                BylineWarning,
                stacklevel=2,
            )
        self._client.register_plugin(_sender(self._key, self._payload), name=self._key)

    def __exit__(self, *error: object) -> None:
        futures = [future for future, _ in self._tasks.values()]
        self._tasks.clear()
        with contextlib.suppress(Exception):  # the cluster may be gone, and owes nothing any more
            if self._client.status == "running":
                self._client.cancel(futures, force=True)
                self._client.unregister_worker_plugin(self._key)
        self._client.close(timeout=SECONDS_TO_CLOSE)

    @property
    def n_workers(self) -> int:
        """Workers that there are now."""
        if time.monotonic() - self._counted > SECONDS_BETWEEN_COUNTS:
            with contextlib.suppress(OSError):  # the connection is lost, which `wait` will see
                self._n_workers = len(self._client.nthreads())
            self._counted = time.monotonic()
        return self._n_workers

    @property
    def capacity(self) -> int:
        """Tasks that the scheduler should hold; at least one, which waits for a worker."""
        return max(1, TASKS_A_WORKER * self.n_workers)

    def submit(self, task: NamedTask) -> None:
        """Give a task to the scheduler."""
        self._n_submitted += 1
        key = f"{self._key}-{self._n_submitted}-{task.name}"
        future = self._client.submit(
            run_task_on_worker, self._key, __version__, task, key=key, pure=False
        )
        self._tasks[key] = future, task
        future.add_done_callback(self._ended.put)

    def wait(self, seconds: float) -> list[tuple[Any, TaskOutcome]]:
        """Give the tasks that came to an end, once there are some or the time is over.

        Raises
        ------
        ExperimentError
            The scheduler is gone, or a worker cannot do such tasks at all.
        """
        with contextlib.suppress(queue.Empty):
            futures = [self._ended.get(timeout=seconds)]
            with contextlib.suppress(queue.Empty):
                while True:
                    futures.append(self._ended.get_nowait())
            outcomes = [(future.key, self._outcome(future)) for future in futures]
            return [(self._tasks.pop(key)[1], outcome) for key, outcome in outcomes if outcome]
        return []

    def _outcome(self, future: Any) -> TaskOutcome | None:
        """Say what came of a task; None where its result was lost, and is being made again."""
        try:
            outcome: TaskOutcome = future.result(timeout=SECONDS_TO_GATHER)
        except self._distributed.TimeoutError:
            future.add_done_callback(self._ended.put)
            return None
        except self._distributed.KilledWorker as killed:
            times = killed.allowed_failures + 1
            why = f"{times} workers in turn were killed as they did it (out of memory?)"
            return TaskOutcome(error=why, died=True, place=execution_environment())
        except (self._distributed.CancelledError, OSError) as error:
            raise ExperimentError(
                f"the scheduler at {self.address} is gone; with one that answers there, the same "
                "command goes on from here"
            ) from error
        except Exception as error:
            raise ExperimentError(
                f"a worker of the cluster at {self.address} cannot do such jobs: "
                f"{type(error).__name__}: {error}"
            ) from error
        return outcome


def run_task_on_worker(key: str, version: str, task: NamedTask) -> TaskOutcome:
    """Do a task, in a worker.

    Raises
    ------
    ExperimentError
        The worker has another version of Byline.
    """
    _check_version(__version__, "a worker", version)
    with _turn:
        return run_task(_works[key], task)


def receive(key: str, payload: bytes | None) -> None:
    """Keep the work, or forget it, in a worker."""
    if payload is None:
        _works.pop(key, None)
    else:
        _works[key] = pickle.loads(payload)  # noqa: S301


def _check_version(found: str | None, worker: str, wanted: str) -> None:
    if found != wanted:
        raise ExperimentError(
            f"{worker} has {f'Byline {found}' if found else 'no Byline'}, and this is Byline "
            f"{wanted}; install the same version everywhere"
        )


def _sender(key: str, payload: bytes) -> Any:
    """Make what the scheduler sends to every worker; Dask wants a class of its own family."""
    from distributed import WorkerPlugin

    class Sender(WorkerPlugin):  # type: ignore[misc,unused-ignore]
        def setup(self, worker: Any) -> None:
            receive(key, payload)

        def teardown(self, worker: Any) -> None:
            receive(key, None)

    return Sender()
