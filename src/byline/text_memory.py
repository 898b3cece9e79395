"""Remember what was computed from the last texts: each block and fold splits them again."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

Result = TypeVar("Result")


class TextMemory(Generic[Result]):
    """A function of a text that remembers its last results.

    Parameters
    ----------
    function : callable
        A function of a text, and of other arguments that can be hashed. Its results must not be
        changed.
    most_characters : int
        Of all remembered texts together. When they are exceeded, all results are forgotten.

    Examples
    --------
    >>> from byline.text_memory import TextMemory
    >>> split = TextMemory(str.split)
    >>> split("one two")
    ['one', 'two']
    >>> split("one two") is split("one two")
    True
    """

    def __init__(self, function: Callable[..., Result], most_characters: int = 2_000_000) -> None:
        self._function = function
        self.most_characters = most_characters
        self._results: dict[tuple[Hashable, ...], Result] = {}
        self._n_characters = 0

    def __call__(self, text: str, *arguments: Hashable) -> Result:
        """Return the function's result."""
        key = (text, *arguments)
        results = self._results  # another thread may forget them meanwhile
        if key in results:
            return results[key]
        result = self._function(text, *arguments)
        if len(text) <= self.most_characters:
            self._n_characters += len(text)
            if self._n_characters > self.most_characters:
                self._results, self._n_characters = {}, len(text)
            self._results[key] = result
        return result
