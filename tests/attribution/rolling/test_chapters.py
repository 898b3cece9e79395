"""Each chapter has its author, and the interval of a change contains its position."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from byline.attribution import AuthorshipAttributor
from byline.attribution.rolling import rolling_attribution
from byline.attribution.rolling.chapters import place_chapters
from byline.attribution.rolling.segmentation import credible_interval, position_posterior
from byline.corpus import find_chapters
from byline.typography import Normalization

EDITION = Normalization.parse("edition")


def test_each_chapter_has_its_author(fitted: AuthorshipAttributor, write: object) -> None:
    authors = ["alder", "alder", "cedar", "alder", "alder"]
    parts = [
        f"CHAPTER {number}\n\n{write(author, 60, 900 + number)}"  # type: ignore[operator]
        for number, author in enumerate(authors, start=1)
    ]
    text = "\n\n".join(parts)
    rolling = rolling_attribution(fitted, text, chapters=find_chapters(text))
    assert [chapter.author for chapter in rolling.chapters] == authors
    assert [chapter.name for chapter in rolling.chapters][:2] == ["CHAPTER 1", "CHAPTER 2"]
    assert [chapter.start for chapter in rolling.chapters[1:]] == [
        chapter.end for chapter in rolling.chapters[:-1]
    ]
    assert rolling.chapters[0].calibration_unavailable_reason is not None


def test_results_do_not_depend_on_the_chapters(fitted: AuthorshipAttributor, write: object) -> None:
    text = "\n\n".join(
        f"CHAPTER {number}\n\n{write('alder', 40, 700 + number)}"  # type: ignore[operator]
        for number in (1, 2, 3)
    )
    with_chapters = rolling_attribution(fitted, text, chapters=find_chapters(text))
    without = rolling_attribution(fitted, text)
    assert with_chapters.windows == without.windows
    assert with_chapters.segments == without.segments
    assert without.chapters == ()


def test_chapters_are_found_again_after_normalisation() -> None:
    prose = "\u201cThe river rose,\u201d said Ann -- and nobody heard. " * 40
    text = "\n\n".join(f"CHAPTER {n}\n\n{n} {prose}" for n in ("I", "II", "III"))
    normal = EDITION.apply(text)
    assert "CHAPTER" not in normal
    places = place_chapters(find_chapters(text), text, normal, EDITION.apply)
    openings = [normal[place:].split()[0] for place in places if place is not None]
    assert openings == ["I", "II", "III"]


def test_the_posterior_of_a_clear_change_is_certain() -> None:
    before = np.array([0.0] * 5 + [-9.0] * 5)
    posterior = position_posterior(before, before[::-1], 1.0)
    assert posterior.argmax() == 4  # before sentence 5
    assert posterior[4] == pytest.approx(1, abs=1e-3)
    assert credible_interval(posterior, 0.9) == (4, 4)


@given(
    st.lists(st.floats(-20, 0), min_size=4, max_size=30),
    st.floats(1, 10),
    st.floats(0.5, 0.99),
)
@settings(max_examples=60)
def test_intervals_have_their_share(values: list[float], temperature: float, share: float) -> None:
    half = len(values) // 2
    before, after = np.array(values[:half]), np.array(values[half : 2 * half])
    posterior = position_posterior(before, after, temperature)
    assert posterior.sum() == pytest.approx(1)
    low, high = credible_interval(posterior, share)
    assert 0 <= low <= high < len(posterior)
    assert posterior[low : high + 1].sum() >= share - 1e-9
