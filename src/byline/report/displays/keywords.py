"""The display of the keywords of two groups of texts, in terminals and notebooks."""

from __future__ import annotations

from functools import partial

from byline.attribution.keyness import GroupKeywords
from byline.report.data_table import DataTable
from byline.report.displays.display import Display
from byline.report.group_keywords import (
    KEYWORD_COLUMNS,
    LINE_COLUMNS,
    group_keywords_html,
    group_keywords_section,
    group_keywords_summary,
    keyword_rows,
    line_rows,
    print_group_keywords,
)


def group_keywords_display(found: GroupKeywords) -> Display:
    """Return the display of the keywords of two groups."""
    summary = partial(group_keywords_summary, found)
    return Display(
        summary=summary,
        write=lambda console: print_group_keywords(console, summary()),
        section=lambda: group_keywords_section(summary()),
        page=lambda: group_keywords_html(summary()),
        tables={
            "keywords": lambda: DataTable(KEYWORD_COLUMNS, keyword_rows(summary())),
            "concordance": lambda: DataTable(LINE_COLUMNS, line_rows(summary())),
        },
    )
