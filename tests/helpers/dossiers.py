"""Dossiers for tests: of the project's examples, of texts that mean harm, and of people's judgements."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np

import adjudge
from adjudge.comparison import Plan
from adjudge.comparison.study_material import SetMeasure, StudyMaterial
from adjudge.data import Outputs, TestSet
from adjudge.data.judgements import Judgements, NameColumn, Span
from adjudge.dossiers.evaluation_dossier import Dossier, EvaluationContext, dossier
from adjudge.dossiers.segment_table import ScoreColumn
from adjudge.dossiers.study_dossier import WHOLE, StudyDossier, study_dossier
from adjudge.human.studies import run_material
from adjudge.human.study_scores import in_lines, people_measure, rankings_of
from adjudge.io.studies import LoadedSet

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
FEW = {"trials": 200, "resamples": 50}
HARM = "\"'><script>alert(1)</script></script><img src=x onerror=alert(2)>javascript:alert(3)&amp;{0}\u202egnp\u2066\0"


@cache
def example_dossier(*, people: bool = False, baseline: str | None = None) -> Dossier:
    """Three systems of the examples by three metrics."""
    names = ("neural", "neural-fixed", "rulebased")
    loaded = adjudge.load(
        references=[str(EXAMPLES / "reference.en")],
        source=str(EXAMPLES / "source.pt"),
        labels=str(EXAMPLES / "labels.tsv"),
        systems=[str(EXAMPLES / "systems" / f"{name}.en") for name in names],
    )
    judged = None
    if people:
        judged = adjudge.load_judgements([str(EXAMPLES / "judgements.tsv")]).judgements
    beside = EvaluationContext(judgements=judged, inputs=loaded.inputs, price=0.05)
    return dossier(loaded.test_set, loaded.outputs, context=beside, baseline=baseline, **FEW)


@cache
def judged_dossier(kind: str) -> Dossier:
    """The same with what people said in some way, and scores of segments from elsewhere: mqm, rankings, edits."""
    names = ("neural", "neural-fixed", "rulebased")
    loaded = adjudge.load(
        references=[str(EXAMPLES / "reference.en")],
        source=str(EXAMPLES / "source.pt"),
        labels=str(EXAMPLES / "labels.tsv"),
        systems=[str(EXAMPLES / "systems" / f"{name}.en") for name in names],
    )
    files = {"rankings": "rankings.csv", "edits": "edits.tsv", "da": "judgements.tsv"}
    if kind in files:
        judged = adjudge.load_judgements([str(EXAMPLES / files[kind])]).judgements
    else:
        judged = marked_errors(loaded.outputs)
    guesses = {
        output.system: np.array([len(text) % 17 / 17 for text in output.segments])
        for output in loaded.outputs
    }
    qe = ScoreColumn("guess", "guess", True, "qe", guesses, decimals=3)
    beside = EvaluationContext(judgements=judged, estimates=(qe,), inputs=loaded.inputs)
    return dossier(loaded.test_set, loaded.outputs, context=beside, **FEW)


def marked_errors(outputs: Sequence[Outputs]) -> Judgements:
    """Errors that two people marked in the first 60 segments of every output, some of them the same."""
    rows = [
        (output.system, str(n + 1), annotator, _marks(text, n + k + len(output.system)))
        for output in outputs
        for n, text in enumerate(output.segments[:60])
        for k, annotator in enumerate(("ida", "max"))
    ]
    systems, items, annotators, spans = zip(*rows, strict=True)
    return Judgements(
        protocol="mqm",
        system=NameColumn.of(systems),
        item=NameColumn.of(items),
        annotator=NameColumn.of(annotators),
        score=np.array([float(sum(5 if s.severity == "major" else 1 for s in own)) for own in spans]),
        spans=spans,
        higher_is_better=False,
    )


def _marks(text: str, draw: int) -> tuple[Span, ...]:
    kinds = ("accuracy/mistranslation", "fluency/grammar", "style/awkward")
    severities = ("minor", "major")
    end = min(len(text), 5)
    return tuple(
        Span(0, end, severities[(draw + n) % 2], kinds[(draw + n) % 3]) for n in range(draw % 4) if end
    )


@cache
def loaded_sets() -> tuple[LoadedSet, ...]:
    """Three test sets into English, Chinese and Hebrew; one system lacks the last, and people judged the first."""
    loaded = adjudge.load(
        references=[str(EXAMPLES / "reference.en")],
        source=str(EXAMPLES / "source.pt"),
        labels=str(EXAMPLES / "labels.tsv"),
        systems=[str(EXAMPLES / "systems" / f"{name}.en") for name in ("neural", "rulebased", "shortened")],
        language="pt-en",
    )
    judged = adjudge.load_judgements([str(EXAMPLES / "judgements.tsv")]).judgements
    news = LoadedSet("news", loaded.test_set, loaded.outputs, "pt-en", "news", judgements=judged)
    return (
        news,
        made_set("tea", "en-zh", CHINESE, "", ("neural", "rulebased", "shortened")),
        made_set("talks", "en-he", HEBREW, " ", ("neural", "rulebased")),
    )


CHINESE = list("今天气很好我们去公园散步机器翻译的质量越来高")
HEBREW = ["שלום", "עולם", "זה", "משפט", "ארוך", "עם", "מילים", "רבות", "הוא", "לא", "חזר", "הביתה"]


def made_set(name: str, language: str, words: list[str], space: str, systems: Sequence[str]) -> LoadedSet:
    """Texts of drawn words, of which the systems get the more wrong the later they come."""
    draw = random.Random(name)
    references = [[draw.choice(words) for _ in range(draw.randint(4, 16))] for _ in range(40)]
    test_set = TestSet(
        references=[[space.join(words) for words in references]],
        sources=[f"Sentence {n} of this set, with number {n * 3}." for n in range(40)],
        name=name,
        language=language,
    )
    outputs = tuple(
        Outputs(
            system,
            [
                space.join(w if draw.random() > 0.15 * place else draw.choice(words) for w in reference)
                for reference in references
            ],
        )
        for place, system in enumerate(systems, 1)
    )
    return LoadedSet(name, test_set, outputs, language, "made")


@cache
def example_study() -> StudyDossier:
    """These sets by two metrics, as one."""
    return study_of(loaded_sets(), "bleu", "chrf")


def study_of(
    sets: Sequence[LoadedSet], *metrics: str, baseline: str | None = None, people: bool = False
) -> StudyDossier:
    """These sets as one."""
    plan = Plan(baseline=baseline, **FEW)
    material = [
        StudyMaterial(
            s.name,
            s.test_set,
            s.outputs,
            s.language,
            s.domain,
            _scores_of_people(s) if people else (),
            rankings_of(s),
        )
        for s in sets
    ]
    result = run_material(material, metrics, plan)
    return study_dossier(
        "autumn", sets, result, metrics, plan, lambda own: EvaluationContext(judgements=own.judgements)
    )


def _scores_of_people(own: LoadedSet) -> tuple[SetMeasure, ...]:
    """What people gave, as a study has it beside metrics."""
    if own.judgements is None:
        return ()
    scores = in_lines(people_measure(own.judgements), own.test_set, [o.system for o in own.outputs])
    return () if scores is None else (scores,)


PEOPLE = ("ida", "max", "eva", "tom", "ana", "jan", "mia", "leo", "ida")
"""Eight of them, and the first again, who follows the last."""


@cache
def judged_study(*better: str) -> StudyDossier:
    """Sets of a and b, of which metrics prefer a; eight people prefer the one that is named for each set, if any."""
    sets = [
        replace(made_set(f"s{n}", "en-he", HEBREW, " ", "ab"), judgements=_preferring(own) if own else None)
        for n, own in enumerate(better, 1)
    ]
    return study_of(sets, "chrf", people=True)


def _preferring(better: str) -> Judgements:
    rows = [(s, str(n), who) for s in "ab" for n in range(1, 41) for who in PEOPLE[n % 8 :][:2]]
    systems, items, annotators = (NameColumn.of(column) for column in zip(*rows, strict=True))
    scores = [50.0 + 20 * (s == better) + int(n) % 7 for s, n, _ in rows]
    return Judgements("da", systems, items, annotators, np.array(scores))


def ranked_study(*better: str, baseline: str | None = None) -> StudyDossier:
    """The same where people set a and b side by side: of every four items they prefer the named one on three."""
    sets = [
        replace(made_set(f"s{n}", "en-he", HEBREW, " ", "ab"), judgements=side_by_side(own))
        for n, own in enumerate(better, 1)
    ]
    return study_of(sets, "chrf", baseline=baseline)


def side_by_side(better: str, items: int = 40) -> Judgements:
    """Comparisons of a and b, one an item."""
    wins = [1.0 if (n % 4 > 0) == (better == "a") else -1.0 for n in range(items)]
    return Judgements(
        "ranking",
        NameColumn.of(["a"] * items),
        NameColumn.of([str(n) for n in range(1, items + 1)]),
        NameColumn.of([PEOPLE[n // 4 % 8] for n in range(items)]),
        np.array(wins),
        other=NameColumn.of(["b"] * items),
    )


@cache
def many_sets() -> StudyDossier:
    """More sets of a and b than are looked through; a is better on all but the third."""
    sets = [made_set(f"s{n}", "en-he", HEBREW, " ", "ba" if n == 3 else "ab") for n in range(1, WHOLE + 3)]
    return study_of(sets, "chrf", "ter")


@cache
def uneven_study(*systems: str, baseline: str | None = None) -> StudyDossier:
    """A set for each text with a letter a system, the better ones first: "ab" has outputs of a, better, and of b."""
    sets = [made_set(f"s{n}", "en-he", HEBREW, " ", tuple(own)) for n, own in enumerate(systems, 1)]
    return study_of(sets, "chrf", baseline=baseline)


@cache
def harmful_dossier() -> Dossier:
    """Texts, names, labels and a test set whose every word would run if it could."""
    lines = [f"{HARM} word{n} and {n * 7} more of it <b>{n}</b>" for n in range(24)]
    test_set = TestSet(
        references=[[f"reference {line}" for line in lines]],
        sources=lines,
        labels={HARM: [HARM if n % 2 else "plain" for n in range(24)], "domain": ["a", "b"] * 12},
        name=HARM,
        language="pt-en",
    )
    outputs = [
        Outputs(HARM, [f"reference {line}" if n % 3 else line for n, line in enumerate(lines)]),
        Outputs(f"b{HARM}", [line[::-1] if n % 2 else line for n, line in enumerate(lines)]),
    ]
    return dossier(test_set, outputs, **FEW)
