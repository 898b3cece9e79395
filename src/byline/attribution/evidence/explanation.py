"""From an attributor and a text to the evidence between two candidates."""

from __future__ import annotations

import numpy as np
from sklearn.utils.validation import check_is_fitted

from byline.attribution.evidence.comparison import Contrast, compare_tokens
from byline.attribution.evidence.result import Evidence
from byline.attribution.evidence.stack import explain_stack
from byline.attribution.inputs import check_texts
from byline.attribution.language_models.attributor import AuthorshipAttributor
from byline.attribution.result import Attribution
from byline.attribution.stacking import StackedAttributor
from byline.errors import UsageError

MAX_EXPLAINED_CHARACTERS = 1_000_000
"""The length of a long novel. Explaining a longer text takes minutes, not seconds."""


def is_too_long_to_explain(text: str) -> bool:
    """Return whether a text has more than `MAX_EXPLAINED_CHARACTERS` characters."""
    return len(text) > MAX_EXPLAINED_CHARACTERS


def explain(
    attributor: AuthorshipAttributor | StackedAttributor,
    text: str,
    *,
    first: str | None = None,
    second: str | None = None,
    against_all: bool = False,
) -> Evidence:
    """Which tokens and sentences speak for one candidate and against another.

    Of language models alone, evidence is about log-likelihoods under any score rule: perplexities
    do not add up over tokens. Of a stack, it is about the log-odds: what a member makes of an
    n-gram is shared out evenly over the places where the text has it, and there over its
    characters, white space apart, and so comes to the tokens these are a part of. What lengths of
    sentences and paragraphs speak for is no word's, and is told of each sentence.

    Parameters
    ----------
    attributor : AuthorshipAttributor or StackedAttributor
        Fitted. A stack's members are ``AuthorshipAttributor``, of which the first one's encoder
        cuts the text into the tokens, ``NgramRidge`` and ``NgramSVM``, the latter two also in
        pieces.
    text : str
        The questioned text; it is explained even where an answer about it is declined.
    first, second : str, optional
        The candidates; the best scored and the runner-up where not told.
    against_all : bool
        Set the first against the mean of all the others instead of a second one.

    Returns
    -------
    Evidence
        Its ``log_lr`` is the difference of the candidates' log-likelihoods, or by a stack that of
        their ``decision_function``.

    Raises
    ------
    UsageError
        An unknown candidate, or twice the same, or a second one and all others; a stack without
        language models, or with a member whose scores are no sums over what stands in a text.
    """
    check_is_fitted(attributor)
    [text] = check_texts([text])
    if against_all and second is not None:
        raise UsageError(f"the second is {second!r}, and all others too; ask for one of these")
    pair = _contestants(attributor, text, first, second)
    authors = list(map(str, attributor.classes_))
    contrast = (
        Contrast.with_all(authors, pair[0]) if against_all else Contrast.between(authors, *pair)
    )
    if isinstance(attributor, StackedAttributor):
        return explain_stack(attributor, text, contrast)
    tokens = compare_tokens(attributor, text, contrast.shares)
    return Evidence(contrast.first, contrast.second, tokens.with_values(tokens.log_lrs))


def explain_answer(
    attributor: AuthorshipAttributor | StackedAttributor, answer: Attribution, text: str
) -> Evidence | None:
    """Explain the first place of an answer about a text against the second.

    Parameters
    ----------
    attributor : AuthorshipAttributor or StackedAttributor
        The one that gave the answer.
    answer : Attribution
    text : str

    Returns
    -------
    Evidence or None
        None where the answer was declined.
    """
    if answer.declined is not None:
        return None
    first, second = answer.ranking[:2]
    return explain(attributor, text, first=first.author, second=second.author)


def _contestants(
    attributor: AuthorshipAttributor | StackedAttributor,
    text: str,
    first: str | None,
    second: str | None,
) -> tuple[str, str]:
    """Return the candidates asked for, what is left open filled in by rank."""
    authors = list(map(str, attributor.classes_))
    for author in (first, second):
        if author is not None and author not in authors:
            raise UsageError(f"{author!r} is no candidate; there are {', '.join(authors)}")
    if first is not None and first == second:
        raise UsageError(f"{first!r} is named twice; evidence is between two candidates")
    if first is not None and second is not None:
        return first, second
    scores = attributor.decision_function([text])[0]
    ranked = [authors[index] for index in np.argsort(-scores, kind="stable")]
    first = first or next(author for author in ranked if author != second)
    return first, second or next(author for author in ranked if author != first)
