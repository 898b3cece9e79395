"""``byline lm``: one language model by itself, without authors."""

from __future__ import annotations

import functools
import operator
import warnings
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from byline.cli import nearest
from byline.cli.interruption import reports_unwritten_file
from byline.cli.lm_options import FitSettings, ScoringSettings, TokenisedOption
from byline.cli.model_options import LmKind
from byline.cli.options import JsonOption, KeepOption, takes_settings
from byline.cli.output import check_output, print_json
from byline.cli.progress import show_progress
from byline.cli.resuming import checkpoint_path_for, delete, train
from byline.errors import BylineWarning, CorpusError

if TYPE_CHECKING:
    from byline.attribution.model_files.saving import AnyEncoder
    from byline.cli.resuming import NetworkModel
    from byline.lm import LanguageModel
    from byline.lm.base import Sentence

Tokenised = list[list[str]]
ARPA_SUFFIXES = (".arpa", ".arpa.gz")

app = typer.Typer(
    help="Learn and measure one language model, without authors.",
    no_args_is_help=True,
    rich_markup_mode=None,
)

TextsArgument = Annotated[
    list[Path], typer.Argument(metavar="TEXT", help="Text files; - is standard input.")
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
            help="Model file to write; an ARPA file where its name ends in .arpa or .arpa.gz.",
        ),
    ],
    valid: Annotated[
        Path | None,
        typer.Option(
            metavar="TEXT",
            help="Held-out text: training ends where it is predicted worse and worse; by default "
            "a part of TEXT is held out (feedforward, recurrent).",
        ),
    ] = None,
    resume: Annotated[
        bool,
        typer.Option(
            "--resume",
            help="Go on from MODEL.checkpoint, which a training that did not end has left "
            "(feedforward, recurrent).",
        ),
    ] = False,
    keep: KeepOption = None,
    *,
    settings: FitSettings,
) -> None:
    """Learn a language model from texts."""
    from byline.lm import FeedForwardLM, RecurrentLM

    inputs = [*texts, valid] if valid else texts
    check_output(output, *inputs)
    settings.language_model()  # whose options may be refused, before work begins
    _check_kind(settings.lm, output, valid=valid is not None, resume=resume)
    read = _read(inputs, settings.encoder(), keep)
    settings = settings.for_texts(read[: len(texts)])
    model, encoder = settings.language_model(), settings.encoder()
    documents = [encoder.tokenize(text) for text in read]
    outcome = ""
    if isinstance(model, FeedForwardLM | RecurrentLM):
        checkpoint = checkpoint_path_for(output, inputs, resume=resume)
        sentences = _fit_network(model, encoder, documents, valid, checkpoint)
        _save(encoder, model, output)
        delete(checkpoint)
        outcome = _outcome(model)
    else:
        sentences = _fit_ngrams(model, encoder, documents)
        _save(encoder, model, output)
    n_tokens = sum(map(len, sentences))
    typer.echo(f"{output}: {n_tokens:,} tokens, vocabulary {encoder.vocabulary_.size:,}{outcome}")


@app.command("perplexity")
@takes_settings(ScoringSettings)
def perplexity(
    model: Annotated[
        Path,
        typer.Argument(
            metavar="MODEL",
            help="A model of `byline lm fit`, or an ARPA file (.arpa, .arpa.gz) of any program.",
        ),
    ],
    texts: TextsArgument,
    tokenised: TokenisedOption = False,
    tokens: Annotated[
        bool,
        typer.Option("--tokens", help="Print every token's log10 probability and order found."),
    ] = False,
    json: JsonOption = False,
    keep: KeepOption = None,
    *,
    settings: ScoringSettings,
) -> None:
    """Print how surprised a language model is by texts.

    Text is cut into tokens as the model's training text was, also where that was tokenised; for
    an ARPA file, which does not say how, by the defaults of `byline lm fit`. With --tokenised
    it is taken as it is.
    """
    from byline.cli.lm_output import differences, measured_as_json, print_measured, score_text

    encoder, language_model = _load(model, tokenised)
    scoring = settings.scoring(language_model.scoring)
    rows = [
        score_text(str(path), encoder, language_model, text, scoring, tokens=tokens)
        for path, text in zip(texts, _read(texts, encoder, keep), strict=True)
    ]
    total = functools.reduce(operator.add, (row.measurement for row in rows))
    if json:
        print_json(measured_as_json(rows, total, scoring))
    else:
        print_measured(rows, total, differences(scoring, language_model.scoring))


def _check_kind(kind: LmKind, output: Path, *, valid: bool, resume: bool) -> None:
    """Refuse what goes with models of another kind."""
    if kind is not LmKind.NGRAM and _is_arpa(output):
        raise typer.BadParameter(f"-o {output}: an ARPA file holds n-grams, not --lm {kind.value}")
    for name, given in (("--valid", valid), ("--resume", resume)):
        if kind is LmKind.NGRAM and given:
            raise typer.BadParameter(f"{name} goes with --lm feedforward or recurrent only")


def _fit_ngrams(
    model: LanguageModel, encoder: AnyEncoder, documents: list[Tokenised]
) -> list[Sentence]:
    sentences = _encode_training(encoder, documents)
    with show_progress("learning") as progress:
        model.fit(sentences, vocabulary_size=encoder.vocabulary_.size, progress=progress)
    return sentences


def _warn_of_leakage(documents: list[Tokenised], held_out: Tokenised, valid: Path) -> None:
    """Warn where held-out text is training text: training would not end early, nor be judged."""
    known = {tuple(sentence) for document in documents for sentence in document}
    if all(tuple(sentence) in known for sentence in held_out):
        warnings.warn(
            f"{valid}: all its sentences are in the training text, so its perplexity is too low "
            "and does not tell when to end; hold out text that is not trained on",
            BylineWarning,
            stacklevel=2,
        )


def _fit_network(
    model: NetworkModel,
    encoder: AnyEncoder,
    documents: list[Tokenised],
    valid: Path | None,
    checkpoint: Path,
) -> list[Sentence]:
    """Train a network; the last of ``documents`` is what is held out in ``valid``."""
    training = documents[:-1] if valid else documents
    sentences = _encode_training(encoder, training)
    validation = _encode_held_out(encoder, documents[-1], valid) if valid else None
    if valid:
        _warn_of_leakage(training, documents[-1], valid)
    with show_progress("learning", epochs=True) as progress:
        train(
            model,
            sentences,
            vocabulary_size=encoder.vocabulary_.size,
            validation=validation,
            progress=progress,
            checkpoint=checkpoint,
        )
    return sentences


def _outcome(model: NetworkModel) -> str:
    """Name the epoch that a network is left at, and its cost."""
    last = [record for record in model.history_ if record.kept][-1]
    return f", {last} in epoch {last.epoch} of {model.training.epochs}"


def _encode_training(encoder: AnyEncoder, documents: list[Tokenised]) -> list[Sentence]:
    encoder.fit_tokenized(documents)
    return [ids for document in documents for ids in encoder.encode(document)]


def _encode_held_out(encoder: AnyEncoder, sentences: Tokenised, path: Path) -> list[Sentence]:
    """Encode held-out text, which must hold something that a model can predict."""
    from byline.cli.texts import display_name

    validation = encoder.encode(sentences)
    advice = "give other held-out text, or leave --valid out to hold out a part of TEXT"
    if not any(map(len, validation)):
        raise CorpusError(f"{display_name(path)} holds no token; {advice}")
    if not any(ids.any() for ids in validation):
        raise CorpusError(f"{display_name(path)} holds no word of the training text; {advice}")
    return validation


def _is_arpa(path: Path) -> bool:
    return path.name.lower().endswith(ARPA_SUFFIXES)


def _read(paths: list[Path], encoder: AnyEncoder, keep: Iterable[str] | None) -> list[str]:
    from byline.cli.texts import read_pretokenized, read_texts
    from byline.text import TextEncoder

    if isinstance(encoder, TextEncoder):
        return read_texts(paths, keep)
    if keep:
        raise typer.BadParameter("--keep goes without --tokenised, where texts are plain")
    return read_pretokenized(paths)


def _save(encoder: AnyEncoder, model: LanguageModel, path: Path) -> None:
    from byline.attribution import save_language_model
    from byline.lm import NgramLM
    from byline.lm.arpa_format.writing import write_arpa

    if _is_arpa(path) and isinstance(model, NgramLM):
        write_arpa(path, model, encoder.vocabulary_.tokens)
    else:
        save_language_model(encoder, model, path)


def _load(path: Path, tokenised: bool) -> tuple[AnyEncoder, LanguageModel]:
    """Read a model, and the encoder of its vocabulary for texts as they come."""
    from byline.attribution import load_language_model
    from byline.lm.arpa_format.reading import read_arpa
    from byline.text import TextEncoder, Vocabulary
    from byline.text.pretokenized import PretokenizedEncoder

    encoder: AnyEncoder
    model: LanguageModel
    if _is_arpa(path):
        words, model = read_arpa(path)
        encoder = TextEncoder()
        encoder.vocabulary_ = Vocabulary(words, (0,) * len(words))
    else:
        encoder, model = load_language_model(path)
    if tokenised and isinstance(encoder, TextEncoder):
        encoder = PretokenizedEncoder.with_vocabulary(encoder.vocabulary_)
    return encoder, model


app.command("nearest")(nearest.nearest)
