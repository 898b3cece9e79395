"""Who may send requests to the page, from where, and what its browser must refuse.

A page of another site must not control this one. Such a page could make its own name point to this
machine (DNS rebinding), so the Host header must name this server. It could send forms here, so a
POST must come from a page of this server: browsers state that in Origin and Sec-Fetch-Site, which
no page can forge.

Other users of this machine can connect to its local addresses, and their programs can send any
header. So every request must present a secret token, whatever it asks for. `byline serve` prints it
as part of the address, and it is then moved into a cookie.
"""

from __future__ import annotations

import ipaddress
import secrets
import socket
from collections.abc import Callable
from dataclasses import dataclass, field
from html import escape
from urllib.parse import parse_qs, urlencode

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import cookie_parser
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

LOCAL = frozenset({"127.0.0.1", "localhost", "::1"})
TOKEN = "token"  # noqa: S105
TOKEN_BYTES = 24
POLICY = (
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
)
UNAUTHORIZED = (
    "Open the address with the token, as `byline serve` printed it: only whoever has the token may "
    "use this page."
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
    """The address of the server, and who may use it.

    Attributes
    ----------
    host : str
        The name or address that the server is bound to.
    port : int
    token : str
        The secret that every request must present; by default a new one.
    """

    host: str
    port: int
    token: str = field(default_factory=lambda: secrets.token_urlsafe(TOKEN_BYTES))

    @property
    def is_local(self) -> bool:
        """Whether only this machine can reach the server."""
        return self.host in LOCAL

    @property
    def cookie(self) -> str:
        """The name of the cookie with the token; browsers share cookies between ports."""
        return f"byline-{self.port}"

    @property
    def address(self) -> str:
        """The address for a browser on this machine, with the token."""
        return f"{self.short_address}?{TOKEN}={self.token}"

    @property
    def short_address(self) -> str:
        """The address for a browser that has the cookie already."""
        host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(self.host, self.host)  # noqa: S104
        shown = f"[{host}]" if ":" in host else host
        return f"http://{shown}:{self.port}/"

    def is_own(self, host_header: str) -> bool:
        """Return whether a Host header names this server.

        A numeric address is not a name that somebody could make point here, so any such address is
        accepted if the server is bound to all addresses of the machine.
        """
        host, port = _split_host(host_header)
        if port != self.port:
            return False
        if host in LOCAL or host == self.host.lower():
            return True
        if self.host not in ("0.0.0.0", "::"):  # noqa: S104
            return False
        return _is_address(host) or host == socket.gethostname().lower()

    def accepts(self, given: str) -> bool:
        """Return whether ``given`` is the token."""
        return secrets.compare_digest(given.encode(), self.token.encode())


def _split_host(host_header: str) -> tuple[str, int]:
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
    """Pass permitted requests to ``app``, and add security headers to all responses.

    Parameters
    ----------
    app : ASGIApp
    policy : AccessPolicy
    on_defect : callable
        Called with the place of a defect and the error's name.
    """

    def __init__(
        self, app: ASGIApp, policy: AccessPolicy, on_defect: Callable[[str, str], None]
    ) -> None:
        self.app = app
        self.policy = policy
        self.on_defect = on_defect

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            return
        has_started = False

        async def send_with_headers(message: Message) -> None:
            nonlocal has_started
            if message["type"] == "http.response.start":
                has_started = True
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        try:
            answer = self._refusal(scope) or self._store_token(scope) or self.app
            await answer(scope, receive, send_with_headers)
        except Exception as error:
            # Its message may quote a text, so only its name is reported.
            self.on_defect("page", type(error).__name__)
            if not has_started:
                await _DEFECT(scope, receive, send_with_headers)

    def _refusal(self, scope: Scope) -> Response | None:
        """Return the refusal of a request, or None if it is permitted."""
        headers = Headers(scope=scope)
        host = headers.get("host", "")
        if len(headers.getlist("host")) != 1 or not self.policy.is_own(host):
            return _refused(403, f"This page has another address: {self.policy.short_address}")
        if not _is_own_request(scope["method"], headers, host):
            return _refused(
                403, "The request came from a page of another site, which may not use this one."
            )
        if not self._has_token(scope, headers):
            return _refused(401, UNAUTHORIZED)
        return None

    def _has_token(self, scope: Scope, headers: Headers) -> bool:
        cookie = cookie_parser(headers.get("cookie", "")).get(self.policy.cookie, "")
        return self.policy.accepts(cookie) or self.policy.accepts(_token_in_query(scope))

    def _store_token(self, scope: Scope) -> Response | None:
        """Move a token from the address into a cookie, where nobody sees it.

        A browser that comes from elsewhere, for example from a link in a message, would not send a
        SameSite=Strict cookie to where it is redirected. So it is shown a page that leads there.
        """
        if not _token_in_query(scope):
            return None
        query = parse_qs(scope["query_string"].decode("latin-1"), keep_blank_values=True)
        rest = urlencode([(k, v) for k, vs in query.items() if k != TOKEN for v in vs])
        path = f"/{scope['path'].lstrip('/')}"  # two slashes would name another server
        target = f"{path}{'?' if rest else ''}{rest}"
        site = Headers(scope=scope).get("sec-fetch-site")
        response: Response
        if site in (None, "same-origin", "none"):
            response = RedirectResponse(target, 303)
        else:
            response = HTMLResponse(forwarding_page(target))
        response.set_cookie(self.policy.cookie, self.policy.token, httponly=True, samesite="strict")
        return response


def _is_own_request(method: str, headers: Headers, host: str) -> bool:
    """Return whether a page of this server, a link or a typed address caused the request."""
    origin, site = headers.get("origin"), headers.get("sec-fetch-site")
    if origin is not None and origin != f"http://{host}":
        return False
    if method not in ("GET", "HEAD"):
        return site in (None, "same-origin", "none") and (origin or site) is not None
    if site in (None, "same-origin", "none"):
        return True
    return (headers.get("sec-fetch-mode"), headers.get("sec-fetch-dest")) == (
        "navigate",
        "document",
    )


def forwarding_page(target: str) -> str:
    """Return an HTML page that leads a browser to an address at once."""
    address = escape(target)
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Byline</title>'
        f'<meta http-equiv="refresh" content="0; url={address}"></head>'
        f'<body><p><a href="{address}">Go to the page of Byline</a></p></body></html>\n'
    )


def _token_in_query(scope: Scope) -> str:
    if scope["method"] not in ("GET", "HEAD"):
        return ""
    values = parse_qs(bytes(scope["query_string"]).decode("latin-1")).get(TOKEN, [""])
    return values[0]


def _refused(status: int, why: str) -> Response:
    return PlainTextResponse(f"{why}\n", status, headers={"Connection": "close"})


_DEFECT = PlainTextResponse(
    "There is a defect in Byline. This page cannot be shown.\n", 500, {"Connection": "close"}
)
