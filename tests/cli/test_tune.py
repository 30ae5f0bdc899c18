"""adjudge tune: parameters on stdout and in a file that the metric takes."""

import json

import pytest

from adjudge.metrics.meteor_parameters import read_parameters

SYSTEMS = ("neural", "rulebased", "shortened")


@pytest.fixture
def files(examples):
    return [
        "-r", examples / "reference.en", "-j", examples / "judgements.tsv", "--known-only", "--no-cache", "-q",
        "--resamples", 20, *(examples / "systems" / f"{name}.en" for name in SYSTEMS),
    ]  # fmt: skip


@pytest.fixture
def metric(tmp_path):
    """METEOR with nothing installed: exact matches, and function words of our own."""
    words = tmp_path / "words.txt"
    words.write_text("the\na\nof\nto\nin\nand\n", encoding="utf-8")
    return f"meteor(matchers=exact,function_words={words})"


def test_the_file_is_what_the_metric_takes(run, files, metric, examples, tmp_path):
    path = tmp_path / "tuned.toml"
    done = run("tune", metric, *files, "-o", path)
    assert done.code == 0, done.err
    assert "Held out" in done.out
    assert "Pearson's r" in done.out
    text = path.read_text(encoding="utf-8")
    for word in ("adjudge", "judgements.tsv (sha256 ", "seed 12345", "grid of 900 points", "Pearson"):
        assert word in text
    parameters = read_parameters(str(path))
    with_file = metric.replace(")", f",parameters={path})")
    by_hand = metric.replace(")", "".join(
        f",{name}={getattr(parameters, name)}" for name in ("alpha", "beta", "gamma", "delta")
    ) + ")")  # fmt: skip
    scores = []
    for spec in (with_file, by_hand):
        scored = run(
            "score", "-r", examples / "reference.en", "-m", spec, "-f", "json", examples / "systems/neural.en"
        )
        assert scored.code == 0, scored.err
        scores.append(json.loads(scored.out)["results"][0]["score"])
    assert scores[0] == scores[1]


def test_scores_of_the_search_are_those_of_the_metric(files, metric, examples):
    import numpy as np

    from adjudge import io
    from adjudge.evaluate.tuning import rows_of
    from adjudge.evaluate.tuning.space import scores
    from adjudge.metrics import metric as metric_of

    loaded = io.load(
        references=[str(examples / "reference.en")], systems=[str(examples / "systems" / "rulebased.en")]
    )
    for options in ("", ",alpha=0.3,beta=1.5,gamma=0.9,delta=0.4"):
        meteor = metric_of(metric.replace(")", f"{options})"))
        rows = rows_of(meteor, loaded.test_set, loaded.outputs)["rulebased"]
        together = np.vstack([rows, rows.sum(0)])
        expected = meteor.aggregate(together)
        np.testing.assert_allclose(100 * scores(together, [meteor.in_force])[0], expected, rtol=0, atol=1e-9)


@pytest.mark.parametrize("form", ["json", "tsv", "markdown", "latex"])
def test_other_formats(run, files, metric, form):
    done = run("tune", metric, *files, "-f", form)
    assert done.code == 0, done.err
    if form == "json":
        document = json.loads(done.out)
        assert document["held_out"][0]["measure"] == "pearson"
        assert document["parameters"].keys() == document["default"].keys()
        assert {item["role"] for item in document["inputs"]} == {"reference", "system", "judgements"}
        assert document["grid"] == 900
    else:
        assert "alpha" in done.out


def test_levels_targets_and_correlations(run, files, metric, tmp_path):
    assert run("tune", metric, *files, "--correlation", "kendall", "--unit", "document").code == 0
    table = tmp_path / "ranks.tsv"
    lines = ["system\tsegment\trank"]
    lines += [
        f"{name}\t{s}\t{1 + (at + s // 3) % 3}" for s in range(1, 41) for at, name in enumerate(SYSTEMS)
    ]
    table.write_text("\n".join(lines) + "\n", encoding="utf-8")
    done = run("tune", metric, *files, "-j", table, "--target", "rank")
    assert done.code == 0, done.err
    assert "WMT's tau" in done.out


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["--target", "das"], 2, "unknown target 'das'; did you mean 'da'?"),
        (["--target", "rank"], 1, "has no column 'rank'"),
        (["--column", "scores"], 1, "unknown column 'scores'; did you mean 'score'?"),
        (["--level", "system"], 1, "too few judgements: 3 systems"),
        (["--folds", "200"], 1, "too few judgements: 173 segments for 200 folds"),
        (["-j", "nowhere.tsv"], 1, "nowhere.tsv does not exist"),
        (["-o", "nowhere/p.toml"], 2, "there is no directory"),
    ],
)
def test_errors(run, files, metric, arguments, code, message):
    done = run("tune", metric, *files, *arguments)
    assert done.code == code
    assert message in done.err


def test_other_metrics_have_nothing_to_fit(run, files, examples):
    assert "bleu has no parameters that can be fitted" in run("tune", "bleu", *files).err
    done = run("tune", examples / "reference.en", *files)
    assert "is a file, but a metric was expected" in done.err


def test_unknown_systems_and_files_that_would_be_lost(run, files, metric, examples):
    done = run("tune", metric, *[f for f in files if f != "--known-only"])
    assert done.code == 1
    assert "unknown system in the judgements 'neural-fixed'" in done.err
    assert "it is an input (judgements)" in run("tune", metric, *files, "-o", examples / "judgements.tsv").err
