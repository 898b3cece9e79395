"""Models and scores are equal to those of SRILM's ngram-count and ngram."""

from __future__ import annotations

import logging
import re
from pathlib import Path

import numpy as np
import pytest

from byline.lm import NgramLM, Scoring
from byline.lm.arpa_format.lines import LOG_10
from byline.lm.arpa_format.reading import read_arpa
from byline.lm.arpa_format.writing import write_arpa
from byline.lm.base import Sentence
from byline.lm.ngrams.tree import NgramTree

COURSES = ("course-03", "course-07")
SMOOTHINGS = {"gt": "good-turing", "kn": "modified-kneser-ney", "ukn": "kneser-ney"}
FLAGS = re.compile(r"## flags: (.*)\n.* (\d+) OOVs\n.*logprob= (\S+) ppl= (\S+)")
TOKEN = re.compile(r"\t= \[(?:(\d)gram|OOV)\] \S+ \[ (\S+) \]")


def untrained(flags: str, order: int) -> NgramLM:
    """Return the model of ``gt``, ``knbo``, ``knint``, ``uknbo`` or ``uknint``."""
    if flags == "gt":
        return NgramLM.like_srilm(order)
    return NgramLM.like_srilm(
        order,
        smoothing=SMOOTHINGS[re.sub("bo|int", "", flags)],
        interpolate=flags.endswith("int"),
        open_vocabulary=True,
        min_counts=None,
    )


def read_sentences(path: Path, words: tuple[str, ...]) -> list[Sentence]:
    ids = {word: i for i, word in enumerate(words)}
    return [
        np.array([ids.get(word, 0) for word in line.split()], dtype=np.int32)
        for line in path.read_text().splitlines()
        if line.strip()  # SRILM skips blank lines
    ]


def differences(found: NgramTree, expected: NgramTree) -> tuple[float, float]:
    """Largest absolute differences of log-probabilities and back-off weights, log10."""
    np.testing.assert_array_equal(found.keys, expected.keys)
    is_word = np.isfinite(expected.log_probs)  # all except <s>
    is_word[0] = False
    is_context = np.isfinite(expected.backoffs)  # all except the empty context
    log_probs = found.log_probs[is_word] - expected.log_probs[is_word]
    backoffs = found.backoffs[is_context] - expected.backoffs[is_context]
    return float(abs(log_probs).max()) / LOG_10, float(abs(backoffs).max(initial=0)) / LOG_10


@pytest.mark.parametrize("course", COURSES)
@pytest.mark.parametrize("order", [1, 2, 3, 4])
@pytest.mark.parametrize("flags", ["gt", "knbo", "knint", "uknbo", "uknint"])
def test_models_and_scores_of_a_course(shared: Path, course: str, flags: str, order: int) -> None:
    folder = shared / "oracles" / course
    stem = folder / "srilm" / f"{flags}.o{order}"
    words, expected = read_arpa(f"{stem}.arpa.gz")
    model = untrained(flags, order).fit(
        read_sentences(folder / "train.txt", words), vocabulary_size=len(words)
    )
    log_prob, backoff = differences(model.tree_, expected.tree_)
    assert log_prob < 1e-6
    assert backoff < 2e-5

    unknown = model.scoring.unknown
    words_alone = Scoring(sentence_start=False, sentence_end=False, unknown=unknown)
    scores = model.score_tokens(read_sentences(folder / "test50.txt", words), words_alone)
    printed = TOKEN.findall(Path(f"{stem}.test50-tokens.txt").read_text())
    assert scores.orders.tolist() == [int(order or 0) for order, _ in printed]
    log10_probs = [float(log10) for _, log10 in printed]
    np.testing.assert_allclose(scores.log_probs / LOG_10, log10_probs, rtol=0, atol=2e-6)

    test = read_sentences(folder / "test.txt", words)
    settings = FLAGS.findall(Path(f"{stem}.ppl.txt").read_text())
    assert len(settings) == 4
    for switches, n_oov, log10_prob, perplexity in settings:
        scoring = Scoring(
            sentence_start="-no-sos" not in switches,
            sentence_end="-no-eos" not in switches,
            unknown=unknown,
        )
        measured = model.measure([test], scoring)
        assert measured.log_prob / LOG_10 == pytest.approx(float(log10_prob), rel=1e-6)
        assert measured.perplexity == pytest.approx(float(perplexity), rel=2e-6)
        assert measured.n_oov == int(n_oov) or model.open_vocabulary  # then <unk> is not OOV


def test_models_of_authors_with_little_text(shared: Path, tmp_path: Path) -> None:
    files = sorted((shared / "oracles" / "small").glob("*.srilm.*.arpa.gz"))
    assert files
    for arpa in files:
        stem, order, flags = re.fullmatch(r"(.*)\.o(\d)\.srilm\.(\w+)\..*", arpa.name).groups()  # type: ignore[union-attr]
        words, expected = read_arpa(arpa)
        model = untrained(flags, int(order)).fit(
            read_sentences(arpa.with_name(f"{stem}.txt"), words), vocabulary_size=len(words)
        )
        # In an ARPA file, <unk> is listed like any unigram, observed or not.
        write_arpa(tmp_path / "model.arpa", model, words)
        found = read_arpa(tmp_path / "model.arpa")[1].tree_
        unk = abs(found.log_probs[1] - expected.tree_.log_probs[1]) / LOG_10
        assert unk < 1e-4, arpa.name  # in SRILM, P(<unk>) is one minus a sum in single precision
        found.log_probs[1] = expected.tree_.log_probs[1]
        log_prob, backoff = differences(found, expected.tree_)
        assert log_prob < 1e-6, arpa.name
        assert backoff < 1e-6, arpa.name


@pytest.mark.parametrize("flags", ["knbo", "uknint"])
def test_discounts_fail_if_those_of_srilm_fail(
    shared: Path, flags: str, caplog: pytest.LogCaptureFixture
) -> None:
    folder = shared / "oracles" / "small"
    for text in sorted(folder.glob("course-*.txt")):
        for order in range(1, 5):
            written = (folder / f"{text.stem}.o{order}.srilm.{flags}.arpa.gz").exists()
            kenlm = (folder / f"{text.stem}.o{order}.kenlm.arpa.gz").exists()
            words = tuple(dict.fromkeys(["<unk>", *text.read_text().split()]))
            caplog.clear()
            with caplog.at_level(logging.DEBUG, logger="byline.lm"):
                untrained(flags, order).fit(read_sentences(text, words), vocabulary_size=len(words))
            failed = bool(caplog.records)
            # SRILM's modified Kneser-Ney also needs n-grams that occur four times; KenLM does not.
            assert written or failed or (flags == "knbo" and kenlm), (text.name, order)
            assert not (written and failed), (text.name, order)
