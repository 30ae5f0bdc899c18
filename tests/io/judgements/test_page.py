"""The page about judgements: its example runs, and no format is left out."""

import re

import pytest

from adjudge.io.judgements import FORMATS, OUTPUT_FORMATS


@pytest.fixture
def page(examples):
    return (examples.parent / "docs" / "judgements.md").read_text(encoding="utf-8")


def test_the_example_runs(page, examples, monkeypatch, capsys):
    monkeypatch.chdir(examples.parent)
    for example in re.findall(r"```python\n(.*?)```", page, re.DOTALL):
        exec(example, {})
    assert capsys.readouterr().out.splitlines() == [
        "table da 692 judgements",
        "('neural', 'neural-fixed', 'rulebased', 'shortened')",
        "('bob', 'eve', 'ann') True",
        "examples/judgements.tsv, line 2 says 55.0 of neural",
        "da,neural,1,bob,ordinary,55,bridge-reopening ()",
    ]


def test_every_format_is_told(page):
    page = page[: page.index("## Writing")]
    for name in FORMATS:
        assert len(re.findall(rf"^\| `{name}` \|.*$", page, re.MULTILINE)) == 1


def test_every_format_that_is_written_is_told(page):
    table = page[page.index("| format | read as |") : page.index("What is lost is said")]
    rows = [row.split("|")[1] for row in table.splitlines()[2:] if "|" in row]
    told = [name for row in rows for name in re.findall(r"`([a-z-]+)`", row)]
    assert len(told) == len({*told})
    assert {*OUTPUT_FORMATS} <= {*told} <= {*OUTPUT_FORMATS, *FORMATS}
