from __future__ import annotations

import csv
import io
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from byline.corpus import Corpus, read_corpus
from byline.corpus.readers.table import read_csv
from byline.errors import BylineWarning, CorpusError, MissingExtraError

Write = Callable[[str, str | bytes], Path]


def prose(seed: str) -> str:
    """Return about 6,600 characters that depend on the seed, which is enough for no warning."""
    return " ".join(f"The {seed} came home on day {day} and slept." for day in range(150))


@pytest.fixture
def write(tmp_path: Path) -> Write:
    def write_file(name: str, content: str | bytes) -> Path:
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return write_file


@pytest.fixture
def records() -> list[dict[str, str]]:
    return [
        {
            "id": "s1",
            "author": "Smith",
            "work": "Cats",
            "topic": "pets",
            "text": prose("cat"),
            "year": "1900",
        },
        {"id": "j1", "author": "Jones", "work": "", "topic": "", "text": prose("dog"), "year": ""},
    ]


def as_csv(records: list[dict[str, str]], **options: Any) -> str:
    out = io.StringIO()
    writer = csv.DictWriter(out, list(records[0]), **options)
    writer.writeheader()
    writer.writerows(records)
    return out.getvalue()


def as_jsonl(records: list[dict[str, Any]]) -> str:
    return "\n".join(json.dumps(record, ensure_ascii=False) for record in records)


def check(corpus: Corpus, name: str, unit: str, first: int) -> None:
    assert corpus.authors == ["Smith", "Jones"]
    assert corpus.paths == [f"{name}, {unit} {first}", f"{name}, {unit} {first + 1}"]
    assert corpus.works == ["Cats", corpus.paths[1]]
    assert [document.topic for document in corpus] == ["pets", None]
    assert [dict(document.metadata) for document in corpus] == [
        {"id": "s1", "year": "1900"},
        {"id": "j1"},
    ]


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_csv(write: Write, records: list[dict[str, str]], delimiter: str, encoding: str) -> None:
    path = write("known.csv", as_csv(records, delimiter=delimiter).encode(encoding))
    check(read_corpus(path), "known.csv", "row", 2)


def test_jsonl(write: Write, records: list[dict[str, str]]) -> None:
    check(read_corpus(write("known.jsonl", as_jsonl(records) + "\n\n")), "known.jsonl", "line", 1)


def test_parquet(tmp_path: Path, records: list[dict[str, str]]) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    parquet.write_table(pyarrow.Table.from_pylist(records), tmp_path / "known.parquet")
    check(read_corpus(tmp_path / "known.parquet"), "known.parquet", "row", 1)


def test_a_folder_of_parquet_files_is_one_table(
    tmp_path: Path, records: list[dict[str, str]]
) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    parquet.write_table(pyarrow.Table.from_pylist(records), tmp_path / "whole.parquet")
    folder = tmp_path / "known"
    folder.mkdir()
    for number, rows in enumerate((records[:1], records[1:])):
        renamed = [
            {"body" if name == "text" else name: cell for name, cell in row.items()} for row in rows
        ]
        parquet.write_table(pyarrow.Table.from_pylist(renamed), folder / f"part-{number}.parquet")
    (folder / "_SUCCESS").touch()
    whole = read_corpus(tmp_path / "whole.parquet")
    parts = read_corpus(folder, columns="text=body")
    assert parts.name == "known"
    assert parts.texts == whole.texts
    assert parts.authors == whole.authors
    with pytest.raises(CorpusError, match=r"part-0\.parquet has no column text"):
        read_corpus(folder)
    (folder / "part-1.parquet").write_bytes(b"PAR1")
    with pytest.raises(CorpusError, match=r"known/part-1\.parquet cannot be read as Parquet"):
        read_corpus(folder, columns="text=body")


def test_parquet_without_pyarrow_states_how_to_install_it(
    write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(MissingExtraError, match=r'pip install "byline\[parquet\]"'):
        read_corpus(write("known.parquet", b"PAR1"))


def test_a_damaged_parquet_file_is_an_error(write: Write) -> None:
    pytest.importorskip("pyarrow")
    with pytest.raises(
        CorpusError, match=r"known\.parquet cannot be read as Parquet.*\. Write it again"
    ):
        read_corpus(write("known.parquet", b"not at all"))


def test_parquet_without_the_columns_lists_those_found(tmp_path: Path) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    table = pyarrow.Table.from_pylist([{"who": "A", "text": 3}])
    parquet.write_table(table, tmp_path / "known.parquet")
    with pytest.raises(CorpusError, match=r"no column author\. It has the columns: who and text"):
        read_corpus(tmp_path / "known.parquet")


def test_columns_may_be_in_any_case_and_order(write: Write) -> None:
    table = f"Text, AUTHOR \n{prose('cat')},Smith\n{prose('dog')},Jones\n"
    assert read_corpus(write("known.csv", table)).authors == ["Smith", "Jones"]


def test_line_breaks_quotes_and_delimiters_inside_a_text(write: Write) -> None:
    text = 'She said, "no; never",\nand left.\n\nThat was all.\n' + prose("cat")
    records = [{"author": "A/B", "text": text}, {"author": "C", "text": prose("dog")}]
    corpus = read_corpus(write("known.csv", as_csv(records)))
    assert corpus[0].text.startswith('She said, "no; never", and left.\n\nThat was all.\n\nThe cat')
    assert corpus.authors == ["A/B", "C"]


def test_huge_cells_are_read_and_the_limit_is_restored(write: Write) -> None:
    before = csv.field_size_limit()
    records = [
        {"author": "A", "text": prose("cat") * 60},
        {"author": "B", "text": prose("dog") * 60},
    ]
    corpus = read_corpus(write("known.csv", as_csv(records)))
    assert len(corpus[0].text) > before
    assert csv.field_size_limit() == before


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ("", r"known\.csv is empty"),
        (
            "name,body\nA,b\n",
            r"no column author and no column text\. It has the columns: name and body",
        ),
        ("writer;text\nA;b\n", r"no column author\. It has the columns: writer and text"),
        ("author,text,Text\nA,b,c\n", "several columns named text"),
        ("author,text\nA,one, two\n", r"row 2 \(line 2\) has 3 cells, but the header has 2"),
        ("author,text\nA\n", r"row 2 \(line 2\) has 1 cell, but"),
        ('author,text\nA,"open\nB,two\n', "a quotation mark that is missing"),
        ('author,text\nA,"one"two\n', "line 2: .*a quotation mark that is missing or not doubled"),
        ("author,text\n,one\n", "row 2: the author is empty"),
        (
            "id,author,text\n1,A,one\n1,B,two\n",
            "The id 1 occurs in 2 rows: .*2 and known.csv, row 3",
        ),
        ("author,text\n", "At least 2 authors are needed, but the corpus has none"),
        (
            "author,text\nA,\nB,two\n",
            "A has no text, because all files or rows are empty: known.csv, row 2",
        ),
    ],
)
def test_bad_csv(write: Write, table: str, message: str) -> None:
    with pytest.raises(CorpusError, match=message):
        read_corpus(write("known.csv", table))


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ("", r"known\.jsonl is empty"),
        ('{"author": "A", "text": "x"}\n{"author"\n', "line 2 is not valid JSON: .* at character"),
        ("[1, 2]", "line 1 is not a JSON object"),
        ("[" * 100_000, "line 1 cannot be read as JSON"),
        ('{"author": "A"}', "line 1 has no column text. It has the columns: author"),
        ('{"author": "A", "text": null}', "line 1: the cell of text is missing"),
        ('{"author": null, "text": "x"}', "line 1: the cell of author is missing"),
        ('{"author": "A", "text": 7}', r"line 1: the text is not a string but int \(7\)"),
        ('{"author": ["A"], "text": "x"}', "line 1: author is neither a string nor a whole number"),
        ('{"author": true, "text": "x"}', r"line 1: author is neither .* but bool \(True\)"),
        ('{"author": " ", "text": "x"}', "line 1: the author is empty"),
        (
            r'{"author": "A", "text": "ab\ud800"}',
            "the text contains an unpaired surrogate at character 2",
        ),
    ],
)
def test_bad_jsonl(write: Write, lines: str, message: str) -> None:
    with pytest.raises(CorpusError, match=message):
        read_corpus(write("known.jsonl", lines))


def test_all_bad_lines_are_listed(write: Write) -> None:
    with pytest.raises(CorpusError) as caught:
        read_corpus(write("known.jsonl", 'x\n{"author": "A", "text": null}\n"y"\n'))
    assert "has 3 errors" in str(caught.value)
    assert [f"line {n}" in str(caught.value) for n in (1, 2, 3)] == [True] * 3


def test_numbers_may_be_authors(write: Write) -> None:
    records = [{"author": 1, "text": prose("cat")}, {"author": 2, "text": prose("dog")}]
    assert read_corpus(write("known.jsonl", as_jsonl(records))).authors == ["1", "2"]


def test_line_separators_inside_json_strings_do_not_end_the_line(write: Write) -> None:
    records = [
        {"author": "A", "text": f"Hello\u2028there. {prose('cat')}"},
        {"author": "B", "text": prose("dog")},
    ]
    assert len(read_corpus(write("known.jsonl", as_jsonl(records)))) == 2


def test_control_characters_in_an_author_are_escaped_with_a_warning(write: Write) -> None:
    records = [{"author": "A\x1b[2J", "text": prose("cat")}, {"author": "B", "text": prose("dog")}]
    path = write("known.jsonl", as_jsonl(records))
    with pytest.warns(
        BylineWarning, match="1 author name contains characters that cannot be printed"
    ):
        assert read_corpus(path).authors == ["A\\x1b[2J", "B"]


def test_a_guessed_encoding_gives_a_warning(write: Write) -> None:
    text = "Elle était née près de la forêt, où sa mère chantait. Ça dura tout l'été. "
    more = "Son frère, déjà âgé, n'y était pas allé: la fièvre l'avait gardé à l'hôtel. "
    table = as_csv([{"author": "A", "text": text * 99}, {"author": "B", "text": more * 99}])
    path = write("known.csv", table.encode("cp1252"))
    with pytest.warns(BylineWarning, match=r"1 file is not UTF-8: known\.csv\. .*guessed as "):
        assert read_corpus(path)[0].text.startswith("Elle était née")


@pytest.mark.parametrize("name", ["known.txt", "known.xlsx"])
def test_a_file_that_is_not_a_table_is_an_error(write: Write, name: str) -> None:
    with pytest.raises(
        CorpusError, match=f"{name} is a single file, but neither a table nor a ZIP archive"
    ):
        read_corpus(write(name, "Some words."))


@given(st.text(st.characters(codec="utf-8"), max_size=120))
@settings(max_examples=150, deadline=None)
def test_any_table_gives_documents_or_a_corpus_error(
    tmp_path_factory: pytest.TempPathFactory, text: str
) -> None:
    path = tmp_path_factory.getbasetemp() / "any.csv"
    path.write_bytes(b"author,text\n" + text.encode())
    try:
        reading = read_csv(path, "any.csv", {})
    except CorpusError as error:
        assert str(error).startswith("any.csv")
    else:
        assert all(document.author for document in reading.documents)


def test_a_text_in_place_of_a_header_is_shortened(write: Write) -> None:
    first = ",".join(f"{number} words that nobody should see in a message" for number in range(20))
    with pytest.raises(CorpusError) as caught:
        read_corpus(write("known.csv", f"{first}\n"))
    assert "7 words that nobody should see... and 12 more. Name" in str(caught.value)
    assert "in a message" not in str(caught.value)
    with pytest.raises(CorpusError, match=r"several columns named x{30}\.\.\.\. Keep one"):
        read_corpus(write("twice.csv", f"author,text,{'x' * 99},{'x' * 99}\n"))


@pytest.mark.parametrize("lines", ['{"author": "A"}', '{"author": "A"}\n[1]\n'])
def test_the_name_of_the_table_is_stated_once(write: Write, lines: str) -> None:
    path = write("bad.jsonl", lines)
    with pytest.raises(CorpusError) as caught:
        read_corpus(path)
    assert str(caught.value).startswith(str(path))
    assert str(caught.value).count("bad.jsonl") == 1


def test_rows_with_the_same_error_are_one_error(write: Write) -> None:
    with pytest.raises(CorpusError) as caught:
        read_corpus(write("known.jsonl", as_jsonl([{"writer": "A", "text": "x"}] * 62)))
    assert "known.jsonl, line 1 has no column author. It has the columns: writer" in str(
        caught.value
    )
    assert str(caught.value).endswith(
        "(61 further rows have the same error: known.jsonl, line 2, known.jsonl, line 3 and "
        "59 more.)"
    )
    rows = ["author,text", *[f",{prose('cat')}"] * 5]
    with pytest.raises(
        CorpusError, match=r"row 2: the author is empty.* \(4 further rows have the"
    ):
        read_corpus(write("known.csv", "\n".join(rows)))


def test_of_many_repeated_ids_three_are_shown(write: Write) -> None:
    rows = ["id,author,text", *[f"{number % 5},A,{prose('cat')}" for number in range(10)]]
    with pytest.raises(CorpusError, match=r"The id 2 .*row 9\. 2 further ids occur in"):
        read_corpus(write("known.csv", "\n".join(rows)))
