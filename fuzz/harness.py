"""Run a fuzz target: define what a finding is, limit time and memory, and provide seeds.

A target is a function that reads bytes as Byline would. It may succeed, or raise one of Byline's
own errors with a printable message. Everything else is a finding: another exception or warning,
more processor time than `most_seconds` for one input, more than `MEBIBYTES` of memory.
"""

from __future__ import annotations

import contextlib
import random
import resource
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import atheris

SECONDS = 10  # after which an input is ended, even if it never ends by itself
# Processor time of a slow reader with the counting of coverage: a quadratic one exceeds it with a
# run of some thousand characters.
SECONDS_PER_INPUT, SECONDS_PER_BYTE = 0.5, 50e-6
MEBIBYTES = 2048
LONGEST = 2**16  # bytes of an input
PACKAGES = ["byline", "csv", "tomllib", "trafilatura", "zipfile"]
Target = Callable[[bytes], None]
Mutator = Callable[[bytes, int, int], bytes]
LONGEST_MESSAGE = 20_000
_MOST_COPIES = 20_000


class FindingError(Exception):
    """Byline returned something that it should not return."""


def instrumented() -> contextlib.AbstractContextManager[None]:
    """Import Byline and its readers with instrumentation, so that the fuzzer sees coverage."""
    imports: contextlib.AbstractContextManager[None] = atheris.instrument_imports(include=PACKAGES)
    return imports


def fuzz(
    target: Target,
    seeds: Sequence[bytes],
    mutate: Mutator | None = None,
    *,
    longest: int = LONGEST,
    unpacked: Callable[[bytes], int] = len,
) -> None:
    """Try inputs derived from ``seeds`` until stopped; the command line is that of libFuzzer.

    Parameters
    ----------
    target : function of bytes
    seeds : sequence of bytes
        Valid files to begin with.
    mutate : function of (data, longest, seed), optional
        Changes an input with knowledge of its format.
    longest : int
        The maximum number of bytes in an input.
    unpacked : function of bytes
        The number of bytes that an input stands for, to which its time is compared.
    """
    _limit_memory()
    with tempfile.TemporaryDirectory() as folder:
        for number, seed in enumerate(seeds):
            (Path(folder) / f"seed-{number:03}").write_bytes(seed)
        options = [option for option in sys.argv[1:] if option.startswith("-")]
        given = [option for option in sys.argv[1:] if not option.startswith("-")]
        if not given or Path(given[0]).is_dir():  # otherwise these are inputs to try once
            given.append(folder)
        limits = [f"-timeout={SECONDS}", f"-rss_limit_mb={2 * MEBIBYTES}", f"-max_len={longest}"]
        arguments = [sys.argv[0], *limits, *options, *given]
        judged = _judging(target, unpacked)
        if mutate is None:
            atheris.Setup(arguments, judged)
        else:
            atheris.Setup(arguments, judged, custom_mutator=mutate)
        atheris.Fuzz()


def _limit_memory() -> None:
    """Make the allocation of a huge array fail at once."""
    with Path("/proc/self/statm").open() as file:
        used = int(file.read().split()[0]) * resource.getpagesize()
    limit = used + MEBIBYTES * 2**20
    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))


def most_seconds(n_bytes: int) -> float:
    """Return the processor time that an input of this size may take."""
    return SECONDS_PER_INPUT + SECONDS_PER_BYTE * n_bytes


def _judging(target: Target, unpacked: Callable[[bytes], int]) -> Target:
    from byline.errors import BylineError, BylineWarning

    def timed(data: bytes) -> float:
        start = time.process_time()
        try:
            target(data)
        except BylineError as error:
            _check_causes(error)
            _check_message(str(error))
        return time.process_time() - start

    def judge(data: bytes) -> None:
        with warnings.catch_warnings(record=True, action="error") as caught:
            warnings.simplefilter("always", BylineWarning)
            seconds, most = timed(data), most_seconds(unpacked(data))
            if seconds > most:
                seconds = min(seconds, timed(data))  # without what is loaded once
        if seconds > most:
            raise FindingError(f"{len(data):,} bytes took {seconds:.2f} seconds, not {most:.2f}")
        for warning in caught or ():
            _check_message(str(warning.message))

    return judge


def _check_causes(error: BaseException) -> None:
    """Check that no error of Byline hides the allocation of too much memory."""
    for cause in _causes(error):
        if isinstance(cause, MemoryError):
            raise FindingError("more memory was requested than is available") from error


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__


def _check_message(message: str) -> None:
    if len(message) > LONGEST_MESSAGE:
        raise FindingError(f"a message has {len(message)} characters: {message!r:.500}")


def mutate_text(data: bytes, longest: int, seed: int) -> bytes:
    """Change bytes as libFuzzer does, and sometimes repeat a few of them very often.

    Code whose time grows with the square of a run of equal characters is slow only on long runs.
    """
    chance = random.Random(seed)  # noqa: S311
    if len(data) < 2 or chance.random() > 0.1:
        return bytes(atheris.Mutate(data, longest))
    start = chance.randrange(len(data))
    run = data[start : start + chance.choice((1, 1, 1, 2, 3, 4, 12))]
    room = max(0, longest - len(data)) // len(run)
    return data[:start] + run * chance.randint(0, min(_MOST_COPIES, room)) + data[start:]


def on_a_line(change: Callable[[bytes, random.Random], bytes]) -> Mutator:
    """Change one line of an input with knowledge of its format, or else as text."""

    def mutate(data: bytes, longest: int, seed: int) -> bytes:
        chance = random.Random(seed)  # noqa: S311
        if chance.random() < 0.3:
            return mutate_text(data, longest, seed)
        lines = data.split(b"\n")
        place = chance.randrange(len(lines))
        try:
            lines[place] = change(lines[place], chance)
        except Exception:  # it is damaged already
            return mutate_text(data, longest, seed)
        return b"\n".join(lines)[:longest]

    return mutate
