"""A server of files that breaks in the ways in which servers do."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


@dataclass
class Files:
    """What a server has, and what it was asked for."""

    address: str
    asked: list[str] = field(default_factory=list)


@contextmanager
def served_files(texts: Mapping[str, str]) -> Iterator[Files]:
    """Files by their paths; `/broken` ends too early, `/fault` is a fault of the server."""

    class Handler(BaseHTTPRequestHandler):
        def do_HEAD(self) -> None:
            self.answer(body=False)

        def do_GET(self) -> None:
            self.answer(body=True)

        def answer(self, *, body: bool) -> None:
            files.asked.append(self.path)
            path = self.path.partition("?")[0]
            text = texts.get(path, "").encode()
            code = 500 if path == "/fault" else 200 if text or path == "/broken" else 404
            self.send_response(code)
            self.send_header("content-length", "1000" if path == "/broken" else str(len(text)))
            self.end_headers()
            if body:
                self.wfile.write(text or (b"half of a" if path == "/broken" else b""))

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        files = Files(f"127.0.0.1:{server.server_address[1]}")
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield files
        finally:
            server.shutdown()
