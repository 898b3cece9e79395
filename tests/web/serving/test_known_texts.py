"""Known texts are added, checked, removed and used for training on the page."""

from __future__ import annotations

import io
import re
import shutil
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from byline.corpus import Keep, LineRules, ReadingOptions
from byline.web.messages import Add, ModelFile, Upload
from byline.web.text_store import StoredText
from byline.web.worker.loaded_models import MAX_LOADED, LoadedModels
from byline.web.worker.questioned import read_upload, reading_notes
from byline.web.worker.text_import import add

Sentences = Callable[[str, int, int], str]


def words_of(html: str) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", html).split())


def zipped(files: dict[str, str]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return buffer.getvalue()


def test_given_texts_are_listed_and_cannot_be_removed(page: Any) -> None:
    shown = page.get("/known").text
    assert "ada/0.txt" in shown or "0.txt" in shown
    assert 'name="text" value=' not in shown


def test_a_page_without_texts_states_the_number_of_training_texts(
    serve: Callable[..., Any], stack: Path, texts: tuple[list[str], ...]
) -> None:
    shown = serve(stack).get("/known").text
    assert f"The model was trained on {len(texts[0])} texts that this page does not have." in shown


def test_an_author_is_added_to_language_models(lm_page: Any, sentences: Sentences) -> None:
    page = lm_page
    assert "The model was trained on texts that this page does not have." in page.get("/known").text
    assert page.post("/known/train", {"mode": "add"}).status == 422
    files = [("files", f"{n}.txt", sentences("cay", 60, n).encode()) for n in range(4)]
    shown = page.done(page.send("/known/add", {"author": " cay "}, files))
    assert "4 texts by cay added, 1,920 words." in words_of(shown.text)
    trained = page.post("/known/train", {"mode": "add", "model": "given"})
    assert "cay" in page.done(trained).text
    asked = page.send("/ask", {"text": sentences("cay", 12, 90), "model": "1"})
    assert "cay fits the text best" in words_of(page.done(asked).text)
    # A window that was opened earlier still uses the model that it shows.
    asked = page.send("/ask", {"text": sentences("cay", 12, 90), "model": "given"})
    assert "cay fits" not in words_of(page.done(asked).text)
    assert "trained-1.byline" in page.get("/").text
    assert page.post("/model", {"model": "given"}).status == 303
    assert "models.byline" in page.get("/").text
    assert page.post("/model/remove", {"model": "given"}).status == 422
    assert page.post("/model/remove", {"model": "1"}).status == 303
    assert page.get("/model/download?model=1").status == 422


def test_retraining_gives_the_same_model(page: Any, stack: Path, sentences: Sentences) -> None:
    trained = page.post("/known/train", {"mode": "retrain", "model": "given"})
    page.done(trained)
    number = max(map(int, re.findall(r"trained-(\d+)", page.get("/model").text)))
    downloaded = page.get(f"/model/download?model={number}")
    # The same texts and settings: the same model, to the last byte.
    assert downloaded.body == stack.read_bytes()
    assert f"trained-{number}.byline" in downloaded.headers["content-disposition"]
    asked = page.send("/ask", {"text": sentences("ben", 12, 91), "model": str(number)})
    assert "it was most likely ben" in words_of(page.done(asked).text)
    case = page.get(f"/jobs/{asked.job}/report.html").text
    assert "all 24 SHA-256 values agree" in case
    assert page.get(f"/evaluation?model={number}").status == 200


def test_a_stack_is_retrained_for_a_third_author(
    serve: Any, stack: Path, known: Path, sentences: Sentences
) -> None:
    page = serve(stack, "--known", known)
    refused = page.post("/known/train", {"mode": "add", "model": "given"})
    assert refused.status == 422
    folder = {f"study/cay/{n}.txt": sentences("cay", 12, n) for n in range(12)}
    files = [("files", name, text.encode()) for name, text in folder.items()]
    page.done(page.send("/known/add", {"author": "cay"}, files))
    added = page.post("/known/train", {"mode": "add", "model": "given"})
    assert page.wait(added.job)["state"] == "failed"
    assert "discriminate between its authors" in page.get(f"/jobs/{added.job}").text
    page.done(page.post("/known/train", {"mode": "retrain", "model": "given"}))
    asked = page.send("/ask", {"text": sentences("cay", 12, 92)})
    assert (
        "Of the 3 candidates" in words_of(page.done(asked).text) or "cay" in page.done(asked).text
    )


def test_missing_training_texts_are_explained(
    serve: Any, stack: Path, sentences: Sentences
) -> None:
    page = serve(stack)
    page.done(page.send("/known/add", {"author": "cay", "text": sentences("cay", 12, 1)}))
    shown = words_of(page.get("/known").text)
    assert "The texts by ada and ben are not here" in shown
    trained = page.post("/known/train", {"mode": "retrain"})
    assert page.wait(trained.job)["state"] == "failed"
    assert "2 authors are needed" in words_of(page.get(f"/jobs/{trained.job}").text)


def test_folders_archives_and_tables_are_added(page: Any, sentences: Sentences) -> None:
    texts = {f"{a}/{n}.txt": sentences(a, 12, 50 + n) for a in ("cay", "ada") for n in range(2)}
    folder = [("files", f"study/{name}", text.encode()) for name, text in texts.items()]
    said = "4 texts by 2 authors added"
    assert said in words_of(page.done(page.send("/known/add", {"author": ""}, folder)).text)
    assert page.post("/known/remove", {"author": "cay"}).headers["location"] == "/known?removed=2"
    archive = [("files", "my study.zip", zipped(texts))]
    assert said in words_of(page.done(page.send("/known/add", {}, archive)).text)
    one = [("files", "letters.zip", zipped({"a.txt": texts["cay/0.txt"], "b.txt": "More words."}))]
    shown = words_of(page.done(page.send("/known/add", {"author": "dee"}, one)).text)
    assert "2 texts by dee added" in shown
    table = f"author,text\ncay,{texts['cay/0.txt']}\nada,{texts['ada/0.txt']}\n"
    shown = page.done(page.send("/known/add", {}, [("files", "t.csv", table.encode())]))
    assert "2 texts by 2 authors added" in words_of(shown.text)
    for author in ("ada", "cay", "dee"):
        page.post("/known/remove", {"author": author})


def test_a_text_is_removed_by_its_id(page: Any) -> None:
    for title in ("one", "two"):
        page.done(
            page.send("/known/add", {"author": "dee", "title": title, "text": f"It is {title}."})
        )
    shown = page.get("/known").text
    [first, second] = re.findall(r'name="text" value="([0-9a-f]+)"', shown)
    assert page.post("/known/remove", {"text": first}).headers["location"] == "/known?removed=1"
    assert page.post("/known/remove", {"text": first}).headers["location"] == "/known?removed=0"
    assert page.post("/known/remove", {"text": "../../x"}).headers["location"] == "/known?removed=0"
    assert "1 text removed." in page.get("/known?removed=1").text
    assert "removed." not in page.get(f"/known?removed={'1' * 5_000}").text
    page.post("/known/remove", {"text": second})
    assert "dee" not in page.get("/known").text


@pytest.mark.parametrize(
    ("fields", "files", "message"),
    [
        ({"author": "cay"}, [], "nothing to add"),
        ({"author": "c" * 101, "text": "Words."}, [], "at most 100 characters"),
    ],
)
def test_forms_without_texts_are_refused_at_once(
    page: Any, fields: dict[str, str], files: list[Any], message: str
) -> None:
    answer = page.send("/known/add", fields, files)
    assert answer.status == 422
    assert message in answer.text


@pytest.mark.parametrize(
    ("author", "name", "content", "message"),
    [
        ("", "a.txt", b"Some words.", "state who wrote the texts"),
        ("cay", "a.txt", bytes(range(32)) * 9, "a.txt is not a text"),
        ("cay", "a.zip", b"PK\x03\x04 no archive", "a.zip"),
        ("", "a.zip", zipped({"../../x.txt": "Words."}), "paths outside the archive"),
        ("cay", "b.zip", zipped({"/etc/x.txt": "Words."}), "paths outside the archive"),
        ("cay", "blank.txt", b" \n ", "the upload contains no text"),
    ],
)
def test_texts_that_cannot_be_added_fail_with_a_message(
    page: Any, author: str, name: str, content: bytes, message: str
) -> None:
    answer = page.send("/known/add", {"author": author}, [("files", name, content)])
    assert page.wait(answer.job)["state"] == "failed"
    assert message in words_of(page.get(f"/jobs/{answer.job}").text)


def test_the_check_finds_duplicates(page: Any, sentences: Sentences) -> None:
    page.done(page.send("/known/add", {"author": "cay", "text": sentences("ada", 12, 0)}))
    shown = words_of(page.done(page.post("/known/check")).text)
    assert "cay/pasted text" in shown
    trained = page.post("/known/train", {"mode": "retrain"})
    assert page.wait(trained.job)["state"] == "failed"
    page.post("/known/remove", {"author": "cay"})


@pytest.mark.parametrize("is_file", [True, False])
def test_line_breaks_of_files_are_kept_for_the_check(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_file: bool
) -> None:
    monkeypatch.setattr(LoadedModels, "options", ReadingOptions(line_rules=LineRules()))
    lines = "The loom weaves\nleaves and numbers\n\nTHE LOOM 12\n\nand will\ncompose."
    (tmp_path / "read").mkdir()
    (tmp_path / "1").write_bytes(lines.replace("\n", "\r\n").encode())
    upload = Upload(tmp_path / "1", "loom.txt" if is_file else "pasted text", is_file)
    models = LoadedModels(ModelFile("given", "m.byline", tmp_path / "m.byline"), None)
    add(Add("cay", (upload,), tmp_path / "read"), models, lambda done, total, what: None)
    [path] = (tmp_path / "read").iterdir()
    stored = StoredText.read(path)
    assert stored.document().text.startswith("The loom weaves leaves and numbers")
    assert stored.document(with_lines=True).text == lines


def test_the_check_names_the_command_that_corrects(page: Any, sentences: Sentences) -> None:
    text = f"*** START OF THE PROJECT GUTENBERG EBOOK OATS ***\n\n{sentences('cay', 40, 2)}"
    page.done(page.send("/known/add", {"author": "cay", "text": text}))
    shown = words_of(page.done(page.post("/known/check")).text)
    assert "Gutenberg" in shown
    assert "byline corpus clean" in shown
    page.post("/known/remove", {"author": "cay"})


def test_texts_with_the_same_name_are_kept_apart(lm_page: Any, sentences: Sentences) -> None:
    page = lm_page
    for seed in range(3):
        page.done(page.send("/known/add", {"author": "cay", "text": sentences("cay", 60, seed)}))
    page.done(page.post("/known/train", {"mode": "add"}))
    candidates = words_of(page.get("/known").text)
    assert "cay 3" in candidates


def test_only_the_models_that_were_used_last_stay_in_memory(
    tmp_path: Path, language_models: Path
) -> None:
    files = [
        ModelFile(name, name, Path(shutil.copy(language_models, tmp_path / name)))
        for name in map(str, range(MAX_LOADED + 1))
    ]
    models = LoadedModels(files[0], None)
    first, second, *others = map(models.model, files[:MAX_LOADED])
    assert [models.model(file) for file in files[:MAX_LOADED]] == [first, second, *others]
    assert models.model(files[0]) is first
    models.model(files[-1])  # in place of the second, because the first was used after it
    assert models.model(files[0]) is first
    assert models.model(files[1]) is not second


@pytest.mark.parametrize("keep", [frozenset[Keep](), frozenset({Keep.STAGE})])
def test_options_on_excluded_parts_are_respected(tmp_path: Path, keep: frozenset[Keep]) -> None:
    pytest.importorskip("lxml")
    play = (
        '<TEI xmlns="http://www.tei-c.org/ns/1.0"><teiHeader/><text><body><sp><speaker>Dee</speaker>'
        "<p>The loom weaves leaves.</p><stage>Exit</stage></sp></body></text></TEI>"
    )
    upload = Upload(tmp_path / "1", "play.xml", is_file=True)
    read = read_upload(play.encode(), upload, ReadingOptions(keep=keep)).extracted
    assert "The loom weaves leaves." in read.text
    assert ("Exit" in read.text) is bool(keep)
    said = " ".join(reading_notes(read))
    assert "speakers" in said
    assert ("stage directions" in said) is not bool(keep)
