"""The script that takes the pictures says by name what it lacks."""

import os
import subprocess
import sys

import pytest

from conftest import PROJECT

pytest.importorskip("playwright")
pytest.importorskip("uvicorn")


def taken(folder, fonts):
    """What it says where `fc-list` knows fonts for these languages; None: where there is no such program."""
    folder.mkdir()
    if fonts is not None:
        program = folder / "fc-list"
        program.write_text(
            f"#!/bin/sh\ncase $1 in {' | '.join(f':lang={font}' for font in fonts)}) echo A;; esac\n"
        )
        program.chmod(0o755)
    done = subprocess.run(
        [sys.executable, PROJECT / "scripts" / "make-screenshots", folder / "pictures"],
        env={**os.environ, "PATH": str(folder)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert not (folder / "pictures").exists()
    return done.stderr


def test_a_font_that_is_missing_is_named(tmp_path):
    assert taken(tmp_path / "a", ["ar"]) == (
        "no font for Chinese here, so pictures would show boxes (Debian: apt-get install fonts-wqy-zenhei)\n"
    )
    assert "no Chromium here" in taken(tmp_path / "b", ["zh", "ar"])
