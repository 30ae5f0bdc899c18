"""Names in LaTeX are printed as they are, and tables keep their shape."""

import re

from hypothesis import given

from adjudge.display import Section, visible
from adjudge.report.render.latex import SPECIAL, latex_of, latex_table
from adjudge.report.render.latex import escape as latex_escape
from helpers.escaped import ANYTHING, table_with


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


def test_a_name_that_starts_with_a_bracket_or_star_is_no_option_of_the_line_break():
    assert "\n{[x]} & 1.0" in latex_table(table_with("[x]"))
    assert "\n{*x} & 1.0" in latex_table(table_with("*x"))
