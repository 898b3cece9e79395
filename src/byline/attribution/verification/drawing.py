"""Problems with known answers, from texts whose authors are known."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from byline.attribution.classifiers.pieces import cut_evenly, draw_evenly
from byline.attribution.verification.problem import Problem
from byline.corpus import Document
from byline.corpus.scripts import count_words


@dataclass(frozen=True, slots=True)
class DrawnProblems:
    """Problems, and what is known of them; one each.

    Attributes
    ----------
    problems : list of Problem
    same : list of bool
        Whether the author is the same.
    authors : list of (str, str)
        Of known texts and of the questioned one.
    without : list of list of str
        All texts of the work that the questioned text is or is a part of.
    """

    problems: list[Problem] = field(default_factory=list)
    same: list[bool] = field(default_factory=list)
    authors: list[tuple[str, str]] = field(default_factory=list)
    without: list[list[str]] = field(default_factory=list)


def draw_problems(
    documents: Sequence[Document],
    *,
    n_known: int,
    questioned_words: int | None,
    at_most: int,
    random_state: int,
) -> DrawnProblems:
    """Ask about texts by known authors, once with their own known texts and once with another's.

    Known and questioned text are never of one work. Authors with a single work are only set
    against others.

    Parameters
    ----------
    documents : sequence of Document
    n_known : int
        Known texts of a problem at most, drawn at random where an author has more.
    questioned_words : int or None
        Of a longer questioned text a part of about so many words is asked about.
    at_most : int
        Problems of a kind; authors have as equal a share in them as can be.
    random_state : int
    """
    rng = np.random.default_rng(random_state)
    documents = sorted(documents, key=lambda each: (each.author, each.work, each.text))
    by_author: dict[str, list[int]] = defaultdict(list)
    for place, document in enumerate(documents):
        by_author[document.author].append(place)
    of_work: dict[str, list[str]] = defaultdict(list)
    for document in documents:
        of_work[document.work].append(document.text)
    names = sorted(by_author)
    owners = np.array([names.index(document.author) for document in documents])
    chosen = draw_evenly(owners, np.arange(len(owners)), max(at_most, 1), rng)
    drawn = DrawnProblems()
    for place in rng.permutation(chosen)[:at_most].tolist():
        asked = documents[place]
        part = _part(asked.text, questioned_words, rng)
        others = [name for name in names if name != asked.author]
        for known_by in (asked.author, *([str(rng.choice(others))] if others else [])):
            known = [
                documents[other].text
                for other in by_author[known_by]
                if documents[other].work != asked.work
            ]
            if known:
                few = rng.permutation(len(known))[:n_known].tolist()
                drawn.problems.append(Problem(tuple(known[n] for n in sorted(few)), part))
                drawn.same.append(known_by == asked.author)
                drawn.authors.append((known_by, asked.author))
                drawn.without.append(of_work[asked.work])
    return drawn


def _part(text: str, n_words: int | None, rng: np.random.Generator) -> str:
    if n_words is None or count_words(text) <= n_words:
        return text
    parts = cut_evenly(text, n_words)
    return parts[int(rng.integers(len(parts)))]
