"""Derive strings from a regular expression for which a matcher with backtracking may be slow.

A matcher takes more than linear time only if it can read a run of characters in several ways, or
if it reads the same run again from each of its positions. Such a run repeats what some part of the
expression matches. The expression is therefore parsed, and every repetition in it gives strings
that begin with what stands before it, repeat what it matches, and end with something else.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import regex

# A `re.Pattern` or a `regex.Pattern`.
Pattern = Any

# At least one character of each kind that expressions about texts distinguish.
_CHARACTERS = (
    "aA10ivxlcbdfe \n\t\r\x0c.-'\"<>&;:/=!?,()[]{}*_#@+~|$%^\\`\x01\x02\x03\x85\u00a0\u00a9\u00ad"
    "\u00c3\u00e9\u0301\u05d0\u0627\u0660\u0e01\u2014\u2019\u201c\u201d\u2022\u2028\u200d\u3002"
    "\u4e2d\ue000\ufffd\U0001f1e9\U0001f600"
)
# Runs that take some implementations of Unicode's rules long.
_UNICODE_RUNS = ("\U0001f1e9", "\u0301", "\U0001f469\u200d", "\u1100", "\u0915\u094d")
_MANY = 20  # a repetition of up to so many characters is a constant
_MOST_CHARACTERS = 12
_MOST_OPTIONS = 6


class Hostile(NamedTuple):
    """A string that is to be made long: ``before + run * n + after``."""

    before: str
    run: str
    after: str


@dataclass(frozen=True)
class _Characters:
    """Something that matches one character: a letter, an escape or a class."""

    source: str


@dataclass(frozen=True)
class _Sequence:
    parts: Sequence[Any]


@dataclass(frozen=True)
class _Options:
    options: Sequence[Any]


@dataclass(frozen=True)
class _Repetition:
    body: Any
    least: int
    most: float


@dataclass(frozen=True)
class _Condition:
    """A lookaround, which matches no characters but may contain a repetition."""

    body: Any


_QUANTIFIER = re.compile(r"(?:[*+?]|\{\d+(?:,\d*)?\}|\{,\d+\})[?+]?")
_ESCAPE = re.compile(r"\\(?:[pPN]\{[^}]*\}|x[\da-fA-F]{2}|u[\da-fA-F]{4}|U[\da-fA-F]{8}|.)", re.S)
_POSITIONS = frozenset({"^", "$", r"\A", r"\Z", r"\b", r"\B", r"\G"})
_OPENING = re.compile(
    r"\((?:\?(?:(?P<look><?[=!])|P?<\w+>|P=\w+|[:>|]|[A-Za-z0-9-]+:|[A-Za-z0-9-]+(?=\))))?"
)


class _Parser:
    """A parser of the syntax that `re` and `regex` share, as far as Byline uses it."""

    def __init__(self, source: str, *, has_nested_classes: bool) -> None:
        self._source, self._place = source, 0
        self._has_nested_classes = has_nested_classes

    def parse(self) -> Any:
        tree = self._options()
        if self._place != len(self._source):
            raise ValueError(f"{self._source!r} is not understood after {self._place} characters")
        return tree

    def _next(self) -> str:
        return self._source[self._place : self._place + 1]

    def _take(self, pattern: re.Pattern[str]) -> re.Match[str]:
        found = pattern.match(self._source, self._place)
        if found is None:
            raise ValueError(f"{self._source!r} is not understood at {self._place}")
        self._place = found.end()
        return found

    def _options(self) -> Any:
        options = [self._sequence()]
        while self._next() == "|":
            self._place += 1
            options.append(self._sequence())
        return options[0] if len(options) == 1 else _Options(options)

    def _sequence(self) -> _Sequence:
        parts = []
        while self._next() and self._next() not in "|)":
            parts.append(self._repeated(self._single()))
        return _Sequence(parts)

    def _repeated(self, body: Any) -> Any:
        while _QUANTIFIER.match(self._source, self._place):
            least, most = _limits(self._take(_QUANTIFIER)[0])
            body = _Repetition(body, least, most)
        return body

    def _single(self) -> Any:
        character = self._next()
        if character == "(":
            return self._group()
        if character == "[":
            return _Characters(self._class())
        if character == "\\":
            source = self._take(_ESCAPE)[0]
        else:
            source = character if character in ".^$" else re.escape(character)
            self._place += 1
        return _Sequence([]) if source in _POSITIONS else _Characters(source)

    def _group(self) -> Any:
        opening = self._take(_OPENING)
        body = self._options()
        self._place += 1
        return _Condition(body) if opening["look"] else body

    def _class(self) -> str:
        start = self._place
        self._place += 2 if self._source.startswith("[^", start) else 1
        first = self._place
        while self._next() != "]" or self._place == first:
            if self._next() == "[" and self._has_nested_classes:
                self._class()
            elif self._next() == "\\":
                self._take(_ESCAPE)
            else:
                self._place += 1
        self._place += 1
        return self._source[start : self._place]


def _limits(quantifier: str) -> tuple[int, float]:
    quantifier = quantifier[:1] + quantifier[1:].rstrip("?+")
    if quantifier in ("*", "+", "?"):
        return int(quantifier == "+"), 1 if quantifier == "?" else float("inf")
    least, comma, most = quantifier.strip("{}").partition(",")
    return int(least or 0), float(most or "inf") if comma else int(least)


class HostileStrings:
    """The hostile strings of one regular expression.

    Parameters
    ----------
    pattern : re.Pattern or regex.Pattern
        Compiled, for strings or for bytes.
    """

    def __init__(self, pattern: Pattern) -> None:
        library = re if isinstance(pattern, re.Pattern) else regex
        flags = pattern.flags & (library.I | library.S | library.M)
        has_nested_classes = library is regex and bool(pattern.flags & regex.V1)
        source = pattern.pattern
        self._is_binary = isinstance(source, bytes)
        text = source.decode("latin-1") if isinstance(source, bytes) else source
        self._tree = _Parser(text, has_nested_classes=has_nested_classes).parse()
        if has_nested_classes:
            flags |= regex.V1
        sources = dict.fromkeys(_sources(self._tree))
        matchers = {each: self._matcher(each, library, flags) for each in sources}
        characters = dict.fromkeys(_CHARACTERS + text)
        allowed = [each for each in characters if not self._is_binary or ord(each) < 256]
        self._by_source = _representatives(matchers, allowed)
        matched = list(itertools.chain(*self._by_source.values()))
        self._characters = sorted(dict.fromkeys(matched), key=lambda each: -matched.count(each))

    def _matcher(self, source: str, library: Any, flags: int) -> Callable[[str], bool]:
        if self._is_binary:
            binary = library.compile(source.encode("latin-1"), flags)
            return lambda character: bool(binary.fullmatch(character.encode("latin-1")))
        plain = library.compile(source, flags)
        return lambda character: bool(plain.fullmatch(character))

    def __iter__(self) -> Iterator[Hostile]:
        """Yield each string once."""
        pairs = dict.fromkeys(self._pairs())
        ends = ("", "\0")
        yield from (Hostile(*pair, end) for pair in pairs if pair[1] for end in ends)

    def _pairs(self) -> Iterator[tuple[str, str]]:
        """Yield what is to be repeated, and what stands before it."""
        few = self._characters[:_MOST_CHARACTERS]
        yield from (("", run) for run in few)
        yield from (("", run) for run in _UNICODE_RUNS if not self._is_binary)
        yield from (("", a + b) for a, b in itertools.permutations(few[: _MOST_CHARACTERS // 2], 2))
        for example in self._examples(self._tree):
            yield from (("", example[:end]) for end in (len(example), -1, len(example) // 2))
        for before, body in self._repetitions(self._tree):
            examples = list(dict.fromkeys(self._examples(body)))
            for run in [*examples, "".join(examples), *few[:5]]:
                yield before, run
            yield from (("", before + run) for run in ["", *examples])

    def _examples(self, node: Any) -> Iterator[str]:
        """Yield strings that the expression matches, apart from its conditions."""
        n_options = min(_MOST_OPTIONS, _n_options(node))
        for which, option in itertools.product((0, 1, 2, -1), range(n_options)):
            yield self._example(node, which, option)

    def _example(self, node: Any, which: int = 0, option: int = 0) -> str:
        """Return a string; the first characters are those that most parts of it match."""
        match node:
            case _Characters(source):
                found = self._by_source[source]
                return found[min(which, len(found) - 1)] if found else ""
            case _Sequence(parts):
                return "".join(self._example(part, which, option) for part in parts)
            case _Options(options):
                return self._example(options[min(option, len(options) - 1)], which, option)
            case _Repetition(body, least, _):
                return self._example(body, which, option) * max(least, 1 - option % 2)
        return ""

    def _repetitions(self, node: Any) -> Iterator[tuple[str, Any]]:
        """Yield the body of each repetition, and strings that lead to it."""
        match node:
            case _Sequence(parts):
                for place, part in enumerate(parts):
                    leading = _Sequence(parts[:place])
                    befores = {self._example(leading, 0, option) for option in (0, 1)}
                    for before, (inner, body) in itertools.product(
                        sorted(befores), self._repetitions(part)
                    ):
                        yield before + inner, body
            case _Options(options):
                for each in options:
                    yield from self._repetitions(each)
            case _Repetition(body, _, most):
                if most > _MANY:
                    yield "", body
                yield from self._repetitions(body)
            case _Condition(body):
                yield from self._repetitions(body)


def _sources(node: Any) -> Iterator[str]:
    match node:
        case _Characters(source):
            yield source
        case _Sequence(nodes) | _Options(nodes):
            for each in nodes:
                yield from _sources(each)
        case _Repetition(body, _, _) | _Condition(body):
            yield from _sources(body)


def _n_options(node: Any) -> int:
    match node:
        case _Options(nodes):
            return max(len(nodes), *map(_n_options, nodes))
        case _Sequence(nodes):
            return max(map(_n_options, nodes), default=1)
        case _Repetition(body, _, _) | _Condition(body):
            return _n_options(body)
    return 1


def _representatives(
    matchers: dict[str, Callable[[str], bool]], characters: Sequence[str]
) -> dict[str, list[str]]:
    """Return, for each source, one character per set of sources that match it; overlaps first."""
    by_sources: dict[frozenset[str], str] = {}
    for character in characters:
        matching = frozenset(source for source, matches in matchers.items() if matches(character))
        by_sources.setdefault(matching, character)
    order = sorted(by_sources, key=lambda sources: -len(sources))
    return {
        source: [by_sources[sources] for sources in order if source in sources]
        for source in matchers
    }
