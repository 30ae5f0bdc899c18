"""What is installed: extras that bring all that messages ask for, and who made it."""

import re
import subprocess
import sys
import tomllib
from pathlib import Path

from adjudge.text import resources

ROOT = Path(__file__).resolve().parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
EXTRAS = PROJECT["optional-dependencies"]
FOR_BUILDERS = {"all", "dev", "bench"}
LARGE = {"neural", "qe"}
"""A gigabyte, or a package that is compiled for minutes, which only those need who ask for it."""


def test_all_brings_every_extra():
    [everything] = EXTRAS["all"]
    named = re.fullmatch(r"adjudge\[(.*)\]", everything)[1].split(",")
    assert sorted(named) == sorted(set(EXTRAS) - FOR_BUILDERS - LARGE)


def test_an_extra_brings_the_files_of_meteor():
    """So that the lines of the README run after one `pip install 'adjudge[all]'`."""
    names = {re.split(r"[<>=\[]", requirement)[0] for requirement in EXTRAS["meteor"]}
    assert resources.PACKAGE in names
    assert resources.INSTALL == "pip install 'adjudge[meteor]'"


def test_extras_that_messages_name_are_there():
    source = Path(resources.__file__).parent.parent
    named = set()
    for file in source.rglob("*.py"):
        named |= set(re.findall(r"adjudge\[(\w+)\]", file.read_text(encoding="utf-8")))
    assert named
    assert named <= set(EXTRAS)


def test_who_made_it_and_where_to_find_it():
    assert PROJECT["authors"]
    assert {"Homepage", "Documentation", "Issues"} <= set(PROJECT["urls"])
    assert all(url.startswith("https://") for url in PROJECT["urls"].values())


def test_make_installs_what_pip_would():
    """The packages are installed beside the build, by a list: it must be that of `pip install 'adjudge[dev]'`."""
    script = [sys.executable, ROOT / "scripts" / "requirements"]
    listed = subprocess.check_output([*script, "dev"], text=True).splitlines()
    parts = [
        PROJECT["dependencies"],
        *(packages for name, packages in EXTRAS.items() if name not in {"bench", *LARGE}),
    ]
    assert set(listed) == {entry for part in parts for entry in part if not entry.startswith("adjudge[")}
    assert subprocess.check_output([*script, "run"], text=True).splitlines() == PROJECT["dependencies"]
