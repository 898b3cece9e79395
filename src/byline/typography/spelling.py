"""Recognise old spelling, and editions that print the long s as f.

The spelling of texts from before about 1850 is often the printer's, or was modernised by an editor.
It cannot be normalised without guessing, because the same letters may be another word. Each table
has words that are frequent in a language, in their old and in their modern spelling; what some
authors of the 19th century still chose for themselves, such as ``shew``, is in none of them.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from types import MappingProxyType

_WORD = re.compile(r"[^\W\d_]+")
# Modern texts have almost none of the old forms: of 7,324, one novel has 5 in 100.
_MIN_WORDS = 10
_MIN_DISTINCT = 3
_LEAST_OLD = 0.3
_MOST_OLD_IN_MODERN = 0.02


def _pairs(words: str) -> Mapping[str, str]:
    """Return the modern spelling by the old one, of ``old/modern`` pairs."""
    return MappingProxyType(dict(pair.split("/") for pair in words.split()))


# By language; a text is compared with the table that has most of its words.
_OLD = {
    "en": _pairs(
        "haue/have vpon/upon vnto/unto vs/us vp/up ouer/over euer/ever neuer/never euery/every "
        "loue/love giue/give liue/live moue/move selfe/self himselfe/himself themselues/themselves "
        "myselfe/myself leaue/leave aboue/above vnder/under vntill/until vntil/until vse/use "
        "hee/he shee/she wee/we doe/do goe/go beene/been bene/been onely/only owne/own iust/just "
        "ioy/joy thinke/think speake/speak keepe/keep looke/look finde/find kinde/kind minde/mind "
        "againe/again certaine/certain yeere/year yeeres/years beleeue/believe heere/here "
        "farre/far warre/war olde/old booke/book bloud/blood hart/heart sonne/son heauen/heaven "
        "eie/eye eies/eyes feare/fear heare/hear soule/soul poore/poor shal/shall wil/will "
        "publick/public musick/music antient/ancient compleat/complete cloaths/clothes"
    ),
    "fr": _pairs(
        "estoit/était étoit/était estoient/étaient étoient/étaient avoit/avait avoient/avaient "
        "avois/avais estois/étais étois/étais seroit/serait auroit/aurait auroient/auraient "
        "faisoit/faisait pouvoit/pouvait vouloit/voulait devoit/devait disoit/disait venoit/venait "
        "pourroit/pourrait voudroit/voudrait sçay/sais sçait/sait sçavoir/savoir sçavez/savez "
        "moy/moi toy/toi soy/soi luy/lui roy/roi loy/loi foy/foi ay/ai vray/vrai "
        "mesme/même mesmes/mêmes estre/être vostre/votre nostre/notre teste/tête feste/fête "
        "tousjours/toujours toûjours/toujours tost/tôt bien-tost/bientôt plustost/plutôt vn/un "
        "vne/une auoir/avoir auez/avez icy/ici ainsy/ainsi amy/ami "
        "connoître/connaître connoistre/connaître paroître/paraître tems/temps enfans/enfants"
    ),
    "de": _pairs(
        "seyn/sein seyd/seid bey/bei zwey/zwei drey/drei frey/frei beyde/beide beyden/beiden "
        "thun/tun gethan/getan theil/teil theile/teile theils/teils thür/tür thal/tal "
        "muth/mut rath/rat roth/rot werth/wert nöthig/nötig nothwendig/notwendig giebt/gibt "
        "gieng/ging fieng/fing hieng/hing seyen/seien eigenthum/eigentum thier/tier thiere/tiere "
        "unterthan/untertan vnd/und vnnd/und vns/uns vnter/unter auff/auf"
    ),
    "es": _pairs(
        "dixo/dijo dixe/dije dexar/dejar muger/mujer mugeres/mujeres baxo/bajo lexos/lejos "
        "vn/un vna/una assi/así assí/así hauer/haber auer/haber auia/había hazer/hacer haze/hace "
        "dezir/decir dize/dice desseo/deseo trabaxo/trabajo"
    ),
}
_LONG_S_AS_F = _pairs(
    "fuch/such fhall/shall fhould/should fhe/she moft/most muft/must firft/first almoft/almost "
    "againft/against becaufe/because thefe/these thofe/those himfelf/himself themfelves/themselves "
    "myfelf/myself itfelf/itself fome/some fo/so faid/said fince/since ftill/still "
    "laft/last beft/best perfon/person reafon/reason houfe/house whofe/whose ufe/use elfe/else "
    "prefent/present fmall/small ftate/state pleafure/pleasure confider/consider"
)


def find_spelling(text: str) -> str | None:
    """Return the spelling of a text, or None if the text does not show it.

    Returns
    -------
    {"modern", "old", "f-for-s"} or None

    Examples
    --------
    >>> find_spelling("He hath giuen vs his loue, and neuer wil I haue such a one againe. " * 3)
    'old'
    """
    counts = Counter(_WORD.findall(text.lower()))
    if _share(counts, _LONG_S_AS_F) >= _LEAST_OLD:
        return "f-for-s"
    table = max(_OLD.values(), key=lambda pairs: _n_words(counts, pairs))
    if _n_words(counts, table) < _MIN_WORDS:
        return None
    share = _share(counts, table)
    if share >= _LEAST_OLD:
        return "old"
    return "modern" if share <= _MOST_OLD_IN_MODERN else None


def _n_words(counts: Mapping[str, int], pairs: Mapping[str, str]) -> int:
    return sum(counts.get(word, 0) for word in {*pairs, *pairs.values()})


def _share(counts: Mapping[str, int], pairs: Mapping[str, str]) -> float:
    """Return how many of the words that have an old spelling are spelt so."""
    old = [counts[word] for word in pairs if word in counts]
    if len(old) < _MIN_DISTINCT:
        return 0.0
    ways = sum(old) + sum(counts.get(word, 0) for word in set(pairs.values()))
    return sum(old) / ways
