"""Fuzz formats that are ZIP archives: Word documents, e-books, corpora, questioned texts."""

from __future__ import annotations

import io
import random
import tempfile
import warnings
import zipfile
from pathlib import Path

import atheris
from harness import FindingError, fuzz, instrumented
from tags import change_tags

with instrumented():
    from byline.corpus import Keep, ReadingOptions, extract_text, read_corpus
    from byline.corpus.readers import epub, markup, word, zipped  # noqa: F401
    from byline.corpus.readers.html import elements, paragraphs  # noqa: F401

LARGEST = 2**18  # bytes of all members
SUFFIXES = (".docx", ".epub", ".zip", "", "corpus")
FILES = Path(__file__).parents[1] / "tests" / "corpus" / "files"
NAMES = ("x", "../x", "/x", "C:x", "a/b.txt", "a/\u202e.txt", "mimetype", "META-INF/encryption.xml")
FOLDER = tempfile.TemporaryDirectory()


def pack(members: list[tuple[str, bytes]], packing: int = zipfile.ZIP_DEFLATED) -> bytes:
    """Write an archive, even with repeated names."""
    file = io.BytesIO()
    with warnings.catch_warnings(), zipfile.ZipFile(file, "w", packing) as archive:
        warnings.simplefilter("ignore")
        for name, data in members:
            archive.writestr(zipfile.ZipInfo(name), data, packing)
    return file.getvalue()


CORPUS = [
    ("known/ada/river.txt", b"The river rose in the night. " * 20),
    ("known/ben/sea.html", b"<p>The sea was calm.</p>" * 20),
    ("known/ben/hill.xml", b"<TEI><text><body><p>The hill.</p></body></text></TEI>"),
    ("__MACOSX/known/._river.txt", b"\0\1"),
]
SEEDS = [
    *(b"\0" + path.read_bytes() for path in sorted(FILES.glob("*.docx"))),
    *(b"\1" + path.read_bytes() for path in sorted(FILES.glob("*.epub"))),
    b"\4" + pack(CORPUS),
    b"\2" + pack(CORPUS[:1], zipfile.ZIP_STORED),
    b"\3" + pack(CORPUS[1:2]),
]


def mutate(data: bytes, longest: int, seed: int) -> bytes:
    """Change one member, or the archive itself."""
    chance = random.Random(seed)  # noqa: S311
    if chance.random() < 0.2:
        return bytes(atheris.Mutate(data, longest))
    try:
        with zipfile.ZipFile(io.BytesIO(data[1:])) as archive:
            members = [(info.filename, archive.read(info)) for info in archive.infolist()]
        changed = data[:1] + pack(_changed(members, chance))
    except Exception:  # it is damaged already
        return bytes(atheris.Mutate(data, longest))
    return changed if len(changed) <= longest and unpacked(changed) <= LARGEST else data


def _changed(members: list[tuple[str, bytes]], chance: random.Random) -> list[tuple[str, bytes]]:
    place = chance.randrange(len(members))
    name, data = members[place]
    how = chance.random()
    if how < 0.05:
        return members[:place] + members[place + 1 :]
    if how < 0.1:
        return [*members, (chance.choice(NAMES), data)]
    if how < 0.15:
        name = chance.choice([chance.choice(NAMES), chance.choice(members)[0]])
    elif how < 0.2:
        data = chance.choice(members)[1]
    elif how < 0.22 and len(data) < 10_000:
        data = data[:1000] * chance.randint(1, 200)
    else:
        data = change_tags(data, chance)
    return [*members[:place], (name, data), *members[place + 1 :]]


def read(data: bytes) -> None:
    """Read an archive with one of the suffixes, or as a corpus."""
    suffix = SUFFIXES[data[0] % len(SUFFIXES)] if data else ""
    if suffix == "corpus":
        path = Path(FOLDER.name) / "known.zip"
        path.write_bytes(data[1:])
        texts = [document.text for document in read_corpus(path, min_authors=1)]
    else:
        keep = tuple(Keep) if len(data) % 2 else ()
        texts = [extract_text(data[1:], f"text{suffix}", ReadingOptions(keep=keep)).text]
    for text in texts:
        text.encode()
        if "\0" in text:
            raise FindingError("the text contains NUL")


def unpacked(data: bytes) -> int:
    """Return the number of bytes of all members; a few bytes of an archive stand for many."""
    try:
        with zipfile.ZipFile(io.BytesIO(data[1:])) as archive:
            return len(data) + sum(info.file_size for info in archive.infolist())
    except Exception:  # it is damaged
        return len(data)


if __name__ == "__main__":
    fuzz(read, SEEDS, mutate, unpacked=unpacked)
