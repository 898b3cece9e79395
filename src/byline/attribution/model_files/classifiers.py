"""Text classifiers as entries of a model file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from byline.attribution.classifiers import (
    BurrowsDelta,
    ChunkedClassifier,
    NgramBlock,
    NgramProfiles,
    NgramRidge,
    NgramSVM,
    NumericFeatures,
    TextClassifier,
)
from byline.attribution.model_files.archive import ArchiveEntry, ArchiveFolder, from_json, to_json
from byline.attribution.model_files.json_values import (
    check_author_names,
    from_json_params,
    json_params,
    read_arrays,
    take,
    take_count,
    write_arrays,
)
from byline.attribution.stored_arrays import arrays_under
from byline.errors import ModelFileError
from byline.lm import ModelState
from byline.plugins import CLASSIFIERS, Kinds

CLASSIFIER_KINDS: Kinds[TextClassifier] = Kinds(
    CLASSIFIERS,
    "classifier",
    TextClassifier,  # type: ignore[type-abstract]
    ("ngram-ridge", "ngram-svm", "burrows-delta", "chunked", "ngram-profiles", "numeric-features"),
    {
        "ngram-ridge": NgramRidge,
        "ngram-svm": NgramSVM,
        "burrows-delta": BurrowsDelta,
        "chunked": ChunkedClassifier,
        "ngram-profiles": NgramProfiles,
        "numeric-features": NumericFeatures,
    },
)
_DESCRIPTION = "classifier.json"
_ARRAYS = "classifier.safetensors"


def describe_classifier(classifier: TextClassifier) -> dict[str, Any]:
    """Return the parameters of a classifier as JSON values.

    Raises
    ------
    UsageError
        If its class, or that of the classifier inside it, cannot be saved, or a parameter is not a
        JSON value.
    """
    description: dict[str, Any] = CLASSIFIER_KINDS.entry(type(classifier))
    if not isinstance(classifier, ChunkedClassifier):
        return description | {"params": json_params(classifier, leave_out=classifier.not_saved)}
    params = json_params(classifier, leave_out=("classifier",))
    return description | {
        "params": params | {"classifier": describe_classifier(classifier.classifier)}
    }


def rebuild_classifier(description: Mapping[str, Any]) -> TextClassifier:
    """Rebuild an unfitted classifier from what `describe_classifier` returned."""
    take(description, "kind", str)
    its_class = CLASSIFIER_KINDS.of_entry(description)
    params = dict(take(description, "params", dict))
    if its_class is NgramRidge:
        blocks = take(params, "blocks", list)
        params["blocks"] = tuple(NgramBlock(**from_json_params(block)) for block in blocks)
    if its_class is ChunkedClassifier:
        inner = rebuild_classifier(take(params, "classifier", dict))
        classifier: TextClassifier = ChunkedClassifier(**params | {"classifier": inner})
    else:
        classifier = its_class(**from_json_params(params))
    classifier._check_params()
    return classifier


def classifier_entries(classifier: TextClassifier) -> Iterator[ArchiveEntry]:
    """Yield the entries of a fitted classifier; errors as in `describe_classifier`."""
    description = describe_classifier(classifier) | {"authors": classifier.classes_.tolist()}
    return _members(classifier, description)


def read_classifier(folder: ArchiveFolder) -> TextClassifier:
    """Read a classifier; its results are the same to the last bit.

    Raises
    ------
    ModelFileError
        If an entry is missing, unexpected or unusable.
    """
    data = folder.read(_DESCRIPTION)
    with folder.reading(_DESCRIPTION):
        description = from_json(data)
        classifier = rebuild_classifier(description)
        blocks = list(map(_block_name, range(_n_blocks(classifier))))
        odd = sorted(folder.names ^ {_DESCRIPTION, _ARRAYS, *blocks})
        if odd:
            raise ModelFileError(f"it does not match the entries of the archive, such as {odd[0]}")
        classes = check_author_names(take(description, "authors", list))
        state = take(description, "state", dict)
    arrays: dict[str, NDArray[Any]] = {}
    for number, name in enumerate(blocks):
        data = folder.read(name)
        with folder.reading(name):
            arrays |= {_prefix(number) + own: array for own, array in read_arrays(data).items()}
    data = folder.read(_ARRAYS)
    with folder.reading(_ARRAYS):
        return _set_state(classifier, ModelState(state, arrays | read_arrays(data)), classes)


def _members(classifier: TextClassifier, description: dict[str, Any]) -> Iterator[ArchiveEntry]:
    """Yield the entries; a block of n-grams has its own, because classifiers may share it."""
    state = _get_state(classifier)
    yield _DESCRIPTION, to_json(description | {"state": dict(state.params)})
    arrays = dict(state.arrays)
    for number in range(_n_blocks(classifier)):
        own = arrays_under(_prefix(number), arrays)
        yield _block_name(number), write_arrays(own)
        arrays = {name: each for name, each in arrays.items() if _prefix(number) not in name}
    yield _ARRAYS, write_arrays(arrays)


def _n_blocks(classifier: Any) -> int:
    while isinstance(classifier, ChunkedClassifier):
        classifier = classifier.classifier
    return len(classifier.blocks) if isinstance(classifier, NgramRidge) else 0


def _block_name(number: int) -> str:
    return f"block-{number}.safetensors"


def _prefix(number: int) -> str:
    """Return the prefix of a block's arrays in the state of a classifier."""
    return f"block-{number}."


def _get_state(classifier: Any) -> ModelState:
    if not isinstance(classifier, ChunkedClassifier):
        state: ModelState = classifier.get_state()
        return state
    state = _get_state(classifier.classifier_)
    params = {
        "classifier": describe_classifier(classifier.classifier_),
        "state": dict(state.params),
        "chunk_words": classifier.chunk_words_,
    }
    return ModelState(params, state.arrays)


def _set_state(classifier: Any, state: ModelState, classes: NDArray[Any]) -> TextClassifier:
    if not isinstance(classifier, ChunkedClassifier):
        fitted: TextClassifier = classifier.set_state(state, classes)
        return fitted
    inner = rebuild_classifier(take(state.params, "classifier", dict))
    of_inner = ModelState(take(state.params, "state", dict), state.arrays)
    classifier.chunk_words_ = take_count(state.params, "chunk_words", 1)
    classifier.classifier_ = _set_state(inner, of_inner, np.arange(len(classes)))
    classifier.classes_ = classes
    return classifier
