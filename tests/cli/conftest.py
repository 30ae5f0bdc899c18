"""Running the command line in this process, as a process of its own, and on a terminal."""

import io
import os
import pty
import subprocess
import sys
from collections.abc import Callable, Mapping
from typing import NamedTuple

import pytest

from adjudge.cli import main
from helpers import sacrebleus, warm


class Ended(NamedTuple):
    code: int
    out: str
    err: str


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Callable[..., Ended]:
    """Run a command in this process."""

    def call(*args: object) -> Ended:
        capsys.readouterr()
        code = main([str(a) for a in args])
        return Ended(code, *capsys.readouterr())

    return call


def process_of(*program: str) -> Callable[..., Ended]:
    def call(*args: object, env: Mapping[str, str] | None = None, **options: object) -> Ended:
        done = subprocess.run(
            [*program, *map(str, args)],
            capture_output=True,
            timeout=60,
            env={**os.environ, **(env or {})},
            **options,  # type: ignore[call-overload]
        )
        return Ended(
            done.returncode, done.stdout.decode("utf-8", "replace"), done.stderr.decode("utf-8", "replace")
        )

    return call


@pytest.fixture
def process() -> Callable[..., Ended]:
    """Run a command in a process with its own streams, which has loaded before what it needs (helpers/warm.py)."""
    return process_of(str(warm.program()))


@pytest.fixture
def new_process() -> Callable[..., Ended]:
    """Run a command as users do, from the start of Python on."""
    return process_of(sys.executable, "-m", "adjudge")


@pytest.fixture
def terminal() -> Callable[..., str]:
    """What a terminal of some width gets from a command on stdout."""

    def call(*args: object, columns: int = 80, **env: str) -> str:
        ours, theirs = pty.openpty()
        clean = {k: v for k, v in os.environ.items() if k not in ("NO_COLOR", "FORCE_COLOR", "COLUMNS")}
        done = subprocess.Popen(
            [str(warm.program()), *map(str, args)],
            stdout=theirs,
            stdin=subprocess.DEVNULL,
            env=clean | {"TERM": "xterm-256color", "COLUMNS": str(columns)} | env,
        )
        os.close(theirs)
        chunks = []
        while True:
            try:
                chunk = os.read(ours, 65536)
            except OSError:  # how Linux says that the other end is closed
                break
            if not chunk:
                break
            chunks.append(chunk)
        os.close(ours)
        assert done.wait(60) == 0
        return b"".join(chunks).decode().replace("\r\n", "\n")

    return call


@pytest.fixture(scope="session")
def real_sacrebleu() -> sacrebleus.Real:
    """What the real sacreBLEU says to lines of arguments, in one process for all tests."""
    return sacrebleus.real


@pytest.fixture
def ours(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> sacrebleus.Ours:
    """What `adjudge sacrebleu` says to a line of arguments, beside the examples."""

    def answer(line: str) -> sacrebleus.Answer:
        arguments, stdin = sacrebleus.split(line)
        monkeypatch.chdir(sacrebleus.EXAMPLES)
        data = (sacrebleus.EXAMPLES / stdin).read_bytes() if stdin else b""
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
        capfd.readouterr()
        return sacrebleus.Answer(main(["sacrebleu", *arguments]), *capfd.readouterr())

    return answer
