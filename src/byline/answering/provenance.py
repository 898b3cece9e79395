"""`Provenance`: the texts, settings and versions that an answer comes from."""

from __future__ import annotations

import json
import platform
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from importlib.metadata import version
from typing import Any

from sklearn.base import BaseEstimator

from byline import __version__
from byline.attribution import StackedAttributor
from byline.attribution.inputs import SourceFile
from byline.attribution.model_files.saving import Attributor
from byline.attribution.open_set import Criterion
from byline.attribution.training_record.record import TrainingRecord

LIBRARIES = ("numpy", "scipy", "scikit-learn")

Settings = Mapping[str, Mapping[str, str]]


@dataclass(frozen=True, slots=True)
class Provenance:
    """What another person needs to repeat an answer.

    Attributes
    ----------
    model, model_sha256 : str or None
        The file that the model was loaded from; None if it was not loaded from a file.
    known_sha256 : str or None
        One digest for all texts that the model was trained on; None if the model has no record of
        them. See `byline.attribution.training_record.record.TrainingRecord.sha256`.
    seed : int
        Of all random samples in training.
    normalization : str
        The rules by which all texts were normalised.
    false_attribution_rate : float, "even-odds" or None
        For an open-set answer: the accepted rate, or even odds. None for a closed set.
    settings : mapping of str to mapping of str to str
        The parameters of the model and of its base classifiers, as JSON.
    versions : mapping of str to str
        Of Byline, Python and the libraries that compute.

    Examples
    --------
    >>> from byline.attribution import AuthorshipAttributor
    >>> from byline.lm import NgramLM
    >>> model = AuthorshipAttributor(NgramLM(order=1, smoothing="witten-bell"), balance="none")
    >>> _ = model.fit(["the sea the wind", "a ship a sail"], ["Ada", "Ben"])
    >>> provenance = Provenance.of(model, None)
    >>> provenance.model is None, provenance.settings["AuthorshipAttributor"]["balance"]
    (True, '"none"')
    """

    model: str | None
    model_sha256: str | None
    known_sha256: str | None
    seed: int
    normalization: str
    false_attribution_rate: Criterion | None
    settings: Settings = field(hash=False)
    versions: Mapping[str, str] = field(hash=False)

    @classmethod
    def of(cls, attributor: Attributor, false_attribution_rate: Criterion | None) -> Provenance:
        """Describe a fitted model and a question to it."""
        source: SourceFile | None = attributor.source_file_
        record: TrainingRecord | None = getattr(attributor, "training_record_", None)
        return cls(
            model=None if source is None else source.name,
            model_sha256=None if source is None else source.sha256,
            known_sha256=None if record is None else record.sha256,
            seed=attributor.random_state,
            normalization=str(attributor.normalization_),
            false_attribution_rate=false_attribution_rate,
            settings=describe_settings(attributor),
            versions=versions(),
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the attributes as JSON values."""
        return asdict(self)


def describe_settings(attributor: Attributor) -> dict[str, dict[str, str]]:
    """Return the parameters of a model and of its base classifiers as JSON strings.

    Examples
    --------
    >>> from byline.attribution import AuthorshipAttributor
    >>> describe_settings(AuthorshipAttributor())["AuthorshipAttributor"]["n_samples"]
    '3'
    """
    classifiers: Mapping[str, Any] = {}
    if isinstance(attributor, StackedAttributor):
        classifiers = attributor.base_classifiers_
    name = type(attributor).__name__
    shown = {name: attributor.get_params(deep=False)} | {
        f"{name}: {type(fitted).__name__}": fitted.get_params()
        for name, fitted in classifiers.items()
    }
    return {
        part: {key: _setting(value) for key, value in sorted(params.items())}
        for part, params in shown.items()
    }


def versions() -> dict[str, str]:
    """Return the versions of the software that computes the figures."""
    return {
        "byline": __version__,
        "python": platform.python_version(),
        **{library: version(library) for library in LIBRARIES},
    }


def _setting(value: Any) -> str:
    return json.dumps(value, default=_name, ensure_ascii=False)


def _name(value: Any) -> Any:
    """Represent an estimator by its class, and other objects by their string."""
    if isinstance(value, BaseEstimator):
        return type(value).__name__
    return value.tolist() if hasattr(value, "tolist") else str(value)
