"""A page as PDF, printed by a local browser."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from pathlib import Path

from adjudge.errors import ProgramError, UsageError

BROWSERS = (
    "chromium-headless-shell",
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
)
SECONDS = 300


def browser_program() -> str:
    """The browser that prints, or an error that says what to install."""
    program = next((path for name in BROWSERS if (path := shutil.which(name))), None)
    if program is None:
        raise UsageError(
            f"--pdf prints with Chromium, and there is none of {', '.join(BROWSERS)}: install one "
            "(Debian: apt-get install chromium), or print the page from your own browser"
        )
    return program


def print_page(page: str, program: str) -> bytes:
    """The page as PDF, with its style sheet for print."""
    with tempfile.TemporaryDirectory(prefix="adjudge-") as folder:
        source, target = Path(folder, "page.html"), Path(folder, "page.pdf")
        source.write_text(page, encoding="utf-8", errors="backslashreplace")
        arguments = ["--headless", "--disable-gpu", "--no-first-run", "--disable-background-networking"]
        arguments += ["--disable-extensions", "--disable-sync", "--no-pdf-header-footer"]
        arguments += [f"--user-data-dir={folder}/profile", f"--print-to-pdf={target}"]
        if hasattr(os, "geteuid") and os.geteuid() == 0:  # Chromium's sandbox does not start for root
            arguments.append("--no-sandbox")
        try:
            done = subprocess.run(
                [program, *arguments, source.as_uri()], capture_output=True, timeout=SECONDS, check=False
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            raise ProgramError(f"{program} could not print the page: {error}") from None
        if done.returncode or not target.is_file():
            last = done.stderr.decode("utf-8", "replace").strip().splitlines()[-1:] or ["it said nothing"]
            raise ProgramError(f"{program} could not print the page: {last[0]}")
        return target.read_bytes()
