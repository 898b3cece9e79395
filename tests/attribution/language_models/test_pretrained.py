"""Attribution by pretrained language models: evidence by word, files, stacks and rolling."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from byline.attribution import (
    AuthorshipAttributor,
    StackedAttributor,
    explain,
    load_attributor,
    save_attributor,
)
from byline.attribution.rolling import rolling_attribution
from byline.corpus import Corpus, Document
from byline.errors import MissingBaseError
from byline.experiments import evaluate
from byline.lm import PretrainedLM
from byline.report.evidence import sentences_as_written
from byline.text import SubwordEncoder, TextEncoder

pytestmark = pytest.mark.oracles
Texts = dict[str, list[str]]


def attributor_of(base: Path, **given: Any) -> AuthorshipAttributor:
    model = PretrainedLM(str(base), epochs=3, learning_rate=0.003, device="cpu")
    encoder = SubwordEncoder(str(base), max_passage_tokens=200)
    return AuthorshipAttributor(model, encoder, **({"n_samples": 1} | given))


def known(texts: Texts, n: int) -> tuple[list[str], list[str]]:
    pairs = [(text, author) for author, own in texts.items() for text in own[:n]]
    return [text for text, _ in pairs], [author for _, author in pairs]


@pytest.fixture(scope="module")
def fitted(pretrained_base: Path, demo_texts: Texts) -> AuthorshipAttributor:
    return attributor_of(pretrained_base).fit(*known(demo_texts, 3))


@pytest.fixture(scope="module")
def questioned(demo_texts: Texts) -> str:
    return demo_texts["Barack Obama"][3] + " So be it… Well-known “ex- amples”: 漢字 and 1,000.5!"


def test_it_attributes_modern_and_old_texts(
    fitted: AuthorshipAttributor, demo_texts: Texts
) -> None:
    first, _, second = demo_texts
    scores = fitted.score_authors([demo_texts[first][3], demo_texts[second][3]])
    assert scores[0, 0] - scores[0, 2] > scores[1, 0] - scores[1, 2]


def test_the_evidence_is_given_by_word_and_adds_up(
    fitted: AuthorshipAttributor, questioned: str
) -> None:
    evidence = explain(fitted, questioned)
    scores = np.sort(fitted.score_authors([questioned])[0])
    assert evidence.log_lr == pytest.approx(scores[-1] - scores[-2], abs=1e-4)
    tokens = [[token.token for token in sentence.tokens] for sentence in evidence.sentences]
    words = TextEncoder(lowercase=False, max_sentence_tokens=None)
    assert tokens == words.tokenize(questioned)
    assert not any(token.unknown for sentence in evidence.sentences for token in sentence.tokens)
    written = sentences_as_written(evidence, questioned, fitted.encoder_)
    assert len(written) == len(tokens)


def test_a_text_without_tokens_or_words_is_declined(fitted: AuthorshipAttributor) -> None:
    empty, marks, short = fitted.attribute(["", " ! ? . " * 20, "Fellow"])
    assert empty.declined == "the text is empty"
    assert marks.declined == "the text contains no word"
    assert short.declined is not None and "subwords, and at least 10 are needed" in short.declined
    assert explain(fitted, "").sentences == ()


def test_a_saved_model_has_the_same_scores(
    fitted: AuthorshipAttributor, questioned: str, tmp_path: Path
) -> None:
    path = tmp_path / "model.byline"
    save_attributor(fitted, path)
    loaded = load_attributor(path)
    assert isinstance(loaded, AuthorshipAttributor)
    np.testing.assert_array_equal(
        loaded.score_authors([questioned]), fitted.score_authors([questioned])
    )
    # LoRA stores 8192 float32 values per author (see the test of the model), and no base.
    assert path.stat().st_size < 3 * (8192 * 4 + 5000) + 30_000


def test_loading_without_the_base_names_the_folder(
    demo_texts: Texts, pretrained_base: Path, tmp_path: Path
) -> None:
    import shutil

    folder = tmp_path / "base"
    shutil.copytree(pretrained_base, folder)
    attributor = attributor_of(folder).fit(*known(demo_texts, 1))
    save_attributor(attributor, tmp_path / "model.byline")
    shutil.rmtree(folder)
    with pytest.raises(MissingBaseError, match=r"model\.byline: .*needs the pretrained base"):
        load_attributor(tmp_path / "model.byline")


def test_the_order_of_the_authors_does_not_matter(
    pretrained_base: Path, demo_texts: Texts, questioned: str
) -> None:
    forwards, backwards = (
        attributor_of(pretrained_base).fit(*known(dict(order), 1)).score_authors([questioned])
        for order in (demo_texts.items(), reversed(demo_texts.items()))
    )
    np.testing.assert_array_equal(forwards, backwards)


def test_a_likelihood_ratio_to_all_authors_together(
    pretrained_base: Path, demo_texts: Texts, questioned: str
) -> None:
    given = {"score_rule": "likelihood-ratio", "background": "pooled"}
    attributor = attributor_of(pretrained_base, **given).fit(*known(demo_texts, 1))
    ratios = attributor.score_authors([questioned])
    assert (np.abs(ratios) < np.abs(attributor.predict_joint_log_proba([questioned]))).all()


def test_rolling_attribution(fitted: AuthorshipAttributor, demo_texts: Texts) -> None:
    text = " ".join([demo_texts["Abraham Lincoln"][3], demo_texts["Barack Obama"][3]])
    result = rolling_attribution(fitted, text)
    assert result.declined is None
    assert "".join(result.sentences) == fitted.encoder_.normalize(text)


def test_a_calibrated_stack_and_its_evidence(
    pretrained_base: Path, demo_texts: Texts, questioned: str, tmp_path: Path
) -> None:
    models = attributor_of(pretrained_base)
    models.set_params(language_model__epochs=1)
    two = {author: [text[:700] for text in own] for author, own in [*demo_texts.items()][:2]}
    stack = StackedAttributor([("language-models", models)]).fit(*known(two, 2))
    np.testing.assert_allclose(stack.predict_proba([questioned]).sum(), 1)
    evidence = explain(stack, questioned)
    scores = np.sort(stack.score_authors([questioned])[0])
    assert evidence.log_lr == pytest.approx(scores[-1] - scores[-2], abs=1e-4)
    save_attributor(stack, tmp_path / "stack.byline")
    loaded = load_attributor(tmp_path / "stack.byline")
    np.testing.assert_array_equal(
        loaded.score_authors([questioned]), stack.score_authors([questioned])
    )


def test_an_evaluation_with_passages_of_sentences(pretrained_base: Path, demo_texts: Texts) -> None:
    documents = [
        Document(path=f"{author} {n}", author=author, text=text)
        for author, own in demo_texts.items()
        for n, text in enumerate(own[:2])
    ]
    attributor = attributor_of(pretrained_base)
    attributor.set_params(language_model__epochs=1)
    evaluation = evaluate(Corpus(documents, "demo"), attributor, folds=2, sentences=(3,))
    words = TextEncoder()
    # Passages are of three sentences of one text.
    n_passages = sum(len(words.tokenize(document.text)) // 3 for document in documents)
    assert evaluation.whole.n_questioned == 6
    assert evaluation.by_length[0].n_questioned == n_passages
