"""pearmut's logs of all versions: what was said, where errors lie, how long it took.

The first two logs were written by pearmut 1.1.4 and 1.1.6 as somebody marked these texts in a browser.
"""

import json

import numpy as np
import pytest

from adjudge.data.judgements import ORDINARY, REPEAT, TUTORIAL, Span
from adjudge.errors import DataError
from adjudge.io.judgements import read, read_texts

ITEMS = [
    {"src": "one", "tgt": {"A": "a😀b\nc <i>d</i> e", "B": "x👩‍👩y"}, "item_id": "i1"},
    {"src": "two", "tgt": {"A": "שלום 😀\nzwei", "B": "ok"}, "item_id": "i2", "ref": "zwo"},
]


def error(start, end, severity="minor", category=None):
    return {"start_i": start, "end_i": end, "category": category, "severity": severity}


def said(score, *errors, **more):
    return {"score": score, "error_spans": list(errors), "textfield": None, **more}


def entry(annotation, items=ITEMS, user="ann", item_i=0, actions=(), **more):
    return {
        "annotation": annotation,
        "actions": list(actions),
        "item": items,
        "user_id": user,
        "item_i": item_i,
        **more,
    }


def log(*entries):
    return "".join(json.dumps(entry, ensure_ascii=False) + "\n" for entry in entries)


def marked(*places):
    """What was marked in the two documents: emoji, c, missing; the two women; a word; zwei; missing."""
    (c, missing), (first, last) = places
    return [
        {
            "A": said(60, error(1, 2, "major"), error(c, c), error(missing, missing, "major")),
            "B": said(65, error(1, 5)),
        },
        {"A": said(70, error(0, 3), error(first, last, "major")), "B": said(75, error(2, 2))},
    ]


@pytest.mark.parametrize(
    ("version", "annotation"),
    [("1.1.4", marked((4, 16), (7, 10))), ("1.1.6", marked((5, 17), (8, 11)))],
)
def test_errors_lie_where_they_were_marked(write, version, annotation):
    loaded = read([write(log(entry(annotation)), "log.jsonl")])
    judgements = loaded.judgements
    assert (loaded.format, judgements.protocol, loaded.warnings) == ("pearmut", "esa", ())
    assert list(
        zip(judgements.system.values(), judgements.item.values(), judgements.score.tolist(), strict=True)
    ) == [
        ("A", "i1", 60),
        ("B", "i1", 65),
        ("A", "i2", 70),
        ("B", "i2", 75),
    ]
    texts = read_texts(judgements)
    told = [
        [None if span.start is None else text[span.start : span.end] for span in spans]
        for text, spans in zip(texts.target, judgements.spans, strict=True)
    ]
    assert told == [["😀", "c", None], ["👩‍👩"], ["שלום", "zwei"], [None]], version
    assert [span.severity for span in judgements.spans[0]] == ["major", "minor", "major"]
    assert texts.source == ("one", "one", "two", "two")
    assert texts.reference == (None, None, "zwo", "zwo")


def test_where_nothing_tells_breaks_are_counted(write):
    items = [{"tgt": {"A": "ab\ncdef"}, "item_id": "1"}]
    loaded = read([write(log(entry([{"A": said(1, error(4, 5))}], items)), "x.jsonl")])
    assert loaded.judgements.spans == ((Span(4, 6, "minor"),),)
    counting = "errors in texts with line breaks are taken to count these, as pearmut does since 1.1.5"
    assert loaded.warnings[0].endswith(f"x.jsonl: {counting}")
    # a break cannot be marked, so here they are not counted
    loaded = read([write(log(entry([{"A": said(1, error(2, 3))}], items)), "x.jsonl")])
    assert loaded.judgements.spans == ((Span(3, 5, "minor"),),)
    assert loaded.warnings == ()
    # nor is there anything behind [missing]
    loaded = read([write(log(entry([{"A": said(1, error(7, 7), error(3, 3))}], items)), "x.jsonl")])
    assert loaded.judgements.spans == ((Span(None, None, "minor"), Span(3, 4, "minor")),)


def test_other_tokens_and_severities(write):
    items = [{"tgt": {"A": "abc"}, "item_id": "1"}]
    spans = [error(3, 3), error(4, 4), error(0, 0, None), error(1, 1, "Major", "Style/Awkward style")]
    judgements = read([write(log(entry([{"A": said(1, *spans)}], items)), "x.jsonl")]).judgements
    assert judgements.protocol == "mqm"
    assert judgements.spans == (
        (
            Span(None, None, "minor"),
            Span(None, None, "minor", "special token 2"),
            Span(0, 1, "undecided"),
            Span(1, 2, "major", "Style/Awkward style"),
        ),
    )


def test_time_goes_to_what_it_was_spent_on(write):
    """Together it is what pearmut itself counts: pauses up to a minute."""
    actions = [
        {"time": 100.0, "action": "load"},
        {"time": 110.0, "action": "score", "index": 0, "model": "A", "value": 1},
        {"time": 510.0, "action": "score", "index": 1, "model": "B", "value": 1},
        {"time": 514.0, "action": "submit"},
    ]
    annotation = [{"A": said(1), "B": said(2)}, {"A": said(3), "B": said(4)}]
    judgements = read([write(log(entry(annotation, actions=actions)), "x.jsonl")]).judgements
    assert judgements.seconds.tolist() == [11, 1, 1, 61]
    assert judgements.start.tolist() == [100.0] * 4
    assert judgements.seconds.sum() == 10 + 60 + 4
    given = read([write(log(entry([{"A": said(1)}], actions=actions, time=9.5)), "x.jsonl")]).judgements
    assert given.seconds.tolist() == [9.5]
    untimed = read([write(log(entry([{"A": said(1)}])), "x.jsonl")]).judgements
    assert (untimed.seconds, untimed.start) == (None, None)


def test_the_last_answer_counts_and_what_was_reset_does_not(write):
    items = [{"tgt": {"A": "x", "B": "y"}, "item_id": "1"}]
    text = log(
        entry([{"A": said(1)}], items, "bob"),
        entry("__RESET__", None, "bob"),
        entry([{"A": said(2)}], items, "ann"),
        entry([{"A": said(3), "B": said(4)}], items, "ann"),
        entry([{"A": said(5)}], items, "ann", 1),
    )
    loaded = read([write(text, "x.jsonl")])
    assert loaded.judgements.score.tolist() == [3, 4, 5]
    assert loaded.judgements.line.tolist() == [4, 4, 5]
    assert loaded.warnings[0].endswith(
        "x.jsonl: 1 judgement left out that was given again: the last one counts"
    )


def test_pages_that_are_no_work(write):
    items = [{"tgt": {"A": "x"}, "item_id": "t"}]
    skipped = [{"time": 1.0, "action": "load"}, {"time": 2.0, "action": "submit_skip"}]
    form = [{"text": "your language?", "form": "string"}]
    text = log(
        entry([{"A": said(None)}], items, item_i="welcome_0", actions=skipped),
        entry(["Czech"], form, item_i="welcome_1"),
        entry([{"A": said(80)}], items, item_i="welcome_2"),
        entry([{"A": said(10)}], items, item_i="random_0"),
        entry([None, {"A": said(50)}], [{}, {"tgt": {"A": "x"}, "item_id": "1"}]),
        entry([{"A": said(20)}], [{**items[0], "kind": "repeat"}], item_i=1),
    )
    judgements = read([write(text, "x.jsonl")]).judgements
    assert judgements.score.tolist() == [80, 10, 50, 20]
    assert judgements.kind.tolist() == [TUTORIAL, TUTORIAL, ORDINARY, REPEAT]


def test_sliders_are_measures_and_their_mean_the_score(write):
    sliders = {"Fluency": 4, "Adequacy": 2}
    text = log(entry([{"A": said(None, sliders=sliders)}]), entry([{"A": said(9, sliders={})}], item_i=1))
    path = write(text, "x.jsonl")
    judgements = read([path]).judgements
    assert judgements.score.tolist() == [3, 9]
    assert judgements.measures["Fluency"][0] == 4
    assert np.isnan(judgements.measures["Adequacy"][1])
    assert read([path], column="Fluency").judgements.score[0] == 4


def test_items_of_wmt_say_where_they_are_from(write):
    items = [{"tgt": {"A": "x"}, "item_id": f"cs-de_DE_#_news_#_idnes.1_#_{number}"} for number in range(2)]
    judgements = read([write(log(entry([{"A": said(1)}, {"A": said(2)}], items)), "x.jsonl")]).judgements
    assert {name: column.names for name, column in judgements.labels.items()} == {
        "languages": ("cs-de_DE",),
        "domain": ("news",),
        "document": ("idnes.1",),
    }


def test_older_versions(write):
    """0.0 to 0.2: `annotations`, a text with a system's name, a list of texts, the whole page as the item."""
    pointwise = {
        "annotations": [{"score": 3, "error_spans": [error(0, 1)]}, {"score": 4, "error_spans": []}],
        "actions": [
            {"time": 0.0, "action": "load"},
            {"time": 5.0, "action": "score", "index": 0, "value": 3},
            {"time": 7.0, "action": "submit"},
        ],
        "item": {
            "status": "ok",
            "payload": [
                {"doc_id": "d", "sys_id": "A", "src": "s", "tgt": "xyz"},
                {"doc_id": "d", "sys_id": "A", "src": "s", "tgt": "uvw"},
            ],
        },
        "user_id": "ann",
        "item_i": 3,
    }
    listwise = {
        "annotations": [[said(1), said(2)]],
        "actions": [],
        "item": [{"doc_id": "e", "models": ["A", "B"], "src": "s", "tgt": ["x", "y"]}],
        "user_id": "ann",
        "item_i": 4,
    }
    nameless = {**listwise, "item": [{"doc_id": "f", "src": "s", "tgt": ["x", "y"]}], "item_i": 5}
    judgements = read([write(log(pointwise, listwise, nameless), "x.jsonl")]).judgements
    assert list(
        zip(judgements.system.values(), judgements.item.values(), judgements.score.tolist(), strict=True)
    ) == [
        ("A", "d#1", 3),
        ("A", "d#2", 4),
        ("A", "e", 1),
        ("B", "e", 2),
        ("candidate 1", "f", 1),
        ("candidate 2", "f", 2),
    ]
    assert judgements.spans[0] == (Span(0, 2, "minor"),)
    assert judgements.seconds[:2].tolist() == [6, 1]
    assert read_texts(judgements).target == ("xyz", "uvw", "x", "y", "x", "y")


def test_a_download_of_several_campaigns(write):
    both = {"first": [entry([{"A": said(1)}])], "second": [entry([{"B": said(2)}])]}
    for text in (json.dumps(both), json.dumps(both, indent=1)):
        judgements = read([write(text, "annotations.json")]).judgements
        assert judgements.labels["campaign"].values() == ["first", "second"]
        assert judgements.score.tolist() == [1, 2]


def test_entries_without_items(write):
    loaded = read(
        [write(log({"user_id": "eve", "item_i": 0, "annotation": {"A": said(1, error(3, 5))}}), "x.jsonl")]
    )
    assert loaded.judgements.item.values() == ["0"]
    assert loaded.judgements.spans == ((Span(3, 6, "minor"),),)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (log(entry([{"A": said("high")}])), "line 1: 'high' is no score"),
        (log(entry([{"A": said(1)}]), {"user_id": "ann"}), "line 2: no 'user_id' and 'annotation'"),
        (log(entry([{"A": said(1)}])) + "{\n", "line 2: not JSON"),
        (log(entry([{"A": said(1, {"start_i": 1})}])), "line 1: an error needs start_i and end_i"),
        (log(entry([{"A": said(1, error(2, 1))}])), "line 1: an error from 2 to 1"),
        (log(entry([{"A": {"score": 1, "error_spans": 3}}])), "line 1: error_spans is no list"),
        (log(entry(3)), "line 1: annotations of a document were expected, as a list"),
        (log(entry([3])), "line 1: an object was expected for every segment"),
        (log(entry([None])), "nobody has judged anything in it"),
        (json.dumps({"c": [entry([]), 3]}), "'c', entry 2 is no annotation"),
        (json.dumps({"info": {}, "campaign_id": "c", "data": []}, indent=2), "holds a pearmut campaign"),
        (json.dumps({"c": {"ann": {"progress": []}}}), "holds a pearmut campaign"),
    ],
)
def test_what_is_broken_is_named(write, text, message):
    with pytest.raises(DataError) as error:
        read([write(text, "x.jsonl")])
    assert "x.jsonl" in str(error.value)
    assert message in str(error.value)


def without_pages(*entries):
    return log(*({key: value for key, value in own.items() if key != "item_i"} for own in entries))


def one(name, score, source="text", user="ann"):
    item = {"src": source, "tgt": {"A": "x"}, **({"item_id": name} if name else {})}
    return entry([{"A": said(score)}], [item], user=user)


def test_items_of_a_log_without_item_i_stay_apart(here):
    here.put(
        "log.jsonl",
        without_pages(one("i1", 10), one("i2", 20), one("i3", 30), one("i2", 25), one("i1", 1, user="bob")),
    )
    loaded = read("log.jsonl")
    found = loaded.judgements
    assert sorted(zip(found.annotator.values(), found.item.values(), found.score.tolist(), strict=True)) == [
        ("ann", "i1", 10),
        ("ann", "i2", 25),
        ("ann", "i3", 30),
        ("bob", "i1", 1),
    ]
    assert "1 judgement left out" in loaded.warnings[0]


def test_an_item_may_stand_elsewhere_on_another_page_without_item_i(here):
    answers = [{"A": said(10)}, {"A": said(20)}]
    here.put(
        "log.jsonl",
        without_pages(entry(answers), entry(answers[::-1], ITEMS[::-1]), entry(answers[:1], ITEMS[1:])),
    )
    found = read("log.jsonl").judgements
    assert dict(zip(found.item.values(), found.score.tolist(), strict=True)) == {"i1": 10, "i2": 10}


@pytest.mark.parametrize(
    ("entries", "message"),
    [
        (
            [one("i1", 1), one("", 2)],
            r"line 2: nothing tells which item was judged; give the page its 'item_i'",
        ),
        (
            [one("d", 1, "eins"), one("d", 2, "zwei")],
            r"line 2: item 'd' has another source than in line 1, and no 'item_i'",
        ),
    ],
)
def test_items_that_nothing_tells_apart_are_refused(here, entries, message):
    here.put("log.jsonl", without_pages(*entries))
    with pytest.raises(DataError, match=message):
        read("log.jsonl")
    here.put("log.jsonl", log(*({**own, "item_i": number} for number, own in enumerate(entries))))
    assert len(read("log.jsonl").judgements) == 2


def test_what_was_not_judged_needs_no_name(here):
    here.put(
        "log.jsonl", without_pages(entry([None, {"A": said(5)}], [{}, {"tgt": {"A": "x"}, "item_id": "1"}]))
    )
    assert read("log.jsonl").judgements.item.values() == ["1"]
