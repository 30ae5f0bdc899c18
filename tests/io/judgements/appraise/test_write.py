"""Appraise: what its campaigns exported is written and read again; errors lie where a browser put them."""

import csv
import io
import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudge.data.judgements import (
    BAD_REFERENCE,
    KINDS,
    ORDINARY,
    REFERENCE,
    REPEAT,
    TUTORIAL,
    NameColumn,
    Span,
)
from adjudge.data.utf16 import in_code_points
from adjudge.errors import DataError
from adjudge.io.judgements import Texts, read, write
from helpers.alike import assert_same
from helpers.judged import ratings

CAMPAIGN = "03_wmt23_mqm_esa/en-de/esa_campaign"
FILES = [
    *("240315rc5ESA", "240315rc5GEMBA", "240315rc5MQM", "240520rc6ESA", "240520rc6GEMBA", "240521rc6ESA"),
    *("240521rc6GEMBA", "240521rc6MQM"),
]


@pytest.mark.parametrize("name", FILES)
def test_real_campaigns_come_back(shared, tmp_path, name):
    """All of it: scores, kinds, tutorials, marks, errors, times to the bit."""
    loaded = read([str(shared.data / CAMPAIGN / f"{name}.scores.csv")])
    judgements = loaded.judgements
    written = write(judgements, None, "appraise", path=tmp_path / f"{name}.scores.csv")
    assert written.warnings == ()
    again = read([str(tmp_path / f"{name}.scores.csv")])
    assert again.format == "appraise"
    assert_same(again.judgements, judgements)
    # Row by row it is what Appraise wrote, but for what reading mends: names of systems, numbers of items, documents,
    # answers given twice, and errors that a machine had marked, whose end is not counted in and which have no type.
    path = shared.data / CAMPAIGN / f"{name}.scores.csv"
    theirs = list(csv.reader(io.StringIO(path.read_text(encoding="utf-8"))))
    ours = list(csv.reader(io.StringIO(written.data.decode())))
    assert len(ours) == len(judgements)
    equal = 0
    for row, line in zip(ours, judgements.line, strict=True):
        real = theirs[line - 1]
        assert real[1].endswith(row[1])
        assert row[4:7] == real[4:7]
        assert row[10:] == real[10:]
        assert row[8] == real[8]
        errors = json.loads(real[9])
        if all("error_type" in error for error in errors):
            assert row[9] == real[9]
            equal += 1
    assert equal > 600


@pytest.mark.parametrize("output_format", ["appraise", "appraise-short", "appraise-jsonl"])
def test_kinds(tmp_path, output_format):
    judgements = ratings(
        [("ann", "A", str(number), 70.0 + number) for number in range(5)],
        KINDS,
        start=np.array([1.5e9 + number for number in range(5)]),
        seconds=np.full(5, 6.25),
    )
    written = write(judgements, None, output_format, path=tmp_path / "x.csv")
    back = read([str(tmp_path / "x.csv")]).judgements
    if output_format == "appraise-short":
        assert written.data.decode().splitlines()[:3] == [
            "UserID,SystemID,SegmentID,Type,Score,StartTime,EndTime",
            "ann,A,0,TGT,70,1500000000.0,1500000006.25",
            "ann,A,1,CHK,71,1500000001.0,1500000007.25",
        ]
        assert back.kind.tolist() == [ORDINARY, REPEAT, BAD_REFERENCE, REFERENCE, ORDINARY]
        assert_same(back, judgements, but=("kind",))
    else:
        assert back.kind.tolist() == [ORDINARY, REPEAT, BAD_REFERENCE, REFERENCE, TUTORIAL]
        assert_same(back, judgements, but=("labels",))


def test_rows_have_as_many_columns_as_there_is_something_for():
    def first(**columns):
        judgements = ratings([("ann", "A", "7", 70.5), ("ann", "B", "7", 3.0)], **columns)
        return write(judgements, None, "appraise", languages=("eng", "deu")).data.decode().splitlines()[0]

    def same(name):
        return NameColumn.of([name, name])

    times = {"start": np.array([10.5, 20.0]), "seconds": np.array([2.0, np.nan])}
    assert first() == "ann,A,7,TGT,eng,deu,70.5"
    assert first(**times) == "ann,A,7,TGT,eng,deu,70.5,10.5,12.5"
    assert first(**times, labels={"hit": same("3")}) == "ann,A,7,TGT,eng,deu,70.5,10.5,12.5,3,1"
    assert first(labels={"document": same("d")}) == "ann,A,7,TGT,eng,deu,70.5,d,False"
    assert (
        first(labels={"document": same("d"), "level": same("document")}) == "ann,A,7,TGT,eng,deu,70.5,d,True"
    )
    assert first(spans=((Span(0, 2, "minor"),), ())) == (
        'ann,A,7,TGT,eng,deu,70.5,,False,"[{""start_i"":0,""end_i"":1,""severity"":""minor"",""error_type"":null}]"'
    )
    assert first(labels={"languages": same("ces-ukr")}) == "ann,A,7,TGT,ces,ukr,70.5"


def test_whole_documents_come_back(tmp_path):
    judgements = ratings(
        [("ann", "A", "d", 50.0), ("ann", "A", "1", 60.0)],
        labels={"document": NameColumn.of(["d", "d"]), "level": NameColumn.of(["document", "segment"])},
    )
    write(judgements, None, "appraise", path=tmp_path / "x.csv")
    assert_same(read([str(tmp_path / "x.csv")]).judgements, judgements)


wide = st.text(st.sampled_from("ab \u00e9e\u0301漢ש😀👩\u200d𝒳\n\t"), max_size=12)


@st.composite
def marked(draw):
    count = draw(st.integers(1, 4))
    targets, sources, spans = [], [], []
    for _ in range(count):
        text = {
            "target": "x" + draw(wide),
            "source": "y" + draw(wide),
        }  # no blanks in front: those are not shown
        results = []
        for _ in range(draw(st.integers(0, 3))):
            side = draw(st.sampled_from(("source", "target")))
            length = len(text[side])
            start, end = sorted((draw(st.integers(0, length)), draw(st.integers(0, length))))
            missing = draw(st.booleans())
            results.append(
                Span(
                    None if missing else start,
                    None if missing else end,
                    draw(st.sampled_from(("minor", "major", "undecided"))),
                    draw(st.sampled_from(("", "Accuracy/Omission", "Other", "a/b/c"))),
                    side,
                )
            )
        targets.append(text["target"])
        sources.append(text["source"])
        spans.append(tuple(results))
    rows = [(f"ann{row}", "A", str(row), float(row)) for row in range(count)]
    results = ratings(
        rows, protocol="esa", spans=tuple(spans), labels={"document": NameColumn.of(["d"] * count)}
    )
    return results, Texts(source=tuple(sources), target=tuple(targets))


@given(marked(), st.sampled_from(("appraise", "appraise-jsonl")))
def test_errors_lie_where_a_browser_put_them(tmp_path_factory, drawn, output_format):
    result, texts = drawn
    path = tmp_path_factory.mktemp("appraise") / "esa.txt"
    assert write(result, texts, output_format, path=path).warnings == ()
    back = read([str(path)], protocol="esa").judgements
    if output_format == "appraise":  # there are no texts in it: who has them can say so
        back = in_code_points(back, texts)
    assert_same(back, result)


@given(marked())
def test_without_texts_places_are_as_they_are(tmp_path_factory, drawn):
    result, _ = drawn
    path = tmp_path_factory.mktemp("appraise") / "esa.csv"
    write(result, None, "appraise", path=path)
    assert_same(read([str(path)], protocol="esa").judgements, result)


def test_a_span_in_a_browser():
    """`a😀bc`: b is the fourth unit, and the last one marked is counted in."""
    judgements = ratings([("ann", "A", "1", 3.0)], spans=((Span(1, 3, "major"),),), protocol="esa")
    line = write(judgements, Texts(target=("a😀bc",)), "appraise").data.decode()
    assert '""start_i"":1,""end_i"":3,' in line


def test_what_it_cannot_hold_is_told():
    judgements = ratings(
        [("ann", "A", "1", 3.0)],
        spans=((Span(0, 1, "minor", weight=1.0, comment="why"),),),
        seconds=np.array([3.0]),
        labels={
            "domain": NameColumn.of(["news"]),
            "hit": NameColumn.of(["4"]),
            "document": NameColumn.of(["d"]),
        },
        measures={"words": np.array([3.0])},
    )
    told = "the label domain, the measure words, seconds where the beginning is not known, weights of errors, comments"
    assert write(judgements, None, "appraise").warnings == (
        f"Appraise's export has no place for {told} and HITs where times are not known: left out here",
    )
    assert write(judgements, None, "appraise-short").warnings == (
        "Appraise's export has no place for the labels domain, hit, document, the measure words, seconds where the "
        "beginning is not known, weights of errors, comments and errors: left out here",
    )
    pairs = ratings([("ann", "A", "1", 1.0)], other=NameColumn.of(["B"]), protocol="rank")
    with pytest.raises(DataError, match="these are rankings; Appraise's export holds scores"):
        write(pairs, None, "appraise")
    with pytest.raises(DataError, match="judgement 1: there is no score"):
        write(ratings([("ann", "A", "1", np.nan)]), None, "appraise")
    guarded = write(ratings([("=cmd", "A", "1", -1.5)]), None, "appraise", for_spreadsheet=True)
    assert guarded.data == b"\xef\xbb\xbf'=cmd,A,1,TGT,,,-1.5\n"


def test_errors_without_scores_are_zeros(tmp_path):
    spans = ((Span(0, 1, "minor", "Style/Awkward style"),), ())
    judgements = ratings([("ann", "A", "1", np.nan), ("ann", "B", "1", np.nan)], protocol="mqm", spans=spans)
    written = write(judgements, None, "appraise", path=tmp_path / "x.csv")
    assert [row.split(",")[6] for row in written.data.decode().splitlines()] == ["0", "0"]
    assert_same(read([str(tmp_path / "x.csv")]).judgements, judgements)
