"""Properties of every page in a browser: size, colours, accessible names and requests."""

from __future__ import annotations

import re
import socket
from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import product
from typing import Any
from urllib.parse import urlsplit

import pytest

Sentences = Callable[[str, int, int], str]
PATHS = ("/", "/verify", "/explore", "/rolling", "/known", "/evaluation", "/model", "/nowhere")
OPEN_ALL = "for (const closed of document.querySelectorAll('details')) closed.open = true"
# Elements that stick out of the page, other than by scrolling in their own region.
STICKING_OUT = """() => {
  const width = document.documentElement.clientWidth;
  const aside = element => element.parentElement.closest('.scroll') || element.closest('.unseen');
  return [...document.querySelectorAll('body *:not(svg *)')]
    .filter(element => !aside(element) && element.getBoundingClientRect().right > width + 1)
    .map(element => element.outerHTML.slice(0, 80));
}"""
# Texts with less contrast to what is behind them than WCAG 2 asks for (AA), SVG aside.
FAINT = """() => {
  // The browser returns "rgb(227, 239, 250)", and "color(srgb .89 .94 .98)" for color-mix().
  const parts = color => (color.match(/[\\d.]+/g) ?? []).map(
    (part, n) => n < 3 && color.startsWith('color(') ? 255 * part : Number(part));
  const luminance = color => {
    const linear = parts(color).slice(0, 3).map(value => value / 255)
      .map(value => value <= .04045 ? value / 12.92 : ((value + .055) / 1.055) ** 2.4);
    return .2126 * linear[0] + .7152 * linear[1] + .0722 * linear[2];
  };
  const behind = element => {
    for (let each = element; each; each = each.parentElement) {
      const color = getComputedStyle(each).backgroundColor;
      if (parts(color)[3] !== 0) return color;
    }
  };
  const contrast = element => {
    const pair = [getComputedStyle(element).color, behind(element)].map(luminance);
    return (Math.max(...pair) + .05) / (Math.min(...pair) + .05);
  };
  const hasText = element => [...element.childNodes].some(
    node => node.nodeType === Node.TEXT_NODE && node.textContent.trim());
  return [...document.querySelectorAll('body *:not(svg *):not(noscript)')]
    .filter(element => hasText(element) && contrast(element) < 4.5)
    .map(element => element.outerHTML.slice(0, 80));
}"""
CONTROL = re.compile(r"^\s*- (link|button|textbox|checkbox|radio|combobox|progressbar|region|img)")
NAMED = re.compile(r'^\s*- \w+ ".')


@pytest.fixture(scope="module")
def results(
    browser: Any, address: str, sentences: Sentences, tmp_path_factory: pytest.TempPathFactory
) -> list[str]:
    """Return the paths of pages with results: an answer, several, an exploration, and a book."""
    page = browser.new_page()
    page.goto(address)
    files = [tmp_path_factory.mktemp("texts") / f"a-name-that-is-long-{n}.txt" for n in range(2)]
    for number, file in enumerate(files):
        file.write_text(sentences("ada", 30, 90 + number), encoding="utf-8")
    (files[0].parent / "noise.bin").write_bytes(bytes(range(32)) * 9)
    paths = []

    def finish(path: str, button: str, choose: Callable[[], object]) -> None:
        page.goto(address.partition("/?")[0] + path)
        choose()
        page.get_by_role("button", name=button, exact=True).click()
        page.wait_for_url("**/jobs/*?over", timeout=60_000)
        paths.append(str(urlsplit(page.url).path))

    text = page.get_by_label("The text", exact=True)
    several = [*files, files[0].parent / "noise.bin"]
    upload = page.locator("input[type=file]")
    finish("/", "Ask who wrote it", lambda: text.fill(sentences("ada", 60, 3)))
    finish("/", "Ask who wrote it", lambda: upload.set_input_files(several))
    finish("/explore", "Compare the texts", lambda: upload.set_input_files(files[:1]))
    finish("/rolling", "Follow the authors", lambda: upload.set_input_files(files[:1]))
    page.close()
    return paths


@pytest.fixture
def every_page(open_window: Callable[..., Any], results: list[str]) -> Iterator[Any]:
    """Yield a window on one page after another."""
    window = open_window()
    return (_at(window, path) for path in (*PATHS, *results))


def _at(window: Any, path: str) -> Any:
    window.open(path)
    window.page.evaluate(OPEN_ALL)
    return window.page


def test_every_page_fits_narrow_windows_and_large_type(every_page: Iterator[Any]) -> None:
    for page in every_page:
        for width, scheme in product((1280, 640, 400, 320), ("light", "dark")):
            page.set_viewport_size({"width": width, "height": 900})
            page.emulate_media(color_scheme=scheme)
            assert page.evaluate("document.documentElement.scrollWidth") == width
            assert page.evaluate(STICKING_OUT) == []
        page.set_viewport_size({"width": 1280, "height": 900})
        page.evaluate("document.documentElement.style.fontSize = '200%'")
        assert page.evaluate("document.documentElement.scrollWidth") == 1280


def test_texts_can_be_read_in_light_and_dark(every_page: Iterator[Any]) -> None:
    background = "getComputedStyle(document.body).backgroundColor"
    for page in every_page:
        seen = set()
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            assert page.evaluate(FAINT) == []
            seen.add(page.evaluate(background))
        assert len(seen) == 2


def test_every_control_has_an_accessible_name(every_page: Iterator[Any]) -> None:
    for page in every_page:
        lines = page.locator("body").aria_snapshot().splitlines()
        controls = [line for line in lines if CONTROL.match(line)]
        assert len(controls) > 5
        assert [line for line in controls if not NAMED.match(line)] == []
        for landmark in ("banner", "main", "contentinfo"):
            assert page.get_by_role(landmark).count() == 1
        assert page.get_by_role("navigation", name="Pages").count() == 1


def test_the_first_page_in_the_accessibility_tree(window: Any) -> None:
    form = window.page.locator("form.ask").aria_snapshot()
    roles = re.findall(r'^\s*- (textbox|button|checkbox) "(.+?)"', form, re.MULTILINE)
    assert roles == [
        ("textbox", "The text"),
        ("button", "Or files"),
        ("textbox", "Speaker (optional)"),
        ("button", "Ask who wrote it"),
    ]


def test_a_missing_page_explains_itself_in_words(window: Any) -> None:
    """The words must explain it, not only colour and position."""
    window.open("/nowhere")
    assert window.page.get_by_role("heading", level=1).inner_text()
    assert window.page.get_by_role("link", name="Ask about a text").is_visible()


REACH_OUT = """address => new Promise(resolve => {
  const seen = [];
  document.addEventListener("securitypolicyviolation", event => {
    seen.push(event.effectiveDirective);
    if (seen.length === 4) resolve([document.title, seen.sort()]);
  });
  fetch(address).catch(() => 0);
  new Image().src = address;
  const script = document.createElement("script");
  script.textContent = "document.title = 'taken'";
  document.body.append(script);
  const form = document.createElement("form");
  form.action = address;
  document.body.append(form);
  form.submit();
})"""


def test_the_browser_refuses_requests_to_other_sites(window: Any) -> None:
    with socket.create_server(("127.0.0.1", 0)) as elsewhere:
        elsewhere.settimeout(0.5)
        address = f"http://127.0.0.1:{elsewhere.getsockname()[1]}/"
        title, refused = window.page.evaluate(REACH_OUT, address)
        assert _heard(elsewhere) == b""
    assert refused == ["connect-src", "form-action", "img-src", "script-src-elem"]
    assert title == "Who wrote this text? – Byline"
    assert all("Content Security Policy" in each for each in window.messages)
    window.messages.clear()


def _heard(server: socket.socket) -> bytes:
    """Return what arrives in half a second; Chromium may connect before it checks the policy."""
    with suppress(TimeoutError):
        connection, _ = server.accept()
        with connection:
            connection.settimeout(0.5)
            return connection.recv(1000)
    return b""


def test_reduced_motion_is_respected(open_window: Callable[..., Any]) -> None:
    window = open_window(reduced_motion="reduce")
    moving = "[...document.querySelectorAll('*')].map(each => getComputedStyle(each))"
    still = ".every(style => style.transitionDuration === '0s' && style.animationName === 'none')"
    assert window.page.evaluate(moving + still)
