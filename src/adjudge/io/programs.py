"""Other programs, with lines in and lines out: started without a shell, with a timeout, and with stderr kept."""

from __future__ import annotations

import contextlib
import os
import queue
import shlex
import signal
import subprocess
import threading
from collections import deque
from collections.abc import Iterable, Sequence
from typing import IO, Self

from adjudge.errors import ProgramError, UsageError
from adjudge.wording import pluralise

COMPLAINT = 20
"""Last lines of a program's stderr that a message shows."""
GRACE = 5.0
"""Seconds that a program has to exit after the end of its input."""


def arguments_of(command: str) -> list[str]:
    """The words of a command, split as a shell would."""
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise UsageError(f"cannot read the command {command!r}: {error}") from None
    if not words:
        raise UsageError("the command is empty; write a program and its arguments")
    return words


class Program:
    """A running program; `with` always ends it and its child processes."""

    def __init__(self, arguments: Sequence[str]) -> None:
        self.name = shlex.join(arguments)
        try:
            self._process = subprocess.Popen(
                arguments,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                start_new_session=True,  # so that all it starts can be ended with it
            )
        except OSError as error:
            raise ProgramError(
                f"{arguments[0]} cannot be started ({error.strerror or error}): name an installed program or its "
                f"whole path; pipes and redirections need a shell, as in sh -c '… | …' (the command was: {self.name})"
            ) from None
        self._answers: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._complaints: deque[str] = deque(maxlen=COMPLAINT)
        self._threads = [self._thread(self._read_answers), self._thread(self._read_complaints)]

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.end()

    @property
    def alive(self) -> bool:
        """Whether it still runs."""
        return self._process.poll() is None

    def send(self, lines: Iterable[str], *, last: bool = False) -> None:
        """Write lines to the program while its answers are read; after the `last` ones it sees the end of its input."""
        writing = [thread for thread in self._threads[2:] if thread.is_alive()]  # it may run for days
        self._threads = [*self._threads[:2], *writing, self._thread(self._write, list(lines), last)]

    def answer(self, time_limit: float) -> str | None:
        """The program's next line; None at the end, and an error after the timeout."""
        try:
            line = self._answers.get(timeout=time_limit)
        except queue.Empty:
            self.end()
            raise ProgramError(
                f"no answer for {time_limit:g} seconds from {self.name}: it was ended; give it more time with "
                f"--time-limit SECONDS, or see why it hangs{self.complaint()}"
            ) from None
        if line is None:
            return None
        try:
            return line.decode("utf-8").rstrip("\r\n")
        except UnicodeDecodeError:
            raise ProgramError(f"{self.name} wrote a line that is not UTF-8: {line[:80]!r}") from None

    def status(self) -> int | None:
        """The exit status after the last line; None if the program does not end."""
        try:
            status = self._process.wait(GRACE)
        except subprocess.TimeoutExpired:
            return None
        for thread in self._threads[:2]:
            thread.join(GRACE)
        return status

    def complaint(self) -> str:
        """The end of its stderr, for messages; empty if it wrote nothing."""
        if not self.alive:
            self._threads[1].join(GRACE)
        lines = [line for line in self._complaints if line.strip()]
        return "; its last words on stderr:\n  " + "\n  ".join(lines) if lines else ""

    def end(self) -> None:
        """End it and all it has started."""
        with contextlib.suppress(OSError):
            if hasattr(os, "killpg"):
                os.killpg(self._process.pid, signal.SIGKILL)
            else:  # pragma: no cover - Windows
                self._process.kill()
        self._process.wait()
        for thread in self._threads:
            thread.join(GRACE)
        for stream in (self._process.stdin, self._process.stdout, self._process.stderr):
            with contextlib.suppress(OSError):
                _opened_pipe(stream).close()

    def _thread(self, work: object, *values: object) -> threading.Thread:
        thread = threading.Thread(target=work, args=values, daemon=True)  # type: ignore[arg-type]
        thread.start()
        return thread

    def _write(self, lines: list[str], last: bool) -> None:
        stream = _opened_pipe(self._process.stdin)
        # A program that has died reads no more: its status and its last words say why.
        with contextlib.suppress(OSError, ValueError):
            for line in lines:
                stream.write(line.encode("utf-8", "surrogatepass") + b"\n")
            stream.flush()
            if last:
                stream.close()

    def _read_answers(self) -> None:
        with contextlib.suppress(OSError, ValueError):
            for line in _opened_pipe(self._process.stdout):
                self._answers.put(line)
        self._answers.put(None)

    def _read_complaints(self) -> None:
        with contextlib.suppress(OSError, ValueError):
            for line in _opened_pipe(self._process.stderr):
                self._complaints.append(line.decode("utf-8", "replace").rstrip())


def filter_lines(
    arguments: Sequence[str], lines: Sequence[str], *, time_limit: float, way_out: str
) -> list[str]:
    """The output lines of a program, one per input line; another number or a status other than 0 is an error."""
    with Program(arguments) as program:
        program.send(lines, last=True)
        answers: list[str] = []
        while (answer := program.answer(time_limit)) is not None:
            answers.append(answer)
            if len(answers) > len(lines):
                raise ProgramError(
                    f"{program.name} wrote more lines than the {len(lines)} it was given; {way_out}"
                    f"{program.complaint()}"
                )
        check_end(program, way_out)
        if len(answers) != len(lines):
            raise ProgramError(
                f"{program.name} wrote {pluralise(len(answers), 'line')} where it was given {len(lines)}; {way_out}"
                f"{program.complaint()}"
            )
        return answers


def check_end(program: Program, way_out: str) -> None:
    """Refuse the answers of a program that did not end well."""
    status = program.status()
    if status == 0:
        return
    if status is None:
        how = "closed its output but does not end"
    elif status < 0:
        how = f"was killed by signal {-status}" + (" (out of memory?)" if status == -9 else "")
    else:
        how = f"ended with status {status}"
    raise ProgramError(f"{program.name} {how}; {way_out}{program.complaint()}")


def _opened_pipe(stream: IO[bytes] | None) -> IO[bytes]:
    if stream is None:
        raise ValueError("a stream that was not asked for")
    return stream
