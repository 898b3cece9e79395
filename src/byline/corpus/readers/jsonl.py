"""JSON Lines: an object a line."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from byline.corpus.decoding import MAX_TABLE_BYTES, decode, read_bytes
from byline.corpus.findings import Finding
from byline.corpus.readers.result import ReadResult, about_guesses
from byline.corpus.readers.table import Row, canonical_columns, read_rows
from byline.errors import CorpusError


def read_jsonl(path: Path, name: str) -> ReadResult:
    """Read a table of one JSON object a line; blank lines are passed over.

    Raises
    ------
    CorpusError
        It cannot be read or decoded, or is empty. Lines that are no such object are findings.
    """
    decoded = decode(read_bytes(path, name, MAX_TABLE_BYTES), name)
    if not decoded.text.strip():
        raise CorpusError(f"{name} is empty; it needs an object with author and text a line")
    errors: list[Finding] = []
    reading = read_rows(_rows(decoded.text, name, errors))
    guesses = {name: decoded.guessed_encoding} if decoded.guessed_encoding else {}
    return ReadResult(reading.documents, errors + reading.findings + about_guesses(guesses))


def _rows(text: str, name: str, errors: list[Finding]) -> Iterator[Row]:
    # splitlines() would cut at U+2028, which JSON allows inside a string
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        place = f"{name}, line {number}"
        try:
            yield place, _parse(line, place)
        except CorpusError as error:
            errors.append(Finding("error", "invalid-row", str(error), (place,)))


def _parse(line: str, place: str) -> dict[str, object]:
    try:
        record = json.loads(line)
    except json.JSONDecodeError as error:
        raise CorpusError(
            f"{place} is not JSON: {error.msg} at character {error.pos + 1}"
        ) from error
    except (ValueError, RecursionError) as error:
        raise CorpusError(f"{place} is not JSON that can be read: {error}") from error
    if not isinstance(record, dict):
        raise CorpusError(f"{place} is not a JSON object with author and text")
    return dict(zip(canonical_columns(list(record), place), record.values(), strict=True))
