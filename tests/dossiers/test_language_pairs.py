"""Judgements of several language pairs: never one ranking over them, unless their mean is asked for."""

import json

import numpy as np
import pytest

import adjudge
from adjudge.data.judgements import NameColumn
from adjudge.dossiers import Analysis, LanguagePairAnalyses
from adjudge.dossiers.analysis_display import AnalysisDisplay
from adjudge.errors import UsageError
from adjudge.report.render.formats import page_of, render, renderer_of
from helpers.judging import rankings, ratings

SIZES = {"en-ja": 60, "en-zh": 12}


def rated(gain=None, systems="xy", seed=0):
    """Ratings on other items, by other people and of other levels in each pair; x gains so much in a pair."""
    rng = np.random.default_rng(seed)
    rows, pairs = [], []
    for pair, size in SIZES.items():
        for item in range(size):
            for system in systems:
                score = {"en-ja": 80, "en-zh": 40}[pair] + (gain or {}).get(pair, 0) * (system == "x")
                rows.append((f"{pair} {item % 8}", system, f"{pair}:{item}", score + rng.normal(0, 3)))
                pairs.append(pair)
    return ratings(rows, labels={"languages": NameColumn.of(pairs)})


def means(judged, system):
    """The mean score of a system in each pair."""
    code = judged.system.names.index(system)
    column = judged.labels["languages"]
    return [
        judged.score[(judged.system.codes == code) & (column.codes == pair)].mean()
        for pair in range(len(column.names))
    ]


def test_every_pair_has_its_own_analysis():
    judged = rated({"en-ja": 3, "en-zh": -3})
    found = adjudge.analyse(judged, score="raw", resamples=100)
    assert isinstance(found, LanguagePairAnalyses)
    assert list(found) == ["en-ja", "en-zh"]
    assert [group.by for group in found.groups] == [{"languages": "en-ja"}, {"languages": "en-zh"}]
    assert [found[pair].groups[0].systems[0].system for pair in found] == ["x", "y"]
    for place, pair in enumerate(found):
        own = found[pair]
        assert own.facts.items == SIZES[pair]
        assert own.facts.annotators == 8
        assert next(s.mean for s in own.groups[0].systems if s.system == "x") == pytest.approx(
            means(judged, "x")[place]
        )
        [point] = [point for point in own.checklist.points if point.name == "language pairs"]
        assert point.verdict == "pass"
    alone = adjudge.analyse(judged[judged.labels["languages"].codes == 1], score="raw", resamples=100)
    assert isinstance(alone, Analysis)
    assert repr(alone.groups) == repr(found["en-zh"].groups)


def test_one_pair_can_be_named_in_any_spelling():
    judged = rated()
    found = adjudge.analyse(judged, language="eng-jpn", resamples=100)
    assert isinstance(found, Analysis)
    assert found.facts.items == SIZES["en-ja"]
    with pytest.raises(UsageError, match=r"2 language pairs \(en-ja and en-zh\), and none are of de-en"):
        adjudge.analyse(judged, language="de-en")


def test_rankings_stay_apart_too():
    rows = [("A", "x", "y", f"{pair}{i}", sign) for pair, sign in (("ja", 1), ("zh", -1)) for i in range(20)]
    pairs = NameColumn.of([f"en-{row[3][:2]}" for row in rows])
    found = adjudge.analyse(rankings(rows, labels={"languages": pairs}), resamples=100)
    assert [found[pair].groups[0].systems[0].system for pair in found] == ["x", "y"]
    with pytest.raises(UsageError, match=r"pool_languages is for ratings: .*leave it out"):
        adjudge.analyse(rankings(rows, labels={"languages": pairs}), pool_languages=True)


def test_pooled_pairs_count_alike():
    """However many items a pair has: the mean over pairs, not over judgements."""
    judged = rated({"en-ja": 6, "en-zh": -6})
    found = adjudge.analyse(judged, score="raw", pool_languages=True, unit="translation", resamples=100)
    pooled, *apart = found.groups
    assert [group.by for group in apart] == [{"languages": "en-ja"}, {"languages": "en-zh"}]
    for system in pooled.systems:
        expected = np.mean(means(judged, system.system))
        assert (system.score, system.mean) == pytest.approx((expected, expected))
        assert system.low < expected < system.high
    [pair] = pooled.pairs
    assert pair.delta == pytest.approx(np.mean(means(judged, pair.a)) - np.mean(means(judged, pair.b)))
    assert pair.p > 0.05  # +6 in 60 items and −6 in 12: no difference on average
    assert all(group.pairs[0].p < 0.01 for group in apart)
    both = adjudge.analyse(rated({"en-ja": 6, "en-zh": 6}), score="raw", pool_languages=True, resamples=100)
    assert both.groups[0].pairs[0].p < 0.01


def test_pooled_tests_hold():
    """Equal systems, pairs of unlike sizes and levels: no more is found than is promised."""
    found = sum(
        adjudge.analyse(rated(seed=seed), score="raw", pool_languages=True, resamples=100, trials=400)
        .groups[0]
        .pairs[0]
        .p
        < 0.1
        for seed in range(60)
    )
    assert found <= 13  # 6 expected; more than 13 in 1 of 300 runs


def test_a_system_of_some_pairs_has_no_mean_over_all():
    judged = rated(systems="xyz")
    column = judged.labels["languages"]
    judged = judged[~((judged.system.codes == 2) & (column.codes == 1))]
    found = adjudge.analyse(judged, pool_languages=True, resamples=100)
    assert {system.system for system in found.groups[0].systems} == {"x", "y"}
    assert found.facts.systems == 2
    [said] = [w for w in found.warnings if "left out of the mean" in w]
    assert said.startswith("z was not judged in all of 2 language pairs")


def test_what_cannot_be_pooled_is_refused():
    judged = rated()
    for options, message in (
        ({"test": "rank-sum"}, "choose --test randomisation, or leave --pool-languages out"),
        ({"mixed_model": True}, "leave --pool-languages out, and each pair has its own model"),
    ):
        with pytest.raises(UsageError, match=message):
            adjudge.analyse(judged, pool_languages=True, **options)
    with pytest.raises(UsageError, match="several language pairs"):
        adjudge.analyse(judged[judged.labels["languages"].codes == 0], pool_languages=True)


def test_agreement_is_of_one_pair():
    """Two pairs of unlike levels: who agrees by chance within each would agree well over both."""
    rng = np.random.default_rng(1)
    rows = [
        (who, "x", f"{pair}:{item}", level + rng.normal())
        for pair, level in (("en-ja", 80), ("en-zh", 40))
        for item in range(30)
        for who in ("Anna", "Ben")
    ]
    judged = ratings(rows, labels={"languages": NameColumn.of([row[2][:5] for row in rows])})
    with pytest.raises(UsageError, match=r"2 language pairs \(en-ja and en-zh\), and agreement is of one"):
        adjudge.agreement(judged)
    apart = [adjudge.agreement(judged[judged.labels["languages"].codes == code]) for code in (0, 1)]
    assert all(abs(own.inter.pearson) < 0.5 for own in apart)
    assert adjudge.agreement(judged, pool_languages=True).inter.pearson > 0.99
    whole = adjudge.analyse(judged, score="raw", resamples=100)
    assert [whole[pair].agreement.inter.pearson for pair in whole] == pytest.approx(
        [own.inter.pearson for own in apart]
    )


def test_every_format_has_every_pair():
    found = adjudge.analyse(rated(), resamples=100)
    titles = [section.title for section in AnalysisDisplay(found).sections() if section.title]
    assert {title.partition(":")[0] for title in titles} == set(SIZES)
    document = AnalysisDisplay(found).document()
    json.dumps(document)
    assert list(document["language_pairs"]) == ["en-ja", "en-zh"]
    assert [group["by"] for group in document["groups"]] == [{"languages": pair} for pair in SIZES]
    assert document["language_pairs"]["en-zh"]["checklist"]
    head, *lines = render(renderer_of(found, version="1"), "tsv").splitlines()
    assert head.startswith("languages\tgroup\tsystem")
    assert [line.split("\t")[0] for line in lines] == ["en-ja"] * 2 + ["en-zh"] * 2
    page = str(page_of(found, version="1"))
    assert "What people said in 2 language pairs" in page
    assert len(found.to_pandas()) == 4
    assert "en-zh" in found._repr_html_()


def test_wmt24_has_two_tables(shared):
    loaded = adjudge.load_judgements([shared.data / "21_wmt24_esa" / "esa_generalMT2024_wave3.csv"])
    found = adjudge.analyse(loaded.judgements, resamples=100, trials=100)
    assert [(pair, len(own.groups[0].systems)) for pair, own in found.items()] == [
        ("eng-jpn", 13),
        ("eng-zho", 13),
    ]


def test_a_report_takes_the_pair_of_its_texts():
    beside = adjudge.EvaluationContext(judgements=rated())
    assert set(beside.of_language("eng-zho").judgements.labels["languages"].names) == {"en-zh"}
    with pytest.raises(UsageError, match="say which one with -l"):
        beside.of_language("")
