import json
import math
from typing import Any

from adjudge.comparison import RunMean, Score, Scores, TestSetFacts
from adjudge.comparison.score_display import ScoreDisplay, system_table
from adjudge.report.render.formats import render, renderer_of

FACTS = TestSetFacts("news", 2, 1, "0123456789abcdef" * 4)


def one(
    system: str, metric: str, value: float, run: str = "", segments: tuple[float, ...] | None = None
) -> Score:
    ter = metric == "ter"
    return Score(
        system=system,
        run=run,
        metric=metric,
        label="TER" if ter else "BLEU",
        score=value,
        signature=f"nrefs:1|case:{'lc' if ter else 'mixed'}|version:x",
        higher_is_better=not ter,
        decimals=1,
        segments=segments,
    )


SYSTEMS = Scores(
    FACTS,
    (
        one("a", "bleu", 53.62),
        one("a", "ter", 34.6),
        one("b", "bleu", 53.58),
        one("b", "ter", 30.0),
        one("c", "bleu", 60.0, "1"),
        one("c", "ter", 29.0, "1"),
        one("c", "bleu", 40.0, "2"),
        one("c", "ter", 49.0, "2"),
    ),
    ("a: 1 of 2 segments are empty",),
    (RunMean("c", "bleu", 50.0, 14.142, 2), RunMean("c", "ter", 39.0, 14.142, 2)),
)
SEGMENTS = Scores(
    FACTS,
    (
        one("a", "bleu", 53.62, segments=(100.0, 0.5)),
        one("b", "bleu", 53.58, segments=(math.nan, 7.25)),
    ),
)
MISSING = Scores(FACTS, (one("a", "bleu", math.nan, segments=(math.inf, -math.inf)),))


def shown(scores: Scores, form: str, **options: Any) -> str:
    return render(renderer_of(ScoreDisplay(scores, **options), version="1.2", inputs=()), form)


def test_text():
    assert shown(SYSTEMS, "text") == (
        "System         BLEU ↑  TER ↓\n"
        "a                53.6   34.6\n"
        "b                53.6   30.0\n"
        "c (mean of 2)    50.0   39.0\n"
        "  run 1          60.0   29.0\n"
        "  run 2          40.0   49.0\n"
        "  sd of runs     14.1   14.1\n"
        "\n"
        "BLEU  nrefs:1|case:mixed|version:x\n"
        "TER   nrefs:1|case:lc|version:x\n"
        "news: 2 segments, 1 reference, fingerprint 0123456789ab\n"
    )


def best(scores: Scores, decimals: int | None = None) -> list[tuple[str, int]]:
    table = system_table(scores, decimals)
    return [(row.cells[0].text, i) for row in table.rows for i, cell in enumerate(row.cells) if cell.best]


def test_the_best_shine_and_a_lucky_run_does_not():
    assert best(SYSTEMS) == [("a", 1), ("b", 1), ("b", 2)]
    assert best(SYSTEMS, decimals=2) == [("a", 1), ("b", 2)]


def test_one_run_alone_is_no_mean():
    table = system_table(Scores(FACTS, (one("c", "bleu", 60.0, "1"),)))
    assert [row.cells[0].text for row in table.rows] == ["c (run 1)"]


def test_runs_that_do_not_stand_together_are_shown_together():
    mixed = (one("c", "bleu", 1.0, "1"), one("a", "bleu", 2.0), one("c", "bleu", 3.0, "2"))
    table = system_table(Scores(FACTS, mixed, (), (RunMean("c", "bleu", 2.0, 1.0, 2),)))
    assert [row.cells[0].text for row in table.rows] == ["c (mean of 2)", "run 1", "run 2", "sd of runs", "a"]


def test_segments_in_text_come_before_the_systems():
    assert shown(SEGMENTS, "text").split("\n\n")[:2] == [
        "Segment  System  BLEU ↑\n"
        "1        a        100.0\n"
        "1        b            –\n"
        "2        a          0.5\n"
        "2        b          7.2",
        "System  BLEU ↑\na         53.6\nb         53.6",
    ]


def test_decimals():
    assert "53.6200  34.6000" in shown(SYSTEMS, "text", decimals=4)


def test_tsv_has_a_line_a_score_unrounded_unless_asked():
    lines = shown(SYSTEMS, "tsv").splitlines()
    assert lines[0] == "system\trun\tmetric\tscore\tsignature"
    assert lines[1] == "a\t\tbleu\t53.62\tnrefs:1|case:mixed|version:x"
    assert lines[-1] == "c\tmean\tter\t39.0\tnrefs:1|case:lc|version:x"
    assert len(lines) == 1 + 8 + 2
    assert shown(SYSTEMS, "tsv", decimals=0).splitlines()[1].split("\t")[3] == "54"


def test_tsv_of_segments_has_a_line_a_segment():
    assert shown(SEGMENTS, "tsv") == "segment\ta:bleu\tb:bleu\n1\t100.0\tnan\n2\t0.5\t7.25\n"


def test_json_shape_is_the_one_others_build_on():
    document = json.loads(shown(SYSTEMS, "json"))
    assert list(document) == ["version", "inputs", "test_set", "results", "means", "warnings"]
    assert document["test_set"] == {
        "name": "news",
        "segments": 2,
        "references": 1,
        "fingerprint": FACTS.fingerprint,
    }
    assert document["results"][0] == {
        "system": "a",
        "run": None,
        "metric": "bleu",
        "score": 53.62,
        "signature": "nrefs:1|case:mixed|version:x",
        "higher_is_better": True,
    }
    assert document["results"][4]["run"] == "1"
    assert document["means"][0] == {
        "system": "c",
        "metric": "bleu",
        "score": 50.0,
        "deviation": 14.142,
        "runs": 2,
    }
    assert document["warnings"] == ["a: 1 of 2 segments are empty"]


def strict(text: str):
    def refuse(name):
        raise AssertionError(f"{name} is not JSON")

    return json.loads(text, parse_constant=refuse)


def test_json_has_null_for_what_is_no_number():
    document = strict(shown(MISSING, "json"))
    assert document["results"][0]["score"] is None
    assert document["results"][0]["segments"] == [None, None]
    assert strict(shown(SEGMENTS, "json"))["results"][1]["segments"] == [None, 7.25]


def test_json_is_ascii():
    text = shown(Scores(FACTS, (one("système\udc80", "bleu", 1.0),)), "json")
    assert text.isascii()
    assert strict(text)["results"][0]["system"] == "système\udc80"


def test_markdown():
    assert shown(SYSTEMS, "markdown") == (
        "| System | BLEU ↑ | TER ↓ |\n"
        "|:--|--:|--:|\n"
        "| a | **53.6** | 34.6 |\n"
        "| b | **53.6** | **30.0** |\n"
        "| c (mean of 2) | 50.0 | 39.0 |\n"
        "| ↳ run 1 | 60.0 | 29.0 |\n"
        "| ↳ run 2 | 40.0 | 49.0 |\n"
        "| ↳ sd of runs | 14.1 | 14.1 |\n"
        "\n"
        "- BLEU: `nrefs:1|case:mixed|version:x`\n"
        "- TER: `nrefs:1|case:lc|version:x`\n"
        "- news: 2 segments, 1 reference, fingerprint 0123456789ab\n"
    )


def test_latex():
    text = shown(SYSTEMS, "latex")
    assert "\nSystem & BLEU $\\uparrow$ & TER $\\downarrow$ \\\\\n" in text
    assert "\nb & \\textbf{53.6} & \\textbf{30.0} \\\\\n" in text
    assert "\n\\quad run 2 & 40.0 & 49.0 \\\\\n" in text
    assert text.endswith(
        "% TER: nrefs:1|case:lc|version:x\n% news: 2 segments, 1 reference, fingerprint 0123456789ab\n"
    )
    assert shown(SEGMENTS, "latex").count("\\begin{tabular}") == 2


def test_a_name_with_control_characters_cannot_break_the_table():
    nasty = Scores(FACTS, (one("a\nb\x1b[31m\udc80", "bleu", 1.0),))
    for text in (shown(nasty, "text"), shown(nasty, "markdown"), shown(nasty, "latex")):
        assert "\x1b" not in text
        assert "a\nb" not in text
        text.encode("utf-8")
