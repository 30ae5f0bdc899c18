"""Every result that speaks of certainty says in JSON what it rests on."""

import json

import pytest

EXAMPLES = {
    "compare": ("compare", "-r", "{}/reference.en", "-m", "chrf", "--margin", "1", "--trials", "200"),
    "power from outputs": ("power", "-r", "{}/reference.en", "-m", "chrf", "--simulations", "100"),
}
SYSTEMS = ("{}/systems/neural.en", "{}/systems/rulebased.en")
KEYS = {"unit", "units", "reason", "groupings", "smallest_p", "shared", "missing", "sound", "reservations"}


def printed(run, *arguments):
    return json.loads(run(*arguments, "-q", "-f", "json").out)


def at(examples, arguments):
    return [argument.format(examples) for argument in arguments]


@pytest.mark.parametrize("name", EXAMPLES)
def test_results_of_outputs_have_a_design(run, examples, name):
    labels = ("-L", f"{examples}/labels.tsv")
    design = printed(run, *at(examples, EXAMPLES[name]), *labels, *at(examples, SYSTEMS))["design"]
    assert {*design} >= KEYS
    assert (design["unit"], design["units"]) == ("document", 16)
    design = printed(run, *at(examples, EXAMPLES[name]), *at(examples, SYSTEMS))["design"]
    assert design["unit"] == "segment"


@pytest.mark.parametrize("what", ["buckets", "errors", "faults", "words", "scores"])
def test_analyses_have_a_design(run, examples, what):
    files = ("-r", "{}/reference.en", "-s", "{}/source.pt", "-L", "{}/labels.tsv")
    given = ("analyse", what, *at(examples, (*files, *SYSTEMS)), "--resamples", "20")
    assert {*printed(run, *given)["design"]} >= KEYS
    assert printed(run, *given)["design"]["unit"] == "document"
    asked = printed(run, *given, "--unit", "segment")["design"]
    assert (asked["unit"], asked["sound"]) == ("segment", False)


def test_a_gate_has_a_design(run, examples, tmp_path):
    stored = tmp_path / "run.json"
    labels = ("-L", f"{examples}/labels.tsv")
    run(
        "score",
        "-q",
        "-r",
        f"{examples}/reference.en",
        *labels,
        "-m",
        "chrf",
        "--save",
        stored,
        *at(examples, SYSTEMS[:1]),
    )
    design = printed(run, "gate", "--against", stored, "--trials", "200", *at(examples, SYSTEMS[:1]))[
        "design"
    ]
    assert {*design} >= KEYS
    assert design["unit"] == "document"


def test_a_study_and_its_gate_have_a_design_of_the_mean(run, examples, tmp_path):
    stored, study = tmp_path / "study.json", examples / "study" / "study.toml"
    quick = ("--resamples", "50", "--trials", "200")
    run("study", "run", study, "-q", "-m", "chrf", *quick, "--save", stored)
    result = printed(run, "study", "run", study, "-m", "chrf", *quick)
    assert {*result["design"]} >= KEYS
    for table in result["tables"]:
        assert table["design"]["units"] == sum(own["units"] for own in table["designs"].values())
    gate = printed(run, "gate", "--against", stored, "--trials", "200", study)
    assert gate["design"]["units"] == sum(own["units"] for own in gate["designs"].values())


def test_judgements_have_a_design(run, examples):
    result = printed(run, "human", "analyse", examples / "judgements.tsv", "--resamples", "50")
    assert {*result["groups"][0]["design"]} >= KEYS
    result = printed(run, "human", "analyse", examples / "rankings.csv")
    assert {*result["groups"][0]["design"]} >= KEYS
    pilot = printed(
        run,
        "power",
        "-j",
        examples / "judgements.tsv",
        "--pair",
        "neural",
        "rulebased",
        "--simulations",
        "100",
    )
    assert {*pilot["design"]} >= KEYS
    planned = printed(
        run, "power", "--n", "55", "--effect", "0.44", "--document-icc", "0.1", "--document-size", "10"
    )
    assert planned["design"]["unit"] == "translation,document"
