"""What the documentation shows is what happens: commands in ```console blocks print what stands there.

Only commands with adjudge in them are run, from the project's folder; a line `...` stands for any lines. A
block that should not run is marked ```sh. After a change to what commands print, `python tests/test_docs.py`
writes the new output into the documentation: read the difference before you commit it.
"""

import difflib
import html
import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from adjudge.stats.clusters import placements
from helpers import warm

PROJECT = Path(__file__).resolve().parent.parent
PAGES = [PROJECT / "README.md", *sorted((PROJECT / "docs").glob("*.md"))]
BLOCK = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)
STEP = re.compile(r"^\$ ((?:.*\\\n)*.*\n)((?:(?!\$ ).*\n)*)", re.MULTILINE)
RUNS = re.compile(r"(?:^|\| *)adjudge\b")


def examples() -> list[tuple[Path, str, str]]:
    return [
        (page, command.strip(), expected)
        for page in PAGES
        for block in BLOCK.findall(page.read_text(encoding="utf-8"))
        for command, expected in STEP.findall(block)
        if RUNS.search(command)
    ]


def printed(command: str) -> str:
    """All that a command prints, on stdout and stderr."""
    hidden = ("NO_COLOR", "FORCE_COLOR", "COLUMNS", "ADJUDGE_DEBUG")
    environment = {k: v for k, v in os.environ.items() if k not in hidden}
    folders = (warm.program().parent, Path(sys.executable).parent, os.environ["PATH"])
    environment["PATH"] = os.pathsep.join(map(str, folders))
    environment |= {"PYTHONIOENCODING": "utf-8", "LC_ALL": "C.UTF-8"}
    return subprocess.run(
        ["bash", "-c", command],
        cwd=PROJECT,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        timeout=60,
    ).stdout


def matches(expected: str, actual: str) -> bool:
    parts = [re.escape(part) for part in re.split(r"^\.\.\.\n", expected, flags=re.MULTILINE)]
    return re.fullmatch(r"(?:.*\n)*?".join(parts), actual) is not None


@pytest.mark.parametrize(("page", "command", "expected"), examples(), ids=lambda value: str(value)[-40:])
def test_example(page, command, expected):
    actual = printed(command)
    if not matches(expected, actual):
        difference = difflib.unified_diff(
            expected.splitlines(True), actual.splitlines(True), f"{page.name} says", f"{command} prints"
        )
        pytest.fail("".join(difference), pytrace=False)


def test_hooks_for_pre_commit_run():
    """The commands of the recipe, on the example's files under the names that it has for them."""
    page = (PROJECT / "docs" / "integrations.md").read_text(encoding="utf-8")
    entries = re.findall(r"^ +entry: (adjudge .*)$", page, re.MULTILINE)
    assert [entry.split()[1] for entry in entries] == ["lint", "verify"]
    lint, verify = (entry.replace("test/", "examples/") for entry in entries)
    assert "error" not in printed(f"{lint} examples/systems/neural.en || echo error")
    assert "error" not in printed(f"{verify} || echo error")
    assert printed(f"{lint} /dev/null >/dev/null 2>&1 || echo refused") == "refused\n"


def test_matches():
    assert matches("a\nb\n", "a\nb\n")
    assert not matches("a\nb\n", "a\n")
    assert matches("a\n...\nd\n", "a\nb\nc\nd\n")
    assert not matches("a\n...\nd\n", "a\nb\nc\n")
    assert not matches("a.c\n", "abc\n")


FALSE_WORDS = {
    r"does not follow that it is better": "p is about other texts of the same kind, so it does follow",
    r"let price decide": "no difference shown is not no difference",
    r"\bRank 1\b": "a rank from few systems is a range",
    r"would have been seen": "80 % power misses one in five",
    r"so small that chance": "a short test says nothing about size",
    r"people agreed in \d": "the share comes from a fitted curve, not from a count",
    r"cluster(?:s)? (?:is|are) systems that cannot be told apart": "members of a cluster may differ significantly",
    r"better on this test set \(p": "on this test set the difference is a fact",
}
"""Words that programs and pages have said, and why a statistician would not sign them."""


@pytest.mark.parametrize("words", FALSE_WORDS)
def test_words_that_were_false_do_not_come_back(words):
    sources = [*(PROJECT / "src").rglob("*.py"), *PAGES]
    texts = {path: " ".join(path.read_text(encoding="utf-8").split()) for path in sources}
    assert [path.name for path, text in texts.items() if re.search(words, text)] == [], FALSE_WORDS[words]


def test_a_cluster_is_defined_as_it_is_drawn():
    """Three systems of which the outer two differ share a cluster: the definition must allow that."""
    beats = np.zeros((3, 3), bool)
    beats[0, 2] = True
    assert {own.cluster for own in placements(np.array([3.0, 2.0, 1.0]), beats)} == {1}
    index, buyer = ((PROJECT / "docs" / name).read_text() for name in ("index.md", "tutorial-buyer.md"))
    assert "Two systems of one cluster may still differ significantly" in index
    assert "two engines inside it may still differ" in " ".join(buyer.split())


def test_there_are_examples():
    assert any(page.name == "score.md" for page, _, _ in examples())


def test_links_lead_somewhere():
    for page in PAGES:
        for target in re.findall(r"\]\(([^)#\s]+)[^)]*\)", page.read_text(encoding="utf-8")):
            if "://" not in target:
                assert (page.parent / target).exists(), f"{page.name} links to {target}, which is not there"


def test_the_picture_shows_what_the_demo_prints():
    picture = (PROJECT / "docs" / "images" / "compare.svg").read_text(encoding="utf-8").replace("&#160;", " ")
    (command,) = (c for _, c, _ in examples() if c.endswith("reference.en -m bleu examples/systems/*.en"))
    assert command in picture, "scripts/make-picture has another command"
    shown = "".join(html.unescape(re.sub(r"<[^>]*>", "", picture)).split())
    for line in printed(command).splitlines():
        # Lines are filled to another width there, so words are looked for.
        for word in line.replace("─", " ").split():
            assert word in shown, "out of date: run scripts/make-picture"


def test_the_figure_is_what_xray_draws():
    script = (PROJECT / "scripts" / "make-picture").read_text(encoding="utf-8")
    (command,) = re.findall(r'^XRAY = "(.*)"$', script, re.MULTILINE)
    figure = (PROJECT / "docs" / "images" / "xray.svg").read_text(encoding="utf-8")
    assert figure == printed(command), "out of date: run scripts/make-picture"


def update() -> None:
    """Write what the commands print now into the pages; outputs that were cut short with `...` are left."""

    def step(match: re.Match[str]) -> str:
        command, expected = match.groups()
        if not RUNS.search(command) or re.search(r"^\.\.\.$", expected, re.MULTILINE):
            return match[0]
        return f"$ {command}{printed(command.strip())}"

    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        page.write_text(
            BLOCK.sub(lambda block: block[0].replace(block[1], STEP.sub(step, block[1])), text),
            encoding="utf-8",
        )


if __name__ == "__main__":
    update()
