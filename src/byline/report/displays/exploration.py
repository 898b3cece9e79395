"""The display of an exploration of texts, in terminals and notebooks."""

from __future__ import annotations

from functools import partial

from byline.attribution.exploration import TextExploration
from byline.report.displays.display import DataTable, Display
from byline.report.exploration import (
    exploration_summary,
    exploration_tables,
    print_exploration,
)
from byline.report.exploration_page import exploration_html, exploration_section


def exploration_display(found: TextExploration) -> Display:
    """Return the display of an exploration."""
    tables = {table.name: table for table in exploration_tables(found)}
    names = ["distances", *(name for name in tables if name != "distances")]
    return Display(
        summary=partial(exploration_summary, found),
        write=lambda console: print_exploration(console, exploration_summary(found)),
        section=lambda: exploration_section(exploration_summary(found)),
        page=lambda: exploration_html(exploration_summary(found)),
        tables={
            name: partial(DataTable, tables[name].columns, tables[name].rows) for name in names
        },
    )
