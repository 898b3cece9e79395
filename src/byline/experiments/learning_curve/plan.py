"""Plan a learning curve: folds, samples of known texts, and questioned passages."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from byline.attribution import AuthorshipAttributor, ReferencePopulation, StackedAttributor
from byline.corpus import Corpus
from byline.experiments.learning_curve.answers import SampleTask
from byline.experiments.learning_curve.samples import (
    QuestionedPassage,
    Text,
    take_passages,
    take_sample,
)
from byline.experiments.learning_curve.sizes import (
    KnownSizes,
    choose_known_sizes,
    choose_text_lengths,
)
from byline.experiments.splits import Fold

_ROW = re.compile(r", row \d+$")
TextsByAuthor = dict[str, list[Text]]


@dataclass(frozen=True, slots=True)
class CurvePlan:
    """What is trained and answered.

    Attributes
    ----------
    name : str
        Of the corpus.
    sizes : KnownSizes
    lengths : tuple of int
        Of questioned passages, in words.
    known : tuple of mapping of author to list of Text
        The known texts of each fold.
    passages : tuple of list of QuestionedPassage
        The questioned passages of each fold: short ones first, then by author.
    repetitions : int
    seed : int
    """

    name: str
    sizes: KnownSizes
    lengths: tuple[int, ...]
    known: tuple[TextsByAuthor, ...]
    passages: tuple[list[QuestionedPassage], ...]
    repetitions: int
    seed: int

    def samples(self) -> Iterator[tuple[int, int, int]]:
        """Yield repetition, known words and fold of each sample, in the order of the work."""
        for repetition in range(self.repetitions):
            for words in self.sizes.words:
                for fold in range(len(self.known)):
                    yield repetition, words, fold

    def task(
        self,
        attributor: AuthorshipAttributor | StackedAttributor,
        reference: ReferencePopulation | None,
        repetition: int,
        words: int,
        fold: int,
    ) -> SampleTask:
        """Take a sample of the known texts of every author."""
        known = [
            document
            for author in self.sizes.authors
            for document in take_sample(
                self.known[fold][author], words, "known", self.seed, fold, repetition, author
            )
        ]
        return SampleTask(
            attributor=attributor,
            known=Corpus(known, self.name),
            passages=self.passages[fold],
            reference=reference,
            fold=fold,
            repetition=repetition,
            known_words=words,
        )


def plan_curve(
    folds: Sequence[Fold],
    *,
    known_words: Sequence[int],
    text_words: Sequence[int],
    passages: int,
    repetitions: int,
    seed: int,
) -> CurvePlan:
    """Choose amounts of known text, authors and passages.

    Parameters
    ----------
    folds : sequence of Fold
        Of normalised texts.
    known_words, text_words : sequence of int
        Requested amounts and lengths; empty to choose them.
    passages : int
        Largest number of passages of each length per author and fold.
    repetitions : int
        Number of samples of each amount per fold.
    seed : int

    Raises
    ------
    UsageError, TrainingError
        As `choose_known_sizes` and `choose_text_lengths`.
    """
    known = tuple(_by_author(fold.known) for fold in folds)
    available = {
        author: min(_count(of_fold.get(author, ())) for of_fold in known)
        for author in {author for of_fold in known for author in of_fold}
    }
    sizes = choose_known_sizes(available, known_words)
    own = set(sizes.authors)
    held_out = [
        {author: texts for author, texts in _by_author(fold.questioned).items() if author in own}
        for fold in folds
    ]
    words = [
        text.words.n_words for of_fold in held_out for texts in of_fold.values() for text in texts
    ]
    lengths = choose_text_lengths(words, text_words)
    questioned = tuple(
        [
            passage
            for length in lengths
            for author, texts in of_fold.items()
            for passage in take_passages(
                texts, length, passages, "questioned", seed, number, length, author
            )
        ]
        for number, of_fold in enumerate(held_out)
    )
    return CurvePlan(folds[0].known.name, sizes, lengths, known, questioned, repetitions, seed)


def in_standard_order(corpus: Corpus) -> Corpus:
    """Return the documents in an order that does not depend on that of the input.

    The paths of rows of a table contain their numbers, which are left out.
    """
    keys = [
        (each.author, _ROW.sub("", each.work), _ROW.sub("", each.path), each.text)
        for each in corpus
    ]
    return corpus.select(sorted(range(len(corpus)), key=keys.__getitem__))


def _by_author(corpus: Corpus) -> TextsByAuthor:
    ordered = in_standard_order(corpus)
    groups = groupby(ordered, key=lambda each: each.author)
    return {author: list(map(Text.of, documents)) for author, documents in groups}


def _count(texts: Sequence[Text]) -> int:
    return sum(text.words.n_words for text in texts)
