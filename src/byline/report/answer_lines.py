"""Answers about many texts of a table, one line of JSON per text."""

from __future__ import annotations

import functools
import json
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from byline.answering import answer, reading_options
from byline.attribution import load_attributor
from byline.attribution.model_files.saving import Attributor
from byline.attribution.open_set import Criterion
from byline.corpus.questioned import QuestionedText, read_questioned
from byline.corpus.readers.table_stream import TableText
from byline.errors import CorpusError
from byline.report.case import answers_summary

_MOST_TEXTS, _MOST_CHARACTERS = 200, 500_000  # of one batch

loaded_model = functools.cache(load_attributor)


def batches(rows: Iterable[TableText]) -> Iterator[list[TableText]]:
    """Divide the rows of a table into batches that are answered at once.

    The batches depend on the rows only, so that a run that is resumed has the same ones.

    Parameters
    ----------
    rows : iterable of TableText

    Examples
    --------
    >>> rows = [TableText(f"row {n}", n, "It rained.") for n in range(450)]
    >>> [len(batch) for batch in batches(rows)]
    [200, 200, 50]
    """
    batch: list[TableText] = []
    n_characters = 0
    for row in rows:
        size = len(row.text or "")
        if batch and (len(batch) == _MOST_TEXTS or n_characters + size > _MOST_CHARACTERS):
            yield batch
            batch, n_characters = [], 0
        batch.append(row)
        n_characters += size
    if batch:
        yield batch


def answer_lines(
    model: Path, batch: Sequence[TableText], rate: Criterion | None, top: int
) -> list[str]:
    """Answer who wrote some texts, and return one line of JSON per text, in their order.

    Parameters
    ----------
    model : Path
        The file is read once per process.
    batch : sequence of TableText
    rate : float or "even-odds", optional
        As ``open_set`` of `byline.answering.answer`.
    top : int
        Number of candidates in each answer.

    Returns
    -------
    list of str
        Each is an object with "id", and the entry that "questioned" of
        `byline.report.case.answers_summary` has for the text, without evidence; or "id", "path"
        and "error" for a row without a text that can be read.
    """
    attributor = loaded_model(model)
    read = [_read(row, attributor) for row in batch]
    texts = [each for each in read if isinstance(each, QuestionedText)]
    answers = answer(
        attributor,
        [each.text for each in texts],
        open_set=rate,
        evidence=False,
        paths=[
            row.place
            for row, each in zip(batch, read, strict=True)
            if isinstance(each, QuestionedText)
        ],
        model=model,
        left_out=[each.left_out for each in texts],
        chapters=[()] * len(texts),
    )
    entries = iter(answers_summary(answers, top=top)["questioned"])
    return [
        json.dumps({"id": row.identifier, **_entry(row, each, entries)})
        for row, each in zip(batch, read, strict=True)
    ]


def _entry(
    row: TableText, read: QuestionedText | str, entries: Iterator[dict[str, object]]
) -> dict[str, object]:
    return {"path": row.place, "error": read} if isinstance(read, str) else next(entries)


def _read(row: TableText, attributor: Attributor) -> QuestionedText | str:
    """Read the text of a row as `byline attribute` reads a file; or return why it is not one."""
    if row.text is None:
        return str(row.error)
    try:
        content = row.text.encode("utf-8")
        return read_questioned(content, "text.txt", reading_options(attributor))
    except UnicodeEncodeError:
        return "the text contains an unpaired surrogate"
    except CorpusError as error:
        return str(error)
