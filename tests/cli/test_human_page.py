"""`adjudge human analyse -o page.html`: what a page shows is what JSON says, and it needs nothing but itself."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adjudge.display import share
from helpers.pages import Page, Tables, check_alone, contrast, palettes

HOSTILE = "<b onload=x> & \"quotes\" 'single' </style></script> <!-- ]]> &amp; \x1b[31m \u202e 日本語 👩‍👩‍👧"


@pytest.fixture
def shown(run, tmp_path):
    """The page and the JSON of one analysis."""

    def call(*arguments):
        path = tmp_path / "page.html"
        given = ["human", "analyse", "-q", *map(str, arguments), "--resamples", "50"]
        assert run(*given, "-o", path).code in (0, 3)
        document = json.loads(run(*given, "-f", "json").out)
        text = path.read_text(encoding="utf-8")
        check_alone(text)
        return text, document

    return call


def minus(value: float, decimals: int) -> str:
    return f"{value:.{decimals}f}".replace("-", "−")


def shares(text: str) -> list[list[list[str]]]:
    """The cells of the first table of shades: share and p."""
    table = next(t for t in Tables(text).tables if "".join(t[0][0]).startswith("P(row"))
    return [row[1:] for row in table[1:]]


class TestRatings:
    @pytest.fixture
    def page(self, shown, examples):
        return shown(
            examples / "assessment.csv",
            *("-L", examples / "labels.tsv", "-l", "pt-en", "--by", "origin"),
            *("--curves", "--mixed-model", "--claim", "human-parity"),
        )

    def test_systems_have_their_scores_intervals_and_clusters(self, page):
        text, result = page
        systems = result["groups"][0]["systems"]
        rows = Tables(text).headed("System", "DA z ↑", "cluster (ranks)")
        assert [row[0] for row in rows] == [s["system"] for s in systems]
        for row, s in zip(rows, systems, strict=True):
            assert row[1].startswith(f"{minus(s['z'], 3)} ± ")
            assert row[2].startswith(f"{s['cluster']} (")
            assert row[3:] == [f"{s['mean']:.1f}", str(s["n_translations"]), str(s["n_judgements"])]
            told = f"{s['system']}: {minus(s['z'], 3)}, {minus(s['low'], 3)} to {minus(s['high'], 3)}"
            assert told in Tables(text).labels

    def test_every_pair_is_in_the_table_of_shades(self, page):
        text, result = page
        names = [s["system"] for s in result["groups"][0]["systems"]]
        cells = shares(text)
        pairs = result["groups"][0]["pairs"]
        assert len(pairs) == 6
        for pair in pairs:
            a, b = names.index(pair["a"]), names.index(pair["b"])
            assert cells[a][b][0] == share(pair["effect"])
            assert cells[b][a][0] == share(pair["effect_reversed"])
            assert cells[a][b][1] == cells[b][a][1]
            assert cells[a][b][1].endswith("*") == pair["significant"]
        assert all(cells[i][i] == [] for i in range(len(names)))

    def test_halves_curves_model_annotators_and_checklist(self, page):
        text, result = page
        tables, labels = Tables(text), Tables(text).labels
        for s in result["translationese"]["measures"][0]["systems"]:
            assert (
                f"{s['system']}: forward {minus(s['forward'], 3)}, reverse {minus(s['reverse'], 3)}" in labels
            )
        for s in result["model"]["systems"]:
            assert any(label.startswith(f"{s['system']}: {s['score']:.2f}, ") for label in labels)
        numbers = [row[:2] for row in tables.headed("dropped", "agreement")]
        assert numbers == [
            [str(p["dropped"]), f"{p['agreement']['value']:.3f}"] for p in result["without_first"]
        ]
        people = {row[0]: row for row in tables.headed("Annotator", "N")}
        assert next(iter(people)) == "eli"
        assert len(people) == len(result["annotators"]) == 5
        for annotator in result["annotators"]:
            assert people[annotator["annotator"]][-1] == "; ".join(annotator["flags"])
            assert people[annotator["annotator"]][1] == str(annotator["judgements"])
        points = result["checklist"]["points"]
        rows = tables.headed("#", "Point")
        assert [(row[1], row[3], row[4]) for row in rows] == [
            (p["name"], p["verdict"], p["evidence"]) for p in points
        ]
        assert "Human parity MAY NOT be claimed" in Page(text).texts

    def test_claims_stand_beside_the_systems_and_warnings_at_the_top(self, page):
        text, result = page
        texts = [t.replace("\u00a0", " ") for t in Page(text).texts]
        for claim in result["groups"][0]["claims"]:
            assert claim in texts
        headings = [t for t in texts if t in ("Systems", "What may be claimed, and what not", "Every pair")]
        assert headings[3:] == [
            "Systems",
            "What may be claimed, and what not",
            "Every pair",
        ]  # after the contents
        for warning in result["warnings"]:
            assert warning in texts
        assert any("WERE CREATED IN REVERSE" in t for t in texts)


def test_rankings(shown, examples):
    text, result = shown(examples / "rankings.csv", "--checklist", "--curves")
    group = result["groups"][0]
    rows = Tables(text).headed("System", "expected wins ↑")
    assert [row[0] for row in rows] == [s["system"] for s in group["systems"]]
    for row, s in zip(rows, group["systems"], strict=True):
        assert row[1].startswith(f"{s['score']:.3f} ± ")
        assert row[4:] == [str(s[k]) for k in ("wins", "ties", "losses", "n_translations", "n_judgements")]
    names = [s["system"] for s in group["systems"]]
    cells = shares(text)
    for pair in group["pairs"]:
        total = pair["wins"] + pair["ties"] + pair["losses"]
        a, b = names.index(pair["a"]), names.index(pair["b"])
        assert cells[a][b][0] == share(pair["wins"] / total)
        assert cells[b][a][0] == share(pair["losses"] / total)
    assert len(Tables(text).headed("#", "Point")) == 9


def test_many_rankings_with_groups(shown, shared):
    file = shared.data / "09_laeubli18_pairwise" / "ratings.csv"
    text, result = shown(file, "--by", "condition", "--by", "type", "--unit", "pair")
    assert len([t for t in Tables(text).tables if "".join(t[0][0]).startswith("P(row")]) == 5
    assert any("p takes 1,232 judgements" in t for t in Page(text).texts)
    assert "condition=fluency, type=document: 200 comparisons" in Page(text).texts
    assert len(result["groups"]) == 5


def test_mqm_shows_errors_and_that_less_is_better(shown, shared):
    text, result = shown(shared.data / "03_wmt23_mqm_esa" / "en-de" / "human" / "mqm.ratings.tsv")
    rows = Tables(text).headed("System", "MQM ↓")
    assert [row[0] for row in rows] == [s["system"] for s in result["groups"][0]["systems"]]
    errors = Tables(text).headed("Error", "severity")
    heaviest = {(e["category"], e["severity"], e["system"]): e["rate"] for e in result["errors"]}
    for row in errors:
        for place, name in enumerate((row[0] for row in rows), 2):
            rate = heaviest.get((row[0], row[1], name))
            assert row[place] == ("–" if rate is None else f"{rate:.1f}")


def test_esa_campaign(shown, shared):
    text, result = shown(
        shared.data / "03_wmt23_mqm_esa" / "en-de" / "esa_campaign" / "240520rc6ESA.scores.csv"
    )
    assert len(Tables(text).headed("Annotator", "N")) == len(result["annotators"])
    assert Tables(text).headed("System", "ESA z ↑")


def test_post_edits(shown, examples):
    text, result = shown(examples / "edits.tsv", "--wage", 40, "--scratch-speed", 400)
    labels = Tables(text).labels
    for s in result["effort"]:
        assert any(label.startswith(f"{s['system']}: {s['score']:.{s['decimals']}f}, ") for label in labels)
    rows = Tables(text).headed("System", "words an hour ↑")
    assert [row[0] for row in rows] == [bill["system"] for bill in result["bills"]]


def test_whole_systems_and_a_single_one(shown, shared, tmp_path):
    text, result = shown(shared.data / "05_wmt18_fwdrev" / "de-en" / "human" / "DA-syslevel.csv")
    assert len(Tables(text).headed("System", "DA ↑")) == len(result["groups"][0]["systems"])
    path = tmp_path / "one.tsv"
    path.write_text("annotator\tsystem\tsegment\tscore\n" + "".join(f"x\ta\t{i}\t{i}\n" for i in range(9)))
    text, _ = shown(path, "--checklist")
    assert "a is the only system." in Page(text).texts


def test_formats_and_names_of_files(run, examples, tmp_path):
    file = str(examples / "rankings.csv")
    printed = run("human", "analyse", "-q", file, "--resamples", "50", "-f", "html").out
    assert printed.startswith("<!doctype html>")
    named = tmp_path / "page.HTM"
    assert run("human", "analyse", "-q", file, "--resamples", "50", "-o", named).code == 0
    assert named.read_text(encoding="utf-8") == printed
    assert "Rankings: " in run("human", "analyse", "-q", file, "--resamples", "50", "-f", "text").out
    plain = tmp_path / "page.txt"
    run("human", "analyse", "-q", file, "--resamples", "50", "-o", plain)
    assert plain.read_text(encoding="utf-8").startswith("Rankings: ")


@settings(max_examples=15)
@given(st.lists(st.text(min_size=1).filter(str.strip), min_size=2, max_size=3, unique_by=str.strip))
def test_any_name_is_shown_and_does_nothing(names):
    from adjudge.display import visible
    from adjudge.human import rating_display
    from adjudge.human.ratings import analyse_ratings
    from adjudge.report.render.section_page import section_page
    from helpers.judged import ratings

    rows = [
        (f"{HOSTILE}{w}", s, str(i), float((i * 7 + w) % 11)) for i in range(6) for s in names for w in (0, 1)
    ]
    analysis = analyse_ratings(ratings(rows), resamples=20)
    sections = rating_display.sections(analysis, on_page=True)
    text = section_page("", "", sections, version="0", warnings=[*analysis.warnings, HOSTILE])
    check_alone(text)
    texts = "\n".join(Page(text).texts)
    for name in names:
        assert visible(name) in texts
    assert visible(HOSTILE) in texts.replace("\u00a0", " ")


def test_colours_stand_out_from_the_paper(shown, examples):
    """Letters by 4.5, lines and shapes by 3; also on the deepest shade of a table."""
    text, _ = shown(examples / "rankings.csv")
    for colours in palettes(text):
        for ground in ("paper", "card"):
            for name in ("ink", "soft", "win", "loss"):
                assert contrast(colours[name], colours[ground]) >= 4.5, name
            for name in ("mark", "ring"):
                assert contrast(colours[name], colours[ground]) >= 3, name
        for tint in ((0, 114, 178), (213, 94, 0)):
            below = bytes.fromhex(colours["paper"][1:])
            deep = "#" + bytes(round(0.6 * a + 0.4 * b) for a, b in zip(tint, below, strict=True)).hex()
            assert contrast(colours["ink"], deep) >= 4.5


class TestPower:
    def test_the_map(self, run, tmp_path):
        path = tmp_path / "power.html"
        assert run("power", "-o", path).code == 0
        text = path.read_text(encoding="utf-8")
        check_alone(text)
        document = json.loads(run("power", "-f", "json").out)
        rows = [["".join(c) for c in row] for row in Tables(text).tables[0][2:]]
        assert [row[0] for row in rows[:-1]] == [f"{n:,}" for n in document["n"]]
        for row, powers in zip(rows, document["power"], strict=False):
            assert [float(cell) for cell in row[1:]] == [pytest.approx(p, abs=0.0005) for p in powers]

    def test_an_answer_and_a_pilot(self, run, examples, tmp_path):
        path = tmp_path / "power.html"
        assert run("power", "--effect", "0.44", "--looks", "3", "-o", path).code == 0
        text = path.read_text(encoding="utf-8")
        check_alone(text)
        assert len(Tables(text).headed("Look", "n")) == 3
        judgements = str(examples / "assessment.csv")
        given = ["power", "-q", "-j", judgements, "--pair", "neural", "shortened", "--simulations", "200"]
        assert run(*given, "-o", path).code == 0
        text = path.read_text(encoding="utf-8")
        check_alone(text)
        assert any(label.startswith("power: ") for label in Tables(text).labels)
