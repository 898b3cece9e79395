"""Models and scores are equal to those of KenLM's lmplz and query."""

from __future__ import annotations

import gzip
import logging
import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from byline.array_types import Ids
from byline.lm import NgramLM
from byline.lm.base import Sentence

COURSES = [(course, order) for course in ("course-03", "course-07") for order in (2, 3, 4)]
LOG10 = np.log(10)

Vocabulary = dict[str, int]


def read_sentences(path: Path) -> list[list[str]]:
    """Read one sentence per line; for KenLM, the word ``<unk>`` was replaced by ``xunkx``."""
    return [line.replace("<unk>", "xunkx").split() for line in path.read_text().splitlines()]


def encode(sentences: list[list[str]], vocabulary: Vocabulary) -> list[Sentence]:
    return [
        np.array([vocabulary.get(word, 0) for word in sentence], dtype=np.int32)
        for sentence in sentences
    ]


def fit(text: Path, order: int) -> tuple[NgramLM, Vocabulary]:
    sentences = read_sentences(text)
    words = ["<unk>", *dict.fromkeys(word for sentence in sentences for word in sentence)]
    vocabulary = {word: i for i, word in enumerate(words)}
    model = NgramLM.like_kenlm(order).fit(
        encode(sentences, vocabulary), vocabulary_size=len(vocabulary)
    )
    return model, vocabulary | {"</s>": len(vocabulary), "<s>": len(vocabulary) + 1}


Grams = tuple[Ids, NDArray[np.float64], NDArray[np.float64]]


def read_arpa(path: Path, vocabulary: Vocabulary) -> Iterator[Grams]:
    """Yield the n-grams (ids), log10 probabilities and log10 back-off weights of each order."""
    with gzip.open(path, "rt", encoding="utf-8") as file:
        sections = re.split(r"\\\d-grams:\n", file.read().removesuffix("\\end\\\n"))
    for section in sections[1:]:
        rows = [line.split("\t") for line in section.splitlines() if line]
        grams = np.array([[vocabulary[word] for word in row[1].split(" ")] for row in rows])
        backoffs = [float(row[2]) if len(row) > 2 else np.nan for row in rows]
        yield grams.astype(np.int32), np.array([float(row[0]) for row in rows]), np.array(backoffs)


def compare(model: NgramLM, arpa: Path, vocabulary: Vocabulary) -> tuple[int, float, float]:
    """Find every n-gram of an ARPA file in the model.

    Returns
    -------
    n_ngrams : int
    log_prob, backoff : float
        Largest absolute differences, log10.
    """
    tree, n_ngrams, log_prob, backoff = model.tree_, 0, 0.0, 0.0
    for grams, log10_probs, log10_backoffs in read_arpa(arpa, vocabulary):
        n = grams.shape[1]
        nodes = np.zeros(len(grams), dtype=np.int64)
        for column in grams.T:
            nodes = tree.find(nodes, column)
        log_probs = tree.log_probs[nodes]
        if n == 1:  # an unobserved <unk> is not an n-gram in Byline; <s> has no probability
            log_probs[grams[:, 0] == 0] = tree.log_probs[0] + tree.backoffs[0]
            log_probs[grams[:, 0] == vocabulary["<s>"]] = 0
        found = (nodes >= 0) | ((grams[:, 0] == 0) & (n == 1))
        assert found.all()
        n_ngrams += len(grams)
        log_prob = max(log_prob, float(np.abs(log_probs / LOG10 - log10_probs).max()))
        if n < model.order:
            backoffs = np.where(nodes >= 0, tree.backoffs[nodes], 0)
            backoff = max(backoff, float(np.abs(backoffs / LOG10 - log10_backoffs).max()))
    return n_ngrams, log_prob, backoff


@pytest.mark.parametrize(("course", "order"), COURSES)
def test_models_and_scores_of_a_course(shared: Path, course: str, order: int) -> None:
    folder = shared / "oracles" / course
    oracle = f"interpolated-mkn.o{order}"
    model, vocabulary = fit(folder / "train.txt", order)
    n_ngrams, log_prob, backoff = compare(model, folder / "kenlm" / f"{oracle}.arpa.gz", vocabulary)
    assert n_ngrams == len(model.tree_.keys)  # KenLM has <unk>, Byline the empty context
    assert log_prob < 1e-6
    assert backoff < 1e-6

    first_50 = encode(read_sentences(folder / "test50.txt"), vocabulary)
    printed = (folder / "kenlm" / f"{oracle}.test50-tokens.txt").read_text()
    tokens = np.array([float(x) for x in re.findall(r"=\d+ \d+ (\S+)", printed)])
    assert np.abs(model.batch_log_probs(first_50) / LOG10 - tokens).max() < 2e-6

    test = encode(read_sentences(folder / "test.txt"), vocabulary)
    printed = (folder / "kenlm" / f"{oracle}.test-sentences.txt").read_text()
    totals = np.array([float(x) for x in re.findall(r"Total: (\S+)", printed)])
    scores = model.score_samples([[sentence] for sentence in test]) / LOG10
    assert np.abs(scores - totals).max() < 1e-4

    summary = (folder / "kenlm" / f"{oracle}.test-summary.txt").read_text()
    perplexity, _, n_oov, n_tokens = map(float, re.findall(r":\t(\S+)", summary))
    measurement = model.measure([test])
    assert measurement.perplexity == pytest.approx(perplexity, rel=1e-6)
    assert (measurement.n_oov, measurement.n_tokens) == (n_oov, n_tokens)


def test_models_of_authors_with_little_text(shared: Path) -> None:
    files = sorted((shared / "oracles" / "small").glob("*.kenlm*.arpa.gz"))
    assert files
    for arpa in files:
        stem, order = re.fullmatch(r"(.*)\.o(\d)\.kenlm.*", arpa.name).groups()  # type: ignore[union-attr]
        model, vocabulary = fit(arpa.with_name(f"{stem}.txt"), int(order))
        n_ngrams, log_prob, backoff = compare(model, arpa, vocabulary)
        assert n_ngrams == len(model.tree_.keys), arpa.name
        assert log_prob < 1e-6, arpa.name
        assert backoff < 1e-6, arpa.name


def test_discounts_fail_if_those_of_kenlm_fail(
    shared: Path, caplog: pytest.LogCaptureFixture
) -> None:
    folder = shared / "oracles" / "small"
    for text in sorted(folder.glob("*.txt")):
        for order in range(1, 5) if text.name != "outcomes.txt" else ():
            is_rejected = not (folder / f"{text.stem}.o{order}.kenlm.arpa.gz").exists()
            caplog.clear()
            with caplog.at_level(logging.DEBUG, logger="byline.lm"):
                fit(text, order)
            assert bool(caplog.records) == is_rejected, (text.name, order)
