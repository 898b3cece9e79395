"""Every number that a page shows is in the dictionary of the report.

A page is made from several copies of a dictionary, in which each number is changed by an amount of
its own. A number on the page comes from an entry of the dictionary if the entry has the shown value
in all copies. Two entries would hardly have the same value in all of them by chance.

The sentences about an answer are written again for each copy, so that their numbers are compared
with the entries too. There are three exceptions: numbers in other strings of the dictionary, such
as names, versions and settings; what pages compute from entries (see `derived`, which repeats the
arithmetic); and the numbers of explanations (see `EXPLANATIONS`, the list of terms, and the list of
sources). The axes of charts are not examined, but their tooltips are.
"""

from __future__ import annotations

import math
import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import fields
from functools import partial
from html.parser import HTMLParser
from itertools import combinations, islice
from typing import Any, NamedTuple
from zlib import crc32

import pytest

from byline.attribution.open_set import ErrorRate, OpenSetDecision
from byline.formatting import typographic
from byline.report import case_html, evaluation_html
from byline.report.case_sentences import (
    answer_sentence,
    contributions_sentence,
    likelihood_ratio_sentence,
)
from byline.report.explanation import explanation_html
from byline.report.group_keywords import group_keywords_html
from byline.report.html import SCRIPT_ELEMENT
from byline.report.joint_verification_case import _findings, joint_verification_case_html
from byline.report.open_set import open_set_html
from byline.report.propositions import findings_sentence, interval_sentence, probability_sentence
from byline.report.similarity import similarity_html
from byline.report.verification_case import verification_case_html

Summary = dict[str, Any]

PAGES: Mapping[str, Callable[[Summary], str]] = {
    "case": case_html,
    "comparison": similarity_html,
    "evaluation": evaluation_html,
    "explanation": explanation_html,
    "keywords": group_keywords_html,
    "joint": joint_verification_case_html,
    "open_set": open_set_html,
    "verification": verification_case_html,
}
N_COPIES, MOST_COPIES = 4, 12
LARGEST_LOG10, LARGEST_WITH_DECIMALS = 9, 30
LONGEST_NUMBER = 5  # characters of a string in the dictionary that may be a number
MINUS = "\N{MINUS SIGN}"
NUMBER = re.compile(rf"(?<![\w.])[+{MINUS}-]?\d+(?:,\d\d\d)*(?:\.\d+)?(?!\w|\.\d)")
UNIT = re.compile(r"(?: to [\d.]+)? (%|times)")
INLINE = {"a", "b", "bdi", "br", "code", "i", "span", "sub"}
# They are places in lists, and are not shown.
UNCHANGED = re.compile(
    r"schema$|\.decimals$|\.length_row$|\.tree\.order|\.tree\.joins\[\d+\]\.(first|second)$"
)
# Which of them are equal, and their order, decides which lines are shown.
SCALED = re.compile(
    r"\.matrix\[|\.orders\[|\.(start|end|sentence|from|to|number|n_sentences)$"
    r"|\.n_known$|\.without_known_texts\.n$"
)
EXPLANATIONS = re.compile(
    "|".join(
        [
            r"9[05] % (interval|of sentences)",
            r"the strongest 5 % are dark, the next 15 % medium, and the next 30 % light",
            r"more than 99\.9 %",  # a bound in place of the probability
            r"less than 0\.1 %",
            r"\D(19|20)\d\d[;).]",  # the year of a publication
            r"SHA-256|UTF-8",
            r"(below|above|likelihood ratio) 1\b|: 1 means no information",
            r"per 10?,000",
            r"a factor of 2\.7",  # Euler's number
            r"\w=[\d.]+",  # a setting, which the dictionary has as a string
            r"A log ratio of 1 means twice as often, of 2 four times|over parts of about 500 words",
            r"is [01] for an? [\w ]+ and [01] for|near 1 often belongs",  # scales of dispersion
        ]
    )
)


class Block(NamedTuple):
    """A paragraph or a cell of a table, and the numbers in it."""

    text: str
    numbers: list[re.Match[str]]

    @property
    def form(self) -> str:
        return NUMBER.sub("0", self.text)


class _Text(HTMLParser):
    """What a person reads on a page, with tooltips, and without terms, sources and axes."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.texts = [""]
        self._open: list[str] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        named = dict(attrs)
        if tag not in {"br", "meta"}:
            self._open.append("terms" if named.get("class") in {"glossary", "references"} else tag)
        if tag == "br":
            self.texts[-1] += " "
        if tag not in INLINE:
            self.texts.append("")
        if title := named.get("title"):
            self.texts[-1] += f" ({title}) "

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        pass

    def handle_endtag(self, tag: str) -> None:
        self._open.pop()

    def handle_data(self, data: str) -> None:
        is_axis = "svg" in self._open and "title" not in self._open
        if not is_axis and not {"style", "terms", "footer"} & {*self._open}:
            self.texts[-1] += data


def blocks_of(html: str) -> list[Block]:
    texts = (" ".join(text.split()) for text in _Text(html).texts)
    return [Block(text, found) for text in texts if (found := [*NUMBER.finditer(text)])]


def altered(value: Any, copy: int, place: str = "") -> Any:
    """Copy a dictionary, and change each of its numbers by a small amount."""
    if isinstance(value, dict):
        return {key: altered(entry, copy, f"{place}.{key}") for key, entry in value.items()}
    if isinstance(value, list):
        return [altered(entry, copy, f"{place}[{index}]") for index, entry in enumerate(value)]
    if not isinstance(value, int | float) or isinstance(value, bool) or UNCHANGED.search(place):
        return value
    if SCALED.search(place):
        return value * (copy + 2)
    amount = crc32(f"{copy} {place}".encode()) / 2**32
    if isinstance(value, float):
        return value * (1 - 0.05 * amount)
    return value and value + 1 + int(amount * max(3, value // 4))


def numbers_in(value: Any, place: str = "") -> Iterator[tuple[str, float]]:
    """Yield the place and the value of each number."""
    if isinstance(value, dict):
        for key, entry in value.items():
            yield from numbers_in(entry, f"{place}.{key}")
    elif isinstance(value, list):
        for index, entry in enumerate(value):
            yield from numbers_in(entry, f"{place}[{index}]")
    elif isinstance(value, int | float) and not isinstance(value, bool):
        yield place, value


def strings_in(value: Any) -> Iterator[str]:
    """Yield the strings with numbers, as pages show them."""
    if isinstance(value, dict | list):
        for entry in value.values() if isinstance(value, dict) else value:
            yield from strings_in(entry)
    elif isinstance(value, str) and NUMBER.search(value):
        yield " ".join(typographic(value).split())


def derived(summary: Summary) -> Iterator[tuple[str, float]]:
    """Yield what pages compute from the entries of a dictionary, so that it is checked too."""
    for index, entry in enumerate(summary.get("questioned", ())):
        own = {f"text {index}": entry}
        own |= {f"text {index}, {name}": each for name, each in entry.get("separate", {}).items()}
        for place, answer in own.items():
            for part in (_from_evidence, _from_scale, _from_simulated_cases):
                yield from ((f"{name}, {place}", value) for name, value in part(answer))
        yield from ((f"{name}, text {index}", value) for name, value in _from_joint(entry))
    if candidates := summary.get("candidates"):
        yield "number of candidates", len(candidates)
        yield "guessing", 1 / len(candidates)
    if simulated := summary.get("simulated"):
        yield "guessing in simulated cases", 1 / simulated["reference"]["n_candidates"]
    if material := summary.get("material"):
        yield "words of all texts", sum(each["n_words"] for each in material)
        yield "number of all texts", len(material)
    yield from _from_evaluation(summary)
    yield from _from_group_keywords(summary)
    if "rolling" in summary and (part := summary["evidence"]):
        yield "words", part["log_lr"] - part["constant"] - part["length_log_lr"]
    if evaluation := summary.get("evaluation"):
        yield "known texts", evaluation["n_documents"] - evaluation["n_questioned"]
        yield from _from_evaluation(evaluation)
        for index, entry in enumerate(summary["questioned"]):
            yield from ((f"{name}, text {index}", value) for name, value in _from_ranking(entry))


def _from_group_keywords(summary: Summary) -> Iterator[tuple[str, float]]:
    for kind in ("preferred", "avoided"):
        listed = summary.get(kind, [])
        yield f"number of {kind} keywords that are listed", len(listed)
        for place, each in enumerate(listed):
            yield f"absolute log ratio of {kind} keyword {place}", abs(each["log_ratio"])


def _from_evaluation(summary: Summary) -> Iterator[tuple[str, float]]:
    if comparison := summary.get("comparison"):
        yield "accuracy of the evaluated method", comparison["n_correct"] / comparison["n"]
    for length, row in enumerate([summary, *summary.get("by_length", ())]):
        for author, counts in enumerate(row.get("confusion", {}).get("matrix", ())):
            yield f"texts by author {author}, length {length}", sum(counts)


def _from_ranking(entry: Summary) -> Iterator[tuple[str, float]]:
    fits = [each["log_likelihood_per_token"] for each in entry["ranking"]]
    for rank, fit in enumerate(fits, start=1):
        yield f"rank {rank}", rank
        yield f"difference to the best of rank {rank}", fits[0] - fit


def _from_joint(entry: Summary) -> Iterator[tuple[str, float]]:
    """Yield how much more probable the text is under one proposition than under another."""
    ratios = {author: own["log10_lr"] for author, own in entry.get("separate", {}).items()}
    if None not in ratios.values():
        for (first, ratio), (second, other) in combinations({**ratios, "nobody": 0.0}.items(), 2):
            yield f"ratio of {first} to {second}", ratio - other


def _from_evidence(entry: Summary) -> Iterator[tuple[str, float]]:
    if part := entry.get("explanation"):
        yield "words", part["log_lr"] - part["constant"] - part["length_log_lr"]
    if part := (entry.get("evidence") or {}).get("words"):
        yield "words", part["log_lr"] - part["constant"]
    if entry.get("sentences"):
        yield "probability of H1", 1 / (1 + 10 ** -entry["log10_lr"])


def _from_scale(entry: Summary) -> Iterator[tuple[str, float]]:
    for number, step in enumerate(entry.get("verbal_scale") or ()):
        for name in ("low", "high"):
            yield f"{name} ratio of step {number}", round(10 ** (step[name] or 0))


def _from_simulated_cases(entry: Summary) -> Iterator[tuple[str, float]]:
    found = entry.get("simulated")
    if not found:
        return
    yield "simulated cases", found["n_same"] + found["n_different"]
    if alike := found["alike"]:
        yield "similar cases", alike["n_same"] + alike["n_different"]
    for kind, row in found["outcomes"].items():
        for name in ("right", "wrong", "withheld"):
            yield f"share of {name}, {kind}", row[name] / row["n"]


def rewritten(summary: Summary) -> Summary:
    """Write the sentences about the answers of a dictionary again, from its numbers."""
    if "questioned" not in summary:
        return summary
    write: Callable[[Summary], Summary]
    if "labels_of" in summary:
        write = partial(_sentences_of_joint, labels=summary["labels_of"])
    elif "evaluation" in summary:  # its answers have no sentences
        return summary
    else:
        is_verification = "reference" in summary
        write = _sentences_of_verification if is_verification else _sentences_of_attribution
    return summary | {"questioned": [entry | write(entry) for entry in summary["questioned"]]}


def _sentences_of_attribution(entry: Summary) -> Summary:
    if answer := entry["open_set"]:
        known = {each.name: answer[each.name] for each in fields(OpenSetDecision)}
        rates = {name: ErrorRate(**known[name]) for name in known if name.endswith("attributions")}
        decision = OpenSetDecision(**known | rates)
        sentences = ("finding", "basis", "sentence")
        answer = answer | {name: getattr(decision, name) for name in sentences}
        entry = entry | {"open_set": answer}
        if entry["declined"] and not answer["accepted"]:
            entry |= {"declined": decision.sentence}
    return entry | {
        "answer": answer_sentence(entry),
        "meaning": likelihood_ratio_sentence(entry),
        "by_classifier": entry["ranking"] and contributions_sentence(entry),
    }


def _sentences_of_verification(entry: Summary) -> Summary:
    if entry["sentences"] is None:
        return {}
    ratio = entry["log10_lr"]
    return {
        "sentences": {
            "findings": findings_sentence(ratio),
            "interval": interval_sentence(entry["interval"]),
            "probability": probability_sentence(ratio),
        }
    }


def _sentences_of_joint(entry: Summary, labels: Mapping[str, str]) -> Summary:
    ratios = {author: own["log10_lr"] for author, own in entry["separate"].items()}
    return {"findings": _findings(ratios, labels)} if entry["findings"] else {}


class Entries:
    """The numbers of all copies of a dictionary, which are searched by the value in the first."""

    def __init__(self, copies: Sequence[Summary]) -> None:
        first, *self._others = (dict([*numbers_in(copy), *derived(copy)]) for copy in copies)
        self._by_value = {
            unit: sorted((form(value), place) for place, value in first.items())
            for unit, form in FORMS.items()
        }

    def have(self, shown: Sequence[str], unit: str) -> bool:
        """Return whether an entry has the values that are shown in the copies, in their order."""
        form_of, entries = FORMS[unit], self._by_value[unit]
        first, *others = map(_range_of, shown)
        for form, place in islice(entries, bisect_left(entries, (first[0], "")), None):
            if form > first[1]:
                return False
            pairs = zip(others, self._others, strict=True)
            if all(low <= form_of(copy[place]) <= high for (low, high), copy in pairs):
                return True
        return False


def _range_of(shown: str) -> tuple[float, float]:
    """Return the lowest and the highest value that may have been rounded to a shown number."""
    value = float(shown.replace(MINUS, "-").replace(",", ""))
    tolerance = 0.500001 * 10.0 ** -len(shown.partition(".")[2])
    return value - tolerance, value + tolerance


def _count(value: float) -> float:
    """Return a whole number, or a large one that is shown as such; small ones have decimals."""
    return value if isinstance(value, int) or value > LARGEST_WITH_DECIMALS else math.inf


def _ratio(log10_ratio: float) -> float:
    """Return a ratio as it is shown, with two significant digits."""
    return float(f"{10**log10_ratio:.2g}") if 0 <= log10_ratio < LARGEST_LOG10 else math.inf


FORMS: Mapping[str, Callable[[float], float]] = {
    "count": _count,
    "number": lambda value: value,
    "%": lambda value: 100 * value,
    "times": lambda value: _ratio(abs(value)),
}


def missing_numbers(make_page: Callable[[Summary], str], summary: Summary) -> list[str]:
    """Return the numbers on a page that are not in the dictionary that it was made from."""
    copies, pages = _alike(make_page, (altered(summary, copy) for copy in range(MOST_COPIES)))
    entries = Entries(copies)
    same_strings = set.intersection(*(set(strings_in(copy)) for copy in copies))
    missing = []
    for versions in zip(*pages, strict=True):
        text = versions[0].text
        excused = {place for span in _excused(text, same_strings) for place in range(*span)}
        for matches in zip(*(block.numbers for block in versions), strict=True):
            start, shown = matches[0].start(), [match[0] for match in matches]
            if start not in excused and not entries.have(shown, _unit(text, matches[0])):
                missing.append(text[max(0, start - 50) : start + 50])
    return missing


def _alike(
    make_page: Callable[[Summary], str], copies: Iterable[Summary]
) -> tuple[list[Summary], list[list[Block]]]:
    """Return the first copies whose pages differ only in numbers, and these pages.

    The pages of other copies have other sentences, because numbers decide about them.
    """
    found: dict[tuple[str, ...], list[tuple[Summary, list[Block]]]] = {}
    for copy in map(rewritten, copies):
        blocks = blocks_of(make_page(copy).replace(SCRIPT_ELEMENT, ""))
        alike = found.setdefault(tuple(block.form for block in blocks), [])
        alike.append((copy, blocks))
        if len(alike) == N_COPIES:
            return [copy for copy, _ in alike], [blocks for _, blocks in alike]
    raise AssertionError(f"the pages of {MOST_COPIES} copies have {len(found)} forms")


def _unit(text: str, shown: re.Match[str]) -> str:
    """Return what is written after a number, and otherwise whether it has decimals."""
    unit = UNIT.match(text, shown.end())
    return unit[1] if unit else "number" if "." in shown[0] else "count"


def _excused(text: str, same_strings: Iterable[str]) -> Iterator[tuple[int, int]]:
    """Yield the parts of a text that are explanations, or strings of the dictionary."""
    yield from (match.span() for match in EXPLANATIONS.finditer(text))
    for string in same_strings:
        if string.lower() == text.lower().rstrip("."):
            yield 0, len(text)
        elif len(string) > LONGEST_NUMBER and string in text:
            for match in re.finditer(rf"(?<!\w){re.escape(string)}(?!\w)", text):
                yield match.span()


@pytest.mark.parametrize("kind", PAGES)
def test_every_number_is_in_the_dictionary(kind: str, summary_of: Callable[[str], Summary]) -> None:
    assert missing_numbers(PAGES[kind], summary_of(kind)) == []


@pytest.mark.parametrize(
    ("page", "n_missing"),
    [
        ("<p>{percent:.1f} % of {n:,} texts, SHA-256</p>", 0),
        ("<td>{share:.3f}</td><td title='{n}'>by {name}</td>", 0),
        ("<p>{percent:.1f} % of {more} texts</p>", 1),
        ("<p>{share:.1f} % of {n:,} texts</p>", 1),
        ("<p>9 of {n:,} texts by {name}</p>", 1),
        ("<p>{name} has {wrong:.2f} of 8</p>", 2),
    ],
)
def test_numbers_that_are_not_in_the_dictionary_are_found(page: str, n_missing: int) -> None:
    def make_page(summary: Summary) -> str:
        return page.format(
            percent=100 * summary["share"],
            more=summary["n"] + 1,
            wrong=summary["share"] ** 2,
            **summary,
        )

    found = missing_numbers(make_page, {"share": 0.4375, "n": 2500, "name": "Letter 17/2026"})
    assert len(found) == n_missing
