"""Rolling attribution as a JSON-serialisable dictionary, with the geometry of its chart."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from byline.attribution.rolling import RollingAttribution, RollingChapter
from byline.formatting import bounded_percent, isolated, join_names, quantity
from byline.report.charts.axes import NARROW
from byline.report.charts.rolling import in_order, rolling_chart

OPENING = 90  # characters of a sentence that are quoted
MISMATCH_CAVEAT = (
    "The results hold for books like the known texts. If the book is from another period or genre, "
    "or on another subject, errors are more frequent, and the probabilities are too high."
)
MAX_LISTED = 5  # chapters by another author that the finding names

Summary = dict[str, Any]


def rolling_summary(rolling: RollingAttribution) -> Summary:
    """Summarise a rolling attribution.

    Parameters
    ----------
    rolling : RollingAttribution
        The result for one text.

    Returns
    -------
    dict
        JSON values. Sentences are numbered from 1, and "end" is the last sentence of a range.
        "declined" (None or the reason), "authors", "n_sentences", "window", "step"; "windows":
        "start", "end", "log_odds" and "probabilities" (or None), one value per author; "segments":
        "start", "end", "author", "log_odds"; "change_points": "sentence" (the first one after the
        change), "earliest" and "latest" (its 90 % interval), "before", "after", "log_lr" (nats),
        "opening" (the beginning of that sentence), "chapter" (the name of the one that contains
        it; None without chapters); "chapters": "name", "title", "start", "end", "n_words",
        "author", "probability", "runner_up", "runner_up_probability", "declined",
        "calibration_unavailable_reason"; "finding": a sentence that names the author of most
        chapters, and the chapters that are attributed to others (None without chapters).

    See Also
    --------
    rolling_part : Add the geometry of the chart.

    Examples
    --------
    >>> from byline.attribution.rolling import RollingAttribution
    >>> result = RollingAttribution(("Ada", "Ben"), ("One.",), 5, 2, declined="too short")
    >>> rolling_summary(result)["declined"]
    'too short'
    """
    return {
        "declined": rolling.declined,
        "authors": list(rolling.authors),
        "n_sentences": len(rolling.sentences),
        "window": rolling.window,
        "step": rolling.step,
        "windows": [
            {
                "start": window.start + 1,
                "end": window.end,
                "log_odds": list(window.log_odds),
                "probabilities": window.probabilities and list(window.probabilities),
            }
            for window in rolling.windows
        ],
        "segments": [
            {
                "start": segment.start + 1,
                "end": segment.end,
                "author": segment.author,
                "log_odds": list(segment.log_odds),
            }
            for segment in rolling.segments
        ],
        "change_points": [
            {
                "sentence": point.sentence + 1,
                "before": point.before,
                "after": point.after,
                "earliest": point.earliest + 1,
                "latest": point.latest + 1,
                "log_lr": point.log_lr,
                "opening": _opening(rolling.sentences[point.sentence]),
                "chapter": _chapter_at(rolling, point.sentence),
            }
            for point in rolling.change_points
        ],
        "chapters": list(map(_chapter, rolling.chapters)),
        "finding": _finding(list(map(_chapter, rolling.chapters))),
    }


def rolling_part(summary: Summary, leading: Sequence[str] = ()) -> Summary:
    """Add the geometry of the charts to a summary.

    The keys are "chart" and "narrow_chart", None if declined, "caption", "mismatch_caveat" (a
    sentence), and "columns", the indices in "authors" of those who have a line.

    Parameters
    ----------
    summary : dict
        As `rolling_summary` returns it.
    leading : sequence of str
        Authors who come first in the legend.

    Examples
    --------
    >>> rolling_part({"declined": "too short"})["chart"] is None
    True
    """
    if summary["declined"]:
        return summary | {"chart": None, "narrow_chart": None, "caption": "", "columns": []}
    return summary | {
        "chart": rolling_chart(summary, leading),
        "narrow_chart": rolling_chart(summary, leading, NARROW),
        "caption": _caption(summary),
        "mismatch_caveat": MISMATCH_CAVEAT,
        "columns": [summary["authors"].index(author) for author in in_order(summary, leading)],
    }


def rolling_of(entry: Mapping[str, Any]) -> Summary:
    """Return `rolling_part` of a questioned text, with the two compared candidates first.

    Parameters
    ----------
    entry : mapping
        See `byline.report.case_summary`; with a rolling attribution.
    """
    evidence = entry["explanation"]
    leading = [evidence["first"], evidence["second"]] if evidence else []
    return rolling_part(entry["rolling"], leading)


def _caption(summary: Summary) -> str:
    strips = "The strip below the lines has the colour of the author of each segment"
    if summary["chapters"]:
        strips += "; the next strip has the colour of the first author of each chapter"
    if summary["change_points"]:
        strips += (
            ". A vertical dashed line is a change point, with the number of its sentence and a "
            "grey band for its 90 % interval"
        )
    axis = (
        "names of chapters and the numbers of sentences"
        if summary["chapters"]
        else ("numbers of sentences")
    )
    return (
        "Log-odds of the authors minus the mean of all candidates, in nats, in windows of "
        f"{summary['window']} sentences. The horizontal axis shows the {axis}. {strips}."
    )


def _chapter(chapter: RollingChapter) -> Summary:
    first, second = (*chapter.ranking[:2], None, None)[:2]
    return {
        "name": chapter.name,
        "title": chapter.title,
        "start": chapter.start + 1,
        "end": chapter.end,
        "n_words": chapter.n_words,
        "author": first and first.author,
        "probability": first and first.probability,
        "runner_up": second and second.author,
        "runner_up_probability": second and second.probability,
        "declined": chapter.declined,
        "calibration_unavailable_reason": chapter.calibration_unavailable_reason,
    }


def _finding(chapters: Sequence[Summary]) -> str | None:
    """State which author most chapters are attributed to, and which chapters differ."""
    named = [each for each in chapters if each["author"] is not None]
    if not named:
        return None
    counts = Counter(each["author"] for each in named)
    main, n_main = counts.most_common(1)[0]
    if n_main == 1 and len(named) > 1:
        return _sentence_of(named)
    others = [each for each in named if each["author"] != main]
    most = f"{quantity(n_main, 'chapter is', 'chapters are')} attributed to {isolated(main)}"
    if not others:
        return f"All {most}." if n_main > 1 else f"{most}."
    if len(others) == 1:
        rest = quantity(n_main, "other chapter is", "other chapters are")
        return f"{_sentence_of(others)[:-1]}, and {rest} attributed to {isolated(main)}."
    others.sort(key=lambda each: counts[each["author"]] > 1)  # the only chapter by an author first
    listed = [f"{_name(each)} to {_author(each)}" for each in others[:MAX_LISTED]]
    if len(others) > MAX_LISTED:
        listed.append(f"{len(others) - MAX_LISTED:,} more to authors other than {isolated(main)}")
    return f"{most}; {join_names(listed, None)}."


def _sentence_of(chapters: Sequence[Summary]) -> str:
    """State the author of each of some chapters, at most `MAX_LISTED`."""
    first, *others = chapters[:MAX_LISTED]
    name = _name(first)
    listed = [f"{name[0].upper()}{name[1:]} is attributed to {_author(first)}"]
    listed += [f"{_name(each)} to {_author(each)}" for each in others]
    if len(chapters) > MAX_LISTED:
        listed.append(f"{len(chapters) - MAX_LISTED:,} more to other authors")
    return f"{join_names(listed, None)}."


def _name(chapter: Summary) -> str:
    return str(chapter["name"] or "the text before the first heading")


def _author(chapter: Summary) -> str:
    """Return the first author of a chapter, with the probability if there is one."""
    probability = chapter["probability"]
    stated = "" if probability is None else f" ({bounded_percent(probability)})"
    return f"{isolated(chapter['author'])}{stated}"


def _chapter_at(rolling: RollingAttribution, sentence: int) -> str | None:
    """Return the name of the chapter that contains a sentence; None without chapters."""
    chapters = rolling.chapters
    return next((each.name for each in chapters if each.start <= sentence < each.end), None)


def _opening(sentence: str) -> str:
    words = " ".join(sentence.split())
    return words if len(words) <= OPENING else words[: OPENING - 1].rstrip() + "…"
