"""Compare stated open-set rates with measured ones on one side of cmcc and british_fiction.

The candidates are random authors of the side. Its other authors are unknown authors.

- cmcc: half of the authors are candidates. All their texts about five topics (or of five genres)
  are known. All authors' texts about the sixth topic (or of the sixth genre) are questioned, so
  that candidates and unknown authors write about the same topic. There are 12 cases.
- british_fiction: each author is left out in turn, and the others are candidates. At least half of
  a candidate's novels are known (four passages of 2,000 words of each). The questioned texts are
  passages of 1,000 words of the other novels, and of all novels by the author left out. Authors of
  a single novel are left out in every case.

    python benchmarks/open_set_sides.py CORPORA --corpus cmcc --side test --results FILE
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
from rich.console import Console

from byline.corpus import Corpus, Document
from byline.experiments.open_set.benchmark import run_open_set_benchmark
from byline.experiments.open_set.cases import OpenSetCase
from byline.experiments.small_cases.division import SIDES
from byline.experiments.small_cases.sources import Source, SourceText, read_sources
from byline.report.open_set_benchmark import open_set_benchmark_summary, print_open_set_benchmark

N_KNOWN_PASSAGES, KNOWN_WORDS = 4, 2_000  # per novel
N_QUESTIONED_PASSAGES, QUESTIONED_WORDS = 40, 1_000  # per author


def main() -> None:
    """Print measured and stated rates, as means over the cases."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("corpora", type=Path)
    parser.add_argument("--corpus", choices=sorted(_CASES), required=True)
    parser.add_argument("--side", choices=SIDES, default="development")
    parser.add_argument("--results", type=Path, help="keep the answers in this file, and resume")
    parser.add_argument("-j", "--jobs", type=int, default=1)
    options = parser.parse_args()
    [source] = read_sources(options.corpora, options.side, [options.corpus])
    result = run_open_set_benchmark(
        f"{options.corpus}, {options.side} side",
        options.corpora,
        list(_CASES[options.corpus](source)),
        methods=["default"],
        jobs=options.jobs,
        results=options.results,
        progress=lambda done, total, name: print(f"{done} of {total}: {name}", flush=True),
    )
    print_open_set_benchmark(Console(width=120), open_set_benchmark_summary(result))


def draw_topics_and_genres(source: Source) -> Iterator[OpenSetCase]:
    """Question one topic or genre at a time, each with candidates of its own."""
    for label in ("topic", "genre"):
        for seed, value in enumerate(sorted({getattr(text, label) for text in source.texts})):
            order = np.random.default_rng(seed).permutation(source.authors)
            candidates = set(order[: len(order) // 2].tolist())
            asked = [text for text in source.texts if getattr(text, label) == value]
            others = [text for text in source.texts if getattr(text, label) != value]
            known = [text for text in others if text.author in candidates]
            yield _case(source, f"{label} {value}", known, asked)


def leave_out_novelists(source: Source) -> Iterator[OpenSetCase]:
    """Leave out one novelist at a time."""
    works = [text.author for text in source.texts]
    for seed, unknown in enumerate(name for name in source.authors if works.count(name) > 1):
        rng = np.random.default_rng(seed)
        known: list[SourceText] = []
        asked: list[SourceText] = []
        for author in source.authors:
            novels = [text for text in source.texts if text.author == author]
            own = [novels[place] for place in rng.permutation(len(novels))]
            n_known = 0 if author == unknown or len(own) == 1 else (len(own) + 1) // 2
            known += _passages(own[:n_known], N_KNOWN_PASSAGES, KNOWN_WORDS, rng)
            each = N_QUESTIONED_PASSAGES // len(own[n_known:])
            asked += _passages(own[n_known:], each, QUESTIONED_WORDS, rng)
        yield _case(source, f"without {unknown}", known, asked)


def _passages(
    novels: Iterable[SourceText], n_passages: int, n_words: int, rng: np.random.Generator
) -> Iterator[SourceText]:
    """Return random passages that do not overlap."""
    for novel in novels:
        places = rng.permutation(novel.n_words // n_words)[:n_passages]
        for start in sorted(int(place) * n_words for place in places):
            yield replace(novel, text=novel.passage(start, n_words))


def _case(
    source: Source, name: str, known: list[SourceText], asked: list[SourceText]
) -> OpenSetCase:
    name = f"{source.name}, {name}"
    return OpenSetCase(name, source.language, _corpus(known, name), _corpus(asked, name))


def _corpus(texts: Iterable[SourceText], name: str) -> Corpus:
    documents = [
        Document(each.author, each.text, f"{each.work} ({place})", each.work)
        for place, each in enumerate(texts, 1)
    ]
    return Corpus(documents, name)


_CASES: dict[str, Callable[[Source], Iterator[OpenSetCase]]] = {
    "cmcc": draw_topics_and_genres,
    "british_fiction": leave_out_novelists,
}

if __name__ == "__main__":
    main()
