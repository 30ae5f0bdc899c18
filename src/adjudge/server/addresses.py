"""Addresses of a server: the base of links, and the allowed hosts and origins of requests."""

from __future__ import annotations

import ipaddress
import re
import socket
from urllib.parse import SplitResult, urlsplit

LOOPBACK = ("127.0.0.1", "localhost", "[::1]")
EVERYWHERE = ("0.0.0.0", "[::]")
_NAME = re.compile(r"(?!-)[a-z0-9_-]{1,63}(?<!-)(\.(?!-)[a-z0-9_-]{1,63}(?<!-))*\.?", re.ASCII)
_PORTS = {"http": 80, "https": 443}


def site(value: str) -> str:
    """An address of a site, scheme://host[:port] in its plain form; ValueError says what is wrong with it."""
    try:
        parts = urlsplit(value)
        port = parts.port
    except ValueError as error:
        raise ValueError(f"{error}") from None
    if parts.scheme not in _PORTS:
        raise ValueError("it does not begin with http:// or https://")
    if re.search(r"[\s\x00-\x1f]", value) or parts.username is not None:
        raise ValueError("an address has no spaces, no user and no password")
    if parts.path.strip("/") or parts.query or parts.fragment or value.endswith(("?", "#")):
        raise ValueError("it goes on behind the host; adjudge needs a host (or a port) of its own")
    if port is not None and port == _PORTS[parts.scheme]:
        port = None
    return f"{parts.scheme}://{_host(parts)}{'' if port is None else f':{port}'}"


def _host(parts: SplitResult) -> str:
    name = (parts.hostname or "").lower()
    if not name:
        raise ValueError("it names no host")
    if parts.netloc.startswith("["):
        return f"[{ipaddress.IPv6Address(name)}]"
    if re.fullmatch(r"[0-9.]+", name):
        return str(ipaddress.IPv4Address(name))
    if not name.isascii():
        name = name.encode("idna").decode()
    if not _NAME.fullmatch(name):
        raise ValueError(f"{name!r} is no name of a host")
    return name


def is_local(host: str) -> bool:
    """Whether only this machine reaches what listens there."""
    return host in ("localhost", "::1") or host.startswith("127.")


class KnownHosts:
    """The hosts and origins under which people reach a server, by its base URL; this machine may always ask itself.

    A page that makes browsers look up its own name as this server's address (DNS rebinding) comes with that name, and
    is refused. A server that listens everywhere and was not told its name answers to any numeric address, and to the
    machine's own name, none of which another site's page can have.
    """

    def __init__(self, base_url: str) -> None:
        self._own = site(base_url)
        self._scheme, _, self._host = self._own.partition("://")
        self._everywhere = _name(self._host) in EVERYWHERE

    def has_host(self, host: str) -> bool:
        """Whether a Host header is allowed."""
        plain = self._plain(host)
        if plain is None:
            return False
        name = _name(plain)
        if plain == self._host or name in LOOPBACK:
            return True
        return self._everywhere and (_is_numeric(name) or name == socket.gethostname().lower())

    def has_origin(self, origin: str, host: str) -> bool:
        """Whether an Origin header is allowed: that of the base URL, or of the requested host."""
        try:
            given = site(origin)
        except ValueError:
            return False
        return given in (self._own, f"{self._scheme}://{self._plain(host)}")

    def _plain(self, host: str) -> str | None:
        try:
            return site(f"{self._scheme}://{host}").partition("://")[2]
        except ValueError:
            return None


def _name(host: str) -> str:
    """A host without its port."""
    return re.sub(r":[0-9]+$", "", host)


def _is_numeric(name: str) -> bool:
    try:
        ipaddress.ip_address(name.strip("[]"))
    except ValueError:
        return False
    return True
