"""``byline lm nearest``: words near each other in the embedding of a neural language model."""

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
class Source:
    """Models whose embeddings are asked, and what cuts words for them.

    Attributes
    ----------
    name : str
        Of the author, or what else the models learnt.
    author : str or None
        None where they are no author's alone.
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
            help="A model of `byline lm fit` or `byline train` with --lm feedforward or recurrent.",
        ),
    ],
    words: Annotated[list[str], typer.Argument(metavar="WORD", help="Words to look up.")],
    author: Annotated[
        str | None,
        typer.Option(
            metavar="AUTHOR", help="Ask this author's models alone; by default all authors'."
        ),
    ] = None,
    top: Annotated[int, typer.Option(min=1, help="Words to show.")] = 10,
    min_count: Annotated[
        int,
        typer.Option(
            min=1,
            help="Leave out words the model read fewer times: their vectors are mostly chance.",
        ),
    ] = 10,
    json: JsonOption = False,
) -> None:
    """Print the words whose vectors are nearest to a word's, by the cosine between them.

    Of an author with several models, the cosines' mean over them.
    """
    sources = _sources(model, author)
    found = [
        entry for word in words for entry in look_up(sources, word, str(model), top, min_count)
    ]
    if json:
        print_json({"schema": SCHEMA, "model": str(model), "found": found})
    else:
        _print(found)


def look_up(
    sources: Sequence[Source], word: str, model: str, at_most: int, min_count: int
) -> list[dict[str, Any]]:
    """Find the words nearest to one in the embeddings of each source.

    Returns
    -------
    list of dict
        "word", "token", "model", "author" and "nearest": None where the word has no vector, or a
        list of "word" and "cosine".

    Raises
    ------
    UsageError
        No source has a vector of the word, or its models have none at all.
    """
    found = []
    for source in sources:
        token = find_token(source.encoder, word, model)
        vectors, names = source.vectors, source.encoder.vocabulary_.tokens
        number = int(source.encoder.vocabulary_.encode([token])[0])
        near: list[dict[str, Any]] | None = None
        if number in vectors:
            nearest_ones = vectors.nearest(number, at_most, min_count)
            near = [{"word": names[other], "cosine": cosine} for other, cosine in nearest_ones]
        found.append(
            {
                "word": word,
                "token": token,
                "model": source.name,
                "author": source.author,
                "nearest": near,
            }
        )
    if all(entry["nearest"] is None for entry in found):
        raise UsageError(
            f"“{found[0]['token']}” is so rare in what {model} learnt that it has no vector of its "
            "own; ask for a more frequent word"
        )
    return found


def find_token(encoder: AnyEncoder, word: str, model: str) -> str:
    """Turn a word as a person writes it into the token that a model knows it as.

    Raises
    ------
    UsageError
        It is more than one token, or none, or one that the model has not learnt; the message says
        what was done to the word.
    """
    tokens = list(chain.from_iterable(encoder.tokenize(word)))
    if len(tokens) != 1:
        parts = " ".join(f"“{token}”" for token in tokens) or "nothing"
        raise UsageError(
            f"“{word}” is no single token to {model}: it is cut into {parts}; ask for one"
        )
    [token] = tokens
    if token in encoder.vocabulary_:
        return token
    done = describe_normalization(encoder, word, token)
    read = f", {done}: “{token}”," if done else ""
    raise UsageError(
        f"“{word}”{read} is not among the {encoder.vocabulary_.size - 1:,} words that {model} has "
        "learnt; ask for a more frequent one"
    )


def describe_normalization(encoder: AnyEncoder, word: str, token: str) -> str:
    """Say how an encoder made a token of a word: ``lower-cased and stemmed``; empty for not."""
    from byline.text import NUMBER_TOKEN, TextEncoder
    from byline.text.normalize import lower

    if not isinstance(encoder, TextEncoder) or token == word:
        return ""
    if token == NUMBER_TOKEN:
        return "marked as a number"
    lowered = lower(word, encoder.language) if encoder.lowercase else word
    steps = ["lower-cased"] * (lowered != word) + ["stemmed"] * (encoder.stem and token != lowered)
    return " and ".join(steps) or "brought to one spelling"


def _sources(path: Path, author: str | None) -> list[Source]:
    """Read the models of a file; of an attributor, the background and every author's."""
    from byline.attribution import load_attributor, load_language_model
    from byline.attribution.model_files.archive import open_archive
    from byline.attribution.model_files.saving import ATTRIBUTOR, LANGUAGE_MODEL, STACK

    with open_archive(path, ATTRIBUTOR, STACK, LANGUAGE_MODEL) as archive:
        kind = archive.kind
    if kind != LANGUAGE_MODEL:
        return _of_attributor(load_attributor(path), path, author)
    if author is not None:
        raise typer.BadParameter(f"--author: {path} is one language model, without authors")
    encoder, model = load_language_model(path)
    return [Source(str(path), None, encoder, [model])]


def _of_attributor(attributor: Any, path: Path, author: str | None) -> list[Source]:
    from byline.attribution import StackedAttributor
    from byline.attribution.language_models.training import ALL_AUTHORS

    found = attributor
    if isinstance(attributor, StackedAttributor):
        found = attributor.language_models_
    if found is None:
        raise UsageError(f"{path} has no language models; train with --lm feedforward or recurrent")
    if author is not None and author not in found.models_:
        raise UsageError(
            f"{path} does not know {author}; its authors are {', '.join(found.models_)}"
        )
    sources = [
        Source(name, name, found.encoders_[name], models)
        for name, models in found.models_.items()
        if author in (None, name)
    ]
    if author is None and found.background_ is not None:
        sources.insert(0, Source(ALL_AUTHORS, None, found.encoder_, [found.background_]))
    return sources


def _print(found: Sequence[dict[str, Any]]) -> None:
    from byline.report.terminal import plain

    out = console()
    for entry in found:
        out.print(plain(f"{entry['token']} ({entry['model']})"), style="bold")
        if entry["nearest"] is None:
            out.print("  too rare here to have a vector of its own")
        else:
            near = (f"{each['word']} {each['cosine']:.3f}" for each in entry["nearest"])
            out.print(plain("  " + ", ".join(near)))
