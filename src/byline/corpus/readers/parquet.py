"""Parquet, with pyarrow where it is installed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from byline.corpus.decoding import MAX_TABLE_BYTES
from byline.corpus.readers.result import ReadResult
from byline.corpus.readers.table import Row, canonical_columns, read_rows
from byline.errors import CorpusError, MissingExtraError

_BATCH_ROWS = 64


def read_parquet(path: Path, name: str) -> ReadResult:
    """Read a table batch by batch; the first row is row 1.

    Raises
    ------
    MissingExtraError
        pyarrow is not installed.
    CorpusError
        It is no Parquet, a column is missing, or it unpacks to more than is read of any table.
    """
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError as error:
        raise MissingExtraError(
            f'reading {name} needs pyarrow; type: python -m pip install "byline[parquet]"'
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
    number, left = 0, MAX_TABLE_BYTES
    for batch in table.iter_batches(batch_size=_BATCH_ROWS):
        left -= batch.nbytes
        for scalars in zip(*batch.columns, strict=True):
            number += 1
            cells = [scalar.as_py() for scalar in scalars]
            left -= sum(len(cell) for cell in cells if isinstance(cell, str))
            if left < 0:  # a text that is there once, and named in every row, takes no room there
                raise CorpusError(
                    f"{name} unpacks to more than {MAX_TABLE_BYTES / 2**20:,.0f} MiB, the most "
                    "that is read of one table; cut it into several"
                )
            yield f"{name}, row {number}", dict(zip(columns, cells, strict=True))
