"""The command ``byline profile``: statistics of known texts."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Annotated

import typer

from byline.cli.known_options import KnownTextSettings, reads_known_texts
from byline.cli.options import (
    JsonOption,
    KnownArgument,
    TextSettings,
    takes_settings,
)
from byline.cli.output import console, print_json

if TYPE_CHECKING:
    from byline.text import TextEncoder

PaperOption = Annotated[
    bool | None,
    typer.Option(
        "--paper/--own-rules",
        help="Tokenize, stem and prune as Ge & Sun (2016) do, or according to the options below. "
        "By default as they do, unless their rule, which knows only unaccented Latin letters, "
        "drops many letters of the texts.",
        show_default=False,
    ),
]


@reads_known_texts
@takes_settings(TextSettings)
def profile_corpus(
    known: KnownArgument,
    json: JsonOption = False,
    paper: PaperOption = None,
    *,
    reading: KnownTextSettings,
    settings: TextSettings,
) -> None:
    """Count the sentences, words and vocabulary of each author."""
    from byline.cli.texts import read_known_texts
    from byline.report import print_profile
    from byline.text import profile_texts

    options = reading.options(settings.normalize)
    unit = settings.unit.value
    corpus = read_known_texts(known, reading, options, min_authors=1, unit=unit)
    texts: dict[str, list[str]] = {author: [] for author in corpus.candidates}
    for document in corpus:
        texts[document.author].append(document.text)
    found = profile_texts(texts, _encoder(paper, settings, texts))
    if json:
        print_json({"schema": 1, "corpus": corpus.name, **found.figures()})
    else:
        print_profile(console(), found)


def _encoder(
    paper: bool | None, settings: TextSettings, texts: dict[str, list[str]]
) -> TextEncoder:
    from byline.cli.output import print_message
    from byline.text import TextEncoder
    from byline.text.ascii_rule import lost_shares

    if paper is not False and settings != TextSettings():
        raise typer.BadParameter("options for preparing texts need --own-rules")
    if paper is None and lost_shares(texts):
        print_message(
            "note",
            "the words are counted by general rules (--own-rules): those of Ge & Sun (2016) drop "
            "letters of these texts, because they know only unaccented Latin letters",
        )
        paper = False
    if paper is False:
        return settings.for_texts(chain.from_iterable(texts.values())).encoder()
    return TextEncoder.like_ge_sun_2016()
