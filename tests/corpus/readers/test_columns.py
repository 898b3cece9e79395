"""Tables as people have them: any names of columns, separators, encodings and packings."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from byline.corpus import Corpus, read_corpus
from byline.corpus.checking import read_for_checking
from byline.corpus.readers.columns import parse_columns
from byline.errors import CorpusError, UsageError

pytestmark = pytest.mark.filterwarnings("ignore::byline.errors.BylineWarning")
ROWS = [
    ("José", "Der Müller kam „heute“ – und sagte: ‚Ça va‘, naïve Gäste; über 5 € im Café. " * 8),
    ("Zoë", "Die Bäckerin hörte, daß er früh ging; sie aß Brötchen – für 3 € – und las. " * 8),
    ("José", "Später fuhr er über die Brücke; „schön“, sagte er – und lächelte müde. " * 8),
]
COLUMNS = "author=user,text=body,group=thread"
Write = Callable[[str, bytes], Path]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    def write_file(name: str, content: bytes) -> Path:
        path = tmp_path / name
        path.write_bytes(content)
        return path

    return write_file


def as_csv(delimiter: str, header: str = "user,body,thread") -> str:
    rows = [header.replace(",", delimiter)]
    rows += [f'{user}{delimiter}"{body}"{delimiter}t{n}' for n, (user, body) in enumerate(ROWS)]
    return "\r\n".join(rows) + "\r\n"


def as_objects() -> list[dict[str, str]]:
    return [{"user": user, "body": body, "thread": f"t{n}"} for n, (user, body) in enumerate(ROWS)]


def check(corpus: Corpus) -> None:
    assert corpus.authors == [author for author, _ in ROWS]
    assert corpus.texts == [" ".join(text.split()) for _, text in ROWS]
    assert corpus.works == ["t0", "t1", "t2"]


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp1252", "utf-16", "utf-16-le"])
def test_separators_and_encodings(write: Write, delimiter: str, encoding: str) -> None:
    path = write("posts.csv", as_csv(delimiter).encode(encoding))
    check(read_corpus(path, columns=COLUMNS))


@pytest.mark.parametrize("line", ["sep=;\r\n", '"sep=;"\r\n', "SEP=;\n"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_a_line_that_states_the_separator(write: Write, line: str, encoding: str) -> None:
    path = write("posts.csv", (line + as_csv(";")).encode(encoding))
    corpus = read_corpus(path, columns=COLUMNS)
    check(corpus)
    assert corpus.paths[0] == "posts.csv, row 3"  # as a spreadsheet counts


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("suffix", [".csv", ".tsv", ".json", ".jsonl", ".ndjson"])
def test_formats_also_packed(write: Write, suffix: str, packed: bool) -> None:
    if suffix == ".json":
        text = json.dumps(as_objects(), indent=2, ensure_ascii=False)
    elif suffix in (".jsonl", ".ndjson"):
        text = "\n".join(map(json.dumps, as_objects()))
    else:
        text = as_csv("\t" if suffix == ".tsv" else ",")
    data = gzip.compress(text.encode(), mtime=0) if packed else text.encode()
    path = write(f"posts{suffix}{'.GZ' if packed else ''}", data)
    check(read_corpus(path, columns=COLUMNS))
    check(read_for_checking(path, columns=COLUMNS)[0])


def test_an_array_may_have_the_suffix_of_lines(write: Write) -> None:
    path = write("posts.jsonl", json.dumps(as_objects()).encode())
    check(read_corpus(path, columns={"author": "user", "text": "body", "work": "thread"}))


def test_packed_members_follow_each_other(write: Write) -> None:
    lines = [json.dumps(each) + "\n" for each in as_objects()]
    data = b"".join(gzip.compress(line.encode(), mtime=0) for line in lines)
    check(read_corpus(write("posts.jsonl.gz", data), columns=COLUMNS))


@pytest.mark.parametrize(
    ("header", "message"),
    [
        ("writer,content,thread", 'columns="author=writer,text=content"'),
        ("User,Body,thread", 'columns="author=User,text=Body"'),
        ("who,what,thread", 'columns="author=AUTHOR_COLUMN,text=TEXT_COLUMN"'),
        ("author,what,thread", 'columns="author=author,text=TEXT_COLUMN"'),
    ],
)
def test_a_missing_column_is_explained(write: Write, header: str, message: str) -> None:
    path = write("posts.csv", as_csv(";", header).encode())
    with pytest.raises(CorpusError) as error:
        read_corpus(path)
    assert str(error.value).endswith(message)
    first, second, third = header.split(",")
    assert f"It has the columns: {first}, {second} and {third}." in str(error.value)


def test_a_chosen_column_that_is_missing_is_named(write: Write) -> None:
    path = write("posts.csv", as_csv(",").encode())
    with pytest.raises(CorpusError, match=r"has no column person\. It has the columns: user, body"):
        read_corpus(path, columns="author=person,text=body")


def test_a_chosen_column_precedes_one_with_the_name_of_the_field(write: Write) -> None:
    table = as_csv(",", "author,text,body").replace("t0", ROWS[1][1].replace(",", " "))
    path = write("posts.csv", table.encode())
    corpus = read_corpus(path, columns={"text": "body"}, duplicates="keep")
    assert corpus.texts[0].startswith("Die Bäckerin")


@pytest.mark.parametrize(
    "columns", ["writer=user", "author", "author=user,author=name", "author=user,text=user", "=x"]
)
def test_columns_that_cannot_be_used(columns: str) -> None:
    with pytest.raises(UsageError, match="write FIELD=COLUMN"):
        parse_columns(columns)


def test_columns_with_commas_and_spaces() -> None:
    assert parse_columns('"author=name, first", text = Body ') == {
        "name, first": "author",
        "body": "text",
    }


def test_columns_of_a_folder_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="is not a table"):
        read_corpus(tmp_path, columns=COLUMNS)


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.json", b'{\n "author": "x",\n "text": "y"\n}', "is one JSON object, not a table"),
        ("a.json", b"[1, 2]", "line 1 is not a JSON object"),
        ("a.json", b'[{"author": "x",]', "is not valid JSON"),
        ("a.csv.gz", gzip.compress(b"author,text\nx,y", mtime=0)[:-9], "is incomplete"),
        ("a.csv.gz", b"\x1f\x8b\x08\x00broken and broken", "cannot be unpacked"),
    ],
)
def test_broken_tables(write: Write, name: str, content: bytes, message: str) -> None:
    with pytest.raises(CorpusError, match=message):
        read_corpus(write(name, content))
