"""`StackedAttributor` as entries of a model file, with one folder per base classifier."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict
from typing import Any

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
    CLASSIFIER_KINDS,
    classifier_entries,
    describe_classifier,
    read_classifier,
    rebuild_classifier,
)
from byline.attribution.model_files.fallbacks import (
    FALLBACKS,
    describe_conventions,
    fallback_arrays,
    read_conventions,
    read_fallbacks,
)
from byline.attribution.model_files.held_out_results import (
    combination_arrays,
    describe_calibrator,
    held_out_arrays,
    read_calibrator,
    read_combination,
    read_held_out_results,
    read_rejection_rule,
    unknown_author_arrays,
)
from byline.attribution.model_files.json_values import (
    check_author_names,
    from_json_params,
    json_params,
    read_arrays,
    read_line_rules,
    take,
    write_arrays,
)
from byline.attribution.model_files.reference import (
    SIMULATED_CASES,
    describe_validation,
    read_validation,
    validation_entries,
)
from byline.attribution.open_set import RejectionRule
from byline.attribution.stacking import StackedAttributor
from byline.attribution.stacking.calibrator import HeldOutResults
from byline.attribution.stacking.unknown_authors import candidate_statistics
from byline.attribution.training_record.record import TrainingRecord
from byline.errors import ModelFileError, UsageError
from byline.typography import Normalization

Savable = AuthorshipAttributor | TextClassifier
_ATTRIBUTOR = "attributor"
_DESCRIPTION = "stack.json"
_ARRAYS = "stack.safetensors"
_HELD_OUT = "held-out.safetensors"
_RECORD = "training-record.json"
_FINGERPRINTS = "training-record.safetensors"
_OWN = {_DESCRIPTION, _ARRAYS, _HELD_OUT, _RECORD, _FINGERPRINTS}
# Earlier names of default base classifiers. Without the new name, training again would not find
# the prior of the weights.
_RENAMED = {"character-ngrams": "characters"}
_UNKNOWN_AUTHORS = "unknown-authors.safetensors"  # of stacks with a rejection rule


def stack_entries(stack: StackedAttributor) -> Iterator[ArchiveEntry]:
    """Yield the entries of a fitted stack.

    Raises
    ------
    UsageError
        If a parameter is not a JSON value, or the class of a base classifier cannot be saved.
    """
    fitted = [
        {"name": name} | _kind_of(name, classifier)
        for name, classifier in stack.base_classifiers_.items()
    ]
    prototypes = None
    if stack.base_classifiers is not None:
        prototypes = [_describe(name, prototype) for name, prototype in stack.base_classifiers]
    description = {
        "params": json_params(stack, leave_out=("base_classifiers",)),
        "prototypes": prototypes,
        "base_classifiers": fitted,
        "authors": stack.classes_.tolist(),
        "normalization": str(stack.normalization_),
        "calibration": describe_calibrator(stack.calibrator_),
        "conventions": describe_conventions(stack),
        "reference": describe_validation(stack.reference_validation_),
        "line_rules": asdict(stack.line_rules_),
    }
    return _entries(stack, to_json(description))


def _entries(stack: StackedAttributor, description: bytes) -> Iterator[ArchiveEntry]:
    yield _DESCRIPTION, description
    combination = stack.combination_
    yield _ARRAYS, write_arrays(combination_arrays(combination))
    yield _HELD_OUT, write_arrays(held_out_arrays(stack.held_out_results_))
    yield _RECORD, to_json(stack.training_record_.to_dict())
    yield _FINGERPRINTS, write_arrays(stack.training_record_.to_arrays())
    if stack.fallbacks_:
        yield FALLBACKS, write_arrays(fallback_arrays(stack.fallbacks_))
    yield from validation_entries(stack.reference_validation_)
    if stack.rejection_rule_ is not None:
        yield _UNKNOWN_AUTHORS, write_arrays(unknown_author_arrays(stack.rejection_rule_))
    for number, classifier in enumerate(stack.base_classifiers_.values()):
        for name, data in _entries_of(classifier):
            yield _folder(number) + name, data


def read_stack(archive: ModelArchive) -> StackedAttributor:
    """Read a stack; its results are the same to the last bit.

    Raises
    ------
    ModelFileError
        If an entry is missing, unexpected or unusable.
    """
    root = ArchiveFolder(archive)
    data = root.read(_DESCRIPTION)
    with root.reading(_DESCRIPTION):
        description = from_json(data)
        stack = _rebuild(description)
        stack.line_rules_ = read_line_rules(description)
        kinds = _check_kinds(take(description, "base_classifiers", list))
        classes = check_author_names(take(description, "authors", list))
        calibration = take(description, "calibration", dict)
        stack.normalization_ = Normalization.parse(take(description, "normalization", str))
        conventions = take(description, "conventions", dict)
        fallbacks = take(conventions, "fallbacks", list)
        _check_names(root, len(kinds))
    data = root.read(_ARRAYS)
    with root.reading(_ARRAYS):
        stack.combination_ = read_combination(read_arrays(data), len(kinds), len(classes))
    data = root.read(_HELD_OUT)
    with root.reading(_HELD_OUT):
        arrays = read_arrays(data)
        stack.held_out_results_ = read_held_out_results(arrays, len(classes))
        stack.calibrator_ = read_calibrator(calibration)
    stack.fallbacks_ = read_fallbacks(root, fallbacks, list(kinds), len(classes))
    stack.training_record_ = _read_record(root, classes.tolist())
    with root.reading(_DESCRIPTION):
        read_conventions(stack, conventions, classes)
        stack.reference_validation_ = read_validation(root, description.get("reference"))
    stack.rejection_rule_ = _read_rejection_rule(root, stack.held_out_results_)
    classifiers: dict[str, Savable] = {}
    for number, (name, kind) in enumerate(kinds.items()):
        folder = ArchiveFolder(archive, _folder(number))
        read = read_attributor if kind is AuthorshipAttributor else read_classifier
        classifiers[name] = read(folder)
        with root.reading(_DESCRIPTION):
            if type(classifiers[name]) is not kind:
                raise ModelFileError(f"its base classifier {name!r} is not a {kind.__name__}")
            if classifiers[name].classes_.tolist() != classes.tolist():
                raise ModelFileError(
                    f"the authors differ from those of its base classifier {name!r}"
                )
    stack.base_classifiers_ = dict(classifiers)
    stack.classes_ = classes
    return stack


def _folder(number: int) -> str:
    return f"base-classifier-{number}/"


def _kind_of(name: str, classifier: object) -> dict[str, str]:
    """Return the kind of a base classifier, and the package that declares it, if any."""
    if type(classifier) is AuthorshipAttributor:
        return {"kind": _ATTRIBUTOR}
    try:
        return CLASSIFIER_KINDS.entry(type(classifier))
    except UsageError as error:
        raise UsageError(f"the base classifier {name!r}: {error}") from error


def _describe(name: str, prototype: Any) -> dict[str, Any]:
    kind = _kind_of(name, prototype)
    describe = describe_attributor if kind["kind"] == _ATTRIBUTOR else describe_classifier
    return {"name": name} | kind | describe(prototype)


def _entries_of(classifier: Any) -> Iterator[ArchiveEntry]:
    if isinstance(classifier, AuthorshipAttributor):
        return attributor_entries(classifier)
    return classifier_entries(classifier)


def _rebuild(description: Mapping[str, Any]) -> StackedAttributor:
    """Rebuild the unfitted stack."""
    prototypes = None
    if description["prototypes"] is not None:
        prototypes = _rebuild_prototypes(take(description, "prototypes", list))
    stack = StackedAttributor(prototypes, **from_json_params(take(description, "params", dict)))
    stack._check_params()
    return stack


def _rebuild_prototypes(descriptions: list[Any]) -> list[tuple[str, Savable]]:
    kinds = _check_kinds(descriptions)
    return [
        (_RENAMED.get(name, name), _rebuild_prototype(kind, description))
        for (name, kind), description in zip(kinds.items(), descriptions, strict=True)
    ]


def _rebuild_prototype(kind: type, description: Mapping[str, Any]) -> Savable:
    if kind is AuthorshipAttributor:
        return rebuild_attributor(description)
    return rebuild_classifier(description)


def _check_kinds(descriptions: list[Any]) -> dict[str, type]:
    """Return the classes of base classifiers by name."""
    kinds = {take(each, "name", str): _class_of(each) for each in descriptions}
    if not kinds or len(kinds) < len(descriptions):
        raise ModelFileError("it has no base classifier, or two with the same name")
    return kinds


def _class_of(description: Mapping[str, Any]) -> type:
    if take(description, "kind", str) == _ATTRIBUTOR:
        return AuthorshipAttributor
    return CLASSIFIER_KINDS.of_entry(description)


def _check_names(root: ArchiveFolder, n_classifiers: int) -> None:
    """Check the entries outside the base classifiers' folders, which their readers check."""
    folders = tuple(map(_folder, range(n_classifiers)))
    own = {name for name in root.names if not name.startswith(folders)}
    odd = sorted((own - {_UNKNOWN_AUTHORS, FALLBACKS, SIMULATED_CASES}) ^ _OWN)
    if odd:
        raise ModelFileError(f"it does not match the entries of the archive, such as {odd[0]}")


def _read_record(root: ArchiveFolder, authors: list[str]) -> TrainingRecord:
    described, data = root.read(_RECORD), root.read(_FINGERPRINTS)
    with root.reading(_FINGERPRINTS):
        arrays = read_arrays(data)
    with root.reading(_RECORD):
        record = TrainingRecord.from_dict(from_json(described), arrays)
        if record.authors != authors:
            raise ModelFileError("the authors of the training record differ from the stack's")
    return record


def _read_rejection_rule(root: ArchiveFolder, results: HeldOutResults) -> RejectionRule | None:
    if _UNKNOWN_AUTHORS not in root.names:
        return None
    data = root.read(_UNKNOWN_AUTHORS)
    with root.reading(_UNKNOWN_AUTHORS):
        return read_rejection_rule(read_arrays(data), candidate_statistics(results))
