"""Stacks of classifiers as members of a model file: each in a folder of its own."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from byline.attribution.classifiers import TextClassifier
from byline.attribution.language_models.attributor import AuthorshipAttributor
from byline.attribution.model_files.archive import (
    ArchiveEntry,
    ArchiveFolder,
    ModelArchive,
    from_json,
    to_json,
)
from byline.attribution.model_files.attributors import (
    attributor_entries,
    describe_attributor,
    read_attributor,
    rebuild_attributor,
)
from byline.attribution.model_files.classifiers import (
    CLASSIFIERS,
    classifier_entries,
    describe_classifier,
    read_classifier,
    rebuild_classifier,
)
from byline.attribution.model_files.held_out_results import (
    describe_calibrator,
    held_out_arrays,
    read_calibrator,
    read_held_out_results,
    read_rejection,
    unknown_author_arrays,
)
from byline.attribution.model_files.json_values import (
    check_author_names,
    from_json_params,
    json_params,
    read_arrays,
    take,
    write_arrays,
)
from byline.attribution.open_set import RejectionRule
from byline.attribution.stacking import Combination, StackedAttributor
from byline.attribution.stacking.calibrator import HeldOutResults
from byline.attribution.stacking.combination import REFERENCE_LENGTHS
from byline.attribution.stacking.unknown_authors import own_texts
from byline.attribution.stored_arrays import take_array
from byline.attribution.training_record.record import TrainingRecord
from byline.errors import ModelFileError, UsageError

Stackable = AuthorshipAttributor | TextClassifier
_ATTRIBUTOR = "attributor"
_MEMBERS: Mapping[str, type[Any]] = {_ATTRIBUTOR: AuthorshipAttributor, **CLASSIFIERS}
_DESCRIPTION = "stack.json"
_ARRAYS = "stack.safetensors"
_ANSWERS = "held-out.safetensors"
_KNOWN = "known-texts.json"
_FINGERPRINTS = "known-texts.safetensors"
_OWN = {_DESCRIPTION, _ARRAYS, _ANSWERS, _KNOWN, _FINGERPRINTS}
_STRANGERS = "strangers.safetensors"  # of stacks that have learnt when to name nobody


def stack_entries(stack: StackedAttributor) -> Iterator[ArchiveEntry]:
    """Return a fitted stack's members, made one by one.

    Raises
    ------
    UsageError
        A parameter is no JSON value, or a member of the stack is of a class that cannot be stored.
    """
    described = [
        {"name": name, "kind": _kind_of(name, member)}
        for name, member in stack.base_classifiers_.items()
    ]
    prototypes = None
    if stack.members is not None:
        prototypes = [_describe(name, member) for name, member in stack.members]
    description = {
        "params": json_params(stack, leave_out=("members",)),
        "prototypes": prototypes,
        "members": described,
        "authors": stack.classes_.tolist(),
        "certainty": describe_calibrator(stack.calibrator_),
    }
    return _members(stack, to_json(description))


def _members(stack: StackedAttributor, description: bytes) -> Iterator[ArchiveEntry]:
    yield _DESCRIPTION, description
    combination = stack.combination_
    yield _ARRAYS, write_arrays({"weights": combination.weights, "biases": combination.biases})
    yield _ANSWERS, write_arrays(held_out_arrays(stack.held_out_results_, stack.calibrator_))
    yield _KNOWN, to_json(stack.training_record_.to_dict())
    yield _FINGERPRINTS, write_arrays(stack.training_record_.to_arrays())
    if stack.rejection_ is not None:
        yield _STRANGERS, write_arrays(unknown_author_arrays(stack.rejection_))
    for number, member in enumerate(stack.base_classifiers_.values()):
        for name, data in _members_of(member):
            yield _folder(number) + name, data


def read_stack(archive: ModelArchive) -> StackedAttributor:
    """Read what `stack_entries` made; its answers are the same to the last bit.

    Raises
    ------
    ModelFileError
        A member is missing, there is one too many, or one cannot be used.
    """
    root = ArchiveFolder(archive)
    data = root.read(_DESCRIPTION)
    with root.reading(_DESCRIPTION):
        description = from_json(data)
        stack = _rebuild(description)
        kinds = _check_members(take(description, "members", list))
        classes = check_author_names(take(description, "authors", list))
        certainty = take(description, "certainty", dict)
        _check_names(root, len(kinds))
    data = root.read(_ARRAYS)
    with root.reading(_ARRAYS):
        stack.combination_ = _read_combination(data, len(kinds), len(classes))
    data = root.read(_ANSWERS)
    with root.reading(_ANSWERS):
        arrays = read_arrays(data)
        stack.held_out_results_ = read_held_out_results(arrays, len(classes))
        stack.calibrator_ = read_calibrator(certainty, arrays)
    stack.training_record_ = _read_known_texts(root, classes.tolist())
    stack.rejection_ = _read_rejection(root, stack.held_out_results_)
    members: dict[str, Stackable] = {}
    for number, (name, kind) in enumerate(kinds.items()):
        members[name] = _read_member(ArchiveFolder(archive, _folder(number)), kind)
        with root.reading(_DESCRIPTION):
            if type(members[name]) is not _MEMBERS[kind]:
                raise ModelFileError(f"its member {name!r} is not of kind {kind!r}")
            if members[name].classes_.tolist() != classes.tolist():
                raise ModelFileError(f"the authors are not those of its member {name!r}")
    stack.base_classifiers_ = dict(members)
    stack.classes_ = classes
    return stack


def _folder(number: int) -> str:
    return f"member-{number}/"


def _kind_of(name: str, member: object) -> str:
    for kind, its_class in _MEMBERS.items():
        if type(member) is its_class:
            return kind
    *others, last = (its_class.__name__ for its_class in _MEMBERS.values())
    raise UsageError(
        f"the stack's member {name!r} is a {type(member).__name__}, which cannot be stored; "
        f"{', '.join(others)} and {last} can"
    )


def _describe(name: str, prototype: Any) -> dict[str, Any]:
    kind = _kind_of(name, prototype)
    describe = describe_attributor if kind == _ATTRIBUTOR else describe_classifier
    return {"name": name, "kind": kind} | describe(prototype)


def _members_of(member: Any) -> Iterator[ArchiveEntry]:
    if isinstance(member, AuthorshipAttributor):
        return attributor_entries(member)
    return classifier_entries(member)


def _rebuild(description: Mapping[str, Any]) -> StackedAttributor:
    """Build the stack as it was before `fit`."""
    members = None
    if description["prototypes"] is not None:
        members = _rebuild_prototypes(take(description, "prototypes", list))
    stack = StackedAttributor(members, **from_json_params(take(description, "params", dict)))
    stack._check_params()
    return stack


def _rebuild_prototypes(prototypes: list[Any]) -> list[tuple[str, Stackable]]:
    kinds = _check_members(prototypes)
    return [
        (name, _rebuild_prototype(kind, prototype))
        for (name, kind), prototype in zip(kinds.items(), prototypes, strict=True)
    ]


def _rebuild_prototype(kind: str, description: Mapping[str, Any]) -> Stackable:
    if kind == _ATTRIBUTOR:
        return rebuild_attributor(description)
    return rebuild_classifier(description)


def _read_member(folder: ArchiveFolder, kind: str) -> Stackable:
    return read_attributor(folder) if kind == _ATTRIBUTOR else read_classifier(folder)


def _check_members(members: list[Any]) -> dict[str, str]:
    """Return members' kinds by name."""
    kinds = {take(member, "name", str): take(member, "kind", str) for member in members}
    if not kinds or len(kinds) < len(members):
        raise ModelFileError("it has no member, or two of one name")
    for name, kind in kinds.items():
        if kind not in _MEMBERS:
            raise ModelFileError(f"its member {name!r} is of kind {kind!r}, which Byline lacks")
    return kinds


def _check_names(root: ArchiveFolder, n_members: int) -> None:
    """Refuse what stands in no member's folder; what stands there its reader checks."""
    folders = tuple(map(_folder, range(n_members)))
    own = {name for name in root.names if not name.startswith(folders)}
    odd = sorted((own - {_STRANGERS}) ^ _OWN)
    if odd:
        raise ModelFileError(f"it and the archive do not name the same members: {odd[0]}")


def _read_combination(data: bytes, n_members: int, n_authors: int) -> Combination:
    arrays = read_arrays(data)
    return Combination(
        weights=take_array(arrays, "weights", np.float64, (n_members, len(REFERENCE_LENGTHS))),
        biases=take_array(arrays, "biases", np.float64, (n_authors,)),
    )


def _read_known_texts(root: ArchiveFolder, authors: list[str]) -> TrainingRecord:
    described, data = root.read(_KNOWN), root.read(_FINGERPRINTS)
    with root.reading(_FINGERPRINTS):
        arrays = read_arrays(data)
    with root.reading(_KNOWN):
        known = TrainingRecord.from_dict(from_json(described), arrays)
        if known.authors != authors:
            raise ModelFileError("the known texts are not those of the stack's authors")
    return known


def _read_rejection(root: ArchiveFolder, answers: HeldOutResults) -> RejectionRule | None:
    if _STRANGERS not in root.names:
        return None
    data = root.read(_STRANGERS)
    with root.reading(_STRANGERS):
        return read_rejection(read_arrays(data), own_texts(answers))
