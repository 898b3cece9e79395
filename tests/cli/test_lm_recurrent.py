"""`--lm recurrent` on the command line: train, resume, measure, attribute and evaluate."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from byline.attribution import AuthorshipAttributor, load_attributor, load_language_model
from byline.lm import RecurrentLM
from byline.lm.inputs import parameter_values
from byline.lm.networks.recurrent_training import RecurrentTrainer

Run = Callable[..., Any]
RECURRENT = ("--lm", "recurrent", "--units", "6", "--epochs", "3")


@pytest.fixture
def text(known: Path) -> Path:
    """160 sentences of a few words."""
    return known / "ada" / "0.txt"


def flat(message: str) -> str:
    """Return a message without the frame and the line breaks of the parser."""
    return " ".join(message.replace("│", " ").split())


def test_options_are_passed_to_the_network(
    run: Run, text: Path, known: Path, tmp_path: Path
) -> None:
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
    similar, different = known / "ada" / "2.txt", known / "ben" / "2.txt"
    found = []
    for options in ((), ("--unknown", "skip"), ("--unknown", "ge-sun-2016"), ("--no-eos",)):
        ended = run("lm", "perplexity", tmp_path / "m", similar, different, "--json", *options)
        assert ended.code == 0, ended.err
        found.append(json.loads(ended.out))
    scored, skipped, as_the_paper, words = found
    assert scored["texts"][0]["perplexity"] < scored["texts"][1]["perplexity"] / 2
    assert skipped["n_tokens"] == as_the_paper["n_tokens"] == scored["n_tokens"] - scored["n_oov"]
    assert scored["n_oov"] > 100  # nearly every word of the second text
    assert words["n_tokens"] == scored["n_tokens"] - 80
    rejected = run("lm", "perplexity", tmp_path / "m", similar, "--positions", "full")
    assert rejected.code == 2
    assert "context of a recurrent model is unlimited" in rejected.err


def test_an_interrupted_training_is_resumed(
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
    assert "use --resume to continue" in ended.err
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
    weights = [[sample.get_state().arrays["W"].tobytes() for [sample] in each] for each in models]
    assert weights[0] == weights[1]
    assert weights[0][0] != weights[0][1]


def _attributor(path: Path) -> AuthorshipAttributor:
    attributor = load_attributor(path)
    assert isinstance(attributor, AuthorshipAttributor)
    return attributor


def test_evaluate(run: Run, known: Path) -> None:
    ended = run("evaluate", known, *RECURRENT, "--folds", "2", "--json")
    assert ended.code == 0, ended.err
    assert '"language_models__language_model": "RecurrentLM"' in ended.out


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("--order 3", "--order is only valid with --lm ngram or feedforward"),
        ("--context 2", "--context is only valid with --lm feedforward"),
        ("--embedding-dim 9", "--embedding-dim is only valid with --lm feedforward"),
        ("--hidden-dim 9", "--hidden-dim is only valid with --lm feedforward"),
        ("--target-position 1", "--target-position is only valid with --lm feedforward"),
        ("--momentum 0", "--momentum is only valid with --lm feedforward"),
        ("--batch-size 9", "--batch-size is only valid with --lm feedforward"),
        ("--device cpu", "--device is only valid with --lm feedforward"),
        ("--units 0", "Invalid value for '--units'"),
        ("--lm feedforward --units 9", "--units is only valid with --lm recurrent"),
        ("--lm ngram --units 9", "--units is only valid with --lm recurrent"),
    ],
)
@pytest.mark.parametrize("command", ["lm fit", "train", "evaluate"])
def test_options_of_other_models_are_rejected(
    run: Run, known: Path, tmp_path: Path, command: str, options: str, message: str
) -> None:
    source = known / "ada" / "0.txt" if command == "lm fit" else known
    output = () if command == "evaluate" else ("-o", tmp_path / "m")
    ended = run(*command.split(), source, *output, "--lm", "recurrent", *options.split())
    assert ended.code == 2
    assert message in flat(ended.err)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("--preset ge-sun-2016", "--preset ge-sun-2016 is only valid with --lm feedforward"),
        ("--preset kenlm", "--preset kenlm is only valid with --lm ngram"),
        ("--smoothing absolute", "--smoothing is only valid with --lm ngram"),
    ],
)
def test_options_of_lm_fit_for_other_models_are_rejected(
    run: Run, text: Path, tmp_path: Path, options: str, message: str
) -> None:
    ended = run("lm", "fit", text, "-o", tmp_path / "m", "--lm", "recurrent", *options.split())
    assert ended.code == 2
    assert message in flat(ended.err)
    arpa = run("lm", "fit", text, "-o", tmp_path / "m.arpa", "--lm", "recurrent")
    assert "an ARPA file can only store an n-gram model, not --lm recurrent" in flat(arpa.err)
