"""Documents, and the corpus that contains them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, overload

from byline.corpus.extraction import ExcludedPart
from byline.errors import UsageError
from byline.formatting import has_unprintable, join_names, printable, quantity
from byline.typography.characters import replace_surrogates
from byline.typography.line_ends import unify_line_ends
from byline.typography.lines import LineRules


@dataclass(frozen=True, slots=True)
class Document:
    """One text by one author.

    Attributes
    ----------
    author : str
        The name of the author: valid Unicode in one line.
    text : str
        One paragraph per line, with a blank line between paragraphs. Line ends become line feeds,
        and lone surrogates U+FFFD.
    path : str
        Where the text came from, for messages: ``"smith/03.txt"`` or ``"table.csv, row 7"``.
    work : str
        The work to which the text belongs; a split keeps the texts of a work together. By default
        each text is its own work, named by its path.
    topic : str or None
    metadata : mapping of str to str
        The other columns of a table, or the ``title`` that a file states.
    excluded : tuple of ExcludedPart
        What was excluded from the text of its file: notes, page headers.

    See Also
    --------
    Corpus : A sequence of documents.

    Examples
    --------
    >>> document = Document("Ada", "The river rose.", "ada/1.txt")
    >>> document.author, document.work
    ('Ada', 'ada/1.txt')
    """

    author: str
    text: str
    path: str
    work: str = ""
    topic: str | None = None
    metadata: Mapping[str, str] = field(default_factory=dict, hash=False)
    excluded: tuple[ExcludedPart, ...] = ()

    def __post_init__(self) -> None:
        for name in ("author", "text", "path", "work"):
            if not isinstance(value := getattr(self, name), str):
                kind = type(value).__name__
                raise UsageError(f"the {name} of a document is a {kind}; give a string")
        check_author_name(self.author)
        object.__setattr__(self, "text", replace_surrogates(unify_line_ends(self.text)))
        if not self.work:
            object.__setattr__(self, "work", self.path)


def check_author_name(name: str) -> None:
    """Check that the name of an author is valid Unicode in one line.

    Raises
    ------
    UsageError
        The name contains a character that no report and no JSON document can show.
    """
    if has_unprintable(name):
        raise UsageError(
            f"the author's name {printable(name)} contains characters that cannot be printed, such "
            "as line breaks; rename the author"
        )


class Corpus(Sequence[Document]):
    """An immutable sequence of documents.

    Parameters
    ----------
    documents : iterable of Document
    name : str
        What messages and reports call the corpus.
    line_rules : LineRules, optional
        The rules by which the lines of its files became paragraphs; by default the usual ones. Read
        questioned texts by the same rules.

    See Also
    --------
    byline.corpus.read_corpus : Reads one from a folder, ZIP archive or table.

    Examples
    --------
    >>> corpus = Corpus(
    ...     [
    ...         Document("Ada", "The river rose.", "ada/1.txt"),
    ...         Document("Ben", "The sea was calm.", "ben/1.txt"),
    ...     ],
    ...     "letters",
    ... )
    >>> corpus.texts, corpus.authors
    (['The river rose.', 'The sea was calm.'], ['Ada', 'Ben'])
    >>> corpus.by("Ben")
    <Corpus 'letters': 1 document by 1 author>
    """

    __slots__ = ("_documents", "_line_rules", "_name")

    def __init__(
        self, documents: Iterable[Document], name: str, line_rules: LineRules | None = None
    ) -> None:
        self._documents = tuple(documents)
        self._name = name
        self._line_rules = LineRules() if line_rules is None else line_rules

    @property
    def name(self) -> str:
        """What messages and reports call the corpus."""
        return self._name

    @property
    def line_rules(self) -> LineRules:
        """The rules by which the lines of its files became paragraphs."""
        return self._line_rules

    @property
    def texts(self) -> list[str]:
        """The text of each document; ``(n_documents,)``."""
        return [document.text for document in self._documents]

    @property
    def authors(self) -> list[str]:
        """The author of each document; ``(n_documents,)``."""
        return [document.author for document in self._documents]

    @property
    def works(self) -> list[str]:
        """The work of each document, which a split keeps together; ``(n_documents,)``."""
        return [document.work for document in self._documents]

    @property
    def paths(self) -> list[str]:
        """Where each document came from; ``(n_documents,)``."""
        return [document.path for document in self._documents]

    @property
    def candidates(self) -> list[str]:
        """The distinct authors, sorted; ``(n_authors,)``."""
        return sorted(set(self.authors))

    def select(self, indices: Iterable[int]) -> Corpus:
        """Return the documents at these indices, in this order, as a corpus of the same name."""
        chosen = (self._documents[int(index)] for index in indices)
        return Corpus(chosen, self._name, self._line_rules)

    def by(self, *authors: str) -> Corpus:
        """Return the documents by these authors as a corpus of the same name.

        Raises
        ------
        UsageError
            There is no text by one of them.
        """
        for author in authors:
            if author not in self.candidates:
                names = join_names(self.candidates, None)
                raise UsageError(f"{self.name} has no text by {author!r}; choose from {names}")
        return self.select(n for n, name in enumerate(self.authors) if name in authors)

    def map_texts(self, function: Callable[[str], str]) -> Corpus:
        """Return a corpus of the same name whose texts are the results of ``function``."""
        changed = (replace(each, text=function(each.text)) for each in self._documents)
        return Corpus(changed, self._name)

    def __len__(self) -> int:
        return len(self._documents)

    @overload
    def __getitem__(self, index: int) -> Document: ...
    @overload
    def __getitem__(self, index: slice) -> Corpus: ...
    def __getitem__(self, index: int | slice) -> Document | Corpus:
        if isinstance(index, slice):
            return Corpus(self._documents[index], self._name, self._line_rules)
        return self._documents[index]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Corpus):
            return NotImplemented
        return (self._name, self._documents) == (other._name, other._documents)

    def __hash__(self) -> int:
        return hash((self._name, self._documents))

    def __repr__(self) -> str:
        documents = quantity(len(self), "document")
        authors = quantity(len(self.candidates), "author")
        return f"<Corpus {self._name!r}: {documents} by {authors}>"


Severity = Literal["error", "warning", "note"]


@dataclass(frozen=True, slots=True)
class Finding:
    """A problem that was found in a corpus.

    Attributes
    ----------
    severity : {"error", "warning", "note"}
        A corpus with an error cannot be used. A warning tells users what may affect a result. A
        note describes the texts and requires nothing.
    code : str
        The kind of finding, such as ``"empty-text"``. Codes never change between versions.
    message : str
        What is wrong, where, and what to do.
    paths : tuple of str
        All documents or files concerned, including those that the message only counts.
    cleaning_step : str or None
        The step of ``byline corpus clean`` that fixes it, such as ``"boilerplate"``. None if it
        needs a person's decision.

    See Also
    --------
    check_corpus : Find problems in a corpus.

    Examples
    --------
    >>> from byline.corpus import Finding
    >>> finding = Finding("warning", "empty-text", "ada/1.txt is empty. Delete it.", ("ada/1.txt",))
    >>> finding.severity, finding.code
    ('warning', 'empty-text')
    """

    severity: Severity
    code: str
    message: str
    paths: tuple[str, ...] = ()
    cleaning_step: str | None = None
