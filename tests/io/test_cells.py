"""Cells in quotes and without: what csv and Excel write is read as it was, and a text's own quotes stay."""

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudge.errors import DataError
from adjudge.io import read
from helpers.cell_files import HEADERS, as_csv, columns, workbook, written

SAID = ['"No," he said.', 'She said "yes".', '"Never."', "All the same, he went."]


bare = st.text(st.characters(exclude_categories=["Cs", "Cc"]) | st.just('"'), max_size=12).filter(
    lambda text: not (text.startswith('"') and text.endswith('"'))
)


@given(st.lists(st.tuples(bare, bare), min_size=1))
def test_cells_that_nobody_quoted_are_read_as_they_stand(tmp_path_factory, rows):
    content = "ref\tmt\n" + "".join("\t".join(row) + "\n" for row in rows)
    table = read(written(tmp_path_factory.mktemp("tsv"), "x.tsv", content))
    assert columns(table) == dict(zip(HEADERS, zip(*rows, strict=True), strict=False))


def test_quotes_of_the_text_stay_and_it_is_told(tmp_path):
    plain = "ref\tmt\n" + "".join(f"{text}\t{text}\n" for text in SAID)
    table = read(written(tmp_path, "x.tsv", plain))
    assert table.references["ref"] == tuple(SAID)
    assert "quotes are read as part of the text" in table.notes[0]
    quoted = as_csv([(text, text) for text in SAID], delimiter="\t")
    table = read(written(tmp_path, "y.tsv", quoted))
    assert table.references["ref"] == tuple(SAID)
    assert "6 cells stand in quotes, which are no part of the text" in table.notes[0]
    table = read(written(tmp_path, "z.tsv", 'ref\tmt\n"No."\tNo.\nYes.\t"Yes."\n'))
    assert table.references["ref"] == ('"No."', "Yes.")
    assert "2 cells begin and end with one, though nothing in them calls for it" in table.notes[0]


def test_a_column_in_quotes(tmp_path):
    content = "ref\tmt\n" + "".join(f'"text {n}"\t{n}\n' for n in range(5))
    assert read(written(tmp_path, "x.tsv", content)).references["ref"][0] == "text 0"


@pytest.mark.parametrize("name", ["x.en", "x.txt", "x"])
def test_plain_text_is_never_a_table(tmp_path, name):
    lines = ['"No."', '"a ""b"""', '"x', 'y"', "a,b", "ref\tmt", "", '""']
    path = written(tmp_path, name, "".join(f"{line}\n" for line in lines))
    assert list(read(path).outputs.values()) == [tuple(lines)]


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("x.csv", 'ref,mt\na,"b\n', r"x\.csv, line 2: a cell begins with a quote that does not end it"),
        ("x.csv", 'ref,mt\n"a\nb",c\nd,"e"f\n', r"x\.csv, line 4: a cell begins with a quote"),
        ("x.csv", "ref,mt\na,b,c\n", r"x\.csv, line 2: 3 columns, but there should be 2 \(ref, mt\)"),
        ("x.tsv", 'ref\tmt\n"a\tb\nc\n', r"x\.tsv, line 3: 1 column, but there should be 2"),
        ("x.xlsx", b"PK\x03\x04", r"x\.xlsx is no Excel file that can be read"),
        ("x.xlsx", b"ref", r"x\.xlsx is no Excel file that can be read"),
    ],
)
def test_faults(tmp_path, name, content, message):
    with pytest.raises(DataError, match=message):
        read(written(tmp_path, name, content))


def test_judgements_come_from_the_same_cells(tmp_path):
    """Quoted TSV, UTF-16 and Excel give the judgements of plain TSV."""
    from adjudge.io.judgements import read as judgements

    rows = [("annotator", "system", "segment", "score")]
    rows += [(who, name, str(n), str(n + 3)) for who in "xy" for name in ('A "1"', "B") for n in range(4)]
    plain = "".join("\t".join(row) + "\n" for row in rows)
    text = io.StringIO()
    csv.writer(text, delimiter="\t").writerows(rows)
    paths = [
        written(tmp_path, "plain.tsv", plain),
        written(tmp_path, "quoted.tsv", text.getvalue()),
        written(tmp_path, "excel.txt", text.getvalue().encode("utf-16")),
        workbook(tmp_path / "book.xlsx", {"a": rows}),
    ]
    values = [judgements([path]).judgements for path in paths]
    for entry in values:
        assert entry.system.names == ('A "1"', "B")
        assert entry.score.tolist() == values[0].score.tolist()
