"""TERp against its definition, and against what TERp itself gave on real files."""

import gzip
import lzma
from collections.abc import Sequence
from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from adjudge import _native
from adjudge.data import TestSet
from adjudge.errors import DataError, MissingResourceError, UsageError
from adjudge.io import compression
from adjudge.metrics import metric
from adjudge.metrics.base import Rows
from adjudge.metrics.terp import Terp
from adjudge.metrics.terp_parameters import PARAMETERS
from adjudge.text import resources, terp_words
from oracles import terp as oracle

TER = Terp(parameters="ter")
PLAIN = Terp(synonyms="none")  # needs nothing but the package
TUNED = oracle.Settings(
    insert=0.2588527567630183,
    delete=1.4269364675533365,
    substitute=1.5565478292505814,
    shift=0.5620538767397316,
    stem=0.0,
    synonym=0.0,
    beam=35,
    shifts="relax",
)
BOTH = TUNED.insert + TUNED.delete
needs_wordnet = pytest.mark.skipif(resources.debian_wordnet() is None, reason="apt-get install wordnet-base")


def rows(terp: Terp, hypotheses: Sequence[str], *references: Sequence[str | None], threads: int = 1) -> Rows:
    return terp.stats(terp.prepare(TestSet(references=references)), hypotheses, threads=threads)


def row(terp: Terp, hypothesis: str, *references: str | None) -> list[float]:
    return rows(terp, [hypothesis], *([reference] for reference in references))[0].tolist()


def expected(settings: oracle.Settings, hypothesis: str, reference: str) -> list[float]:
    words = reference.split()
    result = oracle.terp(settings, hypothesis.split(), words)
    return [result.cost, len(words), *result.counts()]


# Worked by hand: cost, words, then insertions, deletions, substitutions, stems, synonyms, phrases, shifts, moved words


@pytest.mark.parametrize(
    ("terp", "hypothesis", "reference", "expected"),
    [
        (TER, "a b c", "a b c", [0, 3, 0, 0, 0, 0, 0, 0, 0, 0]),
        (TER, "A b", "a B", [0, 2, 0, 0, 0, 0, 0, 0, 0, 0]),
        (TER, "b c a", "a b c", [1, 3, 0, 0, 0, 0, 0, 0, 1, 1]),
        (TER, "d e f a b c", "a b c d e f", [1, 6, 0, 0, 0, 0, 0, 0, 1, 3]),
        (TER, "a x c", "a b c d", [2, 4, 0, 1, 1, 0, 0, 0, 0, 0]),
        (TER, "a b c", "a c", [1, 2, 1, 0, 0, 0, 0, 0, 0, 0]),
        (PLAIN, "he walks", "he walked", [0, 2, 0, 0, 0, 1, 0, 0, 0, 0]),
        (replace(PLAIN, stem=0.5), "he walks", "he walked", [0.5, 2, 0, 0, 0, 1, 0, 0, 0, 0]),
        (replace(PLAIN, stems=False, substitution=2.0), "he walks", "he ran", [BOTH, 2, 1, 1, 0, 0, 0, 0, 0, 0]),
        (replace(PLAIN, shift=0.25), "walks he fast", "he fast walked", [0.25, 3, 0, 0, 0, 1, 0, 0, 1, 1]),
        # Words of the stop list are not worth a shift of their own.
        (replace(PLAIN, shift=0.25), "of x y", "y of x", [0.25, 3, 0, 0, 0, 0, 0, 0, 1, 1]),
        (replace(PLAIN, shift=0.25), "of the", "the of", [BOTH, 2, 1, 1, 0, 0, 0, 0, 0, 0]),
    ],
)  # fmt: skip
def test_edits(terp: Terp, hypothesis: str, reference: str, expected: list[float]) -> None:
    assert row(terp, hypothesis, reference) == pytest.approx(expected, abs=1e-12)


def test_a_shift_that_gains_nothing_is_made() -> None:
    # One edit saved for one shift: TERp's search takes it where TER's would not.
    assert row(TER, "b a", "a b")[2:] == [0, 0, 0, 0, 0, 0, 1, 1]


@pytest.mark.parametrize("terp", [TER, PLAIN])
def test_empty_text(terp: Terp) -> None:
    deletion, insertion = terp.settings.deletion, terp.settings.insertion
    assert row(terp, "", "a b") == [2 * deletion, 2, 0, 2, 0, 0, 0, 0, 0, 0]
    assert row(terp, "a b", " \t") == [2 * insertion, 0, 2, 0, 0, 0, 0, 0, 0, 0]
    assert row(terp, "", "") == [0] * 10
    assert terp.aggregate(rows(terp, ["", "a b", ""], ["a b", "", ""])).tolist() == [100, 100, 0]


def test_scores_end_at_100_where_that_is_asked_for() -> None:
    uncapped = replace(PLAIN, cap=False)
    both = rows(PLAIN, ["x y z", "a"], ["a", "a"])
    assert PLAIN.aggregate(both)[0] == 100
    assert uncapped.aggregate(both)[0] == pytest.approx(100 * (1.5565478292505814 + 2 * 0.2588527567630183))
    assert TER.aggregate(rows(TER, ["x y z"], ["a"]))[0] == 300


def test_the_cheapest_reference_and_the_mean_length() -> None:
    assert row(TER, "a b c d", "a b x y", "a b c")[:3] == [1, 3.5, 1]
    assert row(TER, "a b c d", "a b x y", None)[:2] == [2, 4]
    assert row(TER, "a x", "a b", "a x y")[2:4] == [0, 0]  # of equals the first


# The definition

symbols = st.text(alphabet="abcde", min_size=0, max_size=12).map(" ".join)
few_costs = st.sampled_from([0.0, 0.25, 0.5, 1.0, 1.4269364675533365])


@st.composite
def knowledge(draw: st.DrawFn) -> tuple[dict[str, int], dict[str, list[int]], frozenset[str]]:
    stems = {word: draw(st.integers(0, 6)) for word in "abcde"}
    synsets = {word: sorted(draw(st.sets(st.integers(0, 5), max_size=2))) for word in "abcde"}
    return stems, synsets, frozenset(draw(st.sets(st.sampled_from("abcde"), max_size=2)))


@settings(max_examples=200)
@given(
    symbols,
    symbols,
    knowledge(),
    st.tuples(few_costs, few_costs, few_costs, few_costs, few_costs, few_costs),
    st.sampled_from([0.2, 0.5620538767397316, 1.0]),
    st.sampled_from(["none", "exact", "relax_nophrase", "relax"]),
    st.sampled_from([0, 1, 3, 35]),
    st.sampled_from([(10, 50), (2, 3), (0, 4), (1, 1)]),
)
@example(
    "a b c d e",
    "e d c b a",
    ({}, {}, frozenset()),
    (0.0, 1.0, 1.0, 1.0, 1.0, 1.0),
    1.0,
    "exact",
    20,
    (10, 50),
)
def test_the_kernel_does_what_the_definition_says(
    hypothesis, reference, known, costs, shift, shifts, beam, limits
):
    stems, synsets, stop_words = known
    texts = _native.TerpTexts(_native.texts([hypothesis]), [_native.texts([reference])], False, False)
    listed = [synsets.get(word, []) for word in texts.words]
    words = _native.TerpWords(
        [stems.get(word, -1) for word in texts.words],
        [0, *np.cumsum([len(ids) for ids in listed]).tolist()],
        [synset for ids in listed for synset in ids],
        [word in stop_words for word in texts.words],
    )
    match, insert, delete, substitute, stem, synonym = costs
    definition = oracle.Settings(
        match=match,
        insert=insert,
        delete=delete,
        substitute=substitute,
        stem=stem,
        synonym=synonym,
        shift=shift,
        beam=beam,
        longest_shift=limits[0],
        farthest_shift=limits[1],
        shifts=shifts,
        same_stem=lambda a, b: a in stems and stems[a] == stems[b],
        synonymous=lambda a, b: bool(set(synsets.get(a, [])) & set(synsets.get(b, []))),
        stop_words=stop_words,
    )
    result = _native.terp_rows(
        texts, words, None, [*costs, shift], beam, *limits, shifts, [0.0, 0.0, 0.0, 0.0], 1
    )
    assert result[0].tolist() == expected(definition, hypothesis, reference)


TABLE = """\
0.5 <p>a b</p> <p>c</p>
0.25 0.125 <p>c d</p> <p>e a</p>
1e-2 <p>e</p> <p>b c d</p>
0.9 <p>a</p> <p>b</p>

0.1 <p>a</p> <p>b</p>
"""
PAIRS = [
    ("a b", "c", 0.5),
    ("c d", "e a", 0.25),
    ("c d", "e a", 0.125),
    ("e", "b c d", 0.01),
    ("a", "b", 0.9),
    ("a", "b", 0.1),
]


@cache
def definition_with_phrases() -> oracle.Settings:
    s = PARAMETERS["terp-a"]
    phrases: oracle.Phrases = {}
    for reference, other, p in PAIRS:
        edits = oracle.terp(TUNED, other.split(), reference.split()).cost
        cost = s.phrase + edits * (s.phrase_log * np.log10(p) + s.phrase_probability * p + s.phrase_edits)
        others = phrases.setdefault(tuple(reference.split()), {})
        others[tuple(other.split())] = min(max(0.0, float(cost)), others.get(tuple(other.split()), np.inf))
    return replace(TUNED, phrases=phrases)


@given(symbols, symbols)
@example("x y c", "c x y a b")
def test_phrases(tmp_path_factory, hypothesis, reference):
    table = tmp_path_factory.getbasetemp() / "phrases.gz"
    if not table.exists():
        table.write_bytes(gzip.compress(TABLE.encode()))
    terp = replace(PLAIN, phrases=str(table), stop_words="none")
    assert row(terp, hypothesis, reference) == pytest.approx(
        expected(definition_with_phrases(), hypothesis, reference), abs=1e-9
    )


def test_meteors_paraphrases_hold_in_both_directions(tmp_path):
    table = tmp_path / "paraphrase-en"
    table.write_text("0.5\nin spite of\ndespite\n")
    terp = replace(PLAIN, phrases=str(table))
    for hypothesis, reference in (("despite it", "in spite of it"), ("in spite of it", "despite it")):
        assert row(terp, hypothesis, reference)[7] == 1
    assert row(PLAIN, "despite it", "in spite of it")[7] == 0


@pytest.mark.parametrize(
    ("content", "line"),
    [
        ("0.5 <p>a</p> <p>b</p>\n0.5 <p>a</p>\n", 2),
        ("0.5 <p>a</p> <p>b</p> c\n", 1),
        ("<p>a</p> <p>b</p>\n", 1),
        ("0.5 <p>a</p> <p>b</p>\n-1 <p>a</p> <p>b</p>\n", 2),
        ("0.5\na\nb\n0.5\na\n", 5),
        ("a\nb\nc\n", 1),
        ("0.5\n\nb\n", 2),
    ],
)
def test_tables_that_are_none(tmp_path, content, line):
    table = tmp_path / "table"
    table.write_text(content)
    with pytest.raises(DataError, match=rf"table, line {line}: .* is no line of a phrase table; expected"):
        row(replace(PLAIN, phrases=str(table)), "a", "a")


@given(st.integers(1, 60), st.sampled_from(["plain", "gz", "xz"]))
def test_tables_are_read_by_pieces(tmp_path_factory, size, packing):
    table = tmp_path_factory.getbasetemp() / f"pieces{'' if packing == 'plain' else '.' + packing}"
    pack = {"plain": bytes, "gz": gzip.compress, "xz": lzma.compress}[packing]
    references = [_native.texts(["a b c x y"])]

    def count(content: str) -> int:
        table.write_bytes(pack(content.encode()))
        return len(terp_words.terp_phrases(str(table), references, normalized=True, no_punct=False))

    # After TERp's lines a blank one and then junk; METEOR's last line has no end.
    for content, ahead in ((TABLE, 2), ("0.5\na b\nx\n0.25\ny\nc\n1\nq\nr", 1)):
        whole = count(content)
        with pytest.MonkeyPatch.context() as patch:
            for name in ("_READ", "_PIECE", "_MOST_AT_ONCE"):
                patch.setattr(compression, name, size)
            assert count(content) == whole > 1
            line = len(content.splitlines()) + ahead
            with pytest.raises(DataError, match=f"line {line}: 'junk' is no line of a phrase table"):
                count(f"{content}\njunk\n")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "no phrase in it; expected were lines PROBABILITY <p>PHRASE</p>"),
        (b"\n \n", "no phrase in it"),
        (b"0.5 <p>a</p> <p>b</p>\n0.5 <p>a</p> <p>\xe9</p>\n", r"table, line 2: not UTF-8 \(0xe9\)"),
    ],
)
def test_tables_with_nothing_or_no_text_in_them(tmp_path, content, message):
    table = tmp_path / "table"
    table.write_bytes(content)
    with pytest.raises(DataError, match=message):
        row(replace(PLAIN, phrases=str(table)), "a", "a")


def test_a_truncated_table_and_one_that_is_not_there(tmp_path):
    table = tmp_path / "table.gz"
    table.write_bytes(gzip.compress(TABLE.encode() * 50)[:-20])
    for path in (table, tmp_path / "other.gz"):
        with pytest.raises(DataError, match=path.name):
            row(replace(PLAIN, phrases=str(path)), "a", "a")


# Laws

segments = st.lists(st.sampled_from(["a", "b", "c", "walk", "walks", "walked", ",", "the"]), max_size=12).map(
    " ".join
)
presets = st.sampled_from([TER, PLAIN, replace(PLAIN, parameters="terp-h")])


@given(segments, presets)
def test_what_is_equal_costs_nothing(segment, terp):
    assert row(terp, segment, segment)[0] == 0
    assert row(terp, segment, "x y z", segment)[0] == 0  # nor does it with another reference beside


@given(segments, segments)
def test_ters_costs_without_shifts_are_the_word_error_rate(hypothesis, reference):
    """And with shifts, which are made where they cost no more than they save, there are no more edits."""
    wer = metric("wer")
    test_set = TestSet(references=[[reference]])
    edits = wer.stats(wer.prepare(test_set), [hypothesis])[0, 0]
    plain = replace(TER, normalize=False, shifts="none")
    assert row(plain, hypothesis, reference)[0] == edits
    assert row(replace(plain, shifts="exact"), hypothesis, reference)[0] <= edits


@given(segments, segments, presets)
def test_costs_twice_as_high_make_twice_the_score(hypothesis, reference, terp):
    names = ("insertion", "deletion", "substitution", "stem", "synonym", "shift")
    twice = replace(terp, **{name: 2 * getattr(terp.settings, name) for name in names})
    assert row(twice, hypothesis, reference)[0] == pytest.approx(
        2 * row(terp, hypothesis, reference)[0], abs=1e-9
    )
    assert row(twice, hypothesis, reference)[1:] == row(terp, hypothesis, reference)[1:]


@given(segments, segments, presets)
def test_the_cost_is_the_sum_of_the_edits(hypothesis, reference, terp):
    cost, _, insertions, deletions, substitutions, stems, synonyms, _, shifts, _ = row(
        terp, hypothesis, reference
    )
    s = terp.settings
    assert cost == pytest.approx(
        insertions * s.insertion + deletions * s.deletion + substitutions * s.substitution
        + stems * s.stem + synonyms * s.synonym + shifts * s.shift,
        abs=1e-9,
    )  # fmt: skip


# Words

texts = st.text(alphabet="abAB19 .,-'s\"()&;/!?\t\n\x0b\x1f\xa0é<>", max_size=40)


@given(texts, st.booleans(), st.booleans())
@example(" 'Hello.' (one, two.) 1,000. U.S. 3-4 &quot;it's&quot; <skipped> x's", True, False)
@example("“So, 5.”  ’s  a.b, c.", True, True)
def test_words(text, normalize, no_punct):
    native = _native.TerpTexts(
        _native.texts([text], lowercase=True), [_native.texts([""])], normalize, no_punct
    )
    assert native.tokens(0) == oracle.words(text, normalize=normalize, punctuation=not no_punct)


# TERp itself


def golden(shared, name: str) -> Rows:
    """Rows of one of TERp's summaries in our order of columns."""
    result = {}
    for line in (shared.golden / "terp" / f"w1.sys1.{name}.sum").read_text().splitlines():
        fields = [field.strip() for field in line.split("|")]
        if len(fields) == 12 and fields[0].isdigit():
            result[int(fields[0])] = [float(fields[9]), float(fields[10]), *map(float, fields[1:9])]
    return np.array([result[number] for number in sorted(result)])


@pytest.mark.parametrize(
    ("terp", "name"),
    [(TER, "terp_ter"), pytest.param(Terp(), "terpa_nophrase", marks=needs_wordnet)],
)
def test_every_segment_is_terps(shared, terp, name):
    ours = rows(terp, shared.lines("w1.sys1.en"), shared.lines("w1.ref.en"), threads=0)
    theirs = golden(shared, name)
    assert ours.shape == theirs.shape == (2445, 10)
    assert np.abs(ours[:, 0] - theirs[:, 0]).max() < 5.001e-4  # three digits are printed
    assert (ours[:, 1:] == theirs[:, 1:]).all()


@needs_wordnet
def test_segment_scores_are_terps_to_the_last_digits(shared):
    theirs = {}
    for line in (shared.golden / "terp" / "w1.sys1.terpa_nophrase.seg.scr").read_text().splitlines():
        number, score, words = line.split()
        theirs[int(number)] = float(score), float(words)
    ours = rows(Terp(), shared.lines("w1.sys1.en"), shared.lines("w1.ref.en"), threads=0)
    wanted = np.array([theirs[number] for number in range(1, len(ours) + 1)])
    assert Terp().for_segments().aggregate(ours) / 100 == pytest.approx(wanted[:, 0], abs=1e-14)
    assert (ours[:, 1] == wanted[:, 1]).all()


def test_ters_costs_give_tercoms_edits_on_real_segments(shared):
    references, outputs = shared.lines("w1.tok.ref.en"), shared.lines("w1.tok.sys1.en")

    def edits(spec):
        chosen = metric(spec)
        return chosen.stats(chosen.prepare(TestSet(references=[references])), outputs)[:, 0]

    terp = edits("terp(parameters=ter,normalize=false)")
    assert (terp == edits("ter(implementation=tercom)")).all()
    assert (terp - edits("ter")).sum() == np.count_nonzero(terp != edits("ter")) == 3


def test_rows_do_not_depend_on_threads(shared):
    hypotheses, references = shared.lines("w1.sys2.en")[:300], shared.lines("w1.ref.en")[:300]
    first = rows(PLAIN, hypotheses, references, threads=1)
    assert (rows(PLAIN, hypotheses, references, threads=3) == first).all()


# Edits to look at


@pytest.mark.parametrize("terp", [TER, PLAIN])
def test_alignments_say_what_the_rows_count(shared, terp):
    hypotheses, references = shared.lines("w1.sys1.en")[:200], shared.lines("w1.ref.en")[:200]
    prepared = terp.prepare(TestSet(references=[references]))
    counted = terp.stats(prepared, hypotheses)
    for alignment, numbers in zip(terp.alignments(prepared, hypotheses), counted, strict=True):
        kinds = [link.kind for link in alignment.links]
        assert len(alignment.hypothesis) - len(kinds) == numbers[2]
        assert len(alignment.reference) - len(kinds) == numbers[3]
        assert [kinds.count(kind) for kind in ("substitution", "stem")] == numbers[4:6].tolist()
        assert len(alignment.shifts) == numbers[8]
        assert sum(end - begin for begin, end in (shift.words for shift in alignment.shifts)) == numbers[9]
        order = list(range(len(alignment.hypothesis)))
        for shift in alignment.shifts:
            begin, end = shift.words
            words = order[begin:end]
            del order[begin:end]
            place = shift.target if shift.target <= begin else shift.target - len(words)
            order[place:place] = words
        pairs = [(order.index(link.hypothesis[0]), link.reference[0]) for link in alignment.links]
        assert sorted(pairs) == sorted(pairs, key=lambda pair: pair[1])  # nothing crosses once all is shifted
        for link in alignment.links:
            same = alignment.hypothesis[link.hypothesis[0]] == alignment.reference[link.reference[0]]
            assert same == (link.kind in ("exact", "shift"))


def test_phrases_in_alignments(tmp_path):
    table = tmp_path / "table"
    table.write_text("0.9 <p>in spite of</p> <p>despite</p>\n")
    terp = replace(PLAIN, phrases=str(table))
    prepared = terp.prepare(TestSet(references=[["he came in spite of rain"]]))
    (alignment,) = terp.alignments(prepared, ["he came despite rain"])
    assert [(link.hypothesis, link.reference) for link in alignment.links if link.kind == "paraphrase"] == [
        ((2, 3), (2, 5))
    ]


# Options


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("terp(shift=0)", r"terp\(shift=0.0\): must be more than 0"),
        ("terp(insertion=-1)", r"terp\(insertion=-1.0\): must be 0 or more"),
        ("terp(stem=nan)", "must be 0 or more"),
        ("terp(phrase=inf)", "must be within a million"),
        ("terp(shifts=some)", "must be one of"),
        ("terp(parameters=terp-f)", "must be one of terp-a, terp-h, ter"),
        ("terp(beam=-3)", "must be from 0 to 10000"),
        ("terp(language=klingon)", "unknown language"),
    ],
)
def test_values_out_of_range(spec, message):
    with pytest.raises(UsageError, match=message):
        metric(spec)


def test_stems_of_other_languages_and_of_none():
    german = replace(PLAIN, language="de")
    assert row(german, "die häuser", "die haus")[5] == 1
    assert row(PLAIN, "die häuser", "die haus")[5] == 0
    assert row(replace(PLAIN, language="zh"), "walks", "walked")[5] == 0
    assert "|lang:de|" in PLAIN.signature(TestSet(references=[["a"]], language="en-de"))
    with pytest.raises(UsageError, match="no stems for 'zh'"):
        row(replace(PLAIN, language="zh", stems=True), "walks", "walked")


def test_signatures_name_what_was_used(tmp_path):
    words = tmp_path / "stop.txt"
    words.write_text("the of\n")
    test_set = TestSet(references=[["a"]], language="de")
    terp = replace(PLAIN, stop_words=str(words), deletion=0.5, shifts="exact")
    assert terp.signature(test_set).startswith(
        "nrefs:1|lang:de|params:terp-a|case:lc|norm:yes|punct:yes|stems:meteor-1.5|synonyms:no|stop:stop.txt-"
    )
    assert "|deletion:0.5|shifts:exact|" in terp.signature(test_set)
    assert "|stems:porter|synonyms:no|stop:terp|phrases:no|version" in PLAIN.signature(
        TestSet(references=[["a"]])
    )
    with pytest.raises(DataError, match=r"nothing\.txt"):
        replace(PLAIN, stop_words=str(tmp_path / "nothing.txt")).signature(test_set)


@needs_wordnet
def test_synonyms():
    assert row(Terp(), "the car stopped", "the automobiles halted")[4:7] == [0, 0, 2]
    assert row(replace(PLAIN), "the car stopped", "the automobiles halted")[6] == 0
    assert "|synonyms:wordnet|" in Terp().signature(TestSet(references=[["a"]]))


def test_without_wordnet(monkeypatch):
    def missing(*_: object) -> None:
        raise MissingResourceError("gone")

    monkeypatch.setattr(terp_words.resources, "debian_wordnet", lambda: None)
    monkeypatch.setattr(terp_words, "meteor_synonyms", missing)
    terp_words._load_synonyms.cache_clear()
    with pytest.raises(MissingResourceError, match=r"apt-get install wordnet-base.*synonyms=none"):
        row(Terp(), "a", "a")
    terp_words._load_synonyms.cache_clear()


def test_segments_that_are_too_long():
    long = " ".join(map(str, range(2049)))
    with pytest.raises(
        DataError, match=r"segment 2 has 2049 words, too many for TERp's search \(at most 2048\)"
    ):
        rows(TER, ["a", long], ["a", "a"])
