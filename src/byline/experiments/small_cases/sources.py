"""The corpora from which small cases are taken."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Literal

from byline.corpus import Document
from byline.errors import CorpusError, UsageError
from byline.experiments.benchmarks.tasks import (
    read_labelled_texts,
    subfolders,
    text_files,
    texts_by_author,
)
from byline.experiments.small_cases.division import DIVISION, Side, authors_on_side
from byline.experiments.word_passages import WordText
from byline.formatting import join_names
from byline.typography import Normalization

Role = Literal["", "known", "questioned"]
LabelledFiles = list[tuple[str, Path]]
BY_NONE_OF_THE_CANDIDATES = "<UNK>"


@dataclass(frozen=True)
class SourceText:
    """A text from which known and questioned texts of small cases are taken.

    Attributes
    ----------
    author : str
    work : str
        The path of the text in its corpus.
    topic, genre : str
        Empty if the corpus does not state them.
    text : str
        Normalised by the rules ``edition``.
    role : {"", "known", "questioned"}
        What the text is used as, if the corpus decides that.

    Examples
    --------
    >>> text = SourceText("Ann", "Ann/1.txt", "", "", "The cat sat on the mat.")
    >>> text.n_words, text.passage(1, 2)
    (6, 'cat sat')
    """

    author: str
    work: str
    topic: str
    genre: str
    text: str
    role: Role = ""

    @cached_property
    def words(self) -> WordText:
        """The words of the text."""
        return WordText(self.text)

    @property
    def n_words(self) -> int:
        """Number of words, divided by white space."""
        return self.words.n_words

    def passage(self, start: int, n_words: int) -> str:
        """Return the words from number ``start`` on, without the white space around them."""
        return self.words.passage(start, n_words)


@dataclass(frozen=True, slots=True)
class Source:
    """Texts of one side of a corpus whose authors can be candidates of one case.

    Attributes
    ----------
    name : str
        The corpus; or the corpus and the problem, as in ``pan19/problem01``.
    language : str
        ISO 639 code.
    texts : tuple of SourceText
    """

    name: str
    language: str
    texts: tuple[SourceText, ...]

    @property
    def authors(self) -> list[str]:
        """The authors, sorted."""
        return sorted({each.author for each in self.texts})

    @property
    def corpus(self) -> str:
        """The name of the corpus."""
        return self.name.partition("/")[0]


def read_sources(data: Path, side: Side, names: Sequence[str] = ()) -> list[Source]:
    """Read one side of the corpora in a folder, or both.

    Parameters
    ----------
    data : Path
        Each corpus is a folder in it. Corpora that are missing are left out, unless they are named.
    side : {"development", "test", "both"}
    names : sequence of str
        Only these corpora; all by default.

    Returns
    -------
    list of Source
        One per corpus; of ``pan19``, one per problem.

    Raises
    ------
    UsageError
        There is no corpus of a name.
    CorpusError
        The folder has none of the corpora, or not one that was named; a corpus cannot be read; or
        no corpus has authors on this side.
    """
    unknown = sorted(set(names) - set(DIVISION))
    if unknown:
        raise UsageError(
            f"there is no corpus {join_names(unknown)}; use {join_names(list(DIVISION), None)}"
        )
    if not data.is_dir():
        raise CorpusError(
            f"{data} is not a folder; give the folder that contains the corpora, each in a folder "
            "of its own"
        )
    missing = [name for name in names if not (data / name).is_dir()]
    present = [name for name in dict.fromkeys(names or DIVISION) if (data / name).is_dir()]
    if missing or not present:
        names_of_missing = join_names(missing or list(DIVISION), None)
        raise CorpusError(
            f"{data} has no folder {names_of_missing}; give the folder that contains the corpora, "
            "each in a folder of its own"
        )
    sources = [source for name in present for source in _read_corpus(name, data / name, side)]
    usable = [source for source in sources if len(source.authors) > 1]
    if not usable:
        raise CorpusError(
            f"{data}: {join_names(present)} has fewer than two authors on this side ({side}); "
            "name another corpus or side"
        )
    return usable


def _read_corpus(name: str, data: Path, side: Side) -> list[Source]:
    if name == "pan19":
        return _read_pan19(data, side)
    files = _FILES[name](data)
    authors = set(authors_on_side(side, name, {author for author, _ in files}))
    own = [(author, path) for author, path in files if author in authors]
    texts = [
        SourceText(each.author, _path(each), *_labels(name, _path(each)), each.text)
        for each in _read(own, data)
    ]
    language = "fr" if name == "french_theatre17" else "en"
    return [Source(name, language, tuple(sorted(texts, key=lambda each: each.work)))]


def _read(files: LabelledFiles, data: Path) -> Iterable[Document]:
    """Read texts that are not empty, and normalise them."""
    if not files:
        return []
    normalization = Normalization.parse("edition")
    return read_labelled_texts(files, data, empty="skip").map_texts(normalization.apply)


def _path(document: Document) -> str:
    return document.path or ""


def _labels(corpus: str, path: str) -> tuple[str, str]:
    """Return the topic and the genre of a text."""
    if corpus != "cmcc":
        return "", ""
    genre, _, topic = Path(path).with_suffix("").parts
    return topic, genre


def _lectures(data: Path) -> LabelledFiles:
    # Courses 7 and 16 have one instructor, and those of 11 and 12 teach one of them together.
    instructors = {"course-16": "course-07", "course-12": "course-11"}
    return [
        (instructors.get(course.name, course.name), path)
        for course in subfolders(data / "raw")
        for path in text_files(course)
    ]


_FILES: dict[str, Callable[[Path], LabelledFiles]] = {
    "british_fiction": texts_by_author,
    "ccat50": lambda data: texts_by_author(data / "train") + texts_by_author(data / "test"),
    "cmcc": lambda data: [file for genre in subfolders(data) for file in texts_by_author(genre)],
    "federalist": lambda data: texts_by_author(data / "known"),
    "french_theatre17": texts_by_author,
    "lectures16": _lectures,
}


def _read_pan19(data: Path, side: Side) -> list[Source]:
    languages = dict(row[:2] for row in read_tab_rows(data / "problems.tsv")[1:])
    problems = [folder.name for folder in subfolders(data)]
    sources = []
    for problem in authors_on_side(side, "pan19", problems):
        if problem not in languages:
            raise CorpusError(
                f"{data / 'problems.tsv'} does not have the language of {problem}; download the "
                "corpus again"
            )
        folder = data / problem
        asked = [
            (author, folder / "unknown" / name)
            for name, author in read_tab_rows(folder / "truth.tsv")
            if author != BY_NONE_OF_THE_CANDIDATES
        ]
        roles: dict[Role, LabelledFiles] = {
            "known": texts_by_author(folder / "known"),
            "questioned": asked,
        }
        texts = [
            SourceText(each.author, _path(each), "", "", each.text, role)
            for role, files in roles.items()
            for each in _read(files, data)
        ]
        sources.append(Source(f"pan19/{problem}", languages[problem], tuple(texts)))
    return sources


def read_tab_rows(path: Path) -> list[list[str]]:
    """Read the rows of a table with tabs; each row has two cells or more."""
    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise CorpusError(f"{path} cannot be read: {error}; download the corpus again") from error
    rows = [line.split("\t") for line in lines if line.strip()]
    for number, row in enumerate(rows, 1):
        if len(row) < 2:
            raise CorpusError(f"{path}, row {number}: there is no tab; download the corpus again")
    return rows
