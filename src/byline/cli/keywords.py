"""``byline keywords``: find the words that distinguish two authors or groups of texts."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from byline.cli.figure_options import FigureSettings, makes_figures
from byline.cli.known_options import KeepNamesOption, KnownTextSettings, reads_known_texts
from byline.cli.options import JsonOption
from byline.cli.output import (
    check_html,
    check_output_folder,
    console,
    print_json,
    reports_unwritten_file,
    write_files,
    write_report,
)

if TYPE_CHECKING:
    from byline.corpus import Corpus


class MeasureChoice(StrEnum):
    """The measures of keyness."""

    ZETA = "zeta"
    EDER_ZETA = "eder-zeta"
    LOG_LIKELIHOOD = "log-likelihood"
    LOG_ODDS = "log-odds"


@reads_known_texts
@makes_figures
@reports_unwritten_file("report")
def find_keywords(
    first: Annotated[
        str,
        typer.Argument(
            metavar="A",
            help="The texts whose keywords you want: a file, or a folder or table of texts. With "
            "--known, the name of an author.",
        ),
    ],
    second: Annotated[
        str | None,
        typer.Argument(
            metavar="B",
            help="The texts to compare with, in the same form. With --known, all other authors by "
            "default.",
            show_default=False,
        ),
    ] = None,
    known: Annotated[
        Path | None,
        typer.Option(
            metavar="KNOWN",
            help="Take both groups from these known texts; A and B are then names of authors.",
            show_default=False,
        ),
    ] = None,
    measure: Annotated[
        MeasureChoice, typer.Option(help="Choose the measure of keyness.")
    ] = MeasureChoice.ZETA,
    slice_size: Annotated[
        int | None,
        typer.Option(
            "--slice",
            metavar="N",
            min=1,
            help="Set the number of words per slice. The default is 3,000, or fewer if a group has "
            "fewer than ten such slices.",
            show_default=False,
        ),
    ] = None,
    keep_names: KeepNamesOption = False,
    language: Annotated[
        str,
        typer.Option(metavar="CODE", help="Set the language of the texts by its ISO 639 code."),
    ] = "en",
    top: Annotated[int, typer.Option(min=1, help="Show N keywords per group.")] = 20,
    csv: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER",
            help="Write all keywords (keywords.csv), concordance lines (concordance.csv) and lists "
            "of words to this folder.",
            show_default=False,
        ),
    ] = None,
    report: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Write an HTML report with concordance lines for every keyword.",
            show_default=False,
        ),
    ] = None,
    json: JsonOption = False,
    *,
    reading: KnownTextSettings,
    figures: FigureSettings,
) -> None:
    """Find the words that one author or group of texts uses more often than another."""
    from byline.attribution.keyness import compare_groups
    from byline.report.figures.texts import group_keywords_figures
    from byline.report.group_keywords import (
        first_keywords,
        group_keywords_files,
        group_keywords_html,
        group_keywords_summary,
        print_group_keywords,
    )
    from byline.text.tokens import check_language_code

    check_language_code(language)
    check_html(report, known)
    inputs = [known] if known else [Path(first), Path(second or first)]
    figures.check(*inputs)
    check_output_folder(csv, *inputs)
    groups = (
        _groups_of_paths(first, second, reading)
        if known is None
        else _groups_of_authors(known, first, second, reading)
    )
    found = compare_groups(
        *groups,
        measure=measure.value,
        slice_size=slice_size,
        at_most=top if csv is None else None,
        keep_names=keep_names,
        lines_for=top,
        language=language,
    )
    everything = group_keywords_summary(found)
    summary = first_keywords(everything, top)
    if csv is not None:
        write_files(csv, group_keywords_files(everything))
    if report is not None:
        write_report(report, group_keywords_html(summary))
    figures.write(lambda: group_keywords_figures(summary))
    if json:
        print_json(summary)
    else:
        print_group_keywords(console(), summary)


def _groups_of_authors(
    known: Path, first: str, second: str | None, reading: KnownTextSettings
) -> tuple[Corpus, Corpus]:
    """Return the texts by an author, and those by another author or by all others."""
    from byline.cli.texts import read_known_texts
    from byline.corpus import Corpus
    from byline.errors import UsageError

    if first == second:
        raise UsageError("A and B are the same author; name two authors")
    corpus = read_known_texts(known, reading, reading.options(), unit="auto")
    own = corpus.by(first)
    if second is not None:
        return Corpus(own, first), Corpus(corpus.by(second), second)
    others = [document for document in corpus if document.author != first]
    return Corpus(own, first), Corpus(others, "all other authors")


def _groups_of_paths(
    first: str, second: str | None, reading: KnownTextSettings
) -> tuple[Corpus, Corpus]:
    from byline.errors import UsageError

    if second is None:
        raise UsageError(
            "`byline keywords` needs two files or folders. To compare an author with all other "
            "authors of a corpus, use: byline keywords AUTHOR --known KNOWN"
        )
    return _read_group(Path(first), reading), _read_group(Path(second), reading)


def _read_group(path: Path, reading: KnownTextSettings) -> Corpus:
    """Read the texts of a file, or all texts of a folder or table, whoever wrote them."""
    from byline.cli.texts import read_questioned_texts, read_unchecked_texts
    from byline.corpus import Corpus, Document
    from byline.corpus.readers.table import table_reader

    if path.is_dir() or table_reader(path) or path.suffix.lower() == ".zip":
        return Corpus(read_unchecked_texts(path, reading), _group_name(path))
    [questioned] = read_questioned_texts([path], reading.options())
    return Corpus([Document(path.stem, questioned.text, str(path))], path.stem)


def _group_name(path: Path) -> str:
    """Return the name of a folder, or the name of a table without its suffix."""
    return path.resolve().name if path.is_dir() else path.stem
