"""Measure how well change points are detected in texts that are joined from two authors.

Of every author with several works, each `--folds`-th work from the `--fold`-th on is held out. The
other works are training texts. A text by two authors consists of consecutive sentences from a
held-out work and others from a work by another author. A text by one author consists of sentences
from one work, or from two works by an author. The number of sentences is uniformly random. The
constants of `byline.attribution.rolling.analysis` were chosen with ``--fold 0``.
"""

from __future__ import annotations

import argparse
import time
import warnings
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import regex

from byline.attribution import AuthorshipAttributor, StackedAttributor
from byline.attribution.rolling import RollingAttribution, rolling_attribution
from byline.attribution.rolling.segmentation import split_sentences_exactly
from byline.corpus import Document, read_corpus
from byline.errors import BylineWarning
from byline.experiments import AccuracyEstimate

_WORD = regex.compile(r"\S+")
KINDS = ("two hands", "one hand, one work", "one hand, two works")


@dataclass(frozen=True)
class Stitched:
    """A text, its authors, and the first sentence by the second author (None: one author)."""

    kind: str
    authors: tuple[str, str]
    text: str
    change: int | None


@dataclass(frozen=True)
class Work:
    """A held-out work, divided into sentences."""

    author: str
    sentences: list[str]

    def run(self, n_sentences: int, rng: np.random.Generator) -> list[str]:
        """Choose ``n`` consecutive sentences at random, or all."""
        n = min(n_sentences, len(self.sentences))
        first = int(rng.integers(len(self.sentences) - n + 1))
        return self.sentences[first : first + n]


def main() -> None:
    """Train without a fold, join its works, detect change points, and print the results."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path, help="known texts: AUTHOR/*.txt, one work per file")
    parser.add_argument("--fold", type=int, default=1)
    parser.add_argument("--folds", type=int, default=3)
    parser.add_argument(
        "--texts", type=int, default=100, help="texts by two authors; half as many by one author"
    )
    parser.add_argument(
        "--sentences",
        type=int,
        nargs=2,
        default=[15, 60],
        help="range of the number of consecutive sentences",
    )
    parser.add_argument("--words", type=int, help="number of known words per work, from its start")
    parser.add_argument(
        "--language-models", action="store_true", help="language models only, no stack"
    )
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("-j", "--jobs", type=int, default=1)
    options = parser.parse_args()
    warnings.simplefilter("ignore", BylineWarning)  # about authors with a single work
    known, held_out = _part(list(read_corpus(options.folder)), options.fold, options.folds)
    started = time.process_time()
    attributor = _fit(known, options)
    print(f"{len(known)} works known, {len(held_out)} held out; {_seconds(started)} to train")
    works = [divide(attributor, each) for each in held_out]
    texts = _stitch(works, options)
    started = time.process_time()
    courses = [rolling_attribution(attributor, each.text) for each in texts]
    n_sentences = sum(len(course.sentences) for course in courses)
    print(f"{len(texts)} texts, {n_sentences} sentences; {_seconds(started)} to analyse\n")
    _report(texts, courses)


def divide(attributor: AuthorshipAttributor | StackedAttributor, document: Document) -> Work:
    """Divide the normalised text of a work into the sentences that the model scores."""
    text = attributor.normalization_.apply(document.text)
    return Work(document.author, split_sentences_exactly(attributor.encoder_, text))


def _part(
    documents: Sequence[Document], fold: int, folds: int
) -> tuple[list[Document], list[Document]]:
    """Divide the documents into known and held-out ones."""
    by_author = defaultdict(list)
    for document in documents:
        by_author[document.author].append(document)
    held_out = [
        document
        for own in by_author.values()
        if len(own) > 1
        for number, document in enumerate(own)
        if number % folds == fold
    ]
    return [document for document in documents if document not in held_out], held_out


def _fit(known: Sequence[Document], options: argparse.Namespace) -> Any:
    texts = [_start(document.text, options.words) for document in known]
    authors = [document.author for document in known]
    if options.language_models:
        return AuthorshipAttributor(n_jobs=options.jobs).fit(texts, authors)
    works = [document.work for document in known]
    return StackedAttributor(n_jobs=options.jobs).fit(texts, authors, groups=works)


def _start(text: str, n_words: int | None) -> str:
    ends = [word.end() for word in _WORD.finditer(text)]
    return text if n_words is None or len(ends) <= n_words else text[: ends[n_words - 1]]


def _stitch(works: Sequence[Work], options: argparse.Namespace) -> list[Stitched]:
    rng = np.random.default_rng(options.seed)
    has_two = len({work.author for work in works}) < len(works)
    amounts = (options.texts, options.texts // 2, has_two * options.texts // 2)
    return [
        _draw(kind, works, options.sentences, rng)
        for kind, amount in zip(KINDS, amounts, strict=True)
        for _ in range(amount)
    ]


def _draw(
    kind: str, works: Sequence[Work], bounds: Sequence[int], rng: np.random.Generator
) -> Stitched:
    first, second = (int(n) for n in rng.integers(bounds[0], bounds[1] + 1, size=2))
    several = [work for work in works if sum(w.author == work.author for w in works) > 1]
    one = _choose(several if kind == KINDS[2] else works, rng)
    if kind == KINDS[1]:
        text = "".join(one.run(first + second, rng))
        return Stitched(kind, (one.author, one.author), text, None)
    is_other = kind == KINDS[0]
    rest = [w for w in works if w is not one and (w.author != one.author) == is_other]
    other = _choose(rest, rng)
    before, after = one.run(first, rng), other.run(second, rng)
    text = "".join(before).rstrip() + "\n" + "".join(after)
    return Stitched(kind, (one.author, other.author), text, len(before) if is_other else None)


def _choose(works: Sequence[Work], rng: np.random.Generator) -> Work:
    """Choose an author at random, then a work."""
    author = rng.choice(sorted({work.author for work in works}))
    own = [work for work in works if work.author == author]
    return own[int(rng.integers(len(own)))]


def _report(texts: Sequence[Stitched], courses: Sequence[RollingAttribution]) -> None:
    print("| texts | n | no change | one | more | correct authors | distance: median | 90 % |")
    print("|---|---|---|---|---|---|---|---|")
    for kind in KINDS:
        own = [pair for pair in zip(texts, courses, strict=True) if pair[0].kind == kind]
        counts = [sum(_n_marks(course) == n for _, course in own) for n in range(3)]
        if own:
            print(f"| {kind} | {len(own)} | {' | '.join(map(str, counts))} | {_places(own)} |")
    single = [course for text, course in zip(texts, courses, strict=True) if text.change is None]
    share = AccuracyEstimate.from_counts(
        sum(bool(course.change_points) for course in single), len(single)
    )
    low, high = share.accuracy_interval
    print(
        f"\nTexts by one author with a change point: {share.accuracy:.1%} ({low:.1%} to {high:.1%})"
    )


def _n_marks(course: RollingAttribution) -> int:
    """Count change points: 0, 1, or 2 for more."""
    return min(len(course.change_points), 2)


def _places(own: Sequence[tuple[Stitched, RollingAttribution]]) -> str:
    """Report how often both authors are correct, and the distance of a single change point."""
    single = [
        (text, course)
        for text, course in own
        if text.change is not None and len(course.change_points) == 1
    ]
    if not single:
        return " | | "
    n_right = sum(
        text.authors == tuple(segment.author for segment in course.segments)
        for text, course in single
    )
    off = [abs(course.change_points[0].sentence - (text.change or 0)) for text, course in single]
    return f"{n_right} | {np.median(off):.1f} | {np.percentile(off, 90):.1f}"


def _seconds(since: float) -> str:
    return f"{time.process_time() - since:.0f} s"


if __name__ == "__main__":
    main()
