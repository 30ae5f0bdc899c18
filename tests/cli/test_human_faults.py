"""`adjudge human analyse` and files that are wrong or odd: a message with the place and a way out, or a plain result.

Nothing is dropped without a word, nothing ends in a fault, no escape sequence of a file reaches the terminal.
"""

import json
import os
import random
import warnings

import pytest

HEAD = "annotator,system,segment,score\n"


def table(systems="AB", people="xyz", items=12, score=None):
    """Direct Assessment: A is better than B."""
    draw = random.Random(1)
    score = score or (lambda system, item, who: 50 + 10 * (system == "A") + draw.randint(-9, 9))
    return HEAD + "".join(
        f"{who},{system},{item},{score(system, item, who)}\n"
        for item in range(items)
        for system in systems
        for who in people
    )


def timed(start, end):
    rows = table().splitlines()[1:]
    return "annotator,system,segment,score,start,end\n" + "".join(f"{row},{start},{end}\n" for row in rows)


def ranks(first, two, three, more=""):
    head = "segmentId,judgeId,system1Id,system1rank,system2Id,system2rank,system3Id,system3rank\n"
    return head + "".join(f"{i},x,A,{first},B,{two},C,{three}\n" for i in range(8)) + more


def choices(*answers, systems=("A", "B")):
    rows = "".join(f"{i},x,{systems[0]},{systems[1]},{answer}\n" for i, answer in enumerate(answers))
    return "segment,judge,system1,system2,preferred\n" + rows


def mqm(more=""):
    draw = random.Random(2)
    kinds = [("Accuracy/Omission", "Major"), ("Fluency/Punctuation", "Minor"), ("No-error", "No-error")]
    rows = "".join(
        f"{s}\t{i}\t{who}\t<v>t</v>\t{category}\t{severity}\n"
        for i in range(8)
        for s in "AB"
        for who in "xy"
        for category, severity in [draw.choice(kinds)]
    )
    return "system\tsegment\trater\ttarget\tcategory\tseverity\n" + rows + more


def esa(errors):
    rows = "".join(
        f"{w}\t{s}\t{i}\t{60 + i + 9 * (s == 'A')}\t{errors}\n" for i in range(8) for s in "AB" for w in "xy"
    )
    return "annotator\tsystem\tsegment\tscore\terrors\n" + rows


def edits(more="", words=9):
    draw = random.Random(3)
    rows = "".join(
        f"{w}\t{s}\t{i}\t{draw.random():.2f}\t{draw.randint(5, 60)}\t{draw.randint(0, 80)}\t{words}\n"
        for i in range(8)
        for s in "AB"
        for w in "xy"
    )
    return "annotator\tsystem\tsegment\thter\tseconds\tkeystrokes\twords\n" + rows + more


@pytest.fixture
def analyse(run, tmp_path, monkeypatch):
    """Analyse what a file holds, from its folder; anything Python would warn of is a failure."""
    monkeypatch.chdir(tmp_path)

    def call(content, *options, name="j.csv"):
        (tmp_path / name).write_bytes(content if isinstance(content, bytes) else content.encode())
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            ended = run("human", "analyse", name, "--resamples", 20, *options)
        assert "fault in adjudge" not in ended.err
        return ended

    return call


REFUSED = {
    "empty": (b"", "j.csv is empty"),
    "a mark and nothing else": (b"\xef\xbb\xbf", "j.csv is empty"),
    "empty lines": ("\n\n", "j.csv: nothing but empty lines"),
    "header only": (HEAD, "j.csv has a header line, but nothing below it"),
    "a header without an end": (HEAD.strip(), "j.csv has a header line, but nothing below it"),
    "binary": (bytes(range(1, 256)) * 3, "j.csv, line 2, byte 118: not UTF-8 (0x80); convert the file"),
    "NUL": (table().replace("x,A,3", "x\0,A,3"), "j.csv, line 20, byte 2: a NUL character"),
    "spreadsheet": (b"PK\x03\x04\x14\0\0\0", "this is a spreadsheet or another zip archive: save it as CSV"),
    "UTF-16 that is none": (b"\xff\xfea\0\n", "j.csv, byte 5: marked as UTF-16, but it is none"),
    "UTF-16 without a mark": (table().encode("utf-16-le"), "this looks like UTF-16: iconv -f UTF-16LE"),
    "old Macs": (table().replace("\n", "\r"), "j.csv: lines end in a carriage return alone"),
    "too few cells": (table() + "x,A,9\n", "j.csv, line 74: 3 columns, but there should be 4"),
    "too many cells": (table() + "x,A,9,5,6\n", "j.csv, line 74: 5 columns, but there should be 4"),
    "open quote": (table() + 'x,"A,9,5\n', "j.csv, line 74: a cell begins with a quote that does not end it"),
    "NaN": (table() + "x,A,99,nan\n", "j.csv, line 74, column 'score': 'nan' is no finite number"),
    "infinite": (table() + "x,A,99,inf\n", "j.csv, line 74, column 'score': 'inf' is no finite number"),
    "enormous": (
        table() + "x,A,99,1e308\n",
        "j.csv, line 74, column 'score': '1e308' is larger than any scale",
    ),
    "no score": (table() + "x,A,99,\n", "j.csv, line 74, column 'score': there is no number"),
    "a word": (table() + "x,A,99,good\n", "'good' is no finite number"),
    "a text for a score": (table() + f"x,A,99,{'z' * 10**6}\n", "'" + "z" * 59 + "'… is no finite number"),
    "a text for a name": (
        table().replace("x,A,3,", "x" * 10**6 + ",A,3,"),
        "j.csv, line 20, column 'annotator': a name of 1,000,000 characters ('"
        + "x" * 59
        + "'…); is this the right",
    ),
    "no system": (
        table() + "x,,99,5\n",
        "j.csv, line 74: no system in column 'system'; every judgement is of one",
    ),
    "no segment": (table() + "x,A,,5\n", "j.csv, line 74: no segment in column 'segment'"),
    "no columns": ("foo,bar\n1,2\n", "j.csv, line 1: no column 'score'"),
    "two columns of a name": (
        "system,segment,score,score\nA,1,5,6\n",
        "line 1: two columns are called 'score'",
    ),
    "unknown kind": (
        "system,segment,score,type\nA,1,5,TGT\nA,2,5,FOO\n",
        "line 3, column 'type': unknown kind 'FOO'",
    ),
    "nothing ordinary": (
        "annotator,system,segment,score,type\nx,A,1,5,BAD\nx,A,2,5,BAD\n",
        "none of these judgements is of an ordinary item (2 bad references)",
    ),
    "no time": (
        timed("yesterday", "5"),
        "j.csv, line 2, column 'start': 'yesterday' is no time; write 2024-05-31",
    ),
    "a time beyond all": (timed("1e300", "1e301"), "j.csv, line 2, column 'start': '1e300' is no time"),
    "rank 0": (ranks(0, 1, 2), "j.csv, line 2, column 'system1rank': rank 0, but 1 is best"),
    "rank NaN": (ranks("nan", 1, 2), "line 2, column 'system1rank': 'nan' is no finite number"),
    "nothing ranked": (ranks(-1, -1, 1), "j.csv: no two systems were ranked together"),
    "against itself": (ranks(1, 2, 3, "99,x,A,1,A,2,C,3\n"), "j.csv, line 10: A is set against itself"),
    "ranked nobody": (ranks(1, 2, 3, "99,x,,1,A,2,C,3\n"), "j.csv, line 10: no system, but a rank"),
    "no answer": (choices("A", ""), "j.csv, line 3, column 'preferred': no answer"),
    "another answer": (
        choices("A", "Z"),
        "j.csv, line 3, column 'preferred': 'Z' is neither A nor B nor a tie",
    ),
    "a text for a ranked system": (choices("1", systems=("a" * 2000, "b")), "a name of 2,000 characters"),
    "unknown severity": (mqm("A\t9\tx\tt\tOther\tterrible\n"), "j.csv, line 34: unknown severity 'terrible'"),
    "errors that are no JSON": (esa('[{"start":'), "j.csv, line 2: errors that are no JSON"),
    "errors nested beyond all": (esa("[" * 100_000), "j.csv, line 2: errors that are no JSON"),
    "errors before the text": (esa('[{"start":-5,"end":3}]'), "j.csv, line 2: an error from -5 to 3"),
    "unknown severity of ESA": (
        esa('[{"start":1,"end":3,"severity":"oops"}]'),
        "line 2: unknown severity 'oops'",
    ),
    "HTER below 0": (edits("x\tA\t99\t-0.1\t5\t4\t3\n"), "j.csv, line 34: HTER is -0.1"),
    "keys below 0": (edits("x\tA\t99\t0.1\t5\t-4\t3\n"), "j.csv, line 34: less than nothing was done (-4)"),
    "words below 0": (edits("x\tA\t99\t0.1\t5\t4\t-3\n"), "j.csv, line 34: -3 is no number of words"),
    "no words": (
        edits("x\tA\t99\t0.1\t5\t4\t\n"),
        "j.csv, line 34: no number of words, which every post-edit needs",
    ),
    "words that are none": (
        edits("x\tA\t99\t0.1\t5\t4\tmany\n"),
        "line 34, column 'words': 'many' is no finite number",
    ),
    "words nowhere": (edits(words=0), "0 words, and nowhere more: effort a word cannot be told"),
    "enormous times": (
        edits("x\tA\t99\t0.1\t1e300\t4\t3\n"),
        "'1e300' is larger than any scale, time or count",
    ),
    "broken JSON": ('{"system": "A", "segment": 1, "score": 5}\n{"system":\n', "j.csv, line 2: not JSON"),
    "an array": ("[1, 2]\n", "j.csv is one piece of JSON; one object a line was expected"),
    "an unpaired surrogate": (
        '{"system": "\\ud800", "segment": 1, "score": 5}\n',
        "line 1: an unpaired surrogate",
    ),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_cannot_be_read_is_told_with_its_place(analyse, case):
    content, message = REFUSED[case]
    ended = analyse(content)
    assert ended.code == 1
    assert message in ended.err
    assert len(ended.err) < 600
    assert ended.out == ""


TOLD = {
    "again": (
        table() + table().split("\n", 1)[1],
        "72 judgements left out that were given again: the last one counts",
    ),
    "beyond the scale": (
        table() + "x,A,99,150\n",
        "1 score not between 0 and 100 (first: j.csv, line 74: 150)",
    ),
    "ends before it begins": (
        timed(1000, 990),
        "j.csv, line 2: the judgement ends before it begins, as do 71 others",
    ),
    "negative times": (
        edits("x\tA\t99\t0.1\t-5\t4\t3\n"),
        "line 34: the judgement ends before it begins; how long",
    ),
    "a post-edit of nothing": (
        edits("x\tA\t99\t0.1\t5\t4\t0\n"),
        "1 post-edit of texts without a word left out",
    ),
    "one judge": (table(people="x"), "there is one annotator only"),
    "a judge who never moves": (
        table(score=lambda s, i, who: 50 if who == "x" else 50 + 7 * i % 11),
        "x gave the same score to everything, or only one (24 judgements): such scores have no z",
    ),
    "nobody moves": (table(score=lambda *_: 50), "there are no z-scores, raw ones are tested"),
    "each judges once": (
        HEAD + "".join(f"a{i},{'AB'[i % 2]},{i // 2},{i * 37 % 101}\n" for i in range(200)),
        "every annotator gave the same score to everything, or only one",
    ),
    "nobody judges two systems": (
        HEAD + "".join(f"x,A,{i},{50 + i}\ny,B,{100 + i},{40 + i}\n" for i in range(20)),
        "No annotator judged any two systems: differences hold only if annotators were assigned at random",
    ),
    "no annotator": (table() + ",A,99,50\n", "1 judgement without an annotator's name: no z"),
    "never compared": (
        choices("A", "tie") + "8,x,C,D,C\n",
        "never compared: A with C, A with D, C with B, B with D (4 of 6 pairs)",
    ),
    "all ties": (ranks(1, 1, 1), "all 24 comparisons are ties"),
    "few ranked": (
        ranks(1, 2, 3, "99,x,A,1,B,-1,C,-1\n"),
        "1 row left out in which fewer than two systems were ranked",
    ),
    "of no system": (
        "annotator,segment,score\nx,1,50\n",
        "no column names a system, so all are taken to be of one",
    ),
}


@pytest.mark.parametrize("case", TOLD)
def test_what_is_odd_is_told(analyse, case):
    content, message = TOLD[case]
    ended = analyse(content)
    assert ended.code == 0
    assert message in ended.err
    document = json.loads(analyse(content, "-q", "-f", "json").out)
    assert any(message in warning for warning in document["warnings"])
    assert document["groups"][0]["systems"]


PLAIN = {
    "a mark in front": b"\xef\xbb\xbf" + table().encode(),
    "lines of Windows": table().replace("\n", "\r\n"),
    "one row": HEAD + "x,A,1,50\n",
    "one row a system": HEAD + "x,A,1,50\nx,B,1,40\n",
    "one system": table(systems="A"),
    "one comparison": choices("A"),
    "always the same": choices(*["A"] * 9),
    "no errors at all": mqm().replace("Major", "No-error").replace("Minor", "No-error"),
    "errors without a severity": esa('[{"start":1,"end":3}]'),
    "post-edits of one system": "\n".join(line for line in edits().split("\n") if "\tB\t" not in line),
    "post-edits that are all the same": "annotator\tsystem\tsegment\thter\tseconds\twords\n"
    + "".join(f"x\t{s}\t{i}\t0.1\t30\t9\n" for i in range(5) for s in "AB"),
}


@pytest.mark.parametrize("form", ["text", "json", "tsv", "markdown", "latex"])
@pytest.mark.parametrize("case", PLAIN)
def test_what_is_small_has_a_result(analyse, case, form):
    ended = analyse(PLAIN[case], "-f", form)
    assert ended.code == 0, ended.err
    assert "A" in ended.out


def test_errors_without_a_severity_are_counted(analyse):
    document = json.loads(analyse(esa('[{"start":1,"end":3}]'), "-f", "json").out)
    assert {(error["severity"], error["count"]) for error in document["errors"]} == {("undecided", 16)}


def test_names_do_not_reach_the_terminal_as_they_are(analyse):
    names = ("\x1b[31mred\x1b[0m", "\U0001f600", "\u05e9\u05dc\u202eabc", "a|b_{}$%#&", "-A", "=cmd()")
    rows = "".join(f"x\x07\t{s}\t{i}\t{50 if s[0] == '-' else 40 + i}\n" for i in range(5) for s in names)
    content = "annotator\tsystem\tsegment\tscore\n" + rows + "\x1b[0m\t-A\t1\t5\n"
    for form in ("text", "markdown", "latex"):
        ended = analyse(content, "-f", form)
        assert ended.code == 0
        assert not {"\x1b", "\x07", "\u202e"} & {*ended.out, *ended.err}
        assert "\U0001f600" in ended.out
    document = json.loads(analyse(content, "-f", "json").out)
    assert {s["system"] for s in document["groups"][0]["systems"]} == {*names}
    refused = analyse(choices("Z", systems=("\x1b[31mA", "B")))
    assert refused.code == 1
    assert "\x1b" not in refused.err


def test_long_categories_are_cut_on_the_screen_only(analyse):
    content = mqm(f"A\t9\tx\tt\t{'c' * 5000}\tMajor\n")
    assert "c" * 79 + "…" in analyse(content).out
    assert "c" * 81 not in analyse(content).out
    assert "c" * 5000 in analyse(content, "-f", "tsv", "--table", "errors").out


class TestOptions:
    @pytest.mark.parametrize(
        ("options", "code", "message"),
        [
            (["--input-format", "mqm"], 1, "no column 'severity' among annotator, system, segment, score"),
            (["--input-format", "tsv"], 1, "it was read as a single column, but do commas part them?"),
            (["--input-format", "jsonl"], 1, "j.csv, line 1: not JSON"),
            (["--input-format", "rankings"], 1, "no column 'rank' among annotator, system, segment, score"),
            (["--input-format", "choices"], 1, "two systems were expected besides ties, but there are 41, "),
            (["--input-format", "scores"], 1, "j.csv, line 1: 1 column, but there should be 3"),
            (
                ["--input-format", "numbers"],
                1,
                "j.csv, line 1: 'annotator,system,segment,score' is no finite",
            ),
            (["--input-format", "lists"], 1, "no column 'scores' among"),
            (
                ["--input-format", "mturk"],
                1,
                "no column 'Input.sys_id_0'; these are no results of Mechanical",
            ),
            (["--input-format", "foo"], 2, "unknown format of judgements 'foo'"),
            (["--by", "foo"], 2, "no label 'foo' to group by; there are: annotator"),
            (["--preset", "wmt16"], 2, "--preset wmt16 is for rankings; these are ratings"),
            (["--only", "item"], 2, "'item': write NAME=PATTERN"),
            (
                ["--only", "item=Z*"],
                1,
                "nothing is left of 72 judgements: --only item=Z*; item is 0, 1, 2, 3, 4, …",
            ),
            (
                ["--without", "foo=x"],
                2,
                "no label 'foo' to choose by; there are: item, system, annotator, kind",
            ),
            (["--column", "foo"], 1, "j.csv: unknown column 'foo'"),
            (["--foo"], 2, "(adjudge human analyse --help)"),
            (["--resamples", "0"], 2, "(adjudge human analyse --help)"),
            (
                ["--mixed-model", "--only", "item=1", "--only", "annotator=x"],
                1,
                "a mixed model needs more judgements than",
            ),
        ],
    )
    def test_what_is_wrong_is_told(self, analyse, options, code, message):
        ended = analyse(table(), *options)
        assert ended.code == code
        assert message in ended.err

    def test_an_unknown_protocol_is_told(self, analyse):
        ended = analyse(table(), "--protocol", "htre")
        assert ended.code == 2
        assert "unknown protocol 'htre'; did you mean 'hter'?" in ended.err
        assert analyse(table(), "--protocol", "DA").code == 0
        lines = table().splitlines()
        inside = "".join([f"{lines[0]},protocol\n", *(f"{line},htre\n" for line in lines[1:])])
        analysis = analyse(inside)
        assert analysis.code == 1
        assert "j.csv: unknown protocol 'htre'; did you mean 'hter'?" in analysis.err

    @pytest.mark.parametrize(
        ("labels", "message"),
        [
            ("", "l.tsv is empty"),
            ("segment\torigin\n", "l.tsv has a header line, but nothing below it"),
            ("segment\torigin\n0\ten\n1\n", "l.tsv, line 3: 1 column, but there should be 2"),
            ("segment\torigin\nzz\ten\n", "l.tsv has no line for any of the 12 items that were judged"),
            (
                "segment\torigin\n0\ten\n0\tde\n",
                "l.tsv, line 3: segment '0' is there a second time (before in line 2)",
            ),
            ("origin\tspeaker\nen\tx\n", "l.tsv has no line for 11 of the 12 items"),
        ],
    )
    def test_labels_that_do_not_fit(self, analyse, tmp_path, labels, message):
        (tmp_path / "l.tsv").write_text(labels)
        ended = analyse(table(), "-L", "l.tsv", "--by", "origin")
        assert ended.code == 1
        assert message in ended.err

    def test_labels_that_say_nothing(self, analyse, tmp_path):
        (tmp_path / "l.tsv").write_text("segment\torigin\n" + "".join(f"{i}\t\n" for i in range(12)))
        ended = analyse(table(), "-L", "l.tsv", "--by", "origin", "-l", "de-en")
        assert ended.code == 0
        assert "72 judgements have no origin and count only where all are taken together" in ended.err


class TestFiles:
    def test_a_folder(self, run, tmp_path):
        ended = run("human", "analyse", tmp_path)
        assert ended.code == 1
        assert "is a directory; a file was expected" in ended.err

    @pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
    def test_no_permission(self, analyse, tmp_path, run):
        analyse(table())
        (tmp_path / "j.csv").chmod(0)
        ended = run("human", "analyse", tmp_path / "j.csv")
        assert ended.code == 1
        assert "may not be read: permission denied" in ended.err

    def test_several_kinds(self, analyse, tmp_path):
        (tmp_path / "r.csv").write_text(ranks(1, 2, 3))
        ended = analyse(table(), "r.csv")
        assert ended.code == 1
        assert "j.csv, line 2 is of the protocol 'da', r.csv, line 2 of 'rank'" in ended.err

    def test_a_group_without_a_command_shows_its_help(self, run):
        ended = run("human")
        assert ended.code == 0
        assert "analyse" in ended.out
        assert ended.err == ""


def test_items_of_a_pearmut_log_without_item_i_are_not_merged(run, tmp_path):
    """Every page would take the place of the one before, and one of ten judgements would be left."""
    path = tmp_path / "log.jsonl"

    def write(name):
        entries = (
            {
                "user_id": "ann",
                "annotation": [{"A": {"score": 60 + item}, "B": {"score": 50 - item}}],
                "item": [{"src": f"source {item}", "tgt": {"A": "x", "B": "y"}, **name(item)}],
            }
            for item in range(10)
        )
        path.write_text("".join(json.dumps(entry) + "\n" for entry in entries))

    write(lambda item: {"item_id": f"i{item}"})
    ended = run("human", "analyse", path, "-f", "json")
    assert ended.code == 0, ended.err
    assert "left out" not in ended.err
    told = json.loads(ended.out)["judgements"]
    assert (told["judgements"], told["items"]) == (20, 10)
    for name, message in (
        (lambda item: {}, "line 1: nothing tells which item was judged"),
        (lambda item: {"item_id": "same"}, "line 2: item 'same' has another source than in line 1"),
    ):
        write(name)
        ended = run("human", "analyse", path)
        assert (ended.code, ended.out, ended.err.count("\n")) == (1, "", 1)
        assert message in ended.err
