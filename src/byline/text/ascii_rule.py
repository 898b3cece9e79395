"""How many letters the word rule of Ge & Sun (2016) drops, because it knows only ASCII."""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from byline.errors import BylineWarning
from byline.formatting import join_names, percent

# English texts have a few foreign names; French, the least affected of the languages with accents,
# has accents on 3 to 4 % of its letters, and the rule divides each of these words.
_MAX_LOST_SHARE = 0.01


def lost_shares(texts_by_author: Mapping[str, Iterable[str]]) -> dict[str, float]:
    """Return the share of letters that the rule drops, for each author of whom it drops many.

    Parameters
    ----------
    texts_by_author : mapping of str to iterable of str

    Examples
    --------
    >>> lost_shares({"Ada": ["The loom hums all day."], "Éva": ["Hűs ág."]})
    {'Éva': 0.4}
    """
    shares = {
        author: _lost_share(sum(map(_count_letters, texts), Counter()))
        for author, texts in texts_by_author.items()
    }
    return {author: share for author, share in shares.items() if share > _MAX_LOST_SHARE}


def warn_of_lost_letters(shares: Mapping[str, float], advice: str) -> None:
    """Warn of the shares that `lost_shares` returned, if there are any.

    Warns
    -----
    BylineWarning
        The rule drops many letters of some texts.
    """
    if shares:
        listed = [f"{author} ({percent(share)})" for author, share in shares.items()]
        warnings.warn(
            "The word rule of Ge & Sun (2016) knows only unaccented Latin letters. It drops all "
            f"others and divides words there: share of letters that it drops: "
            f"{join_names(listed)}. {advice}",
            BylineWarning,
            stacklevel=3,
        )


def watch_for_lost_letters(texts: Iterable[str]) -> Iterator[str]:
    """Yield the texts, and warn at the end if the rule drops many of their letters.

    Warns
    -----
    BylineWarning
        As `warn_of_lost_letters` does.
    """
    letters: Counter[str] = Counter()
    for text in texts:
        letters += _count_letters(text)
        yield text
    lost = _lost_share(letters)
    if lost > _MAX_LOST_SHARE:
        warn_of_lost_letters({"the texts": lost}, 'Use another rule: word_rule="unicode".')


def _count_letters(text: str) -> Counter[str]:
    """Count all letters, and those that the rule keeps."""
    characters = Counter(text)
    letters = {each: n for each, n in characters.items() if each.isalpha()}
    kept = sum(n for each, n in letters.items() if each.isascii())
    return Counter(letters=sum(letters.values()), kept=kept)


def _lost_share(letters: Counter[str]) -> float:
    return 1 - letters["kept"] / letters["letters"] if letters["letters"] else 0.0
