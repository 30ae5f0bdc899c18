"""Scores of systems in tables: test sets told apart, and what is said of broken ones."""

import numpy as np
import pytest

from adjudge.errors import DataError
from adjudge.io.score_tables import read_system_scores

TABLE = (
    "test_set\tlanguage\tprotocol\tsystem\thuman\tbleu\tchrf\n"
    "w1\tde-en\tDA\ta\t0.1\t30\t55\n"
    "w1\tde-en\tDA\tb\t0.3\t31\tNone\n"
    "w1\ten-de\tMQM\ta\t-3\t20\t50\n"
)


def test_test_sets(tmp_path):
    file = tmp_path / "systems.tsv"
    file.write_text(TABLE)
    first, second = read_system_scores([str(file)]).test_sets
    assert (first.test_set, first.language, first.protocol, first.systems) == (
        "w1",
        "de-en",
        "DA",
        ("a", "b"),
    )
    np.testing.assert_array_equal(first.people, [0.1, 0.3])
    np.testing.assert_array_equal(first.metrics["chrf"], [55, np.nan])
    assert second.systems == ("a",)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "is empty"),
        (TABLE.replace("\thuman", "\thumn"), "no column 'human'"),
        (TABLE.replace("\tsystem", "\twhat"), "no column 'system'"),
        (TABLE.replace("0.3", "good"), "line 3, column 'human': 'good' is no finite number"),
        (TABLE.replace("DA\tb", "DA\ta"), "line 3: a stands in this test set already"),
        ("system\thuman\na\t1\n", "no metric"),
    ],
)
def test_broken_tables(tmp_path, text, message):
    file = tmp_path / "systems.tsv"
    file.write_text(text)
    with pytest.raises(DataError, match=message) as error:
        read_system_scores([str(file)])
    assert str(file) in str(error.value)
