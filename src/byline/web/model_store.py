"""The models of the page: the one it was started with, and those that were trained on it."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from threading import Lock

from byline.errors import BylineError, UsageError
from byline.web.jobs import ModelCard
from byline.web.messages import GIVEN, ModelFile

MAX_TRAINED = 8
SUFFIX = ".byline"


class ModelStore:
    """Models, one of which is the current one: it is used unless a request names another.

    Parameters
    ----------
    folder : Path
        Where trained models are stored; `load_existing` adds those of an earlier run.
    given : ModelFile
        The model that `byline serve` was started with.
    card : ModelCard
        Describes it.
    """

    def __init__(self, folder: Path, given: ModelFile, card: ModelCard) -> None:
        self._folder = folder
        self._lock = Lock()
        self._models = {GIVEN: (replace(given, sha256=card.sha256), card)}
        self._current = GIVEN

    def load_existing(self, describe: Callable[[ModelFile], ModelCard]) -> list[str]:
        """Add the models that an earlier run trained.

        Parameters
        ----------
        describe : callable
            Loads a model; may raise Byline's errors.

        Returns
        -------
        list of str
            The messages about models that cannot be loaded.
        """
        messages = []
        for path in sorted(self._folder.glob(f"*{SUFFIX}"), key=lambda path: _number(path.stem)):
            try:
                file = _read_file(path)
                self._put(file, describe(file))
            except BylineError as error:
                messages.append(str(error))
        return messages

    @property
    def current(self) -> str:
        """The id of the current model."""
        return self._current

    @property
    def cards(self) -> list[ModelCard]:
        """The cards of all models, that of the given one first."""
        with self._lock:
            return [card for _, card in self._models.values()]

    def get(self, model: str | None = None) -> tuple[ModelFile, ModelCard]:
        """Return a model by its id, by default the current one.

        Raises
        ------
        UsageError
            No model has this id.
        """
        with self._lock:
            found = self._models.get(model or self._current)
        if found is None:
            raise UsageError("this model no longer exists; choose another one")
        return found

    def choose(self, model: str) -> None:
        """Make a model the current one; errors as in `get`."""
        self.get(model)
        self._current = model

    def of_samples(self) -> ModelFile | None:
        """Return the model of the sample texts; None if it was not trained yet."""
        with self._lock:
            files = [file for file, _ in self._models.values()]
        return next((file for file in files if file.with_samples), None)

    def new_file(
        self,
        folder: Path,
        texts: tuple[Path, ...] = (),
        *,
        with_known: bool = False,
        with_samples: bool = False,
    ) -> ModelFile:
        """Describe a file in ``folder`` for a model that will be trained.

        Raises
        ------
        UsageError
            There are as many models as the page keeps.
        """
        with self._lock:
            if len(self._models) > MAX_TRAINED:
                raise UsageError(
                    f"the page keeps at most {MAX_TRAINED} trained models; remove one first"
                )
            number = 1 + max(map(_number, self._models))
        name = f"trained-{number}{SUFFIX}"
        return ModelFile(
            str(number), name, folder / name, texts, with_known, with_samples=with_samples
        )

    def add(self, file: ModelFile, card: ModelCard, *, choose: bool = True) -> ModelCard:
        """Move a model that was trained into the folder, and make it the current one."""
        with self._lock:
            taken = file.id in self._models
            number = 1 + max(map(_number, self._models)) if taken else int(file.id)
        name = f"trained-{number}{SUFFIX}"
        moved = file.path.rename(self._folder / name)
        kept = replace(file, id=str(number), name=name, path=moved)
        _write_file(kept)
        card = replace(card, id=kept.id, name=name)
        self._put(kept, card)
        if choose:
            self._current = kept.id
        return card

    def remove(self, model: str) -> str:
        """Delete a model that was trained here, and return its name.

        Raises
        ------
        UsageError
            It is the one that `byline serve` was started with, or no model has this id.
        """
        file, _ = self.get(model)
        if model == GIVEN:
            raise UsageError("the model that the page was started with cannot be removed here")
        with self._lock:
            self._models.pop(model, None)
            if self._current == model:
                self._current = GIVEN
        file.path.unlink(missing_ok=True)
        _description_path(file.path).unlink(missing_ok=True)
        return file.name

    def _put(self, file: ModelFile, card: ModelCard) -> None:
        with self._lock:
            self._models[file.id] = (replace(file, sha256=card.sha256), card)


def _number(model: str) -> int:
    """Return the number in ``trained-3`` or ``3``; 0 for the given model."""
    digits = model.removeprefix("trained-")
    return int(digits) if digits.isascii() and digits.isdecimal() else 0


def _description_path(path: Path) -> Path:
    return path.with_suffix(".json")


def _write_file(file: ModelFile) -> None:
    described = {
        "texts": [text.name for text in file.texts],
        "with_known": file.with_known,
        "with_samples": file.with_samples,
    }
    _description_path(file.path).write_text(json.dumps(described), encoding="utf-8")


def _read_file(path: Path) -> ModelFile:
    """Describe a model by its file, and by the file next to it that lists its training texts."""
    number = str(_number(path.stem))
    known = path.parent.parent / "known"
    try:
        described = json.loads(_description_path(path).read_bytes())
        texts = tuple(known / Path(name).name for name in described["texts"])
        with_samples = bool(described.get("with_samples"))  # older files do not state it
        with_known = bool(described["with_known"])
        return ModelFile(number, path.name, path, texts, with_known, with_samples=with_samples)
    except (OSError, ValueError, TypeError, KeyError) as error:
        message = f"{path}: the file that lists its training texts is missing; train it again"
        raise UsageError(message) from error
