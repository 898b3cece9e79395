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
from byline.errors import ModelFileError
from byline.lm import LanguageModel, ModelState
from byline.lm.networks.network_lm import NetworkLM
from byline.lm.registry import LANGUAGE_MODEL_KINDS
from byline.text import SubwordEncoder, TextEncoder
from byline.text.pretokenized import KIND as PRETOKENIZED
from byline.text.pretokenized import PretokenizedEncoder

AnyEncoder = TextEncoder | PretokenizedEncoder
_Encoder = TypeVar("_Encoder", bound=AnyEncoder)


def describe_language_model(model: LanguageModel) -> dict[str, Any]:
    """Return a prototype as JSON values, also of parameters that are language models.

    Raises
    ------
    UsageError
        If its class cannot be saved, or a parameter is not a JSON value.
    """
    nested: dict[str, Any] = {}
    for name, value in model.get_params(deep=False).items():
        if isinstance(value, LanguageModel):
            nested[name] = describe_language_model(value)
        elif _are_language_models(value):
            nested[name] = list(map(describe_language_model, value))
    if isinstance(model, NetworkLM):
        nested["training"] = json_params(model.training)
    params = json_params(model, leave_out=tuple(nested)) | nested
    return LANGUAGE_MODEL_KINDS.entry(type(model)) | {"params": params}


def rebuild_language_model(description: Mapping[str, Any]) -> LanguageModel:
    """Build the prototype that `describe_language_model` described."""
    kind, params = _class_of(description), dict(take(description, "params", dict))
    nested: dict[str, Any] = {}
    for name, value in params.items():
        if _is_description(value):
            nested[name] = rebuild_language_model(value)
        elif isinstance(value, list) and value and all(map(_is_description, value)):
            nested[name] = tuple(map(rebuild_language_model, value))
    if issubclass(kind, NetworkLM):
        settings = from_json_params(take(params, "training", dict))
        nested["training"] = kind.training_class(**settings)
    plain = {name: value for name, value in params.items() if name not in nested}
    return kind(**from_json_params(plain), **nested)


def _are_language_models(value: object) -> bool:
    return isinstance(value, tuple | list) and any(isinstance(it, LanguageModel) for it in value)


def _is_description(value: object) -> bool:
    return isinstance(value, dict) and {"kind", "params"} <= set(value)


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
    if description.get("kind") == PRETOKENIZED:
        return PretokenizedEncoder.from_dict(description)
    return text_encoder(description)


def text_encoder(description: dict[str, Any]) -> TextEncoder:
    """Rebuild an encoder of raw text: of words, characters or subwords."""
    has_tokenizer = "tokenizer" in description
    return (SubwordEncoder if has_tokenizer else TextEncoder).from_dict(description)


def describe_encoder(encoder: TextEncoder) -> dict[str, Any]:
    """Return an unfitted encoder as JSON values."""
    return json_params(encoder)


def rebuild_encoder(params: Mapping[str, Any]) -> TextEncoder:
    """Build the encoder that `describe_encoder` described."""
    kind = SubwordEncoder if "base" in params else TextEncoder
    return kind(**from_json_params(params))


def model_entries(
    name: str, model: LanguageModel, background: LanguageModel | None = None
) -> list[ArchiveEntry]:
    """Return a model as entries, without its background if that is stored separately."""
    state = model.get_state() if background is None else model.get_state_without_background()
    description = LANGUAGE_MODEL_KINDS.entry(type(model)) | {"params": dict(state.params)}
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
    return LANGUAGE_MODEL_KINDS.find(take(description, "kind", str), description.get("package"))


def _from_state(
    kind: type[LanguageModel], state: ModelState, background: LanguageModel | None
) -> LanguageModel:
    if background is None:
        return kind.from_state(state)
    return kind.from_state_and_background(state, background)
