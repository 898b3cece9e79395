"""Word the findings of an examination: what is wrong, where, and what to do."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from byline.corpus.checking.edits import CleaningStep, Edit, line_number, quote
from byline.corpus.checking.languages import ForeignPassage, Languages, are_similar
from byline.corpus.checking.near_duplicates import NEAR_DUPLICATE, Overlap
from byline.corpus.checking.needs_review import CommonLine
from byline.corpus.document import Document, Finding
from byline.formatting import join_names, percent, quantity, short_percent

# An edit with the document that it belongs to.
DocumentEdit = tuple[Document, Edit]
# A document, a position in its text, and a description of what is there.
Example = tuple[Document, int, str]

_N_EXAMPLES = 3
_N_PAIRS = 5
# Maps each code to the step that fixes it, what the texts contain, and why that is a problem.
_CLEANABLE: Mapping[str, tuple[CleaningStep, str, str]] = {
    "mojibake": (CleaningStep.MOJIBAKE, "characters that were decoded with the wrong encoding",
        "They create words that the author did not write."),
    "html-entity": (CleaningStep.MOJIBAKE, "HTML entities",
        "They create words that the author did not write."),
    "control-character": (CleaningStep.MOJIBAKE, "control characters",
        "They were left by other programs."),
    "gutenberg": (CleaningStep.BOILERPLATE, "the header or licence of Project Gutenberg",
        "A model would attribute these words to the author."),
    "editors-line": (CleaningStep.BOILERPLATE, "lines about who produced the electronic text",
        "A model would attribute these words to the author."),
    "licence": (CleaningStep.BOILERPLATE, "a licence or copyright notice at the start or end",
        "A model would attribute these words to the author."),
    "credit-line": (CleaningStep.BOILERPLATE, "a news agency's credit line",
        "A model would recognise the news desk instead of the author's style."),
    "email-headers": (CleaningStep.EMAIL, "e-mail headers",
        "They identify the author by name and address instead of style."),
    "quoted-lines": (CleaningStep.EMAIL, "lines quoted from other people's e-mails",
        "The author did not write them."),
    "email-signature": (CleaningStep.EMAIL, "an e-mail signature",
        "It identifies the author by name and address instead of style."),
    "email-disclaimer": (CleaningStep.EMAIL, "a disclaimer that a mail server or an office added",
        "The author did not write it."),
    "page-header": (CleaningStep.PAGE_HEADERS, "page headers, footers or page numbers",
        "They interrupt sentences, and they make the words of a title too frequent."),
    "own-name-line": (CleaningStep.OWN_NAMES, "the author's own name in a line at the start or end",
        "A model could learn the name instead of the style."),
}  # fmt: skip


def findings_about_edits(edits: Mapping[str, Sequence[DocumentEdit]]) -> Iterator[Finding]:
    """Yield one finding for each code of the edits that cleaning would make."""
    for code, (step, what, why) in _CLEANABLE.items():
        found = edits.get(code)
        if not found:
            continue
        paths = _paths(document for document, _ in found)
        examples = [(document, edit.start, _describe(document, edit)) for document, edit in found]
        message = f"{_texts_contain(len(paths))} {what}: {_show_examples(examples)}. {why}"
        yield Finding("warning", code, message, paths, step)


def findings_about_overlaps(
    documents: Sequence[Document], pairs: Sequence[Overlap]
) -> Iterator[Finding]:
    """Yield findings about texts that share many words, but are not exactly the same."""
    near = [each for each in pairs if not _is_same(documents[each.text], documents[each.source])]
    across = [each for each in near if documents[each.text].author != documents[each.source].author]
    within = [each for each in near if documents[each.text].author == documents[each.source].author]
    definition = f"one contains {short_percent(NEAR_DUPLICATE)} or more of the other's words"
    yield from _about_pairs(
        documents, [each for each in across if each.share >= NEAR_DUPLICATE],
        "near-duplicate-across-authors",
        f"by different authors are near-duplicates ({definition})",
        "Keep the text under the author who wrote it. If both wrote it, remove it.",
    )  # fmt: skip
    yield from _about_pairs(
        documents, [each for each in across if each.share < NEAR_DUPLICATE],
        "shared-text-across-authors",
        "by different authors share long passages",
        "Check whether one text quotes the other or both authors wrote the passages, and remove "
        "what is not the author's own.",
    )  # fmt: skip
    yield from _about_pairs(
        documents, [each for each in within if each.share >= NEAR_DUPLICATE],
        "near-duplicate-within-author",
        f"by the same author are near-duplicates ({definition})",
        "If one of them is tested while the other is known, the measured accuracy is too high. "
        "Keep the longer one.",
        CleaningStep.DUPLICATES,
    )  # fmt: skip
    yield from _about_pairs(
        documents, [each for each in within if each.share < NEAR_DUPLICATE],
        "shared-text-within-author",
        "by the same author share long passages",
        "Put them into one folder AUTHOR/WORK, or give them the same work in a table, so that a "
        "split keeps them together.",
    )  # fmt: skip


def _about_pairs(
    documents: Sequence[Document],
    pairs: Sequence[Overlap],
    code: str,
    what: str,
    advice: str,
    step: CleaningStep | None = None,
) -> Iterator[Finding]:
    if not pairs:
        return
    shown = [
        f"{documents[each.text].path} ({percent(int(100 * each.share) / 100, 0)} of its words are "
        f"in {documents[each.source].path})"
        for each in pairs
    ]
    paths = _paths(documents[index] for each in pairs for index in (each.text, each.source))
    message = (
        f"{quantity(len(pairs), 'pair')} of texts {what}: {join_names(shown, _N_PAIRS)}. {advice}"
    )
    yield Finding("warning", code, message, paths, step)


def findings_about_languages(
    documents: Sequence[Document], languages: Languages
) -> Iterator[Finding]:
    """Yield findings about texts and passages in a language other than that of the corpus."""
    if languages.main is None:
        return
    other = {
        document: language
        for document, language in zip(documents, languages.texts, strict=True)
        if language is not None and not are_similar(language, languages.main)
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
        f"{quantity(len(other), 'text is', 'texts are')} in a language other than that of the "
        f"corpus ({main}): {join_names(named)}. A model would distinguish languages instead of "
        "styles. Remove these texts, or examine each language separately."
    )
    return Finding("warning", "other-language", message, _paths(other))


def _foreign_passages(passages: Sequence[tuple[Document, ForeignPassage]], main: str) -> Finding:
    examples = [
        (
            document,
            found.start,
            f"{quote(document.text[found.start : found.end])} ({found.language})",
        )
        for document, found in sorted(passages, key=lambda each: -each[1].length)
    ]
    paths = _paths(document for document, _ in passages)
    message = (
        f"{_texts_contain(len(paths))} {quantity(len(passages), 'passage')} in a language other "
        f"than that of the corpus ({main}): {_show_examples(examples)}. Remove quotations if they "
        "are a large part of the text."
    )
    return Finding("warning", "foreign-passage", message, paths)


def findings_about_unrecoverable_characters(
    positions: Mapping[Document, Sequence[int]],
) -> Iterator[Finding]:
    """Yield a finding about damaged characters that cannot be repaired."""
    yield from _about_positions(
        "unrecoverable-character",
        positions,
        "damaged characters that cannot be recovered",
        "Look them up in the source, or extract the text from the source again.",
    )


def findings_about_tags(positions: Mapping[Document, Sequence[int]]) -> Iterator[Finding]:
    """Yield a finding about HTML tags in plain text."""
    yield from _about_positions(
        "markup-tag",
        positions,
        "HTML tags",
        "Save the source as .html, so that Byline extracts the text from it, or delete the tags.",
    )


def _about_positions(
    code: str, positions: Mapping[Document, Sequence[int]], what: str, advice: str
) -> Iterator[Finding]:
    if not positions:
        return
    examples = [
        (document, found[0], quote(document.text[max(0, found[0] - 20) : found[0] + 30]))
        for document, found in positions.items()
    ]
    n_places = sum(map(len, positions.values()))
    message = (
        f"{_texts_contain(len(positions))} {what} ({quantity(n_places, 'place')}): "
        f"{_show_examples(examples)}. {advice}"
    )
    yield Finding("warning", code, message, _paths(positions))


def findings_about_speakers(turns: Mapping[Document, int]) -> Iterator[Finding]:
    """Yield a finding about captions in which several people speak."""
    if not turns:
        return
    named = [
        f"{document.path} ({quantity(n, 'turn')})"
        for document, n in sorted(turns.items(), key=lambda each: -each[1])
    ]
    message = (
        f"{_texts_contain(len(turns))} several speakers, as the sign >> shows: "
        f"{join_names(named)}. Remove what other people say, or remove these texts."
    )
    yield Finding("warning", "several-speakers", message, _paths(turns))


def findings_about_common_lines(
    documents: Sequence[Document], lines: Sequence[CommonLine]
) -> Iterator[Finding]:
    """Yield a finding about lines that open or close many texts of one author."""
    if not lines:
        return
    shown = [
        f"{quote(each.line)} in {quantity(len(each.texts), 'text')} by {each.author}"
        for each in lines
    ]
    paths = _paths(documents[index] for each in lines for index in each.texts)
    message = (
        f"{quantity(len(lines), 'line opens or closes', 'lines open or close')} several texts by "
        f"one author and no text by the others: {join_names(shown, _N_EXAMPLES)}. A model could "
        "learn such a line instead of the style. Remove it where the author did not write it."
    )
    yield Finding("warning", "common-line", message, paths)


def _texts_contain(n_texts: int) -> str:
    return quantity(n_texts, "text contains", "texts contain")


def _is_same(one: Document, other: Document) -> bool:
    return one.text.split() == other.text.split()


def _paths(documents: Iterable[Document]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(document.path for document in documents))


def _describe(document: Document, edit: Edit) -> str:
    before = quote(document.text[edit.start : edit.end])
    return f"{before} instead of {quote(edit.replacement)}" if edit.replacement.strip() else before


def _show_examples(found: Sequence[Example]) -> str:
    """Show a few examples, if possible from different texts, and count the others."""
    first = list({each[0].path: each for each in reversed(found)}.values())
    chosen = first[::-1][:_N_EXAMPLES] if len(first) >= _N_EXAMPLES else found[:_N_EXAMPLES]
    shown = [
        f"{document.path}, line {line_number(document.text, position)}: {what}"
        for document, position, what in chosen
    ]
    n_more = len(found) - len(shown)
    return "; ".join(shown) + (f"; and {n_more:,} more" if n_more else "")
