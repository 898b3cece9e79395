"""Read a user's metadata about texts: a table with one row per text."""

from __future__ import annotations

import csv
import io
from pathlib import Path

from byline.corpus.readers.table_content import (
    decode_table,
    find_delimiter,
    split_stated_delimiter,
)
from byline.errors import CorpusError
from byline.formatting import printable

Metadata = dict[str, dict[str, str]]


def read_metadata(path: str | Path) -> Metadata:
    r"""Read a CSV file whose first column names a text, and whose other columns describe it.

    Parameters
    ----------
    path : str or Path
        The columns are separated by commas, semicolons, tabs or bars.

    Returns
    -------
    dict of str to dict of str to str
        The columns of each text, by its name.

    Raises
    ------
    CorpusError
        The file cannot be read, or has two rows for the same text.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "table.csv")
    ...     _ = path.write_text("text,genre\nAda_1,letter\nBen_1,novel\n")
    ...     read_metadata(path)["Ben_1"]
    {'genre': 'novel'}
    """
    name = printable(path)
    text, _ = decode_table(Path(path), name, "the name of a text and its description in each row")
    content, stated = split_stated_delimiter(text)
    delimiter = stated or find_delimiter(content, {"\0"})  # the one with the most columns
    reader = csv.reader(io.StringIO(content, newline=""), delimiter=delimiter, strict=True)
    found: Metadata = {}
    try:
        columns = [printable(cell).strip() for cell in next(reader)][1:]
        for cells in filter(any, reader):
            text_name = printable(cells[0]).strip()
            if text_name in found:
                raise CorpusError(
                    f"{name}, line {reader.line_num}: the text {text_name!r} already has a row. "
                    "Delete one of the two rows."
                )
            values = (printable(cell).strip() for cell in cells[1:])
            found[text_name] = dict(zip(columns, values, strict=False))
    except csv.Error as error:
        raise CorpusError(
            f"{name}, line {reader.line_num}: {error}. Check for a quotation mark that is missing "
            "or not doubled."
        ) from error
    return found
