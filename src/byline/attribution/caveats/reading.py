"""Caveats about how a questioned text was read: left-out passages, damage, another language."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict

from byline.attribution.caveats.caveat import Caveat
from byline.corpus.checking.languages import find_other_language
from byline.corpus.checking.mojibake import find_mojibake, find_unrecoverable_characters
from byline.corpus.document import Document
from byline.corpus.questioned import LeftOutPart
from byline.formatting import isolated, quantity

# By the codes of all findings that are left out of questioned texts.
_WHAT = {
    "gutenberg": "header or licence of Project Gutenberg",
    "editors-line": "editors' lines",
    "licence": "copyright notices",
    "credit-line": "credit lines",
    "email-headers": "e-mail headers",
    "quoted-lines": "quoted lines",
    "email-signature": "signature",
    "email-disclaimer": "disclaimer",
    "page-header": "page headers",
}
_MAX_EXAMPLE = 30  # characters


def reading_caveats(
    text: str, *, language: str, left_out: Sequence[LeftOutPart] = ()
) -> tuple[Caveat, ...]:
    """Find what a reader should know about how a questioned text was read.

    Parameters
    ----------
    text : str
        The questioned text, before it is normalised.
    language : str
        The code of the language in which the text is processed.
    left_out : sequence of LeftOutPart
        What was left out of the text.

    Examples
    --------
    >>> [caveat.code for caveat in reading_caveats("It was dÃ©jÃ  vu.", language="en")]
    ['damaged-characters']
    """
    return (*_left_out(left_out), *_damaged(text), *_other_language(text, language))


def _left_out(parts: Sequence[LeftOutPart]) -> Iterator[Caveat]:
    if not parts:
        return
    listed = "; ".join(
        f"{_WHAT[part.code]} ({quantity(part.n_words, 'word')}, for example: "
        f"“{isolated(part.example)}”)"
        for part in parts
    )
    yield Caveat(
        "text-left-out",
        f"Passages that the author of the text probably did not write were left out: {listed}. "
        "The answer is about the rest. If the author wrote them, repeat the analysis and keep "
        "them (setting keep: quotations or boilerplate).",
        {"parts": [asdict(part) for part in parts]},
    )


def _damaged(text: str) -> Iterator[Caveat]:
    document = Document("", text, path="")
    # Entities of HTML are not damage: normalisation replaces them.
    edits = [edit for edit in find_mojibake(document) if edit.code != "html-entity"]
    lost = find_unrecoverable_characters(document)
    if edits or lost:
        places = sorted([*(edit.start for edit in edits), *lost])
        example = " ".join(text[max(0, places[0] - 10) : places[0] + _MAX_EXAMPLE].split())
        yield Caveat(
            "damaged-characters",
            f"The text has {quantity(len(places), 'place')} with damaged characters, such as "
            f"“{isolated(example)}”, from a wrong encoding or an export. Words with them count as "
            "other words. Correct the text and repeat the analysis.",
            {"n": len(places), "example": example},
        )


def _other_language(text: str, language: str) -> Iterator[Caveat]:
    found = find_other_language([text], language)
    if found is not None:
        yield Caveat(
            "other-language",
            f"The text appears to be in another language ({found[0]}) than the known texts "
            f"({language}). Authors cannot be compared across languages.",
            {"language": found[0], "expected": language},
        )
