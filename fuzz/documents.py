"""Change values in JSON documents."""

from __future__ import annotations

import json
import random
from typing import Any

import atheris

DEEP = "deep"  # a placeholder for nested lists, more deeply than json writes them
VALUES: list[Any] = [
    *(
        None,
        True,
        False,
        -1,
        0,
        1,
        2,
        3,
        7,
        2**31,
        2**63,
        10**30,
        10**400,
        0.5,
        -0.0,
        1e-320,
        1e308,
    ),
    *(float("nan"), float("inf"), float("-inf"), "", "x", "alder", "\0", "\ud800", "../x", "<unk>"),
    *([], [1], ["x"], [1, 2], [[]], {}, {"a": 1}, DEEP, "ngram", "mixture", "pooled", "a" * 5000),
]


def change_json(data: bytes, chance: random.Random) -> bytes:
    """Change a document, or sometimes its bytes without parsing them."""
    if chance.random() < 0.1:
        return bytes(atheris.Mutate(data, len(data) + 100))
    root = json.loads(data)
    change_value(root, chance)
    text = json.dumps(root)
    return text.replace(f'"{DEEP}"', "[" * 10_000 + "]" * 10_000).encode()


def change_value(root: Any, chance: random.Random) -> None:
    """Replace, remove or move a value."""
    parents = [value for value in _values(root) if isinstance(value, dict | list) and value]
    parent = chance.choice(parents)
    key = chance.choice(list(parent) if isinstance(parent, dict) else range(len(parent)))
    how = chance.random()
    if how < 0.15:
        del parent[key]
    elif how < 0.3 and isinstance(parent, list):
        parent.insert(key, parent[chance.randrange(len(parent))])
    elif how < 0.4:
        parent[key] = json.loads(json.dumps(chance.choice(_values(root))))
    elif how < 0.5 and type(parent[key]) is int:
        parent[key] += chance.choice((-1, 1))
    else:
        parent[key] = chance.choice(VALUES)


def _values(root: Any) -> list[Any]:
    found, waiting = [], [root]
    while waiting:
        value = waiting.pop()
        found.append(value)
        if isinstance(value, dict | list):
            waiting += value.values() if isinstance(value, dict) else value
    return found
