"""Lists of hypotheses from JSON lines and from Moses' format; what is wrong with a file, with its line."""

import json
import re

import pytest

from adjudge.errors import DataError
from adjudge.io.nbest import read_nbest


@pytest.fixture
def written(tmp_path):
    def write(content, name="nbest.jsonl"):
        path = tmp_path / name
        rows = [row if isinstance(row, str) else json.dumps(row) for row in content]
        path.write_text("\n".join(rows) + "\n", encoding="utf-8")
        return str(path)

    return write


MOSES = [
    "0 ||| ein Haus ||| LM0= -1.5 TM0= -1 -2 ||| -4.5 ||| 0-0 1-1",
    "0 ||| das Haus ||| LM0= -1 TM0= -2 -3 ||| -6",
    "2 |||  ||| LM0= 0 TM0= 1e2 0 ||| 1",
]


def test_objects_with_all_they_may_have(written):
    lists = read_nbest(
        written(
            [
                {
                    "hypotheses": ["a", "b"],
                    "reference": "a",
                    "source": "x",
                    "features": {"lm": [1, 2]},
                    "scores": [3, 4],
                },
                {
                    "hypotheses": ["c"],
                    "references": ["c", "d"],
                    "source": "y",
                    "features": [{"lm": -1.5}],
                    "scores": [0],
                },
            ]
        )
    ).lists
    assert lists.hypotheses == (("a", "b"), ("c",))
    assert lists.references == (("a",), ("c", "d"))
    assert lists.sources == ("x", "y")
    assert lists.feature_names == ("lm",)
    assert lists.features.tolist() == [[1], [2], [-1.5]]
    assert lists.scores.tolist() == [3, 4, 0]
    assert lists.begins == (0, 2, 3)
    spread = lists.test_set(spread=True)
    assert spread.references == (("a", "a", "c"), (None, None, "d"))
    assert spread.sources == ("x", "x", "y")


def test_features_without_names(written):
    lists = read_nbest(written([{"hypotheses": ["a", "b"], "features": [[1, 2], [3, 4]]}])).lists
    assert lists.feature_names == ("f1", "f2")
    assert lists.references == ()
    assert lists.scores is None


def test_moses_lines(written, tmp_path):
    (tmp_path / "ref").write_text("the house\nno list\nnothing\n", encoding="utf-8")
    loaded = read_nbest(written(MOSES, "nbest.txt"), references=[str(tmp_path / "ref")])
    lists = loaded.lists
    assert lists.hypotheses == (("ein Haus", "das Haus"), ("",))
    assert lists.references == (("the house",), ("nothing",))  # by the numbers of the lists
    assert lists.feature_names == ("LM0", "TM0_1", "TM0_2")
    assert lists.features.tolist() == [[-1.5, -1, -2], [-1, -2, -3], [0, 100, 0]]
    assert lists.scores.tolist() == [-4.5, -6, 1]
    assert [item.role for item in loaded.inputs] == ["nbest", "reference"]


def test_old_moses_lines_and_lines_without_names(written):
    assert read_nbest(written(["0 ||| a ||| lm: -1 tm: 2 3 ||| 4"])).lists.feature_names == (
        "lm",
        "tm_1",
        "tm_2",
    )
    assert read_nbest(written(["0 ||| a ||| -1 2 ||| 4"])).lists.feature_names == ("f1", "f2")
    assert read_nbest(written(["0 ||| a"])).lists.features is None


GOOD = {"hypotheses": ["a", "b"]}


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ([GOOD, "no json"], "line 2: not JSON"),
        ([GOOD, ""], "line 2 is empty"),
        ([[1]], "line 1: a list, but one JSON object a line was expected"),
        ([{"hypothesis": ["a"]}], "line 1 has no 'hypotheses', which is a list of texts; did you mean 'hypothesis'?"),
        ([GOOD, {"hypotheses": []}], "line 2: 'hypotheses' is empty; at least one was expected"),
        ([{"hypotheses": "a"}], "line 1: 'hypotheses' is a text; a list of texts was expected"),
        ([{"hypotheses": ["a", 1]}], "line 1: hypothesis 2 is a whole number; a text was expected"),
        ([{**GOOD, "reference": 1}], "line 1: 'reference' is a whole number; a text was expected"),
        ([{**GOOD, "references": "x"}], "line 1: 'references' must be a list of texts"),
        ([{**GOOD, "reference": "x", "references": ["x"]}], "line 1 has 'reference' and 'references'"),
        ([{**GOOD, "source": "x"}, GOOD], "line 2 has no 'source', but other lines have"),
        ([{**GOOD, "scores": [1]}], "must be a list of 2 numbers, one a hypothesis, not 1 score"),
        ([{**GOOD, "scores": [1, 2]}, GOOD], "line 2 has no 'scores', but other lines have"),
        (['{"hypotheses": ["a"], "scores": [NaN]}'], "line 1: score 1 is nan; a finite number was expected"),
        (['{"hypotheses": ["a"], "features": {"lm": [Infinity]}}'], "line 1: feature lm is inf; a finite number"),
        ([{**GOOD, "features": {"lm": [1]}}], "line 1: feature lm has 1 number, but there are 2 hypotheses"),
        ([{**GOOD, "features": [{"lm": 1}, {"tm": 1}]}],
            "line 1: feature lm is missing, which is there in the first hypothesis"),
        (
            [{**GOOD, "features": {"lm": [1, 2]}}, {**GOOD, "features": {"lm": [1, 2], "tm": [1, 2]}}],
            "line 2: feature tm is there, but not in",
        ),
        ([{**GOOD, "features": {"lm": [1, 2]}}, GOOD], "line 2 has no 'features', but other lines have"),
        ([{**GOOD, "features": 3}], "line 1: 'features' must be an object"),
        (["0 ||| a", "b"], "line 2: 'b' is no line of an n-best list"),
        (["x ||| a"], "line 1: 'x' is no number of a segment"),
        (["0 ||| a ||| lm= x ||| 1"], "line 1: 'x' is no number"),
        (["0 ||| a ||| lm= nan ||| 1"], "line 1: feature lm is nan; a finite number was expected"),
        (["0 ||| a ||| lm= 1 lm= 2 ||| 1"], "line 1: feature lm stands there twice"),
        (["0 ||| a ||| lm= 1 ||| 1", "0 ||| b ||| tm= 1 ||| 1"], "line 2: feature lm is missing"),
        (["0 ||| a ||| lm= 1 ||| 1", "0 ||| b"], "1 of 2 lines have features"),
        (["0 ||| a", "1 ||| b", "0 ||| c"], "line 3: list 0 began in"),
    ],
)  # fmt: skip
def test_faults_have_their_line(written, content, message):
    path = written(content)
    with pytest.raises(DataError, match=re.escape(message)) as caught:
        read_nbest(path)
    assert "nbest.jsonl" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_files_beside_must_have_a_line_for_each_list(written, tmp_path):
    reference = tmp_path / "ref"
    reference.write_text("one\ntwo\n", encoding="utf-8")
    with pytest.raises(DataError, match="ref has 2 lines, but there are lists of hypotheses for 1 segment"):
        read_nbest(written([GOOD]), references=[str(reference)])
    with pytest.raises(DataError, match="ref has 2 lines, but there is a list of hypotheses for line 3"):
        read_nbest(written(MOSES), source=str(reference))


def test_an_empty_file(tmp_path):
    (tmp_path / "x.jsonl").write_text("", encoding="utf-8")
    with pytest.raises(DataError, match=r"x\.jsonl is empty"):
        read_nbest(str(tmp_path / "x.jsonl"))
