"""Fixtures for every test."""

from __future__ import annotations

import gc
import importlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unicodedata
from collections.abc import Callable, Iterator, Mapping
from functools import cache, wraps
from itertools import cycle, product
from pathlib import Path
from typing import Any

import pytest
import regex
import typer.main
from hypothesis import settings
from sklearn.base import BaseEstimator

from byline.processes import child

_DEFAULT = Path(__file__).resolve().parents[2] / "shared"
_CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
_CHROMIUM_FLAGS = (
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add ``--few``, for `test --lowest`, ``--update-pages`` and ``--update-snapshots``."""
    parser.addoption(
        "--few",
        type=int,
        metavar="N",
        help="run at most N parameter sets per test, and few examples",
    )
    parser.addoption(
        "--update-pages",
        action="store_true",
        help="replace what pages of the documentation show by what their commands print now",
    )
    parser.addoption(
        "--update-snapshots",
        action="store_true",
        help="replace the stored dictionaries of reports by those that are made now",
    )


def pytest_configure() -> None:
    """Disable garbage collection while tests are collected, because there is no garbage."""
    gc.disable()


def pytest_collection_finish() -> None:
    """Exclude libraries and tests from garbage collection, and collect garbage less often.

    Otherwise, the collector examines these objects again and again, for a tenth of the time.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 50)
    gc.enable()


def _choose(items: list[pytest.Item], few: int) -> set[pytest.Item]:
    """Return at most so many items per test, as far from each other as possible.

    The parameters of tests of the whole project are its modules, of which none is left out.
    """
    by_test: dict[str, list[pytest.Item]] = {}
    for item in items:
        is_whole = item.path.parent == Path(__file__).parent
        test = item.nodeid if is_whole else item.nodeid.partition("[")[0]
        by_test.setdefault(test, []).append(item)
    return {
        own[n * (len(own) - 1) // max(few - 1, 1)] for own in by_test.values() for n in range(few)
    }


def _try_few_examples(item: pytest.Item) -> None:
    """Let Hypothesis try few examples; a profile would not change what a test sets itself."""
    test: Any = getattr(item, "obj", None)
    own = getattr(test, "_hypothesis_internal_use_settings", None)
    if own is not None:
        few = settings(own, max_examples=min(own.max_examples, 10))
        getattr(test, "__func__", test)._hypothesis_internal_use_settings = few


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark what asks for `shared`; begin with what takes longest, so that no worker ends late."""
    if few := config.getoption("--few"):
        chosen = _choose(items, few)
        config.hook.pytest_deselected(items=[item for item in items if item not in chosen])
        items[:] = [item for item in items if item in chosen]
        for item in items:
            _try_few_examples(item)
    items.sort(key=lambda item: item.path.name != "test_pages_run.py")
    for item in items:
        if "shared" in getattr(item, "fixturenames", ()):
            item.add_marker("corpora")
        if "browser" in getattr(item, "fixturenames", ()):
            item.add_marker("processes")


@pytest.fixture(scope="session")
def shared() -> Path:
    """Return the folder of real corpora and oracles; where it is missing, skip the test."""
    folder = Path(os.environ.get("BYLINE_SHARED", _DEFAULT))
    if not (folder / "corpora").is_dir():
        pytest.skip(f"no corpora at {folder}; set BYLINE_SHARED to the folder that holds them")
    return folder


@pytest.fixture
def some_authors(shared: Path, tmp_path: Path) -> Callable[..., Path]:
    """Return a function that copies folders of a corpus, because a whole one is slow to read."""

    def copy(corpus: str, *authors: str) -> Path:
        for author in authors:
            shutil.copytree(shared / "corpora" / corpus / author, tmp_path / "some" / author)
        return tmp_path / "some"

    return copy


@pytest.fixture(scope="session", autouse=True)
def _command_line_is_built_once() -> Iterator[None]:
    """Let Typer keep the commands that it builds, as if all tests ran one command line."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("typer.main.get_command", cache(typer.main.get_command))
        yield


@pytest.fixture(scope="session", autouse=True)
def _parameters_are_read_once() -> Iterator[None]:
    """Let scikit-learn keep the names of a class's parameters, which it reads for each clone."""
    names: Any = BaseEstimator._get_param_names
    kept: Any = cache(names.__func__)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(BaseEstimator, "_get_param_names", classmethod(kept))
        yield


@pytest.fixture(scope="session", autouse=True)
def _files_are_not_forced_to_disk() -> Iterator[None]:
    """Do not wait until a disk has stored each file; the files of tests are soon removed."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("os.fsync", lambda descriptor: None)
        yield


@pytest.fixture(scope="session")
def programs() -> Iterator[Path]:
    """Return a folder of the programs ``python`` and ``byline``, which start without importing.

    They are described in ``preloaded_python.py``. On systems other than Linux they are the plain
    programs of the environment that is tested.
    """
    if sys.platform != "linux":
        yield Path(sys.executable).parent
        return
    # The address of a socket may have about 100 characters, which the folders of pytest exceed.
    with tempfile.TemporaryDirectory(prefix="byline-") as folder:
        command = [sys.executable, str(Path(__file__).with_name("preloaded_python.py")), folder]
        environment = os.environ | {"OMP_NUM_THREADS": "1"}
        with subprocess.Popen(
            command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE
        ) as server:
            assert server.stdin and server.stdout
            assert server.stdout.readline() == b"ready\n"
            yield Path(folder)
            server.stdin.close()


@pytest.fixture(scope="session", autouse=True)
def _children_are_copies(request: pytest.FixtureRequest) -> Iterator[None]:
    """Let the child processes of a test be copies too; the first one starts what is copied.

    The children in the tests of `byline.processes` start as they do at a user's command.
    """

    def of_copies(start: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(start)
        def started(*args: Any, **named: Any) -> Any:
            python = request.getfixturevalue("programs") / "python"
            with pytest.MonkeyPatch.context() as patched:
                patched.setattr(sys, "executable", str(python))
                return start(*args, **named)

        return started

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(child, "_start", of_copies(child._start))
        if sys.platform == "linux":
            loky = importlib.import_module("joblib.externals.loky.backend.popen_loky_posix")
            patched.setattr(loky.Popen, "_launch", of_copies(loky.Popen._launch))
        yield


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """Return a headless Chromium; skip the test if Chromium or playwright is missing."""
    playwright = pytest.importorskip("playwright.sync_api")
    if _CHROMIUM is None:
        pytest.skip("there is no chromium")
    with playwright.sync_playwright() as started:
        opened = started.chromium.launch(executable_path=_CHROMIUM, args=_CHROMIUM_FLAGS)
        yield opened
        opened.close()


# The box of a text is higher than its letters, and figures may touch.
_TEXTS_OF_FIGURES = """() => [...document.querySelectorAll('svg')].flatMap(figure => {
  const edge = figure.getBoundingClientRect();
  if (!edge.width) return [];
  const texts = [...figure.querySelectorAll('text')].filter(text => text.textContent.trim());
  const own = text => [...text.childNodes].filter(n => n.nodeName !== 'title')
    .map(n => n.textContent).join('').trim();
  const boxes = texts.map(text => {
    const box = text.getBoundingClientRect(), high = box.height * .2, wide = box.width * .2;
    const turned = /rotate/.test(text.getAttribute('transform') || '');
    const [x, y] = turned ? [wide, 1] : [1, high];
    return {name: own(text), left: box.left + x, right: box.right - x,
            top: box.top + y, bottom: box.bottom - y};
  });
  const apart = (a, b) =>
    a.right <= b.left || b.right <= a.left || a.bottom <= b.top || b.bottom <= a.top;
  const collisions = boxes.flatMap((a, place) => boxes.slice(place + 1)
    .filter(b => !apart(a, b)).map(b => `“${a.name}” collides with “${b.name}”`));
  const cut = boxes.filter(a => a.left < edge.left - 1 || a.right > edge.right + 1 ||
    a.top < edge.top - 1 || a.bottom > edge.bottom + 1).map(a => `“${a.name}” is cut off`);
  return [...collisions, ...cut];
})"""
# Elements that stick out of the page, other than by scrolling in their own region.
_STICKING_OUT = """() => {
  const width = document.documentElement.clientWidth;
  const outside = element => !element.parentElement.closest('.scroll, .unseen')
    && !element.matches('.unseen') && element.getBoundingClientRect().right > width + 1;
  const wider = document.documentElement.scrollWidth > width ? ['the page scrolls sideways'] : [];
  return [...wider, ...[...document.querySelectorAll('body *:not(svg *)')].filter(outside)
    .map(element => `outside the window: ${element.outerHTML.slice(0, 80)}`)];
}"""
# Numbers whose digits are on several lines.
_BROKEN_NUMBERS = r"""() => [...document.querySelectorAll('td, .keyness-row span, small')]
  .filter(element => !element.children.length && /^[−\d.,]+$/.test(element.textContent.trim()))
  .filter(element => {
    const range = document.createRange();
    range.selectNodeContents(element);
    return new Set([...range.getClientRects()].map(line => Math.round(line.top))).size > 1;
  }).map(element => `a number on several lines: ${element.textContent}`)"""
_OPEN_ALL = "for (const closed of document.querySelectorAll('details')) closed.open = true"
_WIDTHS = (1280, 400)


@pytest.fixture(scope="session")
def faults_in_browser(browser: Any) -> Callable[[str], list[str]]:
    """Return a function that lists what is wrong with a report, given as HTML, in a window.

    Faults are labels of a figure that overlap or are cut off, parts outside of a window of 1,280 or
    of 400 pixels, numbers on several lines, requests, and errors of scripts. Closed and open
    details are checked.
    """

    def find(html: str) -> list[str]:
        page = browser.new_page(offline=True)
        found: list[str] = []
        page.on("console", lambda message: found.append(f"console: {message.text}"))
        page.on("pageerror", lambda error: found.append(f"error: {error}"))
        page.on("request", lambda request: found.append(f"request: {request.url}"))
        page.set_content(html)
        for opened, width in product((False, True), _WIDTHS):
            page.set_viewport_size({"width": width, "height": 900})
            if opened:
                page.evaluate(_OPEN_ALL)
            for script in (_TEXTS_OF_FIGURES, _STICKING_OUT, _BROKEN_NUMBERS):
                found += [f"{width} pixels: {fault}" for fault in page.evaluate(script)]
        page.close()
        return list(dict.fromkeys(found))

    return find


@pytest.fixture(scope="session")
def copy_of(programs: Path) -> Callable[[int], int]:
    """Return a function from a process of `programs` to the copy that works for it, if any."""

    def number(pid: int) -> int:
        record = programs / str(pid)
        return int(record.read_text()) if record.exists() else pid

    return number


# With straight quotes and ASCII dashes.
_PLAIN = (
    '"It wasn\'t fine," said the miller -- "not a bit..."',
    "The officers' oats found no buyer; the café's rye did.",
    "We find the affair of 1805 difficult to explain.",
)


def _paired(opening: str, closing: str) -> Callable[[str], str]:
    def change(text: str) -> str:
        marks = cycle((opening, closing))
        curly = text.replace("'", "\N{RIGHT SINGLE QUOTATION MARK}")
        return re.sub('"', lambda _: next(marks), curly)

    return change


def _between_letters(mark: str) -> Callable[[str], str]:
    return lambda text: regex.sub(r"(?<=\p{L}\p{L})(?=\p{L}\p{L})", mark, text)


def _instead(of: str, put: str) -> Callable[[str], str]:
    return lambda text: text.replace(of, put)


_CONVENTIONS: Mapping[str, Callable[[str], str]] = {
    "curly quotes": _paired("\N{LEFT DOUBLE QUOTATION MARK}", "\N{RIGHT DOUBLE QUOTATION MARK}"),
    "low quotes": _paired("\N{DOUBLE LOW-9 QUOTATION MARK}", "\N{LEFT DOUBLE QUOTATION MARK}"),
    "guillemets": _paired("\N{LEFT-POINTING DOUBLE ANGLE QUOTATION MARK}", "\xbb"),
    "no-break spaces": _instead(" ", "\N{NO-BREAK SPACE}"),
    "thin spaces": _instead(" ", "\N{THIN SPACE}"),
    "two spaces after sentences": _instead(". ", ".  "),
    "soft hyphens": _between_letters("\N{SOFT HYPHEN}"),
    "zero-width spaces": _between_letters("\N{ZERO WIDTH SPACE}"),
    "byte-order marks": _instead(" the ", " \ufeffthe "),
    "ligatures": lambda text: text.replace("ffi", "ﬃ").replace("fi", "ﬁ").replace("ff", "ﬀ"),
    "full-width digits": lambda text: text.translate({n: n + 0xFEE0 for n in range(0x30, 0x3A)}),
    "long s": lambda text: regex.sub(r"s(?=\p{L})", "ſ", text),
    "em dashes": _instead(" -- ", " \N{EM DASH} "),
    "spaced en dashes": _instead(" -- ", " \N{EN DASH} "),
    "ellipses": _instead("...", "\N{HORIZONTAL ELLIPSIS}"),
    "decomposed accents": lambda text: unicodedata.normalize("NFD", text),
}


@pytest.fixture(scope="session")
def conventions() -> Mapping[str, Callable[[str], str]]:
    """Return what editors and file formats do to a text without changing a word, by name."""
    return _CONVENTIONS


@pytest.fixture(scope="session")
def with_plain_sentences() -> Callable[[str], str]:
    """Return a function that adds sentences to a text in which all `conventions` show."""
    return _with_plain_sentences


def _with_plain_sentences(text: str) -> str:
    plain = cycle(_PLAIN)
    sentences = text.split(". ")
    parts = [
        f"{sentence}. {next(plain)}" if number % 3 == 0 else f"{sentence}."
        for number, sentence in enumerate(sentences)
    ]
    return " ".join(parts)


@pytest.fixture(scope="session")
def demo_texts() -> dict[str, list[str]]:
    """Return the beginnings of four texts by each of three authors of the demo corpus."""
    from byline.corpus.demo import read_demo

    authors = ("Abraham Lincoln", "Barack Obama", "Jimmy Carter")
    corpus = read_demo()
    return {
        author: [each.text[:2000] for each in corpus if each.author == author][:4]
        for author in authors
    }


@pytest.fixture(scope="session")
def pretrained_base(demo_texts: dict[str, list[str]], tmp_path_factory: Any) -> Path:
    """Train a tokenizer of 400 subwords and a tiny GPT-2 from scratch, in about two seconds."""
    torch, transformers = map(pytest.importorskip, ("torch", "transformers"))
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers

    folder: Path = tmp_path_factory.mktemp("base")
    texts = [text for own in demo_texts.values() for text in own]
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    options = {"special_tokens": ["<|endoftext|>"], "show_progress": False}
    trainer = trainers.BpeTrainer(vocab_size=400, initial_alphabet=alphabet, **options)
    tokenizer.train_from_iterator(texts, trainer)
    tokenizer.save(str(folder / "tokenizer.json"))
    ids = torch.tensor([number for text in texts for number in tokenizer.encode(text).ids])
    sizes = {"n_positions": 32, "n_embd": 32, "n_layer": 2, "n_head": 2}
    marks = {"bos_token_id": 0, "eos_token_id": 0}
    torch.manual_seed(0)
    config = transformers.GPT2Config(vocab_size=tokenizer.get_vocab_size(), **sizes, **marks)
    network = transformers.GPT2LMHeadModel(config)
    optimizer = torch.optim.AdamW(network.parameters(), lr=3e-3)
    for _ in range(60):
        starts = torch.randint(len(ids) - 32, (16,)).tolist()
        batch = torch.stack([ids[start : start + 32] for start in starts])
        logits = network(input_ids=batch).logits[:, :-1]
        cost = torch.nn.functional.cross_entropy(logits.flatten(0, 1), batch[:, 1:].flatten())
        optimizer.zero_grad()
        cost.backward()
        optimizer.step()
    transformers.utils.logging.disable_progress_bar()
    network.save_pretrained(folder)
    return folder
