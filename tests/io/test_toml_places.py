"""Lines of fields in TOML: every table and field where it stands, whatever is written over several lines."""

import pytest

from adjudge.errors import DataError
from adjudge.io.toml_places import TomlDocument, read_tables

TEXT = '''# a study
name = "x"  # [[test_set]] in a comment
metrics = [
    "bleu",  # one
    "chrf",
]

[plan]
margin = { bleu = 1.0 }
sub.key = 3

[[test_set]]
name = """
[[test_set]]
name = "not this"
"""

[[test_set]]
name = 'b'
labels = "l"
[test_set.more]
deep = 1
'''


def test_every_field_has_its_line():
    parsed = TomlDocument.parse("s.toml", TEXT)
    document, places = parsed.values, parsed.lines
    assert len(document["test_set"]) == 2
    wanted = {
        ("name",): 2,
        ("metrics",): 3,
        ("plan",): 8,
        ("plan", "margin"): 9,
        ("plan", "margin", "bleu"): 9,
        ("plan", "sub"): 10,
        ("plan", "sub", "key"): 10,
        ("test_set", 0): 12,
        ("test_set", 0, "name"): 13,
        ("test_set", 1): 18,
        ("test_set", 1, "name"): 19,
        ("test_set", 1, "labels"): 20,
        ("test_set", 1, "more"): 21,
        ("test_set", 1, "more", "deep"): 22,
    }
    assert places == wanted


def test_tables_within_a_line_and_lines_of_windows():
    text = 'test_set = [\r\n  {name = "a"},\r\n  {name = "b"}]\r\nname = "x"\r\n'
    places = TomlDocument.parse("s.toml", text).lines
    assert places["test_set", 1, "name"] == 1  # of the statement
    assert places["name",] == 4


def test_a_list_of_thousands_of_lines_takes_no_time():
    entries = "".join(f'  "system{i}",\n' for i in range(20_000))
    places = TomlDocument.parse("s.toml", f"systems = [\n{entries}]\nname = 'x'\n").lines
    assert places["name",] == 20_003


def test_what_is_no_toml_is_said_with_its_line():
    with pytest.raises(DataError, match=r"s\.toml: no TOML: .*line 2"):
        TomlDocument.parse("s.toml", 'name = "x"\nmetrics = [\n')


def test_tables_of_a_file_are_read_with_their_lines(tmp_path):
    path = tmp_path / "tasks.toml"
    path.write_text('[[task]]\ngold = "da"\nexcluded = ["a"]\n\n[[task]]\nlevel = 3\n')
    kinds = {"gold": str, "level": str, "excluded": list}
    with pytest.raises(DataError, match=r"tasks.toml, line 6: task 2: level: a text was expected, not 3"):
        read_tables(str(path), "task", kinds, {})
    path.write_text('[[task]]\ngold = "da"\nexcluded = ["a"]\n\n[[task]]\nlevl = "x"\n')
    with pytest.raises(DataError, match=r"line 5: task 2: unknown field 'levl'; did you mean 'level'"):
        read_tables(str(path), "task", kinds, {})
    path.write_text('[[task]]\ngold = "da"\nexcluded = ["a"]\n\n[[task]]\n')
    with pytest.raises(DataError, match=r"line 5: task 2: gold: missing; a name"):
        read_tables(str(path), "task", kinds, {"gold": "a name"})
    (_, first), (where, second) = read_tables(str(path), "task", kinds, {})
    assert (first, second) == ({"gold": "da", "excluded": ("a",)}, {})
    assert where.endswith("tasks.toml, line 5: task 2")
