"""`--lm pretrained` on the command line: train, resume, attribute, and options it refuses."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from byline.attribution import AuthorshipAttributor, load_attributor, load_language_model
from byline.lm import PretrainedLM
from byline.lm.pretrained.training import PretrainedTrainer
from byline.text import SubwordEncoder

Run = Callable[..., Any]


@pytest.mark.oracles
def test_an_interrupted_training_resumes(
    run: Run, known: Path, pretrained_base: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    options = ("--lm", "pretrained", "--base", pretrained_base, "--epochs", "2", "--device", "cpu")
    fit = ("lm", "fit", known / "ada" / "0.txt", "-o", tmp_path / "m", *options)
    run_epoch = PretrainedTrainer.run_epoch

    def killed_in_the_second_epoch(self: PretrainedTrainer, *args: Any) -> Any:
        if self.history:
            raise KeyboardInterrupt
        return run_epoch(self, *args)

    with monkeypatch.context() as patched:
        patched.setattr(PretrainedTrainer, "run_epoch", killed_in_the_second_epoch)
        ended = run(*fit)
    assert "use --resume to continue" in ended.err
    ended = run(*fit, "--resume")
    assert ended.code == 0 and "of 2" in ended.out
    encoder, model = load_language_model(tmp_path / "m")
    assert isinstance(encoder, SubwordEncoder) and isinstance(model, PretrainedLM)
    assert [record.epoch for record in model.history_] == [1, 2]
    assert run("lm", "perplexity", tmp_path / "m", known / "ada" / "1.txt").code == 0


@pytest.mark.oracles
def test_options_are_passed_to_the_models(
    run: Run, known: Path, pretrained_base: Path, tmp_path: Path
) -> None:
    options = ("--base", pretrained_base, "--tuning", "full", "--epochs", "1", "--batch-size", "4")
    method = ("--method", "language-models", "--lm", "pretrained", "--language", "en")
    path = tmp_path / "m.byline"
    ended = run("train", known, "-o", path, *method, *options, "--learning-rate", "0.001")
    assert ended.code == 0, ended.err
    attributor = load_attributor(path)
    assert isinstance(attributor, AuthorshipAttributor) and attributor.n_samples == 1
    model = attributor.language_model
    assert isinstance(model, PretrainedLM) and isinstance(attributor.encoder, SubwordEncoder)
    given = model.base, model.tuning, model.epochs, model.batch_size, model.learning_rate
    assert given == (str(pretrained_base), "full", 1, 4, 0.001)
    ended = run("explain", path, known / "ada" / "0.txt")
    assert ended.code == 0 and "Evidence for" in ended.out


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("--lm pretrained", "--lm pretrained needs --base: the folder of the pretrained model"),
        ("--base FOLDER", "--base is only valid with --lm pretrained"),
        ("--tuning full", "--tuning is only valid with --lm pretrained"),
        ("--lm pretrained --base F --units 3", "--units is only valid with --lm recurrent"),
        ("--lm pretrained --base F --unit char", "--unit cannot be combined with --lm pretrained"),
        ("--lm pretrained --base F --stem", "--stem cannot be combined with --lm pretrained"),
        ("--lm pretrained --base F --mixture", "--mixture is only valid with --lm feedforward or"),
        ("--lm pretrained --base nowhere", "--base nowhere: there is no such folder"),
    ],
)
def test_options_that_contradict_each_other(
    run: Run, known: Path, tmp_path: Path, options: str, message: str
) -> None:
    method = ("--method", "language-models")
    ended = run("train", known, "-o", tmp_path / "m.byline", *method, *options.split())
    assert ended.code == 2
    assert message in " ".join(ended.err.replace("│", " ").split())
    assert list(tmp_path.iterdir()) == []
