"""What the known texts themselves give reason to say."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from statistics import median

from byline.attribution.caveats.caveat import Caveat
from byline.attribution.training_record.record import TrainingRecord
from byline.attribution.training_record.shared_passages import SharedPassages
from byline.corpus.scripts import count_words, format_word_count
from byline.formatting import isolated, join_names, percent, quantity

# Of held-out Federalist essays, posts and novels none shares a passage of so many words with other
# texts of an author; of news, where paragraphs come again from one day to the next, 4 in 10 do.
LONG_PASSAGE = 25
_MUCH_SHARED = 0.1  # of the text, in passages that are found for sure
_FOUND_FOR_SURE = 15
_FEW = 0.2  # of what the middle author has, as in the check of a corpus
_EXCERPT = 400  # characters of the longest passage that are shown


def shared_passage_caveats(text: str, known: TrainingRecord) -> Iterator[Caveat]:
    """Say whose known texts a questioned text has passages of, word for word."""
    shared = known.passages_shared_with(text)
    for author in sorted(known.authors, key=lambda name: -shared.share(name)):
        if _decides(shared, author):
            yield _passages(text, shared, author)


def _decides(shared: SharedPassages, author: str) -> bool:
    longest = max((passage.n_words for passage in shared.of(author)), default=0)
    much = shared.share(author) >= _MUCH_SHARED and longest >= _FOUND_FOR_SURE
    return longest >= LONG_PASSAGE or much


def _passages(text: str, shared: SharedPassages, author: str) -> Caveat:
    passages = shared.of(author)
    longest = passages[0]
    passage = " ".join(text[longest.start : longest.end].split())
    excerpt = passage if len(passage) <= _EXCERPT else passage[:_EXCERPT] + " …"
    share = shared.share(author)
    many = quantity(len(passages), "passage stands", "passages stand")
    size = "one" if len(passages) == 1 else "the longest"
    length = format_word_count(count_words(passage), passage)
    return Caveat(
        "shared-passages",
        f"{many} word for word in known texts of {isolated(author)} and of no other candidate, "
        f"{percent(share)} of the text, {size} of {length}: “{isolated(excerpt)}” "
        "There, who is quoted or copied decides, not style; leave them out and ask again.",
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
    """Say which authors have far less known text than the others.

    Parameters
    ----------
    amounts : mapping of author to int
        Words of known text.
    """
    middle = median(amounts.values())
    few = sorted((n, author) for author, n in amounts.items() if n < _FEW * middle)
    if few:
        names = join_names([f"{isolated(author)} ({n:,} words)" for n, author in few])
        has = "has" if len(few) == 1 else "have"
        yield Caveat(
            "little-known-text",
            f"{names} {has} far less known text than the others, of whom the middle one has "
            f"{middle:,.0f} words: of so little, habits are learnt poorly, and the answer is less "
            "sure where they are concerned.",
            {"authors": [author for _, author in few], "n_words": [n for n, _ in few]},
        )


def single_work_caveats(known: TrainingRecord) -> Iterator[Caveat]:
    """Say of which authors a single work is known."""
    single = [author for author in known.authors if known.n_works(author) == 1]
    if single:
        whose = join_names(list(map(isolated, single)))
        yield Caveat(
            "single-work",
            f"A single work is known of {whose}. Parts of it were held out of each other in its "
            "place, so what the method is said to do for such an author is flattered: it may know "
            "the work by its subject.",
            {"authors": single},
        )
