"""Cells in quotes and without: what csv and Excel write is read as it was, and a text's own quotes stay."""

import csv
import io

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from adjudge.errors import DataError, MissingExtraError, UsageError
from adjudge.io import load, read

cell = st.text(st.characters(exclude_categories=["Cs", "Cc"]) | st.sampled_from('",;\t\n '), max_size=12)
grids = st.integers(1, 3).flatmap(lambda width: st.lists(st.tuples(*[cell] * width), min_size=1, max_size=6))
HEADERS = ("ref", "mt", "note")
SAID = ['"No," he said.', 'She said "yes".', '"Never."', "All the same, he went."]


def written(tmp_path, name, content):
    path = tmp_path / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return str(path)


def columns(table):
    return {name: tuple(column) for name, column in table.columns.items()}


def as_csv(rows, **dialect):
    text = io.StringIO()
    csv.writer(text, **dialect).writerows([HEADERS[: len(rows[0])], *rows])
    return text.getvalue()


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


def test_excel_quotes_what_has_commas(tmp_path):
    content = 'ref\tmt\r\n"a, b"\tx\r\nc\t"d, e"\r\n"f, g"\th\r\n'
    table = read(written(tmp_path, "x.tsv", content))
    assert table.references["ref"] == ("a, b", "c", "f, g")


def test_a_column_in_quotes(tmp_path):
    content = "ref\tmt\n" + "".join(f'"text {n}"\t{n}\n' for n in range(5))
    assert read(written(tmp_path, "x.tsv", content)).references["ref"][0] == "text 0"


@pytest.mark.parametrize("name", ["x.en", "x.txt", "x"])
def test_plain_text_is_never_a_table(tmp_path, name):
    lines = ['"No."', '"a ""b"""', '"x', 'y"', "a,b", "ref\tmt", "", '""']
    path = written(tmp_path, name, "".join(f"{line}\n" for line in lines))
    assert list(read(path).outputs.values()) == [tuple(lines)]


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("name", ["x.tsv", "x.txt"])
def test_utf_16_as_excel_writes_it(tmp_path, encoding, name):
    text = ("" if encoding == "utf-16" else "\ufeff") + 'ref\tmt\r\nGrüße\t"sagte ""er"""\r\n'
    table = read(written(tmp_path, name, text.encode(encoding)))
    if name == "x.tsv":
        assert columns(table) == {"ref": ("Grüße",), "mt": ('sagte "er"',)}
    else:
        assert table.outputs["x"] == ("ref\tmt", 'Grüße\t"sagte ""er"""')


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("x.csv", 'ref,mt\na,"b\n', r"x\.csv, line 2: a cell begins with a quote that does not end it"),
        ("x.csv", 'ref,mt\n"a\nb",c\nd,"e"f\n', r"x\.csv, line 4: a cell begins with a quote"),
        ("x.csv", "ref,mt\na,b,c\n", r"x\.csv, line 2: 3 columns, but the header names 2 \(ref, mt\)"),
        ("x.tsv", 'ref\tmt\n"a\tb\nc\n', r"x\.tsv, line 3: 1 columns, but the header names 2"),
        ("x.xlsx", b"PK\x03\x04", r"x\.xlsx is no Excel file that can be read"),
        ("x.xlsx", b"ref", r"x\.xlsx is no Excel file that can be read"),
    ],
)
def test_faults(tmp_path, name, content, message):
    with pytest.raises(DataError, match=message):
        read(written(tmp_path, name, content))


def workbook(path, sheets):
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.Workbook()
    book.remove(book.active)
    for title, rows in sheets.items():
        sheet = book.create_sheet(title)
        for row in rows:
            sheet.append(row)
    book.save(path)
    return str(path)


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


def test_a_text_held_against_itself_is_refused(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    written(tmp_path, "x.tsv", "ref\tnote\na\tb\n")
    written(tmp_path, "ref.en", "a\n")
    for system in ("x.tsv", "ref.en", "copy=ref.en"):
        with pytest.raises(UsageError, match="is taken for the reference and for a system's output at once"):
            load(references=[system.removeprefix("copy=")], systems=[system])
    assert load(references=["x.tsv:ref"], systems=["x.tsv:note"]).outputs[0].segments == ("b",)


def test_columns_that_are_there_and_names_that_are_known(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    written(tmp_path, "x.csv", "english,german,id\na,b,1\n")
    with pytest.raises(
        UsageError, match=r"holds no reference, but english, german, id; .* ref, refA, reference"
    ):
        load(references=["x.csv"], systems=["x.csv"])
    with pytest.raises(UsageError, match=r"holds no system, but english, german, id; .* mt, hyp, hypothesis"):
        load(references=["x.csv:english"], systems=["x.csv"])
