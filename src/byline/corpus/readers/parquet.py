"""Parquet, with pyarrow where it is installed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from byline.corpus.readers.reading import Reading
from byline.corpus.readers.table import Row, canonical_columns, read_rows
from byline.errors import CorpusError, MissingExtraError

_BATCH_ROWS = 1024


def read_parquet(path: Path, name: str) -> Reading:
    """Read a table batch by batch; the first row is row 1.

    Raises
    ------
    MissingExtraError
        pyarrow is not installed.
    CorpusError
        It is no Parquet, or a column is missing.
    """
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError as error:
        raise MissingExtraError(
            f"reading {name} needs pyarrow; type: python -m pip install 'byline[parquet]'"
        ) from error
    try:
        with parquet.ParquetFile(path) as table:
            return read_rows(_rows(table, name))
    except (pyarrow.ArrowException, OSError) as error:
        reason = str(error).splitlines()[0]
        raise CorpusError(
            f"{name} cannot be read as Parquet: {reason}; write it anew, or as .csv or .jsonl"
        ) from error


def _rows(table: Any, name: str) -> Iterator[Row]:
    columns = canonical_columns(table.schema_arrow.names, name)
    number = 0
    for batch in table.iter_batches(batch_size=_BATCH_ROWS):
        for cells in zip(*(column.to_pylist() for column in batch.columns), strict=True):
            number += 1
            yield f"{name}, row {number}", dict(zip(columns, cells, strict=True))
