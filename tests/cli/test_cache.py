"""What was computed once is not computed again, by any command that scores."""

import pytest

from adjudge import metrics
from adjudge.text import paraphrases


@pytest.fixture
def cache(tmp_path, monkeypatch):
    monkeypatch.setattr(paraphrases, "_chosen", [])
    monkeypatch.setenv("ADJUDGE_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.fixture
def no_more_scoring(monkeypatch):
    def forbid():
        def refuse(*args, **options):
            raise AssertionError("scored again")

        for kind in (metrics.registry()[name] for name in ("bleu", "chrf", "ter")):
            monkeypatch.setattr(kind, "stats", refuse)
            monkeypatch.setattr(kind, "prepare", refuse)

    return forbid


def test_a_second_run_does_no_scoring(run, examples, cache, no_more_scoring, tmp_path):
    files = [
        "-r",
        examples / "reference.en",
        examples / "systems/neural.en",
        examples / "systems/rulebased.en",
    ]
    compare = ["compare", "--trials", "99", "--resamples", "50", *files]
    first = run(*compare)
    assert first.code == 0
    assert len(list((cache / "rows").iterdir())) == 2 * 3
    baseline = tmp_path / "base.json"
    run("score", "--save", baseline, *files)
    no_more_scoring()
    assert run(*compare) == first
    assert run("score", "--segments", *files).code == 0
    again = run("score", "--no-cache", *files)
    assert again.code == 70
    assert "scored again" in again.err


def test_no_cache_leaves_no_trace(run, examples, cache):
    assert (
        run("score", "--no-cache", "-r", examples / "reference.en", examples / "systems/neural.en").code == 0
    )
    assert not cache.exists()


def test_verify_does_not_believe_the_cache(run, examples, cache, no_more_scoring, tmp_path):
    files = ["-r", examples / "reference.en", examples / "systems/neural.en"]
    assert run("score", "-m", "bleu", "-f", "json", "-o", tmp_path / "a.json", *files).code == 0
    no_more_scoring()
    assert run("verify", tmp_path / "a.json").code == 70


def test_a_cache_that_cannot_be_is_no_error(run, examples, monkeypatch, tmp_path):
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("ADJUDGE_CACHE", str(tmp_path / "file"))
    ended = run("score", "-r", examples / "reference.en", examples / "systems/neural.en")
    assert (ended.code, ended.err) == (0, "")


def test_compiled_tables_lie_in_the_same_folder_or_nowhere(run, examples, cache):
    files = ["-r", examples / "reference.en", examples / "systems/neural.en"]
    assert run("score", *files).code == 0
    assert paraphrases.default_cache() == cache
    assert run("score", "--no-cache", *files).code == 0
    assert paraphrases.default_cache() is None
