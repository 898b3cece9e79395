"""Caveats that follow from the known texts: shared passages, unequal amounts, single works."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from statistics import median

from byline.attribution.caveats.caveat import Caveat
from byline.attribution.training_record.record import TrainingRecord
from byline.attribution.training_record.shared_passages import SharedPassages
from byline.formatting import isolated, join_names, number, percent, quantity
from byline.typography.scripts import count_words, format_word_count

# No held-out Federalist essay, post or novel shares a passage of this length with other texts by
# one author. Of news articles, which repeat paragraphs from one day to the next, 4 in 10 do.
LONG_PASSAGE = 25  # words
_LARGE_SHARE = 0.1  # of the text, in shared passages
_RELIABLE_PASSAGE = 15  # words: passages of this length are always found
_FEW_WORDS = 0.2  # of the median of the candidates, as in `byline corpus check`
_MAX_EXCERPT = 400  # characters of the longest passage that are quoted


def shared_passage_caveats(text: str, known: TrainingRecord) -> Iterator[Caveat]:
    """Find candidates whose known texts contain passages of a questioned text word for word."""
    shared = known.passages_shared_with(text)
    for author in sorted(known.authors, key=lambda name: -shared.share(name)):
        if _is_substantial(shared, author):
            yield _shared_passages(text, shared, author)


def _is_substantial(shared: SharedPassages, author: str) -> bool:
    longest = max((passage.n_words for passage in shared.of(author)), default=0)
    is_large_share = shared.share(author) >= _LARGE_SHARE and longest >= _RELIABLE_PASSAGE
    return longest >= LONG_PASSAGE or is_large_share


def _shared_passages(text: str, shared: SharedPassages, author: str) -> Caveat:
    passages = shared.of(author)
    longest = passages[0]
    passage = " ".join(text[longest.start : longest.end].split())
    excerpt = passage if len(passage) <= _MAX_EXCERPT else passage[:_MAX_EXCERPT] + " …"
    share = shared.share(author)
    how_many = quantity(len(passages), "passage of the text is", "passages of the text are")
    which = "It has" if len(passages) == 1 else "The longest has"
    length = format_word_count(count_words(passage), passage)
    return Caveat(
        "shared-passages",
        f"{how_many} also in the known texts by {isolated(author)}, word for word, and in those of "
        f"no other candidate ({percent(share)} of the text). {which} {length}: "
        f"“{isolated(excerpt)}” Quoted or copied passages show their source, not the author's "
        "style. Remove them and repeat the attribution.",
        {
            "author": author,
            "n_passages": len(passages),
            "n_words": longest.n_words,
            "share": share,
            "passage": excerpt,
            "start": longest.start,
            "end": longest.end,
        },
    )


def training_amount_caveats(amounts: Mapping[str, int]) -> Iterator[Caveat]:
    """Find candidates with far fewer words of known text than the others.

    Parameters
    ----------
    amounts : mapping of author to int
        Number of words of known text.
    """
    typical = median(amounts.values())
    few = sorted((n, author) for author, n in amounts.items() if n < _FEW_WORDS * typical)
    if few:
        names = join_names([f"{isolated(author)} ({quantity(n, 'word')})" for n, author in few])
        has = "has" if len(few) == 1 else "have"
        yield Caveat(
            "few-known-words",
            f"{names} {has} far less known text than the other candidates (median "
            f"{number(typical, 0)} words). A style cannot be estimated well from so little text, "
            "so the answer is less certain for such a candidate.",
            {"authors": [author for _, author in few], "n_words": [n for n, _ in few]},
        )


def single_work_caveats(known: TrainingRecord) -> Iterator[Caveat]:
    """Find candidates by whom only one work is known."""
    single = [author for author in known.authors if known.n_works(author) == 1]
    if single:
        yield Caveat(
            "single-work",
            f"Only one work is known by {join_names(list(map(isolated, single)))}. It could not be "
            "held out, so that the accuracy for such a candidate is unknown, and the answer may "
            "depend on the subject of the work.",
            {"authors": single},
        )
