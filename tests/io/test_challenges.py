"""Challenge sets in files: DEMETR's, with its reversed one, ACES's, anybody's own; and what is said of broken ones."""

import gzip
import json

import numpy as np
import pytest

from adjudge.errors import DataError
from adjudge.io.challenges import read_challenges


def demetr(path, items, number=8, severity="critical"):
    path.write_bytes(gzip.compress(json.dumps([
        {"id": i, "src_sent": f"s{i}", "eng_sent": f"r{i}", "mt_sent": good, "pert_sent": bad, "lang_tag": "german",
         "pert_check": True, "severity": severity, "pert_id": number, "pert_name": f"{severity}_id{number}"}
        for i, (good, bad) in enumerate(items)
    ], indent=1).encode()))  # fmt: skip
    return str(path)


def test_demetr(tmp_path):
    path = demetr(tmp_path / "critical_id8.json.gz", [("it is", "it is not"), ("a", "b")])
    loaded = read_challenges([path])
    assert loaded.challenge.good == ("it is", "a")
    assert loaded.challenge.bad == ("it is not", "b")
    assert loaded.challenge.references == ("r0", "r1")
    assert loaded.challenge.phenomena == ("critical_id8",) * 2
    assert loaded.challenge.severities == ("critical",) * 2
    assert loaded.challenge.languages == ("en", "en")
    assert [item.path for item in loaded.inputs] == [path]


def test_demetrs_reversed_file_is_turned_round(tmp_path):
    plain = demetr(tmp_path / "a.json", [("good", "bad")])
    turned = demetr(tmp_path / "b.json.gz", [("machine", "reference")], number=35, severity="base")
    challenge = read_challenges([plain, turned]).challenge
    assert challenge.good == ("good", "reference")
    assert challenge.bad == ("bad", "machine")


def test_aces_with_scores(tmp_path):
    file = tmp_path / "aces.scored.tsv"
    file.write_text(
        "source\tgood-translation\tincorrect-translation\treference\tphenomena\tlangpair\tCOMET-good\tCOMET-bad\n"
        "Hund\tthe dog\tthe cat\ta dog\thallucination\tde-en\t0.8\t0.3\n"
        'dog\tder "Hund\tdie Katze\tein Hund\tantonym\ten-de\t0.7\t0.75\n'
    )
    challenge = read_challenges([str(file)]).challenge
    assert challenge.good[1] == 'der "Hund'
    assert challenge.phenomena == ("hallucination", "antonym")
    assert challenge.languages == ("en", "de")
    assert not challenge.severities
    np.testing.assert_array_equal(challenge.scores["COMET"].good, [0.8, 0.7])
    np.testing.assert_array_equal(challenge.scores["COMET"].bad, [0.3, 0.75])


ACES = {
    "source": "The dog sleeps.", "good-translation": "Der Hund schläft.", "incorrect-translation": "Der Hund bellt.",
    "reference": "Der Hund ist am Schlafen.", "phenomena": "hallucination-real-data-vs-synonym", "langpair": "en-de",
}  # fmt: skip


@pytest.mark.parametrize("ending", ["jsonl", "tsv", "jsonl.gz"])
def test_aces_and_span_aces_as_published(tmp_path, ending):
    """The columns of both releases; Span-ACES marks the error in one more column, numbers its items and says how."""
    span = {
        "ID": 7,
        **ACES,
        "incorrect-translation-annotated": "Der Hund <bellt>.",
        "annotation-method": "manual",
    }
    empty = ACES | {"incorrect-translation": "", "phenomena": "omission", "langpair": "en-fr"}
    for name, items in (("challenge_set", [ACES, empty]), ("span_aces", [span, {**span, **empty}])):
        file = tmp_path / f"{name}.{ending}"
        if ending == "tsv":
            text = (
                "\n".join("\t".join(map(str, row)) for row in (items[0], *(item.values() for item in items)))
                + "\n"
            )
        else:
            text = "".join(json.dumps(item, ensure_ascii=False) + "\n" for item in items)
        data = text.encode()
        file.write_bytes(gzip.compress(data) if ending.endswith("gz") else data)
        challenge = read_challenges([str(file)]).challenge
        assert challenge.good == ("Der Hund schläft.",) * 2
        assert challenge.bad == ("Der Hund bellt.", "")
        assert challenge.sources == ("The dog sleeps.",) * 2
        assert challenge.references == ("Der Hund ist am Schlafen.",) * 2
        assert challenge.phenomena == ("hallucination-real-data-vs-synonym", "omission")
        assert challenge.languages == ("de", "fr")
        assert not challenge.scores


def test_a_table_with_the_least(tmp_path):
    file = tmp_path / "mine.csv"
    file.write_text("good,bad,TER good,TER bad\nyes,no,1,2\n")
    challenge = read_challenges([str(file)]).challenge
    assert challenge.phenomena == ("mine",)
    assert challenge.sources is None
    assert challenge.references is None
    assert list(challenge.scores) == ["TER"]
    assert challenge.units() == ("yes",)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "is empty"),
        ("source\tgood\n1\t2\n", "no column 'bad'"),
        ("source\tgod\tbad\n1\t2\t3\n", "no column 'good'"),
        ("good\tbad\n\tx\n", "line 2: no good translation"),
        ("good\tbad\ta-good\nx\ty\t1\n", "a column 'a-good', but none 'a-bad'"),
        ("good\tbad\ta-good\ta-bad\nx\ty\t1\thigh\n", "line 2, column 'a-bad': 'high' is no finite number"),
        ("[]", "an empty list"),
        ("[3]", "item 1: a whole number, but an object was expected"),
        ("[{]", "not JSON"),
    ],
)
def test_broken_files(tmp_path, text, message):
    file = tmp_path / "broken.tsv"
    file.write_text(text)
    with pytest.raises(DataError, match=message) as error:
        read_challenges([str(file)])
    assert str(file) in str(error.value)


def test_files_that_do_not_go_together(tmp_path):
    first, two = tmp_path / "one.tsv", tmp_path / "two.tsv"
    first.write_text("source\tgood\tbad\ns\tx\ty\n")
    two.write_text("reference\tgood\tbad\nr\tx\ty\n")
    with pytest.raises(DataError, match="only one of them has sources"):
        read_challenges([str(first), str(two)])


def test_all_of_demetr_here(shared):
    paths = sorted(map(str, (shared.data / "18_demetr").glob("*.json.gz")))
    challenge = read_challenges(paths).challenge
    assert len(challenge) == 14_000
    assert len(set(challenge.phenomena)) == 14
    references = challenge.references or ()
    base = [i for i, severity in enumerate(challenge.severities) if severity == "base"]
    assert len(base) == 1000
    assert all(challenge.good[i] == references[i] for i in base)


def test_a_folder_stands_for_its_tables(tmp_path):
    folder = tmp_path / "set"
    folder.mkdir()
    (folder / "README.md").write_text("not a table")
    with pytest.raises(DataError, match="a folder without a challenge set"):
        read_challenges([str(folder)])
    for name in ("b", "a"):
        (folder / f"{name}.tsv").write_text(f"reference\tgood\tbad\n{name} c\t{name} c\t{name} d\n")
    loaded = read_challenges([str(folder)])
    assert loaded.challenge.good == ("a c", "b c")
    assert [item.path.rpartition("/")[2] for item in loaded.inputs] == ["a.tsv", "b.tsv"]
