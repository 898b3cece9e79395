"""Data sets: folders of Parquet files that are the parts of one table."""

from __future__ import annotations

from pathlib import Path

SUFFIX = ".parquet"
_NOT_DATA = ("_", ".")  # such as _SUCCESS, which other programs write


def data_set_parts(folder: Path) -> list[Path]:
    """Return the parts of a data set in the order of their names.

    Parameters
    ----------
    folder : Path
        Of any kind; files whose names begin with ``_`` or ``.`` do not count.

    Returns
    -------
    list of Path
        Empty if it is not a folder, or contains anything other than Parquet files.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     for name in ("part-1.parquet", "part-0.parquet", "_SUCCESS"):
    ...         Path(folder, name).touch()
    ...     [part.name for part in data_set_parts(Path(folder))]
    ['part-0.parquet', 'part-1.parquet']
    """
    try:
        found = sorted(folder.iterdir(), key=lambda path: path.name)
    except (OSError, ValueError):  # not a folder, or not a path at all
        return []
    parts = [path for path in found if not path.name.startswith(_NOT_DATA)]
    is_data_set = all(path.suffix.lower() == SUFFIX and path.is_file() for path in parts)
    return parts if is_data_set else []
