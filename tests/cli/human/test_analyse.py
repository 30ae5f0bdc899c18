"""`adjudge human analyse`: official results come out, from the files as they are."""

import json
import math

import pytest

from conftest import read_lines


@pytest.fixture
def analyse(run):
    """The JSON of an analysis."""

    def call(*arguments):
        ended = run("human", "analyse", "-q", "-f", "json", *map(str, arguments))
        assert ended.code == 0, ended.err
        return json.loads(ended.out)

    return call


@pytest.mark.parametrize("pair", ["is-en", "cs-en"])
def test_wmt21_official_scores_p_values_and_clusters(shared, analyse, pair):
    folder = shared.data / "01_wmt21_da_toen" / pair / "human"
    analysis = analyse(folder / "judgements.tsv", "--preset", "wmt21")
    systems = {s["system"]: s for s in analysis["groups"][0]["systems"]}
    names = {}
    largest = 0.0
    for line in read_lines(folder / "sys-ranking-z.csv"):
        raw, z, n, judgements, long, name = line.split()
        names[long] = name
        own = systems[name]
        largest = max(largest, abs(own["z"] - float(z)))
        assert own["mean"] == pytest.approx(float(raw), abs=0.0501)
        assert own["n_translations"] == int(n)
        # One judgement of is-en's Online-A line 1 is not in the file (its README says so).
        assert own["n_judgements"] in (
            int(judgements),
            int(judgements) - (pair == "is-en" and name == "Online-A"),
        )
    assert largest <= 0.0005
    pairs = {(p["a"], p["b"]): p for p in analysis["groups"][0]["pairs"]}
    head, *lines = read_lines(folder / "wilcoxon-p.csv")
    columns = [names[name] for name in head.split()]
    checked = 0
    for line in filter(str.strip, lines):
        row, *cells = line.split()
        for column, cell in zip(columns, cells, strict=True):
            if float(cell) != 0.12:  # what is not significant was not written down
                p = pairs[names[row], column]
                assert abs(math.log10(p["p"]) - math.log10(float(cell))) < 0.006
                assert p["significant"]
                checked += 1
    assert checked == {"is-en": 31, "cs-en": 22}[pair]
    assert sum(p["significant"] for p in pairs.values()) == checked
    clusters = [line.split() for line in read_lines(folder / "clusters.csv")[1:]]
    official = {names[line[7]]: line[4] for line in clusters}
    order = list(dict.fromkeys(official.values()))
    assert {name: order.index(start) + 1 for name, start in official.items()} == {
        name: s["cluster"] for name, s in systems.items()
    }


def test_wmt21_mqm(shared, analyse):
    """What Google published for newstest2021, from averages of raters (02) and from marked errors (15)."""
    folder = shared.data / "02_wmt21_mqm_ende" / "en-de" / "human"
    analysis = analyse(folder / "mqm_avg_seg_scores.tsv", "--resamples", 50)
    means = {s["system"]: abs(s["mean"]) for s in analysis["groups"][0]["systems"]}
    published = {"ref-C": 0.51, "VolcTrans-GLAT": 1.04, "Facebook-AI": 1.05, "ref-A": 1.22, "Nemo": 1.34}
    published |= {
        "HuaweiTSC": 1.38,
        "Online-W": 1.46,
        "UEdin": 1.51,
        "eTranslation": 1.70,
        "VolcTrans-AT": 1.74,
    }
    for name, value in published.items():
        assert means[name] == pytest.approx(value, abs=0.00501)
    ours = [s["system"] for s in analysis["groups"][0]["systems"] if s["system"] in published]
    assert ours == list(published)


def test_ted_mqm_is_what_google_averaged(shared, analyse, run):
    """Every segment's mean over raters, from marked errors, is that of the file of averages."""
    folder = shared.data / "15_ted_mqm_ende"
    given = ("human", "analyse", "-q", str(folder / "mqm_ted_ende.tsv"), "--resamples", "50")
    head, *rows = run(*given, "-f", "tsv", "--table", "segments").out.splitlines()
    assert head.split("\t") == ["system", "item", "mean", "z", "n_judgements"]
    by_name = {(system, item): float(mean) for system, item, mean, _, _ in (row.split("\t") for row in rows)}
    averages = [line.split() for line in read_lines(folder / "mqm_ted_ende.avg_seg_scores.tsv")[1:]]
    expected = {
        (system.replace("ref-A", "ref"), item): -float(score)
        for system, score, item in averages
        if score != "None"
    }
    assert len(by_name) == len(expected) == 7406
    assert by_name == pytest.approx(expected, abs=1e-6)
    marked = analyse(folder / "mqm_ted_ende.tsv", "--resamples", 50)
    means = {s["system"]: s["mean"] for s in marked["groups"][0]["systems"]}
    for system, mean in means.items():
        own = [score for (name, _), score in by_name.items() if name == system]
        assert mean == pytest.approx(sum(own) / len(own))
    kinds = {error["severity"] for error in marked["errors"]}
    assert {"major", "minor"} <= kinds


def test_wmt23_mqm_by_the_weights_of_the_file(shared, analyse):
    """Source issues and reinterpretations weigh nothing there, which Google's general weights do not know."""
    folder = shared.data / "03_wmt23_mqm_esa" / "en-de" / "human"
    official = {name: -float(score) for name, score in map(str.split, read_lines(folder / "mqm.sys.score"))}
    analysis = analyse(folder / "mqm.ratings.tsv", "--resamples", 50)
    means = {s["system"]: s["mean"] for s in analysis["groups"][0]["systems"]}
    assert means == pytest.approx(official, abs=1e-9)
    assert analysis["judgements"]["weights"] == "as the files say"
    asked = analyse(folder / "mqm.ratings.tsv", "--resamples", 50, "--error-weights", "major=5")
    assert asked["judgements"]["weights"].startswith("major 5, minor 1, ")
    ours = {s["system"]: s["mean"] for s in asked["groups"][0]["systems"]}
    assert ours["refA"] == pytest.approx(3.19, abs=0.005)
    assert means["refA"] == pytest.approx(2.963, abs=0.001)


def test_a_mixed_model_needs_annotators(run, tmp_path):
    """Merged ratings have none: a table with raters would be guessed."""
    rows = "".join(f"merged\t{s}\t{n}\t{50 + n % 7}\n" for s in "AB" for n in range(1, 9))
    (tmp_path / "merged.tsv").write_text(f"rater\tsystem\tline\tscore\n{rows}", encoding="utf-8")
    ended = run("human", "analyse", tmp_path / "merged.tsv", "--resamples", 50, "--mixed-model")
    assert ended.code == 2
    assert "name no annotator" in ended.err


def test_curves_of_marked_errors(shared, analyse):
    """Errors are weighed before agreement is measured."""
    analysis = analyse(shared.data / "15_ted_mqm_ende" / "mqm_ted_ende.tsv", "--curves", "--resamples", 50)
    assert [point["judgements"] for point in analysis["without_first"]][:2] == [7406, 7402]


def test_esa_campaign(shared, analyse):
    folder = shared.data / "03_wmt23_mqm_esa" / "en-de" / "esa_campaign"
    analysis = analyse(folder / "240520rc6ESA.scores.csv", "--resamples", 50)
    assert analysis["judgements"]["protocol"] == "esa"
    assert analysis["judgements"]["kinds"]["bad reference"] > 0
    tested = [annotator for annotator in analysis["annotators"] if annotator["passed"] is not None]
    assert tested
    assert {error["severity"] for error in analysis["errors"]} >= {"major", "minor"}


def test_every_format_of_output(examples, run):
    given = ["human", "analyse", "-q", examples / "assessment.csv", "--resamples", "50"]
    text = run(*given).out
    assert text.startswith("Direct Assessment: ")
    assert "What may be claimed" in text
    assert "Agreement" in text
    assert run(*given, "-f", "markdown").out.count("|:--|") >= 2
    assert "\\begin{tabular}" in run(*given, "-f", "latex").out
    systems = run(*given, "-f", "tsv").out.splitlines()
    assert systems[0].split("\t")[:4] == ["group", "system", "mean", "z"]
    assert len(systems) == 1 + 4
    pairs = run(*given, "-f", "tsv", "--table", "pairs").out.splitlines()
    assert len(pairs) == 1 + 6
    assert run(*given, "-f", "tsv", "--table", "annotators").out.startswith("annotator\tjudgements\t")
    refused = run(*given, "--table", "pairs")
    assert refused.code == 2
    assert "-f tsv" in refused.err


@pytest.fixture
def small(tmp_path):
    lines = ["annotator\tsystem\tsegment\tscore\ttype\torigin\tdomain\tcontext"]
    for i in range(12):
        origin = "de" if i < 6 else "en"
        for who, shift in (("x", 0), ("y", -10)):
            for system, value in (("human", 90), ("a", 70), ("b", 40)):
                score = value + shift + (i * 7 + len(who + system)) % 5
                lines.append(f"{who}\t{system}\t{i}\t{score}\tordinary\t{origin}\tnews\tdocument")
        for who in "xy":
            lines.append(f"{who}\ta\t{i}\t{10 + i % 4}\tbad reference\t{origin}\tnews\tdocument")
    path = tmp_path / "judgements.tsv"
    path.write_text("\n".join(lines) + "\n")
    return path


def test_origin_shows_both_halves_and_warns(run, small):
    ended = run("human", "analyse", str(small), "--by", "origin", "-l", "de-en", "--resamples", "50")
    assert ended.code == 0
    assert "6 segments of 12 WERE CREATED IN REVERSE" in ended.err
    assert "Forward and reverse by DA z" in ended.out
    assert "Forward and reverse by DA raw" in ended.out
    assert "of their score on the forward half" in ended.out
    assert "origin=de" in ended.out
    source = small.parent / "source.de"
    source.write_text("".join(f"{'wort ' * (i + 1)}\n" for i in range(12)))
    shifted = [line.split("\t") for line in small.read_text().splitlines()]
    for row in shifted[1:]:
        row[2] = str(int(row[2]) + 1)
    small.write_text("".join("\t".join(row) + "\n" for row in shifted))
    given = ["human", "analyse", str(small), "-l", "de-en", "--resamples", "50", "-s", str(source)]
    with_lengths = run(*given, "--by", "origin")
    assert "Lengths in words" in with_lengths.out
    refused = run(*given)
    assert refused.code == 2
    assert "--by origin" in refused.err


def test_checklist_and_claim(run, small):
    given = ["human", "analyse", str(small), "-l", "de-en", "--resamples", "50"]
    ended = run(*given, "--checklist")
    assert ended.code == 0
    assert "of 9 points pass" in ended.out
    assert "✓ judge reliability (pass)" in ended.out
    assert "✓ level and context (pass)" in ended.out
    assert "✗ creation direction (fail)" in ended.out
    assert "✗ sample size (fail)" in ended.out
    claimed = run(*given, "--claim", "human-parity", "-q")
    assert claimed.code == 3
    assert "Human parity MAY NOT be claimed" in claimed.out
    assert "Not passed: creation direction; sample size; clusters." in claimed.out
    assert "a is worse than human (p = 0.003)" in claimed.out
    unknown = run(*given, "--claim", "world-peace")
    assert unknown.code == 2
    assert "human-parity" in unknown.err
    odd = run(*given, "--declare", "contxt=document", "--checklist")
    assert odd.code == 2
    assert "'context'" in odd.err


def test_post_edits_with_costs(run, tmp_path):
    lines = ["annotator\tsystem\tsegment\thter\tseconds\tkeystrokes\twords"]
    for i in range(30):
        for system, factor in (("a", 1.0), ("b", 1.6)):
            lines.append(
                f"x\t{system}\t{i}\t{0.1 * factor + i % 3 / 100}\t{(20 + i) * factor}\t{30 * factor}\t{10 + i % 5}"
            )
    path = tmp_path / "edits.tsv"
    path.write_text("\n".join(lines) + "\n")
    given = ["human", "analyse", "-q", str(path), "--resamples", "100"]
    ended = run(*given, "--wage", "36", "--scratch-speed", "400", "--engine-cost", "2")
    assert ended.code == 0, ended.err
    assert "seconds a word" in ended.out
    assert "What it costs" in ended.out
    assert "A thousand words from scratch cost 90.00" in ended.out
    half = run(*given, "--wage", "36")
    assert half.code == 2
    assert "--scratch-speed" in half.err
    document = json.loads(run(*given, "-f", "json", "--wage", "36", "--scratch-speed", "400").out)
    assert [bill["system"] for bill in document["bills"]] == ["a", "b"]
    assert (
        document["bills"][0]["saved_low"] < document["bills"][0]["saved"] < document["bills"][0]["saved_high"]
    )


def test_one_system_has_intervals_and_a_bill(run, tmp_path):
    path = tmp_path / "edits.tsv"
    rows = [f"x\ta\t{i}\t{i % 4 / 10}\t{20 + i}\t10" for i in range(40)]
    path.write_text("\n".join(["annotator\tsystem\tsegment\thter\tseconds\twords", *rows]) + "\n")
    given = ["human", "analyse", "-q", str(path), "--wage", "36", "--scratch-speed", "400"]
    document = json.loads(run(*given, "-f", "json").out)
    (system,) = document["groups"][0]["systems"]
    assert system["low"] < system["mean"] < system["high"]
    assert (system["cluster"], system["rank"], document["groups"][0]["pairs"]) == (None, None, [])
    (bill,) = document["bills"]
    assert bill["words_an_hour"] == pytest.approx(3600 * 400 / sum(20 + i for i in range(40)))
    assert bill["gain_low"] < bill["gain"] < bill["gain_high"]
    text = run(*given).out
    assert "a is the only system" in text
    assert "seconds a word" in text
    assert "return" in text
    assert "p:" not in text


def test_every_group_of_ratings_has_its_design(analyse, examples):
    default = analyse(examples / "judgements.tsv", "--by", "document", "--resamples", 50)
    whole, *parts = default["groups"]
    assert whole["design"]["unit"] == whole["test"]["unit"] == "document,annotator"
    assert whole["design"]["sound"] is (whole["design"]["balance"]["annotators"] not in (3, 4, 5))
    assert whole["design"]["balance"]["annotators"] == default["judgements"]["annotators"]
    assert {part["design"]["unit"] for part in parts} == {"item,annotator"}  # of one document, its items
    items = analyse(examples / "judgements.tsv", "--unit", "translation", "--resamples", 50)["groups"][0]
    assert {grouping["name"] for grouping in items["design"]["groupings"]} == {"document", "annotator"}


def test_repeats_count_where_they_are_included(run, examples):
    given = ["human", "analyse", "-q", str(examples / "assessment.csv"), "-f", "tsv", "--resamples", "50"]
    plain, included = (run(*given, *more).out for more in ([], ["--repeats"]))
    assert plain != included
    numbers = [sum(int(line.split("\t")[7]) for line in out.splitlines()[1:]) for out in (plain, included)]
    assert numbers == [640, 703]


def test_yes_and_no(run, tmp_path):
    """Share of yes, with kappa by both chances: 1/2, and what the share of yes implies."""
    rows = [("x", "a", 1, 1), ("y", "a", 1, 1), ("x", "a", 2, 1), ("y", "a", 2, 0)]
    rows += [("x", "b", 1, 1), ("y", "b", 1, 1), ("x", "b", 2, 1), ("y", "b", 2, 1)]
    path = tmp_path / "answers.tsv"
    lines = ["\t".join(map(str, row)) for row in rows]
    path.write_text("\n".join(["annotator\tsystem\tsegment\tscore", *lines]) + "\n")
    given = ["human", "analyse", "-q", str(path), "--protocol", "yes-no", "--resamples", "50"]
    document = json.loads(run(*given, "-f", "json").out)
    assert [(s["system"], s["mean"]) for s in document["groups"][0]["systems"]] == [("b", 1), ("a", 0.75)]
    inter = document["agreement"]["inter"]
    assert (inter["agreeing"], inter["comparable"]) == (3, 4)
    assert inter["fixed"]["value"] == pytest.approx((3 / 4 - 1 / 2) / (1 / 2))
    chance = (7 / 8) ** 2 + (1 / 8) ** 2
    assert inter["empirical"]["value"] == pytest.approx((3 / 4 - chance) / (1 - chance))
    assert inter["cohen"]["value"] == pytest.approx(0)  # x says nothing but yes
    text = run(*given).out
    assert "Cohen's 0.000" in text
    path.write_text(path.read_text() + "x\ta\t3\t7\n")
    odd = run(*given)
    assert odd.code == 1
    assert "answers.tsv, line 10: 7 is neither yes (1) nor no (0)" in odd.err


def test_who_was_dropped_is_in_no_part(run, examples):
    given = ["human", "analyse", "-q", str(examples / "assessment.csv"), "-f", "json", "--resamples", "50"]
    document = json.loads(run(*given, "--mixed-model", "--curves", "--drop-failed").out)
    assert document["judgements"]["dropped"] == ["eli"]
    assert set(document["model"]["severity"]) == {"ana", "bob", "cho", "dee"}
    assert document["without_first"][0]["annotators"] == 4


def test_a_mixed_model_stands_beside_z(shared, examples, analyse, run):
    file = shared.data / "01_wmt21_da_toen" / "is-en" / "human" / "judgements.tsv"
    analysis = analyse(file, "--mixed-model", "--resamples", 50)
    by_z = [s["system"] for s in analysis["groups"][0]["systems"]]
    model = analysis["model"]
    assert model["converged"]
    assert {s["system"] for s in model["systems"]} == set(by_z)
    assert model["systems"][0]["system"] == by_z[0] == "Facebook-AI"
    assert model["systems"][-1]["system"] == by_z[-1] == "Online-G"
    assert model["variances"]["rater"] > 0
    small = examples / "assessment.csv"
    assert (
        "By a mixed model" in run("human", "analyse", "-q", small, "--mixed-model", "--resamples", "50").out
    )


class TestBadInput:
    def test_no_such_file(self, run, tmp_path):
        ended = run("human", "analyse", str(tmp_path / "nothing.tsv"))
        assert ended.code == 1
        assert "nothing.tsv" in ended.err

    def test_not_a_number(self, run, tmp_path):
        path = tmp_path / "j.tsv"
        path.write_text("annotator\tsystem\tsegment\tscore\nx\ta\t1\t50\nx\tb\t1\tnan\n")
        ended = run("human", "analyse", str(path))
        assert ended.code == 1
        assert "line 3" in ended.err

    def test_unknown_label(self, run, small):
        ended = run("human", "analyse", str(small), "--by", "orign")
        assert ended.code == 2
        assert "origin" in ended.err

    def test_unknown_weights(self, run, small):
        assert run("human", "analyse", str(small), "--error-weights", "majr=1").code == 2


@pytest.mark.parametrize(
    "given",
    [
        [
            "assessment.csv",
            "-L",
            "labels.tsv",
            "-l",
            "pt-en",
            "--by",
            "origin",
            "--curves",
            "--mixed-model",
            "--checklist",
        ],
        ["rankings.csv", "--checklist", "--curves", "--by", "annotator"],
        ["edits.tsv", "--wage", "40", "--scratch-speed", "400", "--checklist"],
    ],
)
@pytest.mark.parametrize("columns", [60, 80, 120])
def test_nothing_is_wider_than_the_screen(terminal, examples, given, columns):
    arguments = [str(examples / entry) if "." in entry and entry[0] != "0" else entry for entry in given]
    shown = terminal("human", "analyse", "-q", *arguments, "--resamples", "50", columns=columns, NO_COLOR="1")
    assert max(map(len, shown.splitlines())) <= columns


def test_the_claims_are_headed_by_the_verdict(run, analyse, examples):
    text = run("human", "analyse", "-q", examples / "assessment.csv").out
    (_, claims) = " ".join(text.split()).split("What may be claimed, and what not ", 1)
    verdict = analyse(examples / "assessment.csv")["verdict"]
    assert claims.startswith(verdict["sentence"])
    assert verdict["sentence"].startswith(
        "No single winner: neural, neural-fixed and shortened cannot be told apart"
    )


@pytest.mark.parametrize(
    ("header", "languages"),
    [("", "zho,eng,"), ("UserID,SystemID,SegmentID,Type,Score,StartTime,EndTime", "")],
    ids=["Appraise", "Hassan et al. 2018"],
)
def test_scores_differ_by_what_was_sent_again(tmp_path, run, header, languages):
    """An annotator who sent one rating three times weighs it three times where all count, and the log says which."""
    ratings = [(70, 1), (70, 1), (70, 1), (40, 2), (55, 3)]
    lines = [header] if header else []
    lines += [
        f"ann,sys-a,{item},TGT,{languages}{score},{1519000000 + item}.0,{1519000009 + item}.0"
        for score, item in ratings
    ]
    lines += [f"ann,sys-b,{item},TGT,{languages}50,{1519000100 + item}.0,1519000200.0" for item in (1, 2, 3)]
    path = tmp_path / "export.csv"
    path.write_text("".join(f"{line}\n" for line in lines))
    seen = {}
    for choice in ("last", "all"):
        ended = run("human", "analyse", path, "--resubmissions", choice, "-f", "json", "--resamples", "20")
        (group,) = json.loads(ended.out)["groups"]
        seen[choice] = next(own for own in group["systems"] if own["system"] == "sys-a")
        assert {"last": "the last one counts", "all": "2 judgements were given again: all of them count"}[
            choice
        ] in ended.err
    assert {choice: own["n_judgements"] for choice, own in seen.items()} == {"last": 3, "all": 5}
    assert seen["last"]["z"] != seen["all"]["z"]
