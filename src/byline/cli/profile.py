"""``byline profile``: what the known texts are like, before anything is learnt."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Annotated

import typer

from byline.cli.options import JsonOption, KeepOption, KnownArgument, TextSettings, takes_settings
from byline.cli.output import console, print_json

if TYPE_CHECKING:
    from byline.text import CorpusProfile, TextEncoder

PaperOption = Annotated[
    bool,
    typer.Option(
        "--paper/--own-rules",
        help="Cut, stem and prune as Ge & Sun (2016) do, or by the options below.",
    ),
]


@takes_settings(TextSettings)
def profile(
    known: KnownArgument,
    json: JsonOption = False,
    paper: PaperOption = True,
    keep: KeepOption = None,
    *,
    settings: TextSettings,
) -> None:
    """Count sentences, words and vocabulary of each author."""
    from byline.cli.texts import read_known
    from byline.report import print_profile
    from byline.text import profile_texts

    corpus = read_known(known, min_authors=1, unit=settings.unit.value, keep=keep)
    texts: dict[str, list[str]] = {author: [] for author in corpus.candidates}
    for document in corpus:
        texts[document.author].append(document.text)
    found = profile_texts(texts, _encoder(paper, settings, corpus.texts))
    if paper:
        _warn_of_lost_words(found)
    if json:
        print_json({"schema": 1, "corpus": corpus.name, **found.to_dict()})
    else:
        print_profile(console(), found)


def _warn_of_lost_words(profile: CorpusProfile) -> None:
    """Warn where the paper's rule finds no word."""
    from byline.errors import BylineWarning
    from byline.formatting import join_names

    lost = [row.author for row in profile.rows if not row.n_sentences]
    if lost:
        warnings.warn(
            f"Ge & Sun's words are of unaccented Latin letters, and there is none in the texts of "
            f"{join_names(lost)}; see --own-rules",
            BylineWarning,
            stacklevel=2,
        )


def _encoder(paper: bool, settings: TextSettings, texts: list[str]) -> TextEncoder:
    from byline.text import TextEncoder

    if not paper:
        return settings.for_texts(texts).encoder()
    if settings != TextSettings():
        raise typer.BadParameter("options of text preparation go with --own-rules")
    return TextEncoder.like_ge_sun_2016()
