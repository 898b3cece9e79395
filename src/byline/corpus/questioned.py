"""Read questioned texts, and leave out what their author did not write."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, replace
from pathlib import Path

from byline.corpus.chapters import Chapter, find_chapters
from byline.corpus.checking import CleaningStep
from byline.corpus.cleaning import clean_corpus
from byline.corpus.document import Corpus, Document
from byline.corpus.extraction import ExtractedText, Keep
from byline.corpus.reading_options import DEFAULT_OPTIONS, ReadingOptions
from byline.corpus.text_reading import extract_text
from byline.typography.scripts import count_words

_MAX_EXAMPLE = 60  # characters
# What is left out unless this kind of content is kept.
_STEPS = {
    CleaningStep.BOILERPLATE: Keep.BOILERPLATE,
    CleaningStep.EMAIL: Keep.QUOTATIONS,
    CleaningStep.PAGE_HEADERS: Keep.BOILERPLATE,
}


@dataclass(frozen=True, slots=True)
class LeftOutPart:
    """What was left out of a questioned text because its author did not write it.

    Attributes
    ----------
    code : str
        The code of the finding of ``byline corpus check`` that reports the same in known texts,
        such as ``"quoted-lines"``.
    n_words : int
    example : str
        The beginning of the first passage.

    Examples
    --------
    >>> LeftOutPart("quoted-lines", 600, "> Dear Ann,").n_words
    600
    """

    code: str
    n_words: int
    example: str


@dataclass(frozen=True, slots=True)
class QuestionedText:
    r"""A questioned text without the passages that its author did not write.

    Attributes
    ----------
    extracted : ExtractedText
        Its text is without these passages.
    left_out : tuple of LeftOutPart
        One for each kind of passage.

    Examples
    --------
    >>> found = read_questioned(b"I agree.\n> The river rose.\n> It rained all night.", "a.txt")
    >>> found.text, [part.code for part in found.left_out]
    ('I agree.', ['quoted-lines'])
    """

    extracted: ExtractedText
    left_out: tuple[LeftOutPart, ...] = ()

    @property
    def text(self) -> str:
        """The text that is attributed."""
        return self.extracted.text

    def chapters(self) -> tuple[Chapter, ...]:
        """Find the chapters, by the headings that the format marks or that are printed."""
        return find_chapters(self.text, self.extracted.headings)


def read_questioned(
    source: str | Path | bytes,
    name: str | None = None,
    options: ReadingOptions = DEFAULT_OPTIONS,
    *,
    speaker: str | None = None,
) -> QuestionedText:
    r"""Read a questioned text, and leave out what its author did not write.

    These are quoted replies, headers and signatures of e-mails, headers and licences of electronic
    texts, credit lines and page headers: what ``byline corpus clean`` removes from known texts.

    Parameters
    ----------
    source, name, options, speaker
        As for `byline.corpus.extract_text`. ``"quotations"`` and ``"boilerplate"`` may be kept too.

    Returns
    -------
    QuestionedText

    Raises
    ------
    CorpusError
        The source cannot be read or decoded, or is not a text.
    MissingExtraError
        Its format needs a package that is not installed.

    Examples
    --------
    >>> text = b"It rained.\n\nCopyright 2020 by Ann Lee. All rights reserved."
    >>> read_questioned(text, "a.txt").text
    'It rained.'
    """
    extracted = extract_text(source, name, options, speaker=speaker)
    steps = [step for step, kind in _STEPS.items() if kind not in options.kinds]
    lines = extracted.text if extracted.lines is None else extracted.lines
    cleaned = clean_corpus(Corpus([Document("", lines.rstrip() + "\n", "text")], ""), steps)
    passages: dict[str, list[str]] = defaultdict(list)
    for change in cleaned.changes:
        if change.before.strip():
            passages[change.code].append(change.before)
    if not passages:
        return QuestionedText(extracted)
    text = cleaned.corpus.texts[0].strip() if len(cleaned.corpus) else ""
    if extracted.lines is not None:
        text = options.joiner([text]).join(text).text
    left_out = tuple(
        LeftOutPart(code, sum(map(count_words, found)), _example(found[0]))
        for code, found in passages.items()
    )
    return QuestionedText(replace(extracted, text=text), left_out)


def _example(passage: str) -> str:
    shown = " ".join(passage.split())
    return shown if len(shown) <= _MAX_EXAMPLE else shown[:_MAX_EXAMPLE].rstrip() + " ..."
