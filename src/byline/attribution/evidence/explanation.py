"""Explain an attribution by the tokens and sentences of the text."""

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
from byline.formatting import join_names
from byline.processes.threads import limits_threads

MAX_EXPLAINED_CHARACTERS = 1_000_000
"""The length of a long novel. Explaining a longer text takes minutes, not seconds."""


def is_too_long_to_explain(text: str) -> bool:
    """Return whether a text has more than `MAX_EXPLAINED_CHARACTERS` characters."""
    return len(text) > MAX_EXPLAINED_CHARACTERS


@limits_threads
def explain(
    attributor: AuthorshipAttributor | StackedAttributor,
    text: str,
    *,
    first: str | None = None,
    second: str | None = None,
    against_all: bool = False,
) -> Evidence:
    """Explain which tokens and sentences of a text favour one candidate over another.

    For language models alone, the evidence explains the difference of the log-likelihoods,
    whatever the score rule, because perplexities are not sums over tokens. For a stack, it explains
    the difference of the log-odds. There, the contribution of an n-gram is divided evenly among its
    occurrences and among their characters without white space, and so among the tokens that these
    belong to. The contribution of the lengths of sentences and paragraphs belongs to no word, and
    is reported for each sentence. The z-score of a word by Burrows's Delta is divided among its
    occurrences; what words contribute that do not occur in the text belongs to the constant.

    Parameters
    ----------
    attributor : AuthorshipAttributor or StackedAttributor
        A fitted model. The base classifiers of a stack must be `AuthorshipAttributor`,
        `NgramRidge`, `NgramSVM`, `NgramProfiles` or `BurrowsDelta`, the latter four also chunked.
        Its ``encoder_`` splits the text into tokens.
    text : str
        The questioned text. It is explained even if an answer about it is declined.
    first, second : str, optional
        The candidates to compare; by default, the best candidate and the second best.
    against_all : bool
        Compare the first candidate with the mean of all others instead of a second candidate.

    Returns
    -------
    Evidence
        Its ``log_lr`` is the difference of the candidates' log-likelihoods, or for a stack that of
        their values in ``score_authors``.

    Raises
    ------
    UsageError
        A candidate is unknown or given twice, a second candidate and all others are both given, or
        a stack has a base classifier that cannot be explained.

    See Also
    --------
    explain_answer : Explain an answer's first candidate against its second.

    Examples
    --------
    >>> from byline.attribution import AuthorshipAttributor
    >>> from byline.lm import NgramLM
    >>> model = AuthorshipAttributor(NgramLM(order=1, smoothing="witten-bell"), balance="none")
    >>> _ = model.fit(["the sea the wind", "a ship a sail"], ["Ada", "Ben"])
    >>> evidence = explain(model, "the sea")
    >>> evidence.first, evidence.second, evidence.log_lr > 0
    ('Ada', 'Ben', True)
    """
    check_is_fitted(attributor)
    text = attributor.normalization_.apply(*check_texts([text]))
    if against_all and second is not None:
        raise UsageError(
            f"one candidate cannot be compared with {second!r} and with all others; choose one"
        )
    pair = _candidates(attributor, text, first, second)
    authors = list(map(str, attributor.classes_))
    contrast = (
        Contrast.with_all(authors, pair[0]) if against_all else Contrast.between(authors, *pair)
    )
    if isinstance(attributor, StackedAttributor):
        return explain_stack(attributor, text, contrast)
    tokens = compare_tokens(attributor, text, contrast.coefficients)
    return Evidence(contrast.first, contrast.second, tokens.with_values(tokens.log_lrs))


@limits_threads
def explain_answer(
    attributor: AuthorshipAttributor | StackedAttributor, answer: Attribution, text: str
) -> Evidence | None:
    """Explain an answer: its first candidate compared with its second.

    Parameters
    ----------
    attributor : AuthorshipAttributor or StackedAttributor
        The model that answered.
    answer : Attribution
        The answer about the text.
    text : str
        The questioned text.

    Returns
    -------
    Evidence or None
        None if the answer was declined.

    See Also
    --------
    explain : Compare any two candidates.

    Examples
    --------
    >>> from byline.attribution import AuthorshipAttributor
    >>> from byline.lm import NgramLM
    >>> model = AuthorshipAttributor(NgramLM(order=1, smoothing="witten-bell"), balance="none")
    >>> _ = model.fit(["the sea the wind", "a ship a sail"], ["Ada", "Ben"])
    >>> [answer] = model.attribute([""])
    >>> explain_answer(model, answer, "") is None  # an empty text is declined
    True
    """
    if answer.declined is not None:
        return None
    first, second = answer.ranking[:2]
    return explain(attributor, text, first=first.author, second=second.author)


def _candidates(
    attributor: AuthorshipAttributor | StackedAttributor,
    text: str,
    first: str | None,
    second: str | None,
) -> tuple[str, str]:
    """Return the given candidates, or those with the highest scores."""
    authors = list(map(str, attributor.classes_))
    for author in (first, second):
        if author is not None and author not in authors:
            raise UsageError(
                f"{author!r} is not a candidate; choose from {join_names(authors, None)}"
            )
    if first is not None and first == second:
        raise UsageError(f"{first!r} is given twice; give two different candidates")
    if first is not None and second is not None:
        return first, second
    scores = attributor.score_authors([text])[0]
    ranked = [authors[index] for index in np.argsort(-scores, kind="stable")]
    first = first or next(author for author in ranked if author != second)
    return first, second or next(author for author in ranked if author != first)
