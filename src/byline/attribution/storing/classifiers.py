"""Classifiers that are no language models as members of a model file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from byline.attribution.archive import ArchiveMember, Folder, from_json, to_json
from byline.attribution.classifiers import NgramBlock, NgramRidge, NgramSVM
from byline.attribution.storing.json_values import (
    check_author_names,
    from_json_params,
    json_params,
    read_arrays,
    take,
    write_arrays,
)
from byline.errors import ModelFileError
from byline.lm import ModelState

Classifier = NgramRidge | NgramSVM
CLASSIFIERS: Mapping[str, type[Classifier]] = {"ngram-ridge": NgramRidge, "ngram-svm": NgramSVM}
_DESCRIPTION = "classifier.json"
_ARRAYS = "classifier.safetensors"


def describe_classifier(classifier: Classifier) -> dict[str, Any]:
    """Return a classifier as it was before `fit`, as JSON values.

    Raises
    ------
    UsageError
        A parameter is no JSON value.
    """
    return {"params": json_params(classifier)}


def rebuild_classifier(kind: str, description: Mapping[str, Any]) -> Classifier:
    """Build what `describe_classifier` described."""
    params = dict(take(description, "params", dict))
    if CLASSIFIERS[kind] is NgramRidge:
        blocks = take(params, "blocks", list)
        params["blocks"] = tuple(NgramBlock(**from_json_params(block)) for block in blocks)
    classifier = CLASSIFIERS[kind](**from_json_params(params))
    classifier._check_params()
    return classifier


def classifier_members(classifier: Classifier) -> Iterator[ArchiveMember]:
    """Return a fitted classifier's members, made one by one; errors as in `describe_classifier`."""
    description = describe_classifier(classifier) | {"authors": classifier.classes_.tolist()}
    return _members(classifier, description)


def _members(classifier: Classifier, description: dict[str, Any]) -> Iterator[ArchiveMember]:
    state = classifier.get_state()
    yield _DESCRIPTION, to_json(description | {"learnt": dict(state.params)})
    yield _ARRAYS, write_arrays(state.arrays)


def read_classifier(folder: Folder, kind: str) -> Classifier:
    """Read what `classifier_members` made; its answers are the same to the last bit.

    Raises
    ------
    ModelFileError
        A member is missing, there is one too many, or one cannot be used.
    """
    data = folder.read(_DESCRIPTION)
    with folder.reading(_DESCRIPTION):
        description = from_json(data)
        odd = sorted(folder.names ^ {_DESCRIPTION, _ARRAYS})
        if odd:
            raise ModelFileError(f"it and the archive do not name the same members: {odd[0]}")
        classifier = rebuild_classifier(kind, description)
        classes = check_author_names(take(description, "authors", list))
        learnt = take(description, "learnt", dict)
    data = folder.read(_ARRAYS)
    with folder.reading(_ARRAYS):
        return classifier.set_state(ModelState(learnt, read_arrays(data)), classes)
