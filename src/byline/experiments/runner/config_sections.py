"""The sections of an experiment's configuration and their keys."""

from __future__ import annotations

from typing import Annotated, Any, Literal, Self

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, model_validator

from byline.corpus import DuplicatePolicy
from byline.corpus.readers.columns import parse_columns
from byline.errors import UsageError
from byline.experiments.runner.search import GRACE, MARGIN
from byline.lm.scoring import UnknownWords
from byline.typography import Normalization

SEARCH = "search"  # starts the names of trials, so that no split may have this name
Name = Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9-]*$")]


def _without_duplicates(values: tuple[Any, ...]) -> tuple[Any, ...]:
    repeated = sorted({str(value) for value in values if values.count(value) > 1})
    if repeated:
        raise ValueError(f"{', '.join(repeated)} is listed more than once; list each value once")
    return values


def _normalization(value: str) -> str:
    try:
        return str(Normalization.parse(value))
    except UsageError as error:
        raise ValueError(str(error)) from error


def _columns(value: dict[str, str] | str | None) -> dict[str, str] | str | None:
    try:
        parse_columns(value)
    except UsageError as error:
        raise ValueError(str(error)) from error
    return value


Once = AfterValidator(_without_duplicates)
Seeds = Annotated[tuple[Annotated[int, Field(ge=0)], ...], Field(min_length=1), Once]
Count = Annotated[int, Field(ge=1)]
Part = Literal["validation", "test"]
Rule = Literal["sum-of-perplexities", "log-likelihood", "log-likelihood-shared"]


class Section(BaseModel):
    """A part of a configuration. It is immutable and accepts no unknown keys."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=False)


class CorpusSection(Section):
    """Where the texts of a corpus are, and in which form.

    Attributes
    ----------
    path : str
        Folder or table, as for `read_corpus`; a relative path starts from the data folder.
    form : {"text", "tokenised"}
        Running text, which is tokenised and stemmed as in the paper; or one sentence per line, with
        spaces between the tokens.
    normalization : str
        The rules of normalisation; of tokenised text, those for lines alone apply. By default,
        running text is read as in the paper.
    columns : dict of str to str, str or None
        The columns of a table, as for `read_corpus`.
    duplicates : {"error", "drop", "keep"} or None
        What to do with texts that occur more than once, as for `read_corpus`.
    """

    path: str
    form: Literal["text", "tokenised"]
    normalization: Annotated[str, AfterValidator(_normalization)] = "edition,-quotes"
    columns: Annotated[dict[str, str] | str | None, AfterValidator(_columns)] = None
    duplicates: DuplicatePolicy | None = None


class SplitSection(Section):
    """How each author's text is divided 8:1:1 into training, validation and test parts.

    Attributes
    ----------
    corpus : str
    unit : {"sentence", "document"}
        The unit that is never divided.
    prune : {"author", "training"}
        Where the rare words are found that are replaced by ``<unk>``: in an author's whole text
        before the split, as in the paper, or in the training part alone.
    seeds : tuple of int
        One random split per seed.
    """

    corpus: Name
    unit: Literal["sentence", "document"]
    prune: Literal["author", "training"] = "training"
    seeds: Seeds


class ModelSection(Section):
    """A kind of language model, of which each author has one.

    Attributes
    ----------
    label : str
        Name of the model in tables and figures.
    kind : {"ngram", "feedforward"}
    preset : {"srilm", "ge-sun-2016"} or None
        Defaults of the parameters; None for Byline's own.
    settings : dict
        Parameters of `NgramLM` or `FeedForwardLM` that differ from the defaults.
    settings_from : {"search"} or None
        "search": each author's model has the best setting that the search found. Authors without
        a search are left out.
    words : {"pruned", "all"}
        Whether rare words are replaced by ``<unk>``.
    unknown : tuple
        How unknown words are counted (see `byline.lm.Scoring`). Perplexity is measured in all these
        ways; scores and the table of perplexities use the first.
    part : {"validation", "test"}
        The part on which the table of perplexities is measured.
    attribution : bool
        Whether the model is also used to attribute texts.
    seeds : dict of split to tuple of int
        Splits on which the model is trained; by default all.
    published : str or None
        The published column that the model is compared with.
    """

    label: str
    kind: Literal["ngram", "feedforward"]
    preset: Literal["srilm", "ge-sun-2016"] | None = None
    settings: dict[str, Any] = {}
    settings_from: Literal["search"] | None = None
    words: Literal["pruned", "all"] = "pruned"
    unknown: Annotated[tuple[UnknownWords, ...], Field(min_length=1), Once] = ("score",)
    part: Part = "test"
    attribution: bool = True
    seeds: dict[Name, Seeds] | None = None
    published: str | None = None


class ScoringSection(Section):
    """Which sentence marks all models score; see `byline.lm.Scoring`."""

    sentence_start: bool = True
    sentence_end: bool = True


class RangeSection(Section):
    """The values of a parameter that the search may try.

    Attributes
    ----------
    low, high : float
    scale : {"log", "linear", "complement-log"}
        The scale on which steps are equal. "complement-log" is the logarithm of 1 minus the value.
    whole : bool
        Whether the parameter takes whole numbers only.
    """

    low: float
    high: float
    scale: Literal["log", "linear", "complement-log"] = "log"
    whole: bool = False

    @model_validator(mode="after")
    def _ascending(self) -> Self:
        if not self.low < self.high:
            raise ValueError(
                f"low must be below high, but low is {self.low:g} and high is {self.high:g}"
            )
        return self


class SearchSection(Section):
    """The search for each author's best setting, on the validation part of one split.

    Attributes
    ----------
    model : str
        The model whose settings are the first trial. Parameters without a range keep its values.
    split, seed : str, int
    authors : tuple of str
    settings : int or None
        Number of trials per author, over all rounds; if None, the minutes are the only budget.
    minutes : float or None
        CPU minutes per author, after which no trial starts. The result then depends on the speed of
        the machine.
    rounds : int
        Each round searches a box half as wide as the round before.
    grace, margin : int, float
        When a trial is stopped as unpromising; see `is_unpromising`.
    ranges : dict of parameter to RangeSection
        ``hidden_dim`` is the width of a single hidden layer.
    """

    model: Name
    split: Name
    seed: Annotated[int, Field(ge=0)] = 0
    authors: Annotated[tuple[str, ...], Field(min_length=1), Once]
    settings: Count | None = None
    minutes: Annotated[float, Field(gt=0)] | None = None
    rounds: Count = 3
    grace: Count = GRACE
    margin: Annotated[float, Field(ge=0)] = MARGIN
    ranges: Annotated[dict[str, RangeSection], Field(min_length=1)]


class EvaluationSection(Section):
    """How texts are attributed, and which results are reported.

    Attributes
    ----------
    sentences : tuple of int
        Lengths of the questioned texts in sentences.
    stages, n_best : tuple of int
        Lengths, and ranks, that have tables of their own.
    random_texts : int
        Number of random texts per author and length.
    rules : tuple of str
        How the score of a text is computed from the scores of its sentences.
    highlighted_author : str or None
        The author whose accuracy has a separate figure.
    excluded_from_mean : tuple of str
        Authors who are candidates, but whose accuracy does not enter the mean.
    same_person : tuple of pairs
        Pairs of candidates who are the same person.
    comparisons : tuple of pairs of models
        A model, and the model it is compared with.
    """

    sentences: Annotated[tuple[Count, ...], Field(min_length=1), Once] = tuple(range(1, 21))
    stages: Annotated[tuple[Count, ...], Once] = (1, 5, 10)
    n_best: Annotated[tuple[Count, ...], Once] = (1, 2, 3, 5)
    random_texts: Count = 100
    rules: Annotated[tuple[Rule, ...], Field(min_length=1), Once] = ("log-likelihood-shared",)
    highlighted_author: str | None = None
    excluded_from_mean: tuple[str, ...] = ()
    same_person: tuple[tuple[str, str], ...] = ()
    comparisons: tuple[tuple[Name, Name], ...] = ()

    @model_validator(mode="after")
    def _stages_are_lengths(self) -> Self:
        lacking = sorted(set(self.stages) - set(self.sentences))
        if "stages" in self.model_fields_set and lacking:
            raise ValueError(f"stages: {lacking} must also be listed in sentences")
        return self


class ProfileSection(Section):
    """The corpus whose texts are described author by author."""

    corpus: Name


class PublishedSection(Section):
    """The publication whose results are compared with the measured ones."""

    source: Literal["ge-sun-2016"]
