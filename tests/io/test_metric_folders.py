"""Folders of scores in both layouts: the same numbers, with what each file says of systems, segments and documents."""

import numpy as np
import pytest

from adjudge.errors import DataError, UsageError
from adjudge.io.metric_folders import read_meta_set

PEOPLE = "a\t3\na\t4\nb\t1\nb\tNone\n"
METRIC = "a\t0.5\na\t0.25\nb\t0.125\nb\t0\n"
DOCUMENTS = "news\td1\ntalk\td2\n"


def folder_of(path, files):
    for name, text in files.items():
        (path / name).parent.mkdir(parents=True, exist_ok=True)
        (path / name).write_text(text)
    return str(path)


def flat(path, documents=DOCUMENTS, **more):
    return folder_of(
        path,
        {
            "human-scores/en-de.mqm.seg.score": PEOPLE,
            "metric-scores/en-de/BLEU-refA.seg.score": METRIC,
            "documents/en-de.docs": documents,
            **more,
        },
    )


def nested(path):
    return folder_of(
        path / "en-de",
        {
            "human/mqm.seg.score": PEOPLE,
            "metrics/BLEU-refA.seg.score": METRIC,
            "docs.en-de.tsv": DOCUMENTS,
        },
    )


@pytest.mark.parametrize("layout", [flat, nested])
def test_both_layouts_say_the_same(layout, tmp_path):
    loaded = read_meta_set(layout(tmp_path)).meta_set
    assert (loaded.language, loaded.systems) == ("en-de", ("a", "b"))
    np.testing.assert_array_equal(loaded.gold["mqm"].segments, [[3, 4], [1, np.nan]])
    np.testing.assert_array_equal(loaded.gold["mqm"].systems, [3.5, 1])
    np.testing.assert_array_equal(loaded.metrics["BLEU-refA"].segments, [[0.5, 0.25], [0.125, 0]])
    assert loaded.metrics["BLEU-refA"].reference == "refA"
    assert loaded.labels == {"domain": ("news", "talk"), "document": ("d1", "d2")}


@pytest.mark.parametrize("documents", ["news\td1\n", DOCUMENTS + "news\td3\n", "news\nd1\n"])
def test_documents_of_other_segments_are_no_labels(documents, tmp_path):
    assert read_meta_set(flat(tmp_path, documents)).meta_set.labels == {}


def test_scores_of_systems_go_before_means_of_segments(tmp_path):
    path = flat(tmp_path, **{"metric-scores/en-de/BLEU-refA.sys.score": "a\t7\nb\t8\n"})
    np.testing.assert_array_equal(read_meta_set(path).meta_set.metrics["BLEU-refA"].systems, [7, 8])


def test_a_metric_that_lacks_a_system_is_told(tmp_path):
    path = flat(tmp_path, **{"metric-scores/en-de/X-src.seg.score": "a\t1\na\t2\n"})
    loaded = read_meta_set(path).meta_set
    assert loaded.notes == ("X-src has no scores of b; it is not judged on them",)
    assert loaded.metrics["X-src"].reference == ""


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        (
            "metric-scores/en-de/BLEU-refA.seg.score",
            "a\t1\ta\n",
            "line 1: 3 columns, but there should be 2",
        ),
        (
            "metric-scores/en-de/BLEU-refA.seg.score",
            "a\t1\na\tx\n",
            "line 2, column 'score': 'x' is no finite number",
        ),
        ("metric-scores/en-de/BLEU-refA.seg.score", "a\t1\na\t2\nb\t1\n", "a has 2 lines, but b 1"),
        ("human-scores/en-de.mqm.seg.score", "", "is empty"),
    ],
)
def test_what_is_wrong_is_named(name, text, message, tmp_path):
    with pytest.raises(DataError, match=message):
        read_meta_set(flat(tmp_path, **{name: text}))


def test_several_language_pairs_must_be_chosen_from(tmp_path):
    path = flat(tmp_path, **{"human-scores/en-zh.mqm.seg.score": PEOPLE})
    with pytest.raises(UsageError, match=r"several language pairs.*en-de, en-zh"):
        read_meta_set(path)
    with pytest.raises(UsageError, match="did you mean 'en-de'"):
        read_meta_set(path, "en-ed")
    assert read_meta_set(path, "en-de").meta_set.language == "en-de"
