"""Files of judgements by their names, their number and their format, whatever they hold."""

from pathlib import Path

import pytest

from adjudge.errors import DataError, UsageError
from adjudge.io.judgements import FORMATS, read


def one(path, **options):
    return read([path], **options).judgements


def test_unknown_names(write):
    path = write("system\tsegment\tscore\nA\t1\t1\n")
    with pytest.raises(DataError, match=r"unknown column 'scor'; did you mean 'score'\?"):
        one(path, column="scor")
    with pytest.raises(
        UsageError, match=r"unknown format of judgements 'apraise'; did you mean 'appraise'\?"
    ):
        one(path, input_format="apraise")
    with pytest.raises(DataError, match=r"judgement\.tsv does not exist; did you mean .*judgements\.tsv\?"):
        read([path.replace("judgements.tsv", "judgement.tsv")])


def test_files_are_given_once_and_may_be_patterns(write, tmp_path):
    first = write("system\tsegment\tscore\nA\t1\t1\n", "a1.tsv")
    write("system\tsegment\tscore\nB\t1\t2\n", "a2.tsv")
    loaded = read([str(tmp_path / "a*.tsv")])
    assert loaded.judgements.system.values() == ["A", "B"]
    assert [file.role for file in loaded.inputs] == ["judgements", "judgements"]
    assert [len(file.sha256) for file in loaded.inputs] == [64, 64]
    assert loaded.format == "table"
    with pytest.raises(UsageError, match="is given 2 times; once is enough"):
        read([first, first])
    with pytest.raises(UsageError, match="no file with judgements"):
        read([])
    assert read(first).judgements.system.values() == ["A"]


def test_paths_are_files_whatever_they_are_called(write, tmp_path):
    text = "system\tsegment\tscore\nA\t1\t5\n"
    odd = tmp_path / "a[1].tsv"
    odd.write_text(text)
    plain = Path(write(text))
    assert read(plain).judgements.score.tolist() == [5]
    assert read(odd).inputs[0].path == str(odd)
    assert len(read([odd, str(plain)]).judgements) == 2
    with pytest.raises(UsageError, match="is given 2 times"):
        read([plain, str(plain)])


def test_files_of_several_kinds_cannot_be_one(write):
    ratings = write("system\tsegment\tscore\nA\t1\t1\n", "a.tsv")
    ranks = write("system\tsegment\trank\nA\t1\t1\nB\t1\t2\n", "b.tsv")
    with pytest.raises(DataError, match="judgements of several kinds cannot be analysed as one"):
        read([ratings, ranks])


def test_the_format_can_be_said(write):
    path = write("system,segment,score\nA,1,1\n", "j.txt")
    assert read([path], input_format="csv").judgements.system.values() == ["A"]
    with pytest.raises(DataError, match=r"no column 'score' .* among system,segment,score"):
        read([path], input_format="tsv")
    with pytest.raises(DataError, match="not JSON"):
        read([path], input_format="jsonl")
    assert all(FORMATS.values())
