"""Saved results come back as they were, and whatever else is in a file is refused by name."""

import base64
import json
import math
import os
import stat
import zlib
from dataclasses import astuple, fields, replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from adjudge import io
from adjudge.comparison import Plan, compare_measured, measure, score
from adjudge.comparison.documents import Arguments, score_document
from adjudge.comparison.scoring import TestSetFacts, facts_of
from adjudge.errors import DataError
from adjudge.history import stored
from adjudge.history.packing import RowKey
from adjudge.history.stored import measured_from
from helpers.stored_runs import RUNS, SET, A, B, edited, saved

SCORED = score(SET, [A], ["bleu"], rows=True, threads=1)


@pytest.fixture
def run_file(tmp_path):
    return saved(tmp_path / "run.json")


def test_all_of_it_comes_back(tmp_path):
    path = saved(tmp_path / "run.json", [A, *RUNS])
    loaded = stored.read(path)
    scores = score(SET, [A, *RUNS])
    assert loaded.test_set == scores.test_set
    assert [(r.system, r.run, r.metric, r.score, r.signature) for r in loaded.results] == [
        (r.system, r.run, r.metric, r.score, r.signature) for r in scores.results
    ]
    assert loaded.labels == {"document": ("a", "a", "b")}
    assert loaded.inputs == (io.Input("reference", "ref.en", "0" * 64),)
    assert loaded.systems == ("a", "c")
    assert loaded.metrics == ("bleu", "chrf", "ter")
    assert not loaded.is_comparison
    for first, two in zip(measured_from(loaded), measure(SET, [A, *RUNS]), strict=True):
        assert (first.metric, first.label, first.signature, first.decimals) == (
            two.metric,
            two.label,
            two.signature,
            two.decimals,
        )
        assert first.higher_is_better == two.higher_is_better
        assert first.runs == two.runs
        assert list(first.rows) == list(two.rows)
        for system in first.rows:
            assert [r.tobytes() for r in first.rows[system]] == [r.tobytes() for r in two.rows[system]]
            for mine, theirs in zip(first.rows[system], two.rows[system], strict=True):
                assert (first.segment_scores(mine) == two.segment_scores(theirs)).all()


def test_a_comparison_of_stored_rows_is_the_comparison(run_file):
    loaded = stored.read(run_file)
    plan = Plan(trials=200, resamples=100, unit="document")
    ours = compare_measured(measured_from(loaded), loaded.test_set, loaded.labels, plan)
    theirs = compare_measured(measure(SET, [A, B]), facts_of(SET), SET.labels, plan)
    assert repr(ours) == repr(theirs)  # repr: NaN equals NaN there


NAMES = st.text(st.characters(), min_size=1, max_size=8)


@given(
    data=arrays(np.float64, (3, 2), elements=st.floats(allow_nan=False, allow_infinity=False)),
    system=NAMES,
    run=st.just("") | NAMES,
    label=NAMES,
    values=st.lists(st.text(max_size=5), min_size=3, max_size=3),
)
@settings(max_examples=50)
def test_any_rows_names_and_labels_come_back(data, system, run, label, values, tmp_path_factory):
    path = str(tmp_path_factory.getbasetemp() / "any.json")
    document = {
        "version": "1",
        "test_set": {"name": label, "segments": 3, "references": 1, "fingerprint": "f"},
        "results": [
            {"system": system, "run": run or None, "metric": "exact-match", "score": 1.0, "signature": "s"}
        ],
    }
    key = RowKey(label, system, run, "exact-match")
    stored.write(path, document, {key: data}, {label: values})
    loaded = stored.read(path)
    assert loaded.rows[key].tobytes() == data.tobytes()
    assert loaded.labels == {label: tuple(values)}
    assert (loaded.results[0].system, loaded.results[0].run) == (system, run)


def test_arguments_come_back(tmp_path):
    named = Arguments(
        ("x=a.en", "b.en"),
        ("ref.en",),
        "src",
        None,
        None,
        "en-de",
        None,
        ("bleu",),
        {"seed": 3, "by": ("domain",)},
        pseudo_references=("mt.en",),
        back_translations=("x=back.de",),
        trees=("ref=ref.conllu",),
        translator="apertium eng-spa",
        back_translator="apertium spa-eng",
    )
    scores = score(SET, [A], ["bleu"], rows=True)
    document = score_document(scores, version="1", arguments=named)
    stored.write(str(tmp_path / "x.json"), document, {}, {})
    assert stored.read(str(tmp_path / "x.json")).arguments == named


ARGUMENTS = {
    "systems": ("x=a.en", "b.en"),
    "references": ("ref.en",),
    "source": "src.de",
    "test_set": "set.tsv",
    "labels": "labels.tsv",
    "language": "en-de",
    "input_format": "tsv",
    "metrics": ("bleu",),
    "options": {"seed": 3},
    "runs": ("old.json",),
    "scores": ("comet.tsv",),
    "lower_is_better": True,
    "common": True,
    "level": "document",
    "realign": True,
    "pseudo_references": ("mt.en",),
    "back_translations": ("x=back.de",),
    "trees": ("ref=ref.conllu",),
    "translator": "apertium eng-spa",
    "back_translator": "apertium spa-eng",
}


def test_every_argument_is_tried():
    assert {field.name for field in fields(Arguments)} == {*ARGUMENTS, "study"}


@pytest.mark.parametrize("name", ARGUMENTS)
def test_every_argument_comes_back_as_itself(name, tmp_path):
    named = replace(Arguments((), ()), **{name: ARGUMENTS[name]})
    document = score_document(SCORED, version="1", arguments=named)
    stored.write(str(tmp_path / "x.json"), document, {}, {})
    assert stored.read(str(tmp_path / "x.json")).arguments == named


def test_every_field_comes_back_as_itself(tmp_path):
    about = {
        "name": "n",
        "segments": 2,
        "references": 3,
        "fingerprint": "f",
        "language": "en-de",
        "language_from": "-l",
        "level": "document",
    }
    shared = {"metric": "m", "signature": "s"}
    document = {
        "version": "1",
        "test_set": about,
        "results": [
            {"system": "a", "score": 1.5, "segments": [1.0, 2.0], "higher_is_better": False, **shared},
            {"system": "b", "run": "r", "score": 2.5, "higher_is_better": True, **shared},
            {"system": "c", "run": None, "score": 3.5, **shared},
        ],
        "inputs": [{"role": "reference", "path": "ref.en", "sha256": "0" * 64}],
        "arguments": {"scores": ["scores.tsv"]},
    }
    stored.write(str(tmp_path / "x.json"), document, {}, {})
    run = stored.read(str(tmp_path / "x.json"))
    assert run.test_set == TestSetFacts(**about)
    a, b, c = (astuple(result) for result in run.results)
    assert a == ("a", None, "m", 1.5, "s", (1.0, 2.0), False, "n", False, None)
    assert b == ("b", "r", "m", 2.5, "s", None, True, "n", False, None)
    assert c == ("c", "", "m", 3.5, "s", None, None, "n", False, None)
    assert run.inputs == (io.Input(role="reference", path="ref.en", sha256="0" * 64),)


def test_only_some_metrics(run_file):
    assert [m.metric for m in measured_from(stored.read(run_file), ["ter", "bleu"])] == ["ter", "bleu"]


def test_without_rows_nothing_can_be_compared(run_file):
    edited(run_file, lambda d: d.pop("rows"))
    with pytest.raises(DataError, match="holds no rows to compare with; write it with --save"):
        measured_from(stored.read(run_file))


def test_writing_replaces_all_or_nothing(tmp_path, monkeypatch):
    path = tmp_path / "run.json"
    saved(path)
    before = path.read_bytes()

    def full(descriptor):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(DataError, match=r"cannot write .*run.json: No space left on device"):
        saved(path, [B])
    assert path.read_bytes() == before
    assert os.listdir(tmp_path) == ["run.json"]


def test_a_link_stays_a_link_and_a_device_a_device(tmp_path):
    (tmp_path / "there").mkdir()
    link = tmp_path / "link.json"
    link.symlink_to(tmp_path / "there" / "run.json")
    saved(link)
    assert link.is_symlink()
    assert stored.read(str(tmp_path / "there" / "run.json")).systems == ("a", "b")
    saved("/dev/null")
    assert stat.S_ISCHR(os.stat("/dev/null").st_mode)


def pack(rows):
    return base64.b64encode(zlib.compress(np.asarray(rows, "<f8").tobytes())).decode()


FAULTS = {
    "segments of the test set": (
        lambda d: d["test_set"].update(segments=4),
        "but the test set has 4",
    ),
    "no segments": (
        lambda d: d["test_set"].update(segments=0),
        "test_set.segments: 0 is not a number from 1",
    ),
    "segments a float": (lambda d: d["test_set"].update(segments=3.0), "a number, but a whole number"),
    "segments true": (lambda d: d["test_set"].update(segments=True), "true or false, but a whole number"),
    "fingerprint gone": (lambda d: d["test_set"].pop("fingerprint"), "test_set.fingerprint: missing; a text"),
    "test set gone": (lambda d: d.pop("test_set"), "is not a result of adjudge .*: it has no test_set"),
    "results gone": (lambda d: d.pop("results"), "it has no results"),
    "results empty": (lambda d: d.update(results=[]), "there are no results"),
    "results an object": (lambda d: d.update(results={}), "results: an object, but a list"),
    "a result a text": (lambda d: d["results"].append("x"), r"results\[6\]: a text, but an object"),
    "a result twice": (
        lambda d: d["results"].append(d["results"][0]),
        "score of a by bleu stands there 2 times",
    ),
    "score a text": (
        lambda d: d["results"][1].update(score="12"),
        r"results\[1\].score: a text, but a number",
    ),
    "score gone": (lambda d: d["results"][1].pop("score"), r"results\[1\].score: missing"),
    "score huge": (lambda d: d["results"][1].update(score=10**400), "a number too large"),
    "system null": (lambda d: d["results"][1].update(system=None), r"results\[1\].system: null, but a text"),
    "segment scores": (lambda d: d["results"][0].update(segments=[1.0]), "1 score, but the test set has 3"),
    "newer format": (lambda d: d.update(format=2, version="9.0"), r"newer adjudge \(9.0, format 2\).*update"),
    "rows twice": (lambda d: d["rows"].append(d["rows"][0]), "rows of a by bleu stand in the file twice"),
    "rows of nobody": (lambda d: d["rows"][0].update(system="zz"), "rows of zz by bleu, but no score"),
    "rows short": (
        lambda d: d["rows"][0].update(shape=[2, 10]),
        "rows of 2 segments, but the test set has 3",
    ),
    "rows flat": (lambda d: d["rows"][0].update(shape=[3]), "two whole numbers"),
    "rows wide": (lambda d: d["rows"][0].update(shape=[3, 10**9]), "two whole numbers"),
    "rows of text": (lambda d: d["rows"][0].update(data="äö"), "damaged"),
    "rows not zlib": (lambda d: d["rows"][0].update(data="AAAA"), "damaged"),
    "rows cut": (lambda d: d["rows"][0].update(data=d["rows"][0]["data"][:-8]), "damaged"),
    "rows too many": (
        lambda d: d["rows"][0].update(data=pack(np.ones((4, 10)))),
        "damaged: it does not hold",
    ),
    "rows too few": (lambda d: d["rows"][0].update(data=pack(np.ones((2, 10)))), "damaged: it does not hold"),
    "rows NaN": (lambda d: d["rows"][0].update(data=pack(np.full((3, 10), np.nan))), "not a number"),
    "labels short": (
        lambda d: d["labels"].update(document=["a"]),
        "1 label, but the test set has 3 segments",
    ),
    "labels of numbers": (lambda d: d["labels"].update(document=[1, 2, 3]), r"labels.document\[0\]: a whole"),
    "inputs": (lambda d: d["inputs"][0].pop("path"), r"inputs\[0\].path: missing"),
    "arguments": (lambda d: d.update(arguments={"systems": "x"}), "arguments.systems: a text, but a list"),
    "options": (lambda d: d.update(arguments={"options": {"seed": -1}}), "options.seed: -1 is not a number"),
    "option null": (lambda d: d.update(arguments={"options": {"seed": None}}), "options.seed: null"),
}


@pytest.mark.parametrize("name", FAULTS)
def test_faults_are_named(name, run_file):
    change, message = FAULTS[name]
    with pytest.raises(DataError, match=message) as error:
        stored.read(edited(run_file, change))
    assert run_file in str(error.value)


MISUSED = {
    "another score": (
        lambda d: d["results"][0].update(score=99.0),
        "rows of a by bleu give .*, but its score is 99",
    ),
    "another metric": (
        lambda d: [e.update(metric="wer") for e in (d["results"][0], d["rows"][0])],
        "rows of a by wer have 10 columns; .* were expected",
    ),
    "unknown metric": (
        lambda d: [e.update(metric="blue") for e in (d["results"][0], d["rows"][0])],
        "cannot compute the metric 'blue' of adjudge 0.1.0: .*did you mean 'bleu'",
    ),
    "no rows": (lambda d: d["rows"].pop(0), "there are no rows of a by bleu"),
    "two signatures": (lambda d: d["results"][0].update(signature="x"), "bleu has several signatures"),
}


@pytest.mark.parametrize("name", MISUSED)
def test_rows_that_do_not_fit_are_refused(name, run_file):
    change, message = MISUSED[name]
    loaded = stored.read(edited(run_file, change))
    with pytest.raises(DataError, match=message):
        measured_from(loaded)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "is empty"),
        (b"  \n", "is empty"),
        (b"hello", "line 1: not JSON"),
        (b'{"version": "0.1.0",\n "results": [', "is truncated: it ends on line 2"),
        (b'{"version": "0.1.', "is truncated"),
        (b"[1, 2]", "a list, but an object was expected"),
        (b"{}", "is not a result of adjudge"),
        (b"\xff\xfe{}", "not even text"),
        (b'{"x": NaN}', "NaN is no number in JSON"),
        (b'{"x": ' + b"9" * 5000 + b"}", "is not a result"),
        (b"[" * 100_000, "nested too deeply"),
        (b'{"source": "x"}\n{"source": "y"}', "line 2: not JSON"),
    ],
)
def test_files_of_other_kinds(content, message, tmp_path):
    path = tmp_path / "x.json"
    path.write_bytes(content)
    with pytest.raises(DataError, match=message):
        stored.read(str(path))


def test_a_missing_file(tmp_path):
    with pytest.raises(DataError, match="does not exist"):
        stored.read(str(tmp_path / "none.json"))


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    path = tmp_path_factory.mktemp("fuzz") / "run.json"
    saved(path, [A, *RUNS[:1]], metrics=("chrf", "ter"))
    return path, path.read_text()


@given(data=st.data())
@settings(max_examples=150)
def test_no_damage_causes_anything_but_a_message(whole, data):
    path, text = whole
    kind = data.draw(st.sampled_from(["cut", "bytes", "value"]))
    if kind == "cut":
        path.write_text(text[: data.draw(st.integers(0, len(text) - 3))])
        with pytest.raises(DataError):
            stored.read(str(path))
        return
    if kind == "bytes":
        at = data.draw(st.integers(0, len(text) - 1))
        raw = bytearray(text.encode())
        raw[at : at + data.draw(st.integers(0, 3))] = data.draw(st.binary(max_size=4))
        path.write_bytes(bytes(raw))
    else:
        document = json.loads(text)
        place = document
        while isinstance(place, dict | list) and place:
            keys = list(place) if isinstance(place, dict) else range(len(place))
            key = data.draw(st.sampled_from(list(keys)))
            if not isinstance(place[key], dict | list) or data.draw(st.integers(0, 3)) == 0:
                place[key] = data.draw(
                    st.none()
                    | st.booleans()
                    | st.integers()
                    | st.floats(allow_nan=False, allow_infinity=False)
                    | st.text(max_size=5)
                    | st.just([])
                    | st.just({})
                    | st.just([None])
                )
                break
            place = place[key]
        path.write_text(json.dumps(document))
    message = ""
    try:
        measured_from(stored.read(str(path)))
    except DataError as error:
        message = str(error)
    assert not message or str(path) in message


def test_missing_scores_come_back_as_missing(tmp_path):
    path = edited(saved(tmp_path / "x.json"), lambda d: d["results"][0].update(score=None))
    assert math.isnan(stored.read(path).results[0].score)
    assert stored.same(math.nan, math.nan)
    assert not stored.same(math.nan, 0.0)
    assert not stored.same(1.0, 1.0 + 1e-7)
