"""Commands give the same answer for compressed files, and refuse damaged ones with one line and exit code 1."""

import random

import pytest

from helpers import compressed

NUMBERS = random.Random(25)
LINES = [" ".join(NUMBERS.randbytes(2).hex() for _ in range(12)) for _ in range(300)]
TEXT = "".join(f"{line}\n" for line in LINES).encode()
REFERENCE = "".join(f"{line[:-4]}\n" for line in LINES).encode()
RATINGS = b"annotator,system,item,score\n" + b"".join(
    f"{annotator},{system},{item},{NUMBERS.randrange(101)}\n".encode()
    for item in range(60)
    for system in ("A", "B")
    for annotator in ("x", "y")
)
LABELS = b"document\n" + b"".join(b"%d\n" % (number // 10) for number in range(300))
STUDY = b"""name = "made"
metrics = ["bleu"]

[[test_set]]
name = "made"
references = ["reference.en"]
systems = ["plain.en", "other.en"]
""" + b"".join(b"# %s\n" % NUMBERS.randbytes(20).hex().encode() for _ in range(30))
CAMPAIGN = b"""name = "made"
language = "de-en"
protocol = "da"
annotators = { names = ["anna"] }

[systems]
plain = "plain.en"
other = "other.en"

[test_set]
references = ["reference.en"]
""" + b"".join(b"# %s\n" % NUMBERS.randbytes(20).hex().encode() for _ in range(30))
NBEST = "".join(f"{at} ||| {line} ||| x= 1 ||| 0.5\n" for at, line in enumerate(LINES[:50])).encode()

COMMANDS = {
    "score": ("x.en", TEXT, "score -r reference.en -m bleu A={}"),
    "score a reference": ("x.en", REFERENCE, "score -r {} -m bleu plain.en"),
    "score, streamed": ("x.en", TEXT, "score --stream -r reference.en -m bleu A={}"),
    "score a reference, streamed": ("x.en", REFERENCE, "score --stream -r {} -m bleu plain.en"),
    "compare, streamed": ("x.en", TEXT, "compare --stream -r reference.en -m bleu A={} other.en"),
    "labels, streamed": (
        "x.tsv",
        LABELS,
        "compare --stream -r reference.en -m bleu -L {} --unit document plain.en other.en",
    ),
    "lint": ("x.en", TEXT, "lint --strict -r reference.en A={}"),
    "lint --training": ("x.en", REFERENCE, "lint -r reference.en --training {} plain.en"),
    "analyse contamination": (
        "x.en",
        REFERENCE,
        "analyse contamination -r reference.en --training {} plain.en",
    ),
    "labels": ("x.tsv", LABELS, "compare -r reference.en -m bleu -L {} plain.en other.en --trials 50"),
    "gate --against": ("x.json", b"", "gate -r reference.en --against {} plain.en --trials 50"),
    "verify": ("x.json", b"", "verify {}"),
    "compare a stored run": ("x.json", b"", "compare -m bleu {} -r reference.en B=other.en --trials 50"),
    "human analyse": ("x.csv", RATINGS, "human analyse {}"),
    "study": ("x.toml", STUDY, "study run {}"),
    "lint a study": ("x.toml", STUDY, "lint {}"),
    "human new": ("x.toml", CAMPAIGN, "human new --dry-run {} -d none.db"),
    "rerank": ("x.nbest", NBEST, "rerank {} -r short.en --rule oracle"),
    "sacrebleu": ("x.en", TEXT, "sacrebleu reference.en -i {} -b"),
}


@pytest.fixture
def folder(tmp_path, monkeypatch):
    (tmp_path / "reference.en").write_bytes(REFERENCE)
    (tmp_path / "plain.en").write_bytes(TEXT)
    (tmp_path / "other.en").write_bytes(TEXT.replace(b"1", b"2"))
    (tmp_path / "short.en").write_text("\n".join(LINES[:50]) + "\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


CASES = [
    (command, list(compressed.PACK)[number % len(compressed.PACK)]) for number, command in enumerate(COMMANDS)
]
"""All commands read through one layer, whose every kind and fault has its test (tests/io/test_compression.py)."""


@pytest.mark.parametrize(("command", "kind"), CASES)
def test_compressed_files(run, folder, command, kind):
    name, content, line = COMMANDS[command]
    if not content:  # a stored run
        assert run("score", "-r", "reference.en", "-m", "bleu", "--save", "run.json", "plain.en").code == 0
        content = (folder / "run.json").read_bytes()
    path, plain = folder / f"{name}.{kind}", folder / name
    call = line.split()
    plain.write_bytes(content)
    expected = run(*(part.format(name) for part in call))
    assert expected.code == 0, expected.err
    plain.unlink()
    arguments = [part.format(path.name) for part in call]
    for case, data in list(compressed.whole_files(kind, content))[1:4:2]:
        path.write_bytes(data)
        ended = run(*arguments)
        assert ended.code == 0, (case, ended.err)
        assert ended.out.replace(path.name, name) == expected.out, case
    for case, data, message in list(compressed.broken_files(kind, content))[::4]:
        path.write_bytes(data)
        ended = run(*arguments)
        assert ended.code == 1, (case, ended)
        assert f"{path.name} {message}" in " ".join((ended.out + ended.err).split()), case
        if command != "lint":  # which lists what is wrong with a file among its findings
            assert (ended.out, ended.err.count("\n")) == ("", 1), case
