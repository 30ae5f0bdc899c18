"""From judgements to items: whose translation, of which segment, together with what."""

from dataclasses import replace

import numpy as np
import pytest

from adjudge.data import TestSet
from adjudge.data.judgements import BAD_REFERENCE, ORDINARY, REFERENCE, REPEAT, NameColumn
from adjudge.errors import DataError
from adjudge.stats.draws import fold_of_units
from adjudge.tuning import TuningOptions, tune
from adjudge.tuning import space as space_module
from adjudge.tuning.gathering import gather
from adjudge.tuning.items import Items
from helpers.tunings import DEFAULT, PLANTED, ROWS, SMALL, TEST_SET, made_rows, ranked_together, said


def gathered(judgements, test_set=TEST_SET, rows=ROWS, level="segment", unit="segment", **options):
    return gather(judgements, rows, test_set, level=level, unit=unit, **options)


def test_several_judgements_of_a_translation_count_by_their_mean():
    items = gathered(said(("A", 1, 10), ("B", 2, 5), ("A", 1, 20)))
    assert items.items.human.tolist() == [15, 5]
    assert (items.items.rows == np.stack([ROWS["A"][0], ROWS["B"][1]])).all()
    assert (items.judgements, items.systems, items.segments) == (3, 2, 2)


def test_lower_is_better_where_edits_are_counted():
    items = gathered(said(("A", 1, 0.3), ("B", 1, 0.1), protocol="hter"))
    assert items.items.human.tolist() == [-0.3, -0.1]


def test_units_are_segments_documents_or_systems():
    spoken = said(*((s, i, i) for s in "AB" for i in (1, 2, 3)))
    assert gathered(spoken).items.unit.tolist() == [0, 1, 2, 0, 1, 2]
    assert gathered(spoken, unit="document").items.unit.tolist() == [0, 0, 1, 0, 0, 1]
    assert gathered(spoken, unit="system").items.unit.tolist() == [0, 0, 0, 1, 1, 1]


def test_systems_are_judged_by_the_mean_of_their_translations():
    # A's first segment has two judgements, yet counts once.
    items = gathered(
        said(("A", 1, 10), ("A", 1, 20), ("A", 2, 5), ("B", 3, 1)), level="system", unit="system"
    )
    assert items.items.human.tolist() == [10, 1]
    np.testing.assert_array_equal(items.items.rows[0], ROWS["A"].sum(0))


def test_outputs_that_are_the_same_were_judged_once():
    assert len(gathered(said(("A+B", 1, 7), ("A", 2, 1))).items) == 2
    assert gathered(said(("A+B", 1, 7)), level="system").items.human.tolist() == [7, 7]
    assert gathered(said(("A+B", 1, 7), ("B", 2, 1)), level="system").items.human.tolist() == [7, 4]


def test_wmt_dresses_names():
    items = gathered(said(("newstest2013.fr-en.A", 1, 1), ("newstest2016.B.ro-en", 1, 2)))
    assert items.systems == 2


def test_segments_by_id_or_from_another_first_number():
    named = TestSet(references=(("a",) * 4,), labels={"segment_id": ("w", "x", "y", "z")})
    assert (gathered(said(("A", "y", 1)), named).items.rows == ROWS["A"][2]).all()
    assert (gathered(said(("A", 0, 1)), first=0).items.rows == ROWS["A"][0]).all()


RANKS = [(1, {"A": 1, "B": 2, "C": 2}), (1, {"A": 2, "B": 1})]


def test_ranks_make_pairs_within_a_ranking_only():
    rows = ROWS | {"C": made_rows(4, 3)}
    items = gathered(ranked_together(*RANKS), rows=rows)
    assert items.judgements == 5
    assert sorted(map(tuple, items.items.pairs.tolist())) == [(0, 1), (0, 2), (1, 0)]
    shares = gathered(ranked_together(*RANKS), rows=rows, level="system").items.human
    np.testing.assert_allclose(shares, [2 / 3, 1 / 2, 0])
    known = gathered(ranked_together(*RANKS), skip_unknown_systems=True)  # C has no outputs
    assert sorted(map(tuple, known.items.pairs.tolist())) == [(0, 1), (1, 0)]
    assert known.left_out == 2


def test_systems_that_were_ranked_as_one_win_and_lose_together():
    rows = ROWS | {"C": made_rows(4, 3)}
    spoken = ranked_together((1, {"A+B": 1, "C": 2}), (2, {"A": 2, "B": 1}))
    shares = gathered(spoken, rows=rows, level="system").items.human
    np.testing.assert_allclose(shares, [1 / 2, 1, 0])
    assert sorted(map(tuple, gathered(spoken, rows=rows).items.pairs.tolist())) == [(0, 1), (3, 2)]


def test_control_items_are_not_fitted_to():
    spoken = said(*(("A", item, 10 * item) for item in (1, 2, 3, 4)))
    kinds = np.array([ORDINARY, REPEAT, BAD_REFERENCE, REFERENCE], np.int8)
    items = gathered(replace(spoken, kind=kinds))
    assert items.items.human.tolist() == [10, 20]
    assert (items.judgements, items.controls) == (2, 2)


def test_judgements_without_a_score():
    with pytest.raises(DataError, match="judgement 2: no score to fit to"):
        gathered(said(("A", 1, 1), ("A", 2, np.nan)))


@pytest.mark.parametrize(
    ("judgements", "options", "message"),
    [
        (
            said(("C", 1, 1)),
            {},
            "judgement 1: unknown system 'C'; known: A, B; give its outputs as NAME=FILE",
        ),
        (said(("C", 1, 1)), {"skip_unknown_systems": True}, "no judgement of any of the systems"),
        (
            said(("A", 0, 1)),
            {},
            "segment 0: the test set has 1 to 4; do they count from 0? --first-segment 0",
        ),
        (said(("A", 5, 1)), {}, "segment 5: the test set has 1 to 4"),
        (said(("A", "x7", 1)), {}, "segment 'x7' is no whole number"),
        (said(("A", "", 1.0)), {}, "--level system"),
        (ranked_together((1, {"A": 1, "B": 1})), {}, "no two translations of a segment have different ranks"),
    ],
)
def test_judgements_that_do_not_fit(judgements, options, message):
    with pytest.raises(DataError) as error:
        gathered(judgements, **options)
    assert message in str(error.value)


def test_scores_of_a_segment_put_its_translations_in_an_order():
    rows = ROWS | {"C": made_rows(4, 3)}
    scores = [
        (s, i, v) for i, vs in ((1, (70, 30, 44)), (2, (5, 5, 80))) for s, v in zip("ABC", vs, strict=True)
    ]
    spoken = said(*scores)
    result = gathered(spoken, rows=rows).items

    def named(items):
        return sorted(
            (*(scores[at][0] for at in pair), *(scores[at][1] for at in pair)) for pair in items.pairs
        )

    within = [("A", "B", 1, 1), ("A", "C", 1, 1), ("C", "B", 1, 1)]
    assert named(result) == [*within[:2], ("C", "A", 2, 2), within[2], ("C", "B", 2, 2)]
    # WMT's rule for making ranks of scores: 25 points apart.
    apart = gathered(spoken, rows=rows, min_gap=25).items
    assert named(apart) == [*within[:2], ("C", "A", 2, 2), ("C", "B", 2, 2)]
    # Less is better, so the order is turned round.
    turned = gathered(said(*scores, protocol="hter"), rows=rows).items
    assert {(b, a) for a, b in map(tuple, turned.pairs)} == set(map(tuple, result.pairs))
    # What is held out apart cannot be compared.
    assert not len(gathered(spoken, rows=rows, unit="system").items.pairs)


def test_the_outputs_of_one_segment_stay_in_one_fold():
    rng = np.random.default_rng(0)
    rows = {name: made_rows(40, seed) for seed, name in enumerate("ABC")}
    test_set = TestSet(references=(("x",) * 40,))
    spoken = [(s, i, 1) for s in "ABC" for i in range(1, 41)]
    rng.shuffle(spoken)
    items = gathered(said(*spoken), test_set, rows).items
    fold = fold_of_units(items.units, 5, 1)[items.unit]
    for segment in range(1, 41):
        assert len({fold[at] for at, (_, item, _) in enumerate(spoken) if int(item) == segment}) == 1
    assert set(np.bincount(fold)) == {24}


def test_a_document_is_that_of_its_segment_even_where_rows_disagree():
    spoken = said(("A", 1, 1), ("B", 1, 2), ("A", 2, 1), documents="xyy")
    test_set = TestSet(references=(("a",) * 4,))
    assert gathered(spoken, test_set, unit="document").items.unit.tolist() == [0, 0, 1]


def test_the_only_system_need_not_be_named():
    spoken = said(("mt", 2, 0.3), protocol="hter")
    items = gathered(spoken, rows={"A": ROWS["A"]})
    assert (items.items.rows == ROWS["A"][1]).all()
    assert items.systems == 1
    with pytest.raises(DataError, match=r"name no system, but outputs of several were given \(A, B\)"):
        gathered(spoken)


def test_errors_say_where_the_judgement_stands():
    spoken = replace(
        said(("A", 1, 1), ("A", 9, 1), ("C", 1, 1)),
        file=NameColumn.same("j.tsv", 3),
        line=np.array([2, 3, 5]),
    )
    with pytest.raises(DataError, match=r"^j\.tsv, line 3: segment 9: the test set has 1 to 4$"):
        gathered(spoken)
    with pytest.raises(DataError, match=r"^j\.tsv, line 5: unknown system 'C'"):
        gathered(spoken[np.array([0, 2])])


def test_too_little_or_nothing_to_fit_to():
    with pytest.raises(DataError, match="no judgements"):
        tune(said(("A", 1, 1))[:0], ROWS, TEST_SET, DEFAULT)
    with pytest.raises(DataError, match=r"too few judgements: 4 segments for 5 folds.*--folds 4"):
        tune(said(*(("A", i, i) for i in (1, 2, 3, 4))), ROWS, TEST_SET, DEFAULT)
    with pytest.raises(DataError, match=r"all 8 judgements are the same \(50\)"):
        tune(
            said(*((s, i, 50) for s in "AB" for i in (1, 2, 3, 4))),
            ROWS,
            TEST_SET,
            DEFAULT,
            TuningOptions(folds=2),
        )
    empty = {name: np.zeros((4, 1, 23)) for name in "AB"}
    with pytest.raises(DataError, match="the same score"):
        tune(
            said(*((s, i, i) for s in "AB" for i in (1, 2, 3, 4))),
            empty,
            TEST_SET,
            DEFAULT,
            TuningOptions(folds=2),
        )


def test_systems_can_be_fitted_to(monkeypatch):
    monkeypatch.setattr(space_module, "GRID", SMALL)
    names = "abcdefgh"
    rows = {name: made_rows(30, seed) for seed, name in enumerate(names)}
    test_set = TestSet(references=(("x",) * 30,))
    summed = Items(np.stack([rows[name].sum(0) for name in names]), np.zeros(8), np.arange(8))
    human = dict(zip(names, summed.scores(PLANTED), strict=True))
    tuning = tune(
        said(*((name, "", value) for name, value in human.items())),
        rows, test_set, DEFAULT, TuningOptions(level="system", folds=4, resamples=20),
    )  # fmt: skip
    assert tuning.fitted == pytest.approx(1.0, abs=1e-6)
    assert tuning.items == tuning.units == 8
    assert "very few" in tuning.warnings[0]
