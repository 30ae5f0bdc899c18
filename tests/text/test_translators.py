"""Programs that translate lines: what they write is kept by content, and whatever they do wrong is told."""

import shlex
import sys

import pytest

from adjudge import io, workspace
from adjudge.data import Outputs, TestSet
from adjudge.errors import AdjudgeError, DataError, ProgramError, UsageError
from adjudge.text.translators import (
    translate_texts,
    with_back_translations,
    with_pseudo_reference,
    with_translations,
)


@pytest.fixture
def program(tmp_path):
    """A command that runs these lines of Python, which have `sys`, with what it is called for."""

    def command(code: str, *arguments: str) -> str:
        path = tmp_path / "program.py"
        path.write_text("import sys, time, os\n" + code)
        return shlex.join([sys.executable, "-S", str(path), *arguments])

    return command


@pytest.fixture
def store():
    with workspace.use(workspace.Workspace(store=workspace.MemoryStore(), time_limit=20)) as here:
        yield here.store


UPPER = "for line in sys.stdin: print(line.rstrip('\\n').upper())\n"


def test_a_line_is_written_for_each_line(program, store):
    assert translate_texts(["a b", "", "ä\tö", "a b", "  "], program(UPPER)) == ["A B", "", "Ä Ö", "A B", ""]


def test_nothing_is_translated_twice(program, store, tmp_path):
    calls = tmp_path / "calls"
    counting = (
        f"text = sys.stdin.read()\nopen({str(calls)!r}, 'a').write(text)\nprint(text.upper(), end='')\n"
    )
    command = program(counting)
    translate_texts(["a", "b"], command)
    assert translate_texts(["b", "c", "a"], command) == ["B", "C", "A"]
    assert calls.read_text() == "a\nb\nc\n"


def test_a_program_that_answers_only_at_its_end_is_read(program, store):
    many = [f"line {number} " + "x" * 50 for number in range(3000)]
    assert translate_texts(many, program("print(sys.stdin.read().upper(), end='')")) == [
        text.upper() for text in many
    ]


@pytest.mark.parametrize(
    ("code", "message"),
    [
        (
            UPPER + "print('one more')",
            "wrote more lines than the 2 it was given; --translator takes a program that",
        ),
        ("print(sys.stdin.readline(), end='')", "wrote 1 line where it was given 2"),
        (
            "print('x'); print('no model eng-spa', file=sys.stderr); sys.exit(3)",
            r"ended with status 3; .*its last words on stderr:\n  no model eng-spa$",
        ),
        ("os.kill(os.getpid(), 9)", "was killed by signal 9"),
        (UPPER + "sys.exit(1)", "ended with status 1"),
        ("sys.stdout.buffer.write(b'\\xff\\xfe\\nx\\n')", "wrote a line that is not UTF-8"),
        ("sys.stdin.readline(); print('A', flush=True); time.sleep(60)", "no answer for 1 seconds"),
    ],
)
def test_what_goes_wrong_is_told_and_nothing_kept(program, code, message):
    with workspace.use(workspace.Workspace(store=workspace.MemoryStore(), time_limit=1)) as here:
        with pytest.raises(ProgramError, match=message):
            translate_texts(["a", "b"], program(code))
        assert not here.store._values


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("/no/such/program x", "/no/such/program cannot be started .No such file"),
        ("", "the command is empty; write a program and its arguments"),
        ("apertium 'eng-spa", "cannot read the command"),
    ],
)
def test_a_command_that_is_none_is_refused(store, command, message):
    with pytest.raises(AdjudgeError, match=message):
        translate_texts(["a"], command)


def test_a_program_that_a_file_names_is_run_only_where_that_is_allowed(program, store):
    command = program(UPPER)
    named = workspace.with_settings(named_by_file=True)
    with (
        workspace.use(named),
        pytest.raises(
            DataError, match="2 texts are not kept here, and no program is run because a file names it: allow"
        ),
    ):
        translate_texts(["a", "b"], command)
    with workspace.use(workspace.with_settings(named_by_file=True, allow_programs=True)):
        assert translate_texts(["a", "b"], command) == ["A", "B"]
    with workspace.use(named):
        assert translate_texts(["b"], command) == ["B"]  # it was kept


def test_the_source_becomes_a_pseudo_reference(program, store):
    test_set = with_pseudo_reference(TestSet(sources=["a", "b"], references=[["x", "y"]]), program(UPPER))
    assert test_set.references == (("x", "y"), ("A", "B"))
    assert test_set.pseudo == 1
    with pytest.raises(UsageError, match="translates the source, and there is none: -s FILE"):
        with_pseudo_reference(TestSet(references=[["x"]]), program(UPPER))


def test_outputs_are_translated_back_unless_that_is_given(program, store):
    test_set = TestSet(sources=["a", "b"], back_translations={"q": "given"})
    outputs = [Outputs("one", ["p", "q"]), Outputs("two", ["p", ""])]
    back, notes = with_back_translations(test_set, outputs, program(UPPER))
    assert back.back_translations == {"p": "P", "q": "given", "": ""}
    assert not notes


def test_programs_serve_what_was_loaded(program, store):
    loaded = io.Loaded(TestSet(sources=["a"]), (Outputs("one", ["p"]),), ())
    both = with_translations(loaded, translator=program(UPPER), back_translator=program(UPPER))
    assert both.test_set.pseudo_references == (("A",),)
    assert both.test_set.back_translations == {"p": "P"}
    assert with_translations(loaded) == loaded
