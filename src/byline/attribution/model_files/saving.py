"""A fitted attributor, or one language model with its encoder, on disk.

The file is an archive of JSON and safetensors members. Loading builds only classes named in
`byline.attribution.model_files` and imports nothing that a file names.
"""

from __future__ import annotations

import os

from sklearn.utils.validation import check_is_fitted

from byline.attribution.inputs import check_authors_have_names
from byline.attribution.language_models.attributor import AuthorshipAttributor
from byline.attribution.model_files.archive import ArchiveFolder, open_archive, write_archive
from byline.attribution.model_files.attributors import attributor_entries, read_attributor
from byline.attribution.model_files.language_models import (
    LANGUAGE_MODELS,
    AnyEncoder,
    any_encoder,
    encoder_entry,
    model_entries,
    read_encoder,
    read_model,
)
from byline.attribution.model_files.stacks import read_stack, stack_entries
from byline.attribution.stacking import StackedAttributor
from byline.errors import UsageError
from byline.lm import LanguageModel

__all__ = [
    "ATTRIBUTOR",
    "LANGUAGE_MODEL",
    "LANGUAGE_MODELS",
    "STACK",
    "AnyEncoder",
    "Attributor",
    "load_attributor",
    "load_language_model",
    "save_attributor",
    "save_language_model",
]

ATTRIBUTOR = "attributor"
STACK = "stacked-attributor"
LANGUAGE_MODEL = "language-model"
Attributor = AuthorshipAttributor | StackedAttributor


def save_attributor(attributor: Attributor, path: str | os.PathLike[str]) -> None:
    """Write a fitted attributor to one file: whole or not at all, same attributor same bytes.

    Parameters
    ----------
    attributor : AuthorshipAttributor or StackedAttributor
        A stack's members may be `AuthorshipAttributor`, `NgramRidge` and `NgramSVM`.
    path : path
        An existing file is replaced.

    Raises
    ------
    OutputError
        The file cannot be written there.
    UsageError
        It, or a member or language model of it, is of a class that cannot be stored, a parameter is
        no JSON value, or the authors are numbers.
    """
    if not isinstance(attributor, AuthorshipAttributor | StackedAttributor):
        raise UsageError(
            f"a {type(attributor).__name__} cannot be stored by itself; an AuthorshipAttributor "
            "and a StackedAttributor can"
        )
    check_is_fitted(attributor)
    check_authors_have_names(attributor.classes_)
    if isinstance(attributor, StackedAttributor):
        write_archive(path, STACK, stack_entries(attributor))
    else:
        write_archive(path, ATTRIBUTOR, attributor_entries(attributor))


def load_attributor(path: str | os.PathLike[str]) -> Attributor:
    """Read what `save_attributor` wrote; its answers are the same to the last bit.

    Raises
    ------
    ModelFileError
        The file is missing, truncated, altered, of another kind or of a newer format.
    """
    with open_archive(path, ATTRIBUTOR, STACK) as archive:
        return (
            read_stack(archive)
            if archive.kind == STACK
            else read_attributor(ArchiveFolder(archive))
        )


def save_language_model(
    encoder: AnyEncoder, model: LanguageModel, path: str | os.PathLike[str]
) -> None:
    """Write one fitted language model with the encoder of its vocabulary; errors as above."""
    check_is_fitted(encoder)
    check_is_fitted(model)
    write_archive(path, LANGUAGE_MODEL, [encoder_entry(0, encoder), *model_entries("model", model)])


def load_language_model(path: str | os.PathLike[str]) -> tuple[AnyEncoder, LanguageModel]:
    """Read what `save_language_model` wrote; errors as in `load_attributor`."""
    with open_archive(path, LANGUAGE_MODEL) as archive:
        folder = ArchiveFolder(archive)
        encoder = read_encoder(folder, 0, any_encoder)
        return encoder, read_model(folder, "model", encoder)
