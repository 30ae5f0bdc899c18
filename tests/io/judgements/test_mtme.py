"""Scores and ratings without a header."""

import json

import numpy as np
import pytest

from adjudge.data.judgements import NameColumn, Span
from adjudge.errors import DataError
from adjudge.io.judgements import read, write
from helpers.alike import assert_same
from helpers.judged import ratings

HUMAN = "03_wmt23_mqm_esa/en-de/human"
CAMPAIGN = "03_wmt23_mqm_esa/en-de/esa_campaign"
LINES = [str(number) for number in range(1, 558)]


@pytest.mark.parametrize("name", ["mqm.seg.score", "da-sqm.seg.score"])
def test_segments_byte_for_byte(shared, name):
    path = shared.data / HUMAN / name
    loaded = read([str(path)])
    written = write(loaded.judgements, None, "mtme-seg", items=LINES)
    assert written.data == path.read_bytes()
    assert written.warnings == ()


@pytest.mark.parametrize(
    "name", ["mqm.sys.score", "da-sqm.sys.score", "mqm.domain.score", "da-sqm.domain.score"]
)
def test_systems_and_domains_byte_for_byte(shared, name):
    path = shared.data / HUMAN / name
    loaded = read([str(path)])
    written = write(loaded.judgements, None, "mtme-sys" if ".sys." in name else "mtme-domain")
    assert written.data == path.read_bytes()
    assert written.warnings == ()


@pytest.mark.parametrize("name", ["ESA-1", "ESA-2", "ESA-IAA", "ESAAI-1", "MQM-1", "MQM-IAA"])
def test_files_that_write_whole_numbers_without_a_point(shared, tmp_path, name):
    """There, 47 is written 47 and not 47.0; the numbers are the same, and so is what is read again."""
    path = shared.data / CAMPAIGN / f"en-de.{name}.seg.score"
    loaded = read([str(path)])
    written = write(loaded.judgements, None, "mtme-seg", items=LINES, path=tmp_path / path.name)
    theirs = [line.split(b"\t") for line in path.read_bytes().splitlines()]
    ours = [line.split(b"\t") for line in written.data.splitlines()]
    assert [(a, b) for a, b in theirs if b == b"None"] == [(a, b) for a, b in ours if b == b"None"]
    assert [(a, float(b)) for a, b in theirs if b != b"None"] == [
        (a, float(b)) for a, b in ours if b != b"None"
    ]
    assert_same(read([str(tmp_path / path.name)]).judgements, loaded.judgements)


def test_systems_are_means_of_segments(shared):
    """What the organisers wrote for systems is the mean of what they wrote for segments."""
    segments = read([str(shared.data / HUMAN / "mqm.seg.score")]).judgements
    systems = read([str(shared.data / HUMAN / "mqm.sys.score")]).judgements
    written = write(segments, None, "mtme-sys").data.decode().splitlines()
    ours = {name: float(score) for name, score in (line.split("\t") for line in written)}
    assert ours == pytest.approx(dict(zip(systems.system.values(), systems.score.tolist(), strict=True)))


def test_ratings_say_the_same_as_the_real_ones(shared, tmp_path):
    """All but how numbers are written: there, 1.0 stands beside 5."""
    path = shared.data / HUMAN / "mqm.ratings.tsv"
    loaded = read([str(path)])
    written = write(
        loaded.judgements, None, "mtme-rating", items=LINES, path=tmp_path / "en-de.mqm.seg.rating"
    )
    real = {}
    for line in path.read_text(encoding="utf-8").splitlines()[1:]:
        _, system, number, cell = line.split("\t")
        real[system, number] = json.loads(cell)
    ours = {}
    for at, line in enumerate(written.data.decode().splitlines()):
        system, cell = line.split("\t")
        if cell != "None":
            ours[system, LINES[at % len(LINES)]] = json.loads(cell)
    assert ours == real
    assert written.warnings == ()  # merged ratings have no annotator to lose
    back = read([str(tmp_path / "en-de.mqm.seg.rating")]).judgements
    order = {key: row for row, key in enumerate(zip(back.system.values(), back.item.values(), strict=True))}
    rows = [
        order[key]
        for key in zip(loaded.judgements.system.values(), loaded.judgements.item.values(), strict=True)
    ]
    assert_same(back[np.array(rows)], loaded.judgements, but=("annotator",))


def test_what_a_file_cannot_hold_is_told():
    judgements = ratings(
        [("r", "A", "1", 1.0), ("s", "A", "1", 2.0), ("s", "A", "2", 9.0)],
        ["ordinary", "ordinary", "bad reference"],
        start=np.array([1.0, 2.0, 3.0]),
        labels={"domain": NameColumn.of(["news", "news", "talk"])},
        measures={"z": np.array([0.0, 0.0, 0.0])},
    )
    written = write(judgements, None, "mtme-seg", items=("1", "2"))
    assert written.data == b"A\t1.5\nA\tNone\n"
    assert written.warnings == (
        "1 control item left out, which this format does not know",
        "1 translation with several judgements: their mean is written",
        "mt-metrics-eval has no place for annotators, times, the label domain and the measure z: left out here",
    )
    assert write(judgements, None, "mtme-domain").data == b"news\tA\t1.5\n"


def test_what_cannot_be_written():
    judgements = ratings(
        [("r", "A", "1", 1.0), ("s", "A", "1", 2.0)], spans=((Span(None, None, "major"),), ())
    )
    with pytest.raises(DataError, match=r"judged, but not among the items that are to be written: 1$"):
        write(judgements, None, "mtme-seg", items=("5",))
    with pytest.raises(DataError, match="no judgement has a domain"):
        write(judgements, None, "mtme-domain")
    with pytest.raises(DataError, match="a second judgement of A on 1; write a file for each rater"):
        write(judgements, None, "mtme-rating")
    with pytest.raises(DataError, match="'1' is not among the items"):
        write(judgements, None, "mtme-rating", items=("5",))
    with pytest.raises(DataError, match="no errors are marked"):
        write(ratings([("r", "A", "1", 1.0)]), None, "mtme-rating")
    with pytest.raises(DataError, match="scores of whole systems"):
        write(ratings([("", "A", "", 1.0)]), None, "mtme-seg", items=("1",))
    first = ratings([("", "A", "1", 1.0)], spans=((Span(None, None, "major"),),))
    assert json.loads(write(first, None, "mtme-rating").data.decode().split("\t")[1]) == {
        "errors": [
            {
                "start": -1,
                "end": -1,
                "category": "",
                "severity": "major",
                "score": None,
                "is_source_error": False,
            }
        ]
    }


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
