"""Pilots of judgements: one score a translation, standardised by annotator; preferences by their signs."""

import math
from dataclasses import replace

import numpy as np
import pytest

from adjudge.data.judgements import BAD_REFERENCE, REPEAT, Judgements, NameColumn, Span
from adjudge.errors import DataError, UsageError
from adjudge.planning.campaign_plan import CampaignDesign
from adjudge.planning.pilot import pilot_of_judgements
from adjudge.planning.pilot_power import power_from_pilot
from adjudge.planning.power_documents import document
from adjudge.planning.power_words import notes

QUICK = CampaignDesign(simulations=300)


def ratings(items=120, judges=4, shift=8.0, seed=2, protocol="da", **columns):
    """Two systems on the same items, each translation judged twice, by judges with scales of their own."""
    rng = np.random.default_rng(seed)
    severity, width = rng.normal(50, 10, judges), rng.uniform(0.5, 2.0, judges)
    quality = {"A": rng.normal(0, 6, items) + shift, "B": rng.normal(0, 6, items)}
    system, item, judge, score = [], [], [], []
    for name in ("A", "B"):
        for i in range(items):
            for who in rng.choice(judges, 2, replace=False):
                system.append(name)
                item.append(str(i))
                judge.append(f"j{who}")
                score.append(severity[who] + width[who] * (quality[name][i] + rng.normal(0, 6)))
    return Judgements(
        protocol, NameColumn.of(system), NameColumn.of(item), NameColumn.of(judge), np.array(score), **columns
    )


def test_z_a_translation_by_hand():
    judgements = ratings()
    pilot = pilot_of_judgements(judgements, seed=1)
    who, score = judgements.annotator.codes, judgements.score
    z = np.empty(len(score))
    for judge in np.unique(who):
        own = score[who == judge]
        z[who == judge] = (own - own.mean()) / own.std(ddof=1)
    names, items = np.array(judgements.system.values()), np.array(judgements.item.values())
    means = {
        name: np.array([z[(names == name) & (items == str(i))].mean() for i in range(120)]) for name in "AB"
    }
    facts = pilot.facts
    assert facts.difference == pytest.approx(means["A"].mean() - means["B"].mean())
    assert facts.correlation == pytest.approx(np.corrcoef(means["A"], means["B"])[0, 1])
    assert facts.effect == pytest.approx((means["A"][:, None] < means["B"]).mean())
    assert (facts.units, facts.judgements, facts.label) == (120, 480, "z-score")
    assert 0.3 < facts.icc < 0.8
    assert pilot.tests[:3] == ("rank-sum", "signed-rank", "sign")
    raw = pilot_of_judgements(judgements, score="raw", seed=1)
    assert raw.facts.label == "da"
    assert raw.facts.difference > 1


def test_control_items_count_for_scales_only():
    judgements = ratings()
    kind = np.zeros(len(judgements), np.int8)
    kind[::7], kind[::11] = BAD_REFERENCE, REPEAT
    controlled = pilot_of_judgements(ratings(kind=kind), seed=1)
    assert controlled.facts.judgements == int((kind == 0).sum())
    assert controlled.facts.difference != pilot_of_judgements(judgements, seed=1).facts.difference


def test_a_campaign_of_judgements():
    answer = power_from_pilot(pilot_of_judgements(ratings(), seed=1), QUICK, scale=0.3)
    assert answer.test == "rank-sum"
    assert answer.power == pytest.approx(0.8, abs=0.08)
    assert answer.judgements == 2 * answer.n


def test_less_is_better_where_it_is():
    hter = ratings(protocol="hter", higher_is_better=False)
    pilot = pilot_of_judgements(hter, seed=1)
    assert pilot.facts.label == "hter"  # the same to all judges
    assert pilot.facts.difference > 0
    assert pilot.facts.effect > 0.5  # so B is better


def test_errors_are_weighed():
    rng = np.random.default_rng(4)
    names = NameColumn.of(["A"] * 60 + ["B"] * 60)
    items = NameColumn.of([str(i % 60) for i in range(120)])
    spans = tuple(
        tuple(Span(0, 1, "major", "accuracy/mistranslation") for _ in range(rng.poisson(2 if i < 60 else 1)))
        for i in range(120)
    )
    judgements = Judgements(
        "mqm", names, items, NameColumn.same("j", 120), np.full(120, math.nan), spans=spans
    )
    facts = pilot_of_judgements(judgements, seed=1).facts
    errors = np.array([len(each) for each in spans])
    assert facts.difference == pytest.approx(5 * (errors[:60].mean() - errors[60:].mean()))
    assert facts.effect > 0.5


def preferences(answers):
    """(system, other, item, score) each."""
    return Judgements(
        "rank",
        NameColumn.of([a for a, _, _, _ in answers]),
        NameColumn.of([item for _, _, item, _ in answers]),
        NameColumn.same("j", len(answers)),
        np.array([score for *_, score in answers], dtype=float),
        other=NameColumn.of([b for _, b, _, _ in answers]),
        ranking=np.arange(len(answers)),
    )


def test_preferences():
    rng = np.random.default_rng(5)
    answers = []
    for i in range(200):
        won = int(rng.choice([1, 0, -1], p=[0.5, 0.2, 0.3]))
        answers.append(("A", "B", str(i), won) if i % 2 else ("B", "A", str(i), -won))
        answers.append(("A", "C", str(i), 1))
    pilot = pilot_of_judgements(preferences(answers), ("A", "B"), seed=1)
    facts = pilot.facts
    assert pilot.tests == ("sign", "randomisation", "bootstrap")
    won, lost = (
        np.mean([score == side for a, b, _, score in answers if (a, b) == ("A", "B")]) for side in (1, -1)
    )
    back = [score for a, b, _, score in answers if (a, b) == ("B", "A")]
    wins = (won + np.mean([s == -1 for s in back])) / 2
    losses = (lost + np.mean([s == 1 for s in back])) / 2
    assert facts.difference == pytest.approx(wins - losses)
    assert facts.effect == pytest.approx(losses + (1 - wins - losses) / 2)
    assert (facts.units, facts.judgements) == (200, 200)
    turned = pilot_of_judgements(preferences(answers), ("B", "A"), seed=1).facts
    assert turned.difference == pytest.approx(-facts.difference)
    answer = power_from_pilot(pilot, QUICK)
    assert answer.power == pytest.approx(0.8, abs=0.08)
    with pytest.raises(UsageError, match="is n itself: --n"):
        power_from_pilot(pilot, QUICK, budget=100)
    with pytest.raises(DataError, match="B and C were never compared"):
        pilot_of_judgements(preferences(answers), ("B", "C"), seed=1)
    with pytest.raises(UsageError, match="there are 3: --pair"):
        pilot_of_judgements(preferences(answers), seed=1)


def test_pilots_that_are_none():
    judgements = ratings()
    with pytest.raises(UsageError, match="unknown score 'zz'"):
        pilot_of_judgements(judgements, score="zz", seed=1)
    nameless = Judgements(
        "da", judgements.system, judgements.item, NameColumn.same("", len(judgements)), judgements.score
    )
    assert pilot_of_judgements(nameless, seed=1).facts.label == "da"
    with pytest.raises(DataError, match="there are no z-scores"):
        pilot_of_judgements(nameless, score="z", seed=1)
    holes = Judgements(
        "da", judgements.system, judgements.item, judgements.annotator, np.full(len(judgements), math.nan)
    )
    with pytest.raises(DataError, match="judgement 1: the score is nan"):
        pilot_of_judgements(holes, seed=1)


def test_scores_of_whole_systems_are_no_pilot():
    whole = Judgements(
        "da", NameColumn.of("AB"), NameColumn.same("", 2), NameColumn.same("", 2), np.array([0.5, 0.4])
    )
    with pytest.raises(DataError, match="a pilot needs judgements of segments"):
        pilot_of_judgements(whole, seed=1)


def test_wmt21(shared):
    """Two systems of the published campaign: difference and effect are those of the official scores a translation."""
    from adjudge.io.judgements import read

    folder = shared.data / "01_wmt21_da_toen" / "cs-en" / "human"
    pilot = pilot_of_judgements(
        read(str(folder / "judgements.tsv")).judgements, ("Facebook-AI", "Online-B"), seed=1
    )
    scores = {}
    for line in (folder / "seg-scores.csv").read_text(encoding="utf-8").splitlines()[1:]:
        system, item, _, z, _ = line.split(" ")[:5]
        scores.setdefault(system.rsplit(".", 1)[0], {})[item] = float(z)
    a, b = scores["Facebook-AI"], scores["Online-B"]
    common = sorted(set(a) & set(b))
    # Repeats count there, and not here.
    assert pilot.facts.units == pytest.approx(len(common), abs=3)
    theirs = np.mean([a[i] - b[i] for i in common])
    assert pilot.facts.difference == pytest.approx(theirs, abs=0.01)


def test_a_pilot_does_not_depend_on_the_order_of_rows():
    judgements = ratings()
    order = np.random.default_rng(3).permutation(len(judgements))
    first, second = (
        power_from_pilot(pilot_of_judgements(entry, seed=1), QUICK, n=50)
        for entry in (judgements, judgements[order])
    )
    assert first.power == second.power
    assert first.pilot.low == pytest.approx(second.pilot.low)


def test_z_scores_of_a_file_that_names_nobody():
    judgements = ratings()
    z = np.linspace(-1, 1, len(judgements))
    nobody = Judgements(
        "da",
        judgements.system,
        judgements.item,
        NameColumn.same("", len(judgements)),
        judgements.score,
        measures={"z": z},
    )
    assert pilot_of_judgements(nobody, seed=1).facts.label == "z-score"


def judged_by_tastes(seed: int, *, taste: float, items: int = 80, annotators: int = 8) -> Judgements:
    """Two systems on the same items, each item by one annotator who favours systems in a way of their own."""
    rng = np.random.default_rng(seed)
    tastes = rng.normal(0, taste, (annotators, 2))
    cells = [(i, s, i % annotators) for i in range(items) for s in range(2)]
    score = [70 + 3.0 * s + tastes[who, s] + rng.normal(0, 8) for _, s, who in cells]
    return Judgements(
        protocol="da",
        system=NameColumn.of(["ab"[s] for _, s, _ in cells]),
        item=NameColumn.of([str(i) for i, _, _ in cells]),
        annotator=NameColumn.of([f"annotator {who}" for _, _, who in cells]),
        score=np.array(score),
    )


def test_n_allows_for_the_annotators_of_the_pilot() -> None:
    campaign = CampaignDesign(simulations=200)
    pilot = pilot_of_judgements(judged_by_tastes(3, taste=8.0), score="raw", seed=1)
    apart = replace(pilot, variance=1.0)
    assert pilot.design.unit == "segment,annotator"
    assert (pilot.design.units, pilot.design.rarer) == (8, "annotator")
    asked, alone = (power_from_pilot(own, campaign, difference=5.0) for own in (pilot, apart))
    assert asked.n == pytest.approx(pilot.variance * alone.n, rel=0.1)
    (line,) = [line for line in notes(asked) if "annotators" in line]
    assert line.startswith(
        "n allows for what the pilot's 8 annotators have in common: each segment is worth 0."
    )
    assert document(asked)["design"]["unit"] == "segment,annotator"


@pytest.mark.parametrize(("taste", "effect"), [(8.0, 1 + 9 * 0.5), (0.0, 1.0)])
def test_what_annotators_have_in_common_is_kish_s_design_effect(taste, effect) -> None:
    """1 + (items an annotator − 1) × the correlation of their differences; of 8 annotators, estimated a little low."""
    variances = [
        pilot_of_judgements(judged_by_tastes(seed, taste=taste), score="raw", seed=1).variance
        for seed in range(60)
    ]
    assert np.median(variances) == pytest.approx(effect, rel=0.15)


def test_a_plan_is_of_one_language_pair():
    easy, hard = ratings(shift=8.0), ratings(shift=0.0, seed=3)
    pairs = [{"languages": NameColumn.same(name, len(easy))} for name in ("en-de", "en-ja")]
    both = Judgements.joined(
        [replace(part, labels=labels) for part, labels in zip((easy, hard), pairs, strict=True)]
    )
    with pytest.raises(UsageError, match=r"2 language pairs \(en-de and en-ja\), say which one with -l"):
        pilot_of_judgements(both, seed=1)
    chosen = pilot_of_judgements(both, language="eng-deu", seed=1)
    assert chosen.facts == pilot_of_judgements(easy, seed=1).facts
