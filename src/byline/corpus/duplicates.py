"""What to do with texts that occur more than once among the known texts."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from enum import StrEnum
from hashlib import blake2b

from byline.corpus.document import Corpus, Document, Finding
from byline.formatting import quantity
from byline.named_settings import setting

N_EXAMPLES = 3


class DuplicatePolicy(StrEnum):
    """What to do with a text that occurs more than once.

    ``error`` refuses a corpus with a long text under several authors, and warns of others.
    ``drop`` keeps one copy of a text that one author has several times, and none of a text that
    several authors have, because it does not distinguish them. ``keep`` keeps all.

    See Also
    --------
    byline.corpus.read_corpus : Applies one.

    Examples
    --------
    >>> from byline.corpus import DuplicatePolicy
    >>> [str(policy) for policy in DuplicatePolicy]
    ['error', 'drop', 'keep']
    """

    ERROR = "error"
    DROP = "drop"
    KEEP = "keep"


def group_duplicates(documents: Sequence[Document]) -> list[list[int]]:
    """Return the indices of equal texts, for each text that occurs more than once.

    Texts that differ only in white space are equal. Texts without any are not compared.

    Examples
    --------
    >>> texts = ["The loom.", "A ship.", "The  loom."]
    >>> group_duplicates([Document("Ada", text, str(n)) for n, text in enumerate(texts)])
    [[0, 2]]
    """
    groups: dict[bytes, list[int]] = defaultdict(list)
    for index, document in enumerate(documents):
        words = " ".join(document.text.split())
        if words:
            groups[blake2b(words.encode("utf-8", "surrogatepass")).digest()].append(index)
    return [group for group in groups.values() if len(group) > 1]


def find_duplicates(documents: Sequence[Document]) -> dict[int, tuple[int, str]]:
    """Choose the texts to leave out, so that no text occurs more than once.

    Returns
    -------
    dict of int to (int, str)
        For each text that is left out, the index of an equal text, and the code of the finding
        about it. Of the copies by one author, the first is kept.
    """
    chosen: dict[int, tuple[int, str]] = {}
    for group in group_duplicates(documents):
        first, *others = group
        if len({documents[index].author for index in group}) > 1:
            chosen |= dict.fromkeys(others, (first, "duplicate-across-authors"))
            chosen[first] = others[0], "duplicate-across-authors"
        else:
            chosen |= dict.fromkeys(others, (first, "duplicate-within-author"))
    return dict(sorted(chosen.items()))


def apply_policy(
    corpus: Corpus, findings: Sequence[Finding], policy: DuplicatePolicy
) -> tuple[Corpus, list[Finding]]:
    """Leave out duplicate texts, if the policy says so, and state how many.

    Parameters
    ----------
    corpus : Corpus
    findings : sequence of Finding
        Of the reader of the corpus.
    policy : DuplicatePolicy

    Returns
    -------
    Corpus, list of Finding
    """
    dropped = find_duplicates(list(corpus)) if policy is DuplicatePolicy.DROP else {}
    if not dropped:
        return corpus, list(findings)
    kept = corpus.select(index for index in range(len(corpus)) if index not in dropped)
    lost = set(corpus.authors) - set(kept.authors)
    errors = [_without_text(author, corpus, dropped) for author in sorted(lost)]
    return kept, [*findings, *errors, _about_dropped(corpus, dropped)]


def allow_duplicates(findings: Sequence[Finding]) -> list[Finding]:
    """Turn the errors about duplicate texts into warnings."""
    return [
        replace(finding, severity="warning")
        if finding.code == "duplicate-across-authors"
        else finding
        for finding in findings
    ]


def _without_text(author: str, corpus: Corpus, dropped: dict[int, tuple[int, str]]) -> Finding:
    paths = tuple(corpus[index].path for index in dropped if corpus[index].author == author)
    message = (
        f"All {quantity(len(paths), 'text')} by {author} also occur under other authors, so that "
        f"none is left. Correct the authors, or keep such texts: {setting('duplicates', 'keep')}."
    )
    return Finding("error", "author-without-text", message, paths)


def _about_dropped(corpus: Corpus, dropped: dict[int, tuple[int, str]]) -> Finding:
    codes = [code for _, code in dropped.values()]
    n_across = codes.count("duplicate-across-authors")
    pairs = sorted(
        {(min(index, source), max(index, source)) for index, (source, _) in dropped.items()}
    )
    examples = "; ".join(
        f"{corpus[first].path} = {corpus[second].path}" for first, second in pairs[:N_EXAMPLES]
    )
    more = "; ..." if len(pairs) > N_EXAMPLES else ""
    message = (
        f"{quantity(len(dropped), 'text was', 'texts were')} left out, because the same text "
        f"occurs more than once: {n_across:,} under several authors, "
        f"{len(dropped) - n_across:,} repeated by one author ({examples}{more}). Keep such texts "
        f"with {setting('duplicates', 'keep')}."
    )
    return Finding(
        "warning", "duplicates-left-out", message, tuple(corpus[index].path for index in dropped)
    )
