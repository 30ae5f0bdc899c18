"""Metrics of other packages: the template is installed as users install it, and broken packages harm nobody."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from adjudge import metrics
from adjudge.engine.cache import RowCache
from adjudge.errors import PluginWarning
from adjudge.metrics import plugins

PROJECT = Path(__file__).resolve().parent.parent.parent
TEMPLATE = PROJECT / "examples" / "plugin"
FILES = ("-r", "examples/reference.en", "examples/systems/neural.en")


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    """A folder into which pip has installed the template."""
    folder = tmp_path_factory.mktemp("plugin")
    shutil.copytree(TEMPLATE, folder / "source")
    target = folder / "packages"
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-index"]
    options = ["--no-build-isolation", "--no-deps", "--no-compile", "--target", str(target)]
    subprocess.run([*pip, *options, str(folder / "source")], check=True)
    return target


def broken_package(folder: Path, name: str, source: str, entry: str) -> None:
    """A package as pip leaves it: a module, and a folder of metadata with an entry point."""
    (folder / f"{name}.py").write_text(source, encoding="utf-8")
    facts = folder / f"{name}-2.0.dist-info"
    facts.mkdir()
    (facts / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 2.0\n", encoding="utf-8")
    (facts / "entry_points.txt").write_text(f"[{plugins.GROUP}]\n{entry}\n", encoding="utf-8")


def ended(folder: Path, *args: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *args],
        cwd=PROJECT,
        env={**os.environ, "PYTHONPATH": str(folder)},
        capture_output=True,
        encoding="utf-8",
        timeout=60,
    )


def adjudge(folder: Path, *args: str) -> subprocess.CompletedProcess[str]:
    return ended(folder, "-m", "adjudge", *args)


def test_the_list_shows_a_plugin_and_its_package(installed):
    shown = adjudge(installed, "score", "--list", "-m", "covered")
    assert (shown.returncode, shown.stderr) == (0, "")
    assert "covered ↑  share of output words that occur in the reference" in shown.stdout
    assert "of the package adjudge-covered-0.1.0" in shown.stdout
    everything = json.loads(adjudge(installed, "score", "--list", "-f", "json").stdout)["metrics"]
    packages = {facts["name"]: facts["package"] for facts in everything}
    assert packages.pop("covered") == "adjudge-covered-0.1.0"
    assert set(packages) == set(metrics.builtin())
    assert set(packages.values()) == {""}


def test_specs_presets_tests_and_signatures_of_a_plugin(installed, tmp_path):
    """Scores by hand, a comparison, and a signature that names the package."""
    (tmp_path / "reference").write_text("the cat sat\na b\n", encoding="utf-8")
    (tmp_path / "system").write_text("The cat ran off\nb a\n", encoding="utf-8")
    files = ("-r", str(tmp_path / "reference"), str(tmp_path / "system"))
    of = ("-m", "covered,covered-lc,covered(lowercase=true)", "-f", "json")
    results = json.loads(adjudge(installed, "score", *files, *of).stdout)["results"]
    assert [(r["metric"], r["score"]) for r in results] == [("covered", 62.5), ("covered-lc", 75.0)]
    signature = results[1]["signature"]
    assert signature.startswith("nrefs:1|case:lc|package:adjudge-covered-0.1.0|version:adjudge-")
    compared = adjudge(installed, "compare", *FILES, "examples/systems/rulebased.en", "-qm", "covered")
    assert (compared.returncode, compared.stderr) == (0, "")
    assert "neural" in compared.stdout


PYTHON = """
import adjudge, sys
from pathlib import Path
from adjudge.engine.cache import RowCache
test_set, outputs = adjudge.TestSet(references=[["a b"]]), [adjudge.Outputs("x", ["a c"])]
cache = RowCache(Path(sys.argv[1]))
adjudge.score(test_set, outputs, ["bleu"], cache=cache)
assert "adjudge_covered" not in sys.modules, "imported though nobody asked"
kept = len(list(cache.folder.glob("*.rows")))
scores = adjudge.score(test_set, outputs, ["covered"], cache=cache)
print(scores.results[0].score, kept, len(list(cache.folder.glob("*.rows"))))
"""


def test_python_has_plugins_and_keeps_none_of_their_rows(installed, tmp_path):
    """They are imported when somebody asks for them, and kept nowhere, for nobody knows when they change."""
    done = ended(installed, "-c", PYTHON, str(tmp_path))
    assert (done.stderr, done.stdout.split()) == ("", ["50.0", "1", "1"])


BROKEN = {
    "unimportable": (
        "import no_such_module_anywhere",
        "x = unimportable:X",
        "ModuleNotFoundError: No module",
    ),
    "exiting": ("raise SystemExit('bye\\nbye')", "x = exiting:X", "SystemExit: bye bye"),
    "lacking": ("", "x = lacking:X", "AttributeError: module 'lacking' has no attribute 'X'"),
    "unrelated": ("class X: pass", "x = unrelated:X", "is no class that derives from"),
    "abstract": (
        "from adjudge.metrics.base import Metric\nclass X(Metric): name = 'x'",
        "x = abstract:X",
        "does not define aggregate, stats",
    ),
    "renamed": ("from adjudge.metrics.per import Per as X", "x = renamed:X", "calls itself 'per'"),
    "repeated": ("from adjudge.metrics.per import Per as X", "per = repeated:X", "called 'per' already"),
}


@pytest.mark.parametrize("package", sorted(BROKEN))
def test_a_broken_package_is_named_in_a_line_and_left_out(package, tmp_path, monkeypatch):
    source, entry, problem = BROKEN[package]
    broken_package(tmp_path, package, source, entry)
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.warns(PluginWarning) as warned:
        classes = plugins.load(metrics.builtin())
    monkeypatch.delitem(sys.modules, package, raising=False)
    assert classes == {}
    [message] = [str(warning.message) for warning in warned]
    assert message.startswith(f"the metric {entry.split()[0]} of {package}-2.0 is left out: {package}:X: ")
    assert problem in message
    assert "\n" not in message


MISTAKES = {
    "no frozen dataclass": ("class Own(Right): pass", "is no frozen dataclass"),
    "an option without a default": (
        "@dataclass(frozen=True, kw_only=True)\nclass Own(Right):\n    size: int",
        "the option size has no default",
    ),
    "a name that nobody can ask for": (
        "@dataclass(frozen=True)\nclass Own(Right): presets = {'Own, too': {}}",
        "'Own, too' is no name to ask for",
    ),
}
RIGHT = """
from dataclasses import dataclass
from adjudge.metrics.base import MeanMetric
@dataclass(frozen=True)
class Right(MeanMetric):
    name = "own"
    def segments(self, prepared, outputs, *, threads=0): ...
"""


@pytest.mark.parametrize("mistake", sorted(MISTAKES))
def test_mistakes_of_authors(mistake):
    code, problem = MISTAKES[mistake]
    names: dict[str, type] = {"__name__": "own"}  # type: ignore[dict-item]
    exec(RIGHT + code, names)
    assert plugins._problem(names["Right"], "own", set()) == ""
    assert problem in plugins._problem(names["Own"], "own", set())


def test_nothing_else_suffers_from_a_broken_package(tmp_path):
    broken_package(tmp_path, "unimportable", *BROKEN["unimportable"][:2])
    warning = "adjudge: warning: the metric x of unimportable-2.0 is left out: unimportable:X: ModuleNotFound"
    usual = adjudge(tmp_path, "score", *FILES, "-m", "bleu")
    assert (usual.returncode, usual.stderr) == (0, "")
    listed = adjudge(tmp_path, "score", "--list")
    assert listed.returncode == 0
    assert listed.stderr.startswith(warning)
    assert listed.stderr.count("\n") == 1
    assert adjudge(tmp_path, "score", "--list", "-q").stderr == ""
    asked = adjudge(tmp_path, "score", *FILES, "-m", "x")
    assert asked.returncode == 2
    assert asked.stderr.startswith(warning)
    assert asked.stderr.splitlines()[1].startswith("adjudge: error: unknown metric 'x'")


def test_the_cache_keeps_metrics_of_adjudge_only(tmp_path, monkeypatch):
    """Also where a foreign metric is registered: what is kept goes by adjudge's own."""
    from adjudge import Outputs, TestSet, score
    from adjudge.metrics.per import Per

    foreign = type("Foreign", (Per,), {"name": "foreign"})
    monkeypatch.setattr(metrics, "registry", lambda: {**metrics.builtin(), "foreign": foreign})
    cache = RowCache(tmp_path)
    score(TestSet(references=[["a b"]]), [Outputs("x", ["a c"])], ["foreign"], cache=cache)
    assert not list(tmp_path.iterdir())
