"""The typographic forms that normalisation makes alike: which of them a text uses."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

import regex

from byline.typography.conventions import Convention

_Patterns = Mapping[str, regex.Pattern[str]]
_NONE = "none"


def _most_frequent(patterns: _Patterns, text: str) -> str | None:
    """Return the form that occurs most often; None if none occurs."""
    counts = {form: len(pattern.findall(text)) for form, pattern in patterns.items()}
    form = max(counts, key=counts.__getitem__)
    return form if counts[form] else None


def _convention(name: str, forms: Mapping[str, tuple[str, str]]) -> Convention:
    """Make a convention of alternative forms, each a clause and a regular expression."""
    patterns = {form: regex.compile(pattern) for form, (_, pattern) in forms.items()}
    clauses = {form: clause for form, (clause, _) in forms.items()}
    return Convention(name, clauses, lambda text: _most_frequent(patterns, text), name)


def _presence(name: str, what: str, pattern: str, rule: str) -> Convention:
    """Make a convention of the characters that a text has, or has not."""
    compiled = regex.compile(pattern)
    return Convention(
        name,
        {_NONE: f"has no {what}", name: f"has {what}"},
        lambda text: name if compiled.search(text) else _NONE,
        rule,
    )


_ALL = (
    _convention(
        "quotes",
        {
            "straight": ("has straight quotation marks", '"'),
            "curly": ("has curly quotation marks", "[\u201c\u201d\u201e]"),
            "single": ("has single quotation marks", r"(?<!\w)[\u2018\u201a'](?=\w)"),
            "guillemets": ("has guillemets", "[\u00ab\u00bb]"),
        },
    ),
    _convention(
        "apostrophes",
        {
            "straight": ("has straight apostrophes", r"(?<=\w)'(?=\w)"),
            "curly": ("has curly apostrophes", r"(?<=\w)\u2019(?=\w)"),
            "accents": ("has accents for apostrophes", r"(?<=\w)[`\u00b4](?=\w)"),
        },
    ),
    _convention(
        "dashes",
        {
            "hyphens": ("has two hyphens for a dash", "--"),
            "em": ("has em dashes", "\u2014"),
            "en": ("has en dashes between spaces", r"(?<=\s)\u2013(?=\s)"),
        },
    ),
    _convention(
        "ellipses",
        {
            "stops": ("has three full stops for an ellipsis", r"\.\.\."),
            "character": ("has the ellipsis character", "\u2026"),
            "spaced": ("has full stops with spaces for an ellipsis", r"\. \. \."),
        },
    ),
    _presence(
        "spaces", "no-break or other special spaces", "[\u00a0\u2000-\u200a\u202f]", "spaces"
    ),
    _presence(
        "invisible",
        "invisible characters such as soft hyphens",
        "[\u00ad\u200b\u2060\ufeff\u200e\u200f]",
        "invisible",
    ),
    _presence("ligatures", "typographic ligatures", "[\ufb00-\ufb06]", "ligatures"),
    _presence("long-s", "the long s", "\u017f", "long-s"),
)
TYPOGRAPHY: Mapping[str, Convention] = MappingProxyType({each.name: each for each in _ALL})
