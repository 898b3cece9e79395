"""`AuthorshipAttributor` as entries of a model file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict
from typing import Any

from byline.attribution.language_models.attributor import AuthorshipAttributor
from byline.attribution.model_files.archive import ArchiveEntry, ArchiveFolder, from_json, to_json
from byline.attribution.model_files.joint_counts import (
    JOINT_NAMES,
    JointModels,
    join_models,
    joint_entries,
    read_joint_models,
)
from byline.attribution.model_files.json_values import (
    check_author_names,
    json_params,
    read_line_rules,
    take,
    take_count,
)
from byline.attribution.model_files.language_models import (
    describe_encoder,
    describe_language_model,
    encoder_entry,
    encoder_name,
    model_entries,
    model_names,
    read_encoder,
    read_model,
    rebuild_encoder,
    rebuild_language_model,
    text_encoder,
)
from byline.errors import ModelFileError
from byline.lm import LanguageModel
from byline.lm.registry import LANGUAGE_MODEL_KINDS
from byline.text import TextEncoder

_DESCRIPTION = "attributor.json"
_BACKGROUND = "background"
_PROTOTYPES = ("language_model", "encoder")


def describe_attributor(attributor: AuthorshipAttributor) -> dict[str, Any]:
    """Return the parameters of an attributor as JSON values.

    Raises
    ------
    UsageError
        If a parameter is not a JSON value, or the class of a language model cannot be saved.
    """
    encoder, model = attributor.encoder, attributor.language_model
    return {
        "params": json_params(attributor, leave_out=_PROTOTYPES),
        "encoder": None if encoder is None else describe_encoder(encoder),
        "language_model": None if model is None else describe_language_model(model),
    }


def rebuild_attributor(description: Mapping[str, Any]) -> AuthorshipAttributor:
    """Rebuild an unfitted attributor from what `describe_attributor` returned."""
    encoder, model = description["encoder"], description["language_model"]
    attributor = AuthorshipAttributor(
        encoder=None if encoder is None else rebuild_encoder(encoder),
        language_model=None if model is None else rebuild_language_model(model),
        **take(description, "params", dict),
    )
    attributor._check_params()
    if attributor.encoder is not None:
        attributor.encoder._check_params()
    return attributor


def attributor_entries(attributor: AuthorshipAttributor) -> Iterator[ArchiveEntry]:
    """Yield the entries of a fitted attributor; errors as in `describe_attributor`."""
    joint = _join(attributor)
    description = _describe_fitted(attributor, is_joint=joint is not None)
    return _members(attributor, to_json(description), joint)


def read_attributor(folder: ArchiveFolder) -> AuthorshipAttributor:
    """Read an attributor; its results are the same to the last bit.

    Raises
    ------
    ModelFileError
        If an entry is missing, unexpected or unusable.
    """
    data = folder.read(_DESCRIPTION)
    with folder.reading(_DESCRIPTION):
        description = from_json(data)
        attributor = rebuild_attributor(description)
        attributor.line_rules_ = read_line_rules(description)
        sample_size = _check_sample_size(description["sample_size"])
        authors = _check_authors(take(description, "authors", list))
        classes = check_author_names([author["name"] for author in authors])
        is_joint = take(description, "joint", bool)
        _check_names(
            folder, authors, has_background=attributor.background != "none", is_joint=is_joint
        )
        numbers = sorted({author["encoder"] for author in authors})
        if is_joint and len(numbers) > 1:
            raise ModelFileError("models with several encoders cannot be stored jointly")
    encoders = {number: read_encoder(folder, number, text_encoder) for number in numbers}
    background = None
    if attributor.background != "none":
        background = read_model(folder, _BACKGROUND, encoders[numbers[0]])
    if is_joint:
        n_models = {author["name"]: author["n_models"] for author in authors}
        models = read_joint_models(folder, n_models, encoders[numbers[0]])
    else:
        models = _read_models(folder, authors, encoders, background)
    with folder.reading(_DESCRIPTION):
        all_models = [model for samples in models.values() for model in samples]
        _check_alike(all_models if background is None else [background, *all_models])
    return attributor._set_fitted_state(
        classes=classes,
        encoders={author["name"]: encoders[author["encoder"]] for author in authors},
        models=models,
        amounts={author["name"]: author["n_tokens"] for author in authors},
        sample_size=sample_size,
        background=background,
    )


def _read_models(
    folder: ArchiveFolder,
    authors: list[dict[str, Any]],
    encoders: Mapping[int, TextEncoder],
    background: LanguageModel | None,
) -> dict[str, list[LanguageModel]]:
    """Read models that are stored one by one."""
    return {
        author["name"]: [
            read_model(folder, _model_name(row, sample), encoders[author["encoder"]], background)
            for sample in range(author["n_models"])
        ]
        for row, author in enumerate(authors)
    }


def _describe_fitted(attributor: AuthorshipAttributor, *, is_joint: bool) -> dict[str, Any]:
    """Return everything except encoders and models as JSON values."""
    numbers = _number_encoders(attributor)
    first = attributor.models_[str(attributor.classes_[0])][0]
    LANGUAGE_MODEL_KINDS.entry(type(first))  # an error comes before anything is written
    return describe_attributor(attributor) | {
        "sample_size": attributor.sample_size_,
        "line_rules": asdict(attributor.line_rules_),
        "joint": is_joint,
        "authors": [
            {
                "name": author,
                "n_tokens": attributor.n_tokens_per_author_[author],
                "encoder": numbers[id(attributor.encoders_[author])],
                "n_models": len(models),
            }
            for author, models in attributor.models_.items()
        ],
    }


def _number_encoders(attributor: AuthorshipAttributor) -> dict[int, int]:
    """Return numbers of the encoders by identity, so that a shared encoder is stored once."""
    distinct = dict.fromkeys(map(id, attributor.encoders_.values()))
    return {identity: number for number, identity in enumerate(distinct)}


def _join(attributor: AuthorshipAttributor) -> JointModels | None:
    """Return all models in the form in which they are stored jointly, if they can be."""
    has_one_encoder = len(set(map(id, attributor.encoders_.values()))) == 1
    if attributor.background_ is not None or not has_one_encoder:
        return None
    return join_models(attributor.models_)


def _members(
    attributor: AuthorshipAttributor, description: bytes, joint: JointModels | None
) -> Iterator[ArchiveEntry]:
    yield _DESCRIPTION, description
    distinct = {id(encoder): encoder for encoder in attributor.encoders_.values()}
    for number, encoder in enumerate(distinct.values()):
        yield encoder_entry(number, encoder)
    if joint is not None:
        yield from joint_entries(joint)
        return
    background = attributor.background_
    if background is not None:
        yield from model_entries(_BACKGROUND, background)
    for row, models in enumerate(attributor.models_.values()):
        for sample, model in enumerate(models):
            yield from model_entries(_model_name(row, sample), model, background)


def _model_name(row: int, sample: int) -> str:
    return f"model-{row}-{sample}"


def _check_sample_size(sample_size: object) -> int | None:
    if sample_size is not None and (type(sample_size) is not int or sample_size < 1):
        raise ModelFileError(f"sample_size is {sample_size!r}, not a number of tokens")
    return sample_size


def _check_authors(authors: list[Any]) -> list[dict[str, Any]]:
    """Check that each author has a name, tokens, an encoder's number and a number of models."""
    for author in authors:
        if not isinstance(author, dict):
            raise ModelFileError("an author is not a JSON object")
        take(author, "name", str)
        for name, least in (("n_tokens", 1), ("encoder", 0), ("n_models", 1)):
            take_count(author, name, least)
    return authors


def _check_names(
    folder: ArchiveFolder, authors: list[dict[str, Any]], *, has_background: bool, is_joint: bool
) -> None:
    """Check that there are exactly the entries that the description implies."""
    expected = {_DESCRIPTION} | {encoder_name(author["encoder"]) for author in authors}
    if has_background:
        expected |= set(model_names(_BACKGROUND))
    if is_joint:
        expected |= set(JOINT_NAMES)
    elif sum(author["n_models"] for author in authors) <= len(folder.names):
        expected |= {
            name
            for row, author in enumerate(authors)
            for sample in range(author["n_models"])
            for name in model_names(_model_name(row, sample))
        }
    odd = sorted(expected ^ folder.names)
    if odd:
        raise ModelFileError(f"it does not match the entries of the archive, such as {odd[0]}")


def _check_alike(models: list[LanguageModel]) -> None:
    """Check that all models score the same events."""
    if len({model.sentence_end for model in models}) > 1:
        raise ModelFileError("some of its models score the ends of sentences, and others do not")
