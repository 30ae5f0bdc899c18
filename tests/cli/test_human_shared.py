"""`adjudge human analyse` has something to say of every kind of file of judgements beside the project."""

import json
import re

import pytest

JUDGEMENTS = (
    "01_wmt21_da_toen/*/human/judgements*",
    "01_wmt21_da_toen/*/human/seg-scores.csv",
    "01_wmt21_da_toen/*/human/sys-*.csv",
    "02_wmt21_mqm_ende/en-de/human/*.tsv",
    "03_wmt23_mqm_esa/en-de/esa_campaign/*.score*",
    "03_wmt23_mqm_esa/en-de/human/*",
    "03_wmt23_mqm_esa/en-de/metrics/BLEU-refA.*",
    "04_wmt17_da_seg_toen/*/human/*",
    "05_wmt18_fwdrev/*/human/*",
    "06_rankings_wmt16/data/**/*.csv",
    "07_rankings_wmt13_fren/human/*",
    "07_rankings_wmt13_fren/mturk/*",
    "08_rankings_toral18_zhen/judgements/*",
    "09_laeubli18_pairwise/ratings*",
    "10_mlqe_pe/en-de/da/*/*.short.tsv",
    "10_mlqe_pe/en-de/pe/*/*.hter",
    "11_graham15_16_da_hter/*/*.csv",
    "15_ted_mqm_ende/*.tsv",
)
WHOLE_SYSTEMS = ("syslevel", "sys-scores", "sys-ranking", ".sys.score", ".domain.score")
RESULTS = ("clusters", "wilcoxon", "worker-mean-sd", "wmt21clusters")
"""What others computed from judgements, beside them in folders called human."""
ALIKE = re.compile(r"[a-z]{2,3}[-2_][a-z]{2,3}|\d+|dev|test|train")
"""What parts of a name tell files of one kind apart: languages, numbers and portions."""


@pytest.fixture
def analyse(run):
    def call(path, *arguments):
        ended = run("human", "analyse", "-q", "-f", "json", path, *arguments)
        assert ended.code == 0, f"{path}: {ended.err}"
        return json.loads(ended.out)

    return call


@pytest.mark.parametrize("pattern", JUDGEMENTS)
def test_every_kind_of_file_gives_a_table(shared, analyse, pattern):
    """The smallest of each; that all of them load is tested where they are read (tests/io/judgements)."""
    kinds = {}
    for file in sorted(shared.data.glob(pattern), key=lambda file: -file.stat().st_size):
        kinds[ALIKE.sub("", file.name)] = file
    assert kinds
    for file in kinds.values():
        first = analyse(file, "--resamples", "20")["groups"][0]
        assert first["by"] == {}
        assert first["systems"], file
        score = "score" if "score" in first["systems"][0] else "mean"
        for system in first["systems"]:
            assert system["system"]
            assert isinstance(system[score], float), file
        if any(word in file.name for word in WHOLE_SYSTEMS):
            assert first["pairs"] == []
            assert "scores of whole systems, not the judgements behind them" in first["claims"][0]


def test_every_file_in_a_folder_of_people_is_looked_at(shared):
    known = {file for pattern in JUDGEMENTS for file in shared.data.glob(pattern)}
    assert len(known) > 120
    forgotten = [
        file.name
        for file in shared.data.glob("*/**/human/*")
        if file.is_file() and file not in known and not file.name.startswith(RESULTS)
    ]
    assert not forgotten


def test_official_scores_of_systems_are_shown_as_they_are(shared, analyse, run):
    """WMT21's own file has n and N; WMT18's has scores alone."""
    folder = shared.data / "01_wmt21_da_toen" / "is-en" / "human"
    ranking = analyse(folder / "sys-ranking-z.csv")
    lines = [line.split() for line in (folder / "sys-ranking-z.csv").read_text().splitlines()]
    assert [
        [s["mean"], s["z"], s["n_translations"], s["n_judgements"], s["system"]]
        for s in ranking["groups"][0]["systems"]
    ] == [[float(raw), float(z), int(n), int(judged), name] for raw, z, n, judged, _, name in lines]
    assert ranking["judgements"]["score"] == "z"
    assert ranking["judgements"]["own_z"]
    scores = analyse(folder / "sys-scores.csv")["groups"][0]["systems"]
    assert [round(s["z"], 3) for s in scores] == [float(line[1]) for line in lines]
    assert [(s["n_translations"], s["n_judgements"]) for s in scores] == [
        (int(line[2]), int(line[3])) for line in lines
    ]
    wmt18 = shared.data / "05_wmt18_fwdrev" / "de-en" / "human" / "DA-syslevel.csv"
    first = analyse(wmt18)["groups"][0]["systems"][0]
    assert (first["system"], first["mean"], first["n_translations"], first["n_judgements"]) == (
        "RWTH.5636",
        0.413,
        None,
        None,
    )
    shown = run("human", "analyse", wmt18).out
    assert "RWTH.5636             0.413  unknown  unknown" in shown
    assert "neither tests, intervals" in shown


def test_domains_are_shown_one_by_one(shared, analyse):
    path = shared.data / "03_wmt23_mqm_esa" / "en-de" / "human" / "mqm.domain.score"
    everything, *domains = analyse(path)["groups"]
    assert [group["by"]["domain"] for group in domains] == ["news", "speech", "social", "user_review"]
    given = {
        (domain, system): float(score)
        for domain, system, score in map(str.split, path.read_text().splitlines())
    }
    by_name = {(g["by"]["domain"], s["system"]): s["mean"] for g in domains for s in g["systems"]}
    assert by_name == given
    best = everything["systems"][0]
    own = [given[group["by"]["domain"], best["system"]] for group in domains]
    assert best["mean"] == pytest.approx(sum(own) / len(own))
    assert "each counts the same" in everything["claims"][0]


def test_segment_scores_with_z_are_ranked_by_it(shared, analyse):
    """Of WMT21's means of segments the mean is the official z."""
    folder = shared.data / "01_wmt21_da_toen" / "cs-en" / "human"
    analysis = analyse(folder / "seg-scores.csv")
    assert analysis["judgements"]["own_z"]
    lines = [line.split() for line in (folder / "sys-ranking-z.csv").read_text().splitlines()]
    official = {line[4]: float(line[1]) for line in lines}
    systems = analysis["groups"][0]["systems"]
    assert [s["system"] for s in systems] == [line[4] for line in lines]
    assert max(abs(s["z"] - official[s["system"]]) for s in systems) <= 0.0005


class TestWholeSystems:
    TABLE = "system\tscore\nA\t0.5\nB\t0.4\n"

    @pytest.mark.parametrize(
        "option",
        [
            ["--test", "signed-rank"],
            ["--preset", "wmt21"],
            ["--mixed-model"],
            ["--curves"],
            ["--drop-failed"],
            ["--repeats"],
        ],
    )
    def test_what_needs_judgements_is_refused(self, run, tmp_path, option):
        (tmp_path / "s.tsv").write_text(self.TABLE)
        ended = run("human", "analyse", tmp_path / "s.tsv", *option)
        assert ended.code == 2
        assert f"{option[0]} is for judgements of segments; these are scores of whole systems" in ended.err

    def test_they_are_not_mixed_with_segments(self, run, tmp_path):
        (tmp_path / "s.tsv").write_text(self.TABLE)
        (tmp_path / "j.tsv").write_text("system\tsegment\tscore\nA\t1\t0.5\nB\t1\t0.4\n")
        ended = run("human", "analyse", tmp_path / "j.tsv", tmp_path / "s.tsv")
        assert ended.code == 1
        assert "s.tsv, line 2: the score of a whole system, among judgements of segments" in ended.err

    def test_no_claim_follows(self, run, tmp_path):
        (tmp_path / "s.tsv").write_text("system\tscore\nHUMAN\t0.5\nB\t0.4\n")
        ended = run(
            "human", "analyse", tmp_path / "s.tsv", "--claim", "human-parity", "--declare", "context=document"
        )
        assert ended.code == 3
        assert "scores of whole systems, and not what these were made from" in " ".join(ended.out.split())
        assert "nothing could be tested" in ended.out

    def test_people_who_judged_whole_systems_are_counted(self, run, tmp_path):
        rows = [f"{who}\t{system}\t{score}" for who in "xyz" for system, score in (("A", 70), ("B", 60))]
        (tmp_path / "s.tsv").write_text("\n".join(["annotator\tsystem\tscore", *rows]) + "\n")
        ended = run("human", "analyse", "-f", "json", tmp_path / "s.tsv")
        systems = json.loads(ended.out)["groups"][0]["systems"]
        assert [(s["system"], s["n_translations"], s["n_judgements"]) for s in systems] == [
            ("A", None, 3),
            ("B", None, 3),
        ]
        assert systems[0]["z"] == pytest.approx(2**-0.5)

    @pytest.mark.parametrize("form", ["text", "tsv", "markdown", "latex"])
    def test_every_format(self, run, tmp_path, form):
        (tmp_path / "s.tsv").write_text(self.TABLE)
        ended = run("human", "analyse", "-f", form, tmp_path / "s.tsv")
        assert ended.code == 0
        assert ended.out.index("A") < ended.out.index("B")
        assert "0.5" in ended.out


def test_a_claim_points_where_the_ranks_point(run, shared):
    """ONLINE-W has the worse mean by a hair and is better by ranks: 78 % of its segments have no error, not 58 %."""
    path = shared.root / "data/03_wmt23_mqm_esa/en-de/esa_campaign/240521rc6MQM.scores.csv"
    ended = run("human", "analyse", str(path), "--baseline", "Lan-BridgeMT", "--test", "rank-sum", "-q")
    text = " ".join(ended.out.split())
    assert "By MQM, refA and ONLINE-W are better than the baseline Lan-BridgeMT" in text
    assert "ONLINE-W has the worse mean (MQM +0.06), and yet is the better one by ranks" in text
    assert "+0.06 ⇄" in ended.out


def test_systems_judged_on_the_same_segments_are_compared_on_them(run, shared):
    path = str(shared.root / "data/03_wmt23_mqm_esa/en-de/human/mqm.seg.score")
    paired, unpaired = (
        json.loads(run("human", "analyse", path, "-q", "-f", "json", *more).out)["groups"][0]
        for more in ([], ["--test", "rank-sum"])
    )
    assert paired["test"]["method"] == "randomisation"
    assert max(s["cluster"] for s in paired["systems"]) == 6
    assert max(s["cluster"] for s in unpaired["systems"]) == 2
