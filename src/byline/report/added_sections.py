"""Sections that other installed packages add to the report of a case."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from byline.attribution import AuthorshipAttributor, StackedAttributor
from byline.corpus import Corpus
from byline.errors import BylineError, PluginError
from byline.plugins import REPORT_SECTIONS, Plugin, find_plugin, plugin_names
from byline.report.summary import Summary, json_values


@dataclass(frozen=True, slots=True)
class CaseMaterial:
    """What a section of a case report can be computed from.

    Attributes
    ----------
    attributor : AuthorshipAttributor or StackedAttributor
        The model that answered.
    texts : sequence of str
        The questioned texts.
    questioned : list of dict
        The answers, one per text, as in `attribution_summary`.
    known : Corpus or None
        The known texts, if they were given.

    See Also
    --------
    ReportSection : Is computed from it.

    Examples
    --------
    >>> from byline.attribution import AuthorshipAttributor
    >>> CaseMaterial(AuthorshipAttributor(), ["The cat sat."], [{}]).known is None
    True
    """

    attributor: AuthorshipAttributor | StackedAttributor
    texts: Sequence[str]
    questioned: Sequence[Summary]
    known: Corpus | None = None


@dataclass(frozen=True, slots=True)
class ReportSection:
    """A section that another package adds to every report of a case.

    The package declares it as an entry point of the group ``byline.report_sections``. The sections
    are before "Limitations", in the order of the names of their entry points.

    Attributes
    ----------
    title : str
        The heading.
    summarize : callable
        Computes the section from a `CaseMaterial`: a dictionary of JSON values, or None if the
        section does not apply to this case.
    html : callable
        Renders this dictionary. `byline.report.html.render` fills in a template of the package,
        and escapes what is in the texts.

    See Also
    --------
    case_summary : Has the dictionaries of all sections under "sections".

    Examples
    --------
    >>> section = ReportSection(
    ...     "Lengths",
    ...     summarize=lambda material: {"n_characters": [len(text) for text in material.texts]},
    ...     html=lambda summary: f"<p>{summary['n_characters'][0]} characters</p>",
    ... )
    >>> section.html({"n_characters": [12]})
    '<p>12 characters</p>'
    """

    title: str
    summarize: Callable[[CaseMaterial], Summary | None]
    html: Callable[[Summary], str]


def summarize_sections(material: CaseMaterial) -> list[Summary]:
    """Compute the sections of all installed packages.

    Returns
    -------
    list of dict
        "name", "package", "version", "title", and "content", as the section returned it.

    Raises
    ------
    PluginError
        A package is broken, or two packages declare the same name.
    """
    sections = []
    for name in plugin_names(REPORT_SECTIONS):
        plugin, section = _find(name)
        content = _call(plugin, section.summarize, material)
        if content is not None:
            try:
                content = json_values(content)
                json.dumps(content)
            except (TypeError, ValueError) as error:
                raise plugin.error(f"its summary is not of JSON values ({error})") from error
            sections.append(
                {
                    "name": name,
                    "package": plugin.package,
                    "version": plugin.version,
                    "title": section.title,
                    "content": content,
                }
            )
    return sections


def render_sections(sections: Sequence[Summary]) -> list[Summary]:
    """Add the "html" of each section that `summarize_sections` returned; errors as there."""
    rendered = []
    for each in sections:
        plugin, section = _find(each["name"])
        rendered.append(each | {"html": str(_call(plugin, section.html, each["content"]))})
    return rendered


def _find(name: str) -> tuple[Plugin, ReportSection]:
    plugin = find_plugin(REPORT_SECTIONS, name)
    if plugin is None:
        raise PluginError(
            f"the report has the section {name!r}, but the package that draws it is not installed"
        )
    section = plugin.load()
    if not isinstance(section, ReportSection):
        raise plugin.error(f"it is {section!r:.60}, not a byline.report.ReportSection")
    return plugin, section


def _call(plugin: Plugin, function: Callable[[Any], Any], argument: object) -> Any:
    try:
        return function(argument)
    except BylineError:
        raise
    except Exception as error:
        raise plugin.error(f"it failed ({type(error).__name__}: {error})") from error
