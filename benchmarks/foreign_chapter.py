"""Measure whether rolling attribution detects a chapter by another author in a novel.

In each novel (the host), one chapter is replaced by a chapter of the next novel in the list (the
donor). The donor of the last novel is the first one. The heading remains that of the host.
"""

from __future__ import annotations

import argparse
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from byline.attribution import load_attributor
from byline.attribution.rolling import RollingAttribution, RollingChapter, rolling_attribution
from byline.attribution.rolling.scoring import Attributor
from byline.corpus import Chapter, find_chapters
from byline.corpus.questioned import read_questioned
from byline.errors import BylineWarning
from byline.formatting import percent

_HEADING = (
    "| host | chapter | donor | words | first author | others correct | changes found "
    "| error in sentences |"
)


@dataclass(frozen=True)
class Novel:
    """A novel that the model was not trained on."""

    path: Path
    text: str
    chapters: tuple[Chapter, ...]

    @classmethod
    def read(cls, path: Path, n_chapters: int) -> Novel:
        """Read the first chapters of a file in a folder that is named after the author."""
        text = read_questioned(path).text
        found = [chapter for chapter in find_chapters(text) if chapter.label]
        end = found[n_chapters].start if len(found) > n_chapters else len(text)
        text = text[found[0].start : end]
        return cls(path, text, find_chapters(text))

    @property
    def author(self) -> str:
        """The name of the folder."""
        return self.path.parent.name

    @property
    def middle(self) -> int:
        """The number of the chapter that is replaced, from 0."""
        return len(self.chapters) // 2

    @property
    def middle_text(self) -> tuple[int, int]:
        """The characters of the middle chapter."""
        bounds = [*(each.start for each in self.chapters), len(self.text)]
        return bounds[self.middle], bounds[self.middle + 1]


def main() -> None:
    """Replace a chapter of each novel, attribute all chapters, and print the results."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("model", type=Path, help="model that was trained without the novels")
    parser.add_argument("novels", type=Path, nargs="+", help="AUTHOR/NOVEL.txt, by the candidates")
    parser.add_argument(
        "--chapters", type=int, default=12, help="number of first chapters to use of each novel"
    )
    options = parser.parse_args()
    warnings.simplefilter("ignore", BylineWarning)
    attributor = load_attributor(options.model)
    novels = [Novel.read(path, options.chapters) for path in options.novels]
    print(_HEADING)
    print("|" + "---|" * (_HEADING.count("|") - 1))
    for host, donor in zip(novels, [*novels[1:], novels[0]], strict=True):
        print(_row(attributor, host, donor), flush=True)


def replace_chapter(host: Novel, donor: Novel) -> str:
    """Return the host with its middle chapter replaced by that of the donor."""
    start, end = host.middle_text
    heading, _, _ = host.text[start:end].partition("\n")
    first, last = donor.middle_text
    _, _, body = donor.text[first:last].partition("\n")
    return f"{host.text[:start]}{heading}\n{body}{host.text[end:]}"


def _row(attributor: Attributor, host: Novel, donor: Novel) -> str:
    text = replace_chapter(host, donor)
    result = rolling_attribution(attributor, text, chapters=find_chapters(text))
    foreign = result.chapters[host.middle]
    others = [each for each in result.chapters if each is not foreign and each.ranking]
    n_correct = sum(each.author == host.author for each in others)
    cells = [
        host.path.stem,
        foreign.name,
        f"{donor.author}, {donor.path.stem}",
        f"{foreign.n_words:,}",
        f"{foreign.author} ({percent(foreign.ranking[0].probability or 0)})",
        f"{n_correct} of {len(others)}",
        str(len(result.change_points)),
        _distances(result, foreign),
    ]
    return f"| {' | '.join(cells)} |"


def _distances(result: RollingAttribution, foreign: RollingChapter) -> str:
    """Return the distance in sentences of each end of the foreign chapter to the nearest change."""
    found: Sequence[int] = [change.sentence for change in result.change_points]
    ends = (foreign.start, foreign.end)
    return ", ".join(str(min(abs(end - each) for each in found)) for end in ends) if found else ""


if __name__ == "__main__":
    main()
