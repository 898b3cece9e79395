"""Check that every regular expression of Byline takes time in proportion to the text.

``python3 scripts/slow_patterns.py`` prints each expression with its time per character for the
worst of the strings that `hostile_strings` derives from it. ``tests/test_slow_patterns.py`` runs
the same check.
"""

from __future__ import annotations

import ast
import importlib
import re
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import FunctionType
from typing import Any, NamedTuple

import regex
from hostile_strings import Hostile, HostileStrings, Pattern

SOURCE = Path(__file__).resolve().parents[1] / "src"
LENGTH = 4096  # characters of the longest string
SLOW = 0.005  # seconds; linear expressions take a tenth of it, and quadratic ones more than it
# A string eight times as long takes eight times as long in linear code and 64 times in quadratic.
FACTOR, MOST_GROWTH, CERTAIN_GROWTH = 8, 20.0, 100.0
# How often the run is repeated in the shorter strings, so that exponential time is noticed early.
REPETITIONS = (*range(2, 31, 4), 40, 50, 60, 80, 100, 150, 250, 500, 1000)
MOST_SLOW = 30  # strings that take an expression long, but linear, time; others are not tried
LONGEST_WAIT = 1.0  # seconds after which `regex` gives up; `re` cannot
_FROM_THE_START = frozenset({"match", "fullmatch"})
_ALL_PLACES = frozenset({"search", "findall", "finditer", "split", "sub", "subn"})
_LIBRARIES = {"re": re, "regex": regex}
_ALL = _ALL_PLACES | _FROM_THE_START
_PLACE_OF_FLAGS = {"compile": 1, "split": 3, "sub": 4, "subn": 4}


@dataclass(frozen=True)
class FoundPattern:
    """A regular expression of Byline.

    Attributes
    ----------
    pattern : re.Pattern or regex.Pattern
    where : str
        Module, line and name.
    methods : frozenset of str
        The methods by which Byline uses it; all if it is passed on.
    """

    pattern: Pattern
    where: str
    methods: frozenset[str]


class Timing(NamedTuple):
    """The time that one expression needs for one hostile string.

    Attributes
    ----------
    seconds : float
    length : int
        Characters of the string.
    growth : float
        How many times longer it takes than a string of an eighth of the length; 0 where it is fast.
    hostile : Hostile
    """

    seconds: float
    length: int
    growth: float
    hostile: Hostile

    @property
    def per_character(self) -> float:
        """Seconds per character."""
        return self.seconds / self.length

    @property
    def is_superlinear(self) -> bool:
        """Whether the time grows clearly faster than the length."""
        return self.growth > MOST_GROWTH


def patterns_of_byline() -> tuple[list[FoundPattern], list[str]]:
    """Return the regular expressions of all modules.

    Returns
    -------
    list of FoundPattern, list of str
        Those whose source is known when the module is imported, and the places of the others.
    """
    paths = sorted((SOURCE / "byline").rglob("*.py"))
    nodes_by_path = {
        path: list(ast.walk(ast.parse(path.read_text(encoding="utf-8")))) for path in paths
    }
    uses = Uses(nodes_by_path)
    found, unknown = list[FoundPattern](), list[str]()
    for path, nodes in nodes_by_path.items():
        if path.stem == "__main__":
            continue
        module = ".".join(path.relative_to(SOURCE).with_suffix("").parts)
        calls = list(_calls(nodes))
        if not calls:
            continue
        namespace = vars(importlib.import_module(module.removesuffix(".__init__")))
        names = _assigned_names(nodes)
        for call, library, method in calls:
            name = names.get(call, "")
            where = f"{module}:{call.lineno} {name}".strip()
            try:
                pattern = _compiled(call, _LIBRARIES[library], method, namespace)
            except NameError:  # it depends on arguments of a function
                unknown.append(where)
                continue
            methods = {method} if method != "compile" else uses.methods_of(name, path)
            found.append(FoundPattern(pattern, where, frozenset(methods)))
    known = {(each.pattern.pattern, each.pattern.flags) for each in found}
    for module, namespace in [(name, vars(each)) for name, each in sys.modules.items()]:
        if module.partition(".")[0] == "byline":
            for pattern in _held(list(namespace.values())):
                if (pattern.pattern, pattern.flags) not in known:
                    known.add((pattern.pattern, pattern.flags))
                    found.append(FoundPattern(pattern, f"{module}: {pattern.pattern!r:.40}", _ALL))
    return found, unknown


def _held(value: Any, depth: int = 5) -> Iterator[Pattern]:
    """Yield the expressions in containers, in objects of Byline and in variables of closures."""
    if isinstance(value, re.Pattern | regex.Pattern):
        yield value
    elif depth:
        inner: Iterable[Any] = ()
        if isinstance(value, Mapping):
            inner = value.values()
        elif isinstance(value, list | tuple | set | frozenset):
            inner = value
        elif isinstance(value, FunctionType):
            inner = [cell.cell_contents for cell in value.__closure__ or ()]
        elif type(value).__module__.startswith("byline."):
            inner = [getattr(value, name, None) for name in _attributes(value)]
        for each in inner:
            yield from _held(each, depth - 1)


def _attributes(value: Any) -> list[str]:
    return [*getattr(type(value), "__slots__", ()), *getattr(value, "__dict__", ())]


def _calls(nodes: Iterable[ast.AST]) -> Iterator[tuple[ast.Call, str, str]]:
    """Yield the calls of `re` and `regex` with a regular expression: call, library, function."""
    for node in nodes:
        match node:
            case ast.Call(func=ast.Attribute(value=ast.Name(id="re" | "regex" as lib), attr=name)):
                if name in _ALL_PLACES | _FROM_THE_START | {"compile"}:
                    yield node, lib, name


def _compiled(call: ast.Call, library: Any, method: str, namespace: dict[str, Any]) -> Pattern:
    def value(node: ast.expr) -> Any:
        return eval(compile(ast.Expression(node), "<pattern>", "eval"), namespace)  # noqa: S307

    place = _PLACE_OF_FLAGS.get(method, 2)
    flags = [keyword.value for keyword in call.keywords if keyword.arg == "flags"]
    flags += call.args[place : place + 1]
    return library.compile(value(call.args[0]), value(flags[0]) if flags else 0)


def _assigned_names(nodes: Iterable[ast.AST]) -> dict[ast.expr, str]:
    """Return the names of the variables to which expressions are assigned."""
    names: dict[ast.expr, str] = {}
    for node in nodes:
        if isinstance(node, ast.Assign):
            for target in node.targets:
                pairs = [(target, node.value)]
                if isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple):
                    pairs = list(zip(target.elts, node.value.elts, strict=True))
                names |= {value: each.id for each, value in pairs if isinstance(each, ast.Name)}
    return names


class Uses:
    """Where variables are used, and which of their attributes.

    Parameters
    ----------
    nodes_by_path : dict of Path to list of ast.AST
        All nodes of each module.
    """

    def __init__(self, nodes_by_path: Mapping[Path, Sequence[ast.AST]]) -> None:
        self._by_name: dict[str, set[tuple[Path, str]]] = {}
        self._by_path: dict[Path, set[tuple[str, str]]] = {}
        for path, nodes in nodes_by_path.items():
            used = self._by_path[path] = set(_uses(nodes))
            for name, attribute in used:
                self._by_name.setdefault(name, set()).add((path, attribute))

    def methods_of(self, name: str, path: Path) -> set[str]:
        """Return the methods by which an expression is used; all where that is not known.

        An expression that is passed on is used by the methods of variables of the same module.
        """
        used = {
            attribute
            for module, attribute in self._by_name.get(name, ())
            if module == path or not name.startswith("_")
        } - {"pattern", "flags"}
        if not used <= _ALL:
            used |= {
                attribute
                for each, attribute in self._by_path[path]
                if each.islower() and attribute in _ALL - {"split"}
            }
        return (used & _ALL) or set(_ALL_PLACES)


def _uses(nodes: Iterable[ast.AST]) -> Iterator[tuple[str, str]]:
    """Yield the name and the attribute of each use of a variable; "" without one."""
    with_attribute, alone = set(), list[ast.Name]()
    for node in nodes:
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name | ast.Attribute):
            value = node.value
            with_attribute.add(value)
            yield value.id if isinstance(value, ast.Name) else value.attr, node.attr
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            alone.append(node)
    yield from ((node.id, "") for node in alone if node not in with_attribute)


def slowest(found: FoundPattern) -> Timing:
    """Return the worst timing of an expression, or the first one that is superlinear."""
    worst = Timing(0.0, 1, 0.0, Hostile("", "", ""))
    run, n_slow = _runner(found), 0
    for hostile in HostileStrings(found.pattern):
        timing = _timing(run, found.pattern, hostile)
        worst = max(
            worst, timing, key=lambda each: (each.is_superlinear, each.seconds / each.length)
        )
        n_slow += timing.growth > 0
        if worst.is_superlinear or n_slow == MOST_SLOW:
            break
    return worst


def _runner(found: FoundPattern) -> Callable[[Any], float]:
    """Return a function that measures one use of an expression, in seconds."""
    pattern = found.pattern
    limit = {} if isinstance(pattern, re.Pattern) else {"timeout": LONGEST_WAIT}
    anchored = [getattr(pattern, method) for method in found.methods & _FROM_THE_START]

    def run(text: Any) -> float:
        start = time.thread_time()
        try:
            for method in anchored:
                method(text, **limit)
            if found.methods & _ALL_PLACES:
                for _ in pattern.finditer(text, **limit):
                    pass
        except TimeoutError:
            return LONGEST_WAIT
        return time.thread_time() - start

    return run


def _timing(run: Callable[[Any], float], pattern: Pattern, hostile: Hostile) -> Timing:
    def text(times: int) -> Any:
        made = hostile.before + hostile.run * times + hostile.after
        return made.encode("latin-1", "replace") if isinstance(pattern.pattern, bytes) else made

    def seconds_of(times: int, n_runs: int) -> float:
        # Other programs slow the processor down: only the shortest of several times counts.
        return min(run(text(times)) for _ in range(n_runs))

    def timing(seconds: float, times: int, growth: float) -> Timing:
        return Timing(seconds, len(text(times)), growth, hostile)

    longest = max(3, LENGTH // len(hostile.run))
    if not isinstance(pattern, re.Pattern):
        seconds = seconds_of(longest, 1)
        if seconds <= SLOW:
            return timing(seconds, longest, 0.0)
        growth = seconds / seconds_of(max(1, longest // FACTOR), 2)
        if growth <= MOST_GROWTH and seconds < LONGEST_WAIT:
            return timing(seconds, longest, growth)
    for times in [*(each for each in REPETITIONS if each < longest), longest]:
        seconds = seconds_of(times, 1)
        if SLOW < seconds < LONGEST_WAIT:
            seconds = min(seconds, seconds_of(times, 1))
        if seconds > SLOW:
            return timing(seconds, times, _growth(seconds_of, seconds, times))
    return timing(seconds, longest, 0.0)


def _growth(seconds_of: Callable[[int, int], float], seconds: float, times: int) -> float:
    """Return how many times longer a slow string takes than one of an eighth of its length."""
    short = max(1, times // FACTOR)
    growth = seconds / seconds_of(short, 2)
    if growth > MOST_GROWTH and seconds < LONGEST_WAIT:
        growth = seconds_of(times, 4) / seconds_of(short, 4)
    if MOST_GROWTH < growth < CERTAIN_GROWTH and seconds < LONGEST_WAIT / 25:
        # Below the limit of a repetition such as {0,80}, linear time looks quadratic.
        longer = seconds_of(FACTOR * times, 1)
        growth = longer / seconds_of(times, 2)
        if longer < LONGEST_WAIT and MOST_GROWTH < growth < 2 * MOST_GROWTH:  # not clear yet
            growth = min(growth, seconds_of(FACTOR * times, 1) / seconds_of(times, 2))
    return growth


def main() -> None:
    """Print every expression, the slowest first, and fail if one is superlinear."""
    found, unknown = patterns_of_byline()
    timings = [(slowest(each), each) for each in found]
    timings.sort(key=lambda pair: -pair[0].per_character)
    print("| regular expression | microseconds per character | growth | worst string |")
    print("|---|---:|---:|---|")
    for timing, each in timings:
        growth = f"{timing.growth:.0f}" if timing.growth else ""
        shown = repr(tuple(timing.hostile))[:60].replace("|", r"\|")
        print(f"| {each.where} | {1e6 * timing.per_character:.3f} | {growth} | `{shown}` |")
    print(f"\n{len(found)} regular expressions were checked; made by functions: {unknown}")
    sys.exit(any(timing.is_superlinear for timing, _ in timings))


if __name__ == "__main__":
    main()
