"""Leave out each of eight novels, two by each of four authors, and attribute it and its passages.

    python benchmarks/eight_novels.py CORPORA/british_fiction
    python benchmarks/eight_novels.py CORPORA/british_fiction --side development

While a novel is left out, its author has one other novel, and the other authors have two. The first
60,000 words of each novel are used, 40 random passages of each length, and the whole. Choices are
made on the development side.
"""

from __future__ import annotations

import argparse
import time
import warnings
from collections import defaultdict
from pathlib import Path

import numpy as np
import regex

from byline.attribution import BurrowsDelta, StackedAttributor
from byline.corpus import read_text
from byline.errors import BylineWarning
from byline.typography import Normalization

NOVELS = {
    "test": {
        "Austen": ("Emma", "Pride"),
        "CBronte": ("Jane", "Professor"),
        "Eliot": ("Adam", "Middlemarch"),
        "Trollope": ("Barchester", "Phineas"),
    },
    "development": {
        "Dickens": ("Hard", "David"),
        "Fielding": ("Tom", "Joseph"),
        "Sterne": ("Tristram", "Sentimental"),
        "Thackeray": ("Barry", "Vanity"),
    },
}
LENGTHS = (300, 1000, 4000)
WHOLE = 0
N_PASSAGES = 40
DELTAS = {
    "Burrows's Delta, 500 words": BurrowsDelta(),
    "Cosine Delta, 1,000 words": BurrowsDelta(1000, distance="cosine"),
    "Cosine Delta, 2,000 words": BurrowsDelta(2000, distance="cosine"),
}
_WORD = regex.compile(r"\S+")


def main() -> None:
    """Print the accuracy of each method by length, and the mean stated probability."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--side", choices=tuple(NOVELS), default="test")
    parser.add_argument("--words", type=int, default=60_000, help="of each novel; 0 for all")
    options = parser.parse_args()
    if options.words and options.words <= max(LENGTHS):
        parser.error(f"--words must be 0, or above the longest passage ({max(LENGTHS):,} words)")
    warnings.simplefilter("ignore", BylineWarning)
    texts = _read(options.folder, options.side, options.words)
    rng = np.random.default_rng(0)
    correct: dict[str, dict[int, list[bool]]] = defaultdict(lambda: defaultdict(list))
    stated: dict[int, list[float]] = defaultdict(list)
    for (author, title), text in texts.items():
        known = {key: each for key, each in texts.items() if key != (author, title)}
        questioned = _passages(text, rng)
        lengths = np.array([length for length, _ in questioned])
        asked = [passage for _, passage in questioned]
        started = time.process_time()
        stack = StackedAttributor().fit(list(known.values()), [name for name, _ in known])
        seconds = time.process_time() - started
        scores = stack.score_texts(asked)
        probabilities = np.exp(scores.log_probabilities())
        answers = {
            "default": scores.log_odds.argmax(axis=1),
            **dict(zip(scores.names, scores.by_base_classifier.argmax(axis=2), strict=True)),
        }
        for name, delta in DELTAS.items():
            delta.fit(list(known.values()), [name for name, _ in known])
            answers[name] = delta.score_authors(asked).argmax(axis=1)
        truth = stack.classes_.tolist().index(author)
        for length in (*LENGTHS, WHOLE):
            stated[length] += probabilities[lengths == length].max(axis=1).tolist()
            for name, found in answers.items():
                correct[name][length] += (found[lengths == length] == truth).tolist()
        print(f"{author}, {title}: {probabilities[-1, truth]:.1%}, {seconds:.0f} CPU s", flush=True)
    print(f"| method | {' | '.join(map(_heading, (*LENGTHS, WHOLE)))} |\n{'|---' * 5}|")
    for name, by_length in correct.items():
        print(f"| {name} | {' | '.join(f'{np.mean(own):.1%}' for own in by_length.values())} |")
    print(f"| mean stated | {' | '.join(f'{np.mean(own):.1%}' for own in stated.values())} |")


def _read(folder: Path, side: str, n_words: int) -> dict[tuple[str, str], str]:
    normalize = Normalization.parse("edition").apply
    texts = {}
    for author, titles in NOVELS[side].items():
        for title in titles:
            text = normalize(read_text(folder / author / f"{title}.txt"))
            texts[author, title] = _cut(text, 0, n_words) if n_words else text
    return texts


def _passages(text: str, rng: np.random.Generator) -> list[tuple[int, str]]:
    n_words = len(_WORD.findall(text))
    passages = [
        (length, _cut(text, int(start), length))
        for length in LENGTHS
        for start in rng.integers(0, n_words - length, size=N_PASSAGES)
    ]
    return [*passages, (WHOLE, text)]


def _cut(text: str, first: int, n_words: int) -> str:
    starts = [word.start() for word in _WORD.finditer(text)]
    bounds = [*starts, len(text)]
    return text[bounds[first] : bounds[min(first + n_words, len(starts))]]


def _heading(n_words: int) -> str:
    return f"{n_words:,} words" if n_words else "whole"


if __name__ == "__main__":
    main()
