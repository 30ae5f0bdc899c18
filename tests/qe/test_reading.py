"""Judged segments from files, and what is said where they are not what they should be."""

import pytest

from adjudge.errors import DataError, UsageError
from adjudge.qe.reading import (
    pair_of,
    read_lines,
    read_log_probabilities,
    read_table,
    with_log_probabilities,
    with_tags,
)

MLQE = (
    "index\toriginal\ttranslation\tscores\tmean\tz_scores\tz_mean\tmodel_scores\n"
    "0\tA house.\tEin Haus.\t[90, 80]\t85.0\t[1.0, 0.5]\t0.75\t-0.2\n"
    "1\tA cat.\tEin Hund.\t[10, 20]\t15.0\t[-1.0, -0.5]\t-0.75\t-0.9\n"
)


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "mlqe.tsv"
    path.write_text(MLQE, encoding="utf-8")
    return str(path)


def written(tmp_path, name, text):
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return str(path)


def test_mlqe_is_read_as_it_is(table):
    segments = read_table(table)
    assert segments.sources == ("A house.", "A cat.")
    assert segments.outputs[1] == "Ein Hund."
    assert segments.scores.tolist() == [0.75, -0.75]
    assert segments.score_name == "z_mean"
    assert segments.log_probabilities == ((-0.2,), (-0.9,))
    assert read_table(table, "mean").scores.tolist() == [85, 15]


def test_lines_of_three_files(tmp_path):
    paths = [
        written(tmp_path, name, text)
        for name, text in (("src", "a\nb\n"), ("mt", "x\ny\n"), ("dev.hter", "0.5\n0\n"))
    ]
    segments = read_lines(*paths)
    assert segments.score_name == "hter"
    assert segments.scores.tolist() == [0.5, 0]


def test_tags_of_words_and_of_gaps(tmp_path, table):
    tags = written(tmp_path, "tags", "OK BAD\nOK OK OK BAD OK\n")
    assert with_tags(read_table(table), tags).tags == (("OK", "BAD"), ("OK", "BAD"))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("OK\nOK OK\n", r"tags, line 1: 1 tags for 2 words .* 5 with the gaps"),
        ("OK GOOD\nOK OK\n", "'GOOD' is no tag"),
        ("OK OK\n", r"tags has 1 segment, but .*mlqe.tsv has 2"),
    ],
)
def test_tags_that_do_not_fit(tmp_path, table, text, message):
    with pytest.raises(DataError, match=message):
        with_tags(read_table(table), written(tmp_path, "tags", text))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("-0.1 -0.2\n0.9 0.8\n", "line 2: log-probabilities are at most 0"),
        ("-0.1 x\n-1\n", "line 1: log-probabilities are numbers"),
        ("-0.1 nan\n-1\n", "line 1: log-probabilities are at most 0"),
        ("-0.1\n", "has 1 segment"),
    ],
)
def test_log_probabilities_that_are_none(tmp_path, table, text, message):
    with pytest.raises(DataError, match=message):
        with_log_probabilities(read_table(table), written(tmp_path, "probabilities", text))


def test_an_empty_line_is_not_known(tmp_path):
    path = written(tmp_path, "probabilities", "-0.5 -1\n\n-2\n")
    assert read_log_probabilities(path, []) == ((-0.5, -1.0), None, (-2.0,))


@pytest.mark.parametrize(
    ("header", "message"),
    [
        ("source\tscore", "no column 'target'"),
        ("output\tscore", "no column 'source'"),
        ("source\toutput", r"no column 'zmean' or 'score'.*--column NAME"),
    ],
)
def test_missing_columns_are_named(tmp_path, header, message):
    path = written(tmp_path, "table.tsv", f"{header}\na\tb\n")
    with pytest.raises(DataError, match=message):
        read_table(path)


def test_a_score_that_is_no_number_has_its_line(tmp_path):
    path = written(tmp_path, "table.tsv", "source\toutput\tscore\na\tb\t1\nc\td\tgood\n")
    with pytest.raises(DataError, match="line 3, column 'score'"):
        read_table(path)


def test_one_language_is_no_pair():
    with pytest.raises(UsageError, match="source and target are one language"):
        pair_of("en-en")
    assert pair_of("en-de") == ("en", "de")
    assert pair_of(None) == ("", "")
