"""MEANT by hand: words alone, words that are alike, and who did what to whom."""

import json
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudge import metrics
from adjudge.data import TestSet
from adjudge.data.dependencies import ParsedSentence, Treebank
from adjudge.errors import DataError, MissingResourceError, UsageError
from adjudge.text import frames
from adjudge.text.frames import Frame, FrameArgument, FramedText
from helpers import fakes
from helpers.fake_worker import vector


def score(options: str, output: str, *references: str) -> float:
    metric = metrics.metric(f"meant({options})")
    test_set = TestSet(references=tuple((reference,) for reference in references))
    return float(metric.stats(metric.prepare(test_set), [output])[0, 0])


def test_words_alone():
    # precision 2/3 (the, cat), recall 2/4: F = P·R / (0.7 P + 0.3 R)
    precision, recall = 2 / 3, 2 / 4
    expected = 100 * precision * recall / (0.7 * precision + 0.3 * recall)
    assert score("idf=false", "the dog cat", "The cat sat down") == pytest.approx(expected)
    assert score("idf=false,alpha=1", "the dog cat", "The cat sat down") == pytest.approx(100 * recall)
    assert score("idf=false,alpha=0", "the dog cat", "The cat sat down") == pytest.approx(100 * precision)
    assert score("idf=false,alpha=0,lowercase=false", "the dog cat", "The cat sat down") == pytest.approx(
        100 / 3
    )


def test_rare_words_weigh_more():
    # Two references as documents: "a" is in both, "b" and "c" in one, "d" in none.
    test_set = TestSet(references=(("a b", "a c"),))
    metric = metrics.metric("meant(alpha=0)")
    both, single, unseen = math.log(1 + 3 / 3), math.log(1 + 3 / 2), math.log(1 + 3)
    rows = metric.stats(metric.prepare(test_set), ["a d", "c d"])
    assert rows[:, 0] / 100 == pytest.approx([both / (both + unseen), single / (single + unseen)])


def cosine(a: str, b: str) -> float:
    a, b = np.array(vector(a)), np.array(vector(b))
    return max(0.0, float(a @ b / np.sqrt((a @ a) * (b @ b))))


def test_words_that_are_alike():
    options = f"model={fakes.FOLDER},python={fakes.WORKER},idf=false,alpha=0"
    best = [max(cosine(word, other) for other in ("cat", "sat")) for word in ("dog", "sat")]
    assert best[1] == pytest.approx(1)
    assert score(options, "dog sat", "cat sat") == pytest.approx(100 * sum(best) / 2, rel=1e-6)
    assert score(options, "", "cat sat") == 0


# Output and reference of the example: the same words, but the dog bites where the man did.
MAN = {
    "text": "the man bit the dog",
    "frames": [
        {
            "predicate": [2],
            "arguments": [{"role": "agent", "words": [0, 1]}, {"role": "patient", "words": [3, 4]}],
        }
    ],
}
DOG = {
    "text": "the dog bit the man",
    "frames": [
        {
            "predicate": [2],
            "arguments": [{"role": "agent", "words": [0, 1]}, {"role": "patient", "words": [3, 4]}],
        }
    ],
}
RAIN = {"text": "rain today", "frames": []}


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "frames.jsonl"
    path.write_text("\n".join(map(json.dumps, (MAN, DOG, RAIN))))
    return path


def test_who_did_what_to_whom(file):
    text, other = MAN["text"], DOG["text"]
    assert score("idf=false", other, text) == pytest.approx(100)
    assert score(f"idf=false,frames={file}", text, text) == pytest.approx(100)
    # The predicate weighs 1 and matches; of each argument's two words one ("the") does: (1 + 1 + 1) / 5.
    assert score(f"idf=false,frames={file},beta=1", other, text) == pytest.approx(60)
    assert score(f"idf=false,frames={file},beta=0.1", other, text) == pytest.approx(90 + 6)
    assert score(f"idf=false,frames={file},beta=1", RAIN["text"], text) == 0
    assert score(f"idf=false,frames={file},beta=1", RAIN["text"], RAIN["text"]) == pytest.approx(100)


def test_frames_in_the_tokens_of_a_model(file):
    options = f"model={fakes.FOLDER},python={fakes.WORKER},idf=false,frames={file},beta=1"
    assert score(options, MAN["text"], MAN["text"]) == pytest.approx(100)
    parts = [("the", "dog"), ("the", "man")]
    share = sum(max(cosine(word, o) for o in parts[1 - p]) for p in (0, 1) for word in parts[p])
    assert score(options, DOG["text"], MAN["text"]) == pytest.approx(100 * (1 + share) / 5, rel=1e-6)


def test_a_role_that_is_empty_on_one_side_counts_nothing(tmp_path):
    path = tmp_path / "frames.jsonl"
    first = {"text": "x b", "frames": [{"predicate": [1], "arguments": [{"role": "agent", "words": [0]}]}]}
    other = {"text": "b x", "frames": [{"predicate": [0], "arguments": [{"role": "patient", "words": [1]}]}]}
    path.write_text("\n".join(map(json.dumps, (first, other))))
    assert score(f"idf=false,frames={path},beta=1", "x b", "b x") == pytest.approx(50)


def test_two_frames_of_one_verb_go_with_their_own(tmp_path):
    path = tmp_path / "frames.jsonl"
    text = "a said b c said d"
    own = [
        {
            "predicate": [p],
            "arguments": [{"role": "agent", "words": [p - 1]}, {"role": "patient", "words": [p + 1]}],
        }
        for p in (1, 4)
    ]
    document = {"text": text, "frames": own}
    turned = {"text": "c said d a said b", "frames": own}
    path.write_text("\n".join(map(json.dumps, (document, turned))))
    for output in (text, "c said d a said b"):
        assert score(f"frames={path},beta=1", output, text) == pytest.approx(100)


@pytest.mark.parametrize(
    "line",
    [
        "{",
        "[]",
        '{"words": []}',
        '{"text": "a", "frames": [{"predicate": [1]}]}',
        '{"text": "a", "frames": [{}]}',
    ],
)
def test_files_of_frames_that_cannot_be_read(tmp_path, line):
    path = tmp_path / "frames.jsonl"
    path.write_text('{"text": "a"}\n' + line)
    with pytest.raises(DataError, match=r"frames.jsonl, line 2: not the frames of a text"):
        frames.read(str(path))


def test_texts_without_frames_are_an_error(file):
    with pytest.raises(DataError, match="has nothing for the text 'unknown words'"):
        score(f"frames={file}", "unknown words", MAN["text"])
    with pytest.raises(MissingResourceError, match=r"--trees TEXT=FILE"):
        score("frames=trees", "a", "a")


def test_frames_of_trees():
    # The dog was bitten yesterday . It fell .
    first = ParsedSentence(
        ("The", "dog", "was", "bitten", "yesterday", "."),
        (2, 4, 4, 0, 4, 4),
        ("det", "nsubj:pass", "aux:pass", "root", "obl:tmod", "punct"),
        classes=("DET", "NOUN", "AUX", "VERB", "NOUN", "PUNCT"),
    )
    second = ParsedSentence(
        ("It", "fell", "."), (2, 0, 2), ("nsubj", "root", "punct"), classes=("PRON", "VERB", "PUNCT")
    )
    assert frames.from_trees([first, second]) == FramedText(
        (*first.words, *second.words),
        (
            Frame((2, 3), (FrameArgument("patient", (0, 1)), FrameArgument("circumstance", (4,)))),
            Frame((7,), (FrameArgument("agent", (6,)),)),
        ),
    )
    assert frames.from_trees([]) == FramedText(())


def test_trees_that_come_with_the_test_set():
    def bite(first: str, second: str) -> tuple[str, tuple[ParsedSentence]]:
        words, heads = (first, "bit", second), (2, 0, 2)
        classes = ("NOUN", "VERB", "NOUN")
        return " ".join(words), (ParsedSentence(words, heads, ("nsubj", "root", "obj"), classes=classes),)

    trees = dict([bite("man", "dog"), bite("dog", "man")])
    test_set = TestSet(references=(("man bit dog",),), trees=Treebank(trees))
    metric = metrics.metric("meant(frames=trees,beta=1,idf=false)")
    rows = metric.stats(metric.prepare(test_set), ["dog bit man"])
    assert rows[0, 0] == pytest.approx(100 / 3)  # the predicate alone
    assert "|trees:" in metric.signature(test_set)


def test_words_with_vectors(tmp_path):
    file = tmp_path / "words.vec"
    file.write_text("cat 1 0\ndog 0.6 0.8\nsat -1 0\n")
    options = f"idf=false,alpha=0,vectors={file}"
    assert score(options, "dog", "cat") == pytest.approx(60)
    assert score(options, "Dog zebra", "cat zebra") == pytest.approx(
        80
    )  # a word without a vector is like itself
    assert score(options, "sat", "cat") == 0


@given(st.lists(st.sampled_from("abc"), min_size=1, max_size=6), st.lists(st.sampled_from("abc"), max_size=6))
def test_no_score_is_better_than_that_of_the_reference(reference, output):
    reference, output = " ".join(reference), " ".join(output)
    best = score("", reference, reference)
    assert best == pytest.approx(100)
    assert 0 <= score("", output, reference) <= best + 1e-9
    assert score("", output, reference, output or "d") >= score("", output, reference) - 1e-9


@pytest.mark.parametrize(
    "options",
    [
        "alpha=2",
        "beta=-1",
        "layer=0",
        "layer=2",
        "frames=",
        "model=m,tokenize=13a",
        "parser=x",
        "model=m,vectors=v",
    ],
)
def test_what_cannot_be_asked(options):
    with pytest.raises(UsageError):
        metrics.metric(f"meant({options})")
