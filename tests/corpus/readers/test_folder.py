from __future__ import annotations

import os
import unicodedata
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from byline.corpus import read_corpus
from byline.errors import BylineWarning, CorpusError

MakeTree = Callable[[Mapping[str, str | bytes]], Path]


def prose(seed: str) -> str:
    """Return about 6,600 characters that depend on the seed, which is enough for no warning."""
    return " ".join(f"The {seed} came home on day {day} and slept." for day in range(150))


@pytest.fixture
def make_tree(tmp_path: Path) -> MakeTree:
    def make(files: Mapping[str, str | bytes]) -> Path:
        root = tmp_path / "known"
        root.mkdir()
        for name, content in files.items():
            path = root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return root

    return make


def test_folders_are_authors(make_tree: MakeTree) -> None:
    root = make_tree(
        {
            "smith/b.txt": prose("cat"),
            "smith/a.txt": prose("dog"),
            "jones/book/part1.txt": prose("cow"),
            "jones/book/more/part2.txt": prose("hen"),
        }
    )
    corpus = read_corpus(root)
    assert corpus.name == "known"
    assert corpus.paths == [
        "jones/book/more/part2.txt",
        "jones/book/part1.txt",
        "smith/a.txt",
        "smith/b.txt",
    ]
    assert corpus.authors == ["jones", "jones", "smith", "smith"]
    assert corpus.works == ["jones/book", "jones/book", "smith/a.txt", "smith/b.txt"]


def test_shared_prefixes_are_authors_and_the_rest_titles(make_tree: MakeTree) -> None:
    names = ["Smith_First_Book.txt", "Smith_Second.txt", "Jones_Letters.txt"]
    corpus = read_corpus(make_tree({name: prose(name[:8]) for name in names}))
    assert corpus.authors == ["Jones", "Smith", "Smith"]
    assert corpus.works == ["Letters", "First_Book", "Second"]


def test_whole_names_are_authors_if_none_share_a_prefix(make_tree: MakeTree) -> None:
    corpus = read_corpus(make_tree({"Smith.txt": prose("cat"), "Ann Jones.txt": prose("dog")}))
    assert corpus.authors == ["Ann Jones", "Smith"]


def test_whole_names_with_underscores_give_a_warning(make_tree: MakeTree) -> None:
    root = make_tree({"Ann_Smith.txt": prose("cat"), "Bob_Jones.txt": prose("dog")})
    with pytest.warns(BylineWarning, match="Every file has its own author"):
        corpus = read_corpus(root)
    assert corpus.authors == ["Ann_Smith", "Bob_Jones"]


def test_few_shared_prefixes_give_a_warning(make_tree: MakeTree) -> None:
    names = ["Ann_Smith", "Ann_Jones", "Bob_Brown", "Cyd_White"]
    root = make_tree({f"{name}.txt": prose(name[4:]) for name in names})
    with pytest.warns(BylineWarning, match="several begin with Ann_, although most share no"):
        corpus = read_corpus(root)
    assert corpus.candidates == ["Ann", "Bob", "Cyd"]


def test_a_name_of_another_form_than_author_title_is_an_error(make_tree: MakeTree) -> None:
    root = make_tree({name: prose("x") for name in ["A_x.txt", "A_y.txt", "Other.txt", "_z.txt"]})
    with pytest.raises(
        CorpusError,
        match=r"begin with A_, but these names have another form: Other\.txt and _z\.txt",
    ):
        read_corpus(root)


def test_folders_and_loose_texts_together_are_an_error(make_tree: MakeTree) -> None:
    root = make_tree({"smith/a.txt": prose("cat"), "stray.txt": prose("dog")})
    with pytest.raises(
        CorpusError, match=r"loose texts \(stray\.txt\), so that the author of .* unclear"
    ):
        read_corpus(root)


def test_skipped_entries_give_one_warning_per_reason(make_tree: MakeTree) -> None:
    root = make_tree(
        {
            "smith/a.txt": prose("cat"),
            "jones/b.md": prose("dog"),
            "jones/scan.jpg": b"\xff\xd8",
            "jones/table.csv": "author,text",
            "jones/notes.doc": b"\xd0\xcf\x11\xe0",
            "jones/older.zip": b"PK",
            "README.txt": "About these texts.",
            ".DS_Store": b"\0",
            "__MACOSX/smith/._a.txt": b"\0",
            "smith/Thumbs.db": b"\0",
            "empty/.keep": "",
        }
    )
    with pytest.warns(BylineWarning) as caught:
        corpus = read_corpus(root)
    messages = "\n".join(str(warning.message) for warning in caught)
    assert len(caught) == 6
    assert "2 files of unknown format were skipped: " in messages
    assert "jones/scan.jpg and jones/table.csv" in messages
    assert (
        "1 file of a format that Byline does not read was skipped: jones/notes.doc. Save"
        in messages
    )
    assert "1 archive was skipped: jones/older.zip. Unpack each archive where it is." in messages
    assert "1 file about the corpus was skipped: README.txt." in messages
    assert ".DS_Store, __MACOSX, empty/.keep and smith/Thumbs.db" in messages
    assert "1 folder contains no text, so that there is no such candidate: empty." in messages
    assert corpus.paths == ["jones/b.md", "smith/a.txt"]
    assert all(warning.filename == __file__ for warning in caught)


@pytest.mark.parametrize(
    ("files", "found"),
    [
        ({}, "nothing; the folder is empty"),
        ({"a.jpg": b"\xff\xd8", "table.csv": "author,text"}, r"a\.jpg and table\.csv"),
        ({"smith/one": "No ending."}, "smith/one and smith"),
    ],
)
def test_an_unknown_layout_error_states_what_was_found(
    make_tree: MakeTree, files: dict[str, str | bytes], found: str
) -> None:
    with pytest.raises(CorpusError, match=f"contains no text. .*AUTHOR.*Found: {found}"):
        read_corpus(make_tree(files))


def test_all_bad_files_are_listed(make_tree: MakeTree) -> None:
    root = make_tree(
        {
            "a/1.txt": b"one\0",
            "a/2.txt": prose("cat"),
            "b/1.txt": "é".encode() * 9 + b"\xff",
            "b/2.txt": b"\0",
        }
    )
    with pytest.raises(CorpusError) as caught:
        read_corpus(root)
    assert "has 3 errors:" in str(caught.value)
    for part in (
        "a/1.txt is not a text: it contains the control character 0x00 at byte offset 3",
        "b/1.txt cannot be decoded: the byte 0xff at offset 18",
        "b/2.txt is not a text",
    ):
        assert part in str(caught.value)


def test_a_folder_of_unreadable_files_lists_them(
    make_tree: MakeTree, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = make_tree({"a/1.txt": "One.", "b/1.txt": "Two."})

    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "open", refuse)
    with pytest.raises(CorpusError, match=r"(?s)2 errors:.*a/1.*denied.*b/1.*denied"):
        read_corpus(root)


def test_a_folder_without_permission_is_an_error(
    make_tree: MakeTree, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = make_tree({"a/1.txt": "One."})

    def refuse(_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("os.scandir", refuse)
    with pytest.raises(CorpusError, match="known cannot be read: Permission denied"):
        read_corpus(root)


def test_circular_links_are_skipped_with_a_warning(make_tree: MakeTree) -> None:
    root = make_tree({"a/1.txt": prose("cat"), "b/1.txt": prose("dog")})
    (root / "a" / "up").symlink_to(root)
    (root / "b" / "self").symlink_to(".")
    with pytest.warns(
        BylineWarning,
        match="2 links to folders that contain the link were skipped: a/up and b/self",
    ):
        corpus = read_corpus(root)
    assert corpus.paths == ["a/1.txt", "b/1.txt"]


def test_a_link_to_itself_or_to_a_missing_file_is_an_error(make_tree: MakeTree) -> None:
    root = make_tree({"a/1.txt": "One."})
    (root / "a" / "2.txt").symlink_to("gone.txt")
    (root / "a" / "3.txt").symlink_to("3.txt")
    with pytest.raises(
        CorpusError, match=r"(?s)a/2\.txt.*link to a missing file.*a/3\.txt.*symbolic links"
    ):
        read_corpus(root)


def test_links_out_of_the_folder_are_skipped_with_a_warning(
    make_tree: MakeTree, tmp_path: Path
) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "secret.txt").write_text(prose("fox"), encoding="utf-8")
    root = make_tree({"a/1.txt": prose("cat"), "b/1.txt": prose("dog")})
    (root / "c").symlink_to(elsewhere)
    (root / "b" / "2.txt").symlink_to(elsewhere / "secret.txt")
    (root / "b" / "3.txt").symlink_to("../../elsewhere/secret.txt")
    with pytest.warns(
        BylineWarning,
        match=r"3 links out of the folder were skipped: b/2\.txt, b/3\.txt and c\. Copy",
    ):
        assert read_corpus(root).paths == ["a/1.txt", "b/1.txt"]


def test_links_within_the_folder_are_followed(make_tree: MakeTree, tmp_path: Path) -> None:
    root = make_tree({"a/1.txt": prose("cat"), "b/deep/1.txt": prose("dog")})
    (root / "b" / "2.txt").symlink_to("deep/1.txt")
    link = tmp_path / "link"
    link.symlink_to(root)  # the folder itself may be called by a link
    with pytest.warns(BylineWarning, match="more than once under one author"):
        assert read_corpus(link).paths == ["a/1.txt", "b/2.txt", "b/deep/1.txt"]


def test_a_pipe_in_a_folder_is_skipped_without_waiting(make_tree: MakeTree) -> None:
    root = make_tree({"a/1.txt": prose("cat"), "b/1.txt": prose("dog")})
    os.mkfifo(root / "a" / "2.txt")
    with pytest.warns(BylineWarning, match=r"neither file nor folder was skipped: a/2\.txt"):
        assert len(read_corpus(root)) == 2


def test_names_that_are_not_utf8_are_shown_with_escapes(make_tree: MakeTree) -> None:
    root = make_tree({"b/1.txt": prose("dog")})
    folder = os.fsencode(root) + b"/Andr\xe9"
    try:
        Path(os.fsdecode(folder)).mkdir()
    except OSError:
        pytest.skip("this file system has names in UTF-8 only")
    Path(os.fsdecode(folder + b"/1.txt")).write_text(prose("cat"), encoding="utf-8")
    with pytest.warns(
        BylineWarning, match="1 name contains characters that cannot be printed"
    ) as caught:
        corpus = read_corpus(root)
    assert corpus.candidates == ["Andr\\xe9", "b"]
    for text in [*corpus.paths, *corpus.candidates, *(str(w.message) for w in caught)]:
        text.encode("utf-8")


def test_control_characters_in_names_are_shown_with_escapes(make_tree: MakeTree) -> None:
    root = make_tree({"a\nb\x1b[2J/1.txt": prose("cat"), "b/1.txt": prose("dog")})
    with pytest.warns(BylineWarning, match="shown as escapes"):
        corpus = read_corpus(root)
    assert corpus.candidates == ["a\\x0ab\\x1b[2J", "b"]


def test_composed_and_decomposed_names_are_one_author(make_tree: MakeTree) -> None:
    name = "Zoë"
    root = make_tree(
        {
            unicodedata.normalize("NFC", name) + "/1.txt": prose("cat"),
            unicodedata.normalize("NFD", name) + "/2.txt": prose("cow"),
            "b/1.txt": prose("dog"),
        }
    )
    assert read_corpus(root).candidates == ["Zoë", "b"]


def test_a_file_with_an_empty_name_has_no_author(make_tree: MakeTree) -> None:
    root = make_tree({" .txt": prose("cat"), "b.txt": prose("dog")})
    with pytest.raises(CorpusError, match="author's name is missing for"):
        read_corpus(root)


def test_guessed_encodings_give_one_warning(make_tree: MakeTree) -> None:
    french = "Elle était née près de la forêt, où sa mère chantait l'été. Ça dura. "
    more = "Son frère, déjà âgé, n'y était pas allé: la fièvre l'avait gardé à l'hôtel. "
    root = make_tree(
        {"a/1.txt": (french * 99).encode("cp1252"), "b/1.txt": (more * 99).encode("cp1252")}
    )
    with pytest.warns(
        BylineWarning, match=r"2 files are not UTF-8: a/1\.txt and b/1\.txt\..*guessed as "
    ):
        corpus = read_corpus(root)
    assert corpus[0].text.startswith("Elle était née")


def test_subtitles_are_recognised_by_their_suffix(make_tree: MakeTree) -> None:
    cue = "1\n00:00:01,000 --> 00:00:09,000\n"
    root = make_tree({"a/1.srt": cue + prose("cat"), "b/1.VTT": "WEBVTT\n\n" + cue + prose("dog")})
    assert read_corpus(root).texts == [prose("cat"), prose("dog")]


def test_invalid_subtitles_give_one_warning_per_kind(make_tree: MakeTree) -> None:
    cue = "1\n00:00:01,000 --> 00:00:09,000\n"
    root = make_tree(
        {
            "a/1.srt": prose("cat"),
            "a/2.srt": cue + prose("cow"),
            "b/1.vtt": prose("dog"),
            "b/2.srt": cue + prose("hen") + "\n\n2\n00:00:xx --> 00:00:12,000\nThe end.",
        }
    )
    with pytest.warns(BylineWarning) as caught:
        read_corpus(root)
    without_cue, invalid = (str(warning.message) for warning in caught)
    assert "2 files have the suffix of subtitles but no cue" in without_cue
    assert "a/1.srt and b/1.vtt. Rename such files to .txt" in without_cue
    assert "1 file of subtitles with an invalid timing: b/2.srt, line 6. " in invalid
    assert "Write a timing as 00:00:01,000 --> 00:00:02,000." in invalid


@pytest.mark.parametrize(
    ("name", "n_documents", "n_authors"),
    [
        ("federalist/known", 70, 3),
        ("lectures16/stemmed", 16, 16),
    ],
)
def test_real_folders_give_no_warning(
    shared: Path, name: str, n_documents: int, n_authors: int
) -> None:
    corpus = read_corpus(shared / "corpora" / name)
    assert len(corpus) == n_documents
    assert len(corpus.candidates) == n_authors


def test_real_plays_give_no_warning(some_authors: Callable[..., Path]) -> None:
    corpus = read_corpus(some_authors("french_theatre17", "Moliere", "Racine", "Scarron"))
    assert corpus.candidates == ["Moliere", "Racine", "Scarron"]


def test_empty_files_of_the_lectures_are_ignored_with_a_warning(
    some_authors: Callable[..., Path],
) -> None:
    folder = some_authors("lectures16/raw", "course-05", "course-16")
    with pytest.warns(BylineWarning, match="some: 15 texts are empty and ignored"):
        corpus = read_corpus(folder)
    assert len(corpus) == 127
    assert len(corpus.candidates) == 2


def test_novels_contain_the_names_of_their_authors(some_authors: Callable[..., Path]) -> None:
    with pytest.warns(BylineWarning, match=r"own name .*'AUSTEN' by Austen in Austen/Emma\.txt"):
        corpus = read_corpus(some_authors("british_fiction", "Austen", "Sterne"))
    assert len(corpus) == 5


def test_repeated_news_articles_give_a_warning(some_authors: Callable[..., Path]) -> None:
    names = ("DavidLawder", "HeatherScoffield", "LynneO_Donnell", "MartinWolk", "SarahDavison")
    with pytest.warns(BylineWarning) as caught:
        corpus = read_corpus(some_authors("ccat50/train", *names))
    assert (len(corpus), len(corpus.candidates)) == (250, 5)
    assert any("9 texts occur more than once under one author" in str(w.message) for w in caught)
