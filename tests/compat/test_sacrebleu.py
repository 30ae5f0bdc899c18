"""The Python surface beside the real sacreBLEU: same numbers, same counts, same strings, same complaints."""

from __future__ import annotations

import inspect
import logging
import re
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import sacrebleu as real
from hypothesis import given
from hypothesis import strategies as st

import adjudge.compat.sacrebleu as ours
from adjudge.errors import DataError, UsageError
from conftest import PROJECT

# Few pieces, so that n-grams match, and among them all that tokenizers treat in a special way.
WORDS = """
    the The cat sat on a mat . , ! ' 's ( ) - -- 1 2,5 3. 1-2 &amp; &quot; &lt; &amp;lt; <skipped> $ € “ … —
    ° 東京 を りの ピザ 拳銃 。 ， 「 （ 한국어
    é İ ß Σ ς ﬁ \u0301 \u200b \ufeff \x00 😀 क् \U00020000 ㍿ ｡
"""
SPACES = [" ", " ", " ", "  ", "\t", "\n", "-\n", "\n-", "\r", "\x1c", "\x85", "\u00a0", "\u3000", "\u2028"]
PIECES = st.sampled_from([*WORDS.split(), *SPACES])
ANYTHING = st.text(st.characters(exclude_categories=["Cs"]), max_size=4)
SEGMENTS = st.lists(st.one_of(PIECES, PIECES, PIECES, ANYTHING), max_size=14).map("".join) | st.lists(
    PIECES, max_size=10
).map(" ".join)


@st.composite
def corpora(draw: st.DrawFn) -> tuple[list[str], list[list[str | None]]]:
    """Hypotheses and reference sets in which a segment may lack all references but one."""
    size, sets = draw(st.integers(1, 4)), draw(st.integers(1, 3))
    columns: list[list[str | None]] = [[] for _ in range(sets)]
    hypotheses = []
    for _ in range(size):
        references: list[str | None] = draw(st.lists(SEGMENTS, min_size=sets, max_size=sets))
        # Half the hypotheses share most of their text with a reference.
        hypotheses.append(draw(SEGMENTS) if draw(st.booleans()) else f"{references[0]}{draw(PIECES)}")
        always = draw(st.integers(0, sets - 1))
        for column, reference in enumerate(references):
            columns[column].append(reference if column == always or draw(st.integers(0, 4)) else None)
    return hypotheses, columns


BLEU_OPTIONS = st.fixed_dictionaries(
    {},
    optional={
        "lowercase": st.booleans(),
        "force": st.booleans(),
        "tokenize": st.sampled_from(["13a", "intl", "char", "none", "zh", None]),
        "smooth_method": st.sampled_from(["exp", "floor", "add-k", "none"]),
        "smooth_value": st.sampled_from([None, 0, 0.0, 0.01, 1, 2.5]),
        "max_ngram_order": st.integers(1, 9),
        "effective_order": st.booleans(),
    },
)
CHRF_OPTIONS = st.fixed_dictionaries(
    {},
    optional={
        "char_order": st.integers(1, 8),
        "word_order": st.integers(0, 3),
        "beta": st.sampled_from([0, 1, 2, 3]),
        "lowercase": st.booleans(),
        "whitespace": st.booleans(),
        "eps_smoothing": st.booleans(),
    },
)
TER_OPTIONS = st.fixed_dictionaries(
    {},
    optional={
        "normalized": st.booleans(),
        "no_punct": st.booleans(),
        "asian_support": st.booleans(),
        "case_sensitive": st.booleans(),
    },
)


def assert_same_score(mine: Any, theirs: Any) -> None:
    assert type(mine).__name__ == type(theirs).__name__
    assert mine.score == pytest.approx(theirs.score, abs=1e-9)
    assert vars(mine).keys() == vars(theirs).keys()
    for name, value in vars(theirs).items():
        if name in ("precisions", "bp", "ratio", "score"):
            assert getattr(mine, name) == pytest.approx(value, abs=1e-9), name
        else:
            assert getattr(mine, name) == value, name
            assert type(getattr(mine, name)) is type(value), name
    assert str(mine) == str(theirs)
    assert repr(mine) == repr(theirs)
    assert mine.format(width=0, score_only=True) == theirs.format(width=0, score_only=True)


def assert_same_metric(name: str, options: dict[str, Any], corpus: tuple[list[str], list[Any]]) -> None:
    hypotheses, references = corpus
    mine, theirs = getattr(ours, name)(**options), getattr(real, name)(**options)
    assert_same_score(mine.corpus_score(hypotheses, references), theirs.corpus_score(hypotheses, references))
    signature = theirs.get_signature()
    assert str(mine.get_signature()) == str(signature)
    assert mine.get_signature().format(short=True) == signature.format(short=True)
    assert mine.get_signature().info == signature.info
    rows = theirs._extract_corpus_statistics(hypotheses, references)
    assert mine._extract_corpus_statistics(hypotheses, references) == rows
    assert_same_score(mine._aggregate_and_compute(rows), theirs._aggregate_and_compute(rows))
    at_once = mine.sentence_scores(hypotheses, references)
    for score, hypothesis, *segment in zip(at_once, hypotheses, *references, strict=True):
        expected = theirs.sentence_score(hypothesis, segment)
        assert_same_score(mine.sentence_score(hypothesis, segment), expected)
        assert_same_score(score, expected)
        assert str(mine.get_signature()) == str(theirs.get_signature())
        assert mine._preprocess_segment(hypothesis) == theirs._preprocess_segment(hypothesis)


@given(BLEU_OPTIONS, corpora())
def test_bleu_is_sacrebleus(options: dict[str, Any], corpus: tuple[list[str], list[Any]]) -> None:
    assert_same_metric("BLEU", options, corpus)


@given(CHRF_OPTIONS, corpora())
def test_chrf_is_sacrebleus(options: dict[str, Any], corpus: tuple[list[str], list[Any]]) -> None:
    assert_same_metric("CHRF", options, corpus)


@given(TER_OPTIONS, corpora())
def test_ter_is_sacrebleus(options: dict[str, Any], corpus: tuple[list[str], list[Any]]) -> None:
    assert_same_metric("TER", options, corpus)


TOKENIZERS = {
    "tokenizer_13a": "Tokenizer13a",
    "tokenizer_zh": "TokenizerZh",
    "tokenizer_intl": "TokenizerV14International",
    "tokenizer_char": "TokenizerChar",
    "tokenizer_none": "NoneTokenizer",
    "tokenizer_ja_mecab": "TokenizerJaMecab",
    "tokenizer_ko_mecab": "TokenizerKoMecab",
}


@pytest.mark.parametrize("module", TOKENIZERS)
def test_tokenizers_lie_where_people_import_them(module: str) -> None:
    mine, theirs = (
        getattr(import_module(f"{package}.tokenizers.{module}"), TOKENIZERS[module])()
        for package in (ours.__name__, "sacrebleu")
    )
    assert mine.signature() == theirs.signature()
    for line in ["Hello, world! It's 3.5.", "東京で、会う（はず）。", "한국어는 재미있다.", "a  b\tc", ""]:
        assert mine(line) == theirs(line)


@given(SEGMENTS, st.tuples(st.booleans(), st.booleans(), st.booleans(), st.booleans()))
def test_tercom_tokenizer_is_sacrebleus(segment: str, options: tuple[bool, ...]) -> None:
    mine = import_module(f"{ours.__name__}.tokenizers.tokenizer_ter").TercomTokenizer(*options)
    theirs = import_module("sacrebleu.tokenizers.tokenizer_ter").TercomTokenizer(*options)
    assert mine(segment) == theirs(segment)
    assert mine.signature() == theirs.signature()


@pytest.mark.parametrize("language", ["ja", "ko", "zh", "de"])
def test_target_language_chooses_the_tokenizer(language: str) -> None:
    text = ["東京で会う。한국어는 재미있다."]
    for options in ({}, {"tokenize": "13a"}):
        mine, theirs = (kind(trg_lang=language, **options) for kind in (ours.BLEU, real.BLEU))
        assert_same_score(mine.corpus_score(text, [text]), theirs.corpus_score(text, [text]))
        assert str(mine.get_signature()) == str(theirs.get_signature())


def test_the_surface_has_all_of_sacrebleus_names() -> None:
    assert set(ours.__all__) == set(real.__all__)
    assert ours.__version__ == real.__version__
    assert list(ours.BLEU.TOKENIZERS) == list(real.BLEU.TOKENIZERS)
    assert list(ours.metrics.METRICS) == list(real.metrics.METRICS)
    assert ours.BLEU.SMOOTH_DEFAULTS == real.BLEU.SMOOTH_DEFAULTS
    for name in ours.__all__:
        if callable(getattr(real, name)):
            mine, theirs = (inspect.signature(getattr(module, name)).parameters for module in (ours, real))
            assert list(mine) == list(theirs), name
            assert [p.default for p in mine.values()] == [p.default for p in theirs.values()], name


HYPOTHESES = ["the cat sat on the mat .", "hello", ""]
REFERENCES: list[list[str | None]] = [
    ["the cat sat on a mat.", "hello there", "x"],
    ["a cat on the mat.", None, ""],
]


@pytest.mark.parametrize("name", [name for name in real.__all__ if name.endswith(("_bleu", "_chrf", "_ter"))])
def test_functions_give_what_sacrebleus_give(name: str) -> None:
    mine, theirs = getattr(ours, name), getattr(real, name)
    if name.startswith("sentence"):
        assert_same_score(
            mine("the cat sat.", ["a cat sat.", ""]), theirs("the cat sat.", ["a cat sat.", ""])
        )
    else:
        assert_same_score(mine(HYPOTHESES, REFERENCES), theirs(HYPOTHESES, REFERENCES))


@pytest.mark.parametrize("name", ["BLEU", "CHRF", "TER"])
def test_references_of_the_constructor_serve_many_systems(name: str) -> None:
    mine, theirs = (getattr(module, name)(references=REFERENCES) for module in (ours, real))
    assert str(mine.get_signature()) == str(theirs.get_signature())
    for system in (HYPOTHESES, HYPOTHESES[::-1]):
        assert_same_score(mine.corpus_score(system, None), theirs.corpus_score(system, None))
        rows = theirs._extract_corpus_statistics(system, None)
        assert mine._extract_corpus_statistics(system, None) == rows
        expected = [theirs._compute_score_from_stats(list(row)).score for row in rows]
        assert [score.score for score in mine.sentence_scores(system)] == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("is_json", [False, True])
@pytest.mark.parametrize("score_only", [False, True])
@pytest.mark.parametrize("name", ["BLEU", "CHRF", "TER"])
def test_scores_print_alike(name: str, score_only: bool, is_json: bool) -> None:
    texts = []
    for module in (ours, real):
        metric = getattr(module, name)()
        score = metric.corpus_score(HYPOTHESES, REFERENCES)
        signature = str(metric.get_signature())
        texts.append([score.format(width, score_only, signature, is_json) for width in range(6)])
        score.estimate_ci([score, *(metric.corpus_score([line], [["the cat"]]) for line in HYPOTHESES)])
        texts[-1].append(score.format(3, score_only, signature, is_json))
    assert texts[0] == texts[1]


@pytest.mark.parametrize(
    "smooth", [{}, {"smooth_method": "add-k"}, {"smooth_method": "floor", "smooth_value": 0.5}]
)
@pytest.mark.parametrize("counts", [[5, 2, 1, 0], [0, 0, 0, 0], [3, 0, 0, 0], [1.0, 1.0, 1.0, 1.0]])
def test_bleu_from_counts(counts: list[float], smooth: dict[str, Any]) -> None:
    for totals in ([7, 6, 5, 4], [3, 2, 1, 0]):
        mine = ours.BLEU.compute_bleu(list(counts), list(totals), 7, 9, effective_order=True, **smooth)
        assert_same_score(
            mine, real.BLEU.compute_bleu(list(counts), list(totals), 7, 9, effective_order=True, **smooth)
        )


def test_bleu_from_counts_takes_arrays_and_leaves_them_alone() -> None:
    counts, totals = np.array([5.0, 2, 1, 0]), np.array([7.0, 6, 5, 4])
    score = ours.BLEU.compute_bleu(counts, totals, 7, 9, smooth_method="add-k")
    assert score.counts == [5, 3, 2, 1]
    assert list(counts) == [5, 2, 1, 0]


def test_a_tokenizer_of_ones_own_is_used() -> None:
    class Hyphens(ours.metrics.bleu.BaseTokenizer):
        def __call__(self, line: str) -> str:
            return line.replace("-", " ")

    metric = ours.BLEU(tokenize="none", lowercase=True, max_ngram_order=1)
    metric.tokenizer = Hyphens()
    assert metric.corpus_score(["A-b-x"], [["a B-c"]]).counts == [2]


WRONG = [
    ("corpus_score", (5, [["a"]])),
    ("corpus_score", ([5], [["a"]])),
    ("corpus_score", (["a", None], [["a", "b"]])),
    ("corpus_score", (["a"], 5)),
    ("corpus_score", (["a"], [5])),
    ("corpus_score", (["a"], [[5]])),
    ("corpus_score", ({"a"}, [["a"]])),
    ("corpus_score", (["a"], None)),
    ("sentence_score", (["a"], ["a"])),
    ("sentence_score", ("a", "a")),
    ("sentence_score", ("a", 5)),
    ("sentence_score", ("a", [["a"]])),
]


@pytest.mark.parametrize(("method", "arguments"), WRONG)
@pytest.mark.parametrize("name", ["BLEU", "CHRF", "TER"])
def test_wrong_arguments_are_refused_in_the_same_words(
    name: str, method: str, arguments: tuple[Any, ...]
) -> None:
    with pytest.raises((TypeError, RuntimeError)) as theirs:
        getattr(getattr(real, name)(), method)(*arguments)
    with pytest.raises(type(theirs.value)) as mine:
        getattr(getattr(ours, name)(), method)(*arguments)
    assert str(mine.value) == str(theirs.value)


@pytest.mark.parametrize("arguments", [([], [["a"]]), (["a"], []), (["a"], [[]])])
def test_nothing_to_score_is_an_index_error(arguments: Any) -> None:
    for kind in (real.BLEU, ours.BLEU):
        with pytest.raises(IndexError):
            kind().corpus_score(*arguments)
        with pytest.raises(IndexError):
            kind().sentence_score("a", [])


def test_a_signature_needs_references() -> None:
    for kind in (real.BLEU, ours.BLEU):
        with pytest.raises(
            ValueError, match="Number of references unknown, please evaluate the metric first"
        ):
            kind().get_signature()


def test_lists_of_different_lengths_are_never_cut() -> None:
    with pytest.raises(DataError, match="2 hypotheses, but 1 segments"):
        ours.corpus_bleu(["a", "b"], [["a"]])
    with pytest.raises(DataError, match="reference 1 has 1 segments, but reference 2 has 2"):
        ours.corpus_chrf(["a"], [["a"], ["a", "b"]])
    with pytest.raises(DataError, match="segment 1 has no reference at all"):
        ours.sentence_ter("a", [None])


def test_strings_are_not_lists_of_letters() -> None:
    for references in (["the cat"], ["a"], [["a"], "b"]):
        with pytest.raises(DataError, match=r"write \[references\]"):
            ours.corpus_bleu(["the cat"], references)
        with pytest.raises(DataError, match=r"write \[references\]"):
            ours.CHRF(references=references)
    with pytest.raises(TypeError, match="`hyps` should be a sequence of strings"):
        ours.corpus_bleu("ab", [["a", "b"]])


@pytest.mark.parametrize("model", ["spm", "flores101", "flores200", "spBLEU-1K"])
def test_models_are_not_downloaded(model: str) -> None:
    with pytest.raises(UsageError, match="spm:FILE"):
        ours.BLEU(tokenize=model)


def test_wrong_options_are_refused_at_once() -> None:
    with pytest.raises(UsageError, match="smooth_method='expo'"):
        ours.BLEU(smooth_method="expo")
    with pytest.raises(UsageError, match="did you mean '13a'"):
        ours.BLEU(tokenize="13b")
    with pytest.raises(UsageError, match="word_order=-1"):
        ours.CHRF(word_order=-1)


def test_what_is_not_offered_says_so() -> None:
    with pytest.raises(UsageError, match="--echo ref"):
        ours.get_reference_files("wmt19", "de-en")


def warnings_of(module: Any, caplog: pytest.LogCaptureFixture) -> list[str]:
    caplog.clear()
    module.BLEU().sentence_score("a", ["a"])
    module.BLEU().corpus_score(["a ."] * 100, [["a ."] * 100])
    module.BLEU().corpus_score(["a ."] * 99, [["a ."] * 99])
    module.BLEU(force=True).corpus_score(["a ."] * 100, [["a ."] * 100])
    module.BLEU(trg_lang="ja", tokenize="char")
    module.BLEU(trg_lang="zh", tokenize="char")
    module.BLEU(trg_lang="ko", tokenize="char")
    return [f"{record.name} {record.levelname} {record.getMessage()}" for record in caplog.records]


def test_warnings_are_the_same(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG, logger="sacrebleu")
    theirs = warnings_of(real, caplog)
    assert len(theirs) == 7
    assert warnings_of(ours, caplog) == theirs


def test_helpers_count_alike() -> None:
    from adjudge.compat.sacrebleu.metrics import helpers

    line = " the cat  sat on the cat "
    assert ours.extract_char_ngrams(line, 2) == real.extract_char_ngrams(line, 2)
    assert ours.extract_char_ngrams(line, 2, True) == real.extract_char_ngrams(line, 2, True)
    assert ours.extract_word_ngrams(line.split(), 2) == real.extract_word_ngrams(line.split(), 2)
    for name, arguments in {"extract_all_word_ngrams": (1, 3), "extract_all_char_ngrams": (3,)}.items():
        assert getattr(helpers, name)(line, *arguments) == getattr(real.metrics.helpers, name)(
            line, *arguments
        )


def test_smart_open_reads_what_it_writes(tmp_path: Path) -> None:
    for name in ("plain", "packed.gz"):
        with ours.smart_open(str(tmp_path / name), "wt") as file:
            file.write("é\r\u2028\n")
        with ours.smart_open(str(tmp_path / name)) as file:
            assert list(file) == ["é\r\u2028\n"]


@pytest.mark.parametrize("number", [1, 2])
def test_the_examples_in_the_docs_print_what_they_say(
    number: int, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(PROJECT)
    text = (PROJECT / "docs" / "sacrebleu.md").read_text()
    example = re.findall(r"```python\n(.*?)```", text, re.DOTALL)[number]
    exec(example, {})
    assert capsys.readouterr().out.splitlines() == re.findall(r"^# (.*)$", example, re.MULTILINE)
