"""Numbers, percentages, lists and names, as every report, page and message shows them.

All functions return plain text: a hyphen as the minus sign, a space before ``%``. HTML pages pass
the text through `typographic`, which puts a proper minus sign and a space that does not break.
"""

from __future__ import annotations

import math
import os
import unicodedata
from collections.abc import Sequence
from pathlib import PurePath

import regex

MISSING = "–"  # shown in place of a value that does not exist
MAX_NAMES = 5
MEGABYTE = 1_000_000
# Below and above these, a probability is stated only as a bound.
LOWEST_PROBABILITY, HIGHEST_PROBABILITY = 0.001, 0.999
LOWEST_P_VALUE = 0.001

# Characters that a terminal or a page must not receive: control characters, halves of surrogate
# pairs, line and paragraph separators, and characters that reverse the direction of what follows.
_UNSHOWABLE = regex.compile(r"[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]")
# Letters of all scripts that are written from right to left; Arabic has signs beyond the others'.
_RIGHT_TO_LEFT = regex.compile(
    r"[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff]"
)
_NARROW_NO_BREAK_SPACE, _MINUS = "\u202f", "\u2212"
_HYPHEN_BEFORE_NUMBER = regex.compile(r"(?<![\p{L}\p{N}\-.])-(?=[0-9])")
_SPACE_BEFORE_UNIT = regex.compile(r"(?<=[0-9]) (?=%|[kMG]?B\b)")
#: The width from which an interval of a share is also described in words.
WIDE_INTERVAL = 0.2


def number(value: float | None, decimals: int = 2) -> str:
    """Write a number with a fixed number of decimals and commas between thousands.

    Parameters
    ----------
    value : float or None
        None is shown as a dash.
    decimals : int
        Digits after the decimal point.

    See Also
    --------
    significant : A fixed number of significant digits instead.
    signed : With a plus or minus sign.

    Examples
    --------
    >>> number(1234.5), number(12500, 0), number(-0.001), number(None)
    ('1,234.50', '12,500', '0.00', '–')
    """
    return MISSING if value is None else f"{_without_negative_zero(value, decimals):,.{decimals}f}"


def signed(value: float | None, decimals: int = 2) -> str:
    """Write a number with its sign, also where it is positive.

    Parameters
    ----------
    value : float or None
        None is shown as a dash.
    decimals : int
        Digits after the decimal point.

    Examples
    --------
    >>> signed(1.5), signed(-0.25, 1), signed(-0.001)
    ('+1.50', '-0.2', '+0.00')
    """
    return MISSING if value is None else f"{_without_negative_zero(value, decimals):+,.{decimals}f}"


def rounds_to_zero(value: float, decimals: int = 2) -> bool:
    """Return whether `number` and `signed` write a value as zero, so that no sign is visible.

    Parameters
    ----------
    value : float
    decimals : int
        Digits after the decimal point.

    Examples
    --------
    >>> rounds_to_zero(-0.04, 1), rounds_to_zero(-0.04), rounds_to_zero(0.06, 1)
    (True, False, False)
    """
    return round(value, decimals) == 0


def significant(value: float | None, digits: int = 3) -> str:
    """Write a number with at most so many significant digits, without trailing zeros.

    Parameters
    ----------
    value : float or None
        None is shown as a dash.
    digits : int
        Significant digits.

    Examples
    --------
    >>> significant(15611), significant(2.1449), significant(0.00804), significant(0.5)
    ('15,600', '2.14', '0.00804', '0.5')
    """
    if value is None:
        return MISSING
    if value == 0 or not math.isfinite(value):
        return f"{value + 0.0:g}"
    decimals = digits - 1 - math.floor(math.log10(abs(value)))
    rounded = round(value, decimals)
    text = f"{rounded:,.{max(decimals, 0)}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def short_number(value: float | None) -> str:
    """Write a number that a person chose, such as a tick of an axis, in its shortest form.

    Examples
    --------
    >>> short_number(0.05), short_number(3972.0), short_number(-2.5)
    ('0.05', '3,972', '-2.5')
    """
    return significant(value, 6)


def percent(share: float | None, decimals: int = 1) -> str:
    """Write a share as a percentage with at most three significant digits.

    Parameters
    ----------
    share : float or None
        Between 0 and 1; None is shown as a dash.
    decimals : int
        Digits after the decimal point; 0 and 100 are always written without any.

    See Also
    --------
    short_percent : The shortest form, for shares that a person chose.
    bounded_percent : Bounds for values that are close to 0 or 1.

    Examples
    --------
    >>> percent(0.9764), percent(0.48, 0), percent(1.0), percent(None)
    ('97.6 %', '48 %', '100 %', '–')
    """
    return MISSING if share is None else f"{_percentage(share, decimals)} %"


def percent_range(low: float, high: float, decimals: int = 1) -> str:
    """Write an interval of shares, such as a confidence interval.

    Examples
    --------
    >>> percent_range(0.771, 0.803)
    '77.1 to 80.3 %'
    """
    return f"{_percentage(low, decimals)} to {_percentage(high, decimals)} %"


def short_percent(share: float) -> str:
    """Write a share that a person chose, such as a threshold, in its shortest form.

    Examples
    --------
    >>> short_percent(0.05), short_percent(0.025), short_percent(0.001)
    ('5 %', '2.5 %', '0.1 %')
    """
    return f"{significant(100 * share)} %"


def bounded_percent(value: float) -> str:
    """Write a probability; one that is close to 0 or 1 is stated as a bound.

    Examples
    --------
    >>> bounded_percent(0.976), bounded_percent(0.99999), bounded_percent(0.0)
    ('97.6 %', 'more than 99.9 %', 'less than 0.1 %')
    """
    if value > HIGHEST_PROBABILITY:
        return f"more than {percent(HIGHEST_PROBABILITY)}"
    if value < LOWEST_PROBABILITY:
        return f"less than {percent(LOWEST_PROBABILITY)}"
    return percent(value)


def p_value(value: float) -> str:
    """Write a p-value; a very small one is stated as a bound.

    Examples
    --------
    >>> p_value(0.008), p_value(0.00002)
    ('p = 0.008', 'p < 0.001')
    """
    return f"p < {LOWEST_P_VALUE}" if value < LOWEST_P_VALUE else f"p = {significant(value, 2)}"


def times_as_much(log10_ratio: float) -> str:
    """Write how many times as large something is, with two significant digits.

    Parameters
    ----------
    log10_ratio : float
        Decimal logarithm of the ratio.

    Examples
    --------
    >>> times_as_much(3.2), times_as_much(0.3), times_as_much(-1.6)
    ('1,600 times', '2.0 times', '1/40')
    """
    size = 10 ** abs(log10_ratio)
    text = significant(size, 2) if size >= 10 else f"{size:.1f}"
    return f"{text} times" if log10_ratio >= 0 else f"1/{text}"


def quantity(n: int, singular: str, plural: str | None = None) -> str:
    """Write a number of things with the noun in the right form.

    Parameters
    ----------
    n : int
        How many.
    singular, plural : str
        The noun; by default the plural is the singular with an ``s``.

    Examples
    --------
    >>> quantity(1, "text"), quantity(2500, "text"), quantity(2, "entry", "entries")
    ('1 text', '2,500 texts', '2 entries')
    """
    return f"{n:,} {singular if n == 1 else plural or singular + 's'}"


def join_names(names: Sequence[object], limit: int | None = MAX_NAMES) -> str:
    """Write a list of names as English does; of many, the first ones and how many there are more.

    Parameters
    ----------
    names : sequence
        Shown in this order.
    limit : int or None
        Largest number of names to show; None shows all.

    Examples
    --------
    >>> join_names(["Ann"]), join_names(["Ann", "Bob", "Cleo"])
    ('Ann', 'Ann, Bob and Cleo')
    >>> join_names(["Ann", "Bob", "Cleo", "Dan"], limit=2)
    'Ann, Bob and 2 more'
    """
    shown = [str(name) for name in names[:limit]]
    if len(shown) < len(names):
        return f"{', '.join(shown)} and {len(names) - len(shown):,} more"
    *first, last = shown or [""]
    return f"{', '.join(first)} and {last}" if first else last


def duration(seconds: float) -> str:
    """Write a duration in the unit that suits its size.

    Examples
    --------
    >>> duration(90), duration(900), duration(12000)
    ('90 s', '15 min', '3 h 20 min')
    """
    if seconds < 120:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 120 else f"{minutes // 60} h {minutes % 60} min"


def file_size(n_bytes: int) -> str:
    """Write the size of a file in megabytes.

    Examples
    --------
    >>> file_size(67_108_864), file_size(1_250_000), file_size(12)
    ('67 MB', '1.2 MB', '0.1 MB')
    """
    size = n_bytes / MEGABYTE
    return f"{size:,.0f} MB" if size >= 10 else f"{max(size, 0.1):.1f} MB"


def typographic(text: str) -> str:
    r"""Set formatted text for HTML: a proper minus sign, and spaces that do not break before units.

    Parameters
    ----------
    text : str
        As the other functions of this module return it.

    Examples
    --------
    >>> typographic("-0.25"), typographic("97.6 %") == "97.6\u202f%"
    ('−0.25', True)
    """
    text = _HYPHEN_BEFORE_NUMBER.sub(_MINUS, text)
    return str(_SPACE_BEFORE_UNIT.sub(_NARROW_NO_BREAK_SPACE, text))


def printable(name: str | PurePath) -> str:
    r"""Return ``name`` composed (NFC), with an escape for each character that cannot be shown.

    Examples
    --------
    A byte of a file name that is not UTF-8 becomes ``\xe9``, a line break ``\x0a``:

    >>> print(printable("a\nb"))
    a\x0ab
    """
    text = str(name)
    if _UNSHOWABLE.search(text):
        text = _UNSHOWABLE.sub(_escape, _bytes_escaped(text))
    return unicodedata.normalize("NFC", text)


def has_unprintable(name: str) -> bool:
    r"""Return whether `printable` has to escape a character of ``name``.

    Examples
    --------
    >>> has_unprintable("Ann"), has_unprintable("An\x07n")
    (False, True)
    """
    return _UNSHOWABLE.search(name) is not None


def isolated(name: str) -> str:
    r"""Keep a name that is written from right to left from reversing the text around it.

    Other names are returned unchanged. A right-to-left name is put between the Unicode characters
    FIRST STRONG ISOLATE and POP DIRECTIONAL ISOLATE.

    Examples
    --------
    >>> isolated("Ann"), isolated("רות") == "\u2068רות\u2069"
    ('Ann', True)
    """
    return f"\u2068{name}\u2069" if _RIGHT_TO_LEFT.search(name) else name


def isolated_path(path: str) -> str:
    r"""Keep the parts of a path in their order, whatever direction each is written in.

    Examples
    --------
    >>> isolated_path("רות/1.txt") == "\u2068רות\u2069/1.txt"
    True
    """
    return "/".join(map(isolated, path.split("/")))


def _without_negative_zero(value: float, decimals: int) -> float:
    return 0.0 if rounds_to_zero(value, decimals) else value


def _percentage(share: float, decimals: int) -> str:
    text = f"{_without_negative_zero(100 * share, decimals):.{decimals}f}"
    return f"{float(text):.0f}" if float(text) in (0, 100, -100) else text


def _bytes_escaped(name: str) -> str:
    try:
        return os.fsencode(name).decode("utf-8", "backslashreplace")
    except UnicodeEncodeError:
        return name


def _escape(match: regex.Match[str]) -> str:
    code = ord(match[0])
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"
