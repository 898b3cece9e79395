"""Fixtures for every test."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

_DEFAULT = Path(__file__).resolve().parents[2] / "shared"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what asks for `shared`; begin with what takes longest, so that no worker ends late."""
    items.sort(key=lambda item: item.path.name != "test_pages_run.py")
    for item in items:
        if "shared" in getattr(item, "fixturenames", ()):
            item.add_marker("corpora")


@pytest.fixture(scope="session")
def shared() -> Path:
    """Return the folder of real corpora and oracles; where it is missing, skip the test."""
    folder = Path(os.environ.get("BYLINE_SHARED", _DEFAULT))
    if not (folder / "corpora").is_dir():
        pytest.skip(f"no corpora at {folder}; set BYLINE_SHARED to the folder that holds them")
    return folder
