"""Byline reads models of SRILM and KenLM and gives their scores; KenLM reads models of Byline."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from byline.lm import NgramLM, Scoring
from byline.lm.arpa_format.lines import LOG_10
from byline.lm.arpa_format.reading import read_arpa
from byline.lm.arpa_format.writing import write_arpa
from byline.lm.base import Sentence

COURSES = ("course-03", "course-07")
PAPER = Scoring(sentence_start=False, sentence_end=False)
FLAGS = re.compile(
    r"## flags: (.*)\n.*sentences, (\d+) words, (\d+) OOVs\n.*logprob= (\S+) ppl= (\S+)"
)
TOKEN = re.compile(r"\tp\( (\S+) \| .*\) \t= \[(?:(\d)gram|OOV)\] \S+ \[ (\S+) \]")


def read_sentences(path: Path, unknown: str = "<unk>") -> list[list[str]]:
    return [line.replace("<unk>", unknown).split() for line in path.read_text().splitlines()]


def encode(sentences: list[list[str]], words: tuple[str, ...]) -> list[Sentence]:
    ids = {word: i for i, word in enumerate(words)}
    return [np.array([ids.get(word, 0) for word in s], dtype=np.int32) for s in sentences]


def srilm_models() -> list[str]:
    methods = ("gt", "knbo", "knint", "uknbo", "uknint")
    return [f"{method}.o{order}" for method in methods for order in (1, 2, 3, 4)]


@pytest.mark.parametrize("course", COURSES)
@pytest.mark.parametrize("name", srilm_models())
def test_srilm(shared: Path, course: str, name: str) -> None:
    folder = shared / "oracles" / course
    words, model = read_arpa(folder / "srilm" / f"{name}.arpa.gz")
    assert model.open_vocabulary == (not name.startswith("gt"))

    printed = TOKEN.findall((folder / "srilm" / f"{name}.test50-tokens.txt").read_text())
    scores = model.score_tokens(encode(read_sentences(folder / "test50.txt"), words), PAPER)
    assert len(scores.log_probs) == len(printed)
    log10_probs = np.array([float(log10) for _, _, log10 in printed])
    np.testing.assert_allclose(scores.log_probs / LOG_10, log10_probs, atol=6e-6)
    # Without the option -unk, an OOV token is not an n-gram of any order.
    assert [
        order for order, is_oov in zip(scores.orders, scores.is_oov, strict=True) if not is_oov
    ] == [int(order) for word, order, _ in printed if word != "<unk>"]

    test = [encode(read_sentences(folder / "test.txt"), words)]
    settings = FLAGS.findall((folder / "srilm" / f"{name}.ppl.txt").read_text())
    assert len(settings) == 4
    for flags, n_words, n_oov, log10_prob, perplexity in settings:
        scoring = Scoring(
            sentence_start="-no-sos" not in flags,
            sentence_end="-no-eos" not in flags,
            unknown="score" if "-unk" in flags else "skip",
        )
        measured = model.measure(test, scoring)
        n_ends = len(test[0]) if scoring.sentence_end else 0
        assert measured.n_tokens == int(n_words) + n_ends - int(n_oov)
        assert measured.log_prob / LOG_10 == pytest.approx(float(log10_prob), rel=1e-6)
        assert measured.perplexity == pytest.approx(float(perplexity), rel=2e-6)


@pytest.mark.parametrize("course", COURSES)
@pytest.mark.parametrize("order", [2, 3, 4])
def test_kenlm(shared: Path, course: str, order: int) -> None:
    folder = shared / "oracles" / course
    stem = f"interpolated-mkn.o{order}"
    words, model = read_arpa(folder / "kenlm" / f"{stem}.arpa.gz")
    first_50 = encode(read_sentences(folder / "test50.txt", "xunkx"), words)
    scores = model.score_tokens(first_50)
    printed = re.findall(
        r"=(\d+) (\d+) (\S+)", (folder / "kenlm" / f"{stem}.test50-tokens.txt").read_text()
    )
    log10_probs = np.array([float(log10) for *_, log10 in printed])
    np.testing.assert_allclose(scores.log_probs / LOG_10, log10_probs, atol=2e-6)
    is_oov = np.array([word == "0" for word, *_ in printed])
    assert (scores.is_oov == is_oov).all()
    orders = np.array([int(found) for _, found, _ in printed])
    assert (scores.orders == orders)[~is_oov].all()

    test = encode(read_sentences(folder / "test.txt", "xunkx"), words)
    printed = re.findall(
        r"Total: (\S+)", (folder / "kenlm" / f"{stem}.test-sentences.txt").read_text()
    )
    scores = model.score_samples([[sentence] for sentence in test]) / LOG_10
    np.testing.assert_allclose(scores, np.array(printed, dtype=np.float64), rtol=1e-6)


def test_small_models_are_unchanged_after_writing_and_reading(shared: Path, tmp_path: Path) -> None:
    files = sorted((shared / "oracles" / "small").glob("*.arpa.gz"))
    assert files
    for file in files:
        words, model = read_arpa(file)
        write_arpa(tmp_path / "one.arpa", model, words)
        assert_same((words, model), read_arpa(tmp_path / "one.arpa"))


def assert_same(one: tuple[tuple[str, ...], NgramLM], two: tuple[tuple[str, ...], NgramLM]) -> None:
    assert one[0] == two[0]
    assert one[1].get_params() == two[1].get_params()
    np.testing.assert_array_equal(one[1].tree_.keys, two[1].tree_.keys)
    for name in ("log_probs", "backoffs"):
        first, second = getattr(one[1].tree_, name), getattr(two[1].tree_, name)
        np.testing.assert_allclose(first, second, rtol=5e-9, atol=0)


@pytest.mark.oracles
@pytest.mark.parametrize(
    "model",
    [
        NgramLM(order=2),
        NgramLM(order=4),
        NgramLM(order=3, smoothing="witten-bell", interpolate=False),
        NgramLM(order=3, smoothing="good-turing", open_vocabulary=False, min_counts={3: 2}),
    ],
    ids=["bigrams", "4-grams", "back-off", "like SRILM"],
)
def test_kenlm_reads_models_of_byline(shared: Path, tmp_path: Path, model: NgramLM) -> None:
    kenlm = pytest.importorskip("kenlm")
    folder = shared / "oracles" / "course-03"
    sentences = read_sentences(folder / "train.txt", "xunkx")[:2000]
    words = ("<unk>", *dict.fromkeys(word for sentence in sentences for word in sentence))
    model.fit(encode(sentences, words), vocabulary_size=len(words))
    write_arpa(tmp_path / "model.arpa", model, words)
    kenlm_model = kenlm.Model(str(tmp_path / "model.arpa"))
    known = [
        s
        for s in read_sentences(folder / "test.txt", "xunkx")
        if model.open_vocabulary or set(s) <= set(words)
    ]
    assert len(known) > 50
    scores = model.score_tokens(encode(known, words))
    full = [token for s in known for token in kenlm_model.full_scores(" ".join(s))]
    np.testing.assert_allclose(scores.log_probs / LOG_10, [prob for prob, *_ in full], rtol=2e-6)
    orders = scores.orders.copy()
    orders[orders == 0] = 1  # an unobserved word is a unigram in the file
    is_known = ~scores.is_oov
    np.testing.assert_array_equal(orders[is_known], np.array([n for _, n, _ in full])[is_known])
