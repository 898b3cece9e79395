"""What a check says: what is wrong, where, and how to mend it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from byline.corpus.checking.edits import CleaningStep, Edit, line_number, quote
from byline.corpus.checking.languages import ForeignPassage, Languages, are_alike
from byline.corpus.checking.near_duplicates import NEAR_DUPLICATE, Overlap
from byline.corpus.checking.needs_review import CommonLine
from byline.corpus.document import Document
from byline.corpus.findings import Finding
from byline.formatting import join_names, quantity

Place = tuple[Document, Edit]
# A text, where in it, and what is shown of that.
Example = tuple[Document, int, str]

_N_EXAMPLES = 3
_N_PAIRS = 5
# Code of a finding -> what mends it, what texts have, and what it does.
_MENDABLE: Mapping[str, tuple[CleaningStep, str, str]] = {
    "mojibake": (CleaningStep.MOJIBAKE, "characters decoded by a wrong encoding",
        "they make words that nobody wrote"),
    "html-entity": (CleaningStep.MOJIBAKE, "characters written as HTML does",
        "they make words that nobody wrote"),
    "control-character": (CleaningStep.MOJIBAKE, "control characters",
        "programs have left them"),
    "gutenberg": (CleaningStep.BOILERPLATE, "the header or licence of Project Gutenberg",
        "a model takes it for the author's words"),
    "editors-line": (CleaningStep.BOILERPLATE, "lines about who prepared the electronic text",
        "a model takes them for the author's words"),
    "licence": (CleaningStep.BOILERPLATE, "a licence or a note of copyright at the start or end",
        "a model takes it for the author's words"),
    "credit-line": (CleaningStep.BOILERPLATE, "an agency's line with a desk or telephone",
        "it tells the author by the desk, and not by the style"),
    "email-headers": (CleaningStep.EMAIL, "headers of e-mails",
        "they tell the author by name and address"),
    "quoted-lines": (CleaningStep.EMAIL, "lines quoted from others' e-mails",
        "these are another's words"),
    "email-signature": (CleaningStep.EMAIL, "the signature of an e-mail",
        "it tells the author by name and address"),
    "page-header": (CleaningStep.PAGE_HEADERS, "headers, footers or numbers of pages among "
    "the lines",
        "they part sentences, and repeat a title as if it were the author's favourite word"),
    "own-name-line": (CleaningStep.OWN_NAMES, "a line with the author's own name at the "
    "start or end",
        "a model may learn it instead of the style"),
}  # fmt: skip


def about_places(places: Mapping[str, Sequence[Place]]) -> Iterator[Finding]:
    """Tell of what is to be mended in texts, by code."""
    for code, (kind, what, why) in _MENDABLE.items():
        found = places.get(code)
        if not found:
            continue
        paths = _paths(document for document, _ in found)
        shown = [(document, edit.start, _described(document, edit)) for document, edit in found]
        message = (
            f"{quantity(len(paths), 'text has', 'texts have')} {what}: {_examples(shown)}; {why}"
        )
        yield Finding("warning", code, message, paths, kind)


def about_overlaps(documents: Sequence[Document], pairs: Sequence[Overlap]) -> Iterator[Finding]:
    """Tell of texts that have each other's words, but are not the same to the letter."""
    near = [each for each in pairs if not _is_same(documents[each.text], documents[each.source])]
    across = [each for each in near if documents[each.text].author != documents[each.source].author]
    within = [each for each in near if documents[each.text].author == documents[each.source].author]
    yield from _pairs(
        documents, [each for each in across if each.share >= NEAR_DUPLICATE],
        "near-duplicate-across-authors",
        f"stand under two authors: one has {NEAR_DUPLICATE:.0%} or more of the other's words",
        "of whom one can be right, or both wrote it; keep it under one, or leave it out",
    )  # fmt: skip
    yield from _pairs(
        documents, [each for each in across if each.share < NEAR_DUPLICATE],
        "shared-text-across-authors",
        "share long passages, under two authors",
        "is one a quotation of the other, or did both write it? Take out what is not the author's",
    )  # fmt: skip
    yield from _pairs(
        documents, [each for each in within if each.share >= NEAR_DUPLICATE],
        "near-duplicate-within-author",
        f"are twins under one author: one has {NEAR_DUPLICATE:.0%} or more of the other's words",
        "an evaluation that questions one and knows the other is flattered; keep the longer one",
        CleaningStep.DUPLICATES,
    )  # fmt: skip
    yield from _pairs(
        documents, [each for each in within if each.share < NEAR_DUPLICATE],
        "shared-text-within-author",
        "share long passages, under one author",
        "put them into one folder AUTHOR/WORK, or give them one work in a table, so that a split "
        "keeps them together",
    )  # fmt: skip


def _pairs(
    documents: Sequence[Document],
    pairs: Sequence[Overlap],
    code: str,
    what: str,
    advice: str,
    kind: CleaningStep | None = None,
) -> Iterator[Finding]:
    if not pairs:
        return
    shown = [
        (documents[each.text].path, int(100 * each.share), documents[each.source].path)
        for each in pairs
    ]
    listed = [f"{text} ({share} % of it in {source})" for text, share, source in shown]
    paths = _paths(documents[place] for each in pairs for place in (each.text, each.source))
    message = (
        f"{quantity(len(pairs), 'pair')} of texts {what}: {join_names(listed, _N_PAIRS)}; {advice}"
    )
    yield Finding("warning", code, message, paths, kind)


def about_languages(documents: Sequence[Document], languages: Languages) -> Iterator[Finding]:
    """Tell of texts and passages in another language than the corpus."""
    if languages.main is None:
        return
    other = {
        document: language
        for document, language in zip(documents, languages.texts, strict=True)
        if language is not None and not are_alike(language, languages.main)
    }
    passages = [
        (document, passage)
        for document, found in zip(documents, languages.passages, strict=True)
        for passage in found
    ]
    if other:
        yield _other_languages(other, languages.main)
    if passages:
        yield _foreign_passages(passages, languages.main)


def _other_languages(other: Mapping[Document, str], main: str) -> Finding:
    named = [f"{document.path} ({language})" for document, language in other.items()]
    message = (
        f"{quantity(len(other), 'text is', 'texts are')} in another language than the others "
        f"({main}): {join_names(named)}; language would tell authors apart, and not style: "
        "leave such texts out, or compare each language by itself"
    )
    return Finding("warning", "other-language", message, _paths(other))


def _foreign_passages(passages: Sequence[tuple[Document, ForeignPassage]], main: str) -> Finding:
    shown = [
        (
            document,
            found.start,
            f"{quote(document.text[found.start : found.end])} ({found.language})",
        )
        for document, found in sorted(passages, key=lambda each: -each[1].length)
    ]
    paths = _paths(document for document, _ in passages)
    message = (
        f"{quantity(len(paths), 'text has', 'texts have')} {quantity(len(passages), 'passage')} in "
        f"another language than the corpus ({main}): {_examples(shown)}; take out what is "
        "quoted, if it is much of the text"
    )
    return Finding("warning", "foreign-passage", message, paths)


def about_lost_characters(lost: Mapping[Document, Sequence[int]]) -> Iterator[Finding]:
    """Tell of characters of which it is unclear what they were."""
    yield from _human(
        "unrecoverable-character",
        lost,
        "characters of which it is unclear what they were",
        "look them up in the source, or take the text from it anew",
    )


def about_tags(tags: Mapping[Document, Sequence[int]]) -> Iterator[Finding]:
    """Tell of tags of HTML in what is read as plain text."""
    yield from _human(
        "markup-tag",
        tags,
        "tags of HTML among the words",
        "save the source as .html, and Byline reads the text in it; or take the tags out",
    )


def _human(
    code: str, places: Mapping[Document, Sequence[int]], what: str, advice: str
) -> Iterator[Finding]:
    if not places:
        return
    shown = [
        (document, found[0], quote(document.text[max(0, found[0] - 20) : found[0] + 30]))
        for document, found in places.items()
    ]
    n_places = sum(map(len, places.values()))
    message = (
        f"{quantity(len(places), 'text has', 'texts have')} {what} "
        f"({quantity(n_places, 'place')}): "
        f"{_examples(shown)}; {advice}"
    )
    yield Finding("warning", code, message, _paths(places))


def about_speakers(turns: Mapping[Document, int]) -> Iterator[Finding]:
    """Tell of captions in which several people speak."""
    if not turns:
        return
    named = [
        f"{document.path} ({quantity(n, 'turn')})"
        for document, n in sorted(turns.items(), key=lambda each: -each[1])
    ]
    message = (
        f"{quantity(len(turns), 'text has', 'texts have')} marks of a new speaker (>>): "
        f"{join_names(named)}; take out what others say, or leave such texts out"
    )
    yield Finding("warning", "several-speakers", message, _paths(turns))


def about_common_lines(
    documents: Sequence[Document], lines: Sequence[CommonLine]
) -> Iterator[Finding]:
    """Tell of lines that open or close many texts of one author."""
    if not lines:
        return
    shown = [
        f"{quote(each.line)} in {quantity(len(each.texts), 'text')} of {each.author}"
        for each in lines
    ]
    paths = _paths(documents[place] for each in lines for place in each.texts)
    message = (
        f"{quantity(len(lines), 'line opens or closes', 'lines open or close')} several texts "
        "of one "
        f"author and none of the others': {join_names(shown, _N_EXAMPLES)}; a model may learn it "
        "instead of the style: take it out where the author did not write it"
    )
    yield Finding("warning", "common-line", message, paths)


def _is_same(one: Document, other: Document) -> bool:
    return one.text.split() == other.text.split()


def _paths(documents: Iterable[Document]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(document.path for document in documents))


def _described(document: Document, edit: Edit) -> str:
    stood = document.text[edit.start : edit.end]
    if edit.replacement.strip():
        return f"{quote(stood)} for {quote(edit.replacement)}"
    return quote(stood)


def _examples(found: Sequence[Example]) -> str:
    """Show some places, of different texts where there are, and how many more there are."""
    first = list({each[0].path: each for each in reversed(found)}.values())
    chosen = first[::-1][:_N_EXAMPLES] if len(first) >= _N_EXAMPLES else found[:_N_EXAMPLES]
    shown = [
        f"{document.path}, line {line_number(document.text, place)}: {what}"
        for document, place, what in chosen
    ]
    more = len(found) - len(shown)
    return "; ".join(shown) + (f"; and {more:,} more" if more else "")
