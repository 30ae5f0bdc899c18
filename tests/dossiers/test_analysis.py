"""`adjudge.analyse`: one frozen result with every part that was asked for, and the command line shows just that."""

import json
from dataclasses import FrozenInstanceError, fields, replace
from pathlib import Path

import pytest

import adjudge
from adjudge.data.judgements import NameColumn
from adjudge.dossiers import Analysis, AnalysisOptions, analyse
from adjudge.dossiers.analysis_display import AnalysisDisplay
from adjudge.dossiers.checklist import Checklist
from adjudge.dossiers.options import OF_RANKINGS, OF_RATINGS, OF_SEGMENTS
from adjudge.errors import UsageError
from adjudge.human.postediting import PostEditingRates
from adjudge.human.rankings import analyse_rankings
from adjudge.human.rater_model import fit_rater_model
from adjudge.human.ratings import analyse_ratings
from adjudge.io.judgements import join_labels, read, read_labels
from adjudge.report.render.formats import render, renderer_of
from helpers.judged import drawn
from helpers.rankings import judged

EXAMPLES = Path(__file__).parents[2] / "examples"
QUICK = {"resamples": 20}


def labelled(name):
    judgements = read(str(EXAMPLES / name)).judgements
    return join_labels(judgements, [read_labels(str(EXAMPLES / "labels.tsv"))])


@pytest.fixture(scope="module")
def ratings():
    return labelled("assessment.csv")


@pytest.fixture(scope="module")
def rankings():
    return labelled("rankings.csv")


def test_it_is_what_adjudge_offers():
    assert adjudge.analyse is analyse
    assert adjudge.Analysis is Analysis


def test_the_name_of_a_file_is_no_judgements():
    with pytest.raises(UsageError, match=r"load_judgements\(FILE\)\.judgements"):
        adjudge.analyse("judgements.tsv")  # type: ignore[arg-type]


def test_nothing_is_there_that_was_not_asked_for(ratings, rankings):
    for judgements, alone in ((ratings, analyse_ratings), (rankings, analyse_rankings)):
        analysis = analyse(judgements, **QUICK)
        assert (analysis.translationese, analysis.post_edits, analysis.model, analysis.curves) == (None,) * 4
        assert isinstance(analysis.checklist, Checklist)
        assert analysis.checklist.claim is None
        assert not analysis.claim_refused
        expected = alone(judgements, **QUICK)
        assert repr(analysis.results) == repr(expected)
        for name in ("facts", "groups", "agreement", "annotators", "controls"):
            assert repr(getattr(analysis, name)) == repr(getattr(expected, name))


def test_every_part_is_there_that_was_asked_for(ratings, rankings):
    analysis = analyse(ratings, by=["origin"], language="pt-en", mixed_model=True, curves=True, **QUICK)
    assert analysis.translationese.segments == {"forward": 44, "reverse": 36}
    assert repr(analysis.model) == repr(fit_rater_model(analysis.results.judgements))
    assert analysis.curves.without_first[0].judgements == analysis.facts.judgements
    assert "WERE CREATED IN REVERSE" in analysis.warnings[0]
    ranked = analyse(rankings, by=["origin"], language="pt-en", curves=True, claim="human-parity", **QUICK)
    assert ranked.translationese.segments.keys() == {"forward", "reverse"}
    assert ranked.curves.without_least[0].dropped == 0
    assert ranked.claim_refused
    edits = read(str(EXAMPLES / "edits.tsv")).judgements
    assert analyse(edits, rates=PostEditingRates(40, 400), **QUICK).post_edits.bills[0].scratch == 100


def test_an_analysis_is_frozen(ratings):
    analysis = analyse(ratings, **QUICK)
    with pytest.raises(FrozenInstanceError):
        analysis.model = 1


def test_the_language_pair_is_the_one_that_all_judgements_are_of(ratings):
    own = replace(ratings, labels={**ratings.labels, "languages": NameColumn.same("pt-en", len(ratings))})
    pairs = [
        next(p for p in analyse(j, language=language, **QUICK).checklist.points if p.name == "language pairs")
        for j, language in ((ratings, None), (ratings, "pt-en"), (own, None), (own, ""))
    ]
    assert [point.verdict for point in pairs] == ["unknown", "pass", "pass", "pass"]


@pytest.mark.parametrize("name", ["assessment.csv", "rankings.csv"])
def test_the_command_line_shows_what_it_returns(name, capsys):
    from adjudge.cli import main

    path = str(EXAMPLES / name)
    labels, language = str(EXAMPLES / "labels.tsv"), "pt-en"
    asked = [
        "--by",
        "origin",
        "-L",
        labels,
        "-l",
        language,
        "--curves",
        "--resamples",
        "20",
        "-f",
        "json",
        "-q",
    ]
    assert main(["human", "analyse", path, *asked]) == 0
    shown = json.loads(capsys.readouterr().out)
    loaded = read(path)
    judgements = join_labels(loaded.judgements, [read_labels(labels)])
    analysis = analyse(judgements, by=("origin",), language=language, curves=True, **QUICK)
    warnings = [*loaded.warnings, *analysis.warnings]
    expected = json.loads(
        render(
            renderer_of(AnalysisDisplay(analysis, warnings), version=adjudge.__version__, inputs=()), "json"
        )
    )
    assert {**shown, "inputs": []} == expected


@pytest.mark.parametrize(
    ("named", "message"),
    [
        ({"ranking": "trueskill"}, "ranking is for rankings; these are ratings"),
        ({"preset": "wmt16"}, "preset wmt16 is for rankings; these are ratings"),
        ({"scor": "raw"}, "unknown option of an analysis 'scor'; did you mean 'score'"),
        ({"sources": ["a"]}, "lengths by origin"),
        ({"claim": "parity"}, "unknown claim 'parity'"),
    ],
)
def test_options_of_ratings_are_checked(ratings, named, message):
    with pytest.raises(UsageError, match=message):
        analyse(ratings, **QUICK, **named)


@pytest.mark.parametrize(
    ("named", "message"),
    [
        ({"score": "z"}, "score is for ratings; these are rankings"),
        ({"mixed_model": True}, "mixed_model is for ratings; these are rankings"),
        ({"preset": "wmt21"}, "preset wmt21 is for ratings; these are rankings"),
    ],
)
def test_options_of_rankings_are_checked(rankings, named, message):
    with pytest.raises(UsageError, match=message):
        analyse(rankings, **QUICK, **named)


def test_options_come_as_one_value_or_as_keywords(ratings):
    options = AnalysisOptions(score="raw", resamples=20)
    assert repr(analyse(ratings, options)) == repr(analyse(ratings, score="raw", resamples=20))
    with pytest.raises(UsageError, match="as one value or as keywords"):
        analyse(ratings, options, alpha=0.1)


def test_what_is_empty_was_not_given():
    rows = judged([("A", "B", (-1, 1, 1, 0)[item % 4], item, item) for item in range(12)])
    assert analyse(rows, expected=[], sources=[], declare={}, by=[], **QUICK).facts.protocol == "rank"
    assert AnalysisOptions().given() == {}
    assert AnalysisOptions(scales_of=drawn(systems=2, items=2)).given() == {"scales_of": "scales_of"}


def test_every_option_that_is_refused_is_one():
    known = {field.name for field in fields(AnalysisOptions)}
    assert known >= OF_RATINGS | OF_RANKINGS | OF_SEGMENTS
