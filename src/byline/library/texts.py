"""Known and questioned texts as paths, corpora or strings."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from byline.answering import KnownCorpus
from byline.attribution import ReferencePopulation
from byline.attribution.inputs import (
    check_groups,
    check_list,
    check_strings,
    check_text,
    check_texts,
)
from byline.attribution.model_files.saving import Attributor
from byline.cli.attributor_options import AttributorSettings
from byline.cli.feature_options import check_features
from byline.cli.known_options import KnownTextSettings
from byline.cli.reference import check_reference
from byline.cli.texts import read_known_texts, read_questioned_texts
from byline.corpus import Corpus, Document, DuplicatePolicy, ExtractedText, ReadingOptions
from byline.corpus.questioned import QuestionedText
from byline.corpus.reading import checked_corpus
from byline.errors import UsageError
from byline.formatting import printable, quantity

AnyPath = str | os.PathLike[str]
#: Known texts as for the commands: their path; a corpus; or texts, whose authors are given too.
Known = AnyPath | Corpus | Sequence[str]


def known_corpus(
    known: Known,
    authors: Sequence[str] | None,
    works: Sequence[str] | Sequence[int] | None,
    reading: KnownTextSettings,
    options: ReadingOptions,
    *,
    unit: str,
    language: str | None,
    min_authors: int = 2,
) -> Corpus:
    """Return known texts as a corpus: read and checked as by the commands.

    Raises
    ------
    UsageError
        The authors of texts are missing, or those of a path or corpus are given.
    CorpusError
        The texts have errors.
    """
    if not isinstance(known, str | os.PathLike | Corpus):
        policy = DuplicatePolicy.ERROR
        if reading.duplicates is not None:
            policy = DuplicatePolicy(reading.duplicates.value)
        corpus = _corpus_of(known, authors, works)
        return checked_corpus(
            corpus, (), policy, path=corpus.name, min_authors=min_authors, unit=unit, stacklevel=4
        )
    if authors is not None or works is not None:
        what = "a Corpus" if isinstance(known, Corpus) else "a path"
        raise UsageError(
            f"the known texts are {what}, which states their authors; leave out authors= and "
            "works=, or give a list of texts"
        )
    if isinstance(known, Corpus):
        return known
    path = _path(known)
    return read_known_texts(
        path, reading, options, unit=unit, language=language, min_authors=min_authors
    )


def _corpus_of(
    texts: Sequence[str], authors: Sequence[str] | None, works: Sequence[str] | Sequence[int] | None
) -> Corpus:
    given = check_texts(texts)
    if authors is None:
        raise UsageError("the authors of the texts are missing; give one author per text")
    names = check_strings(authors, "author")
    groups = [""] * len(given) if works is None else check_groups(works, "work")
    for found, what in ((names, "author"), (groups, "work")):
        if len(found) != len(given):
            counts = f"{quantity(len(given), 'text')} but {quantity(len(found), what)}"
            raise UsageError(f"the known texts are {counts}; give one {what} per text")
    rows = enumerate(zip(given, names, groups, strict=True), start=1)
    documents = (Document(name, text, f"text {n}", work) for n, (text, name, work) in rows)
    return Corpus(documents, "the corpus")


def listed(names: str | Collection[str]) -> Sequence[str]:
    """Return a single name as a list."""
    return [names] if isinstance(names, str) else list(names)


def optional_path(path: AnyPath | None) -> Path | None:
    """Return a path as a `Path`, if there is one."""
    return None if path is None else _path(path)


def _path(path: object) -> Path:
    if isinstance(path, str | os.PathLike):
        return Path(os.fspath(path))
    raise UsageError(
        f"a {type(path).__name__} is neither a path nor a Corpus; write texts to files, or make a "
        "Corpus of them, which states their authors"
    )


def other_corpus(
    texts: AnyPath | Corpus,
    reading: KnownTextSettings,
    options: ReadingOptions,
    *,
    unit: str,
    language: str | None,
    min_authors: int = 1,
) -> Corpus:
    """Return further texts as a corpus; a file need not be a table, as the known texts may be."""
    if isinstance(texts, Corpus):
        return texts
    path = _path(texts)
    return read_known_texts(
        path,
        reading.of_other(path),
        options,
        unit=unit,
        language=language,
        min_authors=min_authors,
    )


def check_further_texts(
    settings: AttributorSettings, reference: AnyPath | Corpus | None, features: AnyPath | None
) -> None:
    """Check that a model with these settings can use a reference population and features."""
    attributor = settings.attributor()
    stated = None if reference is None else Path()
    check_reference(stated, attributor)
    check_features(optional_path(features), attributor, stated)


def reference_population(
    reference: AnyPath | Corpus | None,
    known: Corpus,
    reading: KnownTextSettings,
    options: ReadingOptions,
    *,
    unit: str,
    language: str,
) -> ReferencePopulation | None:
    """Return the texts of a reference population, read as the known texts were."""
    if reference is None:
        return None
    options = replace(options, line_rules=known.line_rules)
    corpus = other_corpus(reference, reading, options, unit=unit, language=language, min_authors=2)
    return ReferencePopulation(corpus.texts, corpus.authors, corpus.works, corpus.name)


def known_again(known: Known, attributor: Attributor, options: ReadingOptions) -> KnownCorpus:
    """Return the texts that a model was trained on."""
    if not isinstance(known, str | os.PathLike | Corpus):
        raise UsageError("the known texts must be a path or a Corpus, which states their authors")
    corpus = known_corpus(
        known,
        None,
        None,
        KnownTextSettings(),
        options,
        unit=attributor.encoder_.unit,
        language=None,
        min_authors=1,
    )
    source = attributor.source_file_
    return KnownCorpus.of(corpus, attributor, *(() if source is None else (source.name,)))


def read_texts_and_files(
    texts: Iterable[AnyPath], options: ReadingOptions, speaker: str | None
) -> tuple[list[QuestionedText], list[str] | None]:
    """Read the files among questioned texts, and name each text; a single string has no name."""
    if isinstance(texts, str):
        _refuse_name_of_file(texts, "[pathlib.Path({!r})]")
    given = check_list(texts, "text")
    found: list[QuestionedText] = []
    paths: list[str] = []
    for number, text in enumerate(given):
        if isinstance(text, os.PathLike):
            found += read_questioned_texts([Path(text)], options, speaker)
            paths.append(printable(Path(text)))
        else:
            _refuse_name_of_file(text, "pathlib.Path({!r})")
            found.append(QuestionedText(ExtractedText(check_text(text, number))))
            paths.append(f"text {number + 1}")
    is_one = len(paths) == 1 and not isinstance(given[0], os.PathLike)
    return found, None if is_one else paths


def _refuse_name_of_file(text: object, remedy: str) -> None:
    """Refuse the name of an existing file, which would be declined as a text that is too short."""
    if isinstance(text, str) and os.path.isfile(text):  # noqa: PTH113  # no errors for any string
        raise UsageError(
            f"the text {text!r} is the name of a file; to attribute its content, give "
            f"{remedy.format(text)}"
        )
