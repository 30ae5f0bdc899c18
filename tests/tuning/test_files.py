"""What a fit reports is what the metric gives with the file that was written: to the last bit, on real texts."""

import numpy as np
import pytest

from adjudge import io
from adjudge.comparison.scoring import score
from adjudge.data import TestSet
from adjudge.io.judgements import read
from adjudge.metrics import metric
from adjudge.metrics.meteor_parameters import parameter_file
from adjudge.stats.correlation import CORRELATIONS
from adjudge.stats.draws import fold_of_units
from adjudge.tuning import MEASURES, TuningOptions, gather, rows_of, spec_with_file, tune
from adjudge.tuning import space as space_module
from helpers.tunings import SMALL, said

SYSTEMS = ("neural", "rulebased", "shortened")
WORDS = "the\na\nof\nto\nin\nand\n"


@pytest.fixture
def meteor(tmp_path):
    """METEOR with nothing installed: exact matches and stems, and function words of our own."""
    (tmp_path / "words.txt").write_text(WORDS, encoding="utf-8")
    return metric(f"meteor(matchers=exact+stem,function_words={tmp_path}/words.txt)")


@pytest.fixture
def loaded(examples):
    return io.load(
        references=[str(examples / "reference.en")],
        systems=[str(examples / "systems" / f"{name}.en") for name in SYSTEMS],
    )


@pytest.fixture
def judgements(examples):
    result = read([str(examples / "judgements.tsv")]).judgements
    return result[np.isin(result.system.values(), SYSTEMS)]


def second_reference(examples, holes=False):
    """Another way to say it: what a system that is not judged here made of it; some segments have none."""
    lines = (examples / "systems" / "neural-fixed.en").read_text(encoding="utf-8").splitlines()
    return tuple(None if holes and at % 3 == 1 else line for at, line in enumerate(lines))


def by_file(meteor, parameters, test_set, outputs, tmp_path, *, segments):
    """Scores of the metric with a file of parameters, by system."""
    path = tmp_path / "p.toml"
    path.write_text(parameter_file(parameters), encoding="utf-8")
    scored = score(test_set, outputs, spec_with_file(meteor, str(path)), segments=segments)
    return {result.system: result.segments if segments else result.score for result in scored.results}


@pytest.mark.parametrize("references", ["one", "two", "holes in the second", "holes in the first"])
@pytest.mark.parametrize("measure", MEASURES)
def test_segments(meteor, loaded, judgements, examples, tmp_path, monkeypatch, measure, references):
    monkeypatch.setattr(space_module, "GRID", SMALL)
    columns = [loaded.test_set.references[0]]
    if references != "one":
        columns.append(second_reference(examples, holes="holes" in references))
    test_set = TestSet(references=tuple(columns[::-1] if "first" in references else columns))
    rows = rows_of(meteor, test_set, loaded.outputs)
    tuning = tune(
        judgements, rows, test_set, meteor.in_force, TuningOptions(correlation=measure, folds=3, resamples=10)
    )
    items = gather(judgements, rows, test_set, level="segment", unit="segment").items
    spoken = zip(judgements.system.values(), judgements.item.values(), strict=True)
    places = dict.fromkeys((system, int(item) - 1) for system, item in spoken)

    def given(parameters):
        result = by_file(meteor, parameters, test_set, loaded.outputs, tmp_path, segments=True)
        return np.array([result[system][segment] for system, segment in places])

    def correlation(scores):
        if measure == "tau":
            return 2 * np.mean([scores[a] > scores[b] for a, b in items.pairs]) - 1
        return CORRELATIONS[measure](scores[None], items.human)[0]

    assert correlation(given(tuning.parameters)) == tuning.fitted
    assert correlation(given(tuning.default)) == tuning.fitted_default == tuning.held_out[0].default
    held_out = np.empty(len(items))
    fold = fold_of_units(items.units, 3, 12345)[items.unit]
    for number, parameters in enumerate(tuning.fold_parameters):
        scores = given(parameters)
        held_out[fold == number] = ((scores - scores.mean()) / scores.std())[fold == number]
    assert correlation(held_out) == tuning.held_out[0].tuned


@pytest.mark.parametrize("references", [1, 2])
def test_systems(meteor, loaded, judgements, examples, tmp_path, monkeypatch, references):
    monkeypatch.setattr(space_module, "GRID", SMALL)
    columns = (loaded.test_set.references[0], second_reference(examples, holes=True))
    test_set = TestSet(references=columns[:references])
    # Halves of the systems' outputs are systems too, so that there are enough of them.
    outputs = [
        type(output)(
            f"{output.system}{half}",
            tuple(line if at % 2 == half else "" for at, line in enumerate(output.segments)),
        )
        for output in loaded.outputs
        for half in (0, 1)
    ]
    rows = zip(judgements.system.values(), judgements.item.values(), judgements.score, strict=True)
    spoken = said(
        *((f"{system}{half}", item, score + half) for system, item, score in rows for half in (0, 1))
    )
    rows = rows_of(meteor, test_set, outputs)
    tuning = tune(
        spoken, rows, test_set, meteor.in_force, TuningOptions(level="system", folds=3, resamples=10)
    )
    items = gather(spoken, rows, test_set, level="system", unit="system").items
    result = by_file(meteor, tuning.parameters, test_set, outputs, tmp_path, segments=False)
    scores = np.array([result[output.system] for output in outputs])
    assert CORRELATIONS["pearson"](scores[None], items.human)[0] == tuning.fitted


def test_rows_of_all_references_hold_what_the_metric_chooses_among(meteor, loaded, examples):
    test_set = TestSet(references=(loaded.test_set.references[0], second_reference(examples, holes=True)))
    rows = rows_of(meteor, test_set, loaded.outputs)
    assert {row.shape for row in rows.values()} == {(len(test_set), 2, 23)}
    output = loaded.outputs[1]
    chosen = meteor.stats(meteor.prepare(test_set), output.segments)
    mine = rows[output.system]
    assert ((mine == chosen[:, None]).all(-1)).any(-1).all()
    assert not mine[1::3, 1].any()  # no reference, no row
    assert ((mine[:, 0] != chosen).any(-1)).sum() > 10  # the second one is chosen often enough to matter


def test_the_spec_keeps_what_is_not_in_the_file(tmp_path):
    path = tmp_path / "a, b.toml"
    path.write_text(parameter_file(metric("meteor").in_force), encoding="utf-8")
    for spec, kept in [
        ("meteor", {}),
        ("meteor(task=hter)", {}),
        ("meteor(alpha=0.5,weights=1+0+0+0)", {}),
        ("meteor(matchers=exact+stem,lowercase=false)", {"matchers": "exact+stem", "lowercase": False}),
        (
            "meteor(language=de,task=universal)",
            {"language": "de", "matchers": "exact+paraphrase", "function_words": "own"},
        ),
    ]:
        again = metric(spec_with_file(metric(spec), str(path)))
        assert again.options() == kept | {"parameters": str(path)}
        assert again.matchers_used == metric(spec).matchers_used
