"""Messages name settings as their reader writes them: as options of a command, or in Python."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import byline
from byline.errors import UsageError
from byline.named_settings import setting, settings_as_options

SOURCE = Path(byline.__file__).parent
OPTION = re.compile(r"(?<![\w-])--[a-z][a-z-]+")
COMMAND = re.compile(r"`[^`]*`|\b(?:byline|pip|soffice|dask) [^\n]*")
# Layers whose functions only commands call, and lines that only commands print.
OF_COMMANDS = ("cli/", "web/", "__main__.py", "named_settings.py")
PRINTED_BY_COMMANDS = {
    "report/explanation.py": {"--whole"},
    "report/corpus.py": {"--json"},
    # Options of Pandoc, and names of colours in CSS.
    "corpus/readers/pandoc.py": {
        *("--sandbox", "--verbose", "--standalone", "--mathml", "--wrap", "--from", "--to")
    },
    "report/displays/scoped_style.py": {"--ink", "--quiet"},
}


def _strings(tree: ast.Module) -> Iterator[str]:
    """Yield the strings of a module, except docstrings; an f-string is one string."""
    documented = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    docstrings = {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, documented) and node.body and isinstance(node.body[0], ast.Expr)
    }
    parts = {
        id(part)
        for node in ast.walk(tree)
        if isinstance(node, ast.JoinedStr)
        for part in node.values
    }
    skipped = docstrings | parts
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            yield "".join(
                str(part.value) if isinstance(part, ast.Constant) else "…" for part in node.values
            )
        elif isinstance(node, ast.Constant) and id(node) not in skipped:
            yield node.value if isinstance(node.value, str) else ""


def _named_options(path: Path) -> set[str]:
    strings = _strings(ast.parse(path.read_text(encoding="utf-8")))
    return {option for text in strings for option in OPTION.findall(COMMAND.sub("", text))}


def test_layers_below_the_commands_name_no_options() -> None:
    """Complete commands that are quoted, such as `byline profile --own-rules`, are allowed."""
    found = {}
    for path in sorted(SOURCE.rglob("*.py")):
        name = path.relative_to(SOURCE).as_posix()
        if not name.startswith(OF_COMMANDS):
            found[name] = _named_options(path)
    assert len(found) > 300
    assert {name: options for name, options in found.items() if options} == PRINTED_BY_COMMANDS


def test_the_scan_finds_an_option(tmp_path: Path) -> None:
    module = tmp_path / "module.py"
    module.write_text('"""Not --this."""\nx = f"{1} needs --that and `byline a --not-this`"\n')
    assert _named_options(module) == {"--that"}


def test_messages_that_commands_and_python_share_name_no_options() -> None:
    """`byline.train` and similar functions check settings with functions of the command line."""
    shared = ("model_options", "feature_options", "options", "open_set", "reference", "texts")
    for name in shared:
        tree = ast.parse((SOURCE / "cli" / f"{name}.py").read_text(encoding="utf-8"))
        raised = [
            ast.unparse(node)
            for node in ast.walk(tree)
            if isinstance(node, ast.Raise) or _prints_a_message(node)
        ]
        assert not [text for text in raised if OPTION.search(COMMAND.sub("", text))], name


def _prints_a_message(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and getattr(node.func, "id", "") == "print_message"


def test_the_same_message_names_an_option_or_a_parameter() -> None:
    texts = ["The sea rose. " * 200] * 2
    with pytest.raises(UsageError, match=r"^order is an option of .* method=\"delta\" does not"):
        byline.train(texts, ["Ann", "Bob"], method="delta", order=3)
    with (
        settings_as_options(),
        pytest.raises(UsageError, match=r"^--order is an option .* --method delta does not"),
    ):
        byline.train(texts, ["Ann", "Bob"], method="delta", order=3)
    assert setting("order") == "order"  # again
