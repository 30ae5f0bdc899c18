"""`adjudge human add`: somebody and a system more."""

import json
import re

import pytest

from adjudge.campaigns.store import CampaignStore, campaigns
from helpers.human_commands import EXAMPLES


def test_somebody_and_a_system_more(run, own_database, made):
    run_file = EXAMPLES / "systems" / "experiment.run1.en"
    added = run(
        "human",
        "add",
        "news",
        "--annotator",
        "dora",
        "--system-output",
        f"new={run_file}",
        "--database",
        own_database,
    )
    assert added.code == 0, added.err
    assert re.match(r"dora  http://127\.0\.0\.1:8080/a/[\w-]{32}\n", added.out)
    shown = json.loads(run("human", "status", "--database", own_database, "-f", "json").out)["campaigns"][0]
    assert "new" in {system["system"] for system in shown["systems"]}
    assert {annotator["name"]: annotator["tasks"] for annotator in shown["annotators"]}["dora"] > 0
    again = run("human", "add", "news", "--annotator", "dora", "--database", own_database)
    assert again.code == 1
    assert "'dora' takes part already" in again.err


def test_a_system_more_from_a_column_of_a_table(run, own_database, made, tmp_path):
    lines = (EXAMPLES / "systems" / "neural.en").read_text().splitlines()
    table = tmp_path / "out=puts.tsv"
    table.write_text("".join(f"{line}\n" for line in ["old\tnew", *(f"x\t{line}" for line in lines)]))
    added = run("human", "add", "news", "--system-output", f"more={table}:new", "--database", own_database)
    assert added.code == 0, added.err
    store = CampaignStore.open(f"sqlite:///{own_database}")
    kept = campaigns.find(store, "news")
    texts = {output.system: output.segments for output in campaigns.material(store, kept).outputs}
    store.close()
    assert texts["more"] == texts["neural"]


@pytest.mark.parametrize(
    ("options", "code", "message"),
    [
        ([], 2, "nothing is to be added"),
        (["--system-output", "x"], 2, "write NAME=FILE"),
        (["--system-output", str(EXAMPLES / "systems" / "neural.en")], 2, "write NAME=FILE"),
        (["--system-output", "x=nowhere"], 1, "nowhere does not exist"),
        (
            ["--system-output", f"neural={EXAMPLES / 'systems' / 'neural.en'}"],
            1,
            "two systems are called 'neural'",
        ),
        (["--system-output", f"x={EXAMPLES / 'campaign.toml'}"], 1, "segments"),
    ],
)
def test_what_cannot_be_added(run, own_database, made, options, code, message):
    before = run("human", "status", "--database", own_database, "-f", "json").out
    result = run("human", "add", "news", *options, "--database", own_database)
    assert result.code == code, result.err
    assert re.search(message, result.err)
    assert run("human", "status", "--database", own_database, "-f", "json").out == before
