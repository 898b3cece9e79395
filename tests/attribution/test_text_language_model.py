"""`TextLanguageModel`: the methods that users of kenlm and nltk.lm expect."""

from __future__ import annotations

import math
from pathlib import Path

import pytest
from sklearn.exceptions import NotFittedError

from byline.attribution import TextLanguageModel
from byline.errors import ModelFileError, UsageError
from byline.lm import FeedForwardLM, FeedForwardTraining, LanguageModel, NgramLM, Scoring
from byline.text import PretokenizedEncoder, TextEncoder

TEXTS = ["The loom is new. The ship is old.", "The ship is new."]


def fitted(model: LanguageModel | None = None) -> TextLanguageModel:
    return TextLanguageModel(TextEncoder(min_count=1), model or NgramLM(order=2)).fit(TEXTS)


def test_unigrams_worked_by_hand() -> None:
    """Witten-Bell unigrams of "a b a": a 2, b 1, </s> 1, so 4 tokens of 3 types.

    The uniform share of <unk>, a, b and </s> is 1/4, so p(w) = (c(w) + 3/4) / 7:
    a 2.75/7, b 1.75/7, </s> 1.75/7, <unk> 0.75/7.
    """
    model = NgramLM(order=1, smoothing="witten-bell")
    text_model = TextLanguageModel(PretokenizedEncoder(), model).fit(["a b a"])
    probs = [2.75 / 7, 0.75 / 7, 1.75 / 7]  # a, unknown, </s>
    scores = text_model.full_scores("a x")
    assert [each.token for each in scores] == ["a", "x", "</s>"]
    assert [each.is_oov for each in scores] == [False, True, False]
    logs = [math.log10(prob) for prob in probs]
    assert [each.log10_probability for each in scores] == pytest.approx(logs)
    assert text_model.score("a x") == pytest.approx(sum(logs))
    assert text_model.perplexity("a x") == pytest.approx(10 ** (-sum(logs) / 3))


def test_each_sentence_has_its_own_end() -> None:
    model = fitted()
    both = model.score("The loom is new. The ship is old.")
    assert both == pytest.approx(model.score("The loom is new.") + model.score("The ship is old."))
    ends = [each for each in model.full_scores("The loom is new. The ship is old.")
            if each.token.startswith("<")]  # fmt: skip
    assert len(ends) == 2


def test_a_scoring_decides_what_counts() -> None:
    model, skipping = fitted(), Scoring(unknown="skip", sentence_end=False)
    scores = model.full_scores("The ship sank", skipping)
    assert [each.token for each in scores] == ["the", "ship", "sank"]
    assert scores[2].log10_probability is None
    known = [each.log10_probability for each in scores if each.log10_probability is not None]
    assert model.score("The ship sank", skipping) == pytest.approx(sum(known))


def test_a_network_has_no_orders() -> None:
    training = FeedForwardTraining(epochs=1, validation_fraction=0.0)
    network = FeedForwardLM(embedding_dim=2, hidden_dims=(2,), training=training)
    scores = fitted(network).full_scores("The ship")
    assert [each.order for each in scores] == [None] * 3


@pytest.mark.parametrize(
    ("word", "is_in"),
    [("ship", True), ("SHIP", True), ("sank", False), ("the ship", False), ("", False),
     ("<unk>", False), ("</s>", False), (3, False)],
)  # fmt: skip
def test_words_are_looked_up_in_the_form_of_the_encoder(word: object, is_in: bool) -> None:
    assert (word in fitted()) == is_in


def test_samples_have_the_given_length_and_depend_on_the_seed() -> None:
    model = fitted()
    sample = model.sample(50, seed=3)
    assert len(sample.split()) == 50
    assert set(sample.split()) <= {*model.encoder.vocabulary_.tokens}
    assert sample == model.sample(50, seed=3) != model.sample(50, seed=4)
    assert model.sample(0) == ""


def test_wrong_arguments_of_samples_and_models_that_are_not_fitted_are_refused() -> None:
    model = fitted()
    for n_words, seed, message in ((-1, 0, "n_words is -1"), (2.5, 0, "n_words"), (1, -1, "seed")):
        with pytest.raises(UsageError, match=message):
            model.sample(n_words, seed)  # type: ignore[arg-type]
    unfitted = TextLanguageModel(TextEncoder(), NgramLM())
    with pytest.raises(NotFittedError):
        unfitted.sample(3)
    with pytest.raises(NotFittedError):
        "the" in unfitted  # noqa: B015


def test_samples_of_characters_are_not_spaced() -> None:
    encoder = TextEncoder(unit="char", min_count=1)
    model = TextLanguageModel(encoder, NgramLM(order=6)).fit(["the loom", "the loom"])
    assert "the loom" in model.sample(200, seed=0)


def test_files_are_those_of_the_command_line(tmp_path: Path) -> None:
    model, text = fitted(), "The ship sank. The loom is old."
    model.save(tmp_path / "model")
    model.save(tmp_path / "model.arpa")
    loaded, arpa = (TextLanguageModel.load(tmp_path / name) for name in ("model", "model.arpa"))
    assert loaded.full_scores(text) == model.full_scores(text)
    assert arpa.score(text) == pytest.approx(model.score(text), rel=1e-5)
    lines = TextLanguageModel.load(tmp_path / "model", tokenized=True)
    assert lines.score("the ship sank .\nthe loom is old .") == pytest.approx(model.score(text))


def test_files_that_do_not_fit_are_refused(tmp_path: Path) -> None:
    training = FeedForwardTraining(epochs=1, validation_fraction=0.0)
    network = FeedForwardLM(embedding_dim=2, hidden_dims=(2,), training=training)
    with pytest.raises(UsageError, match="can only store an n-gram model, not a feedforward"):
        fitted(network).save(tmp_path / "model.arpa.gz")
    with pytest.raises(ModelFileError, match="cannot read the model"):
        TextLanguageModel.load(tmp_path / "gone")


@pytest.mark.oracles
def test_numbers_are_those_of_kenlm(tmp_path: Path) -> None:
    kenlm = pytest.importorskip("kenlm")
    model = TextLanguageModel(PretokenizedEncoder(), NgramLM(order=3))
    model.fit(["a b a c\nb a c", "a b b c a"]).save(tmp_path / "model.arpa")
    oracle = kenlm.Model(str(tmp_path / "model.arpa"))
    for text in ("a b a c", "b x c", "c"):
        assert model.score(text) == pytest.approx(oracle.score(text), abs=1e-4)
        assert model.perplexity(text) == pytest.approx(oracle.perplexity(text), rel=1e-3)
        ours, theirs = model.full_scores(text), list(oracle.full_scores(text))
        for own, (log10, order, is_oov) in zip(ours, theirs, strict=True):
            assert own.log10_probability == pytest.approx(log10, abs=1e-4)
            assert (max(1, own.order or 0), own.is_oov) == (order, is_oov)
