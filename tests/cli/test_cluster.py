"""``--cluster``: the work of commands on the workers of a Dask cluster."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("distributed")
pytestmark = pytest.mark.processes

Run = Callable[..., Any]


def test_a_model_of_a_cluster_is_the_same(run: Run, known: Path, tmp_path: Path) -> None:
    here, there = tmp_path / "here.byline", tmp_path / "there.byline"
    assert run("train", known, "-o", here, "--order", "2").code == 0
    ended = run("train", known, "-o", there, "--order", "2", "--cluster", "local:2")
    assert ended.code == 0, ended.err
    assert here.read_bytes() == there.read_bytes()


def test_bad_input(run: Run, known: Path, tmp_path: Path) -> None:
    both = ("train", known, "-o", tmp_path / "a", "--cluster", "local:2", "-j", "2")
    assert "exclude each other" in run(*both).err
    assert run("train", known, "-o", tmp_path / "a", "--cluster", "nowhere").code == 2
    ended = run("train", known, "-o", tmp_path / "a", "--cluster", "tcp://127.0.0.1:9")
    assert ended.code == 8
    assert "no Dask scheduler answers" in ended.err
    assert not (tmp_path / "a").exists()
