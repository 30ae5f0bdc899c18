"""CoNLL-U in and out, and every way a file of it can be broken."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudge.data.dependencies import ParsedSentence
from adjudge.errors import DataError
from adjudge.io import conllu

CATS = """\
# newdoc id = ref.en
# segment = 1
# sent_id = 1.1
# text = The cats do n't sleep
1\tThe\tthe\tDET\tDT\t_\t2\tdet\t_\t_
2\tcats\tcat\tNOUN\tNNS\t_\t5\tnsubj\t_\t_
3-4\tdon't\t_\t_\t_\t_\t_\t_\t_\t_
3\tdo\tdo\tAUX\tVBP\t_\t5\taux\t_\t_
4\tn't\tnot\tPART\tRB\t_\t5\tadvmod\t_\t_
5\tsleep\tsleep\tVERB\tVB\t_\t0\troot\t_\t_
5.1\tsleep\tsleep\tVERB\tVB\t_\t_\t_\t1:x\t_

# segment = 3
1\tNo\t_\t_\t_\t_\t0\troot\t_\t_

1\t_\t_\tPUNCT\t_\t_\t0\troot\t_\t_
"""


def read(text: str) -> list[conllu.PlacedSentence]:
    return conllu.read("trees.conllu", text.encode())


def test_words_of_the_tree_are_read_and_others_left_out():
    first, second, third = read(CATS)
    assert first.sentence.words == ("The", "cats", "do", "n't", "sleep")
    assert first.sentence.lemmas == ("the", "cat", "do", "not", "sleep")
    assert first.sentence.heads == (2, 5, 5, 5, 0)
    assert first.sentence.tags == ("DT", "NNS", "VBP", "RB", "VB")
    assert first.sentence.classes == ("DET", "NOUN", "AUX", "PART", "VERB")
    assert first.sentence.relations == ("det", "nsubj", "aux", "advmod", "root")
    assert (first.document, first.segment, first.line) == ("ref.en", 1, 5)
    assert (second.sentence.lemmas, second.sentence.tags, second.segment) == (("",), ("",), 3)
    assert third.sentence.words == third.sentence.lemmas == ("_",)  # the character, not what is unknown
    assert third.segment == 3


def test_line_ends_of_windows_and_a_missing_last_one_are_read():
    assert [p.sentence for p in read(CATS.rstrip().replace("\n", "\r\n"))] == [p.sentence for p in read(CATS)]


plain_text = st.text(st.characters(exclude_categories=("C", "Z")), min_size=1, max_size=5)


@st.composite
def sentences(draw):
    size = draw(st.integers(1, 6))
    heads = [draw(st.integers(0, at)) for at in range(size)]
    heads = [0, *(head or 1 for head in heads[1:])]

    def column(values):
        return tuple(draw(st.lists(values, min_size=size, max_size=size)))

    known = plain_text.filter(lambda text: text != "_") | st.just("")
    return ParsedSentence(
        column(plain_text.filter(lambda text: text != "_")),
        tuple(heads),
        column(plain_text),
        column(known),
        column(known),
        column(known),
    )


@given(st.lists(st.lists(sentences(), max_size=3), max_size=4))
def test_what_is_written_is_read_again(segments):
    lines = list(conllu.write([("a text.en", segments)]))
    if not any(segments):
        assert not lines
        return
    again = [[] for _ in segments]
    for placed in read("\n".join([*lines, ""])):
        again[placed.segment - 1].append(placed.sentence)
        assert placed.document == "a text.en"
    assert again == segments


def test_white_space_in_a_word_does_not_end_a_column():
    odd = ParsedSentence(("a\tb\nc",), (0,), ("root",), lemmas=("\t",))
    (again,) = read("\n".join(conllu.write([("x", [[odd]])])))
    assert again.sentence.words == ("a b c",)
    assert again.sentence.lemmas == ("",)


def row(number, form="w", head="0", relation="root"):
    return f"{number}\t{form}\t_\t_\t_\t_\t{head}\t{relation}\t_\t_\n"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (row(1) + "2\tcat\t_\t_\t_\t_\t1\tdep\t_\n", r"line 2: 9 columns where CoNLL-U has 10 \("),
        ("1 cat _ _ _ _ 0 root _ _\n", r"line 1: 1 column where .* set apart by tabs, not spaces"),
        (
            row(1, head="2") + row(2, head="1") + row(3),
            r"line 1: word 1 \('w'\): its heads go round in a circle \(1 → 2 → 1\).*adjudge parse",
        ),
        (row(1) + row(2), r"line 2: word 2 \('w'\): a second root, beside word 1"),
        (row(1, head="2") + row(2, head="3") + row(3, head="1"), "line 1: .*no word is the root"),
        (row(1) + row(1, head="1"), "line 2: word 1 stands there twice, so that it has two heads"),
        (row(1) + row(2, head="1|3"), r"line 2: '1\|3' are two heads; a word has one"),
        (row(1) + row(2, head="7"), "line 2: .*its head is 7, but the words are numbered from 1 to 2"),
        (row(1) + row(2, head="2"), "line 2: .*its own head"),
        (row(1, head="_"), "line 1: there is no head: this sentence has not been parsed"),
        (row(1, head="one"), "line 1: the head is 'one'; the number of a word was expected"),
        (row(1) + row(3, head="1"), "line 2: word 2 was expected, and not '3'"),
        (row("x"), "line 1: word 1 was expected, and not 'x'"),
        ("# segment = none\n" + row(1), "line 1: # segment = 'none': the number of a segment"),
        ("# segment = 0\n" + row(1), "line 1: # segment = '0'"),
        ("", "is empty"),
    ],
)
def test_a_fault_is_named_with_its_line(text, message):
    with pytest.raises(DataError, match=f"trees.conllu.*{message}"):
        read(text)
