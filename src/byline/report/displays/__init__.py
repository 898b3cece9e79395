"""How results show themselves: see `byline.display.Displayable`."""

from byline.report.displays.conversion import (
    as_data_frame,
    as_dict,
    as_notebook_html,
    as_text,
    save_report,
)

__all__ = ["as_data_frame", "as_dict", "as_notebook_html", "as_text", "save_report"]
