from __future__ import annotations

import time
from pathlib import Path

import pytest

from byline.corpus import ExtractedText, ReadingOptions, extract_text, read_corpus
from byline.errors import BylineWarning


def read(source: str, *, keep: tuple[str, ...] = ()) -> ExtractedText:
    return extract_text(source.encode(), "a.md", ReadingOptions(keep=keep))


def excluded(extracted: ExtractedText) -> dict[str, int]:
    return {part.kind: part.n for part in extracted.excluded}


def test_markup_is_removed_and_links_keep_their_text() -> None:
    source = (
        "The flood\n=========\n\nIt *rose* at __night__, [near the bridge](http://a.org 'b') and "
        "[the mill][m].\nNobody heard\\* `it`; ~~not~~ <b>b</b>oats &amp; carts.\\\nGone.\n\n"
        "> Quoted.\n\n1. First.\n2. Second.\n\n---\n\n<div>\nIn a <i>box</i>.\n</div>\n\n"
        "<!-- hidden\n\nwords -->\n\n[m]: http://b.org\n"
    )
    found = read(source)
    assert found.text.split("\n\n") == [
        "The flood",
        "It rose at night, near the bridge and the mill. Nobody heard* it; boats & carts.",
        "Gone.", "Quoted.", "First.", "Second.", "In a box.",
    ]  # fmt: skip
    assert excluded(found) == {"deleted text": 1}


def test_code_tables_formulas_pictures_and_notes_are_counted() -> None:
    source = (
        "It cost $5 and $6, or $x+y$.[^1] ![A boat](a.png)\n\n```py\nx = 1\n```\n\n    y = 2\n\n"
        "$$\na\n$$\n\n| a | b |\n|---|---|\n| *c* | d |\n\nGone.^[Inline.]\n\n"
        "[^1]: Seven *boats*.\n"
    )
    found = read(source)
    assert found.text == "It cost $5 and $6, or .\n\nGone."
    assert excluded(found) == {
        "formulas": 2, "pictures": 1, "program code": 2, "tables": 1, "footnotes": 2,
    }  # fmt: skip
    assert found.excluded[-1].example == "Seven boats."
    assert read(source, keep=("notes",)).text.endswith("Gone.\n\nSeven boats.\n\nInline.")


@pytest.mark.parametrize(
    ("head", "author", "title"),
    [
        ("---\ntitle: Up: a tale\nauthor: Ann Brook\ntags: [a]\n---\n", "Ann Brook", "Up: a tale"),
        ("---\r\nauthor: 'Ann Brook'\r\n...\r\n", "Ann Brook", None),
        ("---\nauthors:\n  - Ann Brook\n  - name: Ben\n---\n", "Ann Brook and Ben", None),
        ("---\nauthor:\n- Ann Brook\n# a comment\n\nabstract: |\n  Words.\n---", "Ann Brook", None),
        ('+++\nauthor = ["Ann Brook", "Ben"]\n+++\n', "Ann Brook and Ben", None),
        ("% The River\n% Ann Brook\n", "Ann Brook", "The River"),
    ],
)  # fmt: skip
def test_front_matter_states_the_author_and_is_never_text(
    head: str, author: str, title: str | None
) -> None:
    found = read(f"{head}\n\nIt rose.\n")
    assert (found.text, found.author, found.title) == ("It rose.", author, title)
    assert excluded(found) == {"front matter": 1}


@pytest.mark.parametrize("source", ["---\nIt rose.\n---\n", "---\nauthor: Ann\n", "It: rose.\n"])
def test_other_lines_are_no_front_matter(source: str) -> None:
    assert "front matter" not in excluded(read(source))


def test_loose_files_have_the_authors_that_they_state(tmp_path: Path) -> None:
    for name, author in (("flood", "Ann Brook"), ("wall", "Ben Alder")):
        text = " ".join(f"The {name} came home on day {day} and slept." for day in range(150))
        (tmp_path / f"{name}.md").write_text(f"---\nauthor: {author}\n---\n{text}\n")
    with pytest.warns(BylineWarning, match="authors are those that the files themselves state"):
        corpus = read_corpus(tmp_path)
    assert corpus.authors == ["Ann Brook", "Ben Alder"]
    assert not any("Brook" in text or "author" in text for text in corpus.texts)


@pytest.mark.parametrize("filling", ["[", "*a **b ", "`` ` ", "| a\n", "---\na:"])
def test_the_time_grows_with_the_length(filling: str) -> None:
    """A reader whose time grows with the square of the length would need minutes."""
    begun = time.process_time()
    read(filling * (20_000 // len(filling)))
    assert time.process_time() - begun < 10
