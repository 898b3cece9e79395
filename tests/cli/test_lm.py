"""`byline lm`: smoothing, presets, tokenised text and ARPA files."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, get_args, get_type_hints

import pytest

from byline.attribution import load_language_model
from byline.cli.lm_options import ScoringSettings
from byline.lm import NgramLM, Scoring
from byline.lm.arpa_format.reading import read_arpa

Run = Callable[..., Any]
FLAGS = re.compile(r"## flags: (.*)\n.*words, (\d+) OOVs\n.*logprob= (\S+) ppl= (\S+)")
TEXT = """the Loom weaves the cloth .
the loom weaves cloth and cloth .

a ship sails north , and the loom weaves .
the cloth sails .
"""


@pytest.fixture
def text(tmp_path: Path) -> Path:
    path = tmp_path / "text.txt"
    path.write_text(TEXT * 3, encoding="utf-8")
    return path


def figures(run: Run, *args: str | Path) -> dict[str, Any]:
    ended = run("lm", "perplexity", *args, "--json")
    assert ended.code == 0, ended.err
    document: dict[str, Any] = json.loads(ended.out)
    return document


@pytest.mark.parametrize("course", ["course-03", "course-07"])
@pytest.mark.parametrize("name", [f"{m}.o{n}" for m in ("gt", "knint") for n in (1, 3)])
def test_srilm_prints_the_same_perplexity(run: Run, shared: Path, course: str, name: str) -> None:
    folder = shared / "oracles" / course
    printed = FLAGS.findall((folder / "srilm" / f"{name}.ppl.txt").read_text())
    settings = [setting for setting in printed if ("-unk" in setting[0]) == name.startswith("kn")]
    assert len(settings) == 4
    model, text = folder / "srilm" / f"{name}.arpa.gz", folder / "test.txt"
    for flags, n_oov, log10, perplexity in settings:
        options = [f"-{flag}" for flag in flags.split() if flag != "-unk"]
        found = figures(run, model, text, "--tokenised", *options)
        assert found["perplexity"] == pytest.approx(float(perplexity), rel=2e-6)
        assert found["log10_probability"] == pytest.approx(float(log10), rel=1e-6)
        if name.startswith("gt"):  # in SRILM, a word that is scored as <unk> is not OOV
            assert found["n_oov"] == int(n_oov)


@pytest.mark.parametrize(
    ("options", "name"),
    [
        ("", "gt.o3"),
        ("--order 2", "gt.o2"),
        (
            "--smoothing modified-kneser-ney --min-count 3=1 --min-count 4=1 --order 4 "
            "--open-vocabulary",
            "knbo.o4",
        ),
        ("--smoothing kneser-ney --interpolate --min-count 3=1 --open-vocabulary", "uknint.o3"),
    ],
    ids=["default", "order", "back-off", "interpolated"],
)
def test_the_srilm_preset_gives_the_model_of_srilm(
    run: Run, shared: Path, tmp_path: Path, options: str, name: str
) -> None:
    folder = shared / "oracles" / "course-03"
    model = tmp_path / "model.arpa"
    fit = ("lm", "fit", folder / "train.txt", "--tokenised", "-o", model, "--preset", "srilm")
    ended = run(*fit, *options.split())
    assert ended.code == 0, ended.err
    found, expected = (
        figures(run, path, folder / "test.txt", "--tokenised")
        for path in (model, folder / "srilm" / f"{name}.arpa.gz")
    )
    assert found["n_oov"] == expected["n_oov"]
    assert found["perplexity"] == pytest.approx(expected["perplexity"], rel=1e-4)


def test_the_kenlm_preset_gives_the_model_of_kenlm(run: Run, shared: Path, tmp_path: Path) -> None:
    folder = shared / "oracles" / "course-03"
    for part in ("train", "test"):
        plain = (folder / f"{part}.txt").read_text().replace("<unk>", "xunkx")
        (tmp_path / f"{part}.txt").write_text(plain)
    fit = ("lm", "fit", tmp_path / "train.txt", "--tokenised", "--preset", "kenlm", "--order", "3")
    assert run(*fit, "-o", tmp_path / "model").code == 0
    found = figures(run, tmp_path / "model", tmp_path / "test.txt")
    printed = (folder / "kenlm" / "interpolated-mkn.o3.test-summary.txt").read_text()
    perplexity, _, n_oov, n_tokens = re.findall(r":\t(\S+)", printed)
    assert found["perplexity"] == pytest.approx(float(perplexity), rel=1e-6)
    assert (found["n_oov"], found["n_tokens"]) == (int(n_oov), int(n_tokens))


def test_tokenised_text_is_used_as_it_is(run: Run, text: Path, tmp_path: Path) -> None:
    model = tmp_path / "text.lm"
    assert run("lm", "fit", text, "-o", model, "--tokenised", "--order", "2").code == 0
    encoder, _ = load_language_model(model)
    # the loom weaves cloth . Loom and a ship sails north , and <unk>
    assert encoder.vocabulary_.size == 13
    assert "Loom" in encoder.vocabulary_
    # the model records that its text was tokenised, so the option is not needed
    assert figures(run, model, text) == figures(run, model, text, "--tokenised")
    assert figures(run, model, text)["n_tokens"] == 3 * (6 + 7 + 10 + 4 + 4)
    # in KenLM, a blank line is a sentence, so there is one more </s>
    fit = ("lm", "fit", text, "-o", model, "--tokenised", "--order", "2", "--preset", "kenlm")
    assert run(*fit).code == 0
    assert figures(run, model, text)["n_tokens"] == 3 * (6 + 7 + 10 + 4 + 5)
    # with --tokenised, words are not converted for a model of running text
    assert run("lm", "fit", text, "-o", model, "--order", "2").code == 0
    assert figures(run, model, text, "--tokenised")["n_oov"] == 3


def test_an_arpa_file_can_be_used_as_a_model(run: Run, text: Path, tmp_path: Path) -> None:
    fit = ("lm", "fit", text, "--smoothing", "witten-bell", "--back-off", "--order", "3")
    native, arpa, packed = (tmp_path / name for name in ("m.lm", "m.arpa", "m.ARPA.gz"))
    for path in (native, arpa, packed):
        assert run(*fit, "-o", path).code == 0
    assert arpa.read_text(encoding="utf-8").startswith("\\data\\\nngram 1=")
    assert packed.read_bytes()[:2] == b"\x1f\x8b"
    expected = figures(run, native, text)
    for path in (arpa, packed):
        found = figures(run, path, text)
        assert found["perplexity"] == pytest.approx(expected["perplexity"], rel=1e-8)
    words, model = read_arpa(arpa)
    assert words == load_language_model(native)[0].vocabulary_.tokens
    assert model.order == 3
    arpa.write_text(arpa.read_text(encoding="utf-8").replace("\\end\\", ""), encoding="utf-8")
    ended = run("lm", "perplexity", arpa, text)
    assert ended.code == 4
    assert re.search(r"m\.arpa, line \d+: the file ends before", ended.err)
    assert run("lm", "fit", text, "--unit", "char", "-o", arpa).code == 2


def test_scores_of_tokens(run: Run, text: Path, tmp_path: Path) -> None:
    model, questioned = tmp_path / "m.lm", tmp_path / "questioned.txt"
    questioned.write_text("the loom hums .\n")
    fit = ("lm", "fit", text, "-o", model, "--tokenised", "--order", "2")
    assert run(*fit, "--smoothing", "witten-bell").code == 0
    document = figures(run, model, questioned, "--tokens")
    [scored] = document["texts"]
    assert [token["token"] for token in scored["tokens"]] == ["the", "loom", "hums", ".", "</s>"]
    assert [token["order"] for token in scored["tokens"]] == [2, 2, 0, 1, 2]
    assert [token["oov"] for token in scored["tokens"]] == [False, False, True, False, False]
    total = math.fsum(token["log10_probability"] for token in scored["tokens"])
    assert total == pytest.approx(document["log10_probability"])
    without = figures(run, model, questioned, "--tokens", "--no-sos", "--no-eos")["texts"][0]
    assert [token["order"] for token in without["tokens"]] == [1, 2, 0, 1]
    lines = run("lm", "perplexity", model, questioned, "--tokens").out.splitlines()
    assert len(lines) == 6
    first = scored["tokens"][0]["log10_probability"]
    assert lines[0] == f"the\t{first:.6f}\t2"

    closed = (*fit, "--preset", "srilm", "--smoothing", "witten-bell")
    assert run(*closed).code == 0
    document = figures(run, model, questioned, "--tokens")
    assert document["texts"][0]["tokens"][2] == {
        "token": "hums",
        "log10_probability": None,
        "order": 0,
        "oov": True,
    }
    assert (document["n_tokens"], document["n_oov"]) == (4, 1)
    assert "hums\tOOV\t0" in run("lm", "perplexity", model, questioned, "--tokens").out


@pytest.fixture
def bigrams(run: Run, text: Path, tmp_path: Path) -> Path:
    """A model of order 2 with the vocabulary of the text and <unk>."""
    path = tmp_path / "bigrams.lm"
    fit = ("lm", "fit", text, "-o", path, "--tokenised", "--order", "2")
    assert run(*fit, "--smoothing", "witten-bell").code == 0
    return path


def test_unknown_words_are_treated_as_requested(run: Run, bigrams: Path, tmp_path: Path) -> None:
    (tmp_path / "q.txt").write_text("the loom hums .\nhums the\n")
    args = (bigrams, tmp_path / "q.txt")
    score, skip, program = (
        figures(run, *args, "--unknown", way) for way in ("score", "skip", "ge-sun-2016")
    )
    assert figures(run, *args) == score  # the default
    assert [way["scoring"]["unknown"] for way in (score, skip, program)] == [
        "score",
        "skip",
        "ge-sun-2016",
    ]
    # four words and two words, each with </s>; hums is unknown
    assert [way["n_tokens"] for way in (score, skip, program)] == [8, 6, 6]
    assert [way["n_oov"] for way in (score, skip, program)] == [2, 2, 2]
    tokens = figures(run, *args, "--tokens")["texts"][0]["tokens"]
    of_unknown = math.fsum(token["log10_probability"] for token in tokens if token["oov"])
    assert program["log10_probability"] == score["log10_probability"]
    difference = score["log10_probability"] - skip["log10_probability"]
    assert difference == pytest.approx(of_unknown)
    assert program["perplexity"] == pytest.approx(10 ** (-score["log10_probability"] / 6))


def test_only_full_ngrams_are_scored(run: Run, bigrams: Path, tmp_path: Path) -> None:
    (tmp_path / "q.txt").write_text("the loom hums .\nhums\n")
    args = (bigrams, tmp_path / "q.txt")
    full = figures(run, *args, "--positions", "full", "--tokens")
    # bigrams: the loom, loom hums, hums ., . </s>; hums </s>
    assert (full["n_tokens"], full["n_oov"]) == (5, 1)
    assert full["scoring"] == {
        "sentence_start": True,
        "sentence_end": True,
        "unknown": "score",
        "positions": "full",
    }
    [scored] = full["texts"]
    every = figures(run, *args, "--tokens")["texts"][0]["tokens"]
    assert [token["log10_probability"] for token in scored["tokens"]] == [
        None if index in (0, 5) else token["log10_probability"] for index, token in enumerate(every)
    ]
    options = ("--positions", "full", "--tokens", "--unknown", "skip", "--no-eos")
    lines = run("lm", "perplexity", *args, *options).out.splitlines()
    printed = [tuple(line.split("\t")[:2]) for line in lines[:-1]]
    assert [printed[index] for index in (0, 2, 4)] == [
        ("the", "-"),
        ("hums", "OOV"),
        ("hums", "OOV"),
    ]
    assert [word for word, _ in printed] == ["the", "loom", "hums", ".", "hums"]


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ("", ""),
        ("--unknown score --positions every", ""),
        ("--unknown skip", " (unknown words skipped)"),
        ("--unknown ge-sun-2016", " (unknown words summed but not counted)"),
        ("--positions full", " (full n-grams only)"),
        ("--no-sos --no-eos", " (first words without context; sentence ends not scored)"),
    ],
)
def test_scoring_options_that_differ_from_the_default_are_printed(
    run: Run, bigrams: Path, text: Path, options: str, words: str
) -> None:
    printed = run("lm", "perplexity", bigrams, text, text, *options.split()).out
    assert re.findall(r"probability -[\d.]+(.*)", printed) == [words] * 3


def test_a_closed_vocabulary_gives_unknown_words_no_probability(
    run: Run, text: Path, tmp_path: Path
) -> None:
    model, args = tmp_path / "closed.lm", tmp_path / "q.txt"
    args.write_text("the loom hums .\n")
    fit = ("lm", "fit", text, "-o", model, "--tokenised", "--preset", "srilm")
    assert run(*fit, "--smoothing", "witten-bell").code == 0
    assert figures(run, model, args)["scoring"]["unknown"] == "skip"
    scored = figures(run, model, args, "--unknown", "score")
    assert (scored["n_tokens"], scored["perplexity"]) == (5, None)
    assert "perplexity inf" in run("lm", "perplexity", model, args, "--unknown", "score").out


def test_the_options_have_the_choices_of_scoring(run: Run, bigrams: Path, text: Path) -> None:
    hints = get_type_hints(ScoringSettings)
    for name in ("unknown", "positions"):
        [choices] = [kind for kind in get_args(hints[name]) if kind is not type(None)]
        own = get_type_hints(Scoring)[name]
        assert set(get_args(choices)) == set(get_args(own))
        ended = run("lm", "perplexity", bigrams, text, f"--{name}", "some")
        assert ended.code == 2
        assert f"--{name}" in ended.err


def test_a_text_without_a_full_ngram_has_no_perplexity(
    run: Run, bigrams: Path, tmp_path: Path
) -> None:
    (tmp_path / "q.txt").write_text("cloth\n")
    args = (bigrams, tmp_path / "q.txt", "--positions", "full", "--no-eos")
    assert figures(run, *args)["perplexity"] is None
    assert (
        "no token was scored, so there is no perplexity (sentence ends"
        in run("lm", "perplexity", *args).out
    )


def test_options_are_passed_to_the_model(run: Run, text: Path, tmp_path: Path) -> None:
    model = tmp_path / "m.lm"
    options = ("--smoothing", "absolute", "--min-count", "2=2", "--min-count", "3=3")
    assert run("lm", "fit", text, "-o", model, "--order", "3", *options).code == 0
    _, fitted = load_language_model(model)
    assert isinstance(fitted, NgramLM)
    assert (fitted.order, fitted.smoothing, fitted.open_vocabulary) == (3, "absolute", True)
    assert list(fitted.min_counts or ()) == [1, 2, 3]
    assert run("lm", "fit", text, "-o", model, "--preset", "srilm", "--min-count", "4=3").code == 2


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--lm", "feedforward", "--smoothing", "absolute"], "--smoothing"),
        (["--lm", "feedforward", "--back-off"], "--back-off"),
        (["--lm", "feedforward", "--preset", "kenlm"], "--preset"),
        (["--lm", "feedforward", "--min-count", "2=2"], "--min-count"),
        (["--lm", "feedforward", "--open-vocabulary"], "--open-vocabulary"),
        (["--preset", "kenlm", "--smoothing", "absolute"], "--smoothing"),
        (["--preset", "kenlm", "--interpolate"], "--interpolate"),
        (["--tokenised", "--stem"], "--stem"),
        (["--tokenised", "--unit", "char"], "--unit"),
        (["--min-count", "5=2"], "5=2"),
        (["--min-count", "2"], "'2' does not have the form ORDER=COUNT"),
        (["--min-count", "0=2"], "'0=2' does not have the form ORDER=COUNT"),
        (["--min-count", "2=3", "--min-count", "3=2"], "must not decrease"),
        (["--min-count", "2=2", "--min-count", "2=3"], "order 2 has several counts"),
        (["--smoothing", "good-turing", "--interpolate"], "good-turing"),
        (["--smoothing", "none"], "--smoothing"),
        (["--preset", "nltk"], "--preset"),
    ],
)
def test_incompatible_options_are_rejected(
    run: Run, text: Path, tmp_path: Path, options: list[str], message: str
) -> None:
    ended = run("lm", "fit", text, "-o", tmp_path / "m", *options)
    assert ended.code == 2
    assert message in ended.err
    assert not (tmp_path / "m").exists()


def test_a_network_has_no_orders_and_no_arpa_file(run: Run, text: Path, tmp_path: Path) -> None:
    network = ("--lm", "feedforward", "--epochs", "1", "--embedding-dim", "2")
    rejected = run("lm", "fit", text, "-o", tmp_path / "m.arpa", *network)
    assert rejected.code == 2
    assert "ARPA" in rejected.err
    assert run("lm", "fit", text, "-o", tmp_path / "m", "--tokenised", *network).code == 0
    assert figures(run, tmp_path / "m", text, "--no-eos")["n_tokens"] == 3 * (6 + 7 + 10 + 4)
    for option in ("--tokens", "--no-sos"):
        ended = run("lm", "perplexity", tmp_path / "m", text, option)
        assert ended.code == 2
        assert ended.out == ""


def test_boundary_symbols_in_tokenised_text_are_rejected(
    run: Run, text: Path, tmp_path: Path
) -> None:
    text.write_text("a b\n<s> a </s>\n")
    ended = run("lm", "fit", text, "-o", tmp_path / "m", "--tokenised")
    assert ended.code == 3
    assert "Line 2" in ended.err
    assert run("lm", "fit", tmp_path, "-o", tmp_path / "m", "--tokenised").code == 3
    assert run("lm", "fit", "-", "-", "-o", tmp_path / "m", "--tokenised").code == 2
