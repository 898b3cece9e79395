"""The pages with forms: values in, HTML out; nothing is computed here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from importlib.util import find_spec
from typing import Any

from byline.corpus.demo import CANDIDATES
from byline.report.exploration import DISTANCE_NAMES
from byline.report.figures.performance import performance_figures
from byline.report.html import render
from byline.report.rolling import rolling_of
from byline.web.jobs import JobStatus, ListedAuthor, ModelCard
from byline.web.outcomes import job_line
from byline.web.samples import offered_samples

FORMAT_PACKAGES = ("lxml", "pypdfium2", "trafilatura")  # installed with the extra `formats`


@dataclass(frozen=True, slots=True)
class Asset:
    """A file as it is sent to the browser."""

    content: bytes
    media_type: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Site:
    """What every page shows about the server.

    Attributes
    ----------
    model, model_id : str
        Name and id of the current model.
    authors : tuple of str
        The authors of the model.
    open_set : bool
        Whether the model can recognise unknown authors.
    address : str
        Host and port, as the browser states them.
    local : bool
        Whether only this computer can reach the server.
    max_bytes : int
        The largest size of an upload.
    kept : str
        How long known texts and models are kept, as the end of a sentence.
    answers_kept : str
        How long questioned texts and answers are kept, as sentences.
    """

    model: str
    model_id: str
    authors: tuple[str, ...]
    open_set: bool
    address: str
    local: bool
    max_bytes: int
    kept: str
    answers_kept: str


def asset(name: str) -> Asset | None:
    """Return a style sheet, script or icon by its name; None if there is no such file."""
    return _assets().get(name)


def ask_page(
    site: Site, *, text: str = "", message: str | None = None, earlier: Sequence[JobStatus] = ()
) -> str:
    """Return the page with the form for a questioned text.

    Parameters
    ----------
    site : Site
    text : str
        The text that the form contains already.
    message : str or None
        Why the form that was sent cannot be accepted.
    earlier : sequence of JobStatus
        Earlier questions, newest first.
    """
    listed = list(map(job_line, earlier))
    values = {
        "text": text,
        "message": message,
        "samples": offered_samples(),
        "sample_authors": CANDIDATES,
    }
    return fill("ask.html.j2", site, earlier=listed, **values)


def known_page(
    site: Site,
    authors: Sequence[ListedAuthor],
    *,
    message: str | None = None,
    done: str | None = None,
    none_here: str | None = None,
    can_add: bool,
    obstacle: str | None,
) -> str:
    """Return the page of the known texts.

    Parameters
    ----------
    site : Site
    authors : sequence of ListedAuthor
    message : str or None
        Why the form that was sent cannot be accepted.
    done : str or None
        A sentence on what was just done.
    none_here : str or None
        A sentence to show if there are no texts.
    can_add : bool
        Whether new authors can be added to the current model.
    obstacle : str or None
        A sentence on why a new model would lose authors.
    """
    values = {"message": message, "done": done, "can_add": can_add, "obstacle": obstacle}
    return fill("known.html.j2", site, authors=authors, none_here=none_here, **values)


def model_page(site: Site, models: Sequence[ModelCard], *, message: str | None = None) -> str:
    """Return the page with all models, where one of them is chosen."""
    return fill("model.html.j2", site, models=models, message=message)


def evaluation_page(site: Site, model: ModelCard) -> str:
    """Return the page on the accuracy of a model."""
    performance = model.performance
    figures = performance_figures(performance)
    values = {"performance": performance, "stacked": not model.can_grow}
    return fill("performance.html.j2", site, figures=figures, **values)


def explore_page(
    site: Site,
    authors: Sequence[ListedAuthor],
    *,
    message: str | None = None,
    earlier: Sequence[JobStatus] = (),
) -> str:
    """Return the page with the form for an exploration of the known texts.

    Parameters
    ----------
    site : Site
    authors : sequence of ListedAuthor
        Those of the known texts.
    message : str or None
        Why the form that was sent cannot be accepted.
    earlier : sequence of JobStatus
        Earlier explorations, newest first.
    """
    values = {
        "authors": authors,
        "n_texts": sum(author.n_texts for author in authors),
        "distances": DISTANCE_NAMES,
        "samples": offered_samples(),
        "message": message,
        "earlier": list(map(job_line, earlier)),
    }
    return fill("explore.html.j2", site, **values)


def rolling_page(
    site: Site,
    models: Sequence[ModelCard],
    *,
    message: str | None = None,
    earlier: Sequence[JobStatus] = (),
) -> str:
    """Return the page with the form for a book whose authors are followed.

    Parameters
    ----------
    site : Site
    models : sequence of ModelCard
        Those that can be chosen.
    message, earlier
        As in `explore_page`.
    """
    values = {
        "has_samples": bool(offered_samples()),
        "sample_authors": CANDIDATES,
        "message": message,
        "earlier": list(map(job_line, earlier)),
    }
    return fill("rolling_form.html.j2", site, models=models, **values)


def verify_page(
    site: Site,
    authors: Sequence[ListedAuthor],
    *,
    message: str | None = None,
    earlier: Sequence[JobStatus] = (),
) -> str:
    """Return the page with the form for the verification of an author; parameters as above."""
    values = {
        "samples": offered_samples(),
        "sample_authors": CANDIDATES,
        "message": message,
        "earlier": list(map(job_line, earlier)),
    }
    return fill("verify.html.j2", site, authors=authors, **values)


def problem_page(site: Site, title: str, message: str) -> str:
    """Return a page that explains an error."""
    return fill("problem.html.j2", site, heading=title, message=message)


def fill(template: str, site: Site, **values: Any) -> str:
    """Fill in the template of a page."""
    shared = {
        "site": site,
        "formats": all(find_spec(name) for name in FORMAT_PACKAGES),
        "rolling_of": rolling_of,
    }
    return render(template, shared | values, "byline.web")


@cache
def _assets() -> Mapping[str, Asset]:
    own, reports = files("byline.web") / "static", files("byline.report") / "templates"
    style = (reports / "style.css").read_bytes() + (own / "page.css").read_bytes()
    scripts = {"page.js": own, "report.js": reports}
    return {
        "style.css": Asset(style, "text/css; charset=utf-8"),
        **{
            name: Asset((place / name).read_bytes(), "text/javascript; charset=utf-8")
            for name, place in scripts.items()
        },
        "icon.svg": Asset((own / "icon.svg").read_bytes(), "image/svg+xml"),
    }
