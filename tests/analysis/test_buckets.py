"""Scores by buckets: those of the segments alone, tested where there are enough, named as they were asked for."""

import math
from dataclasses import replace

import numpy as np
import pytest

import adjudge
from adjudge.analysis.base import Cutting
from adjudge.analysis.buckets import Resampling, bucket_scores, segment_groups
from adjudge.comparison.comparing import measure
from adjudge.comparison.results import measured_means
from adjudge.data import Outputs, TestSet
from adjudge.data.dependencies import ParsedSentence, Treebank
from adjudge.errors import DataError, UsageError
from adjudge.metrics import metric
from adjudge.stats.resampling import quotient, randomisations
from conftest import Shared

BLEU = {
    # compare-mt 0.2.10: BLEU of the segments of w1 by the length of the reference
    "sys1": [
        23.361283675091475,
        22.061827245964547,
        22.430076673636005,
        20.485721986348,
        21.3550218125585,
        22.418587342453364,
        25.94087042737216,
    ],
    "sys2": [
        26.323574222679643,
        24.845815848167597,
        24.013687445584946,
        22.052267738931604,
        22.232518641947937,
        22.838029611409578,
        24.19018676378872,
    ],
}
FEW = Resampling(resamples=20, trials=200)


def test_scores_by_length_are_compare_mts(shared: Shared) -> None:
    def lines(name: str) -> list[str]:
        return (shared.golden / "data" / name).read_text(encoding="utf-8").rstrip("\n").split("\n")

    test_set = TestSet(references=[lines("w1.tok.ref.en")])
    outputs = [Outputs(name, lines(f"w1.tok.{name}.en")) for name in ("sys1", "sys2")]
    result = bucket_scores(
        test_set, outputs, "bleu(tokenize=none,smooth=none)", cutting=Cutting("none"), resampling=FEW
    )
    [table] = result.tables
    assert [b.name for b in table.buckets] == ["<10", "10–19", "20–29", "30–39", "40–49", "50–59", "≥60"]
    assert [b.segments for b in table.buckets] == [524, 979, 522, 214, 102, 52, 52]
    ours = [[b.scores[system].score for b in table.buckets] for system in (0, 1)]
    theirs = [BLEU[system] for system in ("sys1", "sys2")]
    assert [own[2:] for own in ours] == [pytest.approx(own[2:], abs=1e-9) for own in theirs]
    # In segments too short for an n-gram, compare-mt counts one that is wrong.
    scorer = metric("bleu(tokenize=none,smooth=none)")
    lengths = np.array([len(line.split()) for line in test_set.references[0]])
    for own, output in zip(theirs, outputs, strict=True):
        rows = scorer.stats(scorer.prepare(test_set), output.segments)
        rows[:, 6:10] = np.maximum(rows[:, 6:10], 1)
        for low, high, score in ((0, 10, own[0]), (10, 20, own[1])):
            chosen = (lengths >= low) & (lengths < high)
            assert float(scorer.aggregate(rows[chosen].sum(0))) == pytest.approx(score, abs=1e-9)


def made(count: int = 40) -> tuple[TestSet, list[Outputs]]:
    rng = np.random.default_rng(3)
    words = np.array(["sun", "moon", "star", "sky", "sea", "land", "wind", "rain"])
    references = [" ".join(rng.choice(words, 4 + i % 12)) for i in range(count)]
    worse = [" ".join(rng.permutation(line.split())) for line in references]
    labels = {
        "domain": ["news" if i % 2 else "talk" for i in range(count)],
        "age": [str(i) for i in range(count)],
    }
    test_set = TestSet(references=[references], labels=labels, language="de-en")
    return test_set, [Outputs("shuffled", worse), Outputs("right", references)]


def test_a_bucket_has_the_score_of_its_segments() -> None:
    test_set, outputs = made()
    result = bucket_scores(test_set, outputs, "bleu", by="domain", resampling=FEW)
    [table] = result.tables
    assert [(b.name, b.segments) for b in table.buckets] == [("talk", 20), ("news", 20)]
    for bucket, first in zip(table.buckets, (0, 1), strict=True):
        chosen = range(first, 40, 2)
        part = TestSet(references=[[test_set.references[0][i] for i in chosen]])
        alone = adjudge.score(part, [Outputs("x", [outputs[0].segments[i] for i in chosen])], "bleu")
        assert bucket.scores[0].score == pytest.approx(alone.results[0].score)
        assert math.isnan(bucket.scores[0].delta)
        assert bucket.scores[1].score == pytest.approx(100)
        assert bucket.scores[1].delta == pytest.approx(100 - alone.results[0].score)
        assert bucket.scores[1].significant


def test_small_buckets_are_not_tested() -> None:
    test_set, outputs = made()
    [table] = bucket_scores(test_set, outputs, "chrf", by="age", cuts=(5,), resampling=FEW).tables
    assert [(b.name, b.segments) for b in table.buckets] == [("<5", 5), ("≥5", 35)]
    assert math.isnan(table.buckets[0].scores[1].p)
    assert table.buckets[1].scores[1].p < 0.05


def test_by_rarity_and_difficulty_there_are_four_like_parts() -> None:
    test_set, outputs = made()
    for by in ("rarity", "difficulty"):
        [table] = bucket_scores(test_set, outputs, "chrf", by=by, resampling=FEW).tables
        assert sum(b.segments for b in table.buckets) == 40
        assert 2 <= len(table.buckets) <= 4
    hard = [b.scores[0].score for b in table.buckets]
    assert hard == sorted(hard)


def test_rare_words_make_a_segment_rare() -> None:
    references = ["the sun"] * 30 + ["quark gluon"] + ["a b c"] * 9
    test_set = TestSet(references=[references])
    [table] = bucket_scores(
        test_set, [Outputs("x", references)], "chrf", by="rarity", cuts=(4.0,), resampling=FEW
    ).tables
    assert table.buckets[-1].segments == 1


def test_the_members_of_a_bucket_are_its_segments() -> None:
    test_set, outputs = made()
    [table] = bucket_scores(test_set, outputs, "chrf", by="age", cuts=(5,), resampling=FEW).tables
    assert [b.members.tolist() for b in table.buckets] == [list(range(5)), list(range(5, 40))]


def test_values_from_elsewhere() -> None:
    test_set, outputs = made()
    human = np.arange(40.0)
    human[3] = math.nan
    [table] = bucket_scores(
        test_set, outputs, "chrf", by="human", values=human, cuts=(20,), resampling=FEW
    ).tables
    assert [(b.name, b.segments) for b in table.buckets] == [("<20", 19), ("≥20", 20), ("unknown", 1)]
    kinds = ["seen" if i < 4 else "unseen" for i in range(40)]
    [table] = bucket_scores(test_set, outputs, "chrf", by="memory", values=kinds, resampling=FEW).tables
    assert [(b.name, b.segments) for b in table.buckets] == [("seen", 4), ("unseen", 36)]
    with pytest.raises(DataError, match="no segment has a number"):
        bucket_scores(test_set, outputs, "chrf", by="human", values=np.full(40, math.nan), resampling=FEW)


def test_parts_of_speech_of_the_reference() -> None:
    def sentence(*tags: str) -> tuple[ParsedSentence, ...]:
        words = tuple(tag.lower() for tag in tags)
        rest = len(tags) - 1
        return (ParsedSentence(words, (0, *[1] * rest), ("root", *["dep"] * rest), classes=tags),)

    parses = {"n": sentence("NOUN"), "n v": sentence("NOUN", "VERB"), "v v": sentence("VERB", "VERB")}
    references = ["n", "n v", "v v"]
    test_set = TestSet(references=[references], trees=Treebank(parses))
    outputs = [Outputs("x", references)]
    [table] = bucket_scores(test_set, outputs, "chrf", by="pos", resampling=FEW).tables
    assert [(b.name, b.members.tolist()) for b in table.buckets] == [("VERB", [1, 2]), ("NOUN", [0, 1])]
    [table] = bucket_scores(test_set, outputs, "chrf", by="pos:VERB", cuts=(40, 60), resampling=FEW).tables
    assert [(b.name, b.members.tolist()) for b in table.buckets] == [
        ("<40", [0]),
        ("40–60", [1]),
        ("≥60", [2]),
    ]
    with pytest.raises(UsageError, match="unknown part of speech 'NOUM'; known: NOUN"):
        bucket_scores(test_set, outputs, "chrf", by="pos:NOUM", resampling=FEW)
    with pytest.raises(UsageError, match="have no bounds"):
        bucket_scores(test_set, outputs, "chrf", by="pos", cuts=(1,), resampling=FEW)
    with pytest.raises(UsageError, match="--trees FILE"):
        bucket_scores(TestSet(references=[references]), outputs, "chrf", by="pos", resampling=FEW)


def test_several_runs_stand_beside_each_other() -> None:
    test_set, outputs = made()
    runs = [Outputs("s", outputs[0].segments, run="1"), Outputs("s", outputs[1].segments, run="2")]
    result = bucket_scores(test_set, runs, "chrf", by="domain", resampling=FEW)
    assert result.systems == ("s (run 1)", "s (run 2)")


def test_questions_that_make_no_sense() -> None:
    test_set, outputs = made()
    with pytest.raises(UsageError, match="there are: "):
        bucket_scores(test_set, outputs, "chrf", by="colour", resampling=FEW)
    with pytest.raises(UsageError, match="there are: "):
        bucket_scores(test_set, outputs, "chrf", by="colour", cuts=(1,), resampling=FEW)
    with pytest.raises(UsageError, match="label domain has others"):
        bucket_scores(test_set, outputs, "chrf", by="domain", cuts=(1,), resampling=FEW)
    with pytest.raises(UsageError, match="above the one before"):
        bucket_scores(test_set, outputs, "chrf", cuts=(9, 3), resampling=FEW)


def test_rows_that_are_there_give_the_same_buckets() -> None:
    test_set = TestSet(references=[["a b c", "a b", "a b c d e"] * 8], labels={"kind": ["x", "y", "y"] * 8})
    outputs = [Outputs("one", ["a b c", "b a", "a c d"] * 8), Outputs("two", ["a", "a b", "e d c b a"] * 8)]
    [measured] = measure(test_set, outputs, ["chrf"])
    again = bucket_scores(test_set, outputs, by="kind", resampling=FEW, measured=[measured])
    assert again == bucket_scores(test_set, outputs, "chrf", by="kind", resampling=FEW)
    groups = segment_groups(test_set, "kind", None, measured, Cutting())
    assert [name for name, _ in groups] == [bucket.name for bucket in again.tables[0].buckets]
    assert [len(members) for _, members in groups] == [b.segments for b in again.tables[0].buckets]


@pytest.mark.oracle
@pytest.mark.parametrize("name", ["w1", "w2"])
def test_all_segments_as_one_bucket_have_compare_mts_score(shared: Shared, name: str) -> None:
    """Its golden files hold BLEU of whole texts: ours, once words are cut and short segments counted as it does."""

    def lines(path) -> list[str]:
        # It cuts at single spaces: two of them have an empty word between them, and other white space is none.
        words = [line.strip().split(" ") for line in path.read_text(encoding="utf-8").split("\n")[:-1]]
        return [" ".join("_".join(word.split()) or "∅" for word in own) for own in words]

    folder = shared.golden / "data"
    if name == "w1":
        reference, systems = folder / "w1.tok.ref.en", sorted(folder.glob("w1.tok.sys*.en"))
    else:
        others = ("refA", "refB")
        paths = sorted(folder.glob("w2.zh-en.*.en"))
        reference = folder / "w2.zh-en.refA.en"
        systems = [path for path in paths if path.name.split(".")[2] not in others]
    golden = (shared.golden / "other" / f"compare-mt.{name}.txt").read_text(encoding="utf-8")
    [row] = [line for line in golden.splitlines() if line.startswith("BLEU\t")]
    expected = [float(cell) for cell in row.split("\t")[1:] if cell[0].isdigit()]
    scorer = metric("bleu(tokenize=none,smooth=none)")
    prepared = scorer.prepare(TestSet(references=[lines(reference)]))
    ours, plain = [], []
    for path in systems:
        rows = scorer.stats(prepared, lines(path))
        plain.append(float(scorer.aggregate(rows.sum(0))))
        rows[:, 6:10] = np.maximum(rows[:, 6:10], 1)  # a segment too short for an n-gram has a wrong one
        ours.append(float(scorer.aggregate(rows.sum(0))))
    assert ours == pytest.approx(expected, abs=5.1e-5)
    assert plain == pytest.approx(expected, abs=0.03)
    assert np.argsort(plain).tolist() == np.argsort(expected).tolist()


def test_of_equal_systems_few_are_called_better_in_any_bucket() -> None:
    """Simulated: two systems with equal chances on five buckets; a sentence names a bucket in at most 5 % of runs."""
    rng = np.random.default_rng(17)
    times, wrong, segments = 300, 0, 75
    labels = [f"b{i % 5}" for i in range(segments)]
    test_set = TestSet(references=[["r"] * segments])
    for _ in range(times):
        common = rng.normal(size=segments)
        rows = {
            name: (np.stack([common + rng.normal(size=segments), np.ones(segments)], axis=1),)
            for name in "ab"
        }
        measured = replace(measured_means("m", rows), runs={"a": ("",), "b": ("",)})
        result = bucket_scores(
            test_set,
            [],
            by="part",
            values=labels,
            resampling=Resampling(resamples=1, trials=200, threads=1),
            measured=[measured],
        )
        wrong += any(s.significant for b in result.tables[0].buckets for s in b.scores)
    assert wrong / times <= 0.05 + 3 * math.sqrt(0.05 * 0.95 / times)


def test_buckets_draw_whole_documents_where_they_are_labelled() -> None:
    rng = np.random.default_rng(3)
    rows = {name: (np.stack([rng.random(40), np.ones(40)], axis=1),) for name in ("a", "b")}
    measured = [replace(measured_means("x", rows), runs={"a": ("",), "b": ("",)})]
    labels = {"document": [str(i // 5) for i in range(40)], "domain": ["news"] * 35 + ["talk"] * 5}
    test_set = TestSet(references=[[f"line {i}" for i in range(40)]], labels=labels)
    outputs = [Outputs(name, ["-"] * 40) for name in rows]

    def by(**drawn):
        return bucket_scores(
            test_set, outputs, by="domain", measured=measured, resampling=Resampling(resamples=50, **drawn)
        )

    [news, talk] = by().tables[0].buckets
    assert by().design.unit == "document"
    assert math.isfinite(news.scores[1].p)
    assert math.isnan(talk.scores[1].p)  # one document: no test, no interval
    assert math.isnan(talk.scores[0].low)
    own = rows["a"][0][:35].reshape(7, 5, 2).sum(1), rows["b"][0][:35].reshape(7, 5, 2).sum(1)
    [expected] = randomisations(own[::-1], [(0, 1)], quotient, trials=10_000, seed=12345)
    assert news.scores[1].p == expected.p
    alone = by(unit="segment")
    assert not alone.design.sound
    assert "Segments of one document are alike" in alone.design.reservations()[0]
