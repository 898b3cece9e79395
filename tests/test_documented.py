"""The documentation describes all commands, options, public names, errors, findings and caveats.

The reference of commands and names is generated from the program when the documentation is built.
These tests check that each has a description and a page. The page of errors is written by hand.
These tests check that it is complete, and that its messages and codes are those of the program.
"""

from __future__ import annotations

import ast
import importlib.util
import inspect
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from types import ModuleType

import pytest

from byline import errors
from byline.attribution.caveats import GUIDANCE
from byline.attribution.model_files.archive import FORMAT_VERSION
from byline.cli import nearest
from byline.cli.main import INTERNAL
from byline.cli.output import INTERRUPTED
from byline.experiments.runner import status
from byline.report import corpus, exploration, extraction, summary, verification
from byline.typography import PRESETS, RULES

ROOT = Path(__file__).resolve().parents[1]
DOCS = ROOT / "docs"
SCHEMAS = {
    "byline attribute": summary.SCHEMA,
    "byline explain": summary.SCHEMA,
    "byline rolling": summary.SCHEMA,
    "byline verify": verification.SCHEMA,
    "byline evaluate": summary.SCHEMA,
    "byline compare": summary.SCHEMA,
    "byline explore": exploration.EXPLORATION_SCHEMA,
    "byline keywords": summary.SCHEMA,
    "byline profile": 1,
    "byline benchmark": summary.SCHEMA,
    "byline corpus show": extraction.SCHEMA,
    "byline corpus check": corpus.CHECK_SCHEMA,
    "byline lm perplexity": 1,
    "byline lm nearest": nearest.SCHEMA,
    "byline experiment status": status.STATUS_SCHEMA,
}
ERRORS = (DOCS / "reference" / "errors.md").read_text(encoding="utf-8")
MARK = re.compile(r"^<!-- names ([\w.]+) -->$", re.MULTILINE)


@cache
def _sources() -> dict[Path, ast.Module]:
    """Return the syntax trees of all modules, parsed by the first test that needs them."""
    return {path: ast.parse(path.read_text("utf-8")) for path in ROOT.glob("src/byline/**/*.py")}


def _load(name: str) -> ModuleType:
    """Import a module that generates a part of the reference."""
    spec = importlib.util.spec_from_file_location(name, DOCS / "_extensions" / f"{name}.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


COMMANDS, NAMES = _load("commands"), _load("names")
ALL_COMMANDS = dict(COMMANDS.commands())
PAGES = {
    module: page
    for page in sorted(DOCS.rglob("*.md"))
    for module in MARK.findall(page.read_text(encoding="utf-8"))
}


def _public() -> dict[str, list[str]]:
    """Return the public names by package, as ``test_public_api.py`` lists them."""
    tree = ast.parse((ROOT / "tests" / "test_public_api.py").read_text(encoding="utf-8"))
    [pinned] = [
        node.value
        for node in tree.body
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "PUBLIC"
    ]
    found: dict[str, list[str]] = ast.literal_eval(pinned)
    return found


PUBLIC = _public()


def test_the_page_of_commands_is_generated_from_the_program() -> None:
    assert "<!-- commands -->" in (DOCS / "reference" / "cli.md").read_text(encoding="utf-8")
    assert {"byline train", "byline lm fit", "byline experiment run"} <= set(ALL_COMMANDS)


@pytest.mark.parametrize("name", ALL_COMMANDS)
def test_every_command_and_option_has_a_help_text(name: str) -> None:
    command, text = ALL_COMMANDS[name], COMMANDS.command_reference()
    section = text.partition(f"({name.replace(' ', '-')})=\n")[2].partition("\n(byline-")[0]
    assert command.help
    assert not command.hidden
    for parameter in command.params:
        assert parameter.help, f"{name} {parameter.opts} has no help"
        for option in parameter.opts:
            shown = option if option.startswith("-") else parameter.metavar or option.upper()
            heading = rf"^````\{{option\}} (.*, )?{re.escape(shown)}(?![\w-])"
            assert re.search(heading, section, re.MULTILINE), f"{name} {shown} is missing"


@pytest.mark.parametrize("package", PUBLIC)
def test_every_public_name_is_on_a_page_with_a_summary(package: str) -> None:
    assert package in PAGES, f"no page has the line <!-- names {package} -->"
    text = NAMES.name_reference(package, frozenset(PAGES))
    summaries = dict(re.findall(r"^\| (?:\{py:\w+\})?`~?([\w.]+)`.*? \| (.*) \|$", text, re.M))
    described = {name.rpartition(".")[2] for name, summary in summaries.items() if summary}
    undescribed = set(PUBLIC[package]) - described
    assert undescribed == set(), "add a docstring, or a comment `#:` above a constant"


def test_every_module_with_a_page_exists() -> None:
    for module in PAGES:
        assert NAMES.name_reference(module, frozenset(PAGES))


def test_the_page_of_formats_describes_the_json_of_every_command() -> None:
    formats = (DOCS / "reference" / "formats.md").read_text(encoding="utf-8")
    table = formats.partition("## JSON")[2].partition("\n### ")[0]
    described = set(re.findall(r"^\| `(byline [a-z -]+)` \| .", table, re.MULTILINE))
    options = {
        name: {option for parameter in command.params for option in parameter.opts}
        for name, command in ALL_COMMANDS.items()
    }
    assert described == {name for name in options if "--json" in options[name]}


def test_the_page_of_formats_states_the_schema_numbers() -> None:
    formats = (DOCS / "reference" / "formats.md").read_text(encoding="utf-8")
    stated = re.findall(r"^\| `(byline [a-z -]+)` \| (\d+) \|", formats, re.MULTILINE)
    assert {name: int(number) for name, number in stated} == SCHEMAS
    assert f"(the format version, now {FORMAT_VERSION})" in formats


def _rows(section: str) -> list[list[str]]:
    """Return the cells of all tables in a section of the page of errors."""
    level = section.split()[0]
    text = ERRORS.partition(f"\n{section}\n")[2]
    text = re.split(rf"^#{{1,{len(level)}}} ", text, flags=re.MULTILINE)[0]
    lines = re.findall(r"^\| (.+) \|$", text, re.MULTILINE)
    return [line.split(" | ") for line in lines]


def _classes() -> dict[str, type]:
    classes = dict(inspect.getmembers(errors, inspect.isclass))
    return {name: each for name, each in classes.items() if each.__module__ == errors.__name__}


def test_every_error_has_an_exit_code_and_a_remedy() -> None:
    rows = {row[1].strip("`"): row for row in _rows("## Exit codes") if row[1].startswith("`")}
    codes = {name: getattr(each, "exit_code", None) for name, each in _classes().items()}
    warning = codes.pop("BylineWarning")
    assert {name: int(row[0]) for name, row in rows.items()} == codes
    assert all(len(row) == 4 and all(row) for row in rows.values())
    assert warning is None
    assert "`BylineWarning`" in ERRORS


def test_every_other_exit_code_is_listed() -> None:
    listed = {row[0] for row in _rows("## Exit codes")}
    assert {"0", str(INTERNAL), str(INTERRUPTED)} <= listed


def _template(node: ast.expr) -> str:
    """Return the text of a string, with ``…`` for each replacement field."""
    if isinstance(node, ast.Constant):
        return str(node.value)
    if isinstance(node, ast.JoinedStr):
        return "".join(_template(value) for value in node.values)
    return "…"


@cache
def _messages() -> str:
    strings = (
        node
        for tree in _sources().values()
        for node in ast.walk(tree)
        if isinstance(node, ast.JoinedStr | ast.Constant)
    )
    return "\n".join(_template(node) for node in strings)


FREQUENT = [row for row in _rows("## Frequent messages") if row[0].startswith("`")]


@pytest.mark.parametrize("row", FREQUENT, ids=lambda row: row[0][:50])
def test_an_explained_message_occurs_in_the_program(row: list[str]) -> None:
    message, *remedies = row
    pattern = ".*?".join(re.escape(part) for part in message.strip("`").strip("…").split("…"))
    assert re.search(pattern, _messages()), f"Byline has no message {message}"
    assert len(remedies) == 1
    assert remedies[0]


def test_many_messages_are_explained() -> None:
    assert len(FREQUENT) > 25


def _code_places(tree: ast.Module) -> dict[str, int]:
    """Return the position of the argument ``code`` of a module's functions and classes."""
    places = {"Finding": 1, "Caveat": 0, "Edit": 3, "leave_out": 3}
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            parameters = [parameter.arg for parameter in node.args.args]
            if "code" in parameters:
                places[node.name] = parameters.index("code")
    return places


def _codes(tree: ast.Module) -> Iterator[str]:
    """Yield the codes that a module gives to findings or caveats.

    A code must be a literal, a variable ``code``, or a key of a mapping indexed by ``code``.
    Otherwise the test fails, because it cannot find out which codes exist.
    """
    places = _code_places(tree)
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            place = places.get(node.func.id)
            given = [*node.args[place : place + 1]] if place is not None else []
            given += [keyword.value for keyword in node.keywords if keyword.arg == "code"]
            for argument in given:
                yield from _literals(argument)
    by_code = set(re.findall(r"for code, .*? in (_?[A-Z_]+)\.items\(\)", ast.unparse(tree)))
    by_code |= set(re.findall(r"(_?[A-Z_]+)\[code\]", ast.unparse(tree)))
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign | ast.AnnAssign) and isinstance(node.value, ast.Dict):
            target = node.target if isinstance(node, ast.AnnAssign) else node.targets[0]
            if ast.unparse(target) in by_code:
                yield from (ast.literal_eval(key) for key in node.value.keys if key)


def _literals(node: ast.expr) -> Iterator[str]:
    if isinstance(node, ast.IfExp):
        yield from _literals(node.body)
        yield from _literals(node.orelse)
    elif isinstance(node, ast.Constant):
        yield str(node.value)
    else:
        assert ast.unparse(node) == "code", f"the code {ast.unparse(node)} is not a literal"


def _all_codes(packages: tuple[str, ...]) -> set[str]:
    within = tuple(f"byline/{package}/" for package in packages)
    modules = [
        tree for path, tree in _sources().items() if any(w in path.as_posix() for w in within)
    ]
    return {code for tree in modules for code in _codes(tree)}


@pytest.mark.parametrize(
    ("packages", "section", "familiar"),
    [
        (
            ("corpus",),
            "## Findings in known texts",
            {"too-few-authors", "hidden", "invalid-row"},
        ),
        (
            ("attribution", "report"),
            "## Caveats about answers",
            {"short-text", "single-work", "not-explained"},
        ),
    ],
)
def test_the_page_lists_exactly_the_codes_of_the_program(
    packages: tuple[str, ...], section: str, familiar: set[str]
) -> None:
    rows = {row[0].strip("`"): row for row in _rows(section) if row[0].startswith("`")}
    codes = _all_codes(packages)
    assert familiar <= codes
    assert set(rows) == codes
    assert all(len(row) == 3 and all(row) for row in rows.values())


def test_the_page_and_the_caveats_state_the_same_advice() -> None:
    rows = [row for row in _rows("## Caveats about answers") if row[0].startswith("`")]
    listed = {row[0].strip("`"): row[2] for row in rows}
    assert listed == {code: advice for code, (_, advice) in GUIDANCE.items()}


def test_the_page_lists_exactly_the_errors_among_the_findings() -> None:
    listed = {row[0].strip("`") for row in _rows("### Errors") if row[0].startswith("`")}
    errors_found = {
        code
        for tree in _sources().values()
        for code in re.findall(r"\('error', '([a-z-]+)'", ast.unparse(tree))
    }
    assert listed == errors_found


def _normalization_rows() -> list[list[str]]:
    page = (DOCS / "reference" / "normalization.md").read_text(encoding="utf-8")
    table = page.partition("## Rules")[2]
    return [
        [cell.strip() for cell in line.strip("|").split(" | ")]
        for line in re.findall(r"^\| `.*\|$", table, re.MULTILINE)
    ]


def _with_characters(example: str) -> str:
    return re.sub(r"<U\+(\w{4})>", lambda code: chr(int(code[1], 16)), example)


def test_the_page_of_normalisation_lists_the_rules_and_presets() -> None:
    expected = [
        [
            f"`{rule.name}`",
            ", ".join(f"`{name}`" for name in PRESETS if rule.name in PRESETS[name]) or "none",
            rule.description,
        ]
        for rule in RULES.values()
    ]
    assert [row[:3] for row in _normalization_rows()] == expected


def test_the_examples_of_normalisation_are_what_the_rules_do() -> None:
    examples = {
        row[0].strip("`"): re.findall("`([^`]+)`", _with_characters(row[3]))
        for row in _normalization_rows()
        if len(row) > 3 and row[3]
    }
    assert len(examples) >= 18
    assert {name: RULES[name].function(before) for name, (before, _) in examples.items()} == {
        name: after for name, (_, after) in examples.items()
    }
