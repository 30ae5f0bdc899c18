"""`adjudge gate STUDY --against RESULT`: exit codes as with single outputs, and every refusal in a line."""

import json

import pytest

from adjudge.cli import main
from helpers.studies import write_output, write_study


@pytest.fixture
def study(tmp_path):
    path = write_study(tmp_path, {"one": {"a": 0.8, "b": 0.5}, "two": {"a": 0.8, "b": 0.5}}, 40)
    assert (
        main(
            ["study", "run", str(path), "--resamples", "20", "--trials", "50", "-q", "--save", f"{path}.json"]
        )
        == 0
    )
    return path


def test_commands_exit_as_they_always_did(study, run):
    saved = f"{study}.json"
    shown = run("gate", study, "--against", saved, "--trials", "200", "-q")
    assert (shown.code, shown.err) == (0, "")
    assert "Gate passed" in shown.out
    write_output(study.parent, "one", "a", 0.1)
    failed = run("gate", study, "--against", saved, "--trials", "400", "-q", "-f", "json")
    assert failed.code == 3
    assert json.loads(failed.out)["passed"] is False
    assert (
        "Gate failed: significantly worse"
        in run("gate", study, "--against", saved, "--trials", "400", "-q").out
    )


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["--system", "z"], 2, "unknown system"),
        (["-m", "ter"], 2, "unknown metric in"),
        (["--save", "new.json"], 2, "keep the new result by itself"),
        (["-r", "x"], 2, "give it alone"),
    ],
)
def test_what_cannot_be_answered(study, run, arguments, code, message):
    shown = run("gate", study, "--against", f"{study}.json", *arguments)
    assert (shown.code, message in shown.err) == (code, True)


def test_another_test_set_is_refused(study, run):
    reference = study.parent / "one" / "reference.en"
    reference.write_text(reference.read_text().replace("sun", "moon"))
    shown = run("gate", study, "--against", f"{study}.json")
    assert shown.code == 1
    assert "different test sets cannot be compared" in shown.err
    assert run("gate", study, "--against", study.parent / "one" / "labels.tsv").code == 1
    outputs = study.parent / "one" / "systems" / "a.en"
    other = run("gate", outputs, "--against", f"{study}.json")
    assert (other.code, "is the result of a study" in other.err) == (1, True)
