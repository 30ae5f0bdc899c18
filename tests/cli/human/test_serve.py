"""What a server is told, and what it refuses to be told."""

import json
import re
import signal
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import pytest
from sqlalchemy import select, update

from adjudge.campaigns.store import CampaignStore, schema
from adjudge.cli.human import serve as serve_command
from adjudge.server.settings import ServerSettings
from helpers.human_commands import answered

pytest.importorskip("sqlalchemy")


pytest.importorskip("fastapi")


@pytest.fixture
def database(tmp_path):
    path = str(tmp_path / "campaigns.db")
    CampaignStore.open(f"sqlite:///{path}").close()
    return path


@pytest.fixture
def serve(run, database, monkeypatch):
    """Everything but the serving itself; the settings that a server would get."""
    told = []
    monkeypatch.setattr("adjudge.server.run.run", lambda *given, **named: told.append((given, named)))

    def call(*arguments):
        told.clear()
        result = run("human", "serve", "-d", database, "--port", "0", *arguments)
        values = [
            entry for given, named in told for entry in (*given, *named.values()) if hasattr(entry, "demo")
        ]
        return result, values[0] if values else None

    return call


@pytest.mark.parametrize(
    ("arguments", "demo"),
    [
        ((), True),
        (("--base-url", "https://judge.example.org"), False),
        (("--base-url", "http://127.0.0.1:8080"), False),
        (("--host", "0.0.0.0"), False),
        (("--base-url", "https://judge.example.org", "--demo"), True),
        (("--no-demo",), False),
    ],
)
def test_the_demo_is_public_only_where_it_is_asked_for(serve, arguments, demo):
    result, settings = serve(*arguments)
    assert result.code == 0, result.err
    assert settings.demo is demo


@pytest.mark.parametrize("host", ["", " ", "[]"])
def test_an_empty_host_is_not_every_host(serve, host):
    result, settings = serve("--host", host)
    assert (result.code, settings) == (2, None)
    assert "--host: an address was expected" in result.err
    assert "0.0.0.0 listens everywhere" in result.err


@pytest.mark.parametrize("option", ["--base-url", "--embed-in"])
@pytest.mark.parametrize(
    "value", ["nonsense", "", "https://", "https://a.org/path", "https://a.org; script-src *"]
)
def test_what_is_no_address_of_a_site_is_refused(serve, option, value):
    result, settings = serve(option, value)
    assert (result.code, settings) == (2, None)
    assert f"{option} {value!r}: " in result.err
    assert "https://HOST" in result.err


@pytest.mark.parametrize("value", ["nonsense", "", "*", "10.0.0.1/8"])
def test_a_proxy_has_an_address(serve, value):
    result, settings = serve("--trust-proxy", value)
    assert (result.code, settings) == (2, None)
    assert f"--trust-proxy {value!r}" in result.err


def test_what_a_server_is_told(serve):
    result, settings = serve(
        "--host",
        "[::1]",
        "--trust-proxy",
        "127.0.0.1",
        "--trust-proxy",
        "10.0.0.0/8",
        "--embed-in",
        "https://a.org/",
    )
    assert result.code == 0, result.err
    assert settings.base_url.startswith("http://[::1]:")
    assert settings.proxies == ("127.0.0.1", "10.0.0.0/8")
    assert settings.embed_in == ("https://a.org",)


def test_behind_a_proxy_that_is_not_named_a_word_is_said(serve):
    result, _ = serve("--base-url", "https://judge.example.org")
    assert "--trust-proxy" in result.err
    result, _ = serve("--base-url", "https://judge.example.org", "--trust-proxy", "127.0.0.1")
    assert "--trust-proxy" not in result.err


def test_a_link_for_the_organiser(run, database):
    from adjudge.campaigns.store import people

    result = run("human", "sign-in", "-d", database, "--base-url", "https://judge.example.org/")
    assert result.code == 0, result.err
    start, _, token = result.out.strip().rpartition("/")
    assert start == "https://judge.example.org/organiser/link"
    store = CampaignStore.open(f"sqlite:///{database}")
    assert people.use_one_time_link(store, token)
    store.close()


@pytest.mark.parametrize("ending", [signal.SIGINT, signal.SIGTERM])
def test_serving(own_database, made, ending):
    """The real thing: it listens on this machine only, prints its links, and ends when told to."""
    command = [sys.executable, "-m", "adjudge", "human", "serve", "--port", "0", "--database", own_database]
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
        beside = {path.name for path in Path(own_database).parent.iterdir()}
        server.send_signal(ending)
        rest, errors = server.communicate(timeout=30)
    assert server.returncode == {signal.SIGINT: 130, signal.SIGTERM: -signal.SIGTERM}[ending]
    assert "campaigns.db-wal" in beside
    assert [path.name for path in Path(own_database).parent.iterdir()] == [
        "campaigns.db"
    ]  # the store was closed
    assert "Traceback" not in errors
    assert f"they begin with {address}/a/ here" in errors  # the port is not the one that `new` wrote
    assert secret not in rest + errors  # nobody's link is in a log


def test_serving_in_the_background(own_database, made):
    """Shells start jobs in the background with SIGINT ignored: so it stays, and SIGTERM ends it with all closed."""
    command = [sys.executable, "-m", "adjudge", "human", "serve", "--port", "0", "--database", own_database]
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
    assert [path.name for path in Path(own_database).parent.iterdir()] == [
        "campaigns.db"
    ]  # the store was closed
    store = CampaignStore.open(f"sqlite:///{own_database}")
    with store.reading() as connection:
        assert sorted(connection.execute(select(schema.events.c.id)).scalars()) == sorted(events)
    store.close()


def test_names_do_not_command_the_terminal_of_a_server(capsys, own_database, made):
    """Names are checked when campaigns are made; a database of an older adjudge may hold any."""
    store = CampaignStore.open(f"sqlite:///{own_database}")
    with store.writing() as connection:
        connection.execute(update(schema.campaigns).values(name="n\x1b]0;ews\x07"))
    serve_command._greet(store, ServerSettings(base_url="http://127.0.0.1:1", demo=True))
    store.close()
    shown = capsys.readouterr()
    assert "try n\\x1b]0;ews\\x07: http://127.0.0.1:1/demo/n%1B%5D0%3Bews%07\n" in shown.out
    assert "\x1b" not in shown.out + shown.err


def test_a_port_that_is_taken(run, own_database, made):
    import socket

    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        result = run("human", "serve", "--port", str(taken.getsockname()[1]), "--database", own_database)
    assert result.code == 2
    assert "cannot listen on 127.0.0.1" in result.err
    assert "--port" in result.err


def test_several_processes_need_postgresql(run, own_database, made):
    result = run("human", "serve", "--workers", "2", "--database", own_database)
    assert result.code == 2
    assert "PostgreSQL" in result.err
