"""Scores and ratings without a header."""

import pytest

from adjudge.data.judgements import Span
from adjudge.errors import DataError
from adjudge.io.judgements import read


def test_scores_of_segments_one_system_after_the_other(write):
    loaded = read([write("A\t1.5\nA\tNone\nA\t-3\nB\t2\nB\t1\nB\t0\n", "mqm.seg.score")])
    judgements = loaded.judgements
    assert loaded.format == "scores"
    assert judgements.protocol == "mqm"
    assert [*zip(judgements.system.values(), judgements.item.values(), judgements.score, strict=True)] == [
        ("A", "1", 1.5),
        ("A", "3", -3),
        ("B", "1", 2),
        ("B", "2", 1),
        ("B", "3", 0),
    ]
    assert judgements.line is not None
    assert judgements.line.tolist() == [1, 3, 4, 5, 6]
    assert "1 translation without a judgement (None) left out" in loaded.warnings[0]


def test_scores_of_systems_and_domains(write):
    systems = read([write("A\t1.5\nB\t2\n", "x.sys.score")]).judgements
    assert (systems.item.values(), systems.score.tolist()) == (["", ""], [1.5, 2])
    domains = read([write("news\tA\t1.5\nnews\tB\t2\nchat\tA\t3\n", "x.domain.score")]).judgements
    assert domains.labels["domain"].values() == ["news", "news", "chat"]
    assert domains.system.values() == ["A", "B", "A"]


def test_ratings_of_mt_metrics_eval(write):
    error = '{"errors": [{"start": 1, "end": 3, "category": "other", "severity": "major", "score": 5}]}'
    judgements = read([write(f"A\t{error}\nA\tNone\n", "en-de.mqm.seg.rating")]).judgements
    assert judgements.spans == ((Span(1, 3, "major", "other", weight=5.0),),)
    assert judgements.score.tolist() == [-5]


@pytest.mark.parametrize(
    ("text", "name", "message"),
    [
        (
            "A\t1\nA\t2\nB\t1\n",
            "x.seg.score",
            "A has 2 lines, but B 1; there should be one for every segment",
        ),
        ("A\tNone\nA\tNone\n", "x.seg.score", "no translation was judged, every score is 'None'"),
        ("A\t1\nA\tx\n", "x.seg.score", "line 2, column 'score': 'x' is no finite number"),
        ("A\t1\nA\tnan\n", "x.seg.score", "line 2, column 'score': 'nan' is no finite number"),
        ("A\t1\nA\n", "x.seg.score", "line 2: 1 column, but there should be 2"),
        ("0.5\nx\n", "x.hter", "line 2: 'x' is no finite number"),
        ("0.5\n-1\n", "x.hter", "line 2: HTER is -1, but a share of edits is 0 or more"),
        ("0.5\n\n0.3\n", "x.hter", "line 2: there is no number"),
    ],
)
def test_what_is_wrong_is_told(write, text, name, message):
    with pytest.raises(DataError) as error:
        read([write(text, name)])
    assert message in str(error.value)
    assert name in str(error.value)
