"""adjudge power: one question a line, and an answer or a way out."""

import json

import pytest

from helpers.stats_tables import methods_table


def test_power_for_n_and_effect(run):
    done = run("power", "--n", 55, "--effect", 0.44, "-f", "json")
    assert (done.code, done.err) == (0, "")
    document = json.loads(done.out)
    assert document["power"] == pytest.approx(0.190, abs=0.0005)
    assert {"n", "effect", "alpha", "method"} <= set(document)


def test_n_for_power_and_effect(run):
    document = json.loads(run("power", "--power", 0.8, "--effect", 0.44, "-f", "json").out)
    assert document["n"] == 362
    noether = json.loads(
        run("power", "--power", 0.8, "--effect", 0.44, "--method", "noether", "-f", "json").out
    )
    assert (noether["n"], noether["method"]) == (364, "noether")


def test_effect_for_n_and_power(run):
    document = json.loads(run("power", "--n", 385, "--power", 0.8, "-f", "json").out)
    assert document["effect"] == pytest.approx(0.4418, abs=1e-4)


def test_every_option_counts(run):
    def power(*options):
        done = run("power", "--n", 200, "--effect", 0.44, "-f", "json", *options)
        assert done.code == 0, done.err
        return json.loads(done.out)["power"]

    plain = power()
    assert power("--alpha", 0.01) < plain < power("--one-sided")
    assert power("--systems", 5) < plain
    assert power("--systems", 5) < power("--systems", 5, "--comparisons", 4)
    assert power("--systems", 5, "--correction", "none") == plain
    assert power("--ratio", 3) > plain
    assert power("--test", "sign") < plain < power("--test", "signed-rank", "--paired-correlation", 0.4)
    assert power("--test", "sign", "--tie-share", 0.3) > power("--test", "sign")
    assert power("--annotators-per-item", 3) == plain < power("--annotators-per-item", 3, "--icc", 0.3)
    assert power("--looks", 4) < plain
    assert power("--looks", 4, "--spending", "pocock") < power("--looks", 4)
    simulated = power("--method", "simulation", "--simulations", 2000, "--seed", 7)
    assert simulated == pytest.approx(plain, abs=0.04)
    assert simulated != power("--method", "simulation", "--simulations", 2000, "--seed", 8)


def test_a_budget(run):
    done = run("power", "--budget", 3000, "--annotators-per-item", 2, "--systems", 5, "--effect", 0.44)
    assert done.code == 0
    assert "n 300 distinct translations a system; N 3,000 judgements of 5 systems" in done.out
    assert "judged once: n 600" in done.out


def test_the_whole_table(run, shared):
    """Without a question, the table of the literature: all 80 cells."""
    cells = [line.split("\t") for line in run("power", "-f", "tsv").out.splitlines()[1:]]
    by_name = {(int(n), float(effect)): float(power) for n, effect, power in cells}
    table = methods_table(shared)
    assert len(table) == 80
    assert by_name == {key: pytest.approx(printed, abs=0.0005) for key, printed in table.items()}


def test_a_map_of_ones_own(run):
    document = json.loads(run("power", "--n", "50,100", "--effect", "0.3,0.4,0.6", "-f", "json").out)
    assert (document["n"], document["effects"]) == ([50, 100], [0.3, 0.4, 0.6])
    assert document["power"][1][1] == pytest.approx(document["power"][1][2])
    assert "n for 0.9" in run("power", "--map", "--power", 0.9, "--systems", 4).out


def test_colours_on_a_terminal(terminal):
    shown = terminal("power", "--n", "50,500", "--effect", "0.4,0.45")
    assert "\x1b[" in shown
    assert "█" in shown
    plain = terminal("power", "--n", "50,500", "--effect", "0.4,0.45", NO_COLOR="1")
    assert "\x1b[" not in plain
    assert ".998█" in plain or "1█" in plain


def test_a_terminal_that_knows_only_ascii(process):
    done = process("power", "--n", "50,500", "--effect", "0.4,0.5", env={"PYTHONIOENCODING": "ascii"})
    assert done.code == 0
    assert "\\u" not in done.out
    done = process("power", "--looks", 3, "--effect", "0.4", env={"PYTHONIOENCODING": "ascii"})
    assert "\\u" not in done.out


def test_a_picture(run, tmp_path):
    path = tmp_path / "power.svg"
    assert run("power", "-o", path).code == 0
    assert path.read_text(encoding="utf-8").startswith("<svg")
    done = run("power", "-o", path, "-f", "json")
    assert (done.code, "by its name it is svg" in done.err) == (2, True)
    assert run("power", "-o", tmp_path / "power.txt").code == 0
    assert "n for 0.8" in (tmp_path / "power.txt").read_text(encoding="utf-8")


def test_looks(run):
    plan = json.loads(run("power", "--effect", 0.44, "--looks", 4, "-f", "json").out)
    assert plan["n"] == 369
    assert [stage["z"] for stage in plan["plan"]["stages"]] == pytest.approx(
        [4.3326, 2.9631, 2.3590, 2.0141], abs=1e-4
    )
    shares = json.loads(run("power", "--n", 400, "--effect", 0.44, "--looks", "0.5,1", "-f", "json").out)
    counts = json.loads(run("power", "--effect", 0.44, "--looks", "200,400", "-f", "json").out)
    assert shares == counts
    stop = run("power", "--effect", 0.44, "--looks", 4, "--look", 2, "--p", 0.003)
    assert stop.out.startswith("Stop: ")
    more = json.loads(run("power", "--n", 369, "--looks", 4, "--look", 2, "--z", 1.0, "-f", "json").out)
    assert (more["verdict"], more["chance"]) == ("plan more", None)
    budget = json.loads(
        run("power", "--budget", 738, "--looks", 4, "--look", 2, "--z", 1.0, "-f", "json").out
    )
    assert budget == more


@pytest.fixture
def pilot(examples):
    return [
        "power", "-r", examples / "reference.en", "--no-cache", "--simulations", 200,
        examples / "systems/neural.en", examples / "systems/rulebased.en",
    ]  # fmt: skip


def test_a_pilot(run, pilot):
    done = run(*pilot, "-m", "chrf", "--difference", 2, "-f", "json")
    assert done.code == 0, done.err
    document = json.loads(done.out)
    assert (document["method"], document["test"], document["pilot"]["metric"]) == (
        "pilot",
        "randomisation",
        "chrf",
    )
    assert document["difference"] == pytest.approx(2, abs=1e-6)
    assert document["power"] == pytest.approx(0.8, abs=0.12)
    assert {item["role"] for item in document["inputs"]} == {"reference", "system"}
    done = run(*pilot, "--scale", 0.1, "--n", 100, "--test", "bootstrap")
    assert done.code == 0, done.err
    assert done.out.startswith("Power 0.")
    assert "neural and rulebased by BLEU on 173 segments" in done.out
    assert "paired bootstrap, two-sided" in done.out


def test_a_pilot_drawn_as_a_map(run, pilot, tmp_path):
    assert run(*pilot, "--map", "--n", "10,40", "-f", "tsv").out.count("\n") == 15
    assert run(*pilot, "--n", "10,40", "-o", tmp_path / "pilot.svg").code == 0
    assert "difference in BLEU" in (tmp_path / "pilot.svg").read_text(encoding="utf-8")


def test_a_stored_run_is_a_pilot_too(run, pilot, examples, tmp_path):
    path = tmp_path / "run.json"
    systems = [examples / "systems/neural.en", examples / "systems/rulebased.en"]
    stored = run(
        "score",
        "-r",
        examples / "reference.en",
        "-m",
        "bleu",
        "-m",
        "ter",
        "--no-cache",
        "--save",
        path,
        *systems,
    )
    assert stored.code == 0, stored.err
    options = ("--simulations", 200, "--scale", 0.1, "--n", 150, "-f", "json")
    document = json.loads(run("power", path, "-m", "bleu", *options).out)
    direct = json.loads(run(*pilot, *options).out)
    assert document["power"] == direct["power"]
    done = run("power", path)
    assert (done.code, "several metrics (bleu, ter): -m bleu" in done.err) == (2, True)


def test_judgements_are_a_pilot_too(run, examples):
    done = run(
        "power",
        "-j",
        examples / "judgements.tsv",
        "--pair",
        "neural",
        "rulebased",
        "--scale",
        0.5,
        "--simulations",
        200,
    )
    assert (done.code, done.err) == (0, "")
    assert "neural and rulebased by z-score on 173 segments (346 judgements)" in done.out
    assert "Wilcoxon signed-rank test" in done.out
    document = json.loads(
        run(
            *("power", "-j", examples / "judgements.tsv", "--pair", "neural", "rulebased", "--budget", 200),
            *("--test", "signed-rank", "--score", "raw", "--simulations", 200, "-f", "json"),
        ).out
    )
    assert (document["n"], document["judgements"], document["test"], document["pilot"]["label"]) == (
        100,
        200,
        "signed-rank",
        "da",
    )
    assert document["inputs"][0]["role"] == "judgements"
    done = run("power", "-j", examples / "judgements.tsv", "-r", examples / "reference.en")
    assert (done.code, "--reference is of a pilot of outputs" in done.err) == (2, True)
    done = run("power", "-j", examples / "judgements.tsv", examples / "systems/neural.en")
    assert (done.code, "SYS is of a pilot of outputs" in done.err) == (2, True)
    done = run("power", "-j", examples / "none.tsv")
    assert (done.code, "none.tsv" in done.err) == (1, True)
    done = run("power", "-j", examples / "judgements.tsv", "--pair", "neural", "reference")
    assert (done.code, "unknown system 'reference'" in done.err) == (2, True)


def test_judgements_of_two_language_pairs_are_never_one_pilot(run, tmp_path):
    path = tmp_path / "judgements.csv"
    rows = [
        f"{system},{item},{50 + 7 * (item % 5) + 3 * (system == 'A') + item % 3},{who},en,{target}"
        for target in ("de", "ja")
        for system in ("A", "B")
        for item in range(40)
        for who in ("j1", "j2")
    ]
    path.write_text("\n".join(["system,segment,score,annotator,srcLang,trgLang", *rows]) + "\n")
    done = run("power", "-j", path, "--simulations", 200)
    assert (done.code, "of 2 language pairs (en-de and en-ja), say which one with -l" in done.err) == (
        2,
        True,
    )
    done = run("power", "-j", path, "-l", "en-ja", "--simulations", 200)
    assert (done.code, "on 40 segments (160 judgements)" in done.out) == (0, True)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--effect", "1.2", "--n", "50"], "effect 1.2: must lie between 0 and 1"),
        (["--effect", "0", "--n", "50"], "effect 0: must lie"),
        (["--effect", "0.5"], "no number of judgements finds it"),
        (["--effect", "0.4", "--n", "1"], "n 1: must be 2"),
        (["--effect", "0.4", "--n", "ten"], "--n ten: is not a whole number"),
        (["--effect", "0.4;0.5", "--n", "10"], "--effect 0.4;0.5: is not a number"),
        (["--effect", "0.4", "--power", "0.05"], "no more than alpha"),
        (["--effect", "0.4", "--power", "1"], "power 1: must lie between"),
        (["--power", "0.9"], "give two of --n (or --budget), --effect and --power"),
        (["--effect", "0.4", "--alpha", "2"], "alpha 2: must lie"),
        (["--effect", "0.4", "--test", "t"], "unknown test 't'"),
        (["--effect", "0.4", "--method", "exact"], "shieh, noether, simulation"),
        (["--effect", "0.4", "--systems", "1"], "systems"),
        (["--effect", "0.4", "--paired-correlation", "0.4"], "--test signed-rank"),
        (["--budget", "3", "--effect", "0.4"], "4 judgements are the least"),
        (["--budget", "300", "--n", "10", "--effect", "0.4"], "give one of them"),
        (["--budget", "300", "--map"], "no budget"),
        (["--looks", "many", "--effect", "0.4"], "must be their number (4)"),
        (["--looks", "0", "--effect", "0.4"], "a whole number from 1 to 100"),
        (["--looks", "1.5", "--effect", "0.4"], "a whole number from 1 to 100"),
        (["--looks", "0.5,0.7", "--effect", "0.4"], "the last when all are in"),
        (["--looks", "100,50", "--effect", "0.4"], "each must come after"),
        (["--looks", "100,200", "--n", "300", "--effect", "0.4"], "leave --n away"),
        (["--look", "2", "--p", "0.1", "--effect", "0.4"], "of how many? --looks 4"),
        (["--looks", "4", "--look", "2", "--p", "0.1"], "give its --n"),
        (["--looks", "4", "--look", "2", "--effect", "0.4"], "--p or its --z"),
        (["--looks", "4", "--look", "9", "--p", "0.1", "--effect", "0.4"], "the plan has 4"),
        (["--p", "0.1", "--effect", "0.4"], "are of a look"),
        (["-r", "reference.en"], "--reference is of a pilot: adjudge power -r REFERENCE -m METRIC SYS SYS"),
        (["-m", "bleu"], "--metric is of a pilot"),
        (["--input-format", "tsv", "--n", "50"], "--input-format is of a pilot"),
        (["--scale", "0.5"], "--scale is of a pilot"),
        (["--pair", "a", "b"], "--pair is of a pilot"),
        (["--score", "raw"], "--score is of a pilot"),
        (["old.en", "new.en", "--effect", "0.4"], "the pilot says what the effect is"),
        (["old.en", "new.en", "--looks", "4"], "--looks is for power without a pilot"),
        (["old.en", "new.en", "--p", "0.04"], "--p is for power without a pilot"),
        (["old.en", "new.en", "-m", "bleu", "-m", "ter"], "a pilot has one metric"),
        (["old.en", "new.en"], "no reference"),
    ],
)
def test_questions_without_an_answer(run, arguments, message):
    done = run("power", *arguments)
    assert done.code == 2
    assert done.err.startswith("adjudge: error: ")
    assert message in done.err
    assert "unexpected" not in done.err


def test_pilots_without_an_answer(run, pilot, examples):
    done = run("power", "-r", examples / "reference.en", "--no-cache", examples / "systems/neural.en")
    assert (done.code, "there is 1: give another one" in done.err) == (2, True)
    done = run(*pilot, examples / "systems/shortened.en")
    assert (done.code, "there are 3: --pair neural rulebased" in done.err) == (2, True)
    assert (
        run(*pilot, examples / "systems/shortened.en", "--pair", "neural", "shortened", "--n", 50).code == 0
    )
    done = run(*pilot[:-1], f"same={examples / 'systems/neural.en'}")
    assert (done.code, "differ by the same on every segment" in done.err) == (1, True)
    done = run(*pilot, "-o", examples / "systems/neural.en")
    assert (done.code, "it is an input" in done.err) == (2, True)
    done = run(*pilot, "--one-sided")
    assert (done.code, "two-sided" in done.err) == (2, True)


@pytest.mark.parametrize("question", [(), ("--map",), ("--n", 5)])
def test_one_segment_is_no_pilot(run, tmp_path, question):
    for name, text in (("r", "a b c d e\n"), ("old", "a b c x e\n"), ("new", "a b c d e\n")):
        (tmp_path / name).write_text(text)
    done = run("power", "-r", tmp_path / "r", tmp_path / "old", tmp_path / "new", *question)
    assert done.code == 1
    assert "a pilot of one tells nothing" in done.err


def test_documents_are_drawn_where_they_are_labelled(run, examples):
    files = [examples / "systems" / f"{name}.en" for name in ("neural", "rulebased")]
    given = ["power", "-q", "-r", examples / "reference.en", "-m", "chrf", *files, "--simulations", "100"]
    labels = ["-L", examples / "labels.tsv"]
    for more, unit in ((labels, "document"), ([*labels, "--unit", "segment"], "segment"), ([], "segment")):
        ended = run(*map(str, [*given, *more]))
        assert ended.code == 0, ended.err
        assert f"{unit}s: of 100 such campaigns" in ended.out
        assert "auto" not in ended.out
