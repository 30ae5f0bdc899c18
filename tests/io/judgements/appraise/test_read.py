"""Exports of Appraise, with and without a header, and what campaigns write into names."""

import json

import pytest

from adjudge.data.judgements import BAD_REFERENCE, ORDINARY, REFERENCE, REPEAT, TUTORIAL, Span
from adjudge.errors import DataError, UsageError
from adjudge.io.judgements import read

HEADER = "UserID,SystemID,SegmentID,Type,Score,StartTime,EndTime\n"


def test_with_a_header(write):
    loaded = read(
        [
            write(
                HEADER
                + "ann,A,1,TGT,70,1511470503.2,1511470509.2\n"
                + "ann,A,1,CHK,72,1511470513.2,1511470519.2\n"
                + "ann,A,1,BAD,12,1511470523.2,1511470529.2\n"
                + "ann,A,1,REF,98,1511470533.2,1511470539.7\n",
                "scores.csv",
            )
        ]
    )
    judgements = loaded.judgements
    assert loaded.format == "appraise"
    assert loaded.warnings == ()
    assert judgements.kind.tolist() == [ORDINARY, REPEAT, BAD_REFERENCE, REFERENCE]
    assert judgements.annotator.values() == ["ann"] * 4
    assert judgements.score.tolist() == [70, 72, 12, 98]
    assert judgements.start is not None
    assert judgements.seconds is not None
    assert judgements.start[0] == 1511470503.2
    assert judgements.seconds.round(3).tolist() == [6, 6, 6, 6.5]
    assert not judgements.labels


ROW = "ann,A,7,TGT,eng,deu,70"


@pytest.mark.parametrize(
    ("rest", "labels", "timed", "spans"),
    [
        ("", {}, False, False),
        (",100.5,101.5", {}, True, False),
        (",100.5,101.5,3,815", {"hit": "3"}, True, False),
        (",doc-1,False", {"document": "doc-1"}, False, False),
        (",doc-1,False,100.5,101.5", {"document": "doc-1"}, True, False),
        (",doc-1,False,[],100.5,101.5", {"document": "doc-1"}, True, True),
        (",doc-1,False,[],100.5,101.5,3,815", {"document": "doc-1", "hit": "3"}, True, True),
        (",doc-1,False,100.5,101.5,3,815,1", {"document": "doc-1", "hit": "3", "position": "1"}, True, False),
    ],
)
def test_rows_without_a_header_of_every_version(write, rest, labels, timed, spans):
    path = write(f"{ROW}{rest}\n{ROW.replace(',7,', ',8,')}{rest}\n", "export.csv")
    for options in ({}, {"input_format": "appraise"}):
        loaded = read([path], **options)
        judgements = loaded.judgements
        assert loaded.format == "appraise"
        assert (judgements.annotator.names, judgements.system.names) == (("ann",), ("A",))
        assert judgements.item.values() == ["7", "8"]
        assert judgements.score.tolist() == [70, 70]
        assert {name: column.names[0] for name, column in judgements.labels.items()} == {
            "languages": "eng-deu",
            **labels,
        }
        assert (judgements.seconds is not None) == timed
        assert (judgements.spans is not None) == spans
        assert judgements.line is not None
        assert judgements.line.tolist() == [1, 2]


def test_what_is_no_export(write):
    with pytest.raises(DataError, match=r"x\.csv, line 1: expected was user,system,item,TGT\|CHK\|BAD\|REF"):
        read([write("a,b,c,d,e,f,g\n", "x.csv")], input_format="appraise")
    with pytest.raises(DataError, match=r"x\.csv, line 2: 6 columns, but there should be 7"):
        read([write(f"{ROW}\nann,A,7,TGT,eng,deu\n", "x.csv")])
    with pytest.raises(DataError, match=r"x\.csv, line 2, column 'type': unknown kind 'TGX'"):
        read([write(f"{ROW}\nann,A,7,TGX,eng,deu,70\n", "x.csv")])
    with pytest.raises(DataError, match=r"x\.csv, line 2, column 'score': there is no number"):
        read([write(f"{ROW}\nann,A,7,TGT,eng,deu,\n", "x.csv")])


def test_systems_are_called_after_files_and_lose_what_all_share(write):
    names = [f"generaltest2022.en-liv.hyp.{name}.liv.txt" for name in ("NiuTrans", "TAL-SJTU", "Liv4ever")]
    text = "".join(f"u,{name},{i},TGT,eng,liv,70,{i},{i}\n" for i, name in enumerate(names))
    assert read([write(text, "x.csv")]).judgements.system.names == ("NiuTrans", "TAL-SJTU", "Liv4ever")
    names = [f"newstest2019.Microsoft-WMT19-{name}.en-de.txt" for name in ("sentence.6785", "document.6808")]
    text = "".join(
        f"u,{name},{i},TGT,eng,deu,70,{i},{i}\n" for i, name in enumerate([*names, "+".join(names)])
    )
    text += "u,newstest2019-ende-ref.de,0,REF,eng,deu,90,9,9\n"
    assert read([write(text, "x.csv")]).judgements.system.names == (
        "Microsoft-WMT19-sentence.6785",
        "Microsoft-WMT19-document.6808",
        "newstest2019-ende-ref.de",
    )
    for names in (["Microsoft.v1", "Microsoft.v2"], ["wmt23.A", "B"], ["wmt23", "wmt23.A"]):
        text = "".join(f"u,{name},{i},TGT,eng,deu,70,{i},{i}\n" for i, name in enumerate(names))
        assert read([write(text, "x.csv")]).judgements.system.names == tuple(names)


def campaign(*rows):
    return "".join(
        f"{user},wmt23.{document.split('#')[1]},{item},{kind},eng,deu,{score},{document},False,[],{time},{time + 5.5}\n"
        for user, item, kind, score, document, time in rows
    )


def test_items_of_esa_are_told_by_their_place_in_the_document(write):
    """Numbered through a batch, a document cut in two batches, damaged and repeated items, another batch's order."""
    rows = [
        ("u01", 7, "TGT", 80, "d#A", 10),
        ("u01", 8, "TGT", 81, "d#A", 20),
        ("u02", 30, "TGT", 82, "d#A", 30),
        ("u02", 3, "TGT", 90, "d#B", 40),
        ("u02", 4, "TGT", 91, "d#B", 50),
        ("u02", 5, "TGT", 92, "d#B", 60),
        ("u02", 40, "BAD", 10, "d#B#bad1", 70),
        ("u02", 41, "BAD", 11, "d#B#bad1", 80),
        ("u02", 50, "BAD", 12, "d#A#bad2", 90),
        ("u02", 60, "TGT", 93, "d#B#duplicate1", 100),
        ("u02", 61, "BAD", 13, "d#B#bad1#duplicate1", 110),
    ]
    judgements = read([write(campaign(*rows), "1esa.csv")]).judgements
    assert judgements.system.names == ("A", "B")
    assert judgements.item.values() == [
        "d#1",
        "d#2",
        "d#3",
        "d#1",
        "d#2",
        "d#3",
        "d#1",
        "d#2",
        "d#3",
        "d#1",
        "d#1",
    ]
    assert judgements.kind.tolist() == [*[ORDINARY] * 6, *[BAD_REFERENCE] * 3, REPEAT, BAD_REFERENCE]
    assert judgements.labels["document"].names == ("d",)
    assert judgements.labels["mark"].values()[6:] == ["bad1", "bad1", "bad2", "duplicate1", "bad1#duplicate1"]


def test_who_has_the_same_numbers_has_the_same_batch(write):
    rows = [(user, item, "TGT", 80 + item, "d#A", 10 * item) for user in ("x", "y") for item in (4, 5)]
    assert read([write(campaign(*rows), "esa.csv")]).judgements.item.values() == ["d#1", "d#1", "d#2", "d#2"]


def test_documents_without_the_system_keep_the_numbers_of_items(write):
    def rows(*documents):
        return "".join(
            f"u,A,{item},TGT,eng,jpn,80,{document},False,[],{item}.0,{item}.5\n"
            for item, document in documents
        )

    through = rows((788, "speech"), (605, "social"), (606, "social#incomplete"))
    judgements = read([write(through, "wave.csv")]).judgements
    assert sorted(judgements.item.values()) == ["605", "606", "788"]
    assert {*judgements.labels["document"].names} == {"social", "speech"}
    within = rows((1, "speech"), (1, "social"), (2, "social"))
    assert {*read([write(within, "wave.csv")]).judgements.item.values()} == {
        "speech:1",
        "social:1",
        "social:2",
    }


def test_tutorials_are_told_apart(write):
    text = (
        campaign(("u", 7, "TGT", 80, "d#A", 10))
        + "u,ende-tutorial1,1,TGT,eng,deu,0,ende-tutorial1,False,[],1,1\n"
    )
    judgements = read([write(text, "x.csv")]).judgements
    assert judgements.kind.tolist() == [TUTORIAL, ORDINARY]
    assert judgements.system.values() == ["ende-tutorial1", "A"]


def test_judgements_of_whole_documents(write):
    rows = [(0, "False"), (1, "False"), (2, "True")]
    text = "".join(f"u,A,{item},TGT,eng,deu,80,doc,{whole},{item}.0,{item}.5\n" for item, whole in rows)
    text += text.replace("doc", "other")
    judgements = read([write(text, "x.csv")]).judgements
    assert {*zip(judgements.item.values(), judgements.labels["level"].values(), strict=True)} == {
        ("doc:0", "segment"),
        ("doc:1", "segment"),
        ("doc", "document"),
        ("other:0", "segment"),
        ("other:1", "segment"),
        ("other", "document"),
    }


def test_the_last_marked_character_is_counted_in_but_not_where_a_machine_marked(write):
    marks = [
        {"start_i": 3, "end_i": 5, "severity": "minor", "error_type": None},
        {"start_i": 3, "end_i": 5, "severity": "major"},
        {"start_i": "missing", "end_i": "missing", "severity": "major", "error_type": None},
        {"start_i": 7, "end_i": 7, "severity": "minor", "error_type": ["Accuracy", "Omission"]},
    ]
    cell = json.dumps(marks).replace('"', '""')
    judgements = read([write(f'{ROW},doc,False,"{cell}",1,2\n', "x.csv")]).judgements
    assert judgements.protocol == "esa"
    assert judgements.spans == (
        (
            Span(3, 6, "minor"),
            Span(3, 5, "major"),
            Span(None, None, "major"),
            Span(7, 8, "minor", "Accuracy/Omission"),
        ),
    )


def test_a_campaign_of_errors_only_has_no_score(write):
    cell = '"[{""start_i"":1,""end_i"":2,""severity"":""minor"",""error_type"":[""Accuracy"",""Omission""]}]"'
    text = f"u,A,7,TGT,eng,deu,0,doc,False,{cell},1,2\nu,A,8,TGT,eng,deu,0,doc,False,[],3,4\n"
    judgements = read([write(text, "x.csv")]).judgements
    assert judgements.protocol == "mqm"
    assert (judgements.score != judgements.score).all()


def test_what_was_changed_later_counts_as_it_was_last(write):
    """Exports are in any order; annotators of documents go back and change their minds."""
    rows = [
        ("u", 1, "TGT", 70, "d#A", 50),
        ("u", 1, "TGT", 60, "d#A", 10),
        ("u", 2, "TGT", 65, "d#A", 20),
    ]
    loaded = read([write(campaign(*rows), "x.csv")])
    assert loaded.judgements.score.tolist() == [65, 70]
    assert "1 judgement left out that was given again: the last one counts" in loaded.warnings[0]
    assert loaded.warnings[0].endswith("x.csv, line 2)")


def test_all_that_was_changed_counts_where_it_is_asked_for(write):
    """Changed answers and the same answer sent twice."""
    rows = [
        ("u", 1, "TGT", 70, "d#A", 50),
        ("u", 1, "TGT", 60, "d#A", 10),
        ("u", 1, "TGT", 60, "d#A", 10),
    ]
    path = write(campaign(*rows), "x.csv")
    assert read([path]).judgements.score.tolist() == [70]
    assert sorted(read([path], resubmissions="all").judgements.score) == [60, 60, 70]
    with pytest.raises(UsageError, match=r"unknown choice for resubmissions 'al'; did you mean 'all'\?"):
        read([path], resubmissions="al")


def test_json_lines_of_appraise(write):
    rating = {
        "annotator": "u",
        "target_id": "A",
        "score": 70,
        "mqm_annotations": '[{"start_i": 1, "end_i": 2, "severity": "minor", "error_type": null}]',
        "item_id": 4,
        "item_type": "TGT",
        "source_language": "eng",
        "target_language": "deu",
        "document_id": "doc",
        "is_complete_document": False,
        "start_time": 10.5,
        "end_time": 12.0,
        "source_text": "x",
        "target_text": "y",
    }
    pair = {**rating, "targets": [{"target_id": "A", "score": 70}, {"target_id": "B", "score": 30}]}
    loaded = read([write(json.dumps(rating) + "\n", "x.jsonl")])
    assert loaded.format == "appraise"
    assert loaded.judgements.system.names == ("A",)
    assert loaded.judgements.spans == ((Span(1, 3, "minor"),),)
    assert loaded.judgements.labels["languages"].names == ("eng-deu",)
    two = read([write(json.dumps(pair) + "\n", "x.jsonl")]).judgements
    assert [*zip(two.system.values(), two.score, strict=True)] == [("A", 70), ("B", 30)]
    assert two.line is not None
    assert two.line.tolist() == [1, 1]
    with pytest.raises(DataError, match="line 1: 'targets' must be a list of objects"):
        read([write(json.dumps({**pair, "targets": 3}) + "\n", "x.jsonl")])


def test_files_of_campaigns_hold_no_judgements(write):
    batches = json.dumps([{"items": [{"itemID": 1}], "task": {}}], indent=2)
    with pytest.raises(
        DataError, match="holds the items of an Appraise campaign, not what people said; export that"
    ):
        read([write(batches, "batches.json")])
    with pytest.raises(DataError, match="holds the items of an Appraise campaign"):
        read([write(json.dumps([{"items": [], "task": {}}]), "batches.json")])
    manifest = json.dumps({"CAMPAIGN_NAME": "x"}, indent=2)
    with pytest.raises(DataError, match="holds the settings of an Appraise campaign"):
        read([write(manifest, "manifest.json")])
    with pytest.raises(DataError, match="is one piece of JSON; one object a line was expected"):
        read([write(json.dumps([{"system": "A"}], indent=2), "x.json")])


def test_all_means_all_that_was_sent_again(tmp_path):
    """Also an answer that equals the one before, of exports without documents, as Hassan et al. (2018) published."""
    lines = [
        "ann,sys-a,1,TGT,zho,eng,70,1519000000.0,1519000010.0",
        "ann,sys-a,1,TGT,zho,eng,70,1519000000.0,1519000010.0",
        "ann,sys-b,1,TGT,zho,eng,55,1519000020.0,1519000031.0",
    ]
    path = tmp_path / "export.csv"
    path.write_text("".join(f"{line}\n" for line in lines))
    last, every = (read([path], resubmissions=choice) for choice in ("last", "all"))
    assert (len(last.judgements), len(every.judgements)) == (2, 3)
    assert [w for w in last.warnings if "given again" in w] == [
        f"1 judgement left out that was given again: the last one counts (first: {path}, line 1)"
    ]
    assert [w for w in every.warnings if "given again" in w] == [
        "1 judgement was given again: all of them count"
    ]


def test_resubmissions_with_the_columns_that_hassan_and_others_published(tmp_path):
    """Translator-HumanParityData names its columns, leaves languages out, and marks repeats as CHK."""
    lines = [
        "UserID,SystemID,SegmentID,Type,Score,StartTime,EndTime",
        "user-1,Combo-4,1187,TGT,98,1520540027.096,1520540036.511",
        "user-1,Combo-4,1187,TGT,98,1520540027.096,1520540036.511",
        "user-1,Sogou,1187,TGT,81,1520539933.842,1520539944.086",
        "user-1,Sogou,1187,CHK,84,1520539989.842,1520539999.086",
    ]
    path = tmp_path / "Meta1.csv"
    path.write_text("".join(f"{line}\n" for line in lines))
    last, every = (read([path], resubmissions=choice) for choice in ("last", "all"))
    assert (len(last.judgements), len(every.judgements)) == (3, 4)
    assert any("the last one counts" in warning for warning in last.warnings)
    assert any("all of them count" in warning for warning in every.warnings)


def test_all_lines_of_wmt24_count(shared):
    path = shared.data / "21_wmt24_esa" / "esa_generalMT2024_wave3.csv"
    lines = len(path.read_text(encoding="utf-8").splitlines())
    last, every = (len(read([path], resubmissions=choice).judgements) for choice in ("last", "all"))
    assert (lines - last, lines - every) == (99, 0)
