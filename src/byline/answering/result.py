"""`Answer`: everything that belongs to the answer about one questioned text."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

from byline.answering.provenance import Provenance
from byline.answering.varied_answers import Sensitivity
from byline.attribution import Attribution, Candidate, Evidence, OpenSetDecision, explain_answer
from byline.attribution.caveats import Caveat
from byline.attribution.evidence.explanation import is_too_long_to_explain
from byline.attribution.keyness import AuthorKeywords
from byline.attribution.model_files.saving import Attributor
from byline.attribution.rolling import RollingAttribution, rolling_attribution
from byline.attribution.training_record.record import RecordDifferences
from byline.corpus.chapters import Chapter
from byline.display import Displayable
from byline.formatting import bounded_percent, printable

KeywordPair = tuple[AuthorKeywords, AuthorKeywords]


@dataclass(frozen=True, repr=False)
class Answer(Displayable):
    """The answer about one questioned text, with all that a careful examiner would state.

    ``print(answer)`` prints what `byline attribute` prints. In a notebook, an answer shows itself
    as in a report.

    Attributes
    ----------
    attribution : Attribution
        The ranking of the candidates, or the reason why there is none.
    text : str
        The questioned text, normalised as the model's known texts.
    text_sha256 : str
        The digest of the questioned text before it was normalised, in UTF-8.
    caveats : tuple of Caveat
        Reasons to rely less on the answer, each with a code, a severity, a sentence and an advice.
    provenance : Provenance
        The model, its settings and the versions that the answer comes from.
    attributor : AuthorshipAttributor or StackedAttributor
        The model that answered. The evidence and the rolling attribution are computed with it when
        they are first used, so do not train it again before that.
    chapters : tuple of Chapter
        The chapters that were found in the text; empty if there are none.
    is_explained : bool
        Whether evidence was asked for.
    keywords : pair of AuthorKeywords or None
        The keywords in the text that distinguish its first two candidates in the known texts. None
        if the text was declined, or the known texts were not given.
    known_name : str or None
        The name of the known texts, if they were given.
    differences : RecordDifferences or None
        How the given known texts differ from those that the model was trained on.
    sensitivity : Sensitivity or None
        How the answer changes if the model is trained on other texts, if that was computed.

    See Also
    --------
    answer : Answer who wrote texts.

    Examples
    --------
    >>> from byline.answering import answer
    >>> from byline.attribution import AuthorshipAttributor
    >>> from byline.lm import NgramLM
    >>> known = ["The cat sat on the mat. The cat slept.", "A dog ran in a park. A dog barked."]
    >>> model = AuthorshipAttributor(NgramLM(order=1), n_samples=1, min_tokens=1)
    >>> model = model.fit(known, ["Ann", "Bob"])
    >>> [found] = answer(model, ["The cat sat."])
    >>> found
    <Answer: Ann>
    >>> found.author, found.probabilities, found.probabilities_unavailable_reason
    ('Ann', None, 'no known texts were held out for calibration')
    """

    attribution: Attribution
    text: str
    text_sha256: str
    caveats: tuple[Caveat, ...]
    provenance: Provenance
    attributor: Attributor = field(compare=False)
    chapters: tuple[Chapter, ...] = ()
    is_explained: bool = False
    keywords: KeywordPair | None = None
    known_name: str | None = None
    differences: RecordDifferences | None = None
    sensitivity: Sensitivity | None = None

    @property
    def path(self) -> str | None:
        """Where the text comes from, if that was given."""
        return self.attribution.path

    @property
    def declined(self) -> str | None:
        """Why no author is named, as a clause; None if one is named."""
        return self.attribution.declined

    @property
    def author(self) -> str | None:
        """The first candidate; None if no author is named."""
        return self.ranking[0].author if self.ranking else None

    @property
    def ranking(self) -> tuple[Candidate, ...]:
        """All candidates, best first; empty if no author is named."""
        return self.attribution.ranking

    @property
    def probabilities(self) -> dict[str, float] | None:
        """The probability of each candidate by name, best first; None if there are none."""
        found = {place.author: place.probability for place in self.ranking}
        known = {author: value for author, value in found.items() if value is not None}
        return known or None

    @property
    def probabilities_unavailable_reason(self) -> str | None:
        """Why there are no probabilities, as a clause; None if there are."""
        return self.declined or self.attribution.calibration_unavailable_reason

    @property
    def log10_lrs(self) -> dict[str, float] | None:
        """Log10 likelihood ratios of each candidate against the others; None if there are none."""
        found = {place.author: place.log10_lr for place in self.ranking}
        known = {author: value for author, value in found.items() if value is not None}
        return known or None

    @property
    def has_known_corpus(self) -> bool:
        """Whether the known texts were given."""
        return self.known_name is not None

    @property
    def open_set(self) -> OpenSetDecision | None:
        """Whether one of the candidates wrote the text at all; None if that was not asked."""
        return self.attribution.open_set

    @cached_property
    def evidence(self) -> Evidence | None:
        """The evidence for the first candidate against the second, computed when it is first used.

        None if it was not asked for, if the text was declined, or if it is too long to be
        explained.
        """
        if not self.is_explained or is_too_long_to_explain(self.text):
            return None
        return explain_answer(self.attributor, self.attribution, self.text)

    @cached_property
    def rolling(self) -> RollingAttribution:
        """The rolling attribution of the text, computed when it is first used."""
        return rolling_attribution(self.attributor, self.text, chapters=self.chapters)

    def __repr__(self) -> str:
        """Name the text and its first candidate."""
        about = "" if self.path is None else f" about {printable(self.path)}"
        if self.author is None:
            return f"<Answer{about}: no author is named>"
        probability = self.ranking[0].probability
        stated = "" if probability is None else f" ({bounded_percent(probability)})"
        return f"<Answer{about}: {printable(self.author)}{stated}>"
