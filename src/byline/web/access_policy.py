"""What stands before every page: who may ask, from where, and what a browser is told to refuse.

A page elsewhere must not drive this one. Its name may be made to lead to this machine (DNS
rebinding), so the Host header must be this page's own. It may send forms here, so a POST must come
from a page of this one's: browsers say so in Origin and Sec-Fetch-Site, which no page can forge.
That, and not a token in every form, is what is relied on; the cookie of a page that other machines
may reach is SameSite=Strict beside it.
"""

from __future__ import annotations

import ipaddress
import secrets
import socket
from collections.abc import Callable
from dataclasses import dataclass
from urllib.parse import parse_qs, urlencode

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import cookie_parser
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

LOCAL = frozenset({"127.0.0.1", "localhost", "::1"})
TOKEN = "token"  # noqa: S105
POLICY = (
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",  # with none at all, forms would come from the origin "null"
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Cache-Control": "no-store",
}


@dataclass(frozen=True, slots=True)
class AccessPolicy:
    """Where the page answers, and who may ask.

    Attributes
    ----------
    host : str
        What the page is bound to.
    port : int
    token : str or None
        What one must know; None where only this machine can reach the page.
    """

    host: str
    port: int
    token: str | None = None

    @property
    def is_local(self) -> bool:
        """Whether only this machine can reach the page."""
        return self.host in LOCAL

    @property
    def cookie(self) -> str:
        """The name of the cookie with the token; cookies do not tell ports apart."""
        return f"byline-{self.port}"

    @property
    def address(self) -> str:
        """Where a browser on this machine finds the page."""
        host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(self.host, self.host)  # noqa: S104
        shown = f"[{host}]" if ":" in host else host
        query = "" if self.token is None else f"?{TOKEN}={self.token}"
        return f"http://{shown}:{self.port}/{query}"

    def is_own(self, host_header: str) -> bool:
        """Whether a Host header names this page.

        An address of numbers is no name that could have been made to lead here, so any is good
        where the page is bound to all of the machine's.
        """
        host, port = _parted(host_header)
        if port != self.port:
            return False
        if host in LOCAL or host == self.host.lower():
            return True
        if self.host not in ("0.0.0.0", "::"):  # noqa: S104
            return False
        return _is_address(host) or host == socket.gethostname().lower()

    def knows(self, given: str) -> bool:
        """Whether this is the token."""
        return secrets.compare_digest(given.encode(), (self.token or "").encode())


def _parted(host_header: str) -> tuple[str, int]:
    host, colon, port = host_header.rpartition(":")
    if not colon or port.endswith("]"):
        host, port = host_header, "80"
    is_number = port.isascii() and port.isdecimal() and len(port) <= 5
    return host.lower().removeprefix("[").removesuffix("]"), int(port) if is_number else -1


def _is_address(host: str) -> bool:
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True


class AccessMiddleware:
    """Lets through to ``app`` what may be asked, and sees to the headers of all answers.

    Parameters
    ----------
    app : ASGIApp
    door : Door
    on_defect : callable
        Takes where a defect was met, and the error's name.
    """

    def __init__(
        self, app: ASGIApp, policy: AccessPolicy, on_defect: Callable[[str, str], None]
    ) -> None:
        self.app = app
        self.policy = policy
        self.on_defect = on_defect

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] != "http":
            return
        begun = False

        async def send_with_headers(message: Message) -> None:
            nonlocal begun
            if message["type"] == "http.response.start":
                begun = True
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        answer = self._refusal(scope) or self._token_taken(scope) or self.app
        try:
            await answer(scope, receive, send_with_headers)
        except Exception as error:
            # Its message may quote a text: the kind alone is told.
            self.on_defect("page", type(error).__name__)
            if not begun:
                await _DEFECT(scope, receive, send_with_headers)

    def _refusal(self, scope: Scope) -> Response | None:
        """Return why a request may not be made here, or None where it may."""
        headers = Headers(scope=scope)
        host = headers.get("host", "")
        if len(headers.getlist("host")) != 1 or not self.policy.is_own(host):
            return _refused(403, f"This page has another address: {self._shown_address()}")
        if scope["method"] not in ("GET", "HEAD", "POST"):
            return None  # there is no such thing to do, which the routes say
        if not _is_from_here(scope["method"], headers, host):
            return _refused(403, "This was sent by a page elsewhere, and such may not ask here.")
        if self.policy.token is not None and not self._has_token(scope, headers):
            return _refused(401, "Open the address with the token that `byline serve` printed.")
        return None

    def _shown_address(self) -> str:
        return self.policy.address.partition("?")[0]

    def _has_token(self, scope: Scope, headers: Headers) -> bool:
        cookie = cookie_parser(headers.get("cookie", "")).get(self.policy.cookie, "")
        return self.policy.knows(cookie) or self.policy.knows(_token_asked(scope))

    def _token_taken(self, scope: Scope) -> Response | None:
        """Put a token that stands in the address into a cookie, out of sight."""
        if self.policy.token is None or not _token_asked(scope):
            return None
        query = parse_qs(scope["query_string"].decode("latin-1"), keep_blank_values=True)
        rest = urlencode([(k, v) for k, vs in query.items() if k != TOKEN for v in vs])
        path = f"/{scope['path'].lstrip('/')}"  # two slashes would name another machine
        response = RedirectResponse(f"{path}{'?' if rest else ''}{rest}", 303)
        response.set_cookie(self.policy.cookie, self.policy.token, httponly=True, samesite="strict")
        return response


def _is_from_here(method: str, headers: Headers, host: str) -> bool:
    """Whether a page of this one's asks, or someone who follows a link or types an address."""
    origin, site = headers.get("origin"), headers.get("sec-fetch-site")
    if origin is not None and origin != f"http://{host}":
        return False
    if method == "POST":
        return site in (None, "same-origin", "none") and (origin or site) is not None
    if site in (None, "same-origin", "none"):
        return True
    return (headers.get("sec-fetch-mode"), headers.get("sec-fetch-dest")) == (
        "navigate",
        "document",
    )


def _token_asked(scope: Scope) -> str:
    if scope["method"] == "POST":
        return ""
    values = parse_qs(bytes(scope["query_string"]).decode("latin-1")).get(TOKEN, [""])
    return values[0]


def _refused(status: int, why: str) -> Response:
    return PlainTextResponse(f"{why}\n", status, headers={"Connection": "close"})


_DEFECT = PlainTextResponse(
    "There is a defect in Byline, and this page cannot be shown.\n", 500, {"Connection": "close"}
)
