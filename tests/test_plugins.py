"""Installed packages add language models, classifiers, file formats and sections of reports.

The packages of these tests are a module and its metadata in a folder on ``sys.path``, as pip would
install them. `test_examples.py` builds and installs real ones.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from byline import train
from byline.attribution import (
    AuthorshipAttributor,
    StackedAttributor,
    load_attributor,
    save_attributor,
)
from byline.attribution.model_files.classifiers import CLASSIFIER_KINDS
from byline.cli import main
from byline.corpus import Corpus, Document, decode_text, read_corpus, read_text
from byline.errors import CorpusError, PluginError, UsageError
from byline.lm.registry import LANGUAGE_MODEL_KINDS
from byline.plugins import find_plugin, naming_package, plugin_names
from byline.report import CaseMaterial
from byline.report.added_sections import render_sections, summarize_sections

Install = Callable[..., Path]
MODELS, CLASSIFIERS = "byline.language_models", "byline.classifiers"
READERS, SECTIONS = "byline.readers", "byline.report_sections"

UNIFORM = """
import numpy as np
from byline.lm import LanguageModel, ModelState

class UniformLM(LanguageModel):
    kind, sentence_start, sentence_end = "uniform", True, True

    def fit(self, sentences, *, vocabulary_size, **ignored):
        self.vocabulary_size_ = vocabulary_size
        return self

    def batch_log_probs(self, sentences):
        return np.full(sum(map(self.n_scored, sentences)), -np.log(self.n_events))

    def log_distribution(self, context):
        return np.full(self.n_events, -np.log(self.n_events))

    def get_state(self):
        return ModelState({"vocabulary_size": self.vocabulary_size_}, {})

    @classmethod
    def from_state(cls, state):
        return cls().fit([], vocabulary_size=state.params["vocabulary_size"])
"""

FIRST_LETTERS = """
import numpy as np
from byline.attribution import TextClassifier
from byline.lm import ModelState

class FirstLetters(TextClassifier):
    kind = "first-letters"

    def __init__(self, *, weight=1.0):
        self.weight = weight

    def _check_params(self):
        pass

    def _shares(self, texts):
        return np.array([[text.lower().count(c) / len(text) for c in "abcdefgh"] for text in texts])

    def _fit(self, texts, labels, progress):
        shares = self._shares(texts)
        self.means_ = np.stack([shares[labels == n].mean(axis=0) for n in range(labels.max() + 1)])

    def _score(self, texts):
        distances = np.abs(self._shares(texts)[:, None] - self.means_).sum(axis=2)
        return -self.weight * distances

    def get_state(self):
        return ModelState({}, {"means": self.means_})

    def set_state(self, state, classes):
        self.means_, self.classes_ = state.arrays["means"], classes
        return self
"""


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Install:
    """Return a function that installs a package with one module and one entry point."""

    def add(package: str, group: str, name: str, code: str, what: str) -> Path:
        folder, module = tmp_path / package, package.replace("-", "_")
        info = folder / f"{module}-1.2.dist-info"
        info.mkdir(parents=True)
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.2\n")
        (info / "entry_points.txt").write_text(f"[{group}]\n{name} = {module}:{what}\n")
        (folder / f"{module}.py").write_text(code)
        monkeypatch.syspath_prepend(folder)
        monkeypatch.setitem(sys.modules, module, None)  # removed again after the test
        monkeypatch.delitem(sys.modules, module)
        return folder

    return add


def test_without_packages_there_are_no_plugins() -> None:
    assert [plugin_names(group) for group in (MODELS, CLASSIFIERS, READERS, SECTIONS)] == [[]] * 4


def test_a_package_is_imported_only_when_its_name_is_used(install: Install) -> None:
    install("broken-lm", MODELS, "broken", "1 / 0", "BrokenLM")
    assert plugin_names(MODELS) == ["broken"]
    assert LANGUAGE_MODEL_KINDS.find("ngram").kind == "ngram"
    with pytest.raises(
        PluginError,
        match=r"^the package broken-lm 1\.2 declares 'broken' in byline\.language_models, but "
        r"broken_lm:BrokenLM cannot be imported \(ZeroDivisionError: division by zero\)\. Update "
        r"the package, or uninstall it: pip uninstall broken-lm$",
    ):
        LANGUAGE_MODEL_KINDS.find("broken")


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        ("model = 3", "it is 3, not a subclass of byline.lm.base.LanguageModel"),
        ("other = 3", "cannot be imported (AttributeError: module 'odd_lm' has no attribute"),
        ("raise SystemExit(3)", "cannot be imported (SystemExit: 3)"),
        ("from byline.lm import NgramLM as model", "the kind of its class NgramLM is 'ngram'"),
        (UNIFORM.replace('"uniform"', '"odd"') + "\n    def __init__(self, *, order): pass\n"
         "model = UniformLM", "its parameters need default values"),
    ],
)  # fmt: skip
def test_what_is_no_model_is_named_with_its_package(
    install: Install, code: str, reason: str
) -> None:
    install("odd-lm", MODELS, "odd", code, "model")
    with pytest.raises(PluginError) as raised:
        LANGUAGE_MODEL_KINDS.make("odd")
    assert f"odd-lm 1.2 declares 'odd' in byline.language_models, but {reason}" in str(
        raised.value
    ).replace("odd_lm:model ", "")


def test_names_that_clash_are_an_error(install: Install) -> None:
    install("first-lm", MODELS, "uniform", UNIFORM, "UniformLM")
    install("second-lm", MODELS, "uniform", UNIFORM, "UniformLM")
    with pytest.raises(PluginError, match=r"first-lm 1\.2 .*, but second-lm 1\.2 declares it too"):
        LANGUAGE_MODEL_KINDS.find("uniform")
    install("third-lm", MODELS, "ngram", UNIFORM, "UniformLM")
    with pytest.raises(PluginError, match=r"third-lm 1\.2 .*, but Byline itself has this name"):
        LANGUAGE_MODEL_KINDS.find("ngram")
    with pytest.raises(PluginError, match=r"third-lm 1\.2 .*, but Byline itself has this name"):
        train(["It rained.", "It snowed."], ["Ann", "Ben"], lm="ngram")  # not when it is saved
    with pytest.raises(PluginError, match=r"some-pdf 1\.2 .*, but Byline itself has this name"):
        install("some-pdf", READERS, "pdf", "", "x")
        decode_text(b"x", "letter.pdf")


def test_a_name_that_nobody_declares_is_a_usage_error() -> None:
    with pytest.raises(UsageError, match="it knows ngram, adapted-ngram, feedforward, recurrent"):
        LANGUAGE_MODEL_KINDS.find("uniform")
    assert find_plugin(MODELS, "uniform") is None


TEXTS = ["a cab bad bad abba", "a dab cab bad", "abba had a bad cab", "egg fee he hedge",
         "he fed geese eggs", "hedge egg feed he"]  # fmt: skip
AUTHORS = ["Ann"] * 3 + ["Bob"] * 3


@pytest.mark.filterwarnings("ignore::byline.errors.BylineWarning")
def test_a_classifier_is_saved_with_the_name_of_its_package(
    install: Install, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = install("letters", CLASSIFIERS, "first-letters", FIRST_LETTERS, "FirstLetters")
    classifier = CLASSIFIER_KINDS.make("first-letters").set_params(weight=2.0)
    stack = StackedAttributor([("letters", classifier)], folds=2).fit(TEXTS, AUTHORS)
    save_attributor(stack, tmp_path / "model")
    loaded = load_attributor(tmp_path / "model")
    assert loaded.attribute(TEXTS) == stack.attribute(TEXTS)
    assert isinstance(loaded, StackedAttributor)
    assert loaded.base_classifiers_["letters"].get_params() == {"weight": 2.0}
    monkeypatch.setattr(sys, "path", [each for each in sys.path if each != str(folder)])
    with pytest.raises(
        PluginError,
        match=r"model: the classifier 'first-letters' was added to Byline by the package letters "
        r"1\.2, which is not installed here\. If you trust it, install it: pip install letters$",
    ):
        load_attributor(tmp_path / "model")


@pytest.mark.filterwarnings("ignore::byline.errors.BylineWarning")
@pytest.mark.parametrize("method", ["_fit", "_score"])
def test_an_error_of_a_classifier_is_named_with_its_package(install: Install, method: str) -> None:
    code = FIRST_LETTERS + f"\n    def {method}(self, *ignored):\n        raise KeyError('depth')\n"
    install("letters", CLASSIFIERS, "first-letters", code, "FirstLetters")
    classifier = CLASSIFIER_KINDS.make("first-letters")
    with pytest.raises(
        PluginError,
        match=r"the package letters 1\.2 declares 'first-letters' in byline\.classifiers, but its "
        r"class FirstLetters failed \(KeyError: 'depth'\)\. Update the package, or uninstall it: "
        r"pip uninstall letters$",
    ):
        StackedAttributor([("letters", classifier)], folds=2).fit(TEXTS, AUTHORS)


@pytest.mark.parametrize("method", ["fit", "batch_log_probs"])
def test_an_error_of_a_language_model_is_named_with_its_package(
    install: Install, method: str
) -> None:
    code = (
        UNIFORM + f"\n    def {method}(self, *args, **ignored):\n        raise KeyError('depth')\n"
    )
    install("uniform-lm", MODELS, "uniform", code, "UniformLM")
    models = AuthorshipAttributor(LANGUAGE_MODEL_KINDS.make("uniform"), min_tokens=1, n_samples=1)
    with pytest.raises(PluginError, match=r"UniformLM failed \(KeyError: 'depth'\)\. Update the"):
        models.fit(TEXTS, AUTHORS).attribute(TEXTS)


def test_only_errors_of_the_code_of_plugins_are_named_with_a_package(install: Install) -> None:
    install("uniform-lm", MODELS, "uniform", UNIFORM, "UniformLM")
    added, own = LANGUAGE_MODEL_KINDS.make("uniform"), LANGUAGE_MODEL_KINDS.make("ngram")
    for used, error in ((own, KeyError()), (added, MemoryError()), (added, UsageError("order"))):
        with pytest.raises(type(error)), naming_package(MODELS, used):
            raise error
    with pytest.raises(PluginError), naming_package(MODELS, added):
        raise KeyError


# Readers.

BARS = """
from byline.corpus import Document, ExtractedText, FileFormat, ReadResult
def read(data, name):
    if data.startswith(b"?"):
        raise KeyError(name)
    return ExtractedText(data.decode().replace("|", "\\n\\n"))
def read_all(data, name):
    rows = [line.split(": ") for line in data.decode().splitlines()]
    return ReadResult([Document(*row, f"{name}, {n}") for n, row in enumerate(rows)], [])
BARS, WRONG = FileFormat(read, read_all), FileFormat(lambda data, name: "a string")
"""


@pytest.mark.filterwarnings("ignore::byline.errors.BylineWarning")
def test_a_format_is_read_in_folders_and_alone(install: Install, tmp_path: Path) -> None:
    with pytest.raises(CorpusError):
        read_text(tmp_path / "letter.bars")
    install("bars", READERS, "bars", BARS, "BARS")
    for author in ("ada", "ben"):
        (tmp_path / "known" / author).mkdir(parents=True)
        (tmp_path / "known" / author / "one.bars").write_text(f"{author} rose.|It fell.")
    assert read_corpus(tmp_path / "known").texts == [
        *("ada rose.\n\nIt fell.", "ben rose.\n\nIt fell."),
    ]
    assert read_text(tmp_path / "known" / "ada" / "one.bars") == "ada rose.\n\nIt fell."
    (tmp_path / "all.bars").write_text("ada: The river rose.\nben: The sea fell.")
    assert read_corpus(tmp_path / "all.bars").authors == ["ada", "ben"]
    with pytest.raises(UsageError, match="is not a table, so that its columns cannot be chosen"):
        read_corpus(tmp_path / "all.bars", columns={"author": "user"})
    (tmp_path / "odd.bars").write_text("?")
    with pytest.raises(PluginError, match=r"bars 1\.2 .* it failed to read .*odd\.bars \(KeyError"):
        read_text(tmp_path / "odd.bars")


def test_a_reader_that_returns_something_else_is_named(install: Install, tmp_path: Path) -> None:
    install("wrong", READERS, "wrong", BARS, "WRONG")
    install("odd", READERS, "odd", "reader = 3", "reader")
    for name, reason in (
        ("a.wrong", "it returned 'a string', not a ExtractedText"),
        ("a.odd", "it is 3, not a byline.corpus.FileFormat"),
    ):
        (tmp_path / name).write_text("x")
        with pytest.raises(PluginError, match=reason):
            read_text(tmp_path / name)


# Sections of reports.

SECTION = """
from byline.report import ReportSection
def html(content):
    return f"<p>{content['n']} known texts</p>"
def count(material):
    return None if material.known is None else {"n": len(material.known)}
SECTION = ReportSection("Numbers", count, html)
FAILING = ReportSection("Numbers", lambda material: 1 / 0, html)
ODD = ReportSection("Numbers", lambda material: {"n": {1, 2}}, html)
"""


def material(known: Corpus | None) -> CaseMaterial:
    attributor: Any = None
    return CaseMaterial(attributor, ["A text."], [{}], known)


def test_a_section_is_summarized_and_rendered(install: Install) -> None:
    install("numbers", SECTIONS, "numbers", SECTION, "SECTION")
    known = Corpus([Document("ada", "A text.", "a.txt")], "known")
    sections = summarize_sections(material(known))
    assert sections == [
        {"name": "numbers", "package": "numbers", "version": "1.2", "title": "Numbers",
         "content": {"n": 1}},
    ]  # fmt: skip
    assert [each["html"] for each in render_sections(sections)] == ["<p>1 known texts</p>"]
    assert summarize_sections(material(None)) == []


@pytest.mark.parametrize(
    ("what", "reason"),
    [("FAILING", "it failed (ZeroDivisionError"), ("ODD", "its summary is not of JSON values"),
     ("html", "not a byline.report.ReportSection")],
)  # fmt: skip
def test_a_broken_section_is_named_with_its_package(
    install: Install, what: str, reason: str
) -> None:
    install("numbers", SECTIONS, "numbers", SECTION, what)
    with pytest.raises(PluginError) as raised:
        summarize_sections(material(None))
    assert "the package numbers 1.2 declares 'numbers'" in str(raised.value)
    assert reason in str(raised.value)


def test_a_summary_without_its_package_cannot_be_rendered() -> None:
    with pytest.raises(PluginError, match="section 'numbers', but the package that draws it"):
        render_sections([{"name": "numbers", "content": {}}])


# On the command line.


@pytest.fixture
def byline(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Callable[..., tuple[int, str, str]]:
    """Return a function that runs a command in this process, in the test's folder."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", ["byline"])

    def run(command: str) -> tuple[int, str, str]:
        with warnings.catch_warnings(), pytest.raises(SystemExit) as ended:
            main(command.split())
        printed = capfd.readouterr()
        return int(ended.value.code or 0), printed.out, printed.err

    return run


def test_a_classifier_is_a_method(
    install: Install, byline: Callable[..., tuple[int, str, str]], tmp_path: Path
) -> None:
    install("letters", CLASSIFIERS, "first-letters", FIRST_LETTERS, "FirstLetters")
    for number, (text, author) in enumerate(zip(TEXTS, AUTHORS, strict=True)):
        path = tmp_path / "known" / author / f"{number}.txt"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"{text} {text[::-1]} " * 20)
    assert byline("train known -o model --method first-letters")[0] == 0
    (tmp_path / "note.txt").write_text(TEXTS[0] * 9)
    code, out, _ = byline("attribute model note.txt --report report.html")
    assert (code, "before calibration (nats): first-letters +" in out) == (0, True)
    assert "first-letters" in (tmp_path / "report.html").read_text(encoding="utf-8")
    _, _, err = byline("train known -o x --method other")
    kinds = "'stacked', 'language-models', 'delta', 'profiles', 'auto', 'first-letters'."
    assert f"'other' is not one of {kinds}" in err
    _, _, err = byline("train known -o x --method first-letters --order 2")
    assert "--order is an option of language models, which --method first-letters does not" in err
    _, _, err = byline("train known -o x --classifier other")
    assert "--classifier other: no installed package declares this classifier" in err
    _, _, err = byline("train known -o x --method delta --classifier first-letters")
    assert "--classifier is only valid with --method stacked" in err


def test_a_language_model_is_a_kind(
    install: Install, byline: Callable[..., tuple[int, str, str]], tmp_path: Path
) -> None:
    install("uniform-lm", MODELS, "uniform", UNIFORM, "UniformLM")
    (tmp_path / "text.txt").write_text("a cab, a dab, a cab, a dab.")
    code, out, _ = byline("lm fit text.txt -o model --lm uniform")
    assert (code, out) == (0, "model: 12 tokens, vocabulary 5\n")  # the full stop is <unk>
    code, out, _ = byline("lm perplexity model text.txt")
    assert (code, "perplexity 6" in out) == (0, True)  # five words and </s>
    for options, message in (
        ("--order 2", "--order is not a parameter of --lm uniform"),
        ("--valid text.txt", "--valid is only valid with --lm feedforward or recurrent"),
        ("--smoothing absolute", "--smoothing is only valid with --lm ngram"),
    ):
        code, _, err = byline(f"lm fit text.txt -o other --lm uniform {options}")
        assert (code, message in err) == (2, True)
    install("ngram-lm", MODELS, "ngram", UNIFORM, "UniformLM")
    code, _, err = byline("lm fit text.txt -o other --lm other")
    assert (code, err.count("'ngram'"), err.count("'uniform'")) == (2, 1, 1)
    code, _, err = byline("lm fit text.txt -o model.arpa --lm uniform")
    assert "an ARPA file can only store an n-gram model, not --lm uniform" in err
