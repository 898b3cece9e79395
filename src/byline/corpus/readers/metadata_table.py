"""Read a user's metadata about texts: a table with one row per text."""

from __future__ import annotations

from pathlib import Path

from byline.corpus.readers.table_content import rows_of_texts

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
        The file cannot be read, or a row has no name or that of another row.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "table.csv")
    ...     _ = path.write_text("text,genre\nAda_1,letter\nBen_1,novel\n")
    ...     read_metadata(path)["Ben_1"]
    {'genre': 'novel'}
    """
    rows = rows_of_texts(Path(path), "the name of a text and its description in each row")
    columns = next(rows)[1][1:]
    return {text: dict(zip(columns, cells, strict=False)) for _, (text, *cells) in rows}
