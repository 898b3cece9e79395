"""The commands of ``scripts/dev.py``: the same for a person, for the hook and for CI."""

from __future__ import annotations

import argparse
import os
import shutil
import sys
import tempfile
from pathlib import Path

from environments import REQUIREMENTS, ROOT, Environment, run
from lowest import CHOSEN

DEMO = Environment("demo", ("demo.txt",), "95 MB")
DOCS = Environment("docs", ("docs.txt",), "50 MB", base=DEMO)
TEST = Environment("test", ("test.txt",), "230 MB")
LOWEST = Environment("lowest", ("lowest.txt",), "190 MB")
ORACLES = Environment(
    "oracles", ("oracles.txt",), "280 MB, or 3 GB where PyTorch brings CUDA", base=TEST
)

INSTALLED = ["--extra=demo", "--group=build"]
EXTRAS = ["--extra=dask", "--extra=figures", "--extra=formats", "--extra=parquet", "--extra=web"]
TESTED = [*INSTALLED, *EXTRAS, "--group=test"]
RESOLVED = {
    "demo.txt": INSTALLED,
    "docs.txt": [
        *INSTALLED,
        *("--extra=figures", "--group=docs", "--constraint=requirements/demo.txt"),
    ],
    "test.txt": [*TESTED, "--group=lint"],
    "lowest.txt": [*TESTED, "--resolution=lowest-direct"],
}


def demo(options: argparse.Namespace, rest: list[str]) -> None:
    """Install Byline with its demo corpus and run `byline demo`; its options may follow."""
    run(DEMO.ready().program("byline"), "demo", *rest)


def test(options: argparse.Namespace, rest: list[str]) -> None:
    """Run the tests; options of pytest may follow."""
    if options.lowest:
        _need_oldest_python()
    environment = LOWEST if options.lowest else ORACLES if options.oracles else TEST
    chosen: list[str | Path] = []
    if options.oracles:
        chosen = ["-m", "oracles", *_files_with("mark.oracles")]
    if options.lowest:
        # One of the sets of parameters of a test calls the same functions as all of them.
        chosen = [*CHOSEN, "-m", "not corpora", "--few", "1"]
    python = environment.ready().program("python")
    # Few tests take less time than workers need to start.
    workers = "0" if options.oracles else "auto"
    # pytest's workers keep every core busy already.
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    # Hundreds of processes would compile all modules again.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    # A worker that has nothing left to do takes tests from the others: some take half a minute.
    spread = ("-n", workers, "--maxprocesses", "4", "--dist", "worksteal")
    run(python, "-m", "pytest", *spread, *chosen, *rest, cwd=ROOT)


def _files_with(marker: str) -> list[Path]:
    """Find the tests to collect, because collecting all of them takes ten seconds."""
    files = sorted((ROOT / "tests").rglob("test_*.py"))
    return [path for path in files if marker in path.read_text(encoding="utf-8")]


def lint(options: argparse.Namespace, rest: list[str]) -> None:
    """Check style, types, layers and import cycles; --fix corrects what can be corrected."""
    TEST.ready()
    run(TEST.program("ruff"), "check", *(["--fix"] if options.fix else []), cwd=ROOT)
    run(TEST.program("ruff"), "format", *([] if options.fix else ["--check"]), cwd=ROOT)
    run(TEST.program("mypy"), cwd=ROOT)
    run(TEST.program("lint-imports"), cwd=ROOT)


def docs(options: argparse.Namespace, rest: list[str]) -> None:
    """Build the documentation into build/docs; a warning is an error."""
    site, read = Path("build", "docs"), Path("build", "doctrees")
    strictly = ["-q", "--fresh-env", "--nitpicky", "--fail-on-warning", "--keep-going"]
    python = DOCS.ready().program("python")
    run(python, "-m", "sphinx", *strictly, "--doctree-dir", read, "docs", site, cwd=ROOT)
    print(f"Built: {site / 'index.html'}")


def wheel(options: argparse.Namespace, rest: list[str]) -> None:
    """Build the wheel, install it into a fresh environment and start it from there."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ["BYLINE_VENVS"] = folder
        fresh = Environment("wheel", DEMO.locks, DEMO.download)
        fresh.create()
        python = fresh.program("python")
        run(python, "-m", "hatchling", "build", "--target=wheel", "--directory", folder, cwd=ROOT)
        fresh.install("--no-deps", *Path(folder).glob("*.whl"))
        fresh.manage("check")
        run(fresh.program("byline"), "--version", cwd=Path(folder))
        run(fresh.program("byline"), "--help", cwd=Path(folder))


def lock(options: argparse.Namespace, rest: list[str]) -> None:
    """Resolve requirements/*.txt again from pyproject.toml; options of uv may follow: --upgrade."""
    if not shutil.which("uv"):
        sys.exit("`lock` needs uv: python3 -m pip install uv")
    for name, arguments in RESOLVED.items():
        run(
            *["uv", "pip", "compile", "pyproject.toml", "--quiet", "--universal"],
            *["--python-version=3.11", "--generate-hashes", "--no-emit-index-url"],
            *["--no-emit-find-links", "--custom-compile-command=python3 scripts/dev.py lock"],
            *[*arguments, *rest, "--output-file", str((REQUIREMENTS / name).relative_to(ROOT))],
            cwd=ROOT,
        )


def _need_oldest_python() -> None:
    if sys.version_info[:2] != (3, 11):
        sys.exit(
            "The lowest versions named have wheels for Python 3.11 alone:"
            " python3.11 scripts/dev.py test --lowest"
        )


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="scripts/dev.py", allow_abbrev=False)
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    added = {
        command.__name__: commands.add_parser(
            command.__name__, help=command.__doc__, description=command.__doc__, allow_abbrev=False
        )
        for command in COMMANDS.values()
    }
    which = added["test"].add_mutually_exclusive_group()
    which.add_argument("--lowest", action="store_true", help="with the lowest versions named")
    needs = "those that need PyTorch, transformers, KenLM or lir"
    which.add_argument("--oracles", action="store_true", help=needs)
    added["lint"].add_argument("--fix", action="store_true", help="change the files")
    return parser


COMMANDS = {command.__name__: command for command in (demo, test, lint, docs, wheel, lock)}
PASSED_ON = {"demo", "test", "lock"}


def main() -> None:
    """Run the command that the command line names."""
    parser = _parser()
    options, rest = parser.parse_known_args()
    if rest and options.command not in PASSED_ON:
        parser.error(f"{options.command} does not know {' '.join(rest)}")
    try:
        COMMANDS[options.command](options, rest)
    except KeyboardInterrupt:
        sys.exit(130)
