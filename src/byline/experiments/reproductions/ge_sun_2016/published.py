"""Published figures, and figures that the authors recorded. Nothing here was measured by Byline.

Ge & Sun (2016), "Domain Specific Author Attribution Based on Feedforward Neural Network Language
Models", Tables 1 and 2 and abstract; and the means over ten splits that are stored in the
repository of their program, github.com/zge/authorship-attribution.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean


@dataclass(frozen=True, slots=True)
class Perplexity:
    """Mean and standard deviation over random splits."""

    mean: float
    sd: float


@dataclass(frozen=True, slots=True)
class ProfileRow:
    """A printed row of Table 1. Its word counts are tokens plus one end mark per sentence."""

    n_sentences: int
    n_words: int
    words_per_sentence: float
    vocabulary_original: int
    vocabulary_stemmed: int
    vocabulary_pruned: int


@dataclass(frozen=True, slots=True)
class PublishedFigures:
    """All figures of one publication.

    Attributes
    ----------
    source : str
        Authors and year.
    profile : tuple of ProfileRow
        Rows in the printed order, whichever course they describe.
    misprinted_sentences : mapping of row to int
        Misprinted number of sentences; the row in ``profile`` has the correct one.
    perplexity : mapping of column to mapping of course to Perplexity
    average : mapping of column to Perplexity
        The printed row of averages.
    recorded : mapping of column to mapping of course to Perplexity
        Figures in the authors' own files that differ from the printed ones.
    factor : float
        Factor by which the recorded perplexities were multiplied before printing.
    perplexity_reduction : float
        Claimed reduction of perplexity by the network against n-grams, as a share.
    accuracy_gain, accuracy_sentences : float, int
        Claimed gain of the network over n-grams in percentage points, and the length in sentences.
    fields : tuple of tuple of int
        Courses of one field, for which the paper claims more confusions.
    """

    source: str
    profile: tuple[ProfileRow, ...]
    misprinted_sentences: Mapping[int, int]
    perplexity: Mapping[str, Mapping[int, Perplexity]]
    average: Mapping[str, Perplexity]
    recorded: Mapping[str, Mapping[int, Perplexity]]
    factor: float
    perplexity_reduction: float
    accuracy_gain: float
    accuracy_sentences: int
    fields: tuple[tuple[int, ...], ...]


def course_number(author: str) -> int | None:
    """Return the number of a course at the end of an author's name; None if there is none."""
    digits = re.search(r"(?<!\d)\d+$", author)
    return int(digits[0]) if digits else None


def average_of(figures: Sequence[Perplexity]) -> Perplexity:
    """Average means and standard deviations, as in the last row of Table 2."""
    return Perplexity(fmean(f.mean for f in figures), fmean(f.sd for f in figures))


_PROFILE = (
    ProfileRow(5672, 121675, 21.45, 3972, 2702, 1809),
    ProfileRow(14092, 294055, 20.87, 6431, 4222, 2378),
    ProfileRow(8126, 129665, 15.96, 3815, 2699, 1869),
    ProfileRow(7392, 129552, 17.53, 4531, 3140, 2141),
    ProfileRow(6906, 129068, 18.69, 3008, 2041, 1475),
    ProfileRow(20271, 360508, 17.78, 8878, 5820, 2687),
    ProfileRow(9103, 164812, 18.11, 4369, 2749, 1979),
    ProfileRow(5736, 101012, 17.61, 3095, 2148, 1500),
    ProfileRow(11090, 224504, 20.24, 6293, 4071, 2259),
    ProfileRow(8185, 160390, 19.60, 4045, 2771, 1898),
    ProfileRow(7095, 111154, 15.67, 3691, 2572, 1789),
    ProfileRow(4395, 100408, 22.85, 3973, 2605, 1789),
    ProfileRow(4382, 96948, 22.12, 4730, 3467, 2071),
    ProfileRow(6174, 116344, 18.84, 5844, 4127, 2686),
    ProfileRow(5895, 152100, 25.80, 3933, 2697, 1918),
    ProfileRow(6400, 136549, 21.34, 4997, 3322, 2243),
)
NGRAM, NETWORK = "srilm_4gram", "nnlm_4gram"  # the two columns that the paper compares
_COLUMNS = ("srilm_1gram", "srilm_2gram", "srilm_3gram", "srilm_4gram", "nnlm_4gram")
# Mean and standard deviation of each column; courses 1 to 16, and the printed averages.
_PERPLEXITY = (
    (251.7, 3.5, 84.7, 2.5, 75.3, 2.4, 75.0, 2.3, 71.1, 1.3),
    (301.9, 3.2, 84.4, 1.9, 69.7, 1.8, 68.5, 1.8, 63.9, 1.8),
    (186.2, 2.1, 49.8, 1.5, 43.6, 1.8, 43.2, 1.8, 40.2, 1.7),
    (283.2, 5.3, 82.9, 2.2, 74.1, 2.0, 74.1, 2.0, 77.2, 2.1),
    (255.7, 3.2, 75.2, 1.2, 65.8, 1.5, 65.4, 1.4, 62.7, 1.7),
    (273.4, 3.9, 85.3, 1.8, 72.9, 1.8, 71.8, 1.8, 72.8, 1.3),
    (300.9, 7.8, 122.2, 3.4, 114.0, 3.0, 114.1, 3.0, 110.1, 2.8),
    (209.6, 7.1, 57.8, 2.5, 47.0, 2.2, 45.9, 2.2, 48.0, 2.1),
    (255.9, 4.0, 69.2, 2.6, 57.6, 2.5, 57.1, 2.4, 53.2, 1.8),
    (243.3, 3.0, 83.5, 1.7, 74.1, 1.7, 73.7, 1.7, 72.2, 1.5),
    (272.4, 4.8, 93.1, 2.1, 84.7, 1.9, 84.7, 1.9, 80.5, 1.7),
    (247.1, 10.7, 78.2, 7.8, 68.6, 8.2, 67.2, 8.5, 70.5, 12.2),
    (237.3, 3.4, 61.9, 1.4, 50.4, 1.1, 49.7, 1.1, 48.3, 1.5),
    (301.0, 6.5, 91.8, 3.0, 83.0, 3.1, 82.5, 3.1, 79.4, 2.0),
    (308.4, 4.1, 88.4, 1.0, 69.3, 0.9, 67.5, 0.9, 65.5, 1.5),
    (224.1, 4.4, 74.5, 2.2, 64.8, 2.1, 64.6, 2.2, 61.8, 1.8),
    (259.5, 4.8, 80.2, 2.4, 69.7, 2.4, 69.0, 2.4, 67.3, 2.4),
)
_FACTOR = 0.82
# Stored means of courses 1 to 16. The stored standard deviations are the printed ones divided by
# the factor.
_RECORDED: tuple[float, ...] = (
    *(86.7, 78.0, 49.0, 94.1, 76.4, 88.7, 134.3, 58.6),
    *(64.9, 88.1, 98.2, 86.0, 59.0, 96.8, 79.9, 75.3),
)


def _columns(rows: Sequence[Sequence[float]]) -> dict[str, list[Perplexity]]:
    return {
        name: [Perplexity(*row[2 * place : 2 * place + 2]) for row in rows]
        for place, name in enumerate(_COLUMNS)
    }


def _ge_sun_2016() -> PublishedFigures:
    columns = _columns(_PERPLEXITY)
    perplexity = {name: dict(enumerate(cells[:-1], 1)) for name, cells in columns.items()}
    printed = perplexity[NETWORK]
    recorded = {
        course: Perplexity(mean, printed[course].sd / _FACTOR)
        for course, mean in enumerate(_RECORDED, 1)
    }
    return PublishedFigures(
        source="Ge & Sun (2016)",
        profile=_PROFILE,
        misprinted_sentences={2: 14902},
        perplexity=perplexity,
        average={name: cells[-1] for name, cells in columns.items()},
        recorded={NETWORK: recorded},
        factor=_FACTOR,
        perplexity_reduction=0.025,
        accuracy_gain=3.43,
        accuracy_sentences=5,
        fields=((1, 2), (11, 12, 13)),
    )


PUBLISHED: Mapping[str, PublishedFigures] = {"ge-sun-2016": _ge_sun_2016()}
