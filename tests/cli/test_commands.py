"""Each command from its arguments to what it prints."""

from __future__ import annotations

import io
import json
import math
import re
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from byline.attribution import StackedAttributor, load_attributor
from byline.cli.attributor_options import AttributorSettings

Run = Callable[..., Any]
Sentences = Callable[[str, int, int], str]


def test_attribute_names_the_author_and_the_words(run: Run, model: Path, questioned: Path) -> None:
    ended = run("attribute", model, questioned)
    assert ended.code == 0
    first, second = [line for line in ended.out.splitlines() if "ada" in line or "ben" in line][:2]
    assert first.split()[:2] == ["1", "ada"]
    assert second.split()[:2] == ["2", "ben"]
    assert "evidence for ada" in ended.out
    told = " ".join(ended.out.split())
    assert re.search(r"calibrated on 8 held-out known texts and [\d,]+ simulated cases\.", told)
    assert "uncalibrated" not in told
    assert "confiden" not in told
    assert re.search(r"In \d+ simulated cases of this size \(2 candidates, [\d,]+ to", told)
    assert "Perplexity: of the language models only" in " ".join(ended.out.split())


def test_attribute_leaves_out_the_evidence(run: Run, model: Path, questioned: Path) -> None:
    [whole] = json.loads(run("attribute", model, questioned, "--json").out)["questioned"]
    [plain] = json.loads(run("attribute", model, questioned, "--json", "--no-evidence").out)[
        "questioned"
    ]
    assert whole == plain | {"evidence": whole["evidence"]}
    assert whole["evidence"]["first"] == "ada"
    assert "evidence" not in plain
    printed = run("attribute", model, questioned, "--no-evidence").out
    assert "ada" in printed and "evidence" not in printed
    ended = run("attribute", model, questioned, "--no-evidence", "--report", "case.html")
    assert ended.code == 2
    assert "--report and --figures show the evidence; omit --no-evidence" in ended.err


def test_attribute_needs_known_texts_for_keywords(run: Run, model: Path, questioned: Path) -> None:
    ended = run("attribute", model, questioned, "--keep-names")
    assert ended.code == 2
    assert "--keep-names is about keywords, which need the known texts; give them" in ended.err


def test_attribute_json_has_the_promised_keys(run: Run, model: Path, questioned: Path) -> None:
    ended = run("attribute", model, questioned, "--json")
    document = json.loads(ended.out)
    assert ended.err == ""
    assert document["schema"] == 2
    [text] = document["questioned"]
    assert text["path"] == str(questioned)
    assert text["declined"] is None
    assert text["calibration_unavailable_reason"] is None
    basis = text["calibration_basis"]
    assert re.fullmatch(r"8 held-out known texts and [\d,]+ simulated cases", basis)
    assert text["similar_cases"]["n_texts"] >= 100
    assert text["similar_cases"]["candidates"] == [2, 2]
    assert text["caveats"] == []
    assert [place["author"] for place in text["ranking"]] == ["ada", "ben"]
    for place in text["ranking"]:
        assert set(place) == {
            "author",
            "score",
            "log_likelihood",
            "log_likelihood_per_token",
            "perplexity",
            "probability",
            "log10_lr",
            "support",
            "posterior_uncalibrated",
        }
        odds = place["probability"] / (1 - place["probability"])
        assert 10 ** place["log10_lr"] == pytest.approx(odds)
        assert place["support"]
        # 12 sentences of 8 words and a full stop, each with an end mark: 12 * (9 + 1) events
        assert place["log_likelihood"] / 120 == pytest.approx(-math.log(place["perplexity"]))
    assert [place["posterior_uncalibrated"] for place in text["ranking"]] == [None, None]


@pytest.mark.parametrize("method", ["stacked", "language-models"])
def test_one_text_per_author_is_enough_for_a_probability(
    run: Run, questioned: Path, tmp_path: Path, sentences: Sentences, method: str
) -> None:
    for author in ("ada", "ben"):
        (tmp_path / "known" / author).mkdir(parents=True)
        text = sentences(author, 20, 1)
        (tmp_path / "known" / author / "1.txt").write_text(text, encoding="utf-8")
    model, report = tmp_path / "m.byline", tmp_path / "case.html"
    calibrated = ("--calibrate",) if method == "language-models" else ()
    known = tmp_path / "known"
    assert run("train", known, "-o", model, "--method", method, *calibrated).code == 0
    ended = run("attribute", model, questioned, "--json", "--report", report)
    [text] = json.loads(ended.out)["questioned"]
    assert text["ranking"][0]["author"] == "ada"
    assert 0.5 < text["ranking"][0]["probability"] < 1
    assert re.fullmatch(r"[\d,]+ simulated cases", text["calibration_basis"])
    assert "single-work" in [caveat["code"] for caveat in text["caveats"]]
    html = report.read_text(encoding="utf-8")
    assert "No author has a second work that could be held out." in html


def test_top_cuts_the_ranking(run: Run, model: Path, questioned: Path) -> None:
    ended = run("attribute", model, questioned, "--json", "--top", "1")
    assert len(json.loads(ended.out)["questioned"][0]["ranking"]) == 1


def test_attribute_writes_a_report(run: Run, model: Path, questioned: Path, tmp_path: Path) -> None:
    report = tmp_path / "case.html"
    ended = run("attribute", model, questioned, "--json", "--report", report)
    assert json.loads(ended.out)["questioned"]
    assert report.read_text(encoding="utf-8").lower().startswith("<!doctype html>")


def test_an_empty_text_is_declined_with_its_reason(run: Run, model: Path, tmp_path: Path) -> None:
    empty = tmp_path / "empty.txt"
    empty.write_text(" \n")
    ended = run("attribute", model, empty)
    assert ended.code == 0
    assert "cannot tell" in ended.out
    [text] = json.loads(run("attribute", model, empty, "--json").out)["questioned"]
    assert text["declined"]
    assert text["ranking"] == []


def test_standard_input_is_a_text(
    run: Run, model: Path, monkeypatch: pytest.MonkeyPatch, sentences: Sentences
) -> None:
    data = sentences("ben", 12, 5).encode()
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(data)))
    [text] = json.loads(run("attribute", model, "-", "--json").out)["questioned"]
    assert text["ranking"][0]["author"] == "ben"


@pytest.mark.processes
def test_train_is_the_same_twice_and_on_two_processes(
    run: Run, known: Path, tmp_path: Path
) -> None:
    paths = [tmp_path / name for name in ("a", "b", "c")]
    for path, jobs in zip(paths, ("1", "1", "2"), strict=True):
        assert run("train", known, "-o", path, "-j", jobs, "--samples", "2").code == 0
    assert paths[0].read_bytes() == paths[1].read_bytes() == paths[2].read_bytes()


def test_feedforward_and_characters(
    run: Run, known: Path, questioned: Path, tmp_path: Path
) -> None:
    model = tmp_path / "m.byline"
    network = ("--lm", "feedforward", "--epochs", "2", "--embedding-dim", "4", "--hidden-dim", "5")
    alone = ("--method", "language-models")
    for options in (network, ("--unit", "char", "--order", "3")):
        assert run("train", known, "-o", model, *alone, *options).code == 0
        [text] = json.loads(run("attribute", model, questioned, "--json").out)["questioned"]
        assert text["ranking"][0]["author"] == "ada"


def test_models_adapted_from_a_background_and_mixed(
    run: Run, known: Path, questioned: Path, tmp_path: Path
) -> None:
    model = tmp_path / "m.byline"
    network = ("--epochs", "2", "--units", "4", "--lm", "recurrent")
    alone = ("--method", "language-models", "--background")
    for options in (("--order", "3"), network, (*network, "--mixture")):
        assert run("train", known, "-o", model, *alone, *options).code == 0
        [text] = json.loads(run("attribute", model, questioned, "--json").out)["questioned"]
        assert text["ranking"][0]["author"] == "ada"


@pytest.mark.parametrize("method", ["stacked", "language-models"])
def test_a_cache_goes_to_the_language_models(
    run: Run, known: Path, tmp_path: Path, method: str
) -> None:
    model = tmp_path / "m.byline"
    options = ("--method", method, "--order", "2")
    assert run("train", known, "-o", model, *options, "--cache", "0.5").code == 0
    attributor = load_attributor(model)
    if isinstance(attributor, StackedAttributor):
        assert attributor.language_models_ is not None
        attributor = attributor.language_models_
    assert attributor.cache == 0.5
    assert AttributorSettings(cache=0.25).language_models().cache == 0.25
    assert AttributorSettings().language_models().cache == 0.0
    assert run("evaluate", known, *options, "--cache", "1").code == 2


def test_language_models_alone_are_calibrated_where_that_is_asked_for(
    run: Run, known: Path, tmp_path: Path
) -> None:
    model = tmp_path / "m.byline"
    options = ("--method", "language-models", "--order", "2", "--calibrate")
    assert run("train", known, "-o", model, *options).code == 0
    attributor = load_attributor(model)
    assert isinstance(attributor, StackedAttributor)
    assert list(attributor.base_classifiers_) == ["language-models"]


def test_a_mixture_needs_a_network(run: Run, known: Path, tmp_path: Path) -> None:
    ended = run("train", known, "-o", tmp_path / "m.byline", "--mixture")
    assert ended.code == 2
    assert "--mixture is only valid with --lm feedforward or recurrent" in ended.err


def test_a_stack_cannot_be_added_to(run: Run, model: Path, known: Path, tmp_path: Path) -> None:
    ended = run("add-author", model, known, "-o", tmp_path / "three.byline")
    assert ended.code == 2
    assert "--method language-models" in ended.err
    assert not (tmp_path / "three.byline").exists()


def test_add_author(
    run: Run, known: Path, questioned: Path, tmp_path: Path, sentences: Sentences
) -> None:
    model = tmp_path / "two.byline"
    assert run("train", known, "-o", model, "--method", "language-models").code == 0
    more = tmp_path / "more"
    (more / "cyd").mkdir(parents=True)
    for number in range(5):
        text = sentences("ben", 40, 50 + number).replace("ship", "cart")
        (more / "cyd" / f"{number}.txt").write_text(text)
    grown = tmp_path / "three.byline"
    assert run("add-author", model, more, "-o", grown).code == 0
    before, after = (
        json.loads(run("attribute", m, questioned, "--json").out)["questioned"][0]["ranking"]
        for m in (model, grown)
    )
    likelihoods = {place["author"]: place["log_likelihood"] for place in after}
    assert set(likelihoods) == {"ada", "ben", "cyd"}
    assert all(likelihoods[place["author"]] == place["log_likelihood"] for place in before)
    refused = run("add-author", model, known, "-o", grown)
    assert refused.code == 2
    assert "ada and ben" in refused.err


def test_evaluate(run: Run, known: Path, tmp_path: Path) -> None:
    report = tmp_path / "evaluation.html"
    options = ("--order", "2", "--sentences", "2", "--report", report)
    ended = run("evaluate", known, "--folds", "2", *options, "--json")
    document = json.loads(ended.out)
    assert document["n_authors"] == 2
    assert document["n_documents"] == 8
    assert document["accuracy"] == 1.0
    # Wilson, 8 of 8: lower end n / (n + z^2) = 8 / (8 + 1.96^2) = 0.676
    assert document["accuracy_interval"] == pytest.approx([0.676, 1.0], abs=1e-3)
    assert document["macro_f1"] == 1.0
    assert document["confusion"]["matrix"] == [[4, 0], [0, 4]]
    assert document["baselines"]["most_frequent_author"]["accuracy"] == 0.5
    assert document["by_length"][0]["n_questioned"] == 8 * 20
    assert document["calibration"]["calibration_unavailable_reason"] is None
    assert document["calibration"]["before"]["n"] == document["calibration"]["after"]["n"] == 8
    assert "<!doctype html>" in report.read_text(encoding="utf-8").lower()
    alone = ("--order", "2", "--method", "language-models")
    printed = run("evaluate", known, "--folds", "leave-one-out", *alone).out
    assert "accuracy" in printed
    assert "Uncalibrated: " in printed


def test_evaluate_on_texts_of_their_own(
    run: Run, known: Path, tmp_path: Path, sentences: Sentences
) -> None:
    (tmp_path / "ada").mkdir()
    (tmp_path / "ada" / "new.txt").write_text(sentences("ada", 20, 77))
    ended = run("evaluate", known, "--test", tmp_path, "--json")
    assert json.loads(ended.out)["n_questioned"] == 1


def test_profile(run: Run, known: Path) -> None:
    ended = run("profile", known, "--json")
    first = json.loads(ended.out)["rows"][0]
    assert first["author"] == "ada"
    # 4 texts of 40 sentences of 8 words, a full stop and an end mark
    assert (first["n_sentences"], first["n_words"]) == (160, 1600)
    # the, engine, weaves, numbers, like, any, loom, leaves, and, then, will, compose, "."
    assert first["vocabulary_original"] == 13
    assert "ada" in run("profile", known).out
    assert run("profile", known, "--stem").code == 2


def test_lm_fit_and_perplexity(run: Run, known: Path, questioned: Path, tmp_path: Path) -> None:
    model = tmp_path / "ada.lm"
    texts = [known / "ada" / f"{number}.txt" for number in range(4)]
    assert run("lm", "fit", *texts, "-o", model, "--order", "2").code == 0
    document = json.loads(run("lm", "perplexity", model, questioned, "--json").out)
    assert document["n_tokens"] == 120
    assert document["n_oov"] == 0
    assert document["perplexity"] == pytest.approx(10 ** (-document["log10_probability"] / 120))
    assert document["perplexity"] < 20
    printed = run("lm", "perplexity", model, questioned, known / "ben" / "0.txt").out
    assert "all 2 texts" in printed
