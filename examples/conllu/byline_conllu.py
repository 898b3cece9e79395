"""Read CoNLL-U files: texts whose sentences are annotated, as in Universal Dependencies.

Once this package is installed, every command reads such files:

    pip install ./examples/conllu
    byline train treebank.conllu -o treebank.byline
    byline attribute treebank.byline letter.conllu

A sentence is the line ``# text = ...`` above its tokens. ``# newdoc`` begins a document,
``# newpar`` a paragraph, and ``# meta::author = ...`` states the author of a document, as in the
corpus GUM.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from byline.corpus import Document, ExtractedText, FileFormat, Finding, ReadResult
from byline.errors import CorpusError
from byline.formatting import printable, quantity


@dataclass
class Annotated:
    """One document of a file: its paragraphs are lists of sentences."""

    name: str = ""
    author: str = ""
    paragraphs: list[list[str]] = field(default_factory=lambda: [[]])

    @property
    def text(self) -> str:
        """One paragraph per line, with a blank line between paragraphs."""
        return "\n\n".join(" ".join(sentences) for sentences in self.paragraphs if sentences)


def read_documents(data: bytes, name: str) -> ReadResult:
    """Read the documents of a file, each with its author."""
    documents, without_author = [], []
    for number, found in enumerate(_documents(data, name), start=1):
        place = f"{name}, document {number}"
        if not found.author:
            without_author.append(place)
            continue
        metadata = {"title": printable(found.name)} if found.name else {}
        documents.append(
            Document(printable(found.author), found.text, place, place, metadata=metadata)
        )
    if not without_author:
        return ReadResult(documents, [])
    n = len(without_author)
    message = (
        f"{name}: {quantity(n, 'document has', 'documents have')} no author. Add a line "
        "'# meta::author = NAME' below '# newdoc'."
    )
    return ReadResult(documents, [Finding("error", "no-author", message, tuple(without_author))])


def read_text(data: bytes, name: str) -> ExtractedText:
    """Read all documents of a file as one text."""
    documents = _documents(data, name)
    authors = list(dict.fromkeys(each.author for each in documents if each.author))
    text = "\n\n".join(each.text for each in documents)
    return ExtractedText(text, author=authors[0] if len(authors) == 1 else None)


def _documents(data: bytes, name: str) -> list[Annotated]:
    try:
        lines = data.decode("utf-8").splitlines()
    except UnicodeDecodeError as error:
        raise CorpusError(f"{name} is not UTF-8 ({error}); export it again") from error
    documents = [Annotated()]
    for line in lines:
        key, _, value = line.removeprefix("#").partition("=")
        key, value = key.strip(), value.strip()
        if not line.startswith("#"):
            continue
        if key.startswith("newdoc"):
            documents.append(Annotated(name=value))
        elif key.startswith("newpar"):
            documents[-1].paragraphs.append([])
        elif key == "meta::author":
            documents[-1].author = value
        elif key == "text":
            documents[-1].paragraphs[-1].append(value)
    with_text = [each for each in documents if each.text]
    if not with_text:
        raise CorpusError(f"{name} has no line '# text = ...'; is it a CoNLL-U file?")
    return with_text


CONLLU = FileFormat(read_text=read_text, read_documents=read_documents)
