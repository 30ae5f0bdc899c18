"""Rankings and choices: a row a pair, in the order of the file."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudge.data.joint_systems import expand_joint_systems
from adjudge.errors import DataError
from adjudge.io.judgements import read
from adjudge.io.judgements.wmt import long, wide
from adjudge.io.sheet import Sheet

PAIRS = "segmentId,judgeID,system1Id,system1rank,system2Id,system2rank,rankingID\n"


def pairs(judgements):
    assert judgements.other is not None
    return list(
        zip(judgements.system.values(), judgements.other.values(), judgements.score.tolist(), strict=True)
    )


def test_pairs_keep_their_order_and_the_number_of_their_ranking(write):
    loaded = read([write(PAIRS + "7,j1,A,1,B,2,r1\n7,j1,A,1,C,3,r1\n7,j1,B,2,C,2,r2\n7,j2,C,3,A,1,r1\n")])
    judgements = loaded.judgements
    assert loaded.format == "rankings"
    assert judgements.protocol == "rank"
    assert judgements.is_ranking
    assert pairs(judgements) == [("A", "B", 1), ("A", "C", 1), ("B", "C", 0), ("C", "A", -1)]
    assert judgements.ranking is not None
    assert judgements.ranking.tolist() == [0, 0, 1, 2]  # r1 of another judge is another ranking
    assert judgements.line is not None
    assert judgements.line.tolist() == [2, 3, 4, 5]


def test_without_numbers_rows_of_one_judge_and_segment_are_one_ranking(write):
    head = "system2rank,segmentId,system1Id,system1rank,judgeID,system2Id,documentId,srclang,trglang\n"
    judgements = read(
        [write(head + "1,1,A,2,j,B,-1,-1,-1\n1,1,A,2,j,C,-1,-1,-1\n2,2,A,1,j,B,-1,-1,-1\n")]
    ).judgements
    assert pairs(judgements) == [("A", "B", -1), ("A", "C", -1), ("A", "B", 1)]
    assert judgements.ranking is not None
    assert judgements.ranking.tolist() == [0, 0, 1]
    assert not judgements.labels  # −1 is WMT's word for nothing


def test_five_ways_make_ten_pairs_and_who_is_skipped_is_in_none(write):
    head = (
        "segmentId,judgeId,"
        + ",".join(f"system{i}Id,system{i}Number,system{i}rank" for i in range(1, 4))
        + "\n"
    )
    loaded = read(
        [write(head + "7,j1,A,-1,1,B,-1,2,C,-1,-1\n7,j1,A,-1,2,B,-1,1,C,-1,3\n8,j1,A,-1,-1,B,-1,1,C,-1,-1\n")]
    )
    assert pairs(loaded.judgements) == [("A", "B", 1), ("A", "B", -1), ("A", "C", 1), ("B", "C", 1)]
    assert loaded.judgements.ranking is not None
    assert loaded.judgements.ranking.tolist() == [0, 1, 1, 1]
    assert "1 row left out in which fewer than two systems were ranked" in loaded.warnings[0]


def test_a_rank_a_row(write):
    text = (
        "system\tsegment\tannotator\tdocument\trank\n"
        "A\t1\tx\td\t2\nB\t1\tx\td\t1\nA\t2\tx\td\t1\nC\t1\tx\td\t2\nB\t2\ty\td\t1\nD\t1\tx\td\t-1\nC\t2\ty\td\t3\n"
    )
    for options in (
        {},
        {"protocol": "rank"},
        {"input_format": "rankings"},
        {"protocol": "rank", "column": "rank"},
    ):
        judgements = read([write(text)], **options).judgements
        assert pairs(judgements) == [("A", "B", -1), ("A", "C", 0), ("B", "C", 1), ("B", "C", 1)]
        assert judgements.annotator.values() == ["x", "x", "x", "y"]
        assert judgements.labels["document"].values() == ["d"] * 4
        assert judgements.ranking is not None
        assert len({*judgements.ranking}) == 2


def test_a_score_beside_a_rank_is_the_judgement_unless_ranks_are_asked_for(write):
    path = write("system\tsegment\tscore\trank\nA\t1\t60\t2\nB\t1\t80\t1\n")
    assert not read([path]).judgements.is_ranking
    assert pairs(read([path], protocol="rank").judgements) == [("A", "B", -1)]


def test_choices_are_rankings_of_two_where_ranks_are_asked_for(write):
    path = write("system1,system2,segment,preferred\nA,B,1,A\n", "j.csv")
    assert pairs(read([path], protocol="rank").judgements) == [("A", "B", 1)]


def test_which_of_two_is_better(write):
    text = "system1,system2,segment,rater,preferred\nA,B,1,x,A\nA,B,2,x,B\nB,A,3,x,tie\nB,A,4,x,first\nB,A,5,x,2\n"
    loaded = read([write(text, "j.csv")])
    assert loaded.format == "choices"
    assert loaded.judgements.protocol == "pairwise"
    assert pairs(loaded.judgements) == [
        ("A", "B", 1),
        ("A", "B", -1),
        ("B", "A", 0),
        ("B", "A", 1),
        ("B", "A", -1),
    ]
    signs = write("system_a\tsystem_b\tsegment\tscore\nA\tB\t1\t2\nA\tB\t2\t-1\nA\tB\t3\t0\n")
    assert [score for _, _, score in pairs(read([signs]).judgements)] == [1, -1, 0]


def test_answers_that_name_the_only_two_systems(write):
    head = "participant_id,condition,type,exp_item_number,rating\n"
    loaded = read(
        [
            write(
                head + "P,fluency,document,E-1,mt\nP,fluency,document,E-2,tie\nQ,fluency,document,E-1,human\n"
            )
        ]
    )
    judgements = loaded.judgements
    assert pairs(judgements) == [("human", "mt", -1), ("human", "mt", 0), ("human", "mt", 1)]
    assert judgements.item.values() == ["E-1", "E-2", "E-1"]
    assert judgements.annotator.values() == ["P", "P", "Q"]
    assert judgements.labels["condition"].names == ("fluency",)
    assert judgements.labels["type"].names == ("document",)


@pytest.mark.parametrize(
    ("text", "options", "message"),
    [
        ("segmentId,system1Id,system2Id,system1rank\n1,A,B,2\n", {}, "no column 'system2rank'"),
        ("judgeID,system1Id,system2Id,system1rank,system2rank\nj,A,B,2,1\n", {}, "no column 'segment'"),
        (
            PAIRS + "1,j,A,1,B,2,r\n1,j,A,3,C,2,r\n",
            {},
            "line 3: A has rank 3, but 1 before in the same ranking",
        ),
        (PAIRS + "1,j,A,1,A,2,r\n", {}, "line 2: A is set against itself"),
        (PAIRS + "1,j,A,x,B,2,r\n", {}, "line 2, column 'system1rank': 'x' is no finite number"),
        (PAIRS + "1,j,,1,B,2,r\n", {}, "line 2: no system, but a rank"),
        (PAIRS + "1,j,A,0,B,1,r\n", {}, "line 2, column 'system1rank': rank 0, but 1 is best"),
        ("system\tsegment\trank\nA\t1\t1\nB\t1\t0\n", {}, "line 3, column 'rank': rank 0, but 1 is best"),
        ("system\tsegment\trank\nA\t1\t1\n", {"protocol": "rank", "column": "rnk"}, "unknown column 'rnk'"),
        (PAIRS + "1,j,A,-1,B,2,r\n", {}, "no two systems were ranked together"),
        ("system\trank\nA\t2\n", {}, "no column 'segment'"),
        ("segment\trank\n1\t2\n", {}, "no column 'system'"),
        (
            "system\tsegment\tscore\nA\t2\t0.5\n",
            {"protocol": "rank"},
            "where are the ranks?; or are these scores?",
        ),
        ("system\tsegment\tscore\nA\t2\t0.5\n", {"input_format": "rankings"}, "no column 'rank'"),
        (
            "system\tsegment\trank\nA\t2\t1\nA\t2\t2\n",
            {},
            "line 3: A is there twice in one ranking; a column 'ranking'",
        ),
        (
            "system1,system2,segment,note\nA,B,1,x\n",
            {},
            "no column 'preferred' or 'preference' or 'winner' among system1, system2, segment, note; which of",
        ),
        (
            "system1,system2,segment,winner\nA,B,1,C\n",
            {},
            "line 2, column 'winner': 'C' is neither A nor B nor a tie",
        ),
        (
            "rater,segment,rating\nx,1,A\n",
            {},
            "column 'rating': two systems were expected besides ties, but there is A",
        ),
        ("rater,segment,choice\nx,1,A\nx,2,B\nx,3,\n", {}, "line 4, column 'choice': no answer"),
    ],
)
def test_what_is_wrong_is_told(write, text, options, message):
    with pytest.raises(DataError) as error:
        read([write(text, "ranks.csv")], **options)
    assert message in str(error.value)
    assert "ranks.csv" in str(error.value)


def test_ratings_have_no_joint_names_to_expand(write):
    with pytest.raises(DataError, match="ratings, not rankings"):
        expand_joint_systems(read([write("system\tsegment\tscore\nA\t1\t1\n")]).judgements)


def test_joint_names_stay_until_they_are_taken_apart(write):
    judgements = read(
        [write(PAIRS + "1,j,A+B,1,C,2,r\n1,j,A+B,1,D,3,r\n1,j,C,2,D,3,r\n2,j,A,1,B,2,s\n")]
    ).judgements
    assert judgements.system.names == ("A+B", "C", "A")
    apart = expand_joint_systems(judgements)
    assert pairs(apart) == [
        ("A", "C", 1),
        ("B", "C", 1),
        ("A", "B", 0),  # they wrote the same
        ("A", "D", 1),
        ("B", "D", 1),
        ("C", "D", 1),
        ("A", "B", 1),
    ]
    assert apart.item.values() == ["1"] * 6 + ["2"]
    assert apart.ranking is not None
    assert apart.ranking.tolist() == [0] * 6 + [1]
    assert expand_joint_systems(apart) is apart


rankings = st.lists(
    st.tuples(
        st.sampled_from("xy"),
        st.integers(1, 3),
        st.lists(
            st.tuples(st.sampled_from("ABCDEF"), st.sampled_from([-1, 1, 2, 3, 4])),
            min_size=3,
            max_size=3,
            unique_by=lambda s: s[0],
        ),
    ),
    min_size=1,
    max_size=8,
)


def sheet(columns):
    count = len(next(iter(columns.values())))
    return Sheet(
        "drawn", {name: list(map(str, cells)) for name, cells in columns.items()}, np.arange(2, count + 2)
    )


@given(rankings)
def test_wide_and_long_say_what_their_ranks_say(drawn):
    expected = [
        (judge, str(segment), a, b, float((rank_a < rank_b) - (rank_a > rank_b)), number)
        for number, (judge, segment, systems) in enumerate(drawn)
        for (a, rank_a), (b, rank_b) in combinations(systems, 2)
        if rank_a >= 1 and rank_b >= 1
    ]
    across = {"judge": [judge for judge, _, _ in drawn], "segment": [segment for _, segment, _ in drawn]}
    for place in range(3):
        across[f"system{place + 1}Id"] = [systems[place][0] for _, _, systems in drawn]
        across[f"system{place + 1}rank"] = [systems[place][1] for _, _, systems in drawn]
    down = {
        "judge": [judge for judge, _, systems in drawn for _ in systems],
        "segment": [segment for _, segment, systems in drawn for _ in systems],
        "ranking": [number for number, (_, _, systems) in enumerate(drawn) for _ in systems],
        "system": [system for _, _, systems in drawn for system, _ in systems],
        "rank": [rank for _, _, systems in drawn for _, rank in systems],
    }
    for read_it in (lambda: wide(sheet(across)), lambda: long(sheet(down), "rank")):
        if not expected:
            with pytest.raises(DataError, match="no two systems"):
                read_it()
            continue
        judgements = read_it().judgements
        assert judgements.ranking is not None
        assert judgements.other is not None
        numbers = {number: turn for turn, number in enumerate(dict.fromkeys(judgements.ranking.tolist()))}
        turns = {number: turn for turn, number in enumerate(dict.fromkeys(row[-1] for row in expected))}
        assert [
            *zip(
                judgements.annotator.values(),
                judgements.item.values(),
                judgements.system.values(),
                judgements.other.values(),
                judgements.score.tolist(),
                [numbers[number] for number in judgements.ranking.tolist()],
                strict=True,
            )
        ] == [(*row[:-1], turns[row[-1]]) for row in expected]
