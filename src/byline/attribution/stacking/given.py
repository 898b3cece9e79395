"""Texts given to learn a stack's weights from, in place of known ones that are held out."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from byline.attribution.classifiers.trial import Trial
from byline.attribution.inputs import check_authors, check_texts
from byline.attribution.learning import name_some
from byline.attribution.stacking.held_out import HeldOut
from byline.errors import UsageError


def as_given(validation: object, classes: NDArray[Any]) -> HeldOut:
    """Take validation texts as they are.

    Parameters
    ----------
    validation : (texts, authors)
    classes : (n_authors,) str
        Who may have written them.

    Raises
    ------
    UsageError
        It is no such pair.
    """
    if not isinstance(validation, tuple | list) or len(validation) != 2:
        raise UsageError("validation is a pair: texts, and the author of each")
    texts, authors = validation
    asked, names = check_texts(texts), list(check_authors(authors))
    if len(asked) != len(names) or not asked:
        raise UsageError(
            f"validation has {len(asked)} texts and {len(names)} authors; it needs as many of "
            "each, and at least one"
        )
    if not any(map(str.strip, asked)):
        raise UsageError("all texts of validation are blank; nothing can be learnt from them")
    strangers = sorted(map(str, set(names) - set(classes.tolist())))
    if strangers:
        raise UsageError(f"validation has texts of {name_some(strangers)}, who have no known text")
    return HeldOut(Trial(np.zeros(0, dtype=bool), asked), names, [True] * len(names))
