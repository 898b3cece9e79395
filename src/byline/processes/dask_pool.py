"""A pool of workers on the machines of a Dask cluster.

The work is sent once to the scheduler, which passes it on to every worker, also to those that join
later. Tasks are futures. If a worker dies, only what it held is lost, and another worker does its
tasks again. If the workers of one task die repeatedly, the scheduler gives the task up, together
with any other tasks that were on these workers. A worker does one task at a time, because tasks
may change settings of the whole process, such as the filters of warnings or the number of threads.
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
from collections.abc import Iterator
from typing import Any, Self
from urllib.parse import urlsplit

from byline import __version__
from byline.errors import BylineWarning, ExperimentError, MissingExtraError, UsageError
from byline.named_settings import setting
from byline.processes.task import NamedTask, TaskOutcome, Work, execution_environment, run_task

PROTOCOLS = ("tcp", "tls")
LOCAL = "local"
MAX_GREETING_BYTES = 2**20  # a scheduler's greeting has some hundred bytes
SECONDS_TO_CONNECT = 10.0
SECONDS_FOR_WORKERS = 60.0
SECONDS_TO_GATHER = 30.0
SECONDS_BETWEEN_COUNTS = 5.0
SECONDS_TO_CLOSE = 5.0
TASKS_PER_WORKER = 2  # so that no worker waits for the network; the scheduler balances the queues

# In a worker: the work by its key, and the lock of the one task that is being done.
_works: dict[str, Work] = {}
_turn = threading.Lock()


def check_address(address: str) -> tuple[str, str, int]:
    """Split the address of a scheduler into its protocol, host and port.

    Raises
    ------
    UsageError
        It is not the address of a scheduler.

    Examples
    --------
    >>> check_address("tcp://10.0.0.1:8786")
    ('tcp', '10.0.0.1', 8786)
    """
    try:
        parts = urlsplit(address)
        host, port = parts.hostname, parts.port
    except ValueError:  # for example, a port that is not a number
        host, port = None, None
    if not host or not port or parts.scheme not in PROTOCOLS or parts.path:
        raise UsageError(
            f"{setting('cluster')}: {address!r} is not the address of a Dask scheduler; write "
            "tcp://HOST:PORT or tls://HOST:PORT"
        )
    return parts.scheme, host, port


def check_reachable(address: str, seconds: float) -> None:
    """Check that a scheduler answers; Dask itself waits long for one that does not.

    Raises
    ------
    OSError
        Nothing answers at the address, or something that is not a scheduler.
    """
    protocol, host, port = check_address(address)
    with socket.create_connection((host, port), timeout=seconds) as connection:
        if protocol == "tcp":
            with connection.makefile("rb") as stream:
                greeting = stream.read(8)  # the length of what follows
            if not greeting or int.from_bytes(greeting, "little") > MAX_GREETING_BYTES:
                raise OSError("something else answers there")


def _import_distributed() -> Any:
    try:
        import distributed
    except ImportError as error:
        raise MissingExtraError(
            'a cluster needs Dask, which is not installed: pip install "byline[dask]"'
        ) from error
    # It would print tracebacks of errors that are reported here in one line.
    logging.getLogger("distributed.client").setLevel(logging.CRITICAL)
    return distributed


def check_cluster(cluster: str) -> int | None:
    """Return the number of workers of ``local:N``; None for the address of a scheduler.

    Raises
    ------
    UsageError
        It is neither.

    Examples
    --------
    >>> check_cluster("local:4"), check_cluster("tcp://10.0.0.1:8786")
    (4, None)
    """
    name, _, number = cluster.partition(":")
    if name != LOCAL:
        check_address(cluster)
        return None
    if not number.isdecimal() or int(number) < 1:
        raise UsageError(
            f"{setting('cluster')}: {cluster!r} has no number of workers; write local:N, such as "
            "local:4"
        )
    return int(number)


@contextlib.contextmanager
def scheduler_of(cluster: str) -> Iterator[str]:
    """Return the address of a scheduler; for ``local:N``, start one with N workers here.

    Raises
    ------
    MissingExtraError
        Dask is not installed.
    UsageError
        As in `check_cluster`.
    """
    n_workers = check_cluster(cluster)
    if n_workers is None:
        yield cluster
        return
    options = {"threads_per_worker": 1, "host": "127.0.0.1", "dashboard_address": None}
    with _import_distributed().LocalCluster(
        n_workers=n_workers, silence_logs=logging.ERROR, **options
    ) as started:
        yield started.scheduler_address


class DaskPool:
    """Workers of a Dask cluster.

    Parameters
    ----------
    work : callable
        Called with a task. It is sent to each worker once, with all the data that it holds.
    address : str
        The scheduler's, such as ``tcp://10.0.0.1:8786``.

    Raises
    ------
    MissingExtraError
        Dask is not installed.
    UsageError
        ``address`` is not the address of a scheduler.

    See Also
    --------
    byline.processes.pool.ProcessPool : The same on this machine.
    """

    def __init__(self, work: Work, address: str) -> None:
        check_address(address)
        self.address = address
        self._distributed = _import_distributed()
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
                "`dask scheduler --host 127.0.0.1`, and set "
                f"{setting('cluster')} to the address that it prints"
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
                "workers of the cluster have several threads, but only one is used; start them "
                f"with `dask worker {self.address} --nthreads 1 --nworkers N`, where N is the "
                "number of cores",
                BylineWarning,
                stacklevel=2,
            )
        self._client.register_plugin(_sender(self._key, self._payload), name=self._key)

    def __exit__(self, *error: object) -> None:
        futures = [future for future, _ in self._tasks.values()]
        self._tasks.clear()
        with contextlib.suppress(
            Exception
        ):  # the cluster may be gone, and nothing more is needed of it
            if self._client.status == "running":
                self._client.cancel(futures, force=True)
                self._client.unregister_worker_plugin(self._key)
        self._client.close(timeout=SECONDS_TO_CLOSE)

    @property
    def n_workers(self) -> int:
        """Number of workers at present."""
        if time.monotonic() - self._counted > SECONDS_BETWEEN_COUNTS:
            with contextlib.suppress(OSError):  # the connection is lost, which `wait` will notice
                self._n_workers = len(self._client.nthreads())
            self._counted = time.monotonic()
        return self._n_workers

    @property
    def capacity(self) -> int:
        """Number of tasks that the scheduler should hold; at least one, to wait for a worker."""
        return max(1, TASKS_PER_WORKER * self.n_workers)

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
        """Return the tasks that have ended, as soon as there are any or the time is over.

        Raises
        ------
        ExperimentError
            The scheduler is gone, or a worker cannot do these tasks at all.
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
        """Return the outcome of a task; None if its result was lost and is computed again."""
        try:
            outcome: TaskOutcome = future.result(timeout=SECONDS_TO_GATHER)
        except self._distributed.TimeoutError:
            future.add_done_callback(self._ended.put)
            return None
        except self._distributed.KilledWorker as killed:
            times = killed.allowed_failures + 1
            why = f"{times} workers in turn were killed while they did it (out of memory?)"
            return TaskOutcome(error=why, died=True, environment=execution_environment())
        except (self._distributed.CancelledError, OSError) as error:
            raise ExperimentError(
                f"the scheduler at {self.address} is gone; start it again, and repeat the command "
                "to resume"
            ) from error
        except Exception as error:
            raise ExperimentError(
                f"a worker of the cluster at {self.address} cannot do these jobs: "
                f"{type(error).__name__}: {error}"
            ) from error
        return outcome


def run_task_on_worker(key: str, version: str, task: NamedTask) -> TaskOutcome:
    """Do a task; called in a worker.

    Raises
    ------
    ExperimentError
        The worker has another version of Byline.
    """
    _check_version(__version__, "a worker", version)
    with _turn:
        return run_task(_works[key], task)


def receive_work(key: str, payload: bytes | None) -> None:
    """Keep the work, or forget it; called in a worker."""
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
    """Make what the scheduler sends to every worker; Dask requires a subclass of its own."""
    from distributed import WorkerPlugin

    class Sender(WorkerPlugin):  # type: ignore[misc,unused-ignore]
        def setup(self, worker: Any) -> None:
            receive_work(key, payload)

        def teardown(self, worker: Any) -> None:
            receive_work(key, None)

    return Sender()
