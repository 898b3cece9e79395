from __future__ import annotations

import warnings
from pathlib import Path

import numpy as np
import pytest

import byline
from byline.attribution import StackedAttributor, save_attributor
from byline.corpus import Corpus, read_corpus
from byline.errors import BylineWarning

WORDS = {
    "ada": "the engine weaves numbers like any loom weaves leaves and then will compose",
    "ben": "our ship sails north when winds turn cold and every sailor counts his rope",
    "cay": "a garden grows slowly if rain falls on seeds that birds have left behind it",
}


def write(author: str, n_sentences: int, seed: int) -> str:
    """Make sentences of an invented author's favourite words."""
    rng = np.random.default_rng([seed, ord(author[0])])
    chosen = [rng.choice(WORDS[author].split(), size=8) for _ in range(n_sentences)]
    return " ".join(" ".join(each).capitalize() + "." for each in chosen)


@pytest.fixture(scope="session")
def known(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of three authors with four texts each."""
    folder = tmp_path_factory.mktemp("texts") / "letters"
    for author in WORDS:
        (folder / author).mkdir(parents=True)
        for number in range(4):
            text = write(author, 40, number)
            (folder / author / f"{number}.txt").write_text(text, encoding="utf-8")
    return folder


@pytest.fixture(scope="session")
def corpus(known: Path) -> Corpus:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", BylineWarning)  # of so little text
        return read_corpus(known)


@pytest.fixture(scope="session")
def letter(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A questioned text in the words of ada."""
    path = tmp_path_factory.mktemp("questioned") / "letter.txt"
    path.write_text(write("ada", 12, 99), encoding="utf-8")
    return path


@pytest.fixture(scope="session")
def model(corpus: Corpus) -> StackedAttributor:
    """A quick model that recognises unknown authors, too."""
    trained = byline.train(corpus, method="delta", open_set=True)
    assert isinstance(trained, StackedAttributor)
    return trained


@pytest.fixture(scope="session")
def model_file(model: StackedAttributor, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("model") / "letters.byline"
    save_attributor(model, path)
    return path
