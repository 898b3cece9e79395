"""Models on disk: the same answers after loading, and hostile contents behind true checksums."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from safetensors.numpy import load, save
from sklearn.base import clone
from sklearn.exceptions import NotFittedError

from byline.attribution import (
    AuthorshipAttributor,
    load_attributor,
    load_language_model,
    save_attributor,
    save_language_model,
)
from byline.attribution.model_files.archive import open_archive, write_archive
from byline.attribution.model_files.compact_arrays import compact, expand
from byline.attribution.model_files.saving import ATTRIBUTOR
from byline.errors import ModelFileError, OutputError, UsageError
from byline.lm import (
    FeedForwardLM,
    FeedForwardTraining,
    LanguageModel,
    MixtureLM,
    NgramLM,
    RecurrentLM,
    RecurrentTraining,
)
from byline.lm.ngrams.adapted import AdaptedNgramLM
from byline.lm.registry import LANGUAGE_MODEL_KINDS
from byline.text import TextEncoder
from byline.text.pretokenized import PretokenizedEncoder

Known = tuple[list[str], list[str]]
Entries = dict[str, bytes]
FEEDFORWARD = FeedForwardLM(
    embedding_dim=4, hidden_dims=(4, 3), training=FeedForwardTraining(epochs=1)
)
RECURRENT = RecurrentLM(units=4, training=RecurrentTraining(epochs=1))
MODELS = [NgramLM(order=2), FEEDFORWARD, RECURRENT]
QUESTIONED = ["Bababa bagode dedede xyzzy. " * 4, ""]


class OtherLM(NgramLM):
    """A model of a kind that cannot be saved."""


def fit_tiny(smoothing: str = "modified-kneser-ney", **params: Any) -> AuthorshipAttributor:
    texts = ["bababa bagode dedede. bagode lolo! " * n for n in (6, 7, 9)]
    model = NgramLM(order=2, smoothing=smoothing)
    return AuthorshipAttributor(model, n_samples=2, min_tokens=3, **params).fit(
        texts, ["alder", "brook", "cedar"]
    )


@pytest.fixture(scope="module")
def tiny() -> AuthorshipAttributor:
    return fit_tiny()


@pytest.fixture(scope="module")
def separate() -> AuthorshipAttributor:
    """Fit models that are stored one by one."""
    return fit_tiny("witten-bell")


@pytest.fixture
def model_file(tiny: AuthorshipAttributor, tmp_path: Path) -> Path:
    save_attributor(tiny, tmp_path / "tiny.byline")
    return tmp_path / "tiny.byline"


def assert_equal(one: AuthorshipAttributor, other: AuthorshipAttributor) -> None:
    assert repr(one) == repr(other)
    assert one.classes_.tolist() == other.classes_.tolist()
    assert one.classes_.dtype == other.classes_.dtype
    assert one.sample_size_ == other.sample_size_
    assert one.n_tokens_per_author_ == other.n_tokens_per_author_
    assert list(one.models_) == list(other.models_)
    for author, models in one.models_.items():
        for model, twin in zip(models, other.models_[author], strict=True):
            assert_equal_models(model, twin)
    for method in ("decision_function", "predict", "predict_joint_log_proba"):
        np.testing.assert_array_equal(
            getattr(one, method)(QUESTIONED), getattr(other, method)(QUESTIONED)
        )


def assert_equal_models(model: LanguageModel, twin: LanguageModel) -> None:
    state, twin_state = model.get_state(), twin.get_state()
    assert type(model) is type(twin)
    assert state.params == twin_state.params
    assert set(state.arrays) == set(twin_state.arrays)
    for name, array in state.arrays.items():
        assert array.dtype == twin_state.arrays[name].dtype
        np.testing.assert_array_equal(array, twin_state.arrays[name])


@pytest.mark.parametrize(
    "params",
    [
        {"language_model": NgramLM(order=2)},
        {"language_model": NgramLM(order=2), "vocabulary": "per-author", "balance": "none"},
        {"language_model": FEEDFORWARD, "random_state": 5, "n_samples": 2},
        {
            "language_model": NgramLM(
                order=3, smoothing="witten-bell", interpolate=False, min_counts={2: 1, 3: 2}
            )
        },
        {
            "language_model": MixtureLM((AdaptedNgramLM(order=2), FEEDFORWARD), weights=(0.7, 0.3)),
            "background": "pooled",
            "n_samples": 1,
        },
        {
            "language_model": NgramLM(order=1, sentence_end=False),
            "encoder": TextEncoder(lowercase=False),
            "score_rule": "sum-of-perplexities",
            "max_unknown": 0.25,
            "n_samples": 1,
        },
    ],
    ids=["ngram", "per-author", "feedforward", "smoothing", "mixture", "all else"],
)
def test_loading_restores_what_was_saved(
    params: dict[str, Any], known: Known, tmp_path: Path
) -> None:
    attributor = AuthorshipAttributor(**params).fit(*known)
    save_attributor(attributor, tmp_path / "one")
    loaded = load_attributor(tmp_path / "one")
    assert_equal(attributor, loaded)
    save_attributor(loaded, tmp_path / "two")
    assert (tmp_path / "two").read_bytes() == (tmp_path / "one").read_bytes()
    distinct = len({id(encoder) for encoder in loaded.encoders_.values()})
    assert distinct == (3 if params.get("vocabulary") == "per-author" else 1)


def test_the_entries_of_a_file(separate: AuthorshipAttributor, tmp_path: Path) -> None:
    save_attributor(separate, tmp_path / "model")
    with open_archive(tmp_path / "model", ATTRIBUTOR) as archive:
        description = json.loads(archive.read("attributor.json"))
        names = archive.names
    models = ["0-0", "1-0", "1-1", "2-0", "2-1"]  # the authors' rows, and their samples
    endings = (".json", ".safetensors")
    expected = {f"model-{model}{ending}" for model in models for ending in endings}
    assert names == {"attributor.json", "encoder-0.json"} | expected
    assert description.keys() == {
        *("params", "encoder", "language_model", "sample_size", "line_rules", "joint", "authors")
    }
    assert description["encoder"] is None
    assert description["language_model"].keys() == {"kind", "params"}
    # A phrase has 7 tokens with punctuation; the authors have it 6, 7 and 9 times.
    assert description["sample_size"] == 6 * 7
    alder, brook, _ = description["authors"]
    assert alder == {"name": "alder", "n_tokens": 42, "encoder": 0, "n_models": 1}
    assert brook == {"name": "brook", "n_tokens": 49, "encoder": 0, "n_models": 2}


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.kind)
def test_a_loaded_attributor_can_be_extended_and_fitted_again(
    model: LanguageModel, known: Known, tmp_path: Path
) -> None:
    attributor = AuthorshipAttributor(model, n_samples=2).fit(*known)
    save_attributor(attributor, tmp_path / "model")
    loaded = load_attributor(tmp_path / "model")
    texts = known[0][:4]
    assert_equal(attributor.add_author("birch", texts), loaded.add_author("birch", texts))
    assert_equal(attributor, load_attributor(tmp_path / "model").fit(*known))


def test_a_parameter_that_is_no_json_is_named(known: Known, tmp_path: Path) -> None:
    model = FeedForwardLM(
        embedding_dim=4,
        hidden_dims=(np.int64(4),),  # type: ignore[arg-type]
        training=FeedForwardTraining(epochs=1),
    )
    attributor = AuthorshipAttributor(model, n_samples=1).fit(*known)
    with pytest.raises(UsageError, match=r"hidden_dims of FeedForwardLM cannot be saved: .*int64"):
        save_attributor(attributor, tmp_path / "model")
    attributor.set_params(language_model__hidden_dims=np.array([4]))
    save_attributor(attributor, tmp_path / "model")
    loaded = load_attributor(tmp_path / "model")
    assert loaded.get_params()["language_model__hidden_dims"] == (4,)


def test_models_of_different_events_are_refused(tiny: AuthorshipAttributor, tmp_path: Path) -> None:
    sentences = [np.array([1, 2, 1], dtype=np.int32)]
    odd = NgramLM(order=1, sentence_end=False)
    odd.fit(sentences, vocabulary_size=tiny.encoder_.vocabulary_.size)
    mixed = clone(tiny)._set_fitted_state(
        tiny.classes_,
        tiny.encoders_,
        tiny.models_ | {"brook": [odd]},
        tiny.n_tokens_per_author_,
        tiny.sample_size_,
    )
    save_attributor(mixed, tmp_path / "model")
    with pytest.raises(ModelFileError, match="score the ends of sentences, and others do not"):
        load_attributor(tmp_path / "model")


def test_numbers_of_a_parameter_grid_are_stored_as_plain_ones(known: Known, tmp_path: Path) -> None:
    attributor = AuthorshipAttributor(NgramLM())
    attributor.set_params(language_model__order=np.int64(2), n_samples=np.int64(1))
    save_attributor(attributor.fit(*known), tmp_path / "model")
    loaded = load_attributor(tmp_path / "model")
    assert type(loaded.n_samples) is type(loaded.get_params()["language_model__order"]) is int


@pytest.mark.filterwarnings("ignore::byline.errors.BylineWarning")
def test_defaults_stay_defaults(known: Known, tmp_path: Path) -> None:
    save_attributor(AuthorshipAttributor(n_samples=1).fit(*known), tmp_path / "model")
    loaded = load_attributor(tmp_path / "model")
    assert loaded.language_model is None
    assert loaded.encoder is None


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.kind)
def test_one_language_model_with_its_encoder(
    model: LanguageModel, known: Known, tmp_path: Path
) -> None:
    encoder = TextEncoder().fit(known[0])
    sentences = [ids for text in encoder.transform(known[0]) for ids in text]
    model.fit(sentences, vocabulary_size=encoder.vocabulary_.size)
    for name in ("one", "two"):
        save_language_model(encoder, model, tmp_path / name)
    loaded_encoder, loaded = load_language_model(tmp_path / "one")
    assert_equal_models(model, loaded)
    assert loaded_encoder.to_dict() == encoder.to_dict()
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()
    expected = "kind 'language-model', but 'attributor' or 'stacked-attributor' is needed here"
    with pytest.raises(ModelFileError, match=expected):
        load_attributor(tmp_path / "one")


def closed() -> tuple[PretokenizedEncoder, NgramLM]:
    """Make a model that gives words it has not seen a probability of zero."""
    encoder = PretokenizedEncoder(blank_lines="sentence").fit(["a b b a\n\n a <unk> c\n"])
    model = NgramLM.like_srilm(2, smoothing="witten-bell")
    sentences = encoder.encode(encoder.tokenize("a b b a\n\n a c\n"))
    return encoder, model.fit(sentences, vocabulary_size=encoder.vocabulary_.size)


def test_a_closed_vocabulary_and_tokenised_text(tmp_path: Path) -> None:
    encoder, model = closed()
    assert model.tree_.backoffs[0] == -np.inf
    save_language_model(encoder, model, tmp_path / "one")
    loaded_encoder, loaded = load_language_model(tmp_path / "one")
    assert_equal_models(model, loaded)
    assert isinstance(loaded_encoder, PretokenizedEncoder)
    assert loaded_encoder.to_dict() == encoder.to_dict()
    with pytest.raises(NotFittedError):
        save_language_model(PretokenizedEncoder(), model, tmp_path / "two")


@pytest.mark.parametrize(
    ("name", "place", "value"),
    [
        ("backoffs", 0, np.inf),
        ("backoffs", 0, np.nan),
        ("backoffs", 1, -np.inf),
        ("log_probs", 0, -np.inf),
        ("log_probs", 1, -np.inf),
        ("log_probs", 1, np.nan),
    ],
)
def test_unexpected_infinities_are_rejected(
    name: str, place: int, value: float, tmp_path: Path
) -> None:
    encoder, model = closed()
    getattr(model.tree_, name)[place] = value
    save_language_model(encoder, model, tmp_path / "one")
    with pytest.raises(ModelFileError, match=r"model\.safetensors"):
        load_language_model(tmp_path / "one")


def test_an_attributor_is_not_a_language_model(model_file: Path) -> None:
    with pytest.raises(ModelFileError, match="kind 'attributor', but 'language-model' is needed"):
        load_language_model(model_file)


def test_rejects_what_cannot_be_saved(
    tiny: AuthorshipAttributor, tmp_path: Path, known: Known
) -> None:
    path = tmp_path / "model"
    attributor = AuthorshipAttributor(OtherLM(order=1), n_samples=1).fit(*known)
    with pytest.raises(
        UsageError, match=r"saved; use a language model of kind ngram, adapted-ngram, .*"
    ):
        save_attributor(attributor, path)
    numbered = AuthorshipAttributor(NgramLM(order=1)).fit(known[0], range(9))  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="authors are integers"):
        save_attributor(numbered, path)
    encoder = TextEncoder()
    with pytest.raises(NotFittedError):
        save_language_model(encoder, tiny.models_["alder"][0], path)
    with pytest.raises(NotFittedError):
        save_language_model(tiny.encoder_, NgramLM(), path)
    with pytest.raises(OutputError, match="folder"):
        save_attributor(tiny, tmp_path)
    assert list(tmp_path.iterdir()) == []


def edit(change: Callable[[dict[str, Any]], object], entry: str) -> Callable[[Entries], None]:
    """Change a JSON entry; its checksum is computed again."""

    def changed(entries: Entries) -> None:
        value = json.loads(entries[entry])
        change(value)
        entries[entry] = json.dumps(value).encode()

    return changed


def edit_arrays(change: Callable[[dict[str, Any]], object]) -> Callable[[Entries], None]:
    def changed(entries: Entries) -> None:
        arrays = {name: array.copy() for name, array in expand(load(entries[ARRAYS])).items()}
        change(arrays)
        entries[ARRAYS] = save(compact(arrays))

    return changed


DESCRIPTION, MODEL, ARRAYS = "attributor.json", "model-0-0.json", "model-0-0.safetensors"
HOSTILE: list[tuple[Callable[[Entries], object], str]] = [
    (lambda e: e.update({DESCRIPTION: b"[]"}), DESCRIPTION),
    (lambda e: e.pop(DESCRIPTION), DESCRIPTION),
    (lambda e: e.pop("encoder-0.json"), "encoder-0.json"),
    (lambda e: e.pop(MODEL), MODEL),
    (lambda e: e.update(extra=b""), "extra"),
    (edit(lambda d: d.pop("params"), DESCRIPTION), "params is None"),
    (edit(lambda d: d["params"].update(other=1), DESCRIPTION), "other"),
    (edit(lambda d: d["params"].update(n_samples="3"), DESCRIPTION), "Got '3' instead"),
    (edit(lambda d: d["params"].update(encoder=1), DESCRIPTION), "encoder"),
    (edit(lambda d: d.update(encoder={"unit": ["word"]}), DESCRIPTION), DESCRIPTION),
    (edit(lambda d: d.update(encoder=[]), DESCRIPTION), DESCRIPTION),
    (edit(lambda d: d.pop("encoder"), DESCRIPTION), DESCRIPTION),
    (edit(lambda d: d.update(language_model={"kind": "os.system"}), DESCRIPTION), "os.system"),
    (edit(lambda d: d.update(language_model={"kind": ["ngram"]}), DESCRIPTION), DESCRIPTION),
    (edit(lambda d: d["language_model"].update(params={"a": 1}), DESCRIPTION), DESCRIPTION),
    (edit(lambda d: d.update(sample_size=0), DESCRIPTION), "sample_size is 0"),
    (edit(lambda d: d.update(sample_size=True), DESCRIPTION), "sample_size is True"),
    (edit(lambda d: d.update(authors={}), DESCRIPTION), "authors is {}"),
    (edit(lambda d: d.update(authors=[]), DESCRIPTION), "fewer than two"),
    (edit(lambda d: d.update(authors=[1, 2]), DESCRIPTION), "not a JSON object"),
    (edit(lambda d: d["authors"].reverse(), DESCRIPTION), "not sorted"),
    (edit(lambda d: d["authors"][0].update(name=1), DESCRIPTION), "name is 1"),
    (edit(lambda d: d["authors"][0].update(name="brook"), DESCRIPTION), "not sorted"),
    (edit(lambda d: d["authors"][2].update(name="cedar\0"), DESCRIPTION), "NUL"),
    (edit(lambda d: d["authors"][0].update(n_models=0), DESCRIPTION), "n_models is 0, below 1"),
    (edit(lambda d: d["authors"][0].update(n_models=10**15), DESCRIPTION), DESCRIPTION),
    (edit(lambda d: d["authors"][0].update(encoder=7), DESCRIPTION), "encoder-7.json"),
    (edit(lambda d: d["authors"][0].update(n_tokens=1.5), DESCRIPTION), "n_tokens is 1.5"),
    (edit(lambda d: d.update(joint=1), DESCRIPTION), "joint is 1"),
    (edit(lambda d: d.update(joint=True), DESCRIPTION), "model-0-0.json"),
    (edit(lambda d: d.update(vocabulary=1), "encoder-0.json"), "encoder-0.json"),
    (edit(lambda d: d.update(kind="tokenised"), "encoder-0.json"), "encoder-0.json"),
    (
        lambda e: e.update({"encoder-0.json": json.dumps(closed()[0].to_dict()).encode()}),
        "encoder-0.json",
    ),
    (
        edit(lambda d: d["language_model"]["params"].update(min_counts={"x": 1}), DESCRIPTION),
        DESCRIPTION,
    ),
    (edit(lambda d: d["vocabulary"]["tokens"].pop(), "encoder-0.json"), "encoder-0.json"),
    (
        edit(lambda d: [v.pop() for v in d["vocabulary"].values()], "encoder-0.json"),
        f"{ARRAYS} cannot be used: the model has 7 words, but the encoder 6",
    ),
    (edit(lambda d: d.update(kind="builtins"), MODEL), "builtins"),
    (edit(lambda d: d.update(kind="feedforward"), MODEL), ARRAYS),
    (edit(lambda d: d.update(params=[]), MODEL), MODEL),
    (edit(lambda d: d["params"].update(order="two"), MODEL), ARRAYS),
    (edit(lambda d: d["params"].update(order=10**9), MODEL), ARRAYS),
    (edit(lambda d: d["params"].update(vocabulary_size=10**9), MODEL), ARRAYS),
    (edit(lambda d: d["params"].update(vocabulary_size=None), MODEL), ARRAYS),
    (edit(lambda d: d["params"].update(sentence_end=False), MODEL), ARRAYS),
    (lambda e: e.update({ARRAYS: b""}), ARRAYS),
    (lambda e: e.update({ARRAYS: e[ARRAYS][:-8]}), ARRAYS),
    (lambda e: e.update({ARRAYS: b"\xff" * 7 + b"\x7f" + e[ARRAYS][8:]}), ARRAYS),
    (edit_arrays(lambda a: a["log_probs"].fill(np.nan)), "NaN"),
    (edit_arrays(lambda a: a["log_probs"].fill(np.inf)), ARRAYS),
    (edit_arrays(lambda a: a.update(log_probs=a["log_probs"][:-1])), ARRAYS),
    (edit_arrays(lambda a: a.update(log_probs=a["log_probs"].astype(np.float32))), ARRAYS),
    (edit_arrays(lambda a: a.update(keys=a["keys"][::-1].copy())), ARRAYS),
    (edit_arrays(lambda a: a.update(keys=a["keys"][None])), ARRAYS),
    (edit_arrays(lambda a: a.pop("backoffs")), ARRAYS),
]


@pytest.mark.parametrize(("change", "at_fault"), HOSTILE)
def test_hostile_contents(
    change: Callable[[Entries], object],
    at_fault: str,
    separate: AuthorshipAttributor,
    tmp_path: Path,
) -> None:
    model_file = tmp_path / "model"
    save_attributor(separate, model_file)
    with open_archive(model_file, ATTRIBUTOR) as archive:
        entries = {name: archive.read(name) for name in archive.names}
    change(entries)
    write_archive(model_file, ATTRIBUTOR, entries.items())
    with pytest.raises(ModelFileError) as caught:
        load_attributor(model_file)
    assert str(model_file) in str(caught.value)
    assert at_fault in str(caught.value)


@settings(
    deadline=None,
    max_examples=80,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(data=st.data())
def test_any_damage_is_rejected_or_harmless(
    data: st.DataObject, tiny: AuthorshipAttributor, tmp_path: Path
) -> None:
    path = tmp_path / "damaged"
    save_attributor(tiny, path)
    content = bytearray(path.read_bytes())
    place = data.draw(st.integers(0, len(content) - 1), label="place")
    if data.draw(st.booleans(), label="cut"):
        del content[place : place + data.draw(st.integers(1, 500), label="length")]
    else:
        content[place] ^= data.draw(st.integers(1, 255), label="bits")
    path.write_bytes(content)
    try:
        assert_equal(load_attributor(path), tiny)
    except ModelFileError as error:
        assert str(path) in str(error)


def test_every_language_model_has_its_kind() -> None:
    assert {kind: model.__name__ for kind, model in LANGUAGE_MODEL_KINDS.classes.items()} == {
        "ngram": "NgramLM",
        "adapted-ngram": "AdaptedNgramLM",
        "feedforward": "FeedForwardLM",
        "recurrent": "RecurrentLM",
        "mixture": "MixtureLM",
        "pretrained": "PretrainedLM",
    }
