from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from byline.attribution.caveats import verification_convention_caveats, verification_copy_caveats
from byline.attribution.known_copy import MIN_COPIED
from byline.attribution.stacking.fallbacks import MAX_PROBABILITY
from byline.attribution.verification import VerificationProblem, verify_author
from byline.attribution.verification.copies import find_copies
from byline.attribution.verification.problems import sample_problems
from byline.corpus import Document, read_corpus, read_text
from byline.errors import TrainingError

Write = Callable[[int, int, int], str]


@pytest.fixture(scope="module")
def documents(write: Write) -> list[Document]:
    return [
        Document(f"author {author}", write(author, seed, 120), f"{author}/{seed}.txt")
        for author in range(5)
        for seed in range(4)
    ]


def _sample(
    documents: list[Document], **changes: int | None
) -> list[tuple[VerificationProblem, bool, str, str]]:
    usual: dict[str, int | None] = {"n_known": 3, "questioned_words": None, "at_most": 50}
    sampled = sample_problems(documents, random_state=0, **usual | changes)  # type: ignore[arg-type]
    return [
        (problem, same, *names)
        for problem, same, names in zip(
            sampled.problems, sampled.same, sampled.authors, strict=True
        )
    ]


def test_each_text_is_used_in_two_problems(documents: list[Document]) -> None:
    by_text = {document.text: document.author for document in documents}
    sampled = _sample(documents)
    assert len(sampled) == 40
    for problem, same, known_by, questioned_by in sampled:
        assert {by_text[text] for text in problem.known} == {known_by}
        assert by_text[problem.questioned] == questioned_by
        assert same == (known_by == questioned_by)
        assert len(problem.known) == 3
        assert problem.questioned not in problem.known
    assert sum(same for _, same, *_ in sampled) == 20


def test_number_and_length_of_problems_can_be_given(documents: list[Document]) -> None:
    sampled = _sample(documents, n_known=2, questioned_words=40, at_most=10)
    assert len(sampled) == 20
    assert {questioned_by for *_, questioned_by in sampled} == {f"author {n}" for n in range(5)}
    assert all(len(problem.questioned.split()) == 40 for problem, *_ in sampled)
    assert all(len(problem.known) == 2 for problem, *_ in sampled)


def test_known_and_questioned_texts_are_of_different_works(write: Write) -> None:
    documents = [
        Document("ada", write(0, seed, 60), f"ada/{seed}.txt", work=f"work {seed % 2}")
        for seed in range(4)
    ] + [Document("ben", write(1, 0, 60), "ben/0.txt", work="work 0")]
    work_of = {document.text: document.work for document in documents}
    sampled = _sample(documents)
    assert all(work_of[p.questioned] not in map(work_of.get, p.known) for p, *_ in sampled)
    # ben has no other work, and is asked about with ada's texts as known ones alone
    assert not any(same for _, same, _, questioned_by in sampled if questioned_by == "ben")


def test_the_sample_does_not_depend_on_the_order_of_documents(documents: list[Document]) -> None:
    assert _sample(documents) == _sample(documents[::-1])


def test_the_calibration_depends_on_the_length_of_the_text(
    documents: list[Document], write: Write
) -> None:
    texts = [write(0, 90, 120), write(0, 91, 64), write(1, 92, 120), write(1, 93, 8)]
    found = verify_author(documents[:4], documents[4:], texts, [*"abcd"])
    assert [each.verification.path for each in found] == [*"abcd"]
    assert [each.questioned_words for each in found] == [None, 50, None, 50]
    assert found[0].verification.answer == "yes"
    assert found[2].verification.answer == "no"
    assert found[0].performance.auc > 0.9
    assert {each.n_population_authors for each in found} == {4}


def test_authors_with_one_text_each_are_too_few(documents: list[Document]) -> None:
    with pytest.raises(TrainingError, match="5 texts by 5 authors, 0 of them by authors of"):
        verify_author(documents[:1], documents[4::4], [documents[1].text], ["a"])
    with pytest.raises(TrainingError, match="7 texts by 2 authors"):
        verify_author(documents[1:4], documents[4:8], [documents[0].text], ["a"])


def test_a_known_text_is_not_verified(documents: list[Document], write: Write) -> None:
    copied = documents[1].text
    other_edition = copied.replace(" ", "\N{NO-BREAK SPACE}")
    in_reference = f"{documents[5].text} It was said."
    texts = [copied, other_edition, in_reference, write(0, 90, 120)]
    *withheld, genuine = verify_author(documents[:4], documents[4:], texts, [*"abcd"])
    for each, path in zip(withheld, (documents[1], documents[1], documents[5]), strict=True):
        assert each.copies == (path.path,) and each.copied_share >= MIN_COPIED
        assert each.verification.answer == "cannot tell" and each.verification.log10_lr is None
        assert "compared with itself" in (each.verification.declined or "")
        assert each.resampled_log10_lrs is None and not [*verification_copy_caveats(each)]
    assert genuine.copies == () and genuine.verification.answer == "yes"


def test_texts_that_contain_each_other_are_copies(documents: list[Document], write: Write) -> None:
    whole = documents[1].text
    words = whole.split()
    parts = [
        " ".join(words[5:60]),
        f"{write(0, 90, 240)} {whole}",
        " ".join([*words[:60], "other", *words[61:]]),
        f"{write(0, 90, 240)} {' '.join(words[5:30])}",
    ]
    found = find_copies(parts, documents)
    own = (documents[1].path,)
    # Short passages can be quotations. The third text has one other word.
    assert [each.paths for each in found] == [own, own, own, ()]
    assert found[0].share == 1 and 0.2 < found[1].share < MIN_COPIED < found[2].share < 1
    partial = verify_author(documents[:4], documents[4:], parts[1:2], ["b"])
    assert partial[0].verification.declined is None
    [caveat] = verification_copy_caveats(partial[0])
    assert caveat.code == "also-known-text" and caveat.figures["share"] == found[1].share


def test_a_text_without_words_has_none(documents: list[Document]) -> None:
    [found] = verify_author(documents[:4], documents[4:], ["... !!! " * 50], ["a"])
    assert found.verification.declined == "the text contains no word"


def test_conventions_of_editions_are_removed_and_limit_the_probability(
    documents: list[Document], write: Write
) -> None:
    known, others, text = documents[:4], documents[4:], write(0, 90, 120)
    capitals = [replace(each, text=each.text.upper()) for each in known]
    [plain] = verify_author(known, others, [text], ["a"])
    [deviating] = verify_author(known, others, [text.upper()], ["a"])
    [different] = verify_author(capitals, others, [text], ["a"])
    assert not plain.differences and not plain.deviations
    assert [each.convention for each in deviating.deviations] == ["letter-case"]
    assert [each.convention for each in different.differences] == ["letter-case"]
    assert plain.verification.probability is not None
    assert plain.verification.probability > MAX_PROBABILITY
    for found, code in (
        (deviating, "different-convention"),
        (different, "convention-removed"),
    ):
        assert found.performance == plain.performance  # the texts that are compared are the same
        assert found.verification.probability == pytest.approx(MAX_PROBABILITY)
        assert found.verification.log10_lr == pytest.approx(0.954, abs=0.001)  # odds of 9 to 1
        [caveat] = verification_convention_caveats(found)
        assert caveat.code == code
        assert "All letters were changed to small letters." in caveat.sentence
    kept = verify_author(known, others, [text.upper()], ["a"], normalization="edition,-conventions")
    assert kept[0].deviations == ()


def test_disputed_federalist_essays_are_verified_as_by_madison(shared: Path) -> None:
    folder = shared / "corpora" / "federalist"
    corpus = read_corpus(folder / "known")
    own = [document for document in corpus if document.author == "Madison"]
    others = [document for document in corpus if document.author != "Madison"][::3]
    paths = sorted((folder / "disputed").glob("*/*.txt"))[:3]
    texts = [" ".join(read_text(path).split()[:1600]) for path in paths]  # all of one length
    found = verify_author(own, others, texts, list(map(str, paths)))
    assert not any(each.verification.answer == "no" for each in found)
