from __future__ import annotations

import hashlib
import json
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from byline.corpus.cleaning import write_folder
from byline.errors import OutputError

Run = Callable[..., Any]
Sentences = Callable[[str, int, int], str]


@pytest.fixture
def bad(tmp_path: Path, sentences: Sentences) -> Path:
    """Known texts with every kind of problem except page headers."""
    folder = tmp_path / "letters"
    texts = {
        "Quill/1.txt": "THE ENGINE\nby Ada Quill\n\n" + sentences("ada", 30, 1),
        "Quill/2.txt": sentences("ada", 30, 2),
        "Quill/3.txt": sentences("ada", 30, 2) + "\n\nAnd so on.",
        "Quill/4.txt": sentences("ada", 30, 3) + "\n\nRope &amp; Sail, says the cafÃ©.",
        "Sail/1.txt": sentences("ben", 30, 4) + "\n\n-- Harbour Newsroom 000 111 2222",
        "Sail/2.txt": "From: Ben\nTo: Ada\n\n" + sentences("ben", 30, 5),
        "Sail/3.txt": sentences("ben", 60, 6),
    }
    for name, text in texts.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder


def digests(folder: Path) -> dict[str, str]:
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in folder.rglob("*")
        if path.is_file()
    }


STEPS = ["mojibake", "boilerplate", "email", "own-names", "duplicates"]


def test_check_ends_with_the_command_that_cleans(run: Run, bad: Path) -> None:
    ended = run("corpus", "check", bad)
    assert ended.code == 0
    lines = ended.out.splitlines()
    assert lines[0].startswith("letters: 7 texts by 2 authors")
    options = " ".join(f"--{step}" for step in STEPS)
    assert lines[-1].strip() == f"byline corpus clean {bad} -o letters-cleaned {options}"
    assert "warning:" not in ended.err


def test_check_as_json(run: Run, bad: Path) -> None:
    ended = run("corpus", "check", bad, "--json")
    summary = json.loads(ended.out)
    assert (ended.code, summary["schema"], summary["n_texts"]) == (0, 2, 7)
    cleaning_step = {finding["code"]: finding["cleaning_step"] for finding in summary["findings"]}
    assert cleaning_step["near-duplicate-within-author"] == "duplicates"
    assert cleaning_step["own-name-line"] == "own-names"


def test_the_command_that_check_prints_fixes_all_fixable_findings(
    run: Run, bad: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(bad.parent)
    before = digests(bad)
    command = run("corpus", "check", "letters").out.splitlines()[-1].split()
    assert run(*command[1:]).code == 0
    assert digests(bad) == before
    summary = json.loads(run("corpus", "check", "letters-cleaned", "--json").out)
    assert summary["command"] is None
    assert summary["n_texts"] == 6
    report = Path("letters-cleaned.changes.txt").read_text(encoding="utf-8")
    assert (
        "Quill/2.txt: removed (near-duplicate-within-author), because Quill/3.txt contains its "
        "words" in report
    )
    changes = json.loads(Path("letters-cleaned.changes.json").read_text(encoding="utf-8"))
    assert changes["n_changes"]["credit-line"] == 1


def test_cleaned_texts_can_be_cleaned_again_and_used_for_training(run: Run, bad: Path) -> None:
    once, twice = bad.with_name("once"), bad.with_name("twice")
    assert run("corpus", "clean", bad, "-o", once).code == 0
    ended = run("corpus", "clean", once, "-o", twice)
    assert "Nothing that cleaning can change was found." in ended.out
    assert digests(once) == digests(twice)
    ended = run("train", once, "-o", bad.with_name("m.byline"), "--order", "2")
    assert ended.code == 0


def test_clean_texts_are_written_byte_for_byte(run: Run, known: Path, tmp_path: Path) -> None:
    assert run("corpus", "clean", known, "-o", tmp_path / "out").code == 0
    assert digests(tmp_path / "out") == digests(known)


def test_a_single_step(run: Run, bad: Path) -> None:
    out = bad.with_name("out")
    assert run("corpus", "clean", bad, "-o", out, "--own-names").code == 0
    assert (out / "Quill" / "1.txt").read_text(encoding="utf-8").startswith("THE ENGINE\n\n")
    assert "&amp;" in (out / "Quill" / "4.txt").read_text(encoding="utf-8")
    assert (out / "Quill" / "2.txt").exists()


def test_all_errors_are_reported_and_set_the_exit_code(run: Run, bad: Path) -> None:
    (bad / "Sail" / "copy.txt").write_bytes((bad / "Quill" / "2.txt").read_bytes())
    (bad / "Sail" / "bad.txt").write_bytes(b"\x00\x01\x02")
    ended = run("corpus", "check", bad)
    assert ended.code == 3
    assert "duplicate-across-authors" in ended.out
    assert "unreadable: Sail/bad.txt is not a text" in ended.out
    assert "Errors that you must fix before training (2)" in ended.out


def test_a_file_that_cannot_be_read_is_an_error(run: Run, bad: Path) -> None:
    (bad / "Sail" / "bad.txt").write_bytes(b"\x00\x01\x02")
    ended = run("corpus", "clean", bad, "-o", bad.with_name("out"))
    assert (ended.code, bad.with_name("out").exists()) == (3, False)
    assert "bad.txt is not a text" in ended.err


def test_a_table_becomes_a_folder(run: Run, tmp_path: Path, sentences: Sentences) -> None:
    table = tmp_path / "known.csv"
    rows = [
        f'{author},{author}{n},"{sentences(author, 20, n)}"'
        for author in ("ada", "ben")
        for n in (1, 2)
    ]
    table.write_text("author,id,text\n" + "\n".join(rows), encoding="utf-8")
    assert run("corpus", "clean", table, "-o", tmp_path / "out").code == 0
    names = sorted(digests(tmp_path / "out"))
    assert names == ["ada/ada1.txt", "ada/ada2.txt", "ben/ben1.txt", "ben/ben2.txt"]


@pytest.mark.parametrize(
    ("output", "message"),
    [
        ("letters/out", "is inside"),
        ("letters", "is not empty"),
        ("letters/Quill/1.txt", "is a file"),
        ("nowhere/out", "does not exist"),
    ],
)
def test_an_unsuitable_output_folder_is_rejected(
    run: Run, bad: Path, monkeypatch: pytest.MonkeyPatch, output: str, message: str
) -> None:
    monkeypatch.chdir(bad.parent)
    before = digests(bad)
    ended = run("corpus", "clean", "letters", "-o", output)
    assert ended.code == 7
    assert message in ended.err
    assert digests(bad) == before


def test_the_language_option(run: Run, known: Path) -> None:
    ended = run("corpus", "check", known, "--language", "fr", "--json")
    codes = [finding["code"] for finding in json.loads(ended.out)["findings"]]
    assert "other-language" in codes
    ended = run("corpus", "check", known, "--language", "French")
    assert ended.code == 2
    assert "The language code 'French' is unknown" in ended.err


def test_an_unknown_layout_is_an_error(run: Run, tmp_path: Path) -> None:
    ended = run("corpus", "check", tmp_path)
    assert ended.code == 3
    assert "contains no text" in ended.err


@pytest.mark.parametrize("fails", [False, True])
def test_the_changes_are_listed_before_the_folder_is_written(
    run: Run, tmp_path: Path, sentences: Sentences, monkeypatch: pytest.MonkeyPatch, fails: bool
) -> None:
    """A process that is killed in between leaves no cleaned folder without its list."""
    for author in ("ada", "ben"):
        (tmp_path / "known" / author).mkdir(parents=True)
        (tmp_path / "known" / author / "1.txt").write_text(sentences(author, 20, 1))
    seen: list[list[str]] = []

    def write(*args: Any) -> Any:
        seen.append(sorted(path.name for path in tmp_path.iterdir()))
        if fails:
            raise OutputError("the disk is full")
        return write_folder(*args)

    monkeypatch.setattr("byline.corpus.cleaning.write_folder", write)
    ended = run("corpus", "clean", tmp_path / "known", "-o", tmp_path / "out")
    assert seen == [["known", "out.changes.json", "out.changes.txt"]]
    left = sorted(path.name for path in tmp_path.iterdir())
    if fails:
        assert (ended.code, left) == (7, ["known"])
    else:
        assert (ended.code, left) == (0, ["known", "out", "out.changes.json", "out.changes.txt"])


@pytest.mark.processes
def test_an_interruption_leaves_no_files(tmp_path: Path, sentences: Sentences) -> None:
    for author in ("ada", "ben"):
        for n in range(3):
            path = tmp_path / "known" / author / f"{n}.txt"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(sentences(author, 200, n), encoding="utf-8")
    script = (
        "import pathlib, signal, time\nfrom byline.cli import main\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "def wait(*_):\n    print('renaming', flush=True)\n    time.sleep(600)\n"
        "pathlib.Path.rename = wait\nmain(['corpus', 'clean', 'known', '-o', 'out'])"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", script], cwd=tmp_path, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
    assert process.stdout is not None
    assert process.stdout.readline() == "renaming\n"
    assert len(list(tmp_path.iterdir())) == 4  # with the texts and the lists of changes
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "interrupted" in err
    assert sorted(path.name for path in tmp_path.iterdir()) == ["known"]
