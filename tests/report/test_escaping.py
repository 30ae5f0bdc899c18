"""Names of systems come from the names of files, so they can hold anything."""

import re

from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from adjudge.report.latex import SPECIAL, latex_table
from adjudge.report.latex import escape as latex_escape
from adjudge.report.markdown import markdown_table
from adjudge.report.sections import Section, latex_of
from adjudge.report.table import Cell, Column, Row, Table, visible
from adjudge.report.tsv import tsv_line

ANYTHING = st.one_of(st.text(), st.text("\\`*_[]<>|~&${}#%^-'\"ab(!)\t\n;x1"))


def table_with(name: str, best: bool = False) -> Table:
    row = Row((Cell(visible(name)), Cell("1.0", best)))
    return Table((Column("System"), Column("BLEU", True, "↑")), (row,))


def markdown_cells(text: str) -> list[str]:
    parser = MarkdownIt("commonmark").enable(["table", "strikethrough"])
    cells = []
    for token in parser.parse(text):
        if token.type == "inline":
            assert {child.type for child in token.children or []} <= {
                "text",
                "strong_open",
                "strong_close",
                "text_special",
            }
            cells.append("".join(child.content for child in token.children or []))
    return cells


@given(ANYTHING)
def test_markdown_shows_a_name_as_it_is(name):
    assert markdown_cells(markdown_table(table_with(name))) == [
        "System",
        "BLEU ↑",
        visible(name).strip(" "),
        "1.0",
    ]


def test_markdown_best_is_bold():
    assert "| **1.0** |" in markdown_table(table_with("a|b_c", best=True))
    assert r"| a\|b\_c |" in markdown_table(table_with("a|b_c", best=True))


def latex_reads(text: str) -> str:
    """What LaTeX would print: a reader that knows the escapes and refuses bare special signs."""
    back = {v: k for k, v in SPECIAL.items() if k != "-"}
    pattern = re.compile(
        "|".join(map(re.escape, sorted(back, key=len, reverse=True))) + r"|-\{\}(?=-)|[^\\{}$&%#_~^]"
    )
    position, shown = 0, ""
    while position < len(text):
        match = pattern.match(text, position)
        assert match, f"bare {text[position]!r}"
        shown += "-" if match[0] == "-{}" else back.get(match[0], match[0])
        position = match.end()
    return shown


@given(ANYTHING.filter(lambda text: "–" not in text))
def test_latex_prints_a_name_as_it_is(name):
    escaped = latex_escape(visible(name))
    assert latex_reads(escaped) == visible(name)
    assert "--" not in escaped


@given(ANYTHING)
def test_latex_table_keeps_its_shape(name):
    lines = latex_table(table_with(name)).split("\n")
    assert len(lines) == 9
    assert len(re.findall(r"(?<!\\)(?:\\\\)*&", lines[5])) == 1
    assert lines[5].endswith(r" \\")


def test_latex_by_hand():
    text = latex_of([Section(tables=(table_with("a_b & 50% [x]", best=True),), notes=("BLEU: nrefs:1",))])
    assert text == (
        "% \\usepackage{booktabs}\n"
        "\\begin{tabular}{lr}\n"
        "\\toprule\n"
        "System & BLEU $\\uparrow$ \\\\\n"
        "\\midrule\n"
        "a\\_b \\& 50\\% [x] & \\textbf{1.0} \\\\\n"
        "\\bottomrule\n"
        "\\end{tabular}\n"
        "% BLEU: nrefs:1\n"
    )


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


def test_a_name_that_starts_with_a_bracket_or_star_is_no_option_of_the_line_break():
    assert "\n{[x]} & 1.0" in latex_table(table_with("[x]"))
    assert "\n{*x} & 1.0" in latex_table(table_with("*x"))
