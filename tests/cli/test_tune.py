"""adjudge tune: parameters on stdout and in a file that the metric takes."""

import json
import random
import shlex

import pytest

from adjudge.metrics.meteor_parameters import read_parameters

SYSTEMS = ("neural", "rulebased", "shortened")


@pytest.fixture
def files(examples):
    return [
        "-r", examples / "reference.en", "-j", examples / "judgements.tsv", "--skip-unknown-systems",
        "--no-cache", "-q",
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
    assert done.err == ""
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
    assert run("tune", metric, *files, "--correlation", "kendall", "--fold-by", "document").code == 0
    table = tmp_path / "ranks.tsv"
    lines = ["system\tsegment\trank"]
    lines += [
        f"{name}\t{s}\t{1 + (at + s // 3) % 3}" for s in range(1, 41) for at, name in enumerate(SYSTEMS)
    ]
    table.write_text("\n".join(lines) + "\n", encoding="utf-8")
    done = run("tune", metric, *files, "-j", table, "--gold-kind", "rank")
    assert done.code == 0, done.err
    assert "WMT's tau" in done.out
    assert "of 120 translations (120 judgements of 3 systems)" in done.out


def test_a_file_says_how_to_use_it_and_so_does_the_screen(run, files, metric, tmp_path):
    path = tmp_path / "my tuned.toml"
    done = run("tune", metric, *[f for f in files if f != "-q"], "-o", path)
    use = shlex.quote(metric.replace(")", f",parameters={path})"))
    assert f"wrote {path}; use it: adjudge score -m {use} ...\n" in done.err
    assert f"# use: adjudge score -m {use}\n" in path.read_text(encoding="utf-8")


def test_hter_of_the_only_system_a_number_a_line(run, metric, examples, tmp_path):
    """What post-editors had to change: made up here from the system's own mistakes, and noise."""
    scored = run(
        "score",
        "-r",
        examples / "reference.en",
        "-m",
        "ter",
        "--segments",
        "-f",
        "json",
        examples / "systems/rulebased.en",
    )
    noise = random.Random(1)
    rates = [s / 100 + noise.random() / 5 for s in json.loads(scored.out)["results"][0]["segments"]]
    table = tmp_path / "rates.hter"
    table.write_text("".join(f"{rate}\n" for rate in rates), encoding="utf-8")
    call = (
        "tune",
        metric,
        "-r",
        examples / "reference.en",
        "-j",
        table,
        "--resamples",
        20,
        "-f",
        "json",
        "-q",
    )
    done = run(*call, "--gold-kind", "hter", examples / "systems/rulebased.en")
    assert done.code == 0, done.err
    document = json.loads(done.out)
    # Less is better: METEOR falls as TER rises, so the correlation that is made large is with what was left alone.
    assert document["held_out"][0]["default"] > 0.5
    assert document["protocol"] == "hter"
    upside_down = json.loads(run(*call, examples / "systems/rulebased.en").out)
    assert upside_down["held_out"][0]["default"] == -document["held_out"][0]["default"]
    two = run(*call, "--gold-kind", "hter", *(examples / "systems" / f"{name}.en" for name in SYSTEMS))
    assert two.code == 1
    assert "rates.hter, line 1: the judgements name no system, but outputs of several were given" in two.err


def test_tau_within_segments_of_scores(run, files, metric):
    done = run("tune", metric, *files, "--correlation", "tau", "--min-gap", 10, "-f", "json")
    assert done.code == 0, done.err
    document = json.loads(done.out)
    assert [entry["measure"] for entry in document["held_out"]] == ["tau", "pearson", "spearman", "kendall"]
    all_pairs = json.loads(run("tune", metric, *files, "--correlation", "tau", "-f", "json").out)
    assert 0 < document["pairs"] < all_pairs["pairs"] <= 3 * 173


def test_faults_of_a_parameter_file_reach_people_with_their_line(run, metric, examples, tmp_path):
    path = tmp_path / "p.toml"
    path.write_text("alpha = 0.5\nbetta = 1\n", encoding="utf-8")
    spec = metric.replace(")", f",parameters={path})")
    done = run("score", "-r", examples / "reference.en", "-m", spec, examples / "systems/neural.en")
    assert done.code == 1
    assert done.err == f"adjudge: error: {path}, line 2: unknown parameter 'betta'; did you mean 'beta'?\n"


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["--gold-kind", "das"], 2, "unknown kind of gold 'das'; did you mean 'da'?"),
        (["--gold-kind", "rank"], 1, "judgements.tsv, line 1: no column 'rank'"),
        (["--column", "scores"], 1, "unknown column 'scores'; did you mean 'score'?"),
        (["--level", "system"], 1, "too few judgements: 3 systems"),
        (["--folds", "200"], 1, "too few judgements: 173 segments for 200 folds"),
        (["-j", "nowhere.tsv"], 1, "nowhere.tsv does not exist"),
        (["-o", "nowhere/p.toml"], 2, "there is no directory"),
        (["--min-gap", "-1"], 2, "'--min-gap': '-1' is too small: at least 0"),
        (["--first-segment", "2"], 1, "judgements.tsv, line 2: segment 1: the test set has 2 to 174"),
    ],
)
def test_errors(run, files, metric, arguments, code, message):
    done = run("tune", metric, *files, *arguments)
    assert done.code == code
    assert message in done.err


def test_no_outputs(run, metric, examples):
    done = run("tune", metric, "-r", examples / "reference.en", "-j", examples / "judgements.tsv")
    assert done.code == 2
    assert "no system output: adjudge tune meteor -r REFERENCE -j JUDGEMENTS SYS..." in done.err
    done = run("tune", metric, "-r", examples / "reference.en", examples / "systems" / "neural.en")
    assert "no judgements to fit to: adjudge tune meteor -r REFERENCE -j JUDGEMENTS SYS..." in done.err


def test_other_metrics_have_nothing_to_fit(run, files, examples):
    assert "bleu has no parameters that can be fitted" in run("tune", "bleu", *files).err
    done = run("tune", examples / "reference.en", *files)
    assert "is a file, but a metric was expected" in done.err


def test_unknown_systems_and_files_that_would_be_lost(run, files, metric, examples):
    done = run("tune", metric, *[f for f in files if f != "--skip-unknown-systems"])
    assert done.code == 1
    assert "judgements.tsv, line 3: unknown system 'neural-fixed'; did you mean 'neural'?" in done.err
    assert "it is an input (judgements)" in run("tune", metric, *files, "-o", examples / "judgements.tsv").err


def test_the_usual_command_may_be_named_or_left_out(run, files, metric):
    short = run("tune", metric, *files, "-f", "json")
    assert short.code == 0
    assert run("tune", "parameters", metric, *files, "-f", "json").out == short.out
    assert run("tune", "-f", "json", *files[:-3], metric, *files[-3:]).out == short.out  # options first
    assert "parameters" in run("tune", "--help").out
