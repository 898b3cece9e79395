"""The display of an exploration of texts, in terminals and notebooks."""

from __future__ import annotations

from functools import partial

from byline.attribution.exploration import TextExploration
from byline.report.displays.display import Display
from byline.report.exploration import (
    exploration_summary,
    exploration_tables,
    print_exploration,
)
from byline.report.exploration_page import exploration_html, exploration_section


def exploration_display(found: TextExploration) -> Display:
    """Return the display of an exploration."""
    tables = exploration_tables(found)
    return Display(
        summary=partial(exploration_summary, found),
        write=lambda console: print_exploration(console, exploration_summary(found)),
        section=lambda: exploration_section(exploration_summary(found)),
        page=lambda: exploration_html(exploration_summary(found)),
        tables={name: partial(tables.__getitem__, name) for name in tables},
    )
