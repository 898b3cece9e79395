"""How the server starts and ends: its errors, its processes, and what it leaves behind."""

from __future__ import annotations

import os
import re
import signal
import socket
import stat
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from byline.errors import MissingExtraError
from byline.web import check_extra

Run = Callable[..., subprocess.CompletedProcess[str]]
Sentences = Callable[[str, int, int], str]
QUOTED = "zanzibar quorum"
POSIX = pytest.mark.skipif(os.name != "posix", reason="signals and modes are POSIX's")


@pytest.fixture
def run(programs: Path) -> Run:
    def run_to_the_end(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
        command = [str(programs / "python"), "-m", "byline", "serve", *map(str, arguments)]
        return subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)

    return run_to_the_end


def alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    # A zombie is still listed.
    return "Z" not in Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]


def all_gone(pids: list[int]) -> bool:
    until = time.monotonic() + 20
    while any(map(alive, pids)) and time.monotonic() < until:
        time.sleep(0.05)
    return not any(map(alive, pids))


def tree(folder: Path) -> dict[str, tuple[int, bytes]]:
    """All files under a folder, with their content."""
    return {
        str(path.relative_to(folder)): (path.stat().st_mode, path.read_bytes())
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def test_a_missing_extra_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    check_extra()
    monkeypatch.setattr("byline.web.find_spec", lambda name: None)
    with pytest.raises(MissingExtraError, match=r'pip install "byline\[web\]"'):
        check_extra()


def test_a_model_that_cannot_be_loaded(run: Run, tmp_path: Path, stack: Path) -> None:
    missing = run(tmp_path / "none.byline", "--port", "0")
    assert missing.returncode == 4
    assert missing.stdout == ""
    assert missing.stderr.startswith("error: ")
    assert "none.byline" in missing.stderr
    cut = tmp_path / "cut.byline"
    cut.write_bytes(stack.read_bytes()[:5_000])
    broken = run(cut, "--port", "0")
    assert (broken.returncode, broken.stdout) == (4, "")
    assert broken.stderr.count("\n") == 1


def test_known_texts_must_be_those_of_the_model(run: Run, stack: Path, tmp_path: Path) -> None:
    (tmp_path / "dee").mkdir()
    (tmp_path / "dee" / "a.txt").write_text("Some words of somebody else. " * 30)
    other = run(stack, "--known", tmp_path, "--port", "0")
    assert other.returncode == 2
    assert "has no text by ada, ben" in other.stderr
    none = run(stack, "--known", tmp_path / "nothing", "--port", "0")
    assert none.returncode == 3


def test_a_port_that_is_in_use(run: Run, stack: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        ended = run(stack, "--port", str(port))
    assert (ended.returncode, ended.stdout) == (2, "")
    assert f"port {port} is in use" in ended.stderr
    assert "--port 0" in ended.stderr
    elsewhere = run(stack, "--host", "192.0.2.1")
    assert elsewhere.returncode == 2
    assert "192.0.2.1" in elsewhere.stderr


def test_a_folder_with_other_files_is_refused(run: Run, stack: Path, tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("Words.")
    ended = run(stack, "--folder", tmp_path, "--port", "0")
    assert ended.returncode == 7
    assert "thesis.txt" in ended.stderr
    assert (tmp_path / "thesis.txt").read_text() == "Words."
    (tmp_path / "file").write_text("")
    assert run(stack, "--folder", tmp_path / "file", "--port", "0").returncode == 7


@POSIX
def test_a_folder_that_another_server_uses_is_refused(
    serve: Any, run: Run, stack: Path, tmp_path: Path
) -> None:
    own = tmp_path / "own"
    page = serve(stack, "--folder", own)
    second = run(stack, "--folder", own, "--port", "0")
    assert second.returncode == 7
    assert "is used by another `byline serve`" in second.stderr
    assert (own / "jobs").is_dir()
    page.end()
    page = serve(stack, "--folder", own)
    page.kill()
    serve(stack, "--folder", own)


@POSIX
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_ends_the_server_cleanly(
    serve: Any, serve_afresh: Any, stack: Path, sentences: Sentences, tmp_path: Path, number: int
) -> None:
    start = serve_afresh if number == signal.SIGINT else serve
    page = start(stack, env={"TMPDIR": str(tmp_path)})
    asked = page.send("/ask", {"text": sentences("ada", 3_000, 1)})
    page.wait(asked.job, "running")
    children = page.children()
    assert children
    assert len(list(tmp_path.iterdir())) == 1
    code, printed = page.end(number)
    assert code == 0
    assert "note: the page was stopped" in printed
    assert all_gone(children)
    assert list(tmp_path.iterdir()) == []


@POSIX
def test_a_killed_server_leaves_no_process_and_no_text(
    serve: Any, stack: Path, sentences: Sentences, tmp_path: Path
) -> None:
    page = serve(stack, env={"TMPDIR": str(tmp_path)})
    page.done(page.send("/known/add", {"author": "cay", "text": sentences("cay", 12, 1)}))
    asked = page.send("/ask", {"text": sentences("ada", 3_000, 1)})
    page.wait(asked.job, "running")
    children = page.children()
    page.kill()
    assert all_gone(children)
    assert list(tmp_path.iterdir()) == []


@POSIX
def test_a_killed_idle_server_leaves_no_text(
    serve: Any, stack: Path, sentences: Sentences, tmp_path: Path
) -> None:
    page = serve(stack, env={"TMPDIR": str(tmp_path)})
    page.done(page.send("/known/add", {"author": "cay", "text": sentences("cay", 12, 1)}))
    children = page.children()
    page.kill()
    assert all_gone(children)
    assert list(tmp_path.iterdir()) == []


@POSIX
def test_only_the_data_folder_is_written_to(
    serve: Any, stack: Path, known: Path, sentences: Sentences, tmp_path: Path
) -> None:
    home, temporary, folder = tmp_path / "home", tmp_path / "tmp", tmp_path / "page"
    home.mkdir()
    temporary.mkdir()
    own = stack.parent, known.parent
    before = [tree(path) for path in own]
    env = {"HOME": str(home), "TMPDIR": str(temporary), "PYTHONDONTWRITEBYTECODE": "1"}
    page = serve(stack, "--known", known, "--folder", folder, env=env)
    working = Path(f"/proc/{page.pid}/cwd").resolve()
    page.done(page.send("/ask", files=[("file", "../../x.txt", sentences("ada", 40, 1).encode())]))
    page.done(page.send("/known/add", {"author": "../../cay", "text": sentences("cay", 40, 1)}))
    page.done(page.post("/known/check"))
    page.done(page.post("/known/train", {"mode": "retrain"}))
    stopped = page.send("/ask", {"text": sentences("ben", 3_000, 1)})
    page.wait(stopped.job, "running")
    page.post(f"/jobs/{stopped.job}/stop")
    page.end()
    assert [tree(path) for path in own] == before
    assert [*home.iterdir(), *temporary.iterdir(), *working.iterdir()] == []
    written = tree(folder)
    assert sorted(Path(name).parts[0] for name in written) == ["known", "models", "models"]
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700


@POSIX
def test_a_data_folder_is_loaded_again(
    serve: Any, language_models: Path, sentences: Sentences, tmp_path: Path
) -> None:
    page = serve(language_models, "--folder", tmp_path / "page")
    page.done(page.send("/known/add", {"author": "cay", "text": sentences("cay", 200, 1)}))
    page.done(page.post("/known/train", {"mode": "add"}))
    model = page.get("/model/download?model=1").body
    page.end()
    page = serve(language_models, "--folder", tmp_path / "page")
    assert "cay" in page.get("/known").text
    assert page.get("/model/download?model=1").body == model
    assert str(tmp_path / "page") in page.get("/").text
    page.end()
    (tmp_path / "page" / "models" / "trained-1.byline").write_bytes(model[:1_000])
    page = serve(language_models, "--folder", tmp_path / "page")
    assert page.get("/model/download?model=1").status == 422
    _, printed = page.end()
    assert "warning: " in printed
    assert "trained-1.byline" in printed


@POSIX
def test_no_text_appears_in_logs_or_arguments(
    serve: Any, stack: Path, sentences: Sentences
) -> None:
    page = serve(stack)
    text = f"{QUOTED} {sentences('ada', 200, 1)}"
    asked = page.send("/ask", {"text": text})
    page.wait(asked.job, "running", "done")
    for pid in [page.process.pid, *page.children()]:
        assert QUOTED.split()[0] not in Path(f"/proc/{pid}/cmdline").read_text()
        assert QUOTED.split()[0] not in Path(f"/proc/{pid}/environ").read_text(errors="replace")
    page.done(asked)
    page.send("/ask", files=[("file", f"{QUOTED}.txt", QUOTED.encode() + bytes(20))])
    page.send("/known/add", {"author": QUOTED}, [("files", f"{QUOTED}.docx", QUOTED.encode())])
    page.get(f"/{QUOTED.replace(' ', '%20')}?{QUOTED.replace(' ', '%20')}")
    own = {"Origin": page.origin, "Cookie": page.cookie}
    page.ask("POST", "/ask", QUOTED.encode(), own | {"Content-Type": QUOTED})
    _, printed = page.end()
    assert QUOTED.split()[0] not in "".join(page.lines) + printed
    assert printed.splitlines()[-1] == "note: the page was stopped"
    assert len(printed.splitlines()) <= 2


@POSIX
def test_a_changed_model_file_is_an_error(
    serve: Any, stack: Path, language_models: Path, sentences: Sentences, tmp_path: Path
) -> None:
    model = tmp_path / "model.byline"
    model.write_bytes(stack.read_bytes())
    page = serve(model)
    [worker] = [pid for pid in page.children() if "byline.processes.child" in _command(pid)]
    model.write_bytes(language_models.read_bytes())
    os.kill(worker, signal.SIGKILL)
    asked = page.send("/ask", {"text": sentences("ada", 12, 1)})
    assert page.wait(asked.job)["state"] == "failed"
    shown = re.sub(r"<[^>]+>", "", page.get(f"/jobs/{asked.job}").text)
    assert "model.byline was changed" in shown or "its process was killed" in shown
    asked = page.send("/ask", {"text": sentences("ada", 12, 1)})
    assert page.wait(asked.job)["state"] == "failed"
    assert "model.byline was changed" in page.get(f"/jobs/{asked.job}").text


def _command(pid: int) -> str:
    return Path(f"/proc/{pid}/cmdline").read_text()
