from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from byline.corpus import Corpus, Document
from byline.errors import CorpusError, TrainingError
from byline.experiments.runner.id_corpus import IdCorpus, corpus_digest, id_corpus
from byline.experiments.runner.partitions import author_vocabularies, partition, shuffled
from byline.text import PretokenizedEncoder, TextEncoder


def corpus(texts: dict[str, list[str]]) -> Corpus:
    documents = [
        Document(author=author, text=text, path=f"{author}/{number}", work=f"{author}/{number}")
        for author, own in texts.items()
        for number, text in enumerate(own)
    ]
    return Corpus(documents, "made up")


def ids(texts: dict[str, list[str]]) -> IdCorpus:
    return id_corpus(corpus(texts), PretokenizedEncoder())


SMALL = {"ann": ["a b\nb c", "a"], "bob": ["c d <unk>\n"]}


def test_sentences_become_ids_in_order_of_appearance() -> None:
    found = ids(SMALL)
    # a b | b c | a | c d <unk>: a=1, b=2, c=3, d=4, a literal <unk> is 0.
    assert found.tokens.tolist() == [1, 2, 2, 3, 1, 3, 4, 0]
    assert found.offsets.tolist() == [0, 2, 4, 5, 8]
    assert found.author_of.tolist() == [0, 0, 0, 1]
    assert found.document_of.tolist() == [0, 0, 1, 2]
    assert found.n_types == 5
    assert [s.tolist() for s in found.sentences([3, 0], found.tokens)] == [[3, 4, 0], [1, 2]]


def test_running_text_is_tokenised_and_stemmed_as_in_the_paper() -> None:
    texts = corpus({"ann": ["Cats ran. A cat runs!"], "bob": ["Dogs."]})
    found = id_corpus(texts, TextEncoder.like_ge_sun_2016())
    # cat ran . | a cat run ! | dog .
    lengths = np.diff(found.offsets).tolist()
    assert len(lengths) == 3
    assert found.tokens[0] == found.tokens[lengths[0] + 1]  # "Cats" and "cat" have one stem


def test_authors_can_be_chosen_and_ordered() -> None:
    found = id_corpus(corpus(SMALL), PretokenizedEncoder(), ["bob", "ann"])
    assert found.authors == ("bob", "ann")
    assert found.tokens.tolist()[:3] == [1, 2, 0]
    with pytest.raises(CorpusError, match="no author eve"):
        id_corpus(corpus(SMALL), PretokenizedEncoder(), ["eve", "ann"])


def test_an_author_without_a_sentence_is_refused() -> None:
    with pytest.raises(CorpusError, match="bob has no sentence"):
        ids({"ann": ["a"], "bob": [" \n "]})


def test_the_digest_depends_on_every_field() -> None:
    base = corpus(SMALL)
    assert corpus_digest(base) == corpus_digest(corpus(SMALL))
    others = [
        corpus({"ann": SMALL["ann"], "bob": ["c d <unk>"]}),  # one line break less
        corpus({"ann": SMALL["ann"], "rob": SMALL["bob"]}),
        corpus({"ann": SMALL["ann"][::-1], "bob": SMALL["bob"]}),
    ]
    assert len({corpus_digest(other) for other in [base, *others]}) == 4


def test_the_shuffle_is_that_of_the_authors_program() -> None:
    # random.seed(s); for i from n - 1 down to 1: j = int(random() * (i + 1)); swap i and j
    draw = random.Random(3)  # noqa: S311
    order = list(range(5))
    for i in (4, 3, 2, 1):
        j = int(draw.random() * (i + 1))
        order[i], order[j] = order[j], order[i]
    assert shuffled(5, 3) == order


def test_sizes_of_a_split_by_sentence() -> None:
    texts = {"ann": ["\n".join(f"w{i}" for i in range(25))], "bob": ["x\n" * 10]}
    parts = partition(ids(texts), "sentence", 0)
    # Of 25 sentences, round(2.5) = 2 are test, those up to round(22.5) = 22 training, 3 validation.
    assert [len(part[0]) for part in (parts.training, parts.validation, parts.test)] == [20, 3, 2]
    assert [len(part[1]) for part in (parts.training, parts.validation, parts.test)] == [8, 1, 1]
    assert parts.test[0].tolist() == shuffled(25, 0)[:2]


@given(
    sizes=st.lists(st.integers(1, 9), min_size=3, max_size=30),
    seed=st.integers(0, 5),
)
def test_documents_stay_whole_and_every_sentence_is_in_one_part(
    sizes: list[int], seed: int
) -> None:
    known = ids({"ann": ["x\n" * size for size in sizes], "bob": ["y"] * 10})
    try:
        parts = partition(known, "document", seed)
    except TrainingError:
        # Two documents may have nearly all the text, so that none is left for training.
        assert len(sizes) < 10 or max(sizes) > 1
        return
    for author in range(2):
        own = [part[author] for part in (parts.training, parts.validation, parts.test)]
        together = np.sort(np.concatenate(own))
        assert together.tolist() == known.sentence_numbers(author).tolist()
        documents = [set(known.document_of[part].tolist()) for part in own]
        assert not documents[0] & documents[1] | documents[1] & documents[2]
        assert not documents[0] & documents[2]
        n = len(together)
        assert len(own[1]) * 10 >= n
        assert len(own[2]) * 10 >= n


def test_authors_with_too_little_text_are_refused() -> None:
    with pytest.raises(TrainingError, match="bob has too few sentences"):
        partition(ids({"ann": ["x\n" * 10], "bob": ["y\n" * 4]}), "sentence", 0)
    with pytest.raises(TrainingError, match="ann has too few documents"):
        partition(ids({"ann": ["x\n" * 10], "bob": ["y"] * 10}), "document", 0)


def test_words_with_two_occurrences_in_training_are_known() -> None:
    # Ten sentences "a b": in any split 8 are training text, so that a and b are known. Each "r<i>"
    # occurs once and is unknown. bob's only word is c.
    texts = {
        "ann": ["\n".join(f"a b r{i}" for i in range(10))],
        "bob": ["c\n" * 10],
    }
    known = ids(texts)
    parts = partition(known, "sentence", 0)
    words = author_vocabularies(known, parts, words="pruned", prune="training")
    assert words.vocabulary_size(0) == 3  # <unk>, a, b
    assert words.vocabulary_size(1) == 2  # <unk>, c
    # All authors' words are a, b, c: ann does not know c, bob does not know a and b.
    # All other words count as one more type.
    assert [words.n_unk_types(author) for author in (0, 1)] == [2, 3]
    assert known.sentences([0], words.encode(0))[0].tolist() == [1, 2, 0]
    assert known.sentences([10], words.encode(0))[0].tolist() == [0]
    everything = author_vocabularies(known, parts, words="all", prune="training")
    assert everything.vocabulary_size(0) == 1 + 2 + 8


def test_pruning_by_author_affects_all_authors() -> None:
    # "c" occurs once in bob's whole text. Pruned by author it is <unk> even for ann, who knows c.
    texts = {"ann": ["c\n" * 10], "bob": ["d\n" * 9 + "c"]}
    known = ids(texts)
    parts = partition(known, "sentence", 0)
    bobs_c = known.offsets[19]
    by_author = author_vocabularies(known, parts, words="pruned", prune="author")
    by_training = author_vocabularies(known, parts, words="pruned", prune="training")
    assert by_author.encode(0)[bobs_c] == 0
    assert by_training.encode(0)[bobs_c] == 1


def test_the_courses_are_split_as_by_the_authors_program(shared: Path) -> None:
    """The folder of oracles has the parts of course 3 with seed 0, pruned by course."""
    folder = shared / "corpora" / "lectures16" / "stemmed"
    text = (folder / "course-03.txt").read_text(encoding="utf-8")
    known = ids({"course-03": [text], "other": ["x\n" * 10]})
    parts = partition(known, "sentence", 0)
    words = author_vocabularies(known, parts, words="pruned", prune="author")
    lines = text.splitlines()
    for part, name in (
        (parts.training, "train"),
        (parts.validation, "valid"),
        (parts.test, "test"),
    ):
        oracle = shared / "oracles" / "course-03" / f"{name}.txt"
        expected = [line.split() for line in oracle.read_text(encoding="utf-8").splitlines()]
        pruned = known.sentences(part[0], words.tokens)
        found = [
            [stem if token else "<unk>" for stem, token in zip(lines[i].split(), ids_, strict=True)]
            for i, ids_ in zip(part[0], pruned, strict=True)
        ]
        assert found == expected
