"""A summary as one self-contained HTML file: no network, no script, light and dark."""

from __future__ import annotations

from functools import cache
from typing import Any

from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined

from byline import __version__
from byline.formatting import isolated, isolated_path
from byline.report import graphics
from byline.report.summary import Summary, how_split


def demo_html(summary: Summary) -> str:
    """Return the report on a demonstration as one HTML file.

    Parameters
    ----------
    summary : dict
        As :func:`byline.report.demo_summary` returns it.
    """
    return render("demo.html.j2", summary)


def render(template: str, values: dict[str, Any], package: str = "byline.report") -> str:
    """Fill in a template of a package; it may use the reports' templates by their names."""
    html = _environment(package).get_template(template).render(values)
    # A file name that is not UTF-8 holds lone surrogates, which no UTF-8 file can.
    return html.encode("utf-8", "backslashreplace").decode("utf-8")


@cache
def _environment(package: str = "byline.report") -> Environment:
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
        how_split=how_split,
        heat_map=graphics.heat_map,
        confusions=graphics.confusions,
        behind=graphics.behind,
        shade=graphics.shade,
    )
    environment.filters.update(
        isolated=isolated,
        isolated_path=isolated_path,
        percent=percent,
        number=number,
        signed=signed,
    )
    return environment


def percent(share: float | None) -> str:
    """Write a share with one decimal: ``85.9 %``."""
    return "–" if share is None else f"{100 * share:.1f}\u00a0%"


def number(value: float | None, digits: int = 2) -> str:
    """Write a number with thousands apart and ``digits`` decimals."""
    return "–" if value is None else f"{value:,.{digits}f}".replace("-", "\u2212")


def signed(value: float | None, digits: int = 2) -> str:
    """Write a number with its sign, also where that is plus."""
    return "–" if value is None else f"{value:+,.{digits}f}".replace("-", "\u2212")
