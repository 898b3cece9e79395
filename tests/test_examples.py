"""Each example is built, installed, and used by the commands and as a library."""

from __future__ import annotations

import contextlib
import importlib
import json
import os
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
from numpy.typing import NDArray

from byline.attribution import (
    AuthorshipAttributor,
    explain_answer,
    load_attributor,
    save_attributor,
)
from byline.corpus import Corpus, Document, read_corpus
from byline.errors import CorpusError, ModelFileError, PluginError, TrainingError, UsageError
from byline.lm import ModelState, NgramLM

ROOT = Path(__file__).resolve().parents[1]
EXAMPLES = ROOT / "examples"
WORDS = {
    "ada": "the engine weaves numbers like any loom weaves leaves and then will compose",
    "ben": "our ship sails north when winds turn cold and every sailor counts his rope",
}


class Ended(NamedTuple):
    """How a command ended."""

    code: int
    out: str
    err: str


Commands = Callable[..., Ended]


def packages() -> list[Path]:
    """Return the examples that can be installed."""
    return sorted(path.parent for path in EXAMPLES.glob("*/pyproject.toml"))


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder into which the examples are installed, from the wheels that are built.

    A wheel of pure Python is unpacked, which is what pip does after it has started for a second.
    """
    build = pytest.importorskip("hatchling.build")
    folder = tmp_path_factory.mktemp("site")
    for example in packages():
        source = folder / "source" / example.name
        shutil.copytree(example, source, ignore=shutil.ignore_patterns("__pycache__"))
        with contextlib.chdir(source):
            wheel = build.build_wheel(str(folder))
        with zipfile.ZipFile(folder / wheel) as archive:
            archive.extractall(folder / "site")
    return folder / "site"


@pytest.fixture(autouse=True)
def _examples_are_installed(site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(site)


@pytest.fixture
def commands(programs: Path, site: Path, tmp_path: Path) -> Commands:
    """Return a function that runs Byline, where the examples are installed."""

    def run(*args: object, installed: bool = True) -> Ended:
        paths = [str(site)] * installed + [path for path in sys.path if path != str(site)]
        variables = {"PYTHONPATH": os.pathsep.join(paths), "PYTHONIOENCODING": "utf-8"}
        ended = subprocess.run(
            [str(programs / "python"), "-m", "byline", *map(str, args)],
            cwd=tmp_path,
            env=os.environ | variables,
            capture_output=True,
            encoding="utf-8",
            check=False,
        )
        return Ended(ended.returncode, ended.stdout, ended.stderr)

    return run


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
    examples = {path.name for path in packages()}
    assert examples == {"conllu", "dirichlet", "sentence_lengths"}
    for name in examples:
        assert f"examples/{name}" in shown


# A language model.


@pytest.fixture
def dirichlet() -> Any:
    return importlib.import_module("byline_dirichlet").DirichletLM


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


@pytest.mark.processes
def test_the_command_line_offers_it_and_files_name_its_package(
    commands: Commands, known: Path, questioned: Path, tmp_path: Path
) -> None:
    options = "--lm", "dirichlet", "--order", "2", "--method", "language-models"
    assert commands("train", known, "-o", "model.byline", *options).code == 0
    ended = commands("attribute", "model.byline", questioned, "--json")
    assert json.loads(ended.out)["questioned"][0]["ranking"][0]["author"] == "ben"
    ended = commands("train", known, "-o", "x.byline", *options, "--context", "2")
    assert "--context is only valid with --lm feedforward" in ended.err
    without = commands("attribute", "model.byline", questioned, installed=False)
    assert without.code == PluginError.exit_code
    assert without.err == (
        "error: model.byline: the language model 'dirichlet' was added to Byline by the package "
        "byline-dirichlet 0.1.0, which is not installed here. If you trust it, install it: pip "
        "install byline-dirichlet\n"
    )


def test_scores_are_explained_and_saved(dirichlet: Any, known: Path, tmp_path: Path) -> None:
    corpus = read_corpus(known)
    attributor = AuthorshipAttributor(dirichlet(order=2), n_samples=2)
    attributor.fit(corpus.texts, corpus.authors)
    [answer] = attributor.attribute([corpus.texts[0]])
    evidence = explain_answer(attributor, answer, corpus.texts[0])
    assert evidence is not None
    assert evidence.log_lr == pytest.approx(answer.ranking[0].score - answer.ranking[1].score)
    save_attributor(attributor, tmp_path / "model")
    assert load_attributor(tmp_path / "model").attribute([corpus.texts[0]]) == [answer]


# A reader.


def conllu(*documents: tuple[str, str]) -> str:
    """Return a file in which each document has an author and one paragraph per sentence."""
    lines = []
    for number, (author, text) in enumerate(documents):
        lines += [f"# newdoc id = doc-{number}", *[f"# meta::author = {author}"] * bool(author)]
        for sentence in text.split(". "):
            lines += ["# newpar", f"# text = {sentence}", "1\tx\tx\tX\t_\t_\t0\troot\t_\t_", ""]
    return "\n".join(lines)


def test_documents_have_authors_and_paragraphs() -> None:
    module = importlib.import_module("byline_conllu")
    data = conllu(("ada", "The engine weaves. It stops"), ("", "Nobody")).encode()
    result = module.read_documents(data, "a.conllu")
    [document] = result.documents
    assert (document.author, document.text) == ("ada", "The engine weaves\n\nIt stops")
    assert document.metadata == {"title": "doc-0"}
    [finding] = result.findings
    assert finding.message.startswith("a.conllu: 1 document has no author. Add a line")
    assert module.read_text(data, "a.conllu").text == "The engine weaves\n\nIt stops\n\nNobody"
    with pytest.raises(CorpusError, match=r"a\.conllu has no line '# text = \.\.\.'"):
        module.read_text(b"Dear all,", "a.conllu")
    with pytest.raises(CorpusError, match=r"a\.conllu is not UTF-8"):
        module.read_text(b"\xff", "a.conllu")


@pytest.mark.processes
def test_the_command_line_reads_its_files(commands: Commands, tmp_path: Path) -> None:
    texts = [("ada", prose("ada", 30, 1)), ("ben", prose("ben", 30, 2))]
    (tmp_path / "all.conllu").write_text(conllu(*texts), encoding="utf-8")
    checked = json.loads(commands("corpus", "check", "all.conllu", "--json").out)
    assert [size["author"] for size in checked["sizes"]] == ["ada", "ben"]
    (tmp_path / "one.conllu").write_text(conllu(("ada", "The engine. It stops")), encoding="utf-8")
    assert "The engine\n" in commands("corpus", "show", "one.conllu").out
    assert "# newpar" in commands("corpus", "show", "one.conllu", installed=False).out


# A report part.


def test_lengths_of_sentences_by_hand() -> None:
    module = importlib.import_module("byline_sentence_lengths")
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
    commands: Commands, known: Path, questioned: Path, tmp_path: Path
) -> None:
    hostile = tmp_path / "known"
    for author, name in (("ada", "Ada <b>"), ("ben", "בן")):
        (hostile / name).mkdir(parents=True)
        for text in (known / author).iterdir():
            (hostile / name / text.name).write_bytes(text.read_bytes())
    corpus = read_corpus(hostile)
    model = AuthorshipAttributor(NgramLM(order=2), n_samples=1).fit(corpus.texts, corpus.authors)
    save_attributor(model, tmp_path / "model")
    options = "--known", hostile, "--report", "report.html"
    assert commands("attribute", "model", questioned, *options).code == 0
    html = (tmp_path / "report.html").read_text(encoding="utf-8")
    _, _, section = html.partition(">How long sentences are</h2>")
    section, _, rest = section.partition(">Limitations</h2>")
    assert '<th scope="row" class="name"><bdi>Ada &lt;b&gt;</bdi></th><td>240</td>' in section
    assert '<th scope="row" class="name"><bdi>בן</bdi></th><td>240</td>' in section
    assert section.count('class="line"') == 6  # three in the legend, three drawn
    assert "<b>Ada" not in html.replace("&lt;", "")
    assert "Section of the package byline-sentence-lengths 0.1.0" in section
    assert ">Method and data</h2>" in rest
    assert "http" not in section
