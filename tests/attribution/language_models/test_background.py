"""A background model of all known texts: models adapt it, and scores are compared with it."""

from __future__ import annotations

import json
import warnings
from pathlib import Path
from typing import Any, Self

import numpy as np
import pytest
from numpy.typing import NDArray
from sklearn.base import clone

from byline.attribution import (
    AuthorshipAttributor,
    explain,
    load_attributor,
    save_attributor,
)
from byline.attribution.model_files.archive import open_archive, write_archive
from byline.attribution.model_files.saving import ATTRIBUTOR
from byline.errors import BylineWarning, ModelFileError, UsageError
from byline.lm import NgramLM
from byline.lm.ngrams.adapted import AdaptedNgramLM
from byline.text import TextEncoder

Known = tuple[list[str], list[str]]
TRUE_AUTHORS = ["alder", "brook", "cedar"] * 2


def fit_adapted(known: Known, **params: Any) -> AuthorshipAttributor:
    params = {"background": "pooled", "balance": "none"} | params
    return AuthorshipAttributor(AdaptedNgramLM(order=2), **params).fit(*known)


@pytest.fixture(scope="module")
def adapted(known: Known) -> AuthorshipAttributor:
    return fit_adapted(known)


@pytest.fixture(scope="module")
def expected(adapted: AuthorshipAttributor, questioned: list[str]) -> NDArray[np.float64]:
    """Return the scores of the questioned texts under every author's model alone."""
    encoded = adapted.encoder_.transform(questioned)
    columns = [model.score_samples(encoded) for [model] in adapted.models_.values()]
    return np.stack(columns, axis=1)


def test_texts_are_attributed_correctly(
    adapted: AuthorshipAttributor, questioned: list[str]
) -> None:
    assert adapted.predict(questioned).tolist() == TRUE_AUTHORS


def test_one_background_is_trained_on_all_texts(
    adapted: AuthorshipAttributor, known: Known
) -> None:
    encoded = adapted.encoder_.transform(known[0])
    by_author = [text for a in adapted.classes_ for text, by in zip(encoded, known[1], strict=True)
                 if by == a]  # fmt: skip
    alone = NgramLM(order=2).fit(
        [sentence for text in by_author for sentence in text],
        vocabulary_size=adapted.encoder_.vocabulary_.size,
    )
    assert isinstance(adapted.background_, NgramLM)
    np.testing.assert_array_equal(adapted.background_.tree_.log_probs, alone.tree_.log_probs)
    for [model] in adapted.models_.values():
        assert isinstance(model, AdaptedNgramLM)
        assert model.background_ is adapted.background_


def test_scores_are_those_of_the_models(
    adapted: AuthorshipAttributor, questioned: list[str], expected: NDArray[np.float64]
) -> None:
    np.testing.assert_allclose(adapted.score_authors(questioned), expected, atol=1e-9)


def test_evidence_adds_up(adapted: AuthorshipAttributor, questioned: list[str]) -> None:
    scores = np.sort(adapted.score_authors(questioned[:1])[0])
    assert explain(adapted, questioned[0]).log_lr == pytest.approx(scores[-1] - scores[-2])


def test_likelihood_ratios_are_relative_to_the_background(
    adapted: AuthorshipAttributor,
    known: Known,
    questioned: list[str],
    expected: NDArray[np.float64],
) -> None:
    held = fit_adapted(known, score_rule="likelihood-ratio")
    assert held.background_ is not None
    of_background = held.background_.score_samples(held.encoder_.transform(questioned))
    np.testing.assert_allclose(
        held.score_authors(questioned), expected - of_background[:, None], atol=1e-9
    )
    assert held.predict(questioned).tolist() == TRUE_AUTHORS
    joint = held.predict_joint_log_proba(questioned)
    np.testing.assert_allclose(joint, adapted.predict_joint_log_proba(questioned))


def test_models_that_are_not_adaptive_can_be_compared_with_a_background(
    known: Known, questioned: list[str]
) -> None:
    plain = AuthorshipAttributor(NgramLM(order=2), balance="none").fit(*known)
    held = AuthorshipAttributor(
        NgramLM(order=2), balance="none", background="pooled", score_rule="likelihood-ratio"
    ).fit(*known)
    assert held.background_ is not None
    shift = held.score_authors(questioned) - plain.score_authors(questioned)
    of_background = held.background_.score_samples(held.encoder_.transform(questioned))
    np.testing.assert_allclose(shift, -np.tile(of_background[:, None], 3), atol=1e-9)


def test_the_default_model_adapts_the_background(known: Known) -> None:
    attributor = AuthorshipAttributor(background="pooled", n_samples=1)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", BylineWarning)
        attributor.fit(*known)
    assert {type(model) for [model] in attributor.models_.values()} == {AdaptedNgramLM}


@pytest.mark.parametrize("balance", ["none", "equal-samples"])
def test_number_of_processes_does_not_change_the_scores(
    balance: str, known: Known, questioned: list[str]
) -> None:
    one, two = (fit_adapted(known, balance=balance, n_samples=2, n_jobs=n) for n in (1, 2))
    np.testing.assert_array_equal(one.score_authors(questioned), two.score_authors(questioned))
    for models in two.models_.values():
        assert all(model.background_ is two.background_ for model in models)


def test_a_saved_model_gives_the_same_scores(
    adapted: AuthorshipAttributor, questioned: list[str], tmp_path: Path
) -> None:
    save_attributor(adapted, tmp_path / "one")
    loaded = load_attributor(tmp_path / "one")
    np.testing.assert_array_equal(
        loaded.score_authors(questioned), adapted.score_authors(questioned)
    )
    for [model] in loaded.models_.values():
        assert model.background_ is loaded.background_
    save_attributor(loaded, tmp_path / "two")
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()


def test_the_background_is_stored_once(adapted: AuthorshipAttributor, tmp_path: Path) -> None:
    save_attributor(adapted, tmp_path / "model")
    with open_archive(tmp_path / "model", ATTRIBUTOR) as archive:
        names = archive.names
    assert sorted(name for name in names if name.endswith(".safetensors")) == [
        "background.safetensors",
        "model-0-0.safetensors",
        "model-1-0.safetensors",
        "model-2-0.safetensors",
    ]


@pytest.mark.parametrize("missing", ["background.json", "the setting"])
def test_files_without_the_background_are_rejected(
    missing: str, adapted: AuthorshipAttributor, tmp_path: Path
) -> None:
    path = tmp_path / "model"
    save_attributor(adapted, path)
    with open_archive(path, ATTRIBUTOR) as archive:
        members = {name: archive.read(name) for name in archive.names}
    members.pop(missing, None)
    if missing == "the setting":
        description = json.loads(members["attributor.json"])
        description["params"]["background"] = "none"
        members["attributor.json"] = json.dumps(description).encode()
    write_archive(path, ATTRIBUTOR, members.items())
    with pytest.raises(ModelFileError, match="background"):
        load_attributor(path)


def test_an_added_author_adapts_the_unchanged_background(
    adapted: AuthorshipAttributor, known: Known, questioned: list[str], tmp_path: Path
) -> None:
    grown = adapted.add_author("birch", known[0][:2])
    assert grown.background_ is adapted.background_
    [model] = grown.models_["birch"]
    assert model.background_ is adapted.background_
    np.testing.assert_allclose(
        np.delete(grown.score_authors(questioned), 1, axis=1),
        adapted.score_authors(questioned),
        atol=1e-9,
    )
    save_attributor(grown, tmp_path / "grown")
    np.testing.assert_array_equal(
        load_attributor(tmp_path / "grown").score_authors(questioned),
        grown.score_authors(questioned),
    )


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ({"background": "none"}, "set background='pooled'"),
        ({"background": "all"}, "'background' parameter"),
        ({"vocabulary": "per-author"}, "vocabulary='shared'"),
        ({"language_model": NgramLM()}, "NgramLM models cannot adapt a background"),
        (
            {"language_model": None, "background": "none", "score_rule": "likelihood-ratio"},
            "needs a background",
        ),
    ],
)
def test_contradictory_parameters_are_rejected(
    params: dict[str, Any], message: str, known: Known
) -> None:
    attributor = AuthorshipAttributor(AdaptedNgramLM(order=2), background="pooled")
    with pytest.raises(UsageError, match=message):
        attributor.set_params(**params).fit(*known)


class WarningLM(NgramLM):
    """An n-gram model whose training emits a warning."""

    def fit(self, *args: Any, **kwargs: Any) -> Self:
        warnings.warn("the text is strange", BylineWarning, stacklevel=2)
        return super().fit(*args, **kwargs)


class WarningAdaptedLM(AdaptedNgramLM):
    """An adapted model whose background model emits a warning in training."""

    def background_model(self) -> NgramLM:
        return WarningLM(order=self.order)


def test_a_warning_of_the_background_model_points_to_the_caller_of_fit() -> None:
    texts = ["A few words here.", "A few more here."]
    attributor = AuthorshipAttributor(WarningAdaptedLM(order=2), background="pooled")
    with pytest.warns(BylineWarning, match="strange") as caught:
        attributor.fit(texts, ["alder", "brook"])
    assert {warning.filename for warning in caught} == {__file__}
    assert any("(all authors together)" in str(warning.message) for warning in caught)


def test_essays_of_unequal_authors(shared: Path) -> None:
    """Hamilton has three times as much text as Madison."""
    known, held_out = [], []
    for author in ("Hamilton", "Madison"):
        paths = sorted((shared / "corpora/federalist/known" / author).rglob("*.txt"))
        held_out += [(author, path.read_text(encoding="utf-8")) for path in paths[:5]]
        known += [(author, path.read_text(encoding="utf-8")) for path in paths[5:]]
    attributor = AuthorshipAttributor(
        AdaptedNgramLM(order=3), TextEncoder(), background="pooled", balance="none"
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", BylineWarning)
        attributor.fit([text for _, text in known], [author for author, _ in known])
    named = attributor.predict([text for _, text in held_out])
    right = np.mean([name == author for name, (author, _) in zip(named, held_out, strict=True)])
    assert right >= 0.8


def test_clones_keep_the_setting(adapted: AuthorshipAttributor) -> None:
    assert clone(adapted).get_params()["background"] == "pooled"
