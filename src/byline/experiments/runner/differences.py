"""What differs between two JSON documents, in words."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

LONGEST = 70
_NOTHING = object()


def differences(old: Any, new: Any, where: str) -> list[str]:
    """Say what differs, a place each: ``models.kn4.settings.order: 4 there, 5 here``.

    Parameters
    ----------
    old, new : JSON values
        Mappings are gone into; all else is compared whole.
    where : str
        The place they are at.
    """
    return list(_differences(old, new, where))


def _differences(old: Any, new: Any, where: str) -> Iterator[str]:
    if isinstance(old, Mapping) and isinstance(new, Mapping):
        for key in dict.fromkeys([*old, *new]):
            place = f"{where}.{key}" if where else str(key)
            yield from _differences(old.get(key, _NOTHING), new.get(key, _NOTHING), place)
    elif old != new:
        yield f"{where}: {_shown(old)} there, {_shown(new)} here"


def _shown(value: Any) -> str:
    if value is _NOTHING:
        return "nothing"
    text = json.dumps(value)
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}..."
