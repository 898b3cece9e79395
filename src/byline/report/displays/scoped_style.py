"""The style of reports, limited to one output of a notebook."""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files

SCOPE = "byline-output"
# Where notebooks have a dark theme: JupyterLab, Visual Studio Code, and pages made by nbconvert.
_DARK = (
    ':is(body[data-jp-theme-light="false"], body[data-vscode-theme-kind*="dark"], '
    'html[data-theme="dark"]) &'
)
_DARK_RULE = re.compile(r"@media screen and \(prefers-color-scheme: dark\) \{\s*:root \{")
_PAGE_RULE = re.compile(r"^([ \t]*)(?::root|html|body) \{", re.MULTILINE)
_OWN = """
& { max-width: none; padding: .25rem .5rem; margin: 0; color-scheme: light; font-size: .9rem; }
h3:first-child { margin-top: .2rem; }
h3 { border: 0; padding: 0; margin: 1rem 0 .4rem; font-size: 1.15em; font-weight: 600; }
h4 { margin: 1rem 0 .3rem; font-weight: 600; }
.verdict { font-size: 1.15em; }
table { margin: 0; font-size: inherit; border: 0; }
tr:nth-child(n), tr:nth-child(n):hover { background: none; color: var(--ink); }
caption { color: var(--quiet); }
"""


@cache
def scoped_style() -> str:
    """Return the style sheet of reports as rules that are nested in the class of an output.

    A notebook is light or dark by its own theme, and not by the setting of the system.
    """
    template = files("byline.report") / "templates" / "style.css"
    style = _DARK_RULE.sub(f"@media screen {{ {_DARK} {{", template.read_text(encoding="utf-8"))
    style = _PAGE_RULE.sub(r"\1& {", style)
    # Twice the class, so that no rule of the notebook about lists or tables is stronger.
    return f".{SCOPE}.{SCOPE} {{\n{style}{_OWN}}}"


def in_notebook(section: str) -> str:
    """Return a part of a report as an output of a notebook, with its own style."""
    return f'<div class="{SCOPE}">\n<style>\n{scoped_style()}\n</style>\n{section}\n</div>'
