"""`adjudge human analyse` on rankings: official orders and scores come out."""

import json

import pytest

from conftest import read_lines


@pytest.fixture
def analyse(run):
    def call(*arguments):
        ended = run("human", "analyse", "-q", "-f", "json", *map(str, arguments))
        assert ended.code == 0, ended.err
        return json.loads(ended.out)

    return call


def test_wmt13_expected_wins(shared, analyse):
    """METHODS, section 3: the thirteen systems of fr-en."""
    folder = shared.data / "07_rankings_wmt13_fren" / "human"
    analysis = analyse(folder / "rankings-train.csv", "--preset", "wmt13", "--resamples", 50)
    scores = [(s["system"], s["score"]) for s in analysis["groups"][0]["systems"]]
    official = [0.638, 0.603, 0.591, 0.573, 0.561, 0.540, 0.512, 0.485, 0.438, 0.428, 0.420, 0.389, 0.322]
    parts = ["heafield", "uedin", "online-B", "LIMSI", "KIT", "online-A", "MES"]
    parts += ["DCU", "RWTH", "CMU", "cu-zeman", "JHU", "Shef"]
    assert len(scores) == 13
    for (system, score), expected, part in zip(scores, official, parts, strict=True):
        assert part.lower() in system.lower()
        assert score == pytest.approx(expected, abs=0.0006)


def test_toral_trueskill(shared, analyse):
    folder = shared.data / "08_rankings_toral18_zhen" / "judgements"
    analysis = analyse(*sorted(folder.glob("*.csv")), "--ranking", "trueskill", "--resamples", 100)
    scores = {s["system"]: s["score"] for s in analysis["groups"][0]["systems"]}
    assert scores["ht"] == pytest.approx(1.59, abs=0.06)
    assert scores["c6"] == pytest.approx(1.23, abs=0.06)
    assert scores["gg"] == pytest.approx(-2.82, abs=0.06)
    assert list(scores) == ["ht", "c6", "gg"]


def test_wmt16_order_and_agreement(shared, analyse):
    folder = shared.data / "06_rankings_wmt16"
    analysis = analyse(folder / "data" / "wmt16.ron-eng.csv", "--preset", "wmt16", "--resamples", 100)
    systems = analysis["groups"][0]["systems"]
    lines = [line.split() for line in read_lines(folder / "results" / "wmt16.ron-eng.txt") if line[0] != "+"]
    assert [s["system"] for s in systems] == [line[0] for line in lines]
    for system, line in zip(systems, lines, strict=True):
        assert system["score"] == pytest.approx(float(line[1]), abs=0.05)
    collapsed = analyse(
        folder / "data" / "collapsed" / "wmt16.collapsed.ron-eng.csv", "--preset", "wmt16", "--resamples", 50
    )
    inter = collapsed["agreement"]["inter"]
    assert (inter["agreeing"], inter["comparable"]) == (1793, 3062)
    assert inter["empirical"]["value"] == pytest.approx(0.341, abs=0.0005)


def test_shared_outputs_count_once_for_agreement(shared, run):
    ended = run("human", "analyse", str(shared.data / "06_rankings_wmt16" / "data" / "wmt16.ron-eng.csv"))
    assert "4,154 of 15,822 comparisons count for systems' scores but not for agreement" in ended.err
    assert "Between annotators: kappa 0.333" in ended.out


def test_parity_of_documents(shared, analyse):
    """Läubli et al. 2018: people prefer people's documents, not people's sentences."""
    folder = shared.data / "09_laeubli18_pairwise"
    given = ["--by", "condition", "--by", "type", "--resamples", 50, "--unit", "pair"]
    analysis = analyse(folder / "ratings.csv", *given)
    document = next(g for g in analysis["groups"] if set(g["by"].values()) == {"adequacy", "document"})
    (pair,) = document["pairs"]
    assert sorted([pair["wins"], pair["losses"]]) == [74, 104]
    assert pair["ties"] == 22
    assert pair["p"] == pytest.approx(0.029, abs=0.0005)


PUBLISHED = {
    ("adequacy", "document"): (104, 22, 74, 0.029),
    ("adequacy", "sentence"): (86, 19, 103, 0.244),
    ("fluency", "document"): (99, 57, 44, 4.9e-6),
    ("fluency", "sentence"): (106, 36, 66, 0.003),
}
"""Läubli et al. 2018: preferred the person, neither, the machine; p of the sign test."""


@pytest.mark.parametrize("spam", [False, True])
def test_parity_as_published(shared, analyse, spam):
    """One command gives all four results, control items among the judgements or not."""
    folder = shared.data / "09_laeubli18_pairwise"
    files = [folder / "ratings.csv"]
    if spam:
        files = [
            folder / "ratings.with-spam.csv",
            "-L",
            folder / "documents.csv",
            "-L",
            folder / "sentences.csv",
        ]
    given = ["--by", "condition", "--by", "type", "--resamples", 50, "--unit", "pair"]
    analysis = analyse(*files, "--without", "item=U-*", *given)
    assert len(analysis["groups"]) == 5
    for group in analysis["groups"][1:]:
        (pair,) = group["pairs"]
        wins, ties, losses, p = PUBLISHED[group["by"]["condition"], group["by"]["type"]]
        own = {pair["a"]: pair["wins"], pair["b"]: pair["losses"]}
        assert (own["human"], pair["ties"], own["mt"]) == (wins, ties, losses)
        assert pair["p"] == pytest.approx(p, abs=0.0005)
    assert any("left out as asked (--without item=U-*)" in warning for warning in analysis["warnings"])
    missed = {control["annotator"]: control["ties"] + control["damaged"] for control in analysis["controls"]}
    assert {name for name, number in missed.items() if number} == ({"E", "H"} if spam else set())
    assert (
        sum(control["whole"] + control["ties"] + control["damaged"] for control in analysis["controls"])
        == 104 * spam
    )


def test_toral_by_judges_and_origin(shared, analyse):
    """Toral et al. 2018: professionals on what was written in Chinese; the parts are chosen on the command line."""
    folder = shared.data / "08_rankings_toral18_zhen"
    options = ["-L", folder / "segments.tsv", "--only", "origin=zh", "--ranking", "trueskill"]
    analysis = analyse(
        folder / "judgements" / "hp_*.csv", *options, "--only", "annotator=*_prof*", "--resamples", 400
    )
    scores = {s["system"]: s["score"] for s in analysis["groups"][0]["systems"]}
    assert scores == pytest.approx({"ht": 2.247, "c6": 1.197, "gg": -3.461}, abs=0.06)


def test_every_format(examples, run):
    file = str(examples / "rankings.csv")
    given = ["human", "analyse", "-q", file, "--resamples", "50"]
    text = run(*given).out
    assert "expected wins ↑" in text
    assert "kappa" in text
    assert "preferred" not in text.splitlines()[0]
    assert run(*given, "-f", "markdown").out.count("|:--|") >= 2
    assert "\\begin{tabular}" in run(*given, "-f", "latex").out
    assert run(*given, "-f", "tsv").out.splitlines()[0].startswith("group\tsystem\tscore\t")
    assert len(run(*given, "-f", "tsv", "--table", "pairs").out.splitlines()) == 1 + 6
    assert run(*given, "-f", "tsv", "--table", "annotators").code == 0


def test_rankings_by_origin(shared, run):
    folder = shared.data / "08_rankings_toral18_zhen"
    files = [str(path) for path in sorted((folder / "judgements").glob("*.csv"))]
    given = [
        "human",
        "analyse",
        *files,
        "-L",
        str(folder / "segments.tsv"),
        "-l",
        "zh-en",
        "--resamples",
        "50",
    ]
    ended = run(*given, "--by", "origin")
    assert "204 segments of 503 WERE CREATED IN REVERSE" in ended.err
    assert "Forward and reverse by expected wins" in ended.out
    assert "1 of 3 pairs (33%) change their order: ht and c6" in " ".join(ended.out.split())
    document = json.loads(run(*given, "--by", "origin", "-q", "-f", "json", "--ranking", "bradley-terry").out)
    (measure,) = document["translationese"]["measures"]
    assert measure["measure"] == "bradley terry"
    assert measure["pairs"][0]["forward_relative"] is None


@pytest.mark.parametrize(
    "option",
    [
        ["--test", "rank-sum"],
        ["--score", "z"],
        ["--repeats"],
        ["--drop-failed"],
        ["--mixed-model"],
        ["-f", "tsv", "--table", "segments"],
        ["--one-sided"],
        ["--error-weights", "major=2"],
        ["--unit", "translation"],
        ["--preset", "wmt21"],
        ["--ranking", "elo"],
    ],
)
def test_what_is_for_ratings_is_refused(examples, run, option):
    ended = run("human", "analyse", "-q", str(examples / "rankings.csv"), *option)
    assert ended.code == 2
    assert option[-1] in ended.err or f"{option[0]} is for ratings" in ended.err


def test_who_won_everything_needs_a_regularisation(run, tmp_path):
    path = tmp_path / "won.csv"
    rows = [f"{i},x,a,b,a" for i in range(9)]
    path.write_text("\n".join(["segment,judge,system1,system2,preferred", *rows]) + "\n")
    given = ["human", "analyse", "-q", str(path), "--ranking", "bradley-terry"]
    refused = run(*given)
    assert refused.code == 1
    assert "regularisation" in refused.err
    ended = run(*given, "--regularisation", "0.01", "-f", "tsv")
    assert ended.code == 0, ended.err
    assert [line.split("\t")[1] for line in ended.out.splitlines()[1:]] == ["a", "b"]
    other = run(*given[:-1], "expected-wins", "--regularisation", "0.01")
    assert other.code == 2


def test_items_are_the_unit(shared, analyse, run):
    """Läubli et al. 2018 tested every judgement; as many as there are documents can be tested."""
    file = shared.data / "09_laeubli18_pairwise" / "ratings.csv"
    given = ["--without", "item=U-*", "--by", "condition", "--by", "type", "--resamples", 50]
    analysis = analyse(file, *given, "--unit", "item")
    assert analysis["judgements"]["unit"] == "item"
    p = {tuple(g["by"].values()): g["pairs"][0]["p"] for g in analysis["groups"][1:]}
    assert p["adequacy", "document"] == pytest.approx(0.044, abs=0.0005)
    assert p["adequacy", "sentence"] == pytest.approx(0.289, abs=0.0005)
    assert p["fluency", "document"] < 0.001
    assert p["fluency", "sentence"] == pytest.approx(0.0076, abs=0.0005)
    document = next(g for g in analysis["groups"] if set(g["by"].values()) == {"adequacy", "document"})
    (pair,) = document["pairs"]
    assert (pair["n_judgements"], pair["n_translations"], pair["units"]) == (200, 100, 100)
    assert pair["delta"] == pytest.approx(30 / 200)
    assert document["test"] | {"seed": 0} == {
        "method": "sign-flip",
        "unit": "item",
        "drawn": "item",
        "clusters": "tests",
        "resamples": 50,
        "seed": 0,
        "confidence": 0.95,
        "alpha": 0.05,
        "correction": "holm",
        "comparisons": 1,
    }


def test_annotators_are_drawn_with_items(shared, analyse, run):
    """The same data by default: what people prefer may be their taste, and two people cannot tell."""
    file = shared.data / "09_laeubli18_pairwise" / "ratings.csv"
    given = ["--without", "item=U-*", "--by", "condition", "--by", "type", "--resamples", 50]
    default, items = analyse(file, *given), analyse(file, *given, "--unit", "item")
    whole, *parts = default["groups"]
    assert whole["test"]["method"] == "clustered-t"
    assert whole["design"]["unit"] == whole["test"]["drawn"] == "item,annotator"
    assert whole["design"]["sound"]
    assert whole["pairs"][0]["delta"] == pytest.approx(items["groups"][0]["pairs"][0]["delta"])
    assert whole["pairs"][0]["p"] > items["groups"][0]["pairs"][0]["p"]
    people = {group["design"]["balance"]["annotators"]: group for group in parts}
    assert {number: group["test"]["unit"] for number, group in people.items()} == {
        4: "item,annotator",
        2: "item",
    }
    assert any(claim.startswith("Only 2 annotators judged everything") for claim in people[2]["claims"])
    (people,) = items["groups"][0]["design"]["groupings"]
    assert (people["name"], people["groups"]) == ("annotator", default["judgements"]["annotators"])
    assert people["effect"] > 1.1
    assert not items["groups"][0]["design"]["sound"]
    assert any(
        "of one annotator are alike but were drawn one by one" in c for c in items["groups"][0]["claims"]
    )
    text = " ".join(run("human", "analyse", "-q", str(file), "--resamples", "50").out.split())
    assert "annotators are drawn together, so that the result extends to others of their kind" in text
    assert "t-test clustered by items and annotators" in text
    refused = run("human", "analyse", "-q", str(file), "--unit", "annotator,item")
    assert (refused.code, "item,annotator or document,annotator" in refused.err) == (2, True)


def test_nothing_is_claimed_from_a_p_that_is_too_small(shared, run, analyse):
    file = str(shared.data / "09_laeubli18_pairwise" / "ratings.csv")
    ended = run("human", "analyse", file, "--resamples", "50", "--unit", "pair")
    assert "p takes 1,232 judgements of 308 questions" in ended.err
    assert "is preferred to" not in ended.out
    assert "ranks first" not in ended.out
    assert "*" not in ended.out
    assert "Nothing is claimed: several people compared the same outputs" in ended.out
    analysis = analyse(file, "--unit", "pair", "--resamples", 50)
    assert analysis["judgements"]["too_small"]
    assert not any(pair["significant"] for group in analysis["groups"] for pair in group["pairs"])
    assert "too small" not in run("human", "analyse", file, "--resamples", "50").err


@pytest.mark.parametrize("options", [[], ["--unit", "item"], ["--ranking", "trueskill", "--unit", "none"]])
def test_nobody_ranks_first_who_cannot_be_told_apart(shared, run, options):
    """With Toral's judgements of both origins, ranges of ranks part ht from c6."""
    folder = shared.data / "08_rankings_toral18_zhen"
    files = [str(folder / "judgements" / "hp_*.csv"), "-L", str(folder / "segments.tsv")]
    ended = run("human", "analyse", *files, "--resamples", "200", "--only", "origin=en", *options)
    out = " ".join(ended.out.split())
    assert ended.code == 0, ended.err
    first = [name for name in ("ht", "c6", "gg") if f"{name} ranks first" in out]
    assert not [name for name in first if f"{name} and " in out or f"and {name} cannot" in out]


def test_documents_are_the_unit_where_items_have_one(shared, analyse, run):
    folder = shared.data / "08_rankings_toral18_zhen"
    files = [folder / "judgements" / "hp_*.csv", "-L", folder / "segments.tsv", "--resamples", 50]
    both, analysis = analyse(*files), analyse(*files, "--unit", "document")
    assert both["judgements"]["unit"] == "document,annotator"
    assert analysis["judgements"]["unit"] == "document"
    assert {pair["units"] for pair in analysis["groups"][0]["pairs"]} == {49}
    assert analysis["groups"][0]["test"]["drawn"] == "document"
    items = analyse(*files, "--unit", "item")
    for wide, narrow in zip(analysis["groups"][0]["pairs"], items["groups"][0]["pairs"], strict=True):
        assert wide["delta"] == pytest.approx(narrow["delta"])
        assert wide["p"] >= narrow["p"]
        assert wide["independent"] < narrow["independent"]
    errors = run("human", "analyse", *map(str, files), "--unit", "item").err
    assert "as if those of one document had nothing in common" in errors


def test_few_people_show_nothing(examples, run):
    ended = run(
        "human", "analyse", str(examples / "rankings.csv"), "--unit", "annotator", "--resamples", "50"
    )
    assert "4 annotators can give no p below 0.12" in ended.err
    assert "is preferred to" not in ended.out


def test_every_unit_is_in_the_help(run):
    words = " ".join(run("human", "analyse", "--help").out.split())
    for unit in ("document", "item", "annotator", "ranking", "pair", "none"):
        assert unit in words.split("--unit LABEL")[1].split("--drop-failed")[0]


@pytest.fixture
def parity(tmp_path):
    """A person and a system side by side, 900 documents, two of eight judges each, who agree and prefer neither."""
    lines = ["judge\tsystem1\tsystem2\tsegment\tpreferred\torigin\tdomain\tcontext"]
    for i in range(900):
        for place in (0, 1):
            choice = ("human", "mt")[i % 2] if place == 0 or i % 10 else "tie"
            lines.append(f"p{(i // 2 + place) % 8}\thuman\tmt\td{i}\t{choice}\tde\tnews\tdocument")
    path = tmp_path / "choices.tsv"
    path.write_text("\n".join(lines) + "\n")
    return path


def test_checklist_and_claim(run, parity):
    given = ["human", "analyse", "-q", str(parity), "--resamples", "50", "-l", "de-en"]
    ended = run(*given, "--claim", "human-parity", "--margin", "0.1")
    assert ended.code == 0, ended.out
    assert "Checklist: 9 of 9 points pass" in ended.out
    assert "Human parity may be claimed" in ended.out
    assert "mt: shown not to be worse than human by 0.1 or more (p < 0.001" in ended.out
    unproved = run(*given, "--claim", "human-parity")
    assert unproved.code == 3
    assert "parity needs a margin" in " ".join(unproved.out.split())
    given += ["--unit", "pair"]
    refused = run(*given, "--claim", "human-parity")
    assert refused.code == 3
    assert "✗ n and N (fail)" in refused.out
    assert "Not passed: n and N." in refused.out
    assert run(*given, "--checklist").code == 0
    checklist = json.loads(run(*given, "--claim", "human-parity", "-f", "json").out)["checklist"]
    assert [point["verdict"] for point in checklist["points"]].count("pass") == 8
    assert checklist["claim"] == {
        "claim": "human-parity",
        "granted": False,
        "open_points": ["n and N"],
        "because": [
            "mt is not shown to be worse than human, which does not show that it is as good: parity needs a margin, "
            "the difference that would not matter (--margin X)"
        ],
    }
    markdown = run(*given, "--checklist", "-f", "markdown").out
    rows = [line.split(" | ") for line in markdown.splitlines() if line.endswith("|")]
    assert [row[1] for row in rows[-9:]] == [point["name"] for point in checklist["points"]]
    assert [row[3].strip("*") for row in rows[-9:]] == [point["verdict"] for point in checklist["points"]]
    latex = run(*given, "--checklist", "-f", "latex").out
    assert r"lp{0.37\linewidth}}" in latex
    assert r"& \textbf{fail} &" in latex


def test_reverse_segments_are_warned_of(shared, run):
    folder = shared.data / "08_rankings_toral18_zhen"
    files = [str(path) for path in sorted((folder / "judgements").glob("*.csv"))]
    ended = run(
        "human", "analyse", *files, "-L", str(folder / "segments.tsv"), "-l", "zh-en", "--resamples", "50"
    )
    assert ended.code == 0
    assert "204 segments of 503 WERE CREATED IN REVERSE" in ended.err


def test_shares_have_their_number_of_items(run, tmp_path):
    """Six systems, so that a matrix is shown; a and b met on nine items, the others on twelve."""
    names = "abcdef"
    rows = [
        f"{i},x,{name},{other},{name if i % 3 else other}"
        for place, name in enumerate(names)
        for other in names[place + 1 :]
        for i in range(9 if (name, other) == ("a", "b") else 12)
    ] + [f"{i},x,a,z,a" for i in range(10)]
    path = tmp_path / "choices.csv"
    path.write_text("\n".join(["segment,judge,system1,system2,preferred", *rows]) + "\n")
    out = run("human", "analyse", "-q", str(path), "--resamples", "20").out
    assert ".33 (12)" in out
    assert "(9)" not in out
    words = " ".join(out.split())
    assert "with the number of common items, nothing of fewer than 10." in words
    page = tmp_path / "page.html"
    assert run("human", "analyse", "-q", str(path), "--resamples", "20", "-o", str(page)).code == 0
    assert "wins .67, loses .33 of 12 items" in page.read_text()
    assert "of 9 items" not in page.read_text()


def test_systems_that_differ_by_less_than_a_margin(examples, run):
    given = ["human", "analyse", "-q", str(examples / "rankings.csv"), "--resamples", "50", "--unit", "item"]
    out = " ".join(run(*given, "--margin", "0.4").out.split())
    assert "neural-fixed and neural differ by less than 0.4 of preference (98.33 % interval " in out
    assert "only where the margin was fixed before" in out
    document = json.loads(run(*given, "--margin", "0.1", "-f", "json").out)
    pair = document["groups"][0]["pairs"][0]
    assert pair["margin"]["p"] > 0.05
    assert pair["margin"]["low"] < pair["delta"] < pair["margin"]["high"]
    assert "margin" not in json.loads(run(*given, "-f", "json").out)["groups"][0]["pairs"][0]
    assert run(*given, "--margin", "-1").code == 2
    published = run(*given, "--margin", "0.4", "--unit", "pair").out
    assert "differ by less" not in published
