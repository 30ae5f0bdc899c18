"""The paraphrase table against a slow twin and against METEOR 1.5's own matcher; what happens to damaged ones."""

import gzip
import os
import re
import struct
import subprocess
import sys
import zlib
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudge import _native
from adjudge.errors import DataError, MissingResourceError
from adjudge.text import paraphrases, resources
from adjudge.text.paraphrases import Paraphrases, PhraseMatch
from oracles import meteor_jar
from oracles import paraphrases as oracle

SMALL = [("a", "b c"), ("a", "c"), ("b c", "a"), ("a b", "d"), ("é", "a"), ("a", "a")]

words = st.sampled_from(["a", "b", "c", "d", "é", "x"])
phrases = st.lists(words.filter(lambda word: word != "x"), min_size=1, max_size=4).map(tuple)
tables = st.lists(st.tuples(phrases, phrases), min_size=1, max_size=25)
segments = st.lists(words, max_size=9)


def text_of(entries) -> bytes:
    joined = [[" ".join(side) if isinstance(side, tuple) else side for side in entry] for entry in entries]
    return "".join(f"0.5\n{phrase}\n{paraphrase}\n" for phrase, paraphrase in joined).encode()


def write(path: Path, entries) -> Path:
    path.write_bytes(gzip.compress(text_of(entries)))
    return path


def compiled(text: bytes, piece: int = 1 << 20) -> _native.ParaphraseTable:
    builder = _native.ParaphraseBuilder()
    for start in range(0, len(text), piece):
        builder.feed(text[start : start + piece])
    return _native.ParaphraseTable(builder.finish(bytes(32)))


@pytest.fixture
def small(tmp_path):
    return write(tmp_path / "paraphrase-xx.gz", SMALL)


@pytest.fixture
def cache(tmp_path):
    return tmp_path / "cache"


@pytest.fixture(scope="module")
def english_path():
    try:
        path = resources.Resources().paraphrase_table("en")
    except MissingResourceError as missing:
        pytest.skip(str(missing))
    assert path is not None
    return path


@pytest.fixture(scope="module")
def english(english_path, cache_folder):
    told = []
    table = Paraphrases.load(english_path, cache_folder, progress=told.append)
    assert told == sorted(told)
    assert told[-1:] in ([1.0], [])  # nothing to tell where another test has had the table compiled
    return table


def test_matches_come_in_meteors_order(small, cache):
    table = Paraphrases.load(small, cache)
    assert table.pairs(["b", "c", "a"], ["a", "x"]) == [
        PhraseMatch(0, 1, 0, 2),  # from the reference: a = b c,
        PhraseMatch(0, 1, 1, 1),  # a = c
        PhraseMatch(0, 1, 2, 1),  # and a = a, since METEOR excludes nothing;
        PhraseMatch(0, 1, 0, 2),  # from the hypothesis: b c = a once more
        PhraseMatch(0, 1, 2, 1),
    ]
    assert table.pairs(["x"], ["a"]) == []
    assert table.pairs([], ["a"]) == []
    assert len(table) == len(SMALL)


@given(table=tables, hypothesis=segments, reference=segments, piece=st.integers(1, 40))
def test_equals_the_slow_twin(table, hypothesis, reference, piece):
    ours = compiled(text_of(table), piece).matches(_native.texts(hypothesis), _native.texts(reference))
    assert [tuple(match) for match in ours] == oracle.matches(table, hypothesis, reference)


def test_many_words_long_phrases_and_unsorted_tables():
    # Numbers of one, two and three bytes; sizes of one and two bytes; the same phrase in several places.
    rng = np.random.default_rng(5)
    known = [f"w{i}" for i in range(20000)]
    drawn = [tuple(known[i] for i in rng.integers(0, 20000, rng.integers(1, 9))) for _ in range(30000)]
    table = [*zip(drawn[::2], drawn[1::2], strict=True), (drawn[0], tuple(known[:200])), (drawn[0], drawn[5])]
    native = compiled(text_of(table))
    hypothesis, reference = [*known[:200], *drawn[1], "q", *drawn[5]], [*drawn[0], *drawn[4]]
    present = {*hypothesis, *reference}
    relevant = [entry for entry in table if present.issuperset(entry[0] + entry[1])]
    expected = oracle.matches(relevant, hypothesis, reference)
    assert len(expected) >= 4
    assert [tuple(m) for m in native.matches(_native.texts(hypothesis), _native.texts(reference))] == expected


def test_a_segment_of_a_megabyte_takes_moments():
    native = compiled(text_of([*SMALL, ("a a a", "b")]))
    hypothesis, reference = _native.texts(["x", "y"] * 250_000), _native.texts(["a"] * 500_000)
    assert native.matches(hypothesis, reference) == []


def test_windows_line_ends_tabs_and_a_last_line_without_end_are_as_in_meteor():
    table = compiled(b"1e-400\r\na\tb\r\nc\r\n1\r\n  c \r\nd  e")
    assert table.matches(_native.texts(["c"]), _native.texts(["a", "b"])) == [[0, 2, 0, 1]]
    assert table.matches(_native.texts(["c"]), _native.texts(["d", "e"])) == [[0, 2, 0, 1]]


def test_equals_meteors_matcher(tmp_path, cache):
    jar = meteor_jar.find(tmp_path)
    if isinstance(jar, str):
        pytest.skip(jar)
    rng = np.random.default_rng(11)
    known = ["a", "b", "c", "d", "é", "中", "x", "y"]

    def draw(count, most):
        return [tuple(known[i] for i in rng.integers(0, count, rng.integers(1, most))) for _ in range(400)]

    path = write(tmp_path / "paraphrase-xx.gz", zip(draw(6, 4), draw(6, 4), strict=True))
    pairs = [(" ".join(a), " ".join(b)) for a, b in zip(draw(8, 12), draw(8, 12), strict=True)]
    theirs = oracle.meteor_matches(jar.java, jar.jar, path, pairs, tmp_path)
    if isinstance(theirs, str):
        pytest.skip(theirs)
    table = Paraphrases.load(path, cache)
    ours = [table.pairs(a.split(), b.split()) for a, b in pairs]
    assert sum(map(len, theirs)) > 5000
    # The aligner looks at candidates by reference position; among those of one position the order counts.
    assert [sorted(entry, key=lambda match: match.reference_start) for entry in ours] == theirs


def test_the_english_table_has_all_that_meteor_aligned(english, shared):
    assert len(english) == 5_274_084
    text = (shared.golden / "meteor" / "w1.sys1.norm-align.out").read_text(encoding="utf-8")
    links = 0
    for aligned in meteor_jar.parse_alignments(text):
        distinct = set(english.pairs(aligned.hypothesis, aligned.reference))
        by_paraphrase = {match[:4] for match in aligned.matches if match[4] == 3}
        assert by_paraphrase <= distinct
        links += len(by_paraphrase)
    assert links == 1997


def test_the_english_table_takes_little_memory(english, english_path, cache_folder):
    # Not ru_maxrss, which a process takes over from the one that started it.
    script = (
        "import re, sys\nfrom pathlib import Path\n"
        "from adjudge.text.paraphrases import Paraphrases\n"
        "table = Paraphrases.load(sys.argv[1], Path(sys.argv[2]))\n"
        "print(re.search(r'VmHWM:\\s+(\\d+)', Path('/proc/self/status').read_text())[1], len(table))"
    )
    run = subprocess.run(
        [sys.executable, "-c", script, str(english_path), str(cache_folder)],
        capture_output=True,
        text=True,
        check=True,
    )
    peak, entries = map(int, run.stdout.split())
    assert entries == len(english)
    assert peak < 200 * 1024  # kilobytes, on Linux


def test_a_table_is_compiled_once_and_shared(small, cache, monkeypatch):
    first = Paraphrases.load(small, cache)
    assert Paraphrases.load(small, cache) is first
    signature = first.signature
    assert re.fullmatch("[0-9a-f]{8}", signature)
    del first
    (file,) = (cache / "paraphrases").iterdir()
    assert file.name.startswith(signature)
    assert f"adjudge para {paraphrases.FORM}\n".encode() == file.read_bytes()[:15]
    monkeypatch.setattr(paraphrases, "ParaphraseBuilder", None)  # nothing is to be built now
    assert Paraphrases.load(small, cache).signature == signature


def test_another_table_under_the_same_name_is_seen(small, cache):
    before = Paraphrases.load(small, cache)
    write(small, SMALL[:2])
    after = Paraphrases.load(small, cache)
    assert (len(before), len(after)) == (len(SMALL), 2)
    assert before.signature != after.signature


def flipped(data: bytes, at: int) -> bytes:
    return data[:at] + bytes([data[at] ^ 4]) + data[at + 1 :]


@pytest.mark.parametrize(
    "damage",
    [
        lambda data: b"",
        lambda data: data[:50],
        lambda data: data[:-1],
        lambda data: data + b"\0",
        lambda data: flipped(data, 14),
        lambda data: flipped(data, 20),
        lambda data: flipped(data, 60),
        lambda data: flipped(data, len(data) // 2),
        lambda data: flipped(data, len(data) - 1),
        lambda data: struct.pack("16s10Q", b"adjudge para 1\n", *[2**64 - 1] * 10),
    ],
)
def test_a_damaged_compiled_table_is_made_anew(small, cache, damage):
    Paraphrases.load(small, cache)
    (file,) = (cache / "paraphrases").iterdir()
    good = file.read_bytes()
    file.write_bytes(damage(good))
    assert len(Paraphrases.load(small, cache)) == len(SMALL)
    assert file.read_bytes() == good
    assert [path.name for path in (cache / "paraphrases").iterdir()] == [file.name]


def test_a_pipe_in_place_of_a_compiled_table_keeps_nobody_waiting(small, cache):
    Paraphrases.load(small, cache)
    (file,) = (cache / "paraphrases").iterdir()
    file.unlink()
    os.mkfifo(file)
    assert len(Paraphrases.load(small, cache)) == len(SMALL)
    assert file.is_file()


def test_any_flipped_bit_is_noticed(small, cache):
    Paraphrases.load(small, cache)
    (file,) = (cache / "paraphrases").iterdir()
    good = file.read_bytes()
    for at in range(len(good)):
        with pytest.raises(ValueError, match="compiled paraphrase table"):
            _native.ParaphraseTable(np.frombuffer(flipped(good, at), np.uint8))


def test_without_a_place_to_write_the_table_stays_in_memory(small, tmp_path):
    taken = tmp_path / "taken"
    taken.write_text("a file where a folder should be")
    assert len(Paraphrases.load(small, taken)) == len(SMALL)


def test_drafts_of_dead_processes_are_removed(small, cache):
    (cache / "paraphrases").mkdir(parents=True)
    old, new = (cache / "paraphrases" / f"{name}.tmp" for name in ("old", "new"))
    for draft in (old, new):
        draft.touch()
    os.utime(old, (1, 1))
    Paraphrases.load(small, cache)
    assert (old.exists(), new.exists()) == (False, True)


def test_several_processes_may_compile_at_once(small, cache):
    script = (
        "import sys\nfrom pathlib import Path\nfrom adjudge.text.paraphrases import Paraphrases\n"
        "print(len(Paraphrases.load(sys.argv[1], Path(sys.argv[2]))))"
    )
    command = [sys.executable, "-c", script, str(small), str(cache)]
    runs = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(4)]
    assert [run.communicate(timeout=60)[0] for run in runs] == [f"{len(SMALL)}\n"] * 4
    assert len(list((cache / "paraphrases").iterdir())) == 1


FAULTS = {
    "no probability": (b"0.5\na\nb\nc\nd\n0.5\n", "line 4: expected a probability, found 'c'"),
    "negative": (b"-1\na\nb\n", "line 1: expected a probability, found '-1'"),
    "infinite": (b"inf\na\nb\n", "line 1: expected a probability"),
    "blank line": (b"0.5\na\nb\n\n", "line 4: expected a probability, found ''"),
    "no phrase": (b"0.5\n \nb\n", "line 2: expected a phrase, found no words"),
    "no paraphrase": (b"0.5\na\n\n", "line 3: expected a paraphrase, found no words"),
    "ends after a phrase": (b"0.5\na\nb\n0.5\na\n", "line 5: expected a paraphrase after it, found the end"),
    "ends after a probability": (b"0.5\na\nb\n0.5", "line 4: expected a phrase after it, found the end"),
    "empty": (b"", "line 1: expected a probability, found the end"),
    "Latin-1": (b"0.5\na\ncaf\xe9\n", "line 3: is not UTF-8: 'caf?'"),
    "surrogate": (b"0.5\n\xed\xa0\x80\nb\n", "line 2: is not UTF-8"),
    "overlong": (b"0.5\n\xc0\x80\nb\n", "line 2: is not UTF-8"),
    "UTF-16": ("0.5\na\nb\n".encode("utf-16"), "line 1: expected a probability"),
    "endless line": (b"0.5\na" + b" a" * (1 << 20), "line 2: is longer than a megabyte"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_faults_are_named_with_file_and_line(fault, tmp_path, cache):
    text, message = FAULTS[fault]
    path = tmp_path / "paraphrase-xx.gz"
    path.write_bytes(gzip.compress(text))
    with pytest.raises(DataError, match=re.escape(f"{path}, {message}")) as caught:
        Paraphrases.load(path, cache)
    assert "mend the table or install it again" in str(caught.value)
    assert not cache.exists()


def test_a_cut_off_file_is_called_so(tmp_path, cache):
    path = tmp_path / "paraphrase-xx.gz"
    whole = gzip.compress(text_of((f"a{i}", f"b{i * i}") for i in range(4000)))
    for size in (len(whole) - 100, 5):
        path.write_bytes(whole[:size])
        with pytest.raises(DataError, match=rf"{path} is cut short: .*again"):
            Paraphrases.load(path, cache)


def test_damaged_compression_is_called_so(small, cache):
    whole = small.read_bytes()
    small.write_bytes(whole[:-6] + b"\0\0" + whole[-4:])
    with pytest.raises(DataError, match=r"is damaged: .*incorrect data check.*again"):
        Paraphrases.load(small, cache)
    small.write_bytes(whole[:10] + b"\xff" * 20 + whole[30:])
    with pytest.raises(DataError, match="is damaged: "):
        Paraphrases.load(small, cache)
    small.write_bytes(whole + b"junk")
    with pytest.raises(DataError, match="goes on after the end of its gzip data"):
        Paraphrases.load(small, cache)


def test_a_table_need_not_be_compressed(tmp_path, cache):
    path = tmp_path / "table"
    path.write_bytes(b"0.5\na\nb\n")
    assert len(Paraphrases.load(path, cache)) == 1
    path.write_bytes(zlib.compress(b"0.5\na\nb\n"))
    with pytest.raises(DataError, match="line 1: expected a probability"):
        Paraphrases.load(path, cache)


def test_missing_files_and_folders_are_called_so(tmp_path, cache):
    with pytest.raises(DataError, match="no such file; a paraphrase table of METEOR was expected"):
        Paraphrases.load(tmp_path / "nothing", cache)
    with pytest.raises(DataError, match="cannot be read: Is a directory"):
        Paraphrases.load(tmp_path, cache)


def test_a_program_may_say_where_tables_are_kept(monkeypatch, tmp_path, small):
    monkeypatch.setattr(paraphrases, "_chosen", [])
    monkeypatch.setattr(Path, "home", lambda: tmp_path / "home")
    paraphrases.keep_in(None)
    assert len(Paraphrases.load(small)) == len(SMALL)
    paraphrases.keep_in(tmp_path / "kept")
    assert len(Paraphrases.load(small)) == len(SMALL)
    assert len(list((tmp_path / "kept" / "paraphrases").iterdir())) == 1
    assert not (tmp_path / "home").exists()


def test_the_default_folder_is_the_users(monkeypatch, tmp_path, small):
    monkeypatch.setattr(paraphrases, "_chosen", [])
    monkeypatch.setattr(Path, "home", lambda: tmp_path / "home")
    Paraphrases.load(small)
    assert len(list((tmp_path / "home" / ".cache" / "adjudge" / "paraphrases").iterdir())) == 1

    def nobody() -> Path:
        raise RuntimeError("no home")

    monkeypatch.setattr(Path, "home", nobody)
    write(small, SMALL[:1])
    assert len(Paraphrases.load(small)) == 1
