"""`byline lm fit --lm feedforward`: options, the preset of the paper, held-out text, errors."""

from __future__ import annotations

import io
import json
import math
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from byline.attribution import StackedAttributor, load_attributor, load_language_model
from byline.lm import FeedForwardLM
from byline.lm.inputs import parameter_values
from byline.text import TextEncoder
from byline.text.pretokenized import PretokenizedEncoder

Run = Callable[..., Any]
NETWORK = ("--lm", "feedforward", "--embedding-dim", "3", "--hidden-dim", "4", "--epochs", "2")
PAPER = (*NETWORK, "--preset", "ge-sun-2016")
KINDS = {
    "--dropout": "feedforward or recurrent",
    "--learning-rate": "feedforward or recurrent or pretrained",
    "--epochs": "feedforward or recurrent or pretrained",
    "--batch-size": "feedforward or pretrained",
    "--device": "feedforward or pretrained",
}


@pytest.fixture
def text(known: Path) -> Path:
    """160 sentences of a few words."""
    return known / "ada" / "0.txt"


@pytest.fixture
def lines(tmp_path: Path) -> Path:
    """Twenty lines of five tokens; `once` occurs once, `loom` four times."""
    path = tmp_path / "lines.txt"
    rows = ["a b c d e"] * 16 + ["a b loom d e"] * 3 + ["a once loom d e"]
    path.write_text("\n".join(rows) + "\n", encoding="utf-8")
    return path


def fit(run: Run, *args: str | Path) -> tuple[TextEncoder | PretokenizedEncoder, FeedForwardLM]:
    """Return the encoder and the network that ``byline lm fit`` writes."""
    ended = run("lm", "fit", *args)
    assert ended.code == 0, ended.err
    encoder, model = load_language_model(args[args.index("-o") + 1])
    assert isinstance(model, FeedForwardLM)
    return encoder, model


def test_options_are_passed_to_the_network(run: Run, lines: Path, tmp_path: Path) -> None:
    options = (
        "--context 2 --target-position 2 --embedding-dim 3 --hidden-dim 4 --hidden-dim 5 "
        "--learning-rate 0.125 --momentum 0.5 --batch-size 7 --epochs 2 --seed 11 --device cpu"
    )
    kind = ("--tokenised", "--lm", "feedforward")
    _, model = fit(run, lines, "-o", tmp_path / "m", *kind, *options.split())
    assert parameter_values(model) == parameter_values(FeedForwardLM()) | {
        "context": 2,
        "target_position": 2,
        "embedding_dim": 3,
        "hidden_dims": [4, 5],
        "learning_rate": 0.125,
        "momentum": 0.5,
        "batch_size": 7,
        "epochs": 2,
        "random_state": 11,
        "device": "cpu",
    }
    assert model.context_window == (1, 1)


def test_momentum_may_be_zero(run: Run, lines: Path, tmp_path: Path) -> None:
    args = (lines, "-o", tmp_path / "m", "--tokenised", *NETWORK, "--momentum", "0")
    assert fit(run, *args)[1].training.momentum == 0.0


def test_other_parameters_have_the_default_of_the_model(
    run: Run, lines: Path, tmp_path: Path
) -> None:
    _, model = fit(run, lines, "-o", tmp_path / "m", "--tokenised", *NETWORK)
    changed = {"embedding_dim": 3, "hidden_dims": [4], "epochs": 2}
    assert parameter_values(model) == parameter_values(FeedForwardLM()) | changed


def test_the_order_is_one_more_than_the_context(run: Run, lines: Path, tmp_path: Path) -> None:
    paths = [tmp_path / "order", tmp_path / "context"]
    for path, option in zip(paths, (("--order", "3"), ("--context", "2")), strict=True):
        fit(run, lines, "-o", path, "--tokenised", *NETWORK, *option)
    assert paths[0].read_bytes() == paths[1].read_bytes()
    _, model = fit(run, lines, "-o", paths[0], *NETWORK, "--unit", "char")
    assert model.context == 5


def test_the_preset_of_the_paper(run: Run, text: Path, tmp_path: Path) -> None:
    encoder, model = fit(run, text, "-o", tmp_path / "m", *PAPER, "--batch-size", "10")
    assert encoder.get_params() == TextEncoder.like_ge_sun_2016().get_params()
    changed = {"embedding_dim": 3, "hidden_dims": [4], "epochs": 2, "batch_size": 10}
    preset = parameter_values(FeedForwardLM.like_ge_sun_2016())
    assert parameter_values(model) == preset | changed


def test_the_preset_of_the_paper_prunes_the_vocabulary_of_tokenised_text(
    run: Run, lines: Path, tmp_path: Path
) -> None:
    encoder, _ = fit(run, lines, "-o", tmp_path / "m", "--tokenised", *PAPER)
    assert isinstance(encoder, PretokenizedEncoder)
    assert encoder.get_params() == PretokenizedEncoder.like_ge_sun_2016().get_params()
    assert encoder.vocabulary_.tokens == ("<unk>", "a", "d", "e", "b", "c", "loom")
    # once is unknown, and so are words that are not in the training text
    (tmp_path / "q.txt").write_text("a once b a\nd c ship e\n")
    ended = run("lm", "perplexity", tmp_path / "m", tmp_path / "q.txt", "--json")
    document = json.loads(ended.out)
    assert (document["n_tokens"], document["n_oov"]) == (8, 2)


def test_held_out_text_stops_training_early(run: Run, lines: Path, tmp_path: Path) -> None:
    held_out = tmp_path / "valid.txt"
    held_out.write_text("e d c b a\n" * 4)  # training makes its perplexity higher
    options = ("--embedding-dim", "3", "--epochs", "20", "--learning-rate", "0.1")
    args = (lines, "-o", tmp_path / "m", "--tokenised", "--lm", "feedforward", *options)
    _, model = fit(run, *args, "--valid", held_out)
    assert len(model.history_) < 20
    assert not model.history_[-1].kept
    # all of TEXT is used for training: the shortlist contains all its words
    assert set(model.shortlist_.words) == {1, 2, 3, 4, 5, 6}


def test_held_out_text_that_is_training_text_is_reported(
    run: Run, lines: Path, tmp_path: Path
) -> None:
    held_out = tmp_path / "valid.txt"
    args = ("lm", "fit", lines, "-o", tmp_path / "m", "--valid", held_out, "--tokenised", *NETWORK)
    some = "".join(lines.read_text().splitlines(keepends=True)[:5])
    held_out.write_text(some)
    assert "all its sentences are also in the training text" in run(*args).err
    held_out.write_text(some + "a e b d c\n")
    assert "training text" not in run(*args).err


def test_held_out_text_may_be_standard_input(
    run: Run, lines: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(b"a b c\n")))
    fit(run, lines, "-o", tmp_path / "m", "--tokenised", *NETWORK, "--valid", "-")
    rejected = run("lm", "fit", "-", "-o", tmp_path / "n", *NETWORK, "--valid", "-")
    assert rejected.code == 2
    assert "standard input" in rejected.err


@pytest.mark.parametrize(
    ("content", "message"),
    [("", "contains no token"), ("x y\nz\n", "contains no word of the training")],
)
@pytest.mark.parametrize("options", [(), ("--tokenised",)])
def test_held_out_text_without_known_words_is_rejected(
    run: Run, text: Path, tmp_path: Path, content: str, message: str, options: tuple[str, ...]
) -> None:
    held_out = tmp_path / "valid.txt"
    held_out.write_text(content)
    args = ("-o", tmp_path / "m", "--valid", held_out, *NETWORK, *options)
    ended = run("lm", "fit", text, *args)
    assert ended.code == 3
    assert str(held_out) in ended.err
    assert message in ended.err
    assert list(tmp_path.iterdir()) == [held_out]


def test_the_result_is_printed(run: Run, lines: Path, tmp_path: Path) -> None:
    args = ("-o", tmp_path / "m", "--tokenised", *NETWORK, "--learning-rate", "0.05")
    held_out = tmp_path / "valid.txt"
    held_out.write_text("a b c d e\na b loom d\n")
    ended = run("lm", "fit", lines, "--valid", held_out, *args)
    assert ended.err == ""
    _, model = load_language_model(tmp_path / "m")
    assert isinstance(model, FeedForwardLM)
    last = math.exp(model.history_[1].validation_cost or 0.0)
    assert ended.out == (
        f"{tmp_path / 'm'}: 100 tokens, vocabulary 8, validation perplexity {last:.1f} "
        "in epoch 2 of 2\n"
    )


BAD_VALUES = [
    ("--learning-rate 0", "--learning-rate"),
    ("--learning-rate -1", "--learning-rate"),
    ("--learning-rate nan", "--learning-rate"),
    ("--learning-rate inf", "--learning-rate"),
    ("--learning-rate fast", "--learning-rate"),
    ("--momentum -0.5", "--momentum"),
    ("--momentum 1", "--momentum"),
    ("--momentum nan", "--momentum"),
    ("--context 0", "--context"),
    ("--context 3 --target-position 9", "with a context of 3 tokens it must be 1 to 4"),
    ("--target-position 0", "--target-position"),
    ("--embedding-dim 0", "--embedding-dim"),
    ("--hidden-dim 4 --hidden-dim 0", "--hidden-dim"),
    ("--batch-size 0", "--batch-size"),
    ("--epochs 0", "--epochs"),
    ("--device tpu", "'tpu' is not a device"),
    ("--device cuda:", "'cuda:' is not a device"),
    ("--order 3 --context 2", "--order contradicts --context"),
    ("--order 1", "--order must be 2 or more"),
]


def flat(message: str) -> str:
    """Return a message without the frame and the line breaks of the parser."""
    return " ".join(message.replace("│", " ").split())


@pytest.mark.parametrize("command", ["lm fit", "train", "evaluate"])
@pytest.mark.parametrize(("options", "message"), BAD_VALUES)
def test_invalid_values_are_rejected(
    run: Run, known: Path, tmp_path: Path, command: str, options: str, message: str
) -> None:
    source = known / "ada" / "0.txt" if command == "lm fit" else known
    output = () if command == "evaluate" else ("-o", tmp_path / "m")
    ended = run(*command.split(), source, *output, "--lm", "feedforward", *options.split())
    assert ended.code == 2
    assert message in flat(ended.err)
    assert ended.out == ""
    assert "Traceback" not in ended.err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "option",
    [
        *("--context 2", "--target-position 1", "--embedding-dim 2", "--hidden-dim 2"),
        *("--learning-rate 0.1", "--momentum 0", "--batch-size 9", "--epochs 1", "--device cpu"),
    ],
)
@pytest.mark.parametrize("command", ["lm fit", "train", "evaluate"])
def test_network_options_are_not_valid_for_ngram_models(
    run: Run, known: Path, tmp_path: Path, command: str, option: str
) -> None:
    source = known / "ada" / "0.txt" if command == "lm fit" else known
    output = () if command == "evaluate" else ("-o", tmp_path / "m")
    ended = run(*command.split(), source, *output, *option.split())
    assert ended.code == 2
    kinds = KINDS.get(option.split()[0], "feedforward")
    assert f"{option.split()[0]} is only valid with --lm {kinds}" in flat(ended.err)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("--valid TEXT", "--valid is only valid with --lm feedforward or recurrent or pretrained"),
        ("--resume", "--resume is only valid with --lm feedforward or recurrent or pretrained"),
        ("--preset ge-sun-2016", "--preset ge-sun-2016 is only valid with --lm feedforward"),
        ("--preset srilm --lm feedforward", "--preset srilm is only valid with --lm ngram"),
        ("--preset ge-sun-2016 --lm feedforward --stem", "--stem is determined by --preset"),
        ("--preset ge-sun-2016 --lm feedforward --unit char", "--unit is determined by --preset"),
        (
            "--preset ge-sun-2016 --lm feedforward --tokenised --stem",
            "--stem cannot be combined with --tokenised",
        ),
    ],
)
def test_incompatible_options_of_lm_fit_are_rejected(
    run: Run, text: Path, tmp_path: Path, options: str, message: str
) -> None:
    words = options.replace("TEXT", str(text)).split()
    ended = run("lm", "fit", text, "-o", tmp_path / "m", *words)
    assert ended.code == 2
    assert message in flat(ended.err)
    assert list(tmp_path.iterdir()) == []


def test_held_out_text_is_not_overwritten(run: Run, text: Path, tmp_path: Path) -> None:
    held_out = tmp_path / "valid.txt"
    held_out.write_text("the engine\n")
    ended = run("lm", "fit", text, "-o", held_out, "--valid", held_out, *NETWORK)
    assert ended.code == 7
    assert held_out.read_text() == "the engine\n"


def test_models_of_authors_may_be_networks_with_context_on_both_sides(
    run: Run, known: Path, questioned: Path, tmp_path: Path
) -> None:
    model = tmp_path / "m.byline"
    options = ("--context", "2", "--target-position", "2", "--batch-size", "20", "--device", "cpu")
    assert run("train", known, "-o", model, *NETWORK, *options).code == 0
    attributor = load_attributor(model)
    assert isinstance(attributor, StackedAttributor)
    assert attributor.language_models_ is not None
    fitted = attributor.language_models_.models_["ada"][0]
    assert isinstance(fitted, FeedForwardLM)
    assert (fitted.context_window, fitted.training.batch_size) == ((1, 1), 20)
    [found] = json.loads(run("attribute", model, questioned, "--json").out)["questioned"]
    assert found["ranking"][0]["author"] == "ada"
