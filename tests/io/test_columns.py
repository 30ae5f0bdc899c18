"""Which column is what, by its name."""

import pytest

from adjudge.io import read
from helpers.tables import written


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
