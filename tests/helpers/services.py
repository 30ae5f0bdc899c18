"""`adjudge serve` as a process, and the servers of campaigns, with clients that do as they should or do not."""

from __future__ import annotations

import http.client
import json
import signal
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

QUICK_END = (
    "import sys; from adjudge.server import ending; ending.SECONDS = float(sys.argv[1]); "
    "from adjudge.cli import main; sys.exit(main(sys.argv[2:]))"
)


def started(*arguments: str, ending: float = 8.0) -> subprocess.Popen[str]:
    """A command of adjudge that serves, with so many seconds for requests under way at its end."""
    command = [sys.executable, "-c", QUICK_END, str(ending), *arguments, "--port", "0"]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def unfinished(port: int, path: str, source: str = "127.0.0.1") -> socket.socket:
    """A request whose body does not end."""
    connection = socket.create_connection(("127.0.0.1", port), timeout=60, source_address=(source, 0))
    head = f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
    connection.sendall(f"{head}Content-Length: 1000\r\n\r\n{{".encode())
    return connection


def error_of(connection: socket.socket) -> tuple[int, str]:
    """Status and code of an error that came as the answer."""
    reply = http.client.HTTPResponse(connection)
    reply.begin()
    return reply.status, json.loads(reply.read())["error"]["code"]


class Service:
    """`adjudge serve` as a process."""

    def __init__(self, *options: str, ending: float = 8.0) -> None:
        self.process = started("serve", *options, ending=ending)
        assert self.process.stderr is not None
        greeting = next(line for line in self.process.stderr if "POST" in line)
        self.port = int(greeting.partition("/score")[0].rpartition(":")[2])

    def connect(self, source: str = "127.0.0.1") -> http.client.HTTPConnection:
        """A connection from an address of this machine."""
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=120, source_address=(source, 0))

    def post(self, route: str, body: object, source: str = "127.0.0.1") -> tuple[int, str]:
        """Status and text of the answer to a request."""
        connection = self.connect(source)
        try:
            connection.request("POST", route, json.dumps(body), {"content-type": "application/json"})
            reply = connection.getresponse()
            return reply.status, reply.read().decode()
        finally:
            connection.close()

    def children(self) -> list[int]:
        """The processes that compute."""
        threads = Path(f"/proc/{self.process.pid}/task").iterdir()
        return [int(text) for thread in threads for text in (thread / "children").read_text().split()]

    def stop(self) -> tuple[int, str]:
        """End it by SIGTERM: its status, and what it said."""
        self.process.send_signal(signal.SIGTERM)
        _, said = self.process.communicate(timeout=60)
        return self.process.returncode, said

    def close(self) -> None:
        """End it, however it is."""
        if self.process.poll() is None:
            self.process.kill()
        self.process.communicate()


def error_code(answer: tuple[int, str]) -> Any:
    """The code of an error that a service answered."""
    return json.loads(answer[1])["error"]["code"]
