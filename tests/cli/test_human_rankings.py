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
    found = analyse(folder / "rankings-train.csv", "--as", "wmt13", "--resamples", 50)
    scores = [(s["system"], s["score"]) for s in found["groups"][0]["systems"]]
    official = [0.638, 0.603, 0.591, 0.573, 0.561, 0.540, 0.512, 0.485, 0.438, 0.428, 0.420, 0.389, 0.322]
    parts = ["heafield", "uedin", "online-B", "LIMSI", "KIT", "online-A", "MES"]
    parts += ["DCU", "RWTH", "CMU", "cu-zeman", "JHU", "Shef"]
    assert len(scores) == 13
    for (system, score), expected, part in zip(scores, official, parts, strict=True):
        assert part.lower() in system.lower()
        assert score == pytest.approx(expected, abs=0.0006)


def test_toral_trueskill(shared, analyse):
    folder = shared.data / "08_rankings_toral18_zhen" / "judgements"
    found = analyse(*sorted(folder.glob("*.csv")), "--ranking", "trueskill", "--resamples", 100)
    scores = {s["system"]: s["score"] for s in found["groups"][0]["systems"]}
    assert scores["ht"] == pytest.approx(1.59, abs=0.06)
    assert scores["c6"] == pytest.approx(1.23, abs=0.06)
    assert scores["gg"] == pytest.approx(-2.82, abs=0.06)
    assert list(scores) == ["ht", "c6", "gg"]


def test_wmt16_order_and_agreement(shared, analyse):
    folder = shared.data / "06_rankings_wmt16"
    found = analyse(folder / "data" / "wmt16.ron-eng.csv", "--as", "wmt16", "--resamples", 100)
    systems = found["groups"][0]["systems"]
    lines = [line.split() for line in read_lines(folder / "results" / "wmt16.ron-eng.txt") if line[0] != "+"]
    assert [s["system"] for s in systems] == [line[0] for line in lines]
    for system, line in zip(systems, lines, strict=True):
        assert system["score"] == pytest.approx(float(line[1]), abs=0.05)
    collapsed = analyse(
        folder / "data" / "collapsed" / "wmt16.collapsed.ron-eng.csv", "--as", "wmt16", "--resamples", 50
    )
    inter = collapsed["agreement"]["inter"]
    assert (inter["agreeing"], inter["comparable"]) == (1793, 3062)
    assert inter["empirical"]["value"] == pytest.approx(0.341, abs=0.0005)


def test_parity_of_documents(shared, analyse):
    """Läubli et al. 2018: people prefer people's documents, not people's sentences."""
    folder = shared.data / "09_laeubli18_pairwise"
    found = analyse(folder / "ratings.csv", "--by", "condition", "--by", "type", "--resamples", 50)
    document = next(g for g in found["groups"] if set(g["by"].values()) == {"adequacy", "document"})
    (pair,) = document["pairs"]
    assert sorted([pair["wins"], pair["losses"]]) == [74, 104]
    assert pair["ties"] == 22
    assert pair["p"] == pytest.approx(0.029, abs=0.0005)


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


@pytest.mark.parametrize(
    "option",
    [["--test", "rank-sum"], ["--score", "z"], ["--checklist"], ["--as", "wmt21"], ["--ranking", "elo"]],
)
def test_what_is_for_ratings_is_refused(examples, run, option):
    ended = run("human", "analyse", "-q", str(examples / "rankings.csv"), *option)
    assert ended.code == 2
