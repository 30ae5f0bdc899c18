"""The site of the documentation: pages of metrics, the reference, the menu, and the whole of it, built offline."""

import importlib.util
import re
import subprocess
import sys
from importlib.machinery import SourceFileLoader
from pathlib import Path

import pytest

import adjudge
from adjudge import metrics

PROJECT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="module")
def make_site():
    loader = SourceFileLoader("make_site", str(PROJECT / "scripts" / "make-site"))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("make_site", loader))
    loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def pages(make_site):
    docs = PROJECT / "docs"
    texts = [
        (docs / name).read_text(encoding="utf-8") for name in ("metrics.md", "parity.md", "performance.md")
    ]
    return make_site.metric_pages.metric_pages(*texts)


def test_every_metric_has_a_page(pages):
    assert set(pages) == set(metrics.registry())


def test_a_page_has_what_was_measured_of_its_metric_and_of_no_other(pages):
    bleu = pages["bleu"]
    for title in ("Whose numbers these are", "How fast it is", "How it agrees with people"):
        assert f"## {title}" in bleu
    rows = [line for line in bleu.splitlines() if line.startswith("|") and "×" in line]
    assert rows
    assert all(row.startswith(("| bleu ", "| `bleu")) for row in rows)
    assert "sacreBLEU 2.6.0" in bleu
    assert "METEOR 1.5" not in bleu
    assert "How fast" not in pages["command"]


@pytest.mark.parametrize(
    ("row", "name", "is_about"),
    [
        ("| BLEU | sacreBLEU |", "bleu", True),
        ("| `sk(words=lemma)` | .4 |", "sk", True),
        ("| METEOR (exact, stem) | x |", "meteor", True),
        ("| chrf++ | sacrebleu |", "chrf", True),
        ("| TER (edits) | tercom |", "terp", False),
        ("| `sptk(words=lemma)` | .3 |", "ptk", False),
    ],
)
def test_rows_of_a_metric(make_site, row, name, is_about):
    assert make_site.metric_pages.is_about(row, name) is is_about


def test_the_reference_has_all_that_is_public(make_site):
    made = make_site.reference.pages(adjudge)
    assert set(made) == {*adjudge.__all__, "index"}
    compare = made["compare"]
    assert compare.startswith("# adjudge.compare")
    assert "    test_set: TestSet," in compare
    assert "= ('bleu', 'chrf', 'ter')," in compare
    assert "Score every output by every metric" in compare
    assert "| `references` |" in made["TestSet"]
    for name, page in made.items():
        assert len(page.splitlines()) > 4, name


def test_every_page_is_in_the_menu(make_site):
    names = sorted(path.name for path in (PROJECT / "docs").glob("*.md"))
    menu = make_site.toml(make_site.navigation([*names, *make_site.OUTSIDE.values()], ["bleu"], ["compare"]))
    for name in names:
        assert f'"{name}"' in menu, name
    assert menu.count('"metrics.md"') == 1


def test_links_of_generated_pages(pages):
    for name, page in pages.items():
        for target in re.findall(r"\]\(([^)#\s]+)[^)]*\)", page):
            if "://" not in target:
                assert target.startswith("../"), name
                assert (PROJECT / "docs" / target.removeprefix("../")).exists(), (name, target)


@pytest.mark.slow
def test_the_site_is_built_without_a_network():
    subprocess.run([sys.executable, PROJECT / "scripts" / "make-site"], check=True)
    site = PROJECT / "build" / "site" / "html"
    assert "adjudge.compare" in (site / "reference" / "compare.html").read_text(encoding="utf-8")
    for page in site.rglob("*.html"):
        text = page.read_text(encoding="utf-8")
        assert not re.search(r"<(?:script|link|img)[^>]+(?:src|href)=\"?https?://", text), page.name
