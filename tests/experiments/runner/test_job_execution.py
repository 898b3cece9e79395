from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest

from byline.corpus import Corpus, Document
from byline.errors import DivergenceError
from byline.experiments.runner.config import ExperimentConfig, merge_settings, parse_config
from byline.experiments.runner.id_corpus import id_corpus
from byline.experiments.runner.job_execution import Workload, run_job
from byline.experiments.runner.plan import Job
from byline.lm import NgramLM, Scoring
from byline.text import PretokenizedEncoder

AUTHORS = ("ann", "bob")
CONFIG: dict[str, Any] = {
    "title": "t",
    "scoring": {"sentence_start": False, "sentence_end": False},
    "corpora": {"c": {"path": "c", "form": "tokenised"}},
    "splits": {"s": {"corpus": "c", "unit": "sentence", "seeds": [0, 1]}},
    "models": {
        "kn": {"label": "bigrams", "kind": "ngram", "settings": {"order": 2}},
        "gt": {
            "label": "SRILM",
            "kind": "ngram",
            "preset": "srilm",
            "settings": {"order": 1},
            "words": "all",
            "unknown": ["skip"],
        },
        "nn": {
            "label": "network",
            "kind": "feedforward",
            "preset": "ge-sun-2016",
            "settings": {"epochs": 2, "embedding_dim": 5, "hidden_dims": [6]},
            "unknown": ["ge-sun-2016", "skip"],
        },
    },
}


@pytest.fixture(scope="module")
def work() -> Workload:
    return workload(parse_config(CONFIG, "t.toml"))


def workload(config: ExperimentConfig) -> Workload:
    rng = np.random.default_rng(0)
    words = [["ash", "beech", "cedar", "the", "of"], ["ant", "bee", "cicada", "the", "of"]]
    texts = ["\n".join(map(" ".join, rng.choice(own, (60, 6)))) for own in words]
    documents = [
        Document(author=author, text=text, path=author, work=author)
        for author, text in zip(AUTHORS, texts, strict=True)
    ]
    return Workload(config, {"c": id_corpus(Corpus(documents, "c"), PretokenizedEncoder())})


def job(model: str, author: str = "ann", **more: Any) -> Job:
    return Job(split="s", seed=0, model=model, author=author, **more)


def test_contents_of_a_record(work: Workload) -> None:
    found = run_job(job("kn"), work)
    record = found.record
    # 60 sentences of 6 words: 6 test, 48 training, 6 validation.
    assert record["job"] == "s.0.kn.ann"
    assert record["n_training_sentences"] == 48
    assert record["n_training_tokens"] == 48 * 6
    # ann has 5 words and <unk>; her <unk> stands for bob's three other words and the rest.
    assert record["vocabulary_size"] == 6
    assert record["n_unk_types"] == 3 + 1
    assert record["settings"]["order"] == 2
    assert set(record["measures"]) == {"validation", "test"}
    assert record["measures"]["test"]["score"]["n_tokens"] == 36
    assert found.cpu_seconds > 0


def test_scores_cover_all_authors_test_sentences(work: Workload) -> None:
    found = run_job(job("kn"), work)
    arrays = found.arrays
    assert {name: array.shape for name, array in arrays.items()} == dict.fromkeys(
        ("log_prob", "n_counted", "n_unknown"), (12,)
    )
    # The first six are ann's own: their sum is the measured log-probability.
    measured = found.record["measures"]["test"]["score"]
    assert arrays["log_prob"][:6].sum() == pytest.approx(measured["log_prob"], abs=1e-9)
    assert arrays["n_unknown"][:6].sum() == 0
    # Bob's ant, bee and cicada are unknown to ann.
    corpus, parts = work.corpus("s"), work.partition("s", 0)
    strange = [
        int(np.isin(sentence, corpus.sentences([0], corpus.tokens)[0], invert=True).sum())
        for sentence in corpus.sentences(parts.test[1], corpus.tokens)
    ]
    shared_words = sum(arrays["n_counted"][6:]) - sum(arrays["n_unknown"][6:])
    assert sum(arrays["n_counted"][6:]) == 36
    assert 0 < shared_words < 36
    assert len(strange) == 6


def test_scores_equal_those_of_the_model(work: Workload) -> None:
    arrays = run_job(job("gt", "bob"), work).arrays
    parts, words = work.partition("s", 0), work.vocabularies("s", 0, "all")
    corpus, ids = work.corpus("s"), words.encode(1)
    model = NgramLM.like_srilm(order=1)
    model.fit(corpus.sentences(parts.training[1], ids), vocabulary_size=words.vocabulary_size(1))
    skip = Scoring(sentence_start=False, sentence_end=False, unknown="skip")
    for number, sentence in enumerate(corpus.sentences(parts.tested, ids)):
        measured = model.measure([[sentence]], skip)
        assert arrays["log_prob"][number] == pytest.approx(measured.log_prob, abs=1e-9)
        assert arrays["n_counted"][number] == measured.n_tokens
        assert arrays["n_unknown"][number] == measured.n_oov


def test_a_network_records_its_history_and_all_treatments_of_unknown_words(work: Workload) -> None:
    record = run_job(job("nn"), work).record
    assert [epoch["epoch"] for epoch in record["history"]] == [1, 2]
    ways = record["measures"]["test"]
    assert list(ways) == ["ge-sun-2016", "skip"]
    assert ways["ge-sun-2016"]["n_tokens"] == ways["skip"]["n_tokens"]
    assert record["stopped"] is None


def test_a_trial_does_not_use_the_test_part(work: Workload) -> None:
    found = run_job(job("nn", trial=3, settings=(("hidden_dims", (4,)),)), work)
    assert set(found.record["measures"]) == {"validation"}
    assert not found.arrays
    assert found.record["settings"]["hidden_dims"] == [4]
    assert found.record["job"] == "search.nn.ann.003"


def test_the_same_job_has_the_same_result_in_any_order() -> None:
    config = parse_config(CONFIG, "t.toml")
    jobs = [job(model, author) for model in ("kn", "nn") for author in AUTHORS]
    one, other = workload(config), pickle.loads(pickle.dumps(workload(config)))  # noqa: S301
    first = {j.name: run_job(j, one) for j in jobs}
    second = {j.name: run_job(j, other) for j in reversed(jobs)}
    for name, found in first.items():
        assert found.record == second[name].record
        for key, array in found.arrays.items():
            np.testing.assert_array_equal(array, second[name].arrays[key])


def test_divergence_is_an_error_of_the_job() -> None:
    wild = {"models": {"nn": {"settings": {"learning_rate": 1e6}}}}
    work = workload(parse_config(merge_settings(CONFIG, wild), "t.toml"))
    with pytest.raises(DivergenceError):
        run_job(job("nn"), work)


def test_seeds_depend_on_names_alone_and_trials_share_one() -> None:
    assert job("nn").random_state(0) == job("nn", settings=(("epochs", 3),)).random_state(0)
    states = {
        job("nn").random_state(0),
        job("nn").random_state(1),
        job("nn", "bob").random_state(0),
        job("kn").random_state(0),
        Job(split="s", seed=1, model="nn", author="ann").random_state(0),
        Job(split="t", seed=0, model="nn", author="ann").random_state(0),
        job("nn", trial=0).random_state(0),
    }
    assert len(states) == 7
    assert job("nn", trial=0).random_state(0) == job("nn", trial=5).random_state(0)


def test_file_names_have_a_maximum_length_and_are_distinct() -> None:
    names = {job("kn", author).name for author in ("я" * 300, "я" * 299 + "ю", "a" * 500)}
    assert len(names) == 3
    assert all(len(name) < 200 for name in names)


@pytest.mark.parametrize("author", ["a.b", "a/b", "../x", "ä\x00", "a b"])
def test_a_jobs_name_is_safe_as_a_file_name(author: str) -> None:
    name = job("kn", author).name
    assert "/" not in name
    assert "\x00" not in name
    assert name.count(".") == 3
