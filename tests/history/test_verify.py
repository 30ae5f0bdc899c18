"""Whatever is changed in a result, or in a file behind it, is found."""

import copy
import json
import os
from pathlib import Path

import numpy as np
import pytest

from adjudge import io
from adjudge.comparison import compare, score
from adjudge.comparison.documents import Arguments, comparison_document, score_document
from adjudge.comparison.groups import labels_of
from adjudge.errors import DataError
from adjudge.history import stored
from adjudge.history.stored import rows_of
from adjudge.history.verify import ELSEWHERE, verify
from adjudge.history.verify import WORDS as WORDS_OF_RESULTS

RANDOM = np.random.default_rng(3)
WORDS = ["the", "cat", "sat", "on", "a", "mat", "and", "slept", "well", "there"]
LINES = [" ".join(RANDOM.choice(WORDS, RANDOM.integers(3, 15))) for _ in range(12)]
TEST = {"trials": 29, "resamples": 20, "seed": 3, "alpha": 0.2, "by": ("domain",)}
METRICS = ("chrf", "ter")


def worsened(share):
    return "".join(
        " ".join("x" if RANDOM.random() < share else word for word in line.split()) + "\n" for line in LINES
    )


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("ref.en").write_text("".join(f"{line}\n" for line in LINES))
    Path("labels.tsv").write_text("domain\n" + "news\n" * 6 + "talk\n" * 6)
    for name, share in {"good": 0.1, "bad": 0.5, "runs.run1": 0.2, "runs.run2": 0.3}.items():
        Path(f"{name}.en").write_text(worsened(share))
    return tmp_path


def made(kind, *, rows=False, systems=("good.en", "bad.en", "runs.run1.en", "runs.run2.en")):
    """A result as the command line makes it."""
    named = Arguments(systems, ("ref.en",), labels="labels.tsv", metrics=METRICS)
    loaded = io.load(**named.files())
    scores = score(loaded.test_set, loaded.outputs, METRICS, segments=True, rows=True)
    if kind == "score":
        document = score_document(scores, version="0.1.0", inputs=loaded.inputs, arguments=named)
    else:
        comparison = compare(loaded.test_set, loaded.outputs, METRICS, **TEST)
        named = Arguments(systems, ("ref.en",), labels="labels.tsv", metrics=METRICS, options=TEST)
        document = comparison_document(comparison, version="0.1.0", inputs=loaded.inputs, arguments=named)
    if rows:
        labels = labels_of(loaded.test_set, ("length",))
        stored.write("result.json", document, rows_of(scores), labels)
        document = json.loads(Path("result.json").read_text())
    return json.loads(json.dumps(document))


def verified(document):
    Path("result.json").write_text(json.dumps(document))
    return verify(stored.read("result.json"), threads=1)


def said(result):
    return [(problem.kind, problem.where, problem.field) for problem in result.problems]


@pytest.mark.parametrize("rows", [False, True])
@pytest.mark.parametrize("kind", ["score", "compare"])
def test_what_was_not_changed_holds(kind, rows, folder):
    verification = verified(made(kind, rows=rows))
    assert verification.problems == ()
    assert verification.notes == ()
    assert verification.kind == kind
    assert verification.checked > 50
    assert verification.holds


def leaves(value, place=()):
    if isinstance(value, dict | list) and value:
        for key in value if isinstance(value, dict) else range(len(value)):
            yield from leaves(value[key], (*place, key))
    else:
        yield place


def changed(value):
    if isinstance(value, bool):
        return not value
    if isinstance(value, int | float):
        return value + 1 if value < 5 else value * (1 + 1e-6)
    if isinstance(value, str):
        return value + "x"
    return 7.0 if value is None else ["x"]


def value_at(document, place):
    for key in place:
        document = document[key]
    return document


@pytest.mark.parametrize("version", ["0.1.0", "0.0.9"])
@pytest.mark.parametrize("rows", [False, True])
@pytest.mark.parametrize("kind", ["score", "compare"])
def test_every_check_is_counted(kind, rows, version, folder):
    document = made(kind, rows=rows) | {"version": version}
    for result in document["results"]:
        result["signature"] = result["signature"].replace("adjudge-0.1.0", f"adjudge-{version}")
    worded = () if version == "0.1.0" else WORDS_OF_RESULTS
    values = [
        place
        for place in leaves(document)
        if place[0] not in ELSEWHERE
        and not {*place} & {*worded}
        and value_at(document, place) not in ([], {})
    ]
    stored_rows = document.get("rows", ())
    expected = {
        "files that are there": len(document["inputs"]),
        "files that were read": len(document["inputs"]),
        "values": len(values),
        "signatures of another version": len(document["results"]) if worded else 0,
        "scores of rows": len(document["results"]) if stored_rows else 0,
        "rows": len(stored_rows),
        "labels": len(document.get("labels", ())),
    }
    assert verified(document).checked == sum(expected.values())


@pytest.mark.parametrize("kind", ["score", "compare"])
def test_every_single_change_is_found(kind, folder):
    """Every number, text and flag of a result in turn, but every fifth of the long lists."""
    document = made(kind, rows=True)
    whole = json.dumps(document)
    tried = 0
    for place in leaves(document):
        if place[0] in ("version", "format") or (place[-1] not in (0, 5) and isinstance(place[-1], int)):
            continue
        if place[0] == "groups" and (
            place[1] != 1 or 1 in place[2:] or place[-1] not in ("score", "p", "news")
        ):
            continue  # made by the same code as the whole
        if kind == "compare" and place[0] in ("results", "pairs", "rows") and place[1] != 3:
            continue  # all alike
        document = json.loads(whole)
        holder = document
        for key in place[:-1]:
            holder = holder[key]
        holder[place[-1]] = changed(holder[place[-1]])
        tried += 1
        try:
            verification = verified(document)
        except DataError:
            continue
        assert not verification.holds, place
    assert tried > 60


def test_a_changed_score_is_named_with_both_values(folder):
    document = made("score")
    result = document["results"][0]
    right = result["score"]
    result["score"] += 0.01
    (problem,) = verified(document).problems
    assert (problem.kind, problem.where, problem.field) == ("result", "good by chrf", "score")
    assert problem.stored == right + 0.01
    assert problem.now == right
    assert problem.difference == pytest.approx(-0.01)


def test_the_last_bits_do_not_matter(folder):
    document = made("score")
    document["results"][0]["score"] += 1e-12
    assert verified(document).holds
    document["results"][0]["score"] += 1e-6
    assert not verified(document).holds


def test_a_segment_score_is_named(folder):
    document = made("score")
    document["results"][2]["segments"][4] += 1
    assert said(verified(document)) == [("result", "bad by chrf", "segments[4]")]


def test_what_was_taken_out_or_put_in_is_found(folder):
    document = made("compare")
    gone = copy.deepcopy(document)
    gone["pairs"].pop()
    assert [p.message for p in verified(gone).problems] == ["is missing in the file"]
    more = copy.deepcopy(document)
    more["results"].append(more["results"][0] | {"system": "mine"})
    assert {p.where for p in verified(more).problems} == {"mine by chrf", "mine"}
    other = copy.deepcopy(document)
    other["results"].reverse()
    assert verified(other).holds, "order means nothing"


def test_a_changed_file_is_named_with_what_it_changes(folder):
    document = made("score")
    text = Path("good.en").read_text()
    Path("good.en").write_text(text.replace("x", "y", 1))
    verification = verified(document)
    assert verification.problems[0].where == "good.en"
    assert "has changed (sha256 " in verification.problems[0].message
    Path("good.en").write_text("another word " + text)
    verification = verified(document)
    assert {p.where for p in verification.problems if p.kind == "result"} == {"good by chrf", "good by ter"}
    Path("good.en").write_text(text)
    assert verified(document).holds


def test_a_changed_reference_changes_everything(folder):
    document = made("score")
    Path("ref.en").write_text(Path("ref.en").read_text().replace("cat", "dog"))
    verification = verified(document)
    assert ("test_set", "", "test_set.fingerprint") in said(verification)
    assert {("result", f"{s} by chrf", "score") for s in ("good", "bad")} <= set(said(verification))


def test_a_missing_output_leaves_the_others(folder):
    for kind in ("score", "compare"):
        document = made(kind, rows=True)
        kept = Path("bad.en").read_text()
        Path("bad.en").unlink()
        document["results"][0]["score"] += 1
        verification = verified(document)
        assert ("file", "bad.en", "system") in said(verification)
        assert ("result", "bad", "output") in said(verification)
        assert ("result", "good by chrf", "score") in said(verification)
        Path("bad.en").write_text(kept)


def test_without_any_output_nothing_can_be_computed_again(folder):
    document = made("score", systems=("good.en", "bad.en"))
    for name in ("good.en", "bad.en"):
        Path(name).unlink()
    problems = verified(document).problems
    assert any("no system's output is left" in problem.message for problem in problems)


def test_without_references_only_rows_speak(folder):
    document = made("score", rows=True)
    document["results"][0]["score"] += 1
    Path("ref.en").unlink()
    verification = verified(document)
    assert ("rows", "good by chrf", "score") in said(verification)
    assert any("which result.json was made from, does not exist" in p.message for p in verification.problems)


def test_another_number_of_lines(folder):
    document = made("score")
    Path("good.en").write_text("x\n")
    assert any("12 segments" in p.message for p in verified(document).problems)


def test_standard_input_cannot_be_read_again(folder):
    document = made("score")
    document["arguments"]["systems"][0] = "-"
    document["inputs"][2]["path"] = "-"
    verification = verified(document)
    assert ("file", "standard input", "system") in said(verification)
    assert not verification.holds


def test_files_are_found_beside_the_result(folder, monkeypatch):
    verified(made("score"))
    (folder / "elsewhere").mkdir()
    monkeypatch.chdir(folder / "elsewhere")
    assert verify(stored.read(os.path.join("..", "result.json"))).holds


def test_of_two_files_the_one_with_the_right_hash_is_taken(folder, monkeypatch):
    verified(made("score"))
    (folder / "elsewhere").mkdir()
    monkeypatch.chdir(folder / "elsewhere")
    Path("ref.en").write_text("another file of that name\n")
    assert verify(stored.read(os.path.join("..", "result.json"))).holds
    Path("ref.en").write_text((folder / "ref.en").read_text())
    (folder / "ref.en").write_text("changed since\n")
    assert verify(stored.read(os.path.join("..", "result.json"))).holds


@pytest.mark.parametrize("kind", ["score", "compare"])
def test_a_file_with_nothing_but_the_main_fields(kind, folder):
    document = made(kind, systems=("good.en", "bad.en"))
    for result in document["results"]:
        for name in ("run", "segments", "rank_interval", "deviation", "runs", "run_deviation", "run_scores"):
            result.pop(name, None)
    if kind == "compare":
        test = document["test"]
        document["test"] = {
            name: test[name]
            for name in ("method", "trials", "resamples", "seed", "unit", "correction", "alpha")
        }
        document["groups"] = document["groups"][1:]
    for name in ("arguments", "means", "warnings"):
        document.pop(name, None)
    verification = verified(document)
    if kind == "compare":  # the first group of all was taken out
        assert [(p.kind, p.where, p.message) for p in verification.problems] == [
            ("groups", "everything", "is missing in the file")
        ]
    else:
        assert verification.problems == ()
    document["results"][0]["score"] += 1
    assert ("result", "good by chrf", "score") in said(verified(document))


def test_names_that_were_given_to_files_are_taken_in_order(folder):
    document = made("score", systems=("one=good.en", "two=bad.en"))
    document.pop("arguments")
    assert verified(document).problems == ()


def test_another_version_is_computed_again_and_named(folder):
    document = json.loads(json.dumps(made("compare")).replace("adjudge-0.1.0", "adjudge-0.0.7"))
    document["version"] = "0.0.7"
    document["claims"] = ["said otherwise"]
    verification = verified(document)
    assert verification.problems == ()
    assert verification.version == "0.0.7"
    assert "written by adjudge 0.0.7" in verification.notes[0]
    document["pairs"][0]["p"] /= 2
    assert not verified(document).holds
    document = made("score")
    document["version"] = "0.0.7"
    assert "version in the signature" in {p.field for p in verified(document).problems}


def test_unknown_fields_are_said_to_be_unchecked(folder):
    verification = verified(made("score") | {"comment": "mine"})
    assert verification.holds
    assert verification.notes == ("not checked, because this adjudge does not know it: comment",)


def test_no_inputs_no_verification(folder):
    document = made("score")
    document.pop("inputs")
    assert not verified(document).holds
    document.pop("arguments")
    assert not verified(document).holds


def test_a_file_that_is_read_must_have_a_hash(folder):
    document = made("score")
    document["arguments"]["systems"].append("more=bad.en")
    document["inputs"] = [item for item in document["inputs"] if item["role"] != "labels"]
    verification = verified(document)
    assert ("file", "labels.tsv", "labels") in said(verification)
    assert any(p.where.startswith("more") for p in verification.problems)
