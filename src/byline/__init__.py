"""Byline answers "who wrote this?" with language models and n-grams of candidate authors.

The functions are imported when they are first used, so that ``import byline`` is fast.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from byline.library import attribute, evaluate, load, train, verify

__version__ = "0.1.0"

__all__ = ["attribute", "evaluate", "load", "train", "verify"]


def __getattr__(name: str) -> Any:
    if name in __all__:
        from byline import library

        return getattr(library, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
