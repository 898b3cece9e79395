"""Who may send requests to the page, from where, and what browsers must refuse."""

from __future__ import annotations

import http.client
import re
import secrets
from pathlib import Path
from typing import Any

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
        assert page.ask("GET", "/", headers={"Host": f"{host}:{page.port}"}).status == 200


def test_two_host_headers_are_refused(page: Any) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", page.port)
    connection.putrequest("GET", "/", skip_host=True)
    connection.putheader("Host", f"127.0.0.1:{page.port}")
    connection.putheader("Host", "evil.example")
    connection.endheaders()
    assert connection.getresponse().status in (400, 403)


POSTS = ("/ask", "/known/add", "/known/remove", "/known/check", "/known/train", "/model")


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
    answer = page.ask("POST", path, b"model=given&mode=retrain", FORM | sent)
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
        "/jobs/..%2f..%2fetc/case.html",
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
    for method in ("PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "BREW"):
        assert page.ask(method, "/").status in (400, 405)
    assert page.get("/jobs/nothing/stop").status == 405


def test_unknown_jobs_are_not_found(page: Any) -> None:
    for path in ("", "/state", "/case.html"):
        assert page.get(f"/jobs/{secrets.token_urlsafe(16)}{path}").status == 404
    assert page.post("/jobs/nothing/stop").status == 404


# A page that other machines can reach. It is bound to a second name of this machine alone.


@pytest.fixture(scope="module")
def open_page(serve: Any, language_models: Path) -> Any:
    page = serve(language_models, "--host", "127.0.0.2")
    page.host = "127.0.0.2"
    return page


def test_without_the_token_every_page_is_refused(open_page: Any) -> None:
    for path in ("/", "/known", "/static/style.css", "/nothing", "/?token=wrong", "/?token="):
        answer = open_page.get(path)
        assert answer.status == 401
        assert "token" in answer.text
        assert "models.byline" not in answer.text
    assert open_page.get("/", Cookie=f"byline-{open_page.port}=wrong").status == 401
    assert open_page.post("/known/check").status == 401
    [token] = re.findall(r"token=(\S+)", open_page.query)
    assert open_page.post(f"/known/check?token={token}").status == 401


def test_the_token_is_moved_into_a_cookie(open_page: Any) -> None:
    first = open_page.get(f"/{open_page.query}")
    assert (first.status, first.headers["location"]) == (303, "/")
    cookie = first.headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=strict" in cookie
    given = cookie.partition(";")[0]
    assert open_page.get("/", Cookie=given).status == 200
    assert open_page.post("/model", {"model": "given"}, Cookie=given).status == 303
    elsewhere = {"Cookie": given, "Origin": "http://evil.example"}
    assert open_page.post("/model", {"model": "given"}, **elsewhere).status == 403
    assert open_page.get("/", Cookie=given, Host="evil.example").status == 403


def test_the_token_redirects_to_this_site_only(open_page: Any) -> None:
    led = open_page.get(f"//evil.example/{open_page.query}&model=2")
    assert led.headers["location"] == "/evil.example/?model=2"


def test_earlier_questions_are_hidden_from_others(open_page: Any) -> None:
    given = open_page.get(f"/{open_page.query}").headers["set-cookie"].partition(";")[0]
    open_page.cookie = given
    answer = open_page.send("/ask", files=[("file", "diary.txt", b"Too short.")])
    assert open_page.wait(answer.job)["state"] == "done"
    front = open_page.get("/").text
    open_page.cookie = ""
    assert "diary.txt" not in front
    assert "not encrypted" in front


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
    assert AccessPolicy("127.0.0.1", 8470).address == "http://127.0.0.1:8470/"
    assert AccessPolicy("::1", 8470).address == "http://[::1]:8470/"
    assert AccessPolicy(ANY, 80, "abc").address == "http://127.0.0.1:80/?token=abc"
    assert not AccessPolicy(ANY, 80, "abc").is_local
