"""``byline lm``: train and evaluate a single language model, without authors."""

from __future__ import annotations

import functools
import operator
import warnings
from collections.abc import Collection
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from byline.cli import nearest
from byline.cli.lm_options import FitSettings, ScoringSettings, TokenisedOption
from byline.cli.model_options import LmKind
from byline.cli.options import JsonOption, KeepOption, takes_settings
from byline.cli.output import check_output, print_json, reports_unwritten_file
from byline.cli.progress import show_progress
from byline.cli.resuming import (
    checkpoint_path_for,
    delete_checkpoint,
    fit_with_checkpoint,
)
from byline.errors import BylineWarning, CorpusError
from byline.plugins import LANGUAGE_MODELS, naming_package

if TYPE_CHECKING:
    from byline.attribution.model_files.saving import AnyEncoder
    from byline.cli.resuming import NetworkModel
    from byline.lm import LanguageModel
    from byline.lm.base import Sentence

TokenisedText = list[list[str]]
_NETWORKS = (LmKind.FEEDFORWARD, LmKind.RECURRENT, LmKind.PRETRAINED)

app = typer.Typer(
    help="Train and evaluate a single language model, without authors.",
    no_args_is_help=True,
    rich_markup_mode=None,
)

TextsArgument = Annotated[
    list[Path], typer.Argument(metavar="TEXT", help="Text files; - reads standard input.")
]


@app.command("fit")
@takes_settings(FitSettings)
@reports_unwritten_file("output")
def fit(
    texts: TextsArgument,
    output: Annotated[
        Path,
        typer.Option(
            "--output",
            "-o",
            metavar="MODEL",
            help="Write the model to this file, as ARPA if its name ends in .arpa or .arpa.gz.",
        ),
    ],
    valid: Annotated[
        Path | None,
        typer.Option(
            metavar="TEXT",
            help="Stop training when the perplexity of this held-out text no longer decreases. By "
            "default, a part of TEXT is held out (feedforward, recurrent, pretrained).",
        ),
    ] = None,
    resume: Annotated[
        bool,
        typer.Option(
            "--resume",
            help="Resume an interrupted training from MODEL.checkpoint (feedforward, recurrent, "
            "pretrained).",
        ),
    ] = False,
    keep: KeepOption = None,
    *,
    settings: FitSettings,
) -> None:
    """Train a language model on texts."""
    from byline.attribution import TextLanguageModel
    from byline.lm import FeedForwardLM, PretrainedLM, RecurrentLM

    inputs = [*texts, valid] if valid else texts
    check_output(output, *inputs)
    settings.language_model()  # rejects invalid options before the texts are read
    _check_kind(settings.lm, output, valid=valid is not None, resume=resume)
    read = _read(inputs, settings.encoder(), keep)
    settings = settings.for_texts(read[: len(texts)])
    model, encoder = settings.language_model(), settings.encoder()
    documents = [encoder.tokenize(text) for text in read]
    outcome = ""
    if isinstance(model, FeedForwardLM | RecurrentLM | PretrainedLM):
        checkpoint = checkpoint_path_for(output, inputs, resume=resume)
        sentences = _fit_network(model, encoder, documents, valid, checkpoint)
        TextLanguageModel(encoder, model).save(output)
        delete_checkpoint(checkpoint)
        outcome = _outcome(model)
    else:
        sentences = _fit_ngrams(model, encoder, documents)
        TextLanguageModel(encoder, model).save(output)
    n_tokens = sum(map(len, sentences))
    typer.echo(f"{output}: {n_tokens:,} tokens, vocabulary {encoder.vocabulary_.size:,}{outcome}")


@app.command("perplexity")
@takes_settings(ScoringSettings)
def print_perplexity(
    model: Annotated[
        Path,
        typer.Argument(
            metavar="MODEL",
            help="Model of `byline lm fit`, or an ARPA file (.arpa, .arpa.gz) of any program.",
        ),
    ],
    texts: TextsArgument,
    tokenised: TokenisedOption = False,
    tokens: Annotated[
        bool,
        typer.Option(
            "--tokens", help="Print the log10 probability and the n-gram order of each token."
        ),
    ] = False,
    json: JsonOption = False,
    keep: KeepOption = None,
    *,
    settings: ScoringSettings,
) -> None:
    """Print the perplexity of texts under a language model.

    Texts are split into tokens like the training texts of the model. An ARPA file does not record
    how its training texts were split, so the defaults of `byline lm fit` are used. With
    --tokenised, each text is used as it is.
    """
    from byline.attribution import TextLanguageModel
    from byline.cli.lm_output import (
        describe_differences,
        measurements_to_json,
        print_measurements,
        score_text,
    )

    loaded = TextLanguageModel.load(model, tokenized=tokenised)
    scoring = settings.scoring(loaded.model.scoring)
    rows = [
        score_text(str(path), loaded, text, scoring, tokens=tokens)
        for path, text in zip(texts, _read(texts, loaded.encoder, keep), strict=True)
    ]
    total = functools.reduce(operator.add, (row.measurement for row in rows))
    if json:
        print_json(measurements_to_json(rows, total, scoring))
    else:
        print_measurements(rows, total, describe_differences(scoring, loaded.model.scoring))


def _check_kind(kind: str, output: Path, *, valid: bool, resume: bool) -> None:
    """Reject options that are valid for models of another kind only."""
    from byline.attribution.text_language_model import is_arpa_name

    if kind is not LmKind.NGRAM and is_arpa_name(output):
        raise typer.BadParameter(
            f"-o {output}: an ARPA file can only store an n-gram model, not --lm {kind}"
        )
    for name, given in (("--valid", valid), ("--resume", resume)):
        if kind not in _NETWORKS and given:
            networks = " or ".join(_NETWORKS)
            raise typer.BadParameter(f"{name} is only valid with --lm {networks}")


def _fit_ngrams(
    model: LanguageModel, encoder: AnyEncoder, documents: list[TokenisedText]
) -> list[Sentence]:
    sentences = _encode_training(encoder, documents)
    with show_progress("training") as progress, naming_package(LANGUAGE_MODELS, model):
        model.fit(sentences, vocabulary_size=encoder.vocabulary_.size, progress=progress)
    return sentences


def _warn_of_leakage(documents: list[TokenisedText], held_out: TokenisedText, valid: Path) -> None:
    """Warn if held-out text is training text, because early stopping then does not work."""
    known = {tuple(sentence) for document in documents for sentence in document}
    if all(tuple(sentence) in known for sentence in held_out):
        warnings.warn(
            f"{valid}: all its sentences are also in the training text, so its perplexity is too "
            "low and cannot be used for early stopping; use a text that is not in TEXT",
            BylineWarning,
            stacklevel=2,
        )


def _fit_network(
    model: NetworkModel,
    encoder: AnyEncoder,
    documents: list[TokenisedText],
    valid: Path | None,
    checkpoint: Path,
) -> list[Sentence]:
    """Train a network; if ``valid`` is given, it is the last of ``documents``."""
    training = documents[:-1] if valid else documents
    sentences = _encode_training(encoder, training)
    validation = _encode_held_out(encoder, documents[-1], valid) if valid else None
    if valid:
        _warn_of_leakage(training, documents[-1], valid)
    with show_progress("training", epochs=True) as progress:
        fit_with_checkpoint(
            model,
            sentences,
            vocabulary_size=encoder.vocabulary_.size,
            validation=validation,
            progress=progress,
            checkpoint=checkpoint,
        )
    return sentences


def _outcome(model: NetworkModel) -> str:
    """Describe the epoch whose weights were kept, and its cost."""
    last = [record for record in model.history_ if record.kept][-1]
    settings: Any = getattr(model, "training", model)  # a pretrained network has them itself
    return f", {last} in epoch {last.epoch} of {settings.epochs}"


def _encode_training(encoder: AnyEncoder, documents: list[TokenisedText]) -> list[Sentence]:
    encoder.fit_tokenized(documents)
    return [ids for document in documents for ids in encoder.encode(document)]


def _encode_held_out(encoder: AnyEncoder, sentences: TokenisedText, path: Path) -> list[Sentence]:
    """Encode held-out text, which must contain a word that the model can predict."""
    from byline.cli.texts import display_name

    validation = encoder.encode(sentences)
    advice = "use another held-out text, or omit --valid to hold out a part of TEXT"
    if not any(map(len, validation)):
        raise CorpusError(f"{display_name(path)} contains no token; {advice}")
    if not any(ids.any() for ids in validation):
        raise CorpusError(f"{display_name(path)} contains no word of the training text; {advice}")
    return validation


def _read(paths: list[Path], encoder: AnyEncoder, keep: Collection[str] | None) -> list[str]:
    from byline.cli.texts import read_pretokenized, read_texts
    from byline.text import TextEncoder

    if isinstance(encoder, TextEncoder):
        return read_texts(paths, keep)
    if keep:
        raise typer.BadParameter(
            "--keep cannot be combined with --tokenised, which reads plain text"
        )
    return read_pretokenized(paths)


app.command("nearest")(nearest.nearest)
