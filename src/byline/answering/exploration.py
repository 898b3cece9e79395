"""Explore the texts of a corpus, questioned texts, or the rows of a table."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePath

import numpy as np

from byline.array_types import Floats
from byline.attribution import AuthorshipAttributor
from byline.attribution.exploration import (
    CROSS_PERPLEXITY,
    TextExploration,
    TextMatrix,
    count_features,
    explore_features,
    frequent_features,
    relative_frequencies,
)
from byline.attribution.exploration.frequencies import Unit, unique_names
from byline.attribution.similarity import cross_perplexity
from byline.corpus import Corpus, Document, FeatureTable
from byline.errors import BylineWarning, CorpusError, UsageError
from byline.formatting import join_names
from byline.lm import NgramLM
from byline.named_settings import setting
from byline.progress import Progress

CHARACTER_NGRAMS = "char-ngrams"
QUESTIONED = "Questioned"
_DEFAULT_NGRAM = 3
_ORDER = 3  # of the language models of cross-perplexity
_FOLDS = 2
_MAX_SHOWN = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class ExplorationSettings:
    """Settings for the exploration of texts.

    Attributes
    ----------
    distance : str
        A key of `byline.attribution.exploration.DISTANCES`, or ``"cross-perplexity"``.
    mfw : int
        Number of most frequent words, or other features.
    mfw_range : tuple of int
        First and last number of features of the consensus tree and the network, and the step.
    culling : float
        The percentage of the texts that must contain a feature.
    unit : {"word", "char"}
        The distance ``"char-ngrams"`` implies ``"char"``.
    ngram : int or None
        Number of words or characters per feature; by default 1 word, or 3 characters.
    features : sequence of str or None
        Features that are counted instead of the most frequent ones.
    language : str
        ISO 639 code.
    linkage : {"nj", "ward"}
        How the trees of the consensus are computed: by neighbour joining, or by Ward's method.
    umap : bool
        Whether to compute a map by UMAP too.
    random_state : int
        Seed of UMAP and of language models.

    Examples
    --------
    >>> ExplorationSettings(distance="char-ngrams").counted
    ('char', 3)
    """

    distance: str = "wurzburg"
    mfw: int = 500
    mfw_range: tuple[int, int, int] = (100, 1000, 100)
    culling: float = 0.0
    unit: Unit = "word"
    ngram: int | None = None
    features: Sequence[str] | None = None
    language: str = "en"
    linkage: str = "nj"
    umap: bool = False
    random_state: int = 0

    @property
    def counted(self) -> tuple[Unit, int]:
        """The unit and the length of the features."""
        unit: Unit = "char" if self.distance == CHARACTER_NGRAMS else self.unit
        return unit, self.ngram or (_DEFAULT_NGRAM if unit == "char" else 1)

    @property
    def sizes(self) -> list[int]:
        """The numbers of features for the consensus tree (`UsageError` for an impossible range)."""
        first, last, step = self.mfw_range
        if first < 2 or last < first or step < 1:
            raise UsageError(
                f"the range of features {first} {last} {step} is impossible. Give a first number "
                "of at least 2, a last number that is not smaller, and a step of at least 1."
            )
        return list(range(first, last + 1, step))


DEFAULTS = ExplorationSettings()


def explore_texts(
    corpus: Corpus,
    questioned: Sequence[Document] = (),
    settings: ExplorationSettings = DEFAULTS,
    *,
    groups: Mapping[str, str] | None = None,
    progress: Progress | None = None,
) -> TextExploration:
    """Count the features of texts, and compute distances, maps, trees and a network.

    Parameters
    ----------
    corpus : Corpus
        Texts of known authorship.
    questioned : sequence of Document
        Texts whose author is not known; their ``author`` is not used.
    settings : ExplorationSettings
    groups : mapping of str to str, optional
        The group of each known text by its path, which replaces the author.
    progress : Progress, optional

    Returns
    -------
    TextExploration
        The texts are in the order of their names, ``Author_Title``.

    Raises
    ------
    TrainingError
        There are fewer than three texts.
    UsageError
        A setting is impossible.

    Examples
    --------
    >>> texts = {"Ada/1.txt": "the sea and the sky", "Ada/2.txt": "the sky and the sea sea"}
    >>> texts |= {"Ben/1.txt": "a ship of the line"}
    >>> corpus = Corpus([Document(path[:3], text, path) for path, text in texts.items()], "toy")
    >>> found = explore_texts(corpus)
    >>> found.features.names, found.features.features[:2]
    (('Ada_1', 'Ada_2', 'Ben_1'), ('the', 'sea'))
    """
    documents = sorted(
        [*corpus, *(replace(each, author="") for each in questioned)],
        key=lambda each: (text_name(each), each.path),
    )
    names = unique_names(map(text_name, documents))
    labels = _labels(documents, groups)
    matrix = _counted(documents, names, labels, settings, progress)
    distances = None
    if settings.distance == CROSS_PERPLEXITY:
        distances = _cross_perplexity(documents, names, settings, progress)
    return _explored(matrix, settings, distances)


def explore_table(
    table: FeatureTable,
    documents: Sequence[Document] = (),
    settings: ExplorationSettings = DEFAULTS,
    *,
    groups: Mapping[str, str] | None = None,
) -> TextExploration:
    """Explore a user's own matrix of texts and features.

    Parameters
    ----------
    table : FeatureTable
        Without ``documents``, its rows are named ``Author_Title``.
    documents : sequence of Document
        The texts, to read only their rows; questioned texts have an empty author.
    settings : ExplorationSettings
    groups : mapping of str to str, optional
        As for `explore_texts`.

    Raises
    ------
    CorpusError
        A text has no row.

    Examples
    --------
    >>> rows = {"Ada_1": (5.0, 1.0), "Ada_2": (5.1, 1.1), "Ben_1": (1.0, 5.0)}
    >>> found = explore_table(FeatureTable("table.csv", ("the", "of"), rows))
    >>> found.features.authors
    ('Ada', 'Ada', 'Ben')
    """
    if settings.distance in (CROSS_PERPLEXITY, CHARACTER_NGRAMS):
        raise UsageError(
            f"the distance {settings.distance!r} needs texts, but a table contains only numbers. "
            "Choose another distance."
        )
    if documents:
        ordered = sorted(documents, key=lambda each: (text_name(each), each.path))
        names = unique_names(map(text_name, ordered))
        labels = _labels(ordered, groups)
        values = table.values_of(
            [[name, each.path] for name, each in zip(names, ordered, strict=True)]
        )
    else:
        names = sorted(table.rows)
        labels = [author_of_name(name) for name in names]
        values = [table.rows[name] for name in names]
    matrix = TextMatrix(tuple(names), tuple(labels), table.columns, np.array(values), "features")
    return _explored(matrix, settings)


def text_groups(
    corpus: Corpus, column: str, metadata: Mapping[str, Mapping[str, str]] | None = None
) -> dict[str, str]:
    """Return the value of a column for each known text, by its path.

    Parameters
    ----------
    corpus : Corpus
    column : str
        A column of ``metadata``. Without ``metadata``, a column of the table of texts, or
        ``"topic"`` or ``"work"``.
    metadata : mapping of str to mapping of str to str, optional
        The columns of each text, by its path or its name ``Author_Title``.

    Raises
    ------
    CorpusError
        Texts have no value in this column.

    Examples
    --------
    >>> corpus = Corpus([Document("Ada", "...", "Ada/1.txt")], "toy")
    >>> text_groups(corpus, "genre", {"Ada_1": {"genre": "letter"}})
    {'Ada/1.txt': 'letter'}
    """
    found = {}
    for document in corpus:
        stated: Mapping[str, str] = {
            "work": document.work,
            "topic": document.topic or "",
            **document.metadata,
        }
        if metadata is not None:
            stated = metadata.get(document.path, metadata.get(text_name(document), {}))
        found[document.path] = stated.get(column, "")
    if missing := [path for path, value in found.items() if not value]:
        raise CorpusError(
            f"the column {column!r} is missing or empty for {join_names(missing, _MAX_SHOWN)}. "
            f"Check its name, or give a table that contains it as {setting('metadata')}."
        )
    return found


def text_name(document: Document) -> str:
    """Return the name of a text as ``Author_Title``.

    Examples
    --------
    >>> text_name(Document("Jane Austen", "...", "Jane Austen/Emma.txt"))
    'Jane Austen_Emma'
    >>> text_name(Document("Austen", "...", "Austen_Emma.txt"))
    'Austen_Emma'
    """
    title = document.metadata.get("id") or PurePath(document.path).stem
    author = document.author or QUESTIONED
    return title if title.startswith(f"{author}_") else f"{author}_{title}"


def author_of_name(name: str) -> str:
    """Return the author in a name ``Author_Title``; empty for a questioned text."""
    author = name.partition("_")[0]
    return "" if author == QUESTIONED else author


def _explored(
    matrix: TextMatrix, settings: ExplorationSettings, distances: Floats | None = None
) -> TextExploration:
    return explore_features(
        matrix,
        n_features=min(settings.mfw, len(matrix.features)),
        sizes=settings.sizes,
        distance=settings.distance,
        linkage=settings.linkage,
        umap=settings.umap,
        random_state=settings.random_state,
        distances=distances,
    )


def _labels(documents: Sequence[Document], groups: Mapping[str, str] | None) -> list[str]:
    """Return the author of each text, or its group; empty for a questioned text."""
    chosen = groups or {}
    return [each.author and chosen.get(each.path, each.author) for each in documents]


def _counted(
    documents: Sequence[Document],
    names: Sequence[str],
    labels: Sequence[str],
    settings: ExplorationSettings,
    progress: Progress | None,
) -> TextMatrix:
    unit, ngram = settings.counted
    counts = []
    for done, document in enumerate(documents):
        if progress is not None:
            progress(done, len(documents), "counting")
        counts.append(count_features(document.text, unit, ngram, settings.language))
    if empty := [name for name, each in zip(names, counts, strict=True) if not each]:
        raise CorpusError(
            f"there is no word in {join_names(empty, _MAX_SHOWN)}. Leave these texts out."
        )
    if settings.features is None:
        most = max(settings.mfw, *settings.sizes)
        features = frequent_features(counts, at_most=most, culling=settings.culling)
        if not features:
            raise UsageError(
                f"no feature occurs in at least {settings.culling:g} % of the texts. Choose a "
                f"lower value for {setting('culling')}."
            )
    else:
        features = list(settings.features)
    kind = "words" if unit == "word" else "characters"
    return TextMatrix(
        tuple(names),
        tuple(labels),
        tuple(features),
        relative_frequencies(counts, features),
        kind if ngram == 1 else f"{kind[:-1]} {ngram}-grams",
    )


def _cross_perplexity(
    documents: Sequence[Document],
    names: Sequence[str],
    settings: ExplorationSettings,
    progress: Progress | None,
) -> Floats:
    """Train one language model per text, and measure how well it predicts the other texts.

    Every text is divided into two parts. Each part is scored by models of the other parts.
    """
    models = AuthorshipAttributor(NgramLM(order=_ORDER), random_state=settings.random_state)
    with warnings.catch_warnings():
        # That a text is divided is intended, so there is no need to warn about it.
        warnings.simplefilter("ignore", BylineWarning)
        crossed = cross_perplexity(
            models,
            [each.text for each in documents],
            list(names),
            folds=_FOLDS,
            random_state=settings.random_state,
            progress=progress,
        )
    order = [crossed.authors.index(name) for name in names]
    return crossed.distances[np.ix_(order, order)]
