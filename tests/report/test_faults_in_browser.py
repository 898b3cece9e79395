"""The check of reports in a browser finds the faults that it looks for."""

from __future__ import annotations

from collections.abc import Callable

import pytest

AT = '<text x="{}" y="50" {}>{}</text>'


def _figure(*texts: str) -> str:
    return f'<svg width="200" height="100">{"".join(texts)}</svg>'


@pytest.mark.parametrize(
    ("body", "fault"),
    [
        (_figure(AT.format(10, "", "ten"), AT.format(20, "", "twenty")), "“ten” collides with"),
        (_figure(AT.format(180, "", "at the edge")), "“at the edge” is cut off"),
        ('<p style="width: 900px">wide</p>', "400 pixels: outside the window"),
        (
            '<table><td style="max-width: 2em; overflow-wrap: anywhere">1,012.9</table>',
            "a number on several lines: 1,012.9",
        ),
        ("<script>nothing()</script>", "error: nothing is not defined"),
        ('<img src="http://localhost/x.png">', "request: http://localhost/x.png"),
        (f"<details><summary>more</summary>{_figure(AT.format(190, '', 'cut'))}</details>", "cut"),
    ],
)
def test_a_fault_is_found(
    body: str, fault: str, faults_in_browser: Callable[[str], list[str]]
) -> None:
    found = faults_in_browser(f"<!doctype html><body>{body}")
    assert any(fault in each for each in found)


def test_labels_without_overlap_are_not_a_fault(
    faults_in_browser: Callable[[str], list[str]],
) -> None:
    turned = 'transform="translate(150 90) rotate(-90)"'
    texts = AT.format(10, "", "ten"), AT.format(60, "", "sixty"), f"<text {turned}>turned</text>"
    assert faults_in_browser(f"<!doctype html><body>{_figure(*texts)}") == []
