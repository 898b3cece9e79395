"""Name settings in messages as the reader writes them: as options of a command, or in Python.

The same function may be called by a command or by a Python program. Its messages contain
``--duplicates keep`` in the first case, and ``duplicates="keep"`` in the second.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from contextlib import contextmanager


class _Reader:
    """How the messages of this process name settings; all threads share this state."""

    writes_options = False


@contextmanager
def settings_as_options() -> Iterator[None]:
    """Let messages name settings as options of a command line.

    Examples
    --------
    >>> with settings_as_options():
    ...     setting("open_set", True)
    '--open-set'
    """
    before = _Reader.writes_options
    _Reader.writes_options = True
    try:
        yield
    finally:
        _Reader.writes_options = before


def setting(name: str, value: object = None) -> str:
    """Return how the reader of a message writes a setting.

    Parameters
    ----------
    name : str
        The parameter in Python. The option has hyphens instead of underscores.
    value : object
        The value that the reader has given or should give; True for an option without a value; or
        a tuple of possible values. By default, only the setting is named.

    Examples
    --------
    >>> setting("duplicates"), setting("duplicates", "keep"), setting("open_set", True)
    ('duplicates', 'duplicates="keep"', 'open_set=True')
    >>> with settings_as_options():
    ...     setting("duplicates"), setting("duplicates", ("keep", "drop"))
    ('--duplicates', '--duplicates keep or drop')
    """
    values = value if isinstance(value, tuple) else (value,)
    if _Reader.writes_options:
        option = f"--{name.replace('_', '-')}"
        return option if value is None or value is True else f"{option} {_either(map(str, values))}"
    return name if value is None else f"{name}={_either(map(_in_python, values))}"


def _either(values: Iterable[str]) -> str:
    return " or ".join(values)


def _in_python(value: object) -> str:
    is_text = isinstance(value, str)  # also a member of an enumeration
    return json.dumps(str(value), ensure_ascii=False) if is_text else repr(value)
