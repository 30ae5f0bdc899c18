"""Which column is what, by its name."""

import io
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudge.errors import DataError
from adjudge.io import load, read
from helpers.tables import written

KEYED = [
    "system doc seg_id src ref mt score",
    "A d 1 s1 r1 a1 0.5",
    "B d 2 s2 r2 b2 0.1",  # in any order: the keys tell
    "A d 2 s2 r2 a2 0.4",
    "A e 1 s1 r3 a3 0.3",
    "B e 1 s1 r3 b3 0.2",
    "B d 1 s1 r1 b1 0.9",
]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("Source", "source"),
        ("ref", "reference"),
        ("refA", "reference"),
        ("ref_2", "reference"),
        ("Reference-b", "reference"),
        ("ref.official", "reference"),
        ("ref_length", "label"),
        ("refined", "label"),
        ("Target", "output"),
        ("hyp.Online-A", "output"),
        ("mt_score", "label"),
        ("docid", "label"),
    ],
)
def test_what_a_column_is_by_its_name(tmp_path, name, expected):
    table = read(written(tmp_path, f"{name}\nx\n", "t.tsv"))
    result = {
        "source": table.source is not None,
        "reference": bool(table.references),
        "output": bool(table.outputs),
        "label": bool(table.labels),
    }
    assert [kind for kind, is_used in result.items() if is_used] == [expected]


def test_label_synonyms_take_the_fields_words(tmp_path):
    table = read(written(tmp_path, "docid\tgenre\torigLang\tdocument\tdoc_id\n1\t2\t3\t4\t5\n", "t.tsv"))
    labels = {"docid": "1", "domain": "2", "origin": "3", "document": "4", "doc_id": "5"}
    assert table.labels == {name: (value,) for name, value in labels.items()}
    table = read(written(tmp_path, "doc_id\tdocid\n1\t2\n", "t.tsv"))
    assert table.labels == {"document": ("1",), "docid": ("2",)}


def tsv(tmp_path, rows, name="scores.tsv"):
    path = tmp_path / name
    path.write_text("".join(row.replace(" ", "\t") + "\n" for row in rows), encoding="utf-8")
    return str(path)


def test_segments_by_document_and_number(tmp_path):
    path = tsv(tmp_path, KEYED)
    loaded = load(test_set=path)
    assert loaded.test_set.sources == ("s1", "s2", "s1")
    assert loaded.test_set.references == (("r1", "r2", "r3"),)
    assert [(o.system, o.segments) for o in loaded.outputs] == [
        ("A", ("a1", "a2", "a3")),
        ("B", ("b1", "b2", "b3")),
    ]
    assert dict(loaded.test_set.labels) == {"document": ("d", "d", "e"), "seg_id": ("1", "2", "1")}
    assert loaded.notes == (f"{path}: left out the column 'score': not the same for all systems",)
    for column in ("B", "mt.B"):
        chosen = load(references=[f"{path}:ref"], systems=[f"{path}:{column}"])
        assert [(o.system, o.segments) for o in chosen.outputs] == [("B", ("b1", "b2", "b3"))]


def test_segments_by_their_place(tmp_path):
    rows = ["sys ref hyp x y", "A r1 a1 1 2", "A r1 a2 3 4", "B r1 b1 5 6", "B r1 b2 7 8"]
    path = tsv(tmp_path, rows)
    table = read(path)
    assert table.outputs == {"A": ("a1", "a2"), "B": ("b1", "b2")}
    assert table.references == {"ref": ("r1", "r1")}
    assert table.labels == {}
    assert table.notes == (f"{path}: left out the columns 'x', 'y': not the same for all systems",)
    assert read(tsv(tmp_path, [rows[0], rows[1], rows[3], rows[2], rows[4]])).outputs == table.outputs


def test_an_id_of_its_own_for_every_line_is_no_segment(tmp_path):
    rows = ["id system src mt", "1 A s1 a1", "2 A s2 a2", "3 B s1 b1", "4 B s2 b2"]
    table = read(tsv(tmp_path, rows))
    assert table.outputs == {"A": ("a1", "a2"), "B": ("b1", "b2")}
    assert "'id'" in table.notes[0]
    table = read(tsv(tmp_path, ["id system src mt", "1 A s1 a1", "2 A s2 a2", "2 B s2 b2", "1 B s1 b1"]))
    assert table.outputs == {"A": ("a1", "a2"), "B": ("b1", "b2")}
    assert table.labels == {"id": ("1", "2")}


def test_one_system_is_called_what_the_column_says(tmp_path):
    table = read(tsv(tmp_path, ["System mt", "Online-A a", "Online-A b"]))
    assert table.outputs == {"Online-A": ("a", "b")}
    assert table.labels == {}


def test_without_an_output_a_system_is_a_label(tmp_path):
    table = read(tsv(tmp_path, ["system ref", "A a", "B b"]))
    assert table.labels == {"system": ("A", "B")}
    assert table.references == {"ref": ("a", "b")}


def test_jsonl(tmp_path):
    rows = [
        {
            "system_id": system,
            "segment": at,
            "mt": f"{system}{at}",
            "refs": [f"r{at}", "x"][: at + 1],
            "spans": [],
        }
        for at in range(2)
        for system in "BA"
    ]
    path = tmp_path / "x.jsonl"
    path.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    loaded = load(test_set=str(path))
    assert [(o.system, o.segments) for o in loaded.outputs] == [("B", ("B0", "B1")), ("A", ("A0", "A1"))]
    assert loaded.test_set.references == (("r0", "r1"), (None, "x"))
    rows[3]["refs"] = ["r1", None]
    path.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    message = (
        r"x\.jsonl, line 4: 'ref2' of segment 1 is another one for system 'A' than in line 3 for system 'B'"
    )
    with pytest.raises(DataError, match=message):
        read(str(path))


def test_standard_input():
    lines = io.BytesIO(b"system\tseg\tref\tmt\nA\t1\tr\ta\nB\t2\tr\tb\n")
    with pytest.raises(
        DataError, match=r"^standard input: system 'A' has no segment 2, but system 'B' has it"
    ):
        load(test_set="-", input_format="tsv", stdin=lines)


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        (
            KEYED[:-1],
            r"system 'B' has no segment d:1, but system 'A' has it in line 2; every system must have every",
        ),
        (
            [*KEYED, "B f 1 s r b 0"],
            r"system 'A' has no segment f:1, but system 'B' has it in line 8",
        ),
        ([*KEYED, KEYED[1]], r"line 8: segment d:1 of system 'A' is there already, in line 2"),
        (
            [*KEYED[:-1], "B d 1 s1 r2 b1 0"],
            r"line 7: 'ref' of segment d:1 is another one for system 'B' than in line 2 for system 'A'",
        ),
        ([*KEYED[:-1], "B d 1 s2 r1 b1 0"], r"line 7: 'src' of segment d:1 is another one for system 'B'"),
        (
            ["system src mt", "A s1 a1", "A s2 a2", "B s2 b2", "B s1 b1"],
            r"line 4: 'src' of segment 1 is another one for system 'B' than in line 2 for system 'A'",
        ),
        (
            ["system doc ref mt", "A d r a", "A e r a", "B e r b", "B d r b"],
            r"line 4: 'doc' of segment 1 is another one for system 'B'",
        ),
        (
            ["system src mt", "A s a", "A t a", "B s b"],
            r"system 'B' has no segment 2, but system 'A' has it in line 3",
        ),
        (["system mt", "A a", "B b"], r"has 2 systems, but nothing tells which lines are the same segment"),
        (["system ref mt", "A r a", " r b"], r"line 3: no system in the column 'system'"),
        (["system ref mt mt.A", "A r a x"], r"also a column of one of the systems it names"),
        (["system mt hyp", "A a b"], r"two outputs of one system"),
    ],
)
def test_ragged_tables_are_refused(tmp_path, rows, message):
    with pytest.raises(DataError, match=rf"scores\.tsv.*{message}"):
        read(tsv(tmp_path, rows))


@given(st.integers(1, 4), st.integers(1, 5), st.randoms(use_true_random=False), st.booleans())
def test_every_order_of_the_lines_gives_the_same_segments(tmp_path_factory, systems, segments, random, keyed):
    lines = [(f"S{system}", str(at)) for system in range(systems) for at in range(segments)]
    if keyed:
        random.shuffle(lines)
    else:  # the systems' lines mixed, but each system's own in order
        left = {name: iter(map(str, range(segments))) for name, _ in lines}
        names = [name for name, _ in lines]
        random.shuffle(names)
        lines = [(name, next(left[name])) for name in names]
    header = "system seg ref mt" if keyed else "system x ref mt"
    folder = tmp_path_factory.mktemp("long")
    table = read(tsv(folder, [header, *(f"{name} {at} r{at} {name}.{at}" for name, at in lines)]))
    order = list(dict.fromkeys(at for _, at in lines))
    assert table.references["ref"] == tuple(f"r{at}" for at in order)
    assert list(table.outputs) == list(dict.fromkeys(name for name, _ in lines))
    for name, column in table.outputs.items():
        assert column == tuple(f"{name}.{at}" for at in order)
    assert table.notes == ()
