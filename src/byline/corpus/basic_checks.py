"""What is wrong with a corpus before anything is learnt from it."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence, Set
from hashlib import blake2b
from itertools import pairwise
from statistics import median

import regex

from byline.corpus.document import Corpus, Document
from byline.corpus.findings import Finding, Severity
from byline.corpus.scripts import default_unit, is_unspaced
from byline.corpus.signatures import find_own_name
from byline.errors import UsageError
from byline.formatting import join_names, quantity

# A greeting may come from two people, a text of this length (in characters) only by mistake.
_MIN_DUPLICATE = 200
# Characters; some twenty words, below which hardly a sentence is learnt.
_SHORT_DOCUMENT = 100
# Every author is learnt from as much text as the one with the least has.
_MIN_SHARE_OF_MEDIAN = 0.2
_MIN_AUTHOR = 5_000
_PARTS_OF_A_STUDY = frozenset(
    {"train", "training", "test", "valid", "validation", "dev", "known", "unknown", "disputed"}
)
_UNITS = ("auto", "word", "char")


def check_corpus(corpus: Corpus, *, min_authors: int = 2, unit: str = "word") -> list[Finding]:
    """Look for what would spoil learning or flatter an evaluation.

    Parameters
    ----------
    corpus : Corpus
    min_authors : int
        Fewer authors are an error.
    unit : {"word", "char", "auto"}
        What is to be learnt from; words need a script with spaces between them. ``auto``: what
        `byline.corpus.scripts.usual_unit` says of the texts.

    Returns
    -------
    list of Finding
        One for each kind of trouble, errors first.

        Errors: ``empty-author``, ``author-without-text``, ``too-few-authors``,
        ``duplicate-across-authors``.
        Warnings: ``empty-text``, ``short-duplicate-across-authors``, ``duplicate-within-author``,
        ``own-name``, ``script-without-spaces``, ``short-document``, ``imbalanced-authors``,
        ``too-little-text``, ``similar-author-names``, ``subset-as-author``.

    Raises
    ------
    UsageError
        ``unit`` is none of these.
    """
    if unit not in _UNITS:
        raise UsageError(f"unit must be 'auto', 'word' or 'char', not {unit!r}")
    if unit == "auto":
        unit = default_unit(document.text for document in corpus)
    filled = [document for document in corpus if document.text.strip()]
    findings = [
        *_empty_authors(corpus),
        *_empty_texts(corpus),
        *_too_few_authors(filled, min_authors),
        *_duplicates(filled),
        *_own_names(filled),
        *(_spaceless_scripts(filled) if unit == "word" else ()),
        *_short_documents(filled),
        *_little_text(filled),
        *_similar_authors(corpus.candidates),
        *_parts_as_authors(corpus.candidates),
    ]
    return sorted(findings, key=lambda finding: finding.severity != "error")


def _empty_authors(corpus: Corpus) -> Iterator[Finding]:
    paths = tuple(document.path for document in corpus if not document.author.strip())
    if paths:
        message = f"no author's name for {join_names(paths)}; give one"
        yield Finding("error", "empty-author", message, paths)


def _empty_texts(corpus: Corpus) -> Iterator[Finding]:
    with_text = {document.author for document in corpus if document.text.strip()}
    empty = [document for document in corpus if not document.text.strip()]
    paths = tuple(document.path for document in empty if document.author in with_text)
    if paths:
        what = quantity(len(paths), "text is", "texts are")
        message = f"{what} empty and left out: {join_names(paths)}; delete them, or add text"
        yield Finding("warning", "empty-text", message, paths)
    for author in sorted({document.author for document in empty} - with_text):
        paths = tuple(document.path for document in empty if document.author == author)
        message = (
            f"{author} has no text, as all files or rows are empty: {join_names(paths, 100)}; "
            "delete them, or add text"
        )
        yield Finding("error", "author-without-text", message, paths)


def _too_few_authors(filled: Sequence[Document], min_authors: int) -> Iterator[Finding]:
    authors = sorted({document.author for document in filled})
    if len(authors) < min_authors:
        message = (
            f"{quantity(min_authors, 'author is', 'authors are')} needed, and there "
            f"{'is' if len(authors) == 1 else 'are'} "
            f"{len(authors)}: {join_names(authors) or 'no text by anyone'}; add texts by others, "
            "or name the folder that holds the authors' folders"
        )
        yield Finding("error", "too-few-authors", message, tuple(d.path for d in filled))


def _duplicates(filled: Sequence[Document]) -> Iterator[Finding]:
    groups: dict[bytes, list[Document]] = defaultdict(list)
    for document in filled:
        words = " ".join(document.text.split())
        groups[blake2b(words.encode("utf-8", "surrogatepass")).digest()].append(document)
    repeated = [group for group in groups.values() if len(group) > 1]
    across = [group for group in repeated if len({document.author for document in group}) > 1]
    long = [group for group in across if len(group[0].text) >= _MIN_DUPLICATE]
    yield from _same_text(
        "error", "duplicate-across-authors", long,
        "under several authors, of whom one can be right; delete it under the others",
    )  # fmt: skip
    yield from _same_text(
        "warning", "short-duplicate-across-authors", [g for g in across if g not in long],
        "under several authors, and tells them not apart",
    )  # fmt: skip
    yield from _same_text(
        "warning", "duplicate-within-author", [g for g in repeated if g not in across],
        "several times under one author; a split may put it on both sides; keep one of each",
    )  # fmt: skip


def _same_text(
    severity: Severity, code: str, groups: Sequence[Sequence[Document]], what: str
) -> Iterator[Finding]:
    if not groups:
        return
    listed = [" = ".join(document.path for document in group) for group in groups]
    limit = 100 if severity == "error" else 5
    shown = "; ".join(listed[:limit]) + ("" if len(listed) <= limit else "; ...")
    message = f"{quantity(len(groups), 'text stands', 'texts stand')} {what}: {shown}"
    yield Finding(severity, code, message, tuple(d.path for group in groups for d in group))


def _own_names(filled: Sequence[Document]) -> Iterator[Finding]:
    named = {document: name for document in filled if (name := find_own_name(document))}
    if not named:
        return
    examples = [
        f"{name!r} by {document.author} in {document.path}" for document, name in named.items()
    ]
    message = (
        f"the author's own name stands at the start or end of {quantity(len(named), 'text')} "
        f"({join_names(examples)}); a model may learn it instead of the style: delete such lines"
    )
    yield Finding("warning", "own-name", message, tuple(document.path for document in named))


def _spaceless_scripts(filled: Sequence[Document]) -> Iterator[Finding]:
    paths = tuple(document.path for document in filled if is_unspaced(document.text))
    if paths:
        message = (
            f"{quantity(len(paths), 'text is', 'texts are')} in a script without spaces "
            "between words "
            f"(Chinese, Japanese, Thai, ...): {join_names(paths)}; "
            "learn from characters: --unit char"
        )
        yield Finding("warning", "script-without-spaces", message, paths)


def _short_documents(filled: Sequence[Document]) -> Iterator[Finding]:
    paths = tuple(document.path for document in filled if len(document.text) < _SHORT_DOCUMENT)
    if paths:
        message = (
            f"{quantity(len(paths), 'text is', 'texts are')} shorter than {_SHORT_DOCUMENT} "
            f"characters: {join_names(paths)}; too little to tell an author by"
        )
        yield Finding("warning", "short-document", message, paths)


def _little_text(filled: Sequence[Document]) -> Iterator[Finding]:
    sizes: Counter[str] = Counter()
    for document in filled:
        sizes[document.author] += len(document.text)
    middle = median(sizes.values()) if sizes else 0
    uneven = {author for author, size in sizes.items() if size < _MIN_SHARE_OF_MEDIAN * middle}
    little = {author for author, size in sizes.items() if size < _MIN_AUTHOR} - uneven
    if uneven:
        message = (
            f"{quantity(len(uneven), 'author has', 'authors have')} far less text than the others: "
            f"{_listed(sizes, uneven)}, where the middle author has {middle:,.0f}; where all are "
            "learnt from equal amounts, this is all that is used of anyone: add text, or leave "
            "them out"
        )
        yield Finding("warning", "imbalanced-authors", message, _paths_by(filled, uneven))
    if little:
        some = quantity(len(little), "author has", "authors have")
        who = "every author has" if len(sizes) == len(little) > 1 else some
        message = (
            f"{who} less text than the {_MIN_AUTHOR:,} characters below which little is learnt: "
            f"{_listed(sizes, little)}; add text"
        )
        yield Finding("warning", "too-little-text", message, _paths_by(filled, little))


def _listed(sizes: Mapping[str, int], authors: Set[str]) -> str:
    smallest = sorted((sizes[author], author) for author in authors)
    return join_names([f"{author} ({quantity(size, 'character')})" for size, author in smallest])


def _paths_by(filled: Sequence[Document], authors: Set[str]) -> tuple[str, ...]:
    return tuple(document.path for document in filled if document.author in authors)


def _similar_authors(candidates: Sequence[str]) -> Iterator[Finding]:
    keyed = sorted((regex.sub(r"[\W_]+", "", name).casefold(), name) for name in candidates)
    pairs = [f"{a!r} and {b!r}" for (key, a), (other, b) in pairwise(keyed) if key and key == other]
    if pairs:
        message = (
            f"names that differ only in case, spaces or marks are taken for different authors: "
            f"{join_names(pairs)}; if they are one, give them one name"
        )
        yield Finding("warning", "similar-author-names", message)


def _parts_as_authors(candidates: Sequence[str]) -> Iterator[Finding]:
    if candidates and all(name.casefold() in _PARTS_OF_A_STUDY for name in candidates):
        message = (
            f"{join_names(candidates)} are taken for authors; if they are the parts of a study, "
            "name the one that holds the authors' folders"
        )
        yield Finding("warning", "subset-as-author", message)
