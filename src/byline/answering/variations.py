"""Plan how an answer is repeated: without known texts, with other seeds, words and candidates."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest

import numpy as np

from byline.attribution import Attribution
from byline.corpus import Corpus
from byline.formatting import join_names, quantity

KNOWN_TEXTS = "known-texts"
RANDOM_SAMPLES = "random-samples"
MASKED_WORDS = "masked-words"
CANDIDATES = "candidates"
TRAINED_AGAIN = "trained-again"

#: Numbers of frequent words that are not masked.
KEPT_WORDS = (1000, 300, 100)
MOST_CANDIDATES = 10  # that are left out in turn


@dataclass(frozen=True, slots=True)
class Variation:
    """One way in which the training of a model is varied.

    Attributes
    ----------
    kind : {"known-texts", "random-samples", "masked-words", "candidates", "trained-again"}
    name : str
        As an adverbial phrase, such as "without the text ada/1.txt".
    documents : tuple of int
        The known texts that are used, by their places in the corpus.
    seed_offset : int
        Added to all seeds.
    n_kept_words : int or None
        All but so many frequent words are masked; None to mask nothing.
    texts : tuple of int
        The questioned texts that it applies to.

    See Also
    --------
    plan_sensitivity : Plans all variations.

    Examples
    --------
    >>> variation = Variation("known-texts", "without the text ada/1.txt", (1, 2, 3), (0,))
    >>> variation.n_kept_words is None  # no words are masked
    True
    >>> variation.is_comparable  # it has the same candidates and unmasked words
    True
    """

    kind: str
    name: str
    documents: tuple[int, ...]
    texts: tuple[int, ...]
    seed_offset: int = 0
    n_kept_words: int | None = None

    @property
    def is_comparable(self) -> bool:
        """Whether its probabilities can be compared with the answer's.

        With fewer candidates, each has a higher probability beforehand. With masked words, the
        texts are others than those that the probabilities are calibrated on.
        """
        return self.kind not in (MASKED_WORDS, CANDIDATES)


@dataclass(frozen=True, slots=True)
class _Unit:
    """A known work: one text, or several that belong together."""

    author: str
    documents: tuple[int, ...]
    name: str


class VariationPlan:
    """All variations of the answers about some texts.

    Parameters
    ----------
    corpus : Corpus
        The known texts.
    answers : sequence of Attribution, (n_texts,)
        Of the model, in a closed set. No variation applies to a declined text.

    Attributes
    ----------
    variations : list of Variation
    notes : list of str
        What was not varied, in sentences.
    """

    def __init__(self, corpus: Corpus, answers: Sequence[Attribution]) -> None:
        self.corpus = corpus
        self.answers = answers
        self.variations: list[Variation] = []
        self.notes: list[str] = []
        self._all = tuple(range(len(corpus)))
        self._texts = tuple(n for n, answer in enumerate(answers) if answer.ranking)

    def train_again(self) -> None:
        """Add a repetition without any change, for a model that does not record its texts."""
        name = f"trained again on {self.corpus.name}"
        self._add(TRAINED_AGAIN, name, self._all)

    def leave_out_known_texts(self, most: int, random_state: int) -> None:
        """Add a variation without each known work, or without some that are chosen at random.

        Parameters
        ----------
        most : int
            Number of works to leave out.
        random_state : int
            Seed of the choice, which takes about equally many of each author.
        """
        units = _units(self.corpus)
        counts = dict.fromkeys(self.corpus.candidates, 0)
        for unit in units:
            counts[unit.author] += 1
        free = [unit for unit in units if counts[unit.author] > 1]
        chosen = set(list(_shuffled(free, random_state))[:most])
        if len(chosen) < len(free):
            self.notes.append(
                f"{quantity(len(chosen), 'known text')} of {len(free):,} were left out in turn, "
                f"chosen at random (seed {random_state}) with about equally many of each candidate."
            )
        only = [author for author, n in counts.items() if n == 1]
        if only:
            self.notes.append(
                f"The only known text of {join_names(only)} was not left out, because no candidate "
                "can be without known texts."
            )
        for unit in free:
            if unit in chosen:
                left = tuple(place for place in self._all if place not in unit.documents)
                self._add(KNOWN_TEXTS, f"without the {unit.name}", left)

    def change_seeds(self, n_seeds: int) -> None:
        """Add variations with other random samples and folds."""
        for offset in range(1, n_seeds + 1):
            name = f"with other random samples (seed +{offset})"
            self._add(RANDOM_SAMPLES, name, self._all, seed_offset=offset)

    def mask_words(self, n_words: int) -> None:
        """Add variations with all but the most frequent words masked.

        Parameters
        ----------
        n_words : int
            Number of different words in the known texts.
        """
        for n_kept in KEPT_WORDS:
            if n_kept < n_words:
                name = f"with all but the {n_kept:,} most frequent words masked"
                self._add(MASKED_WORDS, name, self._all, n_kept_words=n_kept)
        stated = [answer.ranking[0].probability for answer in self.answers if answer.ranking]
        if n_words > min(KEPT_WORDS) and any(stated):
            self.notes.append(
                "Probabilities with masked words are less well calibrated, because the simulated "
                "cases have no masked words."
            )
        if n_words <= min(KEPT_WORDS):
            self.notes.append(
                f"No words were masked, because the known texts have only {n_words:,} different "
                "words."
            )

    def change_candidates(self) -> None:
        """Add variations without each other candidate, and with the two best ones alone."""
        n_candidates = len(self.corpus.candidates)
        if n_candidates < 3:
            self.notes.append("The candidates were not varied, because there are only two.")
            return
        pairs: dict[tuple[str, str], list[int]] = {}
        without: dict[str, list[int]] = {}
        for text in self._texts:
            first, second, *others = (place.author for place in self.answers[text].ranking)
            pairs.setdefault((first, second), []).append(text)
            if n_candidates > 3:
                others.insert(0, second)
            else:  # leaving out the third leaves these two alone
                others = [second]
            for author in others[:MOST_CANDIDATES]:
                without.setdefault(author, []).append(text)
        if n_candidates - 1 > MOST_CANDIDATES:
            self.notes.append(
                f"Only the {MOST_CANDIDATES} candidates after the first one were left out in turn."
            )
        for author in sorted(without):
            left = tuple(n for n in self._all if self.corpus.authors[n] != author)
            self._add(CANDIDATES, f"without the candidate {author}", left, texts=without[author])
        for pair in sorted(pairs):
            left = tuple(n for n in self._all if self.corpus.authors[n] in pair)
            name = f"with {pair[0]} and {pair[1]} as the only candidates"
            self._add(CANDIDATES, name, left, texts=pairs[pair])

    def _add(
        self,
        kind: str,
        name: str,
        documents: tuple[int, ...],
        *,
        texts: Sequence[int] | None = None,
        seed_offset: int = 0,
        n_kept_words: int | None = None,
    ) -> None:
        applies = self._texts if texts is None else tuple(texts)
        if applies:
            self.variations.append(
                Variation(kind, name, documents, applies, seed_offset, n_kept_words)
            )


def _units(corpus: Corpus) -> list[_Unit]:
    """Return the works by author and name, each with its texts."""
    works: dict[tuple[str, str], list[int]] = {}
    for place, document in enumerate(corpus):
        works.setdefault((document.author, document.work), []).append(place)
    return [_unit(corpus, author, work, places) for (author, work), places in sorted(works.items())]


def _unit(corpus: Corpus, author: str, work: str, places: list[int]) -> _Unit:
    if len(places) == 1:
        return _Unit(author, tuple(places), f"text {corpus.paths[places[0]]}")
    return _Unit(author, tuple(places), f"work {work} by {author} ({len(places):,} texts)")


def _shuffled(units: Sequence[_Unit], random_state: int) -> Iterator[_Unit]:
    """Yield units at random, one of each author in turn."""
    rng = np.random.default_rng(random_state)
    by_author: dict[str, list[_Unit]] = {}
    for place in rng.permutation(len(units)).tolist():
        by_author.setdefault(units[place].author, []).append(units[place])
    for row in zip_longest(*by_author.values()):
        yield from (unit for unit in row if unit is not None)
