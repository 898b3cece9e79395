"""The models and known texts that a worker process keeps in memory."""

from __future__ import annotations

import hashlib
import warnings
from collections import Counter, OrderedDict
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from byline.answering import (
    KnownCorpus,
    check_known_texts,
    reading_options,
)
from byline.attribution import StackedAttributor, load_attributor, save_attributor
from byline.attribution.model_files.saving import Attributor
from byline.attribution.stacking import default_base_classifiers
from byline.corpus import Corpus, Document, ReadingOptions, check_corpus, read_corpus
from byline.corpus.checking import read_for_checking
from byline.corpus.extraction import Keep
from byline.corpus.fingerprints import WordHasher
from byline.errors import (
    BylineWarning,
    CorpusError,
    MissingExtraError,
    ModelFileError,
    UsageError,
)
from byline.progress import Progress
from byline.report.case import describe_candidates
from byline.report.performance import performance_summary
from byline.web.jobs import ModelCard
from byline.web.messages import GIVEN, ModelDescription, ModelFile
from byline.web.samples import read_samples
from byline.web.text_store import StoredText

MAX_LOADED = 2
NAME = "the known texts"


@contextmanager
def collect_warnings() -> Iterator[list[str]]:
    """Collect the messages of Byline's warnings, each once, and ignore all other warnings.

    Yields
    ------
    list of str
        It is filled when the context ends.
    """
    messages: list[str] = []
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("ignore")
        warnings.simplefilter("always", BylineWarning)
        yield messages
    messages += dict.fromkeys(str(warning.message) for warning in caught)


@dataclass(frozen=True)
class TrainingTexts:
    """The known texts that a model was trained on, and what a reader should know about them."""

    known: KnownCorpus
    notes: tuple[str, ...]


def make_paths_unique(documents: Iterable[Document]) -> list[Document]:
    """Give every text that is not a part of a work a path and work of its own."""
    seen: Counter[str] = Counter()
    unique: list[Document] = []
    for document in documents:
        seen[document.path] += 1
        if (n := seen[document.path]) > 1 and document.work == document.path:
            path = f"{document.path} ({n})"
            document = replace(document, path=path, work=path)
        unique.append(document)
    return unique


class LoadedModels:
    """Models and known texts in the memory of one worker.

    Parameters
    ----------
    given : ModelFile
        The model that `byline serve` was started with; its texts are in ``known``.
    known : Path or None
    keep : frozenset of Keep
        Parts of files that are not running text, but are read as text.
    """

    def __init__(
        self, given: ModelFile, known: Path | None, keep: frozenset[Keep] = frozenset()
    ) -> None:
        self.given = given
        self.known_path = known
        self.keep = keep
        self._loaded: OrderedDict[str, LoadedModel] = OrderedDict()

    @cached_property
    def known(self) -> Corpus | None:
        """The known texts that `byline serve` was started with.

        Raises
        ------
        CorpusError
            They cannot be read.
        UsageError
            They lack an author of the given model.
        """
        if self.known_path is None:
            return None
        attributor = self.model(self.given).attributor
        unit = attributor.encoder_.unit
        corpus = read_corpus(self.known_path, self.options, min_authors=1, unit=unit)
        check_known_texts(corpus, attributor, self.known_path)
        return corpus

    @cached_property
    def samples(self) -> tuple[Corpus, dict[str, Document]]:
        """Known sample texts, and the questioned ones by their ids; errors of `read_samples`."""
        return read_samples()

    @property
    def sample_corpus(self) -> Corpus:
        """All sample texts with their authors; errors as in `samples`."""
        known, questioned = self.samples
        return Corpus([*known, *questioned.values()], known.name)

    @property
    def options(self) -> ReadingOptions:
        """How known texts are read: as those of the given model."""
        return reading_options(self.model(self.given).attributor, self.keep)

    def model(self, file: ModelFile) -> LoadedModel:
        """Return a model. It is loaded once and kept while it is among the last ones used.

        Raises
        ------
        ModelFileError
            As `byline.attribution.load_attributor` raises it, or the file has changed.
        """
        if file.id not in self._loaded:
            self._loaded[file.id] = LoadedModel(file, load_attributor(file.path), self)
        if file.sha256 not in (None, self._loaded[file.id].card.sha256):
            raise ModelFileError(f"{file.name} was changed; restart `byline serve`")
        self._loaded.move_to_end(file.id)
        while len(self._loaded) > MAX_LOADED:
            self._loaded.popitem(last=False)
        return self._loaded[file.id]

    def sample_model(self, file: ModelFile, progress: Progress, *, is_new: bool) -> LoadedModel:
        """Return the model of the sample texts, which is trained if it is new.

        Raises
        ------
        MissingExtraError, CorpusError
            The sample texts are not installed, or incomplete.
        """
        if is_new:
            known, _ = self.samples
            attributor = StackedAttributor(default_base_classifiers())
            attributor.fit(known.texts, known.authors, groups=known.works, progress=progress)
            save_attributor(attributor, file.path)
        return self.model(file)

    def forget(self, file: ModelFile) -> None:
        """Unload a new model, which the server may give another id."""
        self._loaded.pop(file.id, None)

    def describe(self, file: ModelFile) -> ModelDescription:
        """Load a model and describe it; for the given model, also list its known texts.

        Raises
        ------
        ModelFileError, CorpusError, UsageError
            As in `model` and `known`.
        """
        card = self.model(file).card
        known = self.known if file.id == GIVEN else None
        hasher = WordHasher()
        return ModelDescription(
            card,
            tuple(
                (document.author, document.path, len(hasher.hash_words(document.text)))
                for document in known or ()
            ),
        )

    def documents(
        self, texts: Iterable[Path], *, with_known: bool, with_lines: bool = False
    ) -> list[Document]:
        """Return known texts, the given ones first; ``with_lines`` as a check of them needs it.

        Raises
        ------
        CorpusError
            A text was removed in the meantime.
        """
        given = self.known if with_known else None
        if given is not None and with_lines and self.known_path is not None:
            given, _ = read_for_checking(self.known_path, ReadingOptions(keep=self.keep))
        try:
            stored = [StoredText.read(path).document(with_lines=with_lines) for path in texts]
            return [*(given or ()), *make_paths_unique(stored)]
        except FileNotFoundError as error:
            raise CorpusError("a known text was removed in the meantime; try again") from error

    def page_corpus(self, texts: Iterable[Path]) -> Corpus:
        """Return all known texts of the page, the given ones first; errors as in `documents`."""
        documents = self.documents(texts, with_known=True)
        return Corpus(documents, NAME if self.known is None else self.known.name)

    def corpus(
        self, texts: Iterable[Path], *, with_known: bool, min_authors: int, unit: str
    ) -> Corpus:
        """Return known texts, checked as `byline.corpus.read_corpus` does.

        Raises
        ------
        CorpusError
            The texts have errors, or one was removed in the meantime.

        Warns
        -----
        BylineWarning
            Once for each kind of finding.
        """
        corpus = Corpus(self.documents(texts, with_known=with_known), NAME)
        findings = check_corpus(corpus, min_authors=min_authors, unit=unit)
        errors = [finding.message for finding in findings if finding.severity == "error"]
        if errors:
            raise CorpusError("\n".join(errors))
        for finding in findings:
            warnings.warn(finding.message, BylineWarning, stacklevel=2)
        return corpus.select(i for i, document in enumerate(corpus) if document.text)


class LoadedModel:
    """A model in memory, and what is computed from it once.

    Parameters
    ----------
    file : ModelFile
    attributor : AuthorshipAttributor or StackedAttributor
    models : LoadedModels
        Has its known texts.
    """

    def __init__(self, file: ModelFile, attributor: Attributor, models: LoadedModels) -> None:
        self.file = file
        self.attributor = attributor
        self._models = models

    @cached_property
    def card(self) -> ModelCard:
        """What the page shows about the model."""
        with self.file.path.open("rb") as stream:
            sha256 = hashlib.file_digest(stream, "sha256").hexdigest()
        attributor = self.attributor
        rejection = getattr(attributor, "rejection_rule_", None)
        is_stack = isinstance(attributor, StackedAttributor)
        return ModelCard(
            id=self.file.id,
            name=self.file.name,
            trained_here=self.file.id != GIVEN,
            authors=tuple(map(str, attributor.classes_)),
            candidates=tuple(describe_candidates(attributor)),
            can_grow=not is_stack,
            open_set=None if rejection is None else rejection.describe(),
            performance=performance_summary(attributor) if is_stack else None,
            unit=attributor.encoder_.unit,
            n_bytes=self.file.path.stat().st_size,
            sha256=sha256,
            of_samples=self.file.with_samples,
        )

    @cached_property
    def training_texts(self) -> TrainingTexts | None:
        """The texts that the model was trained on; None if they are not all available."""
        file = self.file
        try:
            with collect_warnings() as messages:
                known = KnownCorpus.of(self._corpus(file), self.attributor, file.name)
        except (CorpusError, MissingExtraError, UsageError):
            return None
        return TrainingTexts(known, tuple(messages))

    def _corpus(self, file: ModelFile) -> Corpus:
        if file.with_samples:
            return self._models.samples[0]
        documents = self._models.documents(file.texts, with_known=file.with_known)
        given = self._models.known
        return Corpus(documents, NAME if given is None else given.name)
