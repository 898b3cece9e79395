"""All that a careful reader would want mended in known texts before anything is learnt."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from byline.corpus.basic_checks import check_corpus
from byline.corpus.checking import messages
from byline.corpus.checking.boilerplate import find_boilerplate
from byline.corpus.checking.edits import CleaningStep, Edit, apply_edits, without_overlaps
from byline.corpus.checking.emails import find_email_parts
from byline.corpus.checking.languages import find_languages
from byline.corpus.checking.mojibake import find_lost_characters, find_mojibake
from byline.corpus.checking.near_duplicates import find_overlaps
from byline.corpus.checking.needs_review import count_speakers, find_common_lines, find_tags
from byline.corpus.checking.own_names import find_own_name_lines
from byline.corpus.checking.page_headers import find_page_headers
from byline.corpus.document import Corpus, Document
from byline.corpus.extraction import ExcludedPart, merge_excluded
from byline.corpus.findings import Finding
from byline.progress import Progress

Finder = Callable[[Document], list[Edit]]

# In the order in which they are mended.
FINDERS: Mapping[CleaningStep, Finder] = {
    CleaningStep.MOJIBAKE: find_mojibake,
    CleaningStep.BOILERPLATE: find_boilerplate,
    CleaningStep.EMAIL: find_email_parts,
    CleaningStep.PAGE_HEADERS: find_page_headers,
    CleaningStep.OWN_NAMES: find_own_name_lines,
}
_N_PASSES = 3


@dataclass(frozen=True, slots=True)
class AuthorSize:
    """How much text there is of one author.

    Attributes
    ----------
    author : str
    n_texts, n_words, n_characters : int
        Words are signs in scripts without spaces.
    shortest, longest : int
        Of the texts, in words.
    """

    author: str
    n_texts: int
    n_words: int
    n_characters: int
    shortest: int
    longest: int


@dataclass(frozen=True, slots=True)
class Examination:
    """What was found in known texts.

    Attributes
    ----------
    corpus : str
        Its name.
    sizes : tuple of AuthorSize
        In the order of the names.
    language : str or None
        Of the corpus, ISO 639-1; None where all texts are too short to tell.
    findings : tuple of Finding
        Errors first, then what can be mended by a command.
    excluded : tuple of ExcludedPart
        What files have and their texts have not.
    """

    corpus: str
    sizes: tuple[AuthorSize, ...]
    language: str | None
    findings: tuple[Finding, ...]
    excluded: tuple[ExcludedPart, ...]

    @property
    def has_errors(self) -> bool:
        """Whether nothing can be learnt before something is mended."""
        return any(finding.severity == "error" for finding in self.findings)

    @property
    def cleaning_steps(self) -> tuple[CleaningStep, ...]:
        """What `byline corpus mend` would mend."""
        named = {finding.cleaning_step for finding in self.findings}
        return tuple(kind for kind in CleaningStep if kind in named)


def examine(
    corpus: Corpus,
    *,
    language: str | None = None,
    findings: Sequence[Finding] = (),
    unit: str = "word",
    progress: Progress | None = None,
) -> Examination:
    """Look for all that spoils learning, or flatters an evaluation.

    Parameters
    ----------
    corpus : Corpus
        Best with the line breaks of its files (`restore_line_breaks`): page headers and the like
        are
        lines.
    language : str, optional
        What the texts are meant to be in, ISO 639-1; else what most are in.
    findings : sequence of Finding
        What was found when they were read.
    unit : {"word", "char"}
        What is to be learnt from, as in `check_corpus`.
    progress : Progress, optional
        Told of each text, three times.

    Returns
    -------
    Examination
        Beside the findings of `check_corpus` it may have these. With a command that mends:
        ``mojibake``, ``html-entity``, ``control-character``, ``gutenberg``, ``editors-line``,
        ``licence``, ``credit-line``, ``email-headers``, ``quoted-lines``, ``email-signature``,
        ``page-header``, ``own-name-line``, ``near-duplicate-within-author``. For a human:
        ``near-duplicate-across-authors``, ``shared-text-across-authors``,
        ``shared-text-within-author``, ``other-language``, ``foreign-passage``,
        ``unrecoverable-character``, ``markup-tag``, ``several-speakers``, ``common-line``.

    Raises
    ------
    UsageError
        ``language`` or ``unit`` is none that is known.
    """
    filled = [document for document in corpus if document.text.strip()]
    total = _N_PASSES * len(filled)
    places, mended = _find_places(filled, _part(progress, 0, total))
    overlaps = find_overlaps(filled, _part(progress, len(filled), total))
    languages = find_languages(filled, language, _part(progress, 2 * len(filled), total))
    found = [
        *findings,
        *_checked(corpus, unit),
        *_own_names(mended, unit),
        *messages.about_places(places),
        *messages.about_overlaps(filled, overlaps.pairs),
        *messages.about_languages(filled, languages),
        *messages.about_lost_characters(
            {document: lost for document in filled if (lost := find_lost_characters(document))}
        ),
        *messages.about_tags(
            {document: tags for document in filled if (tags := find_tags(document))}
        ),
        *messages.about_speakers(
            {document: n for document in filled if (n := count_speakers(document))}
        ),
        *messages.about_common_lines(filled, find_common_lines(mended)),
    ]
    return Examination(
        corpus.name,
        tuple(_sizes(filled, overlaps.n_words)),
        languages.main,
        tuple(sorted(found, key=_rank)),
        merge_excluded(document.excluded for document in corpus),
    )


def find_edits(document: Document, kind: CleaningStep) -> list[Edit]:
    """Find what of one kind is to be mended in a text, in its order and without overlaps."""
    return list(without_overlaps(FINDERS[kind](document)))


def _rank(finding: Finding) -> tuple[bool, bool]:
    return finding.severity != "error", finding.cleaning_step is None


def _find_places(
    filled: Sequence[Document], progress: Progress | None
) -> tuple[dict[str, list[tuple[Document, Edit]]], list[Document]]:
    """Return what there is to mend, by its code, and the documents once that is mended."""
    places: dict[str, list[tuple[Document, Edit]]] = defaultdict(list)
    mended: list[Document] = []
    for number, document in enumerate(filled, start=1):
        edits = [edit for kind in FINDERS for edit in find_edits(document, kind)]
        for edit in edits:
            places[edit.code].append((document, edit))
        mended.append(replace(document, text=apply_edits(document.text, edits)))
        if progress is not None:
            progress(number, len(filled), document.path)
    return places, mended


def _checked(corpus: Corpus, unit: str) -> Iterator[Finding]:
    for finding in check_corpus(corpus, unit=unit):
        if finding.code == "duplicate-within-author":
            yield replace(finding, cleaning_step=CleaningStep.DUPLICATES)
        elif finding.code != "own-name":
            yield finding


def _own_names(mended: Sequence[Document], unit: str) -> Iterator[Finding]:
    """Find own names in sentences; lines of them are found by themselves."""
    for finding in check_corpus(Corpus(mended, ""), min_authors=0, unit=unit):
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


def _part(progress: Progress | None, before: int, whole: int) -> Progress | None:
    if progress is None:
        return None

    def report(done: int, total: int, what: str) -> None:
        progress(before + done, whole, what)

    return report
