"""Run the quick checks of a corpus that every reading of known texts includes.

`byline.corpus.checking` has the thorough checks of ``byline corpus check``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence, Set
from itertools import pairwise
from statistics import median

import regex

from byline.corpus.document import Corpus, Document, Finding, Severity
from byline.corpus.duplicates import N_EXAMPLES, group_duplicates
from byline.corpus.fingerprints import find_own_name
from byline.errors import UsageError
from byline.formatting import join_names, quantity
from byline.named_settings import setting
from byline.typography.scripts import default_unit, is_unspaced

# Characters. Two people may write the same greeting, but a text of this length only by mistake.
_MIN_DUPLICATE = 200
_MAX_COPIES = 5  # that a message names
# Characters, or about twenty words. A model learns nothing from a shorter text.
_SHORT_DOCUMENT = 100
# An author with less is the weak point of a comparison with the others.
_MIN_SHARE_OF_MEDIAN = 0.2
_MIN_AUTHOR = 5_000
_SUBSET_NAMES = frozenset(
    {"train", "training", "test", "valid", "validation", "dev", "known", "unknown", "disputed"}
)
_UNITS = ("auto", "word", "char")


def check_corpus(corpus: Corpus, *, min_authors: int = 2, unit: str = "word") -> list[Finding]:
    """Find problems that would harm training or make an evaluation look too good.

    Parameters
    ----------
    corpus : Corpus
    min_authors : int
        The smallest number of authors that is not an error. Only if it is 2 or more, the sizes of
        authors are compared.
    unit : {"word", "char", "auto"}
        The tokens that a model will be trained on. Words need a script with spaces between them.
        ``"auto"`` uses the unit that `byline.typography.scripts.default_unit` chooses for the
        texts.

    Returns
    -------
    list of Finding
        One finding per kind of problem, errors first.

        The errors are ``empty-author``, ``author-without-text``, ``too-few-authors`` and
        ``duplicate-across-authors``.

        The warnings are ``empty-text``, ``short-duplicate-across-authors``,
        ``duplicate-within-author``, ``own-name``, ``script-without-spaces``, ``short-document``,
        ``imbalanced-authors``, ``too-little-text``, ``similar-author-names`` and
        ``subset-as-author``.

    Raises
    ------
    UsageError
        ``unit`` is invalid.

    See Also
    --------
    byline.corpus.checking.examine : Find more problems, which takes longer.

    Examples
    --------
    >>> from byline.corpus import Corpus, Document, check_corpus
    >>> text = "The loom hummed all day, and nobody in the house heard it. " * 100
    >>> documents = [Document("Ada", text, "ada/1.txt"), Document("Ben", "", "ben/1.txt")]
    >>> for finding in check_corpus(Corpus(documents, "letters")):
    ...     print(f"{finding.severity}: {finding.code}")
    error: author-without-text
    error: too-few-authors
    """
    if unit not in _UNITS:
        raise UsageError(f"unit must be 'auto', 'word' or 'char', not {unit!r}.")
    if unit == "auto":
        unit = default_unit(document.text for document in corpus)
    filled = [document for document in corpus if document.text.strip()]
    findings = [
        *_empty_authors(corpus),
        *_empty_texts(corpus),
        *_too_few_authors(filled, min_authors),
        *_duplicates(filled),
        *_own_names(filled),
        *(_scripts_without_spaces(filled) if unit == "word" else ()),
        *_short_documents(filled),
        *_little_text(filled, are_compared=min_authors > 1),
        *_similar_authors(corpus.candidates),
        *_subsets_as_authors(corpus.candidates),
    ]
    return sorted(findings, key=lambda finding: finding.severity != "error")


def _empty_authors(corpus: Corpus) -> Iterator[Finding]:
    paths = tuple(document.path for document in corpus if not document.author.strip())
    if paths:
        message = f"The author's name is missing for {join_names(paths)}. Add it."
        yield Finding("error", "empty-author", message, paths)


def _empty_texts(corpus: Corpus) -> Iterator[Finding]:
    with_text = {document.author for document in corpus if document.text.strip()}
    empty = [document for document in corpus if not document.text.strip()]
    paths = tuple(document.path for document in empty if document.author in with_text)
    if paths:
        what = quantity(len(paths), "text is", "texts are")
        message = f"{what} empty and ignored: {join_names(paths)}. Delete them or add text."
        yield Finding("warning", "empty-text", message, paths)
    for author in sorted({document.author for document in empty} - with_text):
        paths = tuple(document.path for document in empty if document.author == author)
        message = (
            f"{author} has no text, because all files or rows are empty: {join_names(paths, 100)}. "
            "Delete them or add text."
        )
        yield Finding("error", "author-without-text", message, paths)


def _too_few_authors(filled: Sequence[Document], min_authors: int) -> Iterator[Finding]:
    authors = sorted({document.author for document in filled})
    if len(authors) < min_authors:
        found = f"{len(authors)} ({join_names(authors)})" if authors else "none"
        message = (
            f"At least {quantity(min_authors, 'author is', 'authors are')} needed, but the corpus "
            f"has {found}. Add texts by other authors, or name the folder that contains the "
            "authors' folders."
        )
        yield Finding("error", "too-few-authors", message, tuple(d.path for d in filled))


def _duplicates(filled: Sequence[Document]) -> Iterator[Finding]:
    repeated = [[filled[index] for index in group] for group in group_duplicates(filled)]
    across = [group for group in repeated if len({document.author for document in group}) > 1]
    long = [group for group in across if len(group[0].text) >= _MIN_DUPLICATE]
    yield from _same_text(
        "error", "duplicate-across-authors", long,
        "under several authors", "Only one author can be right: delete it under the others, or "
        f"leave such texts out: {setting('duplicates', 'drop')}.",
    )  # fmt: skip
    yield from _same_text(
        "warning", "short-duplicate-across-authors", [g for g in across if g not in long],
        "under several authors", "Short texts like this do not distinguish the authors.",
    )  # fmt: skip
    yield from _same_text(
        "warning", "duplicate-within-author", [g for g in repeated if g not in across],
        "more than once under one author",
        "A split may put one copy into the training texts and one into the test texts: keep only "
        "one.",
    )  # fmt: skip


def _same_text(
    severity: Severity, code: str, groups: Sequence[Sequence[Document]], where: str, advice: str
) -> Iterator[Finding]:
    if not groups:
        return
    listed = [
        " = ".join([document.path for document in group[:_MAX_COPIES]])
        + (" = ..." if len(group) > _MAX_COPIES else "")
        for group in groups
    ]
    shown = "; ".join(listed[:N_EXAMPLES]) + ("" if len(listed) <= N_EXAMPLES else "; ...")
    n_texts = quantity(len(groups), "text occurs", "texts occur")
    message = f"{n_texts} {where}: {shown}. {advice}"
    yield Finding(severity, code, message, tuple(d.path for group in groups for d in group))


def _own_names(filled: Sequence[Document]) -> Iterator[Finding]:
    named = {document: name for document in filled if (name := find_own_name(document))}
    if not named:
        return
    examples = [
        f"{name!r} by {document.author} in {document.path}" for document, name in named.items()
    ]
    message = (
        f"The author's own name occurs at the start or end of {quantity(len(named), 'text')} "
        f"({join_names(examples)}). A model could learn the name instead of the style: delete it."
    )
    yield Finding("warning", "own-name", message, tuple(document.path for document in named))


def _scripts_without_spaces(filled: Sequence[Document]) -> Iterator[Finding]:
    paths = tuple(document.path for document in filled if is_unspaced(document.text))
    if paths:
        message = (
            f"{quantity(len(paths), 'text is', 'texts are')} in a script without spaces between "
            f"words (Chinese, Japanese, Thai and others): {join_names(paths)}. Use characters as "
            f"tokens: {setting('unit', 'char')}."
        )
        yield Finding("warning", "script-without-spaces", message, paths)


def _short_documents(filled: Sequence[Document]) -> Iterator[Finding]:
    paths = tuple(document.path for document in filled if len(document.text) < _SHORT_DOCUMENT)
    if paths:
        message = (
            f"{quantity(len(paths), 'text is', 'texts are')} shorter than {_SHORT_DOCUMENT} "
            f"characters: {join_names(paths)}. That is too short to identify an author: add text."
        )
        yield Finding("warning", "short-document", message, paths)


def _little_text(filled: Sequence[Document], *, are_compared: bool) -> Iterator[Finding]:
    sizes: Counter[str] = Counter()
    for document in filled:
        sizes[document.author] += len(document.text)
    middle = median(sizes.values()) if sizes else 0
    small = {author for author, size in sizes.items() if size < _MIN_SHARE_OF_MEDIAN * middle}
    little = {author for author, size in sizes.items() if size < _MIN_AUTHOR} - small
    if small and are_compared:
        message = (
            f"{quantity(len(small), 'author has', 'authors have')} far less text than the others: "
            f"{_list_sizes(sizes, small)}; the median is {quantity(round(middle), 'character')}. "
            "A style cannot be estimated well from so little text: add text, or leave these "
            "authors out."
        )
        yield Finding("warning", "imbalanced-authors", message, _paths_by(filled, small))
    if little:
        some = quantity(len(little), "author has", "authors have")
        who = "Every author has" if len(sizes) == len(little) > 1 else some
        message = (
            f"{who} less than {_MIN_AUTHOR:,} characters of text, which is too little to train a "
            f"reliable model: {_list_sizes(sizes, little)}. Add text."
        )
        yield Finding("warning", "too-little-text", message, _paths_by(filled, little))


def _list_sizes(sizes: Mapping[str, int], authors: Set[str]) -> str:
    smallest = sorted((sizes[author], author) for author in authors)
    return join_names([f"{author} ({quantity(size, 'character')})" for size, author in smallest])


def _paths_by(filled: Sequence[Document], authors: Set[str]) -> tuple[str, ...]:
    return tuple(document.path for document in filled if document.author in authors)


def _similar_authors(candidates: Sequence[str]) -> Iterator[Finding]:
    keyed = sorted((regex.sub(r"[\W_]+", "", name).casefold(), name) for name in candidates)
    pairs = [f"{a!r} and {b!r}" for (key, a), (other, b) in pairwise(keyed) if key and key == other]
    if pairs:
        message = (
            "Names that differ only in case, spaces or punctuation are treated as different "
            f"authors: {join_names(pairs)}. If they are the same person, use the same name."
        )
        yield Finding("warning", "similar-author-names", message)


def _subsets_as_authors(candidates: Sequence[str]) -> Iterator[Finding]:
    if candidates and all(name.casefold() in _SUBSET_NAMES for name in candidates):
        message = (
            f"{join_names(candidates)} are treated as authors. If they are the parts of a study, "
            "name the one that contains the authors' folders."
        )
        yield Finding("warning", "subset-as-author", message)
