"""Line ends of Windows, and of old Macintosh files, change no result."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import Any

import numpy as np
import pytest

from byline.answering import answer
from byline.attribution import (
    AuthorshipAttributor,
    BurrowsDelta,
    NgramRidge,
    NgramSVM,
    StackedAttributor,
    explain,
)
from byline.attribution.inputs import check_groups, check_texts
from byline.attribution.keyness import NgramCounts, keywords_of_authors
from byline.attribution.rolling import rolling_attribution
from byline.attribution.similarity import cross_perplexity
from byline.attribution.verification import VerificationProblem
from byline.attribution.verification.problems import check_problems
from byline.corpus import Corpus, Document
from byline.errors import UsageError
from byline.experiments import evaluate
from byline.lm import NgramLM
from byline.text import TextEncoder, profile_texts

WORDS = {
    "Ada": "the engine weaves numbers like any loom and weaves leaves then will compose music",
    "Ben": "our ship sails north when winds turn cold and every sailor counts his rope",
}
N_TEXTS = 6


def _text(author: str, seed: int, n_paragraphs: int = 4) -> str:
    rng = np.random.default_rng([seed, ord(author[0])])
    lines = [
        " ".join(rng.choice(WORDS[author].split(), 8)).capitalize() + "."
        for _ in range(2 * n_paragraphs)
    ]
    return "\n\n".join("\n".join(lines[place : place + 2]) for place in range(0, len(lines), 2))


AUTHORS = [author for author, _ in product(WORDS, range(N_TEXTS))]
TEXTS = [_text(author, number) for author, number in product(WORDS, range(N_TEXTS))]
QUESTIONED = _text("Ada", 99, 12)


def _as(line_end: str, text: str) -> str:
    return text.replace("\n", line_end)


def _corpus(texts: list[str]) -> Corpus:
    pairs = enumerate(zip(AUTHORS, texts, strict=True))
    return Corpus([Document(author, text, f"{n}.txt") for n, (author, text) in pairs], "letters")


def _classifier(make: Callable[[], Any]) -> Callable[[list[str], str], Any]:
    def fit_and_ask(texts: list[str], questioned: str) -> Any:
        return make().fit(texts, AUTHORS).decision_function([questioned]).tolist()

    return fit_and_ask


def _models(normalization: str) -> AuthorshipAttributor:
    encoder = TextEncoder(normalization=normalization)
    return AuthorshipAttributor(NgramLM(order=2), encoder, n_samples=1)


def _stack(normalization: str) -> StackedAttributor:
    own: Any = [("language-models", _models(normalization)), ("characters", NgramRidge())]
    return StackedAttributor(own, folds=2, normalization=normalization, passage_lengths=(1,))


def _answer(make: Callable[[], Any]) -> Callable[[list[str], str], Any]:
    def fit_and_ask(texts: list[str], questioned: str) -> Any:
        model = make().fit(texts, AUTHORS)
        [found] = answer(model, [questioned], _corpus(texts))
        rolling = rolling_attribution(model, questioned)
        return found.to_dict(), explain(model, questioned), rolling

    return fit_and_ask


def _cross(texts: list[str], questioned: str) -> Any:
    return cross_perplexity(_models("none"), texts, AUTHORS, folds=2).cross_entropy.tolist()


def _keywords(texts: list[str], questioned: str) -> Any:
    return keywords_of_authors(NgramCounts.of(_corpus(texts), TextEncoder()), at_most=5)


def _problems(texts: list[str], questioned: str) -> Any:
    return check_problems([VerificationProblem(tuple(texts), questioned)], str)


def _evaluate(texts: list[str], questioned: str) -> Any:
    return evaluate(_corpus(texts), _models("none"), folds=2).to_dict()


def _profile(texts: list[str], questioned: str) -> Any:
    return profile_texts({"Ada": texts}, TextEncoder(normalization="none"))


def _encoder(texts: list[str], questioned: str) -> Any:
    encoders = [TextEncoder(unit=unit, normalization="none") for unit in ("word", "char")]
    return [encoder.fit(texts).tokenize(questioned) for encoder in encoders]


FUNCTIONS = {
    "language models": _classifier(lambda: _models("none")),
    "ridge": _classifier(NgramRidge),
    "svm": _classifier(NgramSVM),
    "delta": _classifier(lambda: BurrowsDelta(n_words=20)),
    "answer": _answer(lambda: _stack("edition")),
    "answer, not normalised": _answer(lambda: _stack("none")),
    "cross-perplexity": _cross,
    "keywords": _keywords,
    "verification": _problems,
    "evaluation": _evaluate,
    "profile": _profile,
    "encoder": _encoder,
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_line_ends_change_no_result(name: str) -> None:
    function = FUNCTIONS[name]
    expected = function(TEXTS, QUESTIONED)
    for line_end in ("\r\n", "\r"):
        texts = [_as(line_end, text) for text in TEXTS]
        assert function(texts, _as(line_end, QUESTIONED)) == expected


def test_names_of_groups_stay_as_they_are() -> None:
    texts, works = ["a b", "c d", "e f", "g h"], ["a\r\n", "b", "a\n", "b"]
    assert check_groups(works) == works
    with pytest.raises(UsageError, match=r"the author's name An\\x0d\\x0an contains characters"):
        NgramSVM("word", (1, 1), min_df=1).fit(texts, ["An\r\nn", "Bob"] * 2)


def test_a_lone_surrogate_is_replaced_because_no_document_can_contain_it() -> None:
    assert check_texts(["caf\ud800\r\n", "\U0001f600"]) == ["caf\ufffd\n", "\U0001f600"]
    assert Document("Ada", "caf\udc80", "1.txt").text == "caf\ufffd"
