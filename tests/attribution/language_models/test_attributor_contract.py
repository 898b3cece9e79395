"""What scikit-learn expects of a classifier over texts."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone, is_classifier
from sklearn.exceptions import NotFittedError

from byline.attribution import (
    CANNOT_TELL,
    AuthorshipAttributor,
    explain,
    save_attributor,
)
from byline.errors import TrainingError, UsageError
from byline.lm import FeedForwardLM, FeedForwardTraining, NgramLM
from byline.text import TextEncoder

Known = tuple[list[str], list[str]]
TRUE_AUTHORS = ["alder", "brook", "cedar"] * 2


def tidy(texts: list[str]) -> list[str]:
    return [text.strip() for text in texts]


def test_parameters_are_stored_unchanged() -> None:
    model, encoder = NgramLM(order=2), TextEncoder(unit="char")
    params = AuthorshipAttributor(model, encoder, score_rule="sum-of-perplexities").get_params(
        deep=False
    )
    assert params["language_model"] is model
    assert params["encoder"] is encoder
    assert params == {
        "language_model": model,
        "encoder": encoder,
        "vocabulary": "shared",
        "balance": "equal-samples",
        "n_samples": 3,
        "background": "none",
        "score_rule": "sum-of-perplexities",
        "cache": 0.0,
        "min_tokens": 10,
        "max_unknown": 0.5,
        "random_state": 0,
        "n_jobs": 1,
    }


def test_set_params_reaches_the_prototypes(prototype: AuthorshipAttributor) -> None:
    changed = prototype.set_params(
        language_model__order=3, encoder__unit="char", score_rule="sum-of-perplexities", n_samples=5
    )
    params = prototype.get_params()
    assert changed is prototype
    assert params["language_model__order"] == 3
    assert params["encoder__unit"] == "char"
    assert params["score_rule"] == "sum-of-perplexities"
    assert params["n_samples"] == 5


def test_set_params_refuses_an_unknown_name(prototype: AuthorshipAttributor) -> None:
    with pytest.raises(ValueError, match="order"):
        prototype.set_params(order=3)


def test_clone_copies_parameters_but_no_fitted_state(fitted: AuthorshipAttributor) -> None:
    copy = clone(fitted.set_params(score_rule="log-likelihood"))
    assert repr(copy) == repr(fitted)
    assert not hasattr(copy, "classes_")
    assert not hasattr(copy, "encoder_")
    assert copy.language_model is not fitted.language_model


def test_fit_returns_itself_and_leaves_prototypes_alone(
    prototype: AuthorshipAttributor, known: Known
) -> None:
    assert prototype.fit(*known) is prototype
    assert not hasattr(prototype.language_model, "vocabulary_size_")
    assert not hasattr(prototype.encoder, "vocabulary_")


def test_is_a_classifier_of_strings(fitted: AuthorshipAttributor, known: Known) -> None:
    assert is_classifier(fitted)
    assert fitted.__sklearn_tags__().input_tags.string
    assert fitted.classes_.tolist() == ["alder", "brook", "cedar"]
    assert fitted.score(*known) == 1.0


def test_fit_again_gives_the_same(
    prototype: AuthorshipAttributor, known: Known, questioned: list[str]
) -> None:
    once = prototype.fit(*known).score_authors(questioned)
    again = prototype.fit(*known).score_authors(questioned)
    np.testing.assert_array_equal(once, again)


def test_fit_replaces_the_previous_state(
    prototype: AuthorshipAttributor, known: Known, questioned: list[str]
) -> None:
    texts, authors = known
    prototype.fit(*known).fit(texts[:6], authors[:6])
    assert prototype.classes_.tolist() == ["alder", "brook"]
    assert prototype.score_authors(questioned).shape == (6, 2)


def test_permuting_documents_permutes_rows(
    fitted: AuthorshipAttributor, questioned: list[str]
) -> None:
    order = np.random.default_rng(0).permutation(len(questioned))
    rows = fitted.score_authors(questioned)
    permuted = fitted.score_authors([questioned[i] for i in order])
    np.testing.assert_allclose(permuted, rows[order], rtol=1e-12)
    one_by_one = [fitted.score_authors([text])[0] for text in questioned]
    np.testing.assert_allclose(one_by_one, rows, rtol=1e-12)


@pytest.mark.parametrize("kind", [list, tuple, np.array, pd.Series])
def test_accepts_texts_in_any_sequence(
    kind: type, prototype: AuthorshipAttributor, known: Known, questioned: list[str]
) -> None:
    texts, authors = known
    prototype.fit(kind(texts), kind(authors))
    expected = prototype.fit(texts, authors).predict(questioned)
    assert prototype.predict(kind(questioned)).tolist() == expected.tolist()


@pytest.mark.parametrize(
    ("X", "message"),
    [
        ("one text", "a single str"),
        (b"bytes", "a single bytes"),
        (None, "NoneType"),
        ([["nested"]], "text 0 is a list"),
        (["text", 3], "text 1 is a int"),
        ([b"bytes"], "text 0 is a bytes"),
        (np.array([["two"], ["dimensions"]]), r"shape \(2, 1\)"),
        (np.zeros((2, 2)), r"shape \(2, 2\)"),
        (pd.DataFrame({"text": ["a"]}), "DataFrame"),
        (pd.Series(["a", None]), "text 1 is a"),
    ],
)
def test_rejects_inputs_that_are_not_texts(
    X: object, message: str, fitted: AuthorshipAttributor
) -> None:
    with pytest.raises(UsageError, match=message):
        fitted.predict(X)  # type: ignore[arg-type]
    with pytest.raises(UsageError, match=message):
        clone(fitted).fit(X, ["alder", "brook"])


def test_rejects_documents_and_says_what_to_pass(fitted: AuthorshipAttributor) -> None:
    class Document:
        text = "a text"

    with pytest.raises(UsageError, match=r"Document.*corpus\.texts"):
        fitted.predict([Document()])  # type: ignore[list-item]


@pytest.mark.parametrize(
    "ask",
    [
        lambda model: model.predict(["a"]),
        lambda model: model.predict_joint_log_proba(["a"]),
        lambda model: model.score_authors(["a"]),
        lambda model: model.attribute(["a"]),
        lambda model: model.add_author("x", ["a"]),
        lambda model: explain(model, "a"),
        lambda model: save_attributor(model, Path("never.byline")),
    ],
)
def test_raises_before_fit(ask: object, prototype: AuthorshipAttributor) -> None:
    with pytest.raises(NotFittedError):
        ask(prototype)  # type: ignore[operator]


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ({"vocabulary": "own"}, "'per-author' or 'shared'"),
        ({"balance": True}, "'equal-samples' or 'none'"),
        ({"score_rule": "perplexity"}, "'likelihood-ratio' or 'log-likelihood' or"),
        ({"n_samples": 0}, "must be a whole number of at least 1. Got 0 instead"),
        ({"n_samples": True}, "'n_samples' .* Got True"),
        ({"n_samples": 2.0}, "'n_samples' .* Got 2.0"),
        ({"min_tokens": -1}, "'min_tokens' .* Got -1"),
        ({"max_unknown": 1.5}, "'max_unknown' .* a number from 0 to 1. Got 1.5"),
        ({"max_unknown": float("nan")}, "'max_unknown' .* Got nan"),
        ({"max_unknown": "half"}, "'max_unknown' .* Got 'half'"),
        ({"random_state": None}, "'random_state' .* Got None"),
        ({"random_state": -1}, "'random_state' .* Got -1"),
        ({"n_jobs": 0}, "'n_jobs' .* at least 1, -1 or None. Got 0"),
        ({"language_model": "ngram"}, "a LanguageModel or None. Got 'ngram'"),
        ({"encoder": TextEncoder}, "a TextEncoder or None"),
    ],
)
def test_rejects_parameters_out_of_range(
    params: dict[str, object], message: str, known: Known, fitted: AuthorshipAttributor
) -> None:
    with pytest.raises(UsageError, match=message):
        AuthorshipAttributor(**params).fit(*known)  # type: ignore[arg-type]


def test_parameters_of_scoring_are_checked_when_they_are_used(
    prototype: AuthorshipAttributor, known: Known, questioned: list[str]
) -> None:
    prototype.fit(*known).set_params(score_rule="best")
    with pytest.raises(UsageError, match=r"'score_rule' .* Got 'best'"):
        prototype.predict(questioned)


def test_rejects_different_numbers_of_authors_and_texts(prototype: AuthorshipAttributor) -> None:
    with pytest.raises(UsageError, match="there are 2 texts but 3 authors"):
        prototype.fit(["a", "b"], ["x", "y", "z"])
    with pytest.raises(UsageError, match=r"author 1 is 2 \(int\); authors must be"):
        prototype.fit(["a", "b"], ["1", 2])  # type: ignore[list-item]
    with pytest.raises(UsageError, match="author 0 is True"):
        prototype.fit(["a", "b"], [True, False])  # type: ignore[list-item]


def test_rejects_an_author_called_cannot_tell(prototype: AuthorshipAttributor) -> None:
    with pytest.raises(UsageError, match=CANNOT_TELL):
        prototype.fit(["a", "b"], ["x", CANNOT_TELL])


@pytest.mark.parametrize(("authors", "who"), [([], "none"), (["x"], "x"), (["x", "x"], "x")])
def test_needs_two_authors(authors: list[str], who: str, prototype: AuthorshipAttributor) -> None:
    with pytest.raises(TrainingError, match=f"at least two authors.*{who}"):
        prototype.fit(["a"] * len(authors), authors)


def test_names_the_authors_without_a_token(prototype: AuthorshipAttributor) -> None:
    with pytest.raises(TrainingError, match="known texts of x and z contain no token; add text"):
        prototype.fit(["", "A word.", " \n "], ["x", "y", "z"])


def test_an_empty_list_gives_no_rows(fitted: AuthorshipAttributor) -> None:
    assert fitted.score_authors([]).shape == (0, 3)
    assert fitted.predict_joint_log_proba([]).shape == (0, 3)
    assert fitted.predict([]).shape == (0,)
    assert fitted.attribute([]) == []


@pytest.mark.parametrize("n_authors", [2, 3])
def test_one_column_per_author(
    n_authors: int, prototype: AuthorshipAttributor, known: Known, questioned: list[str]
) -> None:
    kept = [i for i, author in enumerate(known[1]) if author < ["", "", "cedar", "x"][n_authors]]
    prototype.fit([known[0][i] for i in kept], [known[1][i] for i in kept])
    for method in ("score_authors", "predict_joint_log_proba"):
        assert getattr(prototype, method)(questioned).shape == (6, n_authors)


def test_values_that_are_not_calibrated_are_not_called_probabilities(
    fitted: AuthorshipAttributor,
) -> None:
    """The command states no probability for language models alone, and Python states none."""
    assert not hasattr(fitted, "predict_proba")
    assert not hasattr(fitted, "predict_log_proba")


def test_parameters_of_default_prototypes_can_be_set() -> None:
    attributor = AuthorshipAttributor().set_params(language_model__order=2, encoder__unit="char")
    assert attributor.get_params()["language_model__order"] == 2
    assert attributor.get_params()["encoder__unit"] == "char"


@pytest.mark.parametrize(
    "model",
    [NgramLM(order=2), FeedForwardLM(embedding_dim=8, training=FeedForwardTraining(epochs=1))],
)
def test_default_prototypes_behave_like_explicit_ones(
    model: NgramLM | FeedForwardLM, known: Known, questioned: list[str]
) -> None:
    attributor = AuthorshipAttributor(model, n_samples=1).fit(*known)
    assert {type(m) for models in attributor.models_.values() for m in models} == {type(model)}
    assert attributor.predict(questioned).shape == (6,)


def test_default_prototype_is_a_word_ngram_model(known: Known) -> None:
    attributor = AuthorshipAttributor(n_samples=1)
    attributor.fit(*known)
    assert isinstance(attributor.models_["alder"][0], NgramLM)
    assert attributor.encoder_.unit == "word"


def test_the_default_language_model_has_no_parameters_before_one_is_set() -> None:
    params = AuthorshipAttributor().get_params(deep=True)
    assert params == AuthorshipAttributor().get_params(deep=False)
    assert (params["language_model"], params["encoder"]) == (None, None)
    copy = clone(AuthorshipAttributor()).set_params(**params)
    assert copy.get_params() == params
