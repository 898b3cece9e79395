"""Laws about the source as a whole; that imports go one way is checked by ``dev.py lint``."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "src" / "byline"
MODULES = {
    path.relative_to(PACKAGE).as_posix(): path.read_text(encoding="utf-8")
    for path in sorted(PACKAGE.rglob("*.py"))
}
LAYERS = sorted(path.parent.name for path in PACKAGE.glob("*/__init__.py"))
HEAVY = {"numpy", "pandas", "peft", "pyarrow", "scipy", "sklearn", "torch", "transformers"}
EXTRAS = ("dask", "demo", "figures", "formats", "pandas", "parquet", "torch", "transformers", "web")
LONGEST_MODULE = 400


@cache
def trees() -> dict[str, ast.Module]:
    """Return the syntax trees of the modules, parsed by the first test that needs them."""
    return {module: ast.parse(source) for module, source in MODULES.items()}


@cache
def distributions() -> Mapping[str, list[str]]:
    return packages_distributions()


def _imported(nodes: Iterator[ast.AST]) -> set[str]:
    """Top-level names of all packages that are imported, neither our own nor Python's."""
    names = set[str]()
    for node in nodes:
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names.add(node.module)
    return {name.partition(".")[0] for name in names} - sys.stdlib_module_names - {"byline"}


def _at_import(node: ast.AST) -> Iterator[ast.AST]:
    """All nodes that run when the module is imported: function bodies do not."""
    for child in ast.iter_child_nodes(node):
        if not isinstance(child, ast.FunctionDef | ast.Lambda) and not _for_types_alone(child):
            yield child
            yield from _at_import(child)


def _for_types_alone(node: ast.AST) -> bool:
    return isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"


def _distributions(names: set[str]) -> set[str]:
    """The distribution that brings each importable name, as pyproject writes it, in lower case."""
    return {distributions().get(name, [name])[0].lower() for name in names}


def _declared(*extras: str) -> set[str]:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    optional = (project["optional-dependencies"][extra] for extra in extras)
    lines = [*project["dependencies"], *(line for extra in optional for line in extra)]
    return {re.split(r"[<>=]", line)[0].lower() for line in lines}


def _loaded_after(code: str) -> set[str]:
    """Third-party packages that a fresh Python has loaded after running ``code``."""
    script = f"import sys\n{code}\nprint('LOADED', *sys.modules)"
    run = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True, timeout=60
    )
    loaded = run.stdout.rpartition("LOADED")[2].split()
    return {name.partition(".")[0] for name in loaded} - sys.stdlib_module_names


def test_what_modules_import_at_once_is_installed_with_byline() -> None:
    imported = {
        module: _distributions(_imported(_at_import(tree))) for module, tree in trees().items()
    }
    # The page is one extra as a whole: `byline serve` asks for it before it imports the page.
    page = _declared("web")
    declared = {module: page if module.startswith("web/") else _declared() for module in trees()}
    assert {
        module: more for module in trees() if (more := imported[module] - declared[module])
    } == {}


def test_dependencies_are_those_that_modules_import() -> None:
    imported = set().union(*(_imported(ast.walk(tree)) for tree in trees().values()))
    assert _distributions(imported) - _declared(*EXTRAS) == set()
    assert _declared() - _distributions(imported) == set()


def test_modules_are_short() -> None:
    lengths = {module: len(source.splitlines()) for module, source in MODULES.items()}
    assert {module for module, length in lengths.items() if length > LONGEST_MODULE} == set()


def test_public_functions_and_classes_are_defined_once() -> None:
    places: dict[str, list[str]] = {}
    named_again = {"library/functions.py"}  # as what the functions of `import byline` shorten
    for module, tree in ((m, t) for m, t in trees().items() if m not in named_again):
        for node in tree.body:
            if isinstance(node, ast.ClassDef | ast.FunctionDef) and not node.name.startswith("_"):
                places.setdefault(node.name, []).append(module)
    assert {name: modules for name, modules in places.items() if len(modules) > 1} == {}


def test_only_the_command_line_prints() -> None:
    printing = {
        module
        for module, tree in trees().items()
        for node in ast.walk(tree)
        if isinstance(node, ast.Name) and node.id == "print"
    }
    assert {module for module in printing if not module.startswith("cli/")} == set()


@pytest.mark.parametrize("layer", LAYERS)
def test_tests_mirror_the_source(layer: str) -> None:
    assert list((ROOT / "tests" / layer).glob("**/test_*.py"))


def test_importing_byline_loads_nothing_else() -> None:
    assert _loaded_after("import byline") - _loaded_after("") == {"byline"}


@pytest.mark.parametrize(
    "command", ["", "train", "attribute", "evaluate", "demo", "serve", "lm fit", "experiment run"]
)
def test_help_answers_without_the_heavy_packages(command: str) -> None:
    arguments = [*command.split(), "--help"]
    code = f"from byline.cli import main\ntry: main({arguments})\nexcept SystemExit: pass"
    loaded = _loaded_after(code)
    assert "byline" in loaded
    assert loaded & HEAVY == set()


@pytest.mark.parametrize("pool", ["pool", "dask_pool"])
def test_processes_of_a_pool_start_without_the_heavy_packages(pool: str) -> None:
    loaded = _loaded_after(f"import byline.processes.{pool}")
    assert "byline" in loaded
    assert loaded & HEAVY == set()
