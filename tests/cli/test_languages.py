"""Known texts in other languages and scripts, through the command line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from byline.attribution import StackedAttributor, load_attributor, load_language_model
from byline.attribution.verification.verifier import AuthorshipVerifier
from byline.text import TextEncoder

Run = Any
NOTE = "note: the texts are in a script without spaces between words"
# All authors use the same words, but each has particles of his own.
CHINESE = {
    "王小明": ("孩子 老師 船夫 在河邊 在山上 看見了 想起了 一本書 舊房子", "矣。 罷了。 也。"),
    "李清": ("孩子 老師 船夫 在河邊 在山上 看見了 想起了 一本書 舊房子", "嘛。 呀！ 呢？"),
    "張偉": ("孩子 老師 船夫 在河邊 在山上 看見了 想起了 一本書 舊房子", "啦。 哦。 吧。"),
}
FAST = ("--method", "language-models", "--samples", "1")


def prose(words: str, ends: str, n_sentences: int, seed: int) -> str:
    """Return sentences of random words without spaces, with three sentences per paragraph."""
    rng = np.random.default_rng(seed)
    sentences = [
        "".join(rng.choice(words.split(), 5)) + str(rng.choice(ends.split()))
        for _ in range(n_sentences)
    ]
    return "\n\n".join("".join(sentences[n : n + 3]) for n in range(0, n_sentences, 3)) + "\n"


@pytest.fixture(scope="module")
def chinese(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("chinese") / "known"
    for index, (author, (words, ends)) in enumerate(CHINESE.items()):
        (folder / author).mkdir(parents=True)
        for number in range(5):
            text = prose(words, ends, 30, 10 * index + number)
            (folder / author / f"{number}.txt").write_text(text, encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def questioned(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("questioned") / "q.txt"
    path.write_text(prose(*CHINESE["李清"], 24, 99), encoding="utf-8")
    return path


def test_in_scripts_without_spaces_characters_are_tokens_and_a_note_says_so(
    run: Run, chinese: Path, questioned: Path, tmp_path: Path
) -> None:
    ended = run("train", chinese, "-o", tmp_path / "model", *FAST, "--language", "zh")
    assert ended.code == 0
    assert ended.err.count(NOTE) == 1
    assert "tokens are characters (--unit char)" in ended.err
    assert "Use characters as tokens" not in ended.err
    encoder = load_attributor(tmp_path / "model").encoder_
    assert (encoder.unit, encoder.language) == ("char", "zh")
    answer = run("attribute", tmp_path / "model", questioned).out
    assert answer.index("李清") < answer.index("王小明")


def test_words_as_tokens_cause_a_warning_and_become_characters(
    run: Run, chinese: Path, questioned: Path, tmp_path: Path
) -> None:
    ended = run("train", chinese, "-o", tmp_path / "model", *FAST, "--unit", "word")
    assert NOTE not in ended.err
    assert "in a script without spaces between words (Chinese" in ended.err
    attributor = load_attributor(tmp_path / "model")
    assert attributor.encoder_.unit == "word"
    assert {"嘛", "矣"} <= set(attributor.encoder_.vocabulary_.tokens)
    assert run("attribute", tmp_path / "model", questioned).code == 0


def test_all_base_classifiers_of_a_stack_have_the_same_language(
    run: Run, chinese: Path, questioned: Path, tmp_path: Path
) -> None:
    assert run("train", chinese, "-o", tmp_path / "model", "--language", "tr").code == 0
    stack = load_attributor(tmp_path / "model")
    assert isinstance(stack, StackedAttributor)
    params = {
        name: value
        for classifier in stack.base_classifiers_.values()
        for name, value in classifier.get_params().items()
    }
    assert params["encoder"].language == "tr"
    assert params["classifier__language"] == "tr"  # the n-grams without punctuation
    style: Any = stack.base_classifiers_["style"]
    styles = style.classifier_.blocks
    assert {block.language for block in styles} == {"tr"}
    assert "李清" in run("attribute", tmp_path / "model", questioned).out


def test_verification_counts_characters(run: Run, chinese: Path, questioned: Path) -> None:
    asked = ("--author", "李清", "--language", "zh")
    answered = run("verify", chinese, questioned, *asked)
    assert answered.code == 0
    assert "cannot tell" not in answered.out
    short = questioned.with_name("short.txt")
    short.write_text("孩子在河邊看見了。", encoding="utf-8")
    assert (
        "the text has 8 characters; at least 50 are needed"
        in run("verify", chinese, short, *asked).out
    )


def test_verification_has_a_language() -> None:
    verifier = AuthorshipVerifier(language="tr")
    assert {block.language for block in verifier._blocks} == {"tr"}
    assert verifier._words("ISI") == ["ısı"]


@pytest.mark.parametrize("options", [(), ("--lm", "feedforward", "--epochs", "1")])
def test_single_language_models_use_characters_too(
    run: Run, questioned: Path, tmp_path: Path, options: tuple[str, ...]
) -> None:
    ended = run("lm", "fit", questioned, "-o", tmp_path / "model", *options)
    assert NOTE in ended.err
    encoder, model = load_language_model(tmp_path / "model")
    assert isinstance(encoder, TextEncoder)
    assert encoder.unit == "char"
    assert model.context_window == (5, 0)
    assert run("lm", "perplexity", tmp_path / "model", questioned).code == 0


def test_author_comparison_and_evaluation(run: Run, chinese: Path) -> None:
    compared = run("compare", chinese, "--samples", "1", "--folds", "2")
    assert "one n-gram model of characters per author" in compared.out
    assert "嘛" in compared.out
    evaluated = run("evaluate", chinese, *FAST, "--folds", "1")
    assert NOTE in evaluated.err
    assert "15 documents by 3 authors" in evaluated.out


def test_the_papers_profile_warns_of_letters_that_it_drops(run: Run, chinese: Path) -> None:
    paper = run("profile", chinese, "--paper")
    assert "knows only unaccented Latin letters" in paper.err
    assert "張偉 (100 %), 李清 (100 %) and 王小明 (100 %)" in paper.err
    for args in ((), ("--own-rules",)):
        own = run("profile", chinese, *args)
        assert "warning: The word rule" not in own.err
        assert NOTE in own.err
        assert ("general rules" in own.err) is (args == ())
    assert run("profile", chinese).out == run("profile", chinese, "--own-rules").out


def test_profiles_of_other_languages_count_their_words(run: Run, tmp_path: Path) -> None:
    sentences = {
        "Russian": "Вечером к реке пришла женщина, и дети ушли домой.",
        "Greek": "Το βράδυ ήρθε μια γυναίκα στο ποτάμι, και έφυγε.",
        "Hebrew": "בערב באה אישה אל הנהר, והילדים הלכו הביתה.",
        "French": "Le soir, une élève rêvait près de la rivière gelée.",
    }
    for language, sentence in sentences.items():
        folder = tmp_path / language
        for author in ("ada", "ben"):
            (folder / author).mkdir(parents=True)
            (folder / author / "1.txt").write_text(f"{sentence} " * 120, encoding="utf-8")
        ended = run("profile", folder, "--duplicates", "keep", "--json")
        assert "general rules" in ended.err
        [row, _] = json.loads(ended.out)["rows"]
        words = set(sentence.replace(",", " ,").replace(".", " .").lower().split())
        assert row["vocabulary_original"] == len(words)
        assert row["n_sentences"] == 120
        assert "drops many" not in ended.err
        assert (
            "The word rule of Ge & Sun"
            in run("profile", folder, "--duplicates", "keep", "--paper").err
        )
