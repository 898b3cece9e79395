"""The pages that are there at any time: to ask, known texts, evaluation, models, problems."""

from __future__ import annotations

from collections.abc import Sequence

from byline.report.charts.calibration import reliability_chart, tippett_chart
from byline.report.summary import Summary
from byline.web.jobs import JobStatus, ListedAuthor, ModelCard
from byline.web.presenting.job import listed
from byline.web.presenting.site import Site, show


def ask_page(
    site: Site, *, text: str = "", complaint: str | None = None, earlier: Sequence[JobStatus] = ()
) -> str:
    """Return the page on which a text is asked about.

    Parameters
    ----------
    site : Site
    text : str
        What stands in the form already.
    complaint : str or None
        Why what was sent could not be taken.
    earlier : sequence of Job
        What was asked before, newest first.
    """
    asked = [listed(job) for job in earlier]
    return show("ask.html.j2", site, text=text, complaint=complaint, earlier=asked)


def known_page(
    site: Site,
    authors: Sequence[ListedAuthor],
    *,
    complaint: str | None = None,
    said: str | None = None,
    none_here: str | None = None,
    can_add: bool,
    why_not: str | None,
) -> str:
    """Return the page of the known texts.

    Parameters
    ----------
    site : Site
    authors : sequence of ListedAuthor
    complaint : str or None
        Why what was sent could not be taken.
    said : str or None
        What was just done, a sentence.
    none_here : str or None
        What is to be known where there is no text, a sentence.
    can_add : bool
        Whether new authors can be added to the model that answers.
    why_not : str or None
        Why not, or why nothing can be learnt yet: a sentence.
    """
    values = {"complaint": complaint, "said": said, "can_add": can_add, "why_not": why_not}
    return show("known.html.j2", site, authors=authors, none_here=none_here, **values)


def model_page(site: Site, models: Sequence[ModelCard], *, complaint: str | None = None) -> str:
    """Return the page on which one of the models is chosen."""
    return show("model.html.j2", site, models=models, complaint=complaint)


def evaluation_page(site: Site, performance: Summary | None) -> str:
    """Return the page on how often the model is right.

    Parameters
    ----------
    site : Site
    performance : dict or None
        As `byline.report.case_performance.performance_summary` returns it; None of language models
        alone.
    """
    charts = performance and {
        "reliability": reliability_chart({"probabilities": performance["reliability"]}),
        "tippett": tippett_chart(performance["tippett"]),
    }
    return show("performance.html.j2", site, performance=performance, charts=charts)


def problem_page(site: Site, title: str, message: str) -> str:
    """Return a page that says what went wrong, and where to go from there."""
    return show("problem.html.j2", site, heading=title, message=message)
