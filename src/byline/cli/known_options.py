"""Options of the commands that read known texts: what of files and tables is read."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Self

import typer

from byline.cli.options import (
    TEXT_PANEL,
    KeepOption,
    SpeakerChoice,
    SpeakersOption,
    takes_settings,
)

if TYPE_CHECKING:
    from byline.corpus import ReadingOptions


class DuplicateChoice(StrEnum):
    """What to do with texts that occur more than once."""

    ERROR = "error"
    DROP = "drop"
    KEEP = "keep"


ColumnsOption = Annotated[
    str | None,
    typer.Option(
        "--columns",
        metavar="FIELD=COLUMN,...",
        help="Name the columns of a table, for example author=user,text=body,group=thread. The "
        "fields are author, text, work (or group), topic and id.",
        show_default=False,
        rich_help_panel=TEXT_PANEL,
    ),
]

KeepNamesOption = Annotated[
    bool,
    typer.Option(
        "--keep-names/--no-names",
        help="Allow names, titles such as Mr, and other words that nearly always have a capital "
        "letter as keywords, or leave them out.",
    ),
]


@dataclass(frozen=True, kw_only=True)
class FileSettings:
    """What of files and tables is read."""

    keep: KeepOption = None
    speakers: SpeakersOption = SpeakerChoice.OWN
    columns: ColumnsOption = None

    def options(self, normalization: str = "edition") -> ReadingOptions:
        """Return how files are read, with the rules of ``--normalize``."""
        from byline.corpus import ReadingOptions

        return ReadingOptions(keep=self.keep or (), normalization=normalization)

    def arguments(self) -> list[str]:
        """Return the options of the command line that state these settings."""
        stated = [part for kind in self.keep or () for part in ("--keep", str(kind))]
        if self.speakers is not SpeakerChoice.OWN:
            stated += ["--speakers", str(self.speakers)]
        return [*stated, "--columns", self.columns] if self.columns else stated


@dataclass(frozen=True, kw_only=True)
class KnownTextSettings(FileSettings):
    """How known texts are read."""

    duplicates: Annotated[
        DuplicateChoice | None,
        typer.Option(
            "--duplicates",
            metavar="error|drop|keep",
            help="If a text occurs more than once: refuse long texts under several authors "
            "(error, the default for folders); leave such texts out, and all but one of those "
            "that one author repeats (drop, the default for tables); or keep all (keep).",
            show_default=False,
            rich_help_panel=TEXT_PANEL,
        ),
    ] = None

    def of_other(self, path: Path) -> Self:
        """Return the settings for a further corpus, which need not be a table."""
        from byline.corpus.reading import is_table_path

        return self if is_table_path(path) else replace(self, columns=None)


reads_files = takes_settings(FileSettings, "reading")
reads_known_texts = takes_settings(KnownTextSettings, "reading")
