"""``byline profile``: what the known texts are like, before anything is learnt."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from byline.cli.options import JsonOption, KnownArgument, TextSettings, takes
from byline.cli.output import console, print_json

if TYPE_CHECKING:
    from rich.table import Table

    from byline.text import Profile, TextEncoder

COLUMNS = (
    *("texts", "sent.", "words", "w./s.", "vocab.", "stems", "pruned"),
    *("500", "1,000", "2,000", "<unk>"),
)
CAPTION = (
    "words: tokens and one end mark a sentence; w./s.: words a sentence; vocab., stems, pruned: "
    "vocabulary before, after stemming, after pruning; 500, 1,000, 2,000: share of the words that "
    "are among so many most frequent; <unk>: share that pruning makes unknown"
)

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

    table = Table(box=None, caption=CAPTION, caption_justify="left")
    table.add_column("author", no_wrap=True, overflow="ellipsis")
    for name in COLUMNS:
        table.add_column(name, justify="right", no_wrap=True)
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
        *(f"{100 * share:.1f}%" for share in row.coverage.values()),
        f"{100 * row.unknown_share:.1f}%",
    ]
