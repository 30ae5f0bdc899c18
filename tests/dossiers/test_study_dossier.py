"""A study as a whole: each set in its own language by itself, means of what is finished, and nothing mixed."""

import math
from dataclasses import replace

import pytest

from adjudge.comparison.verdict import comparison_verdict
from adjudge.dossiers.joined_segments import NO_COUNT, PAIR, SET
from helpers.dossiers import HEBREW, example_study, loaded_sets, made_set, study_of

sacrebleu = pytest.importorskip("sacrebleu")
TOKENIZERS = {"news": "13a", "tea": "zh", "talks": "13a"}


def test_every_set_is_scored_by_itself_in_its_own_language():
    dossier = example_study()
    bleu = dossier.study.tables[0]
    seen = {(own.test_set, own.system): own.score for own in bleu.scores}
    for own, part in zip(loaded_sets(), dossier.sets, strict=True):
        by_itself = {
            s.system: s.score for s in part.dossier.comparison.results if s.metric.startswith("bleu")
        }
        for output in own.outputs:
            metric = sacrebleu.BLEU(tokenize=TOKENIZERS[own.name])
            score = metric.corpus_score(list(output.segments), [list(own.test_set.references[0])]).score
            assert math.isclose(seen[own.name, output.system], score, abs_tol=1e-9)
            assert math.isclose(by_itself[output.system], score, abs_tol=1e-9)


def test_the_mean_counts_every_set_alike_and_a_system_that_lacks_one_has_none():
    dossier = example_study()
    for table in dossier.study.tables:
        scores = {(own.test_set, own.system): own.score for own in table.scores}
        means = {own.system: own.score for own in table.results}
        for system in ("neural", "rulebased"):
            expected = sum(scores[name, system] for name in dossier.study.sets) / 3
            assert math.isclose(means[system], expected, abs_tol=1e-9)
        assert math.isnan(means["shortened"])


def test_segments_of_all_sets_stand_in_one_table_with_their_labels():
    dossier = example_study()
    table, parts = dossier.segments, [own.dossier.segments for own in dossier.sets]
    assert len(table) == sum(map(len, parts))
    start = 0
    for own, part in zip(dossier.sets, parts, strict=True):
        inside = slice(start, start + len(part))
        assert set(table.labels[SET][inside]) == {own.name}
        assert set(table.labels[PAIR][inside]) == {own.language}
        assert table.languages is not None
        assert set(table.languages[inside]) == {own.language}
        assert table.references[0][inside] == part.references[0]
        assert table.sources[inside] == part.sources
        for system in table.systems:
            expected = part.outputs.get(system, (None,) * len(part))
            assert table.outputs[system][inside] == expected
        for scores in part.scores:
            joined = next(column for column in table.scores if column.key == scores.key)
            for system, values in scores.values.items():
                assert list(joined.values[system][inside]) == pytest.approx(list(values), nan_ok=True)
        for mark, members in part.marks.items():
            whole = table.marks[mark]
            mine = whole[(whole >= start) & (whole < start + len(part))]
            assert list(mine - start) == list(members)
        start += len(part)
    assert len(set(table.identifiers)) == len(table)


def test_scores_of_another_tokenizer_are_a_column_of_their_own():
    table = example_study().segments
    known = {scores.key: scores for scores in table.scores}
    labels = table.labels[SET]
    for key, sets in (("bleu", {"news", "talks"}), ("bleu(tokenize=zh)", {"tea"})):
        column = known[key].values["neural"]
        assert {name for name, value in zip(labels, column, strict=True) if not math.isnan(value)} == sets


def test_what_nobody_looked_for_is_missing_and_not_none():
    table = example_study().segments
    for counts in table.counts.values():
        for system, column in counts.items():
            missing = {
                name for name, count in zip(table.labels[SET], column, strict=True) if count == NO_COUNT
            }
            assert ("talks" in missing) or system != "shortened"


def test_who_wins_in_the_mean_is_told_by_all_metrics_or_not_at_all():
    study = example_study().study
    verdict = comparison_verdict(study)
    assert (verdict.winner, verdict.certainty) == ("neural", "clear")
    assert set(verdict.others) == {"rulebased", "shortened"}
    first, second = study.tables

    def with_pairs(table, **changes):
        pairs = tuple(replace(pair, **changes) for pair in table.pairs)
        return replace(table, groups=(replace(table.groups[0], pairs=pairs), *table.groups[1:]))

    unsure = replace(study, tables=(first, with_pairs(second, significant=False)))
    assert comparison_verdict(unsure).certainty == "partly"
    neither = replace(study, tables=tuple(with_pairs(t, significant=False) for t in study.tables))
    assert comparison_verdict(neither).certainty == "open"
    turned = tuple(replace(pair, delta=-pair.delta) for pair in second.pairs)
    against = replace(second, groups=(replace(second.groups[0], pairs=turned), *second.groups[1:]))
    torn = comparison_verdict(replace(study, tables=(first, against)))
    assert (torn.certainty, torn.contradicted) == ("split", True)


def test_a_set_without_the_baseline_compares_every_two_of_its_systems():
    sets = [made_set("one", "en-he", HEBREW, " ", "abc"), made_set("two", "en-he", HEBREW, " ", "ab")]
    first, second = (own.dossier.comparison for own in study_of(sets, "chrf", baseline="c").sets)
    assert first.test.baseline == "c"
    assert {(pair.a, pair.b) for pair in first.pairs} == {("a", "c"), ("b", "c")}
    assert second.test.baseline is None
    assert {(pair.a, pair.b) for pair in second.pairs} == {("a", "b")}
