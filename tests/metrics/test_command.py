"""Any program or function as a metric; one that fails is a message, and nothing of it is kept."""

import sys
import textwrap

import pytest

import adjudge
from adjudge import metrics, workspace
from adjudge.data import Outputs, TestSet
from adjudge.errors import MissingResourceError, ProgramError, UsageError
from adjudge.metrics.base import Direction

SET = TestSet(references=(("a b", "c"), ("a", None)), sources=("x", "y"))
SYSTEMS = [Outputs("one", ("a b", "c d")), Outputs("other", ("a", "c d"))]

PROGRAM = """
import json, sys
for line in sys.stdin:
    row = json.loads(line)
    print(len(row["references"]) * 100 + len(row["output"]) * 10 + len(row["source"]), flush=True)
    with open({log!r}, "a") as log: log.write(line)
"""


def spec(file, **options):
    more = "".join(f",{name}={value}" for name, value in options.items())
    return f'command(run="{sys.executable} {file}"{more})'


@pytest.fixture
def program(tmp_path):
    def write(code: str):
        file = tmp_path / "score.py"
        file.write_text(textwrap.dedent(code))
        return file

    return write


@pytest.fixture(autouse=True)
def own_workspace():
    with workspace.use(workspace.Workspace(store=workspace.MemoryStore(), time_limit=60)) as used:
        yield used


def segments(spec, systems=SYSTEMS, test_set=SET):
    return [result.segments for result in adjudge.score(test_set, systems, spec, segments=True).results]


def test_lines_of_json_in_numbers_out(program, tmp_path):
    file = program(PROGRAM.format(log=str(tmp_path / "log")))
    assert segments(spec(file)) == [(231, 131), (211, 131)]
    assert segments(spec(file)) == [(231, 131), (211, 131)]
    asked = (tmp_path / "log").read_text().splitlines()
    assert len(asked) == 3, "what is the same is asked once"
    assert asked[0] == '{"output": "a b", "references": ["a b", "a"], "reference": "a b", "source": "x"}'
    file.write_text(file.read_text() + "\n# changed\n")
    segments(spec(file))
    assert len((tmp_path / "log").read_text().splitlines()) == 6, "a changed program is another one"


def test_the_signature_says_what_was_run(program):
    metric = metrics.metric(spec(program("print()"), better="lower", version=2))
    assert metric.direction is Direction.LOWER
    assert metrics.metric("command(run=x)").direction is Direction.HIGHER
    signature = metric.signature(SET)
    assert signature.startswith(f"nrefs:var|src:yes|run:{sys.executable} ")
    assert "|better:lower|files:" in signature
    assert "|of:2|" in signature
    assert metrics.metric("command(run='bc -l')") == metrics.metric("command(run=bc -l)")


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ("print(1)", "wrote 1 line where it was given 2; it must read lines of JSON"),
        ("print(1)\nprint(2)\nprint(3)", "wrote more lines than the 2"),
        ("print(1)\nprint('good')", "wrote 'good' as its line 2, which is no number"),
        ("print(1)\nprint('inf')", "wrote 'inf' as its line 2, which is no number"),
        (
            "import sys\nprint(1)\nprint(2, flush=True)\nsys.exit('out of cheese')",
            "(?s)status 1.*out of cheese",
        ),
    ],
)
def test_programs_that_fail_leave_nothing_behind(program, code, message, own_workspace):
    with pytest.raises(ProgramError, match=message):
        segments(spec(program(code)), SYSTEMS[:1])
    assert not own_workspace.store._values


def test_a_program_that_hangs(program, own_workspace):
    with (
        workspace.use(workspace.with_settings(time_limit=1.0)),
        pytest.raises(ProgramError, match="no answer for 1 seconds"),
    ):
        segments(spec(program("import time\nprint(1, flush=True)\ntime.sleep(600)")))
    assert not own_workspace.store._values


def test_null_is_no_score(program):
    scores = adjudge.score(SET, SYSTEMS[:1], spec(program("print('null')\nprint(3)")))
    assert scores.results[0].score == 3
    (warning,) = scores.warnings
    assert warning.endswith("no score for 1 segment of one: 1")


def test_a_python_function(tmp_path, monkeypatch):
    module = tmp_path / "my_metric_for_tests.py"
    module.write_text(
        "def words(rows):\n    return [len(row['output'].split()) for row in rows]\nnumber = 3\n"
    )
    monkeypatch.chdir(tmp_path)
    assert segments("command(run=my_metric_for_tests:words)") == [(2, 2), (1, 2)]
    module.write_text("def words(rows):\n    return rows[0]['no such']\n")
    for run, error in {
        "my_metric_for_tests:none": UsageError,
        "my_metric_for_tests:number": UsageError,
        "no_such_module_here:words": MissingResourceError,
    }.items():
        with pytest.raises(error):
            segments(f"command(run={run})")


def failing(rows):
    raise KeyError("no such")


def too_few(rows):
    return [1.0]


@pytest.mark.parametrize(
    ("function", "message"),
    [("failing", "failed with KeyError: 'no such'"), ("too_few", "1 number for 2 segments")],
)
def test_functions_that_fail(function, message, monkeypatch, own_workspace):
    monkeypatch.setitem(sys.modules, "functions_of_this_test", sys.modules[__name__])
    with pytest.raises(ProgramError, match=message):
        segments(f"command(run=functions_of_this_test:{function})", SYSTEMS[:1])
    assert not own_workspace.store._values


def test_without_a_program():
    with pytest.raises(MissingResourceError, match="command needs a program"):
        metrics.metric("command").signature(SET)
    with pytest.raises(UsageError, match="must be one of higher, lower"):
        metrics.metric("command(run=x,better=best)")
    with pytest.raises(ProgramError, match="cannot be started"):
        segments("command(run=no-such-program)")
