"""Forms are bounded in size, number and time; file names are never used as paths."""

from __future__ import annotations

import asyncio
import errno
import io
import os
import re
import socket
import sys
import time
from collections.abc import AsyncIterator, Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from starlette.requests import Request

from byline.web import uploads
from byline.web.uploads import Form, FormError, TooLargeError, TooSlowError, read_fields, read_form

Sentences = Callable[[str, int, int], str]
BOUNDARY = b"frontier"
KIND = b"multipart/form-data; boundary=frontier"
MB = 10**6
SECONDS = 30.0  # that anything may take on a busy machine


def run_alone(coroutine: Coroutine[Any, Any, Any]) -> Any:
    """Run in another thread: the tests with a browser leave an event loop running in this one."""
    with ThreadPoolExecutor(1) as threads:
        return threads.submit(asyncio.run, coroutine).result()


def part(head: bytes, content: bytes) -> bytes:
    return (
        b"--frontier\r\nContent-Disposition: form-data; " + head + b"\r\n\r\n" + content + b"\r\n"
    )


def request(*pieces: bytes, kind: bytes = KIND, seconds_between: float = 0.0) -> Request:
    """Make a request whose body arrives in these chunks."""
    left = list(pieces)

    async def receive() -> dict[str, Any]:
        await asyncio.sleep(seconds_between)
        if not left:
            return {"type": "http.request", "body": b"", "more_body": False}
        return {"type": "http.request", "body": left.pop(0), "more_body": True}

    scope = {"type": "http", "method": "POST", "headers": [(b"content-type", kind)]}
    return Request(scope, receive)


def read(folder: Path, *pieces: bytes, **named: Any) -> Form:
    form: Form = run_alone(read_form(request(*pieces, **named), folder, ("text",)))
    return form


WHOLE = (
    part(b'name="model"', b"given")
    + part(b'name="text"', "Käse\r\n".encode())
    + part(b'name="file"; filename="a b.txt"', b"--frontier\r\nno end\r\n--frontie")
    + part(b'name="file"; filename=""', b"")
    + b"--frontier--\r\n"
)


@pytest.mark.parametrize("size", [1, 7, 4096])
def test_forms_are_read_in_chunks_of_any_size(tmp_path: Path, size: int) -> None:
    whole = WHOLE.replace(b"--frontier\r\nno end", b"-frontier\r\nno end")
    form = read(tmp_path, *(whole[at : at + size] for at in range(0, len(whole), size)))
    assert form.fields == {"model": "given"}
    [pasted], [file] = form.uploads("text"), form.uploads("file")
    assert (pasted.name, pasted.is_file) == ("pasted text", False)
    assert pasted.path.read_bytes().decode() == "Käse\r\n"
    assert (file.name, file.is_file) == ("a b.txt", True)
    assert file.path.read_bytes() == b"-frontier\r\nno end\r\n--frontie"
    assert form.n_bytes == 7 + 28
    assert {path.parent for path in (pasted.path, file.path)} == {tmp_path}


@pytest.mark.parametrize(
    "given",
    [
        "../../../../etc/passwd",
        "..\\..\\autoexec.bat",
        "/etc/passwd",
        "C:\\boot.ini",
        "a\0b.txt",
        "CON",
        ".bashrc",
        "x" * 5_000,
        "name\r\nX-Header: 1",
        "<script>.txt",
        "\u202etxt.exe",
        "~/x",
        "$(touch x)",
    ],
)
def test_uploaded_file_names_are_never_used_as_paths(tmp_path: Path, given: str) -> None:
    head = f'name="file"; filename="{given}"'.replace("\r\n", "%0D%0A").encode()
    form = read(tmp_path, part(head, b"words") + b"--frontier--\r\n")
    [upload] = form.uploads("file")
    assert upload.path.parent == tmp_path
    assert upload.path.name.isdecimal()
    assert len(upload.name) <= 200
    assert upload.name.isprintable()


def test_an_upload_that_is_too_large_is_not_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(uploads, "MAX_BYTES", 10_000)
    monkeypatch.setattr(uploads, "MAX_DISCARDED_BYTES", 50_000)
    head = part(b'name="text"', b"")[:-2]
    taken = 0

    async def pieces() -> AsyncIterator[bytes]:
        nonlocal taken
        yield head
        while True:
            taken += 1_000
            yield b"x" * 1_000

    endless = pieces()

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": await anext(endless), "more_body": True}

    scope = {"type": "http", "method": "POST", "headers": [(b"content-type", KIND)]}
    with pytest.raises(TooLargeError, match=r"larger than 0\.1 MB"):
        run_alone(read_form(Request(scope, receive), tmp_path, ("text",)))
    assert sum(path.stat().st_size for path in tmp_path.iterdir()) <= 10_000
    assert taken <= 51_000


@pytest.mark.parametrize(
    ("form", "message"),
    [
        (part(b'name="a"', b"x") * 21, "not a form of the page"),
        (part(b'name="a"', b"x" * 70_000), "too long"),
        (part(b'name="text"', b"cut off"), "arrived incomplete"),
        (b"no form at all", "arrived incomplete"),
        (b"", "arrived incomplete"),
        (b"--frontier\r\n" + b"X: y\r\n" * 100 + b"\r\n", "arrived incomplete"),
        (b"--frontier\r\nX: " + b"y" * 100_000 + b"\r\n\r\n", "arrived incomplete"),
    ],
)
def test_malformed_forms_are_refused(tmp_path: Path, form: bytes, message: str) -> None:
    with pytest.raises(FormError, match=message):
        read(tmp_path, form)


def test_too_many_files_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(uploads, "MAX_FILES", 3)
    with pytest.raises(TooLargeError, match="more than 3 files"):
        read(tmp_path, part(b'name="files"; filename="a"', b"x") * 4 + b"--frontier--\r\n")


@pytest.mark.parametrize(
    "kind", [b"text/plain", b"multipart/form-data", b"", b"multipart/form-data; boundary="]
)
def test_other_content_types_are_refused(tmp_path: Path, kind: bytes) -> None:
    with pytest.raises(FormError, match="not a form of the page"):
        read(tmp_path, WHOLE, kind=kind)


def test_an_overlong_boundary_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FormError, match="arrived incomplete"):
        read(tmp_path, WHOLE, kind=b"multipart/form-data; boundary=" + b"x" * 3_000)


def test_a_slow_upload_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(uploads, "SECONDS_WITHOUT_DATA", 0.05)
    with pytest.raises(TooSlowError):
        read(tmp_path, WHOLE, seconds_between=0.3)
    monkeypatch.setattr(uploads, "SECONDS_WITHOUT_DATA", 10.0)
    monkeypatch.setattr(uploads, "SECONDS_FOR_UPLOAD", 0.2)
    with pytest.raises(TooSlowError, match="too long"):
        head = part(b'name="text"', b"")[:-2]
        read(tmp_path, head, *([b"x"] * 100), seconds_between=0.05)


def test_a_full_disk_ends_an_upload_after_it_was_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class FullDisk(io.BytesIO):
        def write(self, data: Any) -> int:
            raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Path, "open", lambda *_: FullDisk())
    left = [WHOLE[:200], *[b"x" * 1_000] * 20]
    form = request(*left)
    with pytest.raises(OSError, match="No space left"):
        run_alone(read_form(form, tmp_path, ("text",)))
    assert form._stream_consumed  # all of it, so that the browser shows the response


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (b"mode=retrain&model=given", {"mode": "retrain", "model": "given"}),
        (b"author=%C3%A9+x&author=y", {"author": "y"}),
        (b"", {}),
        (b"text=%00", {"text": "\0"}),
    ],
)
def test_short_fields_are_read(body: bytes, expected: dict[str, str]) -> None:
    assert run_alone(read_fields(request(body))) == expected


@pytest.mark.parametrize("body", [b"a=1&" * 30, b"\xff=\xfe"])
def test_malformed_short_fields_are_refused(body: bytes) -> None:
    with pytest.raises(FormError):
        run_alone(read_fields(request(body)))


# Over a real socket


def test_a_large_upload_is_refused_and_not_kept_in_memory(page: Any) -> None:
    before = memory(page.pid)
    answer = page.send("/ask", {"model": "given"}, [("file", "big.txt", b"word " * (16 * MB))])
    assert answer.status == 413
    assert "larger than 67 MB" in answer.text
    assert '<form class="ask"' in answer.text
    assert memory(page.pid) - before < 20 * MB


def test_an_upload_is_refused_by_its_stated_size(page: Any) -> None:
    with socket.create_connection(("127.0.0.1", page.port), timeout=30) as connection:
        head = (
            f"POST /known/check HTTP/1.1\r\nHost: 127.0.0.1:{page.port}\r\n"
            f"Origin: {page.origin}\r\nCookie: {page.cookie}\r\n"
            "Content-Length: 999999999\r\n\r\n"
        )
        connection.sendall(head.encode() + b"x" * 100_000)
        connection.shutdown(socket.SHUT_WR)
        assert connection.recv(100).startswith((b"HTTP/1.1 413", b"HTTP/1.1 400", b""))
    assert page.get("/").status == 200


@pytest.mark.skipif(os.name != "posix", reason="the size of files is limited by a shell")
def test_a_full_disk_is_no_defect(serve_afresh: Any, language_models: Path, tmp_path: Path) -> None:
    limited = tmp_path / "python"
    limited.write_text(f'#!/bin/sh\nulimit -f 64\nexec {sys.executable} "$@"\n')
    limited.chmod(0o700)
    page = serve_afresh(language_models, python=limited)
    files = [("files", f"{number}.txt", b"word " * 100_000) for number in range(3)]
    for path, form in (("/ask", {}), ("/known/add", {"author": "cay"})):
        for sent in ([("file", *files[0][1:])], files):
            answer = page.send(path, form, sent)
            assert answer.status == 507
            assert "This computer cannot do this at present" in answer.text
            assert "free some space and try again" in answer.text
    assert page.get("/").status == 200
    assert list(Path(re.findall(r"its folder (/[^:]+):", answer.text)[0], "jobs").iterdir()) == []
    code, printed = page.end()
    assert code == 0
    assert "defect" not in printed


def test_a_browser_that_leaves_is_no_defect(serve: Any, language_models: Path) -> None:
    page = serve(language_models)
    kinds = {"/ask": "multipart/form-data; boundary=x", "/known/add": "multipart/form-data"}
    for path in ("/ask", "/known/add", "/known/remove", "/known/train", "/model", "/nothing"):
        kind = kinds.get(path, "application/x-www-form-urlencoded")
        head = (
            f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1:{page.port}\r\nOrigin: {page.origin}\r\n"
            f"Cookie: {page.cookie}\r\nContent-Type: {kind}\r\nContent-Length: 1000\r\n\r\n"
        )
        with socket.create_connection(("127.0.0.1", page.port)) as connection:
            connection.sendall(head.encode() + b"--x\r\n")
            page.get("/")  # the server has begun to read the form
    assert page.get("/").status == 200
    _, printed = page.end()
    assert "defect" not in printed


def memory(pid: int) -> int:
    """Return the number of bytes of a process that are in memory."""
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * 4096


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="memory is read from /proc")
def test_ten_megabytes_are_accepted(page: Any, sentences: Sentences) -> None:
    some = sentences("ada", 2_000, 1)
    text = "\r\n\r\n".join([some] * (10 * MB // len(some) + 1))
    answer = page.send("/ask", {"text": text})
    assert answer.status == 303
    page.wait(answer.job, "running")
    page.post(f"/jobs/{answer.job}/stop")
    assert page.wait(answer.job)["state"] == "stopped"


def answered(page: Any, status: int) -> Any:
    """Send a text until it is answered with this status."""
    until = time.monotonic() + SECONDS
    while time.monotonic() < until:
        answer = page.send("/ask", {"text": "Words."})
        if answer.status == status:
            return answer
        time.sleep(0.1)
    raise AssertionError(f"{answer.status} after {SECONDS} s, not {status}")


def test_the_number_of_simultaneous_uploads_is_limited(page: Any) -> None:
    form = b'--x\r\nContent-Disposition: form-data; name="text"\r\n\r\n'
    head = (
        f"POST /ask HTTP/1.1\r\nHost: 127.0.0.1:{page.port}\r\nOrigin: {page.origin}\r\n"
        f"Cookie: {page.cookie}\r\n"
        "Content-Type: multipart/form-data; boundary=x\r\nContent-Length: 1000\r\n\r\n"
    ).encode()
    begun = [socket.create_connection(("127.0.0.1", page.port)) for _ in range(24)]
    for connection in begun:
        connection.sendall(head + form)
    busy = answered(page, 503)  # once all of them have been counted
    assert busy.status == 503
    assert busy.headers["retry-after"] == "30"
    assert "too many texts" in busy.text
    assert page.get("/").status == 200
    for connection in begun:
        connection.close()
    answered(page, 303)


def test_headers_that_never_end_close_the_connection(page: Any) -> None:
    with socket.create_connection(("127.0.0.1", page.port), timeout=40) as connection:
        connection.sendall(b"GET / HTTP/1.1\r\nHost: 127.0.0.1")
        started = time.monotonic()
        assert connection.recv(100) == b""
        assert time.monotonic() - started < 25
    with socket.create_connection(("127.0.0.1", page.port), timeout=10) as connection:
        connection.sendall(b"GET / HTTP/1.1\r\nX: " + b"y" * 200_000)
        assert connection.recv(100).startswith(b"HTTP/1.1 400")
