"""What the local page bears: memory, many who ask at once, a very long text, how soon it stops.

It is started as people start it, and asked over HTTP. Memory is the proportional set size of its
processes, in MB (Linux). TEXT is asked about as it is, and repeated to make a long one.
"""

from __future__ import annotations

import argparse
import http.client
import json
import re
import secrets
import signal
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path

MB = 10**6
SECONDS = 1_800.0


class Page:
    """A page in a process of its own."""

    def __init__(self, arguments: list[str]) -> None:
        started = time.perf_counter()
        command = [sys.executable, "-m", "byline", "serve", *arguments, "--port", "0"]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        said = "" if self.process.stdout is None else self.process.stdout.readline()
        found = re.search(r"http://[^/]+:(\d+)/", said)
        if found is None:
            raise SystemExit("the page did not start")
        self.port = int(found[1])
        self.seconds_to_start = time.perf_counter() - started

    def request(self, method: str, path: str, body: bytes = b"", kind: str = "") -> tuple[int, str]:
        """Return the status, and where it leads to or what it says."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=SECONDS)
        headers = {"Origin": f"http://127.0.0.1:{self.port}"}
        connection.request(method, path, body, headers | ({"Content-Type": kind} if kind else {}))
        response = connection.getresponse()
        said = response.read().decode("utf-8", "replace")
        connection.close()
        return response.status, response.getheader("location") or said

    def ask(self, text: bytes) -> tuple[int, str]:
        """Ask about a text; return the status and the job's path."""
        boundary = secrets.token_hex(16)
        head = f'--{boundary}\r\nContent-Disposition: form-data; name="text"\r\n\r\n'
        body = head.encode() + text + f"\r\n--{boundary}--\r\n".encode()
        return self.request("POST", "/ask", body, f"multipart/form-data; boundary={boundary}")

    def state(self, job: str) -> str:
        """How far a job is."""
        return str(json.loads(self.request("GET", f"{job}/state")[1])["state"])

    def wait(self, job: str, *states: str) -> float:
        """Wait until a job is in one of these states; return the seconds that took."""
        started = time.perf_counter()
        while self.state(job) not in states:
            time.sleep(0.02)
        return time.perf_counter() - started

    def processes(self) -> dict[str, int]:
        """Return the process of the server, and of each worker."""
        children = _run("ps", "-o", "pid=,args=", "--ppid", str(self.process.pid)).splitlines()
        workers = [line.split()[0] for line in children if "spawn_main" in line]
        named = {f"worker {number}": int(pid) for number, pid in enumerate(workers, start=1)}
        return {"server": self.process.pid} | named

    def memory(self) -> dict[str, float]:
        """Proportional set size of each process, in MB."""
        return {name: _pss(pid) for name, pid in self.processes().items()}

    def end(self) -> None:
        """End it."""
        self.process.send_signal(signal.SIGINT)
        self.process.wait()


def main() -> None:
    """Measure one page."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("model")
    parser.add_argument("text", type=Path)
    parser.add_argument("--known", help="as of `byline serve`")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--at-once", type=int, default=20)
    parser.add_argument("--megabytes", type=float, default=10.0, help="of the long text")
    parser.add_argument("--whole", action="store_true", help="wait for its answer, too")
    options = parser.parse_args()
    arguments = [options.model, "--workers", str(options.workers)]
    page = Page(arguments + (["--known", options.known] if options.known else []))
    try:
        text = options.text.read_bytes()
        print(f"started in {page.seconds_to_start:.1f} s; memory {_mb(page.memory())}")
        one_after_another(page, text)
        at_once(page, text, options.at_once)
        long_text(page, text, int(options.megabytes * MB), whole=options.whole)
        too_large(page)
    finally:
        page.end()


def one_after_another(page: Page, text: bytes) -> None:
    """Ask alone, five times."""
    seconds = []
    for _ in range(5):
        started = time.perf_counter()
        _, job = page.ask(text)
        page.wait(job, "done", "failed")
        seconds.append(time.perf_counter() - started)
    print(
        f"one asks ({len(text) / 1000:,.0f} kB): {statistics.median(seconds):.2f} s (median of 5); "
        f"memory {_mb(page.memory())}"
    )


def at_once(page: Page, text: bytes, n: int) -> None:
    """Ask many times at once, while the first page is asked for again and again."""
    started = time.perf_counter()

    def ask(_: int) -> tuple[int, float]:
        status, job = page.ask(text)
        if status == 303:
            page.wait(job, "done", "failed")
        return status, time.perf_counter() - started

    with _watched(page) as peak, _front_page(page) as waits, ThreadPoolExecutor(n) as windows:
        answers = list(windows.map(ask, range(n)))
    seconds = sorted(each for status, each in answers if status == 303)
    told = sum(status == 503 for status, _ in answers)
    print(
        f"{n} ask at once: {len(seconds)} answered, {told} told to wait; first {seconds[0]:.1f} s, "
        f"median {statistics.median(seconds):.1f} s, last {seconds[-1]:.1f} s; meanwhile the first "
        f"page took {1000 * statistics.median(waits):.0f} ms (median), {1000 * max(waits):.0f} ms "
        f"(longest); most memory {_mb(peak)}"
    )


def long_text(page: Page, text: bytes, n_bytes: int, *, whole: bool) -> None:
    """Ask about a very long text, and stop; then ask about a short one again."""
    long = (text + b"\n\n") * (n_bytes // (len(text) + 2) + 1)
    started = time.perf_counter()
    _, job = page.ask(long)
    taken = time.perf_counter() - started
    page.wait(job, "running")
    with _watched(page) as peak:
        time.sleep(5)
        if whole:
            page.wait(job, "done", "failed")
            print(f"its answer: {page.state(job)} after {time.perf_counter() - started:.0f} s")
            _, job = page.ask(long)
            page.wait(job, "running")
            time.sleep(1)
    [worker, *_] = [pid for name, pid in page.processes().items() if name != "server"]
    stopped = time.perf_counter()
    page.request("POST", f"{job}/stop", kind="application/x-www-form-urlencoded")
    page.wait(job, "stopped", "done")
    until_told = time.perf_counter() - stopped
    while Path(f"/proc/{worker}").exists():
        time.sleep(0.002)
    until_gone = time.perf_counter() - stopped
    _, again = page.ask(text)
    page.wait(again, "done", "failed")
    print(
        f"{len(long) / MB:.0f} MB: taken in {taken:.2f} s; stopped after {1000 * until_told:.0f} "
        f"ms, its process gone after {1000 * until_gone:.0f} ms, the next text answered after "
        f"{time.perf_counter() - stopped:.1f} s; most memory {_mb(peak)}"
    )


def too_large(page: Page) -> None:
    """Send more than is taken."""
    before = page.memory()["server"]
    started = time.perf_counter()
    with _watched(page) as peak:
        status, _ = page.ask(b"word " * (30 * MB))
        seconds = time.perf_counter() - started
        time.sleep(0.3)
    print(
        f"150 MB: status {status} after {seconds:.2f} s; the server's memory grew by "
        f"{peak['server'] - before:.0f} MB"
    )


@contextmanager
def _watched(page: Page) -> Iterator[dict[str, float]]:
    """Take note of the most memory that each process has."""
    peak: dict[str, float] = {}
    done = threading.Event()

    def watch() -> None:
        while True:
            for name, size in page.memory().items():
                peak[name] = max(size, peak.get(name, 0.0))
            if done.wait(0.1):
                return

    watching = threading.Thread(target=watch)
    watching.start()
    yield peak
    done.set()
    watching.join()


@contextmanager
def _front_page(page: Page) -> Iterator[list[float]]:
    """Request the first page ten times per second, and record how long each request takes."""
    waits: list[float] = []
    done = threading.Event()

    def look() -> None:
        while not done.wait(0.1):
            started = time.perf_counter()
            page.request("GET", "/")
            waits.append(time.perf_counter() - started)

    looking = threading.Thread(target=look)
    looking.start()
    yield waits
    done.set()
    looking.join()


def _pss(pid: int) -> float:
    with suppress(OSError):
        for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
            if line.startswith("Pss:"):
                return int(line.split()[1]) * 1024 / MB
    return 0.0


def _mb(sizes: dict[str, float]) -> str:
    return ", ".join(f"{name} {size:.0f} MB" for name, size in sizes.items())


def _run(*command: str) -> str:
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout


if __name__ == "__main__":
    main()
