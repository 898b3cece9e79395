"""Options that several commands share: known texts, their preparation, and the output."""

from __future__ import annotations

import functools
import inspect
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, fields, replace
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Self, get_type_hints

import typer
from typer.core import TyperCommand

from byline.errors import BylineError, UsageError
from byline.formatting import file_size
from byline.named_settings import setting
from byline.shortages import memory_limit, min_memory

if TYPE_CHECKING:
    from byline.attribution.open_set import Criterion
    from byline.text import TextEncoder

MODEL_PANEL = "Language model"
CLASSIFIER_PANEL = "Further classifiers"
TEXT_PANEL = "Text"
OPEN_SET_PANEL = "Open set"
PERFORMANCE_PANEL = "Performance"
_ORDER = (
    "Options",
    MODEL_PANEL,
    CLASSIFIER_PANEL,
    TEXT_PANEL,
    OPEN_SET_PANEL,
    PERFORMANCE_PANEL,
)
_TYPE = re.compile(r"<(?:list\[)?([^<>\]]+)\]?>")
_TYPE_NAMES = {"int": "N", "float": "NUMBER", "str": "TEXT", "path": "PATH"}
_RANGE = re.compile(r"(?:([^\s<=\[]{1,40})<=)?x(?:<=([^\s;\]]+)|>=([^\s;\]]+))")


class PanelCommand(TyperCommand):
    """A command whose help groups the options by their ``rich_help_panel``.

    Typer prints such panels with boxes, which leave little width for the help and replace plain
    error messages by boxes too. This class prints them as plain headings.
    """

    def invoke(self, ctx: Any) -> Any:
        """Run the command, unless the limit of memory is too low for the libraries it loads.

        OpenBLAS would crash, hang, or end the process with a message that explains nothing.
        """
        limit, least = memory_limit(), min_memory()
        if limit is not None and limit < least:
            raise BylineError(
                f"the memory limit of {file_size(limit)} is too low for Byline, which needs at "
                f"least {file_size(least)} before it reads a text; raise it (ulimit -v)"
            )
        return super().invoke(ctx)

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        """Return the parts of the usage line, with the names of arguments as they are."""
        parts = super().collect_usage_pieces(ctx)
        return [part.replace("{", "").replace("}", "") for part in parts]

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write the arguments, the most important options, and the other options by panel."""
        panels: dict[str, list[tuple[str, str]]] = {"Arguments": []}
        panels |= {heading: [] for heading in _ORDER}
        for parameter in self.get_params(ctx):
            record = parameter.get_help_record(ctx)
            if record is None:
                continue
            name, text = record
            if parameter.param_type_name == "argument":
                heading, name = "Arguments", _TYPE.sub("", name).strip("{} ")
            else:
                heading = getattr(parameter, "rich_help_panel", None) or "Options"
                name = _TYPE.sub(_type_name, name)
            panels.setdefault(heading, []).append((name, _RANGE.sub(_range_in_words, text)))
        for heading, rows in panels.items():
            if rows:
                with formatter.section(heading):
                    formatter.write_dl(rows)


def _type_name(match: re.Match[str]) -> str:
    name = match[1].removesuffix(" range")
    return _TYPE_NAMES.get(name, name)


def _range_in_words(match: re.Match[str]) -> str:
    least, most, only_least = match.groups()
    if least is not None and most is not None:
        return f"{least} to {most}"
    return f"at least {only_least}" if only_least is not None else f"at most {most}"


ModelArgument = Annotated[
    Path, typer.Argument(metavar="MODEL", help="A model file written by `byline train`.")
]
KnownArgument = Annotated[
    Path,
    typer.Argument(
        metavar="KNOWN",
        help="Texts of known authorship: a folder with one folder per author, a folder of files "
        "named Author_title.txt or Author.txt, a ZIP file of such a folder, or a CSV, JSON, JSON "
        "Lines or Parquet table with the columns author and text (or see --columns). Files may be "
        ".txt, .docx, .odt, .rtf, .pdf, .epub, .xml (TEI), .html, .md, .tex, .srt or .vtt.",
    ),
]


class SpeakerChoice(StrEnum):
    """Whose words to read from a file with several speakers."""

    OWN = "own"
    SPLIT = "split"


class ExtraText(StrEnum):
    """Parts of a document that are not running text, and are left out by default."""

    NOTES = "notes"
    STAGE = "stage"
    QUOTATIONS = "quotations"
    BOILERPLATE = "boilerplate"


KeepOption = Annotated[
    list[ExtraText] | None,
    typer.Option(
        "--keep",
        metavar="notes|stage|quotations|boilerplate",
        help="Include footnotes and endnotes (notes) or the stage directions of plays (stage). Use "
        "the same setting for known and questioned texts. In questioned texts, also include "
        "quoted replies and headers of e-mails (quotations), or licences, credits and page headers "
        "(boilerplate). May be repeated.",
        show_default=False,
    ),
]
SpeakersOption = Annotated[
    SpeakerChoice,
    typer.Option(
        "--speakers",
        metavar="own|split",
        help="Of a chat, an interview or another dialogue, read the words of the author whose text "
        "it is (own, if the format names the speakers), or read every speaker as an author "
        "(split).",
        rich_help_panel=TEXT_PANEL,
    ),
]
SpeakerOption = Annotated[
    str | None,
    typer.Option(
        "--speaker",
        metavar="NAME",
        help="Read only the words of this speaker from a questioned text that is a chat, an "
        "interview or another dialogue.",
        show_default=False,
    ),
]
CaseOption = Annotated[
    Path | None,
    typer.Option(
        "--case",
        metavar="FILE.toml",
        help="State the case number, the examiner and other details in the report; see the page "
        "“Write a forensic report”.",
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
    """How a text is split into sentences."""

    SEGMENTER = "segmenter"
    PUNCTUATION = "punctuation"


def _normalization(value: str) -> str:
    from byline.typography import Normalization

    return str(Normalization.parse(value))


NormalizeOption = Annotated[
    str,
    typer.Option(
        "--normalize",
        metavar="RULES",
        callback=_normalization,
        help="Remove differences that an editor or a publisher decides. edition: quotation marks, "
        "dashes, spaces, headings and the like. strict: also capital letters and paragraphs. "
        "none: nothing. Add rules to a preset or remove them, as in edition,-headings; "
        "`byline corpus show` lists what each rule changes.",
        rich_help_panel=TEXT_PANEL,
    ),
]


@dataclass(frozen=True, kw_only=True)
class TextSettings:
    """How texts are converted to tokens."""

    language: Annotated[
        str,
        typer.Option(
            metavar="CODE",
            help="Set the language of the texts by its ISO 639 code, such as tr. It determines the "
            "ends of sentences and lower-casing.",
        ),
    ] = "en"
    unit: Annotated[
        TokenUnit,
        typer.Option(
            help="Use words or characters as tokens. auto: words, or characters if most texts are "
            "in a script without spaces (Chinese, Japanese, Thai, ...)."
        ),
    ] = TokenUnit.AUTO
    sentence_rule: Annotated[
        SentenceRule,
        typer.Option(
            help="Split texts into sentences with a segmenter that knows abbreviations, or at "
            "punctuation marks only, as in Ge & Sun (2016).",
            rich_help_panel=TEXT_PANEL,
        ),
    ] = SentenceRule.SEGMENTER
    stem: Annotated[
        bool,
        typer.Option(
            "--stem", help="Reduce words to Porter stems (English).", rich_help_panel=TEXT_PANEL
        ),
    ] = False
    normalize: NormalizeOption = "edition"
    keep_case: Annotated[
        bool,
        typer.Option("--keep-case", help="Keep capital letters.", rich_help_panel=TEXT_PANEL),
    ] = False
    replace_numbers: Annotated[
        bool,
        typer.Option(
            "--replace-numbers",
            help="Replace every number by <num>.",
            rich_help_panel=TEXT_PANEL,
        ),
    ] = False
    drop_punctuation: Annotated[
        bool,
        typer.Option(
            "--drop-punctuation",
            help="Leave out punctuation. Try this if the questioned text is of another genre than "
            "the known texts.",
            rich_help_panel=TEXT_PANEL,
        ),
    ] = False

    @property
    def of_characters(self) -> bool:
        """Whether tokens are characters, as far as that has been decided."""
        return self.unit is TokenUnit.CHAR

    def for_texts(self, texts: Iterable[str]) -> Self:
        """Replace ``auto`` by the unit that suits the texts, and report if it is not words."""
        from byline.cli.output import print_message
        from byline.typography.scripts import default_unit

        if self.unit is not TokenUnit.AUTO:
            return self
        unit = TokenUnit(default_unit(texts))
        if unit is TokenUnit.CHAR:
            script = "the texts are in a script without spaces between words"
            print_message(
                "note", f"{script}, so the tokens are characters ({setting('unit', 'char')})"
            )
        return replace(self, unit=unit)

    def encoder(self) -> TextEncoder:
        """Return an unfitted encoder with these settings."""
        from byline.text import TextEncoder

        return TextEncoder(
            unit="char" if self.of_characters else "word",
            sentence_rule=self.sentence_rule.value,
            language=self.language,
            lowercase=not self.keep_case,
            stem=self.stem,
            numbers="replace" if self.replace_numbers else "keep",
            punctuation="drop" if self.drop_punctuation else "keep",
            normalization=self.normalize,
        )


def given_options(settings: Any, names: Iterable[str]) -> list[str]:
    """Return those of some options of ``settings`` that were given."""
    defaults = {field.name: field.default for field in fields(settings)}
    return [name for name in names if getattr(settings, name) not in (defaults[name], [])]


def refuse_options(settings: Any, names: Iterable[str], why: str) -> None:
    """Check that none of some options of ``settings`` was given.

    Raises
    ------
    typer.BadParameter
        If one was given, with the name of the option and ``why``.
    """
    for name in given_options(settings, names):
        is_back_off = (name, getattr(settings, name)) == ("interpolate", False)
        raise typer.BadParameter(f"{setting('back_off' if is_back_off else name)} {why}")


def takes_settings(
    settings: type[Any], name: str = "settings"
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Give a command one option per field of a dataclass, and pass them as one parameter."""

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
            command(**values, **{name: settings(**chosen)})

        parameters = [p for p in own if p.name != name] + options
        run.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
        run.__annotations__ = {p.name: p.annotation for p in parameters}
        return run

    return decorate


OpenSetOption = Annotated[
    bool,
    typer.Option(
        "--open-set",
        help="Allow that the author is none of the candidates, and attribute only texts whose "
        "first candidate is far enough ahead. Needs a model of `byline train --open-set`.",
        rich_help_panel=OPEN_SET_PANEL,
    ),
]
FalseAttributionRateOption = Annotated[
    float | None,
    typer.Option(
        metavar="RATE",
        help="With --open-set, set the largest share of texts by unknown authors that may be "
        "attributed to a candidate, such as 0.05. By default, a text is attributed if it is more "
        "probable that a candidate wrote it than that an unknown author did.",
        show_default=False,
        rich_help_panel=OPEN_SET_PANEL,
    ),
]


def open_set_criterion(open_set: bool, false_attribution_rate: float | None) -> Criterion | None:
    """Return the false-attribution rate or "even-odds", or None without ``--open-set``.

    Raises
    ------
    UsageError
        If the rate is not between 0 and 1, or was given without ``--open-set``.
    """
    from byline.attribution.open_set import EVEN_ODDS, check_criterion

    if not open_set:
        if false_attribution_rate is not None:
            needed = setting("open_set", True)
            raise UsageError(f"{setting('false_attribution_rate')} needs {needed}; add it")
        return None
    criterion = EVEN_ODDS if false_attribution_rate is None else false_attribution_rate
    check_criterion(criterion)
    return criterion
