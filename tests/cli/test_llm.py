"""`llm` from the command line: the key, the budget, the dry run, the cache, and what a service's faults look like."""

import json

import pytest

from adjudge.metrics.judges import asking
from helpers.models import closed_address, hangs, serving

QUICK = asking.Patience(tries=2, first=0.001)
KEY = "sk-very-secret-0123456789"


@pytest.fixture
def cache(tmp_path, monkeypatch):
    monkeypatch.delenv("ADJUDGE_KEY", raising=False)
    monkeypatch.setenv("ADJUDGE_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.fixture
def model():
    with serving(lambda question, _: str(len(question) % 101)) as served:
        yield served


@pytest.fixture
def judge(run, cache, tmp_path):
    """Score two systems by a model."""
    for name, text in {
        "src.de": "Guten Tag\nDanke\nBitte\n",
        "a.en": "Good day\nThanks\nPlease\n",
        "b.en": "Good morning\nThanks\nPlease do\n",
    }.items():
        (tmp_path / name).write_text(text)

    def call(url, *options, command="score"):
        spec = f"llm(model=judge-1,url={url})"
        return run(
            command, "-s", tmp_path / "src.de", "-l", "de-en", "-m", spec, *options, *tmp_path.glob("?.en")
        )

    return call


def test_a_second_run_asks_nothing_and_says_the_same(judge, model):
    model.answer = lambda question, _: "none" if "Bitte" in question else "70"
    first = judge(model.url)
    assert first.code == 0
    assert len(model.questions) == 5  # two systems say the same once
    assert first.err.count("1 answer of 3 (33 %) could not be read and is missing, not 0") == 1
    assert "model:judge-1|at:127.0.0.1:" in first.out
    assert judge(model.url) == first
    assert judge(model.url, "--trials", "99", "--resamples", "50", command="compare").code == 0
    assert len(model.questions) == 5
    assert judge(model.url, "--no-cache").out == first.out
    assert len(model.questions) == 10


def test_the_key_is_nowhere_but_in_the_header(judge, model, cache, monkeypatch, tmp_path):
    monkeypatch.setenv("MY_KEY", f"{KEY}\n")
    monkeypatch.setenv("ADJUDGE_DEBUG", "1")
    model.answer = lambda *_: f"{KEY} says 60" if len(model.questions) == 2 else "60"
    ended = [judge(model.url, "--key-variable", "MY_KEY", "--save", tmp_path / "run.json", "-f", "json")]
    assert {h["Authorization"] for h in model.headers} == {f"Bearer {KEY}"}
    model.answer = lambda *_: (401, json.dumps({"error": {"message": f"wrong key: {KEY}"}}))
    ended.append(judge(model.url, "--key-variable", "MY_KEY", "--no-cache"))
    assert ended[1].code == 1
    assert (
        "answers 401: wrong key: [key]; the key comes from the variable that --key-variable names"
        in ended[1].err
    )
    written = [path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()]
    assert any(b"judge-1" in data for data in written)
    everything = b"".join(written) + "".join(part.out + part.err for part in ended).encode()
    assert KEY.encode() not in everything
    assert KEY[:9].encode() not in everything


def test_no_key_without_a_variable(judge, model, monkeypatch):
    monkeypatch.setenv("ADJUDGE_KEY", KEY)
    judge(model.url)
    assert model.headers[0]["Authorization"] == f"Bearer {KEY}"
    ended = judge(model.url, "--key-variable", "NO_SUCH")
    assert ended.code == 2
    assert "--key-variable NO_SUCH: there is no such variable in the environment" in ended.err
    monkeypatch.setenv("ADJUDGE_KEY", "sk-with\nbreak")
    ended = judge(model.url)
    assert ended.code == 2
    assert "$ADJUDGE_KEY" in ended.err
    assert "sk-with" not in ended.err


def test_a_dry_run_says_what_it_would_cost(judge, model):
    for command in ("score", "compare"):
        ended = judge(model.url, "--dry-run", command=command)
        assert ended.code == 0
        assert ended.out.startswith("dry run: 5 requests would be made, about 8")
        assert ended.out.endswith(" tokens of questions, answers of at most 5,120\n")
    assert not model.questions
    judge(model.url)
    assert judge(model.url, "--dry-run").out == "dry run: 0 requests would be made; 6 answers known already\n"


def test_a_budget_ends_the_run_and_the_next_one_goes_on(judge, model, tmp_path):
    ended = judge(model.url, "--max-requests", "2", "-o", tmp_path / "out.txt")
    assert ended.code == 1
    assert "the budget of 2 requests is spent" in ended.err
    assert not (tmp_path / "out.txt").exists()
    assert judge(model.url, "--max-requests", "3").code == 0
    assert len(model.questions) == 5


def test_a_service_that_is_down_hangs_or_is_none(judge, model, monkeypatch):
    monkeypatch.setattr(asking, "Patience", lambda: QUICK)
    ended = judge(closed_address())
    assert ended.code == 1
    assert "nobody answers there (connection refused), after 2 requests; is the service running" in ended.err
    ended = judge(closed_address(), "--max-requests", "1")
    assert ended.code == 1
    assert "(connection refused), after 1 request, which is all that --max-requests allows" in ended.err
    model.answer = lambda *_: hangs
    ended = judge(model.url, "--time-limit", "0.2", "--concurrency", "1")
    assert ended.code == 1
    assert "there is no answer within 0.2 s" in ended.err
    model.answer = lambda *_: (200, "<html>sign in</html>", {}, "text/html")
    ended = judge(model.url)
    assert ended.code == 1
    assert (
        "there is no answer to any question; its answer is no chat completion: <html>sign in</html>"
        in ended.err
    )
