"""``byline lm``: one language model by itself, without authors."""

from __future__ import annotations

import functools
import math
import operator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from byline.cli.options import JsonOption, ModelSettings, takes
from byline.cli.output import print_json, progress_shown

if TYPE_CHECKING:
    from byline.lm import Measurement

app = typer.Typer(
    help="Learn and measure one language model, without authors.",
    no_args_is_help=True,
    rich_markup_mode=None,
)

TextsArgument = Annotated[
    list[Path], typer.Argument(metavar="TEXT...", help="Text files; - is standard input.")
]


@app.command("fit")
@takes(ModelSettings)
def fit(
    texts: TextsArgument,
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="MODEL", help="Model file to write.")
    ],
    *,
    settings: ModelSettings,
) -> None:
    """Learn a language model from texts."""
    from byline.attribution import save_language_model
    from byline.cli.texts import read_texts

    model = settings.language_model()
    encoder = settings.encoder()
    documents = [encoder.tokenize(text) for text in read_texts(texts)]
    encoder.fit_tokenized(documents)
    sentences = [ids for document in documents for ids in encoder.encode(document)]
    with progress_shown("learning") as progress:
        model.fit(sentences, vocabulary_size=encoder.vocabulary_.size, progress=progress)
    save_language_model(encoder, model, output)
    n_tokens = sum(map(len, sentences))
    typer.echo(f"{output}: {n_tokens:,} tokens, vocabulary {encoder.vocabulary_.size:,}")


@app.command("perplexity")
def perplexity(
    model: Annotated[Path, typer.Argument(metavar="MODEL", help="A model of `byline lm fit`.")],
    texts: TextsArgument,
    json: JsonOption = False,
) -> None:
    """Print how surprised a language model is by texts."""
    from byline.attribution import load_language_model
    from byline.cli.texts import read_texts

    encoder, language_model = load_language_model(model)
    rows = [
        (str(path), language_model.measure(encoder.transform([text])))
        for path, text in zip(texts, read_texts(texts), strict=True)
    ]
    total = functools.reduce(operator.add, (row for _, row in rows))
    if json:
        each = [{"path": path, **_figures(row)} for path, row in rows]
        print_json({"schema": 1, **_figures(total), "texts": each})
        return
    for path, row in rows:
        typer.echo(f"{path}: {_sentence(row)}")
    if len(rows) > 1:
        typer.echo(f"all {len(rows)} texts: {_sentence(total)}")


def _figures(row: Measurement) -> dict[str, Any]:
    return {
        "perplexity": row.perplexity if row.n_tokens else None,
        "n_tokens": row.n_tokens,
        "n_oov": row.n_oov,
        "log10_probability": row.log_prob / math.log(10),
    }


def _sentence(row: Measurement) -> str:
    if not row.n_tokens:
        return "no token, so no perplexity"
    return (
        f"perplexity {row.perplexity:.2f}, {row.n_tokens:,} tokens scored, "
        f"{row.n_oov:,} of them unknown, log10 probability {row.log_prob / math.log(10):.2f}"
    )
