"""Find conventions of editions in which the texts of different authors differ."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from byline.corpus.checking.edits import quote
from byline.corpus.document import Document, Finding, Severity
from byline.formatting import join_names
from byline.typography import Normalization
from byline.typography.comparison import FormDifference, KnownForms
from byline.typography.conventions import CONVENTIONS, Convention
from byline.typography.lines import unwrap
from byline.typography.typographic_forms import TYPOGRAPHY

_EXAMPLE = 60  # characters


def find_convention_differences(documents: Sequence[Document]) -> Iterator[Finding]:
    """Yield findings about conventions in which most texts of some authors differ from others'.

    Parameters
    ----------
    documents : sequence of Document
        With the line breaks of their files, or without.
    """
    edition = Normalization.parse("edition")
    normalized = [replace(each, text=edition.apply(unwrap(each.text))) for each in documents]
    yield from _findings(
        normalized,
        CONVENTIONS,
        "different-conventions",
        "warning",
        "When a model is trained, Byline removes these differences, except in spelling, from all "
        "texts and adds a caveat to every answer. If you can, use texts of the same edition or "
        "form.",
    )
    yield from _findings(
        documents,
        TYPOGRAPHY,
        "different-typography",
        "note",
        "Byline makes them alike when it reads the texts (`byline corpus show`), so that they do "
        "not decide an answer.",
    )


def _findings(
    documents: Sequence[Document],
    conventions: Mapping[str, Convention],
    code: str,
    severity: Severity,
    advice: str,
) -> Iterator[Finding]:
    texts, authors = [each.text for each in documents], [each.author for each in documents]
    differences = KnownForms.of(texts, authors, conventions).differences()
    if not differences:
        return
    names = [each.convention.replace("-", " ") for each in differences]
    shown, paths = [], []
    for difference in differences:
        convention = conventions[difference.convention]
        described, own = _describe(documents, convention, difference)
        shown.append(f"{convention.name.replace('-', ' ').capitalize()}: {described}.")
        paths += own
    message = (
        f"The texts of different authors differ in {join_names(names)}, as editions and file "
        f"formats do. {advice} {' '.join(shown)}"
    )
    yield Finding(severity, code, message, _distinct(paths))


def _describe(
    documents: Sequence[Document], convention: Convention, difference: FormDifference
) -> tuple[str, list[str]]:
    """Describe the forms with counts and an example each; return the unusual texts' paths, too."""
    forms = {document: convention.find(document.text) for document in documents}
    parts, unusual = [], []
    for form, authors in difference.authors.items():
        own = [document for document in documents if document.author in authors]
        having = [document for document in own if forms[document] == form] or own
        if form != next(iter(convention.forms)):
            unusual += [document.path for document in having]
        example = f"{having[0].path}: {quote(having[0].text[:_EXAMPLE])}"
        parts.append(
            f"by {join_names(authors)}, the text {convention.forms[form]} ({len(having):,} of "
            f"{len(own):,} texts, such as {example})"
        )
    return "; ".join(parts), unusual


def _distinct(paths: Sequence[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(paths))
