"""What can be taken along: CSV that a spreadsheet does not run, LaTeX that is that of other commands."""

import csv
import io

from hypothesis import given
from hypothesis import strategies as st

from adjudge.display import Cell, Column, Row, Table
from adjudge.report.pages.exhibits import csv_text, table_block
from adjudge.report.render.latex import latex_table

TABLE = Table((Column("System"), Column("BLEU", True, "↑")), (Row((Cell("a & <b>"), Cell("+1.5"))),))


@given(st.lists(st.lists(st.text(), min_size=2, max_size=2), min_size=1))
def test_cells_come_back_and_none_is_a_formula(lines) -> None:
    back = list(csv.reader(io.StringIO(csv_text(lines))))
    assert len(back) == len(lines)
    for cell in (cell for line in back for cell in line):
        assert not cell.startswith(("=", "@", "|"))


def test_numbers_stay_numbers() -> None:
    assert csv_text([["a", 1.25], ["+1.5", -2.0]]) == "a,1.25\r\n+1.5,-2.0\r\n"
    assert csv_text([["-cmd|' /C calc'!A0", "=1+1"]]).startswith("'-cmd")


def test_a_table_carries_its_own_files() -> None:
    block = table_block(TABLE, "my table/../x", "Systems")
    assert 'data-name="my-table-..-x"' in block
    assert "System,BLEU ↑&#10;a &amp; &lt;b&gt;,+1.5&#10;" in block
    first = latex_table(TABLE).splitlines()[1]
    assert first.replace("&", "&amp;") in block
