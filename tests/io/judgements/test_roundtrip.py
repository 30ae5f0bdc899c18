"""What is written into a table comes back out of it, whatever the shape."""

import csv
import io
import json

import numpy as np
from hypothesis import example, given
from hypothesis import strategies as st

from adjudge.data.judgements import KINDS
from adjudge.io.judgements import read

# Blanks around names are no part of them, and signs that end a line in some file would end one here.
names = st.text(
    st.characters(codec="utf-8", exclude_categories=("Cc", "Cs", "Zl", "Zp")), min_size=1, max_size=8
).filter(lambda name: name == name.strip() and name != "")
plain = names.filter(lambda name: "+" not in name)
scores = st.floats(-1e6, 1e6).map(lambda value: round(value, 3))
judgements = st.lists(
    st.tuples(plain, names, names, scores, st.sampled_from(KINDS), st.none() | names), min_size=1, max_size=10
)
HEADER = ("system", "segment", "annotator", "score", "kind", "condition")


def tsv(rows):
    return "\n".join("\t".join(map(str, row)) for row in rows) + "\n"


def comma(rows):
    text = io.StringIO()
    csv.writer(text, quoting=csv.QUOTE_MINIMAL).writerows(rows)
    return text.getvalue()


def quoted(rows):
    text = io.StringIO()
    csv.writer(text, quoting=csv.QUOTE_ALL, lineterminator="\n").writerows(rows)
    return text.getvalue()


def lines(rows):
    head, *below = rows
    return "".join(json.dumps(dict(zip(head, row, strict=True)), ensure_ascii=False) + "\n" for row in below)


@given(judgements, st.sampled_from([tsv, comma, quoted, lines]))
@example([("A", "1", "ann", 0.0, KINDS[0], None), ("A", "1", "ann", 0.0, KINDS[0], "0")], tsv)
def test_tables(tmp_path_factory, drawn, write):
    rows = [HEADER, *((*row[:-1], row[-1] or "") for row in drawn)]
    suffix = {tsv: "tsv", lines: "jsonl"}.get(write, "csv")
    path = tmp_path_factory.mktemp("roundtrip") / f"judgements.{suffix}"
    path.write_text(write(rows), encoding="utf-8", newline="")
    loaded = read([str(path)], input_format=suffix)
    expected = list(
        dict.fromkeys((*row[:-1], row[-1] or "") for row in drawn)
    )  # the same line twice is one judgement
    result = loaded.judgements
    label = result.labels["condition"].values() if "condition" in result.labels else [""] * len(result)
    again = list(
        zip(
            result.system.values(),
            result.item.values(),
            result.annotator.values(),
            result.score.tolist(),
            [KINDS[kind] for kind in result.kind],
            label,
            strict=True,
        )
    )
    assert sorted(again) == sorted(expected)
    assert len(loaded.warnings) >= (len(expected) < len(drawn))
    assert result.line is not None
    if len(expected) == len(drawn):
        first = 1 if suffix == "jsonl" else 2
        assert result.line.tolist() == list(range(first, first + len(drawn)))


@given(judgements)
def test_several_files_are_one_after_the_other(tmp_path_factory, drawn):
    folder = tmp_path_factory.mktemp("several")
    parts = np.array_split(np.arange(len(drawn)), min(3, len(drawn)))
    paths = []
    for number, part in enumerate(parts):
        # who judged tells the files apart, lest an answer be the same as one in another file
        rows = [HEADER, *((a, b, f"{c}{number}", d, e, "x") for a, b, c, d, e, _ in (drawn[i] for i in part))]
        paths.append(folder / f"{number}.tsv")
        paths[-1].write_text(tsv(rows), encoding="utf-8", newline="")
    together = read([str(path) for path in paths]).judgements
    alone = [read([str(path)]).judgements for path in paths]
    for name in ("system", "item", "annotator", "file"):
        assert getattr(together, name).values() == [
            value for entry in alone for value in getattr(entry, name).values()
        ]
    assert together.score.tolist() == [value for entry in alone for value in entry.score.tolist()]
