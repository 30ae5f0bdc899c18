"""Workbooks: what openpyxl writes is read, sheets, numbers and holes."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adjudge.errors import DataError, MissingExtraError
from adjudge.io import read
from helpers.cell_files import HEADERS, columns, workbook, written

excel = st.text(
    st.characters(exclude_categories=["Cs", "Cc", "Cn", "Co"]) | st.just("\n"), min_size=1, max_size=12
).filter(lambda text: not text.startswith("=") and "_x" not in text)


@settings(max_examples=12)
@given(st.lists(st.tuples(excel, excel), min_size=1, max_size=5))
def test_what_openpyxl_writes_is_read(tmp_path_factory, rows):
    path = workbook(tmp_path_factory.mktemp("xlsx") / "x.xlsx", {"one": [("ref", "mt"), *rows]})
    assert columns(read(path)) == dict(zip(HEADERS, zip(*rows, strict=True), strict=False))


def test_sheets_numbers_and_holes(tmp_path):
    rows = [("ref", "mt", "n", "part"), ("a", None, 3, 0.5), ("b", "c", 4.0, True)]
    path = workbook(tmp_path / "x.xlsx", {"empty": [], "texts": rows, "more": [("x",)]})
    table = read(path)
    assert columns(table) == {"ref": ("a", "b"), "mt": ("", "c"), "n": ("3", "4"), "part": ("0.5", "TRUE")}
    assert "read from the sheet 'texts'; not read: 'more'" in table.notes[0]
    with pytest.raises(DataError, match="row 3: an empty row among the others"):
        read(workbook(tmp_path / "y.xlsx", {"a": [("ref", "mt"), ("a", "b"), (None, None), ("c", "d")]}))


def test_excel_without_the_extra(tmp_path, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "openpyxl", None)
    with pytest.raises(MissingExtraError, match=r"adjudge\[xlsx\]"):
        read(written(tmp_path, "x.xlsx", b"PK"))


def test_rows_of_a_sheet_are_counted_as_excel_does(tmp_path):
    """Cells may hold several lines; what is said of a row must be found by its number."""
    from adjudge.io.judgements import read as judgements
    from adjudge.io.judgements import read_texts

    head = ("annotator", "system", "segment", "score", "source", "target")
    rows = [("x", "A", n, 50 + n, "one\ntwo\nthree", f"eins\n{n}") for n in range(4)]
    path = workbook(tmp_path / "book.xlsx", {"notes": [], "answers": [head, *rows], "old": [("a",)]})
    result = judgements([path])
    assert result.judgements.line.tolist() == [2, 3, 4, 5]
    assert "read from the sheet 'answers'; not read: 'old'" in result.warnings[0]
    texts = read_texts(result.judgements)
    assert texts.source == ("one\ntwo\nthree",) * 4
    assert texts.target == tuple(f"eins\n{n}" for n in range(4))
    wrong = [*rows[:3], ("x", "A", 3, "good", "s", "t")]
    with pytest.raises(DataError, match="row 5, column 'score': "):
        judgements([workbook(tmp_path / "wrong.xlsx", {"a": [head, *wrong]})])


def test_judgements_in_parquet_are_those_in_csv(tmp_path):
    from adjudge.io.judgements import read as judgements

    pyarrow = pytest.importorskip("pyarrow")
    from pyarrow import parquet

    columns = {"annotator": ["x", "y"], "system": ["A", "B"], "segment": [1, 2], "score": [70.5, 80.0]}
    parquet.write_table(pyarrow.table(columns), tmp_path / "j.parquet")
    rows = zip(*columns.values(), strict=True)
    text = "\n".join([",".join(columns), *(",".join(map(str, row)) for row in rows)])
    (tmp_path / "j.csv").write_text(text)
    stored, plain = (judgements([str(tmp_path / name)]).judgements for name in ("j.parquet", "j.csv"))
    assert stored.score.tolist() == plain.score.tolist() == [70.5, 80.0]
    assert stored.item.values() == plain.item.values() == ["1", "2"]
    assert stored.line.tolist() == [1, 2]
    parquet.write_table(pyarrow.table({**columns, "score": ["70", "good"]}), tmp_path / "j.parquet")
    with pytest.raises(DataError, match="row 2, column 'score': 'good' is no finite number"):
        judgements([str(tmp_path / "j.parquet")])
