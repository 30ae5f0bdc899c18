"""METEOR's data on the command line: compiled once with a bar to look at, kept or not, and what is wrong with them."""

import errno
import gzip
import json
import os
from contextlib import contextmanager
from pathlib import Path

import pytest

from adjudge.cli import _workspace
from adjudge.text import paraphrases, resources, terp_words

SYSTEMS = ("neural", "rulebased", "shortened")


@pytest.fixture
def cache(tmp_path, monkeypatch):
    monkeypatch.setattr(paraphrases, "_chosen", [])
    monkeypatch.setenv("ADJUDGE_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.fixture
def words(tmp_path):
    path = tmp_path / "function.words"
    path.write_text("the\na\nof\n")
    return path


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "table.gz"
    path.write_bytes(gzip.compress(b"0.5\nthe house\nthe home\n" * 1000))
    return path


@pytest.fixture
def meteor(words, table):
    """METEOR with nothing installed but a small table of paraphrases."""
    return f"meteor(matchers=exact+paraphrase,normalize=false,function_words={words},paraphrases={table})"


@pytest.fixture
def score(run, examples):
    def call(spec, *options):
        files = ["-r", examples / "reference.en", examples / "systems/neural.en"]
        return run("score", *options, "-m", spec, *files)

    return call


@pytest.fixture
def looked_at(monkeypatch):
    """What a terminal's progress bar is told."""
    told = []

    class Bar(_workspace._LateBar):
        def update(self, doing, done, steps):
            told.append((doing, done, steps))
            super().update(doing, done, steps)

    @contextmanager
    def bar(*, quiet):
        yield None if quiet else Bar()

    monkeypatch.setattr(_workspace, "_bar", bar)
    return told


def command(name, meteor, examples, tmp_path, run):
    files = ["-r", examples / "reference.en", *(examples / "systems" / f"{name}.en" for name in SYSTEMS)]
    baseline = tmp_path / "baseline.json"
    if name in ("verify", "gate"):
        assert run("score", "-q", "-m", meteor, "--save", baseline, "--no-cache", *files).code == 0
        paraphrases._open_tables.clear()
    return {
        "score": ["score", "-m", meteor, *files],
        "compare": ["compare", "-m", meteor, "--trials", 20, "--resamples", 20, *files],
        "tune": [
            "tune",
            meteor,
            "-j",
            examples / "judgements.tsv",
            "--skip-unknown-systems",
            "--resamples",
            20,
            *files,
        ],
        "xray": ["xray", "-m", meteor, *files[:3]],
        "verify": ["verify", baseline],
        "gate": ["gate", "--against", baseline, "--system", "neural", files[2]],
    }[name]


@pytest.mark.parametrize("name", ["score", "compare", "tune", "xray", "verify", "gate"])
def test_every_command_shows_that_a_table_is_compiled_and_keeps_it(
    name, run, meteor, examples, tmp_path, cache, looked_at, monkeypatch
):
    from adjudge.metrics import meteor_knowledge

    monkeypatch.setattr(paraphrases, "PIECE", 1 << 10)
    line = command(name, meteor, examples, tmp_path, run)
    meteor_knowledge._knowledge.cache_clear()
    looked_at.clear()
    ended = run(*line)
    assert ended.code in (0, 3), ended.err
    shares = [done for doing, done, _ in looked_at if "paraphrase table" in doing]
    assert len(shares) > 1
    assert shares == sorted(shares)
    last = max(i for i, (doing, *_) in enumerate(looked_at) if "paraphrase table" in doing)
    assert len(looked_at) > last + 1  # the bar goes back to the work
    assert len(list((cache / "paraphrases").iterdir())) == 1
    looked_at.clear()
    meteor_knowledge._knowledge.cache_clear()
    assert run(*line).code == ended.code
    assert not any("paraphrase table" in doing for doing, *_ in looked_at)
    assert paraphrases._watching.progress is None  # nobody is left watching


def test_a_cache_that_cannot_be_written_to_is_a_warning(score, meteor, cache, monkeypatch, tmp_path):
    fine = score(meteor)
    assert (fine.code, fine.err) == (0, "")
    (tmp_path / "taken").write_text("a file where a folder should be")
    for place in ("/proc/adjudge", tmp_path / "taken"):
        monkeypatch.setenv("ADJUDGE_CACHE", str(place))
        forget()
        again = score(meteor)
        assert (again.code, again.out) == (0, fine.out)
        assert f"cannot be kept in {place}/paraphrases (" in again.err
        assert "every run compiles it again; ADJUDGE_CACHE=FOLDER" in again.err
        forget()
        assert score(meteor, "-q").err == ""
        forget()
        assert score(meteor, "--no-cache").err == ""  # as it was asked for


def forget():
    from adjudge.metrics import meteor_knowledge

    meteor_knowledge._knowledge.cache_clear()
    meteor_knowledge._english.cache_clear()
    terp_words._load_synonyms.cache_clear()
    paraphrases._open_tables.clear()


def test_a_full_disk_is_a_warning_and_leaves_nothing_behind(score, meteor, cache, monkeypatch):
    def full(path, data):
        with open(path, "wb") as file:
            file.write(data[:100])
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(Path, "write_bytes", full)
    ended = score(meteor)
    assert ended.code == 0
    assert "(No space left on device)" in ended.err
    assert list((cache / "paraphrases").iterdir()) == []


def test_a_damaged_compiled_table_is_made_anew(score, meteor, cache):
    before = score(meteor)
    (compiled,) = (cache / "paraphrases").iterdir()
    good = compiled.read_bytes()
    for damage in (b"", good[:100], os.urandom(len(good)), good[:-1] + bytes([good[-1] ^ 1])):
        compiled.write_bytes(damage)
        forget()
        assert score(meteor) == before
        assert compiled.read_bytes() == good


def test_two_processes_at_once(process, meteor, examples, tmp_path):
    from concurrent.futures import ThreadPoolExecutor

    line = ["score", "-m", meteor, "-r", examples / "reference.en", examples / "systems/neural.en"]
    env = {"ADJUDGE_CACHE": str(tmp_path / "cache")}
    with ThreadPoolExecutor(3) as pool:
        first, *others = pool.map(lambda _: process(*line, env=env), range(3))
    assert first.code == 0, first.err
    assert others == [first] * 2
    assert len(list((tmp_path / "cache/paraphrases").iterdir())) == 1


TABLES = {
    "noise": (os.urandom(3000), "is not gz data, although its name says so"),
    "noise inside": (gzip.compress(bytes(range(1, 256)) * 10), "line 1: expected a probability"),
    "two lines an entry": (gzip.compress(b"0.5\na\n" * 10), "line 4: expected a probability, found 'a'"),
    "four lines an entry": (
        gzip.compress(b"0.5\na\nb\nc\n" * 10),
        "line 4: expected a probability, found 'c'",
    ),
    "no number": (gzip.compress(b"0.5\na\nb\nhalf\na\nb\n"), "line 4: expected a probability, found 'half'"),
    "no phrase": (gzip.compress(b"0.5\n\nb\n"), "line 2: expected a phrase, found no words"),
    "Latin-1": (gzip.compress(b"0.5\na\ncaf\xe9\n"), "line 3: is not UTF-8"),
    "cut off": (gzip.compress(os.urandom(9999))[:-2000], "is cut short"),
    "nothing": (b"", "is not gz data, although its name says so"),
    "nothing inside": (gzip.compress(b""), "line 1: expected a probability, found the end"),
    "plain text": (b"0.5\na\nb\n", "is not gz data, although its name says so"),
}


@pytest.mark.parametrize("fault", TABLES)
def test_tables_that_are_none(score, meteor, table, cache, fault):
    content, message = TABLES[fault]
    table.write_bytes(content)
    ended = score(meteor)
    assert (ended.code, ended.out) == (1, "")
    assert str(table) in ended.err
    assert message in ended.err
    assert ended.err.count("\n") == 1
    assert not (cache / "paraphrases").exists()


def test_a_folder_and_a_file_that_may_not_be_read(score, meteor, table, monkeypatch):
    table.unlink()
    assert "no such file; a paraphrase table" in score(meteor).err
    table.mkdir()
    ended = score(meteor)
    assert ended.code == 1
    assert "cannot be read: Is a directory" in ended.err

    def refuse(path, mode):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))

    monkeypatch.setattr(paraphrases, "open", refuse, raising=False)
    ended = score(meteor)
    assert ended.code == 1
    assert f"{table} cannot be read: Permission denied" in ended.err


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("language=germna", "unknown language 'germna'; did you mean 'german'?"),
        ("language=jp", "unknown language 'jp'; did you mean 'ja'?"),
        ("language=qx", "unknown language 'qx'"),
        ("language=ja,matchers=exact+stem", "Snowball has no stems for 'ja'"),
        ("language=ja,matchers=exact+stem", "or leave the matcher out (matchers=exact)"),
        ("language=it,matchers=exact+synonym", "METEOR has no synonyms in Italian"),
        ("language=it,matchers=exact+stem+paraphrase", "leave the matcher out (matchers=exact+stem)"),
        ("matchers=exact+stm", "unknown matcher 'stm'; did you mean 'stem'?"),
        ("stems=porter", "meteor(stems=porter): must be one of meteor, snowball"),
    ],
)
def test_what_there_is_not_is_said_to_be_missing(score, words, options, message):
    ended = score(f"meteor({options},normalize=false,function_words={words})")
    assert (ended.code, ended.out) == (2, "")
    assert message in ended.err


@pytest.mark.parametrize(
    ("options", "wanted"),
    [
        ("", "function/english.words"),
        ("function_words={words},matchers=exact", "nonbreaking/english.prefixes"),
        ("function_words={words},normalize=false", "synonym/english.synsets"),
        ("function_words={words},normalize=false,matchers=exact+paraphrase", "paraphrase-en.gz"),
    ],
)
def test_with_nothing_installed_messages_say_what_to_install(score, words, monkeypatch, options, wanted):
    monkeypatch.setattr(resources, "PACKAGE", "nobody_has_this")
    monkeypatch.setattr(resources, "DEBIAN_WORDNET", Path("/nowhere"))
    forget()
    ended = score(f"meteor({options.format(words=words)})")
    assert ended.code == 2
    assert f"looked for {wanted} in the package nobody_has_this (not installed)" in ended.err
    assert "pip install 'adjudge[meteor]'" in ended.err
    if "synsets" in wanted:
        assert "apt-get install wordnet-base" in ended.err
    enough = score(f"meteor(function_words={words},normalize=false,matchers=exact+stem)")
    assert enough.code == 0
    terp = score("terp")
    assert terp.code == 2
    assert "apt-get install wordnet-base" in terp.err
    assert "synonyms=none" in terp.err
    forget()


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (
            b"# wolf\tfra\n00001740-n\tfra:lemma\tchien\n00001740-n fra:lemma toutou\n",
            "line 3: '00001740-n fra:lemma",
        ),
        (b"00001740-n\tlemma\n", "line 1: '00001740-n\\tlemma'; a synset such as 00001740-n"),
        (b"00001740-q\tlemma\tchien\n", "line 1"),
        (b"00001740-n\tlemma\ta\n99999999999-n\tlemma\tchien\n", "line 2: '99999999999-n"),
        (b"# wolf\tfra\n", "no lemma in it"),
        (b"", "no lemma in it"),
        (b"00001740-n\tlemma\tcaf\xe9\n", "line 1, byte 21: not UTF-8"),
    ],
)
def test_wordnets_that_are_none(score, words, tmp_path, content, message):
    path = tmp_path / "wn-data-fra.tab"
    path.write_bytes(content)
    spec = (
        f"meteor(language=fr,matchers=exact+synonym,normalize=false,function_words={words},synonyms={path})"
    )
    ended = score(spec)
    assert (ended.code, ended.out) == (1, "")
    assert str(path) in ended.err
    assert message in ended.err


def signature(score, spec):
    ended = score(spec, "-f", "json")
    assert ended.code == 0, ended.err
    return dict(part.split(":", 1) for part in json.loads(ended.out)["results"][0]["signature"].split("|"))


@pytest.mark.parametrize(
    ("language", "matchers", "weights"),
    [
        ("en", "exact+stem+synonym+paraphrase", "1_0.6_0.8_0.6"),
        ("de", "exact+stem+paraphrase", "1_0.8_0.2"),
        ("cs", "exact+paraphrase", "1_0.4"),
        ("ru", "exact+stem+paraphrase", "1_0.5_0.5"),
        ("it", "exact+stem", "1_0.5"),
        ("ja", "exact", "1"),
    ],
)
def test_signatures_name_the_matchers_that_were_used(score, words, table, cache, language, matchers, weights):
    if language == "en" and resources.jar() is None:
        pytest.skip(resources.INSTALL)
    given = f",paraphrases={table}" if "paraphrase" in matchers else ""
    shown = signature(score, f"meteor(language={language},normalize=false,function_words={words}{given})")
    assert (shown["lang"], shown["match"], shown["w"]) == (language, matchers, weights)
    assert ("paraphrases" in shown, "synonyms" in shown) == ("paraphrase" in matchers, "synonym" in matchers)
    assert "stems" not in shown
    fewer = signature(
        score, f"meteor(language={language},matchers=exact,normalize=false,function_words={words})"
    )
    assert fewer["match"] == "exact"
    assert {"paraphrases", "synonyms", "stems"}.isdisjoint(fewer)


def test_signatures_name_what_was_added(score, words, tmp_path):
    path = tmp_path / "wn-data-fra.tab"
    path.write_text("# wolf\tfra\n00001740-n\tfra:lemma\tchien\n00001740-n\tfra:lemma\ttoutou\n")
    common = f"normalize=false,function_words={words}"
    french = signature(score, f"meteor(language=fr,matchers=exact+stem+synonym,{common},synonyms={path})")
    # METEOR never weighed French synonyms: they count as in a language it knows nothing of.
    assert (french["match"], french["w"]) == ("exact+stem+synonym", "1_0.2_0.5")
    assert french["synonyms"].startswith("wn-data-fra-")
    polish = signature(score, f"meteor(language=pl,matchers=exact+stem,{common})")
    assert (polish["match"], polish["w"]) == ("exact+stem", "1_0.5")
    assert polish["stems"].startswith("snowballstemmer-")
    assert signature(score, f"meteor(language=nl,stems=snowball,{common})")["stems"] == polish["stems"]
    assert "stems" not in signature(score, f"meteor(language=nl,{common})")
    assert signature(score, f"m-bleu(language=nl,stems=snowball,normalize=false,resources={tmp_path})")[
        "stems"
    ]
