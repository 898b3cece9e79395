from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any

import pytest

from byline.processes import child


@pytest.fixture
def work(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Return the module `pool_work`, which other processes can import too."""
    monkeypatch.syspath_prepend(Path(__file__).parent)
    return importlib.import_module("pool_work")


@pytest.fixture(autouse=True)
def _children_start_afresh(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(child, "_start", child._start.__wrapped__)  # type: ignore[attr-defined]
