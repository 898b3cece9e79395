"""ARPA files are written and read back; malformed files are rejected."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from byline.errors import ModelFileError, OutputError, UsageError
from byline.lm import NgramLM
from byline.lm.arpa_format.lines import LOG_10
from byline.lm.arpa_format.reading import read_arpa
from byline.lm.arpa_format.writing import write_arpa

GOOD = r"""
\data\
ngram 1=5
ngram 2=3

\1-grams:
-99	<s>	-0.5
-0.6	</s>
-0.3	loom	-0.2
-0.9	<unk>	0
-1.25	étoffe

\2-grams:
-0.125	<s> loom
-0.4	loom étoffe
-0.75	loom </s>

\end\
"""
WORDS = st.text(
    st.characters(codec="utf-8", exclude_characters="\0\t\n\v\f\r "), min_size=1, max_size=4
)
Vocabularies = st.lists(
    WORDS.filter(lambda w: w not in {"<s>", "</s>", "<unk>"}), min_size=1, max_size=5, unique=True
)
relaxed = settings(
    deadline=None, max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    (tmp_path / "good.arpa").write_text(GOOD, encoding="utf-8", newline="")
    return tmp_path / "good.arpa"


def test_known_values(path: Path) -> None:
    words, model = read_arpa(path)
    assert words == ("<unk>", "loom", "étoffe")
    assert (model.order, model.vocabulary_size_, model.open_vocabulary) == (2, 3, True)
    loom, cloth = 1, 2
    scores = model.score_tokens([np.array([loom, cloth, cloth, 0], dtype=np.int32)])
    # <s> loom; loom étoffe; étoffe after étoffe: 0 - 1.25; <unk>: 0 - 0.9; </s>: 0 - 0.6
    expected = [-0.125, -0.4, -1.25, -0.9, -0.6]
    np.testing.assert_allclose(scores.log_probs / LOG_10, expected)
    assert scores.orders.tolist() == [2, 2, 1, 1, 1]
    # <unk> after loom: back-off weight -0.2
    assert model.log_distribution(np.array([loom]))[0] / LOG_10 == pytest.approx(-1.1)


@pytest.mark.parametrize(
    "change",
    [
        lambda text: text.replace("\n", "\r\n"),
        lambda text: text.replace("\t", " "),
        lambda text: text.replace(" loom", "\tloom"),
        lambda text: text.strip("\n"),
        lambda text: "made by hand\n" + text + "\n \n",
        lambda text: text.replace("-1.25\tétoffe\n", "-1.25\tétoffe\t0\n\n"),
        lambda text: text.replace("-0.3\t", "-3e-1\t").replace("1=5", " 1 = 5"),
    ],
    ids=["CRLF", "spaces", "tabs", "no blank at the ends", "comment", "blank line", "numbers"],
)
def test_equivalent_forms(path: Path, change: Callable[[str], str]) -> None:
    words, model = read_arpa(path)
    path.write_text(change(GOOD), encoding="utf-8", newline="")
    others, other = read_arpa(path)
    assert words == others
    for name in ("keys", "log_probs", "backoffs"):
        np.testing.assert_array_equal(getattr(model.tree_, name), getattr(other.tree_, name))


def test_gzip_is_recognised_by_content(path: Path) -> None:
    words, _ = read_arpa(path)
    path.write_bytes(gzip.compress(path.read_bytes(), mtime=0))
    assert read_arpa(path)[0] == words


def test_without_unk_or_sentence_boundaries(path: Path) -> None:
    text = GOOD.replace("-0.9\t<unk>\t0\n", "").replace("1=5", "1=4")
    path.write_text(text, encoding="utf-8")
    words, model = read_arpa(path)
    assert words[0] == "<unk>"
    assert not model.open_vocabulary
    assert model.token_log_probs(np.array([0], dtype=np.int32))[0] == -np.inf
    path.write_text("\\data\\\nngram 1=1\n\\1-grams:\n-0.5\tloom\n\\end\\")
    words, model = read_arpa(path)
    assert (model.sentence_start, model.sentence_end) == (False, False)
    assert model.n_events == 2
    for forms in ("-inf\t<unk>\t0", "-99\t<unk>\t0"):
        path.write_text(GOOD.replace("-0.9\t<unk>\t0", forms), encoding="utf-8")
        _, model = read_arpa(path)
        assert model.open_vocabulary == forms.startswith("-99")


BROKEN: list[tuple[str, str, int, str]] = [
    ("ngram 1=5", "ngram 1=6", 13, "5 1-grams are listed above, but \\data\\ declares 6"),
    (
        "ngram 1=5",
        "ngram 1=999999999999999999",
        13,
        "5 1-grams are listed above, but \\data\\ declares 99",
    ),
    ("ngram 2=3", "ngram 2=2", 18, "3 2-grams are listed above, but \\data\\ declares 2"),
    ("ngram 2=3", "ngram 3=3", 4, "the number of 2-grams"),
    ("ngram 2=3", "ngram 2=three", 4, "the form 'ngram 1=9'"),
    ("ngram 1=5\nngram 2=3\n", "", 4, "there is no line such as 'ngram 1=9'"),
    ("ngram 2=3\n", "", 6, "1 word; this one has more fields"),
    ("\\data\\\n", "", 5, "'\\\\1-grams:' was found instead of \\data\\"),
    ("\\1-grams:\n", "", 6, "the line must have the form"),
    ("\\2-grams:", "\\3-grams:", 13, "'\\\\3-grams:' was found instead of \\2-grams:"),
    ("\n\\end\\\n", "", 16, "the file ends before \\end\\"),
    ("-0.4", "-0.4x", 15, "a number was expected"),
    ("-0.4", "0.4", 15, "above zero"),
    ("-0.4", "nan", 15, "not a number"),
    ("-0.4", "-inf", 15, "minus infinity"),
    ("-0.3", "-inf", 9, "minus infinity"),
    ("\t-0.2", "\tinf", 9, "back-off weight is infinite"),
    ("\t-0.2", "\tnan", 9, "back-off weight is infinite"),
    ("loom étoffe", "loom", 15, "this one has fewer fields"),
    ("loom étoffe", "loom étoffe\t-0.1", 15, "this one has more fields"),
    ("loom étoffe", "loom loom étoffe", 15, "this one has more fields"),
    ("loom étoffe", "loom silk", 15, "'silk' has no 1-gram"),
    ("loom étoffe", "loom <s>", 15, "an n-gram ends in <s>"),
    ("loom étoffe", "<s> loom", 15, "the n-gram is listed twice"),
    ("étoffe\n\n", "loom\n\n", 11, "the n-gram is listed twice"),
    ("\\end\\\n", "\\end\\\nmore", 19, "there is text after \\end\\"),
    ("\\end\\\n", "\\end\\\n\\end\\", 19, "there is text after \\end\\"),
]


@pytest.mark.parametrize(("old", "new", "number", "reason"), BROKEN)
def test_the_error_names_the_malformed_line(
    path: Path, old: str, new: str, number: int, reason: str
) -> None:
    assert old in GOOD
    path.write_text(GOOD.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(ModelFileError) as caught:
        read_arpa(path)
    assert str(path) in str(caught.value)
    assert f"line {number}:" in str(caught.value)
    assert reason in str(caught.value)


def test_the_beginning_of_an_ngram_must_be_listed(path: Path) -> None:
    more = "\n\\3-grams:\n-0.1\tétoffe loom </s>\n\n\\end\\"
    text = GOOD.replace("ngram 2=3\n", "ngram 2=3\nngram 3=1\n").replace("\n\\end\\", more)
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ModelFileError, match=r"line 20: the first 2 words are not listed"):
        read_arpa(path)


def test_files_that_cannot_be_read_are_rejected(path: Path) -> None:
    for content, reason in [
        (b"", "line 1: the file ends before"),
        (b"no model", "line 1: the file ends before"),
        (gzip.compress(GOOD.encode(), mtime=0)[:-9], "ended before the end"),
        (gzip.compress(GOOD.encode(), mtime=0) + b"more", "gzip"),
        (b"\x1f\x8b\x08" + bytes(40), "cannot be read"),
        (b"\0" * 3_000_000, "longer than one mebibyte"),
        (GOOD.encode("latin-1"), "line 11: '\\\\xe9toffe' is not UTF-8"),
    ]:
        path.write_bytes(content)
        with pytest.raises(ModelFileError) as caught:
            read_arpa(path)
        assert reason in str(caught.value)
        assert str(path) in str(caught.value)
    with pytest.raises(ModelFileError, match="No such file"):
        read_arpa(path.with_name("none.arpa"))
    with pytest.raises(ModelFileError):
        read_arpa(path.parent)


@relaxed
@given(data=st.data())
def test_a_damaged_file_is_rejected_or_gives_a_model(data: st.DataObject, path: Path) -> None:
    content = bytearray(GOOD.encode())
    for _ in range(data.draw(st.integers(1, 3))):
        position = data.draw(st.integers(0, len(content) - 1))
        length = data.draw(st.integers(0, 20))
        content[position : position + length] = data.draw(
            st.binary(max_size=3) | st.sampled_from([b"\n", b"\t", b"-", b"\\end\\", b"nan", b"9"])
        )
    path.write_bytes(content)
    try:
        words, model = read_arpa(path)
    except ModelFileError as error:
        assert str(path) in str(error)
    else:
        everything = np.arange(len(words), dtype=np.int32)
        assert not np.isnan(model.score_tokens([everything, everything[::-1]]).log_probs).any()


@relaxed
@given(data=st.data(), vocabulary=Vocabularies, order=st.integers(1, 4))
def test_a_model_that_is_written_and_read_back_is_unchanged(
    data: st.DataObject, vocabulary: list[str], order: int, path: Path
) -> None:
    words = ("<unk>", *vocabulary, "zz-never-seen")
    ids = st.integers(0, len(vocabulary))
    texts = data.draw(st.lists(st.lists(ids, max_size=6), min_size=1, max_size=8))
    texts.append([1, 1])
    sentences = [np.array(text, dtype=np.int32) for text in texts]
    model = NgramLM(
        order=order,
        smoothing=data.draw(st.sampled_from(["modified-kneser-ney", "witten-bell"])),
        open_vocabulary=data.draw(st.booleans()),
        sentence_start=data.draw(st.booleans()),
        sentence_end=data.draw(st.booleans()),
    )
    model.fit(sentences, vocabulary_size=len(words))
    name = data.draw(st.sampled_from(["one.arpa", "one.arpa.gz"]))
    one, two = path.with_name(name), path.with_name("two.arpa.gz" if "gz" in name else "two.arpa")
    write_arpa(one, model, words)
    read_words, restored = read_arpa(one)
    write_arpa(two, restored, read_words)
    assert one.read_bytes() == two.read_bytes()

    renumbered = [read_words.index(word) if word in read_words else 0 for word in words]
    again = [np.array([renumbered[i] for i in text], dtype=np.int32) for text in texts]
    expected, found = model.score_tokens(sentences), restored.score_tokens(again)
    np.testing.assert_allclose(found.log_probs, expected.log_probs, rtol=1e-8, atol=1e-8)
    if model.open_vocabulary:
        assert read_words == words
    for before in ([], [1], [1, 1]):
        np.testing.assert_allclose(
            model.log_distribution(np.array(before, dtype=np.int32)),
            _in_order_of(words, model, restored, read_words, before),
            rtol=1e-8,
            atol=1e-8,
        )


def _in_order_of(
    words: tuple[str, ...],
    model: NgramLM,
    restored: NgramLM,
    read_words: tuple[str, ...],
    ids: list[int],
) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """Return the distribution of the restored model in the order of the original words."""
    context = np.array([read_words.index(words[i]) for i in ids], dtype=np.int32)
    found = dict(zip([*read_words, "</s>"], restored.log_distribution(context), strict=False))
    names = [*words, "</s>"][: model.n_events]
    return np.array([found.get(name, -np.inf) for name in names])


def test_invalid_words_cannot_be_written(path: Path) -> None:
    model = NgramLM(order=1, smoothing="witten-bell")
    model.fit([np.array([1, 1, 2], dtype=np.int32)], vocabulary_size=3)
    for word in ("two words", "tab\t", "line\n", "\r", "", "<s>", "</s>", "nul\0", "half \ud800"):
        with pytest.raises(UsageError, match="cannot be written to an ARPA file"):
            write_arpa(path, model, ("<unk>", "one", word))
    for words in (("<unk>", "one"), ("one", "<unk>", "two"), ("<unk>", "one", "one")):
        with pytest.raises(UsageError):
            write_arpa(path, model, words)
    assert path.read_text(encoding="utf-8") == GOOD
    write_arpa(path, model, ("<unk>", "one\u00a0kilo", "\u2028"))
    assert read_arpa(path)[0] == ("<unk>", "one\u00a0kilo", "\u2028")
    with pytest.raises(OutputError, match="cannot write"):
        write_arpa(path.parent, model, ("<unk>", "a", "b"))
    with pytest.raises(OutputError, match="no/model"):
        write_arpa(path.parent / "no" / "model", model, ("<unk>", "a", "b"))
