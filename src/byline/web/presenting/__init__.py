"""What the local page's pages look like: results in, HTML out; nothing is computed here."""

from byline.web.presenting.assets import Asset, asset
from byline.web.presenting.job import job_page, progress_words
from byline.web.presenting.pages import (
    ask_page,
    evaluation_page,
    known_page,
    model_page,
    problem_page,
)
from byline.web.presenting.site import Site

__all__ = [
    "Asset",
    "Site",
    "ask_page",
    "asset",
    "evaluation_page",
    "job_page",
    "known_page",
    "model_page",
    "problem_page",
    "progress_words",
]
