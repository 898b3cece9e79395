"""Read a user's own list of words or other features."""

from __future__ import annotations

from collections import Counter

from byline.errors import UsageError
from byline.formatting import join_names

_MAX_SHOWN = 5


def parse_feature_list(text: str, name: str) -> list[str]:
    r"""Read a list of features: one per line, without empty lines and lines that begin with ``#``.

    Parameters
    ----------
    text : str
    name : str
        The name of the list in messages.

    Returns
    -------
    list of str

    Raises
    ------
    UsageError
        The list is empty, or contains a feature twice.

    Examples
    --------
    >>> parse_feature_list("# most frequent words\nthe\nand\n", "words.txt")
    ['the', 'and']
    """
    lines = map(str.strip, text.removeprefix("\ufeff").splitlines())
    features = [line for line in lines if line and not line.startswith("#")]
    repeated = sorted(feature for feature, n in Counter(features).items() if n > 1)
    if repeated:
        raise UsageError(
            f"{name} contains features more than once: {join_names(repeated, _MAX_SHOWN)}. Delete "
            "the repetitions."
        )
    if not features:
        raise UsageError(f"{name} contains no features. Write one word or n-gram per line.")
    return features
