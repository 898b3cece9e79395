"""The command ``byline lm nearest``: similar words in the embedding of a neural model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from byline.cli.options import JsonOption
from byline.cli.output import console, print_json
from byline.errors import UsageError

if TYPE_CHECKING:
    from byline.attribution.model_files.saving import AnyEncoder
    from byline.lm import LanguageModel
    from byline.lm.nearest_words import WordVectors

SCHEMA = 1


@dataclass(frozen=True)
class EmbeddingSource:
    """Language models with embeddings, and the encoder of their tokens.

    Attributes
    ----------
    name : str
        The name of the author, or of whatever the models were trained on.
    author : str or None
        None if the models do not belong to a single author.
    encoder : TextEncoder or PretokenizedEncoder
    models : sequence of LanguageModel
    """

    name: str
    author: str | None
    encoder: AnyEncoder
    models: Sequence[LanguageModel]

    @cached_property
    def vectors(self) -> WordVectors:
        """The embeddings of the models."""
        from byline.lm.nearest_words import word_vectors

        return word_vectors(self.models)


def nearest(
    model: Annotated[
        Path,
        typer.Argument(
            metavar="MODEL",
            help="Model from `byline lm fit` or `byline train` with --lm feedforward or recurrent.",
        ),
    ],
    words: Annotated[list[str], typer.Argument(metavar="WORD", help="Words to look up.")],
    author: Annotated[
        str | None,
        typer.Option(metavar="AUTHOR", help="Use this author's models only. Default: all authors."),
    ] = None,
    top: Annotated[int, typer.Option(min=1, help="Number of words to show.")] = 10,
    min_count: Annotated[
        int,
        typer.Option(
            min=1,
            help="Ignore words with fewer occurrences in the training texts, because their vectors "
            "are mostly random.",
        ),
    ] = 10,
    json: JsonOption = False,
) -> None:
    """Print the words with the most similar vectors, measured by cosine similarity.

    For an author with several models, the similarity is the mean over these models.
    """
    sources = _sources(model, author)
    found = [
        entry for word in words for entry in look_up_word(sources, word, str(model), top, min_count)
    ]
    if json:
        print_json({"schema": SCHEMA, "model": str(model), "found": found})
    else:
        _print(found)


def look_up_word(
    sources: Sequence[EmbeddingSource], word: str, model: str, top: int, min_count: int
) -> list[dict[str, Any]]:
    """Find the words most similar to one word in the embedding of each source.

    Returns
    -------
    list of dict
        Each has "word", "token", "model", "author" and "nearest": a list of "word" and "cosine", or
        None if the word has no vector.

    Raises
    ------
    UsageError
        No source has a vector for the word.
    """
    found = []
    for source in sources:
        token = find_token(source.encoder, word, model)
        vectors, vocabulary = source.vectors, source.encoder.vocabulary_
        token_id = int(vocabulary.encode([token])[0])
        similar: list[dict[str, Any]] | None = None
        if token_id in vectors:
            similar = [
                {"word": vocabulary.tokens[other], "cosine": cosine}
                for other, cosine in vectors.nearest(token_id, top, min_count)
            ]
        found.append(
            {
                "word": word,
                "token": token,
                "model": source.name,
                "author": source.author,
                "nearest": similar,
            }
        )
    if all(entry["nearest"] is None for entry in found):
        raise UsageError(
            f"“{found[0]['token']}” is too rare in the training texts of {model} to have its own "
            "vector. Use a more frequent word."
        )
    return found


def find_token(encoder: AnyEncoder, word: str, model: str) -> str:
    """Return the token that a model uses for a word.

    Raises
    ------
    UsageError
        The word is not a single token, or it is not in the vocabulary of the model. The message
        shows how the encoder changed the word.
    """
    from byline.formatting import quantity

    tokens = list(chain.from_iterable(encoder.tokenize(word)))
    if len(tokens) != 1:
        parts = " ".join(f"“{token}”" for token in tokens) or "nothing"
        raise UsageError(
            f"“{word}” is not a single token for {model}, which splits it into {parts}. Use one of "
            "its tokens."
        )
    [token] = tokens
    if token in encoder.vocabulary_:
        return token
    changes = describe_normalization(encoder, word, token)
    shown = f" ({changes}: “{token}”)" if changes else ""
    raise UsageError(
        f"“{word}”{shown} is not in the vocabulary of {model}, which has "
        f"{quantity(encoder.vocabulary_.size - 1, 'word')}. Use a more frequent word."
    )


def describe_normalization(encoder: AnyEncoder, word: str, token: str) -> str:
    """Describe how an encoder changed a word: ``lower-cased and stemmed``, or nothing."""
    from byline.text import NUMBER_TOKEN, TextEncoder
    from byline.typography.letter_case import lower

    if not isinstance(encoder, TextEncoder) or token == word:
        return ""
    if token == NUMBER_TOKEN:
        return "replaced as a number"
    lowered = lower(word, encoder.language) if encoder.lowercase else word
    steps = ["lower-cased"] * (lowered != word) + ["stemmed"] * (encoder.stem and token != lowered)
    return " and ".join(steps) or "normalised"


def _sources(path: Path, author: str | None) -> list[EmbeddingSource]:
    """Read the models of a file: one language model, or those of all authors and the background."""
    from byline.attribution import load_attributor, load_language_model
    from byline.attribution.model_files.archive import open_archive
    from byline.attribution.model_files.saving import ATTRIBUTOR, LANGUAGE_MODEL, STACK

    with open_archive(path, ATTRIBUTOR, STACK, LANGUAGE_MODEL) as archive:
        kind = archive.kind
    if kind != LANGUAGE_MODEL:
        return _sources_of_attributor(load_attributor(path), path, author)
    if author is not None:
        raise typer.BadParameter(f"--author: {path} is a single language model, without authors")
    encoder, model = load_language_model(path)
    return [EmbeddingSource(str(path), None, encoder, [model])]


def _sources_of_attributor(
    attributor: Any, path: Path, author: str | None
) -> list[EmbeddingSource]:
    from byline.attribution import StackedAttributor
    from byline.attribution.language_models.training import ALL_AUTHORS
    from byline.formatting import join_names

    found = attributor
    if isinstance(attributor, StackedAttributor):
        found = attributor.language_models_
    if found is None:
        raise UsageError(
            f"{path} has no language models. Train it with --lm feedforward or --lm recurrent."
        )
    if author is not None and author not in found.models_:
        raise UsageError(
            f"{path} has no model of {author}. Its authors are "
            f"{join_names(list(found.models_), None)}."
        )
    sources = [
        EmbeddingSource(name, name, found.encoders_[name], models)
        for name, models in found.models_.items()
        if author in (None, name)
    ]
    if author is None and found.background_ is not None:
        sources.insert(0, EmbeddingSource(ALL_AUTHORS, None, found.encoder_, [found.background_]))
    return sources


def _print(found: Sequence[dict[str, Any]]) -> None:
    from byline.formatting import number
    from byline.report.terminal import plain

    out = console()
    for entry in found:
        out.print(plain(f"{entry['token']} ({entry['model']})"), style="bold")
        if entry["nearest"] is None:
            out.print("  too rare in these texts to have its own vector")
        else:
            similar = (f"{each['word']} {number(each['cosine'], 3)}" for each in entry["nearest"])
            out.print(plain("  " + ", ".join(similar)))
