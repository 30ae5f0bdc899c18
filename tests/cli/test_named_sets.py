"""`-t sacrebleu:NAME` wherever a test set is taken, in studies, and in results that are verified later."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from adjudge.io import named_sets
from helpers.made_sets import OUTPUTS, MadeSets

PAIR = "de-en"


def test_commands_take_them(made_sets: MadeSets, tmp_path: Path, run: Callable[..., Any]) -> None:
    path = tmp_path / "other.en"
    path.write_text("".join(f"{line}\n" for line in OUTPUTS["bad"]))
    named = ("-t", "sacrebleu:made24", "-l", PAIR)
    scored = run("score", *named, "-f", "json", "-m", "chrf")
    assert [result["system"] for result in json.loads(scored.out)["results"]] == ["good", "bad"]
    compared = run("compare", *named, "--unit", "document", "-m", "chrf", "-f", "json", "--trials", "99")
    assert (compared.code, json.loads(compared.out)["test_set"]["segments"]) == (0, 5), compared.err
    looked = run("lint", *named, path)
    assert looked.code == 0
    assert "1 output, 1 reference and the source of 5 segments" in looked.out
    page = tmp_path / "page.html"
    assert run("report", *named, "-m", "chrf", "-o", page, "--no-charts").code == 0
    assert "The cat sat on the mat." in page.read_text()


def test_a_study_names_them_too_and_results_are_verified(
    made_sets: MadeSets, tmp_path: Path, run: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, lines in OUTPUTS.items():
        (tmp_path / f"{name}.en").write_text("".join(f"{line}\n" for line in lines))
    study = tmp_path / "study.toml"
    sets = "".join(
        f'[[test_set]]\nname = "{name}"\ntest_set = "sacrebleu:{name}"\nlanguage = "de-en"\nsystems = ["*.en"]\n'
        for name in ("made18", "made/plain")
    )
    study.write_text(f'metrics = ["chrf"]\n[plan]\ntrials = 99\n{sets}')
    kept = tmp_path / "study.json"
    ran = run("study", "run", study, "--save", kept, "-f", "json")
    assert ran.code == 0, ran.err
    assert "sacrebleu:made/plain:de-en" in {item["path"] for item in json.loads(ran.out)["inputs"]}
    assert run("verify", kept).code == 0
    assert run("lint", study).code == 0
    monkeypatch.chdir(tmp_path)
    result = tmp_path / "result.json"
    assert (
        run("score", "-t", "sacrebleu:made18", "-l", PAIR, "-m", "chrf", "good.en", "--save", result).code
        == 0
    )
    assert run("verify", result).code == 0
    gated = run("gate", "bad.en", "--against", result)
    assert gated.code in (0, 3), gated.err
    made_sets.archive("made18").write_bytes(b"damaged")
    named_sets._extracted_fields.cache_clear()
    failed = run("verify", result)
    assert failed.code != 0
    assert "sacrebleu:made18:de-en" in failed.out + failed.err
