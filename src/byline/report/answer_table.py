"""Answers about many texts as a Parquet table, written from their lines of JSON."""

from __future__ import annotations

import json
from itertools import islice
from pathlib import Path
from typing import Any

from byline.errors import MissingExtraError
from byline.files import atomic_write

_ROWS_OF_GROUP = 10_000
_TEXTS = (
    "path",
    "sha256",
    "scored_by",
    "declined",
    "calibration_unavailable_reason",
    "calibration_basis",
    "error",
)
_NUMBERS_OF_CANDIDATE = (
    "score",
    "log_likelihood",
    "log_likelihood_per_token",
    "perplexity",
    "probability",
    "log10_lr",
    "posterior_uncalibrated",
)
_AS_JSON = (
    "known_copy",
    "similar_cases",
    "cases_like_this_one",
    "contributions",
    "open_set",
)


def is_parquet(path: Path) -> bool:
    """Return whether the name of a file ends in ``.parquet``.

    Examples
    --------
    >>> is_parquet(Path("answers.parquet")), is_parquet(Path("answers.jsonl"))
    (True, False)
    """
    return path.suffix.lower() == ".parquet"


def check_parquet() -> None:
    """Check that Parquet can be written.

    Raises
    ------
    MissingExtraError
        pyarrow is not installed.
    """
    try:
        import pyarrow  # noqa: F401
    except ImportError as error:
        raise MissingExtraError(
            "Writing Parquet requires pyarrow. Install it: python -m pip install "
            '"byline[parquet]"; or give --output a name that ends in .jsonl'
        ) from error


def write_answer_table(lines: Path, table: Path) -> None:
    """Write answers as a Parquet table, one row per text, in bounded memory.

    The columns are the keys of the answers. "id" is a string in all rows, "ranking" and "caveats"
    are lists of structures, and other objects are strings in JSON, because their keys depend on the
    model.

    Parameters
    ----------
    lines : Path
        One answer per line, as `byline.report.answer_lines.answer_lines` returns them.
    table : Path
        The file to write. It is written completely or not at all.

    Raises
    ------
    MissingExtraError
        pyarrow is not installed.
    OutputError
        The table cannot be written.
    """
    check_parquet()
    import pyarrow
    from pyarrow import parquet

    schema = _schema()
    with (
        lines.open(encoding="utf-8") as answers,
        atomic_write(table) as file,
        parquet.ParquetWriter(file, schema, compression="zstd") as writer,
    ):
        rows = map(_row, answers)
        while group := list(islice(rows, _ROWS_OF_GROUP)):
            writer.write_table(pyarrow.Table.from_pylist(group, schema))


def _schema() -> Any:
    import pyarrow as pa

    candidate = {"author": pa.string(), "support": pa.string()}
    candidate |= dict.fromkeys(_NUMBERS_OF_CANDIDATE, pa.float64())
    caveat = dict.fromkeys(("code", "severity", "sentence", "advice", "figures"), pa.string())
    columns = {
        "id": pa.string(),
        "n_tokens": pa.int64(),
        "ranking": pa.list_(pa.struct(candidate)),
        "caveats": pa.list_(pa.struct(caveat)),
        **dict.fromkeys((*_TEXTS, *_AS_JSON), pa.string()),
    }
    return pa.schema(columns)


def _row(line: str) -> dict[str, Any]:
    answer: dict[str, Any] = json.loads(line)
    row = answer | {name: _json(answer.get(name)) for name in _AS_JSON}
    row["id"] = None if answer["id"] is None else str(answer["id"])
    if "caveats" in answer:
        row["caveats"] = [each | {"figures": _json(each["figures"])} for each in answer["caveats"]]
    return row


def _json(value: object) -> str | None:
    return None if value is None else json.dumps(value)
