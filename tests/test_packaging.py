"""What is installed is what the project says it is."""

from __future__ import annotations

import re
import tomllib
import zipfile
from importlib.metadata import metadata, version
from pathlib import Path
from typing import Any

import pytest
import typer.main
from lowest import CHOSEN, OF_COMMANDS, OF_LIBRARIES

import byline
from byline.cli.main import app

ROOT = Path(__file__).resolve().parents[1]
# The extras without `torch`, `transformers` and `umap`, which bring gigabytes, and `pandas`, which
# others bring.
TESTED_EXTRAS = ("dask", "demo", "figures", "formats", "parquet", "web")


@pytest.fixture(scope="module")
def project() -> dict[str, Any]:
    with (ROOT / "pyproject.toml").open("rb") as file:
        return tomllib.load(file)


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> zipfile.ZipFile:
    builder = pytest.importorskip("hatchling.builders.wheel").WheelBuilder(str(ROOT))
    folder = tmp_path_factory.mktemp("wheel")
    return zipfile.ZipFile(next(builder.build(directory=str(folder), versions=["standard"])))


def test_version_installed_is_the_package_s_own() -> None:
    assert version("byline") == byline.__version__


def test_extras_are_those_the_error_messages_name() -> None:
    extras = set(metadata("byline").get_all("Provides-Extra", []))
    optional = {"torch", "transformers", "umap", "pandas"}
    assert extras == {*TESTED_EXTRAS, *optional}


def test_wheel_holds_every_file_of_the_package_and_the_licence(wheel: zipfile.ZipFile) -> None:
    package = ROOT / "src" / "byline"
    files = {
        path.relative_to(ROOT / "src").as_posix()
        for path in package.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    names = set(wheel.namelist())
    assert "byline/py.typed" in files
    assert files <= names
    assert f"byline-{byline.__version__}.dist-info/licenses/LICENSE" in names
    # nothing else, above all no tests, at the top of site-packages
    assert {name.split("/")[0] for name in names - files} == {
        f"byline-{byline.__version__}.dist-info"
    }


@pytest.mark.parametrize("lock", ["demo", "test", "lowest"])
def test_lock_names_neither_a_host_nor_a_path(lock: str) -> None:
    text = (ROOT / "requirements" / f"{lock}.txt").read_text(encoding="utf-8")
    assert not re.findall(r"^.*(?:://|file:|-index|--find-links).*$", text, re.MULTILINE)


@pytest.mark.parametrize("lock", ["demo", "test", "lowest"])
def test_lock_holds_the_project_s_dependencies_with_hashes(
    lock: str, project: dict[str, Any]
) -> None:
    text = (ROOT / "requirements" / f"{lock}.txt").read_text(encoding="utf-8")
    entries = re.split(r"^(?=[a-z])", text, flags=re.MULTILINE)[1:]
    assert all(re.match(r"[\w.-]+==.+\\\n    --hash=sha256:", entry) for entry in entries)
    locked = {entry.partition("==")[0] for entry in entries}
    assert {_name(line) for line in project["project"]["dependencies"]} <= locked


def test_lowest_versions_tested_are_the_lowest_named(project: dict[str, Any]) -> None:
    text = (ROOT / "requirements" / "lowest.txt").read_text(encoding="utf-8")
    extras = project["project"]["optional-dependencies"]
    tested = (line for extra in ("dask", "demo", "parquet") for line in extras[extra])
    for line in [*project["project"]["dependencies"], *tested]:
        lowest = line.partition(">=")[2]
        assert re.search(rf"^{_name(line)}=={re.escape(lowest)}(\.0)* ", text, re.MULTILINE), line


def test_every_library_and_command_is_tested_with_the_lowest_versions(
    project: dict[str, Any],
) -> None:
    extras = project["project"]["optional-dependencies"]
    tested = (line for extra in TESTED_EXTRAS for line in extras[extra])
    assert set(OF_LIBRARIES) == {_name(line) for line in project["project"]["dependencies"]} | {
        _name(line) for line in tested
    }
    assert set(OF_COMMANDS) == set(vars(typer.main.get_command(app))["commands"])
    assert [test for test in CHOSEN if not (ROOT / test.partition("::")[0]).exists()] == []


def _name(requirement: str) -> str:
    return re.split(r"[<>=]", requirement)[0].lower()
