"""`adjudge qe` from end to end, on small files."""

import json

import pytest

from adjudge.cli import main
from helpers.estimators import judged

SIDES = ("--parallel-source", "train.src", "--parallel-target")


def table_of(segments):
    rows = zip(segments.sources, segments.outputs, segments.scores.tolist(), strict=True)
    return ["source\toutput\tscore", *(f"{source}\t{output}\t{score!r}" for source, output, score in rows)]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Judged segments as a table and as lines, and a model that the command has trained."""
    folder = tmp_path_factory.mktemp("qe")
    for name, segments in (("train", judged(80)), ("test", judged(60, seed=2))):
        columns = {
            "tsv": table_of(segments),
            "src": segments.sources,
            "mt": segments.outputs,
            "gold": [repr(score) for score in segments.scores.tolist()],
            "probs": [" ".join(f"{p:.4f}" for p in row) for row in segments.log_probabilities],
            "tags": [" ".join(row) for row in segments.tags],
        }
        for ending, lines in columns.items():
            (folder / f"{name}.{ending}").write_text("\n".join(lines) + "\n", encoding="utf-8")
    options = ["--tags", folder / "train.tags", "--log-probs", folder / "train.probs", "--folds", "2"]
    options += ["-l", "en-de", "--save", folder / "model.json", "-o", folder / "trained.json", "-q"]
    assert main([str(a) for a in ("qe", "train", folder / "train.tsv", *options)]) == 0
    return folder


def test_training_says_how_well_it_went(folder):
    said = json.loads((folder / "trained.json").read_text())
    assert said["held_out_pearson"] > 0.8
    assert said["tags_held_out_mcc"] > 0.8
    assert said["glass_box_segments"] == 80
    assert said["recipe"]["files"][0]["sha256"]


def test_every_segment_has_a_score_an_interval_and_tags(run, folder):
    shown = run(
        *("qe", "score", folder / "model.json", "-s", folder / "test.src", f"mt={folder / 'test.mt'}"),
        *("--log-probs", f"mt={folder / 'test.probs'}", "--tag-words", "-f", "tsv"),
    )
    assert shown.err == ""
    head, *rows = [line.split("\t") for line in shown.out.splitlines()]
    assert head == ["system", "segment", "score", "low", "high", "tags"]
    assert len(rows) == 60
    for row, output in zip(rows, (folder / "test.mt").read_text().splitlines(), strict=True):
        assert float(row[3]) < float(row[2]) < float(row[4])
        assert len(row[5].split()) == len(output.split())


def test_engines_are_drawn(run, folder):
    page = folder / "page.html"
    shown = run(
        *("qe", "score", folder / "model.json", "-s", folder / "test.src", folder / "test.mt"),
        *("--thresholds", "-0.3,-0.1", "-o", page, "-q"),
    )
    assert shown.code == 0
    text = page.read_text()
    assert text.count("<svg") >= 2
    assert "≥ −0.30" in text or "≥ -0.30" in text


def test_a_missing_log_probability_is_warned_of(run, folder):
    shown = run("qe", "score", folder / "model.json", "-s", folder / "test.src", folder / "test.mt")
    assert "no log-probabilities" in shown.err
    assert "Shares of segments" in shown.out


def test_estimators_beside_each_other(run, folder):
    other = folder / "other.txt"
    other.write_text("\n".join(str(n % 7) for n in range(60)) + "\n")
    shown = run(
        *(
            "qe",
            "evaluate",
            folder / "test.tsv",
            "-m",
            folder / "model.json",
            "--estimates",
            f"other={other}",
        ),
        *("--draws", "100", "-f", "json", "-q"),
    )
    result = json.loads(shown.out)
    best = {
        entry["estimator"]: entry["value"] for entry in result["results"] if entry["measure"] == "pearson"
    }
    assert best["model"] > 0.8 > best["other"]
    (pair,) = [pair for pair in result["pairs"] if pair["measure"] == "pearson"]
    assert pair["significant"]
    assert pair["better"] == "model"
    page = run(
        "qe",
        "evaluate",
        folder / "test.tsv",
        "-m",
        folder / "model.json",
        "--draws",
        "50",
        "-f",
        "html",
        "-q",
    )
    assert "Calibration" in page.out
    assert "<svg" in page.out


def test_json_carries_the_verdict_that_the_text_prints(run, folder):
    other = folder / "other.txt"
    other.write_text("\n".join(str(n % 7) for n in range(60)) + "\n")
    arguments = ("qe", "evaluate", folder / "test.tsv", "-m", folder / "model.json")
    arguments += ("--estimates", f"other={other}", "--draws", "100", "-q")
    text = " ".join(run(*arguments).out.split())
    document = json.loads(run(*arguments, "-f", "json").out)
    assert len(document["pairs"]) == text.count("is better than") + text.count("nothing is shown")
    for pair in document["pairs"]:
        assert pair["sentence"] in text
        named = f"{pair['better']} is better than" if pair["better"] else "nothing is shown"
        assert named in pair["sentence"]
        assert (pair["better"] is not None) == pair["significant"]
    verdict = document["coverage_verdicts"]["model"]
    assert verdict["sentence"] in text
    words = {
        "kept": ", as they promise",
        "unknown": "too few",
        "more": "more than they",
        "fewer": "fewer than they",
    }
    assert words[verdict["verdict"]] in verdict["sentence"]
    assert "other" not in document["coverage_verdicts"]


def test_a_filter_keeps_what_passes(run, folder):
    arguments = ("qe", "filter", folder / "model.json", "-s", folder / "test.src", folder / "test.mt", "-q")
    shown = run(*arguments, "--good", "-0.1", "--precision", "0.8", "-f", "json")
    result = json.loads(shown.out)
    assert result["chosen"]["precision"] >= 0.8
    assert result["engines"][0]["kept"] == len(result["kept"]["test"])
    lines = run(*arguments, "-f", "tsv").out.splitlines()
    assert len(lines) == 61
    assert "Cost" in run(*arguments).out
    assert "<svg" in run(*arguments, "-f", "html").out


def test_it_is_a_metric_without_references(run, folder):
    spec = f"qe(model={folder / 'model.json'})"
    shown = run("score", "-s", folder / "test.src", folder / "test.mt", "-m", spec, "-f", "json")
    own = run(
        "qe",
        "score",
        folder / "model.json",
        "-s",
        folder / "test.src",
        folder / "test.mt",
        "-f",
        "json",
        "-q",
    )
    mean = json.loads(own.out)["engines"][0]["mean"]
    assert shown.code == 0
    assert f"{mean:.6f}"[:7] in shown.out
    compared = run(
        *("compare", "-s", folder / "test.src", f"a={folder / 'test.mt'}", f"b={folder / 'test.src'}"),
        *("-m", spec, "-q"),
    )
    assert compared.code == 0
    assert "a is better than b" in compared.out


def test_lines_and_a_calibration_train_too(run, folder):
    shown = run(
        *("qe", "train", "-s", folder / "train.src", "--translation", folder / "train.mt"),
        *(
            "--gold-scores",
            folder / "train.gold",
            "--calibration",
            folder / "test.tsv",
            "--folds",
            "2",
            "--gold-kind",
            "mqm",
        ),
        *(
            "--parallel-source",
            folder / "train.src",
            "--parallel-target",
            folder / "train.mt",
            "--save",
            folder / "lines.json",
            "-q",
        ),
    )
    assert shown.code == 0
    assert "an estimator of mqm" in shown.out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("train", "--save", "x.json"), "nothing to train"),
        (
            ("train", "-s", "train.src", "--save", "x.json"),
            "--source, --translation and --gold-scores together",
        ),
        (("train", "train.tsv", "--column", "nothing", "--save", "x.json"), "no column 'nothing'"),
        (("train", "train.tsv", "--gold-kind", "ter", "--save", "x.json"), "unknown kind of score 'ter'"),
        (("train", "train.tsv", "-l", "en-en", "--save", "x.json"), "one language"),
        (("train", "train.tsv", "--tags", "test.tags", "--save", "x.json"), "has 60 segments, but"),
        (
            ("train", "train.tsv", "test.tsv", "--tags", "train.tags", "--save", "x.json"),
            "which table do its lines",
        ),
        (
            (
                "train",
                "train.tsv",
                "--parallel-source",
                "train.src",
                "--parallel-target",
                "train.src",
                "--save",
                "x.json",
            ),
            "as the source and as the target",
        ),
        (
            (
                "train",
                "train.tsv",
                "--parallel-source",
                "train.src",
                "--parallel-target",
                "test.mt",
                "--save",
                "x.json",
            ),
            "test.mt has 60 segments",
        ),
        (("train", "train.tsv", "--parallel-source", "train.src", "--save", "x.json"), "has two sides"),
        (("train", "train.tsv", "--save", "train.tsv"), "train.tsv"),
        (("score", "model.json", "test.mt"), "reads the source"),
        (("score", "model.json", "-s", "test.src"), "no output to score"),
        (("score", "model.json", "-s", "train.src", "test.mt"), "60"),
        (("score", "train.tsv", "-s", "test.src", "test.mt"), "not JSON"),
        (("score", "model.json", "-s", "test.src", "test.mt", "--confidence", "2"), "between 0 and 1"),
        (("score", "model.json", "-s", "test.src", "test.mt", "--thresholds", "a"), "numbers with commas"),
        (
            ("score", "model.json", "-s", "test.src", "test.mt", "--log-probs", "train.probs"),
            "80 lines for 60",
        ),
        (
            ("score", "model.json", "-s", "test.src", "test.mt", "--log-probs", "x=train.probs"),
            "whose are these",
        ),
        (("evaluate", "test.tsv"), "no estimator"),
        (("evaluate", "test.tsv", "--estimates", "train.gold"), "has 80 segments"),
        (("filter", "model.json", "-s", "test.src", "test.mt", "--recall", "2"), "between 0 and 1"),
        (
            ("filter", "model.json", "-s", "test.src", "test.mt", "--recall", "1", "--precision", "1"),
            "give one of",
        ),
        (("filter", "model.json", "-s", "test.src", "test.mt", "--good", "99"), "none of the 80 judged"),
    ],
)
def test_what_is_wrong_is_said(run, folder, arguments, message):
    given = [str(folder / a) if (folder / a).exists() or a == "x.json" else a for a in arguments]
    given = [a.replace("x=", f"x={folder}/") if a.startswith("x=") else a for a in given]
    shown = run("qe", *given)
    assert shown.code != 0
    assert message in shown.err
    assert "Traceback" not in shown.err
