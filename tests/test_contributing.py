"""What CONTRIBUTING.md shows works: a metric, a statistical test, an analysis, a lint check and a format."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
import scipy.stats

from adjudge import _core
from adjudge.comparison.comparing import compare_scores
from adjudge.comparison.comparison_words import method
from adjudge.data import ScoreMatrix, TestSet
from adjudge.stats import tests as stats_tests
from adjudge.stats.tests import systems
from adjudge.stats.tests.systems.base import system_test
from helpers.laws import broken_laws

PAGE = Path(__file__).resolve().parent.parent / "CONTRIBUTING.md"


def example(heading: str) -> str:
    section = PAGE.read_text(encoding="utf-8").partition(f"\n## {heading}\n")[2].partition("\n## ")[0]
    (code,) = re.findall(r"```python\n(.*?)```", section, re.DOTALL)
    return code


def project_with(tmp_path: Path, *parts: str) -> Callable[..., subprocess.CompletedProcess[str]]:
    """A copy of parts of the project, and a function that runs a Python file there, as somebody would who follows."""
    for part in ("src/adjudge", *parts):
        target = tmp_path / part
        target.parent.mkdir(parents=True, exist_ok=True)
        if (PAGE.parent / part).is_dir():
            shutil.copytree(PAGE.parent / part, target, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(PAGE.parent / part, target)
    core = next(iter(Path(_core.__file__).parent.glob("_core*.so")))
    shutil.copy(core, tmp_path / "src/adjudge" / core.name)
    environment = {**os.environ, "PYTHONPATH": str(tmp_path / "src"), "PYTHONDONTWRITEBYTECODE": "1"}

    def python(*arguments: str) -> subprocess.CompletedProcess[str]:
        # -S: an editable install would lead back to the project; -c puts the packages beside it on the path again.
        paths = [path for path in sys.path if "site-packages" in path]
        code = f"import sys; sys.path += {paths!r}; import runpy; sys.argv = {list(arguments)!r}; "
        code += "runpy.run_path(sys.argv[0], run_name='__main__')"
        return subprocess.run(
            [sys.executable, "-S", "-c", code], env=environment, capture_output=True, text=True, timeout=120
        )

    return python


def test_the_example_metric_runs(monkeypatch):
    module = ModuleType("example_metric")
    monkeypatch.setitem(sys.modules, module.__name__, module)
    exec(compile(example("A metric: one file"), str(PAGE), "exec"), vars(module))
    metric = module.Covered.from_options({"lowercase": "true"})
    assert metric.spec == "covered(lowercase=true)"
    rows = metric.stats(metric.prepare(TestSet(references=(("The cat sat", "x"),))), ["the cat ran off", ""])
    assert metric.aggregate(rows.sum(0)) == pytest.approx(25.0)
    assert "case:lc" in metric.signature(TestSet(references=(("a",),)))


def test_dropping_the_file_in_is_the_whole_registration(tmp_path):
    python = project_with(tmp_path, "docs/metrics.md", "tests/metrics/test_docs.py")
    file = tmp_path / "src/adjudge/metrics/covered.py"
    file.write_text(example("A metric: one file"), encoding="utf-8")
    page = tmp_path / "docs/metrics.md"
    ended = python(str(tmp_path / "tests/metrics/test_docs.py"))
    assert ended.returncode == 0, ended.stderr
    text = page.read_text(encoding="utf-8")
    assert "| [`covered`](#covered) | higher | 0–100 |" in text
    section = text.partition("## `covered`\n")[2]
    assert "Share of output words that occur in the reference." in section
    assert "| `lowercase` | `false` |" in section
    assert "Empty output: 0; empty reference: 0; both: 0." in section
    assert ended.stdout.count("TO SAY") == text.count("TO SAY") == 5


def test_the_example_of_a_statistical_test_keeps_the_laws(tmp_path, monkeypatch):
    """One file in the folder, and `compare` has it with its sentences."""
    (tmp_path / "paired_t.py").write_text(example("A statistical test: one file"), encoding="utf-8")
    monkeypatch.setattr(systems, "__path__", [*systems.__path__, str(tmp_path)])
    monkeypatch.setattr(stats_tests, "_FOUND", {})
    monkeypatch.delitem(sys.modules, f"{systems.__name__}.paired_t", raising=False)
    try:
        assert broken_laws(system_test("paired-t")) == []
        rng = np.random.default_rng(1)
        scores = rng.normal(50, 10, 80) + rng.normal([[2.0], [0.0]], 5, (2, 80))
        compared = compare_scores(ScoreMatrix(("new", "old"), scores), test="paired-t")
        assert compared.pairs[0].p == pytest.approx(scipy.stats.ttest_rel(*scores).pvalue)
        assert method(compared.test)[0].startswith("p: two-sided paired t-test; one comparison")
    finally:
        sys.modules.pop(f"{systems.__name__}.paired_t", None)
        vars(systems).pop("paired_t", None)


SHOW = """
import json, sys
from pathlib import Path

from adjudge.__main__ import main
from adjudge.analysis.copies import CopiedWords, Copies

result = Copies((CopiedWords("new", 4, 1),))
assert "Words copied from the source" in result._repr_html_()
assert result.to_pandas().to_dict("records") == [{"system": "new", "words": 4, "copied": 1, "rate": 25.0}]
Path("source.pt").write_text("A casa\\nLisboa\\n")
Path("new.en").write_text("the casa\\nLisboa is\\n")
for form in ("text", "json", "tsv", "latex", "html"):
    files = ["-s", "source.pt", "new.en", "-o", f"out.{form}"]
    sys.argv = ["adjudge", "analyse", "copies", "--lowercase", "-f", form, *files]
    assert main() == 0
assert json.loads(Path("out.json").read_text())["systems"] == [{"system": "new", "words": 4, "copied": 2}]
print(Path("out.tsv").read_text(), Path("out.text").read_text())
"""


def test_dropping_the_file_in_is_a_whole_analysis(tmp_path, monkeypatch):
    pytest.importorskip("pandas")
    monkeypatch.chdir(tmp_path)
    python = project_with(tmp_path)
    file = tmp_path / "src/adjudge/analysis/copies.py"
    file.write_text(example("An analysis: one file"), encoding="utf-8")
    (tmp_path / "show.py").write_text(SHOW, encoding="utf-8")
    ended = python(str(tmp_path / "show.py"))
    assert "new\t4\t2\t50.0\n" in ended.stdout, ended.stderr
    assert "System  words  copied ↓   % ↓" in ended.stdout


LINT = """
import sys
from pathlib import Path

from adjudge.__main__ import main

Path("reference.en").write_text("the cat sat\\nit was late\\n")
Path("new.en").write_text("the the cat sat\\nit was late\\n")
files = ["-r", "reference.en", "new.en"]
for arguments in (["--list"], files, [*files, "--skip", "doubled-words"]):
    sys.argv = ["adjudge", "lint", *arguments, "-f", "tsv"]
    main()
    print("---")
"""


def test_dropping_the_file_in_is_a_whole_lint_check(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    python = project_with(tmp_path)
    file = tmp_path / "src/adjudge/checks/doubled.py"
    file.write_text(example("A lint check: one file"), encoding="utf-8")
    (tmp_path / "lint.py").write_text(LINT, encoding="utf-8")
    ended = python(str(tmp_path / "lint.py"))
    listed, found, skipped, _ = ended.stdout.split("---\n")
    assert "doubled-words\twarning\toutputs in which words stand twice" in listed, ended.stderr
    assert "warning\tdoubled-words\tnew.en\tnew\t1\t1\t0.5\tnew repeats a word in 1 line" in found
    assert "doubled-words" not in skipped


USE = """
from adjudge.io.judgements import FORMATS, OUTPUT_FORMATS, read, write

assert FORMATS["grades"] == OUTPUT_FORMATS["grades"] == "grades without a header"
loaded = read("grades.txt")
print(loaded.format, loaded.judgements.protocol, loaded.judgements.system.values(), loaded.judgements.score.tolist())
print(write(loaded.judgements, output_format="grades").data.decode(), end="")
try:
    read("broken.txt")
except Exception as error:
    print(type(error).__name__, error)
"""


def test_a_folder_and_a_line_are_a_format_of_judgements(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    python = project_with(tmp_path)
    tools = tmp_path / "src/adjudge/io/judgements"
    (tools / "grades").mkdir()
    (tools / "grades/__init__.py").write_text(example("A format"), encoding="utf-8")
    registry = (tools / "formats.py").read_text(encoding="utf-8")
    (tools / "formats.py").write_text(
        registry.replace('    "mtme",\n', '    "mtme",\n    "grades",\n'), encoding="utf-8"
    )
    (tmp_path / "grades.txt").write_text("ann;A;1;4\nann;B;1;2\n", encoding="utf-8")
    (tmp_path / "broken.txt").write_text("ann;A;1;4\nann;B;1;good\n", encoding="utf-8")
    (tmp_path / "use.py").write_text(USE, encoding="utf-8")
    ended = python(str(tmp_path / "use.py"))
    assert ended.stdout.splitlines() == [
        "grades sqm ['A', 'B'] [4.0, 2.0]",
        "ann;A;1;4",
        "ann;B;1;2",
        "DataError broken.txt, line 2, column 'score': 'good' is no finite number; leave out rows without a judgement",
    ], ended.stderr
