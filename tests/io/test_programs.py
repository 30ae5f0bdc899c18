"""Other programs answer line by line, or there is a message with their last words; nothing of them is left behind."""

import os
import sys
import time

import pytest

from adjudge.errors import ProgramError, UsageError
from adjudge.io import programs

WAY_OUT = "see its manual"


def run(code: str, lines=("a", "b"), time_limit=20.0):
    return programs.filter_lines(
        [sys.executable, "-c", code], list(lines), time_limit=time_limit, way_out=WAY_OUT
    )


ECHO = "import sys\nfor line in sys.stdin: print(line.strip().upper(), flush=True)"


def test_a_line_a_line():
    assert run(ECHO, ["a", "ä", ""]) == ["A", "Ä", ""]
    assert run(ECHO, []) == []


def test_more_than_a_pipe_holds():
    lines = [f"{number} " + "x" * 500 for number in range(2000)]
    assert run("import sys\nfor line in sys.stdin.readlines(): print(line.split()[0])", lines) == [
        str(number) for number in range(2000)
    ]


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ("print(1)\nprint(2)\nprint(3)", "wrote more lines than the 2 it was given; see its manual"),
        ("print(1)", "wrote 1 line where it was given 2; see its manual"),
        (
            "print(1)\nprint(2)\nimport sys\nsys.exit('the disk is full')",
            r"(?s)status 1; see .*the disk is full",
        ),
        ("import os\nos.kill(os.getpid(), 9)", "was killed by signal 9"),
        ("import sys\nsys.stdout.buffer.write(b'\\xff\\n1\\n')", "a line that is not UTF-8"),
    ],
)
def test_programs_that_fail(code, message):
    with pytest.raises(ProgramError, match=message):
        run(code)


def test_a_program_that_hangs_is_ended_with_all_it_started(tmp_path):
    file = tmp_path / "pid"
    code = (
        "import subprocess, sys, time\n"
        f"child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)'])\n"
        f"open({str(file)!r}, 'w').write(str(child.pid))\n"
        "print('loading', file=sys.stderr, flush=True)\n"
        "time.sleep(600)"
    )
    with pytest.raises(ProgramError, match=r"(?s)no answer for 1.5 seconds .*--time-limit.*loading"):
        run(code, time_limit=1.5)
    child = int(file.read_text())
    for _ in range(100):
        if not _alive(child):
            break
        time.sleep(0.05)
    assert not _alive(child)


def _alive(pid: int) -> bool:
    try:
        with open(f"/proc/{pid}/stat", encoding="utf-8") as file:
            return file.read().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False
    except NotADirectoryError:  # no /proc here
        os.kill(pid, 0)
        return True


def test_programs_that_are_not_there():
    with pytest.raises(ProgramError, match=r"no-such-program cannot be started \(No such file"):
        programs.Program(["no-such-program"])


@pytest.mark.parametrize("command", ["", "  ", "a 'b"])
def test_commands_that_cannot_be_read(command):
    with pytest.raises(UsageError):
        programs.arguments_of(command)
