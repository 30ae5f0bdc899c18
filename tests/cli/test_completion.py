"""What shells are told when somebody presses Tab."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from adjudge import metrics
from adjudge.cli import commands, completion


def offered(*words: str, shell: str = "bash") -> list[tuple[str, str]]:
    """Kinds and values for the last word, which is still being typed."""
    completion._classes()
    complete = completion.get_completion_class(shell)(commands, {}, "adjudge", completion.VARIABLE)
    items = complete.get_completions(list(words[:-1]), words[-1])
    return [(item.type, item.value) for item in items]


def test_commands_and_options():
    assert ("plain", "score") in offered("sc")
    assert ("plain", "analyse") in offered("human", "an")
    assert ("plain", "--baseline") in offered("compare", "--ba")


def test_metrics_by_their_names():
    values = [value for _, value in offered("compare", "-m", "ch")]
    assert values == sorted(name for name in metrics.names() if name.startswith("ch"))
    assert "chrf++" in values


def test_formats():
    assert offered("compare", "-f", "la") == [("plain", "latex")]


@pytest.mark.parametrize(
    "words",
    [
        ("score", "-r", "ref"),
        ("score", "-r", "ref.en", "sys"),
        ("compare", "-L", ""),
        ("compare", "-o", "x"),
        ("human", "analyse", "jud"),
        ("verify", ""),
        ("gate", "--against", ""),
        ("compare", "--trees", "ref"),
    ],
)
def test_files_where_files_are_meant(words):
    """Without this a shell offers none at all: its own way of completing is off."""
    assert offered(*words) == [("file", words[-1])]


def test_folders_where_folders_are_meant():
    assert offered("study", "init", "eva") == [("dir", "eva")]
    assert offered("meta", "wmt") == [("dir", "wmt")]


@pytest.mark.parametrize(
    "words",
    [("compare", "--seed", ""), ("compare", "--baseline", "x"), ("nonsense", "x"), ("compare", "--no")],
)
def test_nothing_where_nothing_is_known(words):
    assert [kind for kind, value in offered(*words) if not value.startswith("--no")] == []


@pytest.mark.parametrize("shell", completion.SHELLS)
def test_scripts_are_scripts(shell, run):
    ended = run("completion", shell)
    assert (ended.code, ended.err) == (0, "")
    assert f"{completion.VARIABLE}={shell}_complete" in ended.out
    if program := shutil.which(shell):
        subprocess.run([program, "-n"], input=ended.out, text=True, check=True)


def test_bash_itself_completes(tmp_path, new_process):
    """The whole way: a shell that reads the script, a word half typed, files of a folder."""
    script = new_process("completion", "bash").out
    (tmp_path / "reference.en").touch()
    asked = """
COMP_WORDS=(adjudge score -r ref); COMP_CWORD=3
compopt() { printf 'option %s\\n' "$*"; }
_adjudge_completion adjudge
printf '%s\\n' "${COMPREPLY[@]}"
"""
    ended = subprocess.run(
        ["bash", "--norc", "-c", script + asked],
        cwd=tmp_path,
        env=os.environ | {"PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.stdout.split() == ["option", "-o", "default"], ended.stderr


def test_an_unknown_shell(run):
    ended = run("completion", "tcsh")
    assert ended.code == 2
    assert "'bash', 'zsh', 'fish'" in ended.err
