"""A fitted attributor, or one language model with its encoder, on disk.

The file is an archive of JSON and safetensors members. Loading builds only classes named here
and imports nothing that a file names.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray
from safetensors.numpy import load, save
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

from byline.attribution.archive import (
    ModelArchive,
    from_json,
    open_archive,
    reading,
    to_json,
    write_archive,
)
from byline.attribution.attributor import AuthorshipAttributor
from byline.attribution.inputs import check_named
from byline.errors import ModelFileError, UsageError
from byline.lm import FeedForwardLM, LanguageModel, ModelState, NgramLM, RecurrentLM
from byline.lm.adaptation import AdaptedNgramLM
from byline.lm.mixture import MixtureLM
from byline.text import TextEncoder
from byline.text.tokenised import KIND as TOKENISED
from byline.text.tokenised import TokenisedEncoder

ATTRIBUTOR = "attributor"
LANGUAGE_MODEL = "language-model"
LANGUAGE_MODELS: Mapping[str, type[LanguageModel]] = {
    model.kind: model for model in (NgramLM, AdaptedNgramLM, FeedForwardLM, RecurrentLM, MixtureLM)
}
_KEEPS_BACKGROUND = (AdaptedNgramLM, MixtureLM)
_DESCRIPTION = "attributor.json"
_BACKGROUND = "background"
AnyEncoder = TextEncoder | TokenisedEncoder
_Value = TypeVar("_Value")
_Encoder = TypeVar("_Encoder", bound=AnyEncoder)
_PROTOTYPES = ("language_model", "encoder")


def save_attributor(attributor: AuthorshipAttributor, path: str | os.PathLike[str]) -> None:
    """Write a fitted attributor to one file: whole or not at all, same attributor same bytes.

    Raises
    ------
    OutputError
        The file cannot be written there.
    UsageError
        A parameter is no JSON value, the authors are numbers, or a language model is of a class
        that cannot be stored.
    """
    check_is_fitted(attributor)
    check_named(attributor.classes_)
    description = to_json(_describe(attributor))  # before the file is opened, as it may refuse
    write_archive(path, ATTRIBUTOR, _attributor_members(attributor, description))


def load_attributor(path: str | os.PathLike[str]) -> AuthorshipAttributor:
    """Read what `save_attributor` wrote; its answers are the same to the last bit.

    Raises
    ------
    ModelFileError
        The file is missing, truncated, altered, of another kind or of a newer format.
    """
    with open_archive(path, ATTRIBUTOR) as archive:
        data = archive.read(_DESCRIPTION)
        with reading(archive.path, _DESCRIPTION):
            description = from_json(data)
            attributor = _rebuild(description)
            authors = _check_authors(_take(description, "authors", list))
            _check_names(archive, authors, has_background=attributor.background != "none")
        numbers = sorted({author["encoder"] for author in authors})
        encoders = {
            number: _read_encoder(archive, number, TextEncoder.from_dict) for number in numbers
        }
        background = None
        if attributor.background != "none":
            background = _read_model(archive, _BACKGROUND, encoders[numbers[0]])
        models = {
            author["name"]: [
                _read_model(archive, f"model-{row}-{draw}", encoders[author["encoder"]], background)
                for draw in range(author["n_models"])
            ]
            for row, author in enumerate(authors)
        }
        with reading(archive.path, _DESCRIPTION):
            all_models = [model for draws in models.values() for model in draws]
            _check_alike(all_models if background is None else [background, *all_models])
    return attributor._set_learnt(
        classes=np.array(list(models)),
        encoders={author["name"]: encoders[author["encoder"]] for author in authors},
        models=models,
        amounts={author["name"]: author["n_tokens"] for author in authors},
        budget=description["budget"],
        background=background,
    )


def save_language_model(
    encoder: AnyEncoder, model: LanguageModel, path: str | os.PathLike[str]
) -> None:
    """Write one fitted language model with the encoder of its vocabulary; errors as above."""
    check_is_fitted(encoder)
    check_is_fitted(model)
    write_archive(
        path, LANGUAGE_MODEL, [_encoder_member(0, encoder), *_model_members("model", model)]
    )


def load_language_model(path: str | os.PathLike[str]) -> tuple[AnyEncoder, LanguageModel]:
    """Read what `save_language_model` wrote; errors as in `load_attributor`."""
    with open_archive(path, LANGUAGE_MODEL) as archive:
        encoder = _read_encoder(archive, 0, _any_encoder)
        return encoder, _read_model(archive, "model", encoder)


def _describe(attributor: AuthorshipAttributor) -> dict[str, Any]:
    """All of an attributor but its encoders and models, as JSON values."""
    numbers = _number_encoders(attributor)
    _storable(attributor.models_[str(attributor.classes_[0])][0])
    params = _json_params(attributor, leave_out=_PROTOTYPES)
    encoder, model = attributor.encoder, attributor.language_model
    return {
        "params": params,
        "encoder": None if encoder is None else _json_params(encoder),
        "language_model": None if model is None else _describe_prototype(model),
        "budget": attributor.budget_,
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
    """Numbers of the encoders by identity: a shared one is stored once."""
    distinct = dict.fromkeys(map(id, attributor.encoders_.values()))
    return {identity: number for number, identity in enumerate(distinct)}


def _describe_prototype(model: LanguageModel) -> dict[str, Any]:
    if type(model) is not MixtureLM:
        return {"kind": _storable(model).kind, "params": _json_params(model)}
    models = [_describe_prototype(member) for member in model.models]
    return {"kind": model.kind, "params": _json_params(model, ("models",)) | {"models": models}}


def _storable(model: LanguageModel) -> LanguageModel:
    if LANGUAGE_MODELS.get(model.kind) is not type(model):
        *others, last = LANGUAGE_MODELS
        raise UsageError(
            f"a {type(model).__name__} cannot be stored; {', '.join(others)} and {last} models can"
        )
    return model


def _json_params(estimator: BaseEstimator, leave_out: tuple[str, ...] = ()) -> dict[str, Any]:
    """Return constructor parameters as JSON values."""
    params = {
        name: value.tolist() if isinstance(value, np.generic | np.ndarray) else value
        for name, value in estimator.get_params(deep=False).items()
        if name not in leave_out
    }
    for name, value in params.items():
        try:
            to_json(value)
        except (TypeError, ValueError) as error:
            raise UsageError(
                f"{name} of {type(estimator).__name__} cannot be stored: {error}"
            ) from error
    return params


def _attributor_members(
    attributor: AuthorshipAttributor, description: bytes
) -> Iterator[tuple[str, bytes]]:
    yield _DESCRIPTION, description
    distinct = {id(encoder): encoder for encoder in attributor.encoders_.values()}
    for number, encoder in enumerate(distinct.values()):
        yield _encoder_member(number, encoder)
    background = attributor.background_
    if background is not None:
        yield from _model_members(_BACKGROUND, background)
    for row, models in enumerate(attributor.models_.values()):
        for draw, model in enumerate(models):
            yield from _model_members(f"model-{row}-{draw}", model, background)


def _encoder_member(number: int, encoder: AnyEncoder) -> tuple[str, bytes]:
    return f"encoder-{number}.json", to_json(encoder.to_dict())


def _model_members(
    name: str, model: LanguageModel, background: LanguageModel | None = None
) -> list[tuple[str, bytes]]:
    """Describe a model; without its background where that is stored once for all."""
    is_adapted = background is not None and isinstance(model, _KEEPS_BACKGROUND)
    state = model.get_own_state() if is_adapted else model.get_state()
    arrays = {key: np.asarray(array, order="C") for key, array in state.arrays.items()}
    description = {"kind": _storable(model).kind, "params": dict(state.params)}
    return [(f"{name}.json", to_json(description)), (f"{name}.safetensors", save(arrays))]


def _rebuild(description: Mapping[str, Any]) -> AuthorshipAttributor:
    """Build the attributor as it was before `fit`."""
    encoder, model = description["encoder"], description["language_model"]
    attributor = AuthorshipAttributor(
        encoder=None if encoder is None else TextEncoder(**_frozen(encoder)),
        language_model=None if model is None else _rebuild_prototype(model),
        **_take(description, "params", dict),
    )
    attributor._check_params()
    if attributor.encoder is not None:
        attributor.encoder.tokenize("")  # refuses parameters that cannot be used
    budget = description["budget"]
    if budget is not None and (type(budget) is not int or budget < 1):
        raise ModelFileError(f"budget is {budget!r}, not a number of tokens")
    return attributor


def _rebuild_prototype(description: Mapping[str, Any]) -> LanguageModel:
    kind, params = _class_of(description), dict(_take(description, "params", dict))
    if kind is not MixtureLM:
        return kind(**_frozen(params))
    return MixtureLM(tuple(map(_rebuild_prototype, params.pop("models"))), **_frozen(params))


def _frozen(params: Mapping[str, Any]) -> dict[str, Any]:
    """Parameters with tuples where JSON has lists, and numbers as keys where it has strings."""
    return {name: _unlike_json(value) for name, value in params.items()}


def _unlike_json(value: Any) -> Any:
    if isinstance(value, dict):  # minimum counts by order
        return {int(key): count for key, count in value.items()}
    return tuple(value) if isinstance(value, list) else value


def _class_of(description: Mapping[str, Any]) -> type[LanguageModel]:
    kind = _take(description, "kind", str)
    if kind not in LANGUAGE_MODELS:
        raise ModelFileError(f"{kind!r} is no kind of language model that this Byline knows")
    return LANGUAGE_MODELS[kind]


def _take(data: Mapping[str, Any], name: str, kind: type[_Value]) -> _Value:
    value = data.get(name)
    if type(value) is not kind:
        raise ModelFileError(f"{name} is {value!r:.60}, not a {kind.__name__}")
    return value


def _check_authors(authors: list[Any]) -> list[dict[str, Any]]:
    """Rows with a name, tokens, an encoder's number and a number of models."""
    for author in authors:
        if not isinstance(author, dict):
            raise ModelFileError("an author is no JSON object")
        _take(author, "name", str)
        for name, least in (("n_tokens", 1), ("encoder", 0), ("n_models", 1)):
            if _take(author, name, int) < least:
                raise ModelFileError(f"{name} of {author['name']} is below {least}")
    names = [author["name"] for author in authors]
    if len(names) < 2 or names != sorted(set(names)):
        raise ModelFileError("the authors are fewer than two, or not in order")
    return authors


def _check_names(
    archive: ModelArchive, authors: list[dict[str, Any]], *, has_background: bool
) -> None:
    """Refuse an archive that has other members than its description implies."""
    expected = {_DESCRIPTION} | {f"encoder-{author['encoder']}.json" for author in authors}
    if has_background:
        expected |= {f"{_BACKGROUND}.json", f"{_BACKGROUND}.safetensors"}
    if sum(author["n_models"] for author in authors) <= len(archive.names):
        expected |= {
            f"model-{row}-{draw}.{ending}"
            for row, author in enumerate(authors)
            for draw in range(author["n_models"])
            for ending in ("json", "safetensors")
        }
    odd = sorted(expected ^ archive.names)
    if odd:
        raise ModelFileError(f"it and the archive do not name the same members: {odd[0]}")


def _check_alike(models: list[LanguageModel]) -> None:
    """Refuse models whose scores are of different events."""
    if len({model.sentence_end for model in models}) > 1:
        raise ModelFileError("some of its models score the end of a sentence, and others do not")


def _read_encoder(
    archive: ModelArchive, number: int, rebuild: Callable[[dict[str, Any]], _Encoder]
) -> _Encoder:
    name = f"encoder-{number}.json"
    data = archive.read(name)
    with reading(archive.path, name):
        return rebuild(from_json(data))


def _any_encoder(description: dict[str, Any]) -> AnyEncoder:
    is_tokenised = description.get("kind") == TOKENISED
    return (TokenisedEncoder if is_tokenised else TextEncoder).from_dict(description)


def _read_model(
    archive: ModelArchive,
    name: str,
    encoder: AnyEncoder,
    background: LanguageModel | None = None,
) -> LanguageModel:
    """Rebuild a model and see that it speaks of the encoder's vocabulary."""
    data = archive.read(f"{name}.json")
    with reading(archive.path, f"{name}.json"):
        description = from_json(data)
        kind, params = _class_of(description), _take(description, "params", dict)
    data = archive.read(f"{name}.safetensors")
    with reading(archive.path, f"{name}.safetensors"):
        model = _from_state(kind, ModelState(params, _read_arrays(data)), background)
        if model.vocabulary_size_ != encoder.vocabulary_.size:
            raise ModelFileError(
                f"the model has {model.vocabulary_size_} words, "
                f"but the encoder {encoder.vocabulary_.size}"
            )
    return model


def _from_state(
    kind: type[LanguageModel], state: ModelState, background: LanguageModel | None
) -> LanguageModel:
    if background is not None and issubclass(kind, AdaptedNgramLM):
        return kind.from_own_state(state, background)
    if background is not None and issubclass(kind, MixtureLM):
        if not isinstance(background, MixtureLM):
            raise ModelFileError(f"a mixture's background is of kind {background.kind!r}")
        return kind.from_own_state(state, background)
    return kind.from_state(state)


def _read_arrays(data: bytes) -> dict[str, NDArray[Any]]:
    arrays: dict[str, NDArray[Any]] = load(data)
    for name, array in arrays.items():
        if np.isnan(array).any():
            raise ModelFileError(f"the array {name} holds what is no number (NaN)")
    return arrays
