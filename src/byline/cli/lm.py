"""``byline lm``: one language model by itself, without authors."""

from __future__ import annotations

import functools
import operator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from byline.cli.lm_options import SmoothingSettings, TokenisedOption
from byline.cli.options import JsonOption, takes
from byline.cli.output import check_output, print_json, progress_shown

if TYPE_CHECKING:
    from byline.lm import LanguageModel, Scoring
    from byline.text import TextEncoder
    from byline.text.tokenised import TokenisedEncoder

ARPA_SUFFIXES = (".arpa", ".arpa.gz")

app = typer.Typer(
    help="Learn and measure one language model, without authors.",
    no_args_is_help=True,
    rich_markup_mode=None,
)

TextsArgument = Annotated[
    list[Path], typer.Argument(metavar="TEXT...", help="Text files; - is standard input.")
]


@app.command("fit")
@takes(SmoothingSettings)
def fit(
    texts: TextsArgument,
    output: Annotated[
        Path,
        typer.Option(
            "--output",
            "-o",
            metavar="MODEL",
            help="Model file to write; an ARPA file where its name ends in .arpa or .arpa.gz.",
        ),
    ],
    *,
    settings: SmoothingSettings,
) -> None:
    """Learn a language model from texts."""
    check_output(output, *texts)
    model, encoder = settings.language_model(), settings.encoder()
    if _is_arpa(output) and model.kind != "ngram":
        raise typer.BadParameter(f"-o {output}: an ARPA file holds n-grams, not --lm {model.kind}")
    documents = [encoder.tokenize(text) for text in _read(texts, encoder)]
    encoder.fit_tokenized(documents)
    sentences = [ids for document in documents for ids in encoder.encode(document)]
    with progress_shown("learning") as progress:
        model.fit(sentences, vocabulary_size=encoder.vocabulary_.size, progress=progress)
    _save(encoder, model, output)
    n_tokens = sum(map(len, sentences))
    typer.echo(f"{output}: {n_tokens:,} tokens, vocabulary {encoder.vocabulary_.size:,}")


@app.command("perplexity")
def perplexity(
    model: Annotated[
        Path,
        typer.Argument(
            metavar="MODEL",
            help="A model of `byline lm fit`, or an ARPA file (.arpa, .arpa.gz) of any program.",
        ),
    ],
    texts: TextsArgument,
    no_sos: Annotated[
        bool, typer.Option("--no-sos", help="Score a sentence's first word without context.")
    ] = False,
    no_eos: Annotated[
        bool, typer.Option("--no-eos", help="Do not score the ends of sentences.")
    ] = False,
    tokenised: TokenisedOption = False,
    tokens: Annotated[
        bool,
        typer.Option("--tokens", help="Print every token's log10 probability and order found."),
    ] = False,
    json: JsonOption = False,
) -> None:
    """Print how surprised a language model is by texts.

    Text is cut into tokens as the model's training text was, also where that was tokenised; for
    an ARPA file, which does not say how, by the defaults of `byline lm fit`. With --tokenised
    it is taken as it is.
    """
    from byline.cli.lm_output import measured_as_json, print_measured, score_text

    encoder, language_model = _load(model, tokenised)
    scoring = _scoring(language_model, no_sos=no_sos, no_eos=no_eos)
    rows = [
        score_text(str(path), encoder, language_model, text, scoring, tokens=tokens)
        for path, text in zip(texts, _read(texts, encoder), strict=True)
    ]
    total = functools.reduce(operator.add, (row.measurement for row in rows))
    if json:
        print_json(measured_as_json(rows, total))
    else:
        print_measured(rows, total)


def _is_arpa(path: Path) -> bool:
    return path.name.lower().endswith(ARPA_SUFFIXES)


def _read(paths: list[Path], encoder: TextEncoder | TokenisedEncoder) -> list[str]:
    from byline.cli.texts import read_texts, read_tokenised
    from byline.text import TextEncoder

    return (read_texts if isinstance(encoder, TextEncoder) else read_tokenised)(paths)


def _save(encoder: TextEncoder | TokenisedEncoder, model: LanguageModel, path: Path) -> None:
    from byline.attribution import save_language_model
    from byline.lm import NgramLM
    from byline.lm.arpa import write_arpa

    if _is_arpa(path) and isinstance(model, NgramLM):
        write_arpa(path, model, encoder.vocabulary_.tokens)
    else:
        save_language_model(encoder, model, path)


def _load(path: Path, tokenised: bool) -> tuple[TextEncoder | TokenisedEncoder, LanguageModel]:
    """Read a model, and the encoder of its vocabulary for texts as they come."""
    from byline.attribution import load_language_model
    from byline.lm.arpa import read_arpa
    from byline.text import TextEncoder, Vocabulary
    from byline.text.tokenised import TokenisedEncoder

    encoder: TextEncoder | TokenisedEncoder
    model: LanguageModel
    if _is_arpa(path):
        words, model = read_arpa(path)
        encoder = TextEncoder()
        encoder.vocabulary_ = Vocabulary(words, (0,) * len(words))
    else:
        encoder, model = load_language_model(path)
    if tokenised and isinstance(encoder, TextEncoder):
        encoder = TokenisedEncoder.with_vocabulary(encoder.vocabulary_)
    return encoder, model


def _scoring(model: LanguageModel, *, no_sos: bool, no_eos: bool) -> Scoring:
    return replace(
        model.scoring,
        sentence_start=model.scoring.sentence_start and not no_sos,
        sentence_end=model.scoring.sentence_end and not no_eos,
    )
