from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import pytest

from byline.corpus import ExtractedText, ReadingOptions, extract_text, read_text
from byline.corpus.readers import pandoc
from byline.errors import CorpusError, MissingExtraError

pytest.importorskip("lxml")
needs_pandoc = pytest.mark.skipif(not find_spec("pypandoc"), reason="needs pypandoc-binary")

LATEX = r"""% A comment about everything
\documentclass{article}
\newcommand{\say}[1]{``#1''}
\title{The River}\author{Ann Brook \and Ben Alder}
\begin{document}
\maketitle
\begin{abstract}Nobody came.\end{abstract}
\section{The flood}\label{s}
She said \say{hello}, \emph{twice}---and % another comment
\unknown{these two words} left \cite{smith} in Section~\ref{s}.\footnote{Seven boats.}

It rose by $x^2$ metres.
\begin{lstlisting}
int x;
\end{lstlisting}
\begin{tabular}{ll}a & b\\ c & d\end{tabular}
\input{chapter2}
\begin{thebibliography}{9}\bibitem{smith} Smith, A book.\end{thebibliography}
\end{document}
"""
RST = """
:Author: Ann Brook

The flood
=========

It *rose* at :ref:`night <x>`, near `the bridge <http://a.org>`_. [1]_

.. comment words

.. note:: Nobody came.

.. code-block:: python

   x = 1

=====  =====
A      B
=====  =====
c      d
=====  =====

.. [1] Seven boats.
"""


def excluded(extracted: ExtractedText) -> dict[str, int]:
    return {part.kind: part.n for part in extracted.excluded}


@needs_pandoc
def test_latex_is_read_without_commands_comments_and_preamble() -> None:
    found = extract_text(LATEX.encode(), "a.tex")
    assert found.text.split("\n\n") == [
        "Nobody came.",
        "The flood",
        "She said “hello”, twice—and left in Section\xa0.",
        "It rose by metres.",
    ]
    assert (found.author, found.title) == ("Ann Brook and Ben Alder", "The River")
    assert excluded(found) == {
        "references": 1, "tables": 1, "formulas": 1, "cross-references": 1, "unknown commands": 1,
        "program code": 1, "footnotes": 1,
    }  # fmt: skip
    assert r"\unknown{these two words}" in [part.example for part in found.excluded]
    assert found.warnings == ("a.tex: 1 part is in other files and not read",)
    assert (
        "Seven boats." in extract_text(LATEX.encode(), "a.tex", ReadingOptions(keep=["notes"])).text
    )
    assert extract_text(LATEX.encode(), "standard input").text == found.text


@needs_pandoc
def test_restructured_text_is_read_without_markup() -> None:
    found = extract_text(RST.encode(), "a.rst")
    assert found.text.split("\n\n") == [
        "The flood",
        "It rose at night <x>, near the bridge.",
        "Nobody came.",
    ]
    assert excluded(found) == {"tables": 1, "program code": 1, "footnotes": 1}


@needs_pandoc
def test_pandoc_reads_no_other_file(tmp_path: Path) -> None:
    (tmp_path / "secret.tex").write_text("secret words")
    (tmp_path / "a.tex").write_text(rf"It rose. \input{{{tmp_path}/secret}}")
    with pytest.warns(UserWarning, match="1 part is in other files and not read"):
        assert read_text(tmp_path / "a.tex") == "It rose."


@needs_pandoc
def test_a_document_that_defines_a_text_of_any_length_is_an_error(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    looping = r"\newcommand{\a}{\a\a}\a"
    with pytest.raises(CorpusError, match=r"^a\.tex cannot be read by pandoc \(Loop encountered"):
        extract_text(looping.encode(), "a.tex")
    monkeypatch.setattr(pandoc, "MAX_SECONDS", 0.001)
    with pytest.raises(CorpusError, match=r"^a\.tex cannot be read: it takes more time or memory"):
        extract_text(b"It rose.", "a.tex")
    monkeypatch.undo()
    monkeypatch.setattr(pandoc, "_MAX_MEMORY", "1m")
    with pytest.raises(CorpusError, match=r"^a\.tex cannot be read: it takes more time or memory"):
        extract_text(b"It rose. " * 100_000, "a.tex")


def test_without_pandoc_the_error_states_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pandoc, "find_spec", lambda _: None)
    with pytest.raises(MissingExtraError, match=r"^Reading a\.tex requires pandoc\. .*\[formats\]"):
        extract_text(LATEX.encode(), "a.tex")
