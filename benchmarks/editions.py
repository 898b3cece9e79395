"""Measure how often passages of novels are correctly attributed if editions differ.

For each author with at least two novels, the known texts are passages of one novel, and the
questioned texts are passages of the author's other novels. A typographic convention is put on the
known texts of every other author. Each questioned passage is attributed twice: in the convention
of its author's known texts ("aligned"), and in the other one ("crossed"). If an edition decided
the answer, crossed passages would be misattributed. One set has 84 passages, too few to distinguish
small differences; the sets of passages begin at different places of the novels.
"""

from __future__ import annotations

import argparse
import json
import re
import tempfile
import textwrap
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import regex

from byline.answering import answer, reading_options
from byline.attribution import StackedAttributor
from byline.corpus import ReadingOptions, read_corpus, read_text
from byline.errors import BylineWarning

SETS = 10
KNOWN_CHUNKS, KNOWN_WORDS = 8, 1500
QUESTIONED, QUESTIONED_WORDS = 12, 300
# Of an author's novels whose editions put speech in double quotation marks, the last one is known
# and the others are questioned. Dickens has one such novel, so that his others are questioned.
_MIN_DOUBLE_QUOTES = 1 / 1000  # per character

Convert = Callable[[str], str]  # of a text with one paragraph per line
Passages = dict[str, list[str]]  # by author


def main() -> None:
    """Attribute the passages under each convention, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path, help="novels: AUTHOR/Title.txt")
    parser.add_argument("--keep", type=Path, help="keep results here, and continue from them")
    parser.add_argument("--only", nargs="+", choices=CONVENTIONS, default=list(CONVENTIONS))
    parser.add_argument("-j", "--jobs", type=int, default=2)
    parser.add_argument("--normalize", default="edition")
    parser.add_argument("--sets", type=int, choices=range(1, SETS + 1), default=1)
    options = parser.parse_args()
    sets = [_read(options.folder, number) for number in range(options.sets)]
    names: list[str] = []
    for convention in options.only:
        result = _add_up(
            [
                _result(convention, number, known, questioned, options)
                for number, (known, questioned) in enumerate(sets)
            ]
        )
        if not names:
            names = list(result["aligned"]["by_base_classifier"])
            print(
                f"| convention | aligned | crossed (of {result['n']}) "
                f"| crossed, {' / '.join(names)} | with a caveat "
                "| highest probability of an error |\n|---|---|---|---|---|---|"
            )
        print(_row(convention, result), flush=True)


def _read(folder: Path, number: int) -> tuple[Passages, Passages]:
    """Return one set of known and questioned passages, with one paragraph per line."""
    known: Passages = {}
    questioned: Passages = {}
    for author in sorted(path for path in folder.iterdir() if path.is_dir()):
        novels = [path.read_text(encoding="utf-8") for path in sorted(author.glob("*.txt"))]
        doubles = [text for text in novels if text.count('"') > _MIN_DOUBLE_QUOTES * len(text)]
        if len(novels) < 2 or not doubles:
            continue
        others = doubles[:-1] or [novel for novel in novels if novel not in doubles]
        known[author.name] = _passages(doubles[-1], KNOWN_CHUNKS, KNOWN_WORDS, number)
        sizes = [len(part) for part in np.array_split(np.arange(QUESTIONED), len(others))]
        questioned[author.name] = [
            passage
            for novel, size in zip(others, sizes, strict=True)
            for passage in _passages(novel, size, QUESTIONED_WORDS, number)
        ]
    return known, questioned


def _passages(novel: str, size: int, n_words: int, number: int) -> list[str]:
    """Return passages of whole paragraphs, evenly spaced, each of at least ``n_words`` words.

    Only the last paragraph of a passage is cut, after the sentence that reaches the length.
    """
    paragraphs = _paragraphs(novel)
    lengths = np.cumsum([len(paragraph.split()) for paragraph in paragraphs])
    starts = np.linspace(0.03, 0.95, size * SETS, endpoint=False)[number::SETS] * lengths[-1]
    return [_cut(paragraphs[int(np.searchsorted(lengths, start)) :], n_words) for start in starts]


def _paragraphs(novel: str) -> list[str]:
    """Return the paragraphs of a wrapped novel: a short line that ends a sentence ends one."""
    found: list[str] = []
    lines: list[str] = []
    for line in map(str.strip, novel.splitlines()):
        if line:
            lines.append(line)
        if lines and (not line or (len(line) < 58 and regex.search(r"[.?!][\"')\]]*$", line))):
            found.append(" ".join(" ".join(lines).split()))
            lines = []
    return found


def _cut(paragraphs: Sequence[str], n_words: int) -> str:
    kept: list[str] = []
    size = 0
    for paragraph in paragraphs:
        sentences = regex.split(r"(?<=[.?!][\"']?) (?=[\"'A-Z])", paragraph)
        own: list[str] = []
        for sentence in sentences:
            if size >= n_words:
                break
            own.append(sentence)
            size += len(sentence.split())
        if own:
            kept.append(" ".join(own))
        if size >= n_words:
            break
    return "\n".join(kept)


def _file(text: str) -> str:
    """Return a file with one paragraph per line and blank lines between paragraphs."""
    return text.replace("\n", "\n\n") + "\n"


def _quotes(opening: str, closing: str) -> Convert:
    """Replace straight double quotation marks by pairs."""

    def convert(text: str) -> str:
        text = regex.sub(r'(?<![^\s(\[—-])"', opening, text)
        return text.replace('"', closing)

    return convert


def _curly(text: str) -> str:
    text = _quotes("“", "”")(text)
    return re.sub(r"(?<![^\s(\[“—-])'", "‘", text).replace("'", "’")


def _wrapped(text: str) -> str:
    """Wrap lines, and lose the blank lines between paragraphs."""
    return "\n".join(textwrap.fill(" ".join(text.split("\n")), 70).split("\n"))


def _hyphenated(hyphen: str) -> Convert:
    """Wrap lines at 60 characters and break long words at the ends of lines."""

    def convert(text: str) -> str:
        wrapped = []
        for paragraph in text.split("\n"):
            lines, line = [], ""
            for word in paragraph.split():
                room = 59 - len(line)
                if len(line) + 1 + len(word) <= 60:
                    line = f"{line} {word}".strip()
                elif room > 4 and len(word) > 7 and word.isalpha():
                    at = min(room - 2, len(word) - 3)
                    lines.append(f"{line} {word[:at]}{hyphen}".strip())
                    line = word[at:]
                else:
                    lines.append(line)
                    line = word
            wrapped.append("\n".join([*lines, line]))
        return "\n\n".join(wrapped)

    return convert


def _italics(text: str) -> str:
    return re.sub(r"(?<= )(very|never|must|not|he|she|I|you)(?= )", r"_\1_", text)


def _headings(text: str) -> str:
    first, _, rest = text.partition("\n")
    return f"CHAPTER XII.\nTHE STORM BREAKS AT LAST\n{first}\n{rest}"


def _sentence_per_line(text: str) -> str:
    return "\n".join(regex.split(r"(?<=[.?!][\"']?) +(?=[\"'A-Z])", text))


def _long_s(text: str) -> str:
    return re.sub(r"s(?=[^\W\d_])", "ſ", text)


def _no_punctuation(text: str) -> str:
    return re.sub(r" +", " ", re.sub(r"[^\w\s']|(?<!\w)'|'(?!\w)", " ", text))


@dataclass(frozen=True)
class Convention:
    """A convention of an edition.

    Attributes
    ----------
    convert : callable
        Puts the convention on a text with one paragraph per line.
    as_file : callable
        Writes such a text as a file.
    can_be_normalised : bool
        Otherwise, a caveat must accompany every answer.
    """

    convert: Convert
    as_file: Convert = _file
    can_be_normalised: bool = True


CONVENTIONS: Mapping[str, Convention] = {
    "none": Convention(str),
    "curly quotes and apostrophes": Convention(_curly),
    "curly apostrophes inside words only": Convention(
        lambda text: regex.sub(r"(?<=\p{L})'(?=\p{L})", "’", text)
    ),
    "single for double quotes": Convention(lambda text: text.replace('"', "'")),
    "guillemets": Convention(_quotes("«\u00a0", "\u00a0»")),
    "low-high quotes": Convention(_quotes("„", "“")),
    "no-break space after Mr, a, of, I": Convention(
        lambda text: regex.sub(r"\b(Mr\.|Mr|Mrs\.|a|of|I) ", "\\1\u00a0", text)
    ),
    "no-break spaces only": Convention(lambda text: text.replace(" ", "\u00a0")),
    "two spaces after a sentence": Convention(
        lambda text: regex.sub(r"(?<=[.?!]) ", "\u00a0 ", text)
    ),
    "soft hyphens": Convention(
        lambda text: regex.sub(r"\b(\p{L}{3})(\p{L}{3,})", "\\1\u00ad\\2", text)
    ),
    "zero-width spaces": Convention(lambda text: text.replace(" ", " \u200b")),
    "ligatures": Convention(
        lambda text: (
            text.replace("ffi", "ﬃ").replace("ff", "ﬀ").replace("fi", "ﬁ").replace("fl", "ﬂ")
        )
    ),
    "full-width punctuation": Convention(
        lambda text: text.translate(str.maketrans(",!?;:", "，！？；："))
    ),
    "spaced en dashes": Convention(lambda text: regex.sub(r" ?(--+|—) ?", " – ", text)),
    "em dashes without spaces": Convention(lambda text: regex.sub(r" ?--+ ?", "—", text)),
    "ellipsis characters": Convention(lambda text: text.replace("...", "…").replace(". . .", "…")),
    "italics by underscores": Convention(_italics),
    "chapter headings in capitals": Convention(_headings),
    "long s": Convention(_long_s),
    "wrapped, hyphens at line ends": Convention(_hyphenated("-"), str),
    "wrapped, ¬ at line ends": Convention(_hyphenated("¬"), str),
    "paragraphs lost (wrapped without blank lines)": Convention(
        str, _wrapped, can_be_normalised=False
    ),
    "paragraphs lost (one line)": Convention(
        lambda text: " ".join(text.split("\n")), _file, can_be_normalised=False
    ),
    "one sentence per line": Convention(
        _sentence_per_line, lambda text: text + "\n", can_be_normalised=False
    ),
    "all lower case": Convention(str.lower, can_be_normalised=False),
    "all capitals": Convention(str.upper, can_be_normalised=False),
    "no punctuation": Convention(_no_punctuation, can_be_normalised=False),
}


def _result(
    convention: str,
    number: int,
    known: Passages,
    questioned: Passages,
    options: argparse.Namespace,
) -> dict[str, Any]:
    name = regex.sub(r"[^a-z0-9]+", "-", convention).strip("-")
    kept = options.keep and options.keep / f"{name}-{number}.json"
    if kept and kept.exists():
        stored: dict[str, Any] = json.loads(kept.read_text(encoding="utf-8"))
        return stored
    result = _attribute(CONVENTIONS[convention], known, questioned, options)
    if kept:
        kept.parent.mkdir(parents=True, exist_ok=True)
        kept.write_text(json.dumps(result), encoding="utf-8")
    return result


def _attribute(
    convention: Convention, known: Passages, questioned: Passages, options: argparse.Namespace
) -> dict[str, Any]:
    """Train on files with the convention for every other author, and attribute all passages."""
    plain = Convention(str)
    by_author = {
        author: convention if number % 2 == 0 else plain for number, author in enumerate(known)
    }
    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore", BylineWarning)
        root = Path(folder, "known")
        for author, passages in known.items():
            _write(root / author, passages, by_author[author])
        corpus = read_corpus(root, ReadingOptions(normalization=options.normalize))
        attributor = StackedAttributor(n_jobs=options.jobs, normalization=options.normalize)
        attributor.fit(corpus.texts, corpus.authors, groups=corpus.works)
        attributor.set_line_rules(corpus.line_rules)
        reading = reading_options(attributor)
        result: dict[str, Any] = {"n": sum(map(len, questioned.values()))}
        for name in ("aligned", "crossed"):
            paths, authors = [], []
            for author, passages in questioned.items():
                is_own = (name == "aligned") == (by_author[author] is convention)
                written = _write(
                    Path(folder, name, author), passages, convention if is_own else plain
                )
                paths += written
                authors += [author] * len(written)
            texts = [read_text(path, reading) for path in paths]
            result[name] = _count(attributor, texts, authors)
    return result


def _write(folder: Path, passages: Sequence[str], convention: Convention) -> list[Path]:
    folder.mkdir(parents=True)
    paths = []
    for number, passage in enumerate(passages):
        path = folder / f"{number:02}.txt"
        path.write_text(convention.as_file(convention.convert(passage)), encoding="utf-8")
        paths.append(path)
    return paths


def _count(
    attributor: StackedAttributor, texts: Sequence[str], authors: Sequence[str]
) -> dict[str, Any]:
    answers = answer(attributor, texts, evidence=False)
    right, error_probabilities, n_caveats, n_declined = 0, [0.0], 0, 0
    codes: dict[str, int] = {}
    for found, author in zip(answers, authors, strict=True):
        n_caveats += bool(found.caveats)
        for caveat in found.caveats:
            codes[caveat.code] = codes.get(caveat.code, 0) + 1
        if found.declined is not None:
            n_declined += 1
            continue
        first = found.ranking[0]
        right += first.author == author
        if first.author != author and first.probability is not None:
            error_probabilities.append(first.probability)
    scores = attributor.base_classifier_scores(texts)
    columns = [list(map(str, attributor.classes_)).index(author) for author in authors]
    return {
        "right": right,
        "declined": n_declined,
        "with_caveat": n_caveats,
        "codes": codes,
        "highest_error": max(error_probabilities),
        "by_base_classifier": {
            name: int((own.argmax(axis=1) == columns).sum())
            for name, own in zip(attributor.base_classifiers_, scores, strict=True)
        },
    }


def _add_up(results: Sequence[Any]) -> Any:
    """Add up the counts of several sets of passages, and take the highest probability."""
    first = results[0]
    if isinstance(first, dict):
        names = dict.fromkeys(name for result in results for name in result)
        return {name: _add_up([each[name] for each in results if name in each]) for name in names}
    return max(results) if isinstance(first, float) else sum(results)


def _row(convention: str, result: Mapping[str, Any]) -> str:
    aligned, crossed = result["aligned"], result["crossed"]
    bases = " / ".join(map(str, crossed["by_base_classifier"].values()))
    declined = f" ({crossed['declined']} declined)" if crossed["declined"] else ""
    highest = max(aligned["highest_error"], crossed["highest_error"])
    caveats = aligned["with_caveat"] + crossed["with_caveat"]
    return (
        f"| {convention} | {aligned['right']} | {crossed['right']}{declined} | {bases} "
        f"| {caveats} of {2 * result['n']} | {100 * highest:.0f} % |"
    )


if __name__ == "__main__":
    main()
