"""The Python of docs/statistics.md prints what stands beside it."""

import re

import pytest

from conftest import PROJECT

PAGE = (PROJECT / "docs" / "statistics.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("block", re.findall(r"^```python\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL))
def test_example(block, monkeypatch, capsys):
    monkeypatch.chdir(PROJECT)
    exec(compile(block, "docs/statistics.md", "exec"), {})
    shown = re.findall(r"print\(.*\)  # (.*)$", block, re.MULTILINE)
    assert shown
    assert capsys.readouterr().out.splitlines() == shown
