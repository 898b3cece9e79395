"""Take small cases from a corpus: candidates, known texts of each, and questioned texts by them."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field

import numpy as np

from byline.corpus import Document
from byline.experiments.small_cases.sources import Source, SourceText

# A text is used as one of n words if it has at least this share of them.
_ENOUGH = 0.67
WHOLE = 0  # the length of whole works
PASSAGES = (50, 150, 500, 2000)
_FEWEST_WORDS = 20  # of a known text that was shortened
_ATTEMPTS = 8


@dataclass(frozen=True, slots=True)
class CaseSettings:
    """What a small case looks like.

    Attributes
    ----------
    n_candidates : int
    n_known : int
        Known texts per candidate.
    known_words : int
        Words per known text.
    questioned_words : tuple of int
        Lengths of questioned texts; `WHOLE` for whole works.
    change : {"", "topic", "genre", "topic in genre"}
        What all questioned texts differ in from all known texts. ``"topic in genre"``: in topic,
        and all texts of the case have the same genre.
    unequal : {"", "tenth", "20 words"}
        One author has a tenth of the words, or one known text of 20 words.

    Examples
    --------
    >>> CaseSettings(3, 5, 150, change="topic").name
    '3x5x150/topic'
    """

    n_candidates: int
    n_known: int
    known_words: int
    questioned_words: tuple[int, ...] = (*PASSAGES, WHOLE)
    change: str = ""
    unequal: str = ""

    @property
    def name(self) -> str:
        """Candidates, known texts of each, words of each text, and what is unusual."""
        size = f"{self.n_candidates}x{self.n_known}x{self.known_words}"
        unusual = [each.replace(" ", "-") for each in (self.change, self.unequal) if each]
        return "/".join([size, *unusual])


@dataclass(frozen=True, slots=True)
class Case:
    """A small case.

    Attributes
    ----------
    source : str
        The name of the source.
    language : str
    settings : CaseSettings
    known : list of Document
        Passages of one work have the same ``work``.
    questioned : mapping of length to list of Document
        By the length in words; by the candidates, and from none of the works of ``known``.
    """

    source: str
    language: str
    settings: CaseSettings
    known: list[Document]
    questioned: Mapping[int, list[Document]] = field(default_factory=dict)

    def digest(self, seed: int) -> str:
        """Identify the case and the seed of its classifiers; another text changes the result."""
        asked = {n_words: _contents(texts) for n_words, texts in self.questioned.items()}
        content = [seed, self.source, self.language, asdict(self.settings), _contents(self.known)]
        return hashlib.sha256(json.dumps([*content, asked]).encode()).hexdigest()


def _contents(documents: Sequence[Document]) -> list[tuple[str, str | None, str]]:
    return [(each.author, each.work, each.text) for each in documents]


def case_of_number(
    source: Source, settings: CaseSettings, number: int, *, seed: int, **options: int
) -> Case | None:
    """Return case ``number`` of a source, the same in whatever order cases are asked for.

    Parameters
    ----------
    source : Source
    settings : CaseSettings
    number : int
    seed : int
    **options
        As for `draw_case`.

    Returns
    -------
    Case or None
        None if the source does not have the texts that a case needs.
    """
    key = f"{source.name} {settings.name} {number}".encode()
    words = np.frombuffer(hashlib.sha256(key).digest(), dtype="<u4")
    rng = np.random.default_rng([seed, *words.tolist()])
    cases = (draw_case(source, settings, rng, **options) for _ in range(_ATTEMPTS))
    return next(filter(None, cases), None)


def draw_case(
    source: Source,
    settings: CaseSettings,
    rng: np.random.Generator,
    *,
    per_author: int = 4,
    whole_words: int | None = None,
) -> Case | None:
    """Take a random case, or return None if the corpus does not have the texts that it needs.

    Parameters
    ----------
    source : Source
    settings : CaseSettings
    rng : numpy Generator
    per_author : int
        At most this number of questioned texts per candidate and length.
    whole_words : int, optional
        Take no further whole work of a candidate after this number of words, because the time that
        an answer takes grows with them.
    """
    divided = _divide_works(source, settings, rng)
    if divided is None:
        return None
    known_works, other_works = divided
    samples = {
        author: _sample_known(works, settings, rng) for author, works in sorted(known_works.items())
    }
    usable = sorted(author for author, documents in samples.items() if documents)
    if len(usable) < settings.n_candidates:
        return None
    chosen = sorted(rng.choice(usable, settings.n_candidates, replace=False).tolist())
    known = {author: samples[author] for author in chosen}
    if settings.unequal:
        least = chosen[int(rng.integers(len(chosen)))]
        known[least] = _shorten(known[least], settings.unequal)
    questioned: dict[int, list[Document]] = {}
    for length in settings.questioned_words:
        own: list[Document] = []
        for author in chosen:
            works = other_works[author]
            if length == WHOLE:
                own += _sample_whole(works, per_author, whole_words, rng)
            else:
                own += _sample_passages(works, length, per_author, rng)
        if own:
            questioned[length] = own
    if not questioned:
        return None
    documents = [document for author in chosen for document in known[author]]
    return Case(source.name, source.language, settings, documents, questioned)


Works = dict[str, list[SourceText]]


def _divide_works(
    source: Source, settings: CaseSettings, rng: np.random.Generator
) -> tuple[Works, Works] | None:
    """Divide every author's works into those of known and those of questioned texts."""
    known: Works = {author: [] for author in source.authors}
    others: Works = {author: [] for author in source.authors}
    if settings.change:
        texts, differing = source.texts, settings.change
        if differing == "topic in genre":
            genres = sorted({each.genre for each in texts})
            genre = genres[int(rng.integers(len(genres)))]
            texts, differing = tuple(each for each in texts if each.genre == genre), "topic"
        values = sorted({getattr(each, differing) for each in texts})
        if len(values) < 2:
            return None
        # One value is that of the questioned texts. With several of the others, known texts are
        # as different from each other as from the questioned texts.
        asked = values[int(rng.integers(len(values)))]
        for each in texts:
            is_asked = getattr(each, differing) == asked
            (others if is_asked else known)[each.author].append(each)
        return known, others
    for author in source.authors:
        own = [each for each in source.texts if each.author == author]
        if any(each.role for each in own):
            known[author] = [each for each in own if each.role == "known"]
            others[author] = [each for each in own if each.role == "questioned"]
            continue
        order = rng.permutation(len(own)).tolist()
        n_known = min(settings.n_known, max(1, len(own) - 1))
        long = [i for i in order if _is_long(own[i], settings.known_words)]
        chosen = set(long[:n_known])
        for place in order:
            (known if place in chosen else others)[author].append(own[place])
    return known, others


def _is_long(work: SourceText, n_words: int) -> bool:
    return work.n_words >= _ENOUGH * n_words


def _sample_known(
    works: Sequence[SourceText], settings: CaseSettings, rng: np.random.Generator
) -> list[Document]:
    """Return an author's known texts; an empty list if there are not enough words."""
    n_words = settings.known_words
    long = [each for each in works if _is_long(each, n_words)]
    if not long:
        return []
    order = rng.permutation(len(long)).tolist()
    used = [long[place] for place in order[: settings.n_known]]
    # As many passages from each work as are needed; those of one work do not overlap.
    most, n_with_one_more = divmod(settings.n_known, len(used))
    documents = []
    for place, work in enumerate(used):
        n = most + (place < n_with_one_more)
        starts = _starts(work.n_words, n_words, n, rng)
        if len(starts) < n:
            return []
        documents += [_document(work, start, n_words) for start in starts]
    return documents


def _sample_passages(
    works: Sequence[SourceText], n_words: int, at_most: int, rng: np.random.Generator
) -> list[Document]:
    long = [each for each in works if _is_long(each, n_words)]
    if not long:
        return []
    each_gets = -(-at_most // len(long))
    documents = [
        _document(long[place], start, n_words)
        for place in rng.permutation(len(long)).tolist()
        for start in _starts(long[place].n_words, n_words, each_gets, rng)
    ]
    return documents[:at_most]


def _sample_whole(
    works: Sequence[SourceText], at_most: int, whole_words: int | None, rng: np.random.Generator
) -> list[Document]:
    documents: list[Document] = []
    total = 0
    for place in rng.permutation(len(works)).tolist():
        if len(documents) == at_most or (whole_words is not None and total >= whole_words):
            break
        documents.append(_document(works[place], 0, works[place].n_words))
        total += works[place].n_words
    return documents


def _starts(n_words: int, length: int, n: int, rng: np.random.Generator) -> list[int]:
    """Return the first words of at most ``n`` passages that do not overlap."""
    if n_words <= length:
        return [0]
    fitting = min(n, n_words // length)
    free = n_words - fitting * length
    gaps = np.sort(rng.integers(0, free + 1, size=fitting)).tolist()
    return [gap + place * length for place, gap in enumerate(gaps)]


def _document(work: SourceText, start: int, n_words: int) -> Document:
    text = work.passage(start, n_words)
    return Document(work.author, text, f"{work.work}, from word {start}", work.work)


def _shorten(documents: Sequence[Document], how: str) -> list[Document]:
    """Return a tenth of an author's known texts, or one text of 20 words."""
    if how == "20 words":
        documents = documents[:1]
    shortened = []
    for each in documents:
        text = SourceText(each.author, each.path or "", "", "", each.text)
        n = _FEWEST_WORDS if how == "20 words" else max(_FEWEST_WORDS, text.n_words // 10)
        shortened.append(Document(each.author, text.passage(0, n), each.path, each.work))
    return shortened
