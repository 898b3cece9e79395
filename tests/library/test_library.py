"""The functions of ``import byline`` do what the commands do."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import numpy as np
import pandas as pd
import pytest
from sklearn.exceptions import NotFittedError

import byline
from byline.answering import answer, verify_texts
from byline.attribution import AuthorshipAttributor, StackedAttributor
from byline.cli import main
from byline.corpus import Corpus, Document
from byline.errors import BylineWarning, CorpusError, UsageError
from byline.experiments import Evaluation, OpenSetEvaluation

CORPUS = Corpus([Document("Ann", "The sea rose.", "1.txt")], "letters")
pytestmark = pytest.mark.filterwarnings("ignore::byline.errors.BylineWarning")  # of little text


def _document(capfd: pytest.CaptureFixture[str], *arguments: str | Path) -> dict[str, Any]:
    """Run a command that prints JSON."""
    capfd.readouterr()
    with pytest.raises(SystemExit) as ended:
        main([*map(str, arguments), "--json"])
    printed = capfd.readouterr()
    assert ended.value.code in (0, None), printed.err
    document: dict[str, Any] = json.loads(printed.out)
    return document


def _only(document: dict[str, Any]) -> dict[str, Any]:
    """Take the entry of the only questioned text out of a document."""
    [entry] = document.pop("questioned")
    assert isinstance(entry, dict)
    return entry


@pytest.fixture(autouse=True)
def _as_a_command(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["byline"])


def test_the_functions_are_imported_when_they_are_used() -> None:
    code = (
        "import sys, byline\n"
        "assert 'numpy' not in sys.modules and 'typer' not in sys.modules\n"
        "assert {'load', 'train', 'attribute', 'verify', 'evaluate'} <= set(dir(byline))\n"
        "try: byline.trian\n"
        "except AttributeError as error: print(error)"
    )
    run = [sys.executable, "-c", code]
    ended = subprocess.run(run, capture_output=True, text=True, check=True, timeout=60)
    assert ended.stdout == "module 'byline' has no attribute 'trian'\n"


def test_train_gives_the_model_of_the_command(
    known: Path, corpus: Corpus, letter: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "letters.byline"
    with pytest.raises(SystemExit):
        main(["train", str(known), "-o", str(path), "--method", "delta", "--seed", "3"])
    text = letter.read_text(encoding="utf-8")
    expected = byline.load(path).decision_function([text])
    for given in (str(known), known, corpus):
        model = byline.train(given, method="delta", seed=3)
        assert np.array_equal(model.decision_function([text]), expected)
    model = byline.train(corpus.texts, corpus.authors, works=corpus.works, method="delta", seed=3)
    assert np.array_equal(model.decision_function([text]), expected)


def test_attribute_answers_as_the_command_does(
    model_file: Path, known: Path, letter: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    document = _document(capfd, "attribute", model_file, letter, "--known", known, "--open-set")
    [found] = byline.attribute(model_file, [letter], known, open_set=True)
    entry = _only(document)
    assert json.loads(json.dumps(found.to_dict())) == document | entry
    [of_text] = byline.attribute(
        byline.load(model_file), [letter.read_text(encoding="utf-8")], known, open_set=True
    )
    assert of_text.path is None
    assert (of_text.text, of_text.text_sha256) == (found.text, found.text_sha256)
    assert of_text.evidence == found.evidence
    assert of_text.probabilities == found.probabilities


def test_texts_and_files_can_be_mixed(model: StackedAttributor, letter: Path) -> None:
    text = letter.read_text(encoding="utf-8")
    first, second = byline.attribute(model, [text, letter], evidence=False)
    assert (first.path, second.path) == ("text 1", str(letter))
    assert first.log10_lrs == second.log10_lrs
    with pytest.raises(UsageError, match="a list of texts is needed, but this is a single str"):
        byline.attribute(model, text)


def test_verify_answers_as_the_command_does(
    known: Path, letter: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    document = _document(capfd, "verify", known, letter, "--author", "ada")
    entry = _only(document)
    [found] = byline.verify(known, [letter], "ada")
    shown = json.loads(json.dumps(found.to_dict()))
    for key in ("done", "material"):  # a command hashes files, and a program texts
        document.pop(key), shown.pop(key)
    assert shown == document | entry
    assert (found.path, found.answer) == (str(letter), "yes")
    assert found.probabilities == {"ada": entry["probability"]}
    assert re.fullmatch(r"<VerificationAnswer about .*: yes, ada [\d.]+ %>", repr(found))
    assert re.search(r"  yes, with [a-z ]+ support: written by ada \(probability of ", str(found))
    assert found.to_pandas().log10_lr.tolist() == [entry["log10_lr"]]
    assert '<p class="verdict">The findings are about' in found._repr_html_()
    found.save_report(tmp_path / "verification.html")
    page = (tmp_path / "verification.html").read_text(encoding="utf-8")
    assert "calls <code>byline.answering.verify_texts</code>" in page


def test_several_authors_in_question_are_verified_jointly(corpus: Corpus, letter: Path) -> None:
    [found] = byline.verify(corpus, [letter.read_text(encoding="utf-8")], ["ben", "ada"])
    assert found.answer == "ada"
    assert list(found.probabilities) == ["ada", "ben", "somebody else"]
    table = found.to_pandas("authors")
    assert table.author.tolist() == list(found.probabilities)
    assert table.probability.sum() == pytest.approx(1)
    assert "Who wrote the text: ada, ben or somebody else?" in str(found)
    assert "<h3>Who wrote" in found._repr_html_()


def test_evaluate_measures_as_the_command_does(
    known: Path, corpus: Corpus, capfd: pytest.CaptureFixture[str]
) -> None:
    document = _document(capfd, "evaluate", known, "--method", "delta", "--folds", "2")
    for given in (known, corpus):
        found = byline.evaluate(given, method="delta", folds=2)
        assert isinstance(found, Evaluation)
        assert json.loads(json.dumps(found.to_dict())) == document


def test_an_open_set_evaluation_is_another_result(corpus: Corpus) -> None:
    with pytest.raises(UsageError, match="false_attribution_rate needs open_set=True"):
        byline.evaluate(corpus, method="delta", false_attribution_rate=0.1)
    with pytest.raises(UsageError, match='open_set=True needs method="stacked" or "delta"'):
        byline.evaluate(corpus, method="language-models", open_set=True)
    others = [replace(each, author="dot") for each in corpus.select([0, 1, 2])]
    found = byline.evaluate(
        corpus, test=Corpus([*others, corpus[4]], "asked"), method="delta", open_set=True
    )
    assert isinstance(found, OpenSetEvaluation)


def test_settings_are_those_of_the_command(corpus: Corpus) -> None:
    model = byline.train(corpus, method="language-models", order=2, samples=1, unit="word")
    assert isinstance(model, AuthorshipAttributor)
    assert model.models_["ada"][0].order == 2
    with pytest.raises(UsageError, match=r"no setting 'metod'; choose from .* duplicates, .* meth"):
        byline.train(corpus, metod="delta")
    with pytest.raises(UsageError, match="method: 'svm' is not one of 'stacked', 'language-mod"):
        byline.train(corpus, method="svm")
    with pytest.raises(UsageError, match=r"keep is 'all'; choose from 'notes', 'stage', 'quot"):
        byline.train(corpus, keep=["all"])
    with pytest.raises(UsageError, match=r'order .* method="delta" does not use'):
        byline.train(corpus, method="delta", order=3)
    with pytest.raises(UsageError, match='reference needs method="stacked" or "delta"'):
        byline.train(corpus, method="language-models", reference=corpus)


def test_known_texts_need_exactly_one_statement_of_their_authors(
    known: Path, corpus: Corpus, model: StackedAttributor
) -> None:
    with pytest.raises(UsageError, match="the known texts are a path, which states their authors"):
        byline.train(known, corpus.authors)
    with pytest.raises(UsageError, match="the known texts are a Corpus, which states"):
        byline.train(corpus, works=corpus.works)
    with pytest.raises(UsageError, match="the authors of the texts are missing; give one author"):
        byline.train(corpus.texts)
    with pytest.raises(UsageError, match="are 12 texts but 1 author; give one author per text"):
        byline.train(corpus.texts, ["ada"])
    with pytest.raises(UsageError, match="the known texts must be a path or a Corpus"):
        byline.attribute(model, ["text"], corpus.texts)


def test_given_texts_are_checked_as_files_are(corpus: Corpus) -> None:
    twice = [*corpus.texts, corpus.texts[0]]
    with pytest.raises(CorpusError, match="the corpus: 1 text occurs under several authors"):
        byline.train(twice, [*corpus.authors, "ben"], method="delta")
    with pytest.warns(BylineWarning, match="the corpus: 1 text is empty and ignored: text 13"):
        model = byline.train([*corpus.texts, ""], [*corpus.authors, "ben"], method="delta")
    assert len(model.training_record_.documents) == 12


def test_numeric_features_are_one_more_base_classifier(
    known: Path, letter: Path, tmp_path: Path
) -> None:
    table = tmp_path / "features.csv"
    rows = [f"{path.parent.name}/{path.name},{n % 5}" for n, path in enumerate(known.glob("*/*"))]
    table.write_text("\n".join(["id,height", *rows, f"{letter.name},3"]), encoding="utf-8")
    model = byline.train(known, method="delta", features=table)
    assert isinstance(model, StackedAttributor)
    assert list(model.base_classifiers_) == ["cosine-delta", "features"]
    [first] = byline.attribute(model, [letter], features=table)
    assert first.author == "ada"
    other = tmp_path / "other.txt"
    other.write_text("A text with features of its own.", encoding="utf-8")
    table.write_text(f"id,height\n{other.name},1\n{letter.name},3", encoding="utf-8")
    byline.attribute(model, [other], features=table)
    assert first.evidence == byline.attribute(model, [letter], features=table)[0].evidence
    table.write_text("\n".join(["id,height", *rows, f"{letter.name},3"]), encoding="utf-8")
    with pytest.raises(UsageError, match=r"trained with features \(height\); give features"):
        byline.attribute(model, [letter])
    with pytest.raises(CorpusError, match="text 1"):
        byline.attribute(model, [letter.read_text(encoding="utf-8")], features=table)
    with pytest.raises(UsageError, match="features cannot be combined with reference"):
        byline.train(known, features=table, reference=known)
    found = byline.evaluate(known, method="delta", features=table, folds=2)
    assert isinstance(found, Evaluation)


def test_a_model_or_an_author_of_another_type_is_a_clear_error() -> None:
    with pytest.raises(UsageError, match="the model has the type int; give the path of a model"):
        byline.attribute(3, ["It rained."])  # type: ignore[arg-type]
    for author in (None, 3, ["Ann", None]):
        with pytest.raises(UsageError, match="give the name of an author, or a list of names"):
            byline.verify(["It rained."], ["It rained."], author, ["Ann"])  # type: ignore[arg-type]


def test_questioned_texts_are_any_list(model: StackedAttributor, letter: Path) -> None:
    text = letter.read_text(encoding="utf-8")
    expected = [answer.log10_lrs for answer in byline.attribute(model, [text], evidence=False)]
    for given in ((each for each in [text]), pd.Series([text], index=[7]), np.array([text])):
        found = byline.attribute(model, given, evidence=False)
        assert [answer.log10_lrs for answer in found] == expected
        assert found[0].path is None
    assert byline.attribute(model, []) == []
    for wrong in (None, 3, {text}, {"letter": text}, letter, np.array(text)):
        with pytest.raises(UsageError, match="a list of texts is needed, but this is a"):
            byline.attribute(model, wrong)  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="text 1 is a NoneType, not a str"):
        byline.attribute(model, [text, None])  # type: ignore[list-item]


def test_a_model_must_be_fitted(letter: Path) -> None:
    with pytest.raises(NotFittedError):
        byline.attribute(StackedAttributor(), [letter])


def test_settings_have_the_types_and_ranges_of_the_options(corpus: Corpus) -> None:
    for setting, value, message in (
        ("open_set", "no", "open_set is 'no'; it must be True or False"),
        ("keep_case", 2, "keep_case is 2; it must be True or False"),
        ("order", 0, "order is 0; it must be a whole number from 1 to 100"),
        ("samples", 0, "samples is 0; it must be a whole number of at least 1"),
        ("jobs", 0, "jobs is 0; it must be a whole number of at least 1"),
        ("seed", -1, "seed is -1; it must be a whole number of at least 0"),
        ("cache", 1, "cache is 1; it must be a number from 0 to 0.99"),
        ("unit", 3, "unit is 3; choose from 'auto', 'word' and 'char'"),
        ("keep", 3, "a list of keeps is needed"),
        ("reference", 3, "a int is neither a path nor a Corpus"),
        ("features", 3, "a int is neither a path nor a Corpus"),
    ):
        with pytest.raises(UsageError, match=message):
            byline.train(corpus, **cast(Any, {setting: value}))


def test_a_single_kind_to_keep_needs_no_list(model: StackedAttributor, letter: Path) -> None:
    assert byline.attribute(model, [letter], keep="notes", evidence=False)
    with pytest.raises(UsageError, match="keep has an unknown value"):
        byline.attribute(model, ["It rained."], keep=["all"])


def test_evaluate_and_verify_check_their_arguments(corpus: Corpus) -> None:
    for arguments, message in (
        ({"sentences": 5}, "sentences is 5; give a list of lengths"),
        ({"sentences": ["5"]}, "each length in sentences is '5'; it must be a whole number"),
        ({"test": ["It rained."]}, "a list is neither a path nor a Corpus"),
        ({"baselines": "foo"}, "there is no simple method 'foo'"),
    ):
        with pytest.raises(UsageError, match=message):
            byline.evaluate(corpus, method="delta", **cast(Any, arguments))
    with pytest.raises(
        UsageError, match="random_state is -1; it must be a whole number of at least 0"
    ):
        byline.verify(corpus, ["It rained."], "ada", seed=-1)
    with pytest.raises(UsageError, match="letters has no text by 'Zed'"):
        byline.verify(corpus, ["It rained."], {"Zed"})


def test_works_can_be_numbers(corpus: Corpus) -> None:
    numbers = [corpus.works.index(work) for work in corpus.works]
    model = byline.train(corpus.texts, corpus.authors, works=numbers, method="delta")
    named = byline.train(corpus.texts, corpus.authors, works=corpus.works, method="delta")
    counts = [each.training_record_.n_works("ada") for each in (model, named)]
    assert counts[0] == counts[1]


def test_a_single_text_without_a_name_is_printed_without_one() -> None:
    texts = [f"The cat sat on the mat {n} times. " * 200 for n in range(4)]
    texts += [f"A dog ran in a park at {n}. " * 200 for n in range(4)]
    model = byline.train(texts, ["Ann"] * 4 + ["Bob"] * 4, method="delta")
    [answer] = byline.attribute(model, ["The cat sat on the mat 9 times. " * 200])
    assert str(answer).splitlines()[0].split()[0] == "author"


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: byline.load(None), "the path is None; give the path of a model file"),  # type: ignore[arg-type]
        (lambda: byline.attribute(None, [""]), "the model has the type NoneType"),  # type: ignore[arg-type]
        (lambda: byline.verify(["a"], ["b"], None, ["Ann"]), "author is None; give the name"),  # type: ignore[arg-type]
        (lambda: answer(None, [""]), "the model is a NoneType; give a fitted"),  # type: ignore[arg-type]
        (lambda: verify_texts(CORPUS, None, [""]), "author is None; give the name of an"),  # type: ignore[arg-type]
        (lambda: verify_texts(CORPUS, [None], [""]), r"author is \[None\]; give the name"),  # type: ignore[list-item]
        (lambda: verify_texts(None, ["Ann"], [""]), "the known texts are a NoneType; give a"),  # type: ignore[arg-type]
        (lambda: verify_texts(CORPUS, "Ben", [""]), "has no text by 'Ben'; choose from Ann"),
    ],
)
def test_an_argument_of_another_type_is_a_clear_error(
    call: Callable[[], object], message: str
) -> None:
    with pytest.raises(UsageError, match=message):
        call()


def test_the_name_of_a_file_is_not_a_text(model: StackedAttributor, letter: Path) -> None:
    for texts, given in (([str(letter)], "pathlib.Path("), (str(letter), "[pathlib.Path(")):
        with pytest.raises(
            UsageError,
            match=re.escape(f"the name of a file; to attribute its content, give {given}"),
        ):
            byline.attribute(model, texts)
    assert byline.attribute(model, ["x" * 5000 + "\0"])[0].text_sha256  # no file can have this name


def test_questioned_texts_must_be_a_list(model: StackedAttributor) -> None:
    with pytest.raises(UsageError, match="a list of texts is needed, but this is a NoneType"):
        byline.attribute(model, None)  # type: ignore[arg-type]
