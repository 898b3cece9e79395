"""Load, train, attribute, verify and evaluate in one call each, with the commands' defaults.

``import byline`` offers these functions. Settings have the names of the commands' options, with
underscores: ``--keep-case`` becomes ``keep_case=True``.
"""

from byline.library.functions import attribute, evaluate, load, train, verify

__all__ = ["attribute", "evaluate", "load", "train", "verify"]
