"""Save a fitted attributor, or one language model with its encoder, to a file, and load it.

The file is an archive of JSON and safetensors entries. Loading constructs only classes that are
named in `byline.attribution.model_files`, and imports nothing that a file names.
"""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

from sklearn.utils.validation import check_is_fitted

from byline.attribution.inputs import SourceFile, check_authors_have_names
from byline.attribution.language_models.attributor import AuthorshipAttributor
from byline.attribution.model_files.archive import ArchiveFolder, open_archive, write_archive
from byline.attribution.model_files.attributors import attributor_entries, read_attributor
from byline.attribution.model_files.language_models import (
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
from byline.formatting import printable
from byline.lm import LanguageModel

__all__ = [
    "ATTRIBUTOR",
    "LANGUAGE_MODEL",
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
    """Save a fitted attributor to one file.

    The file is written completely or not at all. Equal attributors give equal bytes.

    Parameters
    ----------
    attributor : AuthorshipAttributor or StackedAttributor
        The base classifiers of a stack may be `AuthorshipAttributor`, `NgramRidge`, `NgramSVM`,
        `NgramProfiles` and `BurrowsDelta`, the latter four also in a `ChunkedClassifier`.
    path : path
        An existing file is replaced.

    Raises
    ------
    OutputError
        If the file cannot be written.
    UsageError
        If the attributor, a base classifier or a language model has a class that cannot be saved,
        a parameter is not a JSON value, or the authors are integers.

    See Also
    --------
    load_attributor : Loads the file.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from byline.attribution import AuthorshipAttributor, load_attributor, save_attributor
    >>> from byline.lm import NgramLM
    >>> known = ["The cat sat on the mat. The cat slept.", "A dog ran in a park. A dog barked."]
    >>> model = NgramLM(order=2, smoothing="witten-bell")
    >>> attributor = AuthorshipAttributor(model, min_tokens=3).fit(known, ["Ann", "Bob"])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     save_attributor(attributor, Path(folder) / "model")
    ...     load_attributor(Path(folder) / "model").predict(["The cat sat."]).tolist()
    ['Ann']
    """
    if not isinstance(attributor, AuthorshipAttributor | StackedAttributor):
        raise UsageError(
            f"a {type(attributor).__name__} cannot be saved by itself; save an "
            "AuthorshipAttributor or a StackedAttributor"
        )
    check_is_fitted(attributor)
    check_authors_have_names(attributor.classes_)
    if isinstance(attributor, StackedAttributor):
        write_archive(path, STACK, stack_entries(attributor))
    else:
        write_archive(path, ATTRIBUTOR, attributor_entries(attributor))


def load_attributor(path: str | os.PathLike[str]) -> Attributor:
    """Load an attributor from a file; its results are the same to the last bit.

    Raises
    ------
    ModelFileError
        If the file does not exist, is truncated or altered, or has another kind or format.
    UsageError
        If ``path`` is not a path.

    See Also
    --------
    save_attributor : Saves the file.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from byline.attribution import AuthorshipAttributor, load_attributor, save_attributor
    >>> from byline.lm import NgramLM
    >>> known = ["The cat sat on the mat. The cat slept.", "A dog ran in a park. A dog barked."]
    >>> attributor = AuthorshipAttributor(NgramLM(order=1), n_samples=1, min_tokens=1)
    >>> attributor = attributor.fit(known, ["Ann", "Bob"])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     save_attributor(attributor, Path(folder) / "toy.byline")
    ...     loaded = load_attributor(Path(folder) / "toy.byline")
    >>> loaded.classes_.tolist()
    ['Ann', 'Bob']
    """
    if not isinstance(path, str | os.PathLike):
        raise UsageError(f"the path is {path!r}; give the path of a model file")
    with open_archive(path, ATTRIBUTOR, STACK) as archive:
        is_stack = archive.kind == STACK
        attributor = read_stack(archive) if is_stack else read_attributor(ArchiveFolder(archive))
    with Path(path).open("rb") as stream:
        digest = hashlib.file_digest(stream, "sha256").hexdigest()
    return attributor.set_source_file(SourceFile(printable(Path(path)), digest))


def save_language_model(
    encoder: AnyEncoder, model: LanguageModel, path: str | os.PathLike[str]
) -> None:
    """Save one fitted language model with its encoder; errors as in `save_attributor`.

    See Also
    --------
    load_language_model : Loads the file.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from byline.attribution import load_language_model, save_language_model
    >>> from byline.lm import NgramLM
    >>> from byline.text import TextEncoder
    >>> encoder = TextEncoder(min_count=1).fit(["the cat sat on the mat"])
    >>> [text] = encoder.transform(["the cat sat on the mat"])
    >>> model = NgramLM(order=1).fit(text, vocabulary_size=encoder.vocabulary_.size)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     save_language_model(encoder, model, Path(folder) / "lm")
    ...     encoder, model = load_language_model(Path(folder) / "lm")
    >>> model.order
    1
    """
    check_is_fitted(encoder)
    check_is_fitted(model)
    write_archive(path, LANGUAGE_MODEL, [encoder_entry(0, encoder), *model_entries("model", model)])


def load_language_model(path: str | os.PathLike[str]) -> tuple[AnyEncoder, LanguageModel]:
    """Load a language model and its encoder from a file; errors as in `load_attributor`.

    See Also
    --------
    save_language_model : Saves the file.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from byline.attribution import load_language_model, save_language_model
    >>> from byline.lm import NgramLM
    >>> from byline.text import TextEncoder
    >>> encoder = TextEncoder(min_count=1).fit(["the cat sat on the mat"])
    >>> [text] = encoder.transform(["the cat sat on the mat"])
    >>> model = NgramLM(order=1).fit(text, vocabulary_size=encoder.vocabulary_.size)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     save_language_model(encoder, model, Path(folder) / "lm")
    ...     encoder, loaded = load_language_model(Path(folder) / "lm")
    >>> "cat" in encoder.vocabulary_, loaded.order
    (True, 1)
    """
    with open_archive(path, LANGUAGE_MODEL) as archive:
        folder = ArchiveFolder(archive)
        encoder = read_encoder(folder, 0, any_encoder)
        return encoder, read_model(folder, "model", encoder)
