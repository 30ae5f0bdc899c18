"""The metric that CONTRIBUTING.md shows is one that works."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

from adjudge import _core
from adjudge.data import TestSet

PAGE = Path(__file__).resolve().parent.parent / "CONTRIBUTING.md"


def example() -> str:
    (code,) = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    return code


def test_the_example_metric_runs(monkeypatch):
    module = ModuleType("example_metric")
    monkeypatch.setitem(sys.modules, module.__name__, module)
    exec(compile(example(), str(PAGE), "exec"), vars(module))
    metric = module.Covered.from_options({"lowercase": "true"})
    assert metric.spec == "covered(lowercase=true)"
    rows = metric.stats(metric.prepare(TestSet(references=(("The cat sat", "x"),))), ["the cat ran off", ""])
    assert metric.aggregate(rows.sum(0)) == pytest.approx(25.0)
    assert "case:lc" in metric.signature(TestSet(references=(("a",),)))


def test_dropping_the_file_in_is_the_whole_registration(tmp_path):
    """In a copy of the project, as somebody would do it who follows the page."""
    project = PAGE.parent
    for part in ("src/adjudge", "docs/metrics.md", "tests/metrics/test_docs.py"):
        target = tmp_path / part
        target.parent.mkdir(parents=True, exist_ok=True)
        if (project / part).is_dir():
            shutil.copytree(project / part, target, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(project / part, target)
    (tmp_path / "src/adjudge/metrics/covered.py").write_text(example(), encoding="utf-8")
    environment = {**os.environ, "PYTHONPATH": str(tmp_path / "src"), "PYTHONDONTWRITEBYTECODE": "1"}

    def python(*arguments: str) -> subprocess.CompletedProcess[str]:
        # -S: an editable install would lead back to the project; -c puts the packages beside it on the path again.
        paths = [path for path in sys.path if "site-packages" in path]
        code = f"import sys; sys.path += {paths!r}; import runpy; sys.argv = {list(arguments)!r}; "
        code += "runpy.run_path(sys.argv[0], run_name='__main__')"
        return subprocess.run(
            [sys.executable, "-S", "-c", code], env=environment, capture_output=True, text=True, timeout=120
        )

    core = next(iter(Path(_core.__file__).parent.glob("_core*.so")))
    shutil.copy(core, tmp_path / "src/adjudge" / core.name)
    page = tmp_path / "docs/metrics.md"
    ended = python(str(tmp_path / "tests/metrics/test_docs.py"))
    assert ended.returncode == 0, ended.stderr
    text = page.read_text(encoding="utf-8")
    assert "| [`covered`](#covered) | higher | 0–100 |" in text
    section = text.partition("## `covered`\n")[2]
    assert "Share of output words that occur in the reference." in section
    assert "| `lowercase` | `false` |" in section
    assert "Empty output: 0; empty reference: 0; both: 0." in section
    assert ended.stdout.count("TO SAY") == text.count("TO SAY") == 3
