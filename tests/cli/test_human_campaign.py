"""Campaigns from the command line: made, served, watched, exported."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import pytest

pytest.importorskip("sqlalchemy")
pytest.importorskip("fastapi")

from sqlalchemy import select, update

from adjudge.campaigns.store import Store, campaigns, events, people, schema, work
from adjudge.cli.human import serve
from adjudge.server.sessions import csrf
from adjudge.server.settings import ServerSettings

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.fixture
def database(tmp_path):
    return str(tmp_path / "campaigns.db")


@pytest.fixture
def made(run, database):
    """The example's campaign, and the links that were printed."""
    result = run("human", "new", str(EXAMPLES / "campaign.toml"), "--database", database, "-f", "json")
    assert result.code == 0, result.err
    return {link["annotator"]: link["link"] for link in json.loads(result.out)["links"]}


def judge(database, name, count, score=lambda item: 50):
    """Answers of one annotator, straight into the store."""
    store = Store.open(f"sqlite:///{database}")
    kept = campaigns.find(store, "")
    person = people.find(store, kept, name)
    for task in work.tasks(store, person)[:count]:
        answer = {"score": score(task.item)}
        events.record_answer(store, person, task.id, key=f"key-{task.id:06}", answer=answer, seconds=12.0)
    store.close()


def test_new_prints_a_link_for_everyone(made):
    assert list(made) == ["anna", "ben", "carla"]
    assert len(set(made.values())) == 3
    assert all(re.fullmatch(r"http://127\.0\.0\.1:8080/a/[\w-]{32}", link) for link in made.values())


@pytest.mark.parametrize(("method", "said"), [("variance", "biased"), ("stratified", "same chance")])
def test_a_chosen_sample_is_warned_of(run, database, method, said):
    """When it is made, and whenever it is analysed; the choice and its seed stand in the campaign."""
    file = str(EXAMPLES / "campaign.toml")
    made = run(
        "human", "new", file, "--database", database, "--select", method, "--items", "12", "--seed", "7"
    )
    assert made.code == 0, made.err
    assert said in made.err
    assert "12 segments;" in made.err
    store = Store.open(f"sqlite:///{database}")
    kept = campaigns.find(store, "").campaign.selection
    store.close()
    assert (kept.method, kept.items, kept.seed, kept.metrics, len(kept.lines)) == (
        method,
        12,
        7,
        ("chrf",),
        12,
    )
    for name in ("anna", "ben", "carla"):
        judge(database, name, 100, lambda item: 40 + len(item.key) % 30)
    shown = run(
        "human", "analyse", "--campaign", "news", "--database", database, "--trials", "50", "-f", "json"
    )
    assert shown.code == 0, shown.err
    assert any(said in warning for warning in json.loads(shown.out)["warnings"])
    assert said in shown.err


def test_what_belongs_to_a_choice_needs_one(run, database):
    file = str(EXAMPLES / "campaign.toml")
    for arguments, message in (
        (("--items", "3"), "--items is for --select"),
        (("-m", "chrf"), "-m is for --select"),
        (("--select", "variance"), "how many segments? --items N"),
        (("--select", "varianz", "--items", "3"), "did you mean 'variance'"),
    ):
        shown = run("human", "new", file, "--database", database, *arguments)
        assert shown.code in (1, 2)
        assert message in shown.err


def test_new_says_what_comes_next(run, database):
    result = run("human", "new", str(EXAMPLES / "campaign.toml"), "--database", database)
    assert f"next: adjudge human serve --database {database}" in result.err
    assert "173 translations a system are few" in result.err


def test_a_dry_run_keeps_nothing(run, database):
    result = run("human", "new", str(EXAMPLES / "campaign.toml"), "--database", database, "--dry-run")
    assert result.code == 0
    assert "items to judge" in result.err
    assert result.out == ""
    assert not os.path.exists(database)


def test_the_same_name_twice(run, database, made):
    result = run("human", "new", str(EXAMPLES / "campaign.toml"), "--database", database)
    assert result.code == 1
    assert "there is a campaign 'news' already" in result.err


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (
            'name = "da"',
            'name = "dda"',
            r"campaign.toml: protocol: unknown protocol 'dda'; did you mean 'da'",
        ),
        ("neural.en", "nowhere.en", r"nowhere.en does not exist; did you mean .*neural.en"),
        ("common = 0.4", "common = 4", r"campaign.toml: assignment.common: a share from 0 to 1"),
        ('names = ["anna", "ben", "carla"]', "", r"campaign.toml: annotators: missing"),
    ],
)
def test_a_file_that_is_wrong(run, database, tmp_path, old, new, message):
    shutil.copytree(EXAMPLES, tmp_path / "examples")
    file = tmp_path / "examples" / "campaign.toml"
    text = file.read_text()
    assert old in text
    file.write_text(text.replace(old, new))
    result = run("human", "new", str(file), "--database", database)
    assert result.code == 1
    assert re.search(message, result.err)
    assert not os.path.exists(database)


def test_status(run, database, made):
    judge(database, "anna", 40)
    text = run("human", "status", "--database", database)
    assert re.search(r"anna +40 +\d+ +10 % +12\.0", text.out)
    status = json.loads(run("human", "status", "--database", database, "-f", "json").out)
    (campaign,) = status["campaigns"]
    assert (campaign["name"], campaign["status"], campaign["answered"]) == ("news", "running", 40)
    table = run("human", "status", "news", "--database", database, "-f", "tsv").out.splitlines()
    assert len(table) == 4
    assert run("human", "status", "nix", "--database", database).code == 1


def test_status_without_a_database(run, tmp_path):
    result = run("human", "status", "--database", str(tmp_path / "none.db"))
    assert result.code == 1
    assert "there is no database" in result.err
    assert "adjudge human new FILE" in result.err
    assert not (tmp_path / "none.db").exists()


@pytest.mark.parametrize("url", ["mysql://x/y", "nonsense://"])
def test_databases_that_are_not_supported(run, url):
    result = run("human", "status", "--database", url)
    assert result.code == 2
    assert "SQLite or PostgreSQL" in result.err or "no address of a database" in result.err


def test_a_file_that_is_no_database(run, tmp_path):
    path = tmp_path / "text.db"
    path.write_text("this is no database at all, but a text of some length\n" * 100)
    result = run("human", "status", "--database", str(path))
    assert result.code == 1
    assert "no database" in result.err


def test_pausing(run, database, made):
    for command, status in (("pause", "paused"), ("resume", "running"), ("close", "closed")):
        assert run("human", command, "--database", database).code == 0
        shown = run("human", "status", "--database", database, "-f", "json").out
        assert json.loads(shown)["campaigns"][0]["status"] == status


def test_new_links(run, database, made):
    result = run(
        "human", "links", "news", "anna", "--database", database, "--base-url", "https://example.org/"
    )
    assert re.fullmatch(r"anna  https://example\.org/a/[\w-]{32}\n", result.out)
    assert run("human", "links", "news", "nobody", "--database", database).code == 1
    assert run("human", "links", "news", "--base-url", "example.org", "--database", database).code == 2


def test_what_is_exported_can_be_analysed(run, database, made, tmp_path):
    quality = {"neural": 80, "neural-fixed": 75, "shortened": 60, "rulebased": 40, "reference": 95}

    def score(item):
        base = 10 if item.kind == "bad reference" else quality[item.systems[0]]
        return base + item.segments[0] % 5

    for name in made:
        judge(database, name, 1000, score)
    target = str(tmp_path / "judgements.jsonl")
    written = run("human", "export", "--database", database, "-o", target, "--anonymous")
    assert written.code == 0, written.err
    assert "anna" not in Path(target).read_text()
    document = json.loads(run("human", "analyse", target, "-f", "json").out)
    systems = {system["system"]: system for system in document["groups"][0]["systems"]}
    order = sorted(systems, key=lambda name: -systems[name]["z"])
    assert order[0] in ("reference", "neural")
    assert order[-1] == "rulebased"
    assert all(
        annotator["passed"] for annotator in document["annotators"] if annotator.get("passed") is not None
    )
    listed = run("human", "export", "--list")
    assert "jsonl" in listed.out
    assert run("human", "export", "--database", database, "-f", "xls").code == 2


def test_somebody_and_a_system_more(run, database, made):
    run_file = EXAMPLES / "systems" / "experiment.run1.en"
    added = run(
        "human", "add", "news", "--annotator", "dora", "--system", f"new={run_file}", "--database", database
    )
    assert added.code == 0, added.err
    assert re.match(r"dora  http://127\.0\.0\.1:8080/a/[\w-]{32}\n", added.out)
    shown = json.loads(run("human", "status", "--database", database, "-f", "json").out)["campaigns"][0]
    assert "new" in {system["system"] for system in shown["systems"]}
    assert {annotator["name"]: annotator["tasks"] for annotator in shown["annotators"]}["dora"] > 0
    again = run("human", "add", "news", "--annotator", "dora", "--database", database)
    assert again.code == 1
    assert "'dora' takes part already" in again.err


def test_a_system_more_from_a_column_of_a_table(run, database, made, tmp_path):
    lines = (EXAMPLES / "systems" / "neural.en").read_text().splitlines()
    table = tmp_path / "out=puts.tsv"
    table.write_text("".join(f"{line}\n" for line in ["old\tnew", *(f"x\t{line}" for line in lines)]))
    added = run("human", "add", "news", "--system", f"more={table}:new", "--database", database)
    assert added.code == 0, added.err
    store = Store.open(f"sqlite:///{database}")
    kept = campaigns.find(store, "news")
    texts = {output.system: output.segments for output in campaigns.material(store, kept).outputs}
    store.close()
    assert texts["more"] == texts["neural"]


@pytest.mark.parametrize(
    ("options", "code", "message"),
    [
        ([], 2, "nothing is to be added"),
        (["--system", "x"], 2, "write NAME=FILE"),
        (["--system", str(EXAMPLES / "systems" / "neural.en")], 2, "write NAME=FILE"),
        (["--system", "x=nowhere"], 1, "nowhere does not exist"),
        (["--system", f"neural={EXAMPLES / 'systems' / 'neural.en'}"], 1, "two systems are called 'neural'"),
        (["--system", f"x={EXAMPLES / 'campaign.toml'}"], 1, "segments"),
    ],
)
def test_what_cannot_be_added(run, database, made, options, code, message):
    before = run("human", "status", "--database", database, "-f", "json").out
    result = run("human", "add", "news", *options, "--database", database)
    assert result.code == code, result.err
    assert re.search(message, result.err)
    assert run("human", "status", "--database", database, "-f", "json").out == before


def test_export_before_anyone_has_answered(run, database, made):
    result = run("human", "export", "--database", database)
    assert result.code == 1
    assert "nobody has answered" in result.err


def test_a_password(run, database, made):
    assert run("human", "password", "--database", database, "--password", "short").code == 1
    assert run("human", "password", "--database", database, "--password", "long enough now").code == 0
    store = Store.open(f"sqlite:///{database}")
    assert people.check_password(store, "long enough now")
    store.close()


@pytest.mark.parametrize("ending", [signal.SIGINT, signal.SIGTERM])
def test_serving(database, made, ending):
    """The real thing: it listens on this machine only, prints its links, and ends when told to."""
    command = [sys.executable, "-m", "adjudge", "human", "serve", "--port", "0", "--database", database]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    server = subprocess.Popen(
        command, **pipes, preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL)
    )
    try:
        lines = [server.stdout.readline(), server.stdout.readline()]
        address = re.search(r"http://127\.0\.0\.1:\d+", lines[0])[0]
        assert "/organiser/link/" in lines[0]
        assert lines[1].strip() == f"try news:         {address}/demo/news"
        opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())
        assert json.load(opener.open(f"{address}/health")) == {"status": "ok"}
        opener.open(lines[1].split()[-1])
        assert json.load(opener.open(f"{address}/api/work"))["tasks"]
        secret = made["anna"].rpartition("/")[2]
        urllib.request.build_opener(urllib.request.HTTPCookieProcessor()).open(f"{address}/a/{secret}")
    finally:
        beside = {path.name for path in Path(database).parent.iterdir()}
        server.send_signal(ending)
        rest, errors = server.communicate(timeout=30)
    assert server.returncode == {signal.SIGINT: 130, signal.SIGTERM: -signal.SIGTERM}[ending]
    assert "campaigns.db-wal" in beside
    assert [path.name for path in Path(database).parent.iterdir()] == ["campaigns.db"]  # the store was closed
    assert "Traceback" not in errors
    assert f"they begin with {address}/a/ here" in errors  # the port is not the one that `new` wrote
    assert secret not in rest + errors  # nobody's link is in a log


def answered(address, link):
    """The number that an answer to the first task of whoever has this link was given."""
    cookies = urllib.request.HTTPCookieProcessor()
    site = urllib.request.build_opener(cookies)
    site.open(f"{address}/a/{link.rpartition('/')[2]}")
    (cookie,) = cookies.cookiejar
    task = json.load(site.open(f"{address}/api/work"))["tasks"][0]["id"]
    sent = {"task": task, "key": f"background-{task:06}", "answer": {"score": 50}, "seconds": 1.5}
    asked = urllib.request.Request(
        f"{address}/api/answers",
        json.dumps(sent).encode(),
        {"Content-Type": "application/json", "X-CSRF-Token": csrf(cookie.value)},
    )
    return json.load(site.open(asked))["event"]


def test_serving_in_the_background(database, made):
    """Shells start jobs in the background with SIGINT ignored: so it stays, and SIGTERM ends it with all closed."""
    command = [sys.executable, "-m", "adjudge", "human", "serve", "--port", "0", "--database", database]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    with subprocess.Popen(
        command, **pipes, preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_IGN)
    ) as server:
        address = re.search(r"http://127\.0\.0\.1:\d+", server.stdout.readline())[0]
        events = [answered(address, made["anna"])]
        for _ in range(3):
            server.send_signal(signal.SIGINT)
            time.sleep(0.2)
        events.append(answered(address, made["ben"]))  # it still serves
        server.send_signal(signal.SIGTERM)
        _, errors = server.communicate(timeout=30)
    assert server.returncode == -signal.SIGTERM
    assert "Traceback" not in errors
    assert [path.name for path in Path(database).parent.iterdir()] == ["campaigns.db"]  # the store was closed
    store = Store.open(f"sqlite:///{database}")
    with store.reading() as connection:
        assert sorted(connection.execute(select(schema.events.c.id)).scalars()) == sorted(events)
    store.close()


def test_names_do_not_command_the_terminal_of_a_server(capsys, database, made):
    """Names are checked when campaigns are made; a database of an older adjudge may hold any."""
    store = Store.open(f"sqlite:///{database}")
    with store.writing() as connection:
        connection.execute(update(schema.campaigns).values(name="n\x1b]0;ews\x07"))
    serve._greet(store, ServerSettings(base_url="http://127.0.0.1:1", demo=True))
    store.close()
    shown = capsys.readouterr()
    assert "try n\\x1b]0;ews\\x07: http://127.0.0.1:1/demo/n%1B%5D0%3Bews%07\n" in shown.out
    assert "\x1b" not in shown.out + shown.err


def test_a_port_that_is_taken(run, database, made):
    import socket

    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        result = run("human", "serve", "--port", str(taken.getsockname()[1]), "--database", database)
    assert result.code == 2
    assert "cannot listen on 127.0.0.1" in result.err
    assert "--port" in result.err


def test_several_processes_need_postgresql(run, database, made):
    result = run("human", "serve", "--workers", "2", "--database", database)
    assert result.code == 2
    assert "PostgreSQL" in result.err


def test_without_the_extra(run, monkeypatch, database):
    for module in [name for name in sys.modules if name.startswith("adjudge.campaigns.store")]:
        monkeypatch.delitem(sys.modules, module)
    monkeypatch.setitem(sys.modules, "sqlalchemy", None)
    result = run("human", "status", "--database", database)
    assert result.code == 2
    assert "pip install 'adjudge[campaign]'" in result.err


def test_withdrawing_and_taking_it_back(run, database, made):
    judge(database, "anna", 5)
    assert run("human", "withdraw", "news", "anna", "--reason", "asked", "--database", database).code == 0
    assert run("human", "export", "--database", database).code == 1  # nothing counts
    kept = run("human", "export", "--database", database, "--withdrawn")
    assert len(kept.out.splitlines()) >= 5
    assert "anna (withdrawn)" in run("human", "status", "--database", database).out
    assert run("human", "withdraw", "news", "anna", "--undo", "--database", database).code == 0
    assert run("human", "export", "--database", database).code == 0
    assert run("human", "withdraw", "news", "nobody", "--database", database).code == 1


def test_forgetting_somebody(run, database, made):
    judge(database, "anna", 5)
    refused = run("human", "forget", "news", "anna", "--database", database)
    assert refused.code != 0  # nobody is there to confirm
    assert run("human", "forget", "news", "anna", "--yes", "--database", database).code == 0
    exported = run("human", "export", "--database", database).out
    assert "anna" not in exported
    assert "former-" in exported
    assert run("human", "forget", "news", "anna", "--yes", "--database", database).code == 1


def test_backup_and_restore(run, database, made, tmp_path):
    judge(database, "anna", 5)
    before = run("human", "export", "--database", database).out
    file, elsewhere = str(tmp_path / "news.backup"), str(tmp_path / "elsewhere.db")
    assert run("human", "backup", "news", file, "--database", database).code == 0
    assert run("human", "backup", "news", file, "--database", database).code == 1  # never written over
    assert run("human", "restore", file, "--database", elsewhere).code == 0
    assert run("human", "export", "--database", elsewhere).out == before
    assert run("human", "restore", file, "--database", elsewhere).code == 1
    assert run("human", "restore", file, "--name", "again", "--new-links", "--database", elsewhere).code == 0
    Path(file).write_bytes(Path(file).read_bytes()[:-20])
    damaged = run("human", "restore", file, "--name", "third", "--database", elsewhere)
    assert damaged.code == 1
    assert "Traceback" not in damaged.err


def test_the_log_has_everything(run, database, made):
    judge(database, "anna", 2)
    run("human", "pause", "--database", database)
    rows = [json.loads(line) for line in run("human", "log", "--database", database).out.splitlines()]
    assert [row["event"] for row in rows].count("answer") == 2
    assert "paused" in {row["kind"] for row in rows}
