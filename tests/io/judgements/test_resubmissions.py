"""The same answer twice is one answer: the last one, and it is said how many there were."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudge.io.judgements import read

HEAD = "annotator,system,segment,type,score,start,end\n"


def test_the_same_event_counts_once_and_as_it_was_last(write):
    loaded = read(
        [
            write(
                HEAD
                + "x,A,1,TGT,50,100,110\n"
                + "x,A,1,TGT,60,100,120\n"  # sent again
                + "x,A,1,TGT,60,100,120\n"  # written down twice
                + "x,A,1,CHK,70,100,120\n"  # another item
                + "y,A,1,TGT,80,100,120\n"  # somebody else
                + "x,A,1,TGT,90,300,310\n",  # another time
                "j.csv",
            )
        ]
    )
    assert sorted(loaded.judgements.score) == [60, 70, 80, 90]
    (warning,) = loaded.warnings
    assert warning.startswith("2 judgements left out that were given again: the last one counts (first: ")
    assert warning.endswith("j.csv, line 2)")
    assert loaded.judgements.line is not None
    assert 4 in loaded.judgements.line  # the last of the three


def test_where_the_file_is_in_another_order_the_end_decides(write):
    loaded = read([write(HEAD + "x,A,1,TGT,60,100,120\nx,A,1,TGT,50,100,110\n", "j.csv")])
    assert loaded.judgements.score.tolist() == [60]


def test_without_times_only_a_row_that_equals_another_is_the_same(write):
    head = "annotator\tsystem\tsegment\tscore\tz\n"
    loaded = read([write(head + "x\tA\t1\t50\t0.1\nx\tA\t1\t50\t0.1\nx\tA\t1\t50\t0.2\nx\tA\t1\t51\t0.1\n")])
    assert loaded.judgements.score.tolist() == [50, 50, 51]
    assert "1 judgement left out that was given again" in loaded.warnings[0]


def test_labels_tell_events_apart(write):
    head = "annotator\tsystem\tsegment\tscore\tcondition\tstart\n"
    text = head + "x\tA\t1\t50\tadequacy\t10\nx\tA\t1\t50\tfluency\t10\n"
    assert len(read([write(text)]).judgements) == 2


@pytest.mark.parametrize(
    "text",
    [
        "system\tsegment\tscore\nA\t1\t50\nA\t1\t50\n",  # of nobody in particular: two people may agree
        "judge,segment,system1Id,system1rank,system2Id,system2rank\nj,1,A,1,B,2\nj,2,A,1,B,2\nj,1,A,1,B,2\n",
    ],
)
def test_what_may_well_be_twice_stays(write, text):
    loaded = read([write(text)])
    assert len(loaded.judgements) == text.count("\n") - 1
    assert loaded.warnings == ()


rows = st.lists(
    st.tuples(
        st.sampled_from("xy"), st.sampled_from("AB"), st.integers(1, 2), st.integers(0, 2), st.integers(0, 2)
    ),
    min_size=1,
    max_size=12,
)


@given(rows)
def test_the_last_of_each_event_stays(tmp_path_factory, drawn):
    path = tmp_path_factory.mktemp("events") / "j.csv"
    lines = [f"{a},{s},{i},TGT,{n},{start},{start + long}" for n, (a, s, i, start, long) in enumerate(drawn)]
    path.write_text(HEAD + "\n".join(lines) + "\n")
    loaded = read([str(path)])
    last = {}
    for number, (annotator, system, item, start, long) in enumerate(drawn):
        key = (annotator, system, item, start)
        if key not in last or last[key][0] <= long:
            last[key] = (long, number)
    assert sorted(loaded.judgements.score) == sorted(number for _, number in last.values())
    assert bool(loaded.warnings) == (len(last) < len(drawn))
