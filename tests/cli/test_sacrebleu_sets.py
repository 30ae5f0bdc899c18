"""Test sets in `adjudge sacrebleu`, beside the real sacreBLEU's command line: the same bytes from the same archives."""

from __future__ import annotations

from pathlib import Path

import pytest

from helpers.made_sets import OUTPUTS, SEGMENTS, MadeSets
from helpers.sacrebleus import Ours, Real

SAME = """
--list
--list -l de-en
--list -t made18
--list -t made18/tworefs
--list -t made/plain
--list -t made/tsv -l de-en
-t made18 -l de-en --echo src
-t made18 -l de-en --echo src ref docid
-t made18 -l de-en --echo all
-t made18 -l de-en --echo ref -ol de
-t made18 -l de-en --echo ref -ol non-de
-t made18 -l de-en --echo src --subset politics
-t made18 -l de-en --echo src --subset country:US
-t made18 -l de-en --echo src --subset 'GB|EU' -ol de
-t made18,made18/tworefs -l de-en --echo src
-t made18/tworefs -l de-en --echo ref:1 ref:0
-t made18/tworefs -l de-en --echo ref
-t made24 -l de-en --echo src ref:B docid origlang domain
-t made24 -l de-en --echo ref good
-t made24 -l de-en --echo src -ol de --subset news
-t made22 -l de-en --echo src ref:A
-t made/plain -l en-de --echo src ref
-t made/packed -l de-en --echo ref
-t made/tsv -l de-en --echo src ref
-t made/iwslt -l de-en --echo src ref docid genre
-t made/again -l de-en --echo ref
-t made18 -l de-en -i {good}
-t made18 -l de-en -i {good} -m bleu chrf ter -f text -w 3
-t made18 -l de-en -f text < {good}
-t made18 -l de-en -i {good} {bad} -f text -m chrf bleu
-t made18 -l de-en -i {good} {bad} -f text --paired-bs --paired-bs-n 50
-t made18 -l de-en -i {good} -sl -m chrf
-t made18 -l de-en -i {good} -ol de -f text
-t made18 -l de-en -i {good} -d
-t made18 -l de-en -i {good} -d -m chrf bleu -w 2
-t made18 -l de-en -i {good} --subset sport -f text
-t made18/tworefs -l de-en -i {good} -m bleu chrf ter
-t made24 -l de-en -i {good}
-t made24 -l de-en -i {good} -d
-t made24/AB -l de-en -i {good} -m chrf
-t made22 -l de-en -i {good}
-t made/plain -l de-en -i {good}
-t made/plain -l de-en -i {good} -d
-t made/tsv -l de-en -i {good}
-t made18,made/plain -l de-en -i {twice}
-t made18 -l de-en -i {good} -tok none -f text
"""
REFUSED = """
-t made19 -l de-en -i {good}
-t made18 -i {good}
-t made18 -l de-fr -i {good}
-t made18 -l de-en {good} -i {good}
-t made18 -l de-en -i {twice}
-t made18 -l de-en -nr 2 -i {good}
-t made18 -l de-en --echo src all
-t made18 -l de-en --echo trg
-t made24 -l de-en --echo trg
-t made18 -l de-en -i {good} -ol fr
-t made/plain -l de-en -i {good} -ol de
{good} -i {good} -ol de
{good} --echo src
--citation
"""


@pytest.fixture
def files(tmp_path: Path) -> dict[str, Path]:
    lines = {**OUTPUTS, "twice": OUTPUTS["good"] * 2}
    paths = {name: tmp_path / f"{name}.en" for name in lines}
    for name, path in paths.items():
        path.write_text("".join(f"{line}\n" for line in lines[name]))
    return paths


def test_the_same_bytes(
    made_sets: MadeSets,
    files: dict[str, Path],
    real_sacrebleu: Real,
    ours: Ours,
) -> None:
    lines = [line.format(**files) for line in SAME.strip().splitlines()]
    for line, theirs in zip(lines, real_sacrebleu(lines), strict=True):
        assert theirs.code == 0, theirs.stderr
        assert theirs.stdout, line
        mine = ours(line)
        assert (mine.code, mine.stdout) == (0, theirs.stdout), line
        # Where the texts of a set lie in the cache is said by both, in the folder of each.
        assert mine.stderr.replace(str(made_sets.cache), "") == theirs.stderr.replace(
            str(made_sets.their_cache), ""
        ), line


def test_the_same_refusals(
    made_sets: MadeSets,
    files: dict[str, Path],
    real_sacrebleu: Real,
    ours: Ours,
) -> None:
    lines = [line.format(**files) for line in REFUSED.strip().splitlines()]
    for line, theirs in zip(lines, real_sacrebleu(lines), strict=True):
        mine = ours(line)
        assert (mine.code, mine.stdout) == (theirs.code, theirs.stdout) == (1, ""), line
        assert mine.stderr
        assert "Traceback" not in mine.stderr


def test_the_fields_of_a_file_of_xml_are_the_same(
    made_sets: MadeSets,
    real_sacrebleu: Real,
    ours: Ours,
) -> None:
    """Theirs come in an order that changes from one start of Python to the next."""
    [theirs] = real_sacrebleu(["--list -t made24 -l de-en"])
    mine = ours("--list -t made24 -l de-en")
    assert mine.stdout == "de-en: src, ref:A, ref:B, docid, origlang, good, bad, domain\n"
    assert sorted(mine.stdout.split(", ")[1:-1]) == sorted(theirs.stdout.split(", ")[1:-1])


def test_what_breaks_down_there_is_answered_here(
    made_sets: MadeSets,
    files: dict[str, Path],
    real_sacrebleu: Real,
    ours: Ours,
) -> None:
    answers = {
        "--citation -t made18": "@misc{made18}\n",
        "--download made18": "",
        "-t made/iwslt -l de-en --echo docid -ol en": "cnn.2\ncnn.2\n",
        "-t made22 -l de-en --echo ref:B -ol en": "A cat was sitting there.\n\n",
    }
    for line, expected in answers.items():
        [theirs] = real_sacrebleu([line])
        assert theirs.code == 1, line
        assert "Traceback" in theirs.stderr
        mine = ours(line)
        assert (mine.code, mine.stdout) == (0, expected), mine.stderr


def test_details_of_one_origin_are_those_of_all(
    made_sets: MadeSets,
    files: dict[str, Path],
    real_sacrebleu: Real,
    ours: Ours,
) -> None:
    """Theirs takes the letters of an origin for origins, and breaks down."""
    line = f"-t made18 -l de-en -i {files['good']} -d -w 4"
    [theirs, broken] = real_sacrebleu([line, f"{line} -ol de"])
    assert "Traceback" in broken.stderr
    expected = [text for text in theirs.stdout.splitlines() if text.startswith("origlang=de")]
    mine = ours(f"{line} -ol de").stdout.splitlines()
    assert len(expected) == 4
    assert mine[1:] == expected


def test_downloads_are_told_and_verified(made_sets: MadeSets, ours: Ours) -> None:
    first = ours("--download made18")
    archive = made_sets.archive("made18")
    assert "sacreBLEU: Downloading" in first.stderr
    assert archive.is_file()
    assert ours("-t made18 -l de-en --echo src").stderr == ""
    archive.write_bytes(archive.read_bytes()[:-1])
    damaged = ours("-t made18 -l de-en --echo src")
    assert (damaged.code, damaged.stdout) == (1, "")
    assert f"{archive}: MD5 " in damaged.stderr


def test_the_python_functions_give_files_of_the_cache(made_sets: MadeSets) -> None:
    import adjudge.compat.sacrebleu as compatible

    assert "made18" in compatible.DATASETS
    assert compatible.get_langpairs_for_testset("made/plain") == ["de-en", "en-de"]
    assert "made24" in compatible.get_available_testsets()
    source = compatible.get_source_file("made18", "de-en")
    assert source == str(made_sets.cache / "made18" / "made18.de-en.src")
    assert Path(source).read_text().splitlines()[3] == SEGMENTS[3][0]
    [_, second] = compatible.get_reference_files("made18/tworefs", "de-en")
    assert Path(second).read_text().splitlines()[3] == SEGMENTS[3][2]
    assert len(compatible.download_test_set("made18", "de-en")) == 5
