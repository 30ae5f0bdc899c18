"""Results of a folder in a browser: read only, on this machine, each page under its own policy."""

import json
import os
import re
import shutil
from pathlib import Path

import pytest

pytest.importorskip("fastapi")

from starlette.testclient import TestClient

from adjudge.cli import main
from adjudge.comparison.documents import plain, tables_document
from adjudge.history.stored import read
from adjudge.history.stored_comparison import stored_comparison
from adjudge.server.reports import ResultFolder, create_report_app
from adjudge.server.settings import ServerSettings
from helpers.addresses import served_files

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
ADDRESS = "http://127.0.0.1:8081"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Two results, of which one lost its files, one file that is none, and one beside the folder."""
    outside = tmp_path_factory.mktemp("results")
    inside = outside / "kept <b>"
    inside.mkdir()
    lines = [f"the cat sat on mat {n} again" for n in range(30)]
    for name, text in {
        "ref": lines,
        "a": [s.replace("cat", "dog") for s in lines],
        "b": lines[:5] + lines[:25],
    }.items():
        (outside / name).write_text("\n".join(text) + "\n", encoding="utf-8")
    few = ("--trials", "50", "--resamples", "20", "-m", "chrf", "-q")
    for name in ("whole", "lost", "secret"):
        where = outside if name == "secret" else inside
        files = [str(outside / part) for part in ("ref", "a", "b")]
        kept = ("--save", str(where / f"{name}.json"), "-o", os.devnull)
        assert main(["compare", "-r", *files, *few, *kept]) == 0
    text = (inside / "lost.json").read_text(encoding="utf-8")
    (inside / "lost.json").write_text(
        text.replace(str(outside / "a"), str(outside / "gone")), encoding="utf-8"
    )
    (inside / "broken.json").write_text("{}", encoding="utf-8")
    (inside / "note.txt").write_text("no result", encoding="utf-8")
    return inside


@pytest.fixture
def client(folder):
    app = create_report_app(ResultFolder(folder, charts=False), ServerSettings(base_url=ADDRESS))
    return TestClient(app, base_url=ADDRESS)


def test_the_list_has_every_result_and_says_what_is_wrong_with_others(client):
    page = client.get("/")
    assert page.status_code == 200
    assert sorted(re.findall(r'href="(/report/[^"]+)"', page.text)) == [
        "/report/lost.json",
        "/report/whole.json",
    ]
    assert "broken.json" in page.text
    assert "note.txt" not in page.text
    assert "kept &lt;b&gt;" in page.text
    assert not re.search(r"\d sets?\b", page.text), "each is of one test set, and the page does not count it"


def test_a_result_is_the_page_of_a_report_with_its_segments(client):
    page = client.get("/report/whole.json")
    assert page.status_code == 200
    assert 'id="segments"' in page.text
    policy = page.headers["content-security-policy"]
    assert policy.startswith("default-src 'none'")
    assert "'sha256-" in policy
    assert "frame-ancestors 'none'" in policy
    assert page.headers["x-content-type-options"] == "nosniff"
    assert page.headers["cache-control"] == "no-store"


def test_a_result_without_its_files_is_the_comparison_alone(client):
    page = client.get("/report/lost.json")
    assert page.status_code == 200
    assert "Without segments" in page.text
    assert 'id="segments"' not in page.text


@pytest.mark.parametrize(
    "name",
    ["..%2Fsecret.json", "../secret.json", "%2e%2e%2fsecret.json", "note.txt", "nothing.json", "%00", "."],
)
def test_nothing_else_of_the_machine_is_read(client, name):
    assert client.get(f"/report/{name}").status_code in (404, 405)


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH"])
def test_nothing_can_be_changed(client, method):
    assert client.request(method, "/report/whole.json").status_code == 405
    assert client.request(method, "/").status_code == 405


def test_other_names_of_this_machine_are_refused(client):
    assert client.get("/", headers={"host": "evil.example"}).status_code == 421
    assert client.get("/", headers={"origin": "http://evil.example"}).status_code == 403


def test_a_page_is_made_once_until_the_result_changes(folder, monkeypatch):
    from adjudge.server import reports

    made = []
    monkeypatch.setattr(reports, "result_page", lambda stored, **_: made.append(stored.path) or "page")
    results = ResultFolder(folder)
    results.page("whole.json")
    results.page("whole.json")
    assert len(made) == 1
    os.utime(folder / "whole.json", ns=(1, 1))
    results.page("whole.json")
    assert len(made) == 2


@pytest.fixture(scope="module")
def studies(tmp_path_factory):
    """A study that was kept, and the same without its files; what it says, and what it comes to."""
    outside = tmp_path_factory.mktemp("studies")
    shutil.copytree(EXAMPLES / "study", outside / "study")
    inside = outside / "kept"
    inside.mkdir()
    few = ("-m", "chrf", "--trials", "99", "--resamples", "20", "-q", "-o", os.devnull)
    study, kept = str(outside / "study" / "study.toml"), inside / "whole.json"
    assert main(["study", "run", study, *few, "--save", str(kept)]) == 0
    text = kept.read_text(encoding="utf-8")
    (inside / "lost.json").write_text(text.replace("study.toml", "gone.toml"), encoding="utf-8")
    (inside / "broken.json").write_text(text.replace('"better_on"', '"best_on"'), encoding="utf-8")
    document = json.loads(text)
    bare = {name: value for name, value in document.items() if name != "rows"}
    (inside / "bare.json").write_text(json.dumps(bare), encoding="utf-8")
    (inside / "odd.json").write_text(json.dumps(bare | {"tables": [1]}), encoding="utf-8")
    no_groups = [{**document["tables"][0], "groups": []}]
    (inside / "groups.json").write_text(json.dumps(bare | {"tables": no_groups}), encoding="utf-8")
    app = create_report_app(ResultFolder(inside, charts=False), ServerSettings(base_url=ADDRESS))
    return TestClient(app, base_url=ADDRESS), str(kept)


def test_a_study_is_the_page_of_all_its_sets(studies):
    client, _ = studies
    index = client.get("/").text
    assert 'href="/report/whole.json"' in index
    assert "173 in 2 sets" in index
    page = client.get("/report/whole.json")
    assert page.status_code == 200
    assert "neural wins: by chrF it is better than" in page.text
    for part in ("sets", "set-1-systems", "set-2-why", "set-1-people", "segments"):
        assert f'id="{part}"' in page.text
    assert page.headers["content-security-policy"].startswith("default-src 'none'")


def test_a_study_shows_the_numbers_that_were_stored(studies):
    stored = read(studies[1])
    shown = plain(tables_document(stored_comparison(stored)))
    assert shown == {name: stored.document[name] for name in shown}


def test_a_study_without_its_files_is_its_tables_and_a_broken_one_is_told(studies):
    client, _ = studies
    page = client.get("/report/lost.json")
    assert "Without segments: " in page.text
    assert "chrF: mean over test sets" in page.text
    assert 'id="segments"' not in page.text
    bare = client.get("/report/bare.json")
    assert "Without segments: the study was kept without rows" in bare.text
    assert "odd.json: tables[0]: a whole number, but an object was expected" in client.get("/").text
    assert client.get("/report/odd.json").status_code == 400
    assert "the mean over all test sets was expected" in client.get("/report/groups.json").text
    broken = client.get("/report/broken.json")
    assert broken.status_code == 400
    assert "better_on: missing" in broken.text


def test_a_history_beside_the_results_is_shown(tmp_path):
    from adjudge.history.records import History
    from helpers.histories import output, recorded

    app = create_report_app(ResultFolder(tmp_path, charts=False), ServerSettings(base_url=ADDRESS))
    client = TestClient(app, base_url=ADDRESS)
    assert "/history" not in client.get("/").text
    assert client.get("/history").status_code == 404
    (tmp_path / ".adjudge").mkdir()
    with History.open(str(tmp_path / ".adjudge" / "history.db"), create=True) as history:
        for every in (9, 2):
            recorded(history, output(every), label=f"v{every}", metrics=("bleu",))
        page = client.get("/").text
        assert 'href="/history"' in page
        assert "2 records" in page
        shown = client.get("/history")
        assert (shown.status_code, "v2 (#2): WORSE than v9 (#1)" in shown.text) == (200, True)
        assert "default-src 'none'" in shown.headers["content-security-policy"]
        recorded(history, output(9), label="newest", metrics=("bleu",))
    assert "newest" in client.get("/history").text
    (tmp_path / ".adjudge" / "history.db").write_bytes(b"no database" * 100)
    assert "no database of histories" in client.get("/").text
    assert client.get("/history").status_code >= 400


def test_an_address_that_a_result_names_is_not_fetched(folder, tmp_path):
    text = (folder / "whole.json").read_text(encoding="utf-8")
    with served_files({"/secret": "0.1 0.2 secret\n"}) as files:
        spec = f"meteor(language=en,parameters=http://{files.address}/secret)"
        (tmp_path / "metric.json").write_text(text.replace('"chrf"', f'"{spec}"'), encoding="utf-8")
        reference = str(folder.parent / "ref")
        (tmp_path / "files.json").write_text(
            text.replace(f'"{reference}"', f'"http://{files.address}/secret"'), encoding="utf-8"
        )
        (tmp_path / "rows.json").write_text(text.replace('"chrf"', '"meteor(language=en)"'), encoding="utf-8")
        app = create_report_app(ResultFolder(tmp_path, charts=False), ServerSettings(base_url=ADDRESS))
        client = TestClient(app, base_url=ADDRESS, raise_server_exceptions=False)
        pages = {name: client.get(f"/report/{name}.json") for name in ("metric", "files", "rows")}
        assert files.asked == []
    assert all(page.status_code < 500 for page in pages.values()), pages
    assert all("0.1 0.2" not in page.text for page in pages.values())
    assert "allow-programs" in pages["files"].text
