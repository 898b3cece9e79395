"""Whether a questioned text names a candidate where authors are named."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from byline.attribution.cautions.caution import Caution
from byline.corpus.checking.own_names import find_own_name_lines
from byline.corpus.document import Document
from byline.corpus.names import isolated
from byline.corpus.signatures import find_own_name


def cautions_of_names(text: str, authors: Iterable[str]) -> Iterator[Caution]:
    """Say which candidates are named at a text's start or end, as by a title page or a signature.

    Parameters
    ----------
    text : str
    authors : iterable of str
        The candidates.
    """
    named = {author: name for author in authors if (name := _name(text, author))}
    for author, name in named.items():
        # "Charlotte Bronte" names none of her sisters.
        if not any(name != other and name in other for other in named.values()):
            yield Caution(
                "names-a-candidate",
                f"The name of {isolated(author)} stands at the start or end of the text "
                f"(“{isolated(name)}”), as on a title page or in a signature. It does not show who "
                "wrote the text, and it may have weighed in the answer: take it out and ask again.",
                {"author": author, "name": name},
            )


def _name(text: str, author: str) -> str | None:
    """Find a whole name at either end, or a surname in a line of its own: cities have surnames."""
    document = Document(author, text, path="")
    name = find_own_name(document)
    if name is None or len(name.split()) > 1 or find_own_name_lines(document):
        return name
    return None
