"""Ratings in columns with names: TSV, CSV, columns parted by spaces, JSON lines."""

import math

import numpy as np
import pytest

from adjudge.data.judgements import BAD_REFERENCE, KINDS, ORDINARY, REFERENCE, REPEAT, TUTORIAL
from adjudge.errors import DataError
from adjudge.io.judgements import read


def one(path, **options):
    return read([path], **options).judgements


def test_merged_ratings_are_nobody_s_in_particular(write):
    result = one(write("rater\tsystem\tline\tscore\nmerged\tA\t1\t70\nann\tB\t1\t80\nmerged\tB\t2\t90\n"))
    assert result.annotator.values() == ["", "ann", ""]
    assert result.annotator.names == ("ann",)


def test_tabs_commas_spaces_and_json_say_the_same(write):
    files = [
        write("System\tSEG_ID\tscore\tannotator\nA\t3\t71.5\tann\nB\t4\t-2\tbob\n"),
        write("system,segment,score,annotator\nA,3,71.5,ann\nB,4,-2,bob\n", "j.csv"),
        write("system;segment;score;annotator\nA;3;71.5;ann\nB;4;-2;bob\n", "k.csv"),
        write("LP DATA SYSTEM SID HUMAN annotator\nx y A 3 71.5 ann\nx y B 4 -2 bob\n", "da.csv"),
        write("SYS SID RAW.SCR Judge \nA\t3\t71.5\tann\nB\t4\t-2\tbob\n", "z.csv"),
        write("system score sid user\nA\t71.5 3\tann\nB\t-2 4\tbob\n", "mixed.tsv"),
        write(
            '{"system": "A", "segment": 3, "score": 71.5, "annotator": "ann"}\n'
            '{"system": "B", "segment": 4, "score": -2, "annotator": "bob"}\n',
            "j.jsonl",
        ),
    ]
    for path in files:
        result = one(path)
        assert result.system.values() == ["A", "B"], path
        assert result.item.values() == ["3", "4"], path
        assert result.annotator.values() == ["ann", "bob"], path
        assert result.score.tolist() == [71.5, -2], path
        assert result.protocol == "da"
        assert result.line is not None
        assert result.line.tolist() == ([1, 2] if path.endswith("jsonl") else [2, 3])
        assert result.place(1) == f"{path}, line {result.line[1]}"


def test_quotes_protect_commas_quotes_and_line_breaks(write):
    path = write(
        'system,segment,score,note\n"A, the first",1,5,"he said ""no""\nand left"\n"B",2,6,\nB,3,7,"x"\n',
        "j.csv",
    )
    result = one(path)
    assert result.system.values() == ["A, the first", "B", "B"]
    assert result.labels["note"].values() == ['he said "no"\nand left', "", "x"]
    assert result.line is not None
    assert result.line.tolist() == [2, 4, 5]  # the first judgement takes two lines
    with pytest.raises(DataError, match=r"j\.csv, line 4: .* written twice"):
        one(write('system,segment,score\nA,1,2\nA,2,2\n"A"x,3,3\n', "j.csv"))
    with pytest.raises(DataError, match=r"j\.csv, line 4: .* written twice"):
        one(write('system,note,score\nA,"a\nb",2\n"A"x,,3\n', "j.csv"))
    with pytest.raises(DataError, match=r"j\.csv, line 5, column 'score': 'x' is no finite number"):
        one(write('system,note,score\nA,"a\nb",2\nA,,3\nA,"",x\n', "j.csv"))


def test_line_ends_of_wmt16_and_empty_lines_at_the_end(write):
    path = write("system,segment,score\r\r\nA,1,2\r\r\nB,1,3\r\r\n\r\n\n", "j.csv")
    assert one(path).score.tolist() == [2, 3]


def test_the_score_is_the_first_column_of_its_kind_and_the_others_are_kept(write):
    path = write(
        "system\tsegment\traw\tz\tkeystrokes\tN\tMQM_score\nA\t1\t60\t0.5\t7\t3\t\nB\t1\t61\t\t8\t3\t-2\n"
    )
    result = one(path)
    assert result.score.tolist() == [60, 61]
    assert {*result.measures} == {"z", "keystrokes", "n", "mqmscore"}
    assert result.measures["z"][0] == 0.5
    assert math.isnan(result.measures["z"][1])
    assert one(path, column="keystrokes").score.tolist() == [7, 8]
    assert one(path, column="keystrokes").measures["raw"].tolist() == [60, 61]


def test_several_columns_can_be_preferred_in_turn(write):
    path = write("SYS SID RAW.SCR Z.SCR N \nA 7 50 -0.5 3 \nB 8 60 0.5 2 \n", "seg-scores.csv")
    assert one(path).score.tolist() == [50, 60]
    assert one(path, column=("score", "zscr", "rawscr")).score.tolist() == [-0.5, 0.5]
    assert one(path, column=("score", "zscr")).measures["raw"].tolist() == [50, 60]
    with pytest.raises(
        DataError, match=r"no column 'score' or 'mean' among SYS, SID, RAW\.SCR, Z\.SCR, N; name the one"
    ):
        one(path, column=("score", "mean"))
    with pytest.raises(DataError, match="name the one that has the scores; or are these ranks"):
        one(write("system\tsegment\trank\nA\t1\t2\n"), column=("score",))


def test_hter_is_taken_where_it_is_asked_for_and_less_is_better(write):
    path = write("system\tsegment\tscore\thter\nA\t1\t5\t0.25\n")
    assert one(path).score.tolist() == [5]
    assert one(path).higher_is_better
    result = one(path, protocol="hter")
    assert result.score.tolist() == [0.25]
    assert result.protocol == "hter"
    assert not result.higher_is_better
    assert one(write("system\tsegment\thter\nA\t1\t0.25\n")).protocol == "hter"
    with pytest.raises(
        DataError, match=r"line 3: HTER is -0\.1, but a share of edits is 0 or more; are these scores"
    ):
        one(write("system\tsegment\thter\nA\t1\t0.25\nA\t2\t-0.1\n"))


@pytest.mark.parametrize(
    ("name", "column", "scores", "protocol", "higher"),
    [
        ("mqm_scores.tsv", "score", (-5, 0), "mqm", True),
        ("mqm_scores.tsv", "score", (5, 0), "mqm", False),
        ("x.tsv", "mqm_avg_score", (-5, 0), "mqm", True),
        ("x.tsv", "adequacy", (3, 5), "adequacy", True),
        ("x.tsv", "fluency", (3, 5), "fluency", True),
        ("240315rc5ESA.tsv", "score", (3, 5), "esa", True),
        ("mesa.tsv", "score", (3, 5), "da", True),
        ("da-sqm.tsv", "score", (3, 5), "sqm", True),
    ],
)
def test_the_protocol_is_guessed_from_names(write, name, column, scores, protocol, higher):
    path = write(f"system\tsegment\t{column}\nA\t1\t{scores[0]}\nB\t1\t{scores[1]}\n", name)
    result = one(path)
    assert (result.protocol, result.higher_is_better) == (protocol, higher)
    assert one(path, protocol="sqm").protocol == "sqm"


def test_a_column_may_say_the_protocol(write):
    assert one(write("system\tsegment\tscore\tprotocol\nA\t1\t2\tESA\n")).protocol == "esa"
    with pytest.raises(DataError, match=r"several protocols \(da, esa\); take them apart"):
        one(write("system\tsegment\tscore\tprotocol\nA\t1\t2\tda\nA\t1\t3\tesa\n"))


def test_kinds_have_many_names(write):
    rows = [
        "TGT",
        "SYSTEM",
        "ordinary",
        "",
        "CHK",
        "REPEAT",
        "BAD",
        "BAD_REF",
        "bad reference",
        "REF",
        "tutorial",
    ]
    path = write("system\tsegment\tscore\ttype\n" + "".join(f"A\t{i}\t50\t{t}\n" for i, t in enumerate(rows)))
    kinds = [*[ORDINARY] * 4, *[REPEAT] * 2, *[BAD_REFERENCE] * 3, REFERENCE, TUTORIAL]
    assert one(path).kind.tolist() == kinds
    assert KINDS[TUTORIAL] == "tutorial"


def test_a_type_of_something_else_is_a_label_but_a_kind_must_be_known(write):
    result = one(write("system\tsegment\tscore\ttype\nA\t1\t2\tsentence\nA\t2\t2\tdocument\n"))
    assert result.kind.tolist() == [ORDINARY, ORDINARY]
    assert result.labels["type"].values() == ["sentence", "document"]
    with pytest.raises(
        DataError, match=r"line 3, column 'type': unknown kind 'TGR'; there are ordinary, repeat"
    ):
        one(write("system\tsegment\tscore\ttype\nA\t1\t2\tTGT\nA\t2\t2\tTGR\n"))
    with pytest.raises(DataError, match="line 2, column 'kind': unknown kind 'sentence'"):
        one(write("system\tsegment\tscore\tkind\nA\t1\t2\tsentence\n"))


def test_times_are_seconds_since_1970_or_iso(write):
    path = write(
        "system,segment,score,start,end\n"
        "A,1,2,1970-01-01T00:01:00Z,1970-01-01T00:01:30.5Z\n"
        "A,2,2,1970-01-01T02:01:40+02:00,1970-01-01 00:01:40\n"
        "A,3,2,200,260.25\n"
        "A,4,2,,\n",
        "j.csv",
    )
    loaded = read([path])
    judgements = loaded.judgements
    assert judgements.start is not None
    assert judgements.seconds is not None
    assert judgements.start[:3].tolist() == [60, 100, 200]
    assert judgements.seconds[:3].tolist() == [30.5, 0, 60.25]
    assert np.isnan([judgements.start[3], judgements.seconds[3]]).all()
    assert loaded.warnings == ()
    thousandths = one(write("system,segment,score,start,end\nA,1,2,1700000000500,1700000001500\n", "j.csv"))
    assert thousandths.start is not None
    assert thousandths.seconds is not None
    assert (thousandths.start[0], thousandths.seconds[0]) == (1700000000.5, 1.0)
    with pytest.raises(
        DataError, match="line 2, column 'start': 'noon' is no time; write 2024-05-31T14:30:00Z"
    ):
        one(write("system,segment,score,start\nA,1,2,noon\n", "j.csv"))


def test_what_ends_before_it_begins_took_an_unknown_time(write):
    loaded = read(
        [write("system\tsegment\tscore\tstart\tend\nA\t1\t2\t10\t5\nA\t2\t2\t10\t10\nA\t3\t2\t9\t8\n")]
    )
    seconds = loaded.judgements.seconds
    assert seconds is not None
    assert np.isnan(seconds).tolist() == [True, True, False]  # in the order in which they were begun
    assert seconds[2] == 0
    assert "line 2: the judgement ends before it begins, as do 1 others" in loaded.warnings[0]


def test_judgements_come_in_the_order_in_which_they_were_begun(write):
    result = one(write("system\tsegment\tscore\tstart\nA\t1\t2\t30\nB\t1\t2\t10\nC\t1\t2\t20\n"))
    assert result.system.values() == ["B", "C", "A"]
    assert result.line is not None
    assert result.line.tolist() == [3, 4, 2]
    unknown = one(write("system\tsegment\tscore\tstart\nA\t1\t2\t30\nB\t1\t2\t\nC\t1\t2\t20\n"))
    assert unknown.system.values() == ["A", "B", "C"]


def test_the_time_of_a_hit_is_no_time_of_a_judgement(write):
    head = "system\tsegment\tscore\tworker\thit\tseconds\n"
    result = one(write(head + "A\t1\t2\tw\th1\t300\nA\t2\t2\tw\th1\t300\nA\t3\t2\tw\th2\t280\n"))
    assert result.seconds is None
    assert result.measures["hit_seconds"].tolist() == [300, 300, 280]
    result = one(write(head + "A\t1\t2\tw\th1\t30\nA\t2\t2\tw\th1\t31\nA\t3\t2\tw\th2\t28\n"))
    assert result.seconds is not None
    assert result.seconds.tolist() == [30, 31, 28]


def test_other_columns_are_labels_and_texts_are_left_aside(write):
    path = write(
        "system\tsegment\tscore\torigLang\tdoc_id\tgenre\tcondition\tsource\ttarget\tsrc_lang\ttrg_lang\n"
        "A\t1\t2\ten\td1\tnews\tblind\tabc\tdef\teng\tdeu\n"
    )
    result = one(path)
    assert {name: column.values() for name, column in result.labels.items()} == {
        "origin": ["en"],
        "document": ["d1"],
        "domain": ["news"],
        "condition": ["blind"],
        "languages": ["eng-deu"],
    }


def test_labels_may_be_called_like_fields_of_the_table(write):
    result = one(write("system\tsegment\tscore\tfile\tline\tother\nA\t1\t2\tf\tl\to\nB\t2\t3\tg\tm\tp\n"))
    picked = result[np.array([1])]
    assert picked.labels["file"].values() == ["g"]
    assert picked.labels["other"].values() == ["p"]
    assert picked.system.values() == ["B"]


def test_a_segment_number_that_several_documents_have_is_told_by_its_document(write):
    within = write("system\tdoc\tseg\tscore\nA\td1\t1\t5\nA\td2\t1\t6\nA\td2\t2\t7\n")
    assert one(within).item.values() == ["d1:1", "d2:1", "d2:2"]
    through = write("system\tdoc\tseg\tscore\nA\td1\t1\t5\nA\td2\t2\t6\nA\td2\t3\t7\n")
    assert one(through).item.values() == ["1", "2", "3"]
    first, second = (
        write("system\tdoc\tseg\tscore\nA\td1\t1\t5\n", "1.tsv"),
        write("system\tdoc\tseg\tscore\nA\td2\t1\t5\n", "2.tsv"),
    )
    assert read([first, second]).judgements.item.values() == ["d1:1", "d2:1"]


def test_several_language_pairs_have_segments_of_their_own(write):
    path = write("system,segment,score,srcLang,trgLang\nA,1,5,en,de\nA,1,6,en,cs\n", "j.csv")
    loaded = read([path])
    assert loaded.judgements.item.values() == ["en-de:1", "en-cs:1"]
    assert "of 2 language pairs (en-de, en-cs): they are never ranked together" in loaded.warnings[0]


def test_one_judgement_of_the_same_output_counts_for_each_system(write):
    result = one(write("system\tsegment\tscore\na+b\t1\t5\na\t2\t6\nb\t2\t7\nc+d\t2\t8\n"))
    assert list(zip(result.system.values(), result.item.values(), result.score, strict=True)) == [
        ("a", "1", 5),
        ("b", "1", 5),
        ("a", "2", 6),
        ("b", "2", 7),
        ("c+d", "2", 8),  # nobody has heard of c and d: this is a name
    ]


def test_joint_names_can_be_kept(write):
    path = write("system\tsegment\tscore\na+b\t1\t5\na\t2\t6\nb\t2\t7\n")
    assert one(path, joint=True).system.values() == ["a+b", "a", "b"]


def test_scores_beyond_the_scale_are_told(write):
    loaded = read([write("system\tsegment\tscore\nA\t1\t50\nA\t2\t101\nA\t3\t-1\n")])
    assert "2 scores not between 0 and 100 (first: " in loaded.warnings[0]
    assert loaded.warnings[0].endswith("line 3: 101)")
    assert not read([write("system\tsegment\tscore\nA\t1\t-1.5\nA\t2\t2\n")]).warnings  # z-scores


def test_judgements_of_whole_systems_need_no_segment(write):
    result = one(write("LP HUMAN SYSTEM\nde-en 0.4 A\nde-en 0.3 B\n"))
    assert result.item.values() == ["", ""]
    assert result.score.tolist() == [0.4, 0.3]


def test_what_was_not_judged_is_left_out_and_counted(write):
    loaded = read([write("system\tsegment\tscore\nA\t1\t5\nA\t2\tNone\nA\t3\t6\n")])
    assert loaded.judgements.item.values() == ["1", "3"]
    assert "1 translation without a judgement (None) left out" in loaded.warnings[0]


def test_translations_of_nobody_are_of_one_system(write):
    segments = read([write("segment\tscore\n4\t1\n")])
    assert (segments.judgements.system.names, segments.judgements.item.names) == (("mt",), ("4",))
    assert "all are taken to be of one, 'mt'" in segments.warnings[0]
    loaded = read([write("source\ttranslation\tHUMAN_score\nx\ty\t1\nx\tz\t2\n")])
    assert loaded.judgements.system.values() == ["mt", "mt"]
    assert loaded.judgements.item.values() == ["1", "2"]
    assert "no column names a system" in loaded.warnings[0]


def test_errors_that_were_marked_are_spans(write):
    path = write(
        "system\tsegment\trater\terrors_json\n"
        'A\t1\tr\t{"errors": [{"start": 3, "end": 5, "category": "fluency/grammar", "severity": "Major", "score": 5, '
        '"is_source_error": true}, {"start": -1, "end": -1, "category": "accuracy/omission", "severity": "minor", '
        '"score": 1}]}\n'
        'A\t2\tr\t{"errors": []}\n'
    )
    result = one(path)
    assert result.protocol == "mqm"
    assert result.score.tolist() == [-6, 0]
    assert result.spans is not None
    first, second = result.spans[0]
    assert (first.start, first.end, first.severity, first.category, first.side) == (
        3,
        5,
        "major",
        "fluency/grammar",
        "source",
    )
    assert (second.start, second.end, second.side) == (None, None, "target")
    assert (first.weight, second.weight) == (5, 1)
    assert result.spans[1] == ()


@pytest.mark.parametrize(
    ("cell", "message"),
    [
        ("[{", "line 2: errors that are no JSON"),
        ("3", "line 2: a list of errors was expected"),
        ('[{"start": 5, "end": 3}]', "line 2: an error from 5 to 3"),
        ('[{"start": "x", "end": 3}]', "line 2: an error from 'x' to 3"),
        ('[{"start": 1.5, "end": 3}]', "line 2: an error from 1.5 to 3"),
        (
            '[{"start": 1, "end": 3, "score": -5}]',
            "line 2: an error whose score is -5; it must be a number from 0",
        ),
        ('[{"start": 1, "end": 3, "score": NaN}]', "line 2: an error whose score is nan"),
        ('[{"start": 1, "end": 3, "score": true}]', "line 2: an error whose score is True"),
        ('[{"start": 1, "end": 3, "weight": "5"}]', "line 2: an error whose score is '5'"),
    ],
)
def test_errors_that_cannot_be(write, cell, message):
    with pytest.raises(DataError, match=message):
        one(write(f"system\tsegment\tscore\terrors\nA\t1\t5\t{cell}\n"))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "sytem\tseg\tscore\nA\t1\t2\n",
            "line 1: no column 'system' or 'systemid' or 'sys' among sytem, seg, score; is 'sytem' meant for 'system'?",
        ),
        ("worker\tscore\nA\t2\n", "among worker, score; whose output was judged?"),
        ("system\tsegment\nA\t2\n", "no column 'score' or 'raw' or 'rawscore' among system, segment; name"),
        ("system\tsegment\tscore\nA\t1\tnan\n", "line 2, column 'score': 'nan' is no finite number"),
        ("system\tsegment\tscore\nA\t1\tinf\n", "line 2, column 'score': 'inf' is no finite number"),
        ("system\tsegment\tscore\nA\t1\t1\nA\t2\t\n", "line 3, column 'score': there is no number"),
        ("system\tsegment\tscore\nA\t1\tNone\n", "no translation was judged, every score is 'None'"),
        ("system\tsegment\tscore\nA\t1\t0,5\n", "'0,5' is no finite number; write 0.5"),
        ("system\tsegment\tscore\n\t1\t1\n", "line 2: no system"),
        ("system\tsegment\tscore\nA\t \t1\n", "line 2: no segment"),
        (
            "system\tsegment\tscore\nA\t1\n",
            "line 2: 2 columns, but there should be 3 (system, segment, score); tabs",
        ),
        ("system\tsegment\tscore\nA\t1\t2\n\nA\t2\t2\n", "line 3: 1 column, but there should be 3"),
        ("system\tsegment\tscore\n", "has a header line, but nothing below it"),
        ("system\tsystem\tscore\nA\t1\t2\n", "line 1: two columns are called 'system'"),
        ("system\t\tscore\nA\t1\t2\n", "line 1: column 2 has no name"),
        (
            "system segment score\nA 1\n",
            "line 2: 2 columns, but there should be 3 (system, segment, score); spaces",
        ),
        ('{"system": "A", "score": 3}\n{"system": 4', "line 2: not JSON"),
        ("", "is empty"),
    ],
)
def test_what_is_wrong_is_told(write, text, message):
    with pytest.raises(DataError) as error:
        one(write(text))
    assert message in str(error.value)
    assert "judgements.tsv" in str(error.value)


def test_seconds_that_are_no_numbers(write):
    with pytest.raises(DataError, match="line 2, column 'seconds': 'long' is no finite number"):
        one(write("system\tsegment\tscore\tseconds\nA\t1\t2\tlong\n"))
    assert one(write("system\tsegment\tscore\ttime\nA\t1\t2\tnoon\n")).labels["time"].values() == ["noon"]
