"""Why one candidate rather than another, and the rolling of the text: as JSON, HTML and text."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rich.console import Console
from rich.text import Text

from byline.attribution import Evidence
from byline.attribution.rolling import RollingAttribution
from byline.formatting import isolated, isolated_path, number, signed
from byline.report.evidence import MOST_TOKENS, evidence_part
from byline.report.html import render
from byline.report.rolling import rolling_part, rolling_summary
from byline.report.summary import SCHEMA, json_values
from byline.report.terminal import empty_table, plain, shorten_name
from byline.text import TextEncoder
from byline.text.tokens import is_character

N_PRINTED = 8  # words, and runs of words, for each side
MOST_PRINTED = 400  # tokens of the text
MARKS = {"f2": "+", "f3": "++", "s2": "-", "s3": "--"}  # around words, where there are no colours
STYLES = {
    "f1": "blue",
    "f2": "bold blue",
    "f3": "bold white on blue",
    "s1": "yellow",
    "s2": "bold yellow",
    "s3": "bold black on yellow",
}

Summary = dict[str, Any]


def explanation_summary(
    path: str | None,
    declined: str | None,
    evidence: Evidence,
    rolling: RollingAttribution,
    text: str,
    encoder: TextEncoder,
    *,
    at_most: int | None = MOST_TOKENS,
) -> Summary:
    """Summarise the reasons for one candidate and against another.

    Parameters
    ----------
    path : str or None
        Where the text came from.
    declined : str or None
        Why no author would be named.
    evidence : Evidence
    rolling : RollingAttribution
    text : str
    encoder : TextEncoder
        The attributor's.
    at_most : int or None
        Tokens of the text to show, or a few more; None for all.

    Returns
    -------
    dict
        Of JSON's values: "schema", "path", "declined", "evidence" (see
        `byline.report.evidence.evidence_part`) and "rolling" (see
        `byline.report.rolling.course_summary`).
    """
    return {
        "schema": SCHEMA,
        "path": path,
        "declined": declined,
        "evidence": json_values(evidence_part(evidence, text, encoder, at_most=at_most)),
        "rolling": json_values(rolling_summary(rolling)),
    }


def explanation_html(summary: Summary) -> str:
    """Return the reasons as one HTML file.

    Parameters
    ----------
    summary : dict
        As `explanation_summary` returns it.
    """
    sides = summary["evidence"]["first"], summary["evidence"]["second"]
    rolling = rolling_part(summary["rolling"], sides)
    return render("explanation.html.j2", summary | {"rolling": rolling})


def print_explanation(console: Console, summary: Summary) -> None:
    """Print the text by what its words speak for, what tells most in it, and its rolling.

    Parameters
    ----------
    console : rich.console.Console
        Words are coloured where it has colours, else marked with ``+`` and ``-``.
    summary : dict
        As `explanation_summary` returns it.
    """
    evidence = summary["evidence"]
    console.print(plain(isolated_path(summary["path"] or "text")), style="bold")
    if summary["declined"]:
        console.print(plain(f"  cannot tell: {summary['declined']}"))
    if not evidence["shown"]:
        return
    _print_sums(console, evidence)
    _print_text(console, evidence)
    for side in ("first", "second"):
        _print_telling(console, evidence, side)
    _print_rolling(console, summary["rolling"])


def _print_sums(console: Console, evidence: Summary) -> None:
    first, second = isolated(evidence["first"]), isolated(evidence["second"])
    console.print(
        plain(f"{first} rather than {second}: {signed(evidence['log_lr'])} nats in all"),
        style="bold",
    )
    parts = [f"{signed(part['log_lr'])} by {part['member']}" for part in evidence["members"]]
    if parts:
        due = f"{signed(evidence['bias'])} as one scores above or below its due on known texts"
        console.print(plain(f"  {', '.join(parts)}, {due}"))
        console.print(
            plain(
                f"  of these, {signed(evidence['lengths'])} by lengths of sentences and paragraphs"
            )
        )


def _print_text(console: Console, evidence: Summary) -> None:
    has_colours = console.color_system is not None and not console.no_color
    first, second = isolated(evidence["first"]), isolated(evidence["second"])
    key = Text()
    for side, author, sign in (("f", first, "+"), ("s", second, "-")):
        word = plain(f"for {author}")
        if has_colours:
            word.stylize(STYLES[f"{side}3"])
        else:
            word = plain(f"{sign}word{sign}, {2 * sign}word{2 * sign} for {author}")
        key.append(word).append("   ")
    key.append(f"(the strongest from {number(evidence['strong'])} nats on)")
    console.print()
    console.print(key)
    if evidence["to"] - evidence["from"] + 1 < evidence["n_sentences"]:
        console.print(
            f"sentences {evidence['from']} to {evidence['to']} of {evidence['n_sentences']}, "
            "which tell most; --whole prints all"
        )
    console.print()
    console.print(_coloured(evidence["shown"], has_colours=has_colours))


def _coloured(sentences: list[Summary], *, has_colours: bool) -> Text:
    """Write sentences, a new line for a new paragraph, with colours or marks."""
    written = Text()
    for place, sentence in enumerate(sentences):
        if place:
            written.append("\n" if sentence["new_paragraph"] else " ")
        for shade, word in _words(sentence["tokens"]):
            written.append(_word(word, shade, has_colours=has_colours))
    return written


def _words(tokens: list[Summary]) -> Iterator[tuple[str, str]]:
    """Join characters of one shade that no space parts; yield these, words, and spaces."""
    shade, joined, is_open = "", "", False
    for token in tokens:
        is_one = is_character(token["text"])
        if token["shade"] != shade or not (is_open and is_one):
            yield shade, joined
            shade, joined = token["shade"], ""
        joined, is_open = joined + token["text"], is_one
        if token["space"] and not token["is_end"] and token is not tokens[-1]:
            yield from ((shade, joined), ("", " "))
            joined = ""
    yield shade, joined


def _word(word: str, shade: str, *, has_colours: bool) -> Text:
    if has_colours:
        coloured = plain(word)
        coloured.stylize(STYLES.get(shade, ""))
        return coloured
    mark = MARKS.get(shade, "") if word else ""
    return plain(f"{mark}{word}{mark}")


def _print_telling(console: Console, evidence: Summary, side: str) -> None:
    telling = evidence[f"for_{side}"]
    console.print()
    console.print(plain(f"For {evidence[side]}"), style="bold")
    words, runs = telling["tokens"][:N_PRINTED], telling["ngrams"][:N_PRINTED]
    table = empty_table("word", "times", "nats", "", "words in a row", "times", "nats", texts=1)
    table.columns[4].justify = "left"
    for row in range(max(len(words), len(runs))):
        table.add_row(*_cells(words, row), "", *_cells(runs, row))
    if words or runs:
        console.print(table)
    for sentence in telling["sentences"]:
        value = f"  {signed(sentence['log_lr'])} sentence {sentence['number']}: "
        console.print(plain(value + isolated(sentence["text"])), overflow="ellipsis", no_wrap=True)


def _cells(entries: list[Summary], row: int) -> tuple[Text | str, str, str]:
    if row >= len(entries):
        return "", "", ""
    entry = entries[row]
    return shorten_name(entry["text"]), f"{entry['count']:,}", signed(entry["log_lr"])


def _print_rolling(console: Console, rolling: Summary) -> None:
    console.print()
    console.print("Course of the text", style="bold")
    if rolling["declined"]:
        console.print(plain(f"  none: {rolling['declined']}"))
        return
    table = empty_table("sentences", "speak for", "mark, nats", "begins", texts=2)
    table.columns[3].justify = "left"
    for segment, mark in zip(rolling["segments"], [None, *rolling["change_points"]], strict=True):
        table.add_row(
            f"{segment['start']:,} to {segment['end']:,}",
            shorten_name(segment["author"]),
            signed(mark["log_lr"], 1) if mark else "",
            plain(mark["opening"]) if mark else "",
        )
    console.print(table)
    console.print(
        "A mark says that a second hand may begin there: the sentences on its sides speak for "
        "different candidates. A change of subject or genre, or a quotation, can look the same."
        if rolling["change_points"]
        else "No place is marked where a second hand may begin."
    )
