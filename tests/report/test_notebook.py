"""Results in a notebook: shown by a real IPython, escaped, light and dark, and as tables and charts."""

import re
import sys
from html import unescape

import numpy as np
import pytest

import adjudge
from adjudge import analyses
from adjudge.analysis.origin_study import OriginOptions, origin_study
from adjudge.comparison.comparing import compare_sets
from adjudge.comparison.plan import Plan
from adjudge.comparison.study_material import StudyMaterial
from adjudge.display import Displayable
from adjudge.errors import MissingExtraError, UsageError
from adjudge.io.glossaries import Term

EVIL = "<img src=x onerror=alert(1)>"
REFERENCE = ["The old house stands there.", "We see many trees, 12 of them.", "Nobody knows the way."] * 8


KINDS = (
    "BucketScores",
    "Changes",
    "Diff",
    "Diversity",
    "ErrorClasses",
    "ErrorTypology",
    "Examples",
    "Faults",
    "Lines",
    "LintReport",
    "NgramDifferences",
    "OriginStudy",
    "ScoreDistributions",
    "TermResult",
    "WordAccuracy",
    "Analysis",
    "Comparison",
    "LanguagePairAnalyses",
    "Scores",
    "Xray",
)
"""Results that declare what is shown of them, and the others."""


@pytest.fixture(scope="module")
def texts():
    worse = [line.replace("the", "a").replace("trees", "tree").replace("Nobody", EVIL) for line in REFERENCE]
    test_set = adjudge.TestSet(
        references=[REFERENCE], sources=REFERENCE, labels={"domain": ["news", "talk"] * 12}, language="de-en"
    )
    return test_set, [adjudge.Outputs("good", REFERENCE), adjudge.Outputs(EVIL, worse)]


@pytest.fixture(scope="module")
def over_time(texts, tmp_path_factory):
    """Two versions of one system on a line, and what is between them."""
    test_set, outputs = texts
    place = str(tmp_path_factory.mktemp("history") / "history.db")
    for output in outputs:
        version = adjudge.Outputs(EVIL, output.segments)
        number = adjudge.record(adjudge.score(test_set, version, "chrf", rows=True), place=place, label=EVIL)
        assert number in (1, 2)
    with adjudge.History.open(place) as history:
        return [history.lines(), history.diff("1", "2")]


def sets(test_set, outputs):
    """The same texts as two test sets of a study, with a half of each origin."""
    test_set = adjudge.TestSet(
        references=test_set.references, sources=test_set.sources, labels={"origin": ["de", "en"] * 12}
    )
    return [StudyMaterial(name, test_set, tuple(outputs), "de-en") for name in ("news", EVIL)]


@pytest.fixture(scope="module")
def results(texts, over_time):
    test_set, outputs = texts
    few = analyses.Resampling(resamples=20, trials=50)
    errors = analyses.error_classes(test_set, outputs, resamples=20)
    judgements = adjudge.Judgements(
        protocol="mqm",
        system=adjudge.NameColumn.of(["good", EVIL]),
        item=adjudge.NameColumn.of(["1", "2"]),
        annotator=adjudge.NameColumn.same("ann", 2),
        score=np.zeros(2),
        spans=((), ()),
    )
    of_two_pairs = adjudge.Judgements(
        protocol="da",
        system=adjudge.NameColumn.of(["good", EVIL] * 8),
        item=adjudge.NameColumn.of([str(number // 2) for number in range(16)]),
        annotator=adjudge.NameColumn.of(["ann", "ann", "bob", "bob"] * 4),
        score=np.arange(16.0) % 7,
        labels={"languages": adjudge.NameColumn.of(["de-en"] * 8 + [f"de-{EVIL}"] * 8)},
    )
    made = [
        adjudge.score(test_set, outputs, ["bleu", "chrf"], segments=True),
        adjudge.compare(test_set, outputs, ["bleu", "chrf"], resamples=20, trials=50),
        adjudge.xray(test_set, outputs, "ter"),
        adjudge.lint(test_set, outputs, skip=["language"]),
        adjudge.analyse(adjudge.load_judgements("examples/judgements.tsv").judgements, resamples=20),
        adjudge.analyse(of_two_pairs, resamples=20),
        analyses.bucket_scores(test_set, outputs, "chrf", by="domain", resampling=few),
        analyses.changes(test_set, outputs),
        analyses.diversity(test_set, outputs),
        errors,
        analyses.error_typology(errors, test_set, outputs, judgements),
        analyses.examples(test_set, outputs),
        analyses.faults(test_set, outputs, resamples=20),
        analyses.ngram_differences(test_set, outputs),
        analyses.score_distributions(test_set, outputs, resamples=20),
        analyses.terms(test_set, outputs, [Term("trees", ("trees",))], resamples=20),
        analyses.word_accuracy(test_set, outputs, resamples=20),
        compare_sets(sets(test_set, outputs), ["chrf"], Plan(resamples=20, trials=50)),
        origin_study(sets(test_set, outputs), ["chrf"], OriginOptions(resamples=20)),
        *over_time,
    ]
    of_study = [isinstance(result, adjudge.comparison.Comparison) and bool(result.tables) for result in made]
    return {
        "Study" if study else type(result).__name__: result
        for result, study in zip(made, of_study, strict=True)
    }


def test_there_is_one_of_every_kind(results):
    kinds = {type(result) for result in results.values()}
    assert {kind.__name__ for kind in kinds} == set(KINDS)
    assert all(isinstance(result, Displayable) for result in results.values())


@pytest.mark.parametrize("name", sorted(["Study", *KINDS]))
def test_ipython_shows_it_and_no_text_runs(results, name):
    pytest.importorskip("IPython")
    from IPython.core.formatters import DisplayFormatter

    shown, _ = DisplayFormatter().format(results[name])
    page = shown["text/html"]
    assert "<img src=x" not in page
    assert "<script" not in page
    assert page.startswith('<div class="adjudge"><style>')
    if name != "Analysis":
        assert "good" in page or "&lt;img src=x" in page


@pytest.mark.parametrize("name", sorted(["Study", *KINDS]))
def test_tables_of_pandas_and_polars_hold_the_same(results, name):
    pytest.importorskip("pandas")
    pytest.importorskip("polars")
    ours, theirs = results[name].to_pandas(), results[name].to_polars()
    assert list(ours.columns) == theirs.columns
    assert ours.shape == theirs.shape
    if name != "LintReport":
        assert len(ours) > 0


def test_numbers_are_those_of_the_result(results):
    pytest.importorskip("pandas")
    compared, scored = results["Comparison"], results["Scores"]
    frame = compared.to_pandas()
    assert frame["score"].tolist() == [own.score for own in compared.results]
    assert frame["rank_interval_from"].tolist() == [own.rank_interval[0] for own in compared.results]
    assert compared.to_pandas("pairs")["p"].tolist() == [pair.p for pair in compared.pairs]
    segments = scored.to_pandas("segments")
    assert segments["good:bleu"].tolist() == list(scored.results[0].segments)
    with pytest.raises(UsageError, match="unknown table 'pears'; did you mean 'pairs'"):
        compared.to_pandas("pears")
    with pytest.raises(UsageError, match="has one table"):
        results["Diversity"].to_pandas("other")


def test_systems_may_be_called_like_columns(texts):
    pytest.importorskip("pandas")
    test_set, outputs = texts
    named = [adjudge.Outputs("segment", outputs[0].segments), adjudge.Outputs("size", outputs[1].segments)]
    frame = analyses.changes(test_set, named).to_pandas()
    assert frame.columns.is_unique


def test_a_chart_has_every_system_and_no_link(results):
    compared = results["Comparison"]
    whole = compared.plot()
    assert len(whole.svgs) == len({own.metric for own in compared.results}) > 1
    [alone] = compared.plot("bleu").svgs
    assert alone in whole._repr_html_()
    told = [unescape(own) for own in re.findall(r"<circle[^>]*><title>([^<]*)</title>", alone)]
    scores = {own.system: own.score for own in compared.results if own.metric == "bleu"}
    assert {own.partition(":")[0] for own in told} == set(scores)
    assert all(f"{scores[own.partition(':')[0]]:.1f}" in own for own in told)
    assert "href" not in alone
    assert "var(--" not in alone
    with pytest.raises(UsageError, match="unknown metric 'blue'"):
        compared.plot("blue")


@pytest.mark.parametrize(
    ("package", "extra", "ask"),
    [
        ("pandas", "notebook", lambda result: result.to_pandas()),
        ("polars", "notebook", lambda result: result.to_polars()),
    ],
    ids=["pandas", "polars"],
)
def test_what_is_not_installed_is_said(results, monkeypatch, package, extra, ask):
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(MissingExtraError, match=rf"pip install 'adjudge\[{extra}\]'"):
        ask(results["Comparison"])


def test_results_know_nothing_of_looks_until_somebody_looks():
    import subprocess

    code = (
        "import sys, adjudge; t = adjudge.TestSet(references=[['a']]);"
        "r = adjudge.score(t, adjudge.Outputs('x', ['a']), 'chrf');"
        "assert 'adjudge.report.render.notebook' not in sys.modules; assert '<div' in r._repr_html_()"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
