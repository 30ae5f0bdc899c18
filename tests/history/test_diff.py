"""Two records beside each other: the changes that `analyse changes` finds, from rows alone."""

import pytest

import adjudge
from adjudge.analysis.changes import changes
from adjudge.errors import DataError, UsageError
from adjudge.history import evaluations
from adjudge.history.records import History
from helpers.histories import LINES, SET, output, recorded


@pytest.fixture
def history(file):
    with History.open(file, create=True) as opened:
        yield opened


def test_segments_are_those_that_an_analysis_of_the_texts_finds(history):
    recorded(history, output(4), metrics=("chrf", "ter"))
    recorded(history, output(3), metrics=("chrf", "ter"))
    (own,) = history.diff("last~1").systems
    outputs = [output(4, "old"), output(3, "new")]
    wanted = changes(SET, outputs, ("chrf", "ter"))
    assert own.changes.counts == wanted.counts
    found = [(c.segment, c.verdict, c.deltas, c.size) for c in own.changes.changes]
    assert found == [(c.segment, c.verdict, c.deltas, c.size) for c in wanted.changes]
    assert {c.old for c in own.changes.changes} == {""}  # a history keeps no texts
    compared = adjudge.compare(SET, outputs[::-1], ("chrf", "ter"), baseline="old", family="all")
    assert [(p.delta, p.p_adjusted) for p in own.comparison.pairs] == [
        (p.delta, p.p_adjusted) for p in compared.pairs
    ]


def test_texts_are_shown_while_files_are_as_they_were(history, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "ref.en").write_text("\n".join(LINES) + "\n")
    from adjudge.comparison.documents import Arguments

    for name, every in (("old.en", 4), ("new.en", 3)):
        (tmp_path / name).write_text("\n".join(output(every).segments) + "\n")
        loaded = adjudge.load(systems=[f"neural={name}"], references=["ref.en"])
        scores = adjudge.score(loaded.test_set, loaded.outputs, "chrf", rows=True)
        given = Arguments(systems=(f"neural={name}",), references=("ref.en",), metrics=("chrf",))
        made = evaluations.of_scores(scores, inputs=loaded.inputs, arguments=given)
        history.add(made, command="score")
    first = history.diff("1", "2").systems[0].changes.changes[0]
    place = first.segment - 1
    assert (first.old, first.new) == (output(4).segments[place], output(3).segments[place])
    assert first.reference == LINES[place]
    renamed = history.diff("1", "2", renamed={"neural": "now"}).systems[0].changes.changes[0]
    assert (renamed.old, renamed.new) == (first.old, first.new)
    (tmp_path / "old.en").write_text("\n".join(output(2).segments) + "\n")
    first = history.diff("1", "2").systems[0].changes.changes[0]
    assert (first.old, first.new) == ("", output(3).segments[place])
    (tmp_path / "ref.en").unlink()
    assert history.diff("1", "2").systems[0].changes.changes[0].reference == ""


def test_what_cannot_be_compared_is_refused_by_name(history):
    recorded(history, output(3), label="a")
    recorded(history, output(3, lines=LINES[:30]), test_set=SET[:30], label="b")
    recorded(history, output(3), test_set=adjudge.TestSet(references=(LINES,), name="other"), label="c")
    recorded(history, output(3, "another"), output(4, "third"), label="d")
    recorded(history, output(3), metrics=("chrf",), label="e")
    with pytest.raises(
        DataError, match="different test sets cannot be compared: segments: 40 in record 1, 30"
    ):
        history.diff("a", "b")
    with pytest.raises(UsageError, match="no test set of the same name"):
        history.diff("a", "c")
    with pytest.raises(UsageError, match="--renamed OLD=NEW"):
        history.diff("a", "d")
    assert history.diff("a", "d", renamed={"neural": "third"}).systems[0].system == "third"
    with pytest.raises(UsageError, match="no metric in common"):
        history.diff("a", "e")
    with pytest.raises(UsageError, match="are the same record"):
        history.diff("a", "1")


def test_two_systems_of_one_record_are_not_taken_for_one(history):
    recorded(history, output(3), output(4, "then"))
    recorded(history, output(3))
    with pytest.raises(UsageError, match="record 1 has both 'neural' and 'then'"):
        history.diff("1", "2", renamed={"then": "neural"})


def test_two_systems_alone_are_held_against_each_other_whatever_their_names(history):
    recorded(history, output(3, "then"))
    recorded(history, output(4, "now"))
    (own,) = history.diff("1", "2", metrics=["ter"]).systems
    assert (own.system, own.changes.metrics) == ("now", ("ter",))


def test_studies_are_compared_test_set_by_test_set(history, tmp_path, monkeypatch):
    from adjudge.cli import main
    from conftest import PROJECT

    monkeypatch.chdir(PROJECT)
    few = ["--trials", "50", "--resamples", "50", "-q", "-o", str(tmp_path / "o.txt"), "-m", "chrf"]
    run = str(tmp_path / "run.json")
    assert main(["study", "run", "examples/study/study.toml", *few, "--save", run]) == 0
    for _ in range(2):
        history.add(evaluations.of_file(run), command="study run")
    result = history.diff("1", "2")
    assert len({own.test_set for own in result.systems}) > 1
    assert all(set(own.changes.counts) and not own.changes.changes for own in result.systems)
    assert len({line.test_set for line in history.lines().lines}) > 1
