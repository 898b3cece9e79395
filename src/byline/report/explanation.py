"""The explanation of an attribution as a dictionary, as HTML and as text for the terminal."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Any

from rich.console import Console
from rich.text import Text

from byline.attribution import Evidence
from byline.attribution.caveats import Caveat
from byline.attribution.rolling import RollingAttribution
from byline.formatting import isolated, isolated_path, number, signed
from byline.report.evidence import MAX_TOKENS, evidence_part, subject_sentence
from byline.report.html import render
from byline.report.rolling import rolling_part, rolling_summary
from byline.report.rolling_text import print_rolling
from byline.report.summary import SCHEMA, json_values
from byline.report.terminal import empty_table, plain, shorten_name
from byline.text import TextEncoder
from byline.text.tokens import is_character

N_PRINTED = 8  # words and word sequences per candidate
MAX_PRINTED = 400  # tokens of the text
MARKS = {
    "f2": "+",
    "f3": "++",
    "s2": "-",
    "s3": "--",
}  # around words, if the terminal has no colours
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
    at_most: int | None = MAX_TOKENS,
    frequent: Collection[str] = (),
    caveats: Sequence[Caveat] = (),
) -> Summary:
    """Summarise the evidence and the rolling attribution of a text.

    Parameters
    ----------
    path : str or None
        Where the text came from.
    declined : str or None
        Why no author would be named.
    evidence : Evidence
        The explanation of the text.
    rolling : RollingAttribution
        The rolling attribution of the text.
    text : str
        The questioned text.
    encoder : TextEncoder
        The attributor's encoder.
    at_most : int or None
        Approximate largest number of tokens to show; None for all.
    frequent : collection of str
        The most frequent words of the known texts, see `byline.report.evidence.evidence_part`.
    caveats : sequence of Caveat
        What a reader should know about how the text was read.

    Returns
    -------
    dict
        JSON values: "schema", "path", "normalization", "declined", "caveats", "evidence" (see
        `byline.report.evidence.evidence_part`) and "rolling" (see
        `byline.report.rolling.rolling_summary`).

    Examples
    --------
    >>> from byline.attribution import AuthorshipAttributor, explain
    >>> from byline.attribution.rolling import rolling_attribution
    >>> from byline.lm import NgramLM
    >>> model = AuthorshipAttributor(NgramLM(order=1, smoothing="witten-bell"), balance="none")
    >>> _ = model.fit(["the sea the wind", "a ship a sail"], ["Ada", "Ben"])
    >>> text = "the sea"
    >>> summary = explanation_summary(
    ...     "note.txt",
    ...     None,
    ...     explain(model, text),
    ...     rolling_attribution(model, text),
    ...     text,
    ...     model.encoder_,
    ... )
    >>> summary["evidence"]["first"], summary["rolling"]["n_sentences"]
    ('Ada', 1)
    """
    return {
        "schema": SCHEMA,
        "path": path,
        "normalization": encoder.normalization,
        "declined": declined,
        "caveats": [json_values(caveat.to_dict()) for caveat in caveats],
        "evidence": json_values(
            evidence_part(evidence, text, encoder, at_most=at_most, frequent=frequent)
        ),
        "rolling": json_values(rolling_summary(rolling)),
    }


def explanation_html(summary: Summary) -> str:
    """Return an explanation as one HTML file.

    Parameters
    ----------
    summary : dict
        As `explanation_summary` returns it.
    """
    sides = summary["evidence"]["first"], summary["evidence"]["second"]
    rolling = rolling_part(summary["rolling"], sides)
    return render("explanation.html.j2", summary | {"rolling": rolling})


def print_explanation(console: Console, summary: Summary) -> None:
    """Print the evidence in a text, the text with its strongest words marked, and its segments.

    Parameters
    ----------
    console : rich.console.Console
        If it has no colours, words are marked with ``+`` and ``-``.
    summary : dict
        As `explanation_summary` returns it.
    """
    evidence = summary["evidence"]
    console.print(plain(isolated_path(summary["path"] or "text")), style="bold")
    if summary["declined"]:
        console.print(plain(f"  no author would be named: {summary['declined']}"))
    for caveat in summary["caveats"]:
        console.print(plain(f"  Caveat: {caveat['sentence']}"))
    if not evidence["shown"]:
        return
    _print_sums(console, evidence)
    _print_text(console, evidence)
    for side in ("first", "second"):
        _print_strongest(console, evidence, side)
    console.print(f"\n{subject_sentence(evidence)}")
    console.print()
    print_rolling(console, summary["rolling"])


def _print_sums(console: Console, evidence: Summary) -> None:
    first, second = isolated(evidence["first"]), isolated(evidence["second"])
    console.print(
        plain(
            f"Evidence for {first} rather than {second}: {signed(evidence['log_lr'])} nats in total"
        ),
        style="bold",
    )
    parts = [f"{part['name']} {signed(part['log_lr'])}" for part in evidence["base_classifiers"]]
    if parts:
        intercepts = f"author intercepts {signed(evidence['author_intercepts'])}"
        lengths = f"lengths of sentences and paragraphs {signed(evidence['length_log_lr'])}"
        console.print(plain(f"  by base classifier: {', '.join(parts)}, {intercepts}"))
        console.print(plain(f"  of which {lengths}"))


def _print_text(console: Console, evidence: Summary) -> None:
    has_colours = console.color_system is not None and not console.no_color
    first, second = isolated(evidence["first"]), isolated(evidence["second"])
    key = Text()
    for side, author, sign in (("f", first, "+"), ("s", second, "-")):
        word = plain(f"evidence for {author}")
        if has_colours:
            word.stylize(STYLES[f"{side}3"])
        else:
            word = plain(f"{sign}word{sign}, {2 * sign}word{2 * sign}: evidence for {author}")
        key.append(word).append("   ")
    key.append(f"(strongest: {number(evidence['strong'])} nats or more)")
    console.print()
    console.print(key)
    if evidence["to"] - evidence["from"] + 1 < evidence["n_sentences"]:
        console.print(
            f"Showing sentences {number(evidence['from'], 0)} to {number(evidence['to'], 0)} of "
            f"{number(evidence['n_sentences'], 0)}, which contain the strongest evidence "
            "(--whole shows all)."
        )
    console.print()
    console.print(_coloured(evidence["shown"], has_colours=has_colours))


def _coloured(sentences: list[Summary], *, has_colours: bool) -> Text:
    """Join sentences with colours or marks; a new paragraph begins on a new line."""
    written = Text()
    for place, sentence in enumerate(sentences):
        if place:
            written.append("\n" if sentence["new_paragraph"] else " ")
        is_after_mark = False
        for shade, word in _words(sentence["tokens"]):
            has_mark = not has_colours and bool(word) and shade in MARKS
            if has_mark and is_after_mark:  # or it is unclear where a mark ends
                written.append(" ")
            written.append(_word(word, shade, has_colours=has_colours))
            is_after_mark = has_mark if word else is_after_mark
    return written


def _words(tokens: list[Summary]) -> Iterator[tuple[str, str]]:
    """Yield words and spaces with their shades; adjacent characters of one shade are joined."""
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


def _print_strongest(console: Console, evidence: Summary, side: str) -> None:
    strongest = evidence[f"for_{side}"]
    console.print()
    console.print(plain(f"Evidence for {evidence[side]}"), style="bold")
    words, sequences = strongest["tokens"][:N_PRINTED], strongest["ngrams"][:N_PRINTED]
    table = empty_table("word", "count", "nats", "", "word sequence", "count", "nats", texts=1)
    table.columns[4].justify = "left"
    for row in range(max(len(words), len(sequences))):
        table.add_row(*_cells(words, row), "", *_cells(sequences, row))
    if words or sequences:
        console.print(table)
    elif not strongest["sentences"]:
        console.print("  none of 0.01 nats or more")
    for sentence in strongest["sentences"]:
        value = f"  {signed(sentence['log_lr'])} sentence {sentence['number']}: "
        console.print(plain(value + isolated(sentence["text"])), overflow="ellipsis", no_wrap=True)


def _cells(entries: list[Summary], row: int) -> tuple[Text | str, str, str]:
    if row >= len(entries):
        return "", "", ""
    entry = entries[row]
    name = shorten_name(entry["text"])
    return (
        name.append("°" if entry["is_rare"] else ""),
        f"{entry['count']:,}",
        signed(entry["log_lr"]),
    )
