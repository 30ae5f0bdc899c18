"""`adjudge xray`: its choices, its formats, and what it refuses."""

import json

import pytest

FILES = {
    "ref.en": "the cat sat on the mat\nit rains\ngood morning to you all\nsame\n",
    "good.en": "the cat sat on the mat\nit rains\ngood morning to all of you\nsame\n",
    "bad.en": "a cat on mat\n\nmorning\nsame\n",
    "short.en": "one\n",
    "src.de": "die Katze\nes regnet\nguten Morgen\ngleich\n",
}


@pytest.fixture
def look(run, tmp_path, monkeypatch):
    """`adjudge xray -r ref.en` with more arguments, among small files."""
    for name, text in FILES.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return lambda *args: run("xray", "-r", "ref.en", *args)


def segments(look, *args):
    code, out, err = look("-f", "json", *args)
    assert (code, err) == (0, "")
    return [segment["segment"] for segment in json.loads(out)["segments"]]


def test_the_most_different_segments_of_two_systems(look):
    assert segments(look, "bad.en", "good.en") == [2, 1, 3]
    assert segments(look, "bad.en", "good.en", "--top", 1) == [2]
    assert segments(look, "bad.en", "good.en", "--show", "losses") == []
    assert segments(look, "good.en", "bad.en", "--show", "losses", "--top", "2") == [2, 1]


def test_influence_and_score_rank_by_edits_and_by_their_rate(look):
    # Edits by TER: 3 of 6 words, 2 of 2, 2 of 5.
    assert segments(look, "bad.en", "good.en", "--rank", "influence") == [1, 2, 3]
    assert segments(look, "bad.en", "good.en", "--rank", "score") == [2, 1, 3]


def test_the_worst_segments_of_one_system(look):
    assert segments(look, "bad.en", "--top", 2) == [2, 3]
    assert segments(look, "bad.en", "--top", 1, "--show", "best") == [4]


def test_segments_by_number(look):
    assert segments(look, "bad.en", "--segment", 3, "--segment", 1, "--segment", 3) == [3, 1]


def test_text(look):
    code, out, err = look("-s", "src.de", "bad.en", "good.en", "--segment", 1)
    assert (code, err) == (0, "")
    assert "die Katze" in out
    assert "\nSegment 1  TER −" in out
    assert "×a 1[cat] " in out
    assert "\x1b" not in out


def test_text_without_spaces_is_warned_of(look, tmp_path):
    (tmp_path / "ref.en").write_text(
        "请注意如果您支付加急运费订单的处理时间仍为三个工作日\n", encoding="utf-8"
    )
    (tmp_path / "zh.en").write_text(
        "请注意即使您支付了加急运输的费用处理订单的时间是三个工作日\n", encoding="utf-8"
    )
    code, _, err = look("zh.en")
    assert code == 0
    assert "few spaces" in err
    assert look("zh.en", "-q").err == ""


def test_json_tells_everything(look):
    code, out, _ = look("bad.en", "good.en", "-f", "json", "--segment", 3)
    document = json.loads(out)
    assert code == 0
    assert document["metric"] == "ter"
    assert [s["system"] for s in document["systems"]] == ["bad", "good"]
    assert [d["measure"] for d in document["distributions"]] == [
        "score",
        "precision",
        "recall",
        "fragmentation",
    ]
    (segment,) = document["segments"]
    assert segment["references"] == ["good morning to you all"]
    good = segment["systems"][1]
    assert good["hypothesis"] == ["good", "morning", "to", "all", "of", "you"]
    assert {link["kind"] for link in good["links"]} == {"exact", "shift"}
    assert good["shifts"]
    assert document["inputs"][0]["sha256"]


def test_a_page_is_written_where_the_name_says_so(look, tmp_path):
    assert look("bad.en", "good.en", "-o", "page.html") == (0, "", "")
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert page.startswith("<!doctype html>")
    assert look("bad.en", "good.en", "-f", "html").out == page
    assert look("bad.en", "good.en", "-o", "figure.SVG") == (0, "", "")
    figure = (tmp_path / "figure.SVG").read_text(encoding="utf-8")
    assert figure.startswith("<svg ")
    assert look("bad.en", "good.en", "-f", "svg").out == figure
    assert look("bad.en", "-o", "notes.txt").code == 0
    assert "System" in (tmp_path / "notes.txt").read_text(encoding="utf-8")


def test_other_metrics(look):
    assert look("bad.en", "-m", "ter(implementation=tercom)").code == 0
    assert look("bad.en", "-m", "hter").code == 0
    code, out, err = look("bad.en", "-m", "bleu")
    assert (code, out) == (2, "")
    assert err.startswith("adjudge: error: bleu yields no alignment of words; metrics that do: ")
    assert "ter" in err


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        ((), 2, "no system output to xray"),
        (("good.en", "bad.en", "good2=good.en"), 2, "one or two systems can be looked at together, not 3"),
        (("good.en", "--segment", "5"), 2, "there is no segment 5: they are numbered from 1 to 4"),
        (("good.en", "--segment", "0"), 2, "there is no segment 0"),
        (("good.en", "--segment", "x"), 2, "--segment"),
        (("good.en", "--top", "0"), 2, "--top"),
        (("good.en", "--show", "diferent"), 2, "did you mean 'different'"),
        (("good.en", "--show", "different"), 2, "compares two systems, but there is one"),
        (("good.en", "--show", "best", "--segment", "1"), 2, "leave --show away"),
        (("good.en", "--rank", "score", "--segment", "1"), 2, "leave --rank away"),
        (("good.en", "--rank", "scor"), 2, "unknown rank 'scor'; did you mean 'score'"),
        (("good.en", "-f", "tsv"), 2, "unknown format 'tsv'"),
        (("good.en", "-m", "terr"), 2, "did you mean 'ter'"),
        (("good.en", "-o", "ref.en"), 2, "it is an input"),
        (("good.en", "-o", "no/where.html"), 2, "there is no directory"),
        (("short.en",), 1, "segments"),
        (("missing.en",), 1, "missing.en"),
    ],
)
def test_what_cannot_be_done_is_said(look, arguments, code, message):
    ended = look(*arguments)
    assert (ended.code, ended.out) == (code, "")
    assert message in ended.err
    assert "Traceback" not in ended.err
    assert ended.err.count("\n") == 1


def test_colours_only_on_a_terminal(look, terminal, tmp_path):
    shown = terminal("xray", "-r", tmp_path / "ref.en", tmp_path / "bad.en", "--segment", 1)
    assert "\x1b[" in shown
    assert "\x1b" not in terminal("xray", "-r", tmp_path / "ref.en", tmp_path / "bad.en", NO_COLOR="1")


def test_ascii_terminals(look, process, tmp_path):
    ended = process(
        "xray", "-r", tmp_path / "ref.en", tmp_path / "good.en", env={"PYTHONIOENCODING": "ascii"}
    )
    assert ended.code == 0
    assert "\\u" not in ended.out
    assert "# exact: the same word" in ended.out
