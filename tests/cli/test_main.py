"""The frame: exit codes, messages, no tracebacks, commands found in their files, a quick --help."""

import ast
import importlib
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import click
import pytest

import adjudge.cli
from adjudge.cli import _group, commands
from adjudge.errors import DataError, MissingExtraError, UsageError
from conftest import PROJECT

FILES = sorted(path for path in _group.FOLDER.rglob("*.py") if not path.name.startswith("_"))
GROUPS = sorted(_group.FOLDER.glob("[!_]*/__init__.py"))


def test_no_arguments_show_help(run):
    assert run() == run("--help") == run("-h")
    assert run().code == 0
    assert "Usage: adjudge" in run().out


def test_version(run):
    assert run("--version") == (0, f"adjudge {adjudge.__version__}\n", "")


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_file_has_commands_with_a_line_of_help(path, run):
    """The group reads the text of files; what it finds there is what importing them gives."""
    inner = path.parent.relative_to(_group.FOLDER).parts
    module = importlib.import_module(".".join(("adjudge.cli", *inner, path.stem)))
    found = [
        value
        for value in vars(module).values()
        if isinstance(value, click.Command) and value.callback.__module__ == module.__name__
    ]
    assert found
    shown = " ".join(run(*inner, "--help").out.split())
    for command in found:
        assert f" {command.name} {command.short_help.rstrip('.')} " in f"{shown} "
        assert run(*inner, command.name, "--help").code == 0


@pytest.mark.parametrize("path", GROUPS, ids=lambda path: path.parent.name)
def test_every_folder_is_a_group_with_a_line_of_help(path, run):
    docstring = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))
    assert docstring
    summary = docstring.splitlines()[0].rstrip(".")
    assert f" {path.parent.name} {summary} " in " ".join([*run("--help").out.split(), ""])
    unknown = run(path.parent.name, "analize")
    assert unknown.code > 0
    assert "analize" in unknown.err


def test_a_file_dropped_in_is_a_command(run, tmp_path, monkeypatch):
    lines = ['raise RuntimeError("imported")', '@subcommand("hello-world", "Greet the world.")']
    (tmp_path / "greetings.py").write_text("\n".join(lines), encoding="utf-8")
    (tmp_path / "_helper.py").write_text("")
    monkeypatch.setattr(commands, "folder", tmp_path)
    assert re.search(r"Commands:\n  hello-world +Greet the world\n", run("--help").out)


def test_unknown_command_is_answered_with_the_nearest(run):
    code, out, err = run("scroe", "-r", "x")
    assert (code, out) == (2, "")
    assert err == "adjudge: error: unknown command 'scroe'; did you mean 'score'? (adjudge --help)\n"


@pytest.mark.parametrize(
    "args",
    [
        ["--no-such"],
        ["score", "--no-such"],
        ["score", "--threads", "x", "a"],
        ["score", "-r"],
        ["score", "-w", "99", "a"],
    ],
)
def test_bad_usage_is_2_and_names_the_help(run, args):
    code, out, err = run(*args)
    assert (code, out) == (2, "")
    assert re.fullmatch(r"adjudge: error: [a-z'].* \(adjudge( score)? --help\)\n", err)


@pytest.mark.parametrize(
    ("error", "code", "message"),
    [
        (DataError("bad line"), 1, "adjudge: error: bad line\n"),
        (UsageError("bad wish"), 2, "adjudge: error: bad wish\n"),
        (
            MissingExtraError("x", "ja"),
            2,
            "adjudge: error: x needs an extra that is not installed: pip install 'adjudge[ja]'\n",
        ),
        (KeyboardInterrupt(), 130, "adjudge: error: interrupted\n"),
        (MemoryError(), 1, "adjudge: error: out of memory"),
        (PermissionError(13, "Permission denied", "file"), 1, "adjudge: error: file: Permission denied\n"),
        (
            ZeroDivisionError("by\nzero"),
            70,
            "adjudge: error: unexpected ZeroDivisionError: by zero\nThis is a fault",
        ),
        (RecursionError(), 70, "adjudge: error: unexpected RecursionError\n"),
        (EOFError("end"), 70, "adjudge: error: unexpected EOFError: end\n"),
    ],
)
def test_whatever_is_raised_ends_in_a_message(run, monkeypatch, error, code, message):
    def fail(context):
        raise error

    monkeypatch.delenv("ADJUDGE_DEBUG", raising=False)
    monkeypatch.setattr(commands, "invoke", fail)
    ended = run("score")
    assert ended.code == code
    assert ended.err.startswith(message)
    assert "Traceback" not in ended.err
    assert ended.out == ""


def test_debug_shows_the_traceback_of_a_fault(run, monkeypatch):
    monkeypatch.setenv("ADJUDGE_DEBUG", "1")
    monkeypatch.setattr(commands, "invoke", lambda context: 1 / 0)
    ended = run("score")
    assert ended.code == 70
    assert "Traceback" in ended.err
    assert "ZeroDivisionError" in ended.err


def test_a_command_may_return_its_exit_code(run, monkeypatch):
    monkeypatch.setattr(commands, "invoke", lambda context: 3)
    assert run("score").code == 3


def test_exit_codes_of_a_real_process(new_process, examples):
    good = ["score", "-m", "chrf", "-r", examples / "reference.en", examples / "systems" / "neural.en"]
    assert new_process(*good).code == 0
    missing = new_process(*good, "no-such-file.en")
    assert missing.code == 1
    assert missing.err.startswith("adjudge: error: no-such-file.en")
    assert missing.err.count("\n") == 1
    assert new_process("score", "--nothing").code == 2


@pytest.mark.parametrize("args", [["--help"], ["score", "--list"]])
def test_a_reader_that_has_left_is_no_error(args):
    reader, writer = os.pipe()
    os.close(reader)
    command = [sys.executable, "-m", "adjudge", *args]
    done = subprocess.run(command, stdout=writer, stderr=subprocess.PIPE, check=False)
    os.close(writer)
    assert (done.returncode, done.stderr) == (141, b"")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here")
@pytest.mark.parametrize("args", [["--help"], ["score", "--list"]])
def test_a_full_disk_is_told(args):
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "adjudge", *args], stdout=full, stderr=subprocess.PIPE, check=False
        )
    assert done.stderr.decode() == "adjudge: error: No space left on device\n"
    assert done.returncode == 1


def reading_stdin(examples, handler):
    """A process that waits for its stdin, and was started with SIGINT handled so, whatever holds for this one."""
    child = subprocess.Popen(
        [sys.executable, "-m", "adjudge", "score", "-m", "chrf", "-r", str(examples / "reference.en"), "-"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        preexec_fn=lambda: signal.signal(signal.SIGINT, handler),
    )
    # It waits for its stdin once it reads from the pipe; until then, its handler may not be set up.
    deadline = time.monotonic() + 30
    while "pipe" not in Path(f"/proc/{child.pid}/wchan").read_text() and time.monotonic() < deadline:
        time.sleep(0.05)
    time.sleep(0.2)
    return child


def test_ctrl_c_while_reading_stdin(examples):
    child = reading_stdin(examples, signal.SIG_DFL)
    child.send_signal(signal.SIGINT)
    out, err = child.communicate(timeout=30)
    assert (child.returncode, out, err) == (130, b"", b"adjudge: error: interrupted\n")


def test_ctrl_c_is_ignored_where_the_parent_has_it_ignored(examples):
    """As shells do for jobs in the background, which Ctrl-C is not meant for."""
    child = reading_stdin(examples, signal.SIG_IGN)
    child.send_signal(signal.SIGINT)
    out, err = child.communicate((examples / "systems/neural.en").read_bytes(), timeout=60)
    assert (child.returncode, err) == (0, b"")
    assert b"chrF" in out


MODULE = [sys.executable, "-m", "adjudge"]
SCRIPT = [str(Path(sys.executable).with_name("adjudge"))]


@pytest.mark.parametrize("command", [MODULE, SCRIPT], ids=["module", "script"])
def test_ctrl_c_at_any_moment_shows_no_traceback(command, tmp_path):
    """From where our own imports begin, which a hook tells; what Python does before that is not ours."""
    ready = tmp_path / "ready"
    watch = "import os, sys\nclass Told:\n def find_spec(self, name, *more):\n"
    watch += "  name == 'click' and open(os.environ['READY'], 'w').close()\nsys.meta_path.insert(0, Told())\n"
    (tmp_path / "sitecustomize.py").write_text(watch)
    env = {**os.environ, "PYTHONPATH": str(tmp_path), "READY": str(ready)}
    for delay in (0, 0.01, 0.03, 0.08):
        child = subprocess.Popen(
            [*command, "score", "--list"],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            env=env,
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
        )
        deadline = time.monotonic() + 30
        while not ready.exists() and time.monotonic() < deadline:
            time.sleep(0.001)
        ready.unlink()
        time.sleep(delay)
        child.send_signal(signal.SIGINT)
        _, err = child.communicate(timeout=30)
        assert child.returncode in (-signal.SIGINT, 130, 0)
        assert err in (b"", b"adjudge: error: interrupted\n")


def test_nothing_is_imported_before_ctrl_c_is_answered():
    """Or else it shows a traceback while that is loaded: nothing but the package itself, not even enum for signals."""
    code = "import sys\nknown = set(sys.modules)\nimport adjudge.__main__\nprint(*set(sys.modules) - known)"
    command = [sys.executable, "-S", "-c", code]  # without what an editable installation loads
    env = {**os.environ, "PYTHONPATH": str(PROJECT / "src")}
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, env=env)
    assert set(done.stdout.split()) == {"adjudge", "adjudge.__main__", "__future__"}, done.stderr


@pytest.mark.parametrize("encoding", ["ascii", "cp1252", "latin-1"])
def test_old_terminals_get_what_they_can_show(new_process, examples, tmp_path, encoding):
    system = tmp_path / "système-日本.en"
    system.write_bytes((examples / "systems" / "neural.en").read_bytes())
    args = ["score", "-m", "chrf", "-r", examples / "reference.en", system]
    ended = new_process(*args, env={"PYTHONIOENCODING": encoding})
    assert ended.code == 0
    assert "chrF ^" in ended.out
    assert ended.err == ""
    if encoding == "ascii":
        assert "syst\\xe8me-\\u65e5\\u672c" in ended.out
        for form in ("json", "tsv", "markdown", "latex"):
            assert new_process(*args, "-f", form, env={"PYTHONIOENCODING": encoding}).code == 0
        assert (
            new_process("score", "-m", "chrf", "-r", "日本", "x", env={"PYTHONIOENCODING": encoding}).code
            == 1
        )


def test_help_imports_nothing_heavy_and_is_quick():
    def imports(*args: str) -> set[str]:
        done = subprocess.run(
            [sys.executable, "-X", "importtime", *args], capture_output=True, text=True, check=True
        )
        return {line.rpartition("|")[2].strip() for line in done.stderr.splitlines() if "|" in line}

    heavy = {"numpy", "scipy", "rich", "adjudge._core"}
    assert not heavy & imports("-m", "adjudge", "--help")
    assert not heavy & imports("-m", "adjudge", "score", "--help")
    assert not heavy & imports("-c", "import adjudge")


def best_time(*args: str) -> float:
    """Seconds of computing, the least of a few: what else the machine does meanwhile should not count."""
    times = []
    for _ in range(5):
        child = subprocess.Popen([sys.executable, *args], stdout=subprocess.DEVNULL)
        _, status, used = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        assert child.returncode == 0
        times.append(used.ru_utime + used.ru_stime)
    return min(times)


def test_start_up_times():
    assert best_time("-m", "adjudge", "--help") < 0.250
    assert best_time("-c", "import adjudge") < 0.150


def test_shell_completion(new_process):
    ended = new_process(
        env={"_ADJUDGE_COMPLETE": "bash_complete", "COMP_WORDS": "adjudge sc", "COMP_CWORD": "1"}
    )
    assert "plain,score" in ended.out
    assert "_ADJUDGE_COMPLETE" not in os.environ


def test_an_empty_wish_for_completion_is_none(new_process):
    assert new_process("--version", env={"_ADJUDGE_COMPLETE": ""}).out.startswith("adjudge ")
    ended = new_process("--version", env={"_ADJUDGE_COMPLETE": "nonsense"})
    assert (ended.code, ended.out) == (2, "")
    assert "_ADJUDGE_COMPLETE=nonsense: bash_source, zsh_source or fish_source was expected" in ended.err
