"""Make documents of files with several speakers, and report what a user must decide."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from enum import StrEnum

from byline.corpus.dialogue.turns import Dialogue, find_own_speaker
from byline.corpus.document import Document, Finding
from byline.corpus.extraction import ExcludedPart, ExtractedText
from byline.corpus.readers.files import FileText
from byline.corpus.readers.layout import AuthorAndWork
from byline.errors import CorpusError, UsageError
from byline.formatting import join_names, printable, quantity
from byline.named_settings import setting


class Speakers(StrEnum):
    """Whose words to read from a file with several speakers.

    ``OWN`` reads those of the author whose text the file is, if the format states the speakers and
    one of them has the author's name. ``SPLIT`` makes every speaker an author.

    See Also
    --------
    byline.corpus.read_corpus : Takes one of these as ``speakers``.

    Examples
    --------
    >>> [str(each) for each in Speakers]
    ['own', 'split']
    """

    OWN = "own"
    SPLIT = "split"


def documents_of(
    name: str,
    label: AuthorAndWork | None,
    file: FileText,
    speakers: Speakers = Speakers.OWN,
    authors: Collection[str] = (),
) -> tuple[list[Document], bool]:
    """Return the documents of one file: one, or one per speaker or message.

    Parameters
    ----------
    name : str
        The path of the file in the corpus.
    label : AuthorAndWork or None
        None if only the file states who wrote it.
    file : FileText
    speakers : Speakers
    authors : collection of str
        The authors that folders and names of files state, who may be speakers too.

    Returns
    -------
    list of Document, bool
        The documents, and whether the words of several speakers are read as one author's.
    """
    dialogue = file.find_dialogue() if speakers is Speakers.SPLIT else file.dialogue
    if dialogue is not None and (speakers is Speakers.SPLIT or label is None):
        return _split(name, label, dialogue, authors), False
    author = label or AuthorAndWork(file.stated_author)
    if dialogue is not None and dialogue.is_certain:
        speaker = find_own_speaker(author.author, list(dialogue.speakers))
        own = dialogue if speaker is None else dialogue.only(speaker)
        return _documents_by_one(name, author, own), len(own.speakers) > 1
    extracted = file.extracted
    document = _document(name, author, file.text, extracted.title, extracted.excluded)
    return [document], dialogue is not None and len(dialogue.speakers) > 1


def _split(
    name: str, label: AuthorAndWork | None, dialogue: Dialogue, authors: Collection[str]
) -> list[Document]:
    known = {find_own_speaker(author, list(dialogue.speakers)): author for author in authors}
    documents = list[Document]()
    for speaker in dialogue.speakers:
        author = known.get(speaker, speaker)
        turns = tuple(turn for turn in dialogue.turns if turn.speaker == speaker)
        own = replace(dialogue, turns=turns, excluded=() if documents else dialogue.excluded)
        work = label.work if label else ""
        place = name if dialogue.is_one_text_per_turn else f"{name}, {printable(speaker)}"
        documents += _documents_by_one(place, AuthorAndWork(author, work), own)
    return documents


def _documents_by_one(name: str, label: AuthorAndWork, dialogue: Dialogue) -> list[Document]:
    """Return the turns as one document, or the messages of a mailbox as one each."""
    if not dialogue.is_one_text_per_turn:
        return [_document(name, label, dialogue.text, "", dialogue.excluded)]
    return [
        _document(
            f"{name}, message {turn.number}",
            AuthorAndWork(label.author, label.work or (turn.thread and f"{name}, {turn.thread}")),
            turn.text,
            turn.title,
            () if at else dialogue.excluded,
        )
        for at, turn in enumerate(dialogue.turns)
    ]


def _document(
    name: str,
    label: AuthorAndWork,
    text: str,
    title: str | None,
    excluded: tuple[ExcludedPart, ...],
) -> Document:
    shown = printable(title or "")
    return Document(
        printable(label.author.strip()),
        text,
        name,
        printable(label.work),
        metadata={"title": shown} if shown else {},
        excluded=excluded,
    )


def speaker_findings(several: Mapping[str, Dialogue]) -> list[Finding]:
    """Return a warning about files, by path, in which several speak and one is the author."""
    what = f"{quantity(len(several), 'text contains', 'texts contain')} several speakers"
    advice = (
        f"Read every speaker as an author with {setting('speakers', 'split')}, or remove what "
        "other people say."
    )
    return _finding("several-speakers", what, several, advice)


def divided_findings(divided: Mapping[str, Dialogue]) -> list[Finding]:
    """Return a warning about files, by path, whose speakers became authors."""
    what = f"Every speaker of {quantity(len(divided), 'file')} is an author"
    advice = (
        "To read only one of them, put the file into a folder that has the name of this speaker in "
        "the file."
    )
    return _finding("author-from-file", what, divided, advice)


def _finding(code: str, what: str, dialogues: Mapping[str, Dialogue], advice: str) -> list[Finding]:
    listed = [f"{name} ({each.describe_speakers()})" for name, each in dialogues.items()]
    message = f"{what}: {join_names(listed, 3)}. {advice}"
    return [Finding("warning", code, message, tuple(dialogues))] if dialogues else []


def text_by_speaker(file: FileText, name: str, speaker: str | None) -> ExtractedText:
    """Return the words of one speaker of a questioned text, or a warning that there are several.

    Parameters
    ----------
    file : FileText
    name : str
        What messages call the file.
    speaker : str or None
        None for all words.

    Raises
    ------
    UsageError
        There is no such speaker.
    """
    extracted = file.extracted
    dialogue = file.dialogue if speaker is None else file.find_dialogue()
    if speaker is not None:
        if dialogue is None:
            raise UsageError(
                f"{name} names no speakers, so that the words of {speaker!r} cannot be selected. "
                "Name no speaker."
            )
        found = dialogue.find_speaker(speaker, name)
        own = dialogue.only(found)
        return replace(extracted, text=own.text, author=found, excluded=own.excluded, lines=None)
    if dialogue is None or len(dialogue.speakers) < 2:
        return extracted
    message = (
        f"it contains the words of several speakers: {dialogue.describe_speakers()}. "
        f"Select one with {setting('speaker', 'NAME')}"
    )
    certain = tuple(dialogue.speakers) if dialogue.is_certain else ()
    return replace(extracted, warnings=(*extracted.warnings, message), speakers=certain)


def check_one_speaker(extracted: ExtractedText) -> None:
    """Refuse a questioned text whose format states that several people wrote it.

    Raises
    ------
    CorpusError
        The words of several speakers are in the text.
    """
    if len(extracted.speakers) > 1:
        warning = next(each for each in extracted.warnings if "several speakers: " in each)
        raise CorpusError(f"{warning}, because a questioned text has one author.")
