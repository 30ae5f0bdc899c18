"""`adjudge study`: a file guessed from a folder, run, and what is said where that fails."""

import json

import numpy as np
import pytest


@pytest.fixture
def folder(tmp_path):
    for place, lines in {"news": 12, "talks": 15}.items():
        (tmp_path / place / "systems").mkdir(parents=True)
        reference = [f"the segment number {i} of {place}" for i in range(lines)]
        (tmp_path / place / "reference.en").write_text("\n".join(reference) + "\n")
        (tmp_path / place / "source.pt").write_text("o segmento\n" * lines)
        (tmp_path / place / "systems" / "good.en").write_text("\n".join([*reference[:-1], "the last"]) + "\n")
        (tmp_path / place / "systems" / "worse.en").write_text("the segment\n" * lines)
    (tmp_path / "talks" / "systems" / "worse.en").unlink()
    return tmp_path


def test_from_a_folder_to_a_table(run, folder):
    made = run("study", "init", folder)
    assert made.code == 0
    assert "news: 2 outputs, 1 reference, a source, language pt-en" in made.err
    study = folder / "study.toml"
    shown = run("study", "run", study, "--resamples", "20", "--trials", "50")
    assert (shown.code, shown.err) == (0, "")
    assert "worse has no output for talks" in " ".join(shown.out.split())
    document = json.loads(run("study", "run", study, "-m", "chrf", "-f", "json").out)
    assert document["sets"] == ["news", "talks"]
    assert [table["metric"] for table in document["tables"]] == ["chrf"]
    assert document["inputs"][0]["role"] == "study"


def test_nothing_is_written_over(run, folder):
    run("study", "init", folder)
    before = (folder / "study.toml").read_text()
    again = run("study", "init", folder)
    assert again.code == 2
    assert "is there already" in again.err
    result = run("study", "run", folder / "study.toml", "-f", "text", "-o", folder / "study.toml")
    assert result.code == 2
    assert (folder / "study.toml").read_text() == before


def test_folders_that_are_no_test_sets(run, folder, tmp_path):
    (tmp_path / "empty").mkdir()
    assert "nothing looks like a test set" in run("study", "init", tmp_path / "empty").err
    assert "is no folder" in run("study", "init", tmp_path / "nowhere").err
    assert "does not exist" in run("study", "run", tmp_path / "none.toml").err


@pytest.mark.parametrize(
    ("arguments", "option"),
    [
        (["score", "--segments"], "--segments"),
        (["score", "--sort", "chrf"], "--sort"),
        (["score", "-w", "3"], "--decimals"),
        (["compare", "-f", "tsv", "--table", "pairs"], "--table"),
        (["compare", "--differences", "none"], "--differences"),
    ],
)
def test_options_that_mean_nothing_for_a_study_are_refused(run, folder, arguments, option):
    run("study", "init", folder)
    refused = run(*arguments, folder / "study.toml")
    assert refused.code == 2
    assert f"{option} has no place beside a study" in refused.err


def test_what_is_typed_comes_before_what_the_plan_says(run, folder):
    run("study", "init", folder)
    study = folder / "study.toml"
    study.write_text(
        study.read_text().replace("\n\n", "\n[plan]\nseed = 3\nresamples = 30\ntrials = 60\n\n", 1)
    )
    plan = json.loads(run("compare", study, "-f", "json").out)["plan"]
    assert (plan["seed"], plan["resamples"], plan["trials"]) == (3, 30, 60)
    typed = run("compare", study, "--seed", "4", "--confidence", "0.9", "--correction", "bh", "-f", "json")
    plan = json.loads(typed.out)["plan"]
    assert (plan["seed"], plan["resamples"], plan["confidence"], plan["correction"]) == (4, 30, 0.9, "bh")
    study.write_text(study.read_text().replace("seed = 3", "sede = 3"))
    for command in ("score", "compare", "report"):
        shown = run(command, study, *(("-o", folder / "x.html") if command == "report" else ()))
        assert shown.code == 1
        assert "line 4: unknown field 'sede'; did you mean 'seed'?" in shown.err


def test_commands_take_a_study_in_place_of_files(run, folder):
    run("study", "init", folder)
    study = folder / "study.toml"
    (folder / "news" / "systems" / "worse.en").write_text("the segment\n" * 11)
    refused = run("compare", study, "-m", "chrf")
    assert refused.code == 1
    assert "study.toml, line 4: " in refused.err
    found = run("lint", study, "--skip", "language")
    assert "news: " in found.out
    (folder / "news" / "systems" / "worse.en").write_text("the segment\n" * 12)
    for command in ("score", "compare"):
        shown = run(command, study, "-m", "chrf", "-f", "json")
        assert (shown.code, shown.err) == (0, "")
        assert json.loads(shown.out)["sets"] == ["news", "talks"]
    against = json.loads(run("compare", study, "-m", "chrf", "--baseline", "worse", "-f", "json").out)
    assert [(p["a"], p["b"]) for p in against["tables"][0]["pairs"]] == [("good", "worse")]
    alone = run("score", study, "-r", folder / "news" / "reference.en")
    assert alone.code == 2
    assert "give it alone" in alone.err


def test_what_was_drawn_is_said_and_known_by_set(run, examples):
    study = examples / "study" / "study.toml"
    given = ["study", "run", study, "-m", "chrf", "-q", "--resamples", "100", "--trials", "500"]
    for unit, drawn in (("auto", "document"), ("segment", "segment")):
        found = json.loads(run(*given, "--unit", unit, "-f", "json").out)
        assert list(found["designs"]) == ["news", "support"]
        for table in found["tables"]:
            people = not table["is_metric"] and unit == "auto"
            assert {own["unit"] for own in table["designs"].values()} == {drawn + ",annotator" * people}
        design = found["designs"]["news"]
        assert design["units"] == (85 if drawn == "segment" else len(set(documents(examples))))
        assert design["smallest_p"] == 2.0 ** (1 - design["units"])
        assert [own["name"] for own in design["groupings"]] == (["document"] if drawn == "segment" else [])
        assert bool(design["reason"]) == (unit == "auto")
        text = " ".join(run(*given, "--unit", unit).out.split())
        assert f"{drawn}s drawn, corrected" in text
        assert "auto" not in text.replace("--unit auto accounts for it", "")


def documents(examples):
    head, *rows = (examples / "study" / "news" / "labels.tsv").read_text().splitlines()
    return [row.split("\t")[head.split("\t").index("document")] for row in rows]


def test_annotators_are_drawn_or_mentioned(run, tmp_path):
    """Four annotators with tastes of their own."""
    rng = np.random.default_rng(2)
    lines = [f"the segment number {i} is here" for i in range(40)]
    (tmp_path / "ref.en").write_text("\n".join(lines) + "\n")
    for name in "ab":
        (tmp_path / f"{name}.en").write_text("\n".join(f"{line} {name}" for line in lines) + "\n")
    taste = rng.normal(0, 25, (4, 2))
    rows = ["annotator\tsystem\titem\tscore"]
    for item in range(40):
        for place, system in enumerate("ab"):
            rows.append(
                f"p{item % 4}\t{system}\t{item + 1}\t{50 + taste[item % 4, place] + rng.normal(0, 5):.1f}"
            )
    (tmp_path / "judged.tsv").write_text("\n".join(rows) + "\n")
    study = tmp_path / "study.toml"
    study.write_text(
        'name = "s"\nmetrics = ["chrf"]\n[[test_set]]\nname = "one"\nreferences = ["ref.en"]\n'
        'systems = ["a.en", "b.en"]\njudgements = ["judged.tsv"]\n'
    )
    given = ("study", "run", study, "-q", "--resamples", "100", "--trials", "500")
    assert "DA z is tested by t with errors by items and annotators at once." in " ".join(
        run(*given).out.split()
    )
    text = " ".join(run(*given, "--unit", "segment").out.split())
    assert (
        "one: Segments of one annotator are alike but were drawn one by one: p-values are too small" in text
    )
    assert "times as large by 4 annotators." in text
    assert "--unit auto accounts for it." in text
