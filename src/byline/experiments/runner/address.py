"""The address of a Dask scheduler, and whether one answers there."""

from __future__ import annotations

import socket
from urllib.parse import urlsplit

from byline.errors import UsageError

PROTOCOLS = ("tcp", "tls")
MOST_BYTES = 2**20  # of a scheduler's greeting, which has some hundred


def check_address(address: str) -> tuple[str, str, int]:
    """Take the address of a scheduler apart: protocol, host and port.

    Raises
    ------
    UsageError
        It is no such address.
    """
    try:
        parts = urlsplit(address)
        host, port = parts.hostname, parts.port
    except ValueError:  # a port that is no number, say
        host, port = None, None
    if not host or not port or parts.scheme not in PROTOCOLS or parts.path:
        raise UsageError(
            f"--cluster: {address!r} is no address of a Dask scheduler; write tcp://HOST:PORT, "
            "or tls://HOST:PORT"
        )
    return parts.scheme, host, port


def knock(address: str, seconds: float) -> None:
    """See whether a scheduler answers: Dask itself waits long for one that does not.

    Raises
    ------
    OSError
        Nothing is there, or it does not greet as schedulers do.
    """
    protocol, host, port = check_address(address)
    with socket.create_connection((host, port), timeout=seconds) as connection:
        if protocol == "tcp":
            with connection.makefile("rb") as stream:
                greeting = stream.read(8)  # the length of what follows
            if not greeting or int.from_bytes(greeting, "little") > MOST_BYTES:
                raise OSError("something else answers there")
