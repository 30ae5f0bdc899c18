"""Whatever a file holds, it is read or refused with words: nothing else may happen."""

import json
from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adjudge.errors import AdjudgeError, DataError
from adjudge.io.column_names import APPRAISE_KINDS, LABELS, MEASURES, RATINGS, SPANS
from adjudge.io.judgements import FORMATS, join_labels, read

columns = st.sampled_from(
    [
        *(
            "system",
            "segment",
            "annotator",
            "kind",
            "type",
            "start",
            "end",
            "seconds",
            "hit",
            "rank",
            "ranking",
            "rating",
        ),
        *(
            "system1Id",
            "system2Id",
            "system1rank",
            "system2rank",
            "preferred",
            "scores",
            "z_scores",
            "category",
            "severity",
        ),
        *(
            "isCompleteDocument",
            "srcLang",
            "trgLang",
            "protocol",
            "target",
            "source",
            "note",
            "",
            "Score",
            "targets",
        ),
        *RATINGS[:8],
        *SPANS[:3],
        *(name for names in (*LABELS.values(), *MEASURES.values()) for name in names[:1]),
    ]
)
cells = st.one_of(
    st.sampled_from(
        ["", " ", "A", "B", "A+B", "1", "0", "-1", "2", "70", "1e400", "nan", "inf", "-inf", "None", "0,5"]
    ),
    st.sampled_from(
        ["tie", "True", "False", "[]", "[1]", "{", "[{}]", '[{"start": 1, "end": 2}]', "x#A#bad1", "d", "-"]
    ),
    st.sampled_from(
        ['[{"start_i": "missing", "end_i": 3, "error_type": [1, null], "severity": 3}]', '{"errors": 3}']
    ),
    st.sampled_from(
        [*APPRAISE_KINDS, "SYSTEM", "tutorial", "2024-01-01", "1700000000", "1e300", "0001-01-01", "\r", '"']
    ),
    st.text(max_size=3),
)
tables = st.lists(columns, min_size=1, max_size=7).flatmap(
    lambda head: st.tuples(
        st.just(head),
        st.lists(st.lists(cells, min_size=len(head), max_size=len(head)), min_size=0, max_size=5),
    )
)


def attempt(path, text, form):
    path.write_text(text, encoding="utf-8", newline="", errors="surrogatepass")
    try:
        judgements = read([str(path)], input_format=form).judgements
    except AdjudgeError:
        return
    assert len(judgements) > 0
    for label in ("line\torigin\n1\ten\n", "doc\tseg\tdomain\nd\t1\tx\n"):
        path.with_suffix(".labels").write_text(label)
        with suppress(AdjudgeError):
            join_labels(judgements, str(path.with_suffix(".labels")))


@settings(max_examples=400)
@given(tables, st.sampled_from("\t, ;"), st.none() | st.sampled_from([*FORMATS]))
def test_tables_of_anything(tmp_path_factory, table, separator, form):
    head, rows = table
    lines = [separator.join(head), *(separator.join(row) for row in rows)]
    attempt(tmp_path_factory.mktemp("faults") / "judgements.txt", "\n".join(lines) + "\n", form)


@given(tables, st.none() | st.sampled_from(["jsonl", "appraise", "table", "mqm", "rankings", "lists"]))
def test_json_of_anything(tmp_path_factory, table, form):
    head, rows = table
    text = "".join(json.dumps(dict(zip(head, row, strict=True))) + "\n" for row in rows) or "{}\n"
    attempt(tmp_path_factory.mktemp("faults") / "judgements.jsonl", text, form)


@settings(max_examples=300)
@given(
    st.lists(st.lists(cells, min_size=0, max_size=5), min_size=1, max_size=4),
    st.sampled_from(["u,A,1,TGT,eng,deu,70", "u,A+B,1,BAD,eng,deu,70", "u,tutorial,x,CHK,eng,deu,70"]),
)
def test_exports_of_anything(tmp_path_factory, rest, first):
    text = "\n".join(",".join([first, *row]) for row in rest)
    attempt(tmp_path_factory.mktemp("faults") / "export.csv", text, None)


@settings(max_examples=300)
@given(st.text(max_size=40), st.none() | st.sampled_from([*FORMATS]))
def test_text_of_anything(tmp_path_factory, text, form):
    attempt(tmp_path_factory.mktemp("faults") / "judgements.txt", text, form)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "hello\nworld\n",
            r"line 1: 'hello' is no finite number.*taken for a list of numbers.*--input-format",
        ),
        ("0.5\nworld\n", r"line 2: 'world' is no finite number.*--input-format"),
        ("hello world\nthese are words\n", r"line 2: 3 columns, but there should be 2.*--input-format"),
    ],
)
def test_words_are_no_judgements(tmp_path, text, message):
    path = tmp_path / "words.txt"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(DataError, match=message):
        read(str(path))


def test_whoever_names_the_format_is_not_told_of_it(tmp_path):
    path = tmp_path / "words.txt"
    path.write_text("hello\n", encoding="utf-8")
    with pytest.raises(DataError, match=r"is no finite number; leave out rows without a judgement$"):
        read(str(path), input_format="numbers")
