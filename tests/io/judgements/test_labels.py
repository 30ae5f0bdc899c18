"""Labels join by line, segment, id, document and number, or document; what does not fit is told."""

from pathlib import Path

import pytest

from adjudge.data.judgements import BAD_REFERENCE, ORDINARY, Judgements
from adjudge.errors import DataError
from adjudge.io.judgements import join_labels, read, read_labels


@pytest.fixture
def judged(write):
    def made(*items, head="segment", system="A") -> Judgements:
        rows = "".join(f"{system}\t{item}\t50\n" for item in items)
        return read([write(f"system\t{head}\tscore\n{rows}")]).judgements

    return made


def labels(judgements, path):
    labelled = join_labels(judgements, path)
    return {name: column.values() for name, column in labelled.labels.items()}


def test_by_line_segment_or_id(write, judged):
    for name in ("line", "segment", "seg_id", "id", "SID"):
        path = write(f"{name}\torigin\tdomain\n3\ten\tnews\n1\tde\tchat\n2\ten\t\n", "labels.tsv")
        assert labels(judged("1", "2", "3", "1"), path) == {
            "origin": ["de", "en", "en", "de"],
            "domain": ["chat", "", "news", "chat"],
        }


def test_csv_and_json_lines(write, judged):
    csv = write('id,origin\n"1",en\n"2",de\n', "labels.csv")
    jsonl = write('{"id": 1, "origin": "en"}\n{"id": 2, "origin": "de"}\n', "labels.jsonl")
    assert labels(judged("2", "1"), csv) == labels(judged("2", "1"), jsonl) == {"origin": ["de", "en"]}


def test_without_a_number_the_order_of_the_lines_counts(write, judged):
    path = write("doc_id\torigLang\nd1\ten\nd1\tde\nd2\ten\n", "labels.tsv")
    assert labels(judged("1", "3"), path) == {"document": ["d1", "d2"], "origin": ["en", "en"]}
    assert labels(judged("0", "1"), path) == {"document": ["d1", "d1"], "origin": ["en", "de"]}  # from 0 on


def test_by_document_and_number_in_it(write, judged):
    path = write(
        "doc\tdocid\torigin\tseg\n001\tcnn\ten\t1\n001\tcnn\tde\t2\n002\tbbc\ten\t1\n", "segments.tsv"
    )
    assert labels(judged("001_2", "002_1"), path)["origin"] == ["de", "en"]
    assert labels(judged("cnn:2", "bbc:1"), path)["origin"] == ["de", "en"]


def test_by_document_where_only_that_is_known(write):
    judgements = read(
        [write("system\tdocument\tsegment\tscore\nA\tcnn\tx\t5\nA\tbbc\ty\t6\nA\tcnn\tz\t6\n")]
    ).judgements
    path = write("document\torigin\tline\nbbc\ten\t1\ncnn\tde\t2\ncnn\tde\t3\n", "labels.tsv")
    # the line differs within a document, so that it cannot be joined
    assert labels(judgements, path) == {"document": ["cnn", "bbc", "cnn"], "origin": ["de", "en", "de"]}


def test_domain_and_document_without_a_header(write, judged):
    text = "news\tcnn\nnews\tcnn\nchat\tbbc\n"
    for name in ("docs.tsv", "en-de.docs"):
        assert labels(judged("1", "3"), write(text, name)) == {
            "domain": ["news", "chat"],
            "document": ["cnn", "bbc"],
        }


def test_texts_and_outputs_are_no_labels(write, judged):
    path = write("id\tsource\tA\torigin\n1\tabc\tdef\ten\n", "labels.tsv")
    assert labels(judged("1"), path) == {"origin": ["en"]}


def test_tutorials_need_no_label(write):
    text = "system\tsegment\tscore\tkind\nA\t1\t50\tordinary\nA\tt1\t50\ttutorial\n"
    path = write("id\torigin\n1\ten\n", "labels.tsv")
    assert labels(read([write(text)]).judgements, path) == {"origin": ["en", ""]}


def test_the_file_is_known_as_an_input(write):
    result = read_labels(write("id\torigin\n1\ten\n", "labels.tsv"))
    assert (result.input.role, len(result.input.sha256)) == ("labels", 64)


def test_items_without_a_line_are_told(write, judged):
    path = write("line\torigin\n1\ten\n2\tde\n", "labels.tsv")
    with pytest.raises(DataError) as error:
        join_labels(judged("1", "2", "7", "8", "9", "10"), path)
    assert "labels.tsv has no line for 4 of the 6 items that were judged (7, 8, 9 and 1 more)" in str(
        error.value
    )
    assert "looked for by 'line'; every item needs one" in str(error.value)
    with pytest.raises(DataError) as error:
        join_labels(judged("a", "b"), path)
    assert "has no line for any of the 2 items that were judged (a, b); by 'line' it has 1, 2" in str(
        error.value
    )
    with pytest.raises(DataError, match=r"labels\.tsv: no column line, segment, id or document"):
        join_labels(judged("a"), write("origin\tspeaker\nen\tx\n", "labels.tsv"))
    with pytest.raises(
        DataError, match=r"labels\.tsv, line 3: id '1' is there a second time \(before in line 2\)"
    ):
        join_labels(judged("1"), write("id\torigin\n1\ten\n1\tde\n", "labels.tsv"))


def test_several_files_need_every_item_once(write, judged):
    first = write("id\torigin\n1\ten\n2\t\n", "first.tsv")
    second = write("id\torigin\tdomain\n2\tde\tnews\n3\tde\t\n", "second.tsv")
    judgements = judged("1", "2", "3")
    assert labels(judgements, [first, second]) == {"origin": ["en", "de", "de"], "domain": ["", "news", ""]}
    with pytest.raises(DataError) as error:
        join_labels(judged("1", "2", "3", "4"), [first, second])
    assert "second.tsv has a line for 1 of the 4 items that were judged (4)" in str(error.value)


def test_scores_of_whole_systems_have_no_labels(write):
    path = write("id\torigin\n1\ten\n", "labels.tsv")
    with pytest.raises(DataError, match="labels are those of segments, and these judgements name none"):
        join_labels(read([write("system\tscore\nA\t1\n")]).judgements, path)


def test_paths_are_taken_as_well_as_text(write, judged, tmp_path):
    path = Path(write("id\torigin\n1\ten\n", "labels.tsv"))
    assert labels(judged("1"), path) == {"origin": ["en"]}
    assert read_labels(path).input.path == str(path)


def test_spam_makes_control_items_of_comparisons(write):
    """It names the output that was damaged; anything else is a label like any other."""
    rows = "item,judge,rating\n1,x,human\n2,x,mt\n3,x,tie\n"
    path = write("item\tspam\n1\tmt\n2\tyes\n3\t\n", "labels.tsv")
    labelled = join_labels(read([write(rows, "c.csv")]).judgements, path)
    assert labelled.kind.tolist() == [BAD_REFERENCE, ORDINARY, ORDINARY]
    assert labelled.labels["spam"].values() == ["mt", "yes", ""]
    own = read([write("item,judge,rating,spam\n1,x,human,mt\n2,x,mt,\n", "c.csv")]).judgements
    assert own.kind.tolist() == [BAD_REFERENCE, ORDINARY]
    rated = read([write("system\tsegment\tscore\tspam\nA\t1\t5\tA\n")]).judgements
    assert rated.kind.tolist() == [ORDINARY]
