"""Manual pages say what --help says."""

import re
import shutil
import subprocess

import click
import pytest

from adjudge.cli import commands, man

PAGES = dict(man.pages(commands))


def text_of(page: str) -> str:
    """What is left without instructions and fonts."""
    kept = [line for line in page.splitlines() if not re.match(r"\.[A-Za-z]", line)]
    plain = re.sub(r"\\f[BR]", "", "\n".join(kept))
    return (
        plain.replace("\\-", "-")
        .replace("\\(ga", "`")
        .replace("\\(dq", '"')
        .replace("\\&", "")
        .replace("\\e", "\\")
    )


@pytest.mark.parametrize("words", list(PAGES), ids=" ".join)
def test_every_option_of_every_command_is_described(words):
    command = PAGES[words]
    context = click.Context(command, info_name=" ".join(words))
    page = man.page(words, command, version="1.0")
    text = text_of(page)
    for parameter in command.get_params(context):
        record = parameter.get_help_record(context)
        if record and record[1]:
            assert record[0] in text
            assert " ".join(record[1].split()) in text
    assert page.startswith('.TH "ADJUDGE')
    assert not [line for line in page.splitlines() if re.match(r"['.](?!(TH|SH|PP|TP|nf|fi|RS|RE)\b)", line)]


def test_groff_reads_them(run):
    groff = shutil.which("groff")
    if groff is None:
        pytest.skip("no groff here")
    page = run("man", "compare").out
    made = subprocess.run(
        [groff, "-man", "-Tutf8", "-ww", "-P-cbou"], input=page, capture_output=True, text=True, check=True
    )
    assert "SYNOPSIS" in made.stdout
    assert made.stderr == ""


def test_all_into_a_folder(run, tmp_path):
    folder = tmp_path / "man1"
    ended = run("man", "--into", str(folder))
    assert ended.code == 0
    assert {path.name for path in folder.iterdir()} == {f"{'-'.join(words)}.1" for words in PAGES}
    assert f"{len(PAGES)} pages" in ended.err


def test_bad_wishes(run, tmp_path):
    assert "did you mean 'compare'" in run("man", "compar").err
    assert run("man", "--into", str(tmp_path), "compare").code == 2
    (tmp_path / "file").touch()
    ended = run("man", "--into", str(tmp_path / "file" / "inner"))
    assert ended.code == 2
    assert "cannot write" in ended.err
