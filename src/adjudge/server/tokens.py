"""Bearer tokens of a service: who may ask, and whom a request counts for."""

from __future__ import annotations

import hashlib
import hmac
import re
from collections.abc import Iterable

from fastapi import Request

from adjudge.errors import UsageError
from adjudge.io.files import lines, read_bytes
from adjudge.server.limits import client_address
from adjudge.server.problems import ServerProblem
from adjudge.wording import counted

SHORTEST = 16
"""Characters; `openssl rand -hex 32` makes 64."""
_TOKEN = re.compile(r"[A-Za-z0-9._~+/-]+=*", re.ASCII)  # RFC 6750, section 2.1


class Tokens:
    """The tokens that a service takes, of which it keeps hashes; without any, it takes everybody."""

    def __init__(self, tokens: Iterable[str] = ()) -> None:
        self._hashes = [_hash(token) for token in tokens]

    def __bool__(self) -> bool:
        return bool(self._hashes)

    def client(self, request: Request) -> str:
        """Whom a request counts for: its token, or where there are none its address; Problem for a wrong token."""
        if not self._hashes:
            return client_address(request)
        scheme, _, token = request.headers.get("authorization", "").partition(" ")
        given = _hash(token.strip())
        # All are compared, in constant time: how long it takes tells nothing about any of them.
        matches = [hmac.compare_digest(given, known) for known in self._hashes]
        if scheme.lower() != "bearer" or not any(matches):
            message = "a token of this service was expected, with the header authorization: Bearer TOKEN"
            raise ServerProblem(401, "unauthorised", message, www_authenticate="Bearer")
        return f"token {matches.index(True)}"


def read_tokens(path: str) -> list[str]:
    """The tokens of a file, one per line; empty lines and those that begin with # are left out."""
    rows = [(number, line.strip()) for number, line in enumerate(lines(path, read_bytes(path)[0]), 1)]
    tokens = [
        checked_token(line, f"{path}, line {number}") for number, line in rows if line[:1] not in ("", "#")
    ]
    if not tokens:
        raise UsageError(f"{path} holds no token; write one per line (openssl rand -hex 32 makes one)")
    return tokens


def checked_token(text: str, place: str) -> str:
    """A token that a header carries and nobody guesses; it is never shown."""
    if not _TOKEN.fullmatch(text):
        raise UsageError(f"{place}: a token has letters, digits and . _ ~ + / - only (it is not shown here)")
    if len(text) < SHORTEST:
        raise UsageError(
            f"{place}: a token of {counted(len(text), 'character')} can be guessed; take at least {SHORTEST} "
            "(openssl rand -hex 32 makes one)"
        )
    return text


def _hash(token: str) -> bytes:
    return hashlib.sha256(token.encode("utf-8", "surrogateescape")).digest()
