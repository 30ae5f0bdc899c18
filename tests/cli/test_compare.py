import json
import re

import pytest

import adjudge
from adjudge import io
from adjudge.cli._options import FORMATS
from adjudge.cli.compare import command
from adjudge.comparison import Plan
from adjudge.comparison.documents import comparison_document
from conftest import PROJECT

ANSI = re.compile(r"\x1b\[[0-9;]*m")
EXAMPLES = PROJECT / "examples"
SYSTEMS = [EXAMPLES / "systems" / f"{name}.en" for name in ("neural", "neural-fixed", "rulebased")]


@pytest.fixture(autouse=True)
def _cache(tmp_path, monkeypatch):
    monkeypatch.setenv("ADJUDGE_CACHE", str(tmp_path / "cache"))


@pytest.fixture
def compare(run):
    """`adjudge compare` of three systems of the examples by chrF, with more arguments."""
    reference = EXAMPLES / "reference.en"
    return lambda *args, systems=SYSTEMS, metric="chrf": run(
        "compare", "-r", reference, "-m", metric, "--trials", 500, "--resamples", 100, *args, *systems
    )


def document(ended):
    assert ended.code == 0, ended.err
    return json.loads(ended.out)


def test_piped_output_is_a_plain_table(compare):
    code, out, err = compare("--no-lint")
    assert (code, err) == (0, "")
    lines = out.splitlines()
    assert lines[1].split() == ["System", "chrF", "↑", "ranks"]
    assert [line.split()[0] for line in lines[2:6]] == [
        "neural-fixed",
        "neural",
        "─" * len(lines[4]),
        "rulebased",
    ]
    assert "- neural-fixed is better than rulebased on texts like these (chrF +22.4" in out
    assert "neural-fixed and neural cannot be told apart (chrF +0.1" in out
    assert not ANSI.search(out)
    assert all(line == line.rstrip() for line in lines)


def test_the_best_and_what_is_significant_is_coloured(terminal):
    out = terminal("compare", "-r", EXAMPLES / "reference.en", "-m", "chrf", "--trials", 200, *SYSTEMS)
    assert re.search(r"\x1b\[1;32m69\.9 ± 2\.0", out) or re.search(r"\x1b\[1;32m70\.1 ± 2\.0", out)
    assert re.search(r"\x1b\[32m\+22\.4", out)
    for line in ANSI.sub("", out).splitlines():
        assert len(line) <= 80 or "|version:" in line


def test_a_terminal_that_knows_only_ascii_gets_ascii(process):
    ended = process(
        *(
            "compare",
            "-q",
            "-r",
            EXAMPLES / "reference.en",
            "-m",
            "ter",
            "--trials",
            200,
            "--correction",
            "bh",
        ),
        *SYSTEMS,
        env={"PYTHONIOENCODING": "ascii"},
    )
    assert ended.code == 0
    assert "35.1 ~ 2.6" in ended.out
    assert "-33.7" in ended.out
    assert "\\u" not in ended.out
    assert "\\x" not in ended.out


def test_json(compare):
    result = document(compare("-f", "json"))
    assert [r["system"] for r in result["results"]] == ["neural", "neural-fixed", "rulebased"]
    assert [r["cluster"] for r in result["results"]] == [1, 1, 2]
    assert result["test"] == {
        "method": "randomisation",
        "trials": 500,
        "resamples": 100,
        "sampling": "bootstrap",
        "interval": "test",
        "confidence": 0.95,
        "seed": 12345,
        "unit": "segment",
        "strata": None,
        "correction": "holm",
        "comparisons": 3,
        "alpha": 0.05,
        "baseline": None,
        "alternative": "two-sided",
        "family": "metric",
        "expected": [],
        "risk": 0.0,
        "by_people": False,
        "intervals_from_errors": "none",
        "smallest_p": 3 / 501,
    }
    assert [i["role"] for i in result["inputs"]] == ["reference", "system", "system", "system"]
    assert result["claims"]


def test_the_command_says_what_the_function_finds(compare):
    """`adjudge compare` is `adjudge.compare()` on files."""
    options = {"trials": 500, "resamples": 100, "unit": "document", "by": ("domain",), "correction": "bh"}
    result = document(
        compare(
            *("-L", EXAMPLES / "labels.tsv", "-l", "pt-en", "-f", "json", "--no-lint"),
            *("--unit", "document", "--by", "domain", "--correction", "bh"),
        )
    )
    loaded = io.load(
        systems=list(map(str, SYSTEMS)),
        references=[str(EXAMPLES / "reference.en")],
        labels=str(EXAMPLES / "labels.tsv"),
        language="pt-en",
    )
    for plan in ({"plan": Plan(**options)}, options, {"plan": Plan(**options, seed=7), "seed": 12345}):
        ours = adjudge.compare(loaded.test_set, loaded.outputs, "chrf", **plan)
        again = json.loads(json.dumps(comparison_document(ours, version=adjudge.__version__)))
        beside = ("arguments", "differences", "verdict")
        assert again | {"inputs": 0} == {k: v for k, v in result.items() if k not in beside} | {"inputs": 0}


def test_warnings_are_said_once(compare):
    """Where claims are shown, what they say is not said beside them; elsewhere it is."""
    systems = [*SYSTEMS[:1], *(EXAMPLES / "systems" / f"experiment.run{i}.en" for i in (1, 2))]
    for form in ("text", "markdown", "html", "tsv", "json", "latex"):
        ended = compare("--no-lint", "--trials", 10, "-f", form, systems=systems)
        for sentence in ("no difference can be significant", "with fewer than three training runs"):
            assert (sentence in " ".join(ended.err.split())) == (form in ("tsv", "json", "latex"))
    result = document(compare("--trials", 10, "-f", "json", systems=systems))
    assert len(result["warnings"]) == 2
    assert set(result["warnings"]) <= set(result["claims"])
    # Benjamini and Hochberg's correction may leave the smallest p as it is: something can be significant.
    result = document(compare("--trials", 40, "--correction", "bh", "-f", "json"))
    assert any(pair["significant"] for pair in result["pairs"])
    assert not result["warnings"]


@pytest.mark.parametrize("form", FORMATS)
def test_the_same_seed_gives_the_same_bytes_on_any_number_of_threads(compare, form):
    comparison = compare("-f", form, "--threads", 1, "--no-cache")
    assert comparison == compare("-f", form, "--threads", 3)
    assert comparison == compare("-f", form)  # from the cache
    assert comparison.out


def test_another_seed_gives_other_intervals(compare):
    first, other = document(compare("-f", "json")), document(compare("-f", "json", "--seed", 7))
    assert first["results"][0]["low"] != other["results"][0]["low"]
    assert first["results"][0]["score"] == other["results"][0]["score"]


def test_options_reach_the_test(compare):
    labels = ("-L", EXAMPLES / "labels.tsv")
    result = document(
        compare(
            *labels,
            *(
                "-f",
                "json",
                "--test",
                "bootstrap",
                "--sampling",
                "half",
                "--interval",
                "basic",
                "--confidence",
                0.9,
            ),
            *("--unit", "document", "--strata", "domain", "--correction", "bh", "--alpha", 0.01),
            *("--baseline", "neural"),
        )
    )
    test = result["test"]
    assert {key: test[key] for key in ("method", "sampling", "interval", "confidence", "unit", "strata")} == {
        "method": "bootstrap",
        "sampling": "half",
        "interval": "basic",
        "confidence": 0.9,
        "unit": "document",
        "strata": "domain",
    }
    assert (test["correction"], test["alpha"], test["baseline"]) == ("bh", 0.01, "neural")
    assert [(p["a"], p["b"]) for p in result["pairs"]] == [
        ("neural-fixed", "neural"),
        ("rulebased", "neural"),
    ]


def test_by_a_label_and_by_length(compare):
    result = document(compare("-L", EXAMPLES / "labels.tsv", "-f", "json", "--by", "domain"))
    assert [group["by"] for group in result["groups"]] == [{}, {"domain": "news"}, {"domain": "support"}]
    assert [group["segments"] for group in result["groups"]] == [173, 85, 88]
    crossed = document(
        compare("-L", EXAMPLES / "labels.tsv", "-f", "json", "--by", "domain", "--by", "origin")
    )
    assert len(crossed["groups"]) == 5
    by_length = compare("--by", "length")
    assert "length=11-20: " in by_length.out


def test_labelled_documents_are_drawn_and_it_is_said(compare):
    out = " ".join(compare("-L", EXAMPLES / "labels.tsv").out.split())
    assert "Whole documents are drawn, 16 of them: segments of one document are alike" in out
    assert "16 documents are few" in out
    by_segment = json.loads(compare("-L", EXAMPLES / "labels.tsv", "--unit", "segment", "-f", "json").out)
    assert by_segment["test"]["unit"] == by_segment["design"]["unit"] == "segment"
    (documents,) = by_segment["design"]["groupings"]
    assert (documents["name"], documents["groups"]) == ("document", 16)
    assert by_segment["design"]["sound"] is (documents["effect"] < 1.1)


def test_tables_for_programs(compare):
    results, pairs = compare("-f", "tsv").out, compare("-f", "tsv", "--table", "pairs").out
    assert [len(lines.splitlines()) for lines in (results, pairs)] == [4, 4]
    assert pairs.splitlines()[1].split("\t")[:4] == ["", "chrf", "neural", "neural-fixed"]


def test_runs_of_a_system(compare):
    systems = [*SYSTEMS[:1], *(EXAMPLES / "systems" / f"experiment.run{i}.en" for i in (1, 2))]
    ended = compare(systems=systems)
    assert "experiment (mean of 2)" in ended.out
    assert "experiment is the mean of 2 training runs" in " ".join(ended.out.split())
    assert "with fewer than three training runs" in " ".join(ended.out.split())
    assert "luck" in compare("-f", "tsv", systems=systems).err


def test_the_same_output_twice(compare):
    ended = compare("-f", "json", systems=[f"a={SYSTEMS[0]}", f"b={SYSTEMS[0]}"])
    (pair,) = document(ended)["pairs"]
    assert (pair["p"], pair["p_adjusted"], pair["significant"]) == (1.0, 1.0, False)
    assert document(ended)["claims"][0].startswith("a and b score the same on every segment (chrF, p = 1)")


def test_a_file_instead_of_stdout(compare, tmp_path):
    target = tmp_path / "out.txt"
    assert compare("-o", target).out == ""
    assert target.read_text(encoding="utf-8") == compare().out


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["--baseline", "neral"], 2, "unknown baseline 'neral'; did you mean 'neural'?"),
        (["--test", "ttest"], 2, "unknown test 'ttest'"),
        (["--correction", "hom"], 2, "unknown correction 'hom'; did you mean 'holm'?"),
        (["--sampling", "third"], 2, "unknown sampling 'third'"),
        (["--interval", "percent"], 2, "unknown interval 'percent'; did you mean 'percentile'?"),
        (["--alpha", "5"], 2, "alpha=5.0: must lie between 0 and 1"),
        (["--alpha", "nan"], 2, "'nan' is no number to reckon with"),
        (["--confidence", "95"], 2, "confidence=95.0: must lie between 0 and 1"),
        (["--trials", "0"], 2, "0 is not in the range 1<=x<="),
        (["--seed", "-1"], 2, "-1 is not in the range 0<=x<="),
        (["--unit", "document"], 2, "no label 'document' to draw by"),
        (["--strata", "domain"], 2, "no label 'domain' to draw by"),
        (["--by", "domian"], 2, "no label 'domian' to group by"),
        (["--table", "pair"], 2, "unknown table 'pair'; did you mean 'pairs'?"),
        (["--table", "pairs"], 2, "--table pairs is for -f tsv"),
        (["-m", "blue"], 2, "unknown metric 'blue'; did you mean 'bleu'?"),
        (["-f", "yaml"], 2, "unknown format 'yaml'"),
    ],
)
def test_what_cannot_be_done_is_refused(compare, arguments, code, message):
    ended = compare(*arguments)
    assert (ended.code, ended.out) == (code, "")
    assert message in ended.err
    assert "Traceback" not in ended.err


def test_one_system_is_not_enough(compare):
    ended = compare(systems=SYSTEMS[:1])
    assert ended.code == 2
    assert (
        "two systems are needed for a comparison, there is only 'neural' (adjudge score scores one)"
        in ended.err
    )
    assert "no system output to compare" in compare(systems=[]).err


def test_what_is_wrong_with_the_outputs_is_said_in_a_line(compare, tmp_path):
    first, *rest = SYSTEMS[0].read_text(encoding="utf-8").splitlines(keepends=True)
    shifted = tmp_path / "shifted.en"
    shifted.write_text("".join([*rest, first]), encoding="utf-8")
    loud = compare(systems=[SYSTEMS[0], shifted])
    assert compare("--lint", systems=[SYSTEMS[0], shifted]) == loud
    assert re.match(
        r"adjudge: warning: lint: 1 error.* \(adjudge lint for details\): shifted is shifted", loud.err
    )
    assert loud.err.count("\n") == 1
    for silent in (
        compare("--no-lint", systems=[SYSTEMS[0], shifted]),
        compare("-q", systems=[SYSTEMS[0], shifted]),
    ):
        assert silent == (0, loud.out, "")


def test_few_trials_are_warned_of(compare):
    assert "no difference can be significant" in " ".join(compare("--trials", 20).out.split())


@pytest.fixture
def saved(run, tmp_path):
    """A function that stores the scores of a system and gives the path."""

    def save(name, metric="chrf", reference="reference.en"):
        path = tmp_path / f"{name}.json"
        ended = run(
            *("score", "-q", "-r", EXAMPLES / reference, "-L", EXAMPLES / "labels.tsv", "-m", metric),
            *("--save", path, EXAMPLES / "systems" / f"{name}.en"),
        )
        assert ended.code == 0, ended.err
        return path

    return save


def test_stored_runs_are_compared_as_their_outputs_would_be(run, saved, compare):
    few = ("-m", "chrf", "--trials", 500, "--resamples", 100, "-f", "json")
    stored = document(run("compare", *few, *map(saved, ("neural", "neural-fixed", "rulebased"))))
    direct = document(compare("-f", "json", "-L", EXAMPLES / "labels.tsv"))
    for part in ("results", "pairs", "test", "claims", "test_set"):
        assert stored[part] == direct[part]
    assert [item["role"] for item in stored["inputs"]] == ["run"] * 3
    beside = document(run("compare", *few, saved("neural"), *SYSTEMS[1:]))
    assert beside["pairs"] == direct["pairs"]


def test_a_comparison_is_stored_with_its_rows(run, compare, tmp_path):
    path = tmp_path / "comparison.json"
    shown = compare("--save", path)
    assert shown.code == 0
    assert {"rows", "labels", "arguments", "pairs"} <= set(json.loads(path.read_text()))
    again = run("compare", "--trials", 500, "--resamples", 100, path)
    assert again.out == shown.out
    assert "length=11-20" in run("compare", "--trials", 500, "--by", "length", path).out


def test_different_signatures_and_test_sets_are_refused_by_field(run, saved):
    old, new = saved("neural", "bleu"), saved("neural-fixed", "bleu(tokenize=intl)")
    ended = run("compare", old, new)
    assert ended.code == 1
    assert f"tok: 13a in {old}, intl in {new}" in ended.err
    other = saved("shortened", "bleu", "reference-b.en")
    assert "different test sets cannot be compared: fingerprint: " in run("compare", old, other).err


def test_a_run_that_is_cut_off_is_named(run, saved):
    path = saved("neural")
    path.write_text(path.read_text()[:300])
    ended = run("compare", path, SYSTEMS[1])
    assert ended.code == 1
    assert f"{path} is truncated" in ended.err
    assert run("compare", "nowhere.json", SYSTEMS[1]).err == "adjudge: error: nowhere.json: no such file\n"


def test_every_option_is_documented():
    page = (PROJECT / "docs" / "compare.md").read_text(encoding="utf-8")
    for parameter in command.params:
        for option in parameter.opts + parameter.secondary_opts:
            if option.startswith("-"):
                assert f"`{option}" in page, option


@pytest.mark.parametrize("option", ["-o", "--save"])
def test_no_input_is_written_over(run, tmp_path, option):
    for name, text in (("ref.en", "a b c d e\n"), ("a.en", "a b c d\n"), ("b.en", "a b c e\n")):
        (tmp_path / name).write_text(text)
    reference, a, b = (tmp_path / name for name in ("ref.en", "a.en", "b.en"))
    commands: list[list[object]] = [["compare", "-r", reference, a, b], ["score", "-r", reference, f"x={a}"]]
    for arguments in commands:
        for path in (reference, a):
            before = path.read_text()
            ended = run(*arguments, "-m", "bleu", option, path)
            assert ended.code == 2
            assert f"cannot write {path}: it is an input" in ended.err
            assert path.read_text() == before
        assert run(*arguments, option, "-").code == 2
    assert run("lint", "-r", reference, a, "-o", reference).code == 2
    assert reference.read_text() == "a b c d e\n"


def test_a_margin_in_the_units_of_the_metric(examples, run):
    systems = [str(examples / "systems" / f"{name}.en") for name in ("neural", "neural-fixed", "shortened")]
    given = [
        "compare",
        "-q",
        "-r",
        str(examples / "reference.en"),
        *systems,
        "--trials",
        "500",
        "--resamples",
        "500",
    ]
    out = " ".join(run(*given, "-m", "bleu", "--margin", "2").out.split())
    assert "neural-fixed and neural differ by less than 2 BLEU (96.67 % interval " in out
    assert "shortened differ" not in out
    document = json.loads(run(*given, "-m", "ter", "--margin", "1.5", "-f", "json").out)
    for pair in document["pairs"]:
        margin = pair["margin"]
        assert (
            margin["low"] < -pair["delta"] < margin["high"]
        )  # of TER less is better: the lead is turned round
        assert (margin["p"] < 0.05) == (margin["low"] > -1.5 and margin["high"] < 1.5)
    several = run(*given, "-m", "bleu", "-m", "chrf", "--margin", "2")
    assert several.code == 2
    assert "in the units of one metric, and there are 2: say of which (--margin bleu=2)" in " ".join(
        several.err.split()
    )
    assert "differ by less" not in run(*given, "-m", "bleu").out


def test_where_trials_stop_p_is_said_beside_it(examples, run):
    given = ["compare", "-q", "-r", str(examples / "reference.en"), "-m", "bleu", "--resamples", "100"]
    given += [str(examples / "systems" / f"{name}.en") for name in ("neural", "neural-fixed", "shortened")]
    for test in ("randomisation", "bootstrap"):
        few = [*given, "--test", test, "--trials", "299"]
        assert json.loads(run(*few, "-f", "json").out)["test"]["smallest_p"] == 0.01
        for form in ("text", "html", "markdown", "latex"):
            assert "so many trials give no p below 0.01" in " ".join(run(*few, "-f", form).out.split()), form
        assert "give no p below" not in run(*given, "--test", test, "--trials", "700").out


def test_a_margin_for_each_metric_its_interval_and_runs(examples, run, tmp_path):
    """Several metrics with a margin each, in sentences, TSV and JSON; verify knows it; training runs count too."""
    given = ["compare", "-q", "-r", str(examples / "reference.en"), "--trials", "300", "--resamples", "300"]
    given += [str(examples / "systems" / f"{name}.en") for name in ("neural", "neural-fixed")]
    given += ["-m", "bleu", "-m", "ter", "-m", "chrf"]
    both = [*given, "--margin", "bleu=2", "--margin", "ter=1.5"]
    out = " ".join(run(*both).out.split())
    assert "neural-fixed and neural differ by less than 2 BLEU (90 % interval +" in out
    assert "neural-fixed and neural differ by less than 1.5 TER (90 % interval " in out
    assert out.count("It counts only where the margin was fixed") == 1
    head, *lines = (line.split("\t") for line in run(*both, "-f", "tsv", "--table", "pairs").out.splitlines())
    rows = {row["metric"]: row for row in (dict(zip(head, line, strict=True)) for line in lines)}
    assert [rows[name]["margin"] for name in ("bleu", "ter", "chrf")] == ["2.0", "1.5", ""]
    by_name = {pair["metric"]: pair for pair in json.loads(run(*both, "-f", "json").out)["pairs"]}
    for name in ("bleu", "ter"):
        shown, kept = rows[name], by_name[name]["margin"]
        assert [float(shown[f"margin_{key}"]) for key in ("low", "high", "p")] == [
            kept["low"],
            kept["high"],
            kept["p"],
        ]
        assert shown["equivalent"] == "true"
    assert "margin" not in by_name["chrf"]
    assert "margin" not in run(*given, "-f", "tsv", "--table", "pairs").out
    assert run(*both, "--save", str(tmp_path / "r.json")).code == 0
    assert run("verify", str(tmp_path / "r.json")).code == 0
    for wrong, message in (
        (["--margin", "blue=1"], "unknown metric of a margin 'blue'; did you mean 'bleu'"),
        (["--margin", "bleu=x"], "--margin bleu=x: a number was expected, or METRIC=NUMBER"),
        (["--margin", "bleu=1", "--margin", "bleu=2"], "there is one of bleu already"),
        (["--margin", "1", "--margin", "bleu=2"], "give each its metric"),
        (["--margin", "bleu=-1"], "a number above 0"),
    ):
        ended = run(*given, *wrong)
        assert (ended.code, message in " ".join(ended.err.split())) == (2, True), ended.err


def test_a_margin_of_systems_with_several_runs(examples, run, tmp_path):
    lines = (examples / "systems" / "neural.en").read_text().splitlines()
    other = (examples / "systems" / "neural-fixed.en").read_text().splitlines()
    for system, first in (("one", 0), ("two", 3)):
        for number in range(3):
            chosen = [
                (a, b)[(i + first + number) % 7 == 0]
                for i, (a, b) in enumerate(zip(lines, other, strict=True))
            ]
            (tmp_path / f"{system}.run{number + 1}.en").write_text("\n".join(chosen) + "\n")
    given = ["compare", "-q", "-r", str(examples / "reference.en"), "-m", "bleu", "--margin", "3"]
    given += ["--trials", "300", "--resamples", "300", "-f", "json"]
    runs = sorted(map(str, tmp_path.glob("*.en")))
    several = json.loads(run(*given, *runs).out)["pairs"][0]["margin"]
    assert several["low"] < several["high"]
    assert several["p"] < 0.05
    alone = json.loads(run(*given, *runs[:3], f"x={runs[3]}").out)
    assert alone["pairs"][0]["margin"]["low"] is None, "a single run does not tell how runs vary"
