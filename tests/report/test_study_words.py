"""What the pages of a study say where systems lack sets, tie or contradict each other from set to set."""

import re

from adjudge.report.pages.manager.page import headline, manager_page
from adjudge.report.pages.report.page import StudyPage
from adjudge.report.pages.report.sets import rankings_sections
from adjudge.report.pages.report.study_words import study_summary
from adjudge.report.pages.report.words import plain_sentences
from helpers.dossiers import judged_study, many_sets, ranked_study, uneven_study


def said(dossier) -> list[str]:
    return plain_sentences(study_summary(dossier, StudyPage(dossier, "1").links))


def test_nobody_is_called_best_where_nobody_has_a_mean() -> None:
    own = uneven_study("ab", "a", "b")
    assert (own.verdict.certainty, own.verdict.systems) == ("incomplete", ())
    text = said(own)
    assert text[0] == "No winner: no system has outputs for all test sets, and so a mean over them."
    assert text[1].startswith("a is better than b on the one test set that both have")
    assert "s1 (en-he): a wins: by chrF it is better than b." in text
    assert "s2 (en-he): a is the only system: there is nothing to compare it with." in text
    assert not any(re.search("best score|in the mean over 3", sentence) for sentence in text)
    assert headline(own).startswith("Undecided: no engine has been tested on all tests")
    assert "<title>Which engine?</title>" in manager_page(own, "1")
    assert StudyPage(own, "1").html()


def test_a_set_with_another_verdict_is_named() -> None:
    own = uneven_study("ab", "ab", "ba")
    assert (own.verdict.winner, own.sets[2].dossier.verdict.winner) == ("a", "b")
    assert "s3 (en-he): b wins: by chrF it is better than a." in said(own)
    assert not any(sentence.startswith("s1 (en-he): a") for sentence in said(own))


def test_verdicts_on_single_sets_are_said_to_be_of_one_test_each() -> None:
    own = uneven_study("ab", "ab", "ba")
    chance = "were systems equal, about one set in 20 would still tell two of them apart."
    assert any(sentence.endswith(chance) for sentence in said(own))
    assert "about one test in 20 would still prefer one of them." in manager_page(own, "1")
    once = uneven_study("ab", "a")
    assert not any(sentence.endswith(chance) for sentence in said(once))
    assert "one test in 20" not in manager_page(once, "1")


def test_two_systems_that_share_no_set_are_two_systems() -> None:
    own = uneven_study("a", "b")
    assert own.verdict.certainty == "incomplete"
    assert "only" not in said(own)[0]
    assert "only engine" not in headline(own)


def test_a_baseline_with_a_mean_does_not_make_one_of_the_others() -> None:
    own = uneven_study("ab", "b", baseline="b")
    text = said(own)
    assert text[0] == "No winner: no system but b has outputs for all test sets, and so a mean over them."
    assert text[1].startswith("a is better than b on the one test set that both have")
    assert headline(own).startswith("Undecided: no engine but b has been tested on all tests")


def test_one_system_is_alone() -> None:
    own = uneven_study("a", "a")
    assert said(own)[0].startswith("a is the only system")


def test_whom_it_meets_on_fewer_sets_is_said() -> None:
    own = uneven_study("abc", "ab", "abc")
    assert said(own)[0] == (
        "a wins: by chrF it is better than b and c, in the mean over 3 test sets; against c over "
        "the sets that both have."
    )
    assert headline(own).endswith("With c, a is compared on the tests that both took.")
    whole = uneven_study("ab", "ab")
    assert said(whole)[0] == "a wins: by chrF it is better than b, in the mean over 2 test sets."
    assert "both took" not in headline(whole)


def test_people_who_judged_every_set_go_before_metrics() -> None:
    own = judged_study("b", "b")
    assert own.verdict.metrics is not None
    assert (own.verdict.metrics.winner, own.verdict.winner, own.verdict.certainty) == ("a", "b", "clear")
    assert headline(own) == "b: people prefer it, though automatic measures prefer a."
    page = manager_page(own, "1")
    assert "People decide: b is better than a." in page
    assert "People put b first on 2 of the 2 tests that they judged." in page
    assert "People put b first on 2 of the 2 test sets that they judged." in said(own)
    alone = "Metrics do not overrule people; by themselves they say: a wins"
    assert any(sentence.startswith(alone) for sentence in said(own))


def test_people_who_agree_are_told_once_and_those_of_few_sets_beside_the_verdict() -> None:
    same = judged_study("a", "a")
    better = "translates these tests, taken together, better than b"
    assert headline(same).startswith(f"a. People judge that it {better}")
    some = judged_study("b", "", "a")
    assert not some.verdict.by_people
    assert headline(some).startswith(f"a. By every measure it {better}")
    assert headline(some).endswith(
        "People put b first on 1 and a first on 1 of the 2 tests that they judged."
    )


def test_people_who_ranked_systems_on_every_set_go_before_metrics() -> None:
    own = ranked_study("b", "b")
    assert own.verdict.metrics is not None
    assert (own.verdict.metrics.winner, own.verdict.winner, own.verdict.others) == ("a", "b", ("a",))
    assert headline(own) == "b: people prefer it, though automatic measures prefer a."
    page = manager_page(own, "1")
    assert "<title>Which engine? b</title>" in page
    assert "People decide: b is better than a." in page
    assert said(own)[0] == "b wins: by people’s judgements it is better than a, in the mean over 2 test sets."
    [section] = rankings_sections(own)
    assert section.sentences[0].startswith(
        "b is preferred to a in the mean of 2 test sets (+0.500, p < 0.001)"
    )
    assert "People’s rankings: mean over test sets" in StudyPage(own, "1", charts=False).html()


def test_rankings_that_disagree_leave_it_open_and_against_a_baseline_they_speak_of_it() -> None:
    torn = ranked_study("b", "a")
    assert (torn.verdict.certainty, torn.verdict.by_people) == ("open", True)
    assert headline(torn).startswith("No clear winner")
    held = ranked_study("b", "b", baseline="b")
    assert (held.verdict.winner, held.verdict.pair) == ("b", ("a", "b"))
    assert headline(held) == "b: people prefer it, though automatic measures prefer a."


def test_on_one_set_rankings_go_before_metrics_too() -> None:
    [part, _] = ranked_study("b", "b").sets
    assert headline(part.dossier) == "b: people prefer it, though automatic measures prefer a."
    assert "<title>Which engine? b</title>" in manager_page(part.dossier, "1")


def test_many_sets_are_counted_and_not_told_one_by_one() -> None:
    told = said(many_sets())
    assert "Pass on all 10 sets: tests, metrics, settings, files and size." in told
    assert "Not known on any set: people, training and creation direction." in told
    assert "a is better than b by chrF on 9 of 10 sets (s1, s2, s4, s5 and 5 more)." in told
    assert "b wins on 1 of 10 sets (s3)." in told
    assert len(told) < 15


def test_of_many_sets_each_is_a_line_that_opens() -> None:
    own = many_sets()
    page = str(StudyPage(own, "1").html())
    assert re.findall(r'<li><a href="#([^"]+)">', page) == ["summary", "sets", "each", "segments"]
    assert page.count('<details class="set">') == len(own.sets)
    anchors = set(re.findall(r'id="([^"]+)"', page))
    assert set(re.findall(r'href="#(set-[^"]+)"', page)) <= anchors
    assert "b wins: by chrF and TER it is better than a." in page


def test_the_page_for_whoever_decides_has_costs_and_examples_of_both_sides_of_many_sets() -> None:
    own = many_sets()
    page = manager_page(own, "1")
    ter = next(table for table in own.study.tables if table.metric == "ter")
    assert [cost.system for cost in own.costs] == ["a", "b"]
    assert [cost.edits for cost in own.costs] == [score.score for score in ter.results]
    assert "All tests count alike in it." in page
    shown = re.findall(r"<h3>(s\d[^<]*)</h3>", page)
    assert [title.partition(": ")[2].removesuffix(".") for title in shown[:2]] == [
        "Where a is most ahead",
        "Where a is most behind",
    ]
    assert len({title.partition(" ")[0] for title in shown}) == 3


def test_systems_that_lack_the_same_sets_are_named_together() -> None:
    own = uneven_study("abc", "a")
    assert (
        "b and c have no output for s2 (en-he): they have no mean, and are compared on the other set."
        in said(own)
    )
    told = "b and c were not tested on s2 (en-he), and are compared on the other tests."
    assert told in manager_page(own, "1")
