"""Fit the prior of the weights of similarities in verification.

Problems like those of PAN 2014 are sampled from the development side of the corpora: from one to
five known texts, or a single long one, and half of the questioned texts by the same author. For
each set, similarities are computed as `AuthorshipVerifier.fit` does. One logistic regression is
fitted to all sets, each with the same weight. The prior is the mean over several samples of the
problems, because single samples differ.

    python benchmarks/verification_prior.py CORPORA src/byline/attribution/verification/prior.json
"""

from __future__ import annotations

import argparse
import json
import zlib
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from byline.array_types import Booleans, Floats
from byline.attribution.verification import AuthorshipVerifier, VerificationProblem
from byline.attribution.verification.calibration import balanced_counts
from byline.attribution.verification.prior import CalibrationPrior
from byline.experiments.small_cases.sources import Source, SourceText, read_sources

# How far a verifier's own problems may move the weights and the intercept: chosen by
# cross-validation on the sets below, with the prior of the other corpora.
PRECISIONS = (10.0, 3.0)
FLAT = (5.0, 0.01)  # of the regression that is fitted to all sets
SHORTEST = 150  # words


@dataclass(frozen=True, slots=True)
class Shape:
    """The shape of the problems of a set.

    Attributes
    ----------
    source : str
        A name of `read_sources`.
    n_problems : int
    n_known : tuple of int
        The numbers of known texts, each as likely.
    words : (float, float) or None
        Of passages, the mean and standard deviation of the logarithm of their length in words.
        None: whole texts.
    of_text : int
        Largest number of passages per text.
    """

    source: str
    n_problems: int
    n_known: tuple[int, ...]
    words: tuple[float, float] | None = None
    of_text: int = 1


SHAPES = (
    Shape("ccat50", 160, (1, 1, 1, 2, 2, 3, 4, 4, 4, 5)),
    Shape("cmcc", 140, (1, 2, 3, 4)),
    Shape("lectures16", 100, (1, 2, 3, 4, 5), (6.9, 0.0)),
    Shape("british_fiction", 100, (1,), (7.6, 0.8), 4),
    Shape("french_theatre17", 100, (1, 2, 3, 4, 5), (7.2, 0.0), 3),
    *(Shape(f"pan19/problem{name}", 60, (1, 2, 3)) for name in ("01", "09", "13", "17")),
)


def sample_set(
    shape: Shape, source: Source, number: int
) -> tuple[list[VerificationProblem], list[bool]]:
    """Sample the problems of a set. Known and questioned texts are never of one work."""
    rng = np.random.default_rng(zlib.crc32(shape.source.encode()) + (number << 40))
    pool: dict[str, list[tuple[SourceText, str]]] = defaultdict(list)
    for text in source.texts:
        if text.role != "questioned":
            pool[text.author] += [(text, part) for part in _passages(text, shape, rng)]
    names = sorted(pool)
    several = [name for name in names if len({text.work for text, _ in pool[name]}) > 1]
    problems: list[VerificationProblem] = []
    same: list[bool] = []
    while len(problems) < shape.n_problems:
        is_same = len(problems) % 2 == 0
        known_by = str(rng.choice(several if is_same else names))
        others = [name for name in names if name != known_by]
        parts = pool[known_by if is_same else str(rng.choice(others))]
        asked, questioned = parts[int(rng.integers(len(parts)))]
        known = _known(pool[known_by], asked, rng)
        if known:
            few = rng.permutation(len(known))[: int(rng.choice(shape.n_known))]
            problems.append(VerificationProblem(tuple(known[n] for n in few), questioned))
            same.append(is_same)
    return problems, same


def _passages(text: SourceText, shape: Shape, rng: np.random.Generator) -> Iterator[str]:
    if shape.words is None:
        if text.n_words >= SHORTEST:
            yield text.text
        return
    n_words = int(np.exp(rng.normal(*shape.words)))
    for number in rng.permutation(text.n_words // n_words)[: shape.of_text].tolist():
        yield text.passage(number * n_words, n_words)


def _known(
    parts: list[tuple[SourceText, str]], asked: SourceText, rng: np.random.Generator
) -> list[str]:
    """Return an author's texts of other works, of one or two genres."""
    others = [(text, part) for text, part in parts if text.work != asked.work]
    genres = rng.permutation(sorted({text.genre for text, _ in others}))
    chosen = set(genres[: int(rng.integers(1, 3))].tolist())
    return [part for text, part in others if text.genre in chosen]


def similarities(
    problems: list[VerificationProblem], same: list[bool], language: str
) -> Iterator[tuple[Floats, Booleans]]:
    """Yield similarities and answers of the problems, and of further pairs of their texts."""
    verifier = AuthorshipVerifier(language=language).fit(problems, same)
    for each in (verifier.held_out_, verifier.further_):
        yield each.features, each.same


def fit_sample(
    sources: Mapping[str, Source], shapes: Sequence[Shape], number: int
) -> tuple[Floats, int]:
    """Fit the weights and the intercept to one sample, and count its problems."""
    found = []
    for shape in shapes:
        source = sources[shape.source]
        parts = list(similarities(*sample_set(shape, source, number), source.language))
        found += parts
        print(shape.source, *(len(same) for _, same in parts), flush=True)
    features = np.concatenate([part for part, _ in found])
    same = np.concatenate([answers for _, answers in found])
    counts = np.concatenate([100 / len(each) * balanced_counts(each) for _, each in found])
    n_features = features.shape[1]
    flat = CalibrationPrior(np.zeros(n_features + 1), np.array([*[FLAT[0]] * n_features, FLAT[1]]))
    means = flat.fit(features, same, counts)
    print(np.round(means, 3), flush=True)
    return means, len(same)


def main() -> None:
    """Fit the prior, write it and print it."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("corpora", type=Path, help="folder of the corpora")
    parser.add_argument("output", type=Path, help="prior.json")
    parser.add_argument("--samples", type=int, default=5, help="number of samples of the problems")
    parser.add_argument("--without", default="", help="leave out this corpus")
    options = parser.parse_args()
    shapes = [each for each in SHAPES if each.source.partition("/")[0] != options.without]
    corpora = sorted({shape.source.partition("/")[0] for shape in shapes})
    sources = {each.name: each for each in read_sources(options.corpora, "development", corpora)}
    fits = [fit_sample(sources, shapes, number) for number in range(options.samples)]
    means = np.round(np.stack([weights for weights, _ in fits]).mean(axis=0), 3)
    table = {
        "means": means.tolist(),
        "precisions": [*[PRECISIONS[0]] * (len(means) - 1), PRECISIONS[1]],
        "n_problems": sum(n for _, n in fits),
    }
    options.output.write_text(json.dumps(table, indent=1) + "\n", encoding="utf-8")
    print(means)


if __name__ == "__main__":
    main()
