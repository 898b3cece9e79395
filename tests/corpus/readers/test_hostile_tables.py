"""Tables and folders made to crash a reader; most of them were found by `fuzz/`."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from byline.corpus import read_corpus
from byline.corpus.readers import table as table_reader
from byline.errors import CorpusError
from byline.formatting import has_unprintable

LIMIT = 10.0  # seconds of processor time; linear code takes one or two
HEAD = "author,text\n"
Write = Callable[[str, str], Path]

pytestmark = pytest.mark.filterwarnings("ignore::byline.errors.BylineWarning")


@pytest.fixture
def write(tmp_path: Path) -> Write:
    def write_file(name: str, content: str) -> Path:
        (tmp_path / name).write_text(content, encoding="utf-8", newline="")
        return tmp_path / name

    return write_file


LONG: dict[str, tuple[str, str, str | None]] = {
    "a giant field": ("a.csv", HEAD + 'x,"' + "word. " * 500_000 + '"\n', None),
    "a quotation without end": (
        "a.csv",
        HEAD + 'x,"' + "word,\n" * 200_000,
        "a quotation mark that is missing",
    ),
    "very many columns": (
        "a.csv",
        f"author,text,{','.join(f'c{n}' for n in range(20_000))}\nx,y{',1' * 20_000}\n",
        None,
    ),
    "nothing but commas": ("a.csv", HEAD + "," * 10**6, "the corpus has none"),
    "a head without end": (
        "a.csv",
        "a" * 10**6,
        r"It has the columns: a{30}\.\.\.",
    ),
    "a text for an author": ("a.csv", HEAD + "x" * 10**6 + ",y\n", "the author has 1,000,000 char"),
    "lists within lists": ("a.jsonl", '{"author": "a", "text": ' + "[" * 10**6, "recursion"),
    "a number of many digits": ("a.jsonl", '{"author": "a", "text": ' + "9" * 5000 + "}", "digits"),
}


@pytest.mark.parametrize(("name", "content", "flaw"), LONG.values(), ids=LONG)
def test_long_tables_are_read_in_time(
    name: str, content: str, flaw: str | None, write: Write
) -> None:
    path = write(name, content)
    start = time.process_time()
    if flaw is None:
        assert len(read_corpus(path, min_authors=1)) == 1
    else:
        with pytest.raises(CorpusError, match=flaw) as caught:
            read_corpus(path, min_authors=1)
        assert len(str(caught.value)) < 1000
    assert time.process_time() - start < LIMIT


def test_nul_and_surrogates_are_refused(write: Write) -> None:
    with pytest.raises(CorpusError, match=r"is not a text: it contains the control character 0x00"):
        read_corpus(write("a.csv", HEAD + "x,y\0z\n"), min_authors=1)
    with pytest.raises(CorpusError, match="an unpaired surrogate at character 1"):
        read_corpus(write("a.jsonl", r'{"author": "a", "text": "x\ud800"}'), min_authors=1)
    with pytest.raises(CorpusError, match="the text contains NUL at character 2"):
        read_corpus(write("a.jsonl", r'{"author": "a", "text": "xy\u0000"}'), min_authors=1)


def test_everything_read_from_a_table_can_be_encoded(write: Write) -> None:
    row = r'{"author": "a\ud800\u0007", "text": "x", "work": "\ud800", "\ud800": "\udfff"}'
    (document,) = read_corpus(write("a.jsonl", row), min_authors=1)
    assert (document.author, document.work) == (r"a\ud800\x07", r"\ud800")
    assert dict(document.metadata) == {r"\ud800": r"\udfff"}


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=6,
)
columns = st.sampled_from(["author", "text", "id", "work", "topic", "Text ", "\0", "\ud800", ""])


@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(rows=st.lists(st.dictionaries(columns, json_values, max_size=6), max_size=4))
def test_any_json_gives_documents_or_an_error(rows: list[dict[str, Any]], write: Write) -> None:
    path = write("a.jsonl", "\n".join(map(json.dumps, rows)))
    try:
        corpus = read_corpus(path, min_authors=1)
    except CorpusError as error:
        str(error).encode()
        return
    for document in corpus:
        shown = [document.author, document.text, document.work, *document.metadata.values()]
        "".join([*shown, *document.metadata]).encode()


def test_a_small_parquet_file_that_unpacks_to_a_large_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    monkeypatch.setattr(table_reader, "MAX_TABLE_BYTES", 2**20)
    text = pyarrow.array(["word. " * 1000])
    texts = pyarrow.DictionaryArray.from_arrays(pyarrow.array([0] * 1000, pyarrow.int32()), text)
    table = pyarrow.table({"author": ["a"] * 1000, "text": texts})
    path = tmp_path / "known.parquet"
    parquet.write_table(table, path)
    assert path.stat().st_size < 20_000
    with pytest.raises(CorpusError, match=r"known\.parquet unpacks to more than 1\.0 MB"):
        read_corpus(path, min_authors=1)


NAMES = st.text(
    st.sampled_from("ab._-'\"<>&\u00e9\u202e\x1b\n\t#?*~ "), min_size=1, max_size=12
).filter(lambda name: name.strip(".") and not name.startswith("."))


@settings(
    deadline=None, max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(names=st.lists(NAMES, min_size=1, max_size=3, unique=True))
def test_any_names_of_folders_and_files_are_read(names: list[str], tmp_path: Path) -> None:
    root = Path(mkdtemp(dir=tmp_path))
    for name in names:
        (root / name).mkdir(parents=True)
        (root / name / f"{name}.txt").write_text("The river rose.", encoding="utf-8")
    try:
        corpus = read_corpus(root, min_authors=1)
    except CorpusError as error:
        str(error).encode()
        return
    for document in corpus:
        assert not has_unprintable(document.path + document.author)
        assert document.author in document.path


def test_deeply_nested_folders_are_an_error(tmp_path: Path) -> None:
    deep = tmp_path.joinpath("known", *("a" * 300))
    deep.mkdir(parents=True)
    (deep / "1.txt").write_text("The river rose.", encoding="utf-8")
    with pytest.raises(CorpusError, match=r"a/a/a/.* is nested more than 100 folders deep\. Move"):
        read_corpus(tmp_path / "known", min_authors=1)
