"""Summaries as self-contained HTML files: no network, light and dark mode.

A report is complete without scripts. Where scripts run, its own script sorts and saves tables,
shows the values of figures with the keyboard, and enlarges maps. Its content security policy allows
no other script and no request, because a report quotes texts that anybody may have written.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable
from functools import cache, wraps
from hashlib import sha256
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from byline import __version__
from byline.formatting import (
    bounded_percent,
    duration,
    file_size,
    isolated,
    isolated_path,
    number,
    percent,
    quantity,
    signed,
    typographic,
)
from byline.named_settings import setting
from byline.report import graphics
from byline.report.charts.colours import pair_classes
from byline.report.charts.keyness import ngram_columns
from byline.report.evidence import subject_sentence
from byline.report.figures.performance import confusion_figure
from byline.report.keywords import names_sentence
from byline.report.summary import how_split

if TYPE_CHECKING:
    from jinja2 import Environment

_FORMATS = (
    *(number, signed, percent, bounded_percent),
    *(quantity, duration, file_size),
)

_SOURCE = (files("byline.report") / "templates" / "report.js").read_text(encoding="utf-8")
# The marks let programs that read a report as XML skip the script.
SCRIPT = f"//<![CDATA[\n{_SOURCE}//]]>"
SCRIPT_ELEMENT = f"<script>{SCRIPT}</script>"
SCRIPT_HASH = f"sha256-{b64encode(sha256(SCRIPT.encode()).digest()).decode()}"
POLICY = f"default-src 'none'; style-src 'unsafe-inline'; img-src data:; script-src '{SCRIPT_HASH}'"


def render(template: str, values: dict[str, Any], package: str = "byline.report") -> str:
    """Fill in a template of a package, which may include the templates of the reports."""
    html = _environment(package).get_template(template).render(values)
    # A file name that is not UTF-8 contains lone surrogates, which UTF-8 cannot encode.
    return html.encode("utf-8", "backslashreplace").decode("utf-8")


@cache
def _environment(package: str = "byline.report") -> Environment:
    from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined

    packages = dict.fromkeys((package, "byline.report"))
    environment = Environment(
        loader=ChoiceLoader([PackageLoader(each) for each in packages]),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.globals.update(
        version=__version__,
        policy=POLICY,
        script=SCRIPT_ELEMENT,
        how_split=how_split,
        confusion_figure=confusion_figure,
        confusions=graphics.confusions,
        behind=graphics.behind,
        relative_to_best=graphics.relative_to_best,
        has_perplexities=graphics.has_perplexities,
        shade=graphics.shade,
        ngram_columns=ngram_columns,
        pair_classes=pair_classes,
        names_sentence=names_sentence,
        subject_sentence=subject_sentence,
        long_caveats=graphics.long_caveats,
        LONGEST_CAVEAT=graphics.LONGEST_CAVEAT,
        setting=setting,
    )
    environment.filters.update(
        prose=prose,
        typographic=typographic,
        isolated=isolated,
        isolated_path=isolated_path,
        **{function.__name__: _for_html(function) for function in _FORMATS},
    )
    return environment


def prose(sentence: str) -> str:
    """Set a sentence for HTML: as `typographic` does, with code between its backticks.

    Examples
    --------
    >>> print(prose("Use `byline evaluate` if a < b."))
    Use <code>byline evaluate</code> if a &lt; b.
    """
    from jinja2.filters import do_forceescape, do_mark_safe

    parts = str(do_forceescape(sentence)).split("`")
    if len(parts) % 2 == 0:  # an end was cut off
        parts[-2:] = [f"{parts[-2]}{parts[-1]}"]
    written = [
        f"<code>{part}</code>" if place % 2 else typographic(part)
        for place, part in enumerate(parts)
    ]
    return do_mark_safe("".join(written))  # every part was escaped


def _for_html(function: Callable[..., str]) -> Callable[..., str]:
    """Make a function of `byline.formatting` return text that is typeset for HTML."""

    @wraps(function)
    def write(*values: Any) -> str:
        return typographic(function(*values))

    return write
