"""Every reader of compressed files takes whole ones and refuses all others, with one message for each fault."""

import io
import random
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import adjudge
from adjudge import _native
from adjudge.checks.contamination import seen_segments
from adjudge.compat.sacrebleu.utils import smart_open
from adjudge.errors import DataError
from adjudge.io import compression, files, jsonl, nbest
from adjudge.io.files import line_blocks
from adjudge.io.judgements import judgement_files
from adjudge.text import terp_words, vector_files
from adjudge.text.paraphrases import Paraphrases
from helpers import compressed

NUMBERS = random.Random(12)
WORDS = [NUMBERS.randbytes(3).hex() for _ in range(900)]
TEXT = "".join(" ".join(WORDS[at : at + 9]) + f" {at}\n" for at in range(900)).encode()
JUDGEMENTS = b"annotator,system,item,score\n" + b"".join(
    f"{NUMBERS.choice('abc')},{system},{item},{NUMBERS.randrange(101)}\n".encode()
    for item in range(400)
    for system in ("A", "B")
)
TABLE = "".join(f"0.5 <p>{word}</p> <p>x</p>\n" for word in WORDS).encode()
PARAPHRASES = "".join(f"0.5\n{word}\nx\n" for word in WORDS).encode()
VECTORS = "".join(f"{word} {NUMBERS.random():.3f} {NUMBERS.random():.3f}\n" for word in WORDS).encode()
JSON = "".join(f'{{"mt": "{word}", "ref": "{word}"}}\n' for word in WORDS).encode()
NBEST = "".join(f"{at} ||| {word} ||| x= 1 ||| 0.5\n" for at, word in enumerate(WORDS)).encode()


def streamed_scores(path: str) -> object:
    reference = Path(path).with_name("reference.en")
    reference.write_bytes(TEXT.upper())
    return adjudge.score_files([path], [str(reference)], ["bleu"]).results[0].score


def vectors(path: str) -> object:
    with open(path, "rb") as stored:
        return [(word, vector.tolist()) for word, vector in vector_files.read(path, stored)]


def streamed_lines(path: str) -> object:
    return [line for lines in line_blocks(path, block=997) for line in lines]


def contamination(path: str) -> object:
    return seen_segments([TEXT.decode().splitlines()[-1]], [path])


def sacrebleu_lines(path: str) -> object:
    with smart_open(path) as file:
        return file.readlines()


def phrases(path: str) -> object:
    references = [_native.texts(WORDS[-9:])]
    return len(terp_words.terp_phrases(path, references, normalized=True, no_punct=False))


def judgements(path: str) -> object:
    return judgement_files.read(path).judgements.score.tolist()


def paraphrases(path: str) -> object:
    return len(Paraphrases.load(path, Path(path).with_name("cache")))


READERS: dict[str, tuple[Callable[[str], object], str, bytes]] = {
    "whole files": (lambda path: files.read_bytes(path)[0], "x.en", TEXT),
    "blocks of lines": (streamed_lines, "x.en", TEXT),
    "training texts": (contamination, "x.en", TEXT),
    "streamed scores": (streamed_scores, "x.en", TEXT),
    "JSON lines": (lambda path: jsonl.objects(path), "x.jsonl", JSON),
    "judgements": (judgements, "x.csv", JUDGEMENTS),
    "phrase tables": (phrases, "x.txt", TABLE),
    "paraphrases": (paraphrases, "x.txt", PARAPHRASES),
    "word vectors": (vectors, "x.vec", VECTORS),
    "n-best lists": (lambda path: nbest.read_nbest(path).lists.hypotheses, "x.nbest", NBEST),
}


@pytest.mark.parametrize("kind", compressed.PACK)
@pytest.mark.parametrize("reader", READERS)
def test_whole_files_are_read_and_others_refused(tmp_path, reader, kind):
    read, name, content = READERS[reader]
    plain = tmp_path / name
    plain.write_bytes(content)
    expected = read(str(plain))
    path = tmp_path / f"{name}.{kind}"
    for case, data in compressed.whole_files(kind, content):
        path.write_bytes(data)
        assert read(str(path)) == expected, case
    for case, data, message in compressed.broken_files(kind, content):
        path.write_bytes(data)
        with pytest.raises(DataError, match=message) as refused:
            pytest.fail(f"{case} was read: {str(read(str(path)))[:100]}")
        assert str(path) in str(refused.value)
        assert "\n" not in str(refused.value)


@given(
    st.binary(max_size=200).map(lambda data: data * 50),
    st.integers(1, 300),
    st.integers(1, 300),
    st.sampled_from(list(compressed.PACK)),
)
def test_sizes_of_pieces_do_not_show(content, read, expanded, kind):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(compression, "_READ", read)
        patch.setattr(compression, "_PIECE", expanded)
        patch.setattr(compression, "_MOST_AT_ONCE", expanded)
        for case, data in compressed.whole_files(kind, content):
            assert b"".join(compression.pieces("x", io.BytesIO(data))) == content, case
            assert compression.expanded_file("x", io.BytesIO(data)).read() == content, case
            for cut in range(read % 7, len(data), 7):
                try:
                    got = b"".join(compression.pieces("x", io.BytesIO(data[:cut])))
                except DataError:
                    continue
                # Cut between members, or before anything tells that it is compressed.
                assert content.startswith(got) or cut < compression.LONGEST_MAGIC


@pytest.mark.parametrize("kind", compressed.PACK)
def test_any_flipped_byte_is_refused_or_does_no_harm(kind):
    """All four kinds carry checksums; only fields that no checksum covers, such as gzip's date, may change."""
    content = TEXT[:2000]
    packed = compressed.PACK[kind](content)
    for at in range(len(packed)):
        data = bytearray(packed)
        data[at] ^= 1 << at % 8
        try:
            got = compression.expand_content("x", bytes(data))
        except DataError:
            continue
        assert got == content or got == bytes(data), at


@pytest.mark.parametrize("kind", compressed.PACK)
def test_a_bomb_is_refused_before_it_fills_memory(tmp_path, kind):
    bomb = compressed.PACK[kind](bytes(20_000_000)) * 20
    path = tmp_path / f"bomb.{kind}"
    path.write_bytes(bomb)
    for read in (files.read_bytes, lambda path: list(line_blocks(path))):
        tracemalloc.start()
        try:
            with pytest.raises(DataError, match=r"holds more than 100 times its own size.*expand it first"):
                read(str(path))
            assert tracemalloc.get_traced_memory()[1] < 130e6
        finally:
            tracemalloc.stop()


def test_a_window_of_the_largest_size_is_read(tmp_path):
    assert compression.expand_content("x", compressed.zstd_with_window(TEXT, 27)) == TEXT


def test_a_name_that_promises_compression_is_held_to_it(tmp_path):
    for kind in compressed.PACK:
        path = tmp_path / f"x.en.{kind}"
        path.write_bytes(TEXT)
        for read in (files.read_bytes, streamed_lines):
            with pytest.raises(
                DataError, match=rf"x\.en\.{kind} is not {kind} data, although its name says so"
            ):
                read(str(path))
