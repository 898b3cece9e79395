"""Turn the lines of plain texts that belong together into paragraphs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from byline.corpus.extraction import ExcludedPart
from byline.typography import Normalization
from byline.typography.divided_words import WordJoiner
from byline.typography.lines import LineRules, unwrap


@dataclass(frozen=True, slots=True)
class JoinedText:
    """A text with one paragraph per line, and what was excluded when its lines were joined."""

    text: str
    excluded: tuple[ExcludedPart, ...] = ()


class LineJoiner:
    r"""Joins the lines of texts by the same rules, and the words that are divided between lines.

    Parameters
    ----------
    texts : sequence of str
        The texts that belong together, with the line breaks of their files.
    normalization : str or Normalization
        Words are joined by its rule ``line-end-hyphens``, and lines by ``line-wrapping``. Without
        the latter, every line is a paragraph.
    rules : LineRules, optional
        The rules of other texts, for example those that a model was trained on. By default, the
        texts themselves decide.

    Attributes
    ----------
    rules : LineRules

    Examples
    --------
    >>> joiner = LineJoiner(["A con-\nsiderable loss.", "Nobody thought it\nconsiderable."])
    >>> joiner.join("A con-\nsiderable loss.").text
    'A considerable loss.'
    """

    def __init__(
        self,
        texts: Sequence[str],
        *,
        normalization: str | Normalization = "edition",
        rules: LineRules | None = None,
    ) -> None:
        chosen = Normalization.parse(str(normalization)).rules
        self._wraps = "line-wrapping" in chosen
        self._words: WordJoiner | None = None
        divides_words = rules is not None and rules.divides_words
        if "line-end-hyphens" in chosen:
            self._words = WordJoiner(texts, divides_words=divides_words)
            divides_words = self._words.divides_words
        # Only the rule line-wrapping uses what the texts of a corpus have in common.
        used = texts if self._wraps else ()
        self.rules = rules or LineRules.of(used, divides_words=divides_words)

    def join(self, text: str) -> JoinedText:
        """Return a text with one paragraph per line, and a blank line between paragraphs."""
        excluded: tuple[ExcludedPart, ...] = ()
        if self._words is not None:
            joined = self._words.join(text)
            text = joined.text
            if joined.number:
                excluded = (ExcludedPart("hyphens at line ends", joined.number),)
        if self._wraps:
            return JoinedText(unwrap(text, self.rules), excluded)
        lines = filter(None, map(str.strip, text.splitlines()))
        return JoinedText("\n\n".join(lines), excluded)
