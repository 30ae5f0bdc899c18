"""TSV keeps cells apart and loses nothing."""

import re

from hypothesis import given
from hypothesis import strategies as st

from adjudge.report.render.tsv import tsv_line
from helpers.escaped import ANYTHING


@given(st.lists(ANYTHING, min_size=1, max_size=4))
def test_tsv_keeps_cells_apart_and_loses_nothing(cells):
    line = tsv_line(cells)
    assert line.endswith("\n")
    assert "\n" not in line[:-1]
    assert "\r" not in line
    back = {"\\\\": "\\", "\\t": "\t", "\\n": "\n", "\\r": "\r"}
    back |= {f"\\x{code:02x}": chr(code) for code in range(160)}
    values = [re.sub(r"\\(?:[\\tnr]|x..)", lambda m: back[m[0]], cell) for cell in line[:-1].split("\t")]
    assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]", line)
    assert values == cells
