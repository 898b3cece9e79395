from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from byline.corpus import Corpus, Document
from byline.errors import TrainingError, UsageError
from byline.experiments import Fold
from byline.experiments.passages import questioned_texts
from byline.text import TextEncoder

MakeCorpus = Callable[..., Corpus]
ENCODER = TextEncoder(sentence_rule="punctuation")
LENGTHS = [3, 2]


def fold_of(*texts: tuple[str, str]) -> Fold:
    documents = [Document(author, text, f"{i}.txt") for i, (author, text) in enumerate(texts)]
    return Fold(Corpus([], "known"), Corpus(documents, "questioned"))


def test_passages_stay_within_a_document() -> None:
    fold = fold_of(("Ada", "A. B. C. D. E."), ("Ada", "F. G."), ("Ben", "H."))
    (asked,) = questioned_texts([fold], LENGTHS, "document", ENCODER)
    texts = {
        length: [" ".join(s[0] for s in asked.sentences[p.start : p.stop]) for p in passages]
        for length, passages in asked.passages.items()
    }
    assert texts == {None: ["a b c d e", "f g", "h"], 3: ["a b c"], 2: ["a b", "c d", "f g"]}
    # Passages of three leave out D E, F G and H; passages of two leave out E and H.
    assert asked.n_dropped == {None: 0, 3: 5, 2: 2}
    assert [passage.path for passage in asked.passages[2]] == [
        "0.txt, sentence 1 to 0.txt, sentence 2",
        "0.txt, sentence 3 to 0.txt, sentence 4",
        "1.txt, sentence 1 to 1.txt, sentence 2",
    ]


def test_held_out_sentences_of_one_author_are_joined() -> None:
    fold = fold_of(("Ada", "A."), ("Ben", "H."), ("Ada", "B."), ("Ben", "J."), ("Ada", "C."))
    (asked,) = questioned_texts([fold], [2], "sentence", ENCODER)
    joined = {
        passage.author: [s[0] for s in asked.sentences[passage.start : passage.stop]]
        for passage in asked.passages[2]
    }
    assert joined == {"Ada": ["a", "b"], "Ben": ["h", "j"]}
    assert asked.n_dropped[2] == 1


@settings(deadline=None, max_examples=40)
@given(st.lists(st.integers(1, 9), min_size=1, max_size=6), st.integers(1, 9))
def test_every_sentence_is_in_one_passage_or_dropped(sizes: list[int], length: int) -> None:
    fold = fold_of(*(("Ada", " ".join(["Word."] * size)) for size in sizes))
    if length > max(sizes):
        with pytest.raises(TrainingError, match=f"has {length} sentences; use a smaller length"):
            questioned_texts([fold], [length], "document", ENCODER)
        return
    (asked,) = questioned_texts([fold], [length], "document", ENCODER)
    covered = [
        at for passage in asked.passages[length] for at in range(passage.start, passage.stop)
    ]
    assert len(covered) == len(set(covered)) == sum(sizes) - asked.n_dropped[length]
    assert all(passage.stop - passage.start == length for passage in asked.passages[length])


def test_passages_have_at_least_one_sentence() -> None:
    with pytest.raises(UsageError, match="each length in sentences is 0; it must be"):
        questioned_texts([fold_of(("Ada", "A."))], [5, 0], "document", ENCODER)
