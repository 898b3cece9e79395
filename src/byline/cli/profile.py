"""``byline profile``: what the known texts are like, before anything is learnt."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from byline.cli.options import JsonOption, KnownArgument, TextSettings, takes
from byline.cli.output import console, print_json

if TYPE_CHECKING:
    from rich.table import Table

    from byline.text import Profile, TextEncoder

PaperOption = Annotated[
    bool,
    typer.Option(
        "--paper/--own-rules",
        help="Cut, stem and prune as Ge & Sun (2016) do, or by the options below.",
    ),
]


@takes(TextSettings)
def profile(
    known: KnownArgument,
    json: JsonOption = False,
    paper: PaperOption = True,
    *,
    settings: TextSettings,
) -> None:
    """Count sentences, words and vocabulary of each author."""
    from byline.corpus import read_corpus
    from byline.text import profile_texts

    corpus = read_corpus(known, min_authors=1)
    texts: dict[str, list[str]] = {author: [] for author in corpus.candidates}
    for document in corpus:
        texts[document.author].append(document.text)
    found = profile_texts(texts, _encoder(paper, settings))
    if json:
        print_json({"schema": 1, "corpus": corpus.name, **found.to_dict()})
    else:
        console().print(_table(found))


def _encoder(paper: bool, settings: TextSettings) -> TextEncoder:
    from byline.text import TextEncoder

    if not paper:
        return settings.encoder()
    if settings != TextSettings():
        raise typer.BadParameter("options of text preparation go with --own-rules")
    return TextEncoder.like_ge_sun_2016()


def _table(found: Profile) -> Table:
    from rich.table import Table

    table = Table(
        title="Table 1 and coverage",
        caption="Words: tokens and one end mark a sentence. Coverage: share of words that are "
        "among the 500, 1,000 and 2,000 most frequent.",
        box=None,
    )
    table.add_column("author")
    for name in ("documents", "sentences", "words", "words/sent.", "vocabulary", "stemmed"):
        table.add_column(name, justify="right")
    for name in ("pruned", "top 500", "1,000", "2,000", "unknown"):
        table.add_column(name, justify="right")
    for row in found.rows:
        table.add_row(*_cells(row))
    return table


def _cells(row: Any) -> list[str]:
    stemmed = "-" if row.vocabulary_stemmed is None else f"{row.vocabulary_stemmed:,}"
    counts = [row.n_documents, row.n_sentences, row.n_words]
    return [
        row.author,
        *(f"{count:,}" for count in counts),
        f"{row.words_per_sentence:.2f}",
        f"{row.vocabulary_original:,}",
        stemmed,
        f"{row.vocabulary_pruned:,}",
        *(f"{100 * share:.1f} %" for share in row.coverage.values()),
        f"{100 * row.unknown_share:.1f} %",
    ]
