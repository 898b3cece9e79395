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
from byline.attribution.model_files.saving import STACK
from byline.errors import ModelFileError, UsageError
from byline.lm import FeedForwardLM, FeedForwardTraining, MixtureLM, NgramLM
from byline.lm.ngrams.adapted import AdaptedNgramLM
from byline.text import TextEncoder

Known = tuple[list[str], list[str]]
Members = dict[str, bytes]
BLOCKS = (
    NgramBlock("char", (1, 3)),
    NgramBlock("masked", (1, 2), keep=3, value="root-count", weight=0.5),
)
QUESTIONED = ["Bababa bagode dedede xyzzy. " * 4, "lolo! dedede", ""]


@pytest.fixture(scope="module")
def tiny() -> StackedAttributor:
    texts = [f"bababa bagode dedede. {word} lolo! " * n for n in (3, 4) for word in ("fi", "ku")]
    model = NgramLM(order=1, smoothing="witten-bell")
    words = AuthorshipAttributor(model, n_samples=1, min_tokens=3)
    members: list[tuple[str, Any]] = [
        ("words", words),
        ("ngrams", NgramRidge(BLOCKS)),
        ("plain", NgramSVM("word-without-punctuation", (1, 2))),
        ("pieces", ChunkedClassifier(NgramSVM("word", (1, 1)), n_words=8)),
    ]
    stack = StackedAttributor(members, folds=2, lengths=(3,))
    return stack.fit(texts, ["alder", "brook", "alder", "brook"])


@pytest.fixture
def model_file(tiny: StackedAttributor, tmp_path: Path) -> Path:
    save_attributor(tiny, tmp_path / "tiny.byline")
    return tmp_path / "tiny.byline"


@pytest.fixture(scope="module")
def contents(tiny: StackedAttributor, tmp_path_factory: pytest.TempPathFactory) -> Members:
    path = tmp_path_factory.mktemp("stack") / "model"
    save_attributor(tiny, path)
    return read_all(path)


def read_all(path: Path) -> Members:
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
    np.testing.assert_array_equal(one.held_out_results_.log_odds, other.held_out_results_.log_odds)
    for method in ("base_classifier_scores", "decision_function", "predict", "predict_proba"):
        np.testing.assert_array_equal(getattr(one, method)(texts), getattr(other, method)(texts))


def assert_comes_back(stack: StackedAttributor, texts: list[str], folder: Path) -> None:
    save_attributor(stack, folder / "one")
    loaded = load_stack(folder / "one")
    assert_equal(stack, loaded, texts)
    save_attributor(loaded, folder / "two")
    assert (folder / "two").read_bytes() == (folder / "one").read_bytes()


def test_the_usual_stack_comes_back(known: Known, questioned: list[str], tmp_path: Path) -> None:
    stack = StackedAttributor(folds=2, lengths=(20,)).fit(*known)
    assert_comes_back(stack, questioned, tmp_path)
    assert load_stack(tmp_path / "one").members is None


def test_members_of_all_sorts_come_back(
    known: Known, questioned: list[str], tmp_path: Path
) -> None:
    network = FeedForwardLM(
        embedding_dim=4, hidden_dims=(4,), training=FeedForwardTraining(epochs=1)
    )
    mixture = MixtureLM((AdaptedNgramLM(order=2), network), weights=(0.7, 0.3))
    members: list[tuple[str, Any]] = [
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
        ("pieces", ChunkedClassifier(NgramRidge(BLOCKS), n_words=300)),
        ("svm-pieces", ChunkedClassifier(NgramSVM("word", (1, 1)), n_words=700, max_chunks=20)),
    ]
    stack = StackedAttributor(members, folds=2, lengths=(), random_state=5).fit(*known)
    assert_comes_back(stack, [*questioned, *QUESTIONED], tmp_path)


def test_two_authors_come_back(tiny: StackedAttributor, tmp_path: Path) -> None:
    assert_comes_back(tiny, QUESTIONED, tmp_path)


def test_a_loaded_stack_can_learn_again(
    tiny: StackedAttributor, known: Known, questioned: list[str], model_file: Path
) -> None:
    assert_equal(clone(tiny).fit(*known), load_stack(model_file).fit(*known), questioned)


def test_prototypes_changed_since_are_stored_as_they_are(
    tiny: StackedAttributor, tmp_path: Path
) -> None:
    stack = load_stack(model_file_of(tiny, tmp_path))
    stack.set_params(ngrams__ridge=0.7, words__language_model__order=3)
    loaded = load_stack(model_file_of(stack, tmp_path))
    assert loaded.get_params()["ngrams__ridge"] == 0.7
    assert loaded.get_params()["words__language_model__order"] == 3
    np.testing.assert_array_equal(
        loaded.decision_function(QUESTIONED), tiny.decision_function(QUESTIONED)
    )


def model_file_of(stack: StackedAttributor, folder: Path) -> Path:
    save_attributor(stack, folder / "model")
    return folder / "model"


def test_what_cannot_be_stored(tiny: StackedAttributor, known: Known, tmp_path: Path) -> None:
    path = tmp_path / "model"
    for classifier in (NgramRidge(BLOCKS).fit(*known), BurrowsDelta()):
        with pytest.raises(UsageError, match="cannot be stored by itself; an AuthorshipAttributor"):
            save_attributor(classifier, path)
    delta = StackedAttributor([("delta", BurrowsDelta())], folds=2, lengths=()).fit(*known)
    expected = "'delta' is a BurrowsDelta, which cannot be stored; AuthorshipAttributor, NgramRidge"
    with pytest.raises(UsageError, match=expected):
        save_attributor(delta, path)
    pieces = StackedAttributor([("pieces", ChunkedClassifier(BurrowsDelta()))], folds=2, lengths=())
    with pytest.raises(UsageError, match="a BurrowsDelta cannot be stored; NgramRidge, NgramSVM"):
        save_attributor(pieces.fit(*known), path)
    with pytest.raises(NotFittedError):
        save_attributor(clone(tiny), path)
    numbered = StackedAttributor([("svm", NgramSVM())], folds=2, lengths=())
    numbered.fit(known[0], [1, 2, 3] * 3)  # type: ignore[list-item]
    with pytest.raises(UsageError, match="authors are integers"):
        save_attributor(numbered, path)
    odd = clone(tiny).set_params(ngrams__min_documents=object())
    vars(odd).update({name: learnt for name, learnt in vars(tiny).items() if name[-1] == "_"})
    with pytest.raises(UsageError, match="min_documents of NgramRidge cannot be stored"):
        save_attributor(odd, path)
    assert list(tmp_path.iterdir()) == []


def test_a_stack_is_no_language_model(model_file: Path) -> None:
    expected = "kind 'stacked-attributor', but 'language-model' is needed"
    with pytest.raises(ModelFileError, match=expected):
        load_language_model(model_file)


def edit(change: Callable[[dict[str, Any]], object], member: str) -> Callable[[Members], None]:
    """Change a JSON member; its checksum will be made anew."""

    def changed(members: Members) -> None:
        value = json.loads(members[member])
        change(value)
        members[member] = json.dumps(value).encode()

    return changed


def edit_arrays(
    change: Callable[[dict[str, Any]], object], member: str
) -> Callable[[Members], None]:
    def changed(members: Members) -> None:
        arrays = {name: array.copy() for name, array in load(members[member]).items()}
        change(arrays)
        members[member] = save(arrays)

    return changed


STACKED, WEIGHTS = "stack.json", "stack.safetensors"
ANSWERS, KNOWN_TEXTS = "held-out.safetensors", "known-texts.json"
LANGUAGE = "member-0/attributor.json"
RIDGE, RIDGE_ARRAYS = "member-1/classifier.json", "member-1/classifier.safetensors"
PIECES = "member-3/classifier.json"
SVM, SVM_ARRAYS = "member-2/classifier.json", "member-2/classifier.safetensors"
HOSTILE: list[tuple[Callable[[Members], object], str]] = [
    (lambda m: m.pop(STACKED), f"{STACKED} cannot be used: it is missing"),
    (lambda m: m.pop(WEIGHTS), STACKED),
    (lambda m: m.pop(LANGUAGE), f"{LANGUAGE} cannot be used: it is missing"),
    (lambda m: m.pop("member-0/encoder-0.json"), "encoder-0.json"),
    (lambda m: m.pop(RIDGE), f"{RIDGE} cannot be used: it is missing"),
    (lambda m: m.pop(RIDGE_ARRAYS), f"{RIDGE} cannot be used: it and the archive"),
    (lambda m: m.update({"member-4/classifier.json": b"{}"}), "member-4/classifier.json"),
    (lambda m: m.update({"member-1/extra": b""}), f"{RIDGE} cannot be used: it and the archive"),
    (lambda m: m.update({"member-0/x/y": b""}), f"{LANGUAGE} cannot be used: it and the archive"),
    (lambda m: m.update({"extra": b""}), "same members: extra"),
    (lambda m: m.update({"member-1": b""}), "same members: member-1"),
    (lambda m: m.update({RIDGE: m[SVM]}), RIDGE_ARRAYS),
    (lambda m: m.update({RIDGE_ARRAYS: m[SVM_ARRAYS]}), "dual_coef is missing"),
    (edit(lambda d: d.update(members=[]), STACKED), "no member"),
    (edit(lambda d: d.update(prototypes=[]), STACKED), "no member"),
    (edit(lambda d: d.pop("prototypes"), STACKED), STACKED),
    (edit(lambda d: d["members"].pop(), STACKED), "same members: member-3/"),
    (edit(lambda d: d["members"].append(1), STACKED), STACKED),
    (edit(lambda d: d["members"][1].update(name="words"), STACKED), "two of one name"),
    (edit(lambda d: d["members"][1].update(kind="os.system"), STACKED), "kind 'os.system'"),
    (edit(lambda d: d["members"][1].update(kind="ngram-svm"), STACKED), "not of kind 'ngram-svm'"),
    (edit(lambda d: d["members"][1].update(kind="attributor"), STACKED), "member-1/attributor"),
    (edit(lambda d: d["prototypes"][1].update(kind=["x"]), STACKED), "kind is ['x']"),
    (edit(lambda d: d["prototypes"][1].update(params=1), STACKED), "params is 1"),
    (edit(lambda d: d["prototypes"][1]["params"].update(other=1), STACKED), "other"),
    (edit(lambda d: d["prototypes"][0].pop("encoder"), STACKED), STACKED),
    (edit(lambda d: d["params"].update(folds=1), STACKED), "folds is 1"),
    (edit(lambda d: d["params"].update(members=[]), STACKED), "members"),
    (edit(lambda d: d["params"].update(other=1), STACKED), "other"),
    (edit(lambda d: d.update(authors=["brook", "alder"]), STACKED), "not in order"),
    (edit(lambda d: d.update(authors=["alder"]), STACKED), "fewer than two"),
    (edit(lambda d: d.update(authors=[1, 2]), STACKED), "no string"),
    (edit(lambda d: d.update(authors=["alder", "cedar"]), STACKED), "not those of the stack's"),
    (edit(lambda d: d.update(authors=["alder", "brook", "cedar"]), STACKED), WEIGHTS),
    (lambda m: m.pop(ANSWERS), f"{STACKED} cannot be used: it and the archive"),
    (lambda m: m.pop(KNOWN_TEXTS), f"{STACKED} cannot be used: it and the archive"),
    (edit(lambda d: d.pop("certainty"), STACKED), "certainty is None"),
    (edit(lambda d: d["certainty"].update(uniform=0.0), STACKED), "out of its range"),
    (edit(lambda d: d["certainty"].update(upper=-1.0), STACKED), "out of its range"),
    (edit(lambda d: d["certainty"].update(longest=-1), STACKED), "longest is -1"),
    (edit(lambda d: d.update(authors=["alder", "cedar"]), KNOWN_TEXTS), KNOWN_TEXTS),
    (edit_arrays(lambda a: a["labels"].fill(2), ANSWERS), "no author"),
    (edit_arrays(lambda a: a.update({k: v[:0] for k, v in a.items()}), ANSWERS), "none, or"),
    (edit_arrays(lambda a: a.update(is_whole=a["is_whole"][1:]), ANSWERS), "is_whole is"),
    (edit_arrays(lambda a: a["log_odds"].fill(np.inf), ANSWERS), "log_odds holds"),
    (edit_arrays(lambda a: a.pop("sharp"), ANSWERS), "sharp is missing"),
    (edit(lambda d: d["authors"][0].update(name="aspen"), LANGUAGE), "member 'words'"),
    (edit(lambda d: d.update(authors=["alder", "cedar"]), RIDGE), "member 'ngrams'"),
    (edit(lambda d: d.update(authors=["alder", "brook", "cedar"]), RIDGE), RIDGE_ARRAYS),
    (edit(lambda d: d.update(authors=["alder", "brook", "cedar"]), SVM), SVM_ARRAYS),
    (edit(lambda d: d["params"].update(ridge=-1), RIDGE), "ridge is -1"),
    (edit(lambda d: d["params"].update(blocks=[]), RIDGE), "blocks is ()"),
    (edit(lambda d: d["params"]["blocks"].pop(), RIDGE), "the 1 blocks"),
    (edit(lambda d: d["params"]["blocks"][0].update(ngrams=[2, 1]), RIDGE), "ngrams"),
    (edit(lambda d: d["params"]["blocks"][0].update(ngrams=[1, 10**9]), RIDGE), "order-4"),
    (edit(lambda d: d["params"]["blocks"][0].update(value="root-count"), RIDGE), "counts"),
    (edit(lambda d: d["params"]["blocks"][0].update(other=1), RIDGE), "other"),
    (edit(lambda d: d.update(learnt=[]), RIDGE), "learnt is []"),
    (edit(lambda d: d["learnt"].update(blocks=[1, 2]), RIDGE), RIDGE_ARRAYS),
    (edit(lambda d: d["learnt"]["blocks"][0]["units"].pop(), RIDGE), RIDGE_ARRAYS),
    (edit(lambda d: d["learnt"]["terms"].pop(), SVM), SVM_ARRAYS),
    (edit(lambda d: d["params"].update(analyzer="os"), SVM), "analyzer is 'os'"),
    (edit(lambda d: d.update(kind="os"), SVM), "'os' is no kind of classifier"),
    (edit(lambda d: d["params"].update(classifier=1), PIECES), "classifier is 1"),
    (edit(lambda d: d["params"].update(n_words=0), PIECES), "n_words is 0"),
    (edit(lambda d: d["learnt"]["classifier"].update(kind="os"), PIECES), "'os' is no kind"),
    (edit(lambda d: d["learnt"]["learnt"]["terms"].pop(), PIECES), "member-3/classifier.safet"),
    (edit_arrays(lambda a: a["weights"].fill(np.nan), WEIGHTS), "NaN"),
    (edit_arrays(lambda a: a["biases"].fill(np.inf), WEIGHTS), "biases holds"),
    (edit_arrays(lambda a: a.update(weights=a["weights"].T), WEIGHTS), "weights is"),
    (edit_arrays(lambda a: a.pop("biases"), WEIGHTS), "biases is missing"),
    (edit_arrays(lambda a: a["dual_coef"].fill(np.inf), RIDGE_ARRAYS), "dual_coef holds"),
    (edit_arrays(lambda a: a.update(coef=a["coef"][:, :-1]), SVM_ARRAYS), "coef is"),
    (lambda m: m.update({RIDGE_ARRAYS: m[RIDGE_ARRAYS][:-8]}), RIDGE_ARRAYS),
    (lambda m: m.update({WEIGHTS: b""}), WEIGHTS),
]


@pytest.mark.parametrize(("change", "at_fault"), HOSTILE)
def test_hostile_contents(
    change: Callable[[Members], object], at_fault: str, contents: Members, tmp_path: Path
) -> None:
    path, members = tmp_path / "hostile", dict(contents)
    change(members)
    write_archive(path, STACK, members.items())
    with pytest.raises(ModelFileError) as caught:
        load_attributor(path)
    assert str(path) in str(caught.value)
    assert at_fault in str(caught.value)


VALUES = [None, True, -1, 0, 3, 10**30, 0.5, "", "x", "alder", [], ["x"], [1, 2], {}, {"a": 1}]


def alter_json(data: st.DataObject, content: bytes) -> bytes:
    """Put another value somewhere in a JSON member."""
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
def test_altered_contents_are_refused_or_can_be_used(
    data: st.DataObject, contents: Members, tmp_path: Path
) -> None:
    path, members = tmp_path / "altered", dict(contents)
    name = data.draw(st.sampled_from(sorted(members)), label="member")
    alter = alter_json if name.endswith(".json") else alter_arrays
    members[name] = alter(data, members[name])
    write_archive(path, STACK, members.items())
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
def test_any_damage_is_refused_or_harmless(
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
