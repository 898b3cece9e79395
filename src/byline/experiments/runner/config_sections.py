"""The sections of an experiment's configuration: immutable, and each knows all its keys."""

from __future__ import annotations

from typing import Annotated, Any, Literal, Self

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, model_validator

from byline.experiments.runner.early_stopping import GRACE, MARGIN
from byline.lm.scoring import UnknownWords

Name = Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9-]*$")]


def _each_once(values: tuple[Any, ...]) -> tuple[Any, ...]:
    twice = sorted({str(value) for value in values if values.count(value) > 1})
    if twice:
        raise ValueError(f"{', '.join(twice)} must stand there once")
    return values


Once = AfterValidator(_each_once)
Seeds = Annotated[tuple[Annotated[int, Field(ge=0)], ...], Field(min_length=1), Once]
Count = Annotated[int, Field(ge=1)]
Part = Literal["validation", "test"]
Rule = Literal["sum-of-perplexities", "log-likelihood", "log-likelihood-shared"]


class Section(BaseModel):
    """A part of a configuration: immutable, and it knows all its keys."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=False)


class CorpusSection(Section):
    """Where texts are, and what they are.

    Attributes
    ----------
    path : str
        Folder or table, as `read_corpus` takes it; a relative one starts from the data folder.
    form : {"text", "tokenised"}
        Running text, to be cut and stemmed as the paper has it; or one sentence a line, its tokens
        between spaces.
    """

    path: str
    form: Literal["text", "tokenised"]


class SplitSection(Section):
    """How each author's text is divided 8:1:1 into training, validation and test.

    Attributes
    ----------
    corpus : str
    unit : {"sentence", "document"}
        What is kept whole.
    prune : {"author", "training"}
        Whether rare words are replaced by ``<unk>`` in an author's whole text before the split, as
        in the paper, or training text alone says which they are.
    seeds : tuple of int
        One random split each.
    """

    corpus: Name
    unit: Literal["sentence", "document"]
    prune: Literal["author", "training"] = "training"
    seeds: Seeds


class ModelSection(Section):
    """A language model that every author has one of.

    Attributes
    ----------
    label : str
        What readers call it.
    kind : {"ngram", "feedforward"}
    preset : {"srilm", "ge-sun-2016"} or None
        Whose defaults it starts from; Byline's own where None.
    settings : dict
        Parameters of `NgramLM` or `FeedForwardLM` that differ from those.
    settings_from : {"search"} or None
        Whether each author takes the best setting that the search found; authors without one are
        left out.
    words : {"pruned", "all"}
        Whether rare words are ``<unk>``.
    unknown : tuple
        How unknown words are counted (`byline.lm.Scoring`): in all these ways; scores, and the
        table of perplexities, have the first.
    part : {"validation", "test"}
        Which part the table of perplexities is measured on.
    attributes : bool
        Whether it also names authors.
    seeds : dict of split to tuple of int
        Splits it is learnt on; by default all.
    published : str or None
        The published column it stands beside.
    """

    label: str
    kind: Literal["ngram", "feedforward"]
    preset: Literal["srilm", "ge-sun-2016"] | None = None
    settings: dict[str, Any] = {}
    settings_from: Literal["search"] | None = None
    words: Literal["pruned", "all"] = "pruned"
    unknown: Annotated[tuple[UnknownWords, ...], Field(min_length=1), Once] = ("score",)
    part: Part = "test"
    attributes: bool = True
    seeds: dict[Name, Seeds] | None = None
    published: str | None = None


class ScoringSection(Section):
    """Which sentence marks are scored, by all models alike: see `byline.lm.Scoring`."""

    sentence_start: bool = True
    sentence_end: bool = True


class RangeSection(Section):
    """Values among which the search looks for a parameter.

    Attributes
    ----------
    low, high : float
    scale : {"log", "linear", "complement-log"}
        On which scale steps are equal; of the last one that is 1 minus the value, by logarithm.
    """

    low: float
    high: float
    scale: Literal["log", "linear", "complement-log"] = "log"
    whole: bool = False

    @model_validator(mode="after")
    def _ascending(self) -> Self:
        if not self.low < self.high:
            raise ValueError(f"low must be below high; they are {self.low:g} and {self.high:g}")
        return self


class SearchSection(Section):
    """The search for each author's best setting, on the validation part of one split.

    Attributes
    ----------
    model : str
        Whose settings are the first trial, and stay where the ranges name none.
    split, seed : str, int
    authors : tuple of str
    settings : int or None
        Trials an author, over all rounds; without it, until the minutes are used.
    minutes : float or None
        CPU minutes an author after which no trial is begun; such a search depends on the machine.
    rounds : int
        Each round looks in a box half as wide as the one before.
    grace, margin : int, float
        When a trial is hopeless: see `is_unpromising`.
    ranges : dict of parameter to RangeSection
        ``hidden_dim`` stands for one hidden layer.
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
    """How the authors of sentences are guessed, and what is looked at.

    Attributes
    ----------
    sentences : tuple of int
        Lengths of questioned texts.
    stages, n_best : tuple of int
        Lengths, and places in the ranking, that have tables of their own.
    trials : int
        Random texts of an author, of each length.
    rules : tuple of str
        How a text's score is made of its sentences'.
    alone : str or None
        The author whose accuracy is drawn alone.
    aside : tuple of str
        Authors who stay candidates, but are not among those whose accuracy is averaged.
    same_person : tuple of pairs
        Candidates who are one and the same person.
    comparisons : tuple of pairs of models
        A model, and its rival.
    """

    sentences: Annotated[tuple[Count, ...], Field(min_length=1), Once] = tuple(range(1, 21))
    stages: Annotated[tuple[Count, ...], Once] = (1, 5, 10)
    n_best: Annotated[tuple[Count, ...], Once] = (1, 2, 3, 5)
    trials: Count = 100
    rules: Annotated[tuple[Rule, ...], Field(min_length=1), Once] = ("log-likelihood-shared",)
    alone: str | None = None
    aside: tuple[str, ...] = ()
    same_person: tuple[tuple[str, str], ...] = ()
    comparisons: tuple[tuple[Name, Name], ...] = ()

    @model_validator(mode="after")
    def _stages_are_lengths(self) -> Self:
        lacking = sorted(set(self.stages) - set(self.sentences))
        if "stages" in self.model_fields_set and lacking:
            raise ValueError(f"stages: {lacking} must be among the lengths in sentences")
        return self


class ProfileSection(Section):
    """Which corpus is described author by author."""

    corpus: Name


class PublishedSection(Section):
    """Whose published figures stand beside the measured ones."""

    source: Literal["ge-sun-2016"]
