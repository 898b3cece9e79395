"""Options that several commands share: known texts, their preparation, the form of the output."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterable
from dataclasses import dataclass, fields, replace
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Self, get_type_hints

import typer

from byline.errors import UsageError

if TYPE_CHECKING:
    from byline.text import TextEncoder

KnownArgument = Annotated[
    Path,
    typer.Argument(
        metavar="KNOWN",
        help="Known texts: a folder AUTHOR/**/*.txt, Author_title.txt files, AUTHOR.txt files, "
        "a ZIP of these, or a CSV, JSON Lines or Parquet table with columns author and text. "
        "Files may be .txt, .docx, .pdf, .epub, .xml (TEI), .html, .srt or .vtt.",
    ),
]


class Kept(StrEnum):
    """What is no running text, and may be kept."""

    NOTES = "notes"
    STAGE = "stage"


KeepOption = Annotated[
    list[Kept] | None,
    typer.Option(
        "--keep",
        help="Read as text also notes (foot- and endnotes) or stage (directions of a play), of "
        "known and of questioned texts alike; may be repeated.",
        show_default=False,
    ),
]
JsonOption = Annotated[
    bool, typer.Option("--json", help="Print one JSON document to standard output.")
]


class TokenUnit(StrEnum):
    """What a token is."""

    AUTO = "auto"
    WORD = "word"
    CHAR = "char"


class SentenceRule(StrEnum):
    """How a text is cut into sentences."""

    SEGMENTER = "segmenter"
    PUNCTUATION = "punctuation"


@dataclass(frozen=True, kw_only=True)
class TextSettings:
    """How text becomes tokens."""

    unit: Annotated[
        TokenUnit,
        typer.Option(
            help="Words or characters as tokens; auto: words, or characters where most texts are "
            "in a script without spaces (Chinese, Japanese, Thai, ...)."
        ),
    ] = TokenUnit.AUTO
    language: Annotated[
        str,
        typer.Option(help="Language of the texts, e.g. tr: how sentences end, and capitals."),
    ] = "en"
    sentence_rule: Annotated[
        SentenceRule,
        typer.Option(help="Sentence segmenter, or the paper's rule of punctuation marks."),
    ] = SentenceRule.SEGMENTER
    stem: Annotated[bool, typer.Option("--stem", help="Porter stems (English).")] = False
    keep_case: Annotated[bool, typer.Option("--keep-case", help="Do not lower-case.")] = False
    replace_numbers: Annotated[
        bool, typer.Option("--replace-numbers", help="Every number becomes <num>.")
    ] = False
    drop_punctuation: Annotated[
        bool,
        typer.Option(
            "--drop-punctuation",
            help="Letters and digits alone: for texts of another genre than the known ones.",
        ),
    ] = False

    @property
    def of_characters(self) -> bool:
        """Whether tokens are characters, as far as that is settled."""
        return self.unit is TokenUnit.CHAR

    def for_texts(self, texts: Iterable[str]) -> Self:
        """Settle what the tokens of these texts are, and say so where they are not words."""
        from byline.cli.output import print_message
        from byline.corpus.scripts import default_unit

        if self.unit is not TokenUnit.AUTO:
            return self
        unit = TokenUnit(default_unit(texts))
        if unit is TokenUnit.CHAR:
            script = "the texts are in a script without spaces between words"
            print_message("note", f"{script}: tokens are characters (--unit char)")
        return replace(self, unit=unit)

    def encoder(self) -> TextEncoder:
        """Make the unfitted encoder these settings describe."""
        from byline.text import TextEncoder

        return TextEncoder(
            unit="char" if self.of_characters else "word",
            sentence_rule=self.sentence_rule.value,
            language=self.language,
            lowercase=not self.keep_case,
            stem=self.stem,
            numbers="replace" if self.replace_numbers else "keep",
            punctuation="drop" if self.drop_punctuation else "keep",
        )


def refuse_options(settings: Any, names: Iterable[str], why: str) -> None:
    """Refuse, by its name, an option of ``settings`` that was given.

    Raises
    ------
    typer.BadParameter
        ``--name why``.
    """
    defaults = {field.name: field.default for field in fields(settings)}
    for name in names:
        value = getattr(settings, name)
        if value != defaults[name] and value != []:
            option = "back-off" if (name, value) == ("interpolate", False) else name
            raise typer.BadParameter(f"--{option.replace('_', '-')} {why}")


def takes_settings(
    settings: type[Any],
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Give a command one option a field of a dataclass; it receives them as one ``settings``."""

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


OpenSetOption = Annotated[
    bool,
    typer.Option(
        "--open-set",
        help="The author may be none of the candidates: name nobody who does not stand out. For "
        "models of `byline train --open-set`.",
    ),
]
FalseAttributionRateOption = Annotated[
    float | None,
    typer.Option(
        metavar="SHARE",
        help="Of texts by none of the candidates, the share that may be given to somebody; 0.05 "
        "(with --open-set).",
        show_default=False,
    ),
]


def requested_rate(open_set: bool, false_attribution_rate: float | None) -> float | None:
    """Return the wished rate of false attributions, or None where a candidate is the author.

    Raises
    ------
    UsageError
        It is no share, or was given without ``--open-set``.
    """
    from byline.attribution.open_set import DEFAULT_RATE, check_false_attribution_rate

    if not open_set:
        if false_attribution_rate is not None:
            raise UsageError("--false-attributions goes with --open-set only")
        return None
    rate = DEFAULT_RATE if false_attribution_rate is None else false_attribution_rate
    check_false_attribution_rate(rate)
    return rate
