"""CSV as spreadsheets write it."""

import csv

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from adjudge.io import read
from helpers.cell_files import HEADERS, as_csv, columns, written

cell = st.text(st.characters(exclude_categories=["Cs", "Cc"]) | st.sampled_from('",;\t\n '), max_size=12)
grids = st.integers(1, 3).flatmap(lambda width: st.lists(st.tuples(*[cell] * width), min_size=1, max_size=6))


@pytest.mark.parametrize("quoting", [csv.QUOTE_MINIMAL, csv.QUOTE_ALL, csv.QUOTE_NONNUMERIC])
@pytest.mark.parametrize("ending", ["\n", "\r\n"])
@pytest.mark.parametrize(
    ("name", "separator"), [("x.csv", ","), ("x.csv", ";"), ("x.csv", "\t"), ("x.tsv", "\t")]
)
@settings(max_examples=25)
@given(rows=grids)
@example(rows=[("",)])
@example(rows=[('"', ""), ("a\nb", "\t")])
@example(rows=[("x" * 140_000, "")])
def test_what_csv_writes_is_read(tmp_path_factory, rows, name, separator, ending, quoting):
    """In each of its dialects; one column cannot tell what would part it from the next."""
    assume(len(rows[0]) > 1 or separator == "," or name == "x.tsv")
    if name == "x.tsv" and quoting == csv.QUOTE_MINIMAL:
        # Python quotes the empty cell of a single column for a reason that nobody can see
        assume(len(rows[0]) > 1 or all(row[0] for row in rows))
    content = as_csv(rows, delimiter=separator, lineterminator=ending, quoting=quoting)
    table = read(written(tmp_path_factory.mktemp("csv"), name, content))
    assert columns(table) == dict(zip(HEADERS, zip(*rows, strict=True), strict=False))
    if separator == ";":
        assert "parted by semicolons" in table.notes[0]


def test_excel_quotes_what_has_commas(tmp_path):
    content = 'ref\tmt\r\n"a, b"\tx\r\nc\t"d, e"\r\n"f, g"\th\r\n'
    table = read(written(tmp_path, "x.tsv", content))
    assert table.references["ref"] == ("a, b", "c", "f, g")


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("name", ["x.tsv", "x.txt"])
def test_utf_16_as_excel_writes_it(tmp_path, encoding, name):
    text = ("" if encoding == "utf-16" else "\ufeff") + 'ref\tmt\r\nGrüße\t"sagte ""er"""\r\n'
    table = read(written(tmp_path, name, text.encode(encoding)))
    if name == "x.tsv":
        assert columns(table) == {"ref": ("Grüße",), "mt": ('sagte "er"',)}
    else:
        assert table.outputs["x"] == ("ref\tmt", 'Grüße\t"sagte ""er"""')
