"""Options that several commands share, and the objects they stand for."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from dataclasses import dataclass, fields
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, get_type_hints

import typer

if TYPE_CHECKING:
    from byline.attribution import AuthorshipAttributor
    from byline.lm import LanguageModel
    from byline.text import TextEncoder

KnownArgument = Annotated[
    Path,
    typer.Argument(
        metavar="KNOWN",
        help="Known texts: a folder AUTHOR/**/*.txt, Author_title.txt files, AUTHOR.txt files, "
        "or a CSV, JSON Lines or Parquet table with columns author and text.",
    ),
]
JsonOption = Annotated[
    bool, typer.Option("--json", help="Print one JSON document to standard output.")
]


class LmKind(StrEnum):
    """Families of language models."""

    NGRAM = "ngram"
    FEEDFORWARD = "feedforward"


class Unit(StrEnum):
    """What a token is."""

    WORD = "word"
    CHAR = "char"


class SentenceRule(StrEnum):
    """How a text is cut into sentences."""

    SEGMENTER = "segmenter"
    PUNCTUATION = "punctuation"


DEFAULT_ORDER = {Unit.WORD: 4, Unit.CHAR: 6}
# A network costs minutes an author where an n-gram model costs a fraction of a second.
DEFAULT_DRAWS = {LmKind.NGRAM: 3, LmKind.FEEDFORWARD: 1}


@dataclass(frozen=True, kw_only=True)
class TextSettings:
    """How text becomes tokens."""

    unit: Annotated[Unit, typer.Option(help="Words or characters as tokens.")] = Unit.WORD
    language: Annotated[str, typer.Option(help="Language of the sentence rules, e.g. en.")] = "en"
    sentence_rule: Annotated[
        SentenceRule,
        typer.Option(help="Sentence segmenter, or the paper's rule of punctuation marks."),
    ] = SentenceRule.SEGMENTER
    stem: Annotated[bool, typer.Option("--stem", help="Porter stems (English).")] = False
    keep_case: Annotated[bool, typer.Option("--keep-case", help="Do not lower-case.")] = False
    mark_numbers: Annotated[
        bool, typer.Option("--mark-numbers", help="Every number becomes <num>.")
    ] = False

    def encoder(self) -> TextEncoder:
        """Make the unfitted encoder these settings describe."""
        from byline.text import TextEncoder

        return TextEncoder(
            unit=self.unit.value,
            sentences=self.sentence_rule.value,
            language=self.language,
            lowercase=not self.keep_case,
            stem=self.stem,
            numbers="mark" if self.mark_numbers else "keep",
        )


@dataclass(frozen=True, kw_only=True)
class ModelSettings(TextSettings):
    """Which language model, over which tokens."""

    lm: Annotated[LmKind, typer.Option("--lm", help="Family of the language model.")] = LmKind.NGRAM
    order: Annotated[
        int | None,
        typer.Option(
            min=1,
            max=100,
            help="Tokens of an n-gram, the predicted one included; 4 for words, 6 for characters.",
            show_default=False,
        ),
    ] = None
    epochs: Annotated[
        int | None,
        typer.Option(min=1, help="Epochs at most (feedforward).", show_default=False),
    ] = None
    embedding_dim: Annotated[
        int | None,
        typer.Option(min=1, help="Dimensions of a word (feedforward).", show_default=False),
    ] = None
    hidden_dim: Annotated[
        list[int] | None,
        typer.Option(
            min=1,
            help="Units of a hidden layer (feedforward); repeat for more layers.",
            show_default=False,
        ),
    ] = None
    learning_rate: Annotated[
        float | None,
        typer.Option(help="Step size of the first epoch (feedforward).", show_default=False),
    ] = None
    momentum: Annotated[
        float | None,
        typer.Option(help="Share of the last step kept (feedforward).", show_default=False),
    ] = None
    seed: Annotated[int, typer.Option(min=0, help="Seed of all that is drawn at random.")] = 0

    def language_model(self) -> LanguageModel:
        """Make the unfitted language model these settings describe."""
        from byline.lm import FeedForwardLM, NgramLM

        order = self.order or DEFAULT_ORDER[self.unit]
        if self.lm is LmKind.NGRAM:
            self._refuse_network_options()
            return NgramLM(order=order)
        if order == 1:
            raise typer.BadParameter("--order must be 2 or more with --lm feedforward")
        chosen: dict[str, Any] = {
            "epochs": self.epochs,
            "embedding_dim": self.embedding_dim,
            "hidden_dims": tuple(self.hidden_dim) if self.hidden_dim else None,
            "learning_rate": self.learning_rate,
            "momentum": self.momentum,
        }
        given = {name: value for name, value in chosen.items() if value is not None}
        return FeedForwardLM(context=order - 1, random_state=self.seed, **given)

    def _refuse_network_options(self) -> None:
        for name in ("epochs", "embedding_dim", "hidden_dim", "learning_rate", "momentum"):
            if getattr(self, name) is not None:
                option = "--" + name.replace("_", "-")
                raise typer.BadParameter(f"{option} goes with --lm feedforward only")


@dataclass(frozen=True, kw_only=True)
class AttributorSettings(ModelSettings):
    """How the authors' models are learnt and compared."""

    draws: Annotated[
        int | None,
        typer.Option(
            min=1,
            help="Equal samples of the known texts an author; 3 for ngram, 1 for feedforward.",
            show_default=False,
        ),
    ] = None
    unequal: Annotated[
        bool,
        typer.Option(
            "--unequal",
            help="Learn from all known text of every author, however unequal: favours authors "
            "with more.",
        ),
    ] = False
    jobs: Annotated[int, typer.Option("--jobs", "-j", min=1, help="Processes.")] = 1

    def attributor(self) -> AuthorshipAttributor:
        """Make the unfitted attributor these settings describe."""
        from byline.attribution import AuthorshipAttributor

        if self.unequal and self.draws is not None:
            raise typer.BadParameter("--draws goes with equal samples, not with --unequal")
        return AuthorshipAttributor(
            self.language_model(),
            self.encoder(),
            balance="none" if self.unequal else "equal-samples",
            n_draws=self.draws or DEFAULT_DRAWS[self.lm],
            random_state=self.seed,
            n_jobs=self.jobs,
        )


def takes(
    settings: type[TextSettings],
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Give a command one option a field of ``settings``; it receives them as one ``settings``."""

    def decorate(command: Callable[..., None]) -> Callable[..., None]:
        hints = get_type_hints(settings, include_extras=True)
        options = [
            inspect.Parameter(
                field.name,
                inspect.Parameter.KEYWORD_ONLY,
                default=field.default,
                annotation=hints[field.name],
            )
            for field in fields(settings)
        ]
        own = inspect.signature(command, eval_str=True).parameters.values()

        @functools.wraps(command)
        def run(**values: Any) -> None:
            chosen = {field.name: values.pop(field.name) for field in fields(settings)}
            command(**values, settings=settings(**chosen))

        parameters = [p for p in own if p.name != "settings"] + options
        run.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
        run.__annotations__ = {p.name: p.annotation for p in parameters}
        return run

    return decorate
