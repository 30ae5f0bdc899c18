"""The Python surface beside the real sacreBLEU: same numbers, same counts, same strings, same complaints."""

from __future__ import annotations

import inspect
import logging
import re
from importlib import import_module
from typing import Any

import pytest
import sacrebleu as real

import adjudge.compat.sacrebleu as ours
from adjudge.errors import DataError, UsageError
from conftest import PROJECT
from helpers.sacrebleu_texts import (
    HYPOTHESES,
    REFERENCES,
    assert_same_score,
)

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
    with pytest.raises(DataError, match="reference 1 has 1 segment, but reference 2 has 2"):
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


def test_wrong_options_are_refused_at_once() -> None:
    with pytest.raises(UsageError, match="smooth_method='expo'"):
        ours.BLEU(smooth_method="expo")
    with pytest.raises(UsageError, match="did you mean '13a'"):
        ours.BLEU(tokenize="13b")
    with pytest.raises(UsageError, match="word_order=-1"):
        ours.CHRF(word_order=-1)


def test_a_test_set_that_nobody_knows_is_named() -> None:
    with pytest.raises(UsageError, match=r"No such test set wmt91.*did you mean 'wmt"):
        ours.get_reference_files("wmt91", "de-en")


def test_the_catalogue_is_theirs() -> None:
    assert dict(ours.DATASETS) == real.DATASETS
    assert ours.get_available_testsets() == real.get_available_testsets()
    assert ours.get_langpairs_for_testset("wmt19") == real.get_langpairs_for_testset("wmt19")
    assert ours.get_langpairs_for_testset("wmt91") == []
    assert ours.SACREBLEU_DIR == real.SACREBLEU_DIR


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


@pytest.mark.parametrize("number", [1, 2])
def test_the_examples_in_the_docs_print_what_they_say(
    number: int, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(PROJECT)
    text = (PROJECT / "docs" / "sacrebleu.md").read_text()
    example = re.findall(r"```python\n(.*?)```", text, re.DOTALL)[number]
    exec(example, {})
    assert capsys.readouterr().out.splitlines() == re.findall(r"^# (.*)$", example, re.MULTILINE)
