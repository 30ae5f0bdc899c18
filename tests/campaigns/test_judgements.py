"""Answers of campaigns as judgements: every protocol, controls beside what they were made from, the same figures."""

import json
import math
import random

import numpy as np
import pytest
from sacrebleu.metrics import TER

from adjudge.campaigns import controls
from adjudge.campaigns.campaign import parse
from adjudge.campaigns.campaign import read_material as texts_of
from adjudge.campaigns.items import CampaignMaterial, Candidate, GivenAnswer, Item
from adjudge.campaigns.judgements import (
    judgements_by_criterion,
    judgements_from_answers,
    pseudonym,
    pseudonymise,
)
from adjudge.campaigns.store.answers import StoredAnswer
from adjudge.cli import main
from adjudge.data import Outputs, TestSet
from adjudge.data.judgements import BAD_REFERENCE, KINDS, ORDINARY, REFERENCE, REPEAT, TUTORIAL, Span
from adjudge.human.quality import quality
from adjudge.human.rankings import analyse_rankings
from adjudge.human.ratings import analyse_ratings
from adjudge.io.judgements import read, write
from helpers.alike import assert_same

SOURCES = ("Der Hund bellt laut .", "Es regnet .", "Gute Nacht", "二つの文")
REFERENCES = ("The dog barks loudly .", "It rains .", "Good night", "two sentences")
A = ("The dog barks loud .", "It rains .", "Good night", "two")
B = ("A dog is barking .", "It rains .", "Nice night", "three")
LABELS = {
    "document": ("d1", "d1", "d2", "d2"),
    "domain": ("news", "news", "talk", "talk"),
    "segment": ("x1", "x2", "x3", "x4"),
}
MATERIAL = CampaignMaterial(
    TestSet(references=(REFERENCES,), sources=SOURCES, labels=LABELS), (Outputs("A", A), Outputs("B", B))
)


def campaign(protocol, **more):
    return parse(
        {
            "name": "t",
            "language": "de-en",
            "protocol": protocol,
            "systems": {"A": "a", "B": "b"},
            "test_set": {"source": "s", "reference": "r"},
            "annotators": ["ann", "bob"],
            **({"rules": {"questions": "q.jsonl"}} if protocol == "comprehension" else {}),
            **more,
        }
    )


def answered(
    item, answer, annotator="ann", *, seconds=10.0, started=1000.0, hit="h1", withdrawn=False, event=1
):
    given = GivenAnswer(annotator, hit, item, answer, seconds, started, withdrawn)
    return StoredAnswer(**vars(given), event=event, task=event, received=2000.0)


def item(segment, *systems, kind="ordinary", of="", key="", texts=None, document="", extra=None):
    candidates = tuple(
        Candidate((system,) if isinstance(system, str) else system, (text,))
        for system, text in zip(
            systems, texts or [_output(system)[segment] for system in systems], strict=True
        )
    )
    return Item(key or f"{segment}{systems}{kind}", (segment,), candidates, kind, of, document, extra or {})


def _output(system):
    return {"A": A, "B": B}[system if isinstance(system, str) else system[0]]


def test_a_score_with_all_that_is_known_of_it():
    given = [
        answered(item(0, "A"), {"score": 71}),
        answered(item(2, "B"), {"score": 20}, "bob", seconds=None, started=None, hit="h2"),
    ]
    (judgements,) = judgements_from_answers(campaign("da"), MATERIAL, given).values()
    first = judgements.judgements
    assert first.protocol == "da"
    assert first.higher_is_better
    assert first.system.values() == ["A", "B"]
    assert first.item.values() == ["x1", "x3"]
    assert first.annotator.values() == ["ann", "bob"]
    assert first.score.tolist() == [71, 20]
    assert first.kind.tolist() == [ORDINARY, ORDINARY]
    assert first.start[0] == 1000.0
    assert np.isnan(first.start[1])
    assert first.seconds[0] == 10.0
    assert {name: column.values() for name, column in first.labels.items()} == {
        "document": ["d1", "d2"],
        "domain": ["news", "talk"],
        "hit": ["h1", "h2"],
        "languages": ["de-en", "de-en"],
        "context": ["segment", "segment"],
    }
    assert (first.other, first.ranking, first.spans, dict(first.measures)) == (None, None, None, {})
    assert judgements.texts.source == (SOURCES[0], SOURCES[2])
    assert judgements.texts.reference == (REFERENCES[0], REFERENCES[2])
    assert judgements.texts.target == (A[0], B[2])
    assert judgements.texts.edited is None


def test_nobody_has_answered():
    assert judgements_by_criterion(campaign("da"), MATERIAL, []) == {}


def test_equal_outputs_count_for_all_who_made_them():
    given = [answered(item(1, ("A", "B")), {"score": 90}, annotator) for annotator in ("ann", "bob")]
    da = judgements_by_criterion(campaign("da"), MATERIAL, given)["da"]
    assert da.system.values() == ["A", "B", "A", "B"]
    assert da.annotator.values() == ["ann", "ann", "bob", "bob"]
    assert da.score.tolist() == [90] * 4


def test_two_criteria_are_two_tables():
    result = judgements_by_criterion(
        campaign({"name": "adequacy-fluency", "points": 7}),
        MATERIAL,
        [answered(item(0, "A"), {"adequacy": 6, "fluency": 3})],
    )
    assert {
        name: (judgements.protocol, judgements.score.tolist()) for name, judgements in result.items()
    } == {
        "fluency": ("fluency", [3]),
        "adequacy": ("adequacy", [6]),
    }


def test_controls_count_for_what_they_were_made_from():
    """The paired test finds each damaged translation and each repeat beside the ordinary judgement, once."""
    known = controls.donor_phrases(MATERIAL)
    originals = [item(0, "A", key="k0"), item(1, ("A", "B"), key="k1"), item(2, "B", key="k2")]
    given = []
    for number, original in enumerate(originals):
        given.append(answered(original, {"score": 80 + number}))
        given.append(answered(controls.damaged_item(original, known, 1), {"score": 20 - 2 * number}))
        given.append(answered(controls.repeated_item(original, 1), {"score": 76 + number}))
    given.append(answered(controls.reference_item(MATERIAL, (2,), "d2", "reference", 1), {"score": 100}))
    given.append(answered(item(0, "A", kind="tutorial", key="t1"), {"score": 5}))
    (judgements,) = judgements_from_answers(campaign("da"), MATERIAL, given).values()
    first = judgements.judgements
    damaged = first.kind == BAD_REFERENCE
    assert list(zip(first[damaged].system.values(), first[damaged].item.values(), strict=True)) == [
        ("A", "x1"),
        ("A", "x2"),  # shared with B, but one pair
        ("B", "x3"),
    ]
    again = first.kind == REPEAT
    assert first[again].system.values() == ["A", "A", "B", "B"]  # a repeat may count, so for both
    assert first[first.kind == REFERENCE].system.values() == ["reference"]
    assert first[first.kind == TUTORIAL].item.values() == ["t1"]
    for row in np.flatnonzero(damaged):
        assert judgements.texts.target[row] not in (*A, *B)
    (who,) = quality(first)
    assert (who.damaged, who.repeats) == (3, 4)
    assert who.damaged_mean == 18
    assert who.whole_mean == 81
    assert who.repeat_difference == 4
    assert who.reference_mean == 100
    lower = np.array([60.0, 63.0, 66.0])
    t = lower.mean() / (lower.std(ddof=1) / math.sqrt(3))
    from scipy import stats

    assert who.p == pytest.approx(float(stats.t.sf(t, 2)), rel=1e-12)
    assert who.passed


def test_a_ranking_is_pairs_that_belong_together():
    three = item(0, "B", ("A",), ("reference",), texts=[B[0], A[0], REFERENCES[0]])
    given = [
        answered(three, {"ranks": [2, 1, 1]}),
        answered(item(2, "A", "B"), {"ranks": [1, 2]}, "bob"),
    ]
    (judgements,) = judgements_from_answers(campaign("ranking"), MATERIAL, given).values()
    first = judgements.judgements
    assert first.protocol == "rank"
    assert list(zip(first.system.values(), first.other.values(), first.score.tolist(), strict=True)) == [
        ("B", "A", -1),
        ("B", "reference", -1),
        ("A", "reference", 0),
        ("A", "B", 1),
    ]
    assert first.ranking.tolist() == [0, 0, 0, 1]
    assert first.item.values() == ["x1", "x1", "x1", "x3"]
    assert judgements.texts.target == (B[0], B[0], A[0], A[2])
    preferred = judgements_by_criterion(
        campaign("preference"), MATERIAL, [answered(item(0, "A", "B"), {"choice": [2, 1]})]
    )
    assert preferred["preference"].protocol == "pairwise"
    assert preferred["preference"].score.tolist() == [-1]


def test_errors_and_scores_share_a_row():
    errors = [{"start": 0, "end": 3, "severity": "major", "category": "", "side": "target", "segment": 0}]
    first = judgements_by_criterion(
        campaign("esa"), MATERIAL, [answered(item(0, "A"), {"errors": errors, "score": 40})]
    )["esa"]
    assert first.score.tolist() == [40]
    assert first.spans == ((Span(0, 3, "major"),),)
    missing = [{**errors[0], "start": None, "end": None, "category": "Accuracy/Omission", "side": "source"}]
    given = [answered(item(0, "A"), {"errors": missing}), answered(item(2, "B"), {"errors": []})]
    first = judgements_by_criterion(campaign("mqm"), MATERIAL, given)["mqm"]
    assert np.isnan(first.score).all()
    assert first.spans == ((Span(None, None, "major", "Accuracy/Omission", "source"),), ())
    assert {system.system: system.mean for system in analyse_ratings(first).groups[0].systems} == {
        "A": 5,
        "B": 0,
    }


def test_documents_are_judged_as_wholes():
    protocol = {"name": "da", "rate": "document"}
    whole = Item("k", (0, 1), (Candidate(("A",), A[:2]),), document="d1")
    (judgements,) = judgements_from_answers(
        campaign(protocol), MATERIAL, [answered(whole, {"score": 60})]
    ).values()
    assert judgements.judgements.item.values() == ["d1"]
    assert judgements.judgements.labels["level"].values() == ["document"]
    assert judgements.judgements.labels["domain"].values() == ["news"]
    assert judgements.texts.source == ("\n".join(SOURCES[:2]),)
    assert judgements.texts.target == ("\n".join(A[:2]),)
    questions = [{"question": "?", "choices": ["a", "b"], "answer": 1}, {"question": "?", "answer": "rain"}]
    asked = Item("k", (0, 1), (Candidate(("A",), A[:2]),), document="d1", extra={"questions": questions})
    first = judgements_by_criterion(
        campaign("comprehension"), MATERIAL, [answered(asked, {"answers": [1, "snow"]})]
    )
    assert first["comprehension"].score.tolist() == [0.5]
    assert first["comprehension"].measures["questions"].tolist() == [2]


@pytest.mark.parametrize("name", ["yes-no", "acceptability"])
def test_yes_and_no(name):
    given = [answered(item(0, "A"), {"acceptable": True}), answered(item(2, "B"), {"acceptable": False})]
    judgements = judgements_by_criterion(campaign(name), MATERIAL, given)[name]
    assert (judgements.protocol, judgements.score.tolist()) == ("yes-no", [1, 0])


def edit(text, state="edited", **actions):
    return {"edit": {"state": state, "text": text, "keystrokes": 7, "actions": actions}}


def test_post_edits_are_measured_against_what_became_of_them():
    """HTER is TER of the output against its own post-edit; sacreBLEU's TER says the same."""
    edits = ["The dog barks loudly tonight .", "It is raining .", "Good night", "two"]
    given = [
        answered(item(0, "A"), edit(edits[0], insertions=3)),
        answered(item(1, ("A", "B")), edit(edits[1])),
        answered(item(2, "A"), edit(A[2], "no corrections needed")),
        answered(item(3, "A"), edit(A[3], "unable to correct")),
    ]
    (judgements,) = judgements_from_answers(campaign("post-editing"), MATERIAL, given).values()
    first = judgements.judgements
    assert first.protocol == "hter"
    assert not first.higher_is_better
    ter = TER()
    expected = [ter.sentence_score(o, [e]).score / 100 for o, e in zip(A[:3], edits[:3], strict=True)]
    assert first.score[:5].tolist() == pytest.approx(
        [expected[0], expected[1], expected[1], expected[2], np.nan], nan_ok=True
    )
    assert first.score[0] == pytest.approx(2 / 6)
    assert first.system.values() == ["A", "A", "B", "A", "A"]
    assert first.measures["words"].tolist() == [5, 3, 3, 2, 1]
    assert first.measures["keystrokes"].tolist() == [7] * 5
    assert first.measures["unable"].tolist() == [0, 0, 0, 0, 1]
    assert first.measures["insertions"][0] == 3
    assert judgements.texts.edited == (edits[0], edits[1], edits[1], A[2], None)


def test_words_without_spaces_are_characters():
    chinese = CampaignMaterial(TestSet(sources=("今天下雨 了",)), (Outputs("A", ("今天下 雨",)),))
    given = [answered(Item("k", (0,), (Candidate(("A",), ("今天下雨",)),)), edit("今天下雪了"))]
    for language, words, score in (("zh-ja", 5, 2 / 5), ("en-de", 2, 1.0)):
        first = judgements_by_criterion(campaign("post-editing", language=language), chinese, given)[
            "post-editing"
        ]
        assert first.measures["words"].tolist() == [words]
        assert first.score.tolist() == pytest.approx([score])


def test_withdrawn_answers_are_marked():
    given = [
        answered(item(0, "A"), {"score": 1}),
        answered(item(2, "A"), {"score": 2}, "bob", withdrawn=True),
    ]
    da = judgements_by_criterion(campaign("da"), MATERIAL, given)["da"]
    assert da.labels["withdrawn"].values() == ["", "yes"]


def test_pseudonyms_are_stable_and_tell_nothing():
    given = [
        answered(item(0, "A"), {"score": 1}, "ann", hit="ann-1"),
        answered(item(2, "A"), {"score": 2}, "bob", hit="bob-1"),
        answered(item(2, "B"), {"score": 3}, "ann", hit="ann-1"),
    ]
    da = judgements_by_criterion(campaign("da"), MATERIAL, given)["da"]
    covered = pseudonymise(da, "secret")
    assert_same(covered, da, but=("annotator", "labels"))
    assert covered.annotator.codes.tolist() == da.annotator.codes.tolist()
    assert covered.labels["hit"].codes.tolist() == da.labels["hit"].codes.tolist()
    told = json.dumps([*covered.annotator.names, *covered.labels["hit"].names])
    assert "ann-" not in told
    assert "bob" not in told
    alone = pseudonymise(judgements_by_criterion(campaign("da"), MATERIAL, given[1:2])["da"], "secret")
    assert alone.annotator.names == (covered.annotator.names[1],)
    assert pseudonym("ann", "secret") != pseudonym("ann", "another")
    assert covered.annotator.names[0] == pseudonym("ann", "secret")
    assert covered.annotator.names[0].startswith("annotator-")


def test_tutorials_bring_their_own_texts():
    own = Item("t", (0,), (Candidate(("tutorial",), ("x",)),), "tutorial", extra={"references": ["mine"]})
    of_the_test_set = Item("u", (2,), (Candidate(("tutorial",), ("y",)),), "tutorial")
    given = [answered(entry, {"score": 3}) for entry in (own, of_the_test_set)]
    (judgements,) = judgements_from_answers(campaign("da"), MATERIAL, given).values()
    assert judgements.texts.reference == ("mine", REFERENCES[2])
    assert judgements.texts.source is None  # it was not shown, and may be of another segment
    assert "domain" not in judgements.judgements.labels


def simulated(examples, protocol, annotators=("anna", "ben", "carla"), seed=1):
    """A campaign on the example texts: a common pool, controls of every kind, answers with noise."""
    described = {
        "name": "sim",
        "language": "pt-en",
        "protocol": protocol,
        "systems": {name: f"systems/{name}.en" for name in ("neural", "rulebased", "shortened")},
        "test_set": {
            "source": "source.pt",
            "reference": "reference.en",
            "labels": "labels.tsv",
            "lines": [1, 40],
        },
        "annotators": list(annotators),
    }
    made = parse(described)
    material = texts_of(made, examples)
    known = controls.donor_phrases(material)
    draw = random.Random(seed)
    quality_of = {"neural": 80, "rulebased": 60, "shortened": 45, "reference": 95}
    given, event = [], 0

    def judged(entry, annotator, base):
        nonlocal event
        event += 1
        score = max(0, min(100, round(draw.gauss(base + 3 * annotators.index(annotator), 8))))
        given.append(
            answered(
                entry, {"score": score}, annotator, seconds=round(draw.uniform(4, 30), 2), started=1e9 + 60 * event,
                hit=f"{annotator}-{event // 40}", event=event,
            )
        )  # fmt: skip

    documents = material.test_set.labels["document"]
    for segment in range(40):
        outputs = {}
        for output in material.outputs:
            outputs.setdefault(output.segments[segment], []).append(output.title)
        for text, systems in outputs.items():
            shown = Item(
                f"k{segment}{systems[0]}",
                (segment,),
                (Candidate(tuple(systems), (text,)),),
                document=documents[segment],
            )
            for annotator in annotators if segment < 16 else (annotators[segment % 3],):
                judged(shown, annotator, quality_of[systems[0]])
                if draw.random() < 0.2:
                    judged(controls.repeated_item(shown, 1), annotator, quality_of[systems[0]])
                if draw.random() < 0.2:
                    judged(controls.damaged_item(shown, known, 1), annotator, 25)
        judged(
            controls.reference_item(material, (segment,), documents[segment], "reference", 1),
            annotators[0],
            95,
        )
    return made, material, given


def as_document(output):
    document = json.loads(output)
    document.pop("inputs")
    return document


@pytest.mark.parametrize("output_format", ["jsonl", "csv"])
def test_an_exported_campaign_has_the_same_figures(examples, tmp_path, capsys, output_format):
    from adjudge.human import rating_display as report
    from adjudge.report.render.json import json_text

    da = judgements_from_answers(*simulated(examples, "da"))["da"]
    path = tmp_path / f"export.{output_format}"
    assert write(da.judgements, da.texts, output_format, path=path).warnings == ()
    assert_same(read([str(path)]).judgements, da.judgements)
    direct = analyse_ratings(da.judgements)
    assert main(["human", "analyse", str(path), "-f", "json", "-q"]) == 0
    expected = json.loads(json_text(report.document(direct)))
    shown = as_document(capsys.readouterr().out)
    assert {name: shown[name] for name in expected} == expected
    counts = np.bincount(da.judgements.kind, minlength=5).tolist()
    assert direct.facts.kinds == {kind: n for kind, n in zip(KINDS, counts, strict=True) if n}
    assert [system.system for system in direct.groups[0].systems] == [
        "neural",
        "shortened",
        "rulebased",
    ]  # many outputs are shared
    assert [control.damaged > 5 for control in direct.controls] == [True] * 3
    assert all(control.passed for control in direct.controls)


def test_an_exported_ranking_has_the_same_figures(examples, tmp_path):
    made, material, _ = simulated(examples, "da")
    made = parse({**made.stored, "protocol": "ranking"})
    draw = random.Random(3)
    given = []
    for segment in range(30):
        shown = Item(
            f"k{segment}",
            (segment,),
            tuple(Candidate((o.title,), (o.segments[segment],)) for o in material.outputs),
        )
        for annotator in ("anna", "ben"):
            ranks = [1, 2, 3] if draw.random() < 0.7 else draw.choice([[1, 1, 2], [2, 1, 3], [1, 1, 1]])
            given.append(answered(shown, {"ranks": ranks}, annotator))
    ranking = judgements_from_answers(made, material, given)["ranking"]
    path = tmp_path / "export.jsonl"
    write(ranking.judgements, ranking.texts, path=path)
    back = read([str(path)]).judgements
    assert_same(back, ranking.judgements)
    direct, again = analyse_rankings(ranking.judgements), analyse_rankings(back)
    assert repr(direct.groups) == repr(again.groups)
    assert main(["human", "analyse", str(path), "-q"]) == 0


@pytest.mark.parametrize("protocol", ["da", "esa", "ranking"])
def test_a_planned_campaign_from_the_store_to_the_figures(examples, tmp_path, capsys, protocol):
    """Planned, kept, answered, exported and analysed: every control is found beside what it was made from."""
    from adjudge.campaigns.assignment import plan_hits
    from adjudge.campaigns.export import ExportOptions, export_judgements
    from adjudge.campaigns.store import CampaignStore, answers, campaigns, events, people, work

    described = {
        "name": "sim",
        "language": "pt-en",
        "protocol": protocol,
        "systems": {name: f"systems/{name}.en" for name in ("neural", "rulebased", "shortened")},
        "test_set": {
            "source": "source.pt", "reference": "reference.en", "labels": "labels.tsv", "lines": [1, 12],
        },
        "annotators": ["anna", "ben"],
        "assignment": {"hit_size": 20, "distance": 2, "bad_references": 0.15},
    }  # fmt: skip
    made = parse(described)
    material = texts_of(made, examples)
    draw = random.Random(5)
    store = CampaignStore.open(f"sqlite:///{tmp_path / 'x.db'}")
    try:
        kept = campaigns.add(store, made, material, plan_hits(made, material).hits)
        for who in people.annotators(store, kept):
            for number, task in enumerate(work.tasks(store, who)):
                score = draw.randint(5, 25) if task.item.kind == "bad reference" else draw.randint(60, 95)
                answer = {
                    "da": {"score": score},
                    "esa": {"score": score, "errors": [{"start": 0, "end": 1, "severity": "minor"}]},
                    "ranking": {"ranks": list(range(1, len(task.item.candidates) + 1))},
                }[protocol]
                sources = [material.test_set.sources[n] for n in task.item.segments]
                answer = made.protocol.check(answer, task.item, sources)
                events.record_answer(
                    store,
                    who,
                    task.id,
                    key=f"{who.name}{number}",
                    answer=answer,
                    seconds=4.5,
                    started=1e9 + number,
                )
        given = answers.counted_answers(store, kept)
        read_back = campaigns.material(store, kept)
    finally:
        store.close()
    judgements = judgements_from_answers(made, read_back, given)[made.protocol.criteria[0]]
    assert_same(
        judgements.judgements,
        judgements_from_answers(made, material, given)[made.protocol.criteria[0]].judgements,
    )
    if protocol != "ranking":
        damaged = judgements.judgements[judgements.judgements.kind == BAD_REFERENCE].annotator.values()
        for control in quality(judgements.judgements):
            assert control.damaged == damaged.count(control.annotator) > 0
            assert control.passed
    for form in ("jsonl", "csv"):
        written = export_judgements(made, "secret", read_back, given, ExportOptions(form, pseudonyms=True))
        (tmp_path / "export").write_bytes(written.data)
        assert_same(
            read([str(tmp_path / "export")]).judgements, pseudonymise(judgements.judgements, "secret")
        )
        assert main(["human", "analyse", str(tmp_path / "export"), "-q"]) == 0
        assert "anna" not in capsys.readouterr().out


def test_seconds_of_a_document_are_shared_by_its_segments():
    """Thirty seconds for an answer about three segments of two systems that said the same are ten a segment."""
    whole = Item("d", (0, 1, 2), (Candidate(("A", "B"), A[:3]),))
    (judgements,) = judgements_by_criterion(
        campaign("mqm"), MATERIAL, [answered(whole, {"errors": []}, seconds=30.0)]
    ).values()
    assert judgements.item.values() == ["x1", "x1", "x2", "x2", "x3", "x3"]
    assert judgements.seconds.tolist() == [10.0] * 6
