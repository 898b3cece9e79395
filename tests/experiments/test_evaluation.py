from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace

import pytest
from sklearn.base import clone

from byline.attribution import AuthorshipAttributor, StackedAttributor
from byline.corpus import Corpus, Document
from byline.errors import BylineWarning, CorpusError, TrainingError
from byline.experiments import evaluate, evaluate_fitted, hold_out
from byline.experiments.passages import passage_texts, questioned_texts
from byline.experiments.split_caveats import SENTENCE_SPLIT_CAVEAT
from byline.experiments.splits import Fold
from byline.lm import MixtureLM, NgramLM
from byline.text import TextEncoder

MakeCorpus = Callable[..., Corpus]

# The generated texts are small, and the language model says so.


def test_authors_with_distinctive_words_are_always_identified(
    make_corpus: MakeCorpus, attributor: AuthorshipAttributor
) -> None:
    corpus = make_corpus({"Ada": 4, "Ben": 4, "Cy": 4})
    evaluation = evaluate(corpus, attributor, folds=2, sentences=(2, 1))
    whole, (twos, ones) = evaluation.whole, evaluation.by_length
    assert (evaluation.n_authors, evaluation.n_documents, whole.n_questioned) == (3, 12, 12)
    assert whole.accuracy == whole.macro_f1 == whole.mean_reciprocal_rank == 1.0
    assert whole.confusion["matrix"] == [[4, 0, 0], [0, 4, 0], [0, 0, 4]]
    # Six sentences per document: three pairs, or six single sentences.
    assert (twos.sentences, twos.n_questioned, twos.n_dropped_sentences) == (2, 36, 0)
    assert (ones.sentences, ones.n_questioned, ones.n_dropped_sentences) == (1, 72, 0)
    # Eight tokens per sentence, and ten are required for an attribution.
    assert (whole.n_declined, twos.n_declined, ones.n_declined) == (0, 0, 72)
    assert ones.accuracy_answered is None
    # All authors have equally many documents; the first is correct for four of twelve.
    assert whole.baselines["most_frequent_author"].accuracy == pytest.approx(1 / 3)


def test_the_most_frequent_author_is_that_of_all_texts(
    make_corpus: MakeCorpus, attributor: AuthorshipAttributor
) -> None:
    """Among the remaining texts it would always be the other author, who is always wrong."""
    corpus = make_corpus({"Ada": 3, "Ben": 3})
    whole = evaluate(corpus, attributor, folds="leave-one-out").whole
    assert whole.baselines["most_frequent_author"].accuracy == 0.5


def test_a_text_with_a_wrong_label_is_misattributed(
    make_corpus: MakeCorpus, attributor: AuthorshipAttributor
) -> None:
    corpus = make_corpus({"Ada": 5, "Ben": 5})
    test = make_corpus({"Ada": 2, "Ben": 3}, seed=1, name="test")
    test = Corpus([replace(test[0], author="Ben"), *test[1:]], "test")
    evaluation = evaluate(corpus, attributor, test=test)
    assert evaluation.whole.confusion == {"labels": ["Ada", "Ben"], "matrix": [[1, 0], [1, 3]]}
    assert evaluation.whole.accuracy == 4 / 5
    assert evaluation.split == {"protocol": "test", "test": "test"}
    (wrong,) = [decision for decision in evaluation.decisions if decision.rank != 1]
    assert (wrong.path, wrong.author, wrong.predicted, wrong.rank) == ("Ada/0.txt", "Ben", "Ada", 2)


@pytest.mark.parametrize("score_rule", ["log-likelihood", "sum-of-perplexities"])
def test_decisions_equal_those_of_the_attributor(make_corpus: MakeCorpus, score_rule: str) -> None:
    corpus = make_corpus({"Ada": 3, "Ben": 3, "Cy": 3}, n_sentences=2)
    fold = hold_out(corpus)
    fitted = AuthorshipAttributor(score_rule=score_rule, min_tokens=15).fit(
        fold.known.texts, fold.known.authors
    )
    decisions = evaluate_fitted(fitted, fold).decisions
    answers = fitted.attribute(fold.questioned.texts, fold.questioned.paths)
    assert [d.path for d in decisions] == [answer.path for answer in answers]
    assert [d.declined for d in decisions] == [answer.declined is not None for answer in answers]
    for decision, answer in zip(decisions, answers, strict=True):
        ranking = [place.author for place in answer.ranking]
        assert decision.predicted == ranking[0]
        assert decision.rank == ranking.index(decision.author) + 1


def test_authors_without_known_texts_are_refused(
    make_corpus: MakeCorpus, attributor: AuthorshipAttributor
) -> None:
    with pytest.raises(CorpusError, match=r"test: there is no known text by Cy, Di .* Ada, Ben"):
        evaluate(
            make_corpus({"Ada": 2, "Ben": 2}),
            attributor,
            test=make_corpus({"Ada": 1, "Di": 1, "Cy": 1}, name="test"),
        )


def test_copies_among_the_known_texts_give_a_warning(
    make_corpus: MakeCorpus, attributor: AuthorshipAttributor
) -> None:
    corpus = make_corpus({"Ada": 3, "Ben": 3})
    copied = Corpus([*corpus, replace(corpus[0], path="copy", work="copy")], "copied")
    with pytest.warns(BylineWarning, match="2 of 7 questioned texts") as caught:
        evaluation = evaluate(copied, attributor, folds="leave-one-out")
    assert "copy" in evaluation.caveats[0]
    assert any(str(warning.message) in evaluation.caveats for warning in caught)


def test_parts_of_one_work_on_both_sides_give_a_warning(
    make_corpus: MakeCorpus, attributor: AuthorshipAttributor
) -> None:
    corpus = make_corpus({"Ada": 4, "Ben": 4}, n_works=2)
    with pytest.warns(BylineWarning, match="use split='work' to prevent this"):
        evaluate(corpus, attributor, folds="leave-one-out")
    assert evaluate(corpus, attributor, split="work", folds=2).caveats == ()


def test_a_split_by_sentence_has_a_caveat(
    make_corpus: MakeCorpus, attributor: AuthorshipAttributor
) -> None:
    corpus = make_corpus({"Ada": 1, "Ben": 1}, n_sentences=12)
    evaluation = evaluate(corpus, attributor, split="sentence", folds=3, sentences=(4,))
    assert evaluation.caveats == (SENTENCE_SPLIT_CAVEAT,)
    assert evaluation.whole.n_questioned == 24
    assert evaluation.by_length[0].n_questioned == 6
    assert evaluation.n_documents == 2


def test_evaluations_are_reproducible_and_progress_is_complete(
    make_corpus: MakeCorpus, attributor: AuthorshipAttributor
) -> None:
    corpus = make_corpus({"Ada": 4, "Ben": 4})
    steps: list[tuple[int, int, str]] = []
    once = evaluate(corpus, attributor, folds=2, progress=lambda *step: steps.append(step))
    assert once == evaluate(corpus, clone(attributor), folds=2)
    assert [done for done, _, _ in steps] == sorted(done for done, _, _ in steps)
    assert steps[-1] == (steps[-1][1], steps[-1][1], "fold 2 of 2: attributing")
    json.dumps(once.to_dict(), allow_nan=False)


def test_an_impossible_length_is_refused_before_training(make_corpus: MakeCorpus) -> None:
    unusable = AuthorshipAttributor(n_samples=0)
    with pytest.raises(TrainingError, match="99 sentences"):
        evaluate(make_corpus({"Ada": 2, "Ben": 2}), unusable, folds=2, sentences=(99,))


@pytest.mark.parametrize(("most", "n_folds"), [(2, 2), (3, 3), (7, 5)])
def test_the_default_number_of_folds_is_recorded(
    make_corpus: MakeCorpus, attributor: AuthorshipAttributor, most: int, n_folds: int
) -> None:
    evaluation = evaluate(make_corpus({"Ada": most, "Ben": 2}), attributor)
    assert evaluation.split == {"protocol": "document", "folds": n_folds, "random_state": 0}
    assert max(decision.fold for decision in evaluation.decisions) == n_folds - 1


def test_settings_of_a_mixture_are_json(make_corpus: MakeCorpus) -> None:
    corpus = make_corpus({"Ada": 4, "Ben": 4}, n_sentences=20)
    mixture = MixtureLM((NgramLM(order=1), NgramLM(order=2)))
    evaluation = evaluate(corpus, AuthorshipAttributor(mixture), folds=2)
    settings = json.loads(json.dumps(evaluation.to_dict()))["settings"]
    assert settings["language_model__components"] == ["NgramLM", "NgramLM"]


def test_a_stack_gets_the_original_texts(make_corpus: MakeCorpus) -> None:
    corpus = make_corpus({"Ada": 6, "Ben": 6})
    models = AuthorshipAttributor(NgramLM(order=2), n_samples=1, min_tokens=1)
    stack = StackedAttributor([("models", models)], folds=2, passage_lengths=())
    evaluation = evaluate(corpus, stack, folds=2, sentences=(2,))
    alone = evaluate(corpus, models, folds=2, sentences=(2,))
    predicted = [(each.path, each.sentences) for each in evaluation.decisions]
    assert predicted == [(each.path, each.sentences) for each in alone.decisions]
    assert evaluation.whole.accuracy == alone.whole.accuracy
    assert evaluation.to_dict()["settings"]["base_classifiers"] == [
        ["models", "AuthorshipAttributor"]
    ]


def test_passages_are_parts_of_their_texts() -> None:
    encoder = TextEncoder()
    text = "A first  one (with\nbrackets). [MUSIC] The second\u2014odd\u2014one! A third?"
    fold = Fold(Corpus([Document("a", "b", "k")], "k"), Corpus([Document("a", text, "q")], "q"))
    [asked] = questioned_texts([fold], (1, 2), "document", encoder)
    texts = passage_texts(asked, encoder)
    assert texts[None] == [text]
    assert texts[1] == [
        "A first  one (with\nbrackets).",
        "The second\u2014odd\u2014one!",
        "A third?",
    ]
    assert texts[2] == [text[: text.index(" A third")]]
