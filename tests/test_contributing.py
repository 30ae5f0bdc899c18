"""The metric that CONTRIBUTING.md shows is one that works."""

import re
import sys
from pathlib import Path
from types import ModuleType

import pytest

from adjudge.data import TestSet

PAGE = Path(__file__).resolve().parent.parent / "CONTRIBUTING.md"


def test_the_example_metric_runs(monkeypatch):
    (code,) = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    module = ModuleType("example_metric")
    monkeypatch.setitem(sys.modules, module.__name__, module)
    exec(compile(code, str(PAGE), "exec"), vars(module))
    metric = module.Covered.from_options({"lowercase": "true"})
    assert metric.spec == "covered(lowercase=true)"
    rows = metric.stats(metric.prepare(TestSet(references=(("The cat sat", "x"),))), ["the cat ran off", ""])
    assert metric.aggregate(rows.sum(0)) == pytest.approx(25.0)
    assert "case:lc" in metric.signature(TestSet(references=(("a",),)))
