"""Tokenizers against sacreBLEU's own, byte for byte."""

import sys

import pytest
import regex
from hypothesis import given, settings
from hypothesis import strategies as st
from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a
from sacrebleu.tokenizers.tokenizer_char import TokenizerChar
from sacrebleu.tokenizers.tokenizer_intl import TokenizerV14International
from sacrebleu.tokenizers.tokenizer_ja_mecab import TokenizerJaMecab
from sacrebleu.tokenizers.tokenizer_ko_mecab import TokenizerKoMecab
from sacrebleu.tokenizers.tokenizer_none import NoneTokenizer
from sacrebleu.tokenizers.tokenizer_spm import TokenizerSPM
from sacrebleu.tokenizers.tokenizer_zh import TokenizerZh

from adjudge import _native
from adjudge.errors import DataError, UsageError
from adjudge.text.tokenizers import CORE, check, tokenizer

ORACLES = {
    "13a": Tokenizer13a,
    "intl": TokenizerV14International,
    "char": TokenizerChar,
    "none": NoneTokenizer,
    "zh": TokenizerZh,
    "ja-mecab": TokenizerJaMecab,
    "ko-mecab": TokenizerKoMecab,
}

# What the rules look at, crowded together, so that neighbours interact; then anything Unicode has.
TELLING = "ab1290.,-–—'\"&;/<>()[]{}~`^$%@#*!?:_|\\+= \t\n\r\x0b\x1c\x85\u00a0\u2003\u2028\u3000" + (
    "éß中文字。，！？ぁカ한글\uff0c\uff11\u2000\u2001\u2a6d\u2a6e\u2f81\u2fa1²½٣€©\u0301\U00020000\U0001f600\ufeff"
)
PIECES = ["&quot;", "&amp;", "&lt;", "&gt;", "&amp;lt;", "<skipped>", "-\n", "...", "3,000.5", "e.g.", "5-"]
lines = st.lists(
    st.sampled_from(PIECES) | st.text(st.sampled_from(TELLING), max_size=6) | st.text(max_size=4), max_size=8
).map("".join)


@pytest.fixture(scope="module", params=ORACLES)
def pair(request):
    return tokenizer(request.param), ORACLES[request.param]()


@pytest.fixture(scope="module")
def pairs():
    """All of them: to draw a line takes longer than to cut it."""
    return [(tokenizer(name), oracle()) for name, oracle in ORACLES.items()]


@settings(max_examples=200)
@given(line=lines)
def test_equals_sacrebleu_on_any_line(pairs, line):
    for ours, theirs in pairs:
        # MeCab reads C strings.
        asked = line if ours.core else line.replace("\x00", "")
        assert ours(asked) == theirs(asked), ours.name


@given(batch=st.lists(lines, max_size=4))
def test_core_cuts_the_same_tokens_in_a_batch(pairs, batch):
    for ours, theirs in pairs:
        if ours.core:
            expected = [theirs(line).split() for line in batch]
            assert _native.tokenize(_native.texts(batch), ours.name) == expected, ours.name


@pytest.mark.parametrize("name", ["13a", "intl", "zh"])
def test_words_end_at_any_place_of_the_eight_letters_looked_at_together(name):
    ours, theirs = tokenizer(name), ORACLES[name]()
    for character in (*map(chr, range(1, 0x80)), "é", "中", "\u00a0"):
        for place in range(1, 18):
            line = "Abcdefghijklmnopq"[:place] + character + "Zyxwvutsrq"
            assert ours(line) == theirs(line), repr(line)


def test_equals_sacrebleu_on_golden_texts(pair, shared):
    ours, theirs = pair
    script = {"ja-mecab": "*.ja", "zh": "*.zh"}.get(ours.name, "*")
    for path in sorted((shared.golden / "data").glob(script)):
        if path.name.startswith("w3"):
            continue
        for line in shared.lines(path.name)[::7]:
            assert ours(line) == theirs(line)


@pytest.fixture(scope="module")
def distinct_texts(shared):
    """Every field of every line of every text file of the shared data, once."""
    fields = set()
    for path in sorted(shared.data.rglob("*")):
        if path.is_file():
            try:
                text = path.read_bytes().decode("utf-8")
            except UnicodeDecodeError:
                continue
            for line in text.split("\n"):
                fields.update(line.split("\t"))
    return sorted(fields)


@pytest.mark.parametrize("every", [64, pytest.param(1, marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", CORE)
def test_equals_sacrebleu_on_all_shared_data(name, every, distinct_texts):
    texts = distinct_texts[::every]
    theirs = ORACLES[name]()
    ours = _native.tokenize(_native.texts(texts), name)
    different = [text for text, tokens in zip(texts, ours, strict=True) if theirs(text).split() != tokens]
    assert len(texts) > 570_000 // every
    assert different == []


def test_unicode_classes_are_those_of_the_pinned_regex():
    everything = "".join(map(chr, range(sys.maxunicode + 1)))
    theirs = {letter: kind for kind in "PSN" for letter in regex.findall(rf"\p{{{kind}}}", everything)}
    different = [
        hex(ord(letter))
        for letter in everything
        if _native.unicode_class(ord(letter)) != theirs.get(letter, "\0")
    ]
    assert len(theirs) > 9000
    assert different == []


@pytest.fixture(scope="module")
def spm_model(tmp_path_factory, examples):
    import sentencepiece

    prefix = tmp_path_factory.mktemp("spm") / "tiny"
    sentencepiece.SentencePieceTrainer.train(
        input=str(examples / "reference.en"), model_prefix=str(prefix), vocab_size=300, minloglevel=2
    )
    return prefix.with_suffix(".model")


def test_spm_equals_sacrebleu_with_the_same_model(spm_model, examples):
    import sentencepiece

    theirs = TokenizerSPM.__new__(TokenizerSPM)  # its __init__ would download a model
    theirs.sp = sentencepiece.SentencePieceProcessor(model_file=str(spm_model))
    ours = tokenizer(f"spm:{spm_model}")
    for line in (examples / "reference.en").read_text(encoding="utf-8").splitlines():
        assert ours(line) == theirs(line)
    assert ours.signature.startswith("spm-tiny-")


def test_unknown_names_are_answered_with_the_nearest():
    with pytest.raises(UsageError, match="did you mean 'intl'"):
        tokenizer("intel")
    with pytest.raises(UsageError, match="did you mean '13a'"):
        check("v13a")


def test_spm_without_a_usable_model_says_so(tmp_path):
    with pytest.raises(UsageError, match="needs a model file"):
        tokenizer("spm")
    with pytest.raises(DataError, match="no such SentencePiece model"):
        tokenizer(f"spm:{tmp_path / 'absent.model'}")
    broken = tmp_path / "broken.model"
    broken.write_bytes(b"nothing")
    with pytest.raises(DataError, match="not a SentencePiece model"):
        tokenizer(f"spm:{broken}")


def test_signatures_can_be_taken_apart_whatever_the_model_is_called(spm_model, tmp_path):
    named = tmp_path / "my|odd: name.model"
    named.write_bytes(spm_model.read_bytes())
    assert tokenizer(f"spm:{named}").signature == (
        tokenizer(f"spm:{spm_model}").signature.replace("-tiny-", "-my_odd__name-")
    )


@pytest.mark.parametrize("name", ["ja-mecab", "ko-mecab"])
def test_an_unpaired_surrogate_is_refused_before_a_tokenizer_sees_it(name):
    with pytest.raises(DataError, match="segment 2 holds an unpaired surrogate"):
        tokenizer(name).cross(["a", "\ud800", None], lowercase=False)
