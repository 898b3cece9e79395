"""Stacks on disk: the same answers after loading, and hostile contents behind true checksums."""

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
    BurrowsDelta,
    MostFrequentAuthor,
    NgramBlock,
    NgramRidge,
    NgramSVM,
    StackedAttributor,
    load_attributor,
    load_language_model,
    save_attributor,
)
from byline.attribution.classifiers import ChunkedClassifier
from byline.attribution.model_files.archive import open_archive, write_archive
from byline.attribution.model_files.held_out_results import combination_arrays, held_out_arrays
from byline.attribution.model_files.saving import STACK
from byline.attribution.stacking import default_base_classifiers
from byline.errors import ModelFileError, UsageError
from byline.lm import FeedForwardLM, FeedForwardTraining, MixtureLM, NgramLM
from byline.lm.ngrams.adapted import AdaptedNgramLM
from byline.text import TextEncoder

Known = tuple[list[str], list[str]]
Entries = dict[str, bytes]
BLOCKS = (
    NgramBlock("char", (1, 3)),
    NgramBlock("masked", (1, 2), keep=3, value="root-count", weight=0.5),
)
QUESTIONED = ["Bababa bagode dedede xyzzy. " * 4, "lolo! dedede", ""]


@pytest.fixture(scope="module")
def known(write: Callable[[str, int, int], str]) -> Known:
    """Return two texts of 60 sentences by each of three authors."""
    authors = ["alder", "brook", "cedar"] * 2
    return [write(author, 60, number) for number, author in enumerate(authors)], authors


@pytest.fixture(scope="module")
def tiny() -> StackedAttributor:
    texts = [f"bababa bagode dedede. {word} lolo! " * n for n in (3, 4) for word in ("fi", "ku")]
    model = NgramLM(order=1, smoothing="witten-bell")
    words = AuthorshipAttributor(model, n_samples=1, min_tokens=3)
    base_classifiers: list[tuple[str, Any]] = [
        ("words", words),
        ("ngrams", NgramRidge(BLOCKS)),
        ("plain", NgramSVM("word-without-punctuation", (1, 2))),
        ("chunked", ChunkedClassifier(NgramSVM("word", (1, 1)), n_words=8)),
        ("delta", ChunkedClassifier(BurrowsDelta(9, distance="cosine"), n_words=8)),
    ]
    stack = StackedAttributor(base_classifiers, folds=2, passage_lengths=(3,))
    return stack.fit(texts, ["alder", "brook", "alder", "brook"])


@pytest.fixture
def model_file(tiny: StackedAttributor, tmp_path: Path) -> Path:
    save_attributor(tiny, tmp_path / "tiny.byline")
    return tmp_path / "tiny.byline"


@pytest.fixture(scope="module")
def contents(tiny: StackedAttributor, tmp_path_factory: pytest.TempPathFactory) -> Entries:
    path = tmp_path_factory.mktemp("stack") / "model"
    save_attributor(tiny, path)
    return read_all(path)


def read_all(path: Path) -> Entries:
    with open_archive(path, STACK) as archive:
        return {name: archive.read(name) for name in sorted(archive.names)}


def load_stack(path: Path) -> StackedAttributor:
    loaded = load_attributor(path)
    assert isinstance(loaded, StackedAttributor)
    return loaded


def assert_equal(one: StackedAttributor, other: StackedAttributor, texts: list[str]) -> None:
    assert repr(one) == repr(other)
    assert one.classes_.tolist() == other.classes_.tolist()
    assert one.classes_.dtype == other.classes_.dtype
    assert one.n_held_out_ == other.n_held_out_
    assert list(one.base_classifiers_) == list(other.base_classifiers_)
    assert one.training_record_.to_dict() == other.training_record_.to_dict()
    for name, array in held_out_arrays(one.held_out_results_).items():
        np.testing.assert_array_equal(array, held_out_arrays(other.held_out_results_)[name])
    assert one.calibrator_ == other.calibrator_
    pairs = [(one.combination_, other.combination_)]
    for rule, other_rule in zip(one.fallbacks_, other.fallbacks_, strict=True):
        assert rule.base_classifiers == other_rule.base_classifiers
        assert rule.calibrator == other_rule.calibrator
        pairs.append((rule.combination, other_rule.combination))
    for combination, other_combination in pairs:
        for name, array in combination_arrays(combination).items():
            np.testing.assert_array_equal(array, combination_arrays(other_combination)[name])
    for method in ("base_classifier_scores", "decision_function", "predict", "predict_proba"):
        np.testing.assert_array_equal(getattr(one, method)(texts), getattr(other, method)(texts))


def assert_unchanged_by_saving(stack: StackedAttributor, texts: list[str], folder: Path) -> None:
    save_attributor(stack, folder / "one")
    loaded = load_stack(folder / "one")
    assert_equal(stack, loaded, texts)
    save_attributor(loaded, folder / "two")
    assert (folder / "two").read_bytes() == (folder / "one").read_bytes()


def test_a_default_stack_is_unchanged_by_saving(
    known: Known, questioned: list[str], tmp_path: Path
) -> None:
    stack = StackedAttributor(folds=2, passage_lengths=(20,)).fit(*known)
    assert_unchanged_by_saving(stack, questioned, tmp_path)
    assert load_stack(tmp_path / "one").base_classifiers is None


def test_all_kinds_of_base_classifiers_are_unchanged_by_saving(
    known: Known, questioned: list[str], tmp_path: Path
) -> None:
    network = FeedForwardLM(
        embedding_dim=4, hidden_dims=(4,), training=FeedForwardTraining(epochs=1)
    )
    mixture = MixtureLM((AdaptedNgramLM(order=2), network), weights=(0.7, 0.3))
    base_classifiers: list[tuple[str, Any]] = [
        (
            "adapted",
            AuthorshipAttributor(AdaptedNgramLM(order=2), background="pooled", n_samples=1),
        ),
        ("mixture", AuthorshipAttributor(mixture, background="pooled", n_samples=1)),
        (
            "characters",
            AuthorshipAttributor(
                NgramLM(order=2, smoothing="witten-bell"),
                TextEncoder(unit="char", sentence_rule="punctuation"),
                vocabulary="per-author",
                score_rule="sum-of-perplexities",
            ),
        ),
        ("ngrams", NgramRidge(BLOCKS, ridge=0.3, min_documents=3)),
        ("svm", NgramSVM("char", (1, 3), C=2.0, min_df=4)),
        ("words", NgramSVM("word", (1, 1))),
        ("chunked", ChunkedClassifier(NgramRidge(BLOCKS), n_words=300)),
        ("svm-chunked", ChunkedClassifier(NgramSVM("word", (1, 1)), n_words=700, max_chunks=20)),
        ("delta", BurrowsDelta(50, profile="text")),
        ("delta-chunked", ChunkedClassifier(BurrowsDelta(distance="cosine"), n_words=150)),
    ]
    stack = StackedAttributor(base_classifiers, folds=2, passage_lengths=(), random_state=5).fit(
        *known
    )
    assert_unchanged_by_saving(stack, [*questioned, *QUESTIONED], tmp_path)


def test_the_length_of_chunks_is_saved(known: Known, tmp_path: Path) -> None:
    chunked = ChunkedClassifier(BurrowsDelta(distance="cosine"), n_words=5000)
    stack = StackedAttributor([("delta", chunked)], folds=2, passage_lengths=()).fit(*known)
    fitted = stack.base_classifiers_["delta"]
    assert isinstance(fitted, ChunkedClassifier)
    loaded = load_stack(model_file_of(stack, tmp_path)).base_classifiers_["delta"]
    assert isinstance(loaded, ChunkedClassifier)
    assert fitted.chunk_words_ == loaded.chunk_words_ < 5000


def test_one_text_per_author_is_unchanged_by_saving(tmp_path: Path) -> None:
    models = AuthorshipAttributor(NgramLM(order=1, smoothing="witten-bell"), min_tokens=3)
    texts = [f"bababa bagode dedede. {word} lolo! " * 4 for word in ("fi", "ku")]
    stack = StackedAttributor(default_base_classifiers(models)).fit(texts, ["alder", "brook"])
    assert stack.n_held_out_ == 0
    assert_unchanged_by_saving(stack, QUESTIONED, tmp_path)


def test_two_authors_are_unchanged_by_saving(tiny: StackedAttributor, tmp_path: Path) -> None:
    assert_unchanged_by_saving(tiny, QUESTIONED, tmp_path)


def test_a_loaded_stack_can_be_fitted_again(
    tiny: StackedAttributor, known: Known, questioned: list[str], model_file: Path
) -> None:
    assert_equal(clone(tiny).fit(*known), load_stack(model_file).fit(*known), questioned)


def test_prototypes_that_changed_after_fit_are_saved_as_they_are(
    tiny: StackedAttributor, tmp_path: Path
) -> None:
    stack = load_stack(model_file_of(tiny, tmp_path))
    stack.set_params(ngrams__ridge=0.7, words__language_model__order=3)
    loaded = load_stack(model_file_of(stack, tmp_path))
    assert loaded.get_params()["ngrams__ridge"] == 0.7
    assert loaded.get_params()["words__language_model__order"] == 3
    np.testing.assert_array_equal(loaded.score_authors(QUESTIONED), tiny.score_authors(QUESTIONED))


def model_file_of(stack: StackedAttributor, folder: Path) -> Path:
    save_attributor(stack, folder / "model")
    return folder / "model"


def test_rejects_what_cannot_be_saved(
    tiny: StackedAttributor, known: Known, tmp_path: Path
) -> None:
    path = tmp_path / "model"
    for classifier in (NgramRidge(BLOCKS).fit(*known), BurrowsDelta()):
        with pytest.raises(
            UsageError, match="cannot be saved by itself; save an AuthorshipAttributor"
        ):
            save_attributor(classifier, path)
    most = StackedAttributor([("most", MostFrequentAuthor())], folds=2, passage_lengths=())
    expected = "'most': a MostFrequentAuthor cannot be saved; use a classifier of kind ngram-ridge"
    with pytest.raises(UsageError, match=expected):
        save_attributor(most.fit(*known), path)
    chunked = StackedAttributor(
        [("chunked", ChunkedClassifier(MostFrequentAuthor()))], folds=2, passage_lengths=()
    )
    with pytest.raises(
        UsageError, match="a MostFrequentAuthor cannot be saved; use a classifier of kind ngram-"
    ):
        save_attributor(chunked.fit(*known), path)
    with pytest.raises(NotFittedError):
        save_attributor(clone(tiny), path)
    numbered = StackedAttributor([("svm", NgramSVM())], folds=2, passage_lengths=())
    numbered.fit(known[0], [1, 2, 3] * 2)  # type: ignore[list-item]
    with pytest.raises(UsageError, match="authors are integers"):
        save_attributor(numbered, path)
    odd = clone(tiny).set_params(ngrams__min_documents=object())
    vars(odd).update({name: value for name, value in vars(tiny).items() if name[-1] == "_"})
    with pytest.raises(UsageError, match="min_documents of NgramRidge cannot be saved"):
        save_attributor(odd, path)
    assert list(tmp_path.iterdir()) == []


def test_a_stack_is_not_a_language_model(model_file: Path) -> None:
    expected = "kind 'stacked-attributor', but 'language-model' is needed"
    with pytest.raises(ModelFileError, match=expected):
        load_language_model(model_file)


def edit(change: Callable[[dict[str, Any]], object], entry: str) -> Callable[[Entries], None]:
    """Change a JSON entry; its checksum is computed again."""

    def changed(entries: Entries) -> None:
        value = json.loads(entries[entry])
        change(value)
        entries[entry] = json.dumps(value).encode()

    return changed


def edit_arrays(
    change: Callable[[dict[str, Any]], object], entry: str
) -> Callable[[Entries], None]:
    def changed(entries: Entries) -> None:
        arrays = {name: array.copy() for name, array in load(entries[entry]).items()}
        change(arrays)
        entries[entry] = save(arrays)

    return changed


STACKED, WEIGHTS = "stack.json", "stack.safetensors"
FALLBACKS = "fallbacks.safetensors"
HELD_OUT, RECORD = "held-out.safetensors", "training-record.json"
LANGUAGE = "base-classifier-0/attributor.json"
RIDGE, RIDGE_ARRAYS = (
    "base-classifier-1/classifier.json",
    "base-classifier-1/classifier.safetensors",
)
BLOCK = "base-classifier-1/block-0.safetensors"
CHUNKED = "base-classifier-3/classifier.json"
DELTA, DELTA_ARRAYS = (
    "base-classifier-4/classifier.json",
    "base-classifier-4/classifier.safetensors",
)
SVM, SVM_ARRAYS = "base-classifier-2/classifier.json", "base-classifier-2/classifier.safetensors"
HOSTILE: list[tuple[Callable[[Entries], object], str]] = [
    (lambda e: e.pop(STACKED), f"{STACKED} cannot be used: it is missing"),
    (lambda e: e.pop(WEIGHTS), STACKED),
    (lambda e: e.pop(LANGUAGE), f"{LANGUAGE} cannot be used: it is missing"),
    (lambda e: e.pop("base-classifier-0/encoder-0.json"), "encoder-0.json"),
    (lambda e: e.pop(RIDGE), f"{RIDGE} cannot be used: it is missing"),
    (lambda e: e.pop(RIDGE_ARRAYS), f"{RIDGE} cannot be used: it does not match"),
    (
        lambda e: e.update({"base-classifier-5/classifier.json": b"{}"}),
        "base-classifier-5/classifier.json",
    ),
    (
        lambda e: e.update({"base-classifier-1/extra": b""}),
        f"{RIDGE} cannot be used: it does not match",
    ),
    (
        lambda e: e.update({"base-classifier-0/x/y": b""}),
        f"{LANGUAGE} cannot be used: it does not match",
    ),
    (lambda e: e.update({"extra": b""}), "such as extra"),
    (lambda e: e.update({"base-classifier-1": b""}), "such as base-classifier-1"),
    (lambda e: e.update({RIDGE: e[SVM]}), f"{RIDGE} cannot be used: it does not match"),
    (lambda e: e.update({RIDGE_ARRAYS: e[SVM_ARRAYS]}), "dual_coef is missing"),
    (edit(lambda d: d.update(base_classifiers=[]), STACKED), "no base classifier"),
    (edit(lambda d: d.update(prototypes=[]), STACKED), "no base classifier"),
    (edit(lambda d: d.pop("prototypes"), STACKED), STACKED),
    (edit(lambda d: d["base_classifiers"].pop(), STACKED), "such as base-classifier-4/"),
    (edit(lambda d: d["base_classifiers"].append(1), STACKED), STACKED),
    (
        edit(lambda d: d["base_classifiers"][1].update(name="words"), STACKED),
        "two with the same name",
    ),
    (
        edit(lambda d: d["base_classifiers"][1].update(kind="os.system"), STACKED),
        "'os.system' is not a kind of classifier",
    ),
    (
        edit(lambda d: d["base_classifiers"][1].update(kind="ngram-svm"), STACKED),
        "is not a NgramSVM",
    ),
    (
        edit(lambda d: d["base_classifiers"][1].update(kind="attributor"), STACKED),
        "base-classifier-1/attributor",
    ),
    (edit(lambda d: d["prototypes"][1].update(kind=["x"]), STACKED), "kind is ['x']"),
    (edit(lambda d: d["prototypes"][1].update(params=1), STACKED), "params is 1"),
    (edit(lambda d: d["prototypes"][1]["params"].update(other=1), STACKED), "other"),
    (edit(lambda d: d["prototypes"][0].pop("encoder"), STACKED), STACKED),
    (edit(lambda d: d["params"].update(folds=1), STACKED), "Got 1 instead. The file"),
    (edit(lambda d: d["params"].update(base_classifiers=[]), STACKED), "base_classifiers"),
    (edit(lambda d: d["params"].update(other=1), STACKED), "other"),
    (edit(lambda d: d.update(authors=["brook", "alder"]), STACKED), "not sorted"),
    (edit(lambda d: d.update(authors=["alder"]), STACKED), "fewer than two"),
    (edit(lambda d: d.update(authors=[1, 2]), STACKED), "not a string"),
    (edit(lambda d: d.update(authors=["alder", "cedar"]), STACKED), "differ from the stack's"),
    (edit(lambda d: d.update(authors=["alder", "brook", "cedar"]), STACKED), WEIGHTS),
    (lambda e: e.pop(HELD_OUT), f"{STACKED} cannot be used: it does not match"),
    (lambda e: e.pop(RECORD), f"{STACKED} cannot be used: it does not match"),
    (edit(lambda d: d.pop("calibration"), STACKED), "calibration is None"),
    (edit(lambda d: d["calibration"].update(uniform=0.0), STACKED), "out of its range"),
    (edit(lambda d: d["calibration"].update(uniform=1.0), STACKED), "out of its range"),
    (edit(lambda d: d["calibration"].update(n_held_out=-1), STACKED), "n_held_out is -1"),
    (edit(lambda d: d["calibration"].pop("n_simulated"), STACKED), "n_simulated is None"),
    (edit(lambda d: d.pop("conventions"), STACKED), "conventions is None"),
    (edit(lambda d: d["conventions"].pop("differences"), STACKED), "differences is None"),
    (edit(lambda d: d["conventions"]["known_forms"].pop("longest"), STACKED), "longest is None"),
    (edit(lambda d: d["conventions"]["known_forms"]["n_words"].popitem(), STACKED), "authors"),
    (edit(lambda d: d["conventions"]["known_forms"]["words"].popitem(), STACKED), "is None"),
    (edit(lambda d: d["conventions"]["fallbacks"].clear(), STACKED), FALLBACKS),
    (edit(lambda d: d["conventions"]["fallbacks"][0].pop("n_correct"), STACKED), "n_correct"),
    (
        edit(lambda d: d["conventions"]["fallbacks"][0].update(base_classifiers=["x"]), STACKED),
        "not a selection",
    ),
    (lambda e: e.pop(FALLBACKS), FALLBACKS),
    (edit_arrays(lambda a: a.pop("0-biases"), FALLBACKS), "biases is missing"),
    (
        edit_arrays(
            lambda a: a.update({"0-log_weights": np.tile(a["0-log_weights"], (9, 1))}), FALLBACKS
        ),
        "log_weights is",
    ),
    (edit(lambda d: d.update(authors=["alder", "cedar"]), RECORD), RECORD),
    (edit_arrays(lambda a: a["labels"].fill(2), HELD_OUT), "invalid size, share or author"),
    (
        edit_arrays(
            lambda a: a.update({k: v[:0] for k, v in a.items() if k != "n_texts"}), HELD_OUT
        ),
        "number of held-out texts is invalid",
    ),
    (edit_arrays(lambda a: a["n_texts"].fill(0), HELD_OUT), "number of held-out texts is invalid"),
    (edit_arrays(lambda a: a["n_texts"].fill(-1), HELD_OUT), "number of held-out texts is invalid"),
    (edit_arrays(lambda a: a["shares"].fill(0), HELD_OUT), "invalid size, share or author"),
    (edit_arrays(lambda a: a.update(is_whole=a["is_whole"][1:]), HELD_OUT), "is_whole is"),
    (edit_arrays(lambda a: a["log_odds"].fill(np.inf), HELD_OUT), "log_odds contains"),
    (edit_arrays(lambda a: a.pop("shares"), HELD_OUT), "shares is missing"),
    (edit(lambda d: d["authors"][0].update(name="aspen"), LANGUAGE), "base classifier 'words'"),
    (edit(lambda d: d.update(authors=["alder", "cedar"]), RIDGE), "base classifier 'ngrams'"),
    (edit(lambda d: d.update(authors=["alder", "brook", "cedar"]), RIDGE), RIDGE_ARRAYS),
    (edit(lambda d: d.update(authors=["alder", "brook", "cedar"]), SVM), SVM_ARRAYS),
    (edit(lambda d: d["params"].update(ridge=-1), RIDGE), "Got -1 instead"),
    (edit(lambda d: d["params"].update(blocks=[]), RIDGE), "blocks is empty"),
    (edit(lambda d: d["params"]["blocks"].pop(), RIDGE), "such as block-1.safetensors"),
    (lambda e: e.pop(BLOCK), "such as block-0.safetensors"),
    (lambda e: e.update({BLOCK: e[BLOCK][:-8]}), BLOCK),
    (edit(lambda d: d["params"]["blocks"][0].update(ngrams=[2, 1]), RIDGE), "ngrams"),
    (edit(lambda d: d["params"]["blocks"][0].update(ngrams=[1, 10**9]), RIDGE), "order-4"),
    (edit(lambda d: d["params"]["blocks"][0].update(value="root-count"), RIDGE), "counts"),
    (edit(lambda d: d["params"]["blocks"][0].update(other=1), RIDGE), "other"),
    (edit(lambda d: d.update(state=[]), RIDGE), "state is []"),
    (edit(lambda d: d["state"].update(blocks=[1, 2]), RIDGE), RIDGE_ARRAYS),
    (edit(lambda d: d["state"]["blocks"][0]["units"].pop(), RIDGE), RIDGE_ARRAYS),
    (edit(lambda d: d["state"]["terms"].pop(), SVM), SVM_ARRAYS),
    (edit(lambda d: d["params"].update(analyzer="os"), SVM), "'analyzer' parameter"),
    (edit(lambda d: d.update(kind="os"), SVM), "'os' is not a kind of classifier"),
    (edit(lambda d: d["params"].update(classifier=1), CHUNKED), "classifier is 1"),
    (edit(lambda d: d["params"].update(n_words=0), CHUNKED), "'n_words' parameter"),
    (edit(lambda d: d["state"]["classifier"].update(kind="os"), CHUNKED), "'os' is not a kind"),
    (
        edit(lambda d: d["state"]["state"]["terms"].pop(), CHUNKED),
        "base-classifier-3/classifier.safet",
    ),
    (edit(lambda d: d["state"].update(chunk_words=0), CHUNKED), "chunk_words is 0"),
    (edit(lambda d: d["state"].update(chunk_words="8"), CHUNKED), "chunk_words is '8'"),
    (edit(lambda d: d["state"]["state"].pop("words"), DELTA), "the words are not a list"),
    (edit(lambda d: d["state"]["state"]["words"].pop(), DELTA), DELTA_ARRAYS),
    (edit(lambda d: d["state"]["state"].update(words=["x"] * 7), DELTA), "two are equal"),
    (edit(lambda d: d["state"]["state"].update(words=[1]), DELTA), "the words are not a list"),
    (
        edit(lambda d: d["state"]["classifier"]["params"].update(distance="os"), DELTA),
        "'distance' parameter",
    ),
    (
        edit(lambda d: d["state"]["classifier"]["params"].update(language="?"), DELTA),
        "language must be",
    ),
    (edit_arrays(lambda a: a["deviations"].fill(0), DELTA_ARRAYS), "not above zero"),
    (edit_arrays(lambda a: a["means"].fill(np.inf), DELTA_ARRAYS), "means contains"),
    (edit_arrays(lambda a: a["starts"].fill(0), DELTA_ARRAYS), "starts does not divide"),
    (edit_arrays(lambda a: a["starts"].fill(-1), DELTA_ARRAYS), "starts does not divide"),
    (
        edit_arrays(lambda a: a.update(starts=a["starts"] + [0, 9]), DELTA_ARRAYS),
        "starts does not divide",
    ),
    (edit_arrays(lambda a: a.update(profiles=a["profiles"].T), DELTA_ARRAYS), "profiles is"),
    (edit_arrays(lambda a: a.update(profiles=a["profiles"][:0]), DELTA_ARRAYS), "starts does"),
    (edit_arrays(lambda a: a["log_weights"].fill(np.nan), WEIGHTS), "NaN"),
    (edit_arrays(lambda a: a["log_weights"].fill(999), WEIGHTS), "a weight is out of its range"),
    (edit_arrays(lambda a: a.update(are_sums=a["are_sums"][1:]), WEIGHTS), "are_sums is"),
    (edit_arrays(lambda a: a["biases"].fill(np.inf), WEIGHTS), "biases contains"),
    (edit_arrays(lambda a: a.update(log_weights=a["log_weights"].T), WEIGHTS), "log_weights is"),
    (edit_arrays(lambda a: a.pop("biases"), WEIGHTS), "biases is missing"),
    (edit_arrays(lambda a: a["shortages"].fill(np.nan), WEIGHTS), "shortages contains"),
    (edit_arrays(lambda a: a.update(of_amounts=a["of_amounts"].T), WEIGHTS), "of_amounts is"),
    (edit_arrays(lambda a: a["dual_coef"].fill(np.inf), RIDGE_ARRAYS), "dual_coef contains"),
    (edit_arrays(lambda a: a.pop("weights.places"), SVM_ARRAYS), "weights.places is missing"),
    (lambda e: e.update({RIDGE_ARRAYS: e[RIDGE_ARRAYS][:-8]}), RIDGE_ARRAYS),
    (lambda e: e.update({WEIGHTS: b""}), WEIGHTS),
]


@pytest.mark.parametrize(("change", "at_fault"), HOSTILE)
def test_hostile_contents(
    change: Callable[[Entries], object], at_fault: str, contents: Entries, tmp_path: Path
) -> None:
    path, entries = tmp_path / "hostile", dict(contents)
    change(entries)
    write_archive(path, STACK, entries.items())
    with pytest.raises(ModelFileError) as caught:
        load_attributor(path)
    assert str(path) in str(caught.value)
    assert at_fault in str(caught.value)


VALUES = [None, True, -1, 0, 3, 10**30, 0.5, "", "x", "alder", [], ["x"], [1, 2], {}, {"a": 1}]


def alter_json(data: st.DataObject, content: bytes) -> bytes:
    """Replace a value in a JSON entry."""
    root = json.loads(content)
    value = root
    while True:
        items = value.items() if isinstance(value, dict) else enumerate(value)
        inner = [key for key, item in items if isinstance(item, dict | list) and item]
        if not inner or data.draw(st.booleans(), label="here"):
            break
        value = value[data.draw(st.sampled_from(inner), label="inside")]
    keys = list(value) if isinstance(value, dict) else range(len(value))
    key = data.draw(st.sampled_from(keys), label="key")
    if data.draw(st.booleans(), label="drop"):
        del value[key]
    else:
        value[key] = data.draw(st.sampled_from(VALUES), label="value")
    return json.dumps(root).encode()


ALTERATIONS: dict[str, Callable[[Any], Any]] = {
    "flat": lambda array: array.ravel(),
    "square": lambda array: array[None],
    "short": lambda array: array[:-1],
    "long": lambda array: np.concatenate([array, array]),
    "backwards": lambda array: array[::-1],
    "other type": lambda array: array.astype(np.float32),
    "zeros": np.zeros_like,
    "more": lambda array: array + array.dtype.type(1),
    "empty": lambda array: array[:0],
}


def alter_arrays(data: st.DataObject, content: bytes) -> bytes:
    arrays = load(content)
    name = data.draw(st.sampled_from(sorted(arrays)), label="array")
    change = data.draw(st.sampled_from(sorted(ALTERATIONS)), label="alteration")
    arrays[name] = np.ascontiguousarray(ALTERATIONS[change](arrays[name]))
    return bytes(save(arrays))


@settings(
    deadline=None, max_examples=100, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(data=st.data())
def test_altered_contents_are_rejected_or_usable(
    data: st.DataObject, contents: Entries, tmp_path: Path
) -> None:
    path, entries = tmp_path / "altered", dict(contents)
    name = data.draw(st.sampled_from(sorted(entries)), label="entry")
    alter = alter_json if name.endswith(".json") else alter_arrays
    entries[name] = alter(data, entries[name])
    write_archive(path, STACK, entries.items())
    try:
        loaded = load_stack(path)
    except ModelFileError as error:
        assert str(path) in str(error)
        return
    loaded.predict(QUESTIONED)
    ridge = loaded.base_classifiers_["ngrams"]
    assert isinstance(ridge, NgramRidge)
    ridge.contributions(QUESTIONED[0])


@settings(
    deadline=None, max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(data=st.data())
def test_any_damage_is_rejected_or_harmless(
    data: st.DataObject, tiny: StackedAttributor, model_file: Path
) -> None:
    save_attributor(tiny, model_file)
    content = bytearray(model_file.read_bytes())
    place = data.draw(st.integers(0, len(content) - 1), label="place")
    if data.draw(st.booleans(), label="cut"):
        del content[place : place + data.draw(st.integers(1, 500), label="length")]
    else:
        content[place] ^= data.draw(st.integers(1, 255), label="bits")
    model_file.write_bytes(content)
    try:
        assert_equal(load_stack(model_file), tiny, QUESTIONED)
    except ModelFileError as error:
        assert str(model_file) in str(error)
