"""Tables of a user's own numeric features."""

from __future__ import annotations

from pathlib import Path

import pytest

from byline.corpus import FeatureTable, read_feature_table
from byline.errors import CorpusError


def read(tmp_path: Path, content: str | bytes) -> FeatureTable:
    path = tmp_path / "table.csv"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return read_feature_table(path)


@pytest.mark.parametrize(
    "content",
    [
        "text,year,pages\nada/a.txt,1900,12\n\nben/b.txt,-1.5e2,0\n",
        "text;year;pages\nada/a.txt;1900;12\nben/b.txt;-150;0\n",
        'sep=,\n"text",year,pages\n"ada/a.txt", 1900,12\nben/b.txt,-150,0',
        b"\xef\xbb\xbftext\tyear\tpages\r\nada/a.txt\t1900\t12\r\nben/b.txt\t-150\t0\r\n",
    ],
)
def test_rows_are_numbers_of_a_text(tmp_path: Path, content: str | bytes) -> None:
    table = read(tmp_path, content)
    assert table.columns == ("year", "pages")
    assert table.rows == {"ada/a.txt": (1900.0, 12.0), "ben/b.txt": (-150.0, 0.0)}


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "is empty. It must contain the name of a text and numbers"),
        ("text\na.txt\n", "has only the column 'text'. Add columns of numbers"),
        ("text,x,x\na.txt,1,2\n", "has two columns called 'x'"),
        ("text,x,\na.txt,1,2\n", "has a column without a name"),
        ("text,x\na.txt,12 pages\n", "row 2: the cell of 'x' is '12 pages', which is not a number"),
        ("text,x\na.txt,\n", "row 2: the cell of 'x' is empty. Write a number"),
        ("text,x\na.txt,nan\n", "row 2: the cell of 'x' is 'nan', which is not a number"),
        ("text,x\na.txt,1e999\n", "row 2: the cell of 'x' is '1e999', which is not a number"),
        ("text,x\na.txt,1\na.txt,2\n", "row 3: the text 'a.txt' has a row already"),
        ("text,x\n,1\n", "row 2: the name is empty"),
        ("text,x\na.txt,1,2\n", "row 2 has 3 cells, but the header has 2"),
        ('text,x\n"a.txt,1\n', "line 2: unexpected end of data"),
    ],
)
def test_a_table_that_cannot_be_used_says_where_and_why(
    tmp_path: Path, content: str, message: str
) -> None:
    with pytest.raises(CorpusError) as raised:
        read(tmp_path, content)
    assert "table.csv" in str(raised.value)
    assert message in str(raised.value)


def test_texts_without_a_row_are_named() -> None:
    table = FeatureTable("t.csv", ("x",), {"one": (1.0,), "b.txt": (2.0,)})
    assert table.values_of([("all.csv, row 2", "one"), ("b.txt",)]) == [(1.0,), (2.0,)]
    with pytest.raises(CorpusError, match=r"t\.csv: 2 texts have no row: c\.txt and d\.txt\. Add"):
        table.values_of([("c.txt", "c"), ("b.txt",), ("d.txt",)])
