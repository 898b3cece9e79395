"""The report on the keywords of two groups: hostile words and names, and the bars."""

from __future__ import annotations

import io
import re

import pytest
from rich.console import Console

from byline.attribution.keyness import (
    Context,
    GroupKeyword,
    GroupKeywords,
    GroupSize,
    Measure,
    WordUse,
    compare_groups,
)
from byline.corpus import Corpus, Document
from byline.report.charts.keyness import keyword_chart, ngram_columns
from byline.report.group_keywords import (
    group_keywords_html,
    group_keywords_section,
    group_keywords_summary,
    print_group_keywords,
)
from byline.report.html import SCRIPT_ELEMENT

HOSTILE = "<script>alert('&')</script>\"'\x1b[31m"
USE = WordUse(30, 12.5, 2, 0.5, 0.25, 0.9)


@pytest.fixture
def found() -> GroupKeywords:
    line = Context(f"{HOSTILE}.txt", f"before {HOSTILE} ", HOSTILE, f" after {HOSTILE}")
    word = GroupKeyword(
        word=HOSTILE,
        score=0.5,
        scores={str(measure): 0.5 for measure in Measure},
        log_ratio=1.0,
        first=USE,
        second=USE,
        lines=(line,),
    )
    first, second = (GroupSize(name, 2, 24_000, 8, 0) for name in (HOSTILE, "Ben"))
    return GroupKeywords(Measure.ZETA, 3000, first, second, 1, 0, (word,), (), False, 3, False)


def test_hostile_names_and_words_are_escaped(found: GroupKeywords) -> None:
    summary = group_keywords_summary(found)
    for html in (group_keywords_html(summary), group_keywords_section(summary)):
        assert "<script" not in html.replace(SCRIPT_ELEMENT, "")
        assert "&lt;script&gt;" in html
        assert not re.search(r'(title|style|class)="[^"]*[<>]', html)
    assert 'title="&lt;script&gt;' in group_keywords_html(summary)


def test_control_characters_are_not_printed(found: GroupKeywords) -> None:
    out = io.StringIO()
    print_group_keywords(Console(file=out, width=120), group_keywords_summary(found))
    assert "\x1b" not in out.getvalue()
    assert "3 more keywords with names are not listed" in out.getvalue()


def test_texts_without_spaces_are_compared_by_characters() -> None:
    first = Corpus([Document("a", "孩子在河邊看見了一條船罷了。" * 60, "1")], "a")
    second = Corpus([Document("b", "船夫在山上修好了舊房子嘛。" * 60, "2")], "b")
    summary = group_keywords_summary(compare_groups(first, second))
    assert {len(each["word"]) for each in summary["preferred"]} == {1}
    assert summary["of_characters"]
    out = io.StringIO()
    print_group_keywords(Console(file=out, width=200), summary)
    assert "each character counts as one word" in out.getvalue()
    assert "each character counts as one word" in " ".join(group_keywords_html(summary).split())


def _word(word: str, score: float) -> dict[str, object]:
    return {"word": word, "score": score, "first": {"rate": 9.0}, "second": {"rate": 1.5}}


def test_the_bars_of_both_columns_have_one_scale() -> None:
    words = [_word("sea", 0.5), _word("wave", 0.25)]
    chart = keyword_chart(("Zoe", "Ben"), words, [_word("field", -1.0)])
    assert [bar.share for bar in chart.first.bars] == [0.5, 0.25]
    assert [bar.share for bar in chart.second.bars] == [1.0]
    assert (chart.first.colour, chart.second.colour) == ("author-1", "author-0")  # Ben is first
    assert chart.second.bars[0].title == "field: -1.00; 9.0 and 1.5 per 10,000 words"


def test_a_comparison_without_keywords_has_no_bars() -> None:
    chart = keyword_chart(("Ada", "Ben"), [], [])
    assert chart.first.bars == chart.second.bars == ()
    assert ngram_columns([]) == ()


def test_the_columns_of_authors_have_one_scale_and_their_colours() -> None:
    ngram = {"ngram": "upon", "z": 8.0, "count": 1, "other_count": 0, "questioned_count": 2}
    entries = [
        {"author": "Zoe", "others": ["Ada"], "ngrams": [ngram]},
        {"author": "Ada", "others": ["Zoe"], "ngrams": [{**ngram, "z": 4.0}]},
    ]
    zoe, ada = ngram_columns(entries)
    assert (zoe.colour, ada.colour) == ("author-1", "author-0")
    assert (zoe.bars[0].share, ada.bars[0].share) == (1.0, 0.5)
    assert (
        zoe.bars[0].title
        == "upon: 1 occurrence, by others 0 occurrences, in the questioned text 2 occurrences"
    )
    assert [each.colour for each in ngram_columns(entries, ["of-first", "of-second"])] == [
        "of-first",
        "of-second",
    ]
