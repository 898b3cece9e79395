"""Commands in the documentation, in blocks fenced as ``sh``, exist and have the options shown.

``test_pages_run.py`` runs the other blocks and compares their output.
"""

from __future__ import annotations

import contextlib
import io
import re
import shlex
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from typer.main import get_command

from byline.cli import main
from byline.cli.main import app
from byline.experiments.runner.config import load_config
from byline.experiments.runner.plan import JobPlan

COMMANDS: dict[str, Any] = vars(get_command(app))["commands"]
GROUPS = [name for name, command in COMMANDS.items() if hasattr(command, "commands")]
ROOT = Path(__file__).resolve().parents[1]
DOCUMENTS = {
    path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8")
    for path in [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted(ROOT.glob("docs/**/*.md"))]
}
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def _commands(program: str) -> list[str]:
    """Return all command lines in the documents that start with ``program``."""
    blocks = (block for text in DOCUMENTS.values() for block in BLOCK.finditer(text))
    scripts = (block[2] for block in blocks if block[1] == "sh")
    lines = (line.strip() for script in scripts for line in script.splitlines())
    table = re.findall(r"^\| `(.+?)` \|", DOCUMENTS["CONTRIBUTING.md"], re.MULTILINE)
    return sorted({line for line in [*lines, *table] if line.startswith(f"{program} ")})


@cache
def _byline_help(*command: str) -> str:
    """Return the output of ``byline COMMAND --help``."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out), pytest.raises(SystemExit) as end:
        main([*command, "--help"])
    assert not end.value.code, f"byline {' '.join(command)} is not a command"
    return out.getvalue()


@cache
def _script_help(command: str) -> str:
    """Return the output of ``scripts/dev.py COMMAND --help``."""
    script = str(ROOT / "scripts" / "dev.py")
    return subprocess.run(
        [sys.executable, script, command, "--help"], capture_output=True, text=True, check=True
    ).stdout


def _options(words: list[str]) -> set[str]:
    return {word.partition("=")[0] for word in words if re.match(r"--?[a-z]", word)}


def _known_options(help_text: str) -> set[str]:
    return set(re.findall(r"(?<![\w-])--?[a-z][\w-]*", help_text))


def _subcommands(help_text: str) -> list[str]:
    return re.findall(r"^  ([a-z][a-z-]*)", help_text.partition("Commands:")[2], re.MULTILINE)


@pytest.mark.parametrize("line", _commands("byline"))
def test_commands_of_byline_exist_with_their_options(line: str) -> None:
    words = shlex.split(line, comments=True)[1:]
    command = words[: 2 if words[0] in GROUPS else 1]
    command = [word for word in command if not word.startswith("-")]
    assert _options(words) - {"--help"} <= _known_options(_byline_help(*command))


@pytest.mark.parametrize("line", _commands("python3 scripts/dev.py"))
def test_commands_of_the_repository_exist(line: str) -> None:
    assert _script_help(shlex.split(line, comments=True)[2])


def test_readme_opens_with_the_two_commands() -> None:
    for command in ("demo", "test"):
        assert f"python3 scripts/dev.py {command}" in DOCUMENTS["README.md"]


def test_every_command_of_byline_is_documented() -> None:
    commands = _subcommands(_byline_help())
    for group in GROUPS:
        commands += [f"{group} {command}" for command in _subcommands(_byline_help(group))]
    text = "\n".join(DOCUMENTS.values())
    assert [name for name in commands if not re.search(rf"byline {name}\b", text)] == []
    assert {"demo", "train", "attribute", "lm fit", "experiment run"} <= set(commands)


def _configurations() -> list[str]:
    """Return all blocks of TOML in the documents."""
    blocks = (block for text in DOCUMENTS.values() for block in BLOCK.finditer(text))
    return [block[2] for block in blocks if block[1] == "toml"]


@pytest.mark.parametrize("quick", [False, True])
def test_configurations_of_experiments_are_valid(quick: bool, tmp_path: Path) -> None:
    path = tmp_path / "own.toml"
    assert _configurations()
    for content in _configurations():
        path.write_text(content, encoding="utf-8")
        config = load_config(path, quick=quick)
        assert JobPlan(
            config, config.search.authors if config.search else ["ann", "bob"]
        ).independent_jobs
