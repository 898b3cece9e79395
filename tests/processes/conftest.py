from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any

import pytest


@pytest.fixture
def work(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Return the module `pool_work`, which other processes can import too."""
    monkeypatch.syspath_prepend(Path(__file__).parent)
    return importlib.import_module("pool_work")
