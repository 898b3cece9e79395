"""The configuration of an experiment: a TOML file, read into immutable values and checked."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Mapping, Sequence
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Any, Self, get_args, get_origin

from pydantic import BaseModel, Field, ValidationError, model_validator

from byline.errors import UsageError
from byline.experiments.runner.config_sections import (
    SEARCH,
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
from byline.experiments.runner.models import check_scoring, check_settings, language_model
from byline.files import read_toml
from byline.named_settings import setting

MAX_ERRORS_SHOWN = 100
MAX_LENGTH_SHOWN = 200  # characters of a key or value


class ExperimentConfig(Section):
    """The configuration of an experiment.

    Attributes
    ----------
    title : str
    seed : int
        All seeds except those of the splits derive from it and from names.
    authors : tuple of str or None
        The candidates; by default all authors of the corpora.
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
                raise ValueError(
                    f"models.{name}.settings_from: there is no section [search]; add one"
                )
        if self.search is not None:
            _check_known("search.model", [self.search.model], self.models)
            _check_known("search.split", [self.search.split], self.splits)
        self._check_comparisons()
        if SEARCH in self.splits:
            raise ValueError(f"splits.{SEARCH}: this name is reserved; choose another")
        return self

    def _check_comparisons(self) -> None:
        for pair in self.evaluation.comparisons:
            _check_known("evaluation.comparisons", pair, self.models)
            unused = [model for model in pair if not self.models[model].attribution]
            if unused or pair[0] == pair[1]:
                raise ValueError(
                    f"evaluation.comparisons: {' and '.join(pair)} cannot be compared: "
                    + (f"{unused[0]} has attribution = false" if unused else "they are the same")
                )

    def seeds_of(self, model: str, split: str) -> tuple[int, ...]:
        """Return the seeds of a split on which a model is trained."""
        chosen = self.models[model].seeds
        return self.splits[split].seeds if chosen is None else chosen.get(split, ())


def load_config(path: Path, *, quick: bool = False) -> ExperimentConfig:
    """Read the configuration of an experiment.

    Parameters
    ----------
    path : path
    quick : bool
        Whether the values in its section ``[quick]`` replace the others.

    Raises
    ------
    UsageError
        The file is not TOML, or has unknown keys or invalid values. The message lists them all,
        with the keys that are known.
    """
    content = read_toml(path)
    overlay = content.pop("quick", None)
    if quick and not isinstance(overlay, dict):
        raise UsageError(
            f"{path} has no section [quick], which {setting('quick', True)} needs; add this "
            "section, or run without this setting"
        )
    return parse_config(merge_settings(content, overlay or {}) if quick else content, str(path))


def parse_config(content: Mapping[str, Any], where: str) -> ExperimentConfig:
    """Check a configuration; raises the same errors as `load_config`."""
    try:
        config = ExperimentConfig.model_validate(content)
    except ValidationError as error:
        raise UsageError(_explain(error, where)) from error
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


def merge_settings(content: Mapping[str, Any], overlay: Mapping[str, Any]) -> dict[str, Any]:
    """Replace values by those of ``overlay``; tables are merged key by key."""
    result = dict(content)
    for key, value in overlay.items():
        both = isinstance(value, Mapping) and isinstance(result.get(key), Mapping)
        result[key] = merge_settings(result[key], value) if both else value
    return result


def find_config(name: Path) -> tuple[Path, bool]:
    """Find a configuration: a file of that name, or one that ships with Byline.

    Returns
    -------
    path : Path
    shipped : bool
        Whether it ships with Byline.

    Raises
    ------
    UsageError
        There is no such configuration.
    """
    with contextlib.suppress(OSError):  # the name is not possible for a file
        if name.exists():
            return name, False
    folder = Path(str(files("byline.experiments.reproductions")))
    shipped = {path.name: path for path in folder.glob("*/*.toml")}
    if str(name) in shipped:
        return shipped[str(name)], True
    raise UsageError(
        f"there is no configuration {name}. Name a TOML file, or a configuration that ships with "
        f"Byline: {', '.join(sorted(shipped))}"
    )


def _check_known(where: str, names: Any, known: Mapping[str, Any]) -> None:
    for name in names:
        if name not in known:
            raise ValueError(f"{where}: {name!r} is unknown; known are {', '.join(known)}")


def _explain(error: ValidationError, where: str) -> str:
    """Describe all errors of a configuration, one per line."""
    found = error.errors(include_url=False)
    lines = [_describe(each) for each in found[:MAX_ERRORS_SHOWN]]
    n_more = len(found) - MAX_ERRORS_SHOWN
    more = [f"and {n_more:,} more errors"] if n_more > 0 else []
    return "\n  ".join([f"{where} is not a valid configuration:", *lines, *more])


def _describe(error: Any) -> str:
    place = ".".join(str(part)[:MAX_LENGTH_SHOWN] for part in error["loc"])
    if error["type"] == "extra_forbidden":
        known = _fields_at(error["loc"][:-1])
        return f"{place}: there is no such key; known keys are {', '.join(sorted(known))}"
    if error["type"] == "missing":
        return f"{place}: is missing; add it"
    message = error["msg"].removeprefix("Value error, ")
    message = message[:1].lower() + message[1:]
    message = re.sub(r"valid dictionary or instance of \w+", "table", message)
    given = error["input"]
    is_short = isinstance(given, str | int | float)
    shown = f"; the value is {given!r:.{MAX_LENGTH_SHOWN}}" if is_short else ""
    return f"{place}: {message}{shown}" if place else message


def _fields_at(path: Sequence[Any]) -> list[str]:
    """Return the keys of the section at ``path``."""
    section: type[BaseModel] = ExperimentConfig
    keys = iter(path)
    for key in keys:
        annotation = section.model_fields[key].annotation
        section = _section_of(annotation) or section
        if get_origin(annotation) is dict:
            next(keys, None)  # a name chosen by the user, e.g. of a corpus
    return list(section.model_fields)


def _section_of(annotation: Any) -> type[BaseModel] | None:
    """Find the section in the type of a field: the type itself, or the values of a mapping."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    inner = map(_section_of, get_args(annotation))
    return next((found for found in inner if found is not None), None)
