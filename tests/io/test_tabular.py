"""TSV: what is written is read, and what is wrong is named."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudge.errors import DataError
from adjudge.io import read
from helpers.tables import written

cell = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0\t\n\r"))


@given(st.lists(st.tuples(cell, cell, cell, cell), min_size=1), st.booleans())
def test_tsv_what_is_written_is_read(tmp_path_factory, rows, crlf):
    ending = "\r\n" if crlf else "\n"
    content = ending.join(["source\tmt\treference\tspeaker", *("\t".join(row) for row in rows), ""])
    table = read(written(tmp_path_factory.mktemp("tsv"), content, "system.tsv"))
    source, output, reference, speaker = zip(*rows, strict=True)
    assert table.source == source
    assert table.outputs == {"system": output}
    assert table.references == {"reference": reference}
    assert table.labels == {"speaker": speaker}


def test_tsv_quotes_are_characters(tmp_path):
    table = read(written(tmp_path, 'ref\tmt\n"a\tb"\n""\t\'\n', "x.tsv"))
    assert table.references["ref"] == ('"a', '""')
    assert table.outputs["x"] == ('b"', "'")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("ref\tmt\na\tb\na\tb\tc\n", r"x\.tsv, line 3: 3 columns, but there should be 2 \(ref, mt\)"),
        ("ref\tmt\n\n", r"x\.tsv, line 2: 1 column, but there should be 2"),
        ("ref\tref\na\tb\n", r"line 1: two columns are called 'ref'"),
        ("ref\t\na\tb\n", r"line 1: column 2 has no name"),
        ("ref\tmt\n", r"has a header line, but nothing below it"),
        ("", r"x\.tsv is empty"),
        ("src\tsource\na\tb\n", r"has two sources: columns 'src' and 'source'"),
        ("mt\thyp\na\tb\n", r"two outputs of one system"),
        (b"ref\n\xff\n", r"x\.tsv, line 2, byte 1: not UTF-8"),
    ],
)
def test_tsv_faults(tmp_path, content, message):
    with pytest.raises(DataError, match=message):
        read(written(tmp_path, content, "x.tsv"))
