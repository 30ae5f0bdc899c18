"""Commands in processes of their own that need not load anything: each is a fork of one process that has.

Loading numpy and scipy takes longer than most commands do. `python warm.py SOCKET` waits at a Unix socket, until its
stdin ends; a client (`CLIENT`, which starts in a hundredth of a second) hands over its arguments, environment, folder
and streams, and ends with the exit code it gets. How Python itself starts is not seen this way: tests of that, of
closed streams and of Ctrl-C start a process as users do.
"""

import atexit
import io
import json
import os
import pkgutil
import select
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
from functools import cache
from importlib import import_module
from pathlib import Path

CLIENT = """#!{python} -IS
import _socket, os, struct, sys
from json import dumps

told = dumps([sys.argv[1:], dict(os.environ), os.getcwd()]).encode()
server = _socket.socket(_socket.AF_UNIX)
server.connect({path!r})
streams = [(_socket.SOL_SOCKET, _socket.SCM_RIGHTS, struct.pack("3i", 0, 1, 2))]
server.sendmsg([struct.pack("I", len(told))], streams)
server.sendall(told)
code = server.recv(1)
sys.exit(code[0] if code else "the process that ran this is gone")
"""
USED = (
    "cli",
    "comparison",
    "planning",
    "checks",
    "dossiers",
    "report",
    "metrics",
    "history",
    "stats",
    "human",
)
"""Rooms that commands load from; what lies elsewhere is loaded by them, or when it is needed."""


@cache
def program() -> Path:
    """An `adjudge` to be run like the real one, in a folder of its own."""
    folder = Path(tempfile.mkdtemp(prefix="adjudge-warm-"))
    path = str(folder / "socket")
    server = subprocess.Popen(
        [sys.executable, __file__, path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd="/"
    )
    assert server.stdout is not None
    assert server.stdout.readline() == b"ready\n"
    atexit.register(lambda: (server.communicate(), shutil.rmtree(folder)))
    client = folder / "adjudge"
    client.write_text(CLIENT.format(python=sys.executable, path=path))
    client.chmod(0o755)
    return client


def serve(path: str) -> None:
    """Run what clients ask for, each in a fork, until stdin ends."""
    for room in USED:
        package = import_module(f"adjudge.{room}")
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            import_module(module.name)
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for the forks here
    listening = socket.socket(socket.AF_UNIX)
    listening.bind(path)
    listening.listen(64)
    print("ready", flush=True)
    while True:
        ready, _, _ = select.select([listening, 0], [], [])
        if 0 in ready:
            return
        connection, _ = listening.accept()
        if os.fork() == 0:
            listening.close()
            connection.sendall(bytes([run(connection) & 255]))
            os._exit(0)
        connection.close()


def run(connection: socket.socket) -> int:
    """Be the client in all that a program can see, run the command, and return its exit code."""
    head, streams, _, _ = socket.recv_fds(connection, 4, 3)
    told = connection.recv(int.from_bytes(head, sys.byteorder), socket.MSG_WAITALL)
    arguments, environment, folder = json.loads(told)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
        os.close(stream)
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    sys.argv = ["adjudge", *arguments]
    encoding, _, errors = os.environ.get("PYTHONIOENCODING", "utf-8").partition(":")
    sys.stdin = io.TextIOWrapper(os.fdopen(0, "rb"), encoding, errors or "strict")
    sys.stdout, sys.stderr = (
        io.TextIOWrapper(
            os.fdopen(number, "wb"),
            encoding,
            errors or fallback,
            line_buffering=number == 2 or os.isatty(number),
        )
        for number, fallback in ((1, "strict"), (2, "backslashreplace"))
    )
    from adjudge.__main__ import main

    code = main()
    sys.stdout.flush()
    sys.stderr.flush()
    return code


if __name__ == "__main__":
    serve(sys.argv[1])
