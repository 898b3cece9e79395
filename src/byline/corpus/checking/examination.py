"""Examine known texts for everything that would harm training or distort an evaluation."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from byline.corpus.basic_checks import check_corpus
from byline.corpus.checking import messages
from byline.corpus.checking.boilerplate import find_boilerplate
from byline.corpus.checking.conventions import find_convention_differences
from byline.corpus.checking.edits import CleaningStep, Edit, apply_edits, without_overlaps
from byline.corpus.checking.emails import find_email_parts
from byline.corpus.checking.languages import find_languages
from byline.corpus.checking.mojibake import find_mojibake, find_unrecoverable_characters
from byline.corpus.checking.near_duplicates import find_overlaps
from byline.corpus.checking.needs_review import (
    count_speaker_turns,
    find_common_lines,
    find_own_name_lines,
    find_speakers,
    find_tags,
)
from byline.corpus.checking.page_headers import find_page_headers
from byline.corpus.document import Corpus, Document, Finding
from byline.corpus.extraction import ExcludedPart, merge_excluded
from byline.corpus.readers.speakers import speaker_findings
from byline.progress import PartialProgress, Progress, Stage, announce

Finder = Callable[[Document], list[Edit]]

# In the order in which `clean_corpus` runs them.
FINDERS: Mapping[CleaningStep, Finder] = {
    CleaningStep.MOJIBAKE: find_mojibake,
    CleaningStep.BOILERPLATE: find_boilerplate,
    CleaningStep.EMAIL: find_email_parts,
    CleaningStep.PAGE_HEADERS: find_page_headers,
    CleaningStep.OWN_NAMES: find_own_name_lines,
}
_PASSES = ("cleaning steps", "overlaps", "languages")


@dataclass(frozen=True, slots=True)
class AuthorSize:
    """The amount of text by one author.

    Attributes
    ----------
    author : str
    n_texts, n_words, n_characters : int
        In scripts without spaces between words, characters are counted as words.
    shortest, longest : int
        The lengths of the shortest and the longest text in words.

    See Also
    --------
    Examination : The result that contains these sizes.

    Examples
    --------
    >>> from byline.corpus.checking import AuthorSize
    >>> size = AuthorSize("Ada", n_texts=2, n_words=9, n_characters=40, shortest=4, longest=5)
    >>> size.n_words / size.n_texts
    4.5
    """

    author: str
    n_texts: int
    n_words: int
    n_characters: int
    shortest: int
    longest: int


@dataclass(frozen=True, slots=True)
class Examination:
    """The result of examining known texts.

    Attributes
    ----------
    corpus : str
        The name of the corpus.
    sizes : tuple of AuthorSize
        The amount of text per author, in alphabetical order.
    language : str or None
        The ISO 639-1 code of the corpus language. None if all texts are too short to identify.
    findings : tuple of Finding
        All problems: errors first, then warnings that ``byline corpus clean`` can fix.
    excluded : tuple of ExcludedPart
        What the files contain but the texts do not.

    See Also
    --------
    examine : Examine a corpus.

    Examples
    --------
    >>> from byline.corpus import Finding
    >>> from byline.corpus.checking import CleaningStep, Examination
    >>> findings = (Finding("warning", "mojibake", "...", ("1.txt",), CleaningStep.MOJIBAKE),)
    >>> examination = Examination("letters", (), "en", findings, ())
    >>> examination.has_errors
    False
    >>> [str(step) for step in examination.cleaning_steps]
    ['mojibake']
    """

    corpus: str
    sizes: tuple[AuthorSize, ...]
    language: str | None
    findings: tuple[Finding, ...]
    excluded: tuple[ExcludedPart, ...]

    @property
    def has_errors(self) -> bool:
        """Whether there are errors, so that no model can be trained on the corpus."""
        return any(finding.severity == "error" for finding in self.findings)

    @property
    def cleaning_steps(self) -> tuple[CleaningStep, ...]:
        """The steps of ``byline corpus clean`` that would fix something."""
        needed = {finding.cleaning_step for finding in self.findings}
        return tuple(step for step in CleaningStep if step in needed)


def examine(
    corpus: Corpus,
    *,
    language: str | None = None,
    findings: Sequence[Finding] = (),
    unit: str = "word",
    progress: Progress | None = None,
) -> Examination:
    """Look for everything in a corpus that would harm training or distort an evaluation.

    Parameters
    ----------
    corpus : Corpus
        Read with `read_for_checking`, because page headers and the like can only be found if the
        line breaks of the files are kept.
    language : str, optional
        The ISO 639-1 code of the language that the texts should be in. By default, the language of
        most texts.
    findings : sequence of Finding
        Findings of the readers, which become part of the result.
    unit : {"word", "char"}
        The tokens that a model will be trained on, as in `check_corpus`.
    progress : Progress, optional
        Called three times per text.

    Returns
    -------
    Examination
        It has the findings of `check_corpus` and those below.

        ``byline corpus clean`` can fix ``mojibake``, ``html-entity``, ``control-character``,
        ``gutenberg``, ``editors-line``, ``licence``, ``credit-line``, ``email-headers``,
        ``quoted-lines``, ``email-signature``, ``email-disclaimer``, ``page-header``,
        ``own-name-line`` and ``near-duplicate-within-author``.

        A person must decide about ``near-duplicate-across-authors``,
        ``shared-text-across-authors``, ``shared-text-within-author``, ``other-language``,
        ``foreign-passage``, ``unrecoverable-character``, ``markup-tag``, ``several-speakers``,
        ``common-line`` and ``different-conventions``. ``different-typography`` is a note.

    Raises
    ------
    UsageError
        ``language`` or ``unit`` is invalid.

    See Also
    --------
    byline.corpus.check_corpus : Run the quick checks only.
    byline.corpus.cleaning.clean_corpus : Fix what needs no decision.

    Examples
    --------
    >>> from byline.corpus import Corpus, Document
    >>> from byline.corpus.checking import examine
    >>> looms = " ".join(f"The loom hummed all day in room {n}." for n in range(200))
    >>> ships = " ".join(f"A ship came home from the sea in year {n}." for n in range(200))
    >>> documents = [
    ...     Document("Ada", f"{looms} Tea &amp; bread.", "ada/1.txt"),
    ...     Document("Ben", ships, "ben/1.txt"),
    ... ]
    >>> examination = examine(Corpus(documents, "letters"))
    >>> [finding.code for finding in examination.findings]
    ['html-entity']
    """
    filled = [document for document in corpus if document.text.strip()]
    n_texts = len(filled)
    of_edits, of_overlaps, of_languages = _progress_of_passes(progress, n_texts)
    edits, cleaned = _find_all_edits(filled, of_edits)
    overlaps = find_overlaps(filled, of_overlaps)
    languages = find_languages(filled, language, of_languages)
    found = [
        *findings,
        *_basic_checks(corpus, unit),
        *_own_names(cleaned, unit),
        *messages.findings_about_edits(edits),
        *messages.findings_about_overlaps(filled, overlaps.pairs),
        *messages.findings_about_languages(filled, languages),
        *messages.findings_about_unrecoverable_characters(
            {
                document: positions
                for document in filled
                if (positions := find_unrecoverable_characters(document))
            }
        ),
        *messages.findings_about_tags(
            {document: positions for document in filled if (positions := find_tags(document))}
        ),
        *_findings_about_speakers(filled, findings),
        *messages.findings_about_common_lines(filled, find_common_lines(cleaned)),
        *find_convention_differences(cleaned),
    ]
    return Examination(
        corpus.name,
        tuple(_sizes(filled, overlaps.n_words)),
        languages.main,
        tuple(sorted(found, key=_rank)),
        merge_excluded(document.excluded for document in corpus),
    )


def _findings_about_speakers(
    filled: Sequence[Document], findings: Sequence[Finding]
) -> Iterator[Finding]:
    """Yield the findings about texts with several speakers that the readers have not reported."""
    reported = {
        path for finding in findings if finding.code == "several-speakers" for path in finding.paths
    }
    others = [document for document in filled if document.path not in reported]
    yield from speaker_findings(
        {each.path: dialogue for each in others if (dialogue := find_speakers(each))}
    )
    yield from messages.findings_about_speakers(
        {document: n for document in others if (n := count_speaker_turns(document))}
    )


def find_edits(document: Document, step: CleaningStep) -> list[Edit]:
    """Find the edits of one cleaning step, in the order of the text and without overlaps."""
    return list(without_overlaps(FINDERS[step](document)))


def _rank(finding: Finding) -> tuple[bool, bool, bool]:
    is_note = finding.severity == "note"
    return finding.severity != "error", is_note, finding.cleaning_step is None


def _find_all_edits(
    filled: Sequence[Document], progress: Progress | None
) -> tuple[dict[str, list[tuple[Document, Edit]]], list[Document]]:
    """Return the edits of all cleaning steps by code, and the documents after these edits."""
    by_code: dict[str, list[tuple[Document, Edit]]] = defaultdict(list)
    cleaned: list[Document] = []
    for number, document in enumerate(filled, start=1):
        edits = [edit for step in FINDERS for edit in find_edits(document, step)]
        for edit in edits:
            by_code[edit.code].append((document, edit))
        cleaned.append(replace(document, text=apply_edits(document.text, edits)))
        if progress is not None:
            progress(number, len(filled), document.path)
    return by_code, cleaned


_DUPLICATES = frozenset(
    {"duplicate-within-author", "duplicate-across-authors", "short-duplicate-across-authors"}
)


def _basic_checks(corpus: Corpus, unit: str) -> Iterator[Finding]:
    """Yield the findings of `check_corpus`, but not that about own names."""
    for finding in check_corpus(corpus, unit=unit):
        if finding.code in _DUPLICATES:
            yield replace(finding, cleaning_step=CleaningStep.DUPLICATES)
        elif finding.code != "own-name":
            yield finding


def _own_names(cleaned: Sequence[Document], unit: str) -> Iterator[Finding]:
    """Yield the finding about own names in sentences. Lines with own names are already removed."""
    for finding in check_corpus(Corpus(cleaned, ""), min_authors=0, unit=unit):
        if finding.code == "own-name":
            yield finding


def _sizes(filled: Sequence[Document], n_words: Sequence[int]) -> Iterator[AuthorSize]:
    by_author: dict[str, list[int]] = defaultdict(list)
    characters: dict[str, int] = defaultdict(int)
    for document, length in zip(filled, n_words, strict=True):
        by_author[document.author].append(length)
        characters[document.author] += len(document.text)
    for author, words in sorted(by_author.items()):
        yield AuthorSize(author, len(words), sum(words), characters[author], min(words), max(words))


def _progress_of_passes(progress: Progress | None, n_texts: int) -> list[Progress | None]:
    """Announce the passes over the texts, and return a progress function for each of them."""
    if progress is None or not n_texts:
        return [None] * len(_PASSES)
    tenths = [n_texts * (part + 1) // 10 - n_texts * part // 10 for part in range(10)]
    announce(progress, [Stage(name, size) for name in _PASSES for size in tenths])
    total = len(_PASSES) * n_texts
    return [PartialProgress(progress, first, total) for first in range(0, total, n_texts)]
