"""Keywords of two groups of texts as a dictionary, as text, as HTML and as tables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from rich.console import Console

from byline.answering.provenance import versions
from byline.attribution.keyness import GroupKeywords, Measure
from byline.attribution.keyness.groups import MIN_SCORES
from byline.formatting import isolated, number, percent, quantity
from byline.report.charts.keyness import DECIMALS, group_keywords_chart
from byline.report.data_table import DataTable
from byline.report.html import render
from byline.report.keywords import names_sentence
from byline.report.summary import SCHEMA
from byline.report.terminal import empty_table, plain, shorten_name

MEASURES = {
    Measure.ZETA: "Craig's Zeta",
    Measure.EDER_ZETA: "Eder's Zeta",
    Measure.LOG_LIKELIHOOD: "log-likelihood ratio",
    Measure.LOG_ODDS: "log-odds ratio (z-score)",
}
SIDES = ("preferred", "avoided")
KEYWORD_COLUMNS = (
    *("side", "word", "score", "zeta", "eder_zeta", "log_likelihood", "log_odds_z", "log_ratio"),
    *(
        f"{group}_{value}"
        for group in ("first", "second")
        for value in ("count", "rate", "n_texts", "slice_share", "dp_norm", "juilland_d")
    ),
)
LINE_COLUMNS = ("side", "word", "text", "before", "keyword", "after")

Summary = dict[str, Any]


def group_keywords_summary(found: GroupKeywords) -> Summary:
    """Summarise the keywords of two groups of texts.

    Parameters
    ----------
    found : GroupKeywords

    Returns
    -------
    dict
        "schema", "versions"; "measure", "measure_name", "min_score" (of a keyword); "slice_size"
        (words); "names_kept", "n_names" (left out); "of_characters" (each character counts as a
        word); "groups": "name", "n_texts", "n_words",
        "n_slices" and "n_short" (texts shorter than a slice) of the first and the second group;
        "n_preferred", "n_avoided"; and "preferred" and "avoided", the keywords of the first and
        the second group, highest absolute score first: "word", "score", "scores" (by measure),
        "log_ratio", "first" and "second" (the fields of `WordUse`), and "lines" ("path", "before",
        "hit", "after").

    Examples
    --------
    >>> from byline.attribution.keyness import compare_groups
    >>> from byline.corpus import Corpus, Document
    >>> sea = Corpus([Document("Ada", "the sea was calm " * 400, "1")], "Ada")
    >>> land = Corpus([Document("Ben", "the field was green " * 400, "2")], "Ben")
    >>> summary = group_keywords_summary(compare_groups(sea, land))
    >>> summary["measure_name"], [entry["word"] for entry in summary["preferred"]]
    ("Craig's Zeta", ['calm', 'sea'])
    """
    return {
        "schema": SCHEMA,
        "versions": versions(),
        "measure": str(found.measure),
        "measure_name": MEASURES[found.measure],
        "min_score": MIN_SCORES[found.measure],
        "slice_size": found.slice_size,
        "names_kept": found.names_kept,
        "n_names": found.n_names,
        "of_characters": found.of_characters,
        "groups": [asdict(found.first), asdict(found.second)],
        "n_preferred": found.n_preferred,
        "n_avoided": found.n_avoided,
        "preferred": [_keyword(asdict(each)) for each in found.preferred],
        "avoided": [_keyword(asdict(each)) for each in found.avoided],
    }


def _keyword(values: Summary) -> Summary:
    return {**values, "lines": list(values["lines"])}


def first_keywords(summary: Summary, at_most: int) -> Summary:
    """Return a summary with only the first keywords of each group."""
    return {**summary, **{side: summary[side][:at_most] for side in SIDES}}


def group_keywords_html(summary: Summary) -> str:
    """Return the report on the keywords of two groups as one HTML file.

    Parameters
    ----------
    summary : dict
        As `group_keywords_summary` returns it.
    """
    return render("group_keywords.html.j2", _shown(summary))


def group_keywords_section(summary: Summary) -> str:
    """Return the main part of the report in HTML, for a notebook.

    Parameters
    ----------
    summary : dict
        As `group_keywords_summary` returns it.
    """
    return render("notebook_group_keywords.html.j2", _shown(summary))


def _shown(summary: Summary) -> Summary:
    return {
        "found": summary,
        "sizes": [group_line(group, summary["slice_size"]) for group in summary["groups"]],
        "decimals": DECIMALS[summary["measure"]],
        "chart": group_keywords_chart(summary),
    }


def print_group_keywords(console: Console, summary: Summary) -> None:
    """Print one table per group, with rates and dispersion.

    Parameters
    ----------
    console : rich.console.Console
    summary : dict
        As `group_keywords_summary` returns it.
    """
    for group in summary["groups"]:
        console.print(plain(group_line(group, summary["slice_size"])))
    sides = zip(SIDES, summary["groups"], reversed(summary["groups"]), strict=True)
    for side, group, other in sides:
        console.print()
        name, than = isolated(group["name"]), isolated(other["name"])
        shown = f"{len(summary[side]):,} of {summary[f'n_{side}']:,}"
        console.print(plain(f"Used more often by {name} than by {than} ({shown})"), style="bold")
        _print_side(console, summary, side)
    console.print()
    for line in explanation(summary):
        console.print(plain(line))


def _print_side(console: Console, summary: Summary, side: str) -> None:
    if not summary[side]:
        console.print("  none")
        return
    own, other = ("first", "second") if side == SIDES[0] else ("second", "first")
    decimals = DECIMALS[summary["measure"]]
    headings = ("word", "score", "rate", "other rate", "slices", "other slices", "DPnorm")
    table = empty_table(*headings, texts=1)
    for keyword in summary[side]:
        table.add_row(
            shorten_name(keyword["word"]),
            number(keyword["score"], decimals),
            *(number(keyword[group]["rate"], 1) for group in (own, other)),
            *(percent(keyword[group]["slice_share"], 0) for group in (own, other)),
            number(keyword[own]["dp_norm"], 2),
        )
    console.print(table)


def group_line(group: Mapping[str, Any], slice_size: int) -> str:
    """Describe the size of a group in one line.

    Examples
    --------
    >>> group = {"name": "Ada", "n_texts": 2, "n_words": 9500, "n_slices": 9, "n_short": 0}
    >>> group_line(group, 1000)
    'Ada: 2 texts, 9,500 words, 9 slices of 1,000 words'
    """
    texts, words = quantity(group["n_texts"], "text"), quantity(group["n_words"], "word")
    slices = quantity(group["n_slices"], "slice")
    short = f"; {quantity(group['n_short'], 'text')} shorter than a slice" * (group["n_short"] > 0)
    name = isolated(group["name"])
    return f"{name}: {texts}, {words}, {slices} of {slice_size:,} words{short}"


def explanation(summary: Summary) -> list[str]:
    """Explain the columns, and state how many names were left out."""
    lines = [
        f"Score: {summary['measure_name']}. Rates: occurrences per 10,000 words. Slices: share of "
        f"the slices of {summary['slice_size']:,} words that contain the word. DPnorm: dispersion, "
        "from 0 (even) to 1 (in one place)."
    ]
    if summary["of_characters"]:
        lines.append(
            "The texts are written without spaces between words, so each character counts as one "
            "word. To compare words, insert spaces between them first."
        )
    if summary["n_names"]:
        lines.append(names_sentence(summary["n_names"]))
    return lines


def group_keywords_files(summary: Summary) -> dict[str, str]:
    r"""Return the files of ``--csv``: all keywords, concordance lines, and lists of words.

    Parameters
    ----------
    summary : dict
        As `group_keywords_summary` returns it.

    Returns
    -------
    dict of str to str
        The content of ``keywords.csv``, ``concordance.csv``, and of ``words_preferred.txt`` and
        ``words_avoided.txt``, which have one word per line, as stylo's ``oppose`` writes them.
    """
    return {
        "keywords.csv": DataTable(KEYWORD_COLUMNS, keyword_rows(summary)).to_csv(),
        "concordance.csv": DataTable(LINE_COLUMNS, line_rows(summary)).to_csv(),
        **{
            f"words_{side}.txt": "".join(f"{entry['word']}\n" for entry in summary[side])
            for side in SIDES
        },
    }


def keyword_rows(summary: Summary) -> Iterator[Sequence[Any]]:
    """Yield the rows of the table of keywords, with the columns `KEYWORD_COLUMNS`."""
    for side in SIDES:
        for entry in summary[side]:
            uses = (*entry["first"].values(), *entry["second"].values())
            scores = entry["scores"].values()
            yield (side, entry["word"], entry["score"], *scores, entry["log_ratio"], *uses)


def line_rows(summary: Summary) -> Iterator[Sequence[Any]]:
    """Yield the rows of the table of concordance lines, with the columns `LINE_COLUMNS`."""
    for side in SIDES:
        for entry in summary[side]:
            for line in entry["lines"]:
                yield (side, entry["word"], *line.values())
