"""The fixture for pytest, in a pytest of its own: gate's verdict in gate's words, and nothing where nobody asks."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parent.parent.parent
EXAMPLES = PROJECT / "examples"
OTHERS = ("-p", "no:schemathesis", "-p", "no:hypothesispytest", "-p", "no:anyio", "-p", "no:xdist")
"""Plugins that take long to load and have nothing to do with ours."""


@pytest.fixture
def pytest_of(tmp_path):
    """Run pytest, as users would, on a file of tests."""

    def call(tests: str, *options: str, settings: str = "") -> subprocess.CompletedProcess[str]:
        (tmp_path / "examples").symlink_to(EXAMPLES)
        (tmp_path / "pytest.ini").write_text(f"[pytest]\n{settings}\n", encoding="utf-8")
        (tmp_path / "test_it.py").write_text(tests, encoding="utf-8")
        inherited = {k: v for k, v in os.environ.items() if not k.startswith(("PYTEST_", "COV_"))}
        return subprocess.run(
            [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *OTHERS, *options],
            cwd=tmp_path,
            env={**inherited, "COLUMNS": "200"},
            capture_output=True,
            encoding="utf-8",
            timeout=120,
        )

    return call


TESTS = """
from pathlib import Path
from adjudge.comparison import Plan

def test_worse(translation_quality):
    translation_quality("examples/systems/shortened.en")

def test_kept(translation_quality):
    lines = Path("examples/systems/neural-fixed.en").read_text(encoding="utf-8").splitlines()
    plan = Plan(trials=999)
    result = translation_quality(lines, "examples/baseline.json", name="texts", metrics=["bleu"], plan=plan)
    assert result.passed
    assert [finding.metric for finding in result.findings] == ["bleu"]

def test_within_a_tolerance_from_another_folder(translation_quality, tmp_path, monkeypatch):
    reference = str(Path("examples/reference.en").absolute())
    monkeypatch.chdir(tmp_path)
    translation_quality(Path("examples/systems/shortened.en"), references=[reference], tolerance=20.0)

def test_short(translation_quality):
    translation_quality(["one segment only"])

def test_gone(translation_quality):
    translation_quality(["one"], "no-such-result.json")
"""


def test_verdicts_are_those_of_gate(pytest_of):
    """A failure is the text that the command prints for the same files, to the letter."""
    done = pytest_of(TESTS, "-rP", settings="adjudge_baseline = examples/baseline.json")
    assert "3 failed, 2 passed" in done.stdout, done.stdout
    gate = ["gate", "--against", "examples/baseline.json", "examples/systems/shortened.en"]
    command = [sys.executable, "-m", "adjudge", *gate]
    printed = subprocess.run(command, cwd=PROJECT, stdout=subprocess.PIPE, encoding="utf-8", timeout=60)
    assert printed.returncode == 3
    assert printed.stdout in done.stdout
    assert "Error" not in done.stdout  # words, and no traceback
    assert "Gate passed: no evidence of a drop against baseline.json." in done.stdout
    assert "texts against neural on 173 segments; paired approximate randomisation, 999 trials" in done.stdout
    assert "worse, within tolerance" in done.stdout
    assert "could not be held against a saved result: " in done.stdout
    assert "no-such-result.json" in done.stdout


LOOKS = """
import pytest
from adjudge.comparison import Plan

PLAN = Plan(trials=999, seed=1)

def asked(translation_quality, **options):
    lines = open("examples/systems/neural-fixed.en", encoding="utf-8").read().splitlines()
    return translation_quality(lines, metrics=["bleu"], plan=PLAN, **options)

def test_numbered(translation_quality):
    only, seventh = asked(translation_quality), asked(translation_quality, look=7)
    assert (only.look.only, seventh.look.number, seventh.look.counted) == (True, 7, False)
    (alone,), (late,) = only.findings, seventh.findings
    assert late.p == alone.p
    assert late.p_adjusted == pytest.approx(min(1, alone.p * 16 * 17 / 10))
    assert late.detectable > alone.detectable

def test_planned(translation_quality):
    result = asked(translation_quality, max_looks=20)
    assert (result.look.planned, result.look.share) == (20, 1 / 20)
    (finding,) = result.findings
    assert finding.p_adjusted == pytest.approx(min(1, 20 * finding.p))

def test_a_drop_that_a_late_look_cannot_claim(translation_quality):
    options = {"metrics": ["bleu"], "plan": Plan(trials=99, seed=1)}
    assert translation_quality("examples/systems/shortened.en", look=30, **options).passed

def test_a_drop(translation_quality):
    translation_quality("examples/systems/shortened.en", look=30)

def test_after_the_last(translation_quality):
    asked(translation_quality, look=3, max_looks=2)

def test_none(translation_quality):
    asked(translation_quality, look=0)
"""


def test_looks_share_alpha_as_in_gate(pytest_of):
    done = pytest_of(LOOKS, "-rA", settings="adjudge_baseline = examples/baseline.json")
    outcomes = re.findall(r"^(PASSED|FAILED) test_it\.py::(\w+)", done.stdout, re.MULTILINE)
    assert {name: outcome for outcome, name in outcomes} == {
        "test_numbered": "PASSED",
        "test_planned": "PASSED",
        "test_a_drop_that_a_late_look_cannot_claim": "PASSED",
        "test_a_drop": "FAILED",
        "test_after_the_last": "FAILED",
        "test_none": "FAILED",
    }, done.stdout
    assert "look 30 at this baseline, with alpha " in done.stdout
    assert (
        "look 7 at this baseline, with alpha 0.0018 (0.021 spent so far); p counts all looks" in done.stdout
    )
    assert "look 3 of 2: all of alpha is spent" in done.stdout
    assert "look=0: must be a whole number from 1 up" in done.stdout
    assert "Error" not in done.stdout


def test_a_baseline_must_be_named(pytest_of):
    done = pytest_of("def test_it(translation_quality): translation_quality(['one'])")
    assert done.returncode == 1
    assert "none is named: translation_quality(…, against=FILE), or adjudge_baseline = FILE" in done.stdout


UNUSED = """
import sys
def test_it():
    loaded = {name for name in sys.modules if name.split(".")[0] in {"adjudge", "numpy", "scipy", "click"}}
    assert loaded == {"adjudge", "adjudge.compat", "adjudge.compat.pytest"}
"""


def test_nothing_is_loaded_where_it_is_not_used(pytest_of):
    # An editable install has a module that pytest finds imported already; nothing else may warn.
    early = "ignore:Module already imported so cannot be rewritten:pytest.PytestAssertRewriteWarning"
    done = pytest_of(UNUSED, settings=f"filterwarnings =\n    error\n    {early}")
    assert (done.returncode, done.stderr) == (0, ""), done.stdout
    assert done.stdout.splitlines()[-1].startswith("1 passed")
