"""How the text of files is read: known and questioned texts must be read alike."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from byline.corpus.extraction import Keep
from byline.corpus.line_joining import LineJoiner
from byline.errors import UsageError
from byline.typography import Normalization
from byline.typography.lines import LineRules


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadingOptions:
    r"""How the text of files is read.

    Attributes
    ----------
    keep : collection of Keep or str
        What to keep that is not running text: notes, stage directions.
    normalization : str or Normalization
        Its rules ``line-wrapping`` and ``line-end-hyphens`` join lines and divided words.
    line_rules : LineRules or None
        The rules of other texts, by which lines become paragraphs. For a questioned text, these are
        ``line_rules`` of the known texts. If None, the texts that are read decide.

    See Also
    --------
    byline.corpus.read_corpus : Reads known texts.
    byline.corpus.read_text : Reads a questioned text.

    Examples
    --------
    >>> from byline.corpus import extract_text
    >>> options = ReadingOptions(normalization="none")
    >>> extract_text(b"The river\nrose.", "letter.txt", options).text
    'The river\n\nrose.'
    """

    keep: Collection[Keep | str] = ()
    normalization: str | Normalization = "edition"
    line_rules: LineRules | None = None

    def __post_init__(self) -> None:
        _ = self.kinds  # raises an error for an unknown kind, even if no file is read

    @property
    def kinds(self) -> frozenset[Keep]:
        """The kinds of content to keep (`UsageError` for an unknown one)."""
        kept = (self.keep,) if isinstance(self.keep, str) else self.keep
        try:
            return frozenset(map(Keep, kept))
        except (TypeError, ValueError) as error:
            raise UsageError(
                f"keep has an unknown value: {error}. Possible values are {', '.join(Keep)}."
            ) from error

    def joiner(self, texts: Sequence[str]) -> LineJoiner:
        """Return what joins the lines of texts that belong together."""
        return LineJoiner(texts, normalization=self.normalization, rules=self.line_rules)


DEFAULT_OPTIONS = ReadingOptions()
