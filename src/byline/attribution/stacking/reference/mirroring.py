"""Draw cases of the shape of the user's case: as many candidates, with as much known text."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from byline.attribution.stacking.folds import sample_passages
from byline.attribution.stacking.reference.population import ReferenceText, SelectedTexts
from byline.attribution.stacking.simulated_cases import CaseQuestions
from byline.typography.scripts import WHITESPACE_WORDS, count_words

WHOLE = 0  # the length of whole texts
PER_AUTHOR = 2  # questioned texts of one length per candidate
# A text serves as one of n words if it has at least this share of them.
_ENOUGH = 0.67
# If the reference has too little text, the known texts of the cases get this share of the words.
_FACTORS = (1.0, 0.75, 0.5, 0.35, 0.25, 0.15, 0.1)
MOST_WORDS = 200_000  # of all known texts of a case, because training takes as long as they are
_LONGEST_WHOLE = 20_000  # words
_FEWEST_WORDS = 5  # of a known text that is made shorter
_RESERVED = 4  # one in so many works that several authors have is only for questioned texts
_ATTEMPTS = 20

Works = Mapping[str, Sequence[ReferenceText]]
Needs = tuple[tuple[int, ...], ...]  # the words of each known text, by work


@dataclass(frozen=True, slots=True)
class CaseShape:
    """How much known text each candidate has.

    Attributes
    ----------
    candidates : tuple of tuples of tuples of int
        Words of each text, by work, by candidate; the candidate with most words is the first.
    factor : float
        The share of the words of the user's known texts.
    """

    candidates: tuple[Needs, ...]
    factor: float = 1.0

    @classmethod
    def of(cls, texts: Sequence[str], authors: Sequence[Any], works: Sequence[str]) -> Self:
        """Return the shape of a case with these known texts.

        Examples
        --------
        >>> CaseShape.of(["a b", "a", "a b c d"], ["Ann", "Ann", "Bob"], "123").candidates
        (((4,),), ((2,), (1,)))
        """
        needs: dict[Any, dict[str, list[int]]] = defaultdict(lambda: defaultdict(list))
        for text, author, work in zip(texts, authors, works, strict=True):
            needs[author][work].append(max(count_words(text), 1))
        candidates = [
            tuple(sorted((tuple(sorted(own, reverse=True)) for own in by_work.values()), key=_size))
            for by_work in needs.values()
        ]
        return cls(tuple(sorted(candidates, key=lambda own: (-_total(own), own))))

    @property
    def n_words(self) -> int:
        """Words of all known texts."""
        return sum(map(_total, self.candidates))

    def scaled(self, factor: float) -> CaseShape:
        """Return the shape of a case whose known texts have a share of the words."""
        candidates = tuple(
            tuple(
                tuple(max(min(n, _FEWEST_WORDS), round(factor * n)) for n in work) for work in own
            )
            for own in self.candidates
        )
        return CaseShape(candidates, factor)

    def of_fewer(self, n_candidates: int) -> CaseShape:
        """Return the shape of a case with fewer candidates, from those with most to least text."""
        chosen = np.linspace(0, len(self.candidates) - 1, n_candidates).round().astype(int)
        return CaseShape(tuple(self.candidates[place] for place in chosen.tolist()), self.factor)


@dataclass(frozen=True, slots=True)
class DrawnCase:
    """A case that was drawn from a reference population.

    Attributes
    ----------
    texts, authors : list of str, (n_known,)
        The known texts.
    questioned : CaseQuestions
        From works that none of the known texts belongs to.
    """

    texts: list[str]
    authors: list[str]
    questioned: CaseQuestions


@dataclass(frozen=True, slots=True)
class _KnownSample:
    texts: list[str]
    works: frozenset[str]


def fit_shape(selected: SelectedTexts, shape: CaseShape) -> CaseShape | None:
    """Make a shape smaller until the population has enough authors with enough text.

    Parameters
    ----------
    selected : SelectedTexts
    shape : CaseShape

    Returns
    -------
    CaseShape or None
        With fewer candidates only if the population has too few authors with any share of the
        words; None if not even two have.
    """
    most: CaseShape | None = None
    wanted = min(len(selected.authors), len(shape.candidates))
    for factor in _FACTORS:
        scaled = shape.scaled(factor)
        if scaled.n_words > MOST_WORDS and factor > _FACTORS[-1]:
            continue
        n = _count_fillable(selected, scaled)
        if n == wanted:
            return scaled.of_fewer(n)
        if n >= 2 and (most is None or n > len(most.candidates)):
            most = scaled.of_fewer(n)
    return most


def _count_fillable(selected: SelectedTexts, shape: CaseShape) -> int:
    """Return how many candidates of the shape the population can fill at once."""
    rng = np.random.default_rng(0)
    own = {author: selected.works_of(author) for author in selected.authors}
    for n in range(min(len(own), len(shape.candidates)), 1, -1):
        needs = shape.of_fewer(n).candidates
        if any(_assign(own, needs, rng) is not None for _ in range(_ATTEMPTS)):
            return n
    return 0


def draw_mirrored_case(
    selected: SelectedTexts,
    shape: CaseShape,
    lengths: Sequence[int],
    rng: np.random.Generator,
) -> DrawnCase | None:
    """Draw candidates, known texts of each and questioned texts by them.

    Parameters
    ----------
    selected : SelectedTexts
    shape : CaseShape
        As `fit_shape` returned it.
    lengths : sequence of int
        Words of the questioned passages. Whole texts are questioned too.
    rng : numpy Generator

    Returns
    -------
    DrawnCase or None
        None if no case was found.
    """
    own = {author: selected.works_of(author) for author in selected.authors}
    for _ in range(_ATTEMPTS):
        assigned = _assign(own, shape.candidates, rng)
        if assigned is None:
            continue
        used = frozenset[str]().union(*(each.works for each in assigned.values()))
        texts = {
            author: [
                text for work, texts in own[author].items() if work not in used for text in texts
            ]
            for author in sorted(assigned)
        }
        if all(texts.values()):
            known = [(text, author) for author in texts for text in assigned[author].texts]
            return DrawnCase(
                [text for text, _ in known],
                [author for _, author in known],
                _sample_questioned(texts, lengths, rng),
            )
    return None


def _assign(
    own: Mapping[str, Works], needs: Sequence[Needs], rng: np.random.Generator
) -> dict[str, _KnownSample] | None:
    """Choose an author for each candidate's amounts of text, and known texts of the author."""
    reserved = _reserve(own, rng)
    assigned: dict[str, _KnownSample] = {}
    order = [sorted(own)[place] for place in rng.permutation(len(own)).tolist()]
    for need in needs:  # the largest first, because the fewest authors have so much text
        for author in order:
            sample = None
            if author not in assigned:
                sample = _sample_known(own[author], reserved, need, rng)
            if sample is not None:
                assigned[author] = sample
                break
        else:
            return None
    return assigned


def _reserve(own: Mapping[str, Works], rng: np.random.Generator) -> frozenset[str]:
    """Choose works, such as topics, that several authors have, for questioned texts only."""
    n_authors = Counter(work for works in own.values() for work in works)
    shared = sorted(work for work, n in n_authors.items() if n > 1)
    n = -(-len(shared) // _RESERVED)
    return frozenset(shared[place] for place in rng.permutation(len(shared))[:n].tolist())


def _sample_known(
    works: Works, reserved: frozenset[str], need: Needs, rng: np.random.Generator
) -> _KnownSample | None:
    """Cut an author's known texts, if there is enough text, and leave a work that is questioned."""
    names = sorted(set(works) - reserved)
    n_free = len(names) if len(names) < len(works) else len(names) - 1
    left = [names[place] for place in rng.permutation(len(names)).tolist()]
    groups = _merge(need, n_free)
    texts: list[str] = []
    used: set[str] = set()
    for number, group in enumerate(groups):
        at_most = n_free - len(used) - (len(groups) - number - 1)
        taken = _take_works(works, [name for name in left if name not in used], sum(group), at_most)
        if not taken:
            return None
        used.update(taken)
        texts += _cut([text for name in taken for text in works[name]], group, rng)
    return _KnownSample(texts, frozenset(used)) if texts else None


def _merge(need: Needs, n_works: int) -> list[list[int]]:
    """Distribute the texts of all works over at most ``n_works`` works, the largest first."""
    groups: list[list[int]] = [[] for _ in range(min(len(need), n_works))]
    for number, own in enumerate(need if groups else ()):
        groups[number % len(groups)] += own
    return sorted(groups, key=sum, reverse=True)


def _take_works(works: Works, names: Sequence[str], n_words: int, at_most: int) -> list[str]:
    """Return one work that is long enough, or else several; an empty list if there are too few."""
    taken: list[str] = []
    total = 0
    sizes = {name: sum(text.n_words for text in works[name]) for name in names}
    for name in names:
        if sizes[name] >= _ENOUGH * n_words:
            return [name]
    for name in names[:at_most]:
        taken.append(name)
        total += sizes[name]
        if total >= _ENOUGH * n_words:
            return taken
    return []


def _cut(
    texts: Sequence[ReferenceText], needs: Sequence[int], rng: np.random.Generator
) -> list[str]:
    """Cut passages of the needed numbers of words from texts; they do not overlap."""
    free = [text.n_words for text in texts]
    placed: dict[int, list[int]] = defaultdict(list)
    for need in sorted(needs, reverse=True):
        roomy = [place for place, n_words in enumerate(free) if n_words >= _ENOUGH * need]
        if not roomy:  # the texts are too short: they are joined
            return _passages("\n".join(text.text for text in texts), needs, rng)
        place = roomy[int(rng.integers(len(roomy)))]
        placed[place].append(need)
        free[place] -= need
    return [
        passage
        for place, own in sorted(placed.items())
        for passage in _passages(texts[place].text, own, rng)
    ]


def _passages(text: str, needs: Sequence[int], rng: np.random.Generator) -> list[str]:
    starts = [word.start() for word in WHITESPACE_WORDS.of(text).finditer(text)]
    share = min(1.0, len(starts) / sum(needs))
    lengths = [max(int(share * need), 1) for need in needs]
    free = max(len(starts) - sum(lengths), 0)
    gaps = np.sort(rng.integers(free + 1, size=len(lengths))).tolist()
    bounds = [*starts, len(text)]
    passages, before = [], 0
    for gap, length in zip(gaps, lengths, strict=True):
        first = min(gap + before, len(starts) - 1)
        passages.append(text[bounds[first] : bounds[min(first + length, len(starts))]].rstrip())
        before += length
    return passages


def _sample_questioned(
    texts: Mapping[str, Sequence[ReferenceText]],
    lengths: Sequence[int],
    rng: np.random.Generator,
) -> CaseQuestions:
    """Return passages of each length by each author, and whole texts."""
    sampled: list[tuple[str, str, int]] = []
    for length in sorted(lengths):
        for author, own in texts.items():
            sampled += [
                (passage, author, length) for passage in _sample_of_length(own, length, rng)
            ]
    for author, own in texts.items():
        short = [each for each in own if each.n_words <= _LONGEST_WHOLE]
        order = rng.permutation(len(short))[:PER_AUTHOR].tolist()
        sampled += [(short[place].text, author, WHOLE) for place in order]
    return CaseQuestions(
        [text for text, _, _ in sampled],
        [author for _, author, _ in sampled],
        [length for _, _, length in sampled],
    )


def _sample_of_length(
    texts: Sequence[ReferenceText], length: int, rng: np.random.Generator
) -> list[str]:
    """Return passages of one length, from different texts if there are enough."""
    long = [each for each in texts if each.n_words > length]
    chosen = [long[place] for place in rng.permutation(len(long))[:PER_AUTHOR].tolist()]
    per_text = -(-PER_AUTHOR // max(len(chosen), 1))
    found = [
        passage for each in chosen for passage in sample_passages(each.text, length, per_text, rng)
    ]
    return found[:PER_AUTHOR]


def _size(work: Sequence[int]) -> tuple[int, Sequence[int]]:
    return -sum(work), work


def _total(own: Needs) -> int:
    return sum(map(sum, own))
