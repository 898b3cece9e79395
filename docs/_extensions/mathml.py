"""Convert formulas to MathML, which browsers display without scripts or network access."""

from __future__ import annotations

import re
from typing import Any

from docutils import nodes
from docutils.utils.math import MathError
from docutils.utils.math.latex2mathml import tex2mathml
from sphinx.application import Sphinx
from sphinx.util import logging

_logger = logging.getLogger(__name__)


def _inline(writer: Any, node: nodes.math) -> None:
    writer.body.append(_mathml(node, displayed=False))
    raise nodes.SkipNode


def _displayed(writer: Any, node: nodes.math_block) -> None:
    writer.body.append(f'<div class="math">{_mathml(node, displayed=True)}</div>')
    raise nodes.SkipNode


def _mathml(node: nodes.math | nodes.math_block, *, displayed: bool) -> str:
    formula = re.sub(r"\\dots(?![A-Za-z])", r"\\ldots", node.astext())
    try:
        return str(tex2mathml(formula, as_block=displayed))
    except MathError as error:
        _logger.warning("formula %r: %s", formula, error, location=node)
        return ""


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the renderer, which ``html_math_renderer = "mathml"`` selects."""
    app.add_html_math_renderer("mathml", (_inline, None), (_displayed, None))
    return {"parallel_read_safe": True, "parallel_write_safe": True}
