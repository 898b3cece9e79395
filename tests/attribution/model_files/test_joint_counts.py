"""N-gram models of all authors in two entries: fewer bytes, the same models, hostile contents."""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from safetensors.numpy import load, save

from byline.attribution import AuthorshipAttributor, load_attributor, save_attributor
from byline.attribution.language_models import sentence_scorer
from byline.attribution.model_files.archive import open_archive, write_archive
from byline.attribution.model_files.saving import ATTRIBUTOR
from byline.errors import ModelFileError
from byline.lm import NgramLM
from byline.text import TextEncoder

Entries = dict[str, bytes]
PARAMS, ARRAYS = "ngrams.json", "ngrams.safetensors"
KNOWN = ["bababa bagode dedede. bagode lolo! " * n for n in (6, 7, 9)]
QUESTIONED = ["Bababa bagode dedede xyzzy. " * 4, "lolo", ""]


@pytest.fixture(scope="module")
def attributor() -> AuthorshipAttributor:
    return fit(TextEncoder())


def fit(encoder: TextEncoder, order: int = 3, **params: Any) -> AuthorshipAttributor:
    model = NgramLM(order=order, **params)
    fitted = AuthorshipAttributor(model, encoder, n_samples=2, min_tokens=3)
    return fitted.fit(KNOWN, ["alder", "brook", "cedar"])


@pytest.fixture
def model_file(attributor: AuthorshipAttributor, tmp_path: Path) -> Path:
    save_attributor(attributor, tmp_path / "model")
    return tmp_path / "model"


def entries_of(path: Path) -> Entries:
    with open_archive(path, ATTRIBUTOR) as archive:
        return {name: archive.read(name) for name in archive.names}


def test_the_models_of_all_authors_are_two_entries(model_file: Path) -> None:
    names = set(entries_of(model_file))
    assert names == {"attributor.json", "encoder-0.json", PARAMS, ARRAYS}


@pytest.mark.parametrize("unit", ["word", "char"])
@pytest.mark.parametrize(
    "params",
    [
        {},
        {"smoothing": "kneser-ney", "sentence_end": False},
        {"smoothing": "absolute", "discount": 0.25, "sentence_start": False},
    ],
)
def test_scores_and_bytes_are_the_same_after_loading(
    unit: str, params: dict[str, Any], tmp_path: Path
) -> None:
    fitted = fit(TextEncoder(unit=unit), order=4, **params)
    save_attributor(fitted, tmp_path / "one")
    loaded = load_attributor(tmp_path / "one")
    expected = fitted.score_authors(QUESTIONED)
    np.testing.assert_array_equal(loaded.score_authors(QUESTIONED), expected)
    assert isinstance(loaded, AuthorshipAttributor)
    models = [model for samples in loaded.models_.values() for model in samples]
    assert not any("tree_" in vars(model) for model in models)  # no tree was needed
    save_attributor(loaded, tmp_path / "two")
    assert (tmp_path / "two").read_bytes() == (tmp_path / "one").read_bytes()


@pytest.mark.parametrize(
    "params",
    [
        {"smoothing": "witten-bell"},
        {"interpolate": False},
        {"min_counts": (1, 2)},
        {"open_vocabulary": False},
    ],
)
def test_models_that_counts_do_not_determine_are_stored_one_by_one(
    params: dict[str, Any], tmp_path: Path
) -> None:
    save_attributor(fit(TextEncoder(), **params), tmp_path / "model")
    assert "model-0-0.safetensors" in entries_of(tmp_path / "model")


def edit(change: Callable[[dict[str, Any]], object], entry: str) -> Callable[[Entries], object]:
    def changed(entries: Entries) -> None:
        value = json.loads(entries[entry])
        change(value)
        entries[entry] = json.dumps(value).encode()

    return changed


def edit_array(
    name: str, change: Callable[[np.ndarray[Any, Any]], object]
) -> Callable[[Entries], object]:
    """Change an array in place, or replace it by what ``change`` returns."""

    def changed(entries: Entries) -> None:
        arrays = {key: array.copy() for key, array in load(entries[ARRAYS]).items()}
        replaced = change(arrays[name])
        if isinstance(replaced, np.ndarray):
            arrays[name] = np.ascontiguousarray(replaced)
        entries[ARRAYS] = save(arrays)

    return changed


HOSTILE: list[tuple[Callable[[Entries], object], str]] = [
    (lambda e: e.pop(PARAMS), PARAMS),
    (lambda e: e.pop(ARRAYS), ARRAYS),
    (lambda e: e.update({"model-0-0.json": b"{}"}), "model-0-0.json"),
    (lambda e: e.update({ARRAYS: e[ARRAYS][:-8]}), ARRAYS),
    (edit(lambda d: d.pop("params"), PARAMS), "params is None"),
    (edit(lambda d: d["params"].update(order="two"), PARAMS), "order"),
    (edit(lambda d: d["params"].update(order=10**9), PARAMS), "order"),
    (edit(lambda d: d["params"].update(order=2), PARAMS), "n-grams beyond order 2"),
    (edit(lambda d: d["params"].update(order=4), PARAMS), "counts of counts are incomplete"),
    (edit(lambda d: d["params"].update(vocabulary_size=10**9), PARAMS), "numbers of words"),
    (edit(lambda d: d["params"].pop("vocabulary_size"), PARAMS), "numbers of words"),
    (edit(lambda d: d["authors"][1].update(n_models=10**15), "attributor.json"), ARRAYS),
    (edit(lambda d: d["authors"][1].update(n_models=3), "attributor.json"), ARRAYS),
    (edit(lambda d: d["authors"][1].update(encoder=1), "attributor.json"), "encoder-1.json"),
    (edit_array("keys.uint8", lambda a: a.__setitem__(3, 0)), "does not ascend"),
    (edit_array("keys.uint8", lambda a: a[:-1]), ARRAYS),
    (edit_array("keys.uint8", lambda a: a.__setitem__(-1, 250)), "beyond order 3"),
    (edit_array("sizes.uint8", lambda a: a.__setitem__(0, 0)), "at least one"),
    (edit_array("sizes.uint8", lambda a: a.__setitem__(0, 4)), "at most all authors"),
    (edit_array("sizes.uint8", lambda a: a[1:]), "at least one"),
    (edit_array("groups", lambda a: a.__setitem__(2, 3)), "not in order"),
    (edit_array("groups", lambda a: a.__setitem__(2, 1)), "not in order"),
    (edit_array("groups", lambda a: a[1:]), "groups"),
    (edit_array("groups", lambda a: a.astype(np.uint16)), "groups"),
    (edit_array("codes.uint8", lambda a: a.__setitem__(0, 200)), "incomplete"),
    (edit_array("codes.uint8", lambda a: a[1:]), "incomplete"),
    (edit_array("counts.uint8", lambda a: a[1:]), "not complete"),
    (edit_array("counts.uint8", lambda a: a[:0]), "not complete"),
    (edit_array("counts-of-counts.uint8", lambda a: a[1:]), "incomplete"),
]


@pytest.mark.parametrize(("change", "at_fault"), HOSTILE)
def test_hostile_contents(
    change: Callable[[Entries], object], at_fault: str, model_file: Path
) -> None:
    entries = entries_of(model_file)
    change(entries)
    write_archive(model_file, ATTRIBUTOR, entries.items())
    with pytest.raises(ModelFileError) as caught:
        load_attributor(model_file)
    assert str(model_file) in str(caught.value)
    assert at_fault in str(caught.value)


def without_a_unigram(entries: Entries) -> None:
    """Set the counts of the first unigram to zero, but not those of bigrams that begin with it."""
    arrays = {key: array.copy() for key, array in load(entries[ARRAYS]).items()}
    n_columns = 2
    code = int(arrays["codes.uint8"][0])
    arrays["counts.uint8"].reshape(-1, n_columns)[code] = 0
    entries[ARRAYS] = save(arrays)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (without_a_unigram, "has a context that the model lacks"),
        (edit_array("counts.uint8", lambda a: a.fill(0)), "counts of counts are wrong"),
        (edit_array("counts-of-counts.uint8", lambda a: a.fill(9)), "counts of counts are wrong"),
    ],
)
def test_contradictions_are_found_when_a_tree_is_made(
    change: Callable[[Entries], object],
    reason: str,
    model_file: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    entries = entries_of(model_file)
    change(entries)
    write_archive(model_file, ATTRIBUTOR, entries.items())
    loaded = load_attributor(model_file)
    monkeypatch.setattr(sentence_scorer, "_TOKENS_PER_NGRAM", 10**6)  # no trees are made
    assert np.isfinite(loaded.score_authors(QUESTIONED)).all()
    assert isinstance(loaded, AuthorshipAttributor)
    with pytest.raises(ModelFileError, match=reason):
        for model in chain.from_iterable(loaded.models_.values()):
            model.get_state()  # needs the tree
