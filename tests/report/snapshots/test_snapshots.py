"""The dictionaries of reports are those in the JSON files of this folder.

After a change that is intended, write the files again, and read the differences::

    python3 scripts/dev.py test tests/report/snapshots --update-snapshots

Numbers may differ by a thousandth, because they depend a little on the processor and on the
versions of the libraries. Of long lists, the files have the first entries and the mean.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterator
from itertools import zip_longest
from pathlib import Path
from typing import Any

import pytest

FOLDER = Path(__file__).parent
KINDS = (
    "case",
    "comparison",
    "evaluation",
    "exploration",
    "keywords",
    "profile",
    "rolling",
    "verification",
)
LONGEST_LIST, N_FIRST = 6, 3
NUMBER = re.compile(r"\d[\d,]*(?:\.\d+)?")


def shorten(value: Any) -> Any:
    """Return a value with four significant digits, short lists, and only names of settings."""
    if isinstance(value, dict):
        return {
            key: sorted(entry) if key in {"settings", "versions"} else shorten(entry)
            for key, entry in value.items()
        }
    if isinstance(value, list) and len(value) > LONGEST_LIST:
        rest: dict[str, Any] = {"length": len(value)}
        if all(isinstance(each, int | float) for each in value):
            rest["mean"] = shorten(math.fsum(value) / len(value))
        return [*map(shorten, value[:N_FIRST]), rest]
    if isinstance(value, list):
        return [shorten(each) for each in value]
    return float(f"{value:.4g}") if isinstance(value, float) else value


def differences(stored: Any, made: Any, place: str = "") -> Iterator[str]:
    """Yield each place at which two dictionaries differ, with both values."""
    if isinstance(stored, dict) and isinstance(made, dict):
        for key in sorted({*stored, *made}):
            yield from differences(stored.get(key, ...), made.get(key, ...), f"{place}.{key}")
    elif isinstance(stored, list) and isinstance(made, list):
        for index, (old, new) in enumerate(zip_longest(stored, made, fillvalue=...)):
            yield from differences(old, new, f"{place}[{index}]")
    elif not _are_equal(stored, made):
        yield f"{place}: {stored!r} -> {made!r}"


def _are_equal(stored: Any, made: Any) -> bool:
    if isinstance(stored, float) and isinstance(made, float):
        return math.isclose(stored, made, rel_tol=2e-3, abs_tol=1e-4)
    if isinstance(stored, str) and isinstance(made, str):
        numbers = zip(NUMBER.findall(stored), NUMBER.findall(made), strict=False)
        are_close = all(old == new or _differ_in_last_digit(old, new) for old, new in numbers)
        return are_close and NUMBER.sub("0", stored) == NUMBER.sub("0", made)
    return type(stored) is type(made) and bool(stored == made)


def _differ_in_last_digit(old: str, new: str) -> bool:
    """Return whether two numbers with decimals differ by one in their last digit."""
    first, second = (float(each.replace(",", "")) for each in (old, new))
    decimals = len(old.partition(".")[2])
    return decimals > 0 and abs(first - second) < 1.5 * 10.0**-decimals


@pytest.mark.parametrize("kind", KINDS)
def test_a_report_has_the_stored_dictionary(
    kind: str, summary_of: Callable[[str], dict[str, Any]], pytestconfig: pytest.Config
) -> None:
    path = FOLDER / f"{kind}.json"
    made = shorten(json.loads(json.dumps(summary_of(kind))))
    if pytestconfig.getoption("--update-snapshots"):
        text = json.dumps(made, indent=1, ensure_ascii=False)
        path.write_text(f"{text}\n", encoding="utf-8")
    stored = json.loads(path.read_text(encoding="utf-8"))
    assert list(differences(stored, made)) == []


@pytest.mark.parametrize(
    ("stored", "made", "n"),
    [
        ({"a": 0.5}, {"a": 0.5004}, 0),
        ({"a": 0.5}, {"a": 0.52}, 1),
        ({"a": 3}, {"a": 4}, 1),
        ({"a": 3}, {"a": 3.0}, 1),
        ({"a": [1, 2]}, {"a": [1, 2, 3]}, 1),
        ({"a": None}, {"b": None}, 2),
        ({"a": "72.4 % of 30 texts"}, {"a": "72.5 % of 30 texts"}, 0),
        ({"a": "72.4 % of 30 texts"}, {"a": "72.4 % of 31 texts"}, 1),
        ({"a": "72.4 % of 30 texts"}, {"a": "72.9 % of 30 texts"}, 1),
        ({"a": "by ada"}, {"a": "by ben"}, 1),
    ],
)
def test_differences_are_found(stored: Any, made: Any, n: int) -> None:
    assert len(list(differences(stored, made))) == n
