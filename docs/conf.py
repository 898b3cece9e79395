"""Configure Sphinx, which ``python3 scripts/dev.py docs`` runs to build the documentation.

The build downloads nothing, and the pages load nothing from other servers.
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "_extensions"))

from generated import listed_modules

from byline import __version__

project = "Byline"
author = "The Byline developers"
project_copyright = author
release = version = __version__
language = "en"
smartquotes = False  # two hyphens of options and quotation marks in code stay as they are

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "numpydoc",
    "checked",
    "generated",
    "figures",
    "mathml",
]
exclude_patterns = ["_extensions"]
default_role = "py:obj"
nitpicky = True
# References to names without a page are not warnings: types of Python and of other packages, whose
# documentation is not downloaded, and internal classes that occur in signatures.
described = "|".join(sorted(listed_modules(Path(__file__).parent)))
nitpick_ignore_regex = [("py:.*", rf"(?!({described})\.([A-Z]\w*(\.\w+)?|[a-z_]+)$).*")]

myst_enable_extensions = ["attrs_block", "attrs_inline", "colon_fence", "deflist", "dollarmath"]
myst_heading_anchors = 3
myst_links_external_new_tab = False

autodoc_default_options = {"show-inheritance": True, "member-order": "groupwise"}
autodoc_typehints = "signature"
autodoc_preserve_defaults = True
autodoc_class_signature = "mixed"
python_maximum_signature_line_length = 88
toc_object_entries_show_parents = "hide"
numpydoc_show_class_members = False

html_theme = "pydata_sphinx_theme"
html_title = "Byline"
html_sidebars = {"tutorial": []}  # its section has no other page
html_static_path = ["_static"]
html_css_files = ["byline.css"]
html_math_renderer = "mathml"
html_show_sourcelink = False
html_copy_source = False
html_show_copyright = False
html_theme_options = {
    "show_nav_level": 1,
    "navigation_depth": 3,
    "show_toc_level": 1,
    "navbar_align": "left",
    "header_links_before_dropdown": 6,
    "navbar_end": ["theme-switcher"],
    "footer_start": [],
    "footer_end": [],
    "secondary_sidebar_items": ["page-toc"],
    "pygments_light_style": "a11y-light",
    "pygments_dark_style": "a11y-dark",
}
