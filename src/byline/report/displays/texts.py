"""How the profile of a corpus and a rolling attribution show themselves."""

from __future__ import annotations

from functools import partial

from byline.attribution.rolling import RollingAttribution
from byline.report.data_table import DataTable
from byline.report.displays.display import Display
from byline.report.html import render
from byline.report.rolling import rolling_part, rolling_summary
from byline.report.rolling_page import rolling_html
from byline.report.rolling_text import print_rolling
from byline.report.summary import SCHEMA, Summary, json_values
from byline.report.text import (
    PROFILE_COLUMNS,
    PROFILE_EXPLANATION,
    print_profile,
    profile_cells,
)
from byline.text import CorpusProfile

PROFILE_SCHEMA = 1
_SEGMENTS = ("start", "end", "author")
_CHANGE_POINTS = (
    *("sentence", "earliest", "latest", "before", "after", "log_lr", "chapter", "opening"),
)
_CHAPTERS = (
    *("name", "title", "start", "end", "n_words", "author", "probability", "runner_up"),
    *("runner_up_probability", "declined"),
)


def profile_display(profile: CorpusProfile) -> Display:
    """Return how the profile of a corpus shows itself."""
    shown = {
        "columns": PROFILE_COLUMNS,
        "rows": [(row.author, profile_cells(row)) for row in profile.rows],
        "explanation": PROFILE_EXPLANATION,
    }
    return Display(
        summary=lambda: {"schema": PROFILE_SCHEMA, **profile.figures()},
        write=lambda console: print_profile(console, profile),
        section=lambda: render("notebook_profile.html.j2", shown),
        page=lambda: render("profile_page.html.j2", shown),
        tables={"authors": partial(_authors, profile)},
    )


def _authors(profile: CorpusProfile) -> DataTable:
    rows = [row.to_dict() for row in profile.rows]
    rows = [
        row | {f"coverage_{size}": v for size, v in row.pop("coverage").items()} for row in rows
    ]
    return DataTable.of(tuple(rows[0]) if rows else (), rows)


def rolling_display(rolling: RollingAttribution, path: str | None = None) -> Display:
    """Return how a rolling attribution shows itself; ``path`` is the name of the text."""
    return Display(
        summary=partial(_summary, rolling, path),
        write=lambda console: print_rolling(console, _summary(rolling)),
        section=partial(_section, rolling),
        page=lambda: rolling_html(_summary(rolling, path)),
        tables={
            "segments": lambda: DataTable.of(_SEGMENTS, _summary(rolling)["segments"]),
            "windows": partial(_windows, rolling),
            "change_points": lambda: DataTable.of(
                _CHANGE_POINTS, _summary(rolling)["change_points"]
            ),
            "chapters": lambda: DataTable.of(_CHAPTERS, _summary(rolling)["chapters"]),
        },
    )


def _summary(rolling: RollingAttribution, path: str | None = None) -> Summary:
    return {"schema": SCHEMA, "path": path, **json_values(rolling_summary(rolling))}


def _section(rolling: RollingAttribution) -> str:
    shown = {"part": rolling_part(_summary(rolling)), "id": f"byline-{id(rolling)}"}
    return render("notebook_rolling.html.j2", shown)


def _windows(rolling: RollingAttribution) -> DataTable:
    rows = (
        (window.start + 1, window.end, author, log_odds, probability)
        for window in rolling.windows
        for author, log_odds, probability in zip(
            rolling.authors,
            window.log_odds,
            window.probabilities or [None] * len(rolling.authors),
            strict=True,
        )
    )
    return DataTable(("start", "end", "author", "log_odds", "probability"), rows)
