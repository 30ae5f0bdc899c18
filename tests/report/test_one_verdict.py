"""One verdict for every audience: every page and format of the same data names the same system, or the same set."""

from __future__ import annotations

import json
import random
import re
import shutil
from dataclasses import replace

import numpy as np
import pytest

import adjudge
from adjudge.comparison import Plan, score
from adjudge.comparison.documents import score_document
from adjudge.comparison.groups import labels_of
from adjudge.comparison.study_display import StudyDisplay
from adjudge.comparison.study_material import StudyMaterial
from adjudge.comparison.verdict import comparison_verdict
from adjudge.data import Outputs, TestSet
from adjudge.data.judgements import Judgements, NameColumn
from adjudge.dossiers.evaluation_dossier import Dossier, EvaluationContext, dossier
from adjudge.dossiers.study_dossier import StudyDossier
from adjudge.history.gate import gate
from adjudge.history.stored import read, rows_of, write
from adjudge.io import pdf
from adjudge.io.studies import LoadedSet
from adjudge.report.pages.manager.page import certainty_facts, headline, manager_page
from adjudge.report.pages.report.links import Links
from adjudge.report.pages.report.page import DossierPage, StudyPage
from adjudge.report.pages.report.study_words import study_summary
from adjudge.report.pages.report.words import summary
from adjudge.report.render.formats import render, renderer_of
from helpers.dossiers import study_of

SYSTEMS = ("Aix", "Bonn", "Cork", "Delft")
WORDS = [
    f"{start}{end}" for start in ("ta", "le", "mi", "so", "ru") for end in ("ra", "nen", "sto", "k", "lo")
]
FEW = {"trials": 150, "resamples": 20}
QUICK = {"analyses": "none"}
METRICS = ("bleu", "chrf", "ter")


def texts(draw: random.Random, segments: int) -> list[list[str]]:
    return [[draw.choice(WORDS) for _ in range(draw.randint(4, 14))] for _ in range(segments)]


def damaged(draw: random.Random, words: list[str], kind: str, share: float) -> str:
    """A translation with errors: other words, another order (seen by TER), or other letters (seen by chrF)."""
    words = list(words)
    for place, word in enumerate(words):
        if draw.random() < share:
            words[place] = {"word": draw.choice(WORDS), "letter": word[:-1] + "x"}.get(kind, word)
            if kind == "order" and place:
                words[place], words[place - 1] = words[place - 1], words[place]
    return " ".join(words)


def judged(draw: random.Random, systems: tuple[str, ...], items: int, kind: str) -> Judgements | None:
    """Ratings or comparisons of some or all systems, with a taste of their own or none."""
    names = systems[: draw.choice([2, len(systems)])] if len(systems) > 2 else systems
    taste = {name: draw.choice([0.0, 0.0, 15.0]) for name in names}
    if kind == "none" or items < 4:
        return None
    if kind == "ratings":
        people = draw.choice(("im", "abcdefgh"))  # two people name no winner
        rows = [
            (s, str(n), people[(n + both) % len(people)])
            for s in names
            for n in range(1, items + 1)
            for both in (0, 1)
        ]
        scores = [60.0 + taste[s] + draw.gauss(0, 12) for s, _, _ in rows]
        return Judgements(
            "da", *(NameColumn.of(column) for column in zip(*rows, strict=True)), np.array(scores)
        )
    pairs = [(a, b) for place, a in enumerate(names) for b in names[place + 1 :]]
    rows = [(a, b, str(n)) for a, b in pairs for n in range(1, items + 1)]
    wins = [float(np.sign(taste[a] - taste[b] + draw.gauss(0, 20))) for a, b, _ in rows]
    first, second, item = (NameColumn.of(column) for column in zip(*rows, strict=True))
    people = NameColumn.of(["ida"] * len(rows))
    return Judgements("ranking", first, item, people, np.array(wins), other=second)


def loaded(draw: random.Random, name: str, systems: tuple[str, ...], kind: str, people: str) -> LoadedSet:
    """One test set: equal systems, a better one, a baseline's copy, or one that metrics contradict each other about."""
    segments = draw.choice([2, 20, 40, 60])
    references = texts(draw, segments)
    outputs = []
    for place, system in enumerate(systems):
        share = {"equal": 0.3, "same": 0.3, "better": 0.1 * (place + 1), "contradiction": 0.3}[kind]
        how = ("letter", "order", "word")[place % 3] if kind == "contradiction" else "word"
        lines = [damaged(draw, words, how, share) for words in references]
        outputs.append(Outputs(system, outputs[0].segments if kind == "same" and place == 1 else lines))
    test_set = TestSet(references=[[" ".join(words) for words in references]], name=name, language="de-en")
    return LoadedSet(
        name, test_set, tuple(outputs), "de-en", judgements=judged(draw, systems, segments, people)
    )


def drawn(seed: int) -> tuple[random.Random, tuple[str, ...], str, str, str | None]:
    draw = random.Random(seed)
    systems = SYSTEMS[: draw.choice([2, 2, 3, 4])]
    kind = draw.choice(["equal", "better", "same", "contradiction"])
    people = draw.choice(["none", "ratings", "rankings"])
    return draw, systems, kind, people, draw.choice([None, None, systems[-1]])


def named(text: str) -> frozenset[str]:
    """The systems that an answer speaks for: all in its first clause, before it says what the others are."""
    answer = re.split(
        r"; (?:the other|\w+ (?:is|are) worse|\w+ and \w+ are worse)|(?:(?:by .*|:) it is|translates? .*) better than",
        text,
    )[0]
    answer = re.split(
        r", but not every| of which| with a reservation|, though automatic|by themselves", answer
    )[0]
    answer = re.split(r"\. (?:Let|Test|That)|than the baseline|each translate| are better than", answer)[0]
    answer = re.split(r" is better than .* opinion only", answer)[0]
    return frozenset(name for name in SYSTEMS if name in answer)


def checked(researcher: str, manager: str, page: str, verdict) -> None:
    """The answer of both pages, the title of one, and the verdict."""
    assert named(researcher) == named(manager) == frozenset(verdict.systems), (researcher, manager)
    title = re.search(r"<title>Which engine\?(.*?)</title>", page)
    assert title is not None
    assert title[1].strip() == verdict.winner
    assert len(verdict.systems) == 1 or not verdict.winner


def of_one_set(seed: int) -> Dossier:
    draw, systems, kind, people, baseline = drawn(seed)
    own = loaded(draw, "news", systems, kind, people)
    beside = EvaluationContext(judgements=own.judgements, **QUICK)
    return dossier(own.test_set, own.outputs, METRICS, context=beside, baseline=baseline, **FEW)


@pytest.mark.parametrize("block", range(8))
def test_every_page_and_format_of_an_evaluation_names_the_same(block) -> None:
    for seed in range(10 * block, 10 * block + 10):
        own = of_one_set(seed)
        first = summary(own, Links(own.segments))[0].sentences[0].text
        checked(first, headline(own), manager_page(own, "1"), own.verdict)
        facts = dict(certainty_facts(own))
        assert named(facts["How sure?"].partition(": ")[2]) >= frozenset(own.verdict.systems)
        if own.changes is not None:
            assert {own.changes.old, own.changes.new} == set(own.verdict.pair)
        metrics = own.verdict.metrics or own.verdict
        shown = renderer_of(own.comparison, version="1")
        document = json.loads(render(shown, "json"))["verdict"]
        assert document["systems"] == list(metrics.systems)
        assert (document["winner"] or "") == metrics.winner
        for form in ("text", "markdown", "latex", "html"):
            text = re.sub(r"\s+%? *", " ", render(shown, form).replace("\\", ""))
            assert document["sentence"].replace("’", "'") in text.replace("’", "'").replace("&#x27;", "'"), (
                form
            )
        by_people(own)
        if seed % 10 == 0:
            assert first in re.sub(r"&#x27;|&#39;", "'", str(DossierPage(own, "1", charts=False).html()))


def by_people(own: Dossier) -> None:
    """`human analyse` of the same judgements, as text and as JSON."""
    if own.people is None or own.verdict.metrics is None:
        return
    shown = renderer_of(own.people, version="1")
    document = json.loads(render(shown, "json"))["verdict"]
    assert document["decided_by"] == "people"
    assert document["sentence"] in " ".join(render(shown, "text").split())
    everyone = {s.system for s in own.people.groups[0].systems} == {*own.verdict.order}
    if everyone and own.verdict.evidence.baseline is None:
        assert document["systems"] == list(own.verdict.systems)


@pytest.mark.parametrize("block", range(4))
def test_a_gate_says_what_a_comparison_with_the_stored_system_says(block, tmp_path) -> None:
    """Exit code, sentences and JSON of a gate never speak for a system that `compare` does not name."""
    for seed in range(10 * block, 10 * block + 10):
        draw, systems, kind, _, _ = drawn(seed)
        material = loaded(draw, "news", systems, kind, "none")
        old, new = material.outputs[:2]
        path = str(tmp_path / f"{seed}.json")
        scores = score(material.test_set, [old], METRICS, rows=True)
        rows = rows_of(scores)
        write(path, score_document(scores, version="1"), rows, labels_of(material.test_set))
        plan = {"baseline": "old", "family": "all", "trials": 150}
        own = gate(read(path), [StudyMaterial("", material.test_set, (new,))], plan=Plan(trials=150))
        pair = [Outputs("new", new.segments), Outputs("old", old.segments)]
        theirs = comparison_verdict(adjudge.compare(material.test_set, pair, METRICS, **plan))
        names = {"new": new.system, "old": f"{old.system} ({path})"}
        (verdict,) = own.verdicts
        assert verdict.systems == tuple(names[name] for name in theirs.systems)
        document = json.loads(render(renderer_of(own, version="1"), "json"))
        assert document["verdicts"][0]["systems"] == list(verdict.systems)
        text = render(renderer_of(own, version="1"), "text")
        assert ("Gate passed" in text) == own.passed == document["passed"]
        assert own.passed or verdict.winner != new.system
        assert own.passed == ("WORSE" not in text)


def of_study(seed: int) -> StudyDossier:
    draw, systems, kind, people, baseline = drawn(1000 + seed)
    same = draw.random() < 0.7  # people judged all sets in the same way
    sets = [
        loaded(draw, name, systems, kind, people if same or not place else "none")
        for place, name in enumerate(("news", "talks")[: draw.choice([2, 2, 2])])
    ]
    whole = study_of(sets, "chrf", "ter", baseline=baseline, people=people == "ratings")
    return replace(whole)


@pytest.mark.parametrize("block", range(4))
def test_every_page_of_a_study_names_the_same(block) -> None:
    for seed in range(10 * block, 10 * block + 10):
        own = of_study(seed)
        first = study_summary(own, StudyPage(own, "1").links)[0].sentences[0].text
        checked(
            first.partition(", in the mean")[0],
            headline(own).partition(" With ")[0].partition(" People put")[0],
            manager_page(own, "1"),
            own.verdict,
        )
        shown = renderer_of(StudyDisplay(own.study, "autumn"), version="1")
        document = json.loads(render(shown, "json"))["verdict"]
        assert document["systems"] == list(own.verdict.systems)
        assert document["decided_by"] == ("people" if own.verdict.by_people else "metrics")
        assert document["sentence"] == first
        for form in ("text", "markdown"):
            assert first in " ".join(render(shown, form).replace("\\", "").split()), form
        assert first in re.sub(r"&#x27;|&#39;", "'", render(shown, "html"))
        for part in own.sets:
            answer = summary(part.dossier, Links(part.dossier.segments))[0].sentences[0].text
            checked(answer, headline(part.dossier), manager_page(part.dossier, "1"), part.dossier.verdict)


def of_wmt23(shared) -> Dossier:
    """Four systems of WMT23, of which people and metrics prefer different ones."""
    folder = shared.data / "03_wmt23_mqm_esa" / "en-de"
    names = ("GPT4-5shot", "ONLINE-W", "ONLINE-B", "ONLINE-A")
    material = adjudge.load(
        references=[str(folder / "ref.refA.de")],
        systems=[str(folder / "hyp" / f"{name}.de") for name in names],
    )
    people = adjudge.load_judgements([str(folder / "human" / "mqm.ratings.tsv")]).judgements
    beside = EvaluationContext(judgements=people, **QUICK)
    return dossier(material.test_set, material.outputs, context=beside, trials=500, resamples=50)


def test_people_who_cannot_tell_two_engines_apart_are_not_overruled(shared) -> None:
    """WMT23 en-de: one page said that ONLINE-W wins, the other that GPT4-5shot cannot be told from it."""
    own = of_wmt23(shared)
    assert own.verdict.systems == ("GPT4-5shot", "ONLINE-W")
    assert own.verdict.metrics is not None
    assert own.verdict.metrics.winner == "ONLINE-W"
    both = "GPT4-5shot and ONLINE-W"
    assert summary(own, Links(own.segments))[0].sentences[0].text.startswith(f"No single winner: {both}")
    assert headline(own).startswith(f"No clear winner: this test shows no difference between {both}.")
    if not any(shutil.which(name) for name in pdf.BROWSERS):
        pytest.skip("no Chromium to print with")
    printed = pdf.print_page(str(manager_page(own, "1")), pdf.browser_program())
    assert len(re.findall(rb"/Type\s*/Page\b", printed)) == 1, "the manager's page fits one sheet of A4"
