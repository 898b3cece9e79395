"""The settings of small cases that the benchmark measures: a short selection, and all."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from itertools import product
from typing import Literal

from byline.errors import UsageError
from byline.experiments.small_cases.cases import PASSAGES, CaseSettings

Grid = Literal["short", "full"]
GRIDS: tuple[Grid, ...] = ("short", "full")

N_CANDIDATES, N_KNOWN = (2, 3, 5, 10), (1, 2, 5, 10)
KNOWN_WORDS = (150, 500, 2000, 20000)
UNEQUAL, CHANGES = ("tenth", "20 words"), ("topic", "genre")
# A case gives about this number of questioned texts of each length. Cases follow until there are
# `FEWEST_TEXTS` of each length or the largest number of cases is reached. Lengths of which a corpus
# has few texts are not waited for: those with less than this share of the most frequent one.
TEXTS_PER_CASE = 20
FEWEST_TEXTS = 200
MOST_CASES: Mapping[Grid, int] = {"short": 20, "full": 60}
SHARE_OF_RARE_LENGTHS: Mapping[Grid, float] = {"short": 0.5, "full": 0.0}
# No further whole work of a candidate is asked about after this number of words.
WHOLE_WORDS = 25_000
_NAME = re.compile(
    r"([2-9]|[1-9]\d+)x([1-9]\d*)x([1-9]\d*)(?:/(topic|genre|topic-in-genre))?(?:/(tenth|20-words))?"
)
_NOVELS = ("british_fiction",)
_LONG = 2000

# Candidates x known texts of each x words of each text. Each value of each factor that the corpus
# allows occurs several times, with every value of the factors next to it.
_SHORT = {
    "british_fiction": (
        "2x1x150 2x1x20000 2x2x500 2x5x2000 2x10x150 2x10x500 "
        "3x1x500 3x1x2000 3x2x150 3x2x2000 3x5x150 3x2x20000 3x10x500 "
        "2x5x500/tenth 3x2x2000/tenth 2x2x150/20-words 3x5x500/20-words"
    ),
    "ccat50": (
        "2x1x150 2x2x500 2x5x150 2x10x500 3x1x500 3x2x150 3x5x500 3x10x150 "
        "5x1x150 5x2x500 5x5x150 5x10x500 10x1x500 10x2x150 10x5x500 10x10x150 "
        "2x5x150/tenth 3x5x500/tenth 5x2x150/20-words 3x2x500/20-words"
    ),
    "cmcc": (
        "2x1x150 2x2x500/topic 2x5x150/genre 2x10x500 3x1x500/genre 3x2x150 3x5x500/topic "
        "3x10x150/genre 3x5x150/topic 5x1x150/topic 5x2x500/genre 5x5x150 5x10x500/topic "
        "5x5x150/topic 10x1x500 10x2x150/topic 10x5x500/genre 10x10x150 "
        "2x5x150/tenth 3x5x500/topic/tenth 5x2x150/20-words 3x2x500/genre/20-words"
    ),
    "federalist": (
        "2x1x150 2x1x2000 2x2x500 2x2x2000 2x5x150 2x5x2000 2x10x150 2x10x500 "
        "3x1x150 3x1x500 3x2x150 3x2x500 3x5x150 "
        "2x5x500/tenth 3x2x500/tenth 2x2x2000/20-words 3x2x150/20-words"
    ),
    "french_theatre17": (
        "2x1x150 2x2x500 2x5x2000 2x10x150 2x2x20000 3x1x500 3x2x2000 3x5x150 3x10x500 "
        "3x1x20000 5x1x2000 5x2x150 5x5x500 5x10x500 5x2x20000 10x1x2000 10x2x500 10x5x150 "
        "2x5x500/tenth 3x2x2000/tenth 5x2x150/20-words 3x5x2000/20-words"
    ),
    "lectures16": (
        "2x1x150 2x2x500 2x5x2000 2x10x150 2x1x2000 3x1x500 3x2x2000 3x5x150 3x10x500 "
        "3x2x150 5x1x2000 5x2x150 5x5x500 5x10x2000 5x1x150 5x2x500 "
        "2x5x500/tenth 3x2x2000/tenth 5x2x150/20-words 3x5x500/20-words"
    ),
    "pan19": (
        "2x1x150 2x2x500 2x5x150 2x10x150 3x1x500 3x2x150 3x5x500 3x10x150 "
        "5x1x150 5x2x500 5x5x150 5x10x150 5x1x500 5x5x500 "
        "2x5x150/tenth 3x5x500/tenth 5x2x150/20-words 3x2x500/20-words"
    ),
}


def settings_of_grid(grid: Grid, corpus: str) -> list[CaseSettings]:
    """Return the settings of a grid for a corpus, some of which the corpus may not allow.

    Parameters
    ----------
    grid : {"short", "full"}
    corpus : str
        A name in `DIVISION`.

    Examples
    --------
    >>> [each.name for each in settings_of_grid("short", "ccat50")][:2]
    ['2x1x150', '2x2x500']
    >>> len(settings_of_grid("full", "ccat50"))
    192
    """
    if grid == "short":
        settings = map(parse_settings, _SHORT[corpus].split())
        return [_without_novels(each) if corpus in _NOVELS else each for each in settings]
    changes = ("", *CHANGES) if corpus == "cmcc" else ("",)
    return [
        CaseSettings(n_candidates, n_known, n_words, change=change, unequal=unequal)
        for n_candidates, n_known, n_words in product(N_CANDIDATES, N_KNOWN, KNOWN_WORDS)
        for change, unequal in product(changes, ("", *UNEQUAL))
    ]


def _without_novels(settings: CaseSettings) -> CaseSettings:
    """Leave out questioned novels, which take most of the time, unless known texts are long."""
    if settings.known_words >= _LONG:
        return settings
    return replace(settings, questioned_words=PASSAGES)


def parse_settings(name: str) -> CaseSettings:
    """Return the settings of a name.

    Raises
    ------
    UsageError
        It is not the name of settings.

    Examples
    --------
    >>> parse_settings("3x5x150/topic/20-words")
    CaseSettings(n_candidates=3, n_known=5, known_words=150, \
questioned_words=(50, 150, 500, 2000, 0), change='topic', unequal='20 words')
    """
    found = _NAME.fullmatch(name)
    if found is None:
        raise UsageError(
            f"{name!r} is not the name of settings; give candidates x known texts of each x words "
            "of each text, and what is unusual, as in 3x6x150/topic or 2x5x500/tenth"
        )
    n_candidates, n_known, known_words = map(int, found.groups()[:3])
    change, unequal = ((each or "").replace("-", " ") for each in found.groups()[3:])
    return CaseSettings(n_candidates, n_known, known_words, change=change, unequal=unequal)
