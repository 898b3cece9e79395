"""``byline explore``: maps, trees and networks of texts."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from byline.cli.figure_options import FigureSettings, makes_figures
from byline.cli.known_options import KnownTextSettings, reads_known_texts
from byline.cli.options import JsonOption, NormalizeOption, takes_settings
from byline.cli.output import (
    check_html,
    check_output_folder,
    console,
    print_json,
    reports_unwritten_file,
    write_files,
    write_report,
)
from byline.cli.progress import show_progress

if TYPE_CHECKING:
    from byline.answering.exploration import ExplorationSettings
    from byline.attribution.exploration import TextExploration
    from byline.corpus import Corpus, Document

AUTHOR = "author"


class DistanceChoice(StrEnum):
    """Distances between texts."""

    BURROWS = "burrows"
    EDER = "eder"
    ARGAMON = "argamon"
    SIMPLE = "simple"
    COSINE = "cosine"
    WURZBURG = "wurzburg"
    ENTROPY = "entropy"
    MINMAX = "minmax"
    MANHATTAN = "manhattan"
    JS = "js"
    CHAR_NGRAMS = "char-ngrams"
    CROSS_PERPLEXITY = "cross-perplexity"


class FeatureUnit(StrEnum):
    """What is counted."""

    WORD = "word"
    CHAR = "char"


class LinkageChoice(StrEnum):
    """How the trees of a consensus are computed."""

    NJ = "nj"
    WARD = "ward"


@dataclass(frozen=True, kw_only=True)
class ExploreSettings:
    """What is counted, and how texts are compared."""

    distance: Annotated[
        DistanceChoice,
        typer.Option(
            metavar="DISTANCE",
            help="Choose the distance between texts: burrows, eder or argamon (Delta), simple "
            "(Eder's Simple), cosine, wurzburg (cosine Delta), entropy, minmax, manhattan, js "
            "(Jensen-Shannon), char-ngrams (cosine Delta of character n-grams), or "
            "cross-perplexity (with one language model per text; slow).",
        ),
    ] = DistanceChoice.WURZBURG
    mfw: Annotated[int, typer.Option("--mfw", min=2, help="Use the N most frequent words.")] = 500
    mfw_range: Annotated[
        tuple[int, int, int],
        typer.Option(
            "--mfw-range",
            metavar="FROM TO STEP",
            help="Set the numbers of words for the consensus tree and the network.",
        ),
    ] = (100, 1000, 100)
    culling: Annotated[
        float,
        typer.Option(
            metavar="PERCENT",
            min=0,
            max=100,
            help="Leave out words that occur in less than this percentage of the texts.",
        ),
    ] = 0.0
    unit: Annotated[FeatureUnit, typer.Option(help="Count words or characters.")] = FeatureUnit.WORD
    ngram: Annotated[
        int | None,
        typer.Option(
            min=1,
            max=8,
            help="Count n-grams of this length (default: 1 word, or 3 characters).",
            show_default=False,
        ),
    ] = None
    linkage: Annotated[
        LinkageChoice,
        typer.Option(
            help="Compute the trees of the consensus by neighbour joining (nj) or by Ward's method "
            "(ward)."
        ),
    ] = LinkageChoice.NJ
    umap: Annotated[
        bool,
        typer.Option(
            "--umap", help='Add a map by UMAP. This needs umap-learn: pip install "byline[umap]".'
        ),
    ] = False
    language: Annotated[
        str, typer.Option(metavar="CODE", help="Set the language of the texts, such as tr.")
    ] = "en"
    seed: Annotated[int, typer.Option(min=0, help="Set the seed of UMAP and language models.")] = 0
    normalize: NormalizeOption = "none"

    def exploration(self, features: Path | None) -> ExplorationSettings:
        """Return the settings, with the words of a list in a file."""
        from byline.answering.exploration import ExplorationSettings
        from byline.cli.texts import read_pretokenized
        from byline.corpus.readers.feature_list import parse_feature_list

        words = None
        if features is not None:
            words = parse_feature_list(read_pretokenized([features])[0], str(features))
        return ExplorationSettings(
            distance=self.distance.value,
            mfw=self.mfw,
            mfw_range=self.mfw_range,
            culling=self.culling,
            unit=self.unit.value,
            ngram=self.ngram,
            features=words,
            language=self.language,
            linkage=self.linkage.value,
            umap=self.umap,
            random_state=self.seed,
        )


@reads_known_texts
@takes_settings(ExploreSettings)
@makes_figures
@reports_unwritten_file("report")
def explore(
    known: Annotated[
        Path | None,
        typer.Argument(
            metavar="KNOWN",
            help="Texts of known authorship, as in `byline train`. With --table, they may be left "
            "out.",
            show_default=False,
        ),
    ] = None,
    text: Annotated[
        list[Path] | None,
        typer.Option(
            "--text",
            metavar="FILE",
            help="Add a questioned text. May be repeated.",
            show_default=False,
        ),
    ] = None,
    report: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write an HTML report with all figures.")
    ] = None,
    csv: Annotated[
        Path | None,
        typer.Option(
            "--csv",
            metavar="FOLDER",
            help="Write frequencies, distances, coordinates, trees, the network, and the list of "
            "words to a folder.",
        ),
    ] = None,
    features: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Count the words or n-grams of this list, one per line, such as features.txt of "
            "--csv.",
        ),
    ] = None,
    table: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Use the numbers of this table instead of frequencies. The first column contains "
            "the names of the texts, as Author_Title.",
        ),
    ] = None,
    color_by: Annotated[
        str,
        typer.Option(
            metavar="COLUMN",
            help="Colour the texts by this column instead of by author. It is a column of the "
            "table of texts, or of --metadata.",
        ),
    ] = AUTHOR,
    metadata: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Read the column of --color-by from this table. The first column contains the "
            "names of the texts, as Author_Title or as paths.",
        ),
    ] = None,
    json: JsonOption = False,
    *,
    reading: KnownTextSettings,
    settings: ExploreSettings,
    figures: FigureSettings,
) -> None:
    """Show which texts are similar, with maps, a cluster tree, a consensus tree and a network."""
    from byline.report.exploration import (
        exploration_files,
        exploration_summary,
        print_exploration,
    )
    from byline.report.exploration_page import exploration_html
    from byline.report.figures.texts import exploration_figures

    check_html(report, known, features, table, metadata)
    figures.check(known)
    check_output_folder(csv, known)
    if known is None:
        corpus = _only_table(table, text, color_by)
        questioned: list[Document] = []
    else:
        corpus, questioned = _read(known, text or [], reading, settings)
    found = _explored(corpus, questioned, table, features, settings, color_by, metadata)
    summary = exploration_summary(found, corpus.name)
    if csv is not None:
        write_files(csv, exploration_files(found))
    if report is not None:
        write_report(report, exploration_html(summary))
    figures.write(lambda: exploration_figures(summary))
    if json:
        print_json(summary)
    else:
        print_exploration(console(), summary)


def _only_table(table: Path | None, text: list[Path] | None, color_by: str) -> Corpus:
    """Return a corpus without texts, named as the table, which contains all that is needed."""
    from byline.corpus import Corpus
    from byline.errors import UsageError

    if table is None:
        raise UsageError("KNOWN is missing. It may be left out only with --table FILE")
    if text or color_by != AUTHOR:
        option = "--text" if text else "--color-by"
        raise UsageError(f"{option} needs the known texts; give KNOWN too")
    return Corpus([], table.name)


def _read(
    known: Path, text: list[Path], reading: KnownTextSettings, settings: ExploreSettings
) -> tuple[Corpus, list[Document]]:
    from dataclasses import replace

    from byline.cli.texts import display_name, read_known_texts, read_questioned_texts
    from byline.corpus import Document

    options = reading.options(settings.normalize)
    corpus = read_known_texts(known, reading, options, min_authors=1, unit=settings.unit.value)
    options = replace(options, line_rules=corpus.line_rules)
    read = read_questioned_texts(text, options)
    return corpus, [
        Document("", each.text, display_name(path)) for path, each in zip(text, read, strict=True)
    ]


def _explored(
    corpus: Corpus,
    questioned: list[Document],
    table: Path | None,
    features: Path | None,
    settings: ExploreSettings,
    color_by: str,
    metadata: Path | None,
) -> TextExploration:
    from byline.answering.exploration import explore_table, explore_texts, text_groups
    from byline.corpus import read_feature_table
    from byline.corpus.readers.metadata_table import read_metadata

    chosen = settings.exploration(features)
    groups = None
    if color_by != AUTHOR:
        groups = text_groups(corpus, color_by, read_metadata(metadata) if metadata else None)
    if table is not None:
        if features is not None:
            raise typer.BadParameter(
                "--features lists words to count, but --table contains numbers; give only one of "
                "them"
            )
        return explore_table(
            read_feature_table(table), [*corpus, *questioned], chosen, groups=groups
        )
    with show_progress("exploring") as progress:
        return explore_texts(corpus, questioned, chosen, groups=groups, progress=progress)
