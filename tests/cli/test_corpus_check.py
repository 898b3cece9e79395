from __future__ import annotations

import hashlib
import json
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Run = Callable[..., Any]
Sentences = Callable[[str, int, int], str]


@pytest.fixture
def bad(tmp_path: Path, sentences: Sentences) -> Path:
    """Known texts with something of every kind but pages."""
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


KINDS = ["mojibake", "boilerplate", "email", "own-names", "duplicates"]


def test_check_reports_and_ends_with_the_command_that_mends(run: Run, bad: Path) -> None:
    ended = run("corpus", "check", bad)
    assert ended.code == 0
    lines = ended.out.splitlines()
    assert lines[0].startswith("letters: 7 texts by 2 authors")
    options = " ".join(f"--{kind}" for kind in KINDS)
    assert lines[-1].strip() == f"byline corpus mend {bad} -o letters-mended {options}"
    assert "warning:" not in ended.err


def test_check_as_json(run: Run, bad: Path) -> None:
    ended = run("corpus", "check", bad, "--json")
    summary = json.loads(ended.out)
    assert (ended.code, summary["schema"], summary["n_texts"]) == (0, 1, 7)
    cleaning_step = {finding["code"]: finding["cleaning_step"] for finding in summary["findings"]}
    assert cleaning_step["near-duplicate-within-author"] == "duplicates"
    assert cleaning_step["own-name-line"] == "own-names"


def test_the_command_that_check_prints_mends_all_that_it_says(
    run: Run, bad: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(bad.parent)
    before = digests(bad)
    command = run("corpus", "check", "letters").out.splitlines()[-1].split()
    assert run(*command[1:]).code == 0
    assert digests(bad) == before
    summary = json.loads(run("corpus", "check", "letters-mended", "--json").out)
    assert summary["command"] is None
    assert summary["n_texts"] == 6
    report = Path("letters-mended.changes.txt").read_text(encoding="utf-8")
    assert (
        "Quill/2.txt: left out (near-duplicate-within-author): its words are in Quill/3.txt"
        in report
    )
    changes = json.loads(Path("letters-mended.changes.json").read_text(encoding="utf-8"))
    assert changes["n_changes"]["credit-line"] == 1


def test_what_was_mended_can_be_learnt_from_and_mended_again(run: Run, bad: Path) -> None:
    once, twice = bad.with_name("once"), bad.with_name("twice")
    assert run("corpus", "mend", bad, "-o", once).code == 0
    ended = run("corpus", "mend", once, "-o", twice)
    assert "Nothing was found to mend" in ended.out
    assert digests(once) == digests(twice)
    ended = run("train", once, "-o", bad.with_name("m.byline"), "--order", "2")
    assert ended.code == 0


def test_texts_in_good_order_are_written_byte_for_byte(
    run: Run, known: Path, tmp_path: Path
) -> None:
    assert run("corpus", "mend", known, "-o", tmp_path / "out").code == 0
    assert digests(tmp_path / "out") == digests(known)


def test_one_kind_alone(run: Run, bad: Path) -> None:
    out = bad.with_name("out")
    assert run("corpus", "mend", bad, "-o", out, "--own-names").code == 0
    assert (out / "Quill" / "1.txt").read_text(encoding="utf-8").startswith("THE ENGINE\n\n")
    assert "&amp;" in (out / "Quill" / "4.txt").read_text(encoding="utf-8")
    assert (out / "Quill" / "2.txt").exists()


def test_errors_are_all_reported_with_the_code_of_their_family(run: Run, bad: Path) -> None:
    (bad / "Sail" / "copy.txt").write_bytes((bad / "Quill" / "2.txt").read_bytes())
    (bad / "Sail" / "bad.txt").write_bytes(b"\x00\x01\x02")
    ended = run("corpus", "check", bad)
    assert ended.code == 3
    assert "duplicate-across-authors" in ended.out
    assert "unreadable: Sail/bad.txt is not a text" in ended.out
    assert "Errors: nothing can be learnt before they are mended (2)" in ended.out


def test_what_cannot_be_read_is_not_silently_left_behind(run: Run, bad: Path) -> None:
    (bad / "Sail" / "bad.txt").write_bytes(b"\x00\x01\x02")
    ended = run("corpus", "mend", bad, "-o", bad.with_name("out"))
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
    assert run("corpus", "mend", table, "-o", tmp_path / "out").code == 0
    names = sorted(digests(tmp_path / "out"))
    assert names == ["ada/ada1.txt", "ada/ada2.txt", "ben/ben1.txt", "ben/ben2.txt"]


@pytest.mark.parametrize(
    ("output", "message"),
    [
        ("letters/out", "lies within"),
        ("letters", "is not empty"),
        ("letters/Quill/1.txt", "is a file"),
        ("nowhere/out", "there is no folder"),
    ],
)
def test_a_folder_that_must_not_be_written_is_refused(
    run: Run, bad: Path, monkeypatch: pytest.MonkeyPatch, output: str, message: str
) -> None:
    monkeypatch.chdir(bad.parent)
    before = digests(bad)
    ended = run("corpus", "mend", "letters", "-o", output)
    assert ended.code == 7
    assert message in ended.err
    assert digests(bad) == before


def test_a_language_that_is_meant_is_looked_for(run: Run, known: Path) -> None:
    ended = run("corpus", "check", known, "--language", "fr", "--json")
    codes = [finding["code"] for finding in json.loads(ended.out)["findings"]]
    assert "other-language" in codes
    ended = run("corpus", "check", known, "--language", "French")
    assert ended.code == 2
    assert "'French' is none that can be told" in ended.err


def test_a_layout_that_is_none_is_told_as_elsewhere(run: Run, tmp_path: Path) -> None:
    ended = run("corpus", "check", tmp_path)
    assert ended.code == 3
    assert "contains no text" in ended.err


@pytest.mark.processes
def test_an_interruption_says_what_is_not_written(tmp_path: Path, sentences: Sentences) -> None:
    for author in ("ada", "ben"):
        for n in range(150):
            path = tmp_path / "known" / author / f"{n}.txt"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(sentences(author, 200, n), encoding="utf-8")
    script = (
        "import byline.corpus.cleaning\nfrom byline.cli import main\n"
        "print('begun', flush=True)\nmain(['corpus', 'mend', 'known', '-o', 'out'])"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", script], cwd=tmp_path, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
    assert process.stdout is not None
    assert process.stdout.readline() == "begun\n"
    time.sleep(0.5)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=60)
    if process.returncode == 0:
        pytest.skip("it was done before it was interrupted")
    assert process.returncode == 130
    assert "interrupted" in err
    assert sorted(path.name for path in tmp_path.iterdir()) == ["known"]
