"""N-gram models of all authors as two entries of a model file: their counts, stored jointly."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from byline.array_types import Integers
from byline.attribution.model_files.archive import ArchiveEntry, ArchiveFolder, from_json, to_json
from byline.attribution.model_files.json_values import read_arrays, take, write_arrays
from byline.attribution.stored_arrays import (
    pack,
    pack_ascending,
    take_array,
    unpack,
    unpack_ascending,
)
from byline.errors import ModelFileError
from byline.lm import LanguageModel, NgramLM
from byline.lm.ngrams.joint_counts import LARGEST_COUNTED, JointCounts
from byline.lm.ngrams.shared_counts import shared_counts
from byline.lm.ngrams.tree import NgramTree
from byline.text import TextEncoder

JOINT_NAMES = ("ngrams.json", "ngrams.safetensors")
_DESCRIPTION, _ARRAYS = JOINT_NAMES
_MAX_KEY = 2**62
_MAX_COUNT = int(np.iinfo(np.int32).max)


JointModels = tuple[JointCounts, dict[str, Any]]


def join_models(models: Mapping[str, Sequence[LanguageModel]]) -> JointModels | None:
    """Return the counts of all authors' models, and their parameters as JSON values.

    Returns
    -------
    JointCounts and dict, or None
        None if counts do not determine every model, or the parameters or vocabularies differ.
    """
    everyone = [model for samples in models.values() for model in samples]
    ngram_models = [model for model in everyone if type(model) is NgramLM]
    if len(ngram_models) < len(everyone):
        return None
    first = ngram_models[0]
    params = first.state_params()
    if joint := shared_counts(everyone):
        return joint, params
    if any(model.state_params() != params or model.tree_.counts is None for model in ngram_models):
        return None
    trees = iter([model.tree_ for model in ngram_models])
    return first.join([list(islice(trees, len(samples))) for samples in models.values()]), params


def joint_entries(models: JointModels) -> list[ArchiveEntry]:
    """Return the models of all authors as entries."""
    joint, params = models
    sizes = np.diff(joint.bounds)[1:]
    arrays: dict[str, NDArray[Any]] = {
        "groups": joint.groups,
        **pack_ascending("keys", joint.tree.keys[1:]),
        **pack("sizes", sizes),
        **pack("codes", joint.codes.astype(np.int64)),
        **pack("counts", joint.counts.ravel().astype(np.int64)),
        **pack("counts-of-counts", joint.counts_of_counts.ravel()),
    }
    return [
        (_DESCRIPTION, to_json({"params": params})),
        (_ARRAYS, write_arrays(arrays)),
    ]


def read_joint_models(
    folder: ArchiveFolder, n_models: Mapping[str, int], encoder: TextEncoder
) -> dict[str, list[LanguageModel]]:
    """Rebuild the models of all authors.

    Parameters
    ----------
    folder : ArchiveFolder
    n_models : mapping of author to int
        Number of models per author.
    encoder : TextEncoder
        The encoder of all models.

    Raises
    ------
    ModelFileError
        If an entry is missing or unusable.
    """
    data = folder.read(_DESCRIPTION)
    with folder.reading(_DESCRIPTION):
        params = take(from_json(data), "params", dict)
        if params.get("vocabulary_size") != encoder.vocabulary_.size:
            raise ModelFileError("the models and the encoder have different numbers of words")
        prototype = NgramLM.unfitted(params)
    data = folder.read(_ARRAYS)
    with folder.reading(_ARRAYS):
        joint = _read_joint(read_arrays(data), prototype, np.array(list(n_models.values())))
    with folder.reading(_DESCRIPTION):
        return {
            author: [NgramLM.from_joint_counts(params, joint, row, model) for model in range(n)]
            for row, (author, n) in enumerate(n_models.items())
        }


def _read_joint(
    arrays: Mapping[str, NDArray[Any]], prototype: NgramLM, n_models: Integers
) -> JointCounts:
    keys = np.concatenate([[-1], unpack_ascending("keys", arrays, _MAX_KEY)])
    tree = NgramTree(keys, np.empty(0), np.empty(0), prototype.vocabulary_size_)
    if defect := tree.find_defect_in_keys(prototype.order, prototype.n_events):
        raise ModelFileError(f"an n-gram model is damaged: {defect}")
    bounds = _read_bounds(arrays, len(keys), len(n_models))
    n_columns = int(n_models.max())
    counts = _read_counts(arrays, n_columns)
    codes = unpack("codes", arrays)
    narrow = np.min_scalar_type(len(n_models))
    groups = take_array(arrays, "groups", narrow, (int(bounds[-1]),))
    if len(codes) != len(groups) or codes.max(initial=0) >= len(counts):
        raise ModelFileError("the counts of its n-grams are incomplete")
    _check_groups(groups, bounds, len(n_models))
    shape = len(n_models), n_columns, prototype.order, LARGEST_COUNTED
    n_counts = unpack("counts-of-counts", arrays)
    if len(n_counts) != np.prod(shape):
        raise ModelFileError("the counts of counts are incomplete")
    return JointCounts(
        tree=tree,
        order=prototype.order,
        n_events=prototype.n_events,
        smoothing=prototype.make_smoothing(),
        n_models=n_models,
        bounds=bounds,
        groups=groups,
        codes=codes.astype(np.min_scalar_type(len(counts))),
        counts=counts,
        counts_of_counts=n_counts.reshape(shape),
    )


def _read_bounds(arrays: Mapping[str, NDArray[Any]], n_nodes: int, n_groups: int) -> Integers:
    """Read the bounds of the entries of each n-gram; the empty context has none."""
    sizes = unpack("sizes", arrays)
    if len(sizes) != n_nodes - 1 or (sizes < 1).any() or (sizes > n_groups).any():
        raise ModelFileError("not each of its n-grams has at least one and at most all authors")
    return np.concatenate([[0, 0], np.cumsum(sizes)])


def _read_counts(arrays: Mapping[str, NDArray[Any]], n_columns: int) -> NDArray[np.int32]:
    counts = unpack("counts", arrays)
    if not len(counts) or len(counts) % n_columns or counts.max() > _MAX_COUNT:
        raise ModelFileError("the counts of n-grams are not complete, or too large")
    return counts.astype(np.int32).reshape(-1, n_columns)


def _check_groups(groups: NDArray[Any], bounds: Integers, n_groups: int) -> None:
    """Check that the groups of each n-gram are distinct and exist."""
    is_first = np.zeros(len(groups), dtype=np.bool_)
    is_first[bounds[1:-1]] = True
    if groups.max(initial=0) >= n_groups or (groups[1:] <= groups[:-1])[~is_first[1:]].any():
        raise ModelFileError("the authors of an n-gram are not in order")
