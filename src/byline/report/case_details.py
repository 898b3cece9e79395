"""What an examiner states about a case, read from a TOML file."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from datetime import date, datetime
from pathlib import Path
from typing import Any, Self

from byline.errors import UsageError
from byline.files import read_toml
from byline.formatting import printable

#: What reports call the fields.
LABELS = {
    "case_number": "Case number",
    "examiner": "Examiner",
    "organization": "Organization",
    "client": "Client",
    "date": "Date of the report",
    "instructions": "Instructions",
    "background": "Background information",
    "received": "Receipt of the material",
    "population": "Relevance of the reference texts",
    "reviewer": "Reviewed by",
    "remarks": "Remarks",
}
_TYPES = {
    bool: "true or false",
    int: "a whole number",
    float: "a number",
    list: "a list",
    dict: "a table",
    datetime: "a date with a time",
    date: "a date",
}


@dataclass(frozen=True, slots=True)
class CaseDetails:
    """The facts of a case that only the examiner knows. None: not stated.

    Attributes
    ----------
    case_number : str or None
    examiner : str or None
        Name and qualification.
    organization : str or None
        The examiner's laboratory or university.
    client : str or None
        Who asked for the report.
    date : str or None
        Of the report.
    instructions : str or None
        The question as it was put to the examiner.
    background : str or None
        What the examiner was told about the case and took into account.
    received : str or None
        When and how the texts were received and kept.
    population : str or None
        Why the reference texts are comparable with the questioned text.
    reviewer : str or None
        Who checked the report.
    remarks : str or None

    See Also
    --------
    read_case_details : Read them from a file.

    Examples
    --------
    >>> CaseDetails(case_number="2026-17").examiner is None
    True
    """

    case_number: str | None = None
    examiner: str | None = None
    organization: str | None = None
    client: str | None = None
    date: str | None = None
    instructions: str | None = None
    background: str | None = None
    received: str | None = None
    population: str | None = None
    reviewer: str | None = None
    remarks: str | None = None

    @classmethod
    def of(cls, content: Mapping[str, Any], where: str) -> Self:
        """Check the fields of a file.

        Raises
        ------
        UsageError
            A field is unknown, or its value is not a text (for ``date``: nor a date).
        """
        known = [field.name for field in fields(cls)]
        for name in content:
            if name not in known:
                raise UsageError(
                    f"{where}: there is no field {name!r}; {_known_fields(name, known)}"
                )
        return cls(**{name: _text(where, name, value) for name, value in content.items()})

    def to_dict(self) -> dict[str, str | None]:
        """Return all fields in their order."""
        return asdict(self)


def read_case_details(path: Path) -> CaseDetails:
    """Read the details of a case from a TOML file.

    Raises
    ------
    UsageError
        The file cannot be read or is not TOML, or it has an unknown field or a wrong value.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder) / "case.toml"
    ...     _ = path.write_text('case_number = "2026-17"')
    ...     read_case_details(path).case_number
    '2026-17'
    """
    return CaseDetails.of(read_toml(path), printable(path))


def _text(where: str, name: str, value: object) -> str | None:
    if isinstance(value, str):
        return value.strip() or None
    if name == "date" and isinstance(value, date) and not isinstance(value, datetime):
        return value.isoformat()
    kind = next((text for kind, text in _TYPES.items() if isinstance(value, kind)), "a time")
    wanted = "a date such as 2026-11-30, or a text" if name == "date" else "a text"
    raise UsageError(f"{where}: the field {name!r} is {kind}; give {wanted} in quotation marks")


def _known_fields(name: str, known: list[str]) -> str:
    similar = difflib.get_close_matches(name, known, n=1)
    return f"do you mean {similar[0]!r}?" if similar else f"the fields are {', '.join(known)}"
