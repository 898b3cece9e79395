"""Measure the memory and the latency of the service, compared with a direct call.

Run it with ``python measure.py MODEL TEXT``. It starts the service on a free port of this machine,
sends one request after another, and then 20 at once.
"""

from __future__ import annotations

import http.client
import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from statistics import median

import byline
from byline.answering import answer

FOLDER = Path(__file__).resolve().parent
N_REQUESTS = 20
N_ALONE = 5
READY = re.compile(r"running on http://127\.0\.0\.1:(\d+)")


@contextmanager
def service(model: str) -> Iterator[tuple[int, int]]:
    """Start the service; yield the number of its process and its port."""
    command = [sys.executable, "-m", "uvicorn", "byline_service:app", "--port", "0"]
    command += ["--no-access-log"]
    environment = os.environ | {"BYLINE_MODEL": str(Path(model).resolve())}
    with subprocess.Popen(
        command, cwd=FOLDER, env=environment, stderr=subprocess.PIPE, text=True
    ) as process:
        try:
            yield process.pid, _port(process)
        finally:
            process.terminate()


def _port(process: subprocess.Popen[str]) -> int:
    assert process.stderr is not None  # noqa: S101
    printed = ""
    for line in process.stderr:
        printed += line
        if found := READY.search(line):
            return int(found[1])
    raise RuntimeError(f"the service did not start:\n{printed}")


def request(port: int, text: str) -> float:
    """Ask once; return the seconds until the answer was complete."""
    started = time.perf_counter()
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=600)
    connection.request("POST", "/attribute", json.dumps({"texts": [text]}))
    response = connection.getresponse()
    [found] = json.loads(response.read())["answers"]
    connection.close()
    if response.status != 200 or found["declined"]:
        raise RuntimeError(f"{response.status}: {found['declined']}")
    return time.perf_counter() - started


def memory(pid: int) -> float:
    """Return the resident memory of a process in MiB."""
    command = ["ps", "-o", "rss=", "-p", str(pid)]
    printed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    return int(printed) / 1024


def timed(call: Callable[[], object]) -> float:
    """Return the seconds that a call takes."""
    started = time.perf_counter()
    call()
    return time.perf_counter() - started


def main(path: str, text_path: str) -> None:
    """Print the table of the README."""
    text = Path(text_path).read_text(encoding="utf-8")
    model = byline.load(path)
    answer(model, [text])  # libraries load their data when they are first used
    calls = [timed(lambda: answer(model, [text])[0].to_dict()) for _ in range(N_ALONE)]
    with service(path) as (pid, port), ThreadPoolExecutor(N_REQUESTS) as clients:
        at_first = memory(pid)
        request(port, text)
        alone = median(request(port, text) for _ in range(N_ALONE))
        started = time.perf_counter()
        at_once = sorted(clients.map(lambda _: request(port, text), range(N_REQUESTS)))
        whole = time.perf_counter() - started
        in_the_end = memory(pid)
    # Before and after, because other programs may use the machine meanwhile.
    calls += [timed(lambda: answer(model, [text])[0].to_dict()) for _ in range(N_ALONE)]
    direct = median(calls)
    print(f"direct call of answer(): {direct:.2f} s")
    for name, seconds in (
        ("one request alone", alone),
        (f"{N_REQUESTS} requests at once, median", median(at_once)),
        (f"{N_REQUESTS} requests at once, slowest", at_once[-1]),
        (f"{N_REQUESTS} requests at once, per request", whole / N_REQUESTS),
    ):
        print(f"{name}: {seconds:.2f} s, {seconds / direct:.2f} times a direct call")
    print(f"memory: {at_first:.0f} MiB with the model, {in_the_end:.0f} MiB after all requests")
    print(f"model file: {Path(path).stat().st_size / 2**20:.1f} MiB")


if __name__ == "__main__":
    main(*sys.argv[1:])
