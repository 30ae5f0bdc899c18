"""Names in Markdown are shown as they are."""

from hypothesis import given
from markdown_it import MarkdownIt

from adjudge.display import visible
from adjudge.report.render.markdown import markdown_table
from helpers.escaped import ANYTHING, table_with


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
