"""A new machine: what is missing is installed, or asked for in one list."""

import importlib.util
import os
import subprocess
import sys
from importlib.machinery import SourceFileLoader

import pytest

from conftest import PROJECT

SCRIPT = PROJECT / "scripts" / "install-packages"
TOOLS = ("sh", "find", "grep", "head", "test", "env")
ALL = ("g++", "default-jdk-headless", "chromium-headless-shell")


@pytest.fixture
def machine(tmp_path):
    """A machine that has nothing but a shell and Python; `apt-get` writes down what it was asked for."""

    def make(user, *programs):
        for name in TOOLS:
            real = subprocess.check_output(["/bin/sh", "-c", f"command -v {name}"], text=True).strip()
            if os.path.isabs(real):
                (tmp_path / name).symlink_to(real)
        scripts = {"id": f"echo {user}", "apt-get": f'echo "$*" >> {tmp_path}/asked'}
        for name, text in {**scripts, **dict.fromkeys(programs, ":")}.items():
            (tmp_path / name).write_text(f"#!/bin/sh\n{text}\n")
            (tmp_path / name).chmod(0o755)

        def call(purpose, **env):
            command = [SCRIPT, purpose, sys.executable]
            done = subprocess.run(
                command, env={"PATH": str(tmp_path), **env}, capture_output=True, text=True, check=False
            )
            asked = (tmp_path / "asked").read_text().splitlines() if (tmp_path / "asked").exists() else []
            return done.returncode, done.stderr, asked

        return call

    return make


def test_root_gets_all_of_it_at_once(machine):
    code, message, asked = machine(0)("test")
    assert code == 0
    assert len(asked) == 1
    assert all(f" {name}" in asked[0] for name in ALL)
    assert "adjudge installs what is missing: apt-get install" in message


def test_anyone_else_is_told_all_of_it_at_once(machine):
    code, message, asked = machine(1000)("test", WITHOUT="1")  # a compiler is not to be done without
    assert code == 1
    assert asked == []
    last = message.splitlines()[-1]
    assert "run make again: sudo apt-get install" in last
    assert all(f" {name}" in last for name in ALL)
    assert "default-jdk-headless: tests: METEOR 1.5 itself" in message


def test_tests_stop_without_what_they_need_unless_told_otherwise(machine):
    call = machine(1000, "c++")
    code, message, _ = call("test")
    assert code == 1
    assert "make test WITHOUT=1" in message
    code, message, _ = call("test", WITHOUT="1")
    assert code == 0
    assert "tests that need them are skipped" in message


def test_a_build_needs_no_more_than_a_compiler(machine):
    assert machine(1000, "c++")("build") == (0, "", [])


def test_every_package_that_a_test_asks_for_is_in_the_list():
    """`apt-get install X` in a reason to skip is a package that the script installs."""
    listed = SCRIPT.read_text()
    asked = subprocess.check_output(
        ["grep", "-rhoE", "--include=*.py", r"apt-get install [a-z0-9+-]+", "tests"],
        cwd=PROJECT,
        text=True,
    )
    names = {line.rpartition(" ")[2] for line in asked.splitlines()}
    names -= {"postgresql", "fonts-wqy-zenhei"}  # a wheel brings the one; only new pictures need the other
    assert names >= {"default-jdk-headless", "chromium-headless-shell", "wordnet-base"}
    assert {name for name in names if f"need {name} " not in listed} == set()


def script(name):
    """A script as a module."""
    loader = SourceFileLoader(name.rpartition("/")[2].partition(".")[0], str(PROJECT / "scripts" / name))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))
    sys.modules[loader.name] = module
    loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def mutants():
    return script("mutants")


def test_mutants_change_one_expression_each(mutants, tmp_path):
    """All kinds of them, each of which is Python; types and texts are left alone, and the same seed draws the same."""
    source = tmp_path / "a.py"
    source.write_text(
        'def f(x: "int" = 3) -> "list[1]":\n'
        '    """1 < 2"""\n'
        "    if not x and 'ü' < g(x, 2):\n"
        "        raise ValueError(1)\n"
        "    return f'{x < 1}'\n"
    )
    values = {mutant.source().decode().replace("\n", " ") for mutant in mutants.mutants(source)}
    before = source.read_text().replace("\n", " ")
    assert values == {
        before.replace(old, new)
        for old, new in (
            ("= 3", "= 4"),
            ("= 3", "= 2"),
            ("not x and 'ü' < g(x, 2)", "(not x or 'ü' < g(x, 2))"),
            ("if not x", "if (x)"),
            ("'ü' < g(x, 2)", "('ü' <= g(x, 2))"),
            ("g(x, 2)", "g(2, x)"),
            ("g(x, 2)", "g(x, 3)"),
            ("g(x, 2)", "g(x, 1)"),
            ("return f'{x < 1}'", "return None"),
        )
    }
    assert mutants.sample(["history"], 6, seed=2) == mutants.sample(["history"], 6, seed=2)
    assert len({mutant.kind for mutant in mutants.sample(["history"], 6, seed=2)}) == 6


def test_a_mutant_lies_over_its_module_in_other_processes_too(mutants, tmp_path):
    """With the module's own address, by which it finds files beside it; without a mutant all is as it was."""
    path = PROJECT / "src" / "adjudge" / "campaigns" / "typology.py"
    mutant = next(
        mutant for mutant in mutants.mutants(path) if mutant.kind == "return"
    )  # of shipped_typologies()
    (tmp_path / "mutant.py").write_bytes(mutant.source())
    laid = {"MUTANT_PLACE": str(path), "MUTANT_FILE": str(tmp_path / "mutant.py")}
    code = "from adjudge.campaigns import typology as t; print(t.FOLDER.is_dir(), t.shipped_typologies())"
    for module, ends in ((mutant.module, "None"), ("", "]")):
        env = mutants.environment(laid | {"MUTANT_MODULE": module})
        printed = subprocess.check_output([sys.executable, "-c", code], env=env, text=True).strip()
        assert printed.startswith("True")
        assert printed.endswith(ends)


def test_a_map_asks_the_tests_that_run_a_line(mutants, tmp_path, monkeypatch):
    """Its namesake's first, then the quickest; what is read at import is asked of all that run the file's functions."""
    source = tmp_path / "a.py"
    source.write_text("LIMIT = 3\n\n\ndef f(x):\n    if x < LIMIT:\n        return 7\n    return 8\n")
    line_map, names = script("mutation/line_map.py"), ("test_slow", "test_quick", "test_gone")
    (tmp_path / "test_b.py").write_text("".join(f"def {name}(): ...\n" for name in names[:2]))
    (tmp_path / "test_a.py").write_text("def test_own(): ...\n")
    monkeypatch.setattr(line_map, "PROJECT", tmp_path)
    slow, quick, gone = (f"{tmp_path}/test_b.py::{name}" for name in names)
    own = f"{tmp_path}/test_a.py::test_own[1]"

    class Lines:
        def contexts_by_lineno(self, path):
            assert path == str(source)
            return {
                1: ["", gone],
                4: [slow],
                5: [slow, f"{quick} (call)", gone, own],
                6: [gone, quick],
                7: [own],
            }

    known = object.__new__(line_map.LineMap)
    known.data, known.seconds = Lines(), {slow: 2.0, quick: 0.1, gone: 0.1, own: 1.0}
    asked = {mutant.line: known.tests(mutant) for mutant in mutants.mutants(source)}
    assert asked == {1: [own, quick, slow], 5: [own, quick, slow], 6: [quick], 7: [own]}


@pytest.mark.slow
def test_the_lines_of_the_readme_run_after_pip_install():
    """In an environment of their own, with nothing but what `pip install 'adjudge[all]'` brings: some minutes."""
    result = subprocess.run(
        [sys.executable, PROJECT / "scripts" / "try-readme"], capture_output=True, text=True, timeout=1800
    )
    assert result.returncode == 0, result.stdout + result.stderr
    assert result.stdout.count("$ adjudge ") >= 10
