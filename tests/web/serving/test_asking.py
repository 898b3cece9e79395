"""A text is attributed on the page with the same result as on the command line."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from byline.attribution import save_attributor
from byline.attribution.stacking import delta_attributor
from byline.report.html import SCRIPT_HASH
from byline.web.job_queue import SECONDS_KEPT
from byline.web.routes.base import ANSWERS_KEPT
from byline.web.routes.form_texts import MAX_TEXTS

Sentences = Callable[[str, int, int], str]


def words_of(html: str) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", html).split())


def test_a_pasted_text_is_attributed(page: Any, sentences: Sentences) -> None:
    answer = page.send("/ask", {"text": sentences("ada", 12, 99), "model": "given"})
    assert answer.status == 303
    shown = page.done(answer)
    assert "it was most likely ada" in words_of(shown.text)
    assert shown.headers["cache-control"] == "no-store"
    assert page.state(answer.job) == {
        "state": "done",
        "done": 3,
        "total": 3,
        "what": "finding the evidence in pasted text",
        "ahead": 0,
        "progress": "Step 3 of 3: finding the evidence in pasted text.",
    }


def test_the_report_is_the_same_as_on_the_command_line(
    page: Any, programs: Path, sentences: Sentences, stack: Path, known: Path, tmp_path: Path
) -> None:
    text = sentences("ben", 12, 98)
    (tmp_path / "letter.txt").write_text(text, encoding="utf-8")
    command = [str(programs / "python"), "-m", "byline", "attribute", str(stack), "letter.txt"]
    command += ["--known", str(known), "--report", "case.html"]
    subprocess.run(command, cwd=tmp_path, check=True, capture_output=True)
    expected = (tmp_path / "case.html").read_text(encoding="utf-8")
    answer = page.send("/ask", files=[("file", "letter.txt", text.encode())])
    page.done(answer)
    case = page.get(f"/jobs/{answer.job}/report.html")
    policy = case.headers["content-security-policy"]
    assert policy.endswith("; sandbox allow-scripts allow-downloads")
    assert policy.startswith("default-src 'none'; ")
    assert f"script-src '{SCRIPT_HASH}';" in policy  # its own, and no other
    assert "allow-same-origin" not in policy
    assert "attachment" not in case.headers.get("content-disposition", "")
    # The reports differ only in how the question was asked, which stands at the end.
    before, done = expected.split('<div class="inside" id="method">')
    assert case.text.split('<div class="inside" id="method">')[0] == before
    for sha256 in re.findall(r"[0-9a-f]{64}", done):
        assert sha256 in case.text
    assert "all 24 SHA-256 values agree" in case.text
    saved = page.get(f"/jobs/{answer.job}/report.html?download")
    assert saved.headers["content-disposition"] == 'attachment; filename="case.html"'


def test_the_page_states_how_long_answers_are_kept(page: Any) -> None:
    assert f"for {SECONDS_KEPT / 3600:g} hours, and for less time" in words_of(page.get("/").text)
    guide = Path(__file__).parents[3] / "docs" / "how-to" / "local-page.md"
    assert ANSWERS_KEPT in " ".join(guide.read_text(encoding="utf-8").split())


def test_a_text_that_is_too_short_is_declined(page: Any) -> None:
    shown = page.done(page.send("/ask", {"text": "Too short."}))
    assert "No author is named" in shown.text


def test_a_form_without_a_text_is_shown_again(page: Any) -> None:
    for fields, files in (
        ({}, []),
        ({"text": " \r\n "}, []),
        ({}, [("file", "", b"")]),
    ):
        answer = page.send("/ask", fields, files)
        assert answer.status == 422
        assert "there is no text" in answer.text
        assert '<form class="ask"' in answer.text
    both = page.send("/ask", {"text": "Some words."}, [("file", "a.txt", b"Other words.")])
    assert both.status == 422
    assert "send one at a time" in both.text


def test_a_file_that_is_not_a_text_fails_with_a_message(page: Any) -> None:
    answer = page.send("/ask", files=[("file", "picture.txt", bytes(range(32)) * 20)])
    assert page.wait(answer.job)["state"] == "failed"
    shown = page.get(f"/jobs/{answer.job}").text
    assert "picture.txt is not a text" in words_of(shown)
    assert "Traceback" not in shown
    assert page.get(f"/jobs/{answer.job}/report.html").status == 404


def test_of_a_chat_the_words_of_the_named_speaker_are_attributed(
    page: Any, sentences: Sentences
) -> None:
    words = sentences("ada", 12, 99).replace("\n", " ")
    lines = [f"01/03/2024, 08:{n:02d} - {who}: {words}" for n in range(6) for who in ("Cy", "Dot")]
    chat = [("file", "chat.txt", "\n".join(lines).encode())]
    refused = page.send("/ask", files=chat)
    assert page.wait(refused.job)["state"] == "failed"
    shown = words_of(page.get(f"/jobs/{refused.job}").text)
    assert "Cy (6 turns) and Dot (6 turns). Select one with the field “Speaker”" in shown
    assert "--speaker" not in shown
    answer = page.send("/ask", {"speaker": " dot "}, files=chat)
    assert "Excluded from the text: 6 parts (turns of other speakers" in page.done(answer).text
    assert "--speaker dot" in page.get(f"/jobs/{answer.job}/report.html").text
    unknown = page.send("/ask", {"speaker": "Eve"}, files=chat)
    assert page.wait(unknown.job)["state"] == "failed"
    assert "no single speaker called" in page.get(f"/jobs/{unknown.job}").text


def test_an_open_set_question_needs_a_suitable_model(page: Any, sentences: Sentences) -> None:
    fields = {"text": sentences("ada", 12, 93), "open_set": "on"}
    answer = page.send("/ask", fields)
    assert page.wait(answer.job)["state"] == "failed"
    assert "was not trained for open-set attribution" in page.get(f"/jobs/{answer.job}").text
    assert page.send("/ask", {"text": "Words.", "model": "17"}).status == 422


def test_names_of_files_and_authors_are_escaped(page: Any, sentences: Sentences) -> None:
    hostile = "<img src=x onerror=alert(1)>"
    text = sentences("ada", 12, 95).encode()
    answer = page.send("/ask", files=[("file", f"{hostile}.txt", text)])
    for path in ("", "/report.html"):
        page.wait(answer.job)
        shown = page.get(f"/jobs/{answer.job}{path}").text
        assert hostile not in shown
        assert "&lt;img src=x" in shown
    added = page.send("/known/add", {"author": hostile, "text": sentences("cay", 12, 5)})
    shown = page.done(added).text
    assert hostile not in shown
    assert "&lt;img src=x" in shown
    page.post("/known/remove", {"author": hostile})


def test_several_files_have_an_answer_each(page: Any, sentences: Sentences) -> None:
    letters = {f"{author}.txt": sentences(author, 12, 77).encode() for author in ("ada", "ben")}
    files = [*letters.items(), ("short.txt", b"Too short."), ("<i>.bin", bytes(range(32)))]
    asked = page.send("/ask", files=[("file", name, content) for name, content in files])
    listed = page.done(asked)
    said = words_of(listed.text)
    assert "Who wrote 4 texts" in said
    assert "1 file could not be read: &lt;i&gt;.bin : " in said
    for number, who in ((1, "ada"), (2, "ben")):
        assert f"{who}.txt {who}" in said.replace("\u2068", "").replace("\u2069", "")
        path = f"/jobs/{asked.job}?text={number}"
        assert f'href="{path}"' in listed.text
        shown = words_of(page.get(path).text)
        assert f"it was most likely {who}" in shown
        assert "All answers to this question" in shown
    assert "No author is named" in page.get(f"/jobs/{asked.job}?text=3").text
    for missing in ("0", "4"):
        assert page.get(f"/jobs/{asked.job}?text={missing}").status == 404
    report = page.get(f"/jobs/{asked.job}/report.html").text
    assert "Overview of the answers" in report
    assert "ada (1), ben (1), cannot tell (1)" in words_of(page.get("/").text)


def test_an_answer_does_not_depend_on_the_other_files(page: Any, sentences: Sentences) -> None:
    letters = [(f"{n}.txt", sentences(("ada", "ben")[n % 2], 12, 60 + n)) for n in range(3)]
    files = [("file", name, text.encode()) for name, text in letters]
    together = page.send("/ask", files=files)
    page.done(together)
    alone = page.send("/ask", files=files[1:2])
    shown = page.done(alone).text
    of_several = page.get(f"/jobs/{together.job}?text=2").text
    begin, end = '<div class="answer">', '<nav aria-label="This answer">'
    part = shown[shown.index(begin) : shown.index(end)]
    assert part == of_several[of_several.index(begin) : of_several.index(end)]


def test_files_that_cannot_be_read_and_too_many_are_refused(page: Any) -> None:
    noise = [("file", f"{n}.txt", bytes(range(32)) * 9) for n in range(2)]
    asked = page.send("/ask", files=noise)
    assert page.wait(asked.job)["state"] == "failed"
    assert "none of the 2 files can be read" in page.get(f"/jobs/{asked.job}").text
    many = [("file", f"{n}.txt", b"Words.") for n in range(MAX_TEXTS + 1)]
    refused = page.send("/ask", files=many)
    assert refused.status == 422
    assert f"at most {MAX_TEXTS} at once" in refused.text


def test_a_script_in_a_text_is_escaped(page: Any, sentences: Sentences) -> None:
    text = f"{sentences('ada', 12, 96)} <script>alert(1)</script>"
    answer = page.send("/ask", {"text": text})
    assert "<script>alert" not in page.done(answer).text
    assert "<script>alert" not in page.get(f"/jobs/{answer.job}/report.html").text


def test_twenty_questions_at_once(page: Any, sentences: Sentences) -> None:
    def ask(number: int) -> tuple[str, str]:
        author = ("ada", "ben")[number % 2]
        answer = page.send("/ask", {"text": sentences(author, 12, 200 + number)})
        if answer.status == 503:
            assert answer.headers["retry-after"].isdecimal()
            return author, "told to wait"
        return author, words_of(page.done(answer).text)

    with ThreadPoolExecutor(20) as windows:
        answers = list(windows.map(ask, range(20)))
    assert len(answers) == 20
    for author, said in answers:
        assert said == "told to wait" or f"it was most likely {author}" in said
    assert sum(said != "told to wait" for _, said in answers) >= 16


def test_two_questions_are_independent(lm_page: Any, sentences: Sentences) -> None:
    page = lm_page
    one = page.send("/ask", {"text": sentences("ada", 300, 1), "model": "given"})
    two = page.send("/ask", {"text": sentences("ben", 300, 2), "model": "given"})
    page.post(f"/jobs/{one.job}/stop")
    assert page.wait(one.job)["state"] == "stopped"
    assert "ben fits the text best" in words_of(page.done(two).text)
    assert one.job != two.job
    assert len(one.job) >= 20


def test_earlier_questions_are_listed(page: Any, sentences: Sentences) -> None:
    answer = page.send("/ask", files=[("file", "diary.txt", sentences("ada", 12, 97).encode())])
    page.done(answer)
    front = page.get("/").text
    assert f"/jobs/{answer.job}" in front
    assert "diary.txt" in front


def test_a_model_without_language_models_answers_on_the_page(
    serve: Callable[..., Any],
    texts: tuple[list[str], ...],
    known: Path,
    sentences: Sentences,
    tmp_path: Path,
) -> None:
    path = tmp_path / "delta.byline"
    save_attributor(delta_attributor().fit(texts[0], texts[1]), path)
    page = serve(path, "--known", known)
    answer = page.send("/ask", {"text": sentences("ada", 12, 99), "model": "given"})
    shown = words_of(page.done(answer).text)
    assert "it was most likely ada" in shown
    assert "erplexity is that" not in shown
    assert page.get("/model").status == 200
