"""Who may send requests to the page, from where, and what browsers must refuse."""

from __future__ import annotations

import http.client
import os
import secrets
import time
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from byline.web.access_policy import AccessPolicy

ANY = "0.0.0.0"  # noqa: S104
FORM = {"Content-Type": "application/x-www-form-urlencoded"}
WRONG_HOSTS = (
    "evil.example",
    "evil.example:{port}",
    "127.0.0.1",
    "127.0.0.1:{other}",
    "127.0.0.1.evil.example:{port}",
    "localhost.evil.example:{port}",
    "127.0.0.1:{port}@evil.example",
    "2130706433:{port}",
    "[::ffff:127.0.0.1]:{port}",
    "",
)


@pytest.mark.parametrize("host", WRONG_HOSTS)
def test_other_host_names_are_refused(page: Any, host: str) -> None:
    host = host.format(port=page.port, other=page.port + 1)
    for path in ("/", "/known", "/static/style.css", "/nothing"):
        answer = page.ask("GET", path, headers={"Host": host})
        assert answer.status == 403
        assert "another address" in answer.text
        assert "ada" not in answer.text


def test_names_of_this_machine_are_accepted(page: Any) -> None:
    for host in ("127.0.0.1", "localhost", "LOCALHOST", "[::1]"):
        assert page.get("/", Host=f"{host}:{page.port}").status == 200


def test_two_host_headers_are_refused(page: Any) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", page.port)
    connection.putrequest("GET", "/", skip_host=True)
    connection.putheader("Host", f"127.0.0.1:{page.port}")
    connection.putheader("Host", "evil.example")
    connection.endheaders()
    assert connection.getresponse().status in (400, 403)


POSTS = (
    "/ask",
    "/ask/samples",
    "/rolling/sample",
    "/known/add",
    "/known/remove",
    "/known/check",
    "/known/train",
    "/model",
)


@pytest.mark.parametrize("path", POSTS)
@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Origin": "https://127.0.0.1:{port}"},
        {"Origin": "http://127.0.0.1:{other}"},
        {"Origin": "http://localhost:{port}"},
        {"Origin": "http://127.0.0.1:{port}", "Sec-Fetch-Site": "cross-site"},
        {"Origin": "http://127.0.0.1:{port}", "Sec-Fetch-Site": "same-site"},
        {"Sec-Fetch-Site": "cross-site"},
    ],
)
def test_other_sites_cannot_send_forms(page: Any, path: str, headers: dict[str, str]) -> None:
    sent = {
        name: value.format(port=page.port, other=page.port + 1) for name, value in headers.items()
    }
    answer = page.ask(
        "POST", path, b"model=given&mode=retrain", FORM | sent | {"Cookie": page.cookie}
    )
    assert answer.status == 403
    assert "page of another site" in answer.text


def test_other_sites_cannot_embed_parts_of_a_page(page: Any) -> None:
    for mode, kind in (("no-cors", "image"), ("cors", "empty"), ("navigate", "iframe")):
        headers = {"Sec-Fetch-Mode": mode, "Sec-Fetch-Dest": kind}
        for site in ("cross-site", "same-site"):
            assert (
                page.get("/static/style.css", Sec_Fetch_Site=site, **_names(headers)).status == 403
            )
    followed = {"Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"}
    assert page.get("/", Sec_Fetch_Site="cross-site", **_names(followed)).status == 200


def _names(headers: dict[str, str]) -> dict[str, str]:
    return {name.replace("-", "_"): value for name, value in headers.items()}


def test_every_response_has_security_headers(page: Any) -> None:
    for path, status in (("/", 200), ("/nothing", 404), ("/static/page.js", 200), ("/ask", 405)):
        answer = page.get(path)
        assert answer.status == status
        assert answer.headers["content-security-policy"] == (
            "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; "
            "connect-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
        )
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["x-frame-options"] == "DENY"
        assert answer.headers["referrer-policy"] == "same-origin"
        assert answer.headers["cross-origin-resource-policy"] == "same-origin"
        assert "server" not in answer.headers
        assert "set-cookie" not in answer.headers
    assert page.ask("GET", "/", headers={"Host": "evil.example"}).headers["x-frame-options"]


@pytest.mark.parametrize(
    "path",
    [
        "/static/../jobs.py",
        "/static/..%2fjobs.py",
        "/static/%2e%2e/%2e%2e/jobs.py",
        "/static//etc/passwd",
        "/static/%2fetc%2fpasswd",
        "/static/style.css%00.png",
        "/jobs/..%2f..%2fetc/report.html",
        "/jobs/../known",
        "/model/download?model=../../etc/passwd",
        "/model/download?model=%2e%2e%2ftrained-1",
    ],
)
def test_no_path_leaves_the_static_files(page: Any, path: str) -> None:
    answer = page.get(path)
    assert answer.status in (404, 422)
    assert "root:" not in answer.text
    assert "import" not in answer.text


def test_other_methods_are_refused(page: Any) -> None:
    headers = {"Origin": page.origin, "Cookie": page.cookie}
    for method in ("PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "BREW"):
        assert page.ask(method, "/", headers=headers).status in (400, 405)
        assert page.ask(method, "/").status in (400, 403)
    assert page.get("/jobs/nothing/stop").status == 405


def test_unknown_jobs_are_not_found(page: Any) -> None:
    for path in ("", "/state", "/report.html"):
        assert page.get(f"/jobs/{secrets.token_urlsafe(16)}{path}").status == 404
    assert page.post("/jobs/nothing/stop").status == 404


# Every other user of the machine can connect to the page, so it requires its token.


@pytest.fixture(scope="module")
def open_page(serve: Any, language_models: Path) -> Any:
    """A page that is bound to another address than the usual one."""
    page = serve(language_models, "--host", "127.0.0.2")
    page.host = "127.0.0.2"
    return page


GETS = (
    *("/verify", "/explore", "/rolling"),
    *("/", "/known", "/model", "/evaluation", "/model/download", "/model/download?model=given"),
    *("/static/style.css", "/static/page.js", "/static/icon.svg", "/nothing", "/favicon.ico"),
    *(
        "/jobs/{job}",
        "/jobs/{job}/state",
        "/jobs/{job}/report.html",
        "/jobs/{job}/report.html?download",
    ),
    *("/?token=wrong", "/?token=", "/?token=&token=wrong", "/static/style.css?token=wrong"),
)


@pytest.mark.parametrize("which", ["page", "open_page"])
def test_without_the_token_every_page_is_refused(
    which: str, request: pytest.FixtureRequest, sentences: Any
) -> None:
    page = request.getfixturevalue(which)
    asked = page.send("/ask", files=[("file", "diary.txt", sentences("ada", 12, 91).encode())])
    assert page.wait(asked.job)["state"] == "done"
    wrong: tuple[dict[str, str], ...] = (
        {},
        {"Cookie": f"byline-{page.port}=wrong"},
        {"Cookie": f"byline-{page.port}="},
    )
    for path in GETS:
        for headers in wrong:
            answer = page.ask("GET", path.format(job=asked.job), headers=headers)
            assert answer.status == 401
            assert answer.text.startswith("Open the address with the token")
            assert "ada" not in answer.text
            assert "set-cookie" not in answer.headers
    assert page.ask("HEAD", "/").status == 401


@pytest.mark.parametrize("which", ["page", "open_page"])
def test_without_the_token_no_form_is_accepted(which: str, request: pytest.FixtureRequest) -> None:
    page = request.getfixturevalue(which)
    before = page.get("/known").text
    headers = {"Origin": page.origin}
    for path in (*POSTS, "/model/remove", "/jobs/nothing/stop"):
        for query in ("", f"?token={page.token}"):  # of a form, the token in the address is ignored
            answer = page.ask("POST", path + query, b"author=ada", FORM | headers)
            assert answer.status == 401
    assert page.get("/known").text == before


def test_every_server_has_a_token_of_its_own(page: Any, open_page: Any) -> None:
    assert page.token != open_page.token
    assert len(page.token) >= 32
    cookie = f"byline-{page.port}={open_page.token}"
    assert page.ask("GET", "/", headers={"Cookie": cookie}).status == 401


def test_the_token_is_compared_in_constant_time(monkeypatch: pytest.MonkeyPatch) -> None:
    compared: list[tuple[bytes, bytes]] = []

    def compare(given: bytes, wanted: bytes) -> bool:
        compared.append((given, wanted))
        return given == wanted

    monkeypatch.setattr(secrets, "compare_digest", compare)
    policy = AccessPolicy("127.0.0.1", 8470, "abc")
    assert policy.accepts("abc")
    assert not policy.accepts("é")
    assert compared == [(b"abc", b"abc"), ("é".encode(), b"abc")]


@pytest.mark.parametrize("which", ["page", "open_page"])
def test_the_token_is_moved_into_a_cookie(which: str, request: pytest.FixtureRequest) -> None:
    page = request.getfixturevalue(which)
    first = page.ask("GET", f"/{page.query}")
    assert (first.status, first.headers["location"]) == (303, "/")
    given, *attributes = first.headers["set-cookie"].split("; ")
    assert given == page.cookie
    assert set(attributes) == {"HttpOnly", "Path=/", "SameSite=strict"}
    assert page.ask("GET", "/", headers={"Cookie": given}).status == 200
    assert page.post("/model", {"model": "given"}, Cookie=given).status == 303
    elsewhere = {"Cookie": given, "Origin": "http://evil.example"}
    assert page.post("/model", {"model": "given"}, **elsewhere).status == 403
    assert page.get("/", Cookie=given, Host="evil.example").status == 403


def test_a_link_from_elsewhere_leads_to_a_page_of_this_server(page: Any) -> None:
    followed = {
        "Sec-Fetch-Site": "cross-site",
        "Sec-Fetch-Mode": "navigate",
        "Sec-Fetch-Dest": "document",
    }
    answer = page.ask("GET", f"/known{page.query}&a=%22%3E%3Cb%3E", headers=followed)
    assert answer.status == 200
    assert answer.headers["set-cookie"].startswith(page.cookie)
    assert 'content="0; url=/known?a=%22%3E%3Cb%3E"' in answer.text
    assert page.token not in answer.text
    embedded = followed | {"Sec-Fetch-Dest": "iframe"}
    assert page.ask("GET", f"/{page.query}", headers=embedded).status == 403


def test_the_token_redirects_to_this_site_only(open_page: Any) -> None:
    led = open_page.get(f"//evil.example/{open_page.query}&model=2")
    assert led.headers["location"] == "/evil.example/?model=2"


def test_earlier_questions_are_hidden_from_others(page: Any, open_page: Any) -> None:
    for each, listed in ((page, True), (open_page, False)):
        answer = each.send("/ask", files=[("file", "letter.txt", b"Too short.")])
        assert each.wait(answer.job)["state"] == "done"
        front = each.get("/").text
        assert ("letter.txt" in front) is listed
        assert ("not encrypted" in front) is not listed


@pytest.mark.skipif(os.name != "posix", reason="the script that stands for a browser is a shell's")
def test_the_token_is_not_an_argument_of_the_browser(
    serve: Any, language_models: Path, tmp_path: Path
) -> None:
    """All users of a machine can list the arguments of all programs."""
    browser, seen = tmp_path / "browser", tmp_path / "arguments"
    browser.write_text(f'#!/bin/sh\necho "$@" > {seen}.new && mv {seen}.new {seen}\n')
    browser.chmod(0o700)
    page = serve(language_models, "--browser", env={"BROWSER": str(browser)})
    until = time.monotonic() + 30
    while not seen.exists() and time.monotonic() < until:
        time.sleep(0.02)
    opened = seen.read_text().strip()
    assert page.token not in opened
    file = Path(urlsplit(opened).path)
    assert f"url={page.origin}/?token={page.token}" in file.read_text()
    assert not any(folder.stat().st_mode & 0o077 for folder in file.parents[:2])
    page.end()
    assert not file.exists()


@pytest.mark.parametrize(
    ("bound", "header", "is_own"),
    [
        (ANY, "192.0.2.7:8470", True),
        (ANY, "[2001:db8::7]:8470", True),
        (ANY, "evil.example:8470", False),
        ("::", "192.0.2.7:8470", True),
        ("192.0.2.7", "192.0.2.7:8470", True),
        ("192.0.2.7", "192.0.2.8:8470", False),
        ("192.0.2.7", "192.0.2.7", False),
        ("desk.example", "Desk.Example:8470", True),
        ("127.0.0.1", "127.0.0.1:+8470", False),
        ("127.0.0.1", "127.0.0.1:8470 ", False),
        ("127.0.0.1", "[127.0.0.1]:8470:8470", False),
    ],
)
def test_host_headers_of_this_server(bound: str, header: str, is_own: bool) -> None:
    assert AccessPolicy(bound, 8470, "token").is_own(header) is is_own


def test_the_address_for_a_browser() -> None:
    assert AccessPolicy("127.0.0.1", 8470, "abc").address == "http://127.0.0.1:8470/?token=abc"
    assert AccessPolicy("::1", 8470, "abc").address == "http://[::1]:8470/?token=abc"
    assert AccessPolicy("::1", 8470).short_address == "http://[::1]:8470/"
    assert AccessPolicy(ANY, 80, "abc").address == "http://127.0.0.1:80/?token=abc"
    assert not AccessPolicy(ANY, 80, "abc").is_local
