"""One question to an OpenAI-compatible endpoint: the answer, or what went wrong and whether asking again may help."""

from __future__ import annotations

import http.client
import json
import socket
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from email.utils import parsedate_to_datetime
from typing import Any
from urllib.parse import urlsplit

from adjudge.errors import DataError, UsageError
from adjudge.metrics.judges.secrets import without_key

PATH = "/chat/completions"
LARGEST = 4 << 20
"""Bytes that an answer may have."""
SHOWN = 200
"""Characters of what a server said that a message shows."""
AGAIN = frozenset({408, 409, 425, 429, *range(500, 600)})
"""Answers that another time may be others."""
REFUSED = frozenset({400, 413, 422})
"""What servers say to a single question that they do not take, such as one that is too long."""


@dataclass(frozen=True)
class Reply:
    """What a model said."""

    text: str
    model: str = ""
    """Who said it, by the server's word."""
    complete: bool = True
    """Whether it came to its end, or was cut off at the number of tokens it may have."""


class Unanswered(Exception):
    """There is no answer this time; another time there may be one."""

    def __init__(self, reason: str, wait: float | None = None, *, spoke: bool = False) -> None:
        super().__init__(reason)
        self.wait = wait
        """Seconds after which the server wants to be asked again, where it says so."""
        self.spoke = spoke
        """Whether the server took the question and sent something that is no answer."""


class Declined(Exception):
    """The server does not take this question, however often it is asked."""


@dataclass(eq=False)
class Endpoint:
    """Where a model is asked; threads may ask at once."""

    url: str
    key: str = field(default="", repr=False)
    time_limit: float = 600.0
    """Seconds for one question, from the first byte sent to the last one read."""
    _open: set[socket.socket] = field(default_factory=set, repr=False)
    _lock: threading.Lock = field(default_factory=threading.Lock, repr=False)
    _closed: bool = False

    def __post_init__(self) -> None:
        check_url(self.url)

    def ask(self, body: Mapping[str, Any]) -> Reply:
        """What the model says to one request."""
        data = json.dumps(body, ensure_ascii=False).encode("utf-8", "surrogatepass")
        status, headers, answer = self._post(data)
        text = self._hide_key(answer.decode("utf-8", "replace"))
        if status == 200:
            return _reply(text)
        content = _message(text)
        if status in AGAIN:
            raise Unanswered(f"it answers {status}: {content}", _wait(headers.get("retry-after")))
        if status in REFUSED:
            raise Declined(f"{status}: {content}")
        target = self._hide_key(headers.get("location") or "")
        raise DataError(f"{self.url} answers {status}: {content}{_way_out(status, target)}")

    def close(self) -> None:
        """End pending requests, so that a server that hangs holds up nothing."""
        with self._lock:
            self._closed = True
            for connection in self._open:
                _end(connection)

    def _hide_key(self, text: str) -> str:
        return without_key(text, self.key)

    def _post(self, data: bytes) -> tuple[int, Mapping[str, str], bytes]:
        parts = urlsplit(self.url)
        kind = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
        connection = kind(parts.hostname or "", parts.port, timeout=self.time_limit)
        headers = {"Content-Type": "application/json", "Accept": "application/json"}
        if self.key:
            headers["Authorization"] = f"Bearer {self.key}"
        begun = time.monotonic()
        try:
            connection.connect()
            with self._time_limit(connection.sock):
                # Redirects are not followed: the key is for this host and no other.
                connection.request("POST", parts.path.rstrip("/") + PATH, body=data, headers=headers)
                response = connection.getresponse()
                answer = response.read(LARGEST + 1)
                if len(answer) > LARGEST:
                    raise Unanswered(f"its answer has more than {LARGEST >> 20} MiB", spoke=True)
                return (
                    response.status,
                    {name.lower(): value for name, value in response.headers.items()},
                    answer,
                )
        except (OSError, http.client.HTTPException) as error:
            late = isinstance(error, TimeoutError) or time.monotonic() - begun >= self.time_limit
            reason = f"there is no answer within {self.time_limit:g} s" if late else _reason(error)
            raise Unanswered(self._hide_key(reason)) from None
        finally:
            connection.close()

    @contextmanager
    def _time_limit(self, connection: socket.socket) -> Iterator[None]:
        """Cut the line at the time limit: a server that sends a byte now and then would never reach one of its own."""
        clock = threading.Timer(self.time_limit, _end, [connection])
        clock.daemon = True
        clock.start()
        with self._lock:
            self._open.add(connection)
            if self._closed:
                _end(connection)
        try:
            yield
        finally:
            clock.cancel()
            with self._lock:
                self._open.discard(connection)


def check_url(url: str) -> None:
    """Refuse what is no address of a service, or would carry a secret into signatures."""
    try:
        parts = urlsplit(url)
        right = parts.scheme in ("http", "https") and bool(parts.hostname) and (parts.port or 1) > 0
    except ValueError:
        right = False
    if not right or not url.isprintable() or " " in url:
        raise UsageError(f"url={url}: an address was expected, as in http://127.0.0.1:8000/v1")
    if parts.username is not None or parts.password is not None or parts.query or parts.fragment:
        raise UsageError(
            "url: an address without a user, a password or a query was expected (it is not repeated here, for it may "
            "hold a secret); a key comes from the environment"
        )


def place(url: str) -> str:
    """The host and port of an address."""
    return urlsplit(url).netloc


def is_exposed(url: str) -> bool:
    """Whether what is sent there can be read on its way: without TLS, to another machine."""
    parts = urlsplit(url)
    host = parts.hostname or ""
    return parts.scheme == "http" and host not in ("localhost", "::1") and not host.startswith("127.")


def _end(connection: socket.socket) -> None:
    with suppress(OSError):  # it has ended already
        connection.shutdown(socket.SHUT_RDWR)


def _reply(text: str) -> Reply:
    """What stands in a completion."""
    try:
        document = json.loads(text)
        choice = document["choices"][0]
        content = choice["message"]["content"]
    except (ValueError, LookupError, TypeError, RecursionError):
        raise Unanswered(f"its answer is no chat completion: {_short(text)}", spoke=True) from None
    if not isinstance(content, str):
        content = ""  # nothing was said, which is an answer that cannot be read
    model = document.get("model")
    return Reply(content, model if isinstance(model, str) else "", choice.get("finish_reason") != "length")


def _message(text: str) -> str:
    """What a server says of a failure: the message within its JSON, or how its answer begins."""
    try:
        document = json.loads(text)
        error = document.get("error", document)
        content = error.get("message", error) if isinstance(error, dict) else error
        return _short(content if isinstance(content, str) else json.dumps(content))
    except (ValueError, AttributeError, RecursionError):
        return _short(text)


def _short(text: str) -> str:
    line = " ".join(text.split())
    return (f"{line[:SHOWN]}…" if len(line) > SHOWN else line) or "nothing"


def _reason(error: Exception) -> str:
    if isinstance(error, ConnectionRefusedError):
        return "nobody answers there (connection refused)"
    if isinstance(error, socket.gaierror):
        return "there is no such host"
    if isinstance(error, http.client.IncompleteRead | http.client.RemoteDisconnected | ConnectionError):
        return "it closed the line before its answer was whole"
    return str(error) or type(error).__name__


def _wait(text: str | None) -> float | None:
    """Seconds from a header Retry-After: a number, or a date."""
    if not text:
        return None
    try:
        return max(0.0, float(text))
    except ValueError:
        pass
    try:
        return max(0.0, parsedate_to_datetime(text).timestamp() - time.time())
    except (ValueError, TypeError):
        return None


def _way_out(status: int, target: str) -> str:
    if 300 <= status < 400:
        return f"; redirects are not followed, as the key is for this host only: url={target or 'ADDRESS'}"
    if status in (401, 403):
        return "; the key comes from the variable that --key-variable names"
    if status in (404, 405):
        return f"; is that the address of an OpenAI-compatible service (…/v1), and has it the model? {PATH} is asked"
    return ""
