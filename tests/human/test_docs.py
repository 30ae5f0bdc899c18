"""The Python of docs/agreement.md prints what stands there."""

import re

from conftest import PROJECT

PAGE = (PROJECT / "docs" / "agreement.md").read_text(encoding="utf-8")


def test_example(monkeypatch, capsys):
    monkeypatch.chdir(PROJECT)
    (block,) = re.findall(r"^```python\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    (rest,) = re.findall(r"^```text\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    exec(compile(block, "docs/agreement.md", "exec"), {})
    shown = re.findall(r"print\(.*\)  # (.*)$", block, re.MULTILINE)
    assert shown
    assert [line.rstrip() for line in capsys.readouterr().out.splitlines()] == [*shown, *rest.splitlines()]
