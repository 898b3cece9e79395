from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from byline.corpus import Document
from byline.corpus.cleaning.folder import name_files
from byline.formatting import printable


def names(*documents: Document) -> list[str]:
    return [str(name) for name in name_files(documents)]


def test_a_file_keeps_its_name_under_its_author() -> None:
    assert names(
        Document("Ada", "x", "Ada/01.txt"), Document("Ben", "x", "Ben_Ship.docx", "Ship")
    ) == [
        "Ada/01.txt",
        "Ben/Ben_Ship.txt",
    ]


def test_texts_of_one_work_are_in_one_folder() -> None:
    assert names(
        Document("Ada", "x", "Ada/Rope/1.txt", "Ada/Rope"),
        Document("Ada", "x", "Ada/Rope/2.txt", "Ada/Rope"),
        Document("Ada", "x", "Ada/3.txt"),
    ) == ["Ada/Rope/1.txt", "Ada/Rope/2.txt", "Ada/3.txt"]


def test_rows_are_named_by_id_or_number() -> None:
    assert names(
        Document("Ada", "x", "t.csv, row 7"),
        Document("Ada", "x", "t.csv, row 8", metadata={"id": "letter"}),
        Document("Ada", "x", "t.jsonl, line 12"),
    ) == ["Ada/000007.txt", "Ada/letter.txt", "Ada/000012.txt"]


def test_invalid_and_ignored_file_names_are_changed() -> None:
    assert names(
        Document("a/b", "x", "README.txt"),
        Document("..", "x", ".hidden"),
        Document("con", "x", "what?.txt"),
        Document("é" * 200, "x", "x.txt"),
    ) == ["a_b/README_.txt", "unnamed/hidden.txt", "con_/what_.txt", f"{'é' * 40}/x.txt"]


def test_no_two_names_differ_only_in_case() -> None:
    assert names(
        Document("Ada", "x", "Ada/a.txt"), Document("ada", "x", "ada/a.txt"),
        Document("Ada", "x", "Ada/A.txt"), Document("Ada", "x", "Ada/x/a.txt"),
    ) == ["Ada/a.txt", "ada-2/a.txt", "Ada/A-2.txt", "Ada/a-3.txt"]  # fmt: skip


texts = st.text(st.characters(codec="utf-8"), min_size=1, max_size=12)


@settings(deadline=None, max_examples=200)
@given(st.lists(st.tuples(texts.map(printable), texts, texts), max_size=8))
def test_every_document_has_a_valid_name_of_its_own(
    rows: list[tuple[str, str, str]],
) -> None:
    documents = [Document(author, "x", path, work) for author, path, work in rows]
    found = name_files(documents)
    assert len({str(name).casefold() for name in found}) == len(documents)
    for name, document in zip(found, documents, strict=True):
        assert not name.is_absolute()
        assert 2 <= len(name.parts) <= 3
        assert all(not part.startswith(".") and len(part.encode()) < 120 for part in name.parts)
        assert name.suffix == ".txt"
        same = [
            one.parts[0]
            for one, other in zip(found, documents, strict=True)
            if other.author == document.author
        ]
        assert set(same) == {name.parts[0]}
