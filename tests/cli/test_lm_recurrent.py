"""`--lm recurrent` on the command line: learnt, gone on from, measured; authors told apart."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from byline.attribution import AuthorshipAttributor, load_attributor, load_language_model
from byline.lm import RecurrentLM
from byline.lm.networks.network_lm import parameter_values
from byline.lm.networks.recurrent_training import RecurrentTrainer

Run = Callable[..., Any]
RECURRENT = ("--lm", "recurrent", "--units", "6", "--epochs", "3")


@pytest.fixture
def text(known: Path) -> Path:
    """160 sentences of a few words."""
    return known / "ada" / "0.txt"


def flat(message: str) -> str:
    """A message without the frame and the line ends that the parser puts around it."""
    return " ".join(message.replace("│", " ").split())


def test_options_reach_the_network(run: Run, text: Path, known: Path, tmp_path: Path) -> None:
    options = ("--learning-rate", "0.02", "--dropout", "0.25", "--seed", "11")
    held_out = known / "ada" / "1.txt"
    ended = run("lm", "fit", text, "-o", tmp_path / "m", *RECURRENT, *options, "--valid", held_out)
    assert ended.code == 0, ended.err
    assert ", validation perplexity " in ended.out
    _, model = load_language_model(tmp_path / "m")
    assert isinstance(model, RecurrentLM)
    assert parameter_values(model) == parameter_values(RecurrentLM()) | {
        "units": 6,
        "epochs": 3,
        "learning_rate": 0.02,
        "dropout": 0.25,
        "random_state": 11,
    }
    assert [path.name for path in tmp_path.iterdir()] == ["m"]


def test_perplexity(run: Run, text: Path, known: Path, tmp_path: Path) -> None:
    assert run("lm", "fit", text, "-o", tmp_path / "m", *RECURRENT).code == 0
    like, unlike = known / "ada" / "2.txt", known / "ben" / "2.txt"
    found = []
    for options in ((), ("--unknown", "skip"), ("--unknown", "ge-sun-2016"), ("--no-eos",)):
        ended = run("lm", "perplexity", tmp_path / "m", like, unlike, "--json", *options)
        assert ended.code == 0, ended.err
        found.append(json.loads(ended.out))
    scored, skipped, as_the_paper, words = found
    assert scored["texts"][0]["perplexity"] < scored["texts"][1]["perplexity"] / 2
    assert skipped["n_tokens"] == as_the_paper["n_tokens"] == scored["n_tokens"] - scored["n_oov"]
    assert scored["n_oov"] > 100  # nearly every word of the second text
    assert words["n_tokens"] == scored["n_tokens"] - 80
    refused = run("lm", "perplexity", tmp_path / "m", like, "--positions", "full")
    assert refused.code == 2
    assert "context of a recurrent model is unlimited" in refused.err


def test_interrupted_and_gone_on_from(
    run: Run, text: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole, cut = tmp_path / "whole", tmp_path / "cut"
    args = ("lm", "fit", text, *RECURRENT, "-o")
    assert run(*args, whole).code == 0

    def interrupt(trainer: RecurrentTrainer, epoch: int, batch_done: Callable[[], None]) -> float:
        if epoch == 2:
            raise KeyboardInterrupt
        return train_batches(trainer, epoch, batch_done)

    train_batches = RecurrentTrainer.train_batches
    with monkeypatch.context() as patched:
        patched.setattr(RecurrentTrainer, "train_batches", interrupt)
        ended = run(*args, cut)
    assert ended.code == 130
    assert "--resume goes on from there" in ended.err
    assert not cut.exists()
    assert run(*args, cut, "--resume").code == 0
    assert cut.read_bytes() == whole.read_bytes()


def test_authors(run: Run, known: Path, questioned: Path, tmp_path: Path) -> None:
    paths = [tmp_path / "one", tmp_path / "two"]
    for path, jobs in zip(paths, ("1", "2"), strict=True):
        options = (*RECURRENT, "--method", "language-models", "-j", jobs)
        assert run("train", known, "-o", path, *options).code == 0
        [found] = json.loads(run("attribute", path, questioned, "--json").out)["questioned"]
        assert found["ranking"][0]["author"] == "ada"
    models = [[_attributor(path).models_[author] for author in ("ada", "ben")] for path in paths]
    weights = [[draw.get_state().arrays["W"].tobytes() for [draw] in each] for each in models]
    assert weights[0] == weights[1]
    assert weights[0][0] != weights[0][1]


def _attributor(path: Path) -> AuthorshipAttributor:
    attributor = load_attributor(path)
    assert isinstance(attributor, AuthorshipAttributor)
    return attributor


def test_evaluate(run: Run, known: Path) -> None:
    ended = run("evaluate", known, *RECURRENT, "--folds", "2", "--json")
    assert ended.code == 0, ended.err
    assert '"language-models__language_model": "RecurrentLM"' in ended.out


@pytest.mark.parametrize(
    ("options", "named"),
    [
        ("--order 3", "--order goes with --lm ngram or feedforward only"),
        ("--context 2", "--context goes with --lm feedforward only"),
        ("--embedding-dim 9", "--embedding-dim goes with --lm feedforward only"),
        ("--hidden-dim 9", "--hidden-dim goes with --lm feedforward only"),
        ("--target-position 1", "--target-position goes with --lm feedforward only"),
        ("--momentum 0", "--momentum goes with --lm feedforward only"),
        ("--batch-size 9", "--batch-size goes with --lm feedforward only"),
        ("--device cpu", "--device goes with --lm feedforward only"),
        ("--units 0", "Invalid value for '--units'"),
        ("--lm feedforward --units 9", "--units goes with --lm recurrent only"),
        ("--lm ngram --units 9", "--units goes with --lm recurrent only"),
    ],
)
@pytest.mark.parametrize("command", ["lm fit", "train", "evaluate"])
def test_options_that_do_not_go_with_it(
    run: Run, known: Path, tmp_path: Path, command: str, options: str, named: str
) -> None:
    source = known / "ada" / "0.txt" if command == "lm fit" else known
    output = () if command == "evaluate" else ("-o", tmp_path / "m")
    ended = run(*command.split(), source, *output, "--lm", "recurrent", *options.split())
    assert ended.code == 2
    assert named in flat(ended.err)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("options", "named"),
    [
        ("--preset ge-sun-2016", "--preset ge-sun-2016 goes with --lm feedforward only"),
        ("--preset kenlm", "--preset kenlm goes with --lm ngram only"),
        ("--smoothing absolute", "--smoothing goes with --lm ngram only"),
    ],
)
def test_options_of_lm_fit_that_do_not_go_with_it(
    run: Run, text: Path, tmp_path: Path, options: str, named: str
) -> None:
    ended = run("lm", "fit", text, "-o", tmp_path / "m", "--lm", "recurrent", *options.split())
    assert ended.code == 2
    assert named in flat(ended.err)
    arpa = run("lm", "fit", text, "-o", tmp_path / "m.arpa", "--lm", "recurrent")
    assert "an ARPA file holds n-grams, not --lm recurrent" in flat(arpa.err)
