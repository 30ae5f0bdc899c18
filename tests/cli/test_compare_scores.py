"""`adjudge compare --scores`: scores from anywhere through the same tests."""

import json

import numpy as np
import pytest

from adjudge import comparison
from adjudge.data import ScoreMatrix


def table(rows, header="system\tsegment\tdocument\tscore"):
    return "\n".join([header, *("\t".join(map(str, row)) for row in rows)]) + "\n"


def made_up(systems=("A", "B", "C"), segments=60, seed=1):
    rng = np.random.default_rng(seed)
    return {s: np.round(0.8 - 0.02 * i + rng.normal(0, 0.05, segments), 4) for i, s in enumerate(systems)}


def long_form(scores):
    return [
        (s, n + 1, f"d{n // 6}", value)
        for s, values in scores.items()
        for n, value in enumerate(values.tolist())
    ]


@pytest.fixture
def compare(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def compared(text, *arguments, name="comet.tsv"):
        (tmp_path / name).write_text(text)
        return run("compare", "--scores", name, *arguments)

    return compared


FAST = ("--trials", 500, "--resamples", 100)


def test_the_same_as_from_python(compare):
    scores = made_up()
    code, out, err = compare(table(long_form(scores)), "-f", "json", "--unit", "segment", *FAST)
    assert (code, err) == (0, "")
    document = json.loads(out)
    ours = comparison.compare_scores(
        ScoreMatrix(tuple(scores), np.array(list(scores.values()))), name="comet", trials=500, resamples=100
    )
    for pair, own in zip(document["pairs"], ours.pairs, strict=True):
        assert (pair["a"], pair["b"], pair["metric"]) == (own.a, own.b, "comet")
        assert (pair["delta"], pair["low"], pair["high"], pair["p"]) == (own.delta, own.low, own.high, own.p)


def test_the_order_of_lines_and_columns_does_not_matter(compare):
    rows = long_form(made_up())
    document = json.loads(compare(table(rows), "-f", "json", "--unit", "segment", *FAST)[1])
    apart = [r for i, r in enumerate(rows) if i % 2] + [r for i, r in enumerate(rows) if not i % 2]
    turned = table([(r[3], r[1], r[0]) for r in sorted(apart, key=rows.index)], "Score\tseg_id\tsys")
    other = json.loads(compare(turned, "-f", "json", *FAST)[1])
    assert document["pairs"] == other["pairs"]


def test_documents_are_units_and_groups(compare):
    text = table(long_form(made_up()))
    drawn = json.loads(compare(text, "--unit", "document", "-f", "json", *FAST)[1])
    assert drawn["test"]["unit"] == "document"
    code, out, _ = compare(text, "--by", "document", *FAST)
    assert (code, "document=d9: 6 segments" in out) == (0, True)


def test_lower_is_better_turns_the_conclusion(compare):
    text = table(long_form(made_up(segments=200)))
    assert "- A is better than C" in compare(text, *FAST)[1]
    assert "- C is better than A" in compare(text, "--lower-is-better", *FAST)[1]


def test_rank_tests_are_offered(compare):
    code, out, _ = compare(table(long_form(made_up())), "--test", "signed-rank")
    assert (code, "Wilcoxon signed-rank test" in out) == (0, True)


def test_files_of_mt_metrics_eval(compare):
    lines = [f"{s}\t{value}" for s, values in made_up().items() for value in values.tolist()]
    code, out, err = compare("\n".join(lines) + "\n", *FAST, name="COMET-refA.seg.score")
    assert (code, err) == (0, "")
    assert "COMET-refA ↑" in out
    empty = [line.partition("\t")[0] + "\tNone" if i % 60 == 3 else line for i, line in enumerate(lines)]
    code, out, err = compare("\n".join(empty) + "\n", *FAST, name="mqm.seg.score")
    assert code == 0
    assert "1 of 60 segments has no score and is left out" in err


def test_several_files_are_several_measures(compare, tmp_path):
    (tmp_path / "bleurt.tsv").write_text(table(reversed(long_form(made_up(seed=2)))))
    code, out, err = compare(table(long_form(made_up())), "--scores", "bleurt.tsv", *FAST)
    assert (code, err) == (0, "")
    assert "Δ comet" in out
    assert "Δ bleurt" in out
    assert "Holm over 3 comparisons of each metric" in " ".join(out.split())


ROWS = long_form(made_up(segments=5))


@pytest.mark.parametrize(
    ("text", "arguments", "message"),
    [
        (
            table(ROWS[1:]),
            (),
            "A has no score for segment 1, but another system has (1 such segment); --common",
        ),
        (table([*ROWS, ROWS[3]]), (), "line 17: A has a score for segment 4 already, in line 5"),
        (table(ROWS), ("--baseline", "D"), "unknown baseline 'D'"),
        (table(ROWS), ("x.en",), "leave out x.en"),
        (table(ROWS), ("-m", "bleu"), "leave out -m"),
        (table(ROWS), ("-r", "ref"), "leave out --reference"),
        (table([("A", 1, "d", "good")]), (), "line 2, column 'score': 'good' is no finite number"),
        (table([("A", 1, "d", 1.0)]), (), "two systems are needed"),
        (table([("", 1, "d", 1.0)]), (), "line 2: no system is named"),
        (table([r[:1] + r[2:] for r in ROWS], "system\tdocument\tscore"), (), "segment is missing"),
        (table([("A", 1, "d", 1.0), ("B", 1, "e", 2.0)]), (), "line 3: segment 1 is of document 'e' here"),
        ("A\t1\nA\t2\nB\t1\n", (), "A has 2 lines, but B 1"),
        ("", (), "empty"),
    ],
)
def test_what_is_wrong_is_said(compare, text, arguments, message):
    code, _, err = compare(text, *arguments)
    assert code in (1, 2)
    assert message in " ".join(err.split())
    assert "Traceback" not in err


def test_other_systems_in_another_file(compare, tmp_path):
    (tmp_path / "other.tsv").write_text(table(long_form(made_up(("A", "B", "D"), 5))))
    code, _, err = compare(table(ROWS), "--scores", "other.tsv")
    assert code in (1, 2)
    assert "other.tsv: system 'D' is not in comet.tsv" in err


def test_segments_that_not_all_have_are_left_out_on_request(compare):
    code, _, err = compare(table(ROWS[1:]), "--common", *FAST)
    assert code == 0
    assert "1 of 5 segments lacks a score of a system and is left out" in err


def test_options_of_scores_alone(run):
    code, _, err = run("compare", "-r", "x", "--lower-is-better", "a", "b")
    assert (code, "are for --scores" in err) == (2, True)


def test_mqm_of_wmt23(run, shared):
    folder = shared.root / "data" / "03_wmt23_mqm_esa" / "en-de"
    code, out, err = run(
        "compare",
        "--scores",
        folder / "human" / "mqm.seg.score",
        "--common",
        "--test",
        "signed-rank",
        "-f",
        "json",
    )
    assert code == 0, err
    document = json.loads(out)
    assert document["test_set"]["segments"] == 460
    assert document["results"][0]["metric"] == "mqm"


def test_a_result_is_computed_again_from_its_files_of_scores(compare, run, tmp_path):
    text = table(long_form(made_up()))
    (tmp_path / "bleurt.tsv").write_text(table(long_form(made_up(seed=2))))
    (tmp_path / "labels.tsv").write_text("half\n" + "one\ntwo\n" * 30)
    given = ("--scores", "bleurt.tsv", "-L", "labels.tsv", "--lower-is-better", "--by", "half", "--common")
    (tmp_path / "r.json").write_text(compare(text, *given, "-f", "json", *FAST).out)
    document = json.loads((tmp_path / "r.json").read_text())
    assert document["arguments"]["scores"] == ["comet.tsv", "bleurt.tsv"]
    assert [item["role"] for item in document["inputs"]] == ["scores", "labels", "scores"]
    code, out, _ = run("verify", "r.json")
    assert (code, "taken as they are" in " ".join(out.split())) == (0, True), out
    document["pairs"][0]["p"] = 0.5
    (tmp_path / "r.json").write_text(json.dumps(document))
    assert run("verify", "r.json").code == 1
    document["arguments"]["lower_is_better"] = False
    (tmp_path / "r.json").write_text(json.dumps(document))
    assert "A by comet" in run("verify", "r.json").out
    (tmp_path / "comet.tsv").write_text(text.replace("\t0.8", "\t0.9"))
    assert "comet.tsv (scores) has changed" in run("verify", "r.json").out


def test_saved_scores_stand_beside_others_of_the_same_segments(compare, run, tmp_path):
    scores = made_up(("A", "B", "C"), 80)
    whole = json.loads(compare(table(long_form(scores)), "-f", "json", *FAST).out)
    for name, systems in (("ab", "AB"), ("c", "CA")):
        some = table(long_form({s: scores[s] for s in systems}))
        (tmp_path / name).mkdir()
        (tmp_path / name / "comet.tsv").write_text(some)
        saved = run("compare", "--scores", f"{name}/comet.tsv", "--save", f"{name}.json", *FAST)
        assert (saved.code, saved.err) == (0, "")
        assert run("verify", f"{name}.json").code == 0
    both = json.loads(run("compare", "ab.json", "c.json", "-m", "comet", "-f", "json", *FAST).out)
    p = {(pair["a"], pair["b"]): pair["p"] for pair in both["pairs"]}
    assert p["B", "C"] == next(pair["p"] for pair in whole["pairs"] if (pair["a"], pair["b"]) == ("B", "C"))
    assert p["A (ab.json)", "A (c.json)"] == 1
    ranks = run("compare", "ab.json", "c.json", "--test", "signed-rank")
    assert ranks.code == 0, "they are means still"


def test_saved_scores_of_other_segments_or_directions_are_refused(compare, run, tmp_path):
    rows = long_form(made_up(("A", "B"), 30))
    compare(table(rows), "--save", "one.json", *FAST)
    compare(table([(s, f"x{n}", d, v) for s, n, d, v in rows]), "--save", "two.json", *FAST)
    compare(table(rows), "--lower-is-better", "--save", "low.json", *FAST)
    (tmp_path / "new.en").write_text("a\n" * 30)
    for other, message in (
        ("two.json", "different test sets cannot be compared: fingerprint"),
        ("low.json", "higher comet is better in one of one.json and low.json"),
        ("new.en", "one.json holds scores that were made elsewhere"),
    ):
        code, _, err = run("compare", "one.json", other)
        assert (code, message in " ".join(err.split())) == (2 if other == "new.en" else 1, True), err
