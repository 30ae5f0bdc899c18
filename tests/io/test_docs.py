"""The page about files: its examples run, and no format is left out."""

import re

import pytest

from adjudge.io.formats import FORMATS


@pytest.fixture
def page(examples):
    return (examples.parent / "docs" / "files.md").read_text(encoding="utf-8")


def test_examples_run(page, examples, monkeypatch, capsys):
    monkeypatch.chdir(examples.parent)
    (example,) = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    exec(example, {})
    first, second, third = capsys.readouterr().out.splitlines()
    assert re.fullmatch(r"\d{3} segments, 2 references each", first)
    assert second == "['experiment (run 1)', 'experiment (run 2)', 'experiment (run 3)']"
    assert re.fullmatch(r"reference examples/reference\.en [0-9a-f]{8}", third)


def test_every_format_and_suffix_is_told(page):
    for name, form in FORMATS.items():
        (row,) = re.findall(rf"^\| `{name}` .*$", page, re.MULTILINE)
        for suffix in form.suffixes:
            assert f"`{suffix}`" in row
        for root in form.roots:
            assert f"`<{root.decode()}>`" in row
