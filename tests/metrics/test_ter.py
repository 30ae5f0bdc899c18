"""TER against its definition, against sacreBLEU live, and against what sacreBLEU and tercom gave on real files."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from sacrebleu.metrics.ter import TER
from sacrebleu.tokenizers.tokenizer_ter import TercomTokenizer

from adjudge import _native
from adjudge.data import TestSet
from adjudge.errors import DataError, UsageError
from adjudge.metrics import metric
from adjudge.metrics.base import Direction, Rows
from adjudge.metrics.ter import Ter
from oracles import ter as oracle

IRAQI = "the Iraqi weapons are to be handed over to the army within two weeks"
SURRENDERED = "the Iraqi weapons will be surrendered to the army in two weeks"
WEEKS = "in two weeks Iraq's weapons will give army"


def rows(ter: Ter, hypotheses: Sequence[str], *references: Sequence[str | None], threads: int = 1) -> Rows:
    return ter.stats(ter.prepare(TestSet(references=references)), hypotheses, threads=threads)


def row(ter: Ter, hypothesis: str, *references: str | None) -> tuple[float, float]:
    edits, length = rows(ter, [hypothesis], *([reference] for reference in references))[0]
    return edits, length


def words(symbols: str, most: int, least: int = 0) -> st.SearchStrategy[list[str]]:
    return st.lists(st.sampled_from(symbols), min_size=least, max_size=most)


CASED = Ter(case_sensitive=True)
TERCOM = Ter(case_sensitive=True, implementation="tercom")


# Worked by hand


@pytest.mark.parametrize("ter", [Ter(), Ter(implementation="tercom")])
@pytest.mark.parametrize(
    ("hypothesis", "reference", "edits"),
    [
        ("a b c d e", "a b c d e", 0),
        ("A b C", "a B c", 0),  # case does not count unless asked for
        ("b c a", "a b c", 1),  # one shift
        ("d e f a b c", "a b c d e f", 1),  # however many words move together
        ("c b a", "a b c", 2),  # two shifts, or two substitutions
        ("a b c d", "a b c", 1),
        ("a x c", "a b c", 1),
        ("a b", "a b c d", 2),
        ("x", "a b c", 3),
        (WEEKS, IRAQI, 11),
        (WEEKS, SURRENDERED, 7),
    ],
)
def test_edits(ter: Ter, hypothesis: str, reference: str, edits: int) -> None:
    assert row(ter, hypothesis, reference) == (edits, len(reference.split()))


def test_a_span_of_ten_words_moves_at_once_and_one_of_eleven_does_not() -> None:
    ten, eleven = (" ".join(map(str, range(n))) for n in (10, 11))
    assert row(Ter(), f"{ten} x y z u v w q r s t o", f"x y z u v w q r s t o {ten}")[0] == 1
    assert row(Ter(), f"{eleven} x y z u v w q r s t o", f"x y z u v w q r s t o {eleven}")[0] == 2


def test_several_references_give_the_fewest_edits_and_the_mean_length() -> None:
    assert row(Ter(), WEEKS, IRAQI, SURRENDERED) == (7, 13)
    assert row(Ter(), WEEKS, SURRENDERED, IRAQI) == (7, 13)
    assert row(Ter(), WEEKS, IRAQI, None) == (11, 14)


@pytest.mark.parametrize("ter", [Ter(), Ter(normalized=True), Ter(implementation="tercom")])
@pytest.mark.parametrize("blank", ["", " ", " \t  "])
def test_empty_texts(ter: Ter, blank: str) -> None:
    sides = rows(ter, ["a b", blank, blank], [blank, "a b", blank])
    assert sides.tolist() == [[2, 0], [2, 2], [0, 0]]
    assert ter.aggregate(sides).tolist() == [100, 100, 0]


def test_the_corpus_score_divides_sums_and_segments_may_exceed_100() -> None:
    both = rows(Ter(), ["a b c d", "x y"], ["a", "x y"])
    assert Ter().aggregate(both).tolist() == [300, 0]
    assert Ter().aggregate(both.sum(0)) == 100


def test_signature_and_spec() -> None:
    test_set = TestSet(references=(["a"],))
    assert (
        Ter().signature(test_set).startswith("nrefs:1|case:lc|tok:tercom|norm:no|punct:yes|asian:no|version:")
    )
    other = metric(
        "ter(normalized=true,no_punct=yes,asian_support=1,case_sensitive=true,implementation=tercom)"
    )
    assert "case:mixed|tok:tercom|norm:yes|punct:no|asian:yes|impl:tercom|" in other.signature(test_set)
    assert metric(other.spec) == other
    assert other.direction is Direction.LOWER
    with pytest.raises(UsageError, match="must be one of sacrebleu, tercom"):
        metric("ter(implementation=terp)")
    with pytest.raises(UsageError, match="must be one of sacrebleu, tercom"):
        Ter(implementation="terp")  # type: ignore[arg-type]


# Against the definition


@given(words("abcd", 14), words("abcd", 14))
@settings(max_examples=60)
def test_edits_of_few_symbols_by_definition(hypothesis: list[str], reference: list[str]) -> None:
    texts = " ".join(hypothesis), " ".join(reference)
    assert row(CASED, *texts)[0] == oracle.sacrebleu_edits(hypothesis, reference)
    if hypothesis and reference:
        assert row(TERCOM, *texts)[0] == oracle.tercom_edits(hypothesis, reference)


@given(words("abcdefghijklmnopqrstuvwxyz", 30, 20), words("abcdefghijklmnopqrstuvwxyz", 30, 20))
@settings(max_examples=12)
def test_edits_of_many_symbols_by_definition(hypothesis: list[str], reference: list[str]) -> None:
    texts = " ".join(hypothesis), " ".join(reference)
    assert row(CASED, *texts)[0] == oracle.sacrebleu_edits(hypothesis, reference)
    assert row(TERCOM, *texts)[0] == oracle.tercom_edits(hypothesis, reference)


# Both beams cut paths off where texts are long and far apart; sizes go across the 64 bits of a machine word.
LONG = st.tuples(st.integers(20, 95), st.integers(20, 95), st.integers(0, 40), st.integers(0, 2**32))


def far_apart(hypothesis: int, reference: int, common: int, seed: int) -> tuple[list[str], list[str]]:
    """Texts with few words in common, some of them far from their place."""
    rng = np.random.default_rng(seed)
    right = [f"r{i}" for i in range(reference)]
    left = [f"h{i}" for i in range(hypothesis)]
    for _ in range(min(common, hypothesis)):
        left[rng.integers(hypothesis)] = right[rng.integers(reference)]
    return left, right


@given(LONG)
@settings(max_examples=25)
@example((40, 95, 30, 1))
@example((95, 40, 30, 1))
@example((64, 65, 40, 2))
def test_long_texts_by_definition(sizes: tuple[int, int, int, int]) -> None:
    hypothesis, reference = far_apart(*sizes)
    texts = " ".join(hypothesis), " ".join(reference)
    assert row(CASED, *texts)[0] == TER(case_sensitive=True).sentence_score(texts[0], [texts[1]]).num_edits
    if sum(sizes[:2]) < 130 and sizes[2] < 20:
        assert row(TERCOM, *texts)[0] == oracle.tercom_edits(hypothesis, reference)


@given(words("abcdef", 3, 1), words("abcdefghij", 230, 40))
@settings(max_examples=25)
def test_a_reference_many_times_as_long(hypothesis: list[str], reference: list[str]) -> None:
    """The beam widens once the reference has more than 50 times the words."""
    texts = " ".join(hypothesis), " ".join(reference)
    assert row(CASED, *texts)[0] == oracle.sacrebleu_edits(hypothesis, reference)
    assert row(CASED, texts[1], texts[0])[0] == oracle.sacrebleu_edits(reference, hypothesis)


def test_many_candidates_end_the_search_as_in_sacrebleu() -> None:
    """A thousand tried shifts are the limit, and the last round's best is then thrown away."""
    rng = np.random.default_rng(7)
    texts = [" ".join(map(str, rng.integers(0, symbols, 30))) for symbols in (2, 4, 8) * 2]
    ours = rows(CASED, texts[:3], texts[3:])
    theirs = [
        TER(case_sensitive=True).sentence_score(h, [r]).num_edits
        for h, r in zip(texts[:3], texts[3:], strict=True)
    ]
    assert ours[:, 0].tolist() == theirs


# Words

PIECES = [
    "a", "Straße", "don't", "it's", "'s", "'s ", "s'", "1", "2.5", "3,000", "10-20", "-", ".", ",", "..", ".,", "!",
    "?", ":", ";", '"', "(", ")", "&", "&amp;", "&quot;", "&lt;", "&gt;", "&amp;lt;", "&amp;quot;", "<skipped>", "/",
    "@", "[", "]", "{", "}", "`", "^", "~", "_", "#", "$", "%", "*", "+", "=", "|", "\\", " ", "  ", "\t", "\n", "\n-",
    "-\n", "\r", "\u00a0", "\u2003", "\u3000", "\u2028", "\x1c", "\x85", "\u200b", "中", "文", "㐀", "㆐", "㇀", "⺀",
    "㌀", "豈", "︰", "㈠", "㏿", "ぁ", "ひらがな", "カタカナ", "ー", "ㇰ", "ㇿ", "・", "、", "。", "「", "」", "〔",
    "｡", "｣", "．", "，", "？", "：", "；", "！", "＂", "（", "）", "Ａ", "９", "é", "ß", "İ", "𠀀", "😀", "한국",
]  # fmt: skip
TEXTS = st.one_of(
    st.lists(st.sampled_from(PIECES), max_size=14).map("".join),
    st.text(st.characters(exclude_categories=["Cs"]), max_size=20),
)


@given(st.lists(TEXTS, min_size=1, max_size=8), st.booleans(), st.booleans(), st.booleans())
@settings(max_examples=100)
def test_words_are_sacrebleus(
    texts: list[str], normalized: bool, no_punct: bool, asian_support: bool
) -> None:
    ours = _native.tercom_tokenize(_native.texts(texts), normalized, no_punct, asian_support, False)
    theirs = TercomTokenizer(normalized, no_punct, asian_support, case_sensitive=True)
    assert ours == [theirs(text.rstrip()).split() for text in texts]
    options: dict[str, Any] = {"normalized": normalized, "no_punct": no_punct, "asian_support": asian_support}
    assert ours == [oracle.sacrebleu_words(text, **options) for text in texts]


@given(st.lists(TEXTS, min_size=1, max_size=8), st.booleans(), st.booleans(), st.booleans())
@settings(max_examples=100)
def test_words_are_tercoms(texts: list[str], normalized: bool, no_punct: bool, asian_support: bool) -> None:
    ours = _native.tercom_tokenize(_native.texts(texts), normalized, no_punct, asian_support, True)
    options: dict[str, Any] = {"normalized": normalized, "no_punct": no_punct, "asian_support": asian_support}
    assert ours == [oracle.tercom_words(text, **options) for text in texts]


@given(TEXTS, TEXTS, st.booleans(), st.booleans(), st.booleans(), st.booleans())
@settings(max_examples=200)
@example("a", "PLC's, and", True, False, False, False)  # references are cut twice there
@example("a", "&amp;quot;x", True, True, False, False)
def test_any_text_scores_as_in_sacrebleu(
    hypothesis: str,
    reference: str,
    normalized: bool,
    no_punct: bool,
    asian_support: bool,
    case_sensitive: bool,
) -> None:
    options = (normalized, no_punct, asian_support, case_sensitive)
    theirs = TER(*options).sentence_score(hypothesis, [reference])
    assert row(Ter(*options), hypothesis, reference) == (theirs.num_edits, theirs.ref_length)


# Against canonical tools on real files


def golden_files(shared: Any) -> list[str]:
    return sorted(path.name for path in (shared.golden / "data").iterdir() if not path.name.startswith("w3"))


@pytest.mark.parametrize("options", [(True, False, False), (True, True, True), (False, True, True)])
def test_words_of_real_files_are_sacrebleus(shared: Any, options: tuple[bool, bool, bool]) -> None:
    theirs = TercomTokenizer(*options, case_sensitive=True)
    for name in golden_files(shared):
        lines = shared.lines(name)[:: 20 if name.startswith("w2") else 5]
        ours = _native.tercom_tokenize(_native.texts(lines), *options, False)
        assert ours == [theirs(line.rstrip()).split() for line in lines], name


def test_golden_sacrebleu(shared: Any) -> None:
    """Every total and every segment, to the last bit."""
    entries = [entry for entry in shared.json("sacrebleu.json")["entries"] if entry["name"].find("TER") >= 0]
    assert len(entries) == 28
    for entry in entries:
        by_name = dict(field.split(":") for field in entry["signature"].split("|"))
        ter = Ter(
            by_name["norm"] == "yes",
            by_name["punct"] == "no",
            by_name["asian"] == "yes",
            by_name["case"] == "mixed",
        )
        ours = rows(ter, shared.lines(entry["hyp"]), *map(shared.lines, entry["refs"]))
        assert ours.sum(0).tolist() == [entry["num_edits"], entry["ref_length"]], entry["signature"]
        assert ter.aggregate(ours.sum(0)) == entry["score"]
        if "segments" in entry:
            assert ter.aggregate(ours).tolist() == entry["segments"]


def test_golden_tercom(shared: Any) -> None:
    """Every segment of every run of both releases; no segment is excepted."""
    known: dict[str, Rows] = {}
    entries = shared.json("tercom.json")["entries"]
    assert len(entries) == 22
    for entry in entries:
        options = entry["opts"]
        ter = Ter(
            normalized="-N" in options,
            asian_support="-A" in options,
            case_sensitive="-s" in options,
            implementation="tercom",
        )
        run = f"{entry['hyp']} {entry['refs']} {options}"
        if run not in known:  # the releases agree on all of them
            known[run] = rows(ter, shared.lines(entry["hyp"]), *map(shared.lines, entry["refs"]))
        assert known[run].sum(0).tolist() == [entry["edits"], entry["ref_words"]]
        assert known[run].tolist() == [[edits, length] for _, edits, length, _ in entry["segments"]], run


@pytest.mark.parametrize("normalized", [False, True])
def test_live_sacrebleu(shared: Any, normalized: bool) -> None:
    hypotheses, references = shared.lines("w3.hyp.en")[:250], shared.lines("w3.ref.en")[:250]
    ours = rows(Ter(normalized=normalized), hypotheses, references)
    theirs = [TER(normalized).sentence_score(h, [r]) for h, r in zip(hypotheses, references, strict=True)]
    assert ours.tolist() == [[score.num_edits, score.ref_length] for score in theirs]


def test_threads_do_not_change_rows(shared: Any) -> None:
    hypotheses, references = shared.lines("w1.sys1.en")[:700], shared.lines("w1.ref.en")[:700]
    alone = rows(Ter(), hypotheses, references)
    assert np.array_equal(alone, rows(Ter(), hypotheses, references, threads=3))


def test_a_very_long_line_is_scored() -> None:
    rng = np.random.default_rng(3)
    long = " ".join(map(str, rng.integers(0, 5000, 20_000)))
    other = " ".join(map(str, rng.integers(0, 5000, 20_000)))
    assert row(Ter(), long, long) == (0, 20_000)
    assert row(Ter(), long, other)[0] > 15_000
    assert row(Ter(), "x " * 20_000, "y " * 20_000) == (20_000, 20_000)
    assert row(Ter(), "x" * 1_000_000, "x" * 1_000_000 + " y") == (1, 2)


def test_tercom_refuses_what_it_would_not_finish() -> None:
    long = " ".join(map(str, range(5000)))
    with pytest.raises(DataError, match=r"5000 words is too long .* \(at most 4096\); implementation="):
        row(Ter(implementation="tercom"), long, "a")
    most = " ".join(map(str, range(4096)))
    assert row(Ter(implementation="tercom"), most, most) == (0, 4096)
