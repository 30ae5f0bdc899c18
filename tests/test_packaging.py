"""What is installed: extras that bring all that messages ask for, and who made it."""

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import click

import adjudge
from adjudge.cli import commands
from adjudge.text import resources

ROOT = Path(__file__).resolve().parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
EXTRAS = PROJECT["optional-dependencies"]
FOR_BUILDERS = {"all", "dev", "slow", "bench", "docs"}
LARGE = {"mlflow", "neural", "qe", "s3", "torchmetrics"}
"""A gigabyte, two dozen packages, or one that is compiled for minutes, which only those need who ask for it."""


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
        *(packages for name, packages in EXTRAS.items() if name not in {"bench", "slow", *LARGE}),
    ]
    assert set(listed) == {entry for part in parts for entry in part if not entry.startswith("adjudge[")}
    assert subprocess.check_output([*script, "run"], text=True).splitlines() == PROJECT["dependencies"]


def test_versions_agree():
    cited = re.search(r"^version: (.*)$", (ROOT / "CITATION.cff").read_text(encoding="utf-8"), re.MULTILINE)[
        1
    ]
    assert cited == adjudge.__version__
    assert f"## {cited}" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


def test_the_container_and_the_service_serve_as_the_command_can():
    """Options that are no longer there would only be noticed when somebody starts them."""
    context = click.Context(command_of("human", "serve"))
    options = {name for parameter in context.command.params for name in parameter.opts}
    for file in ("Dockerfile", "adjudge.service"):
        text = (ROOT / "deploy" / file).read_text(encoding="utf-8")
        [started] = re.findall(r"^(?:ENTRYPOINT|ExecStart=).*", text, re.MULTILINE)
        used = set(re.findall(r"--[a-z-]+", started))
        assert used
        assert used <= options
    dockerfile = (ROOT / "deploy" / "Dockerfile").read_text(encoding="utf-8")
    assert re.search(r"^USER (?!root)", dockerfile, re.MULTILINE)
    assert "/health" in dockerfile


def command_of(*words: str) -> click.Command:
    command: click.Command = commands
    for word in words:
        command = command.get_command(click.Context(command), word)
    return command
