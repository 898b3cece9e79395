"""Choose rules of normalisation, apply them, and list what they changed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Self

from byline.errors import UsageError
from byline.typography.characters import replace_entities
from byline.typography.headings import remove_headings
from byline.typography.markup import remove_italics
from byline.typography.rules import PRESETS, RULES

_MAX_PASSES = 4
# A single asterisk may have a partner now that a dash, or the end of a line, between them is gone;
# an entity may be complete without a character that nobody sees; joined lines may be ornaments.
_AGAIN = (
    ("italics", remove_italics),
    ("entities", replace_entities),
    ("headings", remove_headings),
)
_N_EXAMPLES = 5
_CONTEXT = 12  # characters on both sides of an example
_WINDOW = 64  # characters within which two texts must agree again
_AGREEMENT = 2  # characters that show that they do


@dataclass(frozen=True, slots=True)
class RuleChange:
    """What one rule changed in a text.

    Attributes
    ----------
    rule : str
        The name of the rule.
    number : int
        The number of places that it changed.
    examples : tuple of (str, str)
        The first few places with some characters around them, before and after the change.

    Examples
    --------
    >>> Normalization.parse("edition").changes("Loſt")
    [RuleChange(rule='long-s', number=1, examples=(('Loſt', 'Lost'),))]
    """

    rule: str
    number: int
    examples: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Normalization:
    r"""A set of rules that remove what an editor, a publisher or a file format decides.

    Parameters
    ----------
    rules : frozenset of str
        Names of `RULES`.

    Examples
    --------
    >>> edition = Normalization.parse("edition")
    >>> edition.apply("\u201cIt\u2019s late\u2026\u201d")
    '"It\'s late..."'
    >>> print(Normalization.parse("none,spaces,long-s"), Normalization.parse("edition,-headings"))
    none,long-s,spaces edition,-headings
    """

    rules: frozenset[str] = field(default_factory=lambda: PRESETS["edition"])

    def __post_init__(self) -> None:
        _check_names(self.rules)

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read a preset, followed by names of rules to add, or with ``-`` to leave out.

        Raises
        ------
        UsageError
            If the first name is no preset, or another name is no rule.
        """
        if not isinstance(text, str):
            raise UsageError(f"normalization must be a string such as 'edition', not {text!r}")
        preset, *names = (name.strip() for name in text.split(","))
        if preset not in PRESETS:
            raise UsageError(
                f"normalization {text!r} does not begin with a preset; choose one of: "
                f"{', '.join(PRESETS)}; then add or remove rules, as in 'edition,-headings'"
            )
        rules = set(PRESETS[preset])
        _check_names(name.removeprefix("-") for name in names)
        for name in names:
            if name.startswith("-"):
                rules.discard(name[1:])
            else:
                rules.add(name)
        return cls(frozenset(rules))

    def __str__(self) -> str:
        """Return the shortest list that `parse` reads as these rules."""
        preset = min(PRESETS, key=lambda name: len(PRESETS[name] ^ self.rules))
        names = [preset]
        for name in RULES:
            if name in self.rules - PRESETS[preset]:
                names.append(name)
            elif name in PRESETS[preset] - self.rules:
                names.append(f"-{name}")
        return ",".join(names)

    def with_rules(self, names: Iterable[str]) -> Self:
        """Return a normalisation that has these rules, too."""
        return type(self)(self.rules | frozenset(names))

    def apply(self, text: str) -> str:
        """Return the normalised text.

        Parameters
        ----------
        text : str
            A text that has one paragraph per line.

        Returns
        -------
        str
            Normalising it again does not change it.
        """
        for _ in range(_MAX_PASSES):
            before = text
            for name, rule in RULES.items():
                if name in self.rules:
                    text = rule.function(text)
            # What a later rule removes may separate a letter from its accent, for example.
            is_final = text.isascii() or text == before
            if is_final and not any(
                name in self.rules and again(text) != text for name, again in _AGAIN
            ):
                break
        return text

    def changes(self, text: str) -> list[RuleChange]:
        """List the rules that change a text, with counts and examples."""
        found = []
        for name, rule in RULES.items():
            if name in self.rules:
                changed = rule.function(text)
                if changed != text:
                    found.append(_change(name, text, changed))
                text = changed
        return found


def _check_names(names: Iterable[str]) -> None:
    for name in names:
        if name not in RULES:
            raise UsageError(
                f"normalization rule {name!r} is unknown; choose from: {', '.join(RULES)}"
            )


def _change(name: str, before: str, after: str) -> RuleChange:
    number = 0
    examples: list[tuple[str, str]] = []
    for (start, end), (new_start, new_end) in _differences(before, after):
        number += 1
        if len(examples) < _N_EXAMPLES:
            examples.append(
                (
                    before[max(0, start - _CONTEXT) : end + _CONTEXT],
                    after[max(0, new_start - _CONTEXT) : new_end + _CONTEXT],
                )
            )
    return RuleChange(name, number, tuple(examples))


Span = tuple[int, int]


def _differences(before: str, after: str) -> Iterator[tuple[Span, Span]]:
    """Find the spans in which two texts differ, in linear time.

    After a difference, the texts must agree again within a window; otherwise the difference
    extends to the end of the line.
    """
    i = j = 0
    while True:
        same = _common_prefix(before, i, after, j)
        i, j = i + same, j + same
        if i == len(before) and j == len(after):
            return
        start, new_start = i, j
        i, j = _agreement(before, i, after, j)
        yield (start, i), (new_start, j)


def _common_prefix(before: str, i: int, after: str, j: int) -> int:
    length, step = 0, 32
    while step:
        a = before[i + length : i + length + step]
        if a and a == after[j + length : j + length + step]:
            length += len(a)
            step *= 2
        else:
            step //= 2
    return length


def _agreement(before: str, i: int, after: str, j: int) -> Span:
    """Return the nearest positions from which both texts agree for a few characters."""
    for distance in range(1, _WINDOW):
        for skipped in range(distance + 1):
            a, b = i + distance - skipped, j + skipped
            probe = before[a : a + _AGREEMENT]
            if probe and probe == after[b : b + _AGREEMENT]:
                return a, b
    return _next_line(before, i), _next_line(after, j)


def _next_line(text: str, position: int) -> int:
    end = text.find("\n", position)
    return len(text) if end < 0 else end + 1
