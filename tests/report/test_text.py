import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudge.display import Cell, Column, Row, Table, best_of, cell_width, shorten, visible, wrap_words
from adjudge.report.render.text import plain, table_lines
from adjudge.wording import number

NAMES = st.text(st.characters(exclude_categories=["Cs", "Cc", "Cf", "Zl", "Zp"]), min_size=1, max_size=60)


def make(names: list[str], columns: list[str]) -> Table:
    rows = [Row((Cell(name), *(Cell("12.3") for _ in columns))) for name in names]
    return Table((Column("System"), *(Column(c, True, "↑") for c in columns)), tuple(rows))


def test_aligned_and_without_spaces_at_line_ends():
    table = Table(
        (Column("System"), Column("BLEU", True, "↑"), Column("TER", True, "↓")),
        (
            Row((Cell("a"), Cell("9.5"), Cell("100.0"))),
            Row((Cell("long name"), Cell("52.4", True), Cell("34.6", True))),
            Row((Cell("run 1"), Cell("52.4"), Cell("34.6")), detail=True),
        ),
    )
    assert plain(table_lines(table)) == (
        "System     BLEU ↑  TER ↓\n"
        "a             9.5  100.0\n"
        "long name    52.4   34.6\n"
        "  run 1      52.4   34.6\n"
    )


def test_options_of_a_metric_stand_below_its_name():
    table = make(["a"], ["BLEU(tokenize=intl,lowercase=true)", "chrF"])
    assert plain(table_lines(table)).splitlines()[:3] == [
        "                BLEU ↑",
        "         tokenize=intl",
        "System  lowercase=true  chrF ↑",
    ]


def test_best_and_detail_are_marked_by_style():
    row = Row((Cell("a"), Cell("1.0", best=True)))
    detail = Row((Cell("run 1"), Cell("1.0")), detail=True)
    lines = table_lines(Table((Column("System"), Column("BLEU", True)), (row, detail)), rule=True)
    assert [span.style for span in lines[2] if span.text == "1.0"] == ["best"]
    assert {span.style for span in lines[3] if span.text.strip()} == {"detail"}
    assert set(lines[1][0].text) == {"─"}


@pytest.mark.parametrize("width", [40, 80, 140])
def test_twelve_systems_by_six_metrics_fit_any_screen(width):
    names = [f"a-rather-long-name-of-a-system-with-back-translation-{i}" for i in range(12)]
    metrics = ["BLEU", "chrF", "chrF++", "TER", "BLEU(tokenize=intl,lowercase=true)", "METEOR"]
    text = plain(table_lines(make(names, metrics), width=width, rule=True))
    lines = text.splitlines()
    assert max(map(cell_width, lines)) <= width
    assert text.count("12.3") == 12 * 6
    blocks = text.count("System")
    assert len([line for line in lines if line.startswith("a-")]) == 12 * blocks


def test_shortened_names_stay_apart():
    names = [f"the-same-beginning-{middle}-and-the-same-end-of-all-names" for middle in "abc"]
    text = plain(table_lines(make(names, ["BLEU", "chrF", "TER"]), width=50))
    assert len({line.split()[0] for line in text.splitlines() if line.startswith("the-")}) == 3


@given(st.lists(NAMES, min_size=1, max_size=6, unique=True), st.integers(20, 120))
def test_every_row_of_a_block_is_equally_wide(names, width):
    lines = table_lines(make([visible(n) for n in names], ["BLEU", "chrF", "TER"]), width=width)
    widths = [sum(cell_width(span.text) for span in line) for line in lines]
    blocks = " ".join(map(str, widths)).split(" 0 ")
    for block in blocks:
        assert len(set(block.split())) == 1


@given(NAMES, st.integers(3, 40))
def test_shortened_is_never_wider_than_asked(name, width):
    assert cell_width(shorten(name, width)) <= max(width, 0)
    if cell_width(name) <= width:
        assert shorten(name, width) == name


@pytest.mark.parametrize(
    ("value", "decimals", "text"),
    [
        (53.625, 1, "53.6"),
        (0.0, 2, "0.00"),
        (-0.01, 1, "0.0"),
        (-1.5, 1, "-1.5"),
        (float("nan"), 1, "–"),
        (float("inf"), 1, "inf"),
        (float("-inf"), 1, "-inf"),
        (7.6, 0, "8"),
        (-0.2, 0, "0"),
    ],
)
def test_number(value, decimals, text):
    assert number(value, decimals) == text


def test_best_by_what_is_shown():
    nan = float("nan")
    assert best_of([53.62, 53.58, 52.0], 1, higher_is_better=True) == [True, True, False]
    assert best_of([53.62, 53.58, 52.0], 2, higher_is_better=True) == [True, False, False]
    assert best_of([34.0, 36.0, nan], 1, higher_is_better=False) == [True, False, False]
    assert best_of([1.0, 1.01], 1, higher_is_better=True) == [False, False]
    assert best_of([1.0, 2.0], 1, higher_is_better=None) == [False, False]
    assert best_of([5.0], 1, higher_is_better=True) == [False]
    assert best_of([nan, 5.0], 1, higher_is_better=True) == [False, False]


@given(st.text())
def test_visible_text_prints(text):
    assert visible(text).isprintable()
    visible(text).encode("utf-8")


def test_a_block_below_leaves_out_rows_that_have_nothing_there():
    rows = [
        Row((Cell("first system"), Cell("1.0"), Cell(""))),
        Row((Cell("second one"), Cell("2.0"), Cell("0.1"))),
    ]
    table = Table((Column("System"), Column("score", True), Column("would show", True)), tuple(rows))
    assert plain(table_lines(table, width=26)).splitlines() == [
        "System        score",
        "first system    1.0",
        "second one      2.0",
        "",
        "System        would show",
        "second one           0.1",
    ]


@pytest.mark.parametrize("width", range(10, 60))
def test_what_belongs_together_stays_on_one_line(width):
    sentence = "shown at a power of 80 %, for (p < 0.001, Holm) and n = 806 are enough: p = 0.04"
    lines = [line[0].text for line in wrap_words(sentence.split(), width=width, indent="")]
    assert " ".join(lines) == sentence
    for whole in ("80 %,", "(p < 0.001,", "n = 806", "p = 0.04"):
        assert sum(whole in line for line in lines) == 1
