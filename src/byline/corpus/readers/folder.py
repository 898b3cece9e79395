"""Read a folder of texts of any format as known texts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from math import inf
from pathlib import Path

from byline.corpus.decoding import read_bytes
from byline.corpus.dialogue.turns import Dialogue
from byline.corpus.document import Document, Finding
from byline.corpus.extraction import Keep
from byline.corpus.readers.dialogues import is_chat_file, read_dialogue
from byline.corpus.readers.files import FileText, read_file
from byline.corpus.readers.formats import CHAT, EMAIL
from byline.corpus.readers.json_files import skip_other_json
from byline.corpus.readers.layout import (
    check_layout,
    different_author_findings,
    label_files,
)
from byline.corpus.readers.listing import Listing, TextFile, list_texts
from byline.corpus.readers.result import (
    LAYOUTS,
    ReadResult,
    encoding_findings,
    extraction_findings,
    markup_findings,
    subtitle_findings,
)
from byline.corpus.readers.speakers import (
    Speakers,
    divided_findings,
    documents_of,
    speaker_findings,
)
from byline.errors import CorpusError
from byline.formatting import join_names, printable


def read_folder(
    root: Path, keep: frozenset[Keep] = frozenset(), speakers: Speakers = Speakers.OWN
) -> ReadResult:
    """Read every text under a folder.

    Raises
    ------
    CorpusError
        The folder has none of the known layouts, or its layout is ambiguous.
    MissingExtraError
        The format of a text needs a package that is not installed.
    """
    return read_listing(list_texts(root), printable(root), keep, speakers=speakers)


def read_listing(
    listing: Listing,
    root: str,
    keep: frozenset[Keep],
    max_characters: float = inf,
    *,
    speakers: Speakers = Speakers.OWN,
) -> ReadResult:
    """Read every text in a listing; it raises the errors of `read_folder`.

    Parameters
    ----------
    listing : Listing
    root : str
        What messages call the folder or archive.
    keep : frozenset of Keep
        What to keep that is not running text.
    max_characters : float
        The limit on all texts together.
    speakers : Speakers
        Whose words to read from a file with several speakers.
    """
    users = skip_other_json(listing)
    findings = listing.findings()
    if not listing.files:
        if listing.errors:
            return ReadResult([], findings)
        unpack = " Unpack the archives in it." if listing.skipped.get("archive") else ""
        raise CorpusError(
            f"{root} contains no text. {LAYOUTS} Found: {_describe(listing)}.{unpack}"
        )
    texts, unreadable = _read_files(listing.files, root, keep, max_characters, users)
    signed = [file for file in listing.files if _is_signed(file, texts)]
    unsigned = replace(listing, files=[file for file in listing.files if file not in signed])
    check_layout(unsigned, root)
    stated = {name: text.stated_author for name, text in texts.items()}
    labels, label_findings = label_files(unsigned, stated, root) if unsigned.files else ([], [])
    labelled = dict(zip((file.name for file in unsigned.files), labels, strict=True))
    authors = sorted({label.author for label in labels})
    documents, divided, several = list[Document](), dict[str, Dialogue](), dict[str, Dialogue]()
    plain = set[int]()
    for file in (file for file in listing.files if file.name in texts):
        text, label = texts[file.name], labelled.get(file.name)
        made, is_of_several = documents_of(file.name, label, text, speakers, authors)
        if text.plain is not None and len(made) == 1 and made[0].text is text.text:
            plain.add(len(documents))
        documents += made
        if text.dialogue is not None and is_of_several:
            several[file.name] = text.dialogue
        elif text.dialogue is not None and label is None:
            divided[file.name] = text.dialogue
    about_speakers = speaker_findings(several) + divided_findings(divided)
    named = {name: text.extracted.author for name, text in texts.items()}
    about = about_speakers + _text_findings(texts) + different_author_findings(documents, named)
    return ReadResult(documents, findings + label_findings + unreadable + about, frozenset(plain))


def list_dialogue(path: Path, name: str) -> Listing | None:
    """Return a listing of one file if it is a chat or a mailbox, and otherwise None.

    Raises
    ------
    CorpusError
        The file cannot be read, or its suffix is wrong.
    """
    content = read_bytes(path, name)
    is_json = path.suffix.lower() in CHAT.suffixes
    if is_json and not is_chat_file(content, name):
        return None
    if not is_json and read_dialogue(content, name, path.suffix) is None:
        return None
    return Listing(root=name, files=[TextFile((name,), lambda: content)])


def _is_signed(file: TextFile, texts: Mapping[str, FileText]) -> bool:
    """Return whether the content of a file outside an author's folder states its authors."""
    text = texts.get(file.name)
    if text is None or len(file.parts) > 1:
        return False
    if text.dialogue is not None and text.dialogue.is_certain:
        return True
    return file.suffix.lower() in EMAIL.suffixes and bool(text.stated_author)


def _describe(listing: Listing) -> str:
    skipped = [path for paths in listing.skipped.values() for path in paths]
    return join_names(skipped + listing.folders) or "nothing; the folder is empty"


def _read_files(
    files: list[TextFile],
    root: str,
    keep: frozenset[Keep],
    remaining: float,
    users: Mapping[str, str],
) -> tuple[dict[str, FileText], list[Finding]]:
    texts: dict[str, FileText] = {}
    errors: list[Finding] = []
    for file in files:
        try:
            texts[file.name] = read_file(file.content(), file.name, file.suffix, keep, users)
        except CorpusError as error:
            errors.append(Finding("error", "unreadable", str(error), (file.name,)))
            continue
        remaining -= len(texts[file.name].text)
        if remaining < 0:
            raise CorpusError(
                f"{root} contains more text than Byline reads from one archive. Divide it into "
                "several."
            )
    return texts, errors


def _text_findings(texts: Mapping[str, FileText]) -> list[Finding]:
    plain = {name: text.plain for name, text in texts.items() if text.plain}
    warnings = {
        name: text.extracted.warnings for name, text in texts.items() if text.extracted.warnings
    }
    encodings = {
        name: text.guessed_encoding for name, text in plain.items() if text.guessed_encoding
    }
    return [
        *encoding_findings(encodings),
        *subtitle_findings(plain),
        *markup_findings(plain),
        *extraction_findings(warnings),
    ]
