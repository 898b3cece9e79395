"""What an experiment is: a TOML file, read into frozen values."""

from __future__ import annotations

import contextlib
import re
import tomllib
from collections.abc import Mapping, Sequence
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Any, Self, get_args, get_origin

from pydantic import BaseModel, Field, ValidationError, model_validator

from byline.errors import UsageError
from byline.experiments.runner.config_sections import (
    CorpusSection,
    EvaluationSection,
    ModelSection,
    Name,
    Once,
    ProfileSection,
    PublishedSection,
    ScoringSection,
    SearchSection,
    Section,
    SplitSection,
)
from byline.experiments.runner.jobs import SEARCH
from byline.experiments.runner.models import check_scoring, check_settings, language_model

MAX_BYTES = 2**20


class ExperimentConfig(Section):
    """A whole experiment.

    Attributes
    ----------
    title : str
    seed : int
        All other seeds but those of the splits derive from it, and from names.
    authors : tuple of str or None
        Candidates; by default all of the corpora.
    """

    title: str
    seed: Annotated[int, Field(ge=0)] = 0
    authors: Annotated[tuple[str, ...], Field(min_length=2), Once] | None = None
    corpora: Annotated[dict[Name, CorpusSection], Field(min_length=1)]
    splits: Annotated[dict[Name, SplitSection], Field(min_length=1)]
    models: Annotated[dict[Name, ModelSection], Field(min_length=1)]
    scoring: ScoringSection = ScoringSection()
    search: SearchSection | None = None
    evaluation: EvaluationSection = EvaluationSection()
    profile: ProfileSection | None = None
    published: PublishedSection | None = None

    @model_validator(mode="after")
    def _names_are_known(self) -> Self:
        for name, split in self.splits.items():
            _check_known(f"splits.{name}.corpus", [split.corpus], self.corpora)
        if self.profile is not None:
            _check_known("profile.corpus", [self.profile.corpus], self.corpora)
        for name, model in self.models.items():
            _check_known(f"models.{name}.seeds", model.seeds or (), self.splits)
            for where, seeds in (model.seeds or {}).items():
                known = dict.fromkeys(map(str, self.splits[where].seeds))
                _check_known(f"models.{name}.seeds.{where}", map(str, seeds), known)
            if model.settings_from == "search" and self.search is None:
                raise ValueError(f"models.{name}.settings_from: there is no [search]")
        if self.search is not None:
            _check_known("search.model", [self.search.model], self.models)
            _check_known("search.split", [self.search.split], self.splits)
        self._check_comparisons()
        if SEARCH in self.splits:
            raise ValueError(f"splits.{SEARCH}: this name is that of trials; choose another")
        return self

    def _check_comparisons(self) -> None:
        for pair in self.evaluation.comparisons:
            _check_known("evaluation.comparisons", pair, self.models)
            mute = [model for model in pair if not self.models[model].attributes]
            if mute or pair[0] == pair[1]:
                raise ValueError(
                    f"evaluation.comparisons: {' and '.join(pair)} cannot be compared: "
                    + (f"{mute[0]} has attributes = false" if mute else "they are one")
                )

    def seeds_of(self, model: str, split: str) -> tuple[int, ...]:
        """Seeds of the splits that a model is learnt on."""
        chosen = self.models[model].seeds
        return self.splits[split].seeds if chosen is None else chosen.get(split, ())


def load_config(path: Path, *, quick: bool = False) -> ExperimentConfig:
    """Read a configuration.

    Parameters
    ----------
    path : path
    quick : bool
        Whether its section ``[quick]`` replaces what it names.

    Raises
    ------
    UsageError
        It is no TOML file, or has a key that is not known or a value that cannot be used; all
        these are named, and what is known in their place.
    """
    try:
        with path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
        if len(data) > MAX_BYTES:
            raise ValueError(f"it is larger than {MAX_BYTES:,} bytes")
        content = tomllib.loads(data.decode("utf-8-sig"))
    except OSError as error:
        raise UsageError(f"{path}: cannot be read ({error.strerror}); name a TOML file") from error
    except (ValueError, RecursionError) as error:  # also of numbers too long, and of lists too deep
        raise UsageError(f"{path}: no TOML file: {error}") from error
    overlay = content.pop("quick", None)
    if quick and not isinstance(overlay, dict):
        raise UsageError(f"{path}: --quick needs a section [quick], which says what to cut")
    return parse_config(merged(content, overlay or {}) if quick else content, str(path))


def parse_config(content: Mapping[str, Any], where: str) -> ExperimentConfig:
    """Check a configuration; errors as in `load_config`."""
    try:
        config = ExperimentConfig.model_validate(content)
    except ValidationError as error:
        raise UsageError(explain(error, ExperimentConfig, where)) from error
    for name, model in config.models.items():
        try:
            prototype = language_model(model.kind, model.preset, model.settings)
            check_settings(prototype)
            check_scoring(
                prototype,
                sentence_start=config.scoring.sentence_start,
                sentence_end=config.scoring.sentence_end,
            )
        except UsageError as error:
            raise UsageError(f"{where}: models.{name}: {error}") from error
    return config


def merged(content: Mapping[str, Any], overlay: Mapping[str, Any]) -> dict[str, Any]:
    """Replace what ``overlay`` names; tables are gone into, all else is replaced whole."""
    result = dict(content)
    for key, value in overlay.items():
        both = isinstance(value, Mapping) and isinstance(result.get(key), Mapping)
        result[key] = merged(result[key], value) if both else value
    return result


def find_config(name: Path) -> tuple[Path, bool]:
    """Find a configuration: a file of that name, or else one that ships with Byline.

    Returns
    -------
    path : Path
    shipped : bool

    Raises
    ------
    UsageError
        There is neither.
    """
    with contextlib.suppress(OSError):  # no file can have such a name
        if name.exists():
            return name, False
    shipped = Path(str(files("byline.experiments") / name.name))
    if name.parent == Path() and shipped.suffix == ".toml" and shipped.is_file():
        return shipped, True
    known = ", ".join(sorted(path.name for path in shipped.parent.glob("*.toml")))
    raise UsageError(
        f"there is no {name}; name a TOML file, or one that ships with Byline: {known}"
    )


def _check_known(where: str, names: Any, known: Mapping[str, Any]) -> None:
    for name in names:
        if name not in known:
            raise ValueError(f"{where}: {name!r} is not known; there are {', '.join(known)}")


MOST_FAULTS = 100
LONGEST_SHOWN = 200  # characters of a key or value


def explain(error: ValidationError, root: type[BaseModel], where: str) -> str:
    """Say what is wrong, one fault a line.

    Parameters
    ----------
    error : ValidationError
    root : type of BaseModel
        What was to be read.
    where : str
        The file.
    """
    found = error.errors(include_url=False)
    faults = [_fault(fault, root) for fault in found[:MOST_FAULTS]]
    more = [f"and {len(found) - MOST_FAULTS:,} more"] if len(found) > MOST_FAULTS else []
    return "\n  ".join([f"{where} is no configuration of an experiment:", *faults, *more])


def _fault(fault: Any, root: type[BaseModel]) -> str:
    place = ".".join(str(part)[:LONGEST_SHOWN] for part in fault["loc"])
    if fault["type"] == "extra_forbidden":
        known = _fields_at(root, fault["loc"][:-1])
        return f"{place}: there is no such key; known are {', '.join(sorted(known))}"
    if fault["type"] == "missing":
        return f"{place}: is missing"
    message = fault["msg"].removeprefix("Value error, ")
    message = message[:1].lower() + message[1:]
    message = re.sub(r"valid dictionary or instance of \w+", "table", message)
    given = fault["input"]
    shown = f"; it is {given!r:.{LONGEST_SHOWN}}" if isinstance(given, str | int | float) else ""
    return f"{place}: {message}{shown}" if place else message


def _fields_at(root: type[BaseModel], path: Sequence[Any]) -> list[str]:
    """Names of the keys that the section at ``path`` has."""
    section, keys = root, iter(path)
    for key in keys:
        annotation = section.model_fields[key].annotation
        section = _section_of(annotation) or section
        if get_origin(annotation) is dict:
            next(keys, None)  # a name, of which each has the same keys
    return list(section.model_fields)


def _section_of(annotation: Any) -> type[BaseModel] | None:
    """Find the section that a field's type holds: itself, or the value of its mapping."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    inner = map(_section_of, get_args(annotation))
    return next((found for found in inner if found is not None), None)
