"""Scores and comparisons over HTTP: the command line's JSON, and nothing of the machine but its arithmetic."""

from __future__ import annotations

import json
import os
import signal
import sys
import threading
import time
from collections import Counter
from dataclasses import fields
from pathlib import Path
from typing import Any, get_args, get_type_hints

import pytest

pytest.importorskip("fastapi")

from starlette.testclient import TestClient

from adjudge import metrics
from adjudge.cli import main
from adjudge.metrics import plugins
from adjudge.server import computing, lanes, service
from adjudge.server.service import create_service
from adjudge.server.settings import ServerSettings
from conftest import PROJECT
from helpers.sacrebleus import EXAMPLES
from helpers.services import Service

ADDRESS = "http://127.0.0.1:8082"
SMALL = {
    "references": [["the cat sat", "a dog"]],
    "systems": {"x": ["the cat", "a dog"], "y": ["cat", "dog"]},
}


def lines(name: str) -> list[str]:
    return (EXAMPLES / name).read_text(encoding="utf-8").splitlines()


def labels() -> dict[str, list[str]]:
    header, *rows = (line.split("\t") for line in lines("labels.tsv"))
    return {name: [row[at] for row in rows] for at, name in enumerate(header)}


def texts(*systems: str) -> dict[str, Any]:
    return {"name": "reference", "references": [lines("reference.en")], "language": "pt-en",
            "systems": {name: lines(f"systems/{name}.en") for name in systems}}  # fmt: skip


def client(seconds: float = 60.0, largest: int = service.LARGEST_BODY) -> TestClient:
    settings = ServerSettings(base_url=ADDRESS, largest_body=largest)
    return TestClient(create_service(settings, seconds), base_url=ADDRESS, raise_server_exceptions=False)


@pytest.fixture(scope="module")
def asked():
    with client() as browser:
        yield browser


FEW = {"trials": 200, "resamples": 100}
SAME = {
    "scores": ("/score", texts("neural", "rulebased"), ["neural", "rulebased"], []),
    "segments": (
        "/score",
        texts("neural") | {"metrics": ["chrf(word_order=2)", "wer"], "segments": True},
        ["neural"],
        ["-m", "chrf(word_order=2)", "-m", "wer", "--segments"],
    ),
    "two references and a source": (
        "/score",
        texts("neural")
        | {"references": [lines("reference.en"), lines("reference-b.en")], "source": lines("source.pt")},
        ["neural"],
        ["-r", "reference-b.en", "-s", "source.pt"],
    ),
    "a comparison": (
        "/compare",
        texts("neural", "rulebased", "neural-fixed") | {"plan": FEW, "metrics": ["bleu", "ter"]},
        ["neural", "rulebased", "neural-fixed"],
        ["-m", "bleu", "-m", "ter"],
    ),
    "runs": (
        "/compare",
        texts("experiment.run1", "experiment.run2", "experiment.run3", "neural")
        | {"plan": FEW, "metrics": ["chrf"]},
        ["experiment.run1", "experiment.run2", "experiment.run3", "neural"],
        ["-m", "chrf"],
    ),
    "documents and origins": (
        "/compare",
        texts("neural", "rulebased")
        | {
            "labels": labels(),
            "metrics": ["chrf"],
            "plan": {**FEW, "unit": "document", "by": ["domain", "origin"]},
        },
        ["neural", "rulebased"],
        ["-m", "chrf", "-L", "labels.tsv", "--unit", "document", "--by", "domain", "--by", "origin"],
    ),
    "a baseline and a margin": (
        "/compare",
        texts("neural", "shortened")
        | {"metrics": ["chrf"], "plan": {**FEW, "baseline": "shortened", "margin": 1.5, "seed": 7}},
        ["neural", "shortened"],
        ["-m", "chrf", "--baseline", "shortened", "--margin", "1.5", "--seed", "7"],
    ),
}


@pytest.mark.parametrize("name", SAME)
def test_the_same_bytes_as_the_command_line(
    asked: TestClient, name: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """But for what names files."""
    route, body, systems, options = SAME[name]
    monkeypatch.chdir(EXAMPLES)
    few = ["--trials", "200", "--resamples", "100"] if route == "/compare" else []
    files = ["-r", "reference.en", "-l", "pt-en", *(f"systems/{own}.en" for own in systems)]
    assert main([route[1:], *files, *few, *options, "-f", "json", "-q"]) == 0
    expected = json.loads(capsys.readouterr().out)
    expected["inputs"] = []
    del expected["arguments"]
    reply = asked.post(route, json=body)
    assert reply.status_code == 200, reply.text
    assert reply.headers["content-type"] == "application/json"
    assert reply.text == json.dumps(expected, indent=2) + "\n"


REFUSED = {
    "a list": ("[]", "a list, but an object was expected"),
    "no JSON": ("{", "not JSON"),
    "nothing": ("", "not JSON"),
    "twice": ('{"name": "a", "name": "b"}', "'name' stands there twice"),
    "depth": ("[" * 100_000, "nested too deeply"),
    "deep value": ('{"systems": ' + '{"a": ' * 5_000 + "1" + "}" * 5_001, "JSON"),
    "digits": ('{"systems": ' + "9" * 10_000 + "}", "not JSON"),
    "unknown": ({**SMALL, "reference": []}, "did you mean 'references'"),
    "plan of scores": ({**SMALL, "plan": {}}, "plan is no field of /score, but of /compare"),
    "no systems": ({"references": [["a"]]}, "systems: missing"),
    "empty systems": ({"references": [["a"]], "systems": {}}, "no system output"),
    "a text": ({**SMALL, "systems": {"x": "the cat"}}, "systems.x: a text, but a list was expected"),
    "a number": ({**SMALL, "systems": {"x": [1, 2]}}, "systems.x[0]: a whole number, but a text"),
    "one list": ({**SMALL, "references": ["a", "b"]}, "references[0]: a text, but a list was expected"),
    "an object": ({**SMALL, "references": {"a": []}}, "references: an object, but a list"),
    "numbers": ({**SMALL, "references": [[1, 2]]}, "segment 1 is int, not a string"),
    "nothing there": ({"references": [[]], "systems": {"x": []}}, "no segments"),
    "nulls": ({**SMALL, "references": [[None, "a"]]}, "no reference at all"),
    "lengths": ({**SMALL, "systems": {"x": ["a"]}}, "x has 1 segment, but the test set has 2"),
    "labels": ({**SMALL, "labels": {"document": ["a"]}}, "label 'document' has 1"),
    "surrogate": ('{"references": [["a"]], "systems": {"x": ["\\ud800"]}}', "surrogate"),
    "metric": ({**SMALL, "metrics": ["blue"]}, "did you mean 'bleu'"),
    "metrics": ({**SMALL, "metrics": "bleu"}, "metrics: a text, but a list"),
    "language": ({**SMALL, "language": "../../etc"}, "language"),
    "segments": ({**SMALL, "segments": "yes"}, "segments: a text, but true or false"),
    "two of a name": (
        {**SMALL, "systems": {"x.run1": ["a", "b"], "x-run1": ["a", "b"]}},
        "two outputs are called",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_scored_is_refused_in_a_sentence(asked: TestClient, name: str) -> None:
    body, message = REFUSED[name]
    content = body if isinstance(body, str) else json.dumps(body)
    reply = asked.post("/score", content=content, headers={"content-type": "application/json"})
    assert reply.status_code == 400, reply.text
    assert message in reply.json()["error"]["message"]


@pytest.mark.parametrize(
    ("plan", "message"),
    [
        ({"trails": 5}, "did you mean 'plan.trials'"),
        ({"trials": 10**7}, "10,000,000 trials or resamples; at most 1,000,000 are drawn here"),
        ({"resamples": 10**7}, "at most 1,000,000 are drawn here"),
        ({"alpha": 1e-6}, "10,000,001 trials or resamples; at most 1,000,000 are drawn here"),
        ({"alpha": 1e-6, "test": "bootstrap"}, "test against a larger alpha"),
        ({"alpha": 1e-300}, "test against a larger alpha"),
        ({"trials": "many"}, "plan.trials: a text, but a whole number"),
        ({"trials": None, "test": "guess"}, "unknown test 'guess'"),
        ({"baseline": "z"}, "z"),
        ({"unit": "document"}, "document"),
        ({"alpha": 2}, "alpha"),
        ([], "plan: a list, but an object"),
    ],
)
def test_plans_that_cannot_be_followed(asked: TestClient, plan: Any, message: str) -> None:
    reply = asked.post("/compare", json={**SMALL, "plan": plan})
    assert reply.status_code == 400, reply.text
    assert message in reply.json()["error"]["message"]


@pytest.mark.parametrize(
    "spec",
    [
        *("bleu(tokenize=spm:/etc/passwd)", "learned(model=/etc/passwd)", "qe(model=/etc/passwd)"),
        *("comet(model=Unbabel/wmt22-comet-da)", "bertscore(model=x)", "bleurt(model=x)", "metricx(model=x)"),
        *("command(run=id)", "command(run=os:getcwd)", "llm(model=x,url=http://127.0.0.1:1)"),
        *(
            "meteor(paraphrases=/etc/passwd)",
            "meteor(synonyms=/etc,matchers=exact)",
            "meteor(resources=/etc)",
        ),
        *("terp(phrases=/etc/passwd)", "terp(stop_words=/etc/passwd)", "ptk(parser=/etc/passwd)"),
        *("meant(vectors=/etc/passwd)", "meant(python=/bin/sh,model=x)", "sptk(parser=stanza:en,vectors=x)"),
    ],
)
def test_no_file_no_model_and_no_program_can_be_named(asked: TestClient, spec: str) -> None:
    reply = asked.post("/score", json={**SMALL, "metrics": [spec], "source": ["a", "b"], "language": "de-en"})
    assert reply.status_code == 400, reply.text
    assert "names a file, a model, a program or a service: not used here" in reply.json()["error"]["message"]


@pytest.mark.parametrize("name", ["comet", "learned", "qe", "command", "llm", "ptk"])
def test_metrics_that_live_on_them_say_so(asked: TestClient, name: str) -> None:
    reply = asked.post("/score", json={**SMALL, "metrics": [name], "source": ["a", "b"], "language": "de-en"})
    assert reply.status_code == 400, reply.text


def test_the_guards_are_those_of_the_other_servers(asked: TestClient) -> None:
    assert asked.post("/score", json=SMALL, headers={"host": "evil.example"}).status_code == 421
    assert asked.post("/score", json=SMALL, headers={"origin": "http://evil.example"}).status_code == 403
    assert asked.post("/score", content="{}", headers={"content-type": "text/plain"}).status_code == 415
    assert asked.post("/score", content="{}").status_code == 415
    assert asked.get("/score").status_code == 405
    assert asked.get("/").status_code == 404
    assert asked.get("/docs").status_code == 404
    reply = asked.get("/health")
    assert reply.json() == {"status": "ok"}
    assert reply.headers["x-content-type-options"] == "nosniff"
    bad = asked.post("/score", content=b'{"name": "\xff"}', headers={"content-type": "application/json"})
    assert (bad.status_code, bad.json()["error"]["message"]) == (400, "not UTF-8 (byte 11)")


def test_too_much_at_once_is_refused_whether_its_length_is_told_or_not() -> None:
    with client(largest=1000) as small:
        told = small.post("/score", json={"name": "x" * 2000})
        untold = small.post(
            "/score", content=iter([b'{"name": "', b"x" * 2000]), headers={"content-type": "application/json"}
        )
        assert (told.status_code, untold.status_code) == (413, 413)
        assert small.post("/score", json=SMALL).status_code == 200


def test_what_takes_too_long_is_ended_and_the_next_is_answered() -> None:
    """A single segment that an edit distance needs minutes for."""
    words = " ".join(str(number % 977) for number in range(400_000))
    other = " ".join(str(number * number % 977) for number in range(400_000))
    with client(seconds=2) as patient:
        begun = time.monotonic()
        reply = patient.post(
            "/score", json={"references": [[words]], "systems": {"x": [other]}, "metrics": ["wer"]}
        )
        assert (reply.status_code, reply.json()["error"]["code"]) == (503, "too long"), reply.text[:200]
        assert time.monotonic() - begun < 40  # with the start of the process
        assert patient.post("/score", json=SMALL).status_code == 200


def test_what_others_print_is_nobodys_answer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A plug-in that prints when it is imported, which is before the process is ready."""
    (tmp_path / "chatty.py").write_text(
        "import os\nprint('hello', flush=True)\nos.write(1, b'hello\\n')\n"
        "from adjudge.metrics.base import MeanMetric as Chatty\n"
    )
    about = tmp_path / "chatty-1.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: chatty\nVersion: 1\n")
    (about / "entry_points.txt").write_text(f"[{plugins.GROUP}]\nchatty = chatty:Chatty\n")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    with client() as asked:
        for metric in ("wer", "chrf"):
            reply = asked.post("/score", json={**SMALL, "metrics": [metric]})
            assert reply.status_code == 200, reply.text
            assert {own["metric"] for own in reply.json()["results"]} == {metric}


@pytest.mark.parametrize(("limit", "status"), [("MOST_OF_CLIENT", 429), ("MOST_WAITING", 503)])
def test_who_is_one_too_many_is_turned_away_before_anything_is_read(
    monkeypatch: pytest.MonkeyPatch, limit: str, status: int
) -> None:
    monkeypatch.setattr(lanes, limit, 0)

    async def never(*_: object) -> str:
        read.append("some of it")
        return "{}"

    read: list[str] = []
    monkeypatch.setattr(service, "_body", never)
    with client() as asked:
        reply = asked.post("/score", json=SMALL)
        assert (reply.status_code, reply.json()["error"]["code"]) == (status, "busy")
        assert int(reply.headers["retry-after"]) > 0
        assert read == []


def test_more_bytes_than_memory_is_given_for_are_turned_away(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lanes, "MOST_BYTES", 1000)
    with client() as asked:
        reply = asked.post("/score", json={"name": "x" * 2000})
        assert (reply.status_code, reply.json()["error"]["code"]) == (503, "busy")
        for _ in range(20):  # what was answered is not counted any more
            assert asked.post("/score", json=SMALL).status_code == 200


ANSWERS = {
    "of another": """{"number": 0, "status": 200, "text": "of somebody else"}""",
    "no JSON": "hello",
    "no object": "[1]",
}


@pytest.mark.parametrize("name", ANSWERS)
def test_an_answer_to_something_else_is_given_to_nobody(
    name: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    script = f"print('ready', flush=True); input(); print({ANSWERS[name]!r}, flush=True); input()"
    monkeypatch.setattr(service, "COMMAND", (sys.executable, "-c", script))
    with client() as asked:
        reply = asked.post("/score", json=SMALL)
        assert (reply.status_code, reply.json()["error"]["code"]) == (500, "internal")
        assert "somebody else" not in reply.text
        assert "answered something else" in caplog.text
        monkeypatch.undo()
        assert asked.post("/score", json=SMALL).status_code == 200


def test_a_process_that_does_not_start_is_a_fault_at_once_and_in_the_log(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(service, "COMMAND", (sys.executable, "-c", "raise SystemExit('no such library')"))
    begun = time.monotonic()
    with client(seconds=40) as asked:
        reply = asked.post("/score", json=SMALL)
        assert (reply.status_code, reply.json()["error"]["code"]) == (500, "internal")
    assert time.monotonic() - begun < 30
    assert "did not start" in caplog.text
    assert "no such library" in caplog.text


@pytest.mark.parametrize("name", metrics.registry())
def test_no_option_of_any_metric_lets_a_text_through_that_it_does_not_know(name: str, tmp_path: Path) -> None:
    """Whatever metrics there will be: an option that takes any text is refused before the metric is made."""
    secret = tmp_path / "secret"
    secret.write_text("a secret text")
    kind = metrics.registry()[name]
    for option, hint in get_type_hints(kind).items():
        if str in (hint, *get_args(hint)) and option in {field.name for field in fields(kind)}:
            body = json.dumps({**SMALL, "source": ["a", "b"], "metrics": [f"{name}({option}={secret})"]})
            reply = computing.answer_request("/score", body)
            assert reply["status"] == 400
            assert "secret text" not in reply["text"]
            if option not in computing.WORDS:
                assert "not used here" in reply["text"]


def estimate(systems: int, segments: int, **plan: int) -> float:
    """What a comparison of short texts is estimated to take, in seconds."""
    texts = [f"the cat sat on mat number {n}" for n in range(segments)]
    body = {"references": [texts], "systems": {f"s{n}": texts for n in range(systems)}, "plan": plan}
    return float(computing.answer_request("/compare", json.dumps(body), 1e-12)["estimate"])


def test_the_estimate_grows_with_what_is_asked_for() -> None:
    """By it small requests are told from large ones before they are computed."""
    assert estimate(2, 2) < 0.1 < lanes.SMALL_SECONDS
    assert estimate(2, 100) < lanes.SMALL_SECONDS
    assert estimate(10, 1000) > lanes.SMALL_SECONDS
    assert estimate(2, 100, trials=10_000) < estimate(2, 100, trials=100_000)
    assert estimate(2, 100, resamples=1_000) < estimate(2, 100, resamples=100_000)
    assert estimate(2, 100) < estimate(3, 100) < estimate(3, 1000)


def test_a_request_is_computed_where_its_estimate_is_below_the_limit() -> None:
    assert "estimate" in computing.answer_request("/score", json.dumps(SMALL), 1e-12)
    assert computing.answer_request("/score", json.dumps(SMALL), 1.0)["status"] == 200
    one = {"references": [["w " * 50_000]], "systems": {"x": ["v " * 50_000]}, "metrics": ["wer"]}
    two = {
        "references": [["w " * 50_000] * 2],
        "systems": {"x": ["v " * 50_000] * 2},
        "metrics": ["wer", "ter"],
    }
    first, second = (
        computing.answer_request("/score", json.dumps(body), 1e-12)["estimate"] for body in (one, two)
    )
    assert second == pytest.approx(4 * first)


def served():
    own = Service()
    yield own
    own.close()


running = pytest.fixture(scope="module")(served)
ending = pytest.fixture(served)
"""One for the tests that end it."""


def test_many_at_once_are_answered_alike_or_turned_away(running: Service) -> None:
    body = {**texts("neural", "rulebased"), "metrics": ["chrf"]}
    expected = running.post("/score", body)
    answers: list[tuple[int, str]] = []

    def ask() -> None:
        for _ in range(3):
            answers.append(running.post("/score", body))

    threads = [threading.Thread(target=ask) for _ in range(lanes.MOST_OF_CLIENT + 6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    codes = Counter(code for code, _ in answers)
    assert set(codes) <= {200, 429}, codes
    assert codes[200] >= lanes.MOST_OF_CLIENT
    assert {answer for answer in answers if answer[0] == 200} == {expected}
    assert all('"busy"' in text for code, text in answers if code == 429)


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="looks at processes as Linux shows them")
def test_sigterm_ends_it_and_the_process_that_computes(ending: Service) -> None:
    assert ending.post("/score", SMALL)[0] == 200
    [child] = ending.children()
    assert ending.stop() == (-signal.SIGTERM, "")
    assert not Path(f"/proc/{child}").exists()


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc").is_dir(), reason="looks at processes as Linux shows them")
def test_the_process_that_computes_ends_with_its_service(ending: Service) -> None:
    assert ending.post("/score", SMALL)[0] == 200
    [child] = ending.children()
    ending.process.kill()
    ending.process.wait()
    for _ in range(100):
        if not Path(f"/proc/{child}").exists():
            return
        time.sleep(0.1)
    pytest.fail("it still runs")


def test_a_process_that_dies_costs_one_answer_at_most(running: Service) -> None:
    first = running.post("/score", SMALL)
    [child] = running.children()
    os.kill(child, signal.SIGKILL)
    running.post("/score", SMALL)  # it may be noticed only now
    assert running.post("/score", SMALL) == first


def test_the_example_of_the_documentation(running: Service, tmp_path: Path) -> None:
    """The lines that people copy, with curl where it is there."""
    page = (PROJECT / "docs" / "service.md").read_text(encoding="utf-8")
    body = page.split("```json\n", 1)[1].split("```", 1)[0]
    code, text = running.post("/compare", json.loads(body))
    assert code == 200, text
    assert json.loads(text)["claims"]
