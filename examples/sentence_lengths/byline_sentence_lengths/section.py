"""Compare the sentence lengths of a questioned text with those of known authors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from byline.corpus import Corpus
from byline.formatting import short_percent
from byline.report import CaseMaterial, ReportSection
from byline.report.charts import SHARES, Series, line_chart
from byline.report.html import render
from byline.text import normalize, split_sentences
from byline.typography.scripts import count_words

Part = dict[str, Any]
HERE = "the questioned text"
N_DRAWN = 3  # authors, of those most likely
STEPS = 61  # words, from 0 on, at which shares are drawn


def lengths_part(texts: Sequence[str], known: Corpus, language: str) -> list[Part]:
    """Compare lengths of sentences.

    Parameters
    ----------
    texts : sequence of str
        The questioned texts.
    known : Corpus
    language : str
        ISO 639 code, which determines where sentences end.

    Returns
    -------
    list of dict
        JSON values, one dictionary per questioned text. "rows": one for the text, then one per
        author, with "name", "n" (sentences), "median", "quarter" and "three_quarters" (words);
        "longer": for each number of words from 0 on, the share of longer sentences per row.
    """
    authors = {
        author: _lengths([d.text for d in known if d.author == author], language)
        for author in known.candidates
    }
    return [_part({HERE: _lengths([text], language)} | authors) for text in texts]


def summarize(material: CaseMaterial) -> Part | None:
    """Summarise the section; there is none without the known texts."""
    if material.known is None:
        return None
    parts = lengths_part(material.texts, material.known, material.attributor.encoder_.language)
    leading = [
        [place["author"] for place in entry["ranking"][:N_DRAWN]] for entry in material.questioned
    ]
    return {"texts": parts, "leading": leading}


def section_html(summary: Part) -> str:
    """Draw what `summarize` returned."""
    drawn = [
        part | {"chart": _chart(part, authors)}
        for part, authors in zip(summary["texts"], summary["leading"], strict=True)
    ]
    return render("sentence_lengths.html.j2", {"lengths": drawn}, "byline_sentence_lengths")


def _lengths(texts: Sequence[str], language: str) -> NDArray[np.int64]:
    """Count the words of each sentence, (n_sentences,)."""
    counts = [
        count_words(sentence)
        for text in texts
        for sentence in split_sentences(normalize(text), language=language)
    ]
    return np.array(counts, dtype=np.int64)


def _part(lengths: Mapping[str, NDArray[np.int64]]) -> Part:
    with_sentences = {name: own for name, own in lengths.items() if len(own)}
    return {
        "rows": [_row(name, own) for name, own in with_sentences.items()],
        "longer": [
            [float((own > n).mean()) for own in with_sentences.values()] for n in range(STEPS)
        ],
    }


def _row(name: str, lengths: NDArray[np.int64]) -> Part:
    quarter, median, three_quarters = np.quantile(lengths, (0.25, 0.5, 0.75)).tolist()
    return {
        "name": name,
        "n": len(lengths),
        "quarter": quarter,
        "median": median,
        "three_quarters": three_quarters,
    }


def _chart(part: Part, authors: Sequence[str]) -> Any:
    """Lay out lines of the text and of some authors; the templates of Byline's charts draw it."""
    columns = zip(*part["longer"], strict=True)
    shares = {row["name"]: own for row, own in zip(part["rows"], columns, strict=True)}
    lines = [
        Series(name, style, shares[name], marked=False)
        for style, name in enumerate([HERE, *authors])
        if name in shares
    ]
    return line_chart(
        range(STEPS),
        lines,
        x_label="words of a sentence",
        y_label="share of sentences that are longer",
        form=short_percent,
        bounds=SHARES,
    )


SECTION = ReportSection("How long sentences are", summarize, section_html)
