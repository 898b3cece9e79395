from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
import pytest
from sklearn.base import clone

from byline.attribution import CANNOT_TELL
from byline.attribution.verification import NO, YES, AuthorshipVerifier, VerificationProblem
from byline.attribution.verification.problems import AuthorGroups
from byline.errors import TrainingError, UsageError

Problems = tuple[list[VerificationProblem], list[bool], list[tuple[str, str]]]


@pytest.fixture(scope="module")
def fitted(problems: Problems) -> AuthorshipVerifier:
    asked, same, authors = problems
    return AuthorshipVerifier().fit(asked, same, authors=authors)


def _asked(write: object, n: int = 12) -> tuple[list[VerificationProblem], list[bool]]:
    assert callable(write)
    found = [
        VerificationProblem(
            (write(author, 900, 120), write(author, 901, 120)), write(asked_by, 950, 120)
        )
        for author in range(n // 2)
        for asked_by in (author, (author + 1) % 6)
    ]
    return found, [True, False] * (n // 2)


def test_own_and_other_texts_are_distinguished(fitted: AuthorshipVerifier, write: object) -> None:
    asked, same = _asked(write)
    assert fitted.score(asked, same) >= 10 / 12
    assert fitted.performance_.auc > 0.9
    assert fitted.performance_.n_authors == 6
    assert fitted.performance_.n_same == fitted.performance_.n_different == 12


def test_probabilities_and_ratios_agree(fitted: AuthorshipVerifier, write: object) -> None:
    asked, _ = _asked(write)
    probabilities = fitted.predict_proba(asked)
    bounds = fitted.calibrator_.bounds
    llrs = bounds.apply(fitted.decision_function(asked))
    assert ((probabilities >= 0) & (probabilities <= 1)).all()
    assert probabilities.sum(axis=1) == pytest.approx(1)
    assert ((llrs >= bounds.lower) & (llrs <= bounds.upper)).all()
    for entry, llr in zip(fitted.verify(asked), llrs, strict=True):
        assert entry.probability is not None and entry.log10_lr is not None
        assert entry.log10_lr == pytest.approx(llr / np.log(10))
        assert entry.probability == pytest.approx(1 / (1 + 10**-entry.log10_lr))
        near = abs(entry.probability - 0.5) <= fitted.calibrator_.margin or abs(llr) < np.log(2)
        assert entry.answer == (CANNOT_TELL if near else YES if llr > 0 else NO)


def test_a_ratio_of_one_is_no_evidence_of_the_same_author(
    fitted: AuthorshipVerifier, problems: Problems, monkeypatch: pytest.MonkeyPatch
) -> None:
    llrs = np.array([-0.1, 0.0, 0.1])
    monkeypatch.setattr(AuthorshipVerifier, "decision_function", lambda *_: llrs)
    asked = problems[0][:3]
    probabilities = fitted.predict_proba(asked)
    assert probabilities[1].tolist() == [0.5, 0.5]
    assert fitted.predict(asked).tolist() == [False, False, True]
    assert fitted.classes_[probabilities.argmax(axis=1)].tolist() == [False, False, True]


def test_bounds_depend_on_the_number_of_problems(fitted: AuthorshipVerifier) -> None:
    # 12 problems of each kind, discriminated without an error: at most 12 + 1 to one
    assert abs(fitted.calibrator_.bounds.upper) <= np.log(13) + 1e-9
    assert abs(fitted.calibrator_.bounds.lower) <= np.log(13) + 1e-9


def test_the_order_of_problems_does_not_matter(
    problems: Problems, fitted: AuthorshipVerifier
) -> None:
    asked, same, authors = problems
    order = np.random.default_rng(0).permutation(len(asked)).tolist()
    turned = [VerificationProblem(asked[n].known[::-1], asked[n].questioned) for n in order]
    again = AuthorshipVerifier().fit(
        turned, [same[n] for n in order], authors=[authors[n] for n in order]
    )
    expected = fitted.decision_function(asked)[order]
    assert again.decision_function(turned) == pytest.approx(expected, abs=1e-6)


def test_a_problem_has_the_same_answer_alone_and_among_others(
    fitted: AuthorshipVerifier, write: object
) -> None:
    asked, _ = _asked(write)
    together = fitted.decision_function(asked)
    alone = [float(fitted.decision_function([problem])[0]) for problem in asked[:3]]
    assert together[:3] == pytest.approx(alone, abs=1e-9)
    assert fitted.decision_function([]).shape == (0,)


def test_a_text_of_few_words_is_declined(fitted: AuthorshipVerifier, write: object) -> None:
    asked, _ = _asked(write)
    for text, reason in (
        ("", "the text contains no word"),
        ("the of and", "the text has 3 words; at least 50 are needed"),
        ("? ! " * 60, "the text contains no word"),
    ):
        [answer] = fitted.verify([VerificationProblem(asked[0].known, text)], ["q.txt"])
        assert answer.answer == CANNOT_TELL
        assert answer.probability is None and answer.log10_lr is None
        assert answer.declined == reason
        assert answer.path == "q.txt"


def test_it_is_a_scikit_learn_estimator(fitted: AuthorshipVerifier) -> None:
    assert clone(fitted).get_params() == fitted.get_params()
    assert fitted.classes_.tolist() == [False, True]


def test_too_few_problems_are_rejected(problems: Problems) -> None:
    asked, same, _ = problems
    with pytest.raises(TrainingError, match="with different authors, and there are 8"):
        AuthorshipVerifier().fit(asked[:20], same[:20])
    with pytest.raises(TrainingError, match="the same author, and there are 0"):
        AuthorshipVerifier().fit(asked[12:], same[12:])


def test_too_few_texts_by_others_are_rejected(write: object) -> None:
    assert callable(write)
    texts = [write(1, seed, 120) for seed in range(4)]
    asked = [VerificationProblem((texts[n % 2],), texts[2 + n % 2]) for n in range(24)]
    with pytest.raises(TrainingError, match="at least 5 reference texts"):
        AuthorshipVerifier().fit(asked, [n % 2 == 0 for n in range(24)])


def test_invalid_input_is_rejected(problems: Problems, fitted: AuthorshipVerifier) -> None:
    asked, same, _ = problems
    with pytest.raises(UsageError, match="problem 0 is a str"):
        AuthorshipVerifier().fit(["text"], [True])  # type: ignore[list-item]
    with pytest.raises(UsageError, match="no known text with a word"):
        fitted.verify([VerificationProblem((" ... ",), "text")])
    with pytest.raises(UsageError, match="not a str"):
        fitted.verify([VerificationProblem(("text",), 3)])  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="give one per problem"):
        AuthorshipVerifier().fit(asked, same[:-1])
    with pytest.raises(UsageError, match="must be True"):
        AuthorshipVerifier().fit(asked, ["yes"] * len(asked))  # type: ignore[list-item]
    with pytest.raises(UsageError, match="give one per problem"):
        fitted.verify(asked[:2], ["one.txt"])
    with pytest.raises(UsageError, match="min_words"):
        AuthorshipVerifier(min_words=0).fit(asked, same)


def test_author_groups_use_shared_texts_answers_and_names() -> None:
    problems = [
        VerificationProblem(("a 1", "a 2"), "a 3"),  # yes
        VerificationProblem(("a  2",), "b 1"),  # no; the text differs in white space
        VerificationProblem(("c 1",), "d 1"),  # no
        VerificationProblem(("c 2",), "d 1"),  # no
    ]
    same = [True, False, False, False]
    groups = AuthorGroups(problems, same)
    assert groups.of("a 1") == groups.of("a 3") == groups.of("a 2")
    assert len({groups.of(text) for text in ("a 1", "b 1", "c 1", "c 2", "d 1")}) == 5
    names = [("a", "a"), ("a", "b"), ("c", "d"), ("c", "d")]
    named = AuthorGroups(problems, same, names)
    assert named.of("c 1") == named.of("c 2")
    assert len({named.of(text) for text in ("a 1", "b 1", "c 1", "d 1")}) == 4


def test_a_text_of_unknown_words_is_declined(fitted: AuthorshipVerifier, write: object) -> None:
    asked, _ = _asked(write)
    strange = VerificationProblem(asked[0].known, " ".join(f"xq{number}" for number in range(200)))
    [found] = fitted.verify([strange])
    assert found.answer == CANNOT_TELL
    assert found.declined is not None
    assert found.declined.startswith("100 % of the text's words occur in no known")


def test_the_edition_of_texts_changes_no_answer(
    problems: Problems,
    write: object,
    conventions: Mapping[str, Callable[[str], str]],
    with_plain_sentences: Callable[[str], str],
) -> None:
    def edit(
        change: Callable[[str], str], texts: list[VerificationProblem]
    ) -> list[VerificationProblem]:
        return [
            VerificationProblem(tuple(map(change, each.known)), change(each.questioned))
            for each in texts
        ]

    asked, same, authors = problems
    known, questioned = (
        edit(with_plain_sentences, asked),
        edit(with_plain_sentences, _asked(write)[0]),
    )
    verifier = AuthorshipVerifier().fit(known, same, authors=authors)
    plain = verifier.decision_function(questioned)
    for name in ("curly quotes", "soft hyphens"):
        edited = edit(conventions[name], questioned)
        np.testing.assert_array_equal(verifier.decision_function(edited), plain, name)
    verifier.fit(edit(conventions["no-break spaces"], known), same, authors=authors)
    np.testing.assert_array_equal(verifier.decision_function(questioned), plain)


def test_unknown_rules_are_rejected(problems: Problems) -> None:
    asked, same, authors = problems
    with pytest.raises(UsageError, match="normalization rule 'curly' is unknown"):
        AuthorshipVerifier(normalization="none,curly").fit(asked, same, authors=authors)


def test_held_out_answers_belong_to_the_problems(
    problems: Problems, fitted: AuthorshipVerifier
) -> None:
    asked, _, authors = problems
    held_out = fitted.held_out_
    assert held_out.features == pytest.approx(fitted.features(fitted.problems_))
    known_by = {problem.texts: names for problem, names in zip(asked, authors, strict=True)}
    pairs = [known_by[problem.texts] for problem in fitted.problems_]
    assert [one == other for one, other in pairs] == held_out.same.tolist()
    numbers = np.column_stack([held_out.known_authors, held_out.questioned_authors]).tolist()
    assert len({(*names, *each) for names, each in zip(pairs, numbers, strict=True)}) == len(
        set(pairs)
    )
    # Cross-validated: no calibration is fitted to the answers that it gives.
    own = fitted.decision_function(fitted.problems_)
    assert not np.allclose(held_out.log_odds, own)
    assert np.corrcoef(held_out.log_odds, own)[0, 1] > 0.9


def test_problems_without_names_are_calibrated_on_more_pairs_of_their_texts(
    problems: Problems, write: object
) -> None:
    asked, same, _ = problems
    verifier = AuthorshipVerifier().fit(asked, same)
    assert verifier.performance_.n_same == verifier.performance_.n_different == 12
    questioned, answers = _asked(write)
    assert verifier.score(questioned, answers) >= 10 / 12


def test_a_repeated_problem_changes_no_other_text(problems: Problems) -> None:
    asked, same, authors = problems
    twice = AuthorshipVerifier().fit(
        [*asked, asked[0]], [*same, same[0]], authors=[*authors, authors[0]]
    )
    assert len(twice.references_) == len({text for each in asked for text in each.texts})
