"""What to judge next: segments chosen by metrics or by chance, kept with the campaign, and warned of."""

import json
from pathlib import Path

import numpy as np
import pytest

from adjudge.campaigns import campaign
from adjudge.campaigns.campaign import Selection
from adjudge.campaigns.items import CampaignMaterial
from adjudge.campaigns.selection import METHODS, chosen_segments, selection_remark, unlikeness, with_selection
from adjudge.data import Outputs, TestSet
from adjudge.errors import DataError, UsageError

EXAMPLES = Path(__file__).parents[2] / "examples"
MATERIAL = CampaignMaterial(
    TestSet(references=(("the cat sat", "a dog ran", "it is so", "we go home"),)),
    (
        Outputs("one", ("the cat sat", "a dog ran", "blah blah", "we go home")),
        Outputs("two", ("the cat sat", "xyz", "blah blah", "we go homes")),
    ),
)


def asked(method, **more):
    return {"method": method, "items": 30, **more}


@pytest.mark.parametrize(
    ("method", "expected"),
    [("variance", 1), ("difficulty", 2), ("diversity", 1), ("disagreement", 3), ("consistency", 1)],
)
def test_where_judging_teaches_most(method, expected):
    assert chosen_segments(MATERIAL, Selection(method, 1)).tolist() == [expected]


def test_unlike_outputs():
    unlike = unlikeness(MATERIAL)
    assert unlike[0] == unlike[2] == 0.0
    assert unlike[1] == 100.0
    assert 0 < unlike[3] < 60


@pytest.mark.parametrize("method", METHODS)
def test_a_choice_stands_in_the_campaign_and_is_the_same_again(method):
    read = campaign.load(str(EXAMPLES / "campaign.toml"), asked(method))
    chosen = with_selection(read, EXAMPLES)
    lines = chosen.selection.lines
    assert len(lines) == 30
    assert list(lines) == sorted(set(lines))
    assert with_selection(read, EXAMPLES) == chosen
    assert campaign.parse(json.loads(json.dumps(chosen.stored))) == chosen
    assert chosen.stored["selection"]["seed"] == 12345
    material = campaign.chosen_material(chosen, EXAMPLES)
    assert len(material.test_set) == 30
    everything = campaign.read_material(read, EXAMPLES)
    assert material.names() == tuple(str(line) for line in lines)
    for own, whole in zip(material.outputs, everything.outputs, strict=True):
        assert own.segments == tuple(whole.segments[line - 1] for line in lines)
    more = campaign.with_more_systems(chosen, material, [f"extra={EXAMPLES / 'systems' / 'rulebased.en'}"])
    assert more.outputs[-1].segments == material.outputs[2].segments


def test_lines_of_the_file_are_counted_where_only_some_are_asked_for():
    content = dict(campaign.load(str(EXAMPLES / "campaign.toml")).stored)
    content["test_set"] = {**content["test_set"], "lines": [101, 150]}
    content["selection"] = {"method": "variance", "items": 5}
    chosen = with_selection(campaign.parse(content), EXAMPLES)
    assert all(101 <= line <= 150 for line in chosen.selection.lines)
    material = campaign.chosen_material(chosen, EXAMPLES)
    assert material.names() == tuple(str(line) for line in chosen.selection.lines)


def test_other_seeds_draw_others():
    first, second = (
        with_selection(
            campaign.load(str(EXAMPLES / "campaign.toml"), asked("stratified", seed=seed)), EXAMPLES
        )
        for seed in (1, 2)
    )
    assert first.selection.lines != second.selection.lines


def test_metrics_can_be_named():
    read = campaign.load(str(EXAMPLES / "campaign.toml"), asked("variance", metrics=["ter", "bleu"]))
    chosen = with_selection(read, EXAMPLES)
    assert chosen.stored["selection"]["metrics"] == ["ter", "bleu"]
    usual = with_selection(campaign.load(str(EXAMPLES / "campaign.toml"), asked("variance")), EXAMPLES)
    assert usual.stored["selection"]["metrics"] == ["chrf"]
    assert chosen.selection.lines != usual.selection.lines


@pytest.mark.parametrize(
    ("selection", "message"),
    [
        (
            {"method": "variants", "items": 3},
            "selection.method: unknown method 'variants'; did you mean 'variance'",
        ),
        ({"items": 3}, "selection.method"),
        ({"method": "random"}, "selection.items: how many"),
        ({"method": "random", "items": 0}, "selection.items"),
        ({"method": "random", "items": "3"}, "selection.items: a whole number"),
        ({"method": "random", "items": 3, "seed": -1}, "selection.seed"),
        ({"method": "random", "items": 3, "budget": 4}, "selection.budget"),
        ({"method": "random", "items": 3, "metrics": [3]}, "selection.metrics"),
        ({"method": "random", "items": 2, "lines": [3]}, "selection.lines: 2 lines"),
        ({"method": "random", "items": 2, "lines": [3, 3]}, "selection.lines: numbers of lines"),
    ],
)
def test_selections_that_are_wrong(selection, message):
    with pytest.raises(DataError, match=message):
        campaign.load(str(EXAMPLES / "campaign.toml"), selection)


@pytest.mark.parametrize(
    ("selection", "message"),
    [
        (asked("random", items=173), "are all"),
        (asked("disagreement", metrics=["chrf"]), "cannot disagree"),
        (asked("variance", metrics=["length-ratio"]), "not better either way"),
        (asked("variance", metrics=["blue"]), "did you mean 'bleu'"),
    ],
)
def test_what_cannot_be_chosen(selection, message):
    read = campaign.load(str(EXAMPLES / "campaign.toml"), selection)
    with pytest.raises((DataError, UsageError), match=message):
        with_selection(read, EXAMPLES)


def test_documents_are_not_torn_apart():
    content = dict(campaign.load(str(EXAMPLES / "campaign.toml"), asked("variance")).stored)
    content["protocol"] = {"name": "da", "context": "document"}
    with pytest.raises(UsageError, match="shows documents"):
        with_selection(campaign.parse(content), EXAMPLES)


def test_what_a_reader_should_know():
    plain = campaign.load(str(EXAMPLES / "campaign.toml"))
    assert selection_remark(plain) == ""
    for method in METHODS:
        remark = selection_remark(campaign.load(str(EXAMPLES / "campaign.toml"), asked(method)))
        assert remark.startswith("only 30 segments are judged, chosen ")
        assert ("biased" in remark) != ("same chance" in remark)
        assert ("biased" in remark) == (method not in ("stratified", "random"))
        # What was chosen by the metrics' order says little of whether that order is right.
        assert ("leans towards the metrics'" in remark) == (method == "consistency")


def test_variance_over_systems_is_numpys():
    rng = np.random.default_rng(1)
    words = np.array(["a", "b", "c", "d", "e"])
    texts = [tuple(" ".join(rng.choice(words, 6)) for _ in range(40)) for _ in range(4)]
    material = CampaignMaterial(
        TestSet(references=(texts[0],)), tuple(Outputs(f"s{i}", text) for i, text in enumerate(texts[1:]))
    )
    from sacrebleu import CHRF

    chrf = CHRF()
    table = np.array(
        [[chrf.sentence_score(o, [r]).score for o, r in zip(t, texts[0], strict=True)] for t in texts[1:]]
    )
    expected = np.sort(np.argsort(-table.var(0), kind="stable")[:7])
    np.testing.assert_array_equal(chosen_segments(material, Selection("variance", 7)), expected)
