"""Each example is built and run, as a library and as a program."""

from __future__ import annotations

import importlib
import json
import mailbox
import os
import subprocess
import sys
from collections.abc import Iterator
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from joblib.externals.loky import get_reusable_executor
from numpy.typing import NDArray

from byline.attribution import (
    AuthorshipAttributor,
    explain_answer,
    load_attributor,
    save_attributor,
)
from byline.corpus import Corpus, Document, read_corpus
from byline.corpus.readers import table
from byline.errors import CorpusError, ModelFileError, TrainingError, UsageError
from byline.lm import ModelState, NgramLM, registry

ROOT = Path(__file__).resolve().parents[1]
EXAMPLES = ROOT / "examples"
WORDS = {
    "ada": "the engine weaves numbers like any loom weaves leaves and then will compose",
    "ben": "our ship sails north when winds turn cold and every sailor counts his rope",
}


@pytest.fixture(autouse=True)
def _examples_can_be_imported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(EXAMPLES)


def run(*args: object, programs: Path, folder: Path) -> str:
    """Run Python with what examples need on its path; return what it printed."""
    paths = os.pathsep.join([str(EXAMPLES), *sys.path])
    ended = subprocess.run(
        [str(programs / "python"), *map(str, args)],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": paths, "PYTHONIOENCODING": "utf-8"},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert ended.returncode == 0, ended.stderr
    return ended.stdout


def prose(author: str, n_sentences: int, seed: int) -> str:
    rng = np.random.default_rng([seed, ord(author[0])])
    length = {"ada": 5, "ben": 9}[author]
    chosen = [rng.choice(WORDS[author].split(), length) for _ in range(n_sentences)]
    return " ".join(" ".join(words).capitalize() + "." for words in chosen)


@pytest.fixture(scope="module")
def known(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("examples") / "known"
    for author in WORDS:
        (folder / author).mkdir(parents=True)
        for number in range(6):
            path = folder / author / f"{number}.txt"
            path.write_text(prose(author, 40, number), encoding="utf-8")
    return folder


@pytest.fixture
def questioned(tmp_path: Path) -> Path:
    path = tmp_path / "letter.txt"
    path.write_text(prose("ben", 20, 99), encoding="utf-8")
    return path


def test_every_example_is_shown_to_contributors() -> None:
    shown = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    examples = {path.name for path in EXAMPLES.iterdir() if not path.name.startswith(("_", "."))}
    assert examples == {"dirichlet_lm.py", "mbox_reader.py", "sentence_lengths"}
    for name in examples:
        assert f"examples/{name}" in shown


# A language model.


@pytest.fixture
def dirichlet() -> Iterator[Any]:
    module = importlib.import_module("dirichlet_lm")
    registry.register_language_model(module.DirichletLM)
    yield module.DirichletLM
    registry.LANGUAGE_MODEL_KINDS.classes.pop("dirichlet", None)


def ids(*tokens: int) -> NDArray[np.int32]:
    return np.array(tokens, dtype=np.int32)


def test_bigrams_worked_by_hand(dirichlet: Any) -> None:
    """Ids 0 to 2; sentences 1 2 and 1, without sentence boundaries.

    Below order 1, all probabilities are 1/3.
    p(2) = (1 + 2/3) / (3 + 2) = 1/3; p(1) = (2 + 2/3) / 5 = 8/15.
    p(2 | 1) = (1 + 2 * 1/3) / (1 + 2) = 5/9; p(1 | 1) = (0 + 2 * 8/15) / 3 = 16/45.
    Nothing was observed after 2: p(1 | 2) = p(1).
    """
    model = dirichlet(order=2, strength=2.0, sentence_start=False, sentence_end=False)
    model.fit([ids(1, 2), ids(1)], vocabulary_size=3)
    after_one, after_two = (np.exp(model.log_distribution(ids(n))) for n in (1, 2))
    assert after_one == pytest.approx([1 - 5 / 9 - 16 / 45, 16 / 45, 5 / 9])
    assert after_two[1] == pytest.approx(8 / 15)
    log_probs = model.token_log_probs(ids(1, 2))
    assert np.exp(log_probs) == pytest.approx([8 / 15, 5 / 9])


@pytest.mark.parametrize("boundaries", [True, False])
@pytest.mark.parametrize("order", [1, 2, 4])
def test_scores_agree_with_the_distributions(dirichlet: Any, order: int, boundaries: bool) -> None:
    rng = np.random.default_rng(order)
    sentences = [rng.integers(0, 5, rng.integers(1, 8)).astype(np.int32) for _ in range(20)]
    model = dirichlet(order=order, sentence_start=boundaries, sentence_end=boundaries)
    model.fit(sentences, vocabulary_size=6)
    one = ids(4, 4, 5, 0)  # 5 was not observed
    rows = [model.log_distribution(one[:n]) for n in range(len(one) + boundaries)]
    assert all(np.exp(row).sum() == pytest.approx(1) for row in rows)
    events = [*one.tolist(), *[6] * boundaries]
    expected = [row[event] for row, event in zip(rows, events, strict=True)]
    assert model.token_log_probs(one) == pytest.approx(expected)
    again = dirichlet.from_state(model.get_state())
    assert (again.token_log_probs(one) == model.token_log_probs(one)).all()


def test_invalid_input_is_rejected(dirichlet: Any) -> None:
    with pytest.raises(UsageError, match="order=0"):
        dirichlet(order=0).fit([ids(1)], vocabulary_size=2)
    with pytest.raises(UsageError, match="outside"):
        dirichlet().fit([ids(2)], vocabulary_size=2)
    with pytest.raises(TrainingError, match="no token"):
        dirichlet().fit([ids()], vocabulary_size=2)
    with pytest.raises(ModelFileError, match="not the state of a Dirichlet model"):
        dirichlet.from_state(ModelState({"vocabulary_size": 2}, {}))
    with pytest.raises(UsageError, match="the kind 'ngram' belongs to NgramLM"):
        registry.register_language_model(type("Another", (dirichlet,), {"kind": NgramLM.kind}))


@pytest.mark.processes
def test_authors_are_told_explained_and_stored_by_it(
    dirichlet: Any, known: Path, questioned: Path, tmp_path: Path
) -> None:
    corpus, text = read_corpus(known), questioned.read_text()
    get_reusable_executor().shutdown(wait=True)  # its processes began without the examples' folder
    attributor = AuthorshipAttributor(dirichlet(order=2), n_samples=2, n_jobs=2)
    attributor.fit(corpus.texts, corpus.authors)
    [answer] = attributor.attribute([text])
    assert answer.ranking[0].author == "ben"
    lead = answer.ranking[0].score - answer.ranking[1].score
    evidence = explain_answer(attributor, answer, text)
    assert evidence is not None
    assert evidence.log_lr == pytest.approx(lead)
    save_attributor(attributor, tmp_path / "model")
    assert load_attributor(tmp_path / "model").attribute([text]) == [answer]
    registry.LANGUAGE_MODEL_KINDS.classes.pop("dirichlet")
    with pytest.raises(ModelFileError, match="not a kind of language model"):
        load_attributor(tmp_path / "model")


@pytest.mark.processes
def test_the_language_model_runs(
    programs: Path, known: Path, questioned: Path, tmp_path: Path
) -> None:
    printed = run(
        EXAMPLES / "dirichlet_lm.py", known, questioned, programs=programs, folder=tmp_path
    )
    assert [line.partition(":")[0] for line in printed.splitlines()] == ["ben", "ada"]
    assert (tmp_path / "dirichlet.byline").is_file()


# A reader.


def letter(sender: str, subject: str, body: str, *, charset: str = "utf-8") -> EmailMessage:
    message = EmailMessage()
    message["From"], message["Subject"] = sender, subject
    message.set_content(body, charset=charset)
    return message


@pytest.fixture
def mbox(tmp_path: Path) -> Path:
    path = tmp_path / "letters.mbox"
    box = mailbox.mbox(path)
    body = prose("ada", 12, 1) + "\n\nFrom here on, we agree: fünf Äpfel.\n-- \nAda, London\n"
    box.add(letter("Ada L. <Ada@Example.org>", "The loom", body))
    reply = "Ada wrote:\n> the engine\n>> weaves\n\nNo, no!\n" + prose("ben", 12, 2)
    box.add(letter("ben@example.org", "Re: AW: The loom", reply, charset="latin-1"))
    attached = letter("ben@example.org", "=?utf-8?q?Caf=C3=A9?=", prose("ben", 3, 4))
    attached.add_attachment(b"not mine", "text", "plain", filename="notes.txt")
    box.add(attached)
    box.add(letter("ada@example.org", "", "> only others' words\n"))
    box.close()
    return path


def test_letters_are_documents(mbox: Path) -> None:
    module = importlib.import_module("mbox_reader")
    result = module.read_mbox(mbox, "letters.mbox")
    first, second, third = result.documents
    assert [each.author for each in result.documents] == [
        *("ada@example.org", "ben@example.org", "ben@example.org"),
    ]
    assert first.work == second.work == "The loom"
    assert third.metadata["title"] == third.work == "Café"
    assert first.text.endswith("\n\nFrom here on, we agree: fünf Äpfel.")
    assert second.text.startswith("No, no!")
    assert "not mine" not in third.text
    assert [(each.kind, each.n) for each in first.excluded] == [("signatures", 1)]
    assert [(each.kind, each.n) for each in second.excluded] == [
        *(("quoted lines", 2), ("lines that introduce a quotation", 1)),
    ]
    [finding] = result.findings
    assert finding.message == "1 letter skipped: without text by the author."
    assert finding.paths == ("letters.mbox, letter 4",)


def test_a_file_without_letters_is_refused(tmp_path: Path) -> None:
    module = importlib.import_module("mbox_reader")
    empty = tmp_path / "none.mbox"
    empty.write_text("Dear all,\n")
    with pytest.raises(CorpusError, match=r"none\.mbox contains no letter"):
        module.read_mbox(empty, "none.mbox")
    with pytest.raises(CorpusError, match=r"gone\.mbox cannot be read"):
        module.read_mbox(tmp_path / "gone.mbox", "gone.mbox")


@pytest.mark.filterwarnings("ignore::byline.errors.BylineWarning")
def test_in_its_place_it_reads_what_commands_are_given(
    mbox: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    module = importlib.import_module("mbox_reader")
    tables = {**table.TABLE_READERS, ".mbox": lambda path, name, _: module.read_mbox(path, name)}
    monkeypatch.setattr(table, "TABLE_READERS", tables)
    assert read_corpus(mbox).candidates == ["ada@example.org", "ben@example.org"]


@pytest.mark.processes
@pytest.mark.filterwarnings("ignore::byline.errors.BylineWarning")
def test_the_reader_runs_and_writes_a_table_that_is_read(
    programs: Path, mbox: Path, tmp_path: Path
) -> None:
    table = tmp_path / "letters.jsonl"
    table.write_text(
        run(EXAMPLES / "mbox_reader.py", mbox, programs=programs, folder=tmp_path), encoding="utf-8"
    )
    rows = [json.loads(line) for line in table.read_text(encoding="utf-8").splitlines()]
    assert [row["work"] for row in rows] == ["The loom", "The loom", "Café"]
    assert read_corpus(table).candidates == ["ada@example.org", "ben@example.org"]


# A report part.


def test_lengths_of_sentences_by_hand() -> None:
    module = importlib.import_module("sentence_lengths")
    known = Corpus([Document("ada", "One two. One two three four! Yes.", "a.txt")], "known")
    [part] = module.lengths_part(["One two three. 王小明來了。"], known, "en")
    assert part["rows"] == [
        {"name": "the questioned text", "n": 2, "quarter": 3.5, "median": 4.0,
         "three_quarters": 4.5},
        {"name": "ada", "n": 3, "quarter": 1.5, "median": 2.0, "three_quarters": 3.0},
    ]  # fmt: skip
    assert part["longer"][:5] == [[1, 1], [1, 2 / 3], [1, 1 / 3], [0.5, 1 / 3], [0.5, 0]]


@pytest.mark.processes
@pytest.mark.filterwarnings("ignore::byline.errors.BylineWarning")
def test_the_part_stands_in_the_report_of_a_case(
    programs: Path, known: Path, questioned: Path, tmp_path: Path
) -> None:
    hostile = tmp_path / "known"
    for author, name in (("ada", "Ada <b>"), ("ben", "בן")):
        (hostile / name).mkdir(parents=True)
        for text in (known / author).iterdir():
            (hostile / name / text.name).write_bytes(text.read_bytes())
    corpus = read_corpus(hostile)
    model = AuthorshipAttributor(NgramLM(order=2), n_samples=1).fit(corpus.texts, corpus.authors)
    save_attributor(model, tmp_path / "model")
    run(
        "-m",
        "sentence_lengths",
        "model",
        hostile,
        questioned,
        "report.html",
        programs=programs,
        folder=tmp_path,
    )
    html = (tmp_path / "report.html").read_text(encoding="utf-8")
    section = html[html.index("<h2>How long sentences are</h2>") :]
    assert '<th scope="row" class="name"><bdi>Ada &lt;b&gt;</bdi></th><td>240</td>' in section
    assert '<th scope="row" class="name"><bdi>בן</bdi></th><td>240</td>' in section
    assert section.count('class="line"') == 6  # three in the legend, three drawn
    assert "<b>Ada" not in html.replace("&lt;", "")
    assert "<h2>Method and data</h2>" in html
    assert "http" not in section
