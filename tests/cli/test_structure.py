"""Pseudo-references, back-translations and trees on the command line, and that their results can be verified."""

import json
import shlex
import sys

import pytest

UPPER = "import sys\nfor line in sys.stdin: print(line.strip().upper())\n"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("ADJUDGE_CACHE", str(tmp_path / "cache"))
    (tmp_path / "src.de").write_text("die Katze sass\nes regnet\n")
    (tmp_path / "ref.en").write_text("the cat sat on it\nit rains a lot\n")
    (tmp_path / "sys.en").write_text("the cat sat on it\nit is raining now\n")
    (tmp_path / "mt.en").write_text("a cat sat on it\nit is raining now\n")
    (tmp_path / "upper.py").write_text(UPPER)
    return tmp_path


def program(name="upper.py") -> str:
    return shlex.join([sys.executable, "-S", name])


def scored(run, *arguments):
    ended = run("score", "-m", "bleu", "-f", "json", *arguments, "sys.en")
    assert ended.code == 0, ended.err
    return json.loads(ended.out)


def test_a_pseudo_reference_is_a_reference_that_the_signature_tells_of(folder, run):
    with_it = scored(run, "-r", "ref.en", "--pseudo-reference", "mt.en")["results"][0]
    as_reference = scored(run, "-r", "ref.en", "-r", "mt.en")["results"][0]
    assert with_it["score"] == as_reference["score"]
    assert with_it["signature"].startswith("nrefs:2|pseudo:1|")
    assert "pseudo" not in as_reference["signature"]
    alone = scored(run, "--pseudo-reference", "mt.en")
    assert alone["results"][0]["signature"].startswith("nrefs:1|pseudo:1|")
    assert alone["test_set"]["fingerprint"] != scored(run, "-r", "mt.en")["test_set"]["fingerprint"]
    assert {item["role"] for item in alone["inputs"]} == {"pseudo_reference", "system"}


def test_the_source_is_translated_by_a_program(folder, run):
    document = scored(run, "-s", "src.de", "--translator", program())
    assert document["results"][0]["signature"].startswith("nrefs:1|pseudo:1|")
    assert document["arguments"]["translator"] == program()
    (folder / "mt.en").write_text("DIE KATZE SASS\nES REGNET\n")
    given = scored(run, "-s", "src.de", "--pseudo-reference", "mt.en")
    assert given["test_set"]["fingerprint"] == document["test_set"]["fingerprint"]


def test_a_second_run_asks_no_program(folder, run):
    scored(run, "-s", "src.de", "--translator", program())
    (folder / "upper.py").write_text("raise SystemExit(1)")
    scored(run, "-s", "src.de", "--translator", program())
    ended = run(
        "score", "-q", "-m", "bleu", "-s", "src.de", "--no-cache", "--translator", program(), "sys.en"
    )
    assert ended.code == 1
    assert "ended with status 1" in ended.err


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ("raise SystemExit('no such pair')", "no such pair"),
        (UPPER + "print('x')", "wrote more lines than the 2 it was given"),
        ("import time; time.sleep(60)", "no answer for 1 seconds"),
    ],
)
def test_a_program_that_fails_ends_the_command_with_its_words(folder, run, code, message):
    (folder / "upper.py").write_text(code)
    ended = run(
        "score", "-m", "bleu", "-s", "src.de", "--time-limit", "1", "--translator", program(), "sys.en"
    )
    assert ended.code == 1
    assert message in ended.err
    (folder / "upper.py").write_text(UPPER)  # nothing of it was kept
    assert scored(run, "-s", "src.de", "--translator", program())


def test_a_translator_without_a_source_says_what_is_missing(folder, run):
    ended = run("score", "-r", "ref.en", "--translator", program(), "sys.en")
    assert ended.code == 2
    assert "translates the source, and there is none: -s FILE" in ended.err


FAST = ["--trials", "99", "--resamples", "50", "-m", "bleu"]


def test_results_with_pseudo_references_can_be_verified(folder, run):
    (folder / "two.en").write_text("the cat sat\nrain\n")
    files = ["-r", "ref.en", "--pseudo-reference", "mt.en"]
    assert run("score", "-q", *files, "-m", "bleu", "--save", "score.json", "sys.en").code == 0
    assert run("compare", "-q", *files, *FAST, "--save", "compare.json", "sys.en", "two.en").code == 0
    for name in ("score.json", "compare.json"):
        ended = run("verify", name)
        assert ended.code == 0, ended.out
    (folder / "mt.en").write_text("a cat sat on it\nit rained\n")
    ended = run("verify", "score.json")
    assert ended.code == 1
    assert "mt.en" in ended.out


def test_verify_runs_no_program_that_only_the_file_names(folder, run, monkeypatch):
    scored(run, "-s", "src.de", "--translator", program(), "--save", "a.json")
    ended = run("verify", "a.json")
    assert ended.code == 0
    assert "were taken from what was kept of them" in ended.out
    monkeypatch.setenv("ADJUDGE_CACHE", str(folder / "other"))
    ended = run("verify", "a.json")
    assert ended.code == 1
    assert "no program is run because a file names it" in ended.out
    assert "--allow-programs" in ended.out
    allowed = run("verify", "--allow-programs", "a.json")
    assert allowed.code == 0, allowed.out
    assert "were taken from" not in allowed.out


def test_trees_are_part_of_the_result_and_move_with_it(folder, run, tmp_path_factory, monkeypatch):
    trees = "# segment = 1\n1\tthe\t_\tX\t_\t_\t2\tdet\t_\t_\n2\tcat\t_\tX\t_\t_\t0\troot\t_\t_\n\n"
    trees += "# segment = 2\n1\tit\t_\tX\t_\t_\t0\troot\t_\t_\n2\trains\t_\tX\t_\t_\t1\tdep\t_\t_\n"
    (folder / "t.conllu").write_text(trees)
    scored(run, "-r", "ref.en", "--trees", "ref=t.conllu", "--save", "a.json")
    document = json.loads((folder / "a.json").read_text())
    assert "trees" in {item["role"] for item in document["inputs"]}
    assert document["arguments"]["trees"] == ["ref=t.conllu"]
    monkeypatch.chdir(tmp_path_factory.mktemp("elsewhere"))
    ended = run("verify", folder / "a.json")
    assert ended.code == 0, ended.out


def chains_of(path, *segments: str) -> str:
    """A file of trees in which every word hangs on the one before it; a segment has sentences between bars."""
    lines = []
    for number, segment in enumerate(segments, 1):
        for sentence in segment.split(" | "):
            words = enumerate(sentence.split(), 1)
            rows = [f"{i}\t{word}\t_\tX\t_\t_\t{i - 1}\tdep\t_\t_" for i, word in words]
            lines += [f"# segment = {number}", *rows, ""]
    path.write_text("\n".join(lines) + "\n")
    return path.name


@pytest.mark.parametrize("level", ["document", "window:2"])
def test_trees_of_segments_are_those_of_their_documents(folder, run, level):
    (folder / "labels.tsv").write_text("document\nx\nx\n")
    of = ["the cat sat on it", "it rains a lot"], ["the cat sat on it", "it is raining now"]
    trees = [chains_of(folder / f"{name}.conllu", *own) for name, own in zip(("ref", "sys"), of, strict=True)]
    options = ["-q", "-f", "json", "-m", "ptk", *(part for file in trees for part in ("--trees", file))]
    ended = run("score", *options, "-r", "ref.en", "-L", "labels.tsv", "--level", level, "sys.en")
    assert ended.code == 0, ended.err
    for name, own in zip(("ref", "sys"), of, strict=True):
        (folder / f"{name}.en").write_text(" ".join(own) + "\n")
        chains_of(folder / f"{name}.conllu", " | ".join(own))
    whole = run("score", *options, "-r", "ref.en", "sys.en")
    assert whole.code == 0, whole.err
    scores = [json.loads(text)["results"][0]["score"] for text in (ended.out, whole.out)]
    assert scores[0] == scores[1] < 100


def test_faults_of_trees_end_the_command(folder, run):
    (folder / "t.conllu").write_text("1\tthe\t_\tX\t_\t_\t2\tdet\t_\t_\n2\tcat\t_\tX\t_\t_\t1\tdep\t_\t_\n")
    ended = run("score", "-r", "ref.en", "--trees", "ref=t.conllu", "sys.en")
    assert ended.code == 1
    assert ended.err.startswith("adjudge: error: t.conllu, line 1: word 1 ('the'): no word is the root")


# adjudge parse


@pytest.fixture
def chains(monkeypatch):
    """A parser that hangs each word on the one before it."""
    from adjudge.data.dependencies import ParsedSentence
    from adjudge.text import parsers

    class Chains(parsers.Parser):
        gives_lemmas = False
        asked = 0

        def parse(self, texts):
            type(self).asked += len(texts)
            for text in texts:
                words = tuple(text.split())
                yield (
                    ParsedSentence(words, tuple(range(len(words))), ("root", *["dep"] * (len(words) - 1))),
                )

    monkeypatch.setattr(parsers, "find", lambda name: Chains(name, f"{name}-1"))
    return Chains


def test_parse_writes_what_trees_reads(folder, run, chains):
    assert run("parse", "--parser", "chains", "-o", "trees.conllu", "ref.en", "sys.en").code == 0
    asked = chains.asked
    printed = run("parse", "--parser", "chains", "ref.en", "sys.en")
    assert printed.out == (folder / "trees.conllu").read_text()
    assert chains.asked == asked == 3  # three distinct segments, and none of them twice
    document = scored(run, "-r", "ref.en", "--trees", "trees.conllu")
    assert "trees" in {item["role"] for item in document["inputs"]}


def test_parse_is_documented_and_refuses_what_it_cannot_do(folder, run):
    from pathlib import Path

    from adjudge.cli.parse import command

    page = (Path(__file__).resolve().parents[2] / "docs" / "trees.md").read_text(encoding="utf-8")
    for parameter in command.params:
        for name in (*parameter.opts, *parameter.secondary_opts):
            assert not name.startswith("-") or f"`{name}" in page, name
    ended = run("parse", "--parser", "no_such_parser", "ref.en")
    assert ended.code == 2
    assert "there is no parser 'no_such_parser'" in ended.err
    ended = run("parse", "--parser", "x", "-o", "ref.en", "ref.en")
    assert ended.code == 2
