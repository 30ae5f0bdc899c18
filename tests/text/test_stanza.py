"""Parses by Stanza itself, with tiny models that its own programs train in the test.

`scripts/make-neural-venv` makes the environment that Stanza lies in; without it these tests are skipped. adjudge
runs there too, as it would where `pip install stanza` was said beside it.
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import adjudge
from adjudge import _native
from adjudge.io import conllu

PROJECT = Path(__file__).resolve().parent.parent.parent
PYTHON = Path(os.environ.get("ADJUDGE_NEURAL_PYTHON", PROJECT / ".venv-neural" / "bin" / "python"))
pytestmark = [pytest.mark.slow, pytest.mark.oracle]
SCRIPT = PROJECT / "tests" / "oracles" / "stanza_models.py"
TEXT = "I don't know where the cat sat. It slept well.\n\nThe dog barked at the car!\n"
PLAIN = """
import sys, stanza
pipeline = stanza.Pipeline("en", processors="tokenize,mwt,pos,lemma,depparse", download_method=None, verbose=False)
for line in open(sys.argv[1], encoding="utf-8").read().splitlines():
    for sentence in pipeline(line).sentences if line else ():
        for word in sentence.words:
            print(word.text, word.lemma, word.upos, word.xpos, word.head, word.deprel, sep="\\t")
"""


class Stanza:
    """An environment with Stanza, adjudge and models of so many steps of training."""

    def __init__(self, folder: Path, treebank: Path, sentences: int, steps: int) -> None:
        self.models = folder / "models"
        self.texts = folder / "texts.en"
        self.texts.write_text(TEXT, encoding="utf-8")
        package = folder / "path" / "adjudge"
        package.mkdir(parents=True)
        core = Path(_native.CORE)
        for file in (*Path(adjudge.__file__).parent.iterdir(), core):
            (package / file.name).symlink_to(file)
        self.environment = {
            **os.environ,
            "STANZA_RESOURCES_DIR": str(self.models),
            "PYTHONPATH": str(package.parent),
            "OMP_NUM_THREADS": "1",
            "XDG_CACHE_HOME": str(folder / "cache"),
        }
        trained = self.run(str(SCRIPT), str(self.models), str(treebank), str(sentences), str(steps))
        assert trained.returncode == 0, trained.stderr[-3000:]

    def run(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [PYTHON, *arguments],
            capture_output=True,
            text=True,
            timeout=900,
            check=False,
            env=self.environment,
        )

    def parse(self, *options: str, parser: str = "stanza:en") -> subprocess.CompletedProcess[str]:
        return self.run("-m", "adjudge", "parse", "--parser", parser, *options, str(self.texts))


@pytest.fixture(scope="module")
def stanza(tmp_path_factory, shared):
    if not PYTHON.is_file():
        pytest.skip(f"no {PYTHON}: scripts/make-neural-venv makes it")
    wanted = "import sys, stanza, click, rich; print(*sys.version_info[:2])"
    known = subprocess.run([PYTHON, "-c", wanted], capture_output=True, text=True, check=False)
    if known.stdout.split() != list(map(str, sys.version_info[:2])):
        pytest.skip(
            f"{PYTHON} has no Stanza, or is another Python than this one: scripts/make-neural-venv {sys.executable}"
        )
    treebank = shared.data / "12_ud_english_ewt" / "en_ewt-ud-dev.conllu"
    return Stanza(tmp_path_factory.mktemp("stanza"), treebank, 60, 15)


def is_what_stanza_says(stanza: Stanza, parsed: str) -> None:
    """Word by word what Stanza's own pipeline gives, which the file holds in its columns."""
    plain = stanza.run("-c", PLAIN, str(stanza.texts))
    assert plain.returncode == 0, plain.stderr[-2000:]
    rows = [line.split("\t") for line in parsed.splitlines() if line and line[0] != "#"]
    assert [
        [row[at].replace("_", "None") if at == 4 else row[at] for at in (1, 2, 3, 4, 6, 7)] for row in rows
    ] == [line.split("\t") for line in plain.stdout.splitlines()]
    assert len(conllu.read("trees.conllu", parsed.encode())) == parsed.count("# sent_id")


def test_what_stanza_was_trained_on_is_seen_again(stanza):
    shown = stanza.parse("--no-cache")
    assert shown.returncode == 0, shown.stderr
    is_what_stanza_says(stanza, shown.stdout)
    words = [line.split("\t")[1] for line in shown.stdout.splitlines() if line and line[0] != "#"]
    assert {"The", "cat", "slept", "well", "."} <= set(words)
    assert "\tIt\tit\t" in shown.stdout
    assert "# segment = 3" in shown.stdout


def test_a_second_run_parses_nothing_and_other_models_are_another_parser(stanza):
    first = stanza.parse()
    assert (first.returncode, first.stderr.count("parsing")) == (0, 0)
    second = stanza.run(
        "-c",
        "import sys; from adjudge.text import parsers; from adjudge.__main__ import main\n"
        "def never(self, texts): raise SystemExit('parsed again')\n"
        "parsers.StanzaParser.parse = never\n"
        f"sys.argv[1:] = ['parse', '--parser', 'stanza:en', {str(stanza.texts)!r}]\nmain()",
    )
    assert (second.returncode, second.stdout) == (0, first.stdout), second.stderr
    signature = "from adjudge.text import parsers; print(parsers.find('stanza:en').signature)"
    before = stanza.run("-c", signature).stdout
    (stanza.models / "en" / "pos" / "more.pt").write_bytes(b"other")
    assert before.startswith("stanza-")
    assert stanza.run("-c", signature).stdout != before


def test_what_stanza_does_not_have_is_told(stanza, tmp_path):
    lacking = stanza.parse("-o", str(tmp_path / "out.conllu"), parser="stanza:de")
    assert lacking.returncode == 2
    assert lacking.stderr.startswith("adjudge: error: Stanza has no models for 'de' on this machine")
    assert "--allow-download" in lacking.stderr
    assert not (tmp_path / "out.conllu").exists()
    resources = stanza.models / "resources.json"
    kept = resources.read_bytes()
    resources.write_bytes(kept[:20])
    damaged = stanza.parse("--no-cache")
    resources.write_bytes(kept)
    assert "resources.json is not what Stanza wrote there" in damaged.stderr
