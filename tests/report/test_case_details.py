from __future__ import annotations

from pathlib import Path

import pytest

from byline.errors import UsageError
from byline.report.case_details import LABELS, CaseDetails, read_case_details


def _read(folder: Path, content: str) -> CaseDetails:
    path = folder / "case.toml"
    path.write_text(content, encoding="utf-8")
    return read_case_details(path)


def test_all_fields_are_optional(tmp_path: Path) -> None:
    details = _read(tmp_path, "")
    assert details == CaseDetails()
    assert list(details.to_dict()) == list(LABELS)
    assert set(details.to_dict().values()) == {None}


def test_fields_are_read(tmp_path: Path) -> None:
    details = _read(
        tmp_path, 'case_number = " 17 "\ndate = 2026-11-30\nexaminer = ""\ninstructions = "A\\nB"'
    )
    assert (details.case_number, details.date, details.examiner) == ("17", "2026-11-30", None)
    assert details.instructions == "A\nB"
    assert _read(tmp_path, 'date = "30 November 2026"').date == "30 November 2026"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ('examinor = "Ada"', "there is no field 'examinor'; do you mean 'examiner'?"),
        ("zzz = 1", "there is no field 'zzz'; the fields are case_number, examiner"),
        ("case_number = 17", "the field 'case_number' is a whole number; give a text in quotation"),
        ("examiner = true", "the field 'examiner' is true or false; give a text"),
        ("remarks = [1]", "the field 'remarks' is a list; give a text"),
        ("examiner = 2026-01-01", "the field 'examiner' is a date; give a text"),
        (
            "date = 12:00:00",
            "the field 'date' is a time; give a date such as 2026-11-30, or a text",
        ),
        ("date = 2026-01-01T12:00:00", "the field 'date' is a date with a time; give a date such"),
        ("[examiner]\nname = 'Ada'", "the field 'examiner' is a table; give a text"),
        ("examiner = Ada", "is not a valid TOML file"),
    ],
)
def test_wrong_fields_are_rejected(tmp_path: Path, content: str, message: str) -> None:
    with pytest.raises(UsageError) as raised:
        _read(tmp_path, content)
    assert message in str(raised.value)
    assert str(tmp_path / "case.toml") in str(raised.value)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"none\.toml cannot be read"):
        read_case_details(tmp_path / "none.toml")
