"""Fuzz ARPA files, plain or gzip: read, score and write them."""

from __future__ import annotations

import gzip
import random
import tempfile
from pathlib import Path

import numpy as np
from harness import FindingError, fuzz, instrumented, on_a_line

with instrumented():
    from byline.lm.arpa_format.reading import read_arpa
    from byline.lm.arpa_format.writing import write_arpa

from byline.errors import UsageError

ARPA = b"""
\\data\\
ngram 1=5
ngram 2=3
ngram 3=1

\\1-grams:
-1.0\t<unk>
-99\t<s>\t-0.3
-0.7\t</s>
-0.9\triver\t-0.2
-1.1\trose\t-0.1

\\2-grams:
-0.4\t<s> river\t-0.1
-0.5\triver rose\t0
-0.6\trose </s>

\\3-grams:
-0.2\t<s> river rose

\\end\\
"""
CLOSED = b"\\data\\\nngram 1=1\n\n\\1-grams:\n-0.1 a\n\n\\end\\\n"
FIELDS = [
    *(
        b"",
        b"0",
        b"-1",
        b"1e308",
        b"-1e308",
        b"1e-320",
        b"inf",
        b"-inf",
        b"nan",
        b"9" * 400,
        b"1_0",
    ),
    *(b"<s>", b"</s>", b"<unk>", b"river", b"b c", b"\xff", b"\xed\xa0\x80", b"a" * 5000, b"ngram"),
]
FOLDER = tempfile.TemporaryDirectory()
ROUNDING = 1e-6


def read(data: bytes) -> None:
    """Read a model; if it is accepted, it must give scores, and be the same after writing.

    The back-off weights in a file may be above one, so probabilities may be above one, too.
    """
    path = Path(FOLDER.name) / "model.arpa"
    path.write_bytes(data)
    words, model = read_arpa(path)
    sentences = [np.arange(min(len(words), 8), dtype=np.int32)]
    log_probs = model.score_tokens(sentences).log_probs
    if not (log_probs < np.inf).all():
        raise FindingError(f"log-probabilities {log_probs}")
    try:
        write_arpa(path, model, words)
    except UsageError:  # a word that cannot be written
        return
    again = read_arpa(path)[1].score_tokens(sentences).log_probs
    if not np.allclose(log_probs, again, rtol=ROUNDING, atol=ROUNDING):
        raise FindingError(f"{log_probs} became {again} after writing")


def change_field(line: bytes, chance: random.Random) -> bytes:
    """Replace a field in a line of an ARPA file."""
    fields = line.replace(b" ", b"\t").split(b"\t")
    fields[chance.randrange(len(fields))] = chance.choice(FIELDS)
    return chance.choice((b"\t", b" ")).join(fields)


if __name__ == "__main__":
    seeds = [ARPA, CLOSED, gzip.compress(ARPA, mtime=0), ARPA.replace(b"<s>", b"b")]
    fuzz(read, seeds, on_a_line(change_field))
