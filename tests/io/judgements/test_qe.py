"""One number a line, and lists of scores."""

import pytest

from adjudge.errors import DataError
from adjudge.io.judgements import read


def test_one_number_a_line(write):
    loaded = read([write("0.25\n0\n", "dev.hter")])
    judgements = loaded.judgements
    assert loaded.format == "numbers"
    assert (judgements.protocol, judgements.higher_is_better) == ("hter", False)
    assert (judgements.system.values(), judgements.item.values()) == (["mt", "mt"], ["1", "2"])
    assert judgements.score.tolist() == [0.25, 0]
    assert read([write("25\n", "x.da")]).judgements.protocol == "da"


def test_lists_of_scores_are_judgements_of_nobody_in_particular(write):
    head = "index\toriginal\ttranslation\tscores\tmean\tz_scores\tz_mean\n"
    loaded = read(
        [write(head + '0\ta "b\tc\t[20, 35.5]\t27\t[-1, 0.5]\t-0.2\n1\ta\tc\t[100]\t100\t[1]\t1\n')]
    )
    judgements = loaded.judgements
    assert loaded.format == "lists"
    assert (judgements.item.values(), judgements.score.tolist()) == (["0", "0", "1"], [20, 35.5, 100])
    assert judgements.measures["z"].tolist() == [-1, 0.5, 1]
    assert not judgements.annotator.names
    assert judgements.system.names == ("mt",)
    with pytest.raises(DataError, match="line 2: 1 score, but 2 z-scores"):
        read([write(head + "0\ta\tc\t[20]\t27\t[-1, 0.5]\t-0.2\n")])
    with pytest.raises(DataError, match="line 2, column 'scores': a list of numbers was expected"):
        read([write(head + "0\ta\tc\t20;3\t27\t[-1, 0.5]\t-0.2\n")])
    with pytest.raises(DataError, match="no segment has a score"):
        read([write(head + "0\ta\tc\t[]\t27\t[]\t-0.2\n")])
