"""Judgements of every tool on the command line: into our own format, and back to the byte."""

import csv
import io
import json

import pytest

from adjudge.io.judgements import read, read_texts
from helpers import judged

HUMAN = "03_wmt23_mqm_esa/en-de/human"
ESA = "03_wmt23_mqm_esa/en-de/esa_campaign"


def convert(run, path, form, *more):
    result = run("human", "convert", str(path), "-f", form, *map(str, more))
    assert result.code == 0, result.err
    return result


@pytest.mark.parametrize(
    ("name", "form", "more"),
    [
        ("01_wmt21_da_toen/is-en/human/judgements-z.orig.csv", "wmt-da", ()),
        (f"{HUMAN}/mqm.seg.score", "mtme-seg", ("--segment-count", 557)),
        (f"{HUMAN}/mqm.sys.score", "mtme-sys", ()),
        (f"{HUMAN}/mqm.domain.score", "mtme-domain", ()),
        ("02_wmt21_mqm_ende/en-de/human/mqm_avg_seg_scores.tsv", None, ()),
        (f"{ESA}/240520rc6ESA.scores.csv", None, ()),
        ("06_rankings_wmt16/data/collapsed/wmt16.collapsed.tur-eng.csv", "rankings", ()),
        ("08_rankings_toral18_zhen/judgements/hp_001.csv", None, ()),
    ],
)
@pytest.mark.parametrize("ours", ["jsonl", "csv"])
def test_real_files_into_ours_and_back(run, shared, tmp_path, name, form, more, ours):
    real, own = shared.data / name, tmp_path / f"own.{ours}"
    convert(run, real, ours, "-o", own)
    again = read([str(own)]).judgements
    first = read([str(real)], joint=True).judgements
    assert len(again) == len(first)
    assert again.score.tolist() == pytest.approx(first.score.tolist(), nan_ok=True, abs=0)
    assert again.spans == first.spans
    if form is not None:
        back = tmp_path / "back"
        convert(run, own, form, "-o", back, *more)
        if form == "rankings":  # the real file's lines end in three different ways
            once_more = read([str(back)], joint=True).judgements
            for pair in ("system", "other", "item", "annotator"):
                assert getattr(once_more, pair).values() == getattr(first, pair).values()
            assert once_more.score.tolist() == first.score.tolist()
        else:
            assert back.read_bytes() == real.read_bytes()


@pytest.mark.parametrize("ours", ["jsonl", "csv"])
def test_google_s_mqm_there_and_back(run, shared, tmp_path, ours):
    real, own, back = shared.data / "15_ted_mqm_ende/mqm_ted_ende.tsv", tmp_path / "own", tmp_path / "back"
    convert(run, real, ours, "-o", own)
    convert(run, own, "mqm", "-o", back)
    other = [
        (a, b)
        for a, b in zip(real.read_bytes().split(b"\n"), back.read_bytes().split(b"\n"), strict=True)
        if a != b
    ]
    ((theirs, mine),) = other  # a mark that is never closed
    assert mine == theirs.replace(b"<v>?\t", b"<v>?</v>\t")


def test_google_s_errors_as_scores_and_as_appraise_and_pearmut_have_them(run, shared, tmp_path):
    """Each format keeps what it has a place for, and the places of errors are the same afterwards."""
    real = shared.data / "15_ted_mqm_ende/mqm_ted_ende.tsv"
    first = read([str(real)]).judgements
    for form in ("appraise-jsonl", "pearmut"):
        path = tmp_path / form
        convert(run, real, form, "-o", path, "-l", "en-de")
        back = read([str(path)], protocol="mqm").judgements
        kept = [[span for span in row if form != "pearmut" or _held(span)] for row in first.spans]
        places = [[(s.start, s.end, s.severity, s.side) for s in row] for row in back.spans]
        assert places == [[(s.start, s.end, s.severity, s.side) for s in row] for row in kept]
    scores = convert(run, real, "mtme-sys").out.splitlines()
    assert len(scores) == len(first.system.names)


def _held(span):
    """What pearmut can mark."""
    return span.side == "target" and (span.start is None or span.start < span.end)


BATCHES = [
    {
        "items": [
            {
                "itemID": 7,
                "itemType": "TGT",
                "sourceID": "s",
                "sourceText": "uma 😀",
                "targetID": "sys.A",
                "targetText": " a😀bc",
                "documentID": "d",
                "isCompleteDocument": False,
                "mqm": [],
            }
        ],
        "task": {"batchNo": 1, "batchSize": 1, "sourceLanguage": "por", "targetLanguage": "eng"},
    }
]


@pytest.fixture
def export(tmp_path):
    """What Appraise writes of somebody who marked b and then 😀 in a browser: 3 to 3 and 1 to 2, the last one in."""
    (tmp_path / "batches.json").write_text(json.dumps(BATCHES))
    errors = [
        {"start_i": 3, "end_i": 3, "error_type": ["Accuracy"], "severity": "minor"},
        {"start_i": 1, "end_i": 2, "error_type": ["Style"], "severity": "major"},
        {"start_i": "missing", "end_i": "missing", "error_type": ["Omission"], "severity": "minor"},
    ]
    row = ["ann", "sys.A", "7", "TGT", "por", "eng", "40", "d", "False", json.dumps(errors), "10.0", "12.5"]
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerow(row)
    path = tmp_path / "scores.csv"
    path.write_text(text.getvalue())
    return path


def test_appraise_counts_as_a_browser_does_and_its_campaign_tells_the_texts(run, export, tmp_path):
    """The blank in front is not counted there, and 😀 counts as two."""
    own = tmp_path / "own.jsonl"
    result = convert(run, export, "jsonl", "--batches", tmp_path / "batches.json", "-o", own)
    assert "warning" not in result.err
    (line,) = map(json.loads, own.read_text(encoding="utf-8").splitlines())
    assert [(span["start"], span["end"]) for span in line["spans"]] == [(3, 4), (2, 3), (None, None)]
    assert [line["target"][a:b] for a, b in ((3, 4), (2, 3))] == ["b", "😀"]
    assert line["source"] == "uma 😀"
    back = tmp_path / "back.csv"
    convert(run, own, "appraise", "-o", back)
    assert [(e["start_i"], e["end_i"]) for e in _errors(back)] == [(3, 3), (1, 2), ("missing", "missing")]
    assert _errors(back) == _errors(export)
    log = tmp_path / "log.jsonl"
    convert(run, own, "pearmut", "-o", log)
    (entry,) = map(json.loads, log.read_text(encoding="utf-8").splitlines())
    marked = entry["annotation"][0]["sys.A"]["error_spans"]
    assert [(e["start_i"], e["end_i"]) for e in marked] == [(4, 4), (2, 3), (6, 6)]  # blanks count there
    again = read([str(log)]).judgements
    assert [(s.start, s.end) for s in again.spans[0]] == [(3, 4), (2, 3), (None, None)]
    assert read_texts(again).target == (" a😀bc",)


def _errors(path):
    (row,) = csv.reader(path.read_text(encoding="utf-8").splitlines())
    return json.loads(row[9])


def test_without_the_campaign_it_says_what_places_are(run, export):
    result = convert(run, export, "jsonl")
    assert "places of errors are those of a browser" in result.err
    assert "--batches batches.json" in result.err


@pytest.mark.parametrize(
    ("batches", "message"),
    [
        ([], "no campaign"),
        ({"a": 1}, "no campaign"),
        (
            [{**BATCHES[0], "items": [{**BATCHES[0]["items"][0], "itemID": 8}]}],
            "none of these judgements is of that campaign",
        ),
    ],
)
def test_campaigns_that_are_wrong(run, export, tmp_path, batches, message):
    (tmp_path / "batches.json").write_text(json.dumps(batches))
    result = run("human", "convert", str(export), "--batches", str(tmp_path / "batches.json"))
    assert (result.code, result.out) == (1, "")
    assert message in result.err


def test_two_texts_under_one_number_tell_nothing(run, export, tmp_path):
    other = {**BATCHES[0]["items"][0], "targetText": "another one"}
    third = {**BATCHES[0]["items"][0], "itemID": 9}
    (tmp_path / "batches.json").write_text(
        json.dumps([{**BATCHES[0], "items": [*BATCHES[0]["items"], other, third]}])
    )
    with export.open("a") as file:
        file.write(export.read_text().replace("ann,sys.A,7", "ann,sys.A,9"))
    result = convert(run, export, "jsonl", "--batches", tmp_path / "batches.json")
    assert "1 judgement of which the campaign does not tell the text" in result.err
    values = [json.loads(line)["spans"][0]["start"] for line in result.out.splitlines()]
    assert values == [3, 3]  # a unit without its text, and b behind a blank
    assert [json.loads(line)["target"] for line in result.out.splitlines()] == [None, " a😀bc"]


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        ((), 2, "no file with judgements was given"),
        (("none.tsv",), 1, "none.tsv does not exist"),
        (("empty.tsv",), 1, "empty.tsv is empty"),
        (("none.tsv", "-f", "mqn"), 2, "did you mean 'mqm'"),
        (("some.tsv", "--input-format", "tvs"), 2, "did you mean 'tsv'"),
        (("some.tsv", "-l", "deen"), 2, "a pair was expected"),
        (("some.tsv", "-o", "some.tsv"), 2, "it is an input"),
        (("some.tsv", "-f", "mqm"), 1, "cannot be written without the texts"),
        (("some.tsv", "-f", "rankings"), 1, ""),
        (("some.tsv", "--batches", "some.tsv"), 2, "these judgements are table"),
        (("some.tsv", "-f", "mtme-seg", "--segment-count", "1"), 1, "judged, but not among the items"),
        (("some.tsv", "-o", "nowhere/x"), 2, "there is no directory"),
    ],
)
def test_what_cannot_be_done(run, tmp_path, monkeypatch, arguments, code, message):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "some.tsv").write_text("system\tsegment\tannotator\tscore\nA\t1\tann\t3\nA\t2\tann\t4\n")
    (tmp_path / "empty.tsv").write_text("")
    before = (tmp_path / "some.tsv").read_bytes()
    result = run("human", "convert", *arguments)
    assert (result.code, result.out) == (code, ""), result.err
    assert message in result.err
    assert "Traceback" not in result.err
    assert (tmp_path / "some.tsv").read_bytes() == before


def test_the_formats_are_named(run):
    out = run("human", "convert", "--list").out
    assert out.index("read:") < out.index("written:")
    assert "pearmut-progress" in out


def test_texts_of_our_own_csv_come_back(tmp_path):
    """Also those that a spreadsheet would take for formulas, and with line breaks."""
    from adjudge.io.judgements import Texts, write

    judgements = judged.ratings([("ann", "A", "1", 3.0), ("ann", "A", "2", 4.0)])
    texts = Texts(source=("=1+1", "-"), target=("a\nb", None), reference=("'x", "😀"))
    for form in ("csv", "jsonl"):
        path = tmp_path / f"own.{form}"
        write(judgements, texts, form, path=path)
        assert read_texts(read([str(path)]).judgements) == texts
