"""The page's models: the one it was started with, and those learnt on it."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from threading import Lock

from byline.errors import BylineError, UsageError
from byline.web.jobs import ModelCard
from byline.web.messages import GIVEN, ModelFile

MOST_LEARNT = 8
SUFFIX = ".byline"


class ModelStore:
    """Models, of which one answers unless another one is asked for.

    Parameters
    ----------
    folder : Path
        Where learnt models are; what is there already is taken up by `take_up`.
    given : ModelFile
    card : ModelCard
        Describes it.
    """

    def __init__(self, folder: Path, given: ModelFile, card: ModelCard) -> None:
        self._folder = folder
        self._lock = Lock()
        self._models = {GIVEN: (replace(given, sha256=card.sha256), card)}
        self._chosen = GIVEN

    def take_up(self, describe: Callable[[ModelFile], ModelCard]) -> list[str]:
        """Take up models that were learnt before; return why some are not.

        Parameters
        ----------
        describe : callable
            Loads one; raises our errors.
        """
        troubles = []
        for path in sorted(self._folder.glob(f"*{SUFFIX}"), key=lambda path: _number(path.stem)):
            try:
                file = _read_file(path)
                self._put(file, describe(file))
            except BylineError as error:
                troubles.append(str(error))
        return troubles

    @property
    def chosen(self) -> str:
        """The id of the one that answers."""
        return self._chosen

    @property
    def cards(self) -> list[ModelCard]:
        """All of them, the given one first."""
        with self._lock:
            return [card for _, card in self._models.values()]

    def get(self, model: str | None = None) -> tuple[ModelFile, ModelCard]:
        """Return a model, or the one that answers.

        Raises
        ------
        UsageError
            There is none of this id.
        """
        with self._lock:
            found = self._models.get(model or self._chosen)
        if found is None:
            raise UsageError("this model is no longer there; choose another one")
        return found

    def choose(self, model: str) -> None:
        """Let a model answer from now on; errors as in `get`."""
        self.get(model)
        self._chosen = model

    def new_file(self, folder: Path, texts: tuple[Path, ...], *, with_known: bool) -> ModelFile:
        """Describe a file in ``folder`` for a model that is to be learnt.

        Raises
        ------
        UsageError
            There are as many as the page keeps.
        """
        with self._lock:
            if len(self._models) > MOST_LEARNT:
                raise UsageError(
                    f"the page keeps at most {MOST_LEARNT} models of its own; remove one first"
                )
            number = 1 + max(map(_number, self._models))
        name = f"learnt-{number}{SUFFIX}"
        return ModelFile(str(number), name, folder / name, texts, with_known)

    def take_in(self, file: ModelFile, card: ModelCard) -> ModelCard:
        """Move a model that was learnt into the folder, and let it answer."""
        with self._lock:
            taken = file.id in self._models
            number = 1 + max(map(_number, self._models)) if taken else int(file.id)
        name = f"learnt-{number}{SUFFIX}"
        moved = file.path.rename(self._folder / name)
        kept = replace(file, id=str(number), name=name, path=moved)
        _write_file(kept)
        card = replace(card, id=kept.id, name=name)
        self._put(kept, card)
        self._chosen = kept.id
        return card

    def remove(self, model: str) -> str:
        """Delete a model that was learnt here; return its name.

        Raises
        ------
        UsageError
            It is the one that `byline serve` was started with, or there is none of this id.
        """
        file, _ = self.get(model)
        if model == GIVEN:
            raise UsageError("the model that the page was started with cannot be removed here")
        with self._lock:
            self._models.pop(model, None)
            if self._chosen == model:
                self._chosen = GIVEN
        file.path.unlink(missing_ok=True)
        _described(file.path).unlink(missing_ok=True)
        return file.name

    def _put(self, file: ModelFile, card: ModelCard) -> None:
        with self._lock:
            self._models[file.id] = (replace(file, sha256=card.sha256), card)


def _number(model: str) -> int:
    """Return the number in ``learnt-3`` or ``3``; 0 of the given model."""
    digits = model.removeprefix("learnt-")
    return int(digits) if digits.isascii() and digits.isdecimal() else 0


def _described(path: Path) -> Path:
    return path.with_suffix(".json")


def _write_file(file: ModelFile) -> None:
    described = {"texts": [text.name for text in file.texts], "with_known": file.with_known}
    _described(file.path).write_text(json.dumps(described), encoding="utf-8")


def _read_file(path: Path) -> ModelFile:
    """Describe a model by its file, and by what it learnt from, where that is still told."""
    number = str(_number(path.stem))
    known = path.parent.parent / "known"
    try:
        described = json.loads(_described(path).read_bytes())
        texts = tuple(known / Path(name).name for name in described["texts"])
        return ModelFile(number, path.name, path, texts, bool(described["with_known"]))
    except (OSError, ValueError, TypeError, KeyError) as error:
        message = f"{path}: what it learnt from is not told beside it; delete it and learn again"
        raise UsageError(message) from error
