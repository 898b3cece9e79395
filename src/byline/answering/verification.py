"""Verify whether authors wrote texts, and collect everything that belongs to each answer."""

from __future__ import annotations

import warnings
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import Any

from byline.attribution.caveats import (
    Caveat,
    reading_caveats,
    verification_convention_caveats,
    verification_copy_caveats,
)
from byline.attribution.inputs import check_names, check_number, check_texts
from byline.attribution.verification import (
    AuthorVerification,
    JointVerification,
    Verification,
    verify_author,
    verify_authors,
)
from byline.corpus import Corpus, Document
from byline.corpus.questioned import LeftOutPart
from byline.display import Displayable
from byline.errors import BylineWarning, UsageError
from byline.formatting import bounded_percent, join_names, printable, quantity
from byline.progress import Progress


@dataclass(frozen=True, slots=True, kw_only=True)
class VerificationMaterial:
    """The texts and settings that verifications come from.

    Attributes
    ----------
    known : tuple of Document
        The texts by the authors in question.
    population : tuple of Document
        The reference texts by other authors.
    reference : str
        The name of the reference texts.
    language, normalization : str
        How all texts were processed.
    seed : int
        Of all random samples.

    Examples
    --------
    >>> VerificationMaterial(
    ...     known=(), population=(), reference="letters", language="en", normalization="edition"
    ... ).seed
    0
    """

    known: tuple[Document, ...] = field(repr=False)
    population: tuple[Document, ...] = field(repr=False)
    reference: str
    language: str
    normalization: str
    seed: int = 0


@dataclass(frozen=True, slots=True, repr=False)
class VerificationAnswer(Displayable):
    """The answer whether one or several authors wrote a text, with all that belongs to it.

    ``print(answer)`` prints what `byline verify` prints.

    Attributes
    ----------
    found : AuthorVerification or JointVerification
        The answer about one author, or about several.
    caveats : tuple of Caveat
        Reasons to rely less on the answer.
    text : str
        The questioned text.
    material : VerificationMaterial
        The other texts, and the settings.

    See Also
    --------
    verify_texts : Verify texts.

    Examples
    --------
    >>> from byline.attribution.verification import Verification, VerificationPerformance
    >>> performance = VerificationPerformance(20, 20, 5, auc=0.97, c_at_1=0.92, n_withheld=2)
    >>> verification = Verification("note.txt", "yes", 0.95, 1.2, None)
    >>> found = AuthorVerification("Ada", verification, 4, 3, 12, 100, performance)
    >>> material = VerificationMaterial(
    ...     known=(), population=(), reference="letters", language="en", normalization="edition"
    ... )
    >>> VerificationAnswer(found, (), "It rained.", material)
    <VerificationAnswer about note.txt: yes, Ada 95.0 %>
    """

    found: AuthorVerification | JointVerification
    caveats: tuple[Caveat, ...]
    text: str
    material: VerificationMaterial

    @property
    def separate(self) -> tuple[AuthorVerification, ...]:
        """The answers about each author alone."""
        return self.found.separate if isinstance(self.found, JointVerification) else (self.found,)

    @property
    def path(self) -> str | None:
        """Where the text comes from."""
        return self._verification.path

    @property
    def answer(self) -> str:
        """The answer: "yes" or "no" about one author; otherwise an author; or "cannot tell"."""
        return self._verification.answer

    @property
    def declined(self) -> str | None:
        """Why there is no answer."""
        return self._verification.declined

    @property
    def probabilities(self) -> dict[str, float]:
        """The probability of each author in question; empty if the text was declined."""
        if isinstance(self.found, JointVerification):
            return dict(self.found.probabilities)
        probability = self.found.verification.probability
        return {} if probability is None else {self.found.author: probability}

    @property
    def log10_lrs(self) -> dict[str, float | None]:
        """The log10 likelihood ratio of each author in question against other authors."""
        return {each.author: each.verification.log10_lr for each in self.separate}

    @property
    def _verification(self) -> JointVerification | Verification:
        if isinstance(self.found, JointVerification):
            return self.found
        return self.found.verification

    def __repr__(self) -> str:
        """State the text, the answer and the probabilities."""
        about = "" if self.path is None else f" about {self.path}"
        stated = [f", {name} {bounded_percent(p)}" for name, p in self.probabilities.items()]
        return f"<VerificationAnswer{about}: {self.answer}{''.join(stated)}>"


def verify_texts(
    known: Corpus,
    authors: Collection[str],
    texts: Sequence[str],
    *,
    reference: Corpus | None = None,
    paths: Sequence[str] | None = None,
    language: str = "en",
    normalization: str = "edition",
    random_state: int = 0,
    left_out: Sequence[Sequence[LeftOutPart]] | None = None,
    progress: Progress | None = None,
) -> list[VerificationAnswer]:
    """Verify whether authors wrote texts, as `byline verify` does.

    Parameters
    ----------
    known : Corpus
        Texts by the authors in question, and by others if there is no ``reference``.
    authors : collection of str
        The authors in question, each of whom has texts in ``known``. With several, the answer is
        which of them wrote each text, or that somebody else did.
    texts : sequence of str, (n_texts,)
        The questioned texts.
    reference : Corpus, optional
        Reference texts by other authors, to be used instead of those in ``known``.
    paths : sequence of str, (n_texts,), optional
        Where the texts come from.
    language : str
        ISO 639 code, used for lower-casing.
    normalization : str
        The rules by which typographic differences are removed from all texts.
    random_state : int
        Seed of the random sample of calibration problems.
    left_out : sequence of sequences of LeftOutPart, optional
        What was left out of each text when it was read.
    progress : Progress, optional

    Returns
    -------
    list of VerificationAnswer, (n_texts,)

    Raises
    ------
    UsageError
        An author in question has no text, no author is named, or an argument has the wrong type.
    TrainingError
        There are too few texts for calibration; the message states what is needed.

    Warns
    -----
    BylineWarning
        A questioned text is also a known or reference text, or ``reference`` has texts by an author
        in question.

    Examples
    --------
    >>> from byline.corpus import Corpus, Document
    >>> corpus = Corpus([Document("Ada", "The sea.", "1.txt")], "letters")
    >>> verify_texts(corpus, ["Ben"], ["It rained."])
    Traceback (most recent call last):
    byline.errors.UsageError: letters has no text by 'Ben'; choose from Ada
    """
    if not isinstance(known, Corpus):
        raise UsageError(
            f"the known texts are a {type(known).__name__}; give a byline.corpus.Corpus, which "
            "states their authors"
        )
    names = sorted(set(check_names(authors)))
    if not names:
        raise UsageError("no author in question is named; name at least one")
    own = {author: _by(known, author) for author in names}
    others = known if reference is None else reference
    population = _not_by(others, names, warn=reference is not None)
    check_number("random_state", random_state, 0)
    given = check_texts(texts)
    names_of_texts = [f"text {n}" for n in range(1, len(given) + 1)]
    places = (
        (names_of_texts if len(given) > 1 else ["the questioned text"])
        if paths is None
        else list(map(printable, paths))
    )
    shared: dict[str, Any] = {
        "language": language,
        "normalization": normalization,
        "random_state": random_state,
        "progress": progress,
    }
    found: list[AuthorVerification | JointVerification]
    if len(own) > 1:
        found = [*verify_authors(own, population, given, places, **shared)]
    else:
        found = [*verify_author(own[names[0]], population, given, places, **shared)]
    material = VerificationMaterial(
        known=tuple(document for author in names for document in own[author]),
        population=tuple(population),
        reference=others.name,
        language=language,
        normalization=normalization,
        seed=random_state,
    )
    parts = left_out or [()] * len(given)
    return [
        VerificationAnswer(each, _caveats(each, text, language, part), text, material)
        for each, text, part in zip(found, given, parts, strict=True)
    ]


def _caveats(
    found: AuthorVerification | JointVerification,
    text: str,
    language: str,
    left_out: Sequence[LeftOutPart],
) -> tuple[Caveat, ...]:
    """Return the caveats about copies and conventions of editions, each once, and the text."""
    separate = found.separate if isinstance(found, JointVerification) else [found]
    own = [
        caveat
        for each in separate
        for caveat in (*verification_copy_caveats(each), *verification_convention_caveats(each))
    ]
    distinct = [each for place, each in enumerate(own) if each not in own[:place]]
    return (*distinct, *reading_caveats(text, language=language, left_out=left_out))


def _by(corpus: Corpus, author: str) -> list[Document]:
    own = [document for document in corpus if document.author == author]
    if not own:
        names = join_names(corpus.candidates)
        raise UsageError(f"{corpus.name} has no text by {author!r}; choose from {names}")
    return own


def _not_by(corpus: Corpus, authors: Sequence[str], *, warn: bool) -> list[Document]:
    others = [document for document in corpus if document.author not in authors]
    if warn and len(others) < len(corpus):
        left_out = quantity(len(corpus) - len(others), "text")
        message = (
            f"{left_out} by {join_names(authors)} in {corpus.name} cannot be used as reference; "
            "leave them out"
        )
        warnings.warn(message, BylineWarning, stacklevel=3)
    return others
