"""The settings of a server."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class ServerSettings:
    """How a server is reached, and what it allows."""

    base_url: str = "http://127.0.0.1:8080"
    """How people reach it from outside: links begin with it, and cookies are for https only where it says so."""
    demo: bool = True
    """Whether campaigns that allow it can be tried by anyone who reaches the server."""
    embed_in: tuple[str, ...] = ()
    """Sites that may show it in a frame, as marketplaces do."""
    proxies: tuple[str, ...] = ()
    """Addresses or networks of proxies, which are believed when they say who asks (X-Forwarded-For)."""
    largest_body: int = 256 * 1024
    sign_in_tries: int = 10
    """Tries to sign in from one address within `sign_in_seconds`."""
    sign_in_seconds: float = 300.0

    @property
    def secure(self) -> bool:
        """Whether cookies travel over https only."""
        return self.base_url.startswith("https://")
