"""Language models and encoders as entries of a model file."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from byline.attribution.model_files.archive import ArchiveEntry, ArchiveFolder, from_json, to_json
from byline.attribution.model_files.compact_arrays import compact, expand
from byline.attribution.model_files.json_values import (
    from_json_params,
    json_params,
    read_arrays,
    take,
    write_arrays,
)
from byline.errors import ModelFileError, UsageError
from byline.formatting import join_names
from byline.lm import FeedForwardLM, LanguageModel, ModelState, NgramLM, RecurrentLM
from byline.lm.mixtures.model import MixtureLM
from byline.lm.networks.network_lm import NetworkLM
from byline.lm.ngrams.adapted import AdaptedNgramLM
from byline.text import TextEncoder
from byline.text.pretokenized import KIND as PRETOKENIZED
from byline.text.pretokenized import PretokenizedEncoder

LANGUAGE_MODELS: dict[str, type[LanguageModel]] = {
    model.kind: model for model in (NgramLM, AdaptedNgramLM, FeedForwardLM, RecurrentLM, MixtureLM)
}
_KEEPS_BACKGROUND = (AdaptedNgramLM, MixtureLM)
AnyEncoder = TextEncoder | PretokenizedEncoder
_Encoder = TypeVar("_Encoder", bound=AnyEncoder)


def register_language_model(model: type[LanguageModel]) -> None:
    """Make models of another class savable, and loadable wherever the class is registered.

    Parameters
    ----------
    model : type of LanguageModel
        A class whose ``get_params`` and ``get_state`` return JSON values and arrays.

    Raises
    ------
    UsageError
        If another class has the same ``kind``.
    """
    known = LANGUAGE_MODELS.setdefault(model.kind, model)
    if known is not model:
        raise UsageError(
            f"the kind {model.kind!r} belongs to {known.__name__}; give {model.__name__} another"
        )


def describe_language_model(model: LanguageModel) -> dict[str, Any]:
    """Return a prototype as JSON values.

    Raises
    ------
    UsageError
        If its class cannot be saved, or a parameter is not a JSON value.
    """
    nested: dict[str, Any] = {}
    if type(model) is MixtureLM:
        components = [describe_language_model(component) for component in model.components]
        nested = {"components": components}
    elif isinstance(model, NetworkLM):
        nested = {"training": json_params(model.training)}
    params = json_params(model, leave_out=tuple(nested)) | nested
    return {"kind": check_savable(model).kind, "params": params}


def rebuild_language_model(description: Mapping[str, Any]) -> LanguageModel:
    """Build the prototype that `describe_language_model` described."""
    kind, params = _class_of(description), dict(take(description, "params", dict))
    if kind is MixtureLM:
        components = tuple(map(rebuild_language_model, params.pop("components")))
        return MixtureLM(components, **from_json_params(params))
    if issubclass(kind, NetworkLM):
        settings = from_json_params(take(params, "training", dict))
        params["training"] = kind.training_class(**settings)
    return kind(**from_json_params(params))


def check_savable(model: LanguageModel) -> LanguageModel:
    """Check that a model has a class that can be loaded again (`UsageError`)."""
    if LANGUAGE_MODELS.get(model.kind) is not type(model):
        raise UsageError(
            f"a {type(model).__name__} cannot be saved; use a language model of kind "
            f"{join_names(list(LANGUAGE_MODELS), None)}, or call register_language_model"
        )
    return model


def encoder_entry(number: int, encoder: AnyEncoder) -> ArchiveEntry:
    """Return a fitted encoder as an entry."""
    return encoder_name(number), to_json(encoder.to_dict())


def encoder_name(number: int) -> str:
    """Return the name of an encoder's entry."""
    return f"encoder-{number}.json"


def read_encoder(
    folder: ArchiveFolder, number: int, rebuild: Callable[[dict[str, Any]], _Encoder]
) -> _Encoder:
    """Read what `encoder_entry` wrote."""
    name = encoder_name(number)
    data = folder.read(name)
    with folder.reading(name):
        return rebuild(from_json(data))


def any_encoder(description: dict[str, Any]) -> AnyEncoder:
    """Rebuild an encoder of raw or of tokenised text."""
    is_pretokenized = description.get("kind") == PRETOKENIZED
    return (PretokenizedEncoder if is_pretokenized else TextEncoder).from_dict(description)


def model_entries(
    name: str, model: LanguageModel, background: LanguageModel | None = None
) -> list[ArchiveEntry]:
    """Return a model as entries, without its background if that is stored separately."""
    is_adapted = background is not None and isinstance(model, _KEEPS_BACKGROUND)
    state = model.get_state_without_background() if is_adapted else model.get_state()
    description = {"kind": check_savable(model).kind, "params": dict(state.params)}
    json_name, arrays_name = model_names(name)
    return [(json_name, to_json(description)), (arrays_name, write_arrays(compact(state.arrays)))]


def model_names(name: str) -> tuple[str, str]:
    """Return the names of a model's entries."""
    return f"{name}.json", f"{name}.safetensors"


def read_model(
    folder: ArchiveFolder,
    name: str,
    encoder: AnyEncoder,
    background: LanguageModel | None = None,
) -> LanguageModel:
    """Rebuild a model, and check that it has the encoder's vocabulary."""
    json_name, arrays_name = model_names(name)
    data = folder.read(json_name)
    with folder.reading(json_name):
        description = from_json(data)
        kind, params = _class_of(description), take(description, "params", dict)
    data = folder.read(arrays_name)
    with folder.reading(arrays_name):
        model = _from_state(kind, ModelState(params, expand(read_arrays(data))), background)
        if model.vocabulary_size_ != encoder.vocabulary_.size:
            raise ModelFileError(
                f"the model has {model.vocabulary_size_} words, "
                f"but the encoder {encoder.vocabulary_.size}"
            )
    return model


def _class_of(description: Mapping[str, Any]) -> type[LanguageModel]:
    kind = take(description, "kind", str)
    if kind not in LANGUAGE_MODELS:
        raise ModelFileError(f"{kind!r} is not a kind of language model that this Byline knows")
    return LANGUAGE_MODELS[kind]


def _from_state(
    kind: type[LanguageModel], state: ModelState, background: LanguageModel | None
) -> LanguageModel:
    if background is not None and issubclass(kind, AdaptedNgramLM):
        return kind.from_state_and_background(state, background)
    if background is not None and issubclass(kind, MixtureLM):
        if not isinstance(background, MixtureLM):
            raise ModelFileError(f"the background of a mixture has the kind {background.kind!r}")
        return kind.from_state_and_background(state, background)
    return kind.from_state(state)
