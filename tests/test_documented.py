"""Every command, option, public name, error, finding and caveat is documented, and no other one.

Commands and names are written from the program when the documentation is built; here is tested that
there is something to write of each, and that each has a page. What errors mean and how they are
cured a person writes; here is tested that it is written of all, and that it is still true.
"""

from __future__ import annotations

import ast
import importlib.util
import inspect
import re
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

from byline import errors
from byline.cli.interruption import INTERRUPTED
from byline.cli.main import INTERNAL

ROOT = Path(__file__).resolve().parents[1]
DOCS = ROOT / "docs"
SOURCES = {path: ast.parse(path.read_text("utf-8")) for path in ROOT.glob("src/byline/**/*.py")}
ERRORS = (DOCS / "reference" / "errors.md").read_text(encoding="utf-8")
MARK = re.compile(r"^<!-- names ([\w.]+) -->$", re.MULTILINE)


def _load(name: str) -> ModuleType:
    """Import what writes a part of the reference."""
    spec = importlib.util.spec_from_file_location(name, DOCS / "_extensions" / f"{name}.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


COMMANDS, NAMES = _load("commands"), _load("names")
ALL_COMMANDS = dict(COMMANDS.commands())
WRITTEN = {
    module: page
    for page in sorted(DOCS.rglob("*.md"))
    for module in MARK.findall(page.read_text(encoding="utf-8"))
}


def _public() -> dict[str, list[str]]:
    """Names that ``test_public_api.py`` pins."""
    tree = ast.parse((ROOT / "tests" / "test_public_api.py").read_text(encoding="utf-8"))
    [pinned] = [
        node.value
        for node in tree.body
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "PUBLIC"
    ]
    found: dict[str, list[str]] = ast.literal_eval(pinned)
    return found


PUBLIC = _public()


def test_the_page_of_commands_is_written_from_the_program() -> None:
    assert "<!-- commands -->" in (DOCS / "reference" / "cli.md").read_text(encoding="utf-8")
    assert {"byline train", "byline lm fit", "byline experiment run"} <= set(ALL_COMMANDS)


@pytest.mark.parametrize("name", ALL_COMMANDS)
def test_commands_and_their_options_say_what_they_are_for(name: str) -> None:
    command, text = ALL_COMMANDS[name], COMMANDS.command_reference()
    section = text.partition(f"({name.replace(' ', '-')})=\n")[2].partition("\n(byline-")[0]
    assert command.help
    assert not command.hidden
    for parameter in command.params:
        assert parameter.help, f"{name} {parameter.opts} has no help"
        for option in parameter.opts:
            shown = option if option.startswith("-") else parameter.metavar or option.upper()
            heading = rf"^````\{{option\}} (.*, )?{re.escape(shown)}(?![\w-])"
            assert re.search(heading, section, re.MULTILINE), f"{name} {shown} is not written of"


@pytest.mark.parametrize("package", PUBLIC)
def test_public_names_are_written_of_on_a_page(package: str) -> None:
    assert package in WRITTEN, f"no page has the line <!-- names {package} -->"
    text = NAMES.name_reference(package, frozenset(WRITTEN))
    summaries = dict(re.findall(r"^\| (?:\{py:\w+\})?`~?([\w.]+)`.*? \| (.*) \|$", text, re.M))
    said = {name.rpartition(".")[2] for name, summary in summaries.items() if summary}
    assert set(PUBLIC[package]) - said == set(), "document it (a constant by a comment `#:` above)"


def test_a_page_is_written_of_modules_that_there_are() -> None:
    for module in WRITTEN:
        assert NAMES.name_reference(module, frozenset(WRITTEN))


def test_what_commands_print_as_json_is_told() -> None:
    formats = (DOCS / "reference" / "formats.md").read_text(encoding="utf-8")
    told = set(re.findall(r"^\| `(byline [a-z -]+)` \| .", formats.partition("## JSON")[2], re.M))
    options = {
        name: {option for parameter in command.params for option in parameter.opts}
        for name, command in ALL_COMMANDS.items()
    }
    assert told == {name for name in options if "--json" in options[name]}


def _rows(section: str) -> list[list[str]]:
    """Cells of the tables under a heading of the page of errors, down to the next such heading."""
    level = section.split()[0]
    text = ERRORS.partition(f"\n{section}\n")[2]
    text = re.split(rf"^#{{1,{len(level)}}} ", text, flags=re.MULTILINE)[0]
    lines = re.findall(r"^\| (.+) \|$", text, re.MULTILINE)
    return [line.split(" | ") for line in lines]


def _classes() -> dict[str, type]:
    classes = dict(inspect.getmembers(errors, inspect.isclass))
    return {name: each for name, each in classes.items() if each.__module__ == errors.__name__}


def test_each_error_has_its_exit_code_and_cure() -> None:
    rows = {row[1].strip("`"): row for row in _rows("## Exit codes") if row[1].startswith("`")}
    codes = {name: getattr(each, "exit_code", None) for name, each in _classes().items()}
    warning = codes.pop("BylineWarning")
    assert {name: int(row[0]) for name, row in rows.items()} == codes
    assert all(len(row) == 4 and all(row) for row in rows.values())
    assert warning is None
    assert "`BylineWarning`" in ERRORS


def test_each_other_exit_code_is_told() -> None:
    told = {row[0] for row in _rows("## Exit codes")}
    assert {"0", str(INTERNAL), str(INTERRUPTED)} <= told


def _template(node: ast.expr) -> str:
    """The text of a string, with ``…`` for what is filled in."""
    if isinstance(node, ast.Constant):
        return str(node.value)
    if isinstance(node, ast.JoinedStr):
        return "".join(_template(value) for value in node.values)
    return "…"


def _messages() -> str:
    strings = (
        node
        for tree in SOURCES.values()
        for node in ast.walk(tree)
        if isinstance(node, ast.JoinedStr | ast.Constant)
    )
    return "\n".join(_template(node) for node in strings)


ALL_MESSAGES = _messages()
FREQUENT = [row for row in _rows("## Frequent messages") if row[0].startswith("`")]


@pytest.mark.parametrize("row", FREQUENT, ids=lambda row: row[0][:50])
def test_a_message_that_is_explained_is_one_of_ours(row: list[str]) -> None:
    message, *cures = row
    pattern = ".*?".join(re.escape(part) for part in message.strip("`").strip("…").split("…"))
    assert re.search(pattern, ALL_MESSAGES), f"no message of ours is {message}"
    assert len(cures) == 1
    assert cures[0]


def test_messages_of_every_kind_are_explained() -> None:
    assert len(FREQUENT) > 25


def _code_places(tree: ast.Module) -> dict[str, int]:
    """Where among the arguments of a module's functions and classes their ``code`` stands."""
    places = {"Finding": 1, "Caveat": 0, "Edit": 3, "leave_out": 3}
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            parameters = [parameter.arg for parameter in node.args.args]
            if "code" in parameters:
                places[node.name] = parameters.index("code")
    return places


def _codes(tree: ast.Module) -> Iterator[str]:
    """Codes that a module gives to findings or caveats, directly or through its functions.

    A code that is none of a literal, a variable ``code``, and a key of a mapping by ``code`` fails:
    then nobody could tell which codes there are.
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
        assert ast.unparse(node) == "code", f"which code is {ast.unparse(node)}?"


def _all_codes(packages: tuple[str, ...]) -> set[str]:
    within = tuple(f"byline/{package}/" for package in packages)
    modules = [tree for path, tree in SOURCES.items() if any(w in path.as_posix() for w in within)]
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
def test_each_code_has_its_cure_and_there_is_no_other(
    packages: tuple[str, ...], section: str, familiar: set[str]
) -> None:
    rows = {row[0].strip("`"): row for row in _rows(section) if row[0].startswith("`")}
    codes = _all_codes(packages)
    assert familiar <= codes
    assert set(rows) == codes
    assert all(len(row) == 3 and all(row) for row in rows.values())


def test_errors_and_warnings_among_findings_are_told_apart() -> None:
    told = {row[0].strip("`") for row in _rows("### Errors") if row[0].startswith("`")}
    errors_found = {
        code
        for tree in SOURCES.values()
        for code in re.findall(r"\('error', '([a-z-]+)'", ast.unparse(tree))
    }
    assert told == errors_found
