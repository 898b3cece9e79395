"""The command ``byline profile``: statistics of known texts."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Annotated

import typer

from byline.cli.known_options import KnownTextSettings, reads_known_texts
from byline.cli.options import (
    JsonOption,
    KeepOption,
    KnownArgument,
    SpeakerChoice,
    SpeakersOption,
    TextSettings,
    takes_settings,
)
from byline.cli.output import console, print_json

if TYPE_CHECKING:
    from byline.text import CorpusProfile, TextEncoder

PaperOption = Annotated[
    bool,
    typer.Option(
        "--paper/--own-rules",
        help="Tokenize, stem and prune as Ge & Sun (2016) do, or according to the options below.",
    ),
]


@reads_known_texts
@takes_settings(TextSettings)
def profile_corpus(
    known: KnownArgument,
    json: JsonOption = False,
    paper: PaperOption = True,
    keep: KeepOption = None,
    speakers: SpeakersOption = SpeakerChoice.OWN,
    *,
    reading: KnownTextSettings,
    settings: TextSettings,
) -> None:
    """Count the sentences, words and vocabulary of each author."""
    from byline.cli.texts import read_known_texts
    from byline.report import print_profile
    from byline.text import profile_texts

    corpus = read_known_texts(
        known,
        min_authors=1,
        unit=settings.unit.value,
        keep=keep,
        speakers=speakers,
        reading=reading,
    )
    texts: dict[str, list[str]] = {author: [] for author in corpus.candidates}
    for document in corpus:
        texts[document.author].append(document.text)
    found = profile_texts(texts, _encoder(paper, settings, corpus.texts))
    if paper:
        _warn_if_no_words(found)
    if json:
        print_json({"schema": 1, "corpus": corpus.name, **found.to_dict()})
    else:
        print_profile(console(), found)


def _warn_if_no_words(profile: CorpusProfile) -> None:
    """Warn if the word rule of Ge & Sun (2016) finds no words in an author's texts."""
    from byline.errors import BylineWarning
    from byline.formatting import join_names

    without_words = [row.author for row in profile.rows if not row.n_sentences]
    if without_words:
        warnings.warn(
            f"The texts by {join_names(without_words)} contain no words by the rule of Ge & Sun "
            "(2016), which knows only unaccented Latin letters. Use --own-rules.",
            BylineWarning,
            stacklevel=2,
        )


def _encoder(paper: bool, settings: TextSettings, texts: list[str]) -> TextEncoder:
    from byline.text import TextEncoder

    if not paper:
        return settings.for_texts(texts).encoder()
    if settings != TextSettings():
        raise typer.BadParameter("options for preparing texts need --own-rules")
    return TextEncoder.like_ge_sun_2016()
