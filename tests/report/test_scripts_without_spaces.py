"""Scripts without spaces in reports: no spaces between characters, and aligned columns."""

from __future__ import annotations

import io

import pytest
from rich.cells import cell_len
from rich.console import Console

from byline.attribution import AuthorshipAttributor, Evidence, explain
from byline.attribution.keyness import NgramCounts, keywords_of_authors
from byline.attribution.keyness.concordance import keyword_context
from byline.attribution.rolling import rolling_attribution
from byline.corpus import Corpus, Document
from byline.lm import NgramLM
from byline.report.evidence import evidence_part
from byline.report.explanation import explanation_summary, print_explanation
from byline.report.keywords import keywords_summary, print_keywords
from byline.report.summary import evidence_summary
from byline.text import TextEncoder
from byline.typography.scripts import join_words

HERS = "孩子在河邊看見了一條船罷了。老師在山上想起了一本書也！"
HIS = "船夫在山上修好了舊房子嘛。孩子在家裡畫了一把傘呢？"


@pytest.fixture(scope="module")
def attributor() -> AuthorshipAttributor:
    model = NgramLM(order=3, smoothing="witten-bell")
    attributor = AuthorshipAttributor(model, TextEncoder(unit="char"), n_samples=1)
    return attributor.fit([HERS * 8, HIS * 8], ["王小明", "李清"])


@pytest.fixture(scope="module")
def evidence(attributor: AuthorshipAttributor) -> Evidence:
    return explain(attributor, HERS + HIS, first="王小明", second="李清")


@pytest.mark.parametrize(
    ("words", "written"),
    [
        (["其", "實", "，", "Byline", "好"], "其實，Byline好"),
        (["well", "-", "known", "!"], "well - known !"),
        (["ท่า", "น", "3.5"], "ท่าน3.5"),
        (["말", "했다"], "말 했다"),
        ([], ""),
    ],
)
def test_no_space_is_added_between_characters(words: list[str], written: str) -> None:
    assert join_words(words) == written


def test_evidence_of_characters_is_shown_as_ngrams(evidence: Evidence) -> None:
    assert evidence.of_characters
    for side in ("first", "second"):
        told = evidence_summary(evidence)[f"tokens_for_{side}"]
        assert told
        assert all(len(entry["token"]) > 1 and " " not in entry["token"] for entry in told)
    encoder = TextEncoder(unit="char")
    runs = evidence_part(evidence, HERS + HIS, encoder)["for_first"]["ngrams"]
    assert runs
    assert all(entry["text"].replace("⏎", "") in HERS + HIS for entry in runs)


def test_evidence_of_words_is_shown_as_tokens() -> None:
    model = AuthorshipAttributor(NgramLM(order=1, smoothing="witten-bell"), n_samples=1)
    model.fit(["oats and barley. " * 9, "rye and wheat. " * 9], ["ada", "ben"])
    found = explain(model, "oats and rye.", first="ada", second="ben")
    assert not found.of_characters
    assert evidence_summary(found)["tokens_for_first"][0]["token"] == "oats"  # noqa: S105


def test_neighbours_of_equal_strength_are_shaded_together(
    attributor: AuthorshipAttributor, evidence: Evidence
) -> None:
    text = HERS + HIS
    summary = explanation_summary(
        *("a.txt", None, evidence, rolling_attribution(attributor, text, window=1), text),
        TextEncoder(unit="char"),
    )
    for token in summary["evidence"]["shown"][0]["tokens"]:
        token["shade"] = "f2" if token["text"] in set("一條船") else ""
    written = io.StringIO()
    print_explanation(Console(file=written, width=100), summary)
    assert "看見了+一條船+罷了。" in written.getvalue()


def test_contexts_are_cut_between_characters() -> None:
    text = "春夏" * 50 + "風" + "秋冬" * 50
    shown = keyword_context(text, 100, 101)
    assert shown.before == "…" + "春夏" * 30
    assert (shown.hit, shown.after) == ("風", "秋冬" * 30 + "…")
    spaced = keyword_context("one two " * 20 + "here" + " three four" * 20, 160, 164)
    assert spaced.before.startswith("…one two")
    assert spaced.after.endswith(" four…")


def test_keywords_are_aligned_with_wide_characters() -> None:
    corpus = Corpus(
        [
            Document(author, text * 30, f"{author}/{n}.txt")
            for author, text in (("王小明", HERS), ("李清", HIS))
            for n in range(2)
        ],
        "known",
    )
    counts = NgramCounts.of(corpus, TextEncoder(unit="char"))
    written = io.StringIO()
    found = keywords_of_authors(counts, at_most=5)
    print_keywords(Console(file=written, width=120), keywords_summary(found))
    lines = [line for line in written.getvalue().splitlines() if "[" in line]
    assert len(lines) >= 6
    assert len({cell_len(line[: line.index("[")]) for line in lines[:3]}) == 1
    ngrams = {ngram["ngram"] for entry in keywords_summary(found) for ngram in entry["ngrams"]}
    assert not any(" " in ngram for ngram in ngrams)
