"""How commands end: exit codes, messages, and nothing where nothing belongs."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from byline import __version__
from byline.cli import main
from byline.cli.main import expand_wildcards
from byline.errors import CorpusError
from byline.files import atomic_write
from byline.processes.threads import thread_environment

pytestmark = pytest.mark.processes

Run = Callable[..., Any]


def byline(
    *args: str | Path, python: str | Path = sys.executable, **options: object
) -> subprocess.CompletedProcess[bytes]:
    command = [str(python), "-m", "byline", *map(str, args)]
    return subprocess.run(command, capture_output=True, check=False, **options)  # type: ignore[call-overload,no-any-return]


def test_version_and_help(run: Run) -> None:
    assert run("--version").out == f"byline {__version__}\n"
    shown = run("--help").out
    for command in ("demo", "train", "attribute", "evaluate", "profile", "lm", "add-author"):
        assert command in shown


@pytest.mark.parametrize(
    "args",
    [
        ("nonsense",),
        ("train",),
        ("train", "KNOWN", "-o", "m", "--order", "0"),
        ("train", "KNOWN", "-o", "m", "--lm", "lstm"),
        ("train", "KNOWN", "-o", "m", "--epochs", "3"),
        ("evaluate", "KNOWN", "--folds", "some"),
        ("evaluate", "KNOWN", "--folds", "0"),
        ("evaluate", "KNOWN", "--split", "page"),
        ("attribute", "model"),
        ("attribute", "model", "text", "--top", "0"),
        ("lm", "fit", "-o", "m"),
    ],
)
def test_a_wrong_command_line_exits_with_2(run: Run, args: tuple[str, ...]) -> None:
    ended = run(*args)
    assert ended.code == 2
    assert ended.out == ""
    assert "Traceback" not in ended.err


def test_each_family_of_errors_has_its_exit_code(
    run: Run, known: Path, model: Path, questioned: Path, tmp_path: Path
) -> None:
    broken = tmp_path / "broken.byline"
    broken.write_bytes(model.read_bytes()[:-40])
    one = tmp_path / "one"
    for author in ("ada", "ben"):
        (one / author).mkdir(parents=True)
        (one / author / "1.txt").write_bytes((known / author / "0.txt").read_bytes())
    cases: list[tuple[int, str, tuple[str | Path, ...]]] = [
        (3, "missing", ("train", tmp_path / "missing", "-o", tmp_path / "m")),
        (3, "missing.txt", ("attribute", model, tmp_path / "missing.txt")),
        (3, str(known), ("attribute", model, known)),
        (4, "broken.byline", ("attribute", broken, questioned)),
        (4, "letter.txt", ("attribute", questioned, questioned)),
        (4, "two.byline", ("lm", "perplexity", model, questioned)),
        (5, "ada", ("evaluate", one)),
        (7, "nowhere", ("train", known, "-o", tmp_path / "nowhere" / "m", "--order", "2")),
        (7, "nowhere", ("attribute", model, questioned, "--report", tmp_path / "nowhere" / "r")),
        (7, "ends in .html", ("attribute", model, questioned, "--report", tmp_path / "case.docx")),
        (7, "ends in .html", ("evaluate", known, "--report", tmp_path / "case.pdf")),
        (7, "ends in .html", ("compare", known, "--report", tmp_path / "case.pdf")),
        (7, "ends in .html", ("explain", model, questioned, "--report", tmp_path / "case")),
        (7, "ends in .html", ("demo", "--report", tmp_path / "case.odt")),
        (2, "standard input", ("attribute", model, "-", "-")),
    ]
    for code, named, args in cases:
        ended = run(*args)
        assert ended.code == code, (args, ended)
        assert named in ended.err, (args, ended)
        assert "Traceback" not in ended.err
        assert ended.out == ""


def test_debug_shows_the_traceback_in_any_position(run: Run, tmp_path: Path) -> None:
    for args in (("--debug", "profile", tmp_path / "no"), ("profile", tmp_path / "no", "--debug")):
        ended = run(*args)
        assert ended.code == 3
        assert "Traceback" in ended.err


def test_the_number_of_threads_is_set_in_any_position(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[dict[str, str]] = []

    def read(*args: object, **options: object) -> None:
        seen.append({name: os.environ[name] for name in thread_environment()})
        raise CorpusError("seen")

    monkeypatch.setattr("byline.corpus.read_corpus", read)
    for name, value in thread_environment().items():
        monkeypatch.setenv(name, value)  # so that it is restored at the end
    run("profile", "anything")
    run("--threads", "2", "profile", "anything")
    monkeypatch.setenv("BYLINE_THREADS", "4")
    run("profile", "anything")
    run("profile", "anything", "--threads=3")
    assert [set(each.values()) for each in seen] == [{"1"}, {"2"}, {"4"}, {"3"}]
    assert run("profile", "anything", "--threads", "0").code == 2


def test_wildcards_are_expanded_on_windows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("b.txt", "a.txt", "[a].md"):
        (tmp_path / name).touch()
    given = ["explain", "*.txt", "[a].md", "none-*.txt", "?.txt"]
    expanded = ["explain", "a.txt", "b.txt", "[a].md", "none-*.txt", "a.txt", "b.txt"]
    assert expand_wildcards(given) == expanded


def test_a_defect_is_reported_as_one(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(path: Path, **options: object) -> None:
        raise KeyError("unforeseen")

    monkeypatch.setattr("byline.corpus.read_corpus", fail)
    ended = run("profile", "anything")
    assert ended.code == 70
    assert "defect in Byline" in ended.err
    assert "Traceback" not in ended.err


# Where each command's work begins, the command, and its file.
COMMANDS = [
    ("byline.corpus.read_corpus", "train KNOWN -o FILE", True),
    ("byline.attribution.load_attributor", "add-author MODEL KNOWN -o FILE", True),
    ("byline.attribution.load_attributor", "attribute MODEL TEXT --report FILE", True),
    ("byline.attribution.load_attributor", "attribute MODEL TEXT", False),
    ("byline.corpus.read_corpus", "evaluate KNOWN --report FILE", True),
    ("byline.corpus.read_corpus", "evaluate KNOWN", False),
    (
        "byline.experiments.benchmarks.run_benchmark",
        "benchmark federalist DATA --decisions FILE",
        True,
    ),
    ("byline.corpus.read_corpus", "profile KNOWN", False),
    ("byline.corpus.demo.read_demo", "demo --report FILE", True),
    ("byline.cli.lm._read", "lm fit TEXT -o FILE", True),
    ("byline.cli.lm._read", "lm fit TEXT -o FILE --lm recurrent", True),
    ("byline.attribution.TextLanguageModel.load", "lm perplexity MODEL TEXT", False),
    ("byline.experiments.runner.config.find_config", "experiment run CONFIG -o RUNS", False),
    (
        "byline.experiments.reproductions.ge_sun_2016.results.experiment_results",
        "experiment report RUNS -o FILE",
        True,
    ),
]


@pytest.mark.parametrize(("work", "command", "has_file"), COMMANDS)
def test_an_interruption_exits_with_130_and_one_line(
    run: Run,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    work: str,
    command: str,
    has_file: bool,
) -> None:
    def interrupt(*args: object, **options: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(work, interrupt)
    path = tmp_path / "file.html"
    ended = run(*(path if arg == "FILE" else arg for arg in command.split()))
    assert (ended.code, ended.out) == (130, "")
    assert ended.err == f"note: interrupted{f': {path} was not written' * has_file}\n"


def test_a_file_that_was_written_is_not_reported_as_missing(
    run: Run, model: Path, questioned: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(*args: object, **options: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("byline.report.print_attribution", interrupt)
    report = tmp_path / "report.html"
    report.write_text("an older one")
    ended = run("attribute", model, questioned, "--report", report)
    assert (ended.code, ended.err) == (130, f"note: {report} was written\nnote: interrupted\n")
    assert "</html>" in report.read_text()


def test_leftovers_of_a_killed_command_are_deleted_by_the_next(
    run: Run, questioned: Path, tmp_path: Path
) -> None:
    output = tmp_path / "new.byline"
    with atomic_write(output) as stream:
        left = Path(stream.name)
    left.write_bytes(b"half of")
    os.utime(left, (time.time() - 3700,) * 2)
    assert run("lm", "fit", questioned, "-o", output, "--order", "2").code == 0
    assert not left.exists()


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such signals")
def test_an_interrupted_training_leaves_no_file(
    programs: Path, tmp_path: Path, sentences: Callable[[str, int, int], str]
) -> None:
    for author in ("ada", "ben"):
        (tmp_path / "known" / author).mkdir(parents=True)
        for number in range(30):
            text = sentences(author, 400, number)
            (tmp_path / "known" / author / f"{number}.txt").write_text(text)
    # Tests that run in the background may ignore the interrupt, and what they start inherits that.
    script = (
        "import signal\nfrom byline.attribution import StackedAttributor\n"
        "from byline.cli import main\nsignal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "fit = StackedAttributor.fit\n"
        "def shown(*args, **named):\n"
        "    named['progress'] = lambda *_: print('training', flush=True)\n"
        "    return fit(*args, **named)\n"
        "StackedAttributor.fit = shown\nmain()"
    )
    args = ["train", "known", "-o", "new.byline"]
    process = subprocess.Popen(
        [str(programs / "python"), "-c", script, *args],
        cwd=tmp_path,
        start_new_session=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == b"training\n"  # after the first of many steps
    os.killpg(process.pid, signal.SIGINT)  # as Ctrl-C does
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert set(out.splitlines()) <= {b"training"}
    assert err.decode() == "note: interrupted: new.byline was not written\n"
    assert [path.name for path in tmp_path.iterdir()] == ["known"]


def test_each_warning_is_a_single_line_and_printed_once(
    run: Run, known: Path, tmp_path: Path
) -> None:
    texts = tmp_path / "known"
    shutil.copytree(known, texts)
    (texts / "ada" / "short.txt").write_text("The engine.", encoding="utf-8")
    ended = run("evaluate", texts, "--folds", "4")
    lines = ended.err.splitlines()
    assert lines
    assert len(set(lines)) == len(lines)
    assert all(line.startswith("warning: ") for line in lines)


def test_the_command_runs_in_its_own_process(
    programs: Path, model: Path, questioned: Path, tmp_path: Path
) -> None:
    good = byline("attribute", model, questioned, "--json")
    assert good.returncode == 0
    assert good.stderr == b""
    bad = byline("attribute", tmp_path / "none", questioned, python=programs / "python")
    assert bad.returncode == 4
    assert bad.stdout == b""
    assert bad.stderr.startswith(b"error: ")
    assert bad.stderr.count(b"\n") == 1


@pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="file names must be UTF-8 there")
def test_a_file_name_that_is_not_utf8(
    programs: Path, model: Path, questioned: Path, tmp_path: Path
) -> None:
    odd = tmp_path / "let\udce9ter.txt"
    odd.write_bytes(questioned.read_bytes())
    for python, *options in ((sys.executable,), (programs / "python", "--json")):
        ascii_only = {"PYTHONIOENCODING": "ascii"}
        ended = byline("attribute", model, odd, *options, python=python, env=ascii_only)
        assert ended.returncode == 0, ended.stderr
        assert b"ada" in ended.stdout
    missing = byline("attribute", model, tmp_path / "no\udce9.txt", python=programs / "python")
    assert missing.returncode == 3
    assert b"Traceback" not in missing.stderr


def test_main_without_arguments_shows_the_help(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "argv", ["byline"])
    with pytest.raises(SystemExit):
        main()
    assert "Usage: byline" in "".join(capsys.readouterr())


def test_an_output_that_is_an_input_is_refused_at_once(
    run: Run, model: Path, known: Path, questioned: Path, tmp_path: Path
) -> None:
    table = tmp_path / "known.csv"
    rows = [f"{author},{(known / author / '0.txt').read_text()}" for author in ("ada", "ben")]
    table.write_text("\n".join(["author,text", *rows]))
    before = table.read_bytes(), model.read_bytes(), questioned.read_bytes()
    for args in (
        ("train", table, "-o", table),
        ("attribute", model, questioned, "--report", model),
        ("attribute", model, questioned, "--report", questioned),
    ):
        ended = run(*args)
        assert (ended.code, ended.out) == (7, "")
        assert "would be replaced" in ended.err
    assert before == (table.read_bytes(), model.read_bytes(), questioned.read_bytes())


def test_incompatible_options_are_refused(run: Run, known: Path, tmp_path: Path) -> None:
    out = tmp_path / "m"
    for args in (
        ("train", known, "-o", out, "--samples", "2", "--unequal"),
        ("train", known, "-o", out, "--lm", "feedforward", "--order", "1"),
        ("train", known, "-o", out, "--momentum", "0.5"),
        ("evaluate", known, "--test", known, "--folds", "2"),
        ("evaluate", known, "--test", known, "--split", "work"),
    ):
        ended = run(*args)
        assert ended.code == 2, args
        assert "--" in ended.err


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_full_and_closed_outputs_are_errors(
    programs: Path, model: Path, questioned: Path, known: Path
) -> None:
    with Path("/dev/full").open("w") as full:
        # `corpus show` imports the least.
        command = [sys.executable, "-m", "byline", "corpus", "show", str(known)]
        of_a_copy = [str(programs / "python"), "-m", "byline", "attribute"]
        of_a_copy += [str(model), str(questioned)]
        for full_command in (command, of_a_copy):
            ended = subprocess.run(full_command, stdout=full, stderr=subprocess.PIPE, check=False)
            assert ended.returncode == 7
            assert ended.stderr.startswith(b"error: cannot write to standard output")
            assert ended.stderr.count(b"\n") == 1
        quiet = subprocess.run([*command[:-1], "no"], stderr=full, check=False)
        assert quiet.returncode == 3
    for redirection in (">&-", "2>&-", "<&-"):
        shell = f'exec "$0" -m byline corpus show "$1" {redirection}'
        ended = subprocess.run(
            ["sh", "-c", shell, sys.executable, str(known)], capture_output=True, check=False
        )
        assert ended.returncode == 0, (redirection, ended)
    shell = 'exec "$0" -m byline attribute "$1" - <&-'
    ended = subprocess.run(
        ["sh", "-c", shell, sys.executable, str(model)], capture_output=True, check=False
    )
    assert ended.returncode == 2
